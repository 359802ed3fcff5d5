"""The pictures by name, from examples to a figure: what the command line calls."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from rosenblatt.errors import DataError
from rosenblatt.learning.kernel import learn_dual
from rosenblatt.learning.run import learn
from rosenblatt.plot.boundary import BoundaryDisplay
from rosenblatt.plot.certificate import CertificateDisplay
from rosenblatt.plot.counting import ConvergenceDisplay, MistakesDisplay
from rosenblatt.plot.proof import AngleDisplay
from rosenblatt.plot.starts import StartsDisplay
from rosenblatt.plot.strip import TraceStripDisplay
from rosenblatt.plot.survival import SurvivalDisplay
from rosenblatt.plot.update import UpdateDisplay
from rosenblatt.plot.weighing import DualDisplay, MarginDisplay
from rosenblatt.theory.separability import check
from rosenblatt.theory.studying import study
from rosenblatt.theory.tracing import trace

KINDS: Mapping[str, str] = {
    "boundary": "the examples, the boundary, its margin and its mistakes",
    "update": "one update: w, the example at its tip, the new w (--k)",
    "updates": "all updates side by side",
    "strip": "every example shown, pass under pass",
    "mistakes": "updates in each pass, and so far against the bound",
    "convergence": "how many updates many orders take, against the bound",
    "angle": "the two halves of the convergence proof",
    "margins": "how far each example is on the right side",
    "dual": "how often each example caused an update",
    "starts": "the boundaries of many orders and starts",
    "certificate": "the proof that a line exists, or that none does",
    "survival": "how long each vector stood, and how good it was",
}
FROM_TRACE: dict[str, Callable[..., Any]] = {
    "boundary": BoundaryDisplay.from_trace,
    "update": UpdateDisplay.from_trace,
    "updates": UpdateDisplay.grid,
    "strip": TraceStripDisplay.from_trace,
    "mistakes": MistakesDisplay.from_trace,
    "angle": AngleDisplay.from_trace,
    "margins": MarginDisplay.from_trace,
    "dual": DualDisplay.from_trace,
    "survival": SurvivalDisplay.from_trace,
}


def draw(kind: str, /, X: Any, y: Any, *, settings: Mapping[str, Any] | None = None, **options: Any) -> Any:
    """Run what a kind of picture needs on examples, draw it, and return the figure; pyplot forgets it.

    Parameters
    ----------
    kind : one of ``KINDS``.
    X, y : two classes.
    settings : keyword arguments of ``trace``, or of ``study`` for "convergence" and "starts"; of ``check`` (bias) for
        "certificate". With ``kernel`` (a ``rosenblatt.models.kernels.Kernel``) they are those of ``learn_dual``, for
        "boundary", "margins" and "dual".
    **options : of the display: ``features``, ``project``, ``k``, ``kind`` of a curve ("histogram" or "ecdf"), ``palette``.

    Examples
    --------
    >>> from rosenblatt.datasets import w2
    >>> from rosenblatt.plot import draw
    >>> figure = draw("boundary", *w2(), settings={"bias": False})
    >>> len(figure.axes)
    1
    """
    if kind not in KINDS:
        raise DataError(f"there is no picture {kind!r}; choose one of {', '.join(KINDS)}.")
    chosen = dict(settings or {})
    if "kernel" in chosen:
        made = _kernel_picture(kind, X, y, chosen, options)
    elif kind == "certificate":
        bias = {"bias": chosen["bias"]} if "bias" in chosen else {}
        made = _call(kind, CertificateDisplay.from_data, (X, y), bias | options)
    elif kind in ("convergence", "starts"):
        if kind == "convergence" and "flip" not in chosen.get("vary", ()):
            _refuse_inseparable(X, y, chosen, "no run ever makes a clean pass")
        if kind == "starts":
            chosen = {"runs": 100} | chosen
            if "start" not in chosen:
                chosen = {"vary": ("order", "start")} | chosen
        maker = ConvergenceDisplay.from_study if kind == "convergence" else StartsDisplay.from_study
        made = _call(kind, maker, (study(X, y, **chosen),), options)
    elif kind == "boundary" and chosen.get("memory") == "vote":
        made = _call(kind, BoundaryDisplay.from_outcome, (learn(X, y, **chosen), X, y), options)
    else:
        if kind == "angle" and "u" not in options:
            _refuse_inseparable(X, y, chosen, "there is no separator for the angle to close to")
        made = _call(kind, FROM_TRACE[kind], (trace(X, y, **chosen),), options)
    figure = (made[0] if isinstance(made, tuple) else made).figure_
    import matplotlib.pyplot as plt

    plt.close(figure)  # out of pyplot's list; the figure itself lives on
    return figure


def _kernel_picture(kind: str, X: Any, y: Any, chosen: dict[str, Any], options: dict[str, Any]) -> Any:
    """Train a kernel perceptron and draw what it has: a curve, margins, and how often each row taught it."""
    makers: dict[str, Any] = {"boundary": BoundaryDisplay, "margins": MarginDisplay, "dual": DualDisplay}
    if kind not in makers:
        raise DataError(f"the picture {kind!r} follows a vector, and a kernel has none; choose {', '.join(makers)}.")
    model, outcome = learn_dual(X, y, **chosen)
    if kind == "boundary":
        unfinished = ", not converged" * (not outcome.converged)
        options = {
            "heading": f"kernel {chosen['kernel'].name}, after {outcome.n_updates} updates{unfinished}"
        } | options
    taught = outcome if kind == "dual" else model
    return _call(kind, makers[kind].from_estimator, (taught, X, y), options)


def _refuse_inseparable(X: Any, y: Any, chosen: dict[str, Any], so: str) -> None:
    """Refuse a picture about separable data where they are not, instead of running a thousand times."""
    if check(X, y, bias=chosen.get("bias", True), max_seconds=2.0).separable is False:
        raise DataError(
            f"the classes are not separable (check(X, y) proves it), so {so}; draw 'mistakes' for one run, or "
            "'certificate' for the proof."
        )


def _call(kind: str, maker: Callable[..., Any], data: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a maker, or name the option that this kind of picture does not have."""
    known = {*inspect.signature(maker).parameters}
    owner: Any = getattr(maker, "__self__", None)
    known |= {*inspect.signature(owner.plot).parameters}
    for name in options:
        if name not in known:
            raise DataError(f"{name} has no meaning for the picture {kind!r}; leave it out.")
    return maker(*data, **options)
