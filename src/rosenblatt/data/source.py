"""The seam between where examples come from and what learns from them: `Source`, a protocol, and its `Block`."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol, runtime_checkable

from rosenblatt._typing import Codes, Doubles, Ints, Labels
from rosenblatt.data.rows import Rows


class Block(NamedTuple):
    """Examples that are in memory together: rows, class codes, weights (or None), and their numbers in the source."""

    rows: Rows
    codes: Codes
    weights: Doubles | None
    number: Ints


@runtime_checkable
class Source(Protocol):
    """Labelled examples that can be read several times, in blocks. Anything with these members can be learnt from.

    Attributes
    ----------
    classes : the sorted labels; codes are places in it.
    n, d : examples and features.
    names : of the features, or None.
    fits : whether all examples fit the memory budget, so that `whole` is the natural way.
    fingerprint : changes whenever the examples or their encoding do; guards checkpoints.
    """

    @property
    def classes(self) -> Labels: ...
    @property
    def n(self) -> int: ...
    @property
    def d(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...] | None: ...
    @property
    def fits(self) -> bool: ...
    @property
    def fingerprint(self) -> str: ...

    def blocks(self, pass_number: int = 0, *, order: str = "cyclic", seed: int = 0, skip: int = 0) -> Iterator[Block]:
        """Return every example once, in blocks, each in the order to be shown.

        ``order="cyclic"`` is file order; ``"shuffle"`` depends on (seed, pass_number) alone; ``"shuffle_once"`` on the
        seed alone. ``skip`` leaves out that many first blocks, to continue where a run stopped.
        """

    def whole(self) -> Block:
        """Return all examples as one block, in order."""
