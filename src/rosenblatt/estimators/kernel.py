"""The kernel perceptron as a scikit-learn estimator: the choice of the kernel, and fitting by the driver below."""

from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.metaestimators import available_if

from rosenblatt._typing import Doubles, Ints, Labels
from rosenblatt.data.rows import Rows
from rosenblatt.data.source import Source
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.estimators.base import BasePerceptron, Batch, by_name
from rosenblatt.estimators.pairwise import ALL_NAMES, Precomputed, kernel_function
from rosenblatt.estimators.source import prepared, whole_batch
from rosenblatt.estimators.stream import Chronicle, blank_rows
from rosenblatt.learning.collect import OVERFLOWED
from rosenblatt.learning.journal import Journal
from rosenblatt.learning.kernel import learn_kernel
from rosenblatt.learning.kernel_model import KernelOutcome, kernel_model
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Stop
from rosenblatt.models.kernel import KernelFunction, KernelModel
from rosenblatt.models.kernels import Kernel
from rosenblatt.models.voted import survival_counts

MEMORIES = {"last": "last", "averaged": "average", "voted": "vote"}


@dataclass
class KernelStream:
    """What goes on from one block to the next: the rows that caused updates, their sequence, and the counts."""

    plan: Plan
    kernel: KernelFunction | None
    chronicle: Chronicle = field(default_factory=Chronicle)
    machine_steps: list[int] = field(default_factory=list)
    updates_per_pass: list[int] = field(default_factory=list)
    in_pass: bool = False
    n_mistakes: int = 0
    n_rows: int = 0

    def copy(self) -> "KernelStream":
        """Return a stream that goes on from here without a trace in this one."""
        chronicle = Chronicle([*self.chronicle.journals], [*self.chronicle.places])
        return replace(self, chronicle=chronicle, updates_per_pass=[*self.updates_per_pass])

    def add(self, outcome: KernelOutcome, batch: Batch, *, blocks: bool) -> KernelOutcome:
        """Append what was done on a block, all blocks being one pass; return the counts of everything so far."""
        self.chronicle.add(outcome.journal, self.n_rows, batch.kept)
        self.machine_steps = outcome.machine_steps
        if self.in_pass and len(outcome.updates_per_pass):
            self.updates_per_pass[-1] += int(outcome.updates_per_pass[0])
        else:
            self.updates_per_pass += outcome.updates_per_pass.tolist()
        self.in_pass = blocks
        self.n_mistakes += outcome.n_mistakes
        self.n_rows += batch.n
        return replace(
            outcome,
            converged=outcome.converged and not blocks,  # a block is not a pass
            n_passes=len(self.updates_per_pass),
            n_updates=sum(self.updates_per_pass),
            n_mistakes=self.n_mistakes,
            updates_per_pass=np.array(self.updates_per_pass, dtype=np.int64),
        )

    def model(self, classes: Labels) -> KernelModel:
        """Return the model of everything so far."""
        return self._model_of(self.chronicle.joined(), self.plan, classes)

    def _model_of(self, journal: Journal, plan: Plan, classes: Labels) -> KernelModel:
        kernel = Precomputed(self.chronicle.places[0]) if self.kernel is None else self.kernel
        return kernel_model(plan, journal, self.machine_steps, kernel, classes)

    def scores(self, rows: Rows, classes: Labels) -> tuple[Doubles, Doubles]:
        """Return the scores (vectors × rows) without bias, and the biases, to go on from; in units of the rate."""
        if not self.chronicle.journals:
            return np.zeros((self.plan.vectors, rows.n)), np.zeros(self.plan.vectors)
        journal = self.chronicle.joined()
        model = self._model_of(replace(journal, unit=1.0), replace(self.plan, memory="last"), classes)
        unbiased = replace(model, b=np.zeros_like(model.b))
        return np.ascontiguousarray(unbiased.score(rows).reshape(rows.n, -1).T), model.b


class KernelPerceptron(BasePerceptron):
    """Learn a perceptron in the space of a kernel: ``score(x) = Σ alpha_i y_i K(x_i, x) + b``, ``b = Σ alpha_i y_i``.

    An example with ``m = y score(x) <= margin`` adds its weight times ``eta0`` to its alpha: the journal is that of the
    textbook, and with the linear kernel that of :class:`Perceptron`. Up to 256 MB the matrix of kernel values is made
    once; beyond that, and for a single pass over more than 1 024 rows, the data go through in blocks, so that every pair
    of an example and an update is evaluated once, at the speed of a matrix product.

    Parameters
    ----------
    kernel : "linear", "poly", "rbf", "sigmoid", "laplacian", "cosine", any other of scikit-learn's pairwise kernels
        by name ("chi2"), a callable from two matrices to the matrix of values, or "precomputed" (X is that matrix).
    gamma : "scale" (1 / (d · variance of X)), "auto" (1 / d) or a number; for poly, rbf, sigmoid and laplacian.
    degree, coef0 : of ``(gamma a·b + coef0)^degree``; coef0 also of sigmoid. Other kernels read none of the three.
    memory : "last", "averaged" (mean over all steps) or "voted" (every dual vector, as often as it survived).
    margin, eta0, fit_intercept, max_iter, max_updates, max_seconds, shuffle, multi_class, class_weight, random_state,
    verbose : as in :class:`Perceptron`.

    Attributes
    ----------
    support_ : training rows that caused updates. dual_coef_ : their coefficients alpha_i y_i (averaged, if so asked),
        (1, support) or (K, support). intercept_ : (1,) or (K,). survival_counts_ : with memory="voted".
    alpha_, classes_, n_iter_, n_updates_, n_mistakes_, converged_, updates_per_pass_, stop_reason_, model_,
    n_features_in_, feature_names_in_ : as in :class:`Perceptron`.

    References
    ----------
    Aizerman, Braverman and Rozonoer (1964), "Theoretical foundations of the potential function method";
    Freund and Schapire (1999), "Large margin classification using the perceptron algorithm", section 3.

    Examples
    --------
    XOR, which no line separates:

    >>> xor = KernelPerceptron(kernel="poly", degree=2, gamma=1.0, shuffle=False)
    >>> xor.fit([[-1, -1], [-1, 1], [1, -1], [1, 1]], [0, 1, 1, 0]).predict([[1, -1], [1, 1]]).tolist()
    [1, 0]
    >>> bool(xor.alpha_.sum() == xor.n_updates_)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BasePerceptron._parameter_constraints,
        "kernel": [StrOptions(ALL_NAMES), callable],
        "gamma": [StrOptions({"scale", "auto"}), Interval(Real, 0, None, closed="neither")],
        "degree": [Interval(Integral, 1, None, closed="left")],
        "coef0": [Interval(Real, None, None, closed="neither")],
        "memory": [StrOptions(set(MEMORIES))],
    }

    @by_name
    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        gamma: Any = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        memory: str = "last",
        margin: float = 0.0,
        eta0: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        max_updates: int | None = None,
        max_seconds: float | None = None,
        shuffle: bool = True,
        multi_class: str = "ovr",
        class_weight: Any = None,
        random_state: Any = 0,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.memory = memory
        self.margin = margin
        self.eta0 = eta0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.max_updates = max_updates
        self.max_seconds = max_seconds
        self.shuffle = shuffle
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.random_state = random_state
        self.verbose = verbose

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        return tags

    @property
    def _precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "KernelPerceptron":
        """Learn from examples, pass after pass, until a clean one.

        Parameters
        ----------
        X : examples, dense or sparse; with kernel="precomputed" the square matrix of kernel values; or a `Source` alone,
            such as ``rosenblatt.data.open`` returns, that fits into its memory.
        y : labels of any kind; of two classes the second in sorted order is the positive one.
        sample_weight : a factor for the steps of each example, times its class's; weight 0 is as if it were not there.

        Notes
        -----
        Ctrl-C sets the learned attributes to what there is and raises ``Interrupted``.
        """
        if y is None and isinstance(X, Source):
            batch = self._source_batch(X, sample_weight)
        else:
            batch = self._batch(X, y, sample_weight)
        stream = self._new_stream(batch, self._seed())
        outcome = self._learn(batch, stream, blocks=False)
        if outcome.stopped_by == "interrupted":
            raise Interrupted(outcome)
        self._warn_unless_converged(outcome, MEMORIES[self.memory])
        return self

    def _source_batch(self, source: Source, sample_weight: Any) -> Batch:
        if not source.fits:
            raise DataError(
                f"a kernel needs all examples in memory, and these {source.n} rows are beyond the memory of their source; "
                "open it with a larger memory=, or give its blocks to partial_fit."
            )
        return whole_batch(prepared(self, source, sample_weight))

    def _takes_blocks(self) -> bool:
        return not self._precomputed  # a block of a precomputed matrix means nothing

    @available_if(_takes_blocks)
    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "KernelPerceptron":
        """Learn from one more block of examples, in the order given, going on from where the last block ended.

        Blocks in a row are one pass over all of them. Kept are the rows that caused updates, and gamma="scale" is that
        of the first block. ``support_`` counts rows from the first block on, ``alpha_`` those of this block.

        Parameters
        ----------
        X, y : the block.
        classes : all labels there will ever be; needed at the first call.
        sample_weight : as in ``fit``.
        """
        batch, first_call = self._block(X, y, sample_weight, classes)
        with self._unless_refused(first_call):
            if not batch.rows.n and first_call:
                raise DataError(
                    "all weights of the first block are zero; the kernel is made from it, so begin with another."
                )
            stream = self._new_stream(batch, self._seed()) if first_call else self._stream
            self._refuse_other_settings(stream.plan, **self._kernel_of(stream))
            if not batch.rows.n:
                self._pass_over(batch)
                return self
            stream.plan = replace(stream.plan, order=replace(stream.plan.order, name="cyclic"))
            outcome = self._learn(batch, stream.copy(), blocks=True)
        if outcome.stopped_by == "interrupted":
            raise Interrupted(outcome)
        return self

    def _kernel_of(self, stream: KernelStream) -> dict[str, Any]:
        """Return the parameters that the kernel of a stream was made from, as far as it tells."""
        began: dict[str, Any] = {"memory": next(mine for mine, its in MEMORIES.items() if its == stream.plan.memory)}
        if isinstance(stream.kernel, Kernel):
            began |= {"kernel": stream.kernel.name, "degree": stream.kernel.degree, "coef0": stream.kernel.coef0}
            if not isinstance(self.gamma, str):
                began["gamma"] = stream.kernel.gamma
        return began

    @property
    def survival_counts_(self) -> Doubles | list[Doubles]:
        """Survival counts of the dual vectors, the start's first; one array per class in one-vs-rest."""
        if not getattr(self, "model_", None) or not self.model_.ballots:
            raise AttributeError("survival_counts_ exists after fit with memory='voted'")
        return survival_counts(self.model_.ballots)

    def _new_stream(self, batch: Batch, seed: int) -> KernelStream:
        if self._precomputed and batch.rows.d != batch.n:
            raise DataError(f"a precomputed kernel is a square matrix; X has shape {(batch.n, batch.rows.d)}.")
        kernel = kernel_function(self.kernel, batch.rows, self.gamma, int(self.degree), float(self.coef0))
        return KernelStream(self._plan(batch.rows.d, len(batch.classes), seed, MEMORIES[self.memory]), kernel)

    def _learn(self, batch: Batch, stream: KernelStream, *, blocks: bool) -> KernelOutcome:
        """Run the driver from where the stream stands, and write the learned attributes."""
        rows = batch.rows
        if stream.kernel is None:
            rows = Rows(np.ascontiguousarray(rows.dense()[:, batch.kept]), len(batch.kept))
        scores, b = stream.scores(rows, batch.classes)
        outcome = learn_kernel(
            stream.plan,
            rows,
            kernel=stream.kernel,
            codes=batch.codes,
            weight=batch.weight,
            scores=scores,
            b=b,
            n_steps=max(stream.machine_steps, default=0),
            stop=Stop(1) if blocks else self._stop(),
            progress=self._progress(),
        )
        if blocks and outcome.stopped_by != "interrupted":
            outcome = replace(outcome, stopped_by="block_end")
        if stream.kernel is None:
            journal = replace(outcome.journal, rows=blank_rows(rows.n, batch.n))
            outcome = replace(outcome, journal=journal)
        outcome = stream.add(outcome, batch, blocks=blocks)
        model = stream.model(batch.classes)
        if not (np.isfinite(model.coefficients).all() and np.isfinite(model.b).all()):
            raise DataError(OVERFLOWED)
        self.classes_ = batch.classes
        self._report(outcome, batch)
        self.model_ = model
        self.support_: Ints = stream.chronicle.places[0]
        self.dual_coef_: Doubles = self.model_.coefficients
        self.intercept_: Doubles = self.model_.b
        self._stream = stream
        return outcome
