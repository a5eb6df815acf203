"""What ``master`` weighs: the names of its features, their places in a vector, and the weights.

The bot in plain Python and its compiled twin read the same whole numbers, in thousandths of a
point, so that both choose alike on any machine. ``scripts/tune_master.py`` finds them.

A feature that depends on the stock has a weight for each *stage*: no draw left to the seat that
discards, one, two, or more. All of them describe a discard, but for those that hold an opening
back.
"""

from __future__ import annotations

from typing import Final

from okey101._master_tuned import TUNED
from okey101.game.ruleset import RuleSet

__all__ = ["FEATURES", "SIZE", "STAGES", "at", "weights_of"]

STAGES: Final = 4
"""No draw left, one, two, and more."""

FEATURES: Final[dict[str, tuple[int, str]]] = {
    # before opening
    "lack": (4, "points that the hand lacks to its threshold without the tile"),
    "outs": (4, "the chance, in 1024ths, that the next draw lets it open with melds; a gain"),
    "gain": (4, "the points, in 64ths, that the next draw adds on average; a gain"),
    "tiles": (4, "tiles of the rest that melds hold; a gain"),
    "number": (4, "the tile's number"),
    "near": (4, "unseen tiles that would make a meld of it and another loose one"),
    "pairs": (4, "by pairs that the rest lacks to an opening with them: none, one, two or more"),
    "pair_outs": (4, "the chance, in 1024ths, that the next draw lets it open with pairs; a gain"),
    "double": (2, "the tile is one of two alike; again, where at most two pairs are lacking"),
    "feed": (6, "ways, in 1024ths, in which the next player has a meld or a pair with it"),
    # after opening
    "open_number": (4, "the tile's number; a gain"),
    "open_near": (4, "as near"),
    "open_runs": (4, "how near it is to what can be laid off; a cost"),
    "open_melds": (4, "tiles of the rest that melds hold; a gain"),
    "pairs_number": (4, "the tile's number, of one who opened with pairs; a gain"),
    "pairs_unseen": (1, "unseen tiles like it, of one who opened with pairs"),
    "open_feed": (6, "as feed"),
    # to hold an opening back where these come to more than nothing
    "hold_melds": (6, "always; tiles in no meld; draws; others who opened; okeys; outs"),
    "hold_pairs": (6, "the same of an opening with pairs"),
}
"""Each feature: how many weights it has, and what it counts.

``feed`` and ``open_feed`` have two weights for a next player who has not opened, two for one who
opened with melds and two for one who did with pairs: for each way, and for each way and point of
the fine of U7; their weights are 64ths of a thousandth. Where that fine is none, only tiles outside
the best melds are weighed before opening; else all, but ``outs`` and ``gain`` are counted for the
former alone.
"""


def _places() -> dict[str, int]:
    found, place = {}, 0
    for name, (count, _) in FEATURES.items():
        found[name] = place
        place += count
    return found


_PLACES: Final = _places()
SIZE: Final = sum(count for count, _ in FEATURES.values())
"""How many weights there are."""


def at(name: str) -> int:
    """The place of a feature's first weight."""
    return _PLACES[name]


def weights_of(rules: RuleSet) -> tuple[int, ...]:
    """The weights for a rule set: of the preset that it is most like in what matters.

    That is, whether most deals are void at the end of the stock (E3), and whether a discard that
    is used costs its thrower (U7).
    """
    if rules.empty_stock == "void_but_okeys":
        return _TUNED["pagat"]
    return _TUNED["wiki" if rules.taken_discard_fine else "altinstar"]


def _flat(tuned: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    assert list(tuned) == list(FEATURES)
    assert all(len(tuned[name]) == count for name, (count, _) in FEATURES.items())
    return tuple(weight for weights in tuned.values() for weight in weights)


_TUNED: Final = {preset: _flat(tuned) for preset, tuned in TUNED.items()}
