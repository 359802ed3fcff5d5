"""Between scikit-learn's words and ours: the only place that translates them. What is learnt, and how, lives below."""

import difflib
import functools
import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, TypeVar, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning as SklearnConvergenceWarning
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import _check_partial_fit_first_call, check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from rosenblatt import errors
from rosenblatt._typing import Codes, Doubles, Ints, Labels
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import check_weights, encode, refuse_missing, refuse_mixed
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError
from rosenblatt.estimators.watch import ProgressPrinter
from rosenblatt.learning.kernel_model import KernelOutcome
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Order, Rule, Stop
from rosenblatt.models.scored import decide

REASONS = {"max_passes": "max_iter"}  # why a run stopped, where scikit-learn has another word
# Parameters as `learn` and other libraries call them, and as scikit-learn does.
WORDS = {"rate": "eta0", "learning_rate": "eta0", "lr": "eta0", "bias": "fit_intercept", "start": "init"}
WORDS |= {
    "max_passes": "max_iter",
    "epochs": "max_iter",
    "n_iter": "max_iter",
    "order": "shuffle",
    "seed": "random_state",
}
WORDS |= {"multiclass": "multi_class", "weights": "class_weight", "threads": "n_jobs"}
# Parameters of scikit-learn's that a perceptron cannot have, and why.
NEVER = {"tol": "a fit ends with a clean pass or after max_iter; there is no loss to watch"}
NEVER |= dict.fromkeys(
    ("penalty", "alpha", "l1_ratio"), "with a penalty it would be no perceptron; margin is what it has"
)
NEVER |= {"average": "AveragedPerceptron is that", "loss": "a mistake is the only loss"}
CONTENT = {"average": "the average", "vote": "the vote", "pocket": "the pocket"}  # what needs no clean pass
Init = TypeVar("Init", bound=Callable[..., None])


def by_name(init: Init) -> Init:
    """Wrap a constructor: an unknown parameter is answered with the class the user called and the nearest name."""
    known = list(inspect.signature(init).parameters)[1:]

    @functools.wraps(init)
    def checked(self: Any, *args: Any, **given: Any) -> None:
        name = type(self).__name__
        if args:
            raise TypeError(f"{name} takes its parameters by name, such as {known[0]}={args[0]!r}.")
        for key in given:
            if key not in known:
                if key in NEVER:
                    raise TypeError(f"{name} has no parameter {key!r}: {NEVER[key]}.")
                words = {word: word for word in known} | {word: own for word, own in WORDS.items() if own in known}
                close = difflib.get_close_matches(key, words, n=1)
                hint = f"did you mean {words[close[0]]!r}?" if close else f"it has {', '.join(known)}."
                raise TypeError(f"{name} has no parameter {key!r}; {hint}")
        init(self, **given)

    return cast(Init, checked)


class ConvergenceWarning(errors.ConvergenceWarning, SklearnConvergenceWarning):
    """The fit ended without a clean pass. Both ours and scikit-learn's, so that either filter catches it."""


@dataclass(frozen=True, eq=False)
class Batch:
    """The examples of one call as the core reads them. Rows of weight 0 are gone; ``kept`` says which stayed of n."""

    rows: Rows
    codes: Codes
    weight: Doubles | None
    classes: Labels
    kept: Ints
    n: int

    def take(self, index: Ints) -> "Batch":
        """Return the chosen examples."""
        weight = None if self.weight is None else self.weight[index]
        return Batch(self.rows.take(index), self.codes[index], weight, self.classes, self.kept[index], self.n)

    def counted(self) -> "Batch":
        """Return the examples that count: those of weight 0 are left out."""
        return self if self.weight is None or self.weight.all() else self.take(np.flatnonzero(self.weight))

    def spread(self, counts: Ints) -> Ints:
        """Return counts per example as counts per row given, 0 for those left out."""
        if len(self.kept) == self.n and (self.kept[1:] > self.kept[:-1]).all():
            return counts
        full = np.zeros((*counts.shape[:-1], self.n), dtype=np.int64)
        full[..., self.kept] = counts
        return full


class BasePerceptron(ClassifierMixin, BaseEstimator):
    """Parameters to policies, data to rows, outcomes to learned attributes; shared by the linear and the dual."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "margin": [Interval(Real, 0, None, closed="left")],
        "eta0": [Interval(Real, 0, None, closed="neither")],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "max_updates": [Interval(Integral, 1, None, closed="left"), None],
        "max_seconds": [Interval(Real, 0, None, closed="neither"), None],
        "shuffle": ["boolean"],
        "multi_class": [StrOptions({"ovr", "direct"})],
        "class_weight": [StrOptions({"balanced"}), dict, None],
        "random_state": ["random_state"],
        "verbose": ["verbose"],
    }

    margin: float
    eta0: float
    fit_intercept: bool
    max_iter: int
    max_updates: int | None
    max_seconds: float | None
    shuffle: bool
    multi_class: str
    class_weight: Any
    random_state: Any
    verbose: int
    classes_: Labels
    alpha_: Ints

    @classmethod
    @functools.cache
    def _get_param_names(cls) -> list[str]:
        """Return the names of the parameters; a fifth of a small fit went into reading the signature anew each time."""
        names: list[str] = super()._get_param_names()
        return names

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _threads(self) -> int:
        """Return how many threads there may be: one where there is no ``n_jobs``."""
        return 1

    def _rows(self, X: Any, *, reset: bool, y: Any = "no_validation", threads: int = 1) -> Rows:
        """Return X as rows, its feature names and their number checked (or, with ``reset``, learnt)."""
        rows = as_rows(X, threads=threads)
        if isinstance(X, Rows) and not reset:  # of a source: the model checks the width, the encoder knew the names
            return rows
        plain = isinstance(X, np.ndarray) and not hasattr(self, "feature_names_in_")
        if plain and not reset and getattr(self, "n_features_in_", None) == rows.d:
            return rows  # arrays all the way: scikit-learn's comparison of names would cost more than a step
        validate_data(self, X, y, reset=reset, skip_check_array=True)
        if isinstance(X, Rows) and X.names is not None:
            self.feature_names_in_ = np.array(X.names, dtype=object)
        return rows

    def _batch(self, X: Any, y: Any, sample_weight: Any, *, classes: Labels | None = None, reset: bool = True) -> Batch:
        """Return the examples of a call: labels as codes, the product of the weights, rows of weight 0 dropped.

        Known classes make it a block of a stream: it may hold no example that counts.
        """
        block = classes is not None
        rows = self._rows(X, reset=reset, y=y, threads=1 if block else self._threads())
        n = rows.n
        if not (isinstance(y, np.ndarray) and y.ndim == 1):
            given, y = y, column_or_1d(y.to_numpy() if hasattr(y, "to_numpy") else y, warn=True)
            refuse_mixed(given, y)
        if y.dtype.kind == "O" and not any(isinstance(label, str) for label in y):
            y = np.array(y.tolist())  # True and False, or whole numbers, in a column of objects
        refuse_missing(y)  # by name of the label; scikit-learn's own check would speak of types or of a bad cast
        if y.dtype.kind not in "iub":  # whole numbers are classes; the check costs more than a step
            check_classification_targets(y)
        weight, kept = check_weights(sample_weight, n, block=block), np.arange(n)
        if len(y) == n and weight is not None and not weight.all():
            kept = np.flatnonzero(weight)
            rows, y, weight = rows.take(kept), y[kept], weight[kept]
        classes, codes = encode(y, rows.n, classes)
        if self.class_weight is not None:
            by_class = compute_class_weight(self.class_weight, classes=classes, y=y, sample_weight=weight)
            check_weights(by_class, len(classes))
            weight = check_weights(by_class[codes] * (1.0 if weight is None else weight), rows.n, block=block)
        return Batch(rows, codes, weight, classes, kept, n).counted()

    def _seed(self) -> int:
        """Return the seed of this fit: ``random_state`` itself if it is a number, else drawn from it."""
        if isinstance(self.random_state, Integral):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(0, 2**64, dtype=np.uint64))

    def _progress(self) -> ProgressPrinter | None:
        return ProgressPrinter(type(self).__name__) if self.verbose else None

    def _stop(self) -> Stop:
        return Stop(int(self.max_iter), self.max_updates, self.max_seconds)

    def _plan(self, d: int, n_classes: int, seed: int, memory: str, ties: str = "mistake") -> Plan:
        return Plan(
            d=d,
            n_classes=n_classes,
            rule=Rule(float(self.margin), float(self.eta0), ties),
            order=Order("shuffle" if self.shuffle else "cyclic", seed),
            memory=memory,
            bias=bool(self.fit_intercept),
            multiclass=self.multi_class,
            journal=memory == "vote",
        )

    def _begins(self, classes: Any) -> bool:
        """Say whether a block is the first of its stream; ``classes_`` is then set. Refuse what blocks cannot do."""
        if self.class_weight == "balanced":
            raise DataError(
                "class_weight='balanced' needs all labels at once; partial_fit sees one block. Count them first and "
                "give the weights as a dictionary."
            )
        first_call = _check_partial_fit_first_call(self, classes) or not hasattr(self, "_stream")
        if len(self.classes_) < 2:
            raise DataError(f"classes has 1 class ({self.classes_.tolist()[0]!r}); a perceptron needs at least 2.")
        return first_call

    def _block(self, X: Any, y: Any, sample_weight: Any, classes: Any) -> tuple[Batch, bool]:
        """Return the examples of a block, and whether it is the first; one that is refused leaves nothing behind."""
        first_call = self._begins(classes)
        with self._unless_refused(first_call):
            return self._batch(X, y, sample_weight, classes=self.classes_, reset=first_call), first_call

    @contextmanager
    def _unless_refused(self, first_call: bool) -> Iterator[None]:
        """Take in a block; be as before the first if that is refused."""
        try:
            yield
        except Exception:
            if first_call:
                for name in ("classes_", "n_features_in_", "feature_names_in_"):
                    self.__dict__.pop(name, None)
            raise

    def _pass_over(self, batch: Batch) -> None:
        """Take note of a block whose weights are all zero: its rows are numbered, and that is all."""
        self._stream.n_rows += batch.n
        self.alpha_ = np.zeros((*self.alpha_.shape[:-1], batch.n), dtype=np.int64)

    def _refuse_other_settings(self, plan: Plan, **others: Any) -> None:
        """Refuse parameters that were changed since the first block of a stream."""
        rule = plan.rule
        began = {"margin": rule.margin, "eta0": rule.rate, "ties": rule.ties, "fit_intercept": plan.bias}
        for name, its in (began | {"multi_class": plan.multiclass} | others).items():
            if (mine := getattr(self, name, its)) != its:
                raise DataError(
                    f"{name}={mine!r} was set since the first block, which had {its!r}; partial_fit goes on as it began. "
                    "Set it back, or begin anew on a clone."
                )

    def _report(self, outcome: Outcome | KernelOutcome, batch: Batch) -> None:
        """Write what a run did as learned attributes."""
        self.n_iter_ = outcome.n_passes
        self.n_updates_ = outcome.n_updates
        self.n_mistakes_ = outcome.n_mistakes
        self.n_steps_ = outcome.n_steps
        self.converged_ = outcome.converged
        self.updates_per_pass_ = outcome.updates_per_pass
        self.stop_reason_ = REASONS.get(outcome.stopped_by, outcome.stopped_by)
        self.alpha_ = batch.spread(outcome.row_updates)

    def _warn_unless_converged(self, outcome: Outcome | KernelOutcome, memory: str) -> None:
        """Say that no pass was clean; an average, a vote or a pocket is told that it needs none.

        To these with one digit of the number, so that a search over many fits, where Python shows equal words once,
        shows a few lines.
        """
        if outcome.converged or outcome.stopped_by == "held_out":
            return
        last_pass = int(outcome.updates_per_pass[-1]) if len(outcome.updates_per_pass) else 0
        updates = f"{last_pass}"
        others = ["PocketPerceptron", "AveragedPerceptron", "KernelPerceptron"]
        *some, last = (name for name in others if name != type(self).__name__)
        advice = f"try check(X, y), {', '.join(some)} or {last}"
        if memory in CONTENT:
            updates = f"about {float(f'{last_pass:.0e}'):.0f}"
            advice = f"{CONTENT[memory]} needs none; check(X, y) tells whether the classes overlap"
        elif isinstance(outcome, KernelOutcome):
            advice = "try a narrower kernel, memory='averaged', or check(X, y) for equal rows of two classes"
        said = f"no clean pass in {outcome.n_passes}; {updates} updates in the last; {advice}"
        warnings.warn(said, ConvergenceWarning, stacklevel=4)

    def decision_function(self, X: Any) -> Doubles:
        """Return the score of each row: (n,) for two classes, where 0 or more is the second; (n, K) for more.

        Parameters
        ----------
        X : examples, dense or sparse.
        """
        check_is_fitted(self)
        return self.model_.score(self._rows(X, reset=False))

    def predict(self, X: Any) -> Labels:
        """Return the label of each row.

        Parameters
        ----------
        X : examples, dense or sparse.
        """
        return decide(self.decision_function(X), self.classes_)
