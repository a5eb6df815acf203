"""What environments ask of the kernel: what a seat sees in one array, and the numbers of actions.

What a seat sees and the numbers run as plain Python too, for :mod:`okey101.envs`.
"""

# pyright: reportArgumentType=false

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okey101.kernel import groups as G, layout as L, plain
from okey101.kernel.compiling import Row, Rows, adopt, compiled
from okey101.kernel.dealing import deal, deal_seed
from okey101.kernel.plain import each
from okey101.tiles import KINDS, OKEY

# The environments' numbers of actions: :mod:`okey101.envs.actions` says what they mean.
#
# Numbers say what an action is made of, never where it lies on the table. This module has the one
# list of what stands where among them.

SPANS: Final = [(low, high) for low in range(1, 12) for high in range(low + 2, 14)]
SPANS_OF_COLOUR: Final = len(SPANS)
"""Runs of a colour by their lowest and highest number alone."""


def _okey_ways(low: int, high: int) -> int:
    """In how many ways no, one or two okeys can lie in a run."""
    length = high - low + 1
    return 1 + length + length * (length - 1) // 2


RUNS_OF_COLOUR: Final = sum(_okey_ways(*span) for span in SPANS)
"""Runs of a colour by their numbers and by where their okeys lie."""
SPAN_AT: Final = np.full((14, 14), -1, dtype=np.int64)
_RUN_AT: Final = np.full((14, 14), -1, dtype=np.int64)
for _i, _span in enumerate(SPANS):
    SPAN_AT[_span] = _i
    _RUN_AT[_span] = sum(_okey_ways(*before) for before in SPANS[:_i])

# Sets of a number by the mask of their tiles' colours, then that of the colours that okeys are
# named for, then the okeys without a colour.
SETS: Final[list[int]] = []
for _tiles in range(1, 16):
    for _named in range(16):
        for _free in range(3):
            _okeys = _named.bit_count() + _free
            _size = _tiles.bit_count() + _okeys
            if _tiles & _named or _okeys > 2 or not 3 <= _size <= 4 or (_size == 4 and _free):
                continue
            SETS.append(_tiles | _named << 4 | _free << 8)
_SET_AT: Final = np.full(1 << 10, -1, dtype=np.int64)
_SET_AT[SETS] = range(len(SETS))
SETS_OF_NUMBER: Final = len(SETS)
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


def meld_number(word: int) -> int:
    """The number of laying a single group, which is given by its word."""
    form = word & 3
    if form == L.RUN:
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
    if form == L.SET:
        at = (word >> 2 & 15) - 1
        return MELD_SET_FROM + at * SETS_OF_NUMBER + _SET_AT[word >> 6 & 1023]
    okeys = word >> 8 & 3
    return MELD_PAIR_FROM + (2 * KINDS if okeys == 2 else 2 * (word >> 2 & 63) + okeys)


def _target_number(word: int, action: int, okey: int) -> int:
    """The number of a lay-off or a swap with this group as the first of its like; else -1."""
    tile = action >> 4 & 63
    form = word & 3
    kind = action >> 16 & 63 if tile == OKEY else G.tile_kind(tile, okey)
    if action & L.OP == L.A_SWAP:
        if G.reclaimed(word, tile, okey) < 0:
            return -1
        return SWAP_FROM + (kind * 3 + form) * 2
    kinds = G.accepts(word)
    if form == L.RUN:
        if not kinds >> kind & 1 or (tile == OKEY and action >> 22 & 1):
            return -1
        high = word >> 8 & 15
        at = (word >> 2 & 3) * SPANS_OF_COLOUR + SPAN_AT[word >> 4 & 15, high]
        above = 1 if kind % 13 + 1 > high else 0
        return LAY_RUN_FROM + (at * 4 + (2 if tile == OKEY else 0) + above) * 2
    if form != L.SET:
        return -1
    if tile == OKEY:
        number = kind % 13
        if not kinds or (word >> 2 & 15) - 1 != number or not action >> 22 & 1:
            return -1
        return LAY_OKEY_SET_FROM + number * 3
    return LAY_SET_FROM + kind * 2 if kinds >> kind & 1 else -1


def number_of(row: plain.Row, action: int) -> int:
    """The number of a legal micro-action of a row, given by its code.

    Of several groups that a lay-off or swap would call the same, it adds how many kinds of them
    come before in the order of their words; equal groups share a number.
    """
    operation = action & L.OP
    if operation == L.A_DISCARD:
        return DISCARD_FROM + (action >> 4 & 63)
    if operation == L.A_MELD:
        return meld_number(action >> 4 & L.WORD)
    if operation == L.A_OPEN:
        return OPEN_NUMBER
    if operation == L.A_PAIRS:
        return PAIRS_NUMBER
    if operation != L.A_LAY and operation != L.A_SWAP:
        return operation
    okey = row[L.OKEY_KIND]
    own = row[L.TABLE + (action >> 10 & 63)] & L.WORD
    base = _target_number(own, action, okey)
    before = 0
    for place in range(row[L.N_GROUPS]):
        word = row[L.TABLE + place] & L.WORD
        if word >= own or _target_number(word, action, okey) != base:
            continue
        seen = False
        for earlier in range(place):
            seen = seen or row[L.TABLE + earlier] & L.WORD == word
        if not seen:
            before += 1
    return base + before


Observation: TypeAlias = NDArray[np.float32]
Observations: TypeAlias = NDArray[np.float32]
Masks: TypeAlias = NDArray[np.int8]

PIECES: Final = {
    "hand": (54,), "okey": (52,), "taken": (54,), "offer": (54,), "discards": (4, 54),
    "known": (4, 54), "table": (54,), "runs_from": (52,), "runs_to": (52,), "sets_take": (52,),
    "okeys_as": (52,), "phase": (5,), "turn": (4,), "seats": (4, 7), "course": (6,),
    "rules": (L.R_SIZE,),
}  # fmt: skip
"""The shape of each piece of an observation, in their order."""
PIECE_AT: Final = {
    name: sum(int(np.prod(shape)) for shape in list(PIECES.values())[:place])
    for place, name in enumerate(PIECES)
}
"""Where each piece begins."""
WIDTH: Final = sum(int(np.prod(shape)) for shape in PIECES.values())
"""Numbers in an observation."""

(
    AT_HAND, AT_OKEY, AT_TAKEN, AT_OFFER, AT_DISCARDS, AT_KNOWN, AT_TABLE, AT_RUNS_FROM, AT_RUNS_TO,
    AT_SETS_TAKE, AT_OKEYS_AS, AT_PHASE, AT_TURN, AT_SEATS, AT_COURSE, AT_RULES,
) = PIECE_AT.values()  # fmt: skip


def _add(out: plain.Row, at: int, mask: int) -> None:
    """Count one more of each tile or kind of a mask."""
    for bit in each(mask):
        out[at + bit] += 1


def see(rules: plain.Row, row: plain.Row, seat: int, out: plain.Row) -> None:
    """Write what a seat sees to ``out``, which is 0 before: all pieces but ``rules``."""
    players, okey = row[L.PLAYERS], row[L.OKEY_KIND]
    _add(out, AT_HAND, row[L.HANDS + 2 * seat])
    _add(out, AT_HAND, row[L.HANDS + 2 * seat + 1])
    if okey >= 0:
        out[AT_OKEY + okey] = 1
    if row[L.TAKEN] != L.NO_TILE:
        out[AT_TAKEN + row[L.TAKEN]] = 1
    for place in range(players):
        other = (seat + place) % players
        pile = L.DISCARDS + L.PILE_WORDS * other
        n = row[L.PILES + other]
        for i in range(n):
            out[AT_DISCARDS + 54 * place + (row[pile + i // 8] >> i % 8 * 8 & 127)] += 1
        if place == players - 1 and n:
            out[AT_OFFER + G.pile_tile(row, pile, n - 1)] = 1
        _add(out, AT_KNOWN + 54 * place, row[L.KNOWN + 2 * other])
        _add(out, AT_KNOWN + 54 * place, row[L.KNOWN + 2 * other + 1])
        at = AT_SEATS + 7 * place
        out[at] = 1
        out[at + 1] = row[L.SIZES + other] / 22
        out[at + 2] = 1 if row[L.OPENED + other] == L.MELDS else 0
        out[at + 3] = 1 if row[L.OPENED + other] == L.PAIRS else 0
        out[at + 4] = min(row[L.FINES + other], 1010) / 101
        out[at + 5] = 1 if row[L.DEALER] == other else 0
        out[at + 6] = 1 if row[L.ANNOUNCED] == other else 0
    _observe_table(row, out)
    if row[L.PHASE] != L.P_OVER:
        out[AT_PHASE + row[L.PHASE]] = 1
    out[AT_TURN + (row[L.TURN] - seat) % players] = 1
    out[AT_COURSE] = row[L.STOCK_COUNT] / 64
    out[AT_COURSE + 1] = min(row[L.TURNS], 128) / 64
    out[AT_COURSE + 2] = row[L.MUST_FINISH]
    out[AT_COURSE + 3] = row[L.NEW_OPENING]
    out[AT_COURSE + 4] = G.needed_points(rules, row) / 101
    out[AT_COURSE + 5] = G.needed_pairs(rules, row) / 5


def _observe_table(row: plain.Row, out: plain.Row) -> None:
    okey = row[L.OKEY_KIND]
    for place in range(row[L.N_GROUPS]):
        word = row[L.TABLE + place] & L.WORD
        one, two = G.rack_of(word, okey)
        _add(out, AT_TABLE, one)
        _add(out, AT_TABLE, two)
        form = word & 3
        if form == L.RUN:
            base = (word >> 2 & 3) * 13 - 1
            out[AT_RUNS_FROM + base + (word >> 4 & 15)] += 1
            out[AT_RUNS_TO + base + (word >> 8 & 15)] += 1
            for shift in range(12, 20, 4):
                if word >> shift & 15:
                    out[AT_OKEYS_AS + base + (word >> shift & 15)] += 1
        elif form == L.SET:
            _add(out, AT_SETS_TAKE, G.accepts(word))
            for colour in range(4):
                if word >> 10 + colour & 1:
                    out[AT_OKEYS_AS + 13 * colour + (word >> 2 & 15) - 1] += 1
        elif form == L.PAIR and not word >> 10 & 1:
            out[AT_OKEYS_AS + (word >> 2 & 63)] += word >> 8 & 3


@compiled
def observe(rules: Row, scaled: Observation, row: Row, seat: int, out: Observation) -> None:
    """Write what a seat sees to ``out``, float32[WIDTH]; ``scaled`` is the piece ``rules``."""
    for at in range(AT_RULES):
        out[at] = 0
    see(rules, row, seat, out)
    G.copy_row(scaled, out[AT_RULES:])


@compiled
def observe_many(
    rules: Row, scaled: Observation, rows: Rows, codes: Row, starts: Row, numbers: Row, before: Row,
    before_starts: Row, observations: Observations, masks: Masks,
) -> None:  # fmt: skip
    """Write what the seats to act see and may do; masks are int8[B, NUMBERS].

    ``codes`` and ``starts`` are those of the legal micro-actions, whose numbers go to ``numbers``.
    ``before`` and ``before_starts`` are the numbers that the masks still have from the last call.
    """
    for b in range(rows.shape[0]):
        row = rows[b]
        observe(rules, scaled, row, row[L.TURN], observations[b])
        mask = masks[b]
        for i in range(before_starts[b], before_starts[b + 1]):
            mask[before[i]] = 0
        for i in range(starts[b], starts[b + 1]):
            number = number_of(row, codes[i])
            numbers[i] = number
            mask[number] = 1


@compiled
def redeal(rules: Row, rows: Rows, root: Row, played: Row) -> None:
    """Deal anew where a deal is over: row ``b`` takes turns at every B-th deal of the seed."""
    seed = np.empty(8, dtype=np.int64)
    words = np.empty(64, dtype=np.uint32)
    for b in range(rows.shape[0]):
        if rows[b, L.PHASE] == L.P_OVER:
            played[b] += 1
            number = b + played[b] * rows.shape[0]
            deal_seed(root, number, words, seed)
            deal(rows[b], rules, seed, number % rules[L.R_PLAYERS])


@compiled
def codes_of_numbers(codes: Row, starts: Row, numbers: Row, chosen: Row, out: Row) -> int:
    """The codes of the actions that were chosen by number, one a row.

    Returns the first row whose number is not legal, or -1.
    """
    for b in range(chosen.shape[0]):
        found = False
        for i in range(starts[b], starts[b + 1]):
            if numbers[i] == chosen[b]:
                out[b] = codes[i]
                found = True
                break
        if not found:
            return b
    return -1


adopt(__name__)
