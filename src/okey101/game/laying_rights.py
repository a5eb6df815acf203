"""What a player may put down, by the way he opened (M5, X6, X8)."""

from __future__ import annotations

from okey101.game.deal import Opened
from okey101.game.public import OpenSide
from okey101.melds import Form

__all__ = ["may_lay_off", "may_lay_pairs"]


def may_lay_off(public: OpenSide, opened: Opened, *, opening: bool) -> bool:
    """Whether a player who opened this way may lay off; ``opening``: in the same turn (X6)."""
    rules = public.setup.rules
    if opening and not rules.lay_off_when_opening:
        return False
    return opened is Opened.MELDS or rules.pairs_lay_off == "all"


def may_lay_pairs(public: OpenSide, opened: Opened) -> bool:
    """Whether a player who opened this way may lay pairs now, after the opening (M5, X8)."""
    if opened is Opened.PAIRS:
        return True
    return public.setup.rules.melds_lay_pairs and any(g.form is Form.PAIR for g in public.table)
