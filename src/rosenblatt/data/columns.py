"""Which columns of a table are features, of which kind, and which is the label."""

from rosenblatt.data.delimited import Delimited
from rosenblatt.data.encoder import Encoder
from rosenblatt.data.formats import AnyTable, NamedTable
from rosenblatt.data.numpy_files import Matrix
from rosenblatt.data.settings import Settings
from rosenblatt.data.svmlight import Svmlight
from rosenblatt.data.table import KINDS, find_column
from rosenblatt.errors import DataError

TARGETS = ("target", "label", "class", "y")


def choose_columns(table: AnyTable, settings: Settings, given: Encoder | None) -> tuple[dict[str, str], str | None]:
    """Return the features by kind and the target, and tell the table; matrices have their labels already."""
    if isinstance(table, Matrix | Svmlight):
        _refuse_columns(table, settings)
        if given is not None and given.columns:
            wanted = ", ".join(column.name for column in given.columns[:8]) + ", …" * (len(given.columns) > 8)
            raise DataError(f"{table.path} has no named columns ({table.format}), but the model needs {wanted}.")
        return {}, table.target if isinstance(table, Matrix) else "label"
    if given is not None:
        if not given.columns:
            raise DataError(f"{table.path} has named columns, but the encoder was made for a matrix of numbers.")
        target = given.target if given.target in table.names else None
        kinds = {column.name: column.kind for column in given.columns}
        for name in kinds:
            find_column(name, table.names, what="a feature", path=table.path)
    else:
        target = choose_target(table, settings)
        kinds = choose_features(table, target, settings)
    table.use(kinds, target, settings.weight)
    return kinds, target


def _refuse_columns(table: Matrix | Svmlight, settings: Settings) -> None:
    """Refuse choices of columns where the features are a matrix of numbers without names."""
    for option in ("features", "exclude", "categories", "text", "weight"):
        asked = getattr(settings, option)
        if asked:
            first = asked if isinstance(asked, str) else asked[0]
            raise DataError(
                f"{table.path} is a matrix of numbers ({table.format}) and has no column {first!r} to choose; "
                f"leave {option}= out, or save the data as a table with named columns."
            )
    if isinstance(table, Svmlight) and settings.target not in (None, 0, "label"):
        raise DataError(
            f"{table.path} has no column {settings.target!r}; in an svmlight file the label is the first number of "
            "each line, so leave target= out."
        )


def choose_target(table: NamedTable, settings: Settings) -> str:
    """Return the label column: the one named, or one with a usual name, or the last, with a note.

    A column that was named as text or as weights is not guessed to be the labels.
    """
    if settings.target is not None:
        return find_column(settings.target, table.names, what="target", path=table.path)
    free = [name for name in table.names if name not in (*settings.text, settings.weight)] or list(table.names)
    usual = [name for name in free if name.lower() in TARGETS]
    chosen = usual[0] if len(usual) == 1 else free[-1]
    table.notes.append(f"{table.path}: column {chosen} was taken as the target.")
    return chosen


def choose_features(table: NamedTable, target: str, settings: Settings) -> dict[str, str]:
    """Return the feature columns and their kinds."""
    path, names = table.path, table.names
    texts = [find_column(name, names, what="text", path=path) for name in settings.text]
    named = [find_column(name, names, what="categories", path=path) for name in settings.categories]
    held = None if settings.weight is None else find_column(settings.weight, names, what="weight", path=path)
    if settings.features is None:
        chosen = [name for name in names if name not in (target, held)]
    else:
        chosen = [find_column(name, names, what="features", path=path) for name in settings.features]
        if target in chosen:
            raise DataError(f"{path}: {target!r} is both a feature and the target.")
    left_out = [find_column(name, names, what="exclude", path=path) for name in settings.exclude]
    if target in left_out:
        raise DataError(f"{path}: {target!r} is the target and cannot be left out; name another with target=.")
    chosen = [name for name in chosen if name not in left_out]
    if not chosen and len(names) == 1:
        raise DataError(
            f"{path} has one column, {names[0]}, and so none beside the target to learn from; if it has more, give "
            "their delimiter=."
        )
    if not chosen:
        raise DataError(f"{path} has no column beside the target to learn from.")
    kinds = {}
    for name in chosen:
        kind = "text" if name in texts else "category" if name in named else table.kinds[name]
        if kind not in KINDS:
            raise DataError(
                f"{path}: column {name} is of type {kind}, no feature; leave it out with exclude=[{name!r}]."
            )
        kinds[name] = kind
        if kind == "category" and name not in named and isinstance(table, Delimited):
            _say_doubt(table, name)
    return kinds


def _say_doubt(table: Delimited, name: str) -> None:
    """Note that a column with numbers among its cells is taken as categories; refuse decimal commas."""
    doubt = table.doubt(name)
    if doubt is None:
        return
    if "has a comma" in doubt:
        raise DataError(
            f"{table.path}: column {name} is no column of numbers: {doubt}. Correct it, or give "
            f"categories=[{name!r}] if the column holds names."
        )
    table.notes.append(f"{table.path}: column {name} was taken as categories because {doubt}.")
