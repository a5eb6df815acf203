"""What a player may put down by the way he opened (M5, X6, X8), and where (O3, X2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from okey101.game.deal_parts import Opened
from okey101.game.public import OpenSide
from okey101.melds import ANY, AS, Form, Group
from okey101.solver import RunPlace, SetPlace
from okey101.tiles import (
    BITS_OF,
    OKEY,
    Kind,
    PackedRack,
    Piece,
    TileCode,
    count_bits,
    distinct_bits,
    natural_kind,
)


def lay_offs(
    table: tuple[Group, ...], hand: PackedRack, okey: Kind | None
) -> Iterator[tuple[Piece, int]]:
    """Every piece of a hand that fits a group, with the group's index from 0 (O3, M4).

    An okey laid on a set of three is given without a colour: the set is full then anyway.
    ``hand`` is a packed rack, ``okey`` the okey's kind.
    """
    kinds = [(t, natural_kind(t, okey)) for t in distinct_bits(hand)]  # an okey's fits nowhere
    wild = count_bits(hand, OKEY)
    for index, group in enumerate(table):
        accepts = group.accepts
        if not accepts:
            continue
        for tile, kind in kinds:
            if accepts >> kind & 1:
                yield tile, index
        if wild and group.form is Form.SET:
            yield ANY + group.low, index
        elif wild:
            if group.low > 1:
                yield AS + group.colour * 13 + group.low - 2, index
            if group.high < 13:
                yield AS + group.colour * 13 + group.high, index


Step: TypeAlias = tuple[tuple[Group, ...], PackedRack, TileCode]
"""What a table and a hand become, and the tile that was laid."""


def swaps(table: tuple[Group, ...], hand: PackedRack) -> Iterator[Step]:
    """Every okey of the table that a tile of the hand, a packed rack, may replace (X2)."""
    for index, group in enumerate(table):
        if not group.bits >> 2 * OKEY:
            continue
        for tile in distinct_bits(hand):
            after = group.reclaimed(tile)
            if after is not None:
                tables = (*table[:index], after, *table[index + 1 :])
                yield tables, hand - BITS_OF[tile] + BITS_OF[OKEY], tile


def settled(table: tuple[Group, ...], hand: PackedRack, okey: Kind | None) -> Iterator[Step]:
    """Every lay-off from a packed rack that settles which kind an okey stands for (X2, J3)."""
    for index, group in enumerate(table):
        if group.pieces[-1] < ANY:  # no okey is open here
            continue
        for tile in distinct_bits(hand):
            if hand != BITS_OF[tile] and group.accepts >> natural_kind(tile, okey) & 1:
                tables = (*table[:index], group.extended(tile), *table[index + 1 :])
                yield tables, hand - BITS_OF[tile], tile


def places_of(table: tuple[Group, ...]) -> list[tuple[RunPlace | SetPlace, int]]:
    """The groups that may take a tile, as the solver reads them, with their index on the table."""
    places: list[tuple[RunPlace | SetPlace, int]] = []
    for index, group in enumerate(table):
        if group.form is Form.RUN:
            places.append((RunPlace("run", group.colour, group.low, group.high), index))
        elif group.accepts:
            free = group.accepts >> group.low - 1
            taken = sum(1 << c for c in range(4) if not free >> 13 * c & 1)
            place = SetPlace("set", group.low, taken, 3 - taken.bit_count())
            places.append((place, index))
    return places


# What a player may put down, by the way he opened (M5, X6, X8).


def may_lay_off(public: OpenSide, opened: Opened, *, opening: bool) -> bool:
    """Whether a player who opened this way may lay off; ``opening``: in the same turn (X6)."""
    rules = public.setup.rules
    if opening and not rules.lay_off_when_opening:
        return False
    return opened is Opened.MELDS or rules.pairs_lay_off == "all"


def may_lay_pairs(public: OpenSide, opened: Opened) -> bool:
    """Whether a player who opened this way may lay pairs now, after the opening (M5, X8)."""
    if opened is Opened.PAIRS:
        return True
    return public.setup.rules.melds_lay_pairs and any(g.form is Form.PAIR for g in public.table)
