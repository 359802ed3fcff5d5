"""A trained model in another language: ONNX, Python, C, SQL. Each function returns text or bytes and writes no file."""

from rosenblatt.export.c import to_c
from rosenblatt.export.onnx import to_onnx
from rosenblatt.export.python import to_python
from rosenblatt.export.sql import sql_columns, to_sql

__all__ = ["sql_columns", "to_c", "to_onnx", "to_python", "to_sql"]
