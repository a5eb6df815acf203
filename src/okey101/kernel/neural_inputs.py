"""The inputs of ``neural``'s networks, compiled: the twin of :mod:`okey101.bots.neural_inputs`.

:mod:`okey101.neural_inputs` names them. They are written to a flat array, the *desk*: those of the
position, those of each choice, the tile of each choice, and room to work.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.arranging import left_tiles
from okey101.kernel.compiling import Row, apart, first_bit, inner, popcount
from okey101.kernel.greedy import COUNT
from okey101.kernel.groups import (
    copies,
    length,
    meld_points,
    minus,
    natural,
    number_sum,
    plus,
    rack_of,
    rack_size,
    tile_kind,
)
from okey101.kernel.layout import (
    A_LAY,
    A_MELD,
    DISCARDS,
    HANDS,
    MELDS,
    N_GROUPS,
    NEW_OPENING,
    OKEY_KIND,
    OP,
    OPENED,
    PAIR,
    PAIRS,
    PILE_WORDS,
    PILES,
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
    look_around,
    open_to_all,
    pairing,
    to_runs,
    ways_to_meld,
)
from okey101.kernel.openings import needed_pairs, needed_points
from okey101.kernel.piles import pile_tile
from okey101.kernel.solver import best_points, best_tiles, count_pairs
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
    at_choice,
    at_position,
)
from okey101.neural_inputs import DISCARDS as MOST_DISCARDS
from okey101.tiles import FALSE_JOKER, KINDS, OKEY

__all__ = ["AT_CHOICES", "AT_ROOM", "AT_TILES", "DESK", "LAY", "STRIDE", "describe"]

STRIDE = 64
"""From the inputs of one choice to those of the next."""
AT_CHOICES = 64
"""Where the inputs of the choices begin; those of the position are before them."""
AT_TILES = AT_CHOICES + STRIDE * CHOICES
"""Where the tile of each choice stands, LAY for laying down."""
LAY = -1
_NOTES = AT_TILES + 16
_N = 16
_TILES = _NOTES + 24 * _N
"""The tiles of the samples: DRAWN for each."""
_POOL = _TILES + SAMPLES * DRAWN
AT_ROOM = _POOL + 112
"""Where the networks work."""
DESK = AT_ROOM + 256
"""Words of a desk."""

# What is noted of each tile before the cheapest are chosen.
_TILE, _COST, _VALUE, _OUTS, _GAIN, _NEARLY, _FARTHER, _MELDED = range(8)
_NEAR, _FED, _LACKING, _PAIR_OUTS, _FINE, _DONE = range(8, 14)

# The room of master's: unseen tiles by kind and all of them.
_UNSEEN = 8400
_ALL = 8454
_POINT = 1000
_MOST_COST = 3000

_P_DRAWS = at_position("draws")
_P_ODD = at_position("odd")
_P_UNSEEN = at_position("unseen")
_P_OTHERS = at_position("others")
_P_OPENED = at_position("opened")
_P_LEAST = at_position("least")
_P_UNSEEN_OKEYS = at_position("unseen_okeys")
_P_OKEYS = at_position("okeys")
_P_NEED = at_position("need")
_P_NEED_PAIRS = at_position("need_pairs")
_P_POINTS = at_position("points")
_P_SIZE = at_position("size")
_P_MELDED = at_position("melded")
_P_PAIRS = at_position("pairs")
_P_SINGLES = at_position("singles")
_P_GROUPS = at_position("groups")
_P_PLAYABLE = at_position("playable")
_P_NUMBERS = at_position("numbers")
_P_LAYS = at_position("lays")
_P_BY_PAIRS = at_position("by_pairs")
_P_PAIRED = at_position("paired")
_P_RIZIKO = at_position("riziko")
_P_NEW_OPENING = at_position("new_opening")

_C_LAY = at_choice("lay")
_C_COST = at_choice("cost")
_C_LACK = at_choice("lack")
_C_VALUE = at_choice("value")
_C_OUTS = at_choice("outs")
_C_GAIN = at_choice("gain")
_C_NEAR_OUTS = at_choice("near_outs")
_C_FAR_OUTS = at_choice("far_outs")
_C_TILES = at_choice("tiles")
_C_NUMBER = at_choice("number")
_C_NEAR = at_choice("near")
_C_LOOSE = at_choice("loose")
_C_PAIRS = at_choice("pairs")
_C_PAIR_OUTS = at_choice("pair_outs")
_C_DOUBLE = at_choice("double")
_C_FEED = at_choice("feed")
_C_FINE = at_choice("fine")
_C_ALIKE = at_choice("alike")
_C_OWN = at_choice("own")
_C_OWN_UNSEEN = at_choice("own_unseen")
_C_SAME = at_choice("same")
_C_SAME_UNSEEN = at_choice("same_unseen")
_C_OWN_LOOSE = at_choice("own_loose")
_C_SAME_LOOSE = at_choice("same_loose")
_C_RUNS = at_choice("runs")
_C_SETS = at_choice("sets")
_C_THREW = at_choice("threw")
_C_HOPE = at_choice("hope")
_C_LEFT = at_choice("left")
_C_FITS = at_choice("fits")
_C_REST_RUNS = at_choice("rest_runs")
_C_BROKEN = at_choice("broken")
_C_LEFT_OKEYS = at_choice("left_okeys")
_C_LAID = at_choice("laid")
_C_SOON = at_choice("soon")
_C_SOON_GAIN = at_choice("soon_gain")
_C_SOON_PAIRS = at_choice("soon_pairs")

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


@apart
def describe(
    tables: Tables, rules: Row, row: Row, words: Row, laid: int, weights: Row, desk: Row
) -> int:
    """Write the choices of the seat to act and their inputs to the desk: how many they are.

    ``laid`` is what it could lay down, told as ``greedy_choice`` tells it, or -1. There is a tile
    that may be thrown.
    """
    seat, okey = row[TURN], row[OKEY_KIND]
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    desk[:_NOTES] = 0
    look_around(tables, row, one, two)
    points, left_one, left_two = left_tiles(tables, one, two, okey)
    _of_position(tables, rules, row, one, two, points, words, laid, desk)
    if row[OPENED + seat]:
        tiles = _weigh_opened(tables, rules, row, one, two, left_one, left_two, weights, desk)
    else:
        tiles = _weigh_closed(
            tables, rules, row, one, two, left_one, left_two, points, weights, desk
        )
    count = 0
    if laid >= 0:
        _of_laying(tables, row, one, two, words, laid, desk)
        count = 1
    samples = 0
    if row[STOCK_COUNT] >= row[PLAYERS] and row[OPENED + seat] != PAIRS:
        samples = _sample(tables, okey, desk)
    first = 0
    while count < CHOICES:
        place = -1
        for nth in range(tiles):
            here = _NOTES + _N * nth
            if not desk[here + _DONE] and (place < 0 or desk[here + _COST] < desk[place + _COST]):
                place = here
        if place < 0 or count - (laid >= 0) == MOST_DISCARDS:
            break
        desk[place + _DONE] = 1
        if count == (laid >= 0):
            first = desk[place + _COST]
        desk[AT_TILES + count] = desk[place + _TILE]
        at_this = AT_CHOICES + STRIDE * count
        desk[at_this + _C_COST] = min(_MOST_COST, (desk[place + _COST] - first) // 100)
        _of_discard(tables, rules, row, one, two, left_one, left_two, points, place, at_this, desk)
        if samples:
            _of_samples(tables, row, one, two, place, at_this, desk)
        count += 1
    return count


@inner
def _of_position(
    tables: Tables,
    rules: Row,
    row: Row,
    one: int,
    two: int,
    points: int,
    words: Row,
    laid: int,
    desk: Row,
) -> None:
    seat, okey, players = row[TURN], row[OKEY_KIND], row[PLAYERS]
    room = tables[1]
    desk[_P_DRAWS + min(5, row[STOCK_COUNT] // players)] = 1
    desk[_P_ODD] = row[STOCK_COUNT] % players
    desk[_P_UNSEEN] = room[_ALL]
    opened, least = 0, 22
    for step in range(1, players):
        other = seat + step if seat + step < players else seat + step - players
        place = _P_OTHERS + 3 * (step - 1)
        how = row[OPENED + other]
        desk[place] = 1 if how == MELDS else 0
        desk[place + 1] = 1 if how == PAIRS else 0
        desk[place + 2] = row[SIZES + other]
        if how:
            opened += 1
            least = min(least, row[SIZES + other])
    desk[_P_OPENED], desk[_P_LEAST] = opened, least
    desk[_P_UNSEEN_OKEYS] = room[_UNSEEN + OKEY]
    desk[_P_OKEYS] = copies(one, two, OKEY)
    desk[_P_NEED], desk[_P_NEED_PAIRS] = needed_points(rules, row), needed_pairs(rules, row)
    desk[_P_POINTS] = points
    desk[_P_SIZE] = rack_size(one, two)
    desk[_P_MELDED] = best_tiles(tables, one, two, okey)
    desk[_P_PAIRS] = count_pairs(one, two, okey)
    kinds_one, kinds_two = natural(one, two, okey)
    desk[_P_SINGLES] = popcount(kinds_one & ~kinds_two)
    desk[_P_GROUPS] = row[N_GROUPS]
    desk[_P_PLAYABLE] = popcount(row[PLAYABLE])
    desk[_P_NUMBERS] = number_sum(kinds_one) + number_sum(kinds_two)
    if laid >= 0:
        desk[_P_LAYS] = 1
        if laid == A_MELD and row[OPENED + seat] == 0 and words[0] & 3 >= PAIR:
            desk[_P_BY_PAIRS] = 1
    desk[_P_PAIRED] = 1 if row[OPENED + seat] == PAIRS else 0
    desk[_P_RIZIKO] = 1 if okey < 0 else 0
    desk[_P_NEW_OPENING] = row[NEW_OPENING]


@inner
def _fed(tables: Tables, rules: Row, row: Row, kind: int) -> int:
    """Ways, in 1024ths, in which the next player has a meld or a pair with a discard."""
    seat = row[TURN]
    if rules[R_PAIRS_DISCARD_PROTECTED] and row[OPENED + seat] == PAIRS:
        return 0
    after = seat + 1 if seat + 1 < row[PLAYERS] else 0
    opened, size, total = row[OPENED + after], row[SIZES + after], tables[1][_ALL]
    if opened == PAIRS:
        return tables[1][_UNSEEN + kind] * size * 1024 // total if size > 1 else 0
    if opened == MELDS and size < 3:
        return 0
    return min(1024, ways_to_meld(tables, kind) * size * size * 1024 // (total * total))


@inner
def _feeding(rules: Row, row: Row, kind: int, ways: int, first: int, weights: Row) -> int:
    """What ``master`` has that cost."""
    after = row[TURN] + 1 if row[TURN] + 1 < row[PLAYERS] else 0
    first += 2 * row[OPENED + after]
    fine = rules[R_TAKEN_DISCARD_FINE] * (kind % 13 + 1)
    return ways * (weights[first] + weights[first + 1] * fine) >> 6  # type: ignore[no-any-return]


@inner
def _weigh_closed(
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
        place = _NOTES + _N * count
        desk[place : place + _N] = 0
        less_one, less_two = minus(one, two, 1 << tile, 0)
        desk[place + _TILE] = tile
        desk[place + _VALUE] = best_points(tables, less_one, less_two, okey)
        count += 1
    if stage:
        _look_ahead(tables, one, two, okey, count, points, need, loose if loose else tiles, desk)
    total = room[_ALL]
    for nth in range(count):
        place = _NOTES + _N * nth
        tile, value = desk[place + _TILE], desk[place + _VALUE]
        less_one, less_two = minus(one, two, 1 << tile, 0)
        kind = tile_kind(tile, okey)
        outs = (total if value >= need and stage else desk[place + _OUTS]) * 1024 // total
        gain = desk[place + _GAIN] * 64 // total
        desk[place + _OUTS], desk[place + _GAIN] = outs, gain
        desk[place + _NEARLY] = desk[place + _NEARLY] * 1024 // total
        desk[place + _FARTHER] = desk[place + _FARTHER] * 1024 // total
        desk[place + _FINE] = discard_fine(rules, row, tile)
        desk[place + _MELDED] = best_tiles(tables, less_one, less_two, okey)
        cost = desk[place + _FINE] * _POINT
        cost += weights[_W_LACK + stage] * max(0, need - value)
        cost -= weights[_W_OUTS + stage] * outs
        cost -= weights[_W_GAIN + stage] * gain
        cost -= weights[_W_TILES + stage] * desk[place + _MELDED]
        if kind >= 0:
            cost += weights[_W_NUMBER + stage] * (kind % 13 + 1)
            if left_one >> tile & 1:
                desk[place + _NEAR] = near(kind, mine, seen_one, seen_two)
                cost += weights[_W_NEAR + stage] * desk[place + _NEAR]
            desk[place + _FED] = _fed(tables, rules, row, kind)
            cost += _feeding(rules, row, kind, desk[place + _FED], _W_FEED, weights)
        lacking = max(0, pairs_needed - count_pairs(less_one, less_two, okey))
        desk[place + _LACKING] = lacking
        cost += weights[_W_PAIRS + min(lacking, 3)]
        if stage and lacking <= 1:
            good = pairing(tables, less_one, less_two, okey) if lacking else total
            desk[place + _PAIR_OUTS] = good * 1024 // total
            cost -= weights[_W_PAIR_OUTS + stage] * desk[place + _PAIR_OUTS]
        if two >> tile & 1:
            cost += weights[_W_DOUBLE]
            if lacking <= 2:
                cost += weights[_W_DOUBLE + 1]
        desk[place + _COST] = cost
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
        at_kind = _UNSEEN + (kind if kind < KINDS else OKEY)
        unseen = room[at_kind]
        if not unseen or (kind < KINDS and not useful >> kind & 1):
            continue
        tile = OKEY if kind == KINDS else FALSE_JOKER if kind == okey else kind
        more_one, more_two = plus(one, two, 1 << tile, 0)
        if best_points(tables, more_one, more_two, okey) <= points:
            continue
        for nth in range(count):
            place = _NOTES + _N * nth
            value = desk[place + _VALUE]
            if value >= need or not loose >> desk[place + _TILE] & 1:
                continue
            less_one, less_two = minus(more_one, more_two, 1 << desk[place + _TILE], 0)
            after = min(need, best_points(tables, less_one, less_two, okey))
            desk[place + _GAIN] += unseen * (after - value)
            if after >= need:
                desk[place + _OUTS] += unseen
            elif after >= need - NEAR_OUTS:
                desk[place + _NEARLY] += unseen
            elif after >= need - FAR:
                desk[place + _FARTHER] += unseen


@inner
def _weigh_opened(
    tables: Tables,
    rules: Row,
    row: Row,
    one: int,
    two: int,
    left_one: int,
    left_two: int,
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
    count = 0
    held = one & ~(1 << OKEY)
    while held:
        tile = first_bit(held)
        held &= held - 1
        place = _NOTES + _N * count
        desk[place : place + _N] = 0
        less_one, less_two = minus(one, two, 1 << tile, 0)
        desk[place + _TILE] = tile
        desk[place + _VALUE] = best_points(tables, less_one, less_two, okey)
        desk[place + _MELDED] = best_tiles(tables, less_one, less_two, okey)
        desk[place + _FINE] = discard_fine(rules, row, tile)
        cost = desk[place + _FINE] * _POINT
        kind = tile_kind(tile, okey)
        if kind >= 0:
            number = kind % 13 + 1
            desk[place + _FED] = _fed(tables, rules, row, kind)
            cost += _feeding(rules, row, kind, desk[place + _FED], _W_OPEN_FEED, weights)
            if left_one >> tile & 1:
                desk[place + _NEAR] = near(kind, mine, seen_one, seen_two)
            if paired:
                cost -= weights[_W_PAIRS_NUMBER + stage] * number
                cost += weights[_W_PAIRS_UNSEEN] * room[_UNSEEN + kind]
            else:
                cost -= weights[_W_OPEN_NUMBER + stage] * number
                cost += weights[_W_OPEN_NEAR + stage] * desk[place + _NEAR]
                cost += weights[_W_OPEN_RUNS + stage] * to_runs(row[PLAYABLE], kind)
                cost -= weights[_W_OPEN_MELDS + stage] * desk[place + _MELDED]
        desk[place + _COST] = cost
        count += 1
    return count


@inner
def _of_rest(row: Row, one: int, two: int, at_this: int, desk: Row) -> None:
    """The inputs of what a choice leaves in the hand."""
    kinds_one, kinds_two = natural(one, two, row[OKEY_KIND])
    desk[at_this + _C_LEFT] = number_sum(kinds_one) + number_sum(kinds_two)
    desk[at_this + _C_LEFT + 1] = rack_size(one, two)
    desk[at_this + _C_FITS] = popcount(kinds_one & row[PLAYABLE])
    desk[at_this + _C_LEFT_OKEYS] = copies(one, two, OKEY)


@inner
def _of_laying(
    tables: Tables, row: Row, one: int, two: int, words: Row, laid: int, desk: Row
) -> None:
    """The inputs of laying down what ``greedy`` would; the first choice."""
    okey = row[OKEY_KIND]
    desk[AT_TILES] = LAY
    at_this = AT_CHOICES
    desk[at_this + _C_LAY] = 1
    if laid & OP == A_LAY:
        one, two = minus(one, two, 1 << (laid >> 4 & 63), 0)
        desk[at_this + _C_LAID] = 1
    elif laid & OP == A_MELD:
        count = words[COUNT] if laid == A_MELD else 1
        for nth in range(count):
            word = words[nth] if laid == A_MELD else laid >> 4
            group_one, group_two = rack_of(word, okey)
            one, two = minus(one, two, group_one, group_two)
            desk[at_this + _C_LAID] += length(word)
            if word & 3 < PAIR:
                desk[at_this + _C_LAID + 1] += meld_points(word)
    _of_rest(row, one, two, at_this, desk)
    desk[at_this + _C_VALUE] = best_points(tables, one, two, okey)
    desk[at_this + _C_TILES] = best_tiles(tables, one, two, okey)


@inner
def _of_discard(
    tables: Tables,
    rules: Row,
    row: Row,
    one: int,
    two: int,
    left_one: int,
    left_two: int,
    points: int,
    place: int,
    at_this: int,
    desk: Row,
) -> None:
    """The inputs of a discard whose costs are noted at ``place``."""
    okey = row[OKEY_KIND]
    tile = desk[place + _TILE]
    less_one, less_two = minus(one, two, 1 << tile, 0)
    value = desk[place + _VALUE]
    if row[OPENED + row[TURN]] == 0:
        desk[at_this + _C_LACK] = max(0, desk[_P_NEED] - value)
        if desk[place + _LACKING] < 3:
            desk[at_this + _C_PAIRS + desk[place + _LACKING]] = 1
    desk[at_this + _C_VALUE] = value
    desk[at_this + _C_OUTS] = desk[place + _OUTS]
    desk[at_this + _C_GAIN] = desk[place + _GAIN]
    desk[at_this + _C_NEAR_OUTS] = desk[place + _NEARLY]
    desk[at_this + _C_FAR_OUTS] = desk[place + _FARTHER]
    desk[at_this + _C_TILES] = desk[place + _MELDED]
    desk[at_this + _C_NEAR] = desk[place + _NEAR]
    is_loose = left_one >> tile & 1
    desk[at_this + _C_LOOSE] = is_loose
    desk[at_this + _C_PAIR_OUTS] = desk[place + _PAIR_OUTS]
    desk[at_this + _C_DOUBLE] = two >> tile & 1
    desk[at_this + _C_FEED] = desk[place + _FED]
    desk[at_this + _C_FINE] = desk[place + _FINE]
    desk[at_this + _C_BROKEN] = points - value
    _of_rest(row, less_one, less_two, at_this, desk)
    mine, _ = natural(left_one, left_two, okey)
    kind = tile_kind(tile, okey)
    if kind >= 0:
        _around(tables, row, one, two, mine, kind, at_this, desk)
        _thrown_by_next(row, kind, at_this, desk)
    if is_loose:
        left_one, left_two = minus(left_one, left_two, 1 << tile, 0)
    _hopes(row, one, two, left_one, left_two, at_this, desk)


@inner
def _around(
    tables: Tables, row: Row, one: int, two: int, mine: int, kind: int, at_this: int, desk: Row
) -> None:
    """What lies around a tile: in the hand, unseen, and on the table."""
    room = tables[1]
    number = kind % 13
    kinds_one, kinds_two = natural(one, two, row[OKEY_KIND])
    playable = row[PLAYABLE]
    desk[at_this + _C_NUMBER] = number + 1
    desk[at_this + _C_ALIKE] = room[_UNSEEN + kind]
    for step in range(-3, 4):
        if step == 0 or not 0 <= number + step <= 12:
            continue
        other = kind + step
        wide = step + 3 if step < 0 else step + 2
        desk[at_this + _C_OWN + wide] = (kinds_one >> other & 1) + (kinds_two >> other & 1)
        if -3 < step < 3:
            desk[at_this + _C_OWN_UNSEEN + wide - 1] = room[_UNSEEN + other]
            desk[at_this + _C_OWN_LOOSE + wide - 1] = mine >> other & 1
            far = 0 if -2 < step < 2 else 1
            desk[at_this + _C_RUNS + far] += playable >> other & 1
    for colour in range(4):
        if colour == kind // 13:
            continue
        other = 13 * colour + number
        desk[at_this + _C_SAME] += kinds_one >> other & 1
        desk[at_this + _C_SAME + 1] += kinds_two >> other & 1
        desk[at_this + _C_SAME_UNSEEN] += room[_UNSEEN + other]
        desk[at_this + _C_SAME_LOOSE] += mine >> other & 1
        desk[at_this + _C_SETS] += playable >> other & 1


@inner
def _thrown_by_next(row: Row, kind: int, at_this: int, desk: Row) -> None:
    """What the next player threw of the like."""
    after = row[TURN] + 1 if row[TURN] + 1 < row[PLAYERS] else 0
    for nth in range(row[PILES + after]):
        other = tile_kind(pile_tile(row, DISCARDS + PILE_WORDS * after, nth), row[OKEY_KIND])
        if other < 0:
            continue
        if other == kind:
            desk[at_this + _C_THREW] += 1
        elif other % 13 == kind % 13:
            desk[at_this + _C_THREW + 1] += 1
        elif other // 13 == kind // 13 and -3 < other - kind < 3:
            desk[at_this + _C_THREW + 2] += 1


@inner
def _hopes(
    row: Row, one: int, two: int, left_one: int, left_two: int, at_this: int, desk: Row
) -> None:
    """What the loose tiles of the rest are good for."""
    seen_one, seen_two = open_to_all(row, one, two)
    mine, twice = natural(left_one, left_two, row[OKEY_KIND])
    desk[at_this + _C_HOPE + 2] = number_sum(mine) + number_sum(twice)
    rest = mine
    while rest:
        kind = first_bit(rest)
        rest &= rest - 1
        found = near(kind, mine, seen_one, seen_two)
        desk[at_this + _C_HOPE] += found
        if not found:
            desk[at_this + _C_HOPE + 1] += 1
        desk[at_this + _C_REST_RUNS] += to_runs(row[PLAYABLE], kind)


@inner
def _sample(tables: Tables, okey: int, desk: Row) -> int:
    """Lay out what may be drawn: the unseen tiles in a random order, again and again."""
    room = tables[1]
    count = 0
    for kind in range(KINDS):
        for _ in range(room[_UNSEEN + kind]):
            desk[_POOL + count] = FALSE_JOKER if kind == okey else kind
            count += 1
    for _ in range(room[_UNSEEN + OKEY]):
        desk[_POOL + count] = OKEY
        count += 1
    if count < DRAWN:
        return 0
    state, found = 1, 0
    while True:
        for place in range(count - 1, 0, -1):
            state = (state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
            other = (state >> 8) % (place + 1)
            held = desk[_POOL + place]
            desk[_POOL + place], desk[_POOL + other] = desk[_POOL + other], held
        for start in range(0, count - DRAWN + 1, DRAWN):
            for nth in range(DRAWN):
                desk[_TILES + DRAWN * found + nth] = desk[_POOL + start + nth]
            found += 1
            if found == SAMPLES:
                return found


@inner
def _of_samples(
    tables: Tables, row: Row, one: int, two: int, place: int, at_this: int, desk: Row
) -> None:
    """What the rest comes to with several tiles more."""
    okey = row[OKEY_KIND]
    opened = row[OPENED + row[TURN]] != 0
    need, pairs = desk[_P_NEED], desk[_P_NEED_PAIRS]
    rest_one, rest_two = minus(one, two, 1 << desk[place + _TILE], 0)
    before = min(need, desk[place + _VALUE])
    for sample in range(SAMPLES):
        more_one, more_two = rest_one, rest_two
        points = 0
        for part in range(2):
            for nth in range(DRAWN // 2):
                tile = desk[_TILES + DRAWN * sample + DRAWN // 2 * part + nth]
                more_one, more_two = plus(more_one, more_two, 1 << tile, 0)
            if opened:
                desk[at_this + _C_SOON_GAIN + part] += best_tiles(tables, more_one, more_two, okey)
                continue
            if points < need:
                points = min(need, best_points(tables, more_one, more_two, okey))
            desk[at_this + _C_SOON_GAIN + part] += points - before
            if points >= need:
                desk[at_this + _C_SOON + part] += 1
            if count_pairs(more_one, more_two, okey) >= pairs:
                desk[at_this + _C_SOON_PAIRS + part] += 1
