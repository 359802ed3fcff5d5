"""Fitting the linear perceptrons: in passes, or block by block. The named members of the family are in family.py."""

from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import _fit_context
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from rosenblatt._typing import Doubles, Labels
from rosenblatt.data.labels import encode
from rosenblatt.data.source import Source
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.estimators.base import BasePerceptron, Batch, by_name
from rosenblatt.estimators.source import prepared, streamed_batch, whole_batch
from rosenblatt.estimators.stream import Stream
from rosenblatt.estimators.watch import HeldOut, drive_watched
from rosenblatt.learning.collect import collect
from rosenblatt.learning.drive import make_learners
from rosenblatt.learning.outcome import Outcome
from rosenblatt.learning.plan import Plan, start_vectors
from rosenblatt.learning.stream import StreamRun
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.voted import VotedModel
from rosenblatt.theory.report import Report, report


class LinearPerceptron(BasePerceptron):
    """score(x) = w·x + b, moved by ``w += tau*y*x``; what is remembered of the vectors is the subclass's choice."""

    _memory: ClassVar[str] = "last"
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BasePerceptron._parameter_constraints,
        "init": [StrOptions({"zeros", "random"}), tuple],
        "ties": [StrOptions({"mistake", "positive"})],
        "early_stopping": ["boolean"],
        "validation_fraction": [Interval(Real, 0, 1, closed="neither")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "warm_start": ["boolean"],
        "n_jobs": [Integral, None],
    }

    @by_name
    def __init__(
        self,
        *,
        margin: float = 0.0,
        eta0: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        max_updates: int | None = None,
        max_seconds: float | None = None,
        shuffle: bool = True,
        init: Any = "zeros",
        ties: str = "mistake",
        multi_class: str = "ovr",
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: int = 0,
    ) -> None:
        self.margin = margin
        self.eta0 = eta0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.max_updates = max_updates
        self.max_seconds = max_seconds
        self.shuffle = shuffle
        self.init = init
        self.ties = ties
        self.multi_class = multi_class
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "LinearPerceptron":
        """Learn from examples, pass after pass, until a clean one.

        Parameters
        ----------
        X : examples, dense or sparse; or a `Source` alone, such as ``rosenblatt.data.open`` returns, of any size.
        y : labels of any kind; of two classes the second in sorted order is the positive one.
        sample_weight : a factor for the steps of each example, times its class's; weight 0 is as if it were not there.

        Notes
        -----
        Ctrl-C sets the learned attributes to what there is and raises ``Interrupted``.
        """
        if y is None and isinstance(X, Source):
            outcome = self._fit_source(X, sample_weight)
        else:
            outcome = self._fit_batch(self._batch(X, y, sample_weight))
        self._warn_unless_converged(outcome, self._memory)
        return self

    def _fit_source(self, source: Source, sample_weight: Any) -> Outcome:
        """Fit from a source: from memory where it fits, else block by block."""
        source = prepared(self, source, sample_weight)
        if source.fits:
            return self._fit_batch(whole_batch(source))
        if self.early_stopping:
            raise DataError("early_stopping=True needs all examples in memory; open the source with a larger memory=.")
        plan, start = self._plan_and_start(source.d, source.classes)
        run = StreamRun(source, plan, self._stop(), start, threads=self._threads(), progress=self._progress())
        stopped_by = run.drive()
        outcome = run.outcome(stopped_by)
        self._learnt(outcome, streamed_batch(source, outcome), Stream(plan, run.learners, start))
        if stopped_by == "interrupted":
            raise Interrupted(outcome)
        return outcome

    def _plan_and_start(self, d: int, classes: Labels) -> tuple[Plan, tuple[Doubles, Doubles]]:
        """Return the plan of a fit, and the vectors it starts from."""
        plan = self._plan(d, len(classes), self._seed(), self._memory, self.ties)
        before = getattr(self, "_stream", None) if self.warm_start else None
        if before is None:
            return plan, start_vectors(self.init, plan)
        return plan, self._warm(before, plan, np.array_equal(getattr(self, "classes_", ()), classes))

    def _fit_batch(self, batch: Batch) -> Outcome:
        """Fit from examples in memory."""
        stream = self._new_stream(batch)
        train, held_out = self._hold_out(batch, stream) if self.early_stopping else (batch, None)
        stream.bind(train.rows, train.codes, train.weight, blocks=False)
        stopped_by = drive_watched(stream.learners, self._stop(), self._threads(), self._progress(), held_out)
        outcome = stream.collect(train.rows, train.codes, train.classes, stopped_by)
        if held_out is not None and held_out.best:
            outcome = _best(outcome, held_out, stream, train)
        self._learnt(outcome, train, stream)
        if stopped_by == "interrupted":
            raise Interrupted(outcome)
        return outcome

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "LinearPerceptron":
        """Learn from one more block of examples, in the order given, going on from where the last block ended.

        Blocks in a row are one pass over all of them: the same updates, the same average, the same votes.

        Parameters
        ----------
        X, y : the block. It may lack classes, be of any size, dense or sparse.
        classes : all labels there will ever be; needed at the first call.
        sample_weight : as in ``fit``.

        Notes
        -----
        After ``fit`` it goes on from the last vector, memory included; a machine of one-vs-rest that had stopped at its
        clean pass counts from then on as if it had been shown the later passes too. The settings are those of the first
        block. A block that is refused leaves no trace.
        ``alpha_`` counts the rows of this block; the pocket is judged on this block, from the vector it began with.
        """
        if self.early_stopping:
            raise DataError("early_stopping=True needs all examples at once; partial_fit sees one block. Use fit.")
        batch, first_call = self._block(X, y, sample_weight, classes)
        with self._unless_refused(first_call):
            stream = self._new_stream(batch) if first_call else self._stream
            self._refuse_other_settings(stream.plan)
            if not batch.rows.n and not first_call:
                self._pass_over(batch)
                return self
            block = batch.rows, batch.codes, batch.weight, batch.classes
            interrupted, outcome = stream.learn_block(*block, threads=self._threads())
        open_pass = outcome.n_updates - int(outcome.updates_per_pass.sum())
        outcome = replace(
            outcome,
            converged=False,  # a block is not a pass
            n_passes=outcome.n_passes + 1,
            updates_per_pass=np.append(outcome.updates_per_pass, open_pass),
        )
        self._learnt(outcome, batch, stream)
        if interrupted:
            raise Interrupted(outcome)
        return self

    def _new_stream(self, batch: Batch) -> Stream:
        plan, start = self._plan_and_start(batch.rows.d, batch.classes)
        return Stream(plan, make_learners(plan, start, self._threads()), start)

    @property
    def model_(self) -> LinearModel | VotedModel:
        """What was learnt, as a value of the library: it scores, predicts, is saved and exported."""
        names = tuple(self.feature_names_in_) if hasattr(self, "feature_names_in_") else None
        if len(self.classes_) == 2:
            return LinearModel(self.coef_[0], float(self.intercept_[0]), self.classes_, names)
        return LinearModel(self.coef_, self.intercept_, self.classes_, names)

    def _threads(self) -> int:
        return 1 if self.n_jobs is None else int(effective_n_jobs(self.n_jobs))

    def report(self, X: Any, y: Any, *, max_seconds: float | None = 30.0) -> Report:
        """Judge the fit by the theory: verdict with proof, updates against the bound, margin against the best, advice.

        Parameters
        ----------
        X, y : the training examples.
        max_seconds : for the verdict on separability.
        """
        check_is_fitted(self)
        rows = self._rows(X, reset=False)
        encode(y, rows.n, self.classes_)  # refuses labels that it never saw
        plan, (w, b) = self._stream.plan, self._stream.start
        two = len(self.classes_) == 2
        return report(
            rows,
            y,
            w=self.coef_[0] if two else self.coef_,
            b=float(self.intercept_[0]) if two else self.intercept_,
            converged=self.converged_,
            n_updates=self.n_updates_,
            bias=plan.bias,
            start=(w[0], float(b[0])) if two else None,
            rate=plan.rule.rate,
            margin=plan.rule.margin,
            weighted=self._stream.weighted,
            multiclass=plan.multiclass,
            max_seconds=max_seconds,
        )

    def _learnt(self, outcome: Outcome, batch: Batch, stream: Stream) -> None:
        """Write the learned attributes and let go of the examples."""
        self.classes_ = batch.classes
        self.coef_: Doubles = np.atleast_2d(outcome.w)
        self.intercept_: Doubles = np.atleast_1d(np.asarray(outcome.b, dtype=np.float64))
        self._report(outcome, batch)
        if outcome.journal is not None:
            stream.chronicle.add(outcome.journal, stream.n_rows, batch.kept)
        stream.n_rows += batch.n
        stream.rest()
        self._stream = stream

    def _warm(self, before: Stream, plan: Plan, same_classes: bool) -> tuple[Doubles, Doubles]:
        """Return the vectors in force at the end of the fit before."""
        if not same_classes or before.plan.vectors != plan.vectors or before.plan.d != plan.d:
            raise DataError("warm_start=True goes on from the last fit: X needs the same columns, y the same classes.")
        w, b = before.last
        return w, b if plan.bias else np.zeros_like(b)

    def _hold_out(self, batch: Batch, stream: Stream) -> tuple[Batch, HeldOut]:
        """Set a stratified share of the examples aside."""
        split = StratifiedShuffleSplit(
            1, test_size=self.validation_fraction, random_state=stream.plan.order.seed % 2**32
        )
        try:
            learn_from, aside = next(split.split(batch.codes, batch.codes))
        except ValueError:
            raise DataError(
                f"early_stopping=True cannot set validation_fraction={self.validation_fraction} of {batch.rows.n} rows "
                f"aside with all {len(batch.classes)} classes on both sides; give more rows or another share."
            ) from None
        train, held = batch.take(np.sort(learn_from)), batch.take(np.sort(aside))

        def model() -> LinearModel | VotedModel:
            made = (train.rows, train.codes, train.classes, stream.start, "held_out")
            return collect(stream.plan, stream.learners, *made).model

        return train, HeldOut(held.rows, held.classes[held.codes], int(self.n_iter_no_change), model)


def _best(outcome: Outcome, held_out: HeldOut, stream: Stream, train: Batch) -> Outcome:
    """Put the learners back into the best state and return it, counts and all; what came after it is forgotten."""
    for learner, state in zip(stream.learners, held_out.best, strict=True):
        learner.restore(state)
    best = stream.collect(train.rows, train.codes, train.classes, outcome.stopped_by)
    if best.n_steps == outcome.n_steps:
        return best
    reason = "held_out" if outcome.stopped_by == "clean_pass" else outcome.stopped_by
    return replace(best, converged=False, stopped_by=reason)
