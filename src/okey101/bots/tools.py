"""For writers of bots: what may be asked of an open table and a hand beyond View and Options.

Each function takes the open side of a deal, as a view has it, and a hand; none of them sees a
hidden tile. Our own bots use these and the face of the game (`okey101.game`), and no other file
of it, which import-linter holds. The actions without parts are here by name.
"""

from __future__ import annotations

from okey101.game.actions import ANNOUNCE, DRAW, INDICATOR, PASS, RETURN, TAKE
from okey101.game.duties import can_use, finishing_opening
from okey101.game.layoffs import may_lay_off, may_lay_pairs, places_of
from okey101.game.openings import best_melds, needed_pairs, needed_points, whole_hand

__all__ = [
    "ANNOUNCE", "DRAW", "INDICATOR", "PASS", "RETURN", "TAKE", "best_melds", "can_use",
    "finishing_opening", "may_lay_off", "may_lay_pairs", "needed_pairs", "needed_points",
    "places_of", "whole_hand",
]  # fmt: skip
