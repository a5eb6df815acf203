"""What a hand can still do, found by trying everything: slow, and without the judge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from okey101.errors import IllegalAction
from okey101.game import Deal, Opened
from okey101.melds import ANY, AS, Form, Group, make_group, tile_of_piece
from okey101.tiles import BITS_OF, OKEY, tiles_of_bits

__all__ = ["State", "groups_in", "openings", "reachable"]

State = tuple[tuple[Group, ...], int]
"""The groups on the table, and a packed hand."""


def made(pieces: tuple[int, ...], okey: int | None) -> Group | None:
    try:
        return make_group(pieces, okey)
    except IllegalAction:
        return None


def groups_in(hand: int, okey: int | None, *, pairs: bool) -> set[Group]:
    """Every set and run, or every pair, in a small hand."""
    tiles = tiles_of_bits(hand)
    found = set()
    for size in (2,) if pairs else range(3, min(len(tiles), 7) + 1):
        for chosen in set(combinations(tiles, size)):
            natural = [t for t in chosen if t != OKEY]
            for okeys in product(stands(natural, okey), repeat=size - len(natural)):
                group = made((*natural, *okeys), okey)
                if group is not None:
                    found.add(group)
    return found


def stands(natural: list[int], okey: int | None) -> list[int]:
    """What an okey beside these tiles may stand for: any tile of their colours or numbers."""
    kinds = {okey if t >= 52 and okey is not None else t for t in natural} or {0}
    colours, numbers = {k // 13 for k in kinds}, {k % 13 for k in kinds}
    pieces = [AS + k for k in range(52) if k // 13 in colours or k % 13 in numbers]
    return pieces + [ANY + n + 1 for n in numbers]


def moves(
    state: State, opened: Opened, okey: int | None, *, swaps: bool, lays: bool, both: bool
) -> Iterator[State]:
    """Every state after one more meld, pair, lay-off or swap; a tile has to be left."""
    table, hand = state
    groups = groups_in(hand, okey, pairs=opened is Opened.PAIRS)
    if both and any(len(group) == 2 for group in table):
        groups |= groups_in(hand, okey, pairs=True)
    for group in groups:
        if group.bits != hand:
            yield (*table, group), hand - group.bits
    for index, group in enumerate(table):
        for tile in set(tiles_of_bits(hand)):
            left = hand - BITS_OF[tile]
            changed: list[tuple[Group | None, int]] = []
            if lays and left and group.form is not Form.PAIR:
                pieces = [tile] if tile != OKEY else stands(list(group.pieces[:1]), okey)
                if tile == OKEY:
                    pieces = [AS + k for k in range(52)]
                changed += [(made((*group.pieces, p), okey), left) for p in pieces]
            if swaps and tile != OKEY:
                changed.append((swapped(group, tile, okey), left + BITS_OF[OKEY]))
            for after, rest in changed:
                if after is not None:
                    yield (*table[:index], after, *table[index + 1 :]), rest


def swapped(group: Group, tile: int, okey: int | None) -> Group | None:
    """The group with the real tile for an okey that certainly stands for it (X2)."""
    kind = okey if tile == 52 else tile
    for i, piece in enumerate(group.pieces):
        if kind is not None and piece == AS + kind:
            return made((*group.pieces[:i], tile, *group.pieces[i + 1 :]), okey)
    return None


def reachable(
    state: State,
    opened: Opened,
    okey: int | None,
    *,
    swaps: bool = False,
    lays: bool = True,
    both: bool = False,
) -> Iterator[State]:
    """Every state that melds, lay-offs and swaps of one turn can reach, the first one included.

    ``lays``: lay-offs are allowed (X6); ``both``: pairs beside melds, if some lie there (X8).
    """
    seen = {state}
    queue = [state]
    while queue:
        now = queue.pop()
        yield now
        for after in moves(now, opened, okey, swaps=swaps, lays=lays, both=both):
            if after not in seen:
                seen.add(after)
                queue.append(after)


def openings(deal: Deal, hand: int) -> Iterator[tuple[Group, ...]]:
    """Every opening with a taken discard that meets the thresholds of the rules (O1, O2, R17)."""
    rules, okey = deal.rules, deal.public.okey
    for pairs in (False, True):
        # Groups of the same tiles that count and grow alike need no telling apart.
        made_so = {(g.bits, g.accepts, g.points): g for g in groups_in(hand, okey, pairs=pairs)}
        groups = list(made_so.values())
        for chosen, left in disjoint(groups, hand):
            enough = (
                len(chosen) >= rules.open_pairs
                if pairs
                else sum(g.points for g in chosen) >= rules.open_points
            )
            if left and enough:
                yield chosen


def disjoint(groups: list[Group], hand: int) -> Iterator[tuple[tuple[Group, ...], int]]:
    """Every choice of groups that the hand holds together, with what it leaves."""
    for i, group in enumerate(groups):
        tiles = [tile_of_piece(p) for p in group.pieces]
        held = tiles_of_bits(hand)
        if all(held.count(t) >= tiles.count(t) for t in tiles):
            left = hand - group.bits
            yield (group,), left
            for chosen, rest in disjoint(groups[i:], left):
                yield (group, *chosen), rest
