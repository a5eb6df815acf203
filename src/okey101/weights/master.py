"""What ``master`` weighs: the names of its features, their places in a vector, and the weights.

The bot in plain Python and its compiled twin read the same whole numbers, in thousandths of a
point, so that both choose alike on any machine. ``scripts/tune_master.py`` finds them.

A feature that depends on the stock has a weight for each *stage*: no draw left to the seat that
discards, one, two, or more. All describe a discard, but for those that hold an opening back.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Final, NamedTuple

from okey101.game.ruleset import RuleSet
from okey101.weights import preset_of
from okey101.weights.master_tuned import TUNED

STAGES: Final = 4
"""No draw left, one, two, and more."""


class Features(NamedTuple):
    """How many weights each feature has, or where its first one is; a comment says what it counts.

    ``feed`` and ``open_feed`` have two weights for a next player who has not opened, two for one
    who opened with melds and two for one who did with pairs: for each way, and for each way and
    point of the fine of U7; their weights are 64ths of a thousandth. Where that fine is none, only
    tiles outside the best melds are weighed before opening; else all, but ``outs`` and ``gain``
    are counted for the former alone.
    """

    # before opening
    lack: int = 4  # points that the hand lacks to its threshold without the tile
    outs: int = 4  # the chance, in 1024ths, that the next draw lets it open with melds; a gain
    gain: int = 4  # the points, in 64ths, that the next draw adds on average; a gain
    tiles: int = 4  # tiles of the rest that melds hold; a gain
    number: int = 4  # the tile's number
    near: int = 4  # unseen tiles that would make a meld of it and another loose one
    pairs: int = 4  # by pairs that the rest lacks to an opening with them: none, one, two or more
    pair_outs: int = 4  # the chance, in 1024ths, that the next draw lets it open with pairs; a gain
    double: int = 2  # the tile is one of two alike; again, where at most two pairs are lacking
    feed: int = 6  # ways, in 1024ths, in which the next player has a meld or a pair with it
    # after opening
    open_number: int = 4  # the tile's number; a gain
    open_near: int = 4  # as near
    open_runs: int = 4  # how near it is to what can be laid off; a cost
    open_melds: int = 4  # tiles of the rest that melds hold; a gain
    pairs_number: int = 4  # the tile's number, of one who opened with pairs; a gain
    pairs_unseen: int = 1  # unseen tiles like it, of one who opened with pairs
    open_feed: int = 6  # as feed
    # to hold an opening back where these come to more than nothing
    hold_melds: int = 6  # always; tiles in no meld; draws; others who opened; okeys; outs
    hold_pairs: int = 6  # the same of an opening with pairs


FEATURES: Final = Features()
"""How many weights each feature has."""
W: Final = Features(*accumulate(FEATURES[:-1], initial=0))
"""The place of each feature's first weight."""
SIZE: Final = sum(FEATURES)
"""How many weights there are."""


def weights_of(rules: RuleSet) -> tuple[int, ...]:
    """The weights for a rule set, those of its :func:`preset <okey101.weights.preset_of>`."""
    return _TUNED[preset_of(rules)]


def _flat(tuned: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    assert {name: len(weights) for name, weights in tuned.items()} == FEATURES._asdict()
    return tuple(weight for weights in tuned.values() for weight in weights)


_TUNED: Final = {preset: _flat(tuned) for preset, tuned in TUNED.items()}
