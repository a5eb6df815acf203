"""Deals that are over, kept small: a match has up to 130, and next to nobody looks at them again.

As objects a deal of 60 turns takes some 25 kB for its groups, piles and actions; packed it takes 2.
"""

from __future__ import annotations

import pickle
import zlib

from okey101.game import Deal, Result

__all__ = ["FinishedDeal", "whole_deal"]


class FinishedDeal:
    """A deal of which the result is at hand, and the rest is packed."""

    __slots__ = ("_data", "result")

    result: Result | None

    def __init__(self, deal: Deal) -> None:
        self.result = deal.result
        self._data = zlib.compress(pickle.dumps(deal, pickle.HIGHEST_PROTOCOL), 1)

    def unpacked(self) -> Deal:
        """The deal, made anew each time."""
        deal = pickle.loads(zlib.decompress(self._data))  # what was packed above, in this process
        assert isinstance(deal, Deal)
        return deal

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FinishedDeal):
            return NotImplemented
        return self._data == other._data or self.unpacked() == other.unpacked()

    def __hash__(self) -> int:
        return hash(self.result)

    def __repr__(self) -> str:
        """Without the tiles."""
        return f"<FinishedDeal {self.result!r}>"

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return len(self._data)


def whole_deal(deal: Deal | FinishedDeal) -> Deal:
    """The deal, however it is kept."""
    return deal if isinstance(deal, Deal) else deal.unpacked()
