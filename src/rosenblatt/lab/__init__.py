"""The Perceptron Lab: the page, the notebook widget and the standalone file around one JavaScript module.

The package can be called: ``rosenblatt.lab(X, y)`` is ``rosenblatt.lab.lab(X, y)``.
"""

import sys
from types import ModuleType
from typing import Any

from rosenblatt.lab.page import Lab, lab
from rosenblatt.lab.server import serve

__all__ = ["Lab", "lab", "serve"]


class _Callable(ModuleType):
    """A package and a function of one name: whichever import came first, ``rosenblatt.lab(X, y)`` works."""

    def __call__(self, *args: Any, **settings: Any) -> Lab:
        return lab(*args, **settings)


sys.modules[__name__].__class__ = _Callable
