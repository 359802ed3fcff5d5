"""The public names and their signatures are written down; a change of them is a decision, not an accident.

`python -m tests.contracts.test_public_api` writes the snapshot anew.
"""

import importlib
import inspect
import re
from pathlib import Path

SNAPSHOT = Path(__file__).with_name("public_api.txt")
ROOMS = ("", ".data", ".datasets", ".estimators", ".export", ".lab", ".learning", ".models", ".plot", ".theory")


def described() -> str:
    lines = []
    for room in ROOMS:
        module = importlib.import_module(f"rosenblatt{room}")
        for name in sorted(module.__all__):
            value = getattr(module, name)
            signature = ""
            is_error = inspect.isclass(value) and issubclass(value, Exception)
            if callable(value) and not inspect.ismodule(value) and not is_error:
                parameters = inspect.signature(value).parameters.values()
                shown = [p.replace(annotation=inspect.Parameter.empty) for p in parameters]
                signature = str(inspect.Signature(shown))
            lines.append(re.sub(r" at 0x[0-9a-f]+", "", f"rosenblatt{room}.{name}{signature}"))
    return "\n".join(lines) + "\n"


def test_public_names_and_signatures_are_as_written_down():
    assert described() == SNAPSHOT.read_text(encoding="utf-8")


if __name__ == "__main__":
    SNAPSHOT.write_text(described(), encoding="utf-8")
