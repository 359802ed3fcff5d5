"""`rosenblatt verify`: check a certificate again, without a solver."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from rosenblatt.cli.app import exit_with
from rosenblatt.cli.options import data_options, opening_arguments, output_options
from rosenblatt.cli.reading import Examples, read_examples, reading_script
from rosenblatt.cli.screen import Result, bad, count, emit, good
from rosenblatt.cli.script import script
from rosenblatt.errors import DataError

MAX_BYTES = 64 << 20


@click.command("verify", short_help="check a proof again, without a solver")
@click.argument("certificate")
@data_options
@output_options
def command(**given: Any) -> None:
    """Check that the numbers of CERTIFICATE (from rosenblatt check --out) prove its verdict for DATA, exactly.

    Exit code 0: they do. 1: they do not.
    """
    opening = opening_arguments(given)
    if given["show_python"]:
        imports, lines = reading_script(given["data"], opening)
        lines += [
            f"text = open({given['certificate']!r}).read()",
            "certificate = rosenblatt.theory.read_certificate(text)",
            "print(rosenblatt.verify(certificate, X, y))",
        ]
        click.echo(script(lines, imports=(*imports, "rosenblatt.theory")))
        return
    certificate = read(given["certificate"])
    examples = read_examples(given["data"], opening)
    holds = certificate.verify(examples.rows, examples.labels)
    verdict = {True: "separable", False: "not separable", None: "not known"}[certificate.separable]
    facts = {"certificate": given["certificate"], "data": examples.name, "verdict": verdict, "holds": holds}

    def text() -> Iterator[str]:
        if holds:
            yield good("the certificate holds") + f": {examples.name} is {_space(certificate)}{verdict}"
            yield f"  checked on {count(examples.rows.n, 'row')} in exact arithmetic, without a solver"
        else:
            yield bad("the certificate does not hold") + f" for {examples.name}"
            yield f"  {_difference(certificate, examples)}"

    emit(Result("rosenblatt.verify/1", facts, ("name", "value"), list(facts.items()), text), given["form"])
    if not holds:
        exit_with(1)


def _difference(certificate: Any, examples: Examples) -> str:
    """Return what may be wrong: another size or other labels for sure, else what cannot be seen from outside."""
    one = next(iter(certificate.values())) if hasattr(certificate, "values") else certificate
    if (one.n, one.d) != (examples.rows.n, examples.rows.d):
        mine = f"{count(examples.rows.n, 'row')} and {count(examples.rows.d, 'feature')}"
        its = f"{count(one.n, 'row')} and {count(one.d, 'feature')}"
        return f"it is for {its}, the data have {mine}; give the options of check again (--classes, --features, …)"
    labels = examples.classes.tolist()
    if one.positive not in labels or (one.negative is not None and one.negative not in labels):
        return f"it is for {one.negative} and {one.positive}, the labels here are {', '.join(map(str, labels[:12]))}"
    return (
        "the size is the same; give the options of check again (--scale, --missing, …), or these are other data, or in "
        "another order, or the certificate was changed"
    )


def _space(certificate: Any) -> str:
    return "" if getattr(certificate, "bias", True) else "through the origin "


def read(path: str) -> Any:
    """Return the certificate or certificates of a file."""
    from rosenblatt.theory import read_certificate

    if Path(path).stat().st_size > MAX_BYTES:
        raise DataError(f"{path} is too large for a certificate.")
    try:
        return read_certificate(Path(path).read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise DataError(f"{path} is not UTF-8 text, so it is no certificate.") from None
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
