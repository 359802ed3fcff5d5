"""Classic real data, read from scikit-learn where it is installed: nothing is downloaded."""

from typing import Any

import numpy as np

from rosenblatt.datasets.dataset import Dataset
from rosenblatt.errors import MissingExtra


def iris() -> Dataset:
    """Return Fisher's iris: 150 flowers, 4 lengths in cm, 3 species (Fisher 1936)."""
    return _from_sklearn("iris", "Iris", "setosa against the rest is separable; versicolor against virginica is not.")


def breast_cancer() -> Dataset:
    """Return the Wisconsin diagnostic breast cancer data: 569 tumours, 30 measures (Street et al. 1993)."""
    return _from_sklearn("breast_cancer", "Breast cancer (Wisconsin, diagnostic)", "Separable with all 30 features.")


def digits() -> Dataset:
    """Return 1797 handwritten digits as 8 × 8 grey values 0..16 (Alpaydin and Kaynak 1998)."""
    return _from_sklearn("digits", "Handwritten digits, 8 × 8", "Some digits are separable from the rest, some not.")


def _from_sklearn(name: str, title: str, expect: str) -> Dataset:
    try:
        from sklearn import datasets
    except ImportError:
        raise MissingExtra("scikit-learn", "sklearn", f"datasets.{name}()") from None
    bunch: Any = getattr(datasets, f"load_{name}")()
    names = tuple(str(feature) for feature in bunch.feature_names)
    labels = np.array([str(label) for label in bunch.target_names])
    y = bunch.target if name == "digits" else labels[bunch.target]
    return Dataset(name, title, np.asarray(bunch.data, dtype=np.float64), y, names, expect=expect)
