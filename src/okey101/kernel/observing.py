"""What a seat sees, as one flat array: :mod:`okey101.envs.observations` once more, compiled.

This module has the one list of the pieces; what they mean stands there.
"""

# pyright: reportArgumentType=false
from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from okey101.kernel.compiling import Row, Rows, compiled, first_bit
from okey101.kernel.dealing import deal
from okey101.kernel.groups import accepts, rack_of
from okey101.kernel.layout import (
    ANNOUNCED,
    DEALER,
    DISCARDS,
    FINES,
    HANDS,
    KNOWN,
    MELDS,
    MUST_FINISH,
    N_GROUPS,
    NEW_OPENING,
    NO_TILE,
    OKEY_KIND,
    OPENED,
    P_OVER,
    PAIR,
    PAIRS,
    PHASE,
    PILE_WORDS,
    PILES,
    PLAYERS,
    R_PLAYERS,
    R_SIZE,
    R_TEAMS,
    RUN,
    SCORES,
    SET,
    SIZES,
    STOCK_COUNT,
    TABLE,
    TAKEN,
    TURN,
    TURNS,
    WORD,
)
from okey101.kernel.numbering import number_of
from okey101.kernel.openings import needed_pairs, needed_points
from okey101.kernel.piles import pile_tile
from okey101.kernel.randomness import deal_seed

__all__ = [
    "PIECES",
    "PIECE_AT",
    "WIDTH",
    "codes_of_numbers",
    "end_many",
    "observe",
    "observe_many",
    "redeal",
]

Observation: TypeAlias = NDArray[np.float32]

PIECES: Final = {
    "hand": (54,),
    "okey": (52,),
    "taken": (54,),
    "offer": (54,),
    "discards": (4, 54),
    "known": (4, 54),
    "table": (54,),
    "runs_from": (52,),
    "runs_to": (52,),
    "sets_take": (52,),
    "okeys_as": (52,),
    "phase": (5,),
    "turn": (4,),
    "seats": (4, 7),
    "course": (6,),
    "rules": (R_SIZE,),
}
"""The shape of each piece of an observation, in their order."""
PIECE_AT: Final = {
    name: sum(int(np.prod(shape)) for shape in list(PIECES.values())[:place])
    for place, name in enumerate(PIECES)
}
"""Where each piece begins."""
WIDTH: Final = sum(int(np.prod(shape)) for shape in PIECES.values())
"""Numbers in an observation."""

_HAND: Final = PIECE_AT["hand"]
_OKEY: Final = PIECE_AT["okey"]
_TAKEN: Final = PIECE_AT["taken"]
_OFFER: Final = PIECE_AT["offer"]
_DISCARDS: Final = PIECE_AT["discards"]
_KNOWN: Final = PIECE_AT["known"]
_TABLE: Final = PIECE_AT["table"]
_RUNS_FROM: Final = PIECE_AT["runs_from"]
_RUNS_TO: Final = PIECE_AT["runs_to"]
_SETS_TAKE: Final = PIECE_AT["sets_take"]
_OKEYS_AS: Final = PIECE_AT["okeys_as"]
_PHASE: Final = PIECE_AT["phase"]
_TURN: Final = PIECE_AT["turn"]
_SEATS: Final = PIECE_AT["seats"]
_COURSE: Final = PIECE_AT["course"]
_RULES: Final = PIECE_AT["rules"]


@compiled
def _add(out: Observation, at: int, mask: int) -> None:
    """Count one more of each tile or kind of a mask."""
    while mask:
        out[at + first_bit(mask)] += np.float32(1.0)
        mask &= mask - 1


@compiled
def observe(rules: Row, scaled: Observation, row: Row, seat: int, out: Observation) -> None:
    """Write what a seat sees to ``out``, float32[WIDTH]; ``scaled`` is the piece ``rules``."""
    out[:] = 0
    players, okey = row[PLAYERS], row[OKEY_KIND]
    _add(out, _HAND, row[HANDS + 2 * seat])
    _add(out, _HAND, row[HANDS + 2 * seat + 1])
    if okey >= 0:
        out[_OKEY + okey] = 1
    if row[TAKEN] != NO_TILE:
        out[_TAKEN + row[TAKEN]] = 1
    for place in range(players):
        other = (seat + place) % players
        pile = DISCARDS + PILE_WORDS * other
        n = row[PILES + other]
        for i in range(n):
            out[_DISCARDS + 54 * place + pile_tile(row, pile, i)] += np.float32(1.0)
        if place == players - 1 and n:
            out[_OFFER + pile_tile(row, pile, n - 1)] = 1
        _add(out, _KNOWN + 54 * place, row[KNOWN + 2 * other])
        _add(out, _KNOWN + 54 * place, row[KNOWN + 2 * other + 1])
        at = _SEATS + 7 * place
        out[at] = 1
        out[at + 1] = row[SIZES + other] / 22
        out[at + 2] = 1 if row[OPENED + other] == MELDS else 0
        out[at + 3] = 1 if row[OPENED + other] == PAIRS else 0
        out[at + 4] = min(row[FINES + other], 1010) / 101
        out[at + 5] = 1 if row[DEALER] == other else 0
        out[at + 6] = 1 if row[ANNOUNCED] == other else 0
    _observe_table(row, out)
    if row[PHASE] != P_OVER:
        out[_PHASE + row[PHASE]] = 1
    out[_TURN + (row[TURN] - seat) % players] = 1
    out[_COURSE] = row[STOCK_COUNT] / 64
    out[_COURSE + 1] = min(row[TURNS], 128) / 64
    out[_COURSE + 2] = row[MUST_FINISH]
    out[_COURSE + 3] = row[NEW_OPENING]
    out[_COURSE + 4] = needed_points(rules, row) / 101
    out[_COURSE + 5] = needed_pairs(rules, row) / 5
    out[_RULES : _RULES + R_SIZE] = scaled


@compiled
def _observe_table(row: Row, out: Observation) -> None:
    okey = row[OKEY_KIND]
    for place in range(row[N_GROUPS]):
        word = row[TABLE + place] & WORD
        one, two = rack_of(word, okey)
        _add(out, _TABLE, one)
        _add(out, _TABLE, two)
        form = word & 3
        if form == RUN:
            base = (word >> 2 & 3) * 13 - 1
            out[_RUNS_FROM + base + (word >> 4 & 15)] += np.float32(1.0)
            out[_RUNS_TO + base + (word >> 8 & 15)] += np.float32(1.0)
            for shift in range(12, 20, 4):
                if word >> shift & 15:
                    out[_OKEYS_AS + base + (word >> shift & 15)] += np.float32(1.0)
        elif form == SET:
            _add(out, _SETS_TAKE, accepts(word))
            for colour in range(4):
                if word >> 10 + colour & 1:
                    out[_OKEYS_AS + 13 * colour + (word >> 2 & 15) - 1] += np.float32(1.0)
        elif form == PAIR and not word >> 10 & 1:
            out[_OKEYS_AS + (word >> 2 & 63)] += np.float32(word >> 8 & 3)


@compiled
def observe_many(
    rules: Row,
    scaled: Observation,
    rows: Rows,
    codes: Row,
    starts: Row,
    numbers: Row,
    before: Row,
    before_starts: Row,
    observations: NDArray[np.float32],
    masks: NDArray[np.int8],
) -> None:
    """Write what the seats to act see and may do; masks are int8[B, NUMBERS].

    ``codes`` and ``starts`` are those of the legal micro-actions, whose numbers go to ``numbers``.
    ``before`` and ``before_starts`` are the numbers that the masks still have from the last call.
    """
    for b in range(rows.shape[0]):
        row = rows[b]
        observe(rules, scaled, row, row[TURN], observations[b])
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
        if rows[b, PHASE] == P_OVER:
            played[b] += 1
            number = b + played[b] * rows.shape[0]
            deal_seed(root, number, words, seed)
            deal(rows[b], rules, seed, number % rules[R_PLAYERS])


@compiled
def end_many(rules: Row, rows: Rows, over: NDArray[np.bool_], points: NDArray[np.float64]) -> int:
    """Tell the deals that are over, and minus the points of each seat, in teams of its team."""
    ended = 0
    for b in range(rows.shape[0]):
        over[b] = rows[b, PHASE] == P_OVER
        points[b, :] = 0
        if not over[b]:
            continue
        ended += 1
        for seat in range(rules[R_PLAYERS]):
            points[b, seat] = -rows[b, SCORES + seat]
            if rules[R_TEAMS]:
                points[b, seat] -= rows[b, SCORES + (seat ^ 2)]
    return ended


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
