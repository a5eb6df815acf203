"""The search of :mod:`okey101.solver.search` for racks with two okeys."""

from __future__ import annotations

from okey101.solver.sets import COLUMN, SetOption
from okey101.solver.tables import RunTable
from okey101.tiles import PackedRack

__all__ = ["BEYOND", "PATIENCE", "Chosen", "TooLongError", "search_two"]

Chosen = tuple[SetOption, "Chosen"] | None
"""The set options of the best node, the last first."""


BEYOND = 1 << 40
"""More than any weight."""
PATIENCE = 20_000
"""Nodes after which a search is given up; hands of 22 tiles stay far below."""


class TooLongError(Exception):
    """A search was given up: the rack is for the layered programme."""


def search_two(  # noqa: C901 - calls would cost more than the work
    bits: PackedRack,
    a: int,
    b: int,
    c: int,
    d: int,
    numbers: int,
    table: RunTable,
    floor: int,
    enough: int = BEYOND,
) -> tuple[int, Chosen]:
    """As ``search``, with two okeys; ``a`` to ``d`` index the colours' counts.

    ``bits`` is a packed rack without okeys.
    """
    none = table.none
    one = table.one
    two = table.two
    now = none[a] + none[b] + none[c] + none[d]
    now_1, now_2 = _with_okeys(now, one[a], one[b], one[c], one[d])
    now_2 = max(now_2, now + max(two[a], two[b], two[c], two[d]))
    best = bar = now_2 if now_2 > floor else floor
    chosen: Chosen = None
    if best >= enough:
        return best, chosen
    # What the sets of the lower numbers can weigh with no, one and two okeys.
    sets = table.sets[2]
    levels = []
    rest_0 = rest_1 = rest_2 = 0
    while numbers:
        low = numbers & -numbers
        numbers ^= low
        plain, wild, wilder, options = sets[bits & low * COLUMN]
        levels.append((rest_0, rest_1, rest_2, options))
        rest_2 = max(rest_2 + plain, rest_1 + wild, rest_0 + wilder)
        rest_1 = max(rest_1 + plain, rest_0 + wild)
        rest_0 += plain
    if now_2 + rest_0 <= bar and now_1 + rest_1 <= bar and now + rest_2 <= bar:
        return best, chosen
    stack: list[tuple[int, int, int, int, int, int, int, int, int, int, Chosen]] = [
        (0, 2, now, now_1, now_2, a, b, c, d, len(levels), None)
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
                if left:
                    ga = one[a1]
                    gb = one[b1]
                    gc = one[c1]
                    gd = one[d1]
                    then_1, then_2 = _with_okeys(then, ga, gb, gc, gd)
                    value = then_1
                    reach = then_1 + rest_0
                    if left == 2:
                        both = then + max(two[a1], two[b1], two[c1], two[d1])
                        if both > then_2:
                            then_2 = both
                        value = then_2
                        reach = then_2 + rest_0
                        if then_1 + rest_1 > reach:
                            reach = then_1 + rest_1
                        if then + rest_2 > reach:
                            reach = then + rest_2
                    elif then + rest_1 > reach:
                        reach = then + rest_1
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
