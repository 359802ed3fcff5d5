"""`learn_dual`: the kernel perceptron from arrays to a model; the driver behind it is in kernel.py."""

from typing import Any

from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import check_weights, encode
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.learning.dual import KernelOutcome, kernel_model
from rosenblatt.learning.kernel import learn_kernel
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Order, Rule, Stop
from rosenblatt.learning.progress import Progress
from rosenblatt.models.kernel import KernelFunction, KernelModel


def learn_dual(
    X: Any,
    y: Any,
    *,
    kernel: KernelFunction,
    margin: float = 0.0,
    rate: float = 1.0,
    bias: bool = True,
    order: str = "cyclic",
    seed: int = 0,
    memory: str = "last",
    multiclass: str = "ovr",
    max_passes: int | None = 1000,
    max_updates: int | None = None,
    max_seconds: float | None = None,
    weights: Any = None,
    progress: Progress | None = None,
) -> tuple[KernelModel, KernelOutcome]:
    """Train a kernel perceptron from zero: ``score(x) = Σ alpha_i y_i K(x_i, x) + b``; update iff ``m <= margin``.

    Parameters
    ----------
    X, y, margin, rate, bias, seed, multiclass, max_passes, max_updates, max_seconds, weights : as in ``learn``.
    kernel : a named ``Kernel``, or any function of two sets of rows that returns the matrix of values.
    order : "cyclic" or "shuffle".
    memory : "last", "average" or "vote".
    progress : as in ``learn``.

    References
    ----------
    Aizerman, Braverman and Rozonoer (1964); Freund and Schapire (1999), section 3.

    Examples
    --------
    >>> from rosenblatt.models.kernels import Kernel
    >>> xor = [[-1, -1], [-1, 1], [1, -1], [1, 1]], ["same", "other", "other", "same"]
    >>> model, outcome = learn_dual(*xor, kernel=Kernel("poly", degree=2))
    >>> outcome.converged, model.predict([[1, -1], [1, 1]]).tolist()
    (True, ['other', 'same'])
    """
    if order not in ("cyclic", "shuffle"):
        raise DataError(f"order={order!r} is not for kernels; choose 'cyclic' or 'shuffle'.")
    if memory == "pocket":
        raise DataError("memory='pocket' is for linear perceptrons; choose 'last', 'average' or 'vote'.")
    rows = as_rows(X)
    classes, codes = encode(y, rows.n)
    plan = Plan(
        d=rows.d,
        n_classes=len(classes),
        rule=Rule(margin, rate),
        order=Order(order, seed),
        memory=memory,
        bias=bias,
        multiclass=multiclass,
    )
    weight = check_weights(weights, rows.n)
    outcome = learn_kernel(
        plan,
        rows,
        kernel=kernel,
        codes=codes,
        weight=weight,
        stop=Stop(max_passes, max_updates, max_seconds),
        progress=progress,
    )
    kept, _ = outcome.journal.compact()
    model = kernel_model(plan, kept, outcome.machine_steps, kernel, classes)
    if outcome.stopped_by == "interrupted":
        raise Interrupted((model, outcome))
    return model, outcome
