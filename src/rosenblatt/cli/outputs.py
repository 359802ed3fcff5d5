"""What a command may write to: not the files it reads, and not a name that says another format."""

import os
from pathlib import Path

from rosenblatt.errors import DataError

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
TABLES = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".npy", ".npz", ".svm", ".svmlight", ".libsvm")
TEXTS = {"CSV": (".csv", ".tsv"), "JSON Lines": (".json", ".jsonl", ".ndjson")}


def refuse_overwriting(out: str | None, *read: str | None) -> None:
    """Refuse to write to a file that the command reads, by whatever name, and to a name that means no file."""
    if out == "-":
        raise DataError("'-' is no name of a file to write; give one.")
    for path in read:
        if out and path and os.path.exists(out) and os.path.exists(path) and os.path.samefile(out, path):
            other = "" if out == path else f" under the name {path}"
            raise DataError(f"{out} would be overwritten, and it is read here{other}. Give another name to write to.")


def refuse_other_formats(out: str, written: str) -> None:
    """Refuse a name that says another format than the text that is written, CSV or JSON Lines."""
    suffix = Path(out).suffix.lower()
    if suffix in COMPRESSED:
        hint = "Leave --out out and send it through a pipe, such as | gzip > labelled.csv.gz."
    elif suffix in TABLES:
        hint = f"Write it to a name in {TEXTS[written][0]}; rosenblatt convert makes other formats of CSV."
    elif any(suffix in names for text, names in TEXTS.items() if text != written):
        hint = (
            f"{'Leave --json out' if written == 'JSON Lines' else 'Add --json'}, or give a name in {TEXTS[written][0]}."
        )
    else:
        return
    raise DataError(f"--out {out}: {written} is written here, and the name says something else. {hint}")


def refuse_other_separator(out: str, delimiter: str) -> None:
    """Refuse a name that says tabs where columns are copied with another mark between them."""
    if delimiter != "\t" and out.lower().endswith(".tsv"):
        raise DataError(
            f"--out {out}: the columns are separated by {delimiter!r}, as in the input, and the name says tabs; give a name "
            "in .csv."
        )
