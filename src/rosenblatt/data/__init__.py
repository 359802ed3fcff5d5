"""Where examples come from."""

from rosenblatt.data.arrays import as_rows, augment
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.features import Column, Encoded
from rosenblatt.data.filesource import FileSource
from rosenblatt.data.labels import encode
from rosenblatt.data.reader import open
from rosenblatt.data.rows import Rows
from rosenblatt.data.source import Block, Source

__all__ = ["Block", "Column", "Encoded", "Encoder", "FileSource", "Rows", "Source"]
__all__ += ["as_rows", "augment", "encode", "open"]
