"""Fitting from a `Source`: its examples as a batch where they fit into memory, its blocks with class weights where not."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from rosenblatt._typing import Doubles
from rosenblatt.data.labels import check_weights
from rosenblatt.data.source import Block, Source
from rosenblatt.errors import DataError
from rosenblatt.estimators.base import Batch
from rosenblatt.estimators.stream import blank_rows
from rosenblatt.learning.outcome import Outcome


class WeightedSource:
    """A source whose examples weigh what their class does, times their own weight."""

    def __init__(self, source: Source, class_weight: Any) -> None:
        self._source = source
        self._by_class = class_factors(source, class_weight)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def blocks(self, pass_number: int = 0, *, order: str = "cyclic", seed: int = 0, skip: int = 0) -> Iterator[Block]:
        """Return the source's blocks, weighted."""
        for block in self._source.blocks(pass_number, order=order, seed=seed, skip=skip):
            yield weighted(block, self._by_class)

    def whole(self) -> Block:
        """Return all examples, weighted."""
        return weighted(self._source.whole(), self._by_class)


def weighted(block: Block, by_class: Doubles) -> Block:
    """Return a block with each example's weight multiplied by its class's."""
    factor = by_class[block.codes]
    return block._replace(weights=factor if block.weights is None else factor * block.weights)


def class_factors(source: Source, class_weight: Any) -> Doubles:
    """Return the factor of each class, as scikit-learn defines it; "balanced" adds up their weights in one read."""
    if class_weight != "balanced":
        factors: Doubles = compute_class_weight(class_weight, classes=source.classes, y=source.classes)
        check_weights(factors, len(factors))
        return factors
    totals: Doubles = np.zeros(len(source.classes))
    for block in source.blocks():
        totals += np.bincount(block.codes, block.weights, minlength=len(totals))
    return totals.sum() / (len(totals) * np.where(totals > 0, totals, 1.0))


def whole_batch(source: Source) -> Batch:
    """Return all examples of a source that fits into memory; rows of weight 0 are left out."""
    rows, codes, weight, _ = source.whole()
    return Batch(rows, codes, weight, source.classes, np.arange(rows.n), rows.n).counted()


def streamed_batch(source: Source, outcome: Outcome) -> Batch:
    """Return a batch that stands for a streamed source: its classes and row numbers, none of its rows."""
    counted = outcome.row_updates.shape[-1] == source.n or outcome.journal is not None
    n = source.n if counted else 0
    return Batch(blank_rows(0, source.d), np.empty(0, dtype=np.int32), None, source.classes, np.arange(n), n)


def prepared(estimator: Any, source: Source, sample_weight: Any) -> Source:
    """Return a source with the weights of its classes; the estimator learns its features, as by scikit-learn's checks."""
    if sample_weight is not None:
        raise DataError("a source brings its own weights: name their column when you open it (weight=...).")
    estimator.n_features_in_ = source.d
    if source.names is not None:
        estimator.feature_names_in_ = np.array(source.names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
    return source if estimator.class_weight is None else WeightedSource(source, estimator.class_weight)
