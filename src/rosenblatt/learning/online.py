"""Learning from one example at a time, as it comes: vectors, or dictionaries of named features."""

from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Doubles
from rosenblatt.errors import DataError
from rosenblatt.learning.policy import Rule, one_of, true_or_false
from rosenblatt.models.linear import LinearModel


class Online:
    """A perceptron fed step by step: ``w += rate*y*x`` iff ``y (w·x + b) <= margin``.

    Parameters
    ----------
    margin, rate, bias : as in ``learn``.
    memory : "last", or "average" (the mean over all steps).

    Notes
    -----
    The steps are those of one cyclic pass of ``learn`` over the same examples. New names may turn up at any time.
    ``step(x, y)`` shows an example, y a truth value or a number whose sign counts, and returns whether it caused an
    update. ``score(x)`` is that of the model, with memory="average" of the mean so far; names not seen count for
    nothing, and an example without features has the score b. A learner can be pickled and goes on where it stood.

    Examples
    --------
    >>> online = Online(bias=False)
    >>> [online.step(x, y) for x, y in [({"a": -2}, False), ({"b": -2}, False), ({"a": -2, "b": 2}, True)]]
    [True, True, True]
    >>> online.weights, online.score({"a": 2, "b": 2, "never seen": 7})
    ({'a': 0.0, 'b': 4.0}, 8.0)
    """

    def __init__(self, *, margin: float = 0.0, rate: float = 1.0, bias: bool = True, memory: str = "last") -> None:
        one_of("memory", memory, ("last", "average"))
        bias = true_or_false("bias", bias)
        rule = Rule(margin, rate)
        self._settings = {"margin": margin, "rate": rate, "bias": bias, "memory": memory}
        self._averages = memory == "average"
        self._core = _core.Online(margin=rule.margin / rule.rate, unit=rule.rate, bias=bias, average=self._averages)
        # Bound once: the way in is the core's own method, with nothing between.
        self.step = self._core.step
        self.score = self._core.score

    def __getstate__(self) -> dict[str, Any]:
        return {"settings": self._settings, "state": self._core.state()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__init__(**saved["settings"])  # type: ignore[misc]
        self._core.restore(*saved["state"])

    @property
    def model(self) -> LinearModel:
        """What was learnt so far: False and True are the classes."""
        w, b = self._core.average if self._averages else self._core.last
        names = tuple(map(str, self._core.names)) or None
        return LinearModel(np.asarray(w), float(b), np.array([False, True]), names)

    @property
    def weights(self) -> dict[Any, float]:
        """The weight of each name."""
        if not self._core.names:
            raise DataError("this learner has seen no named features; its vector is .model.w")
        w: Doubles = self.model.w
        return {name: float(w[column]) for name, column in self._core.names.items()}

    @property
    def n_steps(self) -> int:
        """Examples shown."""
        return self._core.n_steps

    @property
    def n_updates(self) -> int:
        """Steps that moved the weights."""
        return self._core.n_updates

    @property
    def n_mistakes(self) -> int:
        """Steps with m <= 0."""
        return self._core.n_mistakes
