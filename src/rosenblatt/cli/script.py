"""Python scripts that do what a command does, for --show-python."""

from typing import Any


def arguments(given: dict[str, Any]) -> str:
    """Return keyword arguments as source, led by a comma.

    >>> arguments({"target": "y", "bias": False})
    ", target='y', bias=False"
    """
    return "".join(f", {name}={value!r}" for name, value in given.items())


def open_lines(data: str, given: dict[str, Any]) -> list[str]:
    """Return the lines that open a data file."""
    return [f"source = rosenblatt.data.open({data!r}{arguments(given)})"]


def script(*lines: str | list[str], imports: tuple[str, ...]) -> str:
    """Return a whole script."""
    body: list[str] = []
    for part in lines:
        body += [part] if isinstance(part, str) else part
    return "\n".join([*(f"import {name}" for name in imports), "", *body])
