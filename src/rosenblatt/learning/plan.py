"""The plan of a run: everything that decides it except the examples, and the vectors it starts from."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rosenblatt._typing import Doubles
from rosenblatt.errors import DataError
from rosenblatt.learning.policy import MEMORIES, MULTICLASS, Order, Rule, one_of, true_or_false

APART = " To give b, too: ([1, 2], 3) in Python, '1,2;3' on the command line."


@dataclass(frozen=True)
class Plan:
    """Everything that decides a run except the examples."""

    d: int
    n_classes: int
    rule: Rule
    order: Order
    memory: str = "last"
    bias: bool = True
    multiclass: str = "ovr"
    journal: bool | None = True  # None: as long as it is short

    def __post_init__(self) -> None:
        one_of("memory", self.memory, MEMORIES)
        one_of("multiclass", self.multiclass, MULTICLASS)
        object.__setattr__(self, "bias", true_or_false("bias", self.bias))
        if self.shape == "direct" and self.rule.ties == "positive":
            raise DataError("ties='positive' is a rule for two classes; the direct machine needs ties='mistake'.")

    @property
    def shape(self) -> str:
        if self.n_classes == 2:  # one machine either way: m of the direct one is twice the binary m
            return "binary"
        return self.multiclass

    @property
    def keeps_journal(self) -> bool:
        """Whether the core writes the journal: asked for, or needed by the vote."""
        return self.journal is not False or self.memory == "vote"

    @property
    def vectors(self) -> int:
        return 1 if self.shape == "binary" else self.n_classes


def unit_of(rate: float, start: tuple[Doubles, Doubles]) -> float:
    """Return the unit that vectors are held in while they are learnt: the rate, which then only rescales them.

    A step of 1 makes whole numbers of whole numbers, where a step of 0.1 would be rounded, and break ties. A start that
    is no whole multiple of the rate has the unit 1: a third of a step is rounded, and would break ties as well.

    >>> unit_of(0.1, (np.array([[0.0, 0.5]]), np.array([0.1]))), unit_of(3.0, (np.array([[6.0, 1.0]]), np.array([0.0])))
    (0.1, 1.0)
    """
    if rate == 1.0:  # by far the most runs, and a small fit is over in the time of the question
        return rate
    return rate if all(whole_multiples(part, rate).all() for part in start) else 1.0


def whole_multiples(values: Doubles, rate: float | Doubles) -> NDArray[np.bool_]:
    """Return which values are whole multiples of the rate, as far as floats tell."""
    with np.errstate(over="ignore"):
        times = values / rate
    return np.asarray((times == np.floor(times)) & (times * rate == values))


def split_start(start: Any) -> tuple[Any, Any]:
    """Return (w0, b0) of a start that is such a pair, or is w0 alone.

    >>> split_start(([1, 2], 3)), split_start([1, 2])
    (([1, 2], 3), ([1, 2], 0.0))
    """
    pair = isinstance(start, tuple) and len(start) == 2 and np.ndim(start[0]) > 0
    return start if pair else (start, 0.0)


def start_vectors(start: Any, plan: Plan) -> tuple[Doubles, Doubles]:
    """Return (W, b) to start from: zeros, "random" (seeded standard normal), or the user's (w0, b0)."""
    try:
        W, b = np.zeros((plan.vectors, plan.d)), np.zeros(plan.vectors)
    except (MemoryError, ValueError) as error:
        raise DataError(
            f"{plan.vectors} × {plan.d} weights do not fit into memory; features are counted up to the highest column, so "
            "look whether one index of the data is far too large."
        ) from error
    if start is None or (isinstance(start, str) and start == "zeros"):
        return W, b
    if isinstance(start, str):
        one_of("start", start, ("zeros", "random"))
        normal = np.random.default_rng(plan.order.seed).standard_normal((plan.vectors, plan.d + 1))
        return np.ascontiguousarray(normal[:, :-1]), normal[:, -1].copy() if plan.bias else b
    w0, b0 = split_start(start)
    try:
        w0, b0 = np.asarray(w0, dtype=np.float64), np.asarray(b0, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"start={start!r} must be 'zeros', 'random' or a pair (w0, b0) of numbers.") from None
    if w0.size != W.size or b0.size not in (1, b.size):
        wanted = f"{plan.d} weights, one for each feature," if plan.vectors == 1 else f"w of shape {W.shape}"
        raise DataError(
            f"start has w of shape {w0.shape} and b of shape {b0.shape}; expected {wanted} and "
            f"{'one number b' if plan.vectors == 1 else f'b of shape {b.shape}'}."
            f"{APART * (plan.vectors == 1 and w0.size == plan.d + 1)}"
        )
    if not (np.isfinite(w0).all() and np.isfinite(b0).all()):
        raise DataError("start holds NaN or infinity; every number must be finite.")
    if not plan.bias and b0.any():
        raise DataError(f"start has b = {b0.tolist()}, but bias=False; leave b out.")
    return np.ascontiguousarray(w0.reshape(W.shape)), np.broadcast_to(b0.ravel(), b.shape).copy()
