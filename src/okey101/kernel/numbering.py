"""The environments' numbers of actions: :mod:`okey101.envs.actions` once more, compiled.

Numbers say what an action is made of, never where it lies on the table. This module has the one
list of what stands where among them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from okey101.kernel.compiling import Row, compiled
from okey101.kernel.groups import accepts, reclaimed, tile_kind
from okey101.kernel.layout import (
    A_DISCARD,
    A_LAY,
    A_MELD,
    A_OPEN,
    A_PAIRS,
    A_SWAP,
    N_GROUPS,
    OKEY_KIND,
    OP,
    RUN,
    SET,
    TABLE,
    WORD,
)
from okey101.tiles import KINDS, OKEY

__all__ = [
    "DISCARD_FROM",
    "LAY_OKEY_SET_FROM",
    "LAY_RUN_FROM",
    "LAY_SET_FROM",
    "MELD_PAIR_FROM",
    "MELD_RUN_FROM",
    "MELD_SET_FROM",
    "NUMBERS",
    "OPEN_NUMBER",
    "PAIRS_NUMBER",
    "RUNS_OF_COLOUR",
    "SETS_OF_NUMBER",
    "SPANS_OF_COLOUR",
    "SWAP_FROM",
    "meld_number",
    "number_of",
]

_SPANS = [(low, high) for low in range(1, 12) for high in range(low + 2, 14)]
SPANS_OF_COLOUR: Final = len(_SPANS)
"""Runs of a colour by their lowest and highest number alone."""


def _okey_ways(low: int, high: int) -> int:
    """In how many ways no, one or two okeys can lie in a run."""
    length = high - low + 1
    return 1 + length + length * (length - 1) // 2


RUNS_OF_COLOUR: Final = sum(_okey_ways(*span) for span in _SPANS)
"""Runs of a colour by their numbers and by where their okeys lie."""
_SPAN_AT: Final = np.full((14, 14), -1, dtype=np.int64)
_RUN_AT: Final = np.full((14, 14), -1, dtype=np.int64)
for _i, _span in enumerate(_SPANS):
    _SPAN_AT[_span] = _i
    _RUN_AT[_span] = sum(_okey_ways(*before) for before in _SPANS[:_i])

# Sets of a number by the mask of their tiles' colours, then that of the colours that okeys are
# named for, then the okeys without a colour.
_SET_AT: Final = np.full(1 << 10, -1, dtype=np.int64)
_found = 0
for _tiles in range(1, 16):
    for _named in range(16):
        for _free in range(3):
            _okeys = _named.bit_count() + _free
            _size = _tiles.bit_count() + _okeys
            if _tiles & _named or _okeys > 2 or not 3 <= _size <= 4 or (_size == 4 and _free):
                continue
            _SET_AT[_tiles | _named << 4 | _free << 8] = _found
            _found += 1
SETS_OF_NUMBER: Final = _found
"""Sets of a number by their tiles and by what their okeys stand for."""

OPEN_NUMBER: Final = 6
PAIRS_NUMBER: Final = 7
DISCARD_FROM: Final = 8
LAY_RUN_FROM: Final = DISCARD_FROM + 54
LAY_SET_FROM: Final = LAY_RUN_FROM + 4 * SPANS_OF_COLOUR * 8
LAY_OKEY_SET_FROM: Final = LAY_SET_FROM + KINDS * 2
SWAP_FROM: Final = LAY_OKEY_SET_FROM + 13 * 3
MELD_RUN_FROM: Final = SWAP_FROM + KINDS * 3 * 2
MELD_SET_FROM: Final = MELD_RUN_FROM + 4 * RUNS_OF_COLOUR
MELD_PAIR_FROM: Final = MELD_SET_FROM + 13 * SETS_OF_NUMBER
NUMBERS: Final = MELD_PAIR_FROM + 2 * KINDS + 1
"""How many numbers there are, the same under every rule set."""


@compiled
def meld_number(word: int) -> int:
    """The number of laying a single group, which is given by its word."""
    form = word & 3
    if form == RUN:
        low, high = word >> 4 & 15, word >> 8 & 15
        first, second = word >> 12 & 15, word >> 16 & 15
        at = MELD_RUN_FROM + (word >> 2 & 3) * RUNS_OF_COLOUR + _RUN_AT[low, high]
        length, i, j = high - low + 1, first - low + 1, second - low + 1
        if not first:
            return at
        if not second:
            return at + i
        before = (i - 1) * (2 * length - i) // 2
        return at + 1 + length + before + (j - i - 1)
    if form == SET:
        at = (word >> 2 & 15) - 1
        return MELD_SET_FROM + at * SETS_OF_NUMBER + _SET_AT[word >> 6 & 1023]
    okeys = word >> 8 & 3
    return MELD_PAIR_FROM + (2 * KINDS if okeys == 2 else 2 * (word >> 2 & 63) + okeys)


@compiled
def _target_number(word: int, action: int, okey: int) -> int:
    """The number of a lay-off or a swap with this group as the first of its like; else -1."""
    tile = action >> 4 & 63
    form = word & 3
    kind = action >> 16 & 63 if tile == OKEY else tile_kind(tile, okey)
    if action & OP == A_SWAP:
        if reclaimed(word, tile, okey) < 0:
            return -1
        return SWAP_FROM + (kind * 3 + form) * 2
    kinds = accepts(word)
    if form == RUN:
        if not kinds >> kind & 1 or (tile == OKEY and action >> 22 & 1):
            return -1
        high = word >> 8 & 15
        at = (word >> 2 & 3) * SPANS_OF_COLOUR + _SPAN_AT[word >> 4 & 15, high]
        above = 1 if kind % 13 + 1 > high else 0
        return LAY_RUN_FROM + (at * 4 + (2 if tile == OKEY else 0) + above) * 2
    if form != SET:
        return -1
    if tile == OKEY:
        number = kind % 13
        if not kinds or (word >> 2 & 15) - 1 != number or not action >> 22 & 1:
            return -1
        return LAY_OKEY_SET_FROM + number * 3
    return LAY_SET_FROM + kind * 2 if kinds >> kind & 1 else -1


@compiled
def number_of(row: Row, action: int) -> int:
    """The number of a legal micro-action of a row, given by its code.

    Of several groups that a lay-off or swap would call the same, it adds how many kinds of them
    come before in the order of their words; equal groups share a number.
    """
    operation = action & OP
    if operation == A_DISCARD:
        return DISCARD_FROM + (action >> 4 & 63)
    if operation == A_MELD:
        return meld_number(action >> 4 & WORD)
    if operation == A_OPEN:
        return OPEN_NUMBER
    if operation == A_PAIRS:
        return PAIRS_NUMBER
    if operation != A_LAY and operation != A_SWAP:
        return operation
    okey = row[OKEY_KIND]
    own = row[TABLE + (action >> 10 & 63)] & WORD
    base = _target_number(own, action, okey)
    before = 0
    for place in range(row[N_GROUPS]):
        word = row[TABLE + place] & WORD
        if word >= own or _target_number(word, action, okey) != base:
            continue
        seen = False
        for earlier in range(place):
            seen = seen or row[TABLE + earlier] & WORD == word
        if not seen:
            before += 1
    return base + before
