"""What `fit` found, as facts; its words are in fit_words.py."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rosenblatt._typing import Doubles, Ints
from rosenblatt.cli.reading import Examples
from rosenblatt.cli.screen import as_utf8, number, percent
from rosenblatt.cli.training import Trained
from rosenblatt.data.encoder import Encoder
from rosenblatt.errors import DataError
from rosenblatt.models.folding import fold
from rosenblatt.models.linear import LinearModel
from rosenblatt.models.save import save

Judge = Callable[[], None]  # finds out how good a model is, and writes it into its report
UNEVEN = 30  # ratio of the sizes of two columns from which scaling is advised
MANY = 10_000  # features, of more of which only those with a weight are listed


@dataclass
class Report:
    """Everything there is to say about one fit."""

    data: str
    n: int
    d: int
    classes: list[Any]
    counts: list[int]
    trained: Trained
    model: Any
    encoder: Encoder
    notes: tuple[str, ...] = ()
    train_accuracy: float | None = None
    test_accuracy: float | None = None
    n_test: int = 0
    cv: list[float] = field(default_factory=list)
    bound: Any = None
    margin: float | None = None
    best: float | None = None
    positive: str | None = None
    out: str | None = None
    hints: tuple[str, ...] = ()
    source: Any = None
    sizes: Doubles | None = None  # the largest |x| of each feature as it was learnt from; not known of a streamed file

    @classmethod
    def of(cls, examples: Examples, trained: Trained, opening: dict[str, Any]) -> "Report":
        """Start a report; the scaling is folded back into the weights of a linear model."""
        model, encoder = fold(trained.model, examples.encoder)
        return cls(
            examples.name,
            examples.rows.n,
            examples.rows.d,
            examples.classes.tolist(),
            examples.counts,
            trained,
            model,
            encoder,
            examples.notes,
            positive=opening.get("positive"),
            source=examples.source,
        )

    def look_for_bound(self, examples: Examples, rows: Ints | None) -> None:
        """Find margin, best margin and bound of a converged run on two classes, in the space it learnt in."""
        model, settings = self.trained.model, self.trained.settings
        if not isinstance(model, LinearModel) or model.w.ndim != 1 or not self.trained.outcome.converged:
            return
        from rosenblatt.theory import margin_of, mistake_bound

        X = examples.rows if rows is None else examples.rows.take(rows)
        y = examples.labels if rows is None else examples.labels[rows]
        keys = ("bias", "start", "rate", "margin")
        if settings.get("start") != "random" and examples.weights is None and settings.get("ties") != "positive":
            with suppress(DataError):  # a bound beyond the floats
                self.bound = mistake_bound(X, y, **{key: settings[key] for key in keys if key in settings})
                self.best = self.bound.gamma
        self.margin = margin_of(model.w, model.b, X, y)

    def look_for_hints(self, examples: Examples, sizes: Doubles, *, scaled: bool) -> None:
        """Find out what to try where the run did not converge: scaling, a variant for noise, or nothing so far."""
        if self.trained.outcome.converged:
            return
        hints = []
        share, label = max(zip(self.counts, self.classes, strict=True), key=lambda pair: pair[0])
        if self.train_accuracy is not None and self.train_accuracy < share / self.n:
            hints.append(
                f"it is right on fewer rows ({percent(self.train_accuracy)}) than the answer {label} to all of them "
                f"would be ({percent(share / self.n)})"
            )
        there = np.flatnonzero(sizes)
        if not scaled and len(there) and sizes.max() >= UNEVEN * sizes[there].min():
            large, small = int(sizes.argmax()), int(there[sizes[there].argmin()])
            hints.append(
                f"columns differ in size ({examples.feature(large)} up to {number(sizes[large])}, "
                f"{examples.feature(small)} up to {number(sizes[small])}): try --scale standard"
            )
        if self.variant in ("standard", "margin"):
            hints.append("for noisy data: try --variant averaged or --variant pocket")
        self.hints = tuple(hints)

    def save(self, path: str) -> None:
        """Save the model, with what is known of it so far."""
        save(self.model, path, encoder=self.encoder.to_dict(), training=self.training())
        self.out = path

    def training(self) -> dict[str, Any]:
        """Return what the saved file says about how the model came about."""
        outcome = self.trained.outcome
        return {
            "data": as_utf8(os.path.basename(self.data)),
            "n": self.n,
            "variant": self.variant,
            "settings": _json_settings(self.trained.settings),
            "positive": self.positive,
            "converged": bool(outcome.converged),
            "stopped_by": outcome.stopped_by,
            "n_passes": int(outcome.n_passes),
            "n_updates": int(outcome.n_updates),
            "n_mistakes": int(outcome.n_mistakes),
            "n_steps": int(outcome.n_steps),
            "train_accuracy": self.train_accuracy,
            "test_accuracy": self.test_accuracy,
        }

    @property
    def variant(self) -> str:
        return "kernel" if self.trained.kernel is not None else self.trained.variant

    def facts(self) -> dict[str, Any]:
        """Return the facts of the schema rosenblatt.fit/1, without the weights."""
        outcome, kernel = self.trained.outcome, self.trained.kernel
        facts: dict[str, Any] = {
            "data": self.data,
            "rows": self.n,
            "features": self.d,
            "classes": [{"label": c, "rows": k} for c, k in zip(self.classes, self.counts, strict=True)],
            "variant": self.variant,
            "settings": _json_settings(self.trained.settings),
            "kernel": None if kernel is None else vars(kernel),
            "converged": bool(outcome.converged),
            "stopped_by": outcome.stopped_by,
            "n_passes": outcome.n_passes,
            "n_updates": outcome.n_updates,
            "n_mistakes": outcome.n_mistakes,
            "n_steps": outcome.n_steps,
            "updates_in_last_pass": int(outcome.updates_per_pass[-1]) if len(outcome.updates_per_pass) else 0,
            "bound": None
            if self.bound is None
            else {
                "updates": self.bound.most,
                "formula": self.bound.formula,
                "R": self.bound.R,
                "gamma": self.bound.gamma,
                "space": self.bound.space,
            },
            "margin": self.margin,
            "train_accuracy": self.train_accuracy,
            "test_accuracy": self.test_accuracy,
            "test_rows": self.n_test,
            "cv_accuracy": self.cv,
            "seconds": round(self.trained.seconds, 6),
            "notes": list(self.notes),
            "out": self.out,
        }
        return facts

    def weights(self) -> dict[str, Any]:
        """Return weights by feature name and the bias; by class if there is a vector for each.

        Of more than `MANY` features those without weight are left out.
        """
        if not isinstance(self.model, LinearModel):
            return {"weights": None, "bias": None}
        W = np.atleast_2d(self.model.w)
        used = np.arange(self.d) if self.d <= MANY else np.flatnonzero(W.any(axis=0))
        names, W = [self.encoder.name(j) for j in used.tolist()], W[:, used]
        if self.model.w.ndim == 1:
            return {"weights": dict(zip(names, W[0].tolist(), strict=True)), "bias": float(self.model.b)}
        by_class = {
            str(label): dict(zip(names, w.tolist(), strict=True)) for label, w in zip(self.classes, W, strict=True)
        }
        return {"weights": by_class, "bias": dict(zip(map(str, self.classes), self.model.b.tolist(), strict=True))}


def _json_settings(settings: dict[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in settings.items()}
