"""What comes out of a run of the kernel machine: its counts and journal, and the model that they make."""

from dataclasses import dataclass

import numpy as np

from rosenblatt._typing import Ints, Labels
from rosenblatt.learning.collect import ballots_of
from rosenblatt.learning.journal import Journal
from rosenblatt.learning.outcome import Counts
from rosenblatt.learning.plan import Plan
from rosenblatt.models.kernel import KernelFunction, KernelModel


@dataclass(frozen=True, eq=False, kw_only=True)
class KernelOutcome(Counts):
    """What a run of the kernel machine did; names as in ``Outcome``. ``kernel_model`` makes the model of it."""

    journal: Journal
    machine_steps: list[int]
    row_updates: Ints


def kernel_model(
    plan: Plan, journal: Journal, machine_steps: list[int], kernel: KernelFunction, classes: Labels
) -> KernelModel:
    """Return the model of a journal that keeps the rows that caused updates, by the plan's memory.

    Coefficients: Σ tau y over the updates of a row; averaged, each counts by the share of steps it was in force for.
    """
    codes, vectors = journal.codes[journal.row], np.zeros((plan.vectors, journal.rows.n))
    b = np.zeros(plan.vectors)
    units = journal.units
    if plan.memory == "average":
        steps = np.asarray(machine_steps, dtype=np.float64)[journal.rival if plan.shape == "ovr" else 0]
        units = units * (1.0 - journal.step / steps)
    if plan.shape == "direct":
        moves = [(codes, units), (journal.rival, -units)]
    else:
        mine = np.zeros_like(codes) if plan.shape == "binary" else journal.rival
        positive = codes == (1 if plan.shape == "binary" else journal.rival)
        moves = [(mine, np.where(positive, units, -units))]
    for vector, step in moves:
        np.add.at(vectors, (vector, journal.row), step)
        if plan.bias:
            np.add.at(b, vector, step)  # b = Σ alpha_i y_i
    ballots = ballots_of(journal, machine_steps) if plan.memory == "vote" else ()
    vectors, b = vectors * journal.unit, b * journal.unit
    return KernelModel(journal.rows, vectors, b, kernel, plan.bias, classes, ballots)
