"""Names for the arrays that travel through the library."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Doubles: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int32]
Labels: TypeAlias = NDArray[Any]
