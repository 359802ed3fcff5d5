"""Fitting a file in blocks, with constant memory and checkpoints."""

import os
import re
import time
from typing import Any

import numpy as np

import rosenblatt
from rosenblatt.cli.fitted import Judge, Report
from rosenblatt.cli.options import learning_arguments
from rosenblatt.cli.progress import ProgressLine
from rosenblatt.cli.screen import note
from rosenblatt.cli.training import Trained
from rosenblatt.data.cores import cores
from rosenblatt.errors import DataError, Interrupted
from rosenblatt.learning.checkpoint import Checkpoint, read_checkpoint
from rosenblatt.models.folding import fold

PASSES = 10  # over a file that is larger than memory, unless --max-passes says otherwise
UNITS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def seconds(text: str) -> float:
    """Return a span of time in seconds.

    >>> seconds("30s"), seconds("1.5m"), seconds("2h"), seconds("10")
    (30.0, 90.0, 7200.0, 10.0)
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*", text)
    if found is None or found[2] not in UNITS:
        raise DataError(f"--every {text}: expected a span such as 30s, 5m or 1h.")
    return float(found[1]) * UNITS[found[2]]


def checkpoint_of(given: dict[str, Any]) -> Checkpoint:
    """Return where and how often the run is to save itself."""
    return Checkpoint(given["checkpoint"], every=seconds(given["every"]), resume=given["resume"])


def look_at(checkpoint: Checkpoint) -> None:
    """Refuse to replace a run that could go on, or another file; say so where there is nothing to go on from."""
    if os.path.exists(checkpoint.path):
        try:
            read_checkpoint(checkpoint.path)
        except DataError:
            raise DataError(
                f"--checkpoint {checkpoint.path}: this file is no checkpoint of rosenblatt {rosenblatt.__version__}, or it "
                "is damaged, and it would be replaced. Give another name, or remove the file."
            ) from None
        if not checkpoint.resume:
            raise DataError(
                f"--checkpoint {checkpoint.path}: this file holds a run, which would be replaced. Go on from it with "
                "--resume, give another name, or remove the file to start again."
            )
    elif checkpoint.resume:
        note(f"note: there is no {checkpoint.path} to go on from yet; the run starts at the beginning")


def fit_source(source: Any, given: dict[str, Any], variant: str, line: ProgressLine) -> tuple[Report, Judge]:
    """Train on a source, in blocks where it is larger than memory; return the report, and what counts the errors."""
    from rosenblatt.learning.run import learn

    settings = learning_arguments(given, variant)
    if given["max_passes"] is None and not source.fits:
        settings["max_passes"] = PASSES
    checkpoint = checkpoint_of(given) if given["checkpoint"] else None
    line.stage(variant, rows=source.n, max_passes=settings.get("max_passes", 1000))
    began = time.monotonic()
    try:
        outcome = learn(source, **settings, journal=False, threads=cores(), checkpoint=checkpoint, progress=line.watch)
    except Interrupted as stop:
        outcome = stop.outcome
    trained = Trained(outcome.model, outcome, settings, variant, None, time.monotonic() - began)
    model, encoder = fold(trained.model, source.encoder)
    report = Report(
        os.path.basename(source.path) or source.path,
        source.n,
        source.d,
        source.classes.tolist(),
        np.asarray(source.class_counts).tolist(),
        trained,
        model,
        encoder,
        tuple(source.notes),
        positive=given["positive"],
        source=source,
    )

    def judge() -> None:
        if not trained.interrupted:
            report.train_accuracy = _accuracy(source, trained.model, line)

    return report, judge


def _accuracy(source: Any, model: Any, line: ProgressLine) -> float:
    line.stage("counting errors", rows=source.n)
    right = seen = 0
    for block in source.blocks():
        right += int((model.predict(block.rows) == source.classes[block.codes]).sum())
        seen += len(block.codes)
        line.seen(seen)
    return right / seen
