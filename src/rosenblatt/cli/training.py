"""One training run as the commands need it: the variant's settings, the model, the counts, the time."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from rosenblatt._typing import Ints
from rosenblatt.cli.options import KernelChoice, learning_arguments
from rosenblatt.cli.progress import ProgressLine
from rosenblatt.cli.reading import Examples
from rosenblatt.data.cores import cores
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.models.document import Model
from rosenblatt.models.kernels import Kernel

NOT_FOR_KERNELS = ("start", "ties")
KERNEL_ROWS = 5_000  # rows up to which --variant all tries a kernel too


@dataclass(frozen=True, eq=False)
class Trained:
    """What one run gave: a model, the counts of its outcome, how it was told to learn, and how long it took."""

    model: Model
    outcome: Any
    settings: dict[str, Any]
    variant: str
    kernel: Kernel | None
    seconds: float

    @property
    def interrupted(self) -> bool:
        return bool(self.outcome.stopped_by == "interrupted")


def train(
    examples: Examples,
    given: dict[str, Any],
    *,
    variant: str,
    kernel: KernelChoice | None,
    rows: Ints | None,
    line: ProgressLine,
    fold: str = "",
) -> Trained:
    """Train one variant on all rows, or on those given by number, telling the line how far it is."""
    settings = settings_of(given, variant, kernel, examples.settings)
    X: Any = examples.rows if rows is None else examples.rows.take(rows)
    y = examples.labels if rows is None else examples.labels[rows]
    weights = examples.weights if rows is None or examples.weights is None else examples.weights[rows]
    extra: dict[str, Any] = {} if weights is None else {"weights": weights}
    line.stage(
        f"{variant if kernel is None else f'kernel {kernel.name}'}{fold}",
        rows=len(y),
        max_passes=settings.get("max_passes", 1000),
    )
    began = time.monotonic()
    if kernel is not None:
        from rosenblatt.learning.kernel import learn_dual

        function = kernel_function(kernel, examples.rows.d)
        try:
            model, outcome = learn_dual(X, y, kernel=function, **settings, **extra, progress=line.watch)
        except Interrupted as stop:
            model, outcome = stop.outcome
        return Trained(model, outcome, settings, variant, function, time.monotonic() - began)
    from rosenblatt.learning.run import learn

    try:
        made = learn(X, y, **settings, journal=False, threads=cores(), **extra, progress=line.watch)
    except Interrupted as stop:
        made = stop.outcome
    return Trained(made.model, made, settings, variant, None, time.monotonic() - began)


def settings_of(
    given: dict[str, Any], variant: str, kernel: KernelChoice | None, natural: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of the run: the user's, the variant's, the data set's own as far as a kernel has them."""
    if kernel is None:
        return learning_arguments(given, variant, natural)
    natural = {name: value for name, value in natural.items() if name not in NOT_FOR_KERNELS}
    settings = learning_arguments(given, variant, natural)
    for name in NOT_FOR_KERNELS:
        if name in settings:
            raise DataError(f"--{name.replace('_', '-')} is for linear perceptrons, not for --kernel.")
    return settings


def suits_kernels(given: dict[str, Any]) -> bool:
    """Say whether a kernel can do what was asked for, so that --variant all tries one."""
    typed = learning_arguments(given)
    return given["order"] in ("cyclic", "shuffle") and not any(name in typed for name in NOT_FOR_KERNELS)


def kernel_function(choice: KernelChoice, d: int) -> Kernel:
    """Return the kernel; its gamma is 1/d unless it was given."""
    gamma = 1.0 / d if choice.gamma is None else choice.gamma
    return Kernel(choice.name, gamma, choice.degree, choice.coef0)


def accuracy(model: Model, examples: Examples, rows: Ints | None) -> float:
    """Return the share of rows predicted right."""
    X: Any = examples.rows if rows is None else examples.rows.take(rows)
    y = examples.labels if rows is None else examples.labels[rows]
    return float(np.mean(model.predict(X) == y))
