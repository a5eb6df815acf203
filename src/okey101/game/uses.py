"""What a hand could still do: open, use a taken discard, or finish in this turn.

All answers are exact and take only what the acting seat sees: the open table and its own hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from okey101.game.deal import Opened, Public
from okey101.game.groups import melds_of
from okey101.melds import ANY, AS, Form, Group, make_group, tile_of_piece
from okey101.solver import (
    Arrangement,
    Objective,
    RunPlace,
    SetPlace,
    arrange,
    arrangement_of,
    best_value,
    can_lay_all_but_one,
    count_pairs,
    reaches,
)
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    OKEY,
    count_bits,
    distinct_bits,
    natural_bits,
    size_of_bits,
)

__all__ = [
    "best_melds",
    "best_pairs",
    "can_finish",
    "can_open",
    "can_use",
    "finishing_opening",
    "lay_offs",
    "melds_reach",
    "natural_bits",
    "needed_pairs",
    "needed_points",
    "odd_pairs",
    "pick_pairs",
    "places_of",
    "twin_allowed",
    "whole_hand",
]


def needed_points(public: Public) -> int:
    """Points an opening with melds needs now (O1, X1)."""
    rules = public.setup.rules
    if rules.rising and public.high_points:
        return max(rules.open_points, public.high_points + 1)
    return rules.open_points


def needed_pairs(public: Public) -> int:
    """Pairs an opening with pairs needs now (O2, X1: up to seven)."""
    rules = public.setup.rules
    if rules.rising and public.high_pairs:
        return max(rules.open_pairs, min(7, public.high_pairs + 1))
    return rules.open_pairs


@lru_cache(maxsize=4096)
def _arranged(
    hand: int, okey: int | None, objective: Objective, must: int | None
) -> Arrangement | None:
    return arrange(hand, okey, objective, must=must, keep=1)


def best_melds(public: Public, hand: int, must: int | None = None) -> Arrangement | None:
    """The most points in sets and runs with a tile left to discard; None if ``must`` can't be."""
    okey = public.setup.okey
    if must is None:
        return _arranged(hand, okey, Objective.POINTS, None)
    return _forced(hand, okey, must)


@lru_cache(maxsize=4096)
def _forced(hand: int, okey: int | None, must: int) -> Arrangement | None:
    """The same with ``must``: some group with that tile, and the best of all the rest.

    It gives what the solver gives for a forced tile, sooner.
    """
    free = _arranged(hand, okey, Objective.POINTS, None)
    if free is not None and count_bits(free.left, must) < count_bits(hand, must):
        return free
    most = 0
    chosen = None
    for group in _groups_with(hand, okey, must):
        if reaches(hand - group.bits, okey, most + 1 - group.points):
            most = group.points + best_value(hand - group.bits, okey)
            chosen = group
    if chosen is None:
        return None
    rest = arrange(hand - chosen.bits, okey)
    assert rest is not None
    if not rest.left:
        return _arranged(hand, okey, Objective.POINTS, must)
    return arrangement_of(hand, okey, (chosen.pieces, *rest.groups))


def _groups_with(hand: int, okey: int | None, tile: int) -> list[Group]:
    """The dearest sets and runs of given tiles, this one among them, dearest first.

    Groups of five are enough, for a longer run falls into shorter ones.
    """
    dearest: dict[int, Group] = {}
    for group in melds_of(_around(hand, okey, tile), okey):
        named = group.pieces[-1] < ANY  # each colour an open okey could take is there as well
        if named and len(group) <= 5 and count_bits(group.bits, tile):
            other = dearest.get(group.bits)
            if other is None or group.points > other.points:
                dearest[group.bits] = group
    return sorted(dearest.values(), key=lambda group: -group.points)


def _around(hand: int, okey: int | None, tile: int) -> int:
    """The tiles of a hand that could lie in a group of five with this one."""
    if tile == OKEY:
        return hand
    kind = _natural(tile, okey)
    colour, number = divmod(kind, 13)
    near = range(max(0, number - 4), min(12, number + 4) + 1)
    kinds = [colour * 13 + n for n in near] + [c * 13 + number for c in range(4) if c != colour]
    mask = sum(3 << 2 * k for k in kinds) | 3 << 2 * OKEY
    if okey in kinds:
        mask |= 3 << 2 * FALSE_JOKER
    return hand & mask


def whole_hand(public: Public, hand: int, must: int | None = None) -> Arrangement | None:
    """Sets and runs of all tiles but one, where that opens (O4)."""
    if not public.setup.rules.whole_hand_opens:
        return None
    okey = public.setup.okey
    if not reaches(hand, okey, size_of_bits(hand) - 1, Objective.TILES):
        return None
    found = _arranged(hand, okey, Objective.TILES, must)
    return found if found and found.tiles == size_of_bits(hand) - 1 > 0 else None


def twin_allowed(public: Public, hand: int) -> int | None:
    """The indicator's twin, if it may stand in an odd pair of the acting seat's opening (O6)."""
    setup = public.setup
    if public.announced != public.turn or public.opened[public.turn] is not None:
        return None
    return setup.indicator if count_bits(hand, setup.indicator) else None


def best_pairs(public: Public, hand: int, must: int | None = None) -> int:
    """The most pairs that an opening could lay, with a tile left to discard (O2, O6).

    With ``must``, that tile is among them; 0 if it can't be.
    """
    okey = public.setup.okey
    most = _pairs_with(hand, okey, must)
    twin = twin_allowed(public, hand)
    if twin is not None:
        rest = hand - BITS_OF[twin]
        for tile in distinct_bits(rest & ~(3 << 2 * OKEY)):
            wanted = None if must in (twin, tile) else must
            after = rest - BITS_OF[tile]
            if wanted is None:
                most = max(most, 1 + count_pairs(after, okey))
            elif paired := _pairs_with(after, okey, wanted):
                most = max(most, 1 + paired)
    return min(most, (size_of_bits(hand) - 1) // 2)


def _pairs_with(hand: int, okey: int | None, must: int | None) -> int:
    """The most pairs of a hand, 0 if ``must`` can't be among them."""
    alone = must not in (None, OKEY) and not count_bits(hand, OKEY)
    if alone and count_bits(hand, cast("int", must)) < 2:
        return 0
    return count_pairs(hand, okey)


def can_open(public: Public, hand: int, must: int | None = None) -> bool:
    """Whether the acting seat's hand holds an opening that meets the threshold (O1, O2, O4)."""
    if best_pairs(public, hand, must) >= needed_pairs(public):
        return True
    if melds_reach(public, hand, must, needed_points(public)):
        return True
    return whole_hand(public, hand, must) is not None


def melds_reach(public: Public, hand: int, must: int | None, need: int) -> bool:
    """Whether sets and runs worth so much can be laid with a tile left, ``must`` among them."""
    okey = public.setup.okey
    if not reaches(hand, okey, need):
        return False
    if must is not None and reaches(hand - BITS_OF[must], okey, need):
        found = _forced(hand, okey, must)
        return found is not None and found.points >= need
    # Without the tile it does not reach, so every way to reach has it.
    if not reaches(hand, okey, size_of_bits(hand), Objective.TILES):
        return True
    found = best_melds(public, hand, must)
    return found is not None and found.points >= need


def can_use(public: Public, hand: int, tile: int) -> bool:
    """Whether a taken discard, held in ``hand``, can be put down in this turn (U2, R1)."""
    opened = public.opened[public.turn]
    if opened is None:
        return can_open(public, hand, tile)
    return _opened_can_use(public.table, public.playable, hand, tile, opened, public)


def _opened_can_use(
    table: tuple[Group, ...], playable: int, hand: int, tile: int, opened: Opened, public: Public
) -> bool:
    okey = public.setup.okey
    size = size_of_bits(hand)
    if public.setup.rules.reclaim_okey:
        for index, swapped, after in _swaps(table, hand):
            if swapped == tile:
                return True
            tables = (*table[:index], after, *table[index + 1 :])
            now = hand - BITS_OF[swapped] + BITS_OF[OKEY]
            if _opened_can_use(tables, playable, now, tile, opened, public):
                return True
        for tables, now, laid in _settled(table, hand, okey):
            if laid != tile and _opened_can_use(
                tables, _accepted(tables), now, tile, opened, public
            ):
                return True
    if size < 2:
        return False
    if tile == OKEY:
        if playable:
            return True
    elif playable >> _natural(tile, okey) & 1:
        return True
    if opened is Opened.PAIRS and size >= 3 and _pairs_with(hand, okey, tile):
        return True
    if opened is Opened.MELDS and size >= 4 and _new_meld(hand, okey, tile):
        return True
    return tile != OKEY and any(_chain(group, hand, okey, tile) for group in table)


def _natural(tile: int, okey: int | None) -> int:
    """The kind of a tile that is no okey (J2)."""
    if tile == FALSE_JOKER:
        assert okey is not None
        return okey
    return tile


def _new_meld(hand: int, okey: int | None, tile: int) -> bool:
    """Whether some three tiles of the hand with this one among them are a set or a run."""
    kinds = natural_bits(hand, okey)
    okeys = count_bits(hand, OKEY)
    if tile == OKEY:
        return (okeys > 1 and kinds > 0) or any(_near(kinds, k) for k in distinct_bits(kinds))
    kind = _natural(tile, okey)
    if _colours(kinds, kind % 13) + okeys >= 3:
        return True
    number = kind % 13
    for start in range(max(0, number - 2), min(10, number) + 1):
        first = kind - number + start
        if sum(1 for k in range(first, first + 3) if kinds >> 2 * k & 3) + okeys >= 3:
            return True
    return False


def _colours(kinds: int, number: int) -> int:
    return sum(1 for c in range(4) if kinds >> 2 * (c * 13 + number) & 3)


def _near(kinds: int, kind: int) -> bool:
    """Whether another tile makes a set or run with this kind and one okey."""
    if _colours(kinds, kind % 13) >= 2:
        return True
    return any(kind % 13 + gap <= 12 and kinds >> 2 * (kind + gap) & 3 for gap in (1, 2))


def _chain(group: Group, hand: int, okey: int | None, tile: int) -> bool:
    """Whether tiles of the hand bridge a run of the table to this one, and one is left over."""
    kind = _natural(tile, okey)
    if group.form is not Form.RUN or kind // 13 != group.colour:
        return False
    number = kind % 13 + 1
    if number < group.low:
        bridge = range(kind + 1, kind + group.low - number)
    elif number > group.high:
        bridge = range(kind - (number - group.high) + 1, kind)
    else:
        return False
    kinds = natural_bits(hand, okey)
    missing = sum(1 for k in bridge if not kinds >> 2 * k & 3)
    return missing <= count_bits(hand, OKEY) and size_of_bits(hand) > len(bridge) + 1


def _swaps(table: tuple[Group, ...], hand: int) -> Iterator[tuple[int, int, Group]]:
    """Every okey of the table that a tile of the hand may replace (X2)."""
    for index, group in enumerate(table):
        if not group.bits >> 2 * OKEY:
            continue
        for tile in distinct_bits(hand & ~(3 << 2 * OKEY)):
            after = group.reclaimed(tile)
            if after is not None:
                yield index, tile, after


def _settled(
    table: tuple[Group, ...], hand: int, okey: int | None
) -> Iterator[tuple[tuple[Group, ...], int, int]]:
    """Every lay-off that leaves no doubt what an okey stands for: table, hand and tile (X2, J3)."""
    for index, group in enumerate(table):
        if group.form is not Form.SET or not group.accepts or group.pieces[-1] < ANY:
            continue
        for tile in distinct_bits(hand & ~(3 << 2 * OKEY)):
            if hand != BITS_OF[tile] and group.accepts >> _natural(tile, okey) & 1:
                tables = (*table[:index], group.extended(tile), *table[index + 1 :])
                yield tables, hand - BITS_OF[tile], tile


def _accepted(table: tuple[Group, ...]) -> int:
    mask = 0
    for group in table:
        mask |= group.accepts
    return mask


def can_finish(public: Public, hand: int) -> bool:
    """Whether the acting seat can put down all but one tile and discard that (E4)."""
    opened = public.opened[public.turn]
    return _can_finish(public, public.table, hand, opened)


def _can_finish(public: Public, table: tuple[Group, ...], hand: int, opened: Opened | None) -> bool:
    if size_of_bits(hand) == 1:
        return True
    if opened is not None and public.setup.rules.reclaim_okey:
        for index, tile, after in _swaps(table, hand):
            tables = (*table[:index], after, *table[index + 1 :])
            if _can_finish(public, tables, hand - BITS_OF[tile] + BITS_OF[OKEY], opened):
                return True
        for tables, now, _ in _settled(table, hand, public.setup.okey):
            if _can_finish(public, tables, now, opened):
                return True
    if opened is None:
        return finishing_opening(public, hand) is not None
    return _plan(public, table, hand, melds=opened is Opened.MELDS, pairs=opened is Opened.PAIRS)


def _plan(public: Public, table: tuple[Group, ...], hand: int, *, melds: bool, pairs: bool) -> bool:
    places = places_of(table)
    plan = can_lay_all_but_one(
        hand,
        public.setup.okey,
        [place for place, _ in places],
        allow_melds=melds,
        allow_pairs=pairs,
    )
    return plan is not None


def places_of(table: tuple[Group, ...]) -> list[tuple[RunPlace | SetPlace, int]]:
    """The groups that may take a tile, as the solver reads them, with their index on the table."""
    places: list[tuple[RunPlace | SetPlace, int]] = []
    for index, group in enumerate(table):
        if group.form is Form.RUN:
            places.append((RunPlace("run", group.colour, group.low, group.high), index))
        elif group.accepts:
            free = sum(1 << c for c in range(4) if group.accepts >> (c * 13 + group.low - 1) & 1)
            taken = 15 & ~free
            place = SetPlace("set", group.low, taken, 3 - taken.bit_count())
            places.append((place, index))
    return places


def finishing_opening(public: Public, hand: int) -> tuple[tuple[int, ...], ...] | None:
    """An opening that meets the threshold and lets all the rest but one be laid off (E4, O3)."""
    if twin_allowed(public, hand) is None and not any(
        _plan(public, public.table, hand, melds=not pairs, pairs=pairs) for pairs in (False, True)
    ):
        # Without odd pairs the solver tells at once that nothing ends it, threshold or not.
        return None
    return _search_opening(public, public.table, hand, set())


def _search_opening(
    public: Public, table: tuple[Group, ...], hand: int, seen: set[tuple[int, tuple[Group, ...]]]
) -> tuple[tuple[int, ...], ...] | None:
    """Try every way to set lay-offs aside: what is left must be an opening and one tile."""
    if (hand, table) in seen:
        return None
    seen.add((hand, table))
    size = size_of_bits(hand)
    okey = public.setup.okey
    whole = whole_hand(public, hand) if table == public.table else None
    if whole is not None:
        return whole.groups
    pairs = best_pairs(public, hand)
    enough = reaches(hand, okey, needed_points(public))
    if not enough and pairs < needed_pairs(public):
        return None
    if enough and reaches(hand, okey, size - 1, Objective.TILES):
        melds = _arranged(hand, okey, Objective.TILES_POINTS, None)
        if melds and melds.tiles == size - 1 and melds.points >= needed_points(public):
            return melds.groups
    if pairs >= needed_pairs(public) and 2 * pairs == size - 1:
        return pick_pairs(public, hand, None, pairs)
    for piece, index in lay_offs(table, hand, okey):
        now = hand - BITS_OF[piece if piece < AS else OKEY]
        tables = (*table[:index], table[index].extended(piece), *table[index + 1 :])
        if now:
            found = _search_opening(public, tables, now, seen)
            if found is not None:
                return found
    return None


def pick_pairs(
    public: Public, hand: int, must: int | None, wanted: int
) -> tuple[tuple[int, ...], ...]:
    """That many pairs of an unopened hand, as :func:`best_pairs` promised them."""
    okey = public.setup.okey
    plain = _plain_pairs(hand, okey, must, wanted)
    if plain is not None:
        return plain
    twin = twin_allowed(public, hand)
    assert twin is not None
    for odd in odd_pairs(hand, okey, twin):
        left = None if must is not None and count_bits(odd.bits, must) else must
        plain = _plain_pairs(hand - odd.bits, okey, left, wanted - 1)
        if plain is not None:
            return (odd.pieces, *plain)
    raise AssertionError("best_pairs promised these pairs")


def _plain_pairs(
    hand: int, okey: int | None, must: int | None, wanted: int
) -> tuple[tuple[int, ...], ...] | None:
    """That many pairs with ``must`` among them, or None; okeys stand for the highest tiles."""
    if not wanted:
        return None if must is not None else ()
    if must is not None and not _pairs_with(hand, okey, must):
        return None
    tiles = distinct_bits(hand & ~(3 << 2 * OKEY))
    doubles = [(t, t) for t in tiles if count_bits(hand, t) == 2]
    singles = [t for t in tiles if count_bits(hand, t) == 1]
    singles.sort(key=lambda t: (t == must, _natural(t, okey) % 13), reverse=True)
    pairs = doubles
    for _ in range(count_bits(hand, OKEY)):
        if singles:
            tile = singles.pop(0)
            pairs.append((tile, AS + _natural(tile, okey)))
    left = count_bits(hand, OKEY) - sum(1 for p in pairs if p[1] >= AS)
    if left == 2:
        number = 1 if okey is None else okey % 13 + 1
        pairs.append((ANY + number, ANY + number))
    elif left == 1 and must == OKEY and pairs:
        pairs[-1] = (pairs[-1][0], AS + _natural(pairs[-1][0], okey))
    if must is not None:
        pairs.sort(key=lambda pair: must not in map(tile_of_piece, pair))
    return tuple(pairs[:wanted]) if len(pairs) >= wanted else None


def odd_pairs(hand: int, okey: int | None, twin: int) -> list[Group]:
    """The pairs of the indicator's twin with any other tile (O6)."""
    rest = distinct_bits((hand - BITS_OF[twin]) & ~(3 << 2 * OKEY))
    return [make_group((twin, tile), okey, twin) for tile in rest]


def lay_offs(table: tuple[Group, ...], hand: int, okey: int | None) -> Iterator[tuple[int, int]]:
    """Every piece of a hand that fits a group, with the group's index from 0 (O3, M4).

    An okey laid on a set of three is given without a colour: the set is full then anyway.
    """
    naturals = [(t, _natural(t, okey)) for t in distinct_bits(hand & ~(3 << 2 * OKEY))]
    wild = count_bits(hand, OKEY)
    for index, group in enumerate(table):
        accepts = group.accepts
        if not accepts:
            continue
        for tile, kind in naturals:
            if accepts >> kind & 1:
                yield tile, index
        if wild and group.form is Form.SET:
            yield ANY + group.low, index
        elif wild:
            if group.low > 1:
                yield AS + group.colour * 13 + group.low - 2, index
            if group.high < 13:
                yield AS + group.colour * 13 + group.high, index
