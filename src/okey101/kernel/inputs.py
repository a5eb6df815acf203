"""What the networks of ``neural`` are told, written once, for rows, room and desk.

:mod:`okey101.weights.neural` names the inputs. They are written to a flat array, the *desk*: those
of the position, those of each choice, the tile of each choice, and room to work. The bot in plain
Python runs this as it is, with the questions of :mod:`okey101.kernel.asked`; the kernel compiles
it.
"""

from __future__ import annotations

from okey101.kernel import asked as A, groups as G, layout as L, room as R, weighing as W
from okey101.kernel.plain import Best, Row, Tables, apart, each, popcount
from okey101.tiles import FALSE_JOKER, KINDS, OKEY
from okey101.weights import neural as N
from okey101.weights.neural import C, P

_MOST_COST = 3000


@apart
def describe(
    tables: Tables, rules: Row, row: Row, words: Row, laid: int, weights: Row, desk: Row, most: int
) -> int:
    """Write the choices of the seat to act and their inputs to the desk: how many they are.

    ``laid`` is what it could lay down, told as ``greedy_choice`` tells it, or -1. There is a tile
    that may be thrown; ``most`` discards are described, those that cost ``master`` least.
    """
    seat, okey, room = row[L.TURN], row[L.OKEY_KIND], tables[1]
    one, two = G.hand(row, seat)
    W.look_around(tables, row, one, two)
    best = A.left_tiles(tables, one, two, okey)
    _of_position(tables, rules, row, one, two, best[0], words, laid, desk)
    if row[L.OPENED + seat]:
        tiles = W.weigh_opened(tables, rules, row, one, two, best, weights)
    else:
        held = one & ~(1 << OKEY)
        tiles = W.weigh_closed(tables, rules, row, one, two, held, best, weights)
    count = 0
    if laid >= 0:
        _of_laying(tables, row, one, two, words, laid, desk)
        count = 1
    first = 0
    while count < N.CHOICES:
        place = -1
        for nth in range(tiles):
            here = R.NOTES + R.NOTE * nth
            if not room[here + R.N_DONE] and (
                place < 0 or room[here + R.N_COST] < room[place + R.N_COST]
            ):
                place = here
        if place < 0 or count - (laid >= 0) == most:
            break
        room[place + R.N_DONE] = 1
        if count == (laid >= 0):
            first = room[place + R.N_COST]
        desk[R.AT_TILES + count] = room[place + R.N_TILE]
        at_this = R.AT_CHOICES + R.STRIDE * count
        desk[at_this + C.cost] = min(_MOST_COST, (room[place + R.N_COST] - first) // 100)
        _of_discard(tables, row, one, two, best, place, at_this, desk)
        room[R.CHOICES_AT + count] = place
        count += 1
    if row[L.STOCK_COUNT] >= row[L.PLAYERS] and row[L.OPENED + seat] != L.PAIRS:
        if _sample(tables, okey, desk):
            _of_samples(tables, row, one, two, 1 if laid >= 0 else 0, count, desk)
    return count


def describe_taking(tables: Tables, rules: Row, row: Row, words: Row, desk: Row) -> int:
    """Write what it is to take the discard and what to draw to the desk: two choices.

    The inputs of both are of the hand that can be laid from, before the tile to draw is known.
    """
    seat, okey = row[L.TURN], row[L.OKEY_KIND]
    one, two = G.hand(row, seat)
    tile = G.top_discard(row, G.previous(row))
    W.look_around(tables, row, one, two)
    best = A.left_tiles(tables, one, two, okey)
    _of_position(tables, rules, row, one, two, best[0], words, -1, desk)
    drawing = R.AT_CHOICES + R.STRIDE
    _of_hand(tables, row, one, two, drawing, desk)
    more_one, more_two = G.plus(one, two, 1 << tile, 0)
    _of_hand(tables, row, more_one, more_two, R.AT_CHOICES, desk)
    desk[R.AT_CHOICES + C.lay] = 1
    kind = G.tile_kind(tile, okey)
    if kind >= 0:
        mine, _ = G.natural(best[1], best[2], okey)
        _around(tables, row, one, two, mine, kind, R.AT_CHOICES, desk)
    desk[R.AT_TILES], desk[R.AT_TILES + 1] = R.LAY, R.DRAW
    return 2


def _of_hand(tables: Tables, row: Row, one: int, two: int, at_this: int, desk: Row) -> None:
    """The inputs of a hand of which nothing is laid or thrown yet: what its melds leave."""
    okey = row[L.OKEY_KIND]
    points, left_one, left_two = A.left_tiles(tables, one, two, okey)
    desk[at_this + C.value] = points
    desk[at_this + C.tiles] = A.best_tiles(tables, one, two, okey)
    if row[L.OPENED + row[L.TURN]] == 0:
        desk[at_this + C.lack] = max(0, desk[P.need] - points)
        lacking = desk[P.need_pairs] - G.count_pairs(one, two, okey)
        if lacking < 3:
            desk[at_this + C.pairs + max(0, lacking)] = 1
    _of_rest(row, left_one, left_two, at_this, desk)
    _hopes(row, one, two, left_one, left_two, at_this, desk)


def _of_position(
    tables: Tables, rules: Row, row: Row, one: int, two: int, points: int, words: Row, laid: int,
    desk: Row,
) -> None:  # fmt: skip
    seat, okey, players = row[L.TURN], row[L.OKEY_KIND], row[L.PLAYERS]
    room = tables[1]
    desk[P.draws + min(5, row[L.STOCK_COUNT] // players)] = 1
    desk[P.odd] = row[L.STOCK_COUNT] % players
    desk[P.unseen] = room[R.ALL]
    opened, least = 0, 22
    for step in range(1, players):
        other = seat + step if seat + step < players else seat + step - players
        place = P.others + 3 * (step - 1)
        how = row[L.OPENED + other]
        desk[place] = 1 if how == L.MELDS else 0
        desk[place + 1] = 1 if how == L.PAIRS else 0
        desk[place + 2] = row[L.SIZES + other]
        if how:
            opened += 1
            least = min(least, row[L.SIZES + other])
    desk[P.opened], desk[P.least] = opened, least
    desk[P.unseen_okeys] = room[R.UNSEEN + OKEY]
    desk[P.okeys] = G.copies(one, two, OKEY)
    desk[P.need], desk[P.need_pairs] = G.needed_points(rules, row), G.needed_pairs(rules, row)
    desk[P.points] = points
    desk[P.size] = G.rack_size(one, two)
    desk[P.melded] = A.best_tiles(tables, one, two, okey)
    desk[P.pairs] = G.count_pairs(one, two, okey)
    kinds_one, kinds_two = G.natural(one, two, okey)
    desk[P.singles] = popcount(kinds_one & ~kinds_two)
    desk[P.groups] = row[L.N_GROUPS]
    desk[P.playable] = popcount(row[L.PLAYABLE])
    desk[P.numbers] = G.number_sum(kinds_one) + G.number_sum(kinds_two)
    if laid >= 0:
        desk[P.lays] = 1
        if laid == L.A_MELD and row[L.OPENED + seat] == 0 and words[0] & 3 >= L.PAIR:
            desk[P.by_pairs] = 1
    desk[P.paired] = 1 if row[L.OPENED + seat] == L.PAIRS else 0
    desk[P.riziko] = 1 if okey < 0 else 0
    desk[P.new_opening] = row[L.NEW_OPENING]


def _of_rest(row: Row, one: int, two: int, at_this: int, desk: Row) -> None:
    """The inputs of what a choice leaves in the hand."""
    kinds_one, kinds_two = G.natural(one, two, row[L.OKEY_KIND])
    desk[at_this + C.left] = G.number_sum(kinds_one) + G.number_sum(kinds_two)
    desk[at_this + C.left + 1] = G.rack_size(one, two)
    desk[at_this + C.fits] = popcount(kinds_one & row[L.PLAYABLE])
    desk[at_this + C.left_okeys] = G.copies(one, two, OKEY)


def _of_laying(
    tables: Tables, row: Row, one: int, two: int, words: Row, laid: int, desk: Row
) -> None:
    """The inputs of laying down what ``greedy`` would; the first choice."""
    okey = row[L.OKEY_KIND]
    desk[R.AT_TILES] = R.LAY
    at_this = R.AT_CHOICES
    desk[at_this + C.lay] = 1
    if laid & L.OP == L.A_LAY:
        one, two = G.minus(one, two, 1 << (laid >> 4 & 63), 0)
        desk[at_this + C.laid] = 1
    elif laid & L.OP == L.A_MELD:
        count = words[R.COUNT] if laid == L.A_MELD else 1
        for nth in range(count):
            word = words[nth] if laid == L.A_MELD else laid >> 4
            group_one, group_two = G.rack_of(word, okey)
            one, two = G.minus(one, two, group_one, group_two)
            desk[at_this + C.laid] += G.length(word)
            if word & 3 < L.PAIR:
                desk[at_this + C.laid + 1] += G.meld_points(word)
    _of_rest(row, one, two, at_this, desk)
    desk[at_this + C.value] = A.best_points(tables, one, two, okey)
    desk[at_this + C.tiles] = A.best_tiles(tables, one, two, okey)


def _of_discard(
    tables: Tables, row: Row, one: int, two: int, best: Best, place: int, at_this: int, desk: Row
) -> None:
    """The inputs of a discard whose costs are noted at ``place``."""
    points, left_one, left_two = best
    room = tables[1]
    okey = row[L.OKEY_KIND]
    tile = room[place + R.N_TILE]
    less_one, less_two = G.minus(one, two, 1 << tile, 0)
    value = room[place + R.N_VALUE]
    if row[L.OPENED + row[L.TURN]]:
        if left_one >> tile & 1:
            value = points
        else:
            value = A.best_points(tables, less_one, less_two, okey)
    else:
        desk[at_this + C.lack] = max(0, desk[P.need] - value)
        if room[place + R.N_LACKING] < 3:
            desk[at_this + C.pairs + room[place + R.N_LACKING]] = 1
    desk[at_this + C.value] = value
    desk[at_this + C.outs] = room[place + R.N_OUTS]
    desk[at_this + C.gain] = room[place + R.N_GAIN]
    desk[at_this + C.near_outs] = room[place + R.N_NEARLY]
    desk[at_this + C.far_outs] = room[place + R.N_FARTHER]
    desk[at_this + C.tiles] = room[place + R.N_MELDED]
    desk[at_this + C.near] = room[place + R.N_NEAR]
    is_loose = left_one >> tile & 1
    desk[at_this + C.loose] = is_loose
    desk[at_this + C.pair_outs] = room[place + R.N_PAIR_OUTS]
    desk[at_this + C.double] = two >> tile & 1
    desk[at_this + C.feed] = room[place + R.N_FED]
    desk[at_this + C.fine] = room[place + R.N_FINE]
    desk[at_this + C.broken] = points - value
    _of_rest(row, less_one, less_two, at_this, desk)
    mine, _ = G.natural(left_one, left_two, okey)
    kind = G.tile_kind(tile, okey)
    if kind >= 0:
        _around(tables, row, one, two, mine, kind, at_this, desk)
        _thrown_by_next(row, kind, at_this, desk)
    if is_loose:
        left_one, left_two = G.minus(left_one, left_two, 1 << tile, 0)
    _hopes(row, one, two, left_one, left_two, at_this, desk)


def _around(
    tables: Tables, row: Row, one: int, two: int, mine: int, kind: int, at_this: int, desk: Row
) -> None:
    """What lies around a tile: in the hand, unseen, and on the table."""
    room = tables[1]
    number = kind % 13
    kinds_one, kinds_two = G.natural(one, two, row[L.OKEY_KIND])
    playable = row[L.PLAYABLE]
    desk[at_this + C.number] = number + 1
    desk[at_this + C.alike] = room[R.UNSEEN + kind]
    for step in range(-3, 4):
        if step == 0 or not 0 <= number + step <= 12:
            continue
        other = kind + step
        wide = step + 3 if step < 0 else step + 2
        desk[at_this + C.own + wide] = (kinds_one >> other & 1) + (kinds_two >> other & 1)
        if -3 < step < 3:
            desk[at_this + C.own_unseen + wide - 1] = room[R.UNSEEN + other]
            desk[at_this + C.own_loose + wide - 1] = mine >> other & 1
            far = 0 if -2 < step < 2 else 1
            desk[at_this + C.runs + far] += playable >> other & 1
    for colour in range(4):
        if colour == kind // 13:
            continue
        other = 13 * colour + number
        desk[at_this + C.same] += kinds_one >> other & 1
        desk[at_this + C.same + 1] += kinds_two >> other & 1
        desk[at_this + C.same_unseen] += room[R.UNSEEN + other]
        desk[at_this + C.same_loose] += mine >> other & 1
        desk[at_this + C.sets] += playable >> other & 1


def _thrown_by_next(row: Row, kind: int, at_this: int, desk: Row) -> None:
    """What the next player threw of the like."""
    after = G.following(row)
    for nth in range(row[L.PILES + after]):
        other = G.tile_kind(
            G.pile_tile(row, L.DISCARDS + L.PILE_WORDS * after, nth), row[L.OKEY_KIND]
        )
        if other < 0:
            continue
        if other == kind:
            desk[at_this + C.threw] += 1
        elif other % 13 == kind % 13:
            desk[at_this + C.threw + 1] += 1
        elif other // 13 == kind // 13 and -3 < other - kind < 3:
            desk[at_this + C.threw + 2] += 1


def _hopes(
    row: Row, one: int, two: int, left_one: int, left_two: int, at_this: int, desk: Row
) -> None:
    """What the loose tiles of the rest are good for."""
    seen_one, seen_two = W.open_to_all(row, one, two)
    mine, twice = G.natural(left_one, left_two, row[L.OKEY_KIND])
    desk[at_this + C.hope + 2] = G.number_sum(mine) + G.number_sum(twice)
    for kind in each(mine):
        found = W.near(kind, mine, seen_one, seen_two)
        desk[at_this + C.hope] += found
        if not found:
            desk[at_this + C.hope + 1] += 1
        desk[at_this + C.rest_runs] += W.to_runs(row[L.PLAYABLE], kind)


def _sample(tables: Tables, okey: int, desk: Row) -> int:
    """Lay out what may be drawn: the unseen tiles in a random order, again and again."""
    room = tables[1]
    count = 0
    for kind in range(KINDS):
        for _ in range(room[R.UNSEEN + kind]):
            desk[R.AT_POOL + count] = FALSE_JOKER if kind == okey else kind
            count += 1
    for _ in range(room[R.UNSEEN + OKEY]):
        desk[R.AT_POOL + count] = OKEY
        count += 1
    if count < N.DRAWN:
        return 0
    state, found = 1, 0
    while True:
        for place in range(count - 1, 0, -1):
            state = (state * 1_103_515_245 + 12_345) & 0x7FFF_FFFF
            other = (state >> 8) % (place + 1)
            held = desk[R.AT_POOL + place]
            desk[R.AT_POOL + place], desk[R.AT_POOL + other] = desk[R.AT_POOL + other], held
        for start in range(0, count - N.DRAWN + 1, N.DRAWN):
            for nth in range(N.DRAWN):
                desk[R.AT_SAMPLES + N.DRAWN * found + nth] = desk[R.AT_POOL + start + nth]
            found += 1
            if found == N.SAMPLES:
                return found


def _of_samples(
    tables: Tables, row: Row, one: int, two: int, first: int, count: int, desk: Row
) -> None:
    """What the rest comes to with several tiles more, after each discard from ``first`` on."""
    room = tables[1]
    okey = row[L.OKEY_KIND]
    opened = row[L.OPENED + row[L.TURN]] != 0
    need, pairs = desk[P.need], desk[P.need_pairs]
    value = R.N_MELDED if opened else R.N_VALUE
    for sample in range(N.SAMPLES):
        more_one, more_two = one, two
        for choice in range(first, count):
            found = room[room[R.CHOICES_AT + choice] + value]
            room[R.VALUES + choice] = found if opened else min(need, found)
        for part in range(2):
            for nth in range(N.DRAWN // 2):
                tile = desk[R.AT_SAMPLES + N.DRAWN * sample + N.DRAWN // 2 * part + nth]
                more_one, more_two = G.plus(more_one, more_two, 1 << tile, 0)
            _values_now(tables, opened, more_one, more_two, okey, need, first, count, desk)
            paired = 0 if opened else G.count_pairs(more_one, more_two, okey) - pairs
            for choice in range(first, count):
                at_this = R.AT_CHOICES + R.STRIDE * choice
                now = room[R.VALUES + choice]
                if opened:
                    desk[at_this + C.soon_gain + part] += now
                    continue
                before = min(need, room[room[R.CHOICES_AT + choice] + value])
                desk[at_this + C.soon_gain + part] += now - before
                if now >= need:
                    desk[at_this + C.soon + part] += 1
                if paired == 0:
                    tile = desk[R.AT_TILES + choice]
                    less_one, less_two = G.minus(more_one, more_two, 1 << tile, 0)
                    if G.count_pairs(less_one, less_two, okey) >= pairs:
                        desk[at_this + C.soon_pairs + part] += 1
                elif paired > 0:
                    desk[at_this + C.soon_pairs + part] += 1


def _values_now(
    tables: Tables, opened: bool, one: int, two: int, okey: int, need: int, first: int, count: int,
    desk: Row,
) -> None:  # fmt: skip
    """What the values of the choices are now with tiles more: points up to the need, or tiles."""
    room = tables[1]
    many, least = 0, 1 << 20
    for choice in range(first, count):
        now = room[R.VALUES + choice]
        if opened or now < need:
            room[R.BATCH + 2 * many], room[R.BATCH + 2 * many + 1] = desk[R.AT_TILES + choice], now
            least = min(least, now)
            many += 1
    if not many:
        return
    A.values_without(tables, opened, one, two, okey, least, 1 << 20 if opened else need, many)
    many = 0
    for choice in range(first, count):
        if opened or room[R.VALUES + choice] < need:
            found = room[R.BATCH + 2 * many + 1]
            room[R.VALUES + choice] = found if opened else min(need, found)
            many += 1
