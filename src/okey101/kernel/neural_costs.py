"""What ``neural`` notes of each discard before it weighs the cheapest: what ``master`` says.

The notes stand on the *desk*, a flat array that :mod:`okey101.kernel.neural_inputs` tells of.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.arranging import fewest_left, left_above
from okey101.kernel.compiling import Row, first_bit, inner
from okey101.kernel.groups import (
    copies,
    minus,
    natural,
    plus,
    tile_kind,
)
from okey101.kernel.layout import (
    MELDS,
    OKEY_KIND,
    OPENED,
    PAIRS,
    PLAYABLE,
    PLAYERS,
    R_PAIRS_DISCARD_PROTECTED,
    R_TAKEN_DISCARD_FINE,
    SIZES,
    STOCK_COUNT,
    TURN,
)
from okey101.kernel.master import (
    beside,
    open_to_all,
    pairing,
    to_runs,
    ways_to_meld,
)
from okey101.kernel.solver import best_points, best_tiles, count_pairs, points_above
from okey101.kernel.steps import discard_fine
from okey101.kernel.tables import Tables
from okey101.kernel.throwing import near
from okey101.master_weights import STAGES, at
from okey101.neural_inputs import (
    CHOICES,
    DRAWN,
    FAR,
    NEAR_OUTS,
    SAMPLES,
    at_position,
)
from okey101.tiles import FALSE_JOKER, KINDS, OKEY

__all__ = [
    "ALL",
    "AT_CHOICES",
    "AT_LEAST",
    "AT_POOL",
    "AT_ROOM",
    "AT_SAMPLES",
    "AT_TILES",
    "DESK",
    "LAY",
    "NOTE",
    "NOTES",
    "N_COST",
    "N_DONE",
    "N_FARTHER",
    "N_FED",
    "N_FINE",
    "N_GAIN",
    "N_LACKING",
    "N_MELDED",
    "N_NEAR",
    "N_NEARLY",
    "N_OUTS",
    "N_PAIR_OUTS",
    "N_TILE",
    "N_VALUE",
    "STRIDE",
    "UNSEEN",
    "weigh_closed",
    "weigh_opened",
]

STRIDE = 64
"""From the inputs of one choice to those of the next."""
AT_CHOICES = 64
"""Where the inputs of the choices begin; those of the position are before them."""
AT_TILES = AT_CHOICES + STRIDE * CHOICES
"""Where the tile of each choice stands, LAY for laying down."""
LAY = -1
NOTES = AT_TILES + 16
NOTE = 16
AT_SAMPLES = NOTES + 24 * NOTE
"""The tiles of the samples: DRAWN for each."""
AT_POOL = AT_SAMPLES + SAMPLES * DRAWN
AT_ROOM = AT_POOL + 112
"""Where the networks work."""
AT_LEAST = AT_ROOM + 255
"""Where the least cost stands, in 2**20ths of a point."""
DESK = AT_ROOM + 256
"""Words of a desk."""

# What is noted of each tile before the cheapest are chosen.
N_TILE, N_COST, N_VALUE, N_OUTS, N_GAIN, N_NEARLY, N_FARTHER, N_MELDED = range(8)
N_NEAR, N_FED, N_LACKING, N_PAIR_OUTS, N_FINE, N_DONE = range(8, 14)

# The room of master's: unseen tiles by kind and all of them.
UNSEEN = 8400
ALL = 8454
_POINT = 1000

_P_NEED = at_position("need")
_P_NEED_PAIRS = at_position("need_pairs")
_W_LACK = at("lack")
_W_OUTS = at("outs")
_W_GAIN = at("gain")
_W_TILES = at("tiles")
_W_NUMBER = at("number")
_W_NEAR = at("near")
_W_PAIRS = at("pairs")
_W_PAIR_OUTS = at("pair_outs")
_W_DOUBLE = at("double")
_W_FEED = at("feed")
_W_OPEN_NUMBER = at("open_number")
_W_OPEN_NEAR = at("open_near")
_W_OPEN_RUNS = at("open_runs")
_W_OPEN_MELDS = at("open_melds")
_W_PAIRS_NUMBER = at("pairs_number")
_W_PAIRS_UNSEEN = at("pairs_unseen")
_W_OPEN_FEED = at("open_feed")
_NUMBERED = (1 << KINDS) - 1


@inner
def _fed(tables: Tables, rules: Row, row: Row, kind: int) -> int:
    """Ways, in 1024ths, in which the next player has a meld or a pair with a discard."""
    seat = row[TURN]
    if rules[R_PAIRS_DISCARD_PROTECTED] and row[OPENED + seat] == PAIRS:
        return 0
    after = seat + 1 if seat + 1 < row[PLAYERS] else 0
    opened, size, total = row[OPENED + after], row[SIZES + after], tables[1][ALL]
    if opened == PAIRS:
        alike = tables[1][UNSEEN + kind] * size * 1024 // total
        return alike if size > 1 else 0
    if opened == MELDS and size < 3:
        return 0
    ways = ways_to_meld(tables, kind) * size * size * 1024 // (total * total)
    return min(1024, ways)  # type: ignore[no-any-return]


@inner
def _feeding(rules: Row, row: Row, kind: int, ways: int, first: int, weights: Row) -> int:
    """What ``master`` has that cost."""
    after = row[TURN] + 1 if row[TURN] + 1 < row[PLAYERS] else 0
    first += 2 * row[OPENED + after]
    fine = rules[R_TAKEN_DISCARD_FINE] * (kind % 13 + 1)
    return ways * (weights[first] + weights[first + 1] * fine) >> 6  # type: ignore[no-any-return]


@inner
def weigh_closed(
    tables: Tables,
    rules: Row,
    row: Row,
    one: int,
    two: int,
    left_one: int,
    left_two: int,
    points: int,
    weights: Row,
    desk: Row,
) -> int:
    """Note what each discard costs by ``master`` before the opening; how many there are."""
    room = tables[1]
    okey = row[OKEY_KIND]
    stage = min(row[STOCK_COUNT] // row[PLAYERS], STAGES - 1)
    need, pairs_needed = desk[_P_NEED], desk[_P_NEED_PAIRS]
    mine, _ = natural(left_one, left_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    tiles = one & ~(1 << OKEY)
    loose = left_one & ~(1 << OKEY)
    count = 0
    rest = tiles
    while rest:
        tile = first_bit(rest)
        rest &= rest - 1
        place = NOTES + NOTE * count
        desk[place : place + NOTE] = 0
        desk[place + N_TILE] = tile
        if loose >> tile & 1:
            desk[place + N_VALUE] = points
        else:
            less_one, less_two = minus(one, two, 1 << tile, 0)
            desk[place + N_VALUE] = best_points(tables, less_one, less_two, okey)
        count += 1
    if stage:
        _look_ahead(tables, one, two, okey, count, points, need, loose if loose else tiles, desk)
    total = room[ALL]
    melded, spare = fewest_left(tables, one, two, okey)
    for nth in range(count):
        place = NOTES + NOTE * nth
        tile, value = desk[place + N_TILE], desk[place + N_VALUE]
        less_one, less_two = minus(one, two, 1 << tile, 0)
        kind = tile_kind(tile, okey)
        outs = (total if value >= need and stage else desk[place + N_OUTS]) * 1024 // total
        gain = desk[place + N_GAIN] * 64 // total
        desk[place + N_OUTS], desk[place + N_GAIN] = outs, gain
        desk[place + N_NEARLY] = desk[place + N_NEARLY] * 1024 // total
        desk[place + N_FARTHER] = desk[place + N_FARTHER] * 1024 // total
        desk[place + N_FINE] = discard_fine(rules, row, tile)
        if spare >> tile & 1:
            desk[place + N_MELDED] = melded
        else:
            desk[place + N_MELDED] = best_tiles(tables, less_one, less_two, okey)
        cost = desk[place + N_FINE] * _POINT
        cost += weights[_W_LACK + stage] * max(0, need - value)
        cost -= weights[_W_OUTS + stage] * outs
        cost -= weights[_W_GAIN + stage] * gain
        cost -= weights[_W_TILES + stage] * desk[place + N_MELDED]
        if kind >= 0:
            cost += weights[_W_NUMBER + stage] * (kind % 13 + 1)
            if left_one >> tile & 1:
                desk[place + N_NEAR] = near(kind, mine, seen_one, seen_two)
                cost += weights[_W_NEAR + stage] * desk[place + N_NEAR]
            desk[place + N_FED] = _fed(tables, rules, row, kind)
            cost += _feeding(rules, row, kind, desk[place + N_FED], _W_FEED, weights)
        lacking = max(0, pairs_needed - count_pairs(less_one, less_two, okey))
        desk[place + N_LACKING] = lacking
        cost += weights[_W_PAIRS + min(lacking, 3)]
        if stage and lacking <= 1:
            good = pairing(tables, less_one, less_two, okey) if lacking else total
            desk[place + N_PAIR_OUTS] = good * 1024 // total
            cost -= weights[_W_PAIR_OUTS + stage] * desk[place + N_PAIR_OUTS]
        if two >> tile & 1:
            cost += weights[_W_DOUBLE]
            if lacking <= 2:
                cost += weights[_W_DOUBLE + 1]
        desk[place + N_COST] = cost
    return count


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
    desk: Row,
) -> None:
    """Try each tile that may be drawn next: what it brings after each loose discard."""
    room = tables[1]
    kinds, _ = natural(one, two, okey)
    useful = _NUMBERED if copies(one, two, OKEY) == 2 else beside(kinds)
    for kind in range(KINDS + 1):
        at_kind = UNSEEN + (kind if kind < KINDS else OKEY)
        unseen = room[at_kind]
        if not unseen or (kind < KINDS and not useful >> kind & 1):
            continue
        tile = OKEY if kind == KINDS else FALSE_JOKER if kind == okey else kind
        more_one, more_two = plus(one, two, 1 << tile, 0)
        most, spare = left_above(tables, more_one, more_two, okey, points)
        if most <= points:
            continue
        for nth in range(count):
            place = NOTES + NOTE * nth
            value = desk[place + N_VALUE]
            if value >= need or not loose >> desk[place + N_TILE] & 1:
                continue
            after = min(need, most)
            if not spare >> desk[place + N_TILE] & 1:
                less_one, less_two = minus(more_one, more_two, 1 << desk[place + N_TILE], 0)
                after = min(need, points_above(tables, less_one, less_two, okey, value))
            desk[place + N_GAIN] += unseen * (after - value)
            if after >= need:
                desk[place + N_OUTS] += unseen
            elif after >= need - NEAR_OUTS:
                desk[place + N_NEARLY] += unseen
            elif after >= need - FAR:
                desk[place + N_FARTHER] += unseen


@inner
def weigh_opened(
    tables: Tables,
    rules: Row,
    row: Row,
    one: int,
    two: int,
    left_one: int,
    left_two: int,
    points: int,
    weights: Row,
    desk: Row,
) -> int:
    """The same of a seat that has opened."""
    room = tables[1]
    okey = row[OKEY_KIND]
    stage = min(row[STOCK_COUNT] // row[PLAYERS], STAGES - 1)
    paired = row[OPENED + row[TURN]] == PAIRS
    mine, _ = natural(left_one, left_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    melded, spare = fewest_left(tables, one, two, okey)
    count = 0
    held = one & ~(1 << OKEY)
    while held:
        tile = first_bit(held)
        held &= held - 1
        place = NOTES + NOTE * count
        desk[place : place + NOTE] = 0
        less_one, less_two = minus(one, two, 1 << tile, 0)
        desk[place + N_TILE] = tile
        desk[place + N_VALUE] = points
        if not left_one >> tile & 1:
            desk[place + N_VALUE] = best_points(tables, less_one, less_two, okey)
        desk[place + N_MELDED] = melded
        if not spare >> tile & 1:
            desk[place + N_MELDED] = best_tiles(tables, less_one, less_two, okey)
        desk[place + N_FINE] = discard_fine(rules, row, tile)
        cost = desk[place + N_FINE] * _POINT
        kind = tile_kind(tile, okey)
        if kind >= 0:
            number = kind % 13 + 1
            desk[place + N_FED] = _fed(tables, rules, row, kind)
            cost += _feeding(rules, row, kind, desk[place + N_FED], _W_OPEN_FEED, weights)
            if left_one >> tile & 1:
                desk[place + N_NEAR] = near(kind, mine, seen_one, seen_two)
            if paired:
                cost -= weights[_W_PAIRS_NUMBER + stage] * number
                cost += weights[_W_PAIRS_UNSEEN] * room[UNSEEN + kind]
            else:
                cost -= weights[_W_OPEN_NUMBER + stage] * number
                cost += weights[_W_OPEN_NEAR + stage] * desk[place + N_NEAR]
                cost += weights[_W_OPEN_RUNS + stage] * to_runs(row[PLAYABLE], kind)
                cost -= weights[_W_OPEN_MELDS + stage] * desk[place + N_MELDED]
        desk[place + N_COST] = cost
        count += 1
    return count
