"""A linear model as a SQL expression over the columns of a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from rosenblatt._typing import Doubles, Labels
from rosenblatt.data.encoder import Encoder
from rosenblatt.errors import DataError
from rosenblatt.export.parts import FOLDS, LANES, feature_names, linear_of, number, vectors
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.scored import LEAST_POSITIVE


def to_sql(model: Any, *, table: str | Sequence[str] | None = None, columns: Mapping[str, str] | None = None) -> str:
    """Return a CASE expression that is the predicted label, or with ``table`` a whole SELECT with scores and label.

    The sum is written in the order in which the library sums, so a database that computes in float64 gives the same
    floats. A row with a NULL among its features gets the label NULL. Zero weights are left out.
    ``table`` may be a sequence of names: the schema, then the table.
    ``columns`` gives SQL expressions for features that are not columns themselves, by name; see `sql_columns`.

    >>> import numpy as np
    >>> from rosenblatt.models import LinearModel
    >>> model = LinearModel(np.array([0.5, -2.0]), 1.0, np.array(["no", "yes"]), ("age", "price"))
    >>> print(to_sql(model, table="goods"))
    SELECT *, CASE WHEN "rosenblatt score" >= 0 THEN 'yes' WHEN "rosenblatt score" < 0 THEN 'no' END AS "prediction"
    FROM (SELECT *, 0.5e0 * "age" + -2.0e0 * "price" + 1.0e0 AS "rosenblatt score" FROM "goods") AS "scored"
    """
    linear = linear_of(model, "SQL")
    names = feature_names(linear)
    if columns is None and len({name.lower() for name in names}) != len(names):
        raise DataError("two features have the same name in SQL, where case does not count; rename one.")
    W, b = vectors(linear)
    shown = [(columns or {}).get(name) or quoted(name) for name in names]
    sums = [_sum(w, float(bias), shown) for w, bias in zip(W, b, strict=True)]
    if table is None:
        return _label(linear, [f"({text})" for text in sums])
    labels = linear.classes.tolist()
    # A name no table has: where it had, the label would be made of that column, and nobody would be told.
    heads = ["rosenblatt score"] if len(sums) == 1 else [f"rosenblatt score {label}" for label in labels]
    if taken := {head.lower() for head in heads} & {name.lower() for name in names}:
        raise DataError(f"a feature has the name {min(taken)!r}, which the query gives to the score; rename it.")
    source = quoted(table) if isinstance(table, str) else ".".join(map(quoted, table))
    scored = ", ".join(f"{text} AS {quoted(head)}" for text, head in zip(sums, heads, strict=True))
    return (
        f"SELECT *, {_label(linear, [quoted(head) for head in heads])} AS {quoted('prediction')}\n"
        f"FROM (SELECT *, {scored} FROM {source}) AS {quoted('scored')}"
    )


def sql_columns(encoder: Encoder) -> dict[str, str]:
    """Return the SQL expression of every feature of an encoder: a level is a CASE, a fill is a COALESCE.

    As where a file is read, an empty level is a missing one, like NULL; but blanks around a level count, as in Parquet
    (of CSV cells they are stripped). A boolean column must be one in the database too; in SQLite it is 0 or 1.

    >>> from rosenblatt.data import Column
    >>> encoder = Encoder(columns=(Column("size", "number"), Column("ok", "boolean"), Column("hue", "category", ("red",))))
    >>> for expression in sql_columns(encoder).values():
    ...     print(expression)
    "size"
    CASE WHEN "ok" THEN 1e0 WHEN NOT "ok" THEN 0e0 ELSE NULL END
    CASE WHEN "hue" = 'red' THEN 1e0 WHEN NULLIF(CAST("hue" AS TEXT), '') IS NULL THEN NULL ELSE 0e0 END
    """
    found: dict[str, str] = {}
    for column, start in zip(encoder.columns, encoder.starts, strict=True):
        if column.kind == "text":
            raise DataError(
                f"column {column.name!r} holds text taken as hashed words; SQL has no such function. "
                "Export to Python, or score the rows with predict."
            )
        for k in range(column.width):
            j = start + k
            text = quoted(column.name)
            fill = _double(encoder.filled(j)) if encoder.missing in ("zero", "mean") else "NULL"
            if column.kind == "category":
                empty = f"NULLIF(CAST({text} AS TEXT), '') IS NULL"  # a column of numbers cannot be compared with ''
                text = f"CASE WHEN {text} = {literal(column.levels[k])} THEN 1e0 WHEN {empty} THEN {fill} ELSE 0e0 END"
            elif column.kind == "boolean":
                text = f"CASE WHEN {text} THEN 1e0 WHEN NOT {text} THEN 0e0 ELSE {fill} END"
            elif fill != "NULL":
                text = f"COALESCE({text}, {fill})"
            if encoder.factor is not None:
                moved = text if encoder.shift is None else f"({text} - {_double(encoder.shift[j])})"
                text = f"({moved} * {_double(encoder.factor[j])})"
            found[encoder.name(j)] = text
    return found


def quoted(name: str) -> str:
    """Return an SQL identifier."""
    if "\0" in name:
        raise DataError("a name with a zero byte cannot be written in SQL.")
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """Return a label as an SQL literal."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        if "\0" in value:
            raise DataError("a label with a zero byte cannot be written in SQL.")
        return "'" + value.replace("'", "''") + "'"
    return number(value) if isinstance(value, float) else str(value)


def _double(value: float) -> str:
    """Return a number with an exponent: without one it is a decimal to some databases, whose sums have too few digits."""
    text = number(value)
    return text if "e" in text else f"{text}e0"


def _sum(w: Doubles, b: float, names: list[str]) -> str:
    """Return w·x + b in the canonical order: partial sums by column modulo 16, then folded 16 → 8 → 4 → 2 → 1."""
    part = []  # names holds SQL: columns or expressions
    for lane in range(LANES):
        terms = [f"{_double(w[j])} * {names[j]}" for j in range(lane, len(w), LANES) if w[j] != 0]
        part.append(" + ".join(terms))
    for half in FOLDS:
        for lane in range(half):
            left, right = part[lane], part[lane + half]
            part[lane] = f"{left} + {_grouped(right)}" if left and right else left or right
    return f"{part[0]} + {_double(b)}" if part[0] else _double(b)


def _grouped(text: str) -> str:
    return f"({text})" if " + " in text else text


def _label(linear: LinearModel, scores: list[str]) -> str:
    labels: Labels = linear.classes
    names = [literal(value) for value in labels.tolist()]
    if len(scores) == 1:
        least = f"{LEAST_POSITIVE:g}"
        return f"CASE WHEN {scores[0]} >= {least} THEN {names[1]} WHEN {scores[0]} < {least} THEN {names[0]} END"
    cases = []
    for k, name in enumerate(names):
        # the first of equals: strictly more than those before, at least as much as those after
        rivals = [f"{scores[k]} {'>' if r < k else '>='} {scores[r]}" for r in range(len(names)) if r != k]
        cases.append(f"WHEN {' AND '.join(rivals)} THEN {name}")
    return f"CASE {' '.join(cases)} END"
