"""The bot ``master``, compiled: the same choices as :class:`okey101.bots.master.MasterBot`.

The course of a turn, openings and lay-offs are those of ``greedy``; the discard is weighed, and an
opening may be held back for a turn. :mod:`okey101.master_weights` tells what is weighed.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.arranging import fewest_left, left_above, left_tiles
from okey101.kernel.compiling import Row, apart, first_bit, inner, popcount
from okey101.kernel.duties import taken_waits
from okey101.kernel.greedy import COUNT, FINISHES, begin_turn, lay_more, open_hand
from okey101.kernel.groups import copies, minus, natural, plus, rack_size, tile_kind
from okey101.kernel.layout import (
    A_ANNOUNCE,
    A_DISCARD,
    A_MELD,
    A_RETURN,
    HANDS,
    INDICATOR,
    MELDS,
    MUST_FINISH,
    OKEY_KIND,
    OPENED,
    P_PLAY,
    PAIR,
    PAIRS,
    PHASE,
    PLAYABLE,
    PLAYERS,
    R_PAIRS_DISCARD_PROTECTED,
    R_TAKEN_DISCARD_FINE,
    SIZES,
    STOCK_COUNT,
    TAKEN,
    THROWN,
    TURN,
)
from okey101.kernel.legal import may_announce, may_return
from okey101.kernel.openings import needed_pairs, needed_points
from okey101.kernel.solver import best_points, best_tiles, count_pairs, points_above
from okey101.kernel.sparing import spares_partner
from okey101.kernel.steps import discard_fine
from okey101.kernel.tables import Tables
from okey101.kernel.throwing import near
from okey101.master_weights import STAGES, at
from okey101.tiles import FALSE_JOKER, KINDS, OKEY

__all__ = [
    "beside",
    "look_around",
    "master_choice",
    "open_to_all",
    "pairing",
    "to_runs",
    "ways_to_meld",
]

_LACK = at("lack")
_OUTS = at("outs")
_GAIN = at("gain")
_TILES = at("tiles")
_NUMBER = at("number")
_NEAR = at("near")
_PAIRS = at("pairs")
_PAIR_OUTS = at("pair_outs")
_DOUBLE = at("double")
_FEED = at("feed")
_OPEN_NUMBER = at("open_number")
_OPEN_NEAR = at("open_near")
_OPEN_RUNS = at("open_runs")
_OPEN_MELDS = at("open_melds")
_PAIRS_NUMBER = at("pairs_number")
_PAIRS_UNSEEN = at("pairs_unseen")
_OPEN_FEED = at("open_feed")
_HOLD_MELDS = at("hold_melds")
_HOLD_PAIRS = at("hold_pairs")
_POINT = 1000
_NUMBERED = (1 << KINDS) - 1
_ALL_ONES = 1 | 1 << 13 | 1 << 26 | 1 << 39

# Room: unseen tiles by kind (53 for okeys) and all of them; then a tile, its outs and its gain.
_UNSEEN = 8400
_ALL = 8454
_FOUND = 8455
_WEIGHED = 8460


@inner
def master_choice(tables: Tables, rules: Row, row: Row, words: Row, weights: Row) -> int:
    """The action of ``master`` for the seat to act, told as ``greedy_choice`` tells its own."""
    if row[PHASE] != P_PLAY:
        return begin_turn(tables, rules, row)
    if may_announce(rules, row):
        return A_ANNOUNCE
    seat = row[TURN]
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    if row[OPENED + seat] == 0:
        laid = _closed(tables, rules, row, one, two, words, weights)
        if laid >= 0:
            return laid
        waits = row[TAKEN] >= 0
    else:
        laid = lay_more(tables, rules, row, one, two, words)
        waits = taken_waits(row)
        if laid >= 0:
            if words[FINISHES] and not waits and rack_size(one, two) > 1:
                tile = _sparing(tables, rules, row, one, two, weights)
                if tile >= 0:
                    return A_DISCARD | tile << 4
            return laid
    if may_return(rules, row):
        return A_RETURN
    if waits or (row[MUST_FINISH] and rack_size(one, two) > 1):
        return -1
    return A_DISCARD | _discard(tables, rules, row, one, two, weights) << 4


@apart
def _closed(
    tables: Tables, rules: Row, row: Row, one: int, two: int, words: Row, weights: Row
) -> int:
    """An opening, or the discard with which it is held back; -1 where there is none."""
    points, left_one, left_two = left_tiles(tables, one, two, row[OKEY_KIND])
    count = open_hand(tables, rules, row, one, two, points, left_one, left_two, words)
    words[COUNT] = count
    if count <= 0:
        return -1
    if row[TAKEN] >= 0 or row[MUST_FINISH]:
        return A_MELD
    if words[FINISHES]:
        tile = _sparing(tables, rules, row, one, two, weights)
        if tile >= 0:
            return A_DISCARD | tile << 4
    if row[STOCK_COUNT] < row[PLAYERS]:
        return A_MELD
    tile = _discard(tables, rules, row, one, two, weights)
    if _holds_back(tables, rules, row, one, two, tile, words[0] & 3 >= PAIR, weights):
        return A_DISCARD | tile << 4
    return A_MELD


@inner
def _sparing(tables: Tables, rules: Row, row: Row, one: int, two: int, weights: Row) -> int:
    """The discard with which a finish is held back for the partner's sake; -1 for none."""
    if not spares_partner(rules, row):
        return -1
    tile = _discard(tables, rules, row, one, two, weights)
    return -1 if discard_fine(rules, row, tile) else tile


@inner
def _holds_back(
    tables: Tables,
    rules: Row,
    row: Row,
    one: int,
    two: int,
    tile: int,
    pairs: bool,
    weights: Row,
) -> bool:
    """Whether to keep an opening for a turn and throw a tile that costs no fine."""
    if tile == OKEY or discard_fine(rules, row, tile):
        return False
    seat, okey = row[TURN], row[OKEY_KIND]
    rest_one, rest_two = minus(one, two, 1 << tile, 0)
    left = rack_size(rest_one, rest_two) - best_tiles(tables, rest_one, rest_two, okey)
    others = 0
    for other in range(row[PLAYERS]):
        if other != seat and row[OPENED + other]:
            others += 1
    first = _HOLD_PAIRS if pairs else _HOLD_MELDS
    value = weights[first] + weights[first + 1] * left
    value += weights[first + 2] * min(row[STOCK_COUNT] // row[PLAYERS], 5)
    value += weights[first + 3] * others + weights[first + 4] * copies(one, two, OKEY)
    value += weights[first + 5] * tables[1][_FOUND]
    return value > 0  # type: ignore[no-any-return]


@apart
def _discard(tables: Tables, rules: Row, row: Row, one: int, two: int, weights: Row) -> int:
    """The tile whose discard costs least; its outs are noted in the room."""
    if popcount(one) == 1 and not two:
        return first_bit(one)
    look_around(tables, row, one, two)
    if row[OPENED + row[TURN]]:
        return _discard_opened(tables, rules, row, one, two, weights)
    return _discard_closed(tables, rules, row, one, two, weights)


@inner
def open_to_all(row: Row, one: int, two: int) -> tuple[int, int]:
    """The tiles that the seat sees, by kind; okeys aside."""
    seen_one, seen_two = plus(row[THROWN], row[THROWN + 1], one, two)
    if row[OKEY_KIND] >= 0:
        seen_one, seen_two = plus(seen_one, seen_two, 1 << row[INDICATOR], 0)
    return natural(seen_one, seen_two, row[OKEY_KIND])


@inner
def look_around(tables: Tables, row: Row, one: int, two: int) -> None:
    """Count the tiles that the seat doesn't see."""
    room = tables[1]
    seen_one, seen_two = open_to_all(row, one, two)
    thrown = copies(row[THROWN], row[THROWN + 1], OKEY)
    okeys = (2 if row[OKEY_KIND] >= 0 else 1) - thrown - copies(one, two, OKEY)
    total = okeys
    for kind in range(KINDS):
        count = 2 - (seen_one >> kind & 1) - (seen_two >> kind & 1)
        room[_UNSEEN + kind] = count
        total += count
    room[_UNSEEN + OKEY] = okeys
    room[_ALL] = max(1, total)


@inner
def ways_to_meld(tables: Tables, kind: int) -> int:
    """In how many ways two unseen tiles make a meld with this kind."""
    room = tables[1]
    number = kind % 13
    base = _UNSEEN + kind - number
    # Two of three other colours: half of the square of the sum less the sum of squares.
    total = squares = 0
    for colour in range(4):
        if colour != kind // 13:
            count = room[_UNSEEN + 13 * colour + number]
            total += count
            squares += count * count
    ways = (total * total - squares) // 2
    if number >= 2:
        ways += room[base + number - 2] * room[base + number - 1]
    if 1 <= number <= 11:
        ways += room[base + number - 1] * room[base + number + 1]
    if number <= 10:
        ways += room[base + number + 1] * room[base + number + 2]
    return ways


@inner
def _feeding(tables: Tables, rules: Row, row: Row, kind: int, first: int, weights: Row) -> int:
    """What a discard costs by what the next player may do with it."""
    seat = row[TURN]
    if rules[R_PAIRS_DISCARD_PROTECTED] and row[OPENED + seat] == PAIRS:
        return 0
    after = seat + 1 if seat + 1 < row[PLAYERS] else 0
    opened, size, total = row[OPENED + after], row[SIZES + after], tables[1][_ALL]
    first += 2 * opened
    if opened == PAIRS:
        ways = tables[1][_UNSEEN + kind] * size * 1024 // total if size > 1 else 0
    elif opened == MELDS and size < 3:
        ways = 0
    else:
        ways = min(1024, ways_to_meld(tables, kind) * size * size * 1024 // (total * total))
    fine = rules[R_TAKEN_DISCARD_FINE] * (kind % 13 + 1)
    cost = ways * (weights[first] + weights[first + 1] * fine)
    return cost >> 6  # type: ignore[no-any-return]


@apart
def _discard_closed(tables: Tables, rules: Row, row: Row, one: int, two: int, weights: Row) -> int:
    """The discard of a seat that has not opened: one of the tiles outside the best melds."""
    room = tables[1]
    okey = row[OKEY_KIND]
    stage = min(row[STOCK_COUNT] // row[PLAYERS], STAGES - 1)
    need, pairs_needed = needed_points(rules, row), needed_pairs(rules, row)
    points, left_one, left_two = left_tiles(tables, one, two, okey)
    mine, _ = natural(left_one, left_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    tiles = left_one & ~(1 << OKEY)
    loose = tiles
    if not tiles or rules[R_TAKEN_DISCARD_FINE]:
        tiles = one & ~(1 << OKEY)
    if not tiles:
        return OKEY
    count = 0
    rest = tiles
    while rest:
        tile = first_bit(rest)
        rest &= rest - 1
        place = _WEIGHED + 4 * count
        room[place] = tile
        room[place + 1] = room[place + 2] = 0
        if loose >> tile & 1:
            room[place + 3] = points
        else:
            less_one, less_two = minus(one, two, 1 << tile, 0)
            room[place + 3] = best_points(tables, less_one, less_two, okey)
        count += 1
    if stage:
        _look_ahead(tables, one, two, okey, count, points, need, loose if loose else tiles)
    total = room[_ALL]
    melded, spare = fewest_left(tables, one, two, okey)
    best, chosen, outs_of_chosen = 1 << 60, -1, 0
    for nth in range(count):
        place = _WEIGHED + 4 * nth
        tile, value = room[place], room[place + 3]
        less_one, less_two = minus(one, two, 1 << tile, 0)
        kind = tile_kind(tile, okey)
        outs = (total if value >= need and stage else room[place + 1]) * 1024 // total
        cost = discard_fine(rules, row, tile) * _POINT
        cost += weights[_LACK + stage] * max(0, need - value)
        cost -= weights[_OUTS + stage] * outs
        cost -= weights[_GAIN + stage] * (room[place + 2] * 64 // total)
        kept = melded
        if not spare >> tile & 1:
            kept = best_tiles(tables, less_one, less_two, okey)
        cost -= weights[_TILES + stage] * kept
        if kind >= 0:
            cost += weights[_NUMBER + stage] * (kind % 13 + 1)
            if left_one >> tile & 1:
                cost += weights[_NEAR + stage] * near(kind, mine, seen_one, seen_two)
            cost += _feeding(tables, rules, row, kind, _FEED, weights)
        lacking = max(0, pairs_needed - count_pairs(less_one, less_two, okey))
        cost += weights[_PAIRS + min(lacking, 3)]
        if stage and lacking <= 1:
            good = pairing(tables, less_one, less_two, okey) if lacking else total
            cost -= weights[_PAIR_OUTS + stage] * (good * 1024 // total)
        if two >> tile & 1:
            cost += weights[_DOUBLE]
            if lacking <= 2:
                cost += weights[_DOUBLE + 1]
        if cost < best:
            best, chosen, outs_of_chosen = cost, tile, outs
    room[_FOUND] = outs_of_chosen
    return chosen


@inner
def _look_ahead(
    tables: Tables,
    one: int,
    two: int,
    okey: int,
    count: int,
    points: int,
    need: int,
    loose: int,
) -> None:
    """Try each tile that may be drawn next: which discards leave an opening, or come nearer."""
    room = tables[1]
    kinds, _ = natural(one, two, okey)
    useful = _NUMBERED if copies(one, two, OKEY) == 2 else beside(kinds)
    for kind in range(KINDS + 1):
        at_kind = _UNSEEN + (kind if kind < KINDS else OKEY)
        unseen = room[at_kind]
        if not unseen or (kind < KINDS and not useful >> kind & 1):
            continue
        tile = OKEY if kind == KINDS else FALSE_JOKER if kind == okey else kind
        more_one, more_two = plus(one, two, 1 << tile, 0)
        most, spare = left_above(tables, more_one, more_two, okey, points)
        if most <= points:
            continue
        for nth in range(count):
            place = _WEIGHED + 4 * nth
            value = room[place + 3]
            if value >= need or not loose >> room[place] & 1:
                continue
            after = most
            if not spare >> room[place] & 1:
                less_one, less_two = minus(more_one, more_two, 1 << room[place], 0)
                after = points_above(tables, less_one, less_two, okey, value)
            room[place + 2] += unseen * (min(need, after) - value)
            if after >= need:
                room[place + 1] += unseen


@inner
def beside(kinds: int) -> int:
    """The kinds that may be in a meld with one of these, an okey helping: more is no harm."""
    numbers = kinds | kinds >> 13 | kinds >> 26 | kinds >> 39
    numbers &= 0x1FFF
    found = numbers * _ALL_ONES
    for colour in range(4):
        own = kinds >> 13 * colour & 0x1FFF
        found |= ((own << 1 | own << 2 | own >> 1 | own >> 2) & 0x1FFF) << 13 * colour
    return found


@inner
def pairing(tables: Tables, one: int, two: int, okey: int) -> int:
    """How many unseen tiles make one more pair."""
    room = tables[1]
    kinds_one, kinds_two = natural(one, two, okey)
    singles = kinds_one & ~kinds_two
    good = 0
    if singles:
        good = room[_UNSEEN + OKEY]
    while singles:
        good += room[_UNSEEN + first_bit(singles)]
        singles &= singles - 1
    return good


@apart
def _discard_opened(tables: Tables, rules: Row, row: Row, one: int, two: int, weights: Row) -> int:
    """The discard of a seat that has opened."""
    room = tables[1]
    okey = row[OKEY_KIND]
    stage = min(row[STOCK_COUNT] // row[PLAYERS], STAGES - 1)
    paired = row[OPENED + row[TURN]] == PAIRS
    _, left_one, left_two = left_tiles(tables, one, two, okey)
    mine, _ = natural(left_one, left_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    melded, spare = fewest_left(tables, one, two, okey)
    best, chosen = 1 << 60, OKEY
    held = one & ~(1 << OKEY)
    while held:
        tile = first_bit(held)
        held &= held - 1
        kind = tile_kind(tile, okey)
        cost = discard_fine(rules, row, tile) * _POINT
        if kind >= 0:
            number = kind % 13 + 1
            cost += _feeding(tables, rules, row, kind, _OPEN_FEED, weights)
            if paired:
                cost -= weights[_PAIRS_NUMBER + stage] * number
                cost += weights[_PAIRS_UNSEEN] * room[_UNSEEN + kind]
            else:
                cost -= weights[_OPEN_NUMBER + stage] * number
                if left_one >> tile & 1:
                    cost += weights[_OPEN_NEAR + stage] * near(kind, mine, seen_one, seen_two)
                cost += weights[_OPEN_RUNS + stage] * to_runs(row[PLAYABLE], kind)
                kept = melded
                if not spare >> tile & 1:
                    less_one, less_two = minus(one, two, 1 << tile, 0)
                    kept = best_tiles(tables, less_one, less_two, okey)
                cost -= weights[_OPEN_MELDS + stage] * kept
        if cost < best:
            best, chosen = cost, tile
    return chosen


@inner
def to_runs(playable: int, kind: int) -> int:
    """How near a kind is to what can be laid off: 3 for a neighbour, 1 for the next but one."""
    number = kind % 13
    found = 0
    if number >= 1:
        found += 3 * (playable >> kind - 1 & 1)
    if number >= 2:
        found += playable >> kind - 2 & 1
    if number <= 11:
        found += 3 * (playable >> kind + 1 & 1)
    if number <= 10:
        found += playable >> kind + 2 & 1
    return found
