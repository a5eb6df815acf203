"""What the bot ``neural`` knows of a position and of each choice: the inputs of its networks.

The bot in plain Python, its compiled twin and the training read the same whole numbers in the same
order. *Kinds* are the 52 numbered ones; *loose* tiles are those outside the best melds; *outs* and
the like count unseen tiles in 1024ths of all of them.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "CHOICE",
    "CHOICES",
    "DISCARDS",
    "DRAWN",
    "FAR",
    "FIRST",
    "NEAR_OUTS",
    "NET",
    "POSITION",
    "SAMPLES",
    "SECOND",
    "at_choice",
    "at_position",
    "shuffled_by",
]

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

POSITION: Final[dict[str, int]] = {
    "draws": 6,  # left to the seat: none, one, ... five or more
    "odd": 1,  # tiles of the stock beyond a whole round
    "unseen": 1,  # tiles that the seat doesn't see
    "others": 9,  # of each other seat, the next first: opened with melds, with pairs, its tiles
    "opened": 1,  # other seats that have opened
    "least": 1,  # tiles of the smallest hand among those, 22 for none
    "unseen_okeys": 1,
    "okeys": 1,  # in the hand
    "need": 1,  # points that an opening needs
    "need_pairs": 1,
    "points": 1,  # of the best melds of the hand
    "size": 1,  # of the hand
    "melded": 1,  # the most tiles that melds hold
    "pairs": 1,
    "singles": 1,  # kinds held once
    "groups": 1,  # on the table
    "playable": 1,  # kinds that can be laid off
    "numbers": 1,  # of the hand, added up
    "lays": 1,  # whether there is something to lay down
    "by_pairs": 1,  # whether that is an opening with pairs
    "paired": 1,  # whether the seat has opened with pairs
    "riziko": 1,  # whether the deal has no okey
    "new_opening": 1,  # whether the seat opened in this turn
}
"""Of the position: how many inputs each name has."""

CHOICE: Final[dict[str, int]] = {
    "lay": 1,  # 1 for laying down; a discard has 0
    "cost": 1,  # of master, in 10ths of a point more than its best
    "lack": 1,  # points that the rest lacks to its threshold
    "value": 1,  # points of the best melds of the rest
    "outs": 1,  # draws that let the rest open with melds
    "gain": 1,  # points, in 64ths, that the next draw adds on average
    "near_outs": 1,
    "far_outs": 1,
    "tiles": 1,  # the most tiles of the rest that melds hold
    "number": 1,
    "near": 1,  # unseen tiles that would make a meld of it and another loose one
    "loose": 1,
    "pairs": 3,  # pairs that the rest lacks to an opening with them: none, one, two
    "pair_outs": 1,
    "double": 1,  # it is one of two alike
    "feed": 1,  # ways, in 1024ths, in which the next player has a meld or a pair with it
    "fine": 1,
    "alike": 1,  # unseen tiles like it
    "own": 6,  # tiles of the hand in its colour, three numbers below to three above
    "own_unseen": 4,  # unseen ones, two below to two above
    "same": 2,  # other colours of its number in the hand: once at least, twice
    "same_unseen": 1,
    "own_loose": 4,  # whether two below to two above are loose in the hand
    "same_loose": 1,
    "runs": 2,  # kinds that can be laid off: next to it, next but one
    "sets": 1,  # those of its number
    "threw": 3,  # by the next player: tiles like it, of its number, within two of its colour
    "hope": 3,  # of the loose rest: near added up, tiles with none, numbers added up
    "left": 2,  # the rest: numbers added up, tiles
    "fits": 1,  # kinds of the rest that can be laid off
    "rest_runs": 1,  # how near the loose rest is to what can be laid off
    "broken": 1,  # points that the hand's best melds lose
    "left_okeys": 1,  # okeys in the rest
    "laid": 2,  # tiles laid down, and their points
    "soon": 2,  # of the samples, how many let the rest open with melds, by their half and whole
    "soon_gain": 2,  # points that they add, up to the need; tiles in melds, after the opening
    "soon_pairs": 2,  # how many let it open with pairs
}
"""Of a choice: how many inputs each name has."""

FIRST: Final = 64
"""Units of a network's first layer."""
SECOND: Final = 32
"""Units of its second."""


def _places(names: dict[str, int]) -> dict[str, int]:
    found, place = {}, 0
    for name, count in names.items():
        found[name] = place
        place += count
    found[""] = place
    return found


_POSITION: Final = _places(POSITION)
_CHOICE: Final = _places(CHOICE)


def at_position(name: str) -> int:
    """The place of the first input of a name, of the position; their number for no name."""
    return _POSITION[name]


def at_choice(name: str) -> int:
    """The same of a choice."""
    return _CHOICE[name]


NET: Final = (_POSITION[""] + _CHOICE[""] + 1) * FIRST + (FIRST + 2) * SECOND + _CHOICE[""]
"""Weights of a network: of the position's inputs, of the choice's, biases; of the second layer, its
biases, the last layer; and those of the choice's inputs that go straight to the end."""


def shuffled_by(state: int) -> int:
    """The next state of the generator that shuffles the unseen tiles; 31 bits."""
    return (state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
