"""A linear model as C99 source without dependencies."""

from typing import Any

import numpy as np

import rosenblatt
from rosenblatt._typing import Labels
from rosenblatt.errors import DataError
from rosenblatt.export.parts import check_identifier, feature_names, header_line, linear_of, number, vectors
from rosenblatt.export.parts import safe_comment as comment
from rosenblatt.models.scored import LEAST_POSITIVE

SOURCE = """\
/* {headline}
 * {name}_scores(x, scores) writes one score for each vector; {name}_predict(x) returns the index of the class in
 * {name}_classes. x holds the {d} features in this order:
{features}
 * Products and sums are rounded one by one, in a fixed order: compiled without contraction (-ffp-contract=off, the
 * default of -std=c99) and without -ffast-math the scores are the very floats of the library. */

enum {{ {name}_n_features = {d}, {name}_n_vectors = {v}, {name}_n_classes = {k} }};

{classes}

static const double {name}_weights[{v}][{d}] = {{
{rows}}};

static const double {name}_bias[{v}] = {{{bias}}};

void {name}_scores(const double *x, double *scores) {{
    for (int v = 0; v < {name}_n_vectors; ++v) {{
        double part[16] = {{0}};
        for (int j = 0; j < {name}_n_features; ++j) {{
            const double product = x[j] * {name}_weights[v][j];
            part[j % 16] += product;
        }}
        for (int half = 8; half > 0; half /= 2)
            for (int lane = 0; lane < half; ++lane) part[lane] += part[lane + half];
        scores[v] = part[0] + {name}_bias[v];
    }}
}}

int {name}_predict(const double *x) {{
    double scores[{v}];
    {name}_scores(x, scores);
{decide}}}
"""

BINARY = f"    return scores[0] >= {LEAST_POSITIVE:g}; /* a score of zero is positive */\n"
MULTICLASS = """\
    int best = 0; /* the first of equals */
    for (int v = 1; v < {v}; ++v)
        if (scores[v] > scores[best]) best = v;
    return best;
"""


def to_c(model: Any, *, name: str = "perceptron") -> str:
    """Return C99 source: ``<name>_scores``, ``<name>_predict`` and the array ``<name>_classes``.

    >>> from rosenblatt import learn
    >>> source = to_c(learn([[9], [11]], [0, 1]).model, name="two_points")
    >>> print(source[source.index("const long") :].splitlines()[0])
    const long long two_points_classes[2] = {0, 1};
    """
    linear = linear_of(model, "C")
    check_identifier(name)
    W, b = vectors(linear)
    v, d = W.shape
    return SOURCE.format(
        headline=header_line(linear, rosenblatt.__version__),
        name=name,
        d=d,
        v=v,
        k=len(linear.classes),
        features="\n".join(f" *   x[{j}] {comment(feature)}" for j, feature in enumerate(feature_names(linear))),
        classes=_classes(linear.classes, name),
        rows="".join("    {" + ", ".join(map(number, w)) + "},\n" for w in W),
        bias=", ".join(map(number, b)),
        decide=BINARY if linear.w.ndim == 1 else MULTICLASS.format(v=v),
    )


def _classes(classes: Labels, name: str) -> str:
    values = classes.tolist()
    if all(type(value) is str for value in values):
        kind, texts = "char *const", [_string(value) for value in values]
    elif all(type(value) in (bool, int) for value in values):
        limits = np.iinfo(np.int64)
        if any(not limits.min < value <= limits.max for value in values):
            raise DataError(f"the labels {values} do not all fit a long long.")
        kind, texts = "long long", [str(int(value)) for value in values]
    elif all(type(value) is float for value in values):
        kind, texts = "double", [number(value) for value in values]
    else:
        raise DataError(f"the labels {values} are of several kinds; C wants one.")
    return f"const {kind} {name}_classes[{len(values)}] = {{{', '.join(texts)}}};"


def _string(text: str) -> str:
    """Return a C string literal; every byte that is not plain is an octal escape, which has at most three digits."""
    plain = set(b" !#$%&'()*+,-./0123456789:;<=>@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~")
    return '"' + "".join(chr(byte) if byte in plain else f"\\{byte:03o}" for byte in text.encode()) + '"'
