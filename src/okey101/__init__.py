"""Okey 101: rules, exact solver, records and bots.

These are the names that a newcomer needs. Each is imported when you first use it, so importing the
package costs next to nothing.

>>> import okey101
>>> rack = okey101.Rack.parse("R7 R8 R9 R10 * F", okey=okey101.Tile.B6)
>>> best = okey101.arrange(rack, okey101.Tile.B6)
>>> best.points
45
"""

# ruff: noqa: F403, F405  # the face of the game, which says its names itself

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from okey101.bots.playing import choose, play_deal
    from okey101.errors import IllegalAction, NotationError, OkeyError, RecordError, RuleSetError
    from okey101.game import *
    from okey101.melds import Form, Group, parse_group
    from okey101.render.svg import svg
    from okey101.review import Analysis, analyse
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
    "PRESETS", "RULES_VERSION", "Action", "Analysis", "Announce", "Arrangement", "Back", "Colour",
    "Deal", "DealRecord", "Discard", "DiscardOption", "Draw", "End", "Fine", "Form", "Group",
    "IllegalAction", "Indicator", "Lay", "Layout", "LegalActions", "Match", "MatchSheet", "Meld",
    "NotationError", "Objective", "OkeyError", "Opened", "Options", "Out", "Pass", "Phase",
    "Public", "Rack", "Record", "RecordError", "Replay", "Result", "Return", "RuleSet",
    "RuleSetError", "Ruling", "Score", "SheetRow", "Swap", "Take", "Tile", "View", "__version__",
    "analyse", "apply", "arrange", "arrangements", "best_value", "choose", "count_pairs",
    "deal_from_hands", "deal_from_seed", "determinize", "match_sheet", "okey_of", "options_of",
    "outs", "parse_action", "parse_group", "parse_position", "parse_record", "parse_tile",
    "play_deal", "position_of", "record_of", "replay", "svg", "view_of",
]  # fmt: skip

__version__ = "0.1.0"

_HOMES = {
    "errors": "IllegalAction NotationError OkeyError RecordError RuleSetError",
    "tiles": "Colour Rack Tile okey_of parse_tile",
    "melds": "Form Group parse_group",
    "solver": "Arrangement Objective Out arrange arrangements best_value count_pairs outs",
    "review": "Analysis analyse",
    "render.svg": "svg",
    "bots.playing": "choose play_deal",
}
_HOME = {name: "game" for name in __all__ if name != "__version__"} | {
    name: module for module, names in _HOMES.items() for name in names.split()
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def draw(value: object) -> str | None:
    """The picture of a value for notebooks; None without the extra, which then shows as text."""
    from okey101.render.svg import svg

    try:
        return svg(value)
    except ModuleNotFoundError:  # pictures say in words what they show: these need the extra cli
        return None
