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

from importlib import import_module
from typing import TYPE_CHECKING

from okey101 import _pictures

if TYPE_CHECKING:
    from okey101.errors import IllegalAction, NotationError, OkeyError, RecordError, RuleSetError
    from okey101.game import (
        PRESETS,
        RULES_VERSION,
        Action,
        Deal,
        Match,
        Options,
        Record,
        RuleSet,
        View,
        apply,
        deal_from_hands,
        deal_from_seed,
        determinize,
        is_legal,
        options_of,
        parse_action,
        parse_record,
        read_record,
        record_of,
        view_of,
    )
    from okey101.game.record_replay import Replay, replay
    from okey101.melds import Group, parse_group
    from okey101.solver import (
        Arrangement,
        Objective,
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
    "Arrangement",
    "Colour",
    "Deal",
    "Group",
    "IllegalAction",
    "Match",
    "NotationError",
    "Objective",
    "OkeyError",
    "Options",
    "Rack",
    "Record",
    "RecordError",
    "Replay",
    "RuleSet",
    "RuleSetError",
    "Tile",
    "View",
    "__version__",
    "apply",
    "arrange",
    "arrangements",
    "best_value",
    "count_pairs",
    "deal_from_hands",
    "deal_from_seed",
    "determinize",
    "is_legal",
    "okey_of",
    "options_of",
    "outs",
    "parse_action",
    "parse_group",
    "parse_record",
    "parse_tile",
    "read_record",
    "record_of",
    "replay",
    "view_of",
]

__version__ = "0.1.0"

_HOMES = {
    "errors": "IllegalAction NotationError OkeyError RecordError RuleSetError",
    "tiles": "Colour Rack Tile okey_of parse_tile",
    "melds": "Group parse_group",
    "solver": "Arrangement Objective arrange arrangements best_value count_pairs outs",
    "game": "PRESETS RULES_VERSION Action Deal Match Options Record Replay RuleSet View apply"
    " deal_from_hands deal_from_seed determinize is_legal options_of parse_action parse_record"
    " read_record record_of replay view_of",
}
_HOME = {name: f"okey101.{module}" for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _draw(value: object) -> str | None:
    from okey101.render.svg import picture_of

    try:
        return picture_of(value)
    except ModuleNotFoundError:  # pictures say in words what they show: these need the extra cli
        return None


_pictures.drawn_by(_draw)
