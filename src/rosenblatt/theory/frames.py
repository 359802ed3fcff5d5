"""Columns as a data frame, an Arrow table or CSV text."""

import csv
import io
from fractions import Fraction
from typing import Any

from rosenblatt.errors import MissingExtra
from rosenblatt.theory.decimals import exactly


def to_pandas(table: dict[str, Any]) -> Any:
    """Return columns as a pandas DataFrame."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtra("pandas", "pandas", "to_pandas()") from None
    return pd.DataFrame(table)


def to_arrow(table: dict[str, Any]) -> Any:
    """Return columns as a pyarrow Table."""
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtra("pyarrow", "files", "to_arrow()") from None
    return pa.table(table)


def to_csv(table: dict[str, list[Any]]) -> str:
    """Return columns as CSV text with a header line; numbers without loss."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table)
    for line in zip(*table.values(), strict=True):
        writer.writerow([_written(value) for value in line])
    return out.getvalue()


def _written(value: Any) -> Any:
    if isinstance(value, float) and value != value:
        return ""
    return exactly(value) if isinstance(value, (float, Fraction)) else value
