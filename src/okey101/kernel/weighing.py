"""What each discard of ``master`` costs, and what it puts off: written once, for rows and room.

:mod:`okey101.weights.master` tells what is weighed, in thousandths of a point. The bots in plain
Python run this as it is, with the questions of :mod:`okey101.kernel.asked`; the kernel compiles it.
"""

from __future__ import annotations

from okey101.kernel import asked as A, groups as G, layout as L, room as R
from okey101.kernel.plain import Best, Row, Tables, apart, each, first_bit, popcount
from okey101.tiles import FALSE_JOKER, KINDS, OKEY
from okey101.weights.master import STAGES, W
from okey101.weights.neural import FAR, NEAR_OUTS


def spares_partner(rules: Row, row: Row) -> bool:
    """Whether the seat to act had better not finish, if it could: the partner would pay (C1).

    Where a deal that nobody finishes is void (E3), a plain finish is worth 101 points to the team,
    and costs it 202 where the partner has not opened. Opponents who have not opened would pay as
    much; where both have, the deal goes on, until the partner opens or the stock is used up.
    """
    if not rules[L.R_TEAMS] or rules[L.R_EMPTY_STOCK] or rules[L.R_PARTNER_WAIVED]:
        return False
    if row[L.MUST_FINISH]:
        return False
    seat = row[L.TURN]
    if row[L.OPENED + (seat ^ 2)]:
        return False
    return row[L.OPENED + (seat ^ 1)] != 0 and row[L.OPENED + (seat ^ 3)] != 0


_POINT = 1000
_NUMBERED = (1 << KINDS) - 1


def near(kind: int, mine: int, seen_one: int, seen_two: int) -> int:
    """How many unseen tiles would make a meld of this loose tile and another loose one."""
    number = kind % 13
    base = kind - number
    column = G.ONES << number & ~(1 << kind)
    others = mine & column
    # Two places of room below, so that nothing is shifted out; the tile itself is left out.
    held = (mine >> base & 0x1FFF) << 2 >> number & 27
    if not others and not held:
        return 0
    completing = 0
    if others:
        completing = column if others & (others - 1) else column & ~others
    found = 0
    if held & 8:
        found |= 2 | 16
    if held & 16:
        found |= 8
    if held & 2:
        found |= 1 | 8
    if held & 1:
        found |= 2
    completing |= ((found << number >> 2) & 0x1FFF) << base
    return popcount(completing & ~seen_one) + popcount(completing & ~seen_two)


def holds_back(
    tables: Tables, rules: Row, row: Row, one: int, two: int, tile: int, outs: int, pairs: bool,
    weights: Row,
) -> bool:  # fmt: skip
    """Whether to keep an opening for a turn and throw a tile, of so many outs, without a fine."""
    if tile == OKEY or G.discard_fine(rules, row, tile):
        return False
    seat, okey = row[L.TURN], row[L.OKEY_KIND]
    rest_one, rest_two = G.minus(one, two, 1 << tile, 0)
    left = G.rack_size(rest_one, rest_two) - A.best_tiles(tables, rest_one, rest_two, okey)
    others = 0
    for other in range(row[L.PLAYERS]):
        if other != seat and row[L.OPENED + other]:
            others += 1
    first = W.hold_pairs if pairs else W.hold_melds
    value = weights[first] + weights[first + 1] * left
    value += weights[first + 2] * min(row[L.STOCK_COUNT] // row[L.PLAYERS], 5)
    value += weights[first + 3] * others + weights[first + 4] * G.copies(one, two, OKEY)
    value += weights[first + 5] * outs
    return value > 0


@apart
def least_costly(
    tables: Tables, rules: Row, row: Row, one: int, two: int, weights: Row
) -> tuple[int, int]:
    """The tile whose discard costs least, and its outs."""
    if popcount(one) == 1 and not two:
        return first_bit(one), 0
    room = tables[1]
    look_around(tables, row, one, two)
    best = A.left_tiles(tables, one, two, row[L.OKEY_KIND])
    if row[L.OPENED + row[L.TURN]]:
        count = weigh_opened(tables, rules, row, one, two, best, weights)
    else:
        tiles = best[1] & ~(1 << OKEY)
        if not tiles or rules[L.R_TAKEN_DISCARD_FINE]:
            tiles = one & ~(1 << OKEY)
        count = weigh_closed(tables, rules, row, one, two, tiles, best, weights)
    least, chosen, outs = 1 << 60, OKEY, 0
    for place in range(R.NOTES, R.NOTES + R.NOTE * count, R.NOTE):
        if room[place + R.N_COST] < least:
            least, chosen = room[place + R.N_COST], room[place + R.N_TILE]
            outs = room[place + R.N_OUTS]
    return chosen, outs


def open_to_all(row: Row, one: int, two: int) -> tuple[int, int]:
    """The tiles that the seat sees, by kind; okeys aside."""
    seen_one, seen_two = G.plus(row[L.THROWN], row[L.THROWN + 1], one, two)
    if row[L.OKEY_KIND] >= 0:
        seen_one, seen_two = G.plus(seen_one, seen_two, 1 << row[L.INDICATOR], 0)
    return G.natural(seen_one, seen_two, row[L.OKEY_KIND])


def look_around(tables: Tables, row: Row, one: int, two: int) -> None:
    """Count the tiles that the seat doesn't see."""
    room = tables[1]
    seen_one, seen_two = open_to_all(row, one, two)
    thrown = G.copies(row[L.THROWN], row[L.THROWN + 1], OKEY)
    okeys = (2 if row[L.OKEY_KIND] >= 0 else 1) - thrown - G.copies(one, two, OKEY)
    total = okeys
    for kind in range(KINDS):
        count = 2 - (seen_one >> kind & 1) - (seen_two >> kind & 1)
        room[R.UNSEEN + kind] = count
        total += count
    room[R.UNSEEN + OKEY] = okeys
    room[R.ALL] = max(1, total)


def ways_to_meld(tables: Tables, kind: int) -> int:
    """In how many ways two unseen tiles make a meld with this kind."""
    room = tables[1]
    number = kind % 13
    base = R.UNSEEN + kind - number
    # Two of three other colours: half of the square of the sum less the sum of squares.
    total = squares = 0
    for colour in range(4):
        if colour != kind // 13:
            count = room[R.UNSEEN + 13 * colour + number]
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


def _fed(tables: Tables, rules: Row, row: Row, kind: int) -> int:
    """Ways, in 1024ths, in which the next player has a meld or a pair with a discard."""
    seat = row[L.TURN]
    if rules[L.R_PAIRS_DISCARD_PROTECTED] and row[L.OPENED + seat] == L.PAIRS:
        return 0
    after = G.following(row)
    opened, size, total = row[L.OPENED + after], row[L.SIZES + after], tables[1][R.ALL]
    if opened == L.PAIRS:
        alike = tables[1][R.UNSEEN + kind] * size * 1024 // total
        return alike if size > 1 else 0
    if opened == L.MELDS and size < 3:
        return 0
    ways = ways_to_meld(tables, kind) * size * size * 1024 // (total * total)
    return min(1024, ways)


def _feeding(rules: Row, row: Row, kind: int, ways: int, first: int, weights: Row) -> int:
    """What a discard costs by that."""
    first += 2 * row[L.OPENED + G.following(row)]
    fine = rules[L.R_TAKEN_DISCARD_FINE] * (kind % 13 + 1)
    return ways * (weights[first] + weights[first + 1] * fine) >> 6


def _begin_note(room: Row, place: int, tile: int) -> None:
    for at in range(place, place + R.NOTE):
        room[at] = 0
    room[place + R.N_TILE] = tile


def _most_melded(tables: Tables, one: int, two: int, okey: int, best: Best) -> tuple[int, int]:
    """The most tiles that melds hold, and tiles of which one may go without a change.

    Where those of most points hold as many tiles as any, it is what these leave.
    """
    held = G.rack_size(one, two) - G.rack_size(best[1], best[2])
    most = A.tiles_above(tables, one, two, okey, held)
    return most, best[1] if most == held else 0


@apart
def weigh_closed(
    tables: Tables, rules: Row, row: Row, one: int, two: int, tiles: int, best: Best, weights: Row
) -> int:
    """Note what each of the tiles costs to throw before the opening; how many there are."""
    points, left_one, left_two = best
    room = tables[1]
    okey = row[L.OKEY_KIND]
    stage = min(row[L.STOCK_COUNT] // row[L.PLAYERS], STAGES - 1)
    need, pairs_needed = G.needed_points(rules, row), G.needed_pairs(rules, row)
    mine, _ = G.natural(left_one, left_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    loose = left_one & ~(1 << OKEY)
    count = 0
    for tile in each(tiles):
        place = R.NOTES + R.NOTE * count
        _begin_note(room, place, tile)
        if loose >> tile & 1:
            room[place + R.N_VALUE] = points
        else:
            less_one, less_two = G.minus(one, two, 1 << tile, 0)
            room[place + R.N_VALUE] = A.best_points(tables, less_one, less_two, okey)
        count += 1
    if stage:
        _look_ahead(tables, one, two, okey, count, points, need, loose if loose else tiles)
    total = room[R.ALL]
    melded, spare = _most_melded(tables, one, two, okey, best)
    for nth in range(count):
        place = R.NOTES + R.NOTE * nth
        tile, value = room[place + R.N_TILE], room[place + R.N_VALUE]
        less_one, less_two = G.minus(one, two, 1 << tile, 0)
        kind = G.tile_kind(tile, okey)
        outs = (total if value >= need and stage else room[place + R.N_OUTS]) * 1024 // total
        gain = room[place + R.N_GAIN] * 64 // total
        room[place + R.N_OUTS], room[place + R.N_GAIN] = outs, gain
        room[place + R.N_NEARLY] = room[place + R.N_NEARLY] * 1024 // total
        room[place + R.N_FARTHER] = room[place + R.N_FARTHER] * 1024 // total
        room[place + R.N_FINE] = G.discard_fine(rules, row, tile)
        if spare >> tile & 1:
            room[place + R.N_MELDED] = melded
        else:
            room[place + R.N_MELDED] = A.best_tiles(tables, less_one, less_two, okey)
        cost = room[place + R.N_FINE] * _POINT
        cost += weights[W.lack + stage] * max(0, need - value)
        cost -= weights[W.outs + stage] * outs
        cost -= weights[W.gain + stage] * gain
        cost -= weights[W.tiles + stage] * room[place + R.N_MELDED]
        if kind >= 0:
            cost += weights[W.number + stage] * (kind % 13 + 1)
            if left_one >> tile & 1:
                room[place + R.N_NEAR] = near(kind, mine, seen_one, seen_two)
                cost += weights[W.near + stage] * room[place + R.N_NEAR]
            room[place + R.N_FED] = _fed(tables, rules, row, kind)
            cost += _feeding(rules, row, kind, room[place + R.N_FED], W.feed, weights)
        lacking = max(0, pairs_needed - G.count_pairs(less_one, less_two, okey))
        room[place + R.N_LACKING] = lacking
        cost += weights[W.pairs + min(lacking, 3)]
        if stage and lacking <= 1:
            good = pairing(tables, less_one, less_two, okey) if lacking else total
            room[place + R.N_PAIR_OUTS] = good * 1024 // total
            cost -= weights[W.pair_outs + stage] * room[place + R.N_PAIR_OUTS]
        if two >> tile & 1:
            cost += weights[W.double]
            if lacking <= 2:
                cost += weights[W.double + 1]
        room[place + R.N_COST] = cost
    return count


def _look_ahead(
    tables: Tables, one: int, two: int, okey: int, count: int, points: int, need: int, loose: int,
) -> None:  # fmt: skip
    """Try each tile that may be drawn next: what it brings after each loose discard."""
    room = tables[1]
    poor = 0
    for nth in range(count):
        place = R.NOTES + R.NOTE * nth
        if room[place + R.N_VALUE] < need and loose >> room[place + R.N_TILE] & 1:
            room[R.POOR + poor] = place
            poor += 1
    kinds, _, okeys = G.kinds(one, two, okey)
    useful = _NUMBERED if okeys == 2 else beside(kinds)
    for kind in range(KINDS + 1 if poor else 0):
        at_kind = R.UNSEEN + (kind if kind < KINDS else OKEY)
        unseen = room[at_kind]
        if not unseen or (kind < KINDS and not useful >> kind & 1):
            continue
        tile = OKEY if kind == KINDS else FALSE_JOKER if kind == okey else kind
        more_one, more_two = G.plus(one, two, 1 << tile, 0)
        for nth in range(poor):
            place = room[R.POOR + nth]
            room[R.BATCH + 2 * nth] = room[place + R.N_TILE]
            room[R.BATCH + 2 * nth + 1] = room[place + R.N_VALUE]
        if A.values_without(tables, False, more_one, more_two, okey, points, need, poor) <= points:
            continue
        for nth in range(poor):
            place = room[R.POOR + nth]
            after = min(need, room[R.BATCH + 2 * nth + 1])
            room[place + R.N_GAIN] += unseen * (after - room[place + R.N_VALUE])
            if after >= need:
                room[place + R.N_OUTS] += unseen
            elif after >= need - NEAR_OUTS:
                room[place + R.N_NEARLY] += unseen
            elif after >= need - FAR:
                room[place + R.N_FARTHER] += unseen


def beside(kinds: int) -> int:
    """The kinds that may be in a meld with one of these, an okey helping: more is no harm."""
    numbers = kinds | kinds >> 13 | kinds >> 26 | kinds >> 39
    numbers &= 0x1FFF
    found = numbers * G.ONES
    for colour in range(4):
        own = kinds >> 13 * colour & 0x1FFF
        found |= ((own << 1 | own << 2 | own >> 1 | own >> 2) & 0x1FFF) << 13 * colour
    return found


def pairing(tables: Tables, one: int, two: int, okey: int) -> int:
    """How many unseen tiles make one more pair."""
    room = tables[1]
    kinds_one, kinds_two = G.natural(one, two, okey)
    singles = kinds_one & ~kinds_two
    good = room[R.UNSEEN + OKEY] if singles else 0
    for kind in each(singles):
        good += room[R.UNSEEN + kind]
    return good


@apart
def weigh_opened(
    tables: Tables, rules: Row, row: Row, one: int, two: int, best: Best, weights: Row
) -> int:
    """The same of every tile of a seat that has opened."""
    _, left_one, left_two = best
    room = tables[1]
    okey = row[L.OKEY_KIND]
    stage = min(row[L.STOCK_COUNT] // row[L.PLAYERS], STAGES - 1)
    paired = row[L.OPENED + row[L.TURN]] == L.PAIRS
    mine, _ = G.natural(left_one, left_two, okey)
    seen_one, seen_two = open_to_all(row, one, two)
    melded, spare = _most_melded(tables, one, two, okey, best)
    count = 0
    for tile in each(one & ~(1 << OKEY)):
        place = R.NOTES + R.NOTE * count
        _begin_note(room, place, tile)
        room[place + R.N_MELDED] = melded
        if not spare >> tile & 1:
            less_one, less_two = G.minus(one, two, 1 << tile, 0)
            room[place + R.N_MELDED] = A.best_tiles(tables, less_one, less_two, okey)
        room[place + R.N_FINE] = G.discard_fine(rules, row, tile)
        cost = room[place + R.N_FINE] * _POINT
        kind = G.tile_kind(tile, okey)
        if kind >= 0:
            number = kind % 13 + 1
            room[place + R.N_FED] = _fed(tables, rules, row, kind)
            cost += _feeding(rules, row, kind, room[place + R.N_FED], W.open_feed, weights)
            if left_one >> tile & 1:
                room[place + R.N_NEAR] = near(kind, mine, seen_one, seen_two)
            if paired:
                cost -= weights[W.pairs_number + stage] * number
                cost += weights[W.pairs_unseen] * room[R.UNSEEN + kind]
            else:
                cost -= weights[W.open_number + stage] * number
                cost += weights[W.open_near + stage] * room[place + R.N_NEAR]
                cost += weights[W.open_runs + stage] * to_runs(row[L.PLAYABLE], kind)
                cost -= weights[W.open_melds + stage] * room[place + R.N_MELDED]
        room[place + R.N_COST] = cost
        count += 1
    return count


def to_runs(playable: int, kind: int) -> int:
    """How near a kind is to what can be laid off: 3 for a neighbour, 1 for the next but one."""
    number = kind % 13
    around = (playable >> kind - number & 0x1FFF) << 2 >> number
    return (around & 1) + 3 * ((around >> 1 & 1) + (around >> 3 & 1)) + (around >> 4 & 1)
