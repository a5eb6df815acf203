"""The networks of ``neural`` and of the value: what they are told, and their weights.

The bot in plain Python, its compiled twin and the training read the same whole numbers in the same
order. *Kinds* are the 52 numbered ones; *loose* tiles are those outside the best melds; *outs* and
the like count unseen tiles in 1024ths of all of them.

``scripts/train_neural.py`` writes the weights, packed: 32-bit integers, the lowest byte first; for
each preset so many networks as :data:`NETS` says, in the order that :class:`Shape` has.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Final, NamedTuple

from okey101.game.ruleset import RuleSet
from okey101.weights import preset_of

DISCARDS: Final = 5
"""How many discards are weighed: those that cost ``master`` least."""
CHOICES: Final = DISCARDS + 1
"""Those, and to lay down what ``greedy`` would."""
NEAR_OUTS: Final = 12
"""A draw that leaves so many points lacking, or fewer, is nearly an out."""
FAR: Final = 30
"""The same for one that brings the hand into reach."""
SAMPLES: Final = 24
"""Draws of several tiles that are tried, each tile of the unseen ones as often as can be."""
DRAWN: Final = 6
"""Tiles of one of them; the first half of them is tried by itself, too."""


class PositionInputs(NamedTuple):
    """What is told of a position: how many inputs each name has, or where its first one is."""

    draws: int = 6  # left to the seat: none, one, ... five or more
    odd: int = 1  # tiles of the stock beyond a whole round
    unseen: int = 1  # tiles that the seat doesn't see
    others: int = 9  # of each other seat, the next first: opened with melds, with pairs, its tiles
    opened: int = 1  # other seats that have opened
    least: int = 1  # tiles of the smallest hand among those, 22 for none
    unseen_okeys: int = 1
    okeys: int = 1  # in the hand
    need: int = 1  # points that an opening needs
    need_pairs: int = 1
    points: int = 1  # of the best melds of the hand
    size: int = 1  # of the hand
    melded: int = 1  # the most tiles that melds hold
    pairs: int = 1
    singles: int = 1  # kinds held once
    groups: int = 1  # on the table
    playable: int = 1  # kinds that can be laid off
    numbers: int = 1  # of the hand, added up
    lays: int = 1  # whether there is something to lay down
    by_pairs: int = 1  # whether that is an opening with pairs
    paired: int = 1  # whether the seat has opened with pairs
    riziko: int = 1  # whether the deal has no okey
    new_opening: int = 1  # whether the seat opened in this turn


class ChoiceInputs(NamedTuple):
    """The same of a choice."""

    lay: int = 1  # 1 for laying down; a discard has 0
    cost: int = 1  # of master, in 10ths of a point more than its best
    lack: int = 1  # points that the rest lacks to its threshold
    value: int = 1  # points of the best melds of the rest
    outs: int = 1  # draws that let the rest open with melds
    gain: int = 1  # points, in 64ths, that the next draw adds on average
    near_outs: int = 1
    far_outs: int = 1
    tiles: int = 1  # the most tiles of the rest that melds hold
    number: int = 1
    near: int = 1  # unseen tiles that would make a meld of it and another loose one
    loose: int = 1
    pairs: int = 3  # pairs that the rest lacks to an opening with them: none, one, two
    pair_outs: int = 1
    double: int = 1  # it is one of two alike
    feed: int = 1  # ways, in 1024ths, in which the next player has a meld or a pair with it
    fine: int = 1
    alike: int = 1  # unseen tiles like it
    own: int = 6  # tiles of the hand in its colour, three numbers below to three above
    own_unseen: int = 4  # unseen ones, two below to two above
    same: int = 2  # other colours of its number in the hand: once at least, twice
    same_unseen: int = 1
    own_loose: int = 4  # whether two below to two above are loose in the hand
    same_loose: int = 1
    runs: int = 2  # kinds that can be laid off: next to it, next but one
    sets: int = 1  # those of its number
    threw: int = 3  # by the next player: tiles like it, of its number, within two of its colour
    hope: int = 3  # of the loose rest: near added up, tiles with none, numbers added up
    left: int = 2  # the rest: numbers added up, tiles
    fits: int = 1  # kinds of the rest that can be laid off
    rest_runs: int = 1  # how near the loose rest is to what can be laid off
    broken: int = 1  # points that the hand's best melds lose
    left_okeys: int = 1  # okeys in the rest
    laid: int = 2  # tiles laid down, and their points
    soon: int = 2  # of the samples, how many let the rest open with melds, by their half and whole
    soon_gain: int = 2  # points that they add, up to the need; tiles in melds, after the opening
    soon_pairs: int = 2  # how many let it open with pairs


POSITION: Final = PositionInputs()
"""Of the position: how many inputs each name has."""
CHOICE: Final = ChoiceInputs()
"""The same of a choice."""
P: Final = PositionInputs(*accumulate(POSITION[:-1], initial=0))
"""Of the position: the place of the first input of each name."""
C: Final = ChoiceInputs(*accumulate(CHOICE[:-1], initial=0))
"""The same of a choice."""
POSITION_SIZE: Final = sum(POSITION)
"""Inputs of the position."""
CHOICE_SIZE: Final = sum(CHOICE)
"""Inputs of a choice."""


class Shape(NamedTuple):
    """How large a network is: the units of its first layer, and of its second."""

    first: int
    second: int

    @property
    def size(self) -> int:
        """Its weights: of the position's inputs, of the choice's, biases; of the second layer, its
        biases, the last layer; and those of the choice's inputs that go straight to the end.
        """
        told = POSITION_SIZE + CHOICE_SIZE + 1
        return told * self.first + (self.first + 2) * self.second + CHOICE_SIZE


WIDE: Final = Shape(256, 32)
"""A network of ``neural``."""
NARROW: Final = Shape(64, 32)
"""One of ``champion``, which asks them in each playout."""
NET: Final = WIDE.size
"""Weights of the former."""
NARROW_NET: Final = NARROW.size
"""Weights of the latter."""
NETS: Final = 4
"""Networks of ``neural`` for a preset: before the opening, after it, and where it could take the
discard, before the opening and after it."""
TAKING: Final = 2
"""The first of the last two."""

TILE_INPUTS: Final = 42
"""What the network of ``champion`` that tells where tiles are is told of each."""
HAND_ODDS: Final = 175
"""Log-odds of hands, by what is in them; :mod:`okey101.kernel.beliefs` says what that is."""
TILE_NET: Final = 64, 32
"""The units of the layers of that network."""

_PRESETS: Final = ("altinstar", "pagat", "wiki")
_VALUES: Final = 2 * NARROW_NET + 2
_BELIEFS: Final = (TILE_INPUTS + 1 + TILE_NET[1]) * TILE_NET[0] + 2 * TILE_NET[1] + HAND_ODDS
_CHAMPION: Final = _VALUES + _BELIEFS


def nets_of(rules: RuleSet) -> tuple[int, ...]:
    """The networks of ``neural`` for a rule set, one after the other, as :data:`NETS` says."""
    return _part("neural.bin", NETS * NET, rules)


def values_of(rules: RuleSet) -> tuple[int, ...]:
    """The two networks of the value, and after them the points that each one counts from.

    They foretell the points of the deal after a choice, in 2**20ths, for one who goes on as
    ``master`` among three ``greedy``; fines so far are not among them.
    """
    return _part("champion.bin", _CHAMPION, rules)[:_VALUES]


def beliefs_of(rules: RuleSet) -> tuple[int, ...]:
    """What tells ``champion`` where tiles are: the log-odds of hands, then those of tiles.

    They are in 64ths. Of tiles it is a network: the weights of its first layer by input, biases;
    those of its second layer by unit of the first, biases; the last layer.
    """
    return _part("champion.bin", _CHAMPION, rules)[_VALUES:]


def _part(name: str, size: int, rules: RuleSet) -> tuple[int, ...]:
    """What a file has for a rule set."""
    found = _all(name)
    assert len(found) == size * len(_PRESETS)
    begin = size * _PRESETS.index(preset_of(rules))
    return tuple(found[begin : begin + size])


@cache
def _all(name: str) -> array[int]:
    found = array("i", zlib.decompress((files("okey101.weights") / name).read_bytes()))
    if sys.byteorder == "big":
        found.byteswap()
    return found
