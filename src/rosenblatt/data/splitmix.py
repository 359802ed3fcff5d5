"""SplitMix64 in NumPy: the numbers of the core's generator, many at a time and any of them without the others.

Reference: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. The one-at-a-time form is in
blackboard.py, the core's in core/order.hpp.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

INCREMENT = 0x9E3779B97F4A7C15  # of the state, from one number to the next


def mix(states: Any) -> NDArray[np.uint64]:
    """Return the number that the generator makes of each state; of 0 it makes 0.

    >>> from rosenblatt.blackboard import Generator
    >>> int(mix(np.uint64(7 + INCREMENT))) == Generator(7).below(2**64)
    True
    """
    z = np.asarray(states, dtype=np.uint64)
    with np.errstate(over="ignore"):  # arithmetic modulo 2**64 is meant
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))
