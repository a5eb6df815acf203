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
    SIZES,
    STOCK_COUNT,
    TURN,
)
from okey101.kernel.master import (
    look_around,
    open_to_all,
    to_runs,
)
from okey101.kernel.neural_costs import (
    ALL,
    AT_CHOICES,
    AT_POOL,
    AT_SAMPLES,
    AT_TILES,
    LAY,
    N_COST,
    N_DONE,
    N_FARTHER,
    N_FED,
    N_FINE,
    N_GAIN,
    N_LACKING,
    N_MELDED,
    N_NEAR,
    N_NEARLY,
    N_OUTS,
    N_PAIR_OUTS,
    N_TILE,
    N_VALUE,
    NOTE,
    NOTES,
    STRIDE,
    UNSEEN,
    weigh_closed,
    weigh_opened,
)
from okey101.kernel.openings import needed_pairs, needed_points
from okey101.kernel.piles import pile_tile
from okey101.kernel.solver import best_points, best_tiles, count_pairs, points_above, tiles_above
from okey101.kernel.tables import Tables
from okey101.kernel.throwing import near
from okey101.neural_inputs import (
    CHOICES,
    DRAWN,
    SAMPLES,
    at_choice,
    at_position,
)
from okey101.tiles import FALSE_JOKER, KINDS, OKEY

__all__ = ["describe"]

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


@apart
def describe(
    tables: Tables, rules: Row, row: Row, words: Row, laid: int, weights: Row, desk: Row, most: int
) -> int:
    """Write the choices of the seat to act and their inputs to the desk: how many they are.

    ``laid`` is what it could lay down, told as ``greedy_choice`` tells it, or -1. There is a tile
    that may be thrown; ``most`` discards are described, those that cost ``master`` least.
    """
    seat, okey = row[TURN], row[OKEY_KIND]
    one, two = row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1]
    desk[:NOTES] = 0
    look_around(tables, row, one, two)
    points, left_one, left_two = left_tiles(tables, one, two, okey)
    _of_position(tables, rules, row, one, two, points, words, laid, desk)
    if row[OPENED + seat]:
        tiles = weigh_opened(
            tables, rules, row, one, two, left_one, left_two, points, weights, desk
        )
    else:
        tiles = weigh_closed(
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
            here = NOTES + NOTE * nth
            if not desk[here + N_DONE] and (
                place < 0 or desk[here + N_COST] < desk[place + N_COST]
            ):
                place = here
        if place < 0 or count - (laid >= 0) == most:
            break
        desk[place + N_DONE] = 1
        if count == (laid >= 0):
            first = desk[place + N_COST]
        desk[AT_TILES + count] = desk[place + N_TILE]
        at_this = AT_CHOICES + STRIDE * count
        desk[at_this + _C_COST] = min(_MOST_COST, (desk[place + N_COST] - first) // 100)
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
    desk[_P_UNSEEN] = room[ALL]
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
    desk[_P_UNSEEN_OKEYS] = room[UNSEEN + OKEY]
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
    tile = desk[place + N_TILE]
    less_one, less_two = minus(one, two, 1 << tile, 0)
    value = desk[place + N_VALUE]
    if row[OPENED + row[TURN]] == 0:
        desk[at_this + _C_LACK] = max(0, desk[_P_NEED] - value)
        if desk[place + N_LACKING] < 3:
            desk[at_this + _C_PAIRS + desk[place + N_LACKING]] = 1
    desk[at_this + _C_VALUE] = value
    desk[at_this + _C_OUTS] = desk[place + N_OUTS]
    desk[at_this + _C_GAIN] = desk[place + N_GAIN]
    desk[at_this + _C_NEAR_OUTS] = desk[place + N_NEARLY]
    desk[at_this + _C_FAR_OUTS] = desk[place + N_FARTHER]
    desk[at_this + _C_TILES] = desk[place + N_MELDED]
    desk[at_this + _C_NEAR] = desk[place + N_NEAR]
    is_loose = left_one >> tile & 1
    desk[at_this + _C_LOOSE] = is_loose
    desk[at_this + _C_PAIR_OUTS] = desk[place + N_PAIR_OUTS]
    desk[at_this + _C_DOUBLE] = two >> tile & 1
    desk[at_this + _C_FEED] = desk[place + N_FED]
    desk[at_this + _C_FINE] = desk[place + N_FINE]
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
    desk[at_this + _C_ALIKE] = room[UNSEEN + kind]
    for step in range(-3, 4):
        if step == 0 or not 0 <= number + step <= 12:
            continue
        other = kind + step
        wide = step + 3 if step < 0 else step + 2
        desk[at_this + _C_OWN + wide] = (kinds_one >> other & 1) + (kinds_two >> other & 1)
        if -3 < step < 3:
            desk[at_this + _C_OWN_UNSEEN + wide - 1] = room[UNSEEN + other]
            desk[at_this + _C_OWN_LOOSE + wide - 1] = mine >> other & 1
            far = 0 if -2 < step < 2 else 1
            desk[at_this + _C_RUNS + far] += playable >> other & 1
    for colour in range(4):
        if colour == kind // 13:
            continue
        other = 13 * colour + number
        desk[at_this + _C_SAME] += kinds_one >> other & 1
        desk[at_this + _C_SAME + 1] += kinds_two >> other & 1
        desk[at_this + _C_SAME_UNSEEN] += room[UNSEEN + other]
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
        for _ in range(room[UNSEEN + kind]):
            desk[AT_POOL + count] = FALSE_JOKER if kind == okey else kind
            count += 1
    for _ in range(room[UNSEEN + OKEY]):
        desk[AT_POOL + count] = OKEY
        count += 1
    if count < DRAWN:
        return 0
    state, found = 1, 0
    while True:
        for place in range(count - 1, 0, -1):
            state = (state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
            other = (state >> 8) % (place + 1)
            held = desk[AT_POOL + place]
            desk[AT_POOL + place], desk[AT_POOL + other] = desk[AT_POOL + other], held
        for start in range(0, count - DRAWN + 1, DRAWN):
            for nth in range(DRAWN):
                desk[AT_SAMPLES + DRAWN * found + nth] = desk[AT_POOL + start + nth]
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
    rest_one, rest_two = minus(one, two, 1 << desk[place + N_TILE], 0)
    before = min(need, desk[place + N_VALUE])
    for sample in range(SAMPLES):
        more_one, more_two = rest_one, rest_two
        points, melded = before, desk[place + N_MELDED]
        for part in range(2):
            for nth in range(DRAWN // 2):
                tile = desk[AT_SAMPLES + DRAWN * sample + DRAWN // 2 * part + nth]
                more_one, more_two = plus(more_one, more_two, 1 << tile, 0)
            if opened:
                melded = tiles_above(tables, more_one, more_two, okey, melded)
                desk[at_this + _C_SOON_GAIN + part] += melded
                continue
            if points < need:
                points = min(need, points_above(tables, more_one, more_two, okey, points))
            desk[at_this + _C_SOON_GAIN + part] += points - before
            if points >= need:
                desk[at_this + _C_SOON + part] += 1
            if count_pairs(more_one, more_two, okey) >= pairs:
                desk[at_this + _C_SOON_PAIRS + part] += 1
