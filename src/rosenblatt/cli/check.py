"""`rosenblatt check`: is the data linearly separable? With a proof either way."""

import shlex
from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from rosenblatt.cli.app import exit_with
from rosenblatt.cli.options import as_typed, data_options, opening_arguments, output_options
from rosenblatt.cli.outputs import refuse_overwriting
from rosenblatt.cli.progress import progress_line
from rosenblatt.cli.reading import Examples, natural_settings, read_examples, reading_script
from rosenblatt.cli.screen import Result, bad, count, emit, faint, good, note, number, plain, say, strong
from rosenblatt.cli.script import arguments, script
from rosenblatt.data.files import write_bytes
from rosenblatt.errors import DataError

SHOWN = 12  # rows or terms written out


@click.command("check", short_help="is the data linearly separable? with a proof")
@data_options
@click.option("--bias/--no-bias", default=None, help="A hyperplane with an offset (default), or through the origin.")
@click.option("--max-seconds", type=click.FloatRange(0, min_open=True), help="Stop looking after this long.")
@click.option("-o", "--out", help="Save the certificate here, as JSON, for rosenblatt verify.")
@output_options
def command(**given: Any) -> None:
    """Decide whether a hyperplane separates the classes of DATA, and prove it in exact arithmetic.

    Exit code 0: separable. 1: not separable, or not known in the time given.

    \b
    rosenblatt check iris.csv --target species --positive setosa
    rosenblatt check xor --out xor.json
    """
    from rosenblatt.theory import check

    settings = {key: given[key] for key in ("bias", "max_seconds") if given[key] is not None}
    opening = opening_arguments(given)
    refuse_overwriting(given["out"], given["data"])
    if given["show_python"]:
        imports, lines = reading_script(given["data"], opening)
        settings = {k: v for k, v in natural_settings(given["data"]).items() if k == "bias"} | settings
        lines += [f"certificate = rosenblatt.check(X, y{arguments(settings)})", "print(certificate)"]
        if given["out"]:
            lines += [f"open({given['out']!r}, 'w').write(certificate.to_json())"]
        click.echo(script(lines, imports=imports))
        return
    with progress_line(given) as line:
        line.stage(f"reading {given['data']}")
        examples = read_examples(given["data"], opening)
        settings = {key: value for key, value in examples.settings.items() if key == "bias"} | settings
        line.stage(f"looking for a separator or a proof that there is none, {count(examples.rows.n, 'row')}")
        certificate = check(examples.rows, examples.labels, **settings)
        if given["out"]:
            write_bytes(given["out"], certificate.to_json().encode())
        if certificate.separable:
            line.stage("looking for the best margin")
        found = _result(examples, certificate)
    say(examples.notes, shuffled=True)
    emit(found, given["form"])
    if given["out"]:
        note(f"wrote {given['out']}")
        note(f"next: rosenblatt verify {shlex.quote(given['out'])} {as_typed(given)}")
    if certificate.separable is not True:
        exit_with(1)


def _parts(certificate: Any) -> list[Any]:
    return list(certificate.values()) if hasattr(certificate, "values") else [certificate]


def _result(examples: Examples, certificate: Any) -> Result:
    parts = _parts(certificate)
    best = _best(examples, parts)
    facts = {
        "data": examples.name,
        "rows": examples.rows.n,
        "features": examples.rows.d,
        "separable": certificate.separable,
        "proved": certificate.proved,
        "best": best,
        "certificates": [_facts(examples, one) for one in parts],
    }
    header = ("positive", "negative", "separable", "proved", "margin", "row", "place", "label", "weight")
    return Result(
        "rosenblatt.check/1", facts, header, list(_lines(examples, parts)), lambda: _text(examples, parts, best)
    )


def _best(examples: Examples, parts: list[Any]) -> dict[str, Any] | None:
    """Return the best separator of two classes and the bound, where the data are small."""
    if len(parts) != 1 or not parts[0].separable or not examples.small:
        return None
    from rosenblatt.theory import max_margin, mistake_bound

    found = max_margin(examples.rows, examples.labels, bias=parts[0].bias)
    try:
        most = mistake_bound(examples.rows, examples.labels, bias=parts[0].bias).most
    except DataError:  # beyond the largest float
        most = None
    return {
        "w": found.w.tolist(),
        "b": found.b,
        "gamma": found.gamma,
        "R": found.R,
        "space": found.space,
        "exact": found.exact_square is not None,
        "touching": found.rows.tolist(),
        "at_most_updates": most,
    }


def _facts(examples: Examples, one: Any) -> dict[str, Any]:
    return {
        "positive": plain(one.positive),
        "negative": plain(one.negative),
        "separable": one.separable,
        "proved": one.proved,
        "bias": one.bias,
        "w": None if one.w is None else one.w.tolist(),
        "b": one.b,
        "margin": one.gamma,
        "rows": [] if one.rows is None else one.rows.tolist(),
        "places": [] if one.rows is None else [examples.place(int(i)) for i in one.rows],
        "weights": [str(weight) for weight in one.weights],
        "found_by": one.found_by,
        "note": one.note,
    }


def _lines(examples: Examples, parts: list[Any]) -> Iterator[list[Any]]:
    """One line for a separator, one for each row of a proof of the opposite."""
    for one in parts:
        head = [one.positive, one.negative, one.separable, one.proved, one.gamma]
        if one.rows is None:
            yield [*head, None, None, None, None]
        for i, weight in zip([] if one.rows is None else one.rows.tolist(), one.weights, strict=True):
            yield [*head, i, examples.place(i), examples.labels[i], str(weight)]


def _text(examples: Examples, parts: list[Any], best: dict[str, Any] | None) -> Iterator[str]:
    for k, one in enumerate(parts):
        if k:
            yield ""
        if len(parts) > 1:
            yield strong(f"{one.positive} against the rest")
        yield from _separable(examples, one, best) if one.separable else _not_separable(examples, one)


def _proof_word(one: Any) -> str:
    return faint("  proved in exact arithmetic") if one.proved else faint("  numerically; not proved")


def _separable(examples: Examples, one: Any, best: dict[str, Any] | None) -> Iterator[str]:
    from rosenblatt.theory.explain import caveat

    how = "" if one.bias else " through the origin"
    yield good(f"linearly separable{how}") + _proof_word(one)
    if doubt := caveat(one):
        yield f"  {doubt}"
    space = "bias as feature 1" if one.bias else "through the origin"
    if best is None:
        yield f"  a separator with margin {number(one.gamma)} ({space}); the best margin may be larger"
        yield f"  w = {_terms(examples, one.w, one.b)}"
        return
    most = best["at_most_updates"]
    bound = "the bound exceeds the largest float" if most is None else f"at most {most:,} updates from start 0"
    yield f"  γ = {number(best['gamma'])}, R = {number(best['R'])} ({space})   {bound}"
    yield f"  u = {_terms(examples, np.array(best['w']), best['b'])}"
    yield f"  touching rows: {_touching(examples, best['touching'])}"


def _terms(examples: Examples, w: Any, b: float) -> str:
    """Return 0.25·petal_length + 0.37·petal_width − 0.89, the largest terms first where there are many."""
    chosen = np.arange(len(w)) if len(w) <= SHOWN else np.argsort(-np.abs(w), kind="stable")[:SHOWN]
    text = ""
    for value, name in [*((float(w[j]), examples.feature(int(j))) for j in chosen), (b, "")]:
        if value != 0 or (not text and not name):
            sign = ("−" if value < 0 else "") if not text else (" − " if value < 0 else " + ")
            text += f"{sign}{number(abs(value))}{'·' if name else ''}{name}"
    return text + (f"  (and {len(w) - SHOWN:,} smaller)" if len(w) > SHOWN else "")


def _touching(examples: Examples, rows: list[int]) -> str:
    parts = []
    for label in examples.classes.tolist():
        mine = [examples.place(i) for i in rows if examples.labels[i] == label]
        if mine:
            shown = ", ".join(mine[:SHOWN]) + (f", … {len(mine)} in all" if len(mine) > SHOWN else "")
            parts.append(f"{shown} ({label})")
    return ", ".join(parts)


def _not_separable(examples: Examples, one: Any) -> Iterator[str]:
    how = "" if one.bias else " through the origin"
    if one.separable is None:
        yield strong("not known")
        yield f"  {one.note}"
        yield "  try: a larger --max-seconds; --variant pocket or averaged need no separability"
        return
    yield bad(f"not linearly separable{how}") + _proof_word(one)
    yield from _witness(examples, one)
    rest = one.negative is None
    yield f"  so {'the machine of this class against the rest' if rest else 'the standard perceptron'} never stops on this data"
    if one.found_by == "equal rows":
        yield "  try: a look at those rows (no function of them is right on both), then --variant pocket or --variant averaged"
        return
    remedy = "--variant pocket, --variant averaged, or --variant kernel"
    if rest:
        remedy = f"--multiclass direct, which may converge all the same, {remedy}"
    yield f"  try: {remedy if one.bias else 'a bias (leave --no-bias out), ' + remedy}"


def _witness(examples: Examples, one: Any) -> Iterator[str]:
    rows, d = one.rows.tolist(), examples.rows.d
    if one.found_by == "zero row":
        yield f"  {examples.place(rows[0])} is zero: w·x = 0 whatever w is"
        return
    if one.found_by == "equal rows":
        yield f"  {examples.place(rows[0])} and {examples.place(rows[1])} are equal and have different labels"
        return
    most = f"d + 2 = {d + 2}" if one.bias else f"d + 1 = {d + 1}"
    meet = "whose hulls share a point" if one.bias else "of which the weighted sums of both sides are equal"
    yield f"  proof: {count(len(rows), 'row')} (at most {most} are ever needed) {meet}"
    weights = dict(zip(rows, one.weights, strict=True))
    width = max(len(str(label)) for label in examples.classes.tolist())
    positive = {i: examples.labels[i] == one.positive for i in rows}
    for side in (False, True):
        mine = [i for i in rows if positive[i] == side]
        label = one.positive if side else ("the rest" if one.negative is None else one.negative)
        shown = "   ".join(f"{examples.place(i)} × {_weight(weights[i])}" for i in mine[:SHOWN])
        yield f"    {label!s:<{width}}  {shown}{f'   … {len(mine)} in all' if len(mine) > SHOWN else ''}"
    if d <= SHOWN:
        half = np.atleast_1d(sum(float(weights[i]) * examples.rows.row(i) for i in rows if positive[i]))
        sums, point = (", ".join(number(float(value)) for value in vector) for vector in (half, 2 * half))
        yield f"    both sums = ({sums})" + (f", half of the shared point ({point})" if one.bias else "")


def _weight(weight: Any) -> str:
    """Return a weight as the fraction it is, or as a decimal where that is long."""
    return str(weight) if weight.denominator <= 1000 else f"{float(weight):.3f}"
