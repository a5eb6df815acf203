"""For writers of bots: what may be asked of an open table and a hand beyond View and Options.

Each function takes the open side of a deal, as a view has it, and a hand; none of them sees a
hidden tile. Our own bots use these, the view and the options, and nothing else of the game.
"""

from __future__ import annotations

from okey101.game.finishing import finishing_opening
from okey101.game.laying_rights import may_lay_off, may_lay_pairs
from okey101.game.layoffs import places_of
from okey101.game.openings import best_melds, needed_pairs, needed_points, whole_hand
from okey101.game.taken_discard import can_use

__all__ = [
    "best_melds",
    "can_use",
    "finishing_opening",
    "may_lay_off",
    "may_lay_pairs",
    "needed_pairs",
    "needed_points",
    "places_of",
    "whole_hand",
]
