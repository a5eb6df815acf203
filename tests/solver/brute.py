"""Racks for the tests, and every arrangement of a small one by plain enumeration."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from conftest import unwrap

Group = tuple[int, ...]
Hand = tuple[int, ...]
"""Sorted tiles: kinds (a false joker as the okey's), and 53 for an okey."""
OKEY = 53
AS = 64


def hand_of(bits: int, okey: int) -> Hand:
    tiles = [tile for tile in range(54) for _ in range(bits >> 2 * tile & 3)]
    return tuple(sorted(okey if tile == 52 else tile for tile in tiles))


def without(hand: Hand, pieces: Sequence[int]) -> Hand | None:
    left = Counter(hand)
    left.subtract(OKEY if piece >= AS else piece for piece in pieces)
    return None if min(left.values(), default=0) < 0 else tuple(sorted(left.elements()))


@cache
def all_groups() -> tuple[Group, ...]:
    """Every set and every run there is, okeys (two at most) as what they stand for."""
    plain = [
        tuple(13 * colour + n for n in range(low, high))
        for colour in range(4)
        for low in range(13)
        for high in range(low + 3, 14)
    ]
    plain += [
        tuple(13 * colour + number for colour in colours)
        for number in range(13)
        for size in (3, 4)
        for colours in combinations(range(4), size)
    ]
    found = []
    for group in plain:
        for okeys in range(3):
            for wild in combinations(group, okeys):
                found.append(tuple(AS + kind if kind in wild else kind for kind in group))
    return tuple(found)


def makeable(hand: Hand) -> list[Group]:
    kinds = set(hand)
    return [
        group
        for group in all_groups()
        if all(piece in kinds or piece >= AS for piece in group)
        and without(hand, group) is not None
    ]


def arrangements(hand: Hand) -> Iterator[tuple[Group, ...]]:
    def go(
        hand: Hand, groups: list[Group], chosen: tuple[Group, ...]
    ) -> Iterator[tuple[Group, ...]]:
        yield chosen
        for place, group in enumerate(groups):
            rest = without(hand, group)
            if rest is not None:
                yield from go(rest, groups[place:], (*chosen, group))

    yield from go(hand, makeable(hand), ())


def key(groups: Sequence[Group], okey: int) -> tuple[object, ...]:
    """What makes an arrangement differ from another: see ``arrangements`` of the solver."""
    used: Counter[tuple[str, int]] = Counter()
    for group in groups:
        shape = "set" if is_set_of(group, okey) else "run"
        for piece in group:
            piece = okey if piece == 52 else piece
            wild_in_set = shape == "set" and piece >= AS
            used[shape, 100 + (piece & 63) % 13 if wild_in_set else piece] += 1
    return tuple(sorted(used.items()))


def is_set_of(group: Group, okey: int) -> bool:
    return len({(okey if piece == 52 else piece & 63) % 13 for piece in group}) == 1


Table = tuple[tuple[str, int, int, int], ...]


def lay(place: tuple[str, int, int, int], tile: int) -> Iterator[tuple[str, int, int, int]]:
    """The place after a tile (53: an okey) has been laid on it, in every way that is legal."""
    shape, first, second, third = place
    if shape == "run":
        if second > 1 and tile in (OKEY, 13 * first + second - 2):
            yield shape, first, second - 1, third
        if third < 13 and tile in (OKEY, 13 * first + third):
            yield shape, first, second, third + 1
    elif shape == "set" and (
        tile == OKEY or (tile % 13 == first - 1 and not second >> tile // 13 & 1)
    ):
        yield "full", 0, 0, 0


def reachable(hand: Hand, table: Table, *, melds: bool, pairs: bool) -> set[Hand]:
    """Every hand that can be left by laying tiles one by one and putting groups down."""
    groups = makeable(hand) if melds else []
    seen = {(hand, table)}
    todo = [(hand, table)]
    while todo:
        hand, table = todo.pop()
        following: list[tuple[Hand, Table]] = []
        for tile in set(hand):
            rest = unwrap(without(hand, [tile]))
            for index, place in enumerate(table):
                following += [
                    (rest, (*table[:index], after, *table[index + 1 :]))
                    for after in lay(place, tile)
                ]
            if pairs:
                for other in {tile, OKEY}:
                    after_pair = without(rest, [other])
                    if after_pair is not None:
                        following.append((after_pair, table))
        for group in groups:
            after_group = without(hand, group)
            if after_group is not None:
                following.append((after_group, table))
        for state in following:
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return {hand for hand, _ in seen}


def points_left(hand: Hand) -> int:
    return sum(101 if tile == OKEY else tile % 13 + 1 for tile in hand)


class Position(NamedTuple):
    """A packed rack and the okey's kind."""

    bits: int
    okey: int


def draw(rng: random.Random, size: int, okeys: int, colours: int = 4) -> Position:
    """A rack of ``size`` tiles from that many colours, ``okeys`` of them okeys."""
    okey = rng.randrange(52)
    chosen = rng.sample(range(4), colours)
    kinds = [kind for kind in range(52) if kind // 13 in chosen and kind != okey]
    deck = [*kinds, *kinds]
    if okey // 13 in chosen:
        deck += [52, 52]
    tiles = rng.sample(deck, min(size - okeys, len(deck)))
    return Position(sum(1 << 2 * tile for tile in tiles) + (okeys << 106), okey)


def counts(position: Position) -> list[int]:
    """Natural tiles by kind, false jokers as the okey's."""
    held = [position.bits >> 2 * kind & 3 for kind in range(52)]
    held[position.okey] += position.bits >> 104 & 3
    return held
