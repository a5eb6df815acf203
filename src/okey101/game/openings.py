"""What a hand could lay: every group by itself, and the openings (O1, O2, O4, O6, X1, X5).

All answers are exact and use only what the acting seat sees: the open table and its hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import cast

from okey101.game.deal_parts import Opened
from okey101.game.public import OpenSide
from okey101.game.ruleset import RuleSet
from okey101.melds import ANY, AS, Group, Pieces, make_group, tile_of_piece
from okey101.solver import (
    Arrangement,
    Objective,
    arrange_bits,
    arrangement_of_bits,
    best_value_bits,
    count_pairs_bits,
    reaches_bits,
)
from okey101.solver.tables import COLOUR, COLUMN
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    KINDS,
    OKEY,
    Kind,
    PackedRack,
    TileCode,
    count_bits,
    distinct_bits,
    natural_bits,
    natural_kind,
    size_of_bits,
)

# Every group that a hand could lay by itself.


@lru_cache(maxsize=1 << 14)
def melds_of(hand: PackedRack, okey: Kind | None) -> tuple[Group, ...]:
    """Every set and run in a packed rack, with every way okeys can stand in them.

    Okeys in sets of three appear with each free colour and with the colour left open (R6).
    ``okey`` is the okey's kind.
    """
    return tuple(make_group(pieces, okey) for pieces in _melds(hand, okey))


def _melds(hand: PackedRack, okey: Kind | None) -> Iterator[Pieces]:
    kinds, wild = natural_bits(hand, okey), count_bits(hand, OKEY)
    return chain(_runs(kinds, wild, okey), _sets(kinds, wild, okey))


def meldable(hand: PackedRack, okey: Kind | None, tile: TileCode) -> bool:
    """Whether some set or run of a packed rack, by the okey's kind, has this tile, by its code."""
    near = _melds(_around(hand, okey, tile), okey)
    return any(tile in map(tile_of_piece, pieces) for pieces in near)


@lru_cache(maxsize=1 << 14)
def pairs_of(hand: PackedRack, okey: Kind | None) -> tuple[Group, ...]:
    """Every pair in a packed rack; two okeys are listed once, as the okey's own number.

    ``okey`` is the okey's kind.
    """
    kinds = natural_bits(hand, okey)
    wild = count_bits(hand, OKEY)
    pairs: list[tuple[int, ...]] = []
    for kind in range(KINDS):
        copies = kinds >> 2 * kind & 3
        natural = FALSE_JOKER if kind == okey else kind
        if copies == 2:
            pairs.append((natural, natural))
        if copies and wild:
            pairs.append((natural, AS + kind))
    if wild == 2:
        number = 1 if okey is None else okey % 13 + 1
        pairs.append((ANY + number, ANY + number))
    return tuple(make_group(pieces, okey) for pieces in pairs)


def _runs(kinds: int, wild: int, okey: Kind | None) -> Iterator[tuple[int, ...]]:
    for colour in range(4):
        chunk = kinds >> 26 * colour & 0x3FFFFFF
        present = (chunk | chunk >> 1) & 0x1555555
        if not wild and not present & present >> 2 & present >> 4:
            continue
        for first in range(11):
            if wild or present >> 2 * first & 0b010101 == 0b010101:
                yield from _grow(present, colour * 13, first, (), wild, okey)


def _grow(
    present: int, base: int, number: int, pieces: Pieces, wild: int, okey: Kind | None
) -> Iterator[tuple[int, ...]]:
    """Runs that begin with these pieces and go on at a number counted from 0."""
    if len(pieces) >= 3:
        yield pieces
    if number > 12:
        return
    kind = base + number
    if present >> 2 * number & 1:
        natural = FALSE_JOKER if kind == okey else kind
        yield from _grow(present, base, number + 1, (*pieces, natural), wild, okey)
    if wild:
        yield from _grow(present, base, number + 1, (*pieces, AS + kind), wild - 1, okey)


def _sets(kinds: int, wild: int, okey: Kind | None) -> Iterator[tuple[int, ...]]:
    for number in range(13):
        held = [k for k in range(number, KINDS, 13) if kinds >> 2 * k & 3]
        if len(held) + wild < 3 or not held:
            continue
        for naturals in range(max(1, 3 - wild), len(held) + 1):
            for chosen in combinations(held, naturals):
                tiles = tuple(FALSE_JOKER if k == okey else k for k in chosen)
                free = [k for k in range(number, KINDS, 13) if k not in chosen]
                if naturals >= 4 - wild:
                    yield (*tiles, *(AS + k for k in free))
                if 3 - wild <= naturals <= 3:
                    for okeys in _standing(free, 3 - naturals, number):
                        yield (*tiles, *okeys)


def _standing(free: list[int], okeys: int, number: int) -> Iterator[tuple[int, ...]]:
    """Every way that okeys can fill a set of three: named colours, and open ones."""
    for named in range(okeys + 1):
        for colours in combinations(free, named):
            yield (*(AS + k for k in colours), *(ANY + number + 1,) * (okeys - named))


def open_to_partner(rules: RuleSet, opened: tuple[Opened | None, ...], seat: int) -> bool:
    """Whether a seat's partner has opened for both, so that no threshold is left (X5)."""
    return rules.partner_opens and opened[seat - 2] is not None


def opened_with(public: OpenSide, kind: Opened) -> tuple[Opened | None, ...]:
    """How each seat has opened once the acting seat has, in this way."""
    opened = list(public.opened)
    opened[public.turn] = kind
    return tuple(opened)


def needed_points(public: OpenSide) -> int:
    """Points an opening with melds needs now (O1, X1); 1 where any meld will do (X5)."""
    rules = public.setup.rules
    if open_to_partner(rules, public.opened, public.turn):
        return 1
    if rules.rising and public.high_points:
        return max(rules.open_points, public.high_points + 1)
    return rules.open_points


def needed_pairs(public: OpenSide) -> int:
    """Pairs an opening with pairs needs now (O2, X1: up to seven, X5)."""
    rules = public.setup.rules
    if open_to_partner(rules, public.opened, public.turn):
        return 1
    if rules.rising and public.high_pairs:
        return max(rules.open_pairs, min(7, public.high_pairs + 1))
    return rules.open_pairs


def melds_reach(public: OpenSide, hand: PackedRack, must: TileCode | None, need: int) -> bool:
    """Whether sets and runs worth so much can be laid with a tile left, ``must`` among them.

    ``hand`` is a packed rack, ``must`` a tile's code.
    """
    okey = public.setup.okey
    if not reaches_bits(hand, okey, need):
        return False
    if must is not None and reaches_bits(hand - BITS_OF[must], okey, need):
        found = _forced(hand, okey, must)
        return found is not None and found.points >= need
    # Without the tile the rest falls short, so every way that suffices contains it.
    if not reaches_bits(hand, okey, size_of_bits(hand), Objective.TILES):
        return True
    found = best_melds(public, hand, must)
    return found is not None and found.points >= need


def best_melds(
    public: OpenSide, hand: PackedRack, must: TileCode | None = None
) -> Arrangement | None:
    """The most points in sets and runs with a tile left to discard; None if ``must`` can't be.

    ``hand`` is a packed rack, ``must`` a tile's code.
    """
    okey = public.setup.okey
    if must is None:
        return _arranged(hand, okey, Objective.POINTS)
    return _forced(hand, okey, must)


@lru_cache(maxsize=4096)
def _forced(hand: PackedRack, okey: Kind | None, must: TileCode) -> Arrangement | None:
    """The same with ``must``: some group with that tile, and the best of all the rest.

    Where everything is melded, the tile that stays is the first among those that cost least.
    """
    found = _melding(hand, okey, must)
    if found is None or found.left_bits:
        return found
    best = None
    for tile in distinct_bits(hand):
        less = _melding(hand - BITS_OF[tile], okey, must)
        if less and (best is None or (less.points, less.tiles) > (best.points, best.tiles)):
            best = less
    return None if best is None else arrangement_of_bits(hand, okey, best.pieces)


def _melding(hand: PackedRack, okey: Kind | None, must: TileCode) -> Arrangement | None:
    """The most points with a tile among them; the whole hand may be melded.

    Among ways of equal worth one that has the tile by itself, then the group that counts most,
    then the first by its pieces.
    """
    free = arrange_bits(hand, okey)
    assert free is not None
    if count_bits(free.left_bits, must) < count_bits(hand, must):
        return free
    most = 0
    chosen = None
    for group in _groups_with(hand, okey, must):
        if reaches_bits(hand - group.bits, okey, most + 1 - group.points):
            most = group.points + best_value_bits(hand - group.bits, okey)
            chosen = group
    if chosen is None:
        return None
    rest = arrange_bits(hand - chosen.bits, okey)
    assert rest is not None
    return arrangement_of_bits(hand, okey, (chosen.pieces, *rest.pieces))


def _groups_with(hand: PackedRack, okey: Kind | None, tile: TileCode) -> list[Group]:
    """The sets and runs with this tile, the ones that count most first, then by their pieces.

    Groups of five are enough, for a longer run falls into shorter ones.
    """
    found = [
        group
        for group in melds_of(_around(hand, okey, tile), okey)
        # Each colour an open okey could take is there as well.
        if group.pieces[-1] < ANY and len(group) <= 5 and count_bits(group.bits, tile)
    ]
    return sorted(found, key=lambda group: (-group.points, group.pieces))


def _around(hand: PackedRack, okey: Kind | None, tile: TileCode) -> int:
    """The tiles of a hand that could lie in a group with this one: its colour, and its number."""
    if tile == OKEY:
        return hand
    colour, number = divmod(natural_kind(tile, okey), 13)
    mask = COLOUR << 26 * colour | COLUMN << 2 * number | 3 << 2 * OKEY
    if okey is not None and mask >> 2 * okey & 1:
        mask |= 3 << 2 * FALSE_JOKER
    return hand & mask


@lru_cache(maxsize=4096)
def _arranged(hand: PackedRack, okey: Kind | None, objective: Objective) -> Arrangement | None:
    return arrange_bits(hand, okey, objective, keep=1)


def whole_hand(public: OpenSide, hand: PackedRack) -> Arrangement | None:
    """All of a packed rack but a tile, where that opens: never with a taken discard (O4, R17)."""
    if not public.setup.rules.whole_hand_opens or public.taken is not None:
        return None
    okey = public.setup.okey
    if not reaches_bits(hand, okey, size_of_bits(hand) - 1, Objective.TILES):
        return None
    found = _arranged(hand, okey, Objective.TILES)
    return found if found and found.tiles == size_of_bits(hand) - 1 > 0 else None


def twin_allowed(public: OpenSide, hand: PackedRack) -> TileCode | None:
    """The indicator's twin, if it may stand in an odd pair of the acting seat's opening (O6).

    ``hand`` is a packed rack; the twin is given by its code.
    """
    setup = public.setup
    if public.announced != public.turn or public.opened[public.turn] is not None:
        return None
    return setup.indicator if count_bits(hand, setup.indicator) else None


def best_pairs(public: OpenSide, hand: PackedRack, must: TileCode | None = None) -> int:
    """The most pairs that an opening could lay, with a tile left to discard (O2, O6).

    With ``must``, that tile is among them; 0 if it can't be. ``hand`` is a packed rack,
    ``must`` a tile's code.
    """
    okey = public.setup.okey
    most = pairs_with(hand, okey, must)
    twin = twin_allowed(public, hand)
    if twin is not None:
        rest = hand - BITS_OF[twin]
        for tile in distinct_bits(rest):  # with an okey it is a pair like any other
            wanted = None if must in (twin, tile) else must
            after = rest - BITS_OF[tile]
            if wanted is None:
                most = max(most, 1 + count_pairs_bits(after, okey))
            elif paired := pairs_with(after, okey, wanted):
                most = max(most, 1 + paired)
    return min(most, (size_of_bits(hand) - 1) // 2)


def pairs_with(hand: PackedRack, okey: Kind | None, must: TileCode | None) -> int:
    """The most pairs of a hand, 0 if ``must`` can't be among them.

    ``hand`` is a packed rack, ``okey`` the okey's kind, ``must`` a tile's code.
    """
    alone = must not in (None, OKEY) and not count_bits(hand, OKEY)
    if alone and count_bits(hand, cast("int", must)) < 2:
        return 0
    return count_pairs_bits(hand, okey)


def pick_pairs(
    public: OpenSide, hand: PackedRack, must: TileCode | None, wanted: int
) -> tuple[Pieces, ...]:
    """That many pairs of an unopened hand, as :func:`best_pairs` promised them.

    ``hand`` is a packed rack, ``must`` a tile's code; what comes back are the pieces of each
    pair.
    """
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
    hand: PackedRack, okey: Kind | None, must: TileCode | None, wanted: int
) -> tuple[Pieces, ...] | None:
    """That many pairs with ``must`` among them, or None; okeys stand for the highest tiles."""
    if not wanted:
        return None if must is not None else ()
    if must is not None and not pairs_with(hand, okey, must):
        return None
    tiles = distinct_bits(hand & ~(3 << 2 * OKEY))
    doubles = [(t, t) for t in tiles if count_bits(hand, t) == 2]
    singles = [t for t in tiles if count_bits(hand, t) == 1]
    singles.sort(key=lambda t: (t == must, natural_kind(t, okey) % 13), reverse=True)
    pairs = doubles
    left = count_bits(hand, OKEY)
    while left and singles:
        tile = singles.pop(0)
        pairs.append((tile, AS + natural_kind(tile, okey)))
        left -= 1
    if left == 2:
        number = 1 if okey is None else okey % 13 + 1
        pairs.append((ANY + number, ANY + number))
    elif left == 1 and must == OKEY and pairs:
        pairs[-1] = (pairs[-1][0], AS + natural_kind(pairs[-1][0], okey))
    if must is not None:
        pairs.sort(key=lambda pair: must not in map(tile_of_piece, pair))
    return tuple(pairs[:wanted]) if len(pairs) >= wanted else None


def odd_pairs(hand: PackedRack, okey: Kind | None, twin: TileCode) -> list[Group]:
    """The pairs of the indicator's twin with any other tile (O6).

    ``hand`` is a packed rack, ``okey`` the okey's kind, ``twin`` a tile's code.
    """
    rest = distinct_bits((hand - BITS_OF[twin]) & ~(3 << 2 * OKEY))
    return [make_group((twin, tile), okey, twin) for tile in rest]
