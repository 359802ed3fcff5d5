"""`study`, the front door: design the runs, make them on all threads, judge what they found."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import rosenblatt._core as _core
from rosenblatt._typing import Codes, Doubles, Ints
from rosenblatt.data.arrays import as_rows
from rosenblatt.data.cores import cores
from rosenblatt.data.labels import check_weights, encode
from rosenblatt.data.rows import Rows
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.learning.collect import OVERFLOWED, refuse_vanishing
from rosenblatt.learning.drive import NO_LIMIT
from rosenblatt.learning.plan import Plan, start_vectors, whole_multiples
from rosenblatt.learning.policy import Order, Rule, Stop, at_least_one, one_of, true_or_false
from rosenblatt.theory.best import Best, best_separator
from rosenblatt.theory.signed import near_one
from rosenblatt.theory.studying.design import Design, Scale, make_design, scaled
from rosenblatt.theory.studying.studied import Results, Study

SLICE = 0.1  # seconds of runs between two reports of progress
MEMORIES = ("last", "average", "pocket")
SHUFFLED = ("shuffle", "shuffle_once", "random")
STOPPED = {1: "clean_pass", 2: "max_passes", 3: "max_updates"}  # the core's pauses

Progress = Callable[[int, int], None]


def study(
    X: Any,
    y: Any,
    *,
    runs: int = 1000,
    vary: str | Sequence[str] = ("order",),
    seed: int = 0,
    starts: Sequence[Any] | None = None,
    rates: Sequence[float] | None = None,
    margins: Sequence[float] | None = None,
    scales: Sequence[Scale] | None = None,
    flips: Sequence[float] | None = None,
    margin: float = 0.0,
    rate: float = 1.0,
    bias: bool = True,
    start: Any = None,
    order: str | None = None,
    memory: str = "last",
    ties: str = "mistake",
    max_passes: int | None = 1000,
    max_updates: int | None = None,
    weights: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Study:
    """Run the perceptron many times over independent orders, starts, rates, margins, scalings or label flips.

    Parameters
    ----------
    X, y : two classes.
    runs : how many.
    vary : any of "order", "start", "rate", "margin", "scale", "flip". Lists of values are spread evenly over the runs,
        all combinations in turn; orders, random starts and flipped rows are drawn afresh for each run.
    seed : of the whole study. Run i has the i-th output of SplitMix64 from it, so the result does not depend on threads.
    starts : for "start": a list of (w0, b0); default standard normal.
    rates, margins : for "rate" and "margin": lists of values.
    scales : for "scale": "none", "standard" (mean 0, deviation 1), "unit" (rows of length 1), a factor, or one factor
        per feature.
    flips : for "flip": shares of labels to turn over, 0 to 0.5.
    margin, rate, bias, start, memory, ties, max_passes, max_updates, weights : as in ``learn``, for all runs.
        A vote is no vector, so memory is "last", "average" or "pocket".
    order : as in ``learn``; default "shuffle" where the order is varied, else "cyclic".
    threads : default all the processor has.
    progress : called as ``progress(done, runs)`` about ten times a second.

    Notes
    -----
    Run i equals ``learn`` with the settings of ``Study.options(i)``; ``Study.rerun(i)`` makes it again. Ctrl-C raises
    ``Interrupted``, whose ``outcome`` is the study of the runs that were finished.

    Examples
    --------
    >>> from rosenblatt.datasets import w2
    >>> found = study(*w2(), runs=200, bias=False, threads=1)
    >>> int(found.updates.max()) <= 10, bool(found.converged.all())
    (True, True)
    """
    bias = true_or_false("bias", bias)
    rows = as_rows(X)
    classes, codes = encode(y, rows.n)
    if len(classes) != 2:
        raise DataError(
            f"y has {len(classes)} classes and a study is about one machine; study one class against the rest with "
            f"y == {classes[0].item()!r}."
        )
    one_of("memory", memory, MEMORIES)
    vary = (vary,) if isinstance(vary, str) else tuple(vary)
    order = order or ("shuffle" if "order" in vary else "cyclic")
    Order(order)  # refuses what is unknown
    if "order" in vary and order not in SHUFFLED:
        raise DataError(f"order={order!r} is the same in every run; vary it with one of {', '.join(SHUFFLED)}.")
    _refuse_both(vary, margin=margin, rate=rate, start=start)
    stop = Stop(max_passes, max_updates)
    runs = at_least_one("runs", runs)
    threads = cores() if threads is None else at_least_one("threads", threads)

    def begin(what: Any, with_seed: int = 0) -> Doubles:
        rule = Rule(margin, rate, ties)
        plan = Plan(d=rows.d, n_classes=2, rule=rule, order=Order(order, with_seed), bias=bias)
        W, b = start_vectors(what, plan)
        return np.append(W[0], b[0])

    values = {
        "start": None if starts is None else [begin(one) for one in starts],
        "rate": rates,
        "margin": margins,
        "scale": scales,
        "flip": flips,
    }
    design = make_design(
        runs, vary, seed, values, {"margin": margin, "rate": rate}, lambda s: begin("random", s), begin(start, seed)
    )
    weight = check_weights(weights, rows.n)
    sets = tuple(scaled(rows, scale) for scale in design.scales)
    best = tuple(best_separator(one, y, bias) for one in sets)
    options = {"bias": bias, "order": order, "memory": memory, "ties": ties}
    options |= {"max_passes": stop.max_passes, "max_updates": stop.max_updates, "weights": weight}
    results = Results.empty(runs, rows.d)
    interrupted = False
    try:
        for done in _make_runs(design, sets, codes, options, best, threads, results):
            if progress is not None:
                progress(done, runs)
    except KeyboardInterrupt:
        interrupted = True
    found = Study(rows, classes, codes, design, results, options, best)
    if interrupted:
        raise Interrupted(found.only(results.finished))
    return found


def _refuse_both(vary: Sequence[str], **fixed: Any) -> None:
    usual = {"margin": 0.0, "rate": 1.0, "start": None}
    for name, value in fixed.items():
        same = value is usual[name] if name == "start" else value == usual[name]
        if name in vary and not same:
            raise DataError(f"{name} is varied, so {name}={value!r} has no effect; give {name}s instead.")


def _make_runs(
    design: Design,
    sets: Sequence[Rows],
    codes: Codes,
    options: dict[str, Any],
    best: Sequence[Best | None],
    threads: int,
    out: Results,
) -> Iterator[int]:
    """Make the runs in chunks of about SLICE seconds; yield how many are done."""
    done, size = 0, 16 * threads
    for k, rows in enumerate(sets):
        mine = np.flatnonzero(design.scale == k)
        examples = rows.examples()
        at = 0
        while at < len(mine):
            chunk = mine[at : at + size]
            began = time.monotonic()
            own = np.array([design.codes_of(i, codes) for i in chunk]) if design.flip[chunk].any() else codes[None, :]
            rate, start = design.rate[chunk], design.start if len(design.start) == 1 else design.start[chunk]
            unit = _units(rate, start)
            raw = _core.run_many(
                examples,
                np.ascontiguousarray(own),
                options["weights"],
                seed=design.order_seed[chunk],
                start=start / unit[:, None] if start.any() else start,
                margin=design.margin[chunk] / unit,
                rate=rate / unit,
                bias=options["bias"],
                ties_positive=options["ties"] == "positive",
                order=options["order"],
                average=options["memory"] == "average",
                pocket=options["memory"] == "pocket",
                max_passes=options["max_passes"] or NO_LIMIT,
                max_updates=options["max_updates"] or NO_LIMIT,
                threads=threads,
            )
            if not options["bias"]:
                refuse_vanishing(raw["w"], 1.0)
            raw["w"], raw["b"] = raw["w"] * unit[:, None], raw["b"] * unit
            _judge(chunk, raw, examples, own, best[k], out)
            at += len(chunk)
            done += len(chunk)
            took = time.monotonic() - began
            size = max(threads, min(2 * size, int(size * SLICE / max(took, 1e-6)), 10_000_000 // len(codes) + 1))
            yield done


def _units(rate: Doubles, start: Doubles) -> Doubles:
    """Return the unit of each run's vectors, as `unit_of` does for one run."""
    if not start.any():
        return rate
    return np.where(whole_multiples(start, rate[:, None]).all(axis=1), rate, 1.0)


def _judge(
    chunk: Ints, raw: dict[str, Any], examples: _core.Examples, codes: Codes, best: Best | None, out: Results
) -> None:
    """Write a chunk's counts, and what its vectors are worth: training errors, margin, angle to the best separator."""
    for name in ("updates", "mistakes", "steps", "passes"):
        getattr(out, name)[chunk] = raw[name]
    W, b = raw["w"], raw["b"]
    out.w[chunk], out.b[chunk] = W, b
    out.stopped_by[chunk] = [STOPPED[int(pause)] for pause in raw["pause"]]
    out.converged[chunk] = raw["pause"] == 1
    sign = np.where(codes == 1, 1.0, -1.0).T
    m = sign * _core.scores(examples, W, b)
    V = np.column_stack([W, b])
    if not np.abs(V).max() < 1e100 and not np.isfinite(m).all():
        raise DataError(OVERFLOWED)
    V, e = near_one(V)
    norm = np.linalg.norm(V, axis=1)
    out.errors[chunk] = (m <= 0).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        out.final_margin[chunk] = np.where(out.errors[chunk] == 0, np.ldexp(m.min(axis=0), -e) / norm, -np.inf)
        if best is not None:
            u = np.append(best.w, best.b)[None, :]
            cosine = _core.scores(_core.Examples.dense(V), u, np.zeros(1))[:, 0] / norm  # a run's, whatever the chunk
            out.angle[chunk] = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
    out.finished[chunk] = True
