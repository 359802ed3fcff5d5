"""The kernel machine: score(x) = Σ alpha_i y_i K(x_i, x) + b, by the same loop in the core.

Problem:   in the dual an example is judged by a look at its score, and an update adds a row of kernel values to all.
Given:     rows and a kernel (or the matrix of its values), and scores to start from.
Returns:   the textbook journal. Where the whole Gram matrix fits it is computed once and the core runs over its rows as
           over any others, its "w" being the scores; where it does not, or would not be used much, kernel_blocks.py goes
           through the data in blocks.
Reference: Aizerman, Braverman and Rozonoer (1964); Freund and Schapire (1999), section 3.
"""

from dataclasses import replace
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.labels import check_weights, encode
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.learning.collect import OVERFLOWED, counts_of, journal_of, machine_steps, row_updates_of
from rosenblatt.learning.drive import drive, make_learners
from rosenblatt.learning.kernel_blocks import BlockedRun, finite
from rosenblatt.learning.kernel_model import KernelOutcome, kernel_model
from rosenblatt.learning.plan import Plan
from rosenblatt.learning.policy import Order, Rule, Stop
from rosenblatt.learning.progress import Progress
from rosenblatt.models.kernel import KernelFunction, KernelModel

BUDGET = 256 << 20  # bytes for a whole Gram matrix
WHOLE = 1024  # rows up to which all values are computed even for one pass


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


def learn_kernel(
    plan: Plan,
    rows: Rows,
    *,
    kernel: KernelFunction | None,
    codes: Codes,
    weight: Doubles | None = None,
    scores: Doubles | None = None,
    b: Doubles | None = None,
    n_steps: int = 0,
    stop: Stop,
    progress: Progress | None = None,
    budget: int = BUDGET,
) -> KernelOutcome:
    """Run the kernel perceptron; return what it did, ``stopped_by="interrupted"`` after Ctrl-C.

    Parameters
    ----------
    plan : rule, order ("cyclic" or "shuffle"), bias, classes. The memory is a matter of the model (kernel_model.py).
    rows : the examples.
    kernel : K of two sets of rows, a symmetric function; None if the rows are the matrix of its values.
    codes, weight : class codes and, if any, example weights.
    scores, b, n_steps : where to start from: scores (vectors × examples) without the bias and biases, in units of the
        rate (see plan.unit_of); steps so far.
    stop : the most passes, updates of each machine, and seconds.
    progress : called now and then with the pass, its updates and the steps so far.
    budget : bytes that a whole Gram matrix may take.
    """
    if scores is None or b is None:
        scores, b = np.zeros((plan.vectors, rows.n)), np.zeros(plan.vectors)
    unit = plan.rule.rate
    plan = replace(plan, rule=replace(plan.rule, margin=plan.rule.margin / unit, rate=1.0))
    # One pass needs the values of its updates alone, and each of them for the rows that come later.
    in_blocks = 8 * rows.n * rows.n > budget or (rows.n > WHOLE and stop.max_passes == 1)
    if kernel is not None and in_blocks:
        run = BlockedRun(plan, rows, kernel, codes, weight, scores, b, n_steps)
        outcome = run.collect(run.run(stop, progress))
    else:
        # Row i of the matrix is what an update on example i adds to the scores: K(x_j, x_i) for all j.
        G = np.ascontiguousarray(rows.dense().T) if kernel is None else finite(kernel(rows, rows))
        start = scores, b
        outcome = _learn_whole(plan, rows, G, codes, weight, start, n_steps, stop, progress)
    journal = outcome.journal
    with np.errstate(over="ignore"):
        journal = replace(journal, m=journal.m * unit, unit=unit)
        if not np.isfinite(np.abs(journal.tau).sum()):
            raise DataError(OVERFLOWED)
    return replace(outcome, journal=journal)


def _learn_whole(
    plan: Plan,
    rows: Rows,
    G: Doubles,
    codes: Codes,
    weight: Doubles | None,
    start: tuple[Doubles, Doubles],
    n_steps: int,
    stop: Stop,
    progress: Progress | None,
) -> KernelOutcome:
    """Run over the rows of a whole Gram matrix: the linear machine, with scores for weights."""
    over_scores = replace(plan, d=rows.n, memory="last", journal=True)
    (learner,) = make_learners(over_scores, (np.ascontiguousarray(start[0]), start[1]))
    learner.bind(_core.Examples.dense(G, gram=True), codes, weight)
    stopped_by = drive([learner], stop, progress=progress)
    if _core.first_not_finite(learner.w) >= 0:
        raise DataError(OVERFLOWED)
    zero = np.zeros((plan.vectors, rows.d)), np.zeros(plan.vectors)
    journal = journal_of(over_scores, [learner], rows, codes, zero)
    counts = counts_of([learner], stopped_by)
    return KernelOutcome(
        **vars(replace(counts, n_steps=n_steps + counts.n_steps)),
        journal=replace(journal, step=journal.step + n_steps),
        machine_steps=[n_steps + steps for steps in machine_steps([learner])],
        row_updates=row_updates_of(plan, [learner]),
    )
