"""What ``master`` is fitted to: at each of its decisions every discard, played out to the end.

One seat plays ``master`` and the others ``greedy``; at each turn of that seat that ends in a
discard or an opening, the true deal goes on from each discard that costs no fine by itself, and
from the opening, with the same players. A *line* is one of these: the features of the hand that it
leaves, and the points of the seat at the end. Lines of one decision follow each other.

Features and branches are in one file since Numba, when it looks for what it compiled before, asks
for changes in the file of the function alone.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from typing import Final

import numpy as np

from okey101.kernel import layout as L, room as R
from okey101.kernel.arranging import left_tiles
from okey101.kernel.choices import master_choice
from okey101.kernel.compiling import Row, Rows, adopt, compiled
from okey101.kernel.dealing import deal, deal_seed
from okey101.kernel.greedy import greedy_choice
from okey101.kernel.groups import (
    copies,
    count_pairs,
    discard_fine,
    minus,
    natural,
    needed_pairs,
    needed_points,
    plus,
    rack_size,
    tile_kind,
)
from okey101.kernel.legal import legal_actions
from okey101.kernel.plain import first_bit
from okey101.kernel.players import play_noted
from okey101.kernel.solver import Tables, best_points, best_tiles
from okey101.kernel.steps import play
from okey101.kernel.weighing import near
from okey101.tiles import FALSE_JOKER, KINDS, OKEY

__all__ = ["CLOSED", "COLUMNS", "LINES_OF_DEAL", "OPENED_HAND", "OPENING", "branch"]

OPENING: Final = 1
"""A decision to open or to hold the opening back: its first line opens."""
CLOSED: Final = 2
"""The discard of a seat that has not opened."""
OPENED_HAND: Final = 4
"""The discard of a seat that has."""
LINES_OF_DEAL: Final = 1000
"""Room for the lines of a deal: there are about 60 of them."""

COLUMNS: Final = (
    "points",  # of the best melds of the rest
    "need",  # points that an opening needs
    "number",  # of the tile, 1 to 13; 0 for the okey in a deal without
    "near",  # unseen tiles that would make a meld of it and another loose one
    "loose",  # 1 where the best melds of the hand don't hold the tile
    "pairs",  # of the rest
    "need_pairs",  # pairs that an opening needs
    "outs",  # the chance, in 1000ths, that the next draw lets it open with melds
    "gain",  # points, in 100ths, that the next draw adds on average, up to the need
    "pair_outs",  # the chance, in 1000ths, that the next draw lets it open with pairs
    "tiles",  # of the rest that melds hold
    "size",  # tiles of the rest
    "alike",  # unseen tiles of the kind
    "ways",  # in which two unseen tiles make a meld with it
    "next_size",  # tiles of the next player
    "next_opened",  # how the next player has opened: 0 not, 1 melds, 2 pairs
    "others",  # other players who have opened
    "draws",  # left to the seat
    "unseen",  # tiles that the seat doesn't see
    "copies",  # of the tile in the hand
    "okeys",  # in the hand
    "opened",  # how the seat has opened
    "runs",  # how near the tile is to what can be laid off
    "by_pairs",  # 1 in the line of an opening with pairs
    "played",  # 1 in the line of what ``master`` chose
)
"""The features of a line, in their order."""

_PLACES = {name: place for place, name in enumerate(COLUMNS)}
_POINTS = _PLACES["points"]
_NEED = _PLACES["need"]
_NUMBER = _PLACES["number"]
_NEAR = _PLACES["near"]
_LOOSE = _PLACES["loose"]
_PAIRS = _PLACES["pairs"]
_NEED_PAIRS = _PLACES["need_pairs"]
_OUTS = _PLACES["outs"]
_GAIN = _PLACES["gain"]
_PAIR_OUTS = _PLACES["pair_outs"]
_TILES = _PLACES["tiles"]
_SIZE = _PLACES["size"]
_ALIKE = _PLACES["alike"]
_WAYS = _PLACES["ways"]
_NEXT_SIZE = _PLACES["next_size"]
_NEXT_OPENED = _PLACES["next_opened"]
_OTHERS = _PLACES["others"]
_DRAWS = _PLACES["draws"]
_UNSEEN = _PLACES["unseen"]
_COPIES = _PLACES["copies"]
_OKEYS = _PLACES["okeys"]
_OPENED = _PLACES["opened"]
_RUNS = _PLACES["runs"]
_BY_PAIRS = _PLACES["by_pairs"]
_PLAYED = _PLACES["played"]
_MOST = 21
_NUMBERED = (1 << KINDS) - 1


def _ways(unseen: Row, kind: int) -> int:
    """In how many ways two unseen tiles make a meld with this kind."""
    colour, number = kind // 13, kind % 13
    found = 0
    for a in range(4):
        for b in range(a + 1, 4):
            if colour not in (a, b):
                found += unseen[a * 13 + number] * unseen[b * 13 + number]
    for low in range(max(0, number - 2), min(10, number) + 1):
        product = 1
        for other in range(low, low + 3):
            if other != number:
                product *= unseen[colour * 13 + other]
        found += product
    return found


def _to_runs(playable: int, kind: int) -> int:
    """How near a kind is to what can be laid off: 3 for a neighbour, 1 for the next but one."""
    found = 0
    for step in (-2, -1, 1, 2):
        if 0 <= kind % 13 + step <= 12 and playable >> kind + step & 1:
            found += 1 if abs(step) == 2 else 3
    return found


def _of_kind(row: Row, unseen: Row, kind: int, line: Row) -> None:
    """The features that a tile has by its kind alone."""
    line[_NUMBER] = kind % 13 + 1
    line[_ALIKE] = unseen[kind]
    line[_WAYS] = _ways(unseen, kind)
    line[_RUNS] = _to_runs(row[L.PLAYABLE], kind)


def _of_draws(
    tables: Tables, row: Row, one: int, two: int, unseen: Row, needs: tuple[int, int], line: Row
) -> None:
    """The features of a rest that tell of the next draw: each tile that it may bring is tried."""
    okey = row[L.OKEY_KIND]
    need, pairs = needs
    before = min(line[_POINTS], need)
    outs = gain = pair_outs = 0
    for kind in range(OKEY + 1):
        if kind == FALSE_JOKER or not unseen[kind]:
            continue
        tile = FALSE_JOKER if kind == okey else kind
        more_one, more_two = plus(one, two, 1 << tile, 0)
        points = best_points(tables, more_one, more_two, okey)
        if points >= need:
            outs += unseen[kind]
        gain += unseen[kind] * (min(points, need) - before)
        if count_pairs(more_one, more_two, okey) >= pairs:
            pair_outs += unseen[kind]
    total = max(1, line[_UNSEEN])
    line[_OUTS] = outs * 1000 // total
    line[_GAIN] = gain * 100 // total
    line[_PAIR_OUTS] = pair_outs * 1000 // total


def _describe(tables: Tables, rules: Row, row: Row, tiles: Row, unseen: Row, lines: Rows) -> None:
    """The features of each discard; ``unseen`` is room for the unseen tiles by kind."""
    seat, okey, players = row[L.TURN], row[L.OKEY_KIND], row[L.PLAYERS]
    one, two = row[L.HANDS + 2 * seat], row[L.HANDS + 2 * seat + 1]
    needs = (needed_points(rules, row), needed_pairs(rules, row))
    seen_one, seen_two = plus(row[L.THROWN], row[L.THROWN + 1], one, two)
    if okey >= 0:
        seen_one, seen_two = plus(seen_one, seen_two, 1 << row[L.INDICATOR], 0)
    unseen[OKEY] = 2 - copies(seen_one, seen_two, OKEY)
    seen_one, seen_two = natural(seen_one, seen_two, okey)
    total = unseen[OKEY]
    for kind in range(KINDS):
        unseen[kind] = 2 - (seen_one >> kind & 1) - (seen_two >> kind & 1)
        total += unseen[kind]
    _, left_one, left_two = left_tiles(tables, one, two, okey)
    mine, _ = natural(left_one, left_two, okey)
    after = seat + 1 if seat + 1 < players else 0
    others = 0
    for other in range(players):
        if other != seat and row[L.OPENED + other]:
            others += 1
    for nth in range(tiles.shape[0]):
        tile, line = tiles[nth], lines[nth]
        line[:] = 0
        kind = tile_kind(tile, okey)
        rest_one, rest_two = minus(one, two, 1 << tile, 0)
        if kind >= 0:
            _of_kind(row, unseen, kind, line)
            if left_one >> tile & 1:
                line[_NEAR] = near(kind, mine & _NUMBERED, seen_one, seen_two)
        line[_LOOSE] = left_one >> tile & 1
        line[_POINTS] = best_points(tables, rest_one, rest_two, okey)
        line[_NEED], line[_NEED_PAIRS] = needs
        line[_PAIRS] = count_pairs(rest_one, rest_two, okey)
        line[_TILES] = best_tiles(tables, rest_one, rest_two, okey)
        line[_SIZE] = rack_size(rest_one, rest_two)
        line[_NEXT_SIZE] = row[L.SIZES + after]
        line[_NEXT_OPENED] = row[L.OPENED + after]
        line[_OTHERS] = others
        line[_DRAWS] = row[L.STOCK_COUNT] // players
        line[_UNSEEN] = total
        line[_COPIES] = copies(one, two, tile)
        line[_OKEYS] = copies(one, two, OKEY)
        line[_OPENED] = row[L.OPENED + seat]
        _of_draws(tables, row, rest_one, rest_two, unseen, needs, line)


def _choose(
    tables: Tables, rules: Row, row: Row, words: Row, actions: Row, weights: Row, who: int
) -> int:
    """The action of the seat to act: ``master`` in seat ``who``, ``greedy`` in the others."""
    if row[L.TURN] == who:
        action = master_choice(tables, rules, row, words, weights)
    else:
        action = greedy_choice(tables, rules, row, words)
    if action < 0:
        legal_actions(tables, rules, row, actions, words, False)
        action = actions[0]
    return action


def _go_on(
    tables: Tables, rules: Row, row: Row, words: Row, log: Row, actions: Row, weights: Row, who: int
) -> int:
    """Play a deal to its end; the points of seat ``who``."""
    while row[L.PHASE] != L.P_OVER:
        action = _choose(tables, rules, row, words, actions, weights, who)
        play_noted(rules, row, words, log, action)
    return row[L.SCORES + who]  # type: ignore[no-any-return]


def _kind_of_decision(row: Row, action: int, who: int) -> int:
    """OPENING, CLOSED or OPENED_HAND; 0 for what is not branched."""
    if row[L.TURN] != who or row[L.PHASE] != L.P_PLAY or row[L.TAKEN] >= 0 or row[L.MUST_FINISH]:
        return 0
    if row[L.SIZES + who] <= 1:
        return 0
    if action & L.OP == L.A_DISCARD:
        return OPENED_HAND if row[L.OPENED + who] else CLOSED
    if action & L.OP == L.A_MELD and not row[L.OPENED + who]:
        return OPENING
    return 0


@compiled
def branch(
    tables: Tables,
    rules: Row,
    weights: Row,
    root: Row,
    first: int,
    deals: int,
    lines: Rows,
    points: Row,
    groups: Row,
    kinds: Row,
) -> int:
    """Branch so many deals; how many lines there are.

    ``lines`` is int64[n, len(COLUMNS)]; ``points`` what followed, ``groups`` the first line of the
    decision, ``kinds`` what it was about. There has to be room for LINES_OF_DEAL a deal.
    """
    seed = np.empty(8, dtype=np.int64)
    hashed = np.empty(64, dtype=np.uint32)
    words = np.empty(R.WORDS, dtype=np.int64)
    saved = np.empty(R.WORDS, dtype=np.int64)
    actions = np.empty(R.MOST_ACTIONS, dtype=np.int64)
    unseen = np.empty(OKEY + 1, dtype=np.int64)
    row = np.empty(L.SIZE, dtype=np.int64)
    now = np.empty(L.SIZE, dtype=np.int64)
    tiles = np.empty(_MOST, dtype=np.int64)
    log = np.empty(0, dtype=np.int64)
    n = 0
    for d in range(first, first + deals):
        deal_seed(root, d, hashed, seed)
        deal(row, rules, seed, d % rules[L.R_PLAYERS])
        # Each seat in turn, and each dealer with each of them.
        who = d // 4 % rules[L.R_PLAYERS]
        while row[L.PHASE] != L.P_OVER:
            action = _choose(tables, rules, row, words, actions, weights, who)
            kind = _kind_of_decision(row, action, who)
            if kind and n + _MOST < lines.shape[0]:
                saved[:] = words
                count = 0
                held = row[L.HANDS + 2 * who]
                while held and count < _MOST:
                    tile = first_bit(held)
                    held &= held - 1
                    if tile != OKEY and discard_fine(rules, row, tile) == 0:
                        tiles[count] = tile
                        count += 1
                start = n
                if count and kind == OPENING:
                    now[:] = row
                    play_noted(rules, now, words, log, action)
                    points[n] = _go_on(tables, rules, now, words, log, actions, weights, who)
                    lines[n] = 0
                    lines[n, _PLAYED] = 1
                    lines[n, _BY_PAIRS] = saved[0] & 3 >= L.PAIR
                    n += 1
                _describe(tables, rules, row, tiles[:count], unseen, lines[n : n + count])
                for nth in range(count):
                    now[:] = row
                    play(rules, now, L.A_DISCARD | tiles[nth] << 4)
                    points[n] = _go_on(tables, rules, now, words, log, actions, weights, who)
                    lines[n, _PLAYED] = action == L.A_DISCARD | tiles[nth] << 4
                    n += 1
                groups[start:n] = start
                kinds[start:n] = kind
                words[:] = saved
            play_noted(rules, row, words, log, action)
    return n


adopt(__name__)
