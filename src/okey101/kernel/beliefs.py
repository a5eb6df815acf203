"""How likely a hand is by what its player did: what it threw last, and what it did not lay down.

A hand doesn't change between its player's discards: with the last tile thrown it is what the
player chose from. A hand that would have opened, that holds what could have been laid off, or of
which ``greedy`` would have thrown another tile is less likely than others. How much less, the
grades say; they are whole numbers, as all that is reckoned here.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from okey101.game.actions import Back, Discard, Lay, Meld, Swap
from okey101.game.public import OpenSide
from okey101.kernel import groups as G, layout as L
from okey101.kernel.arranging import left_tiles
from okey101.kernel.compiling import Row, Rows, adopt, apart
from okey101.kernel.greedy import discard_cost, loose_tiles
from okey101.kernel.plain import Best, each, popcount
from okey101.kernel.solver import Tables, best_tiles
from okey101.kernel.weighing import open_to_all
from okey101.melds import accepted_kinds

E_TILE = 0
"""The tile that a seat threw last, -1 where its hand tells nothing."""
E_PLAYABLE = 1
"""Mask of the kinds that could have been laid off then."""
E_SIZE = 2
"""Words of what is known of a seat's last discard."""

_RANKS = 6
_OPENS = 6
_KEEPS = 7
_MELDED = 8
GRADES = 9
"""How many grades there are, all of them 64ths: for the tile that ``greedy`` would throw, for its
second choice and so on to the sixth and all others; then what a hand is less likely by that could
have opened, for each tile that could have been laid off, and if a meld could have been laid."""
_WHOLE = 6
_FINE = 14
MOST_LIKELY = 1 << _WHOLE + _FINE
"""No hand is likelier than that."""
_MOST_KEPT = 4


@apart
def likelihood(tables: Tables, rules: Row, row: Row, seat: int, evidence: Rows, grades: Row) -> int:
    """How likely the hand of a seat is, from 1 to MOST_LIKELY, by its last discard.

    ``evidence`` is int64[4, E_SIZE] and ``grades`` int64[GRADES]. What others threw and laid since
    counts as seen: it is little.
    """
    tile = evidence[seat, E_TILE]
    if tile < 0:
        return MOST_LIKELY
    turn, taken, playable = row[L.TURN], row[L.TAKEN], row[L.PLAYABLE]
    row[L.TURN], row[L.TAKEN], row[L.PLAYABLE] = seat, -1, evidence[seat, E_PLAYABLE]
    okey = row[L.OKEY_KIND]
    one, two = G.hand(row, seat)
    all_one, all_two = G.plus(one, two, 1 << tile, 0)
    best = left_tiles(tables, all_one, all_two, okey)
    found = 1 << _FINE
    if row[L.OPENED + seat] == 0:
        opens = best[0] >= G.needed_points(rules, row)
        if opens or G.count_pairs(all_one, all_two, okey) >= G.needed_pairs(rules, row):
            found = found * grades[_OPENS] >> 6
    else:
        found = _kept_back(tables, rules, row, seat, one, two, found, grades)
    found *= grades[_rank(tables, rules, row, all_one, all_two, best, tile)]
    row[L.TURN], row[L.TAKEN], row[L.PLAYABLE] = turn, taken, playable
    return max(1, found)  # type: ignore[no-any-return]


def _kept_back(
    tables: Tables, rules: Row, row: Row, seat: int, one: int, two: int, found: int, grades: Row
) -> int:
    """Less for a hand that holds what an opened seat could have put down."""
    okey, playable = row[L.OKEY_KIND], row[L.PLAYABLE]
    kinds_one, kinds_two, okeys = G.kinds(one, two, okey)
    kept = 0
    if playable and G.may_lay_off(rules, row[L.OPENED + seat], 0):
        kept = okeys + popcount(kinds_one & playable) + popcount(kinds_two & playable)
    for _ in range(min(kept, _MOST_KEPT)):
        found = found * grades[_KEEPS] >> 6
    if row[L.OPENED + seat] != L.MELDS:
        melded = G.count_pairs(one, two, okey) > 0
    else:
        melded = kinds_one & G.meldable(kinds_one, okeys) != 0
        melded = melded and best_tiles(tables, one, two, okey) > 0
    return found * grades[_MELDED] >> 6 if melded else found


def _rank(tables: Tables, rules: Row, row: Row, one: int, two: int, best: Best, tile: int) -> int:
    """How many tiles of a hand ``greedy`` would rather throw than this one; 5 for more."""
    okey = row[L.OKEY_KIND]
    loose_one, loose_two = loose_tiles(tables, rules, row, one, two, best)
    mine, _ = G.natural(loose_one, loose_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    limit = discard_cost(rules, row, tile, loose_one, mine, seen_one, seen_two)
    rank = 0
    for other in each(one & ~(1 << tile)):
        if discard_cost(rules, row, other, loose_one, mine, seen_one, seen_two) < limit:
            rank += 1
            if rank == _RANKS - 1:
                break
    return rank


# What the open side of a deal tells of the other hands, for :mod:`okey101.kernel.beliefs`.

_SEATS = 4


def evidence_of(public: OpenSide, own: int) -> Rows:
    """What each seat but ``own`` threw last, and what it could have laid off then.

    int64[4, E_SIZE]. A seat that has drawn since tells nothing any more, nor does one that has not
    had a turn. What lies there now and has grown since the discard is left out.
    """
    found = np.zeros((_SEATS, E_SIZE), dtype=np.int64)
    found[:, E_TILE] = -1
    # Every meld of the deal lies there: none was too short, no tile was taken back.
    laid = sum(len(action.pieces) for _, action in public.actions if isinstance(action, Meld))
    whole = laid == len(public.table) and not any(isinstance(a, Back) for _, a in public.actions)
    waiting = set(range(public.players)) - {own, public.turn}
    groups, grown = len(public.table), set[int]()
    for seat, action in reversed(public.actions):
        if not waiting:
            break
        if isinstance(action, Discard):
            if seat in waiting:
                waiting.remove(seat)
                found[seat, E_TILE] = int(action.tile)
                if whole and public.rules.lay_off_when_opening:
                    lay = (g for n, g in enumerate(public.table[:groups]) if n not in grown)
                    found[seat, E_PLAYABLE] = accepted_kinds(lay)
        elif isinstance(action, Lay | Swap):
            grown.add(action.group - 1)
        elif isinstance(action, Meld):
            groups -= len(action.pieces)
    return found


adopt(__name__)
