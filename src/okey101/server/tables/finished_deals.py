"""Deals that are over, kept small: a match has up to 130, and next to nobody looks at them again.

As objects a deal of 60 turns takes some 25 kB for its groups, piles and actions; packed it takes 1.
"""

from __future__ import annotations

import zlib
from functools import cached_property

from okey101.game import Deal, Result, RuleSet
from okey101.server.store.snapshots import part_name
from okey101.server.tables.deal_form import decode_deal, encode_deal

__all__ = ["FinishedDeal", "packed", "whole_deal"]


class FinishedDeal:
    """A deal of which the result is at hand, and the rest is packed."""

    def __init__(self, rules: RuleSet, result: Result | None, data: bytes) -> None:
        """``data`` is what an equal deal was packed into; it is not looked at before it is asked
        for.
        """
        self.result = result
        self.data = data
        self._rules = rules

    @classmethod
    def of(cls, deal: Deal) -> FinishedDeal:
        """Pack a deal."""
        return cls(deal.rules, deal.result, zlib.compress(encode_deal(deal), 1))

    def unpacked(self) -> Deal:
        """The deal, made anew each time; zlib.error, msgspec.DecodeError and RecordError where
        it was kept outside this process and is damaged.
        """
        return decode_deal(zlib.decompress(self.data), self._rules)

    @cached_property
    def name(self) -> bytes:
        """What its bytes are called where they are kept."""
        return part_name(self.data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FinishedDeal):
            return NotImplemented
        return self.data == other.data or self.unpacked() == other.unpacked()

    def __hash__(self) -> int:
        return hash(self.result)

    def __repr__(self) -> str:
        """Without the tiles."""
        return f"<FinishedDeal {self.result!r}>"

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return len(self.data)


def packed(deal: Deal | FinishedDeal) -> FinishedDeal:
    """The deal in little memory."""
    return FinishedDeal.of(deal) if isinstance(deal, Deal) else deal


def whole_deal(deal: Deal | FinishedDeal) -> Deal:
    """The deal, however it is kept."""
    return deal if isinstance(deal, Deal) else deal.unpacked()
