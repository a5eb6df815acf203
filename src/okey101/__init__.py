"""Okey 101: rules, exact solver, records and bots.

The names a newcomer needs are here; each is imported when it is first used, so that importing the
package costs next to nothing.

>>> import okey101
>>> rack = okey101.Rack.parse("R7 R8 R9 R10 * F", okey=okey101.Tile.B6)
>>> best = okey101.arrange(rack, okey101.Tile.B6)
>>> best.points
45
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from okey101 import _pictures
from okey101._lazy_names import lazy_names

if TYPE_CHECKING:
    from okey101.errors import IllegalAction, NotationError, OkeyError, RecordError, RuleSetError
    from okey101.game import (
        PRESETS,
        RULES_VERSION,
        Action,
        Announce,
        Back,
        Deal,
        Discard,
        Draw,
        End,
        Fine,
        Indicator,
        Lay,
        Layout,
        LegalActions,
        Match,
        MatchSheet,
        Meld,
        Opened,
        Options,
        Pass,
        Phase,
        Record,
        Replay,
        Result,
        Return,
        RuleSet,
        Ruling,
        Score,
        Swap,
        Take,
        View,
        apply,
        deal_from_hands,
        deal_from_seed,
        determinize,
        is_legal,
        judge,
        match_sheet,
        options_of,
        parse_action,
        parse_record,
        read_record,
        record_of,
        replay,
        view_of,
        write_record,
    )
    from okey101.melds import Form, Group, parse_group
    from okey101.review import Analysis, analyse
    from okey101.sim.playing import play_deal
    from okey101.solver import (
        Arrangement,
        Objective,
        Out,
        arrange,
        arrangements,
        best_value,
        count_pairs,
        outs,
    )
    from okey101.tiles import Colour, Rack, Tile, okey_of, parse_tile

__all__ = [
    "PRESETS",
    "RULES_VERSION",
    "Action",
    "Analysis",
    "Announce",
    "Arrangement",
    "Back",
    "Colour",
    "Deal",
    "Discard",
    "Draw",
    "End",
    "Fine",
    "Form",
    "Group",
    "IllegalAction",
    "Indicator",
    "Lay",
    "Layout",
    "LegalActions",
    "Match",
    "MatchSheet",
    "Meld",
    "NotationError",
    "Objective",
    "OkeyError",
    "Opened",
    "Options",
    "Out",
    "Pass",
    "Phase",
    "Rack",
    "Record",
    "RecordError",
    "Replay",
    "Result",
    "Return",
    "RuleSet",
    "RuleSetError",
    "Ruling",
    "Score",
    "Swap",
    "Take",
    "Tile",
    "View",
    "__version__",
    "analyse",
    "apply",
    "arrange",
    "arrangements",
    "best_value",
    "count_pairs",
    "deal_from_hands",
    "deal_from_seed",
    "determinize",
    "is_legal",
    "judge",
    "match_sheet",
    "okey_of",
    "options_of",
    "outs",
    "parse_action",
    "parse_group",
    "parse_record",
    "parse_tile",
    "play_deal",
    "read_record",
    "record_of",
    "replay",
    "view_of",
    "write_record",
]

__version__ = "0.1.0"

_HOMES = {
    "errors": "IllegalAction NotationError OkeyError RecordError RuleSetError",
    "tiles": "Colour Rack Tile okey_of parse_tile",
    "melds": "Form Group parse_group",
    "solver": "Arrangement Objective Out arrange arrangements best_value count_pairs outs",
    "game": "PRESETS RULES_VERSION Action Announce Back Deal Discard Draw End Fine Indicator "
    "Lay Layout LegalActions Match MatchSheet Meld Opened Options Pass Phase Record "
    "Replay Result Return RuleSet Ruling Score Swap Take View apply deal_from_hands "
    "deal_from_seed determinize is_legal judge match_sheet options_of parse_action "
    "parse_record read_record record_of replay view_of write_record",
    "review": "Analysis analyse",
    "sim.playing": "play_deal",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
__getattr__, __dir__ = lazy_names(globals(), _HOME)


def _draw(value: object) -> str | None:
    from okey101.render.svg import picture_of

    try:
        return picture_of(value)
    except ModuleNotFoundError:  # pictures say in words what they show: these need the extra cli
        return None


_pictures.drawn_by(_draw)
