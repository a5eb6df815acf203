"""What a player may put down, by the way he opened (M5, X6)."""

from __future__ import annotations

from okey101.game.deal import Opened
from okey101.game.public import OpenSide

__all__ = ["may_lay_off"]


def may_lay_off(public: OpenSide, opened: Opened, *, opening: bool) -> bool:
    """Whether who opened in this way may lay off at all; ``opening``: in the turn he opens (X6)."""
    rules = public.setup.rules
    if opening and not rules.lay_off_when_opening:
        return False
    return opened is Opened.MELDS or rules.pairs_lay_off == "all"
