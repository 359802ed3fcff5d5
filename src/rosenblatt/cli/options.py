"""The options that several commands share, and their translation into arguments of the library."""

import csv
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

import click

from rosenblatt.cli.screen import QUIET
from rosenblatt.data.encoder import MISSING, SCALES
from rosenblatt.errors import DataError

Command = TypeVar("Command", bound=Callable[..., Any])

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {"memory": "last"},
    "margin": {"memory": "last", "margin": 1.0},
    "averaged": {"memory": "average"},
    "voted": {"memory": "vote"},
    "pocket": {"memory": "pocket"},
}
ORDERS = ("cyclic", "shuffle", "shuffle_once", "random", "first", "worst")


def _stack(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def comma_list(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> list[str] | None:
    """Split a,b,c; a name with a comma stands in double quotes. The option may also be given several times."""
    try:
        parts = [part.strip() for part in chain(*csv.reader(value, skipinitialspace=True)) if part.strip()]
    except csv.Error as error:
        raise click.BadParameter(f"{error}; give names as a,b,c.") from None
    if value and not parts:
        raise click.BadParameter("it names nothing; leave the option out, or name a column.")
    return parts or None


def comma_option(*names: str, help: str) -> Callable[[Command], Command]:
    """Return an option that takes a,b,c."""
    return click.option(*names, multiple=True, callback=comma_list, help=help)


def delimiter_mark(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    r"""Read --delimiter: a tab may be typed as \t or tab."""
    return "\t" if value in (r"\t", "tab") else value


def be_quiet(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Remember --quiet for the command."""
    ctx.meta[QUIET] = value


quiet_option = click.option(
    "-q", "--quiet", is_flag=True, expose_value=False, callback=be_quiet, help="No progress, notes or hints."
)

show_python_option = click.option(
    "--show-python", is_flag=True, help="Print the Python script that does the same, and stop."
)

output_options = _stack(
    click.option("--json", "form", flag_value="json", help="One JSON object, of a documented schema."),
    click.option("--csv", "form", flag_value="csv", help="CSV, also on a terminal."),
    click.option("--table", "form", flag_value="table", help="Text for people, also in a pipe."),
    quiet_option,
    show_python_option,
)

file_options = _stack(
    click.option("--format", help="csv, parquet, arrow, npy, npz or svmlight; found out otherwise."),
    click.option(
        "--delimiter", callback=delimiter_mark, help=r"Of a text table, such as ';' or '\t'; found out otherwise."
    ),
    click.option("--header/--no-header", default=None, help="Whether the first line has names; found out otherwise."),
    click.option("--quotes/--no-quotes", default=None, help="Whether quotes quote; found out otherwise."),
    click.option("--first-index", type=click.IntRange(0, 1), help="Lowest index of an svmlight file."),
)

data_options = _stack(
    click.argument("data"),
    click.option("-t", "--target", help="Column of the labels. Default: target, label, class, y, or the last column."),
    comma_option("--features", help="Columns to learn from, a,b,c. Default: all others."),
    comma_option("--exclude", help="Columns to leave out, a,b,c."),
    comma_option("--categories", help="Columns of numbers that are names: one feature a level."),
    comma_option("--text", help="Columns of text: hashed word n-grams."),
    click.option("--weight", help="Column of example weights."),
    click.option("--positive", help="Learn this label against all others."),
    comma_option("--classes", help="Only the rows with these labels, a,b."),
    click.option("--missing", type=click.Choice(MISSING), help="What to do where a value is missing."),
    click.option(
        "--scale",
        type=click.Choice(SCALES),
        help="Scale the features; folded back into the weights of linear models.",
    ),
    file_options,
    click.option("--memory", help="Budget for the data, such as 256MB or 2GB; larger files are read in blocks."),
    click.option(
        "--cache", is_flag=True, help="Keep the encoded rows beside the file and use them while it is the same."
    ),
)


def start_vector(ctx: click.Context, param: click.Parameter, value: str | None) -> Any:
    """Read --start: zeros, random, or "w1,w2,...[;b]"."""
    if value in (None, "random"):
        return value
    if value in ("zeros", "zero"):
        return "zeros"
    w, _, b = value.partition(";")
    try:
        return [float(part) for part in w.split(",")], float(b or 0)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is none of zeros, random, or numbers such as 1,-0.8 or 1,-0.8;0.5"
        ) from None


def learning_options(order: str) -> Callable[[Command], Command]:
    """Return the options of a run; commands differ in the order that is natural for them."""
    return _stack(
        click.option("--margin", type=float, help="Demanded margin: update when y(w·x+b) <= margin. [default: 0]"),
        click.option("--rate", type=float, default=1.0, show_default=True, help="Learning rate."),
        click.option("--bias/--no-bias", default=None, help="Learn an offset b (default), or pass through the origin."),
        click.option("--order", type=click.Choice(ORDERS), default=order, show_default=True, help="Order of the rows."),
        click.option(
            "--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the order and the start."
        ),
        click.option("--start", callback=start_vector, help='zeros, random, or numbers: "1,-0.8" or "1,-0.8;b".'),
        click.option(
            "--ties",
            type=click.Choice(["mistake", "positive"]),
            default="mistake",
            show_default=True,
            help="What a score of zero is in training.",
        ),
        click.option(
            "--multiclass",
            type=click.Choice(["ovr", "direct"]),
            default="ovr",
            show_default=True,
            help="More than two classes: one machine each, or the true class against the best rival.",
        ),
        click.option(
            "--max-passes",
            type=click.IntRange(1),
            help="Passes at most. [default: 1000, of a streamed fit 10]",
        ),
        click.option("--max-updates", type=click.IntRange(1), help="Updates at most."),
        click.option("--max-seconds", type=click.FloatRange(0, min_open=True), help="Seconds at most."),
    )


LEARNING: tuple[str, ...] = ("margin", "rate", "bias", "order", "seed", "start", "ties", "multiclass")
LEARNING += ("max_passes", "max_updates", "max_seconds")
DEFAULTS = {
    "margin": 0.0,
    "rate": 1.0,
    "bias": True,
    "order": "cyclic",
    "seed": 0,
    "start": "zeros",
    "ties": "mistake",
    "multiclass": "ovr",
    "max_passes": 1000,
    "max_updates": None,
    "max_seconds": None,
    "memory": "last",
}
OPENING: tuple[str, ...] = (
    "target",
    "features",
    "exclude",
    "categories",
    "text",
    "weight",
    "positive",
    "classes",
    "missing",
    "scale",
)
OPENING += ("format", "delimiter", "header", "quotes", "first_index", "memory", "cache")


def opening_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``rosenblatt.data.open`` that the user gave."""
    chosen = {name: given.get(name) for name in OPENING}
    return {name: value for name, value in chosen.items() if value is not None and (name != "cache" or value)}


def as_typed(given: dict[str, Any]) -> str:
    """Return the data and its options as they would be typed again."""
    parts = [given["data"]]
    for name, value in opening_arguments(given).items():
        if name in ("memory", "cache"):
            continue
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            parts.append(option if value else f"--no-{name}")
        else:
            parts += [option, ",".join(value) if isinstance(value, list) else str(value)]
    return shlex.join(parts)


def learning_arguments(
    given: dict[str, Any], variant: str = "standard", natural: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Return the arguments of ``learn`` that differ from its defaults.

    The user's come before the variant's, and those before the ``natural`` ones that a lecture runs its data set with.

    >>> learning_arguments({"rate": 1.0, "margin": 2.0}, natural={"bias": False})
    {'bias': False, 'margin': 2.0}
    >>> learning_arguments({"bias": True}, natural={"bias": False})
    {}
    """
    typed = {name: given[name] for name in LEARNING if given.get(name) is not None}
    chosen = (natural or {}) | VARIANTS[variant] | typed
    return {name: value for name, value in chosen.items() if value != DEFAULTS[name]}


def learning_as_typed(given: dict[str, Any], variant: str, natural: dict[str, Any]) -> str:
    """Return the options of a run as they would be typed for `trace`, whose rows come in file order otherwise."""
    parts = [] if variant == "standard" else ["--variant", variant]
    usual = DEFAULTS | natural
    for name in LEARNING:
        value, option = given.get(name), f"--{name.replace('_', '-')}"
        if value is None or value == usual[name]:
            continue
        if isinstance(value, bool):
            parts.append(option if value else f"--no-{name}")
        elif isinstance(value, tuple):
            w, b = value
            parts += [option, ",".join(f"{part:g}" for part in w) + (f";{b:g}" if b else "")]
        else:
            parts += [option, str(value)]
    if "shuffle" in parts and "--seed" not in parts:
        parts += ["--seed", str(given["seed"])]
    return shlex.join(parts)


@dataclass(frozen=True)
class KernelChoice:
    """A kernel as the user wrote it: NAME[:GAMMA[:DEGREE[:COEF0]]]."""

    name: str
    gamma: float | None = None
    degree: float = 3
    coef0: float = 1.0

    @classmethod
    def parse(cls, text: str) -> "KernelChoice":
        """Read rbf:0.5 or poly:1:2."""
        from rosenblatt.models.kernels import NAMES

        name, *numbers = text.split(":")
        if name not in NAMES:
            raise DataError(f"--kernel {text}: there is no kernel {name!r}. Choose one of {', '.join(NAMES)}.")
        try:
            values = [float(part) for part in numbers]
        except ValueError:
            raise DataError(f"--kernel {text}: expected numbers after the name, such as rbf:0.5 or poly:1:2.") from None
        if len(values) > 3:
            raise DataError(f"--kernel {text}: at most gamma, degree and coef0 follow the name.")
        return cls(name, *values)

    def script(self, d: str) -> str:
        """Return the Python that makes it; ``d`` is how the script writes the number of features."""
        gamma = f"1 / {d}" if self.gamma is None else repr(self.gamma)
        return f"rosenblatt.models.kernels.Kernel({self.name!r}, {gamma}, {self.degree!r}, {self.coef0!r})"


def variant_and_kernel(given: dict[str, Any]) -> tuple[str, KernelChoice | None]:
    """Return what was chosen; --variant kernel is the standard rule with an rbf kernel."""
    kernel = KernelChoice.parse(given["kernel"]) if given["kernel"] else None
    if given["variant"] == "kernel":
        return "standard", kernel or KernelChoice("rbf")
    return given["variant"], kernel
