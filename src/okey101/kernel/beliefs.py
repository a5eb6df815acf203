"""How likely a hand is by what its player did: what it threw last, and what it did not lay down.

A hand doesn't change between its player's discards: with the last tile thrown it is what the
player chose from. A hand that would have opened, that holds what could have been laid off, or of
which ``greedy`` would have thrown another tile is less likely than others. How much less, the
grades say; they are whole numbers, as all that is reckoned here.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from okey101.game.actions import Back, Discard, Lay, Meld, Swap, Take
from okey101.game.deal_parts import Opened
from okey101.game.public import OpenSide
from okey101.game.ruleset import RuleSet
from okey101.game.view import View
from okey101.kernel import groups as G, layout as L
from okey101.kernel.arranging import left_tiles
from okey101.kernel.compiling import Row, Rows, adopt, apart
from okey101.kernel.greedy import discard_cost, loose_tiles
from okey101.kernel.plain import Best, each, popcount
from okey101.kernel.solver import Tables, best_tiles
from okey101.kernel.weighing import open_to_all
from okey101.melds import accepted_kinds
from okey101.tiles import FALSE_JOKER, KINDS, OKEY, size_of_bits
from okey101.weights.neural import HAND_ODDS, TILE_INPUTS, TILE_NET, beliefs_of

E_TILE = 0
"""The tile that a seat threw last, -1 where its hand tells nothing."""
E_PLAYABLE = 1
"""Mask of the kinds that could have been laid off then."""
E_THROWN = 2
"""How many tiles it has thrown."""
E_SIZE = 3
"""Words of what is known of a seat's last discard."""

RANKS = 6
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


TURNS = 8
REACHED = 11
PAIRED = 6
MOST_KEPT = 5
AT_PAIRS = TURNS * REACHED
AT_RANK = AT_PAIRS + TURNS * PAIRED
AT_OPENED = AT_RANK + RANKS
AT_KEPT = AT_OPENED + 2 * RANKS
AT_MELDED = AT_KEPT + 2 * MOST_KEPT
_UNTOLD = HAND_ODDS - 1
"""Log-odds of hands, by what is in them.

Of a seat that has not opened, by the turns that it has had: how near to an opening with melds its
hand was, in tenths, and how near to one with pairs. Of one that has, with melds or with pairs: how
many of its tiles could have been laid off, and its melds or pairs. Of both: how many tiles
``greedy`` would rather have thrown. The last is of a hand of which nothing is told, and 0.
"""
FACTS = 3
"""How many of them hold for a hand."""


@apart
def hand_facts(tables: Tables, rules: Row, row: Row, seat: int, evidence: Rows, facts: Row) -> None:
    """Write to ``facts``, int64[FACTS], which log-odds hold for the hand of a seat."""
    tile = evidence[seat, E_TILE]
    if tile < 0:
        facts[0] = facts[1] = facts[2] = _UNTOLD
        return
    turn, taken, playable = row[L.TURN], row[L.TAKEN], row[L.PLAYABLE]
    row[L.TURN], row[L.TAKEN], row[L.PLAYABLE] = seat, -1, evidence[seat, E_PLAYABLE]
    okey, opened = row[L.OKEY_KIND], row[L.OPENED + seat]
    one, two = G.hand(row, seat)
    all_one, all_two = G.plus(one, two, 1 << tile, 0)
    best = left_tiles(tables, all_one, all_two, okey)
    rank = _rank(tables, rules, row, all_one, all_two, best, tile)
    if opened == 0:
        before = min(evidence[seat, E_THROWN], TURNS) - 1
        reached = min(best[0] * 10 // G.needed_points(rules, row), REACHED - 1)
        lacking = G.needed_pairs(rules, row) - G.count_pairs(all_one, all_two, okey)
        facts[0] = before * REACHED + reached
        facts[1] = AT_PAIRS + before * PAIRED + max(0, min(lacking, PAIRED - 1))
        facts[2] = AT_RANK + rank
    else:
        by = opened - 1
        kept = _kept(rules, row, seat, one, two)
        if opened == L.MELDS:
            melded = int(_melds(tables, row, one, two))
        else:
            melded = min(G.count_pairs(one, two, okey), MOST_KEPT - 1)
        facts[0] = AT_OPENED + RANKS * by + rank
        facts[1] = AT_KEPT + MOST_KEPT * by + min(kept, MOST_KEPT - 1)
        facts[2] = AT_MELDED + MOST_KEPT * by + melded
    row[L.TURN], row[L.TAKEN], row[L.PLAYABLE] = turn, taken, playable


def _kept(rules: Row, row: Row, seat: int, one: int, two: int) -> int:
    """How many tiles of a hand an opened seat could have laid off."""
    playable = row[L.PLAYABLE]
    if not playable or not G.may_lay_off(rules, row[L.OPENED + seat], 0):
        return 0
    kinds_one, kinds_two, okeys = G.kinds(one, two, row[L.OKEY_KIND])
    return okeys + popcount(kinds_one & playable) + popcount(kinds_two & playable)


def _melds(tables: Tables, row: Row, one: int, two: int) -> bool:
    """Whether a hand has a meld."""
    kinds_one, _, okeys = G.kinds(one, two, row[L.OKEY_KIND])
    found = kinds_one & G.meldable(kinds_one, okeys) != 0
    return found and best_tiles(tables, one, two, row[L.OKEY_KIND]) > 0


def _kept_back(
    tables: Tables, rules: Row, row: Row, seat: int, one: int, two: int, found: int, grades: Row
) -> int:
    """Less for a hand that holds what an opened seat could have put down."""
    for _ in range(min(_kept(rules, row, seat, one, two), _MOST_KEPT)):
        found = found * grades[_KEEPS] >> 6
    if row[L.OPENED + seat] != L.MELDS:
        melded = G.count_pairs(one, two, row[L.OKEY_KIND]) > 0
    else:
        melded = _melds(tables, row, one, two)
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
            if rank == RANKS - 1:
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
    for seat, action in public.actions:
        found[seat, E_THROWN] += isinstance(action, Discard)
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


# What each tile of a hand tells: a network's log-odds that a seat holds it, and not another.

_OF_SEAT = 13
"""What the network is told of a tile and of a seat that may hold it: so much of the seat.

Of the seat: whether it has opened, and with pairs; tiles it has thrown, 15 at most; its hidden
tiles; tiles in the stock; tiles it has thrown since its opening; how many seats have opened; the
numbers of the last four tiles thrown, the last first; whether it is the next seat, or the next but
one. Of the tile: its number; then four counts each, of tiles of its kind, next to it in its colour,
next but one, and of its number in other colours: among those thrown, among the last four of them
(the last counting for four), among those left by the seat, among the last three of these, among the
unseen; what its number is more than those of the last three thrown; how many numbers thrown are
lower, and among the last three; whether it could be laid off; whether it is a false joker of a deal
without an okey, or the okey.
"""
TILES = OKEY + 1
"""Log-odds of tiles for each of four seats, in 64ths; after them those of hands."""
AT_HANDS = 4 * TILES
AT_CHANCES = AT_HANDS + HAND_ODDS
"""Then the chance, in 2**20ths, of a step to a world that is less likely by so many 64ths."""
CHANCES = 1024
ODDS = AT_CHANCES + CHANCES
"""How many numbers that is: int64[ODDS] stands where grades may."""


def _beside(counts: Row) -> list[Row]:
    """For each kind the tiles of its kind, one off, two off, and of its number: int64[52] each."""
    plane = counts.reshape(4, 13)
    found = [plane]
    for apart_by in (1, 2):
        near = np.zeros_like(plane)
        near[:, apart_by:] += plane[:, :-apart_by]
        near[:, :-apart_by] += plane[:, apart_by:]
        found.append(near)
    return [part.ravel() for part in (*found, plane.sum(0) - plane)]


def inputs_of(view: View) -> NDArray[np.int64]:
    """What the network is told of every tile and seat: int64[players, 54, INPUTS]; 0 of one's own.

    All of it lies open, or is in the own hand.
    """
    public, own, unseen = view.public, cast("int", view.seat), view.unseen
    okey, players = public.setup.okey, public.players
    thrown: list[list[tuple[int, int]]] = [[] for _ in range(players)]
    opened_at = [1 << 30] * players
    taken, turns, wild = set[int](), 0, -1 if okey is None else okey
    for seat, action in public.actions:
        if isinstance(action, Discard):
            thrown[seat].append((turns, G.tile_kind(int(action.tile), wild)))
            turns += 1
        elif isinstance(action, Take):
            taken.add(turns - 1)
        elif isinstance(action, Meld):
            opened_at[seat] = min(opened_at[seat], turns)
    copies = np.array([unseen >> 2 * tile & 3 for tile in range(TILES)])
    if okey is not None:
        copies[okey] += copies[FALSE_JOKER]
    of_unseen = _beside(copies[:KINDS])
    numbers = np.arange(KINDS) % 13 + 1
    playable = np.array([public.playable >> kind & 1 for kind in range(KINDS)])
    opened = sum(how is not None for how in public.opened)
    found = np.zeros((players, TILES, TILE_INPUTS), dtype=np.int64)
    for seat in range(players):
        if seat == own:
            continue
        mine = [(at, kind) for at, kind in reversed(thrown[seat]) if kind >= 0]
        kinds = [kind for _, kind in mine]
        left = [k for at, k in reversed(thrown[seat - 1]) if k >= 0 and at not in taken]
        last = ([kind % 13 + 1 for kind in kinds[:4]] + [0] * 4)[:4]
        how = public.opened[seat]
        of_seat = [
            how is not None, how is Opened.PAIRS, min(len(mine), 15),
            public.sizes[seat] - size_of_bits(public.known[seat]), public.stock_count,
            sum(at >= opened_at[seat] for at, _ in mine), opened, *last,
            (seat - own) % players == 1, (seat - own) % players == 2,
        ]  # fmt: skip
        counts = np.zeros((4, KINDS), dtype=np.int64)
        np.add.at(counts[0], kinds, 1)
        np.add.at(counts[1], kinds[:4], range(4, 4 - len(kinds[:4]), -1))
        np.add.at(counts[2], left, 1)
        np.add.at(counts[3], left[:3], 1)
        lower = numbers > np.array([kind % 13 + 1 for kind in kinds], dtype=np.int64)[:, None]
        columns = [
            numbers, *(part for each_of in counts for part in _beside(each_of)), *of_unseen,
            *(numbers - number for number in last[:3]), lower.sum(0), lower[:3].sum(0), playable,
        ]  # fmt: skip
        told = found[seat]
        told[:, :_OF_SEAT] = of_seat
        told[:KINDS, _OF_SEAT:-2] = np.stack(columns, axis=1)
        if okey is None:
            told[FALSE_JOKER, -2] = 1
        else:
            told[FALSE_JOKER] = told[okey]
        told[OKEY, -1] = 1
    return found


def odds_of(view: View) -> Row:
    """How likely the worlds of a view are, as its rules' beliefs have it: int64[ODDS]."""
    parts = _beliefs_of(view.public.rules)
    tiles = tile_odds(view, parts)
    found = np.zeros(ODDS, dtype=np.int64)
    found[: tiles.size] = tiles.ravel()
    found[AT_HANDS:AT_CHANCES] = parts[0]
    found[AT_CHANCES:] = _chances()
    return found


def tile_odds(view: View, parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The log-odds of each tile in each hand, by the network of :func:`parts_of`, in 64ths."""
    _, first, bias, second, second_bias, last = parts
    inner = np.maximum(0, _product(inputs_of(view), first) + bias) >> 6
    inner = np.maximum(0, _product(inner, second) + second_bias) >> 12
    return _product(inner, last) >> 16


def _product(inputs: NDArray[np.int64], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Their product; no sum is near 2**53, so that floating point is exact, and far quicker."""
    found: NDArray[np.float64] = inputs.astype(np.float64) @ weights.astype(np.float64)
    return found.astype(np.int64)


def parts_of(beliefs: Sequence[int]) -> tuple[NDArray[np.int64], ...]:
    """The parts of what :func:`okey101.weights.neural.beliefs_of` has."""
    one, two = TILE_NET
    sizes = (HAND_ODDS, TILE_INPUTS * one, one, one * two, two, two)
    parts = np.split(np.array(beliefs, dtype=np.int64), np.cumsum(sizes[:-1]))
    parts[1], parts[3] = parts[1].reshape(-1, one), parts[3].reshape(one, two)
    return tuple(parts)


@lru_cache(16)
def _beliefs_of(rules: RuleSet) -> tuple[NDArray[np.int64], ...]:
    return parts_of(beliefs_of(rules))


@cache
def _chances() -> Row:
    """The chance of a step to a world that is less likely by so many 64ths: exp(-n / 64)."""
    found = [int((Decimal(-by) / 64).exp() * (1 << 20)) for by in range(CHANCES)]
    return np.array(found, dtype=np.int64)


adopt(__name__)
