"""A linear model as Python source without imports."""

from typing import Any

import rosenblatt
from rosenblatt.export.parts import feature_names, header_line, linear_of, number, vectors

SCORE = '''

def scores(x):
    """Return w·x + b for each vector, summed as rosenblatt sums: the very same floats."""
    if len(x) != len(FEATURES):
        raise ValueError(f"expected {len(FEATURES)} numbers, got {len(x)}")
    found = []
    for w, b in zip(WEIGHTS, BIAS):
        part = [0.0] * 16
        for j, wj in enumerate(w):
            part[j % 16] += float(x[j]) * wj
        for half in (8, 4, 2, 1):
            for lane in range(half):
                part[lane] += part[lane + half]
        found.append(part[0] + b)
    return found
'''

BINARY = '''

def predict(x):
    """Return the label of one example; a score of zero is positive."""
    return CLASSES[1] if scores(x)[0] >= 0 else CLASSES[0]
'''

MULTICLASS = '''

def predict(x):
    """Return the label of one example: the class of the largest score, the first of equals."""
    found = scores(x)
    return CLASSES[found.index(max(found))]
'''


def to_python(model: Any) -> str:
    """Return Python source with ``scores(x)`` and ``predict(x)``; it imports nothing.

    Scores are the same floats as the model's, for rows of finite numbers.

    >>> from rosenblatt import learn
    >>> source = to_python(learn([[9], [11]], ["low", "high"]).model)
    >>> module = {}
    >>> exec(source, module)
    >>> module["predict"]([12.0])
    'high'
    """
    linear = linear_of(model, "Python")
    W, b = vectors(linear)
    rows = "".join("    [" + ", ".join(map(number, w)) + "],\n" for w in W)
    return (
        f'"""{header_line(linear, rosenblatt.__version__)}"""\n\n'
        f"FEATURES = {feature_names(linear)!r}\n"
        f"CLASSES = {linear.classes.tolist()!r}\n"
        f"WEIGHTS = [\n{rows}]\n"
        f"BIAS = [{', '.join(map(number, b))}]\n" + SCORE + (BINARY if linear.w.ndim == 1 else MULTICLASS)
    )
