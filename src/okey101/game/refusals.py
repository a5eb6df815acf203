"""The codes of refused actions, each with its English sentence; braces name the error's details."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from okey101.errors import IllegalAction
from okey101.tiles import Tile

__all__ = ["CODES", "refuse"]

CODES: Mapping[str, str] = MappingProxyType(
    {
        "already-announced": "the indicator's twin has been announced",
        "already-drawn": "no tile can be drawn now; the seat has its tile for this turn",
        "already-laid": "the discard can't be put back after tiles were laid",
        "announce-too-late": "the twin can be announced only in the first turn, before opening",
        "below-threshold": "the opening is worth {value}, and {need} are needed",
        "breaks-group": "taking back {count} would leave a group that is not legal",
        "deal-over": "the deal is over",
        "discard-protected": "the discard of a player who opened with pairs can't be taken",
        "does-not-fit": "{piece} does not fit group {group}",
        "draw-only": "after putting the discard back, draw from the stock",
        "false-joker-blank": "in a riziko deal the false joker stands for nothing",
        "indicator-blank": "in a riziko deal the indicator stands for nothing",
        "indicator-no-finish": "the indicator may be drawn only to finish with it",
        "lay-off-later": "a player can't lay off in the turn of the opening",
        "melds-only": "a player who opened with sets and runs can't lay pairs",
        "mixed-forms": "pairs and melds can't be laid together",
        "must-draw-first": "draw a tile or take the discard first",
        "must-finish": "after drawing the indicator the hand must be finished in this turn",
        "no-announcement": "the indicator is not announced in this rule set",
        "no-discard": "there is no discard to take",
        "no-group": "there is no group {group} on the table",
        "no-pairs-yet": "pairs may be laid only once pairs lie on the table",
        "no-reclaim": "okeys are not reclaimed in this rule set",
        "not-a-pair": "a pair is two tiles of the same kind",
        "not-a-run": "a run is three or more consecutive numbers in one colour",
        "not-a-set": "a set is three or four tiles of one number in different colours",
        "not-asked": "the last discard or the indicator is not on offer now",
        "not-in-hand": "{tile} is not in the hand",
        "not-opened": "lay off only after opening",
        "not-reclaimable": "no okey in group {group} certainly stands for {tile}",
        "not-your-turn": "it is the turn of seat {turn}",
        "nothing-left": "a tile must be left to discard",
        "nothing-taken": "no discard was taken this turn",
        "nothing-to-take-back": "only {count} tiles put down this turn can be taken back",
        "pairs-lay-nothing-off": "a player who opened with pairs can't lay off",
        "pairs-only": "a player who opened with pairs can't lay a new set or run",
        "return-not-allowed": "a taken discard can't be put back",
        "taken-not-used": "the taken discard {tile} must be used in this turn",
        "taken-useless": "the discard can be taken only to be used at once",
        "too-short": "a group needs three tiles, a pair two",
        "twin-not-held": "the indicator's twin is not in the hand",
    }
)


def refuse(code: str, rule: str, **details: object) -> NoReturn:
    """Raise IllegalAction for a code of the table; tiles among the details become their text."""
    plain = {k: str(v) if isinstance(v, Tile) else v for k, v in details.items()}
    raise IllegalAction(code, rule, CODES[code].format(**plain), **plain)
