"""The exact search over sets: only they couple the colours, whose runs the tables know.

Depth-first over the numbers that can have a set, from the highest down. Every node is a choice of
sets, completed by the best runs of what is left; a branch is cut when the heaviest sets still to
come, added to the runs as they stand, can't beat the best found.
"""

from __future__ import annotations

from okey101.errors import OkeyError, checked
from okey101.solver.tables import COLOUR, COLUMN, HIGH, LOW, ONES, RunTable, SetOption
from okey101.tiles import BITS_OF, KINDS, NUMBERED, Kind, PackedRack

Chosen = tuple[SetOption, "Chosen"] | None
"""The set options of the best node, the last first."""


BEYOND = 1 << 40
"""More than any weight."""
PATIENCE = 20_000
"""Nodes after which a search is given up; hands of 22 tiles stay far below."""

_Indices = tuple[int, int, int, int]
"""Of the four colours' counts in a run table."""


class TooLongError(Exception):
    """A search was given up: the rack is for the layered programme."""


def _search_wild(  # noqa: C901 - calls would cost more than the work
    bits: PackedRack,
    okeys: int,
    at: _Indices,
    numbers: int,
    table: RunTable,
    floor: int,
    enough: int,
) -> tuple[int, Chosen]:
    a, b, c, d = at
    none = table.none
    one = table.one
    two = table.two
    now = none[a] + none[b] + none[c] + none[d]
    now_1, now_2 = _with_okeys(now, one[a], one[b], one[c], one[d])
    value = now_1
    if okeys == 2:
        value = now_2 = max(now_2, now + max(two[a], two[b], two[c], two[d]))
    best = bar = value if value > floor else floor
    chosen: Chosen = None
    if not numbers or best >= enough:
        return best, chosen
    # What the sets of the lower numbers can weigh with no, one and two okeys.
    sets = table.sets[okeys]
    levels = []
    rest_0 = rest_1 = rest_2 = 0
    while numbers:
        low = numbers & -numbers
        numbers ^= low
        plain, wild, wilder, options = sets[bits & low * COLUMN]
        levels.append((rest_0, rest_1, rest_2, options))
        if okeys == 2:
            rest_2 = max(rest_2 + plain, rest_1 + wild, rest_0 + wilder)
        rest_1 = max(rest_1 + plain, rest_0 + wild)
        rest_0 += plain
    if value + rest_0 <= bar and now + rest_1 <= bar:
        if okeys == 1 or (now_1 + rest_1 <= bar and now + rest_2 <= bar):
            return best, chosen
    stack: list[tuple[int, int, int, int, int, int, int, int, int, int, Chosen]] = [
        (0, okeys, now, now_1, now_2, a, b, c, d, len(levels), None)
    ]
    patience = PATIENCE
    while stack:
        patience -= 1
        if not patience:
            raise TooLongError
        weight, okeys, now, now_1, now_2, a, b, c, d, level, path = stack.pop()
        value = (now, now_1, now_2)[okeys]
        if bar < best == weight + value:
            chosen, bar = path, best
        while level:
            level -= 1
            rest_0, rest_1, rest_2, options = levels[level]
            # The least an option must weigh by the okeys it takes.
            room = bar - weight
            if okeys == 2:
                reach = now_2 + rest_0
                if now_1 + rest_1 > reach:
                    reach = now_1 + rest_1
                if now + rest_2 > reach:
                    reach = now + rest_2
                reach_1 = now_1 + rest_0
                if now + rest_1 > reach_1:
                    reach_1 = now + rest_1
                bounds = (room - reach, room - reach_1, room - now - rest_0)
            elif okeys:
                reach = now_1 + rest_0
                if now + rest_1 > reach:
                    reach = now + rest_1
                bounds = (room - reach, room - now - rest_0, BEYOND)
            else:
                reach = now + rest_0
                bounds = (room - reach, BEYOND, BEYOND)
            beaten = reach <= room
            for option in options:
                more, da, db, dc, dd, used, _, _ = option
                if more <= bounds[used]:
                    if more <= bounds[0]:
                        break
                    continue
                a1 = a - da
                b1 = b - db
                c1 = c - dc
                d1 = d - dd
                value = then = none[a1] + none[b1] + none[c1] + none[d1]
                left = okeys - used
                more += weight
                reach = then + rest_0
                then_1 = then_2 = then
                if left == 1:
                    value = then_1 = then + max(one[a1], one[b1], one[c1], one[d1])
                    reach = then_1 + rest_0
                    if then + rest_1 > reach:
                        reach = then + rest_1
                elif left:
                    then_1, then_2 = _with_okeys(then, one[a1], one[b1], one[c1], one[d1])
                    both = then + max(two[a1], two[b1], two[c1], two[d1])
                    if both > then_2:
                        then_2 = both
                    value = then_2
                    reach = then_2 + rest_0
                    if then_1 + rest_1 > reach:
                        reach = then_1 + rest_1
                    if then + rest_2 > reach:
                        reach = then + rest_2
                if more + value > best:
                    best = more + value
                    if best >= enough:
                        return best, (option, path)
                    bar = best - 1
                if more + reach > bar:
                    stack.append(
                        (more, left, then, then_1, then_2, a1, b1, c1, d1, level, (option, path))
                    )
            if beaten:
                break
    return best, chosen


def _with_okeys(now: int, a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """The best with one okey, and with two in different colours, by what one adds to each."""
    if a < b:
        a, b = b, a
    if c < d:
        c, d = d, c
    if a >= c:
        return now + a, now + a + (b if b > c else c)
    return now + c, now + c + (d if d > a else a)


_LOW = (1 << 14) - 1
_HIGH = (1 << 12) - 1
_EVERY_TILE = sum(BITS_OF)


def checked_natural_bits(bits: PackedRack, okey: Kind | None) -> PackedRack:
    """The numbered part of a packed rack with false jokers as the okey's kind (J2).

    Raises OkeyError ``not-a-rack`` for more than two copies of a tile or an integer that packs
    nothing, ``okey-face-in-rack`` where the okey's own kind has not been written as the okey, and
    ``false-joker-in-riziko`` for a false joker where ``okey`` is None; ``bad-okey`` for an okey
    that is no kind, ``wrong-type`` for what is no integer.
    """
    try:
        if bits & bits >> 1 & _EVERY_TILE or bits >> 108:
            raise OkeyError("not-a-rack", "no packed rack, or more than two copies of a tile")
        natural = bits & NUMBERED
        if okey is None:
            if bits >> 104 & 3:
                message = "in a riziko deal the false joker is the okey"
                raise OkeyError("false-joker-in-riziko", message)
            return natural
        if not 0 <= okey < KINDS:
            raise OkeyError("bad-okey", "the okey is a kind, 0 to 51, or None in a riziko deal")
        if natural >> 2 * okey & 3:
            message = "the okey's own tiles are written as the okey"
            raise OkeyError("okey-face-in-rack", message, okey=okey)
        return natural | (bits >> 104 & 3) << 2 * okey
    except TypeError:
        checked(bits, int, "packed rack")
        checked(okey, int | None, "kind")
        raise


def colour_indices(bits: PackedRack) -> _Indices:
    """The index of each colour's counts in a run table.

    ``bits`` is a packed rack without okeys.
    """
    return (
        LOW[bits & _LOW] + HIGH[bits >> 14 & _HIGH],
        LOW[bits >> 26 & _LOW] + HIGH[bits >> 40 & _HIGH],
        LOW[bits >> 52 & _LOW] + HIGH[bits >> 66 & _HIGH],
        LOW[bits >> 78 & _LOW] + HIGH[bits >> 92],
    )


def search(
    bits: PackedRack, okeys: int, table: RunTable, floor: int = -1, enough: int = BEYOND
) -> tuple[int, Chosen]:
    """The greatest weight of sets and runs in naturals ``bits`` with up to ``okeys`` okeys.

    Returns the weight and the sets that reach it; or ``floor`` and None where nothing beats
    ``floor`` (nor the best without a set). A weight of ``enough`` or more need not be the
    greatest: the first one found is as good. Raises TooLongError for racks that take too many
    nodes. ``bits`` is a packed rack without okeys.
    """
    at = colour_indices(bits)
    held = (bits | bits >> 1) & ONES
    a = held & COLOUR
    b = held >> 26 & COLOUR
    c = held >> 52 & COLOUR
    d = held >> 78
    if okeys == 0:
        numbers = (a & b & (c | d)) | (c & d & (a | b))
        return _search_0(bits, at, numbers, table, floor, enough)
    two = (a & b) | (c & d) | ((a | b) & (c | d))
    numbers = two if okeys == 1 else a | b | c | d
    return _search_wild(bits, okeys, at, numbers, table, floor, enough)


def _search_0(
    bits: PackedRack, at: _Indices, numbers: int, table: RunTable, floor: int, enough: int
) -> tuple[int, Chosen]:
    a, b, c, d = at
    runs = table.none
    now = runs[a] + runs[b] + runs[c] + runs[d]
    best = bar = now if now > floor else floor
    chosen: Chosen = None
    if not numbers or best >= enough:
        return best, chosen
    sets = table.sets[0]
    levels = []
    rest = 0
    while numbers:
        low = numbers & -numbers
        numbers ^= low
        entry = sets[bits & low * COLUMN]
        levels.append((rest, entry[3]))
        rest += entry[0]
    if now + rest <= bar:
        return best, chosen
    stack: list[tuple[int, int, int, int, int, int, int, Chosen]] = [
        (0, now, a, b, c, d, len(levels), None)
    ]
    patience = PATIENCE
    while stack:
        patience -= 1
        if not patience:
            raise TooLongError
        weight, now, a, b, c, d, level, path = stack.pop()
        if bar < best == weight + now:
            chosen, bar = path, best
        while level:
            level -= 1
            rest, options = levels[level]
            bound = bar - now - rest - weight
            for option in options:
                more, da, db, dc, dd, _, _, _ = option
                if more <= bound:
                    break
                a1 = a - da
                b1 = b - db
                c1 = c - dc
                d1 = d - dd
                now1 = runs[a1] + runs[b1] + runs[c1] + runs[d1]
                more += weight
                value = more + now1
                if value > best:
                    best = value
                    if value >= enough:
                        return value, (option, path)
                    bar = value - 1
                    bound = bar - now - rest - weight
                if value + rest > bar:
                    stack.append((more, now1, a1, b1, c1, d1, level, (option, path)))
            if weight + now + rest <= bar:
                break
    return best, chosen
