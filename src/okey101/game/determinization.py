"""From a view back to a deal: the tiles that a seat doesn't see, dealt anew.

Whoever took a discard or drew the indicator has shown by it that something can be done with it
(U2, E4); a hand drawn for that seat has to do it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from okey101.errors import checked
from okey101.game.deal import Deal
from okey101.game.deal_parts import Opened
from okey101.game.duties import duty_met
from okey101.game.layoffs import lay_offs, may_lay_off, may_lay_pairs
from okey101.game.openings import melds_of, pairs_of
from okey101.game.public import OpenSide
from okey101.game.view import View
from okey101.melds import Form, Group, tile_of_piece
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    OKEY,
    PackedRack,
    bits_of_tiles,
    count_bits,
    holds_bits,
    size_of_bits,
    tiles_of_bits,
    union_bits,
)

_TRIES = 100
"""Arrangements thrown away before a hand is built that does its duty."""
_BUILDS = 200
"""Tries at putting a hand together before giving up."""


def determinize(view: View, rng: random.Random | int) -> Deal:
    """Deal the hidden tiles of a view anew: one of the deals that it could be a view of.

    Every hand keeps the tiles that it is known to hold. A seat that owes something in the running
    turn (U2, E4) gets tiles to do it with. If the stock of a position is shorter than a dealt one,
    the missing tiles stay out. A spectator's view deals all hands. The arrangements of the hidden
    tiles are equally likely, unless what a seat owes is so rare that its hand has to be put
    together. Nothing is inferred from play: that is up to the caller. ``rng`` is a source of
    randomness or a number to seed one.

    >>> from okey101 import Deal, view_of
    >>> deal = Deal.start("pagat", seed=7)
    >>> view = view_of(deal, seat=0)
    >>> view_of(determinize(view, 1), seat=0) == view
    True
    """
    public = checked(view, View).public
    if not isinstance(rng, random.Random):
        rng = random.Random(checked(rng, int, "random.Random"))
    hands = _deal_anew(view, rng)
    if public.turn != view.seat:
        for _ in range(_TRIES):
            if duty_met(public, hands[public.turn]):
                break
            hands = _deal_anew(view, rng)
        else:
            hands = _deal_anew(view, rng, duty=True)
    return Deal.amid(public, hands[: public.players], hands[public.players :], view.drawn)


def _deal_anew(view: View, rng: random.Random, *, duty: bool = False) -> tuple[int, ...]:
    """Every hand as a packed rack, then the stock; ``duty`` builds the hand that owes."""
    public = view.public
    hands = list(public.known)
    pool = view.unseen
    for seat, known in enumerate(hands):
        if seat == view.seat:
            hands[seat] = view.hand or 0
        else:
            pool -= known
    if duty:
        turn = public.turn
        built = _hand_for_duty(public, hands[turn], pool, public.sizes[turn], rng)
        if built is not None:
            pool -= built - hands[turn]
            hands[turn] = built
    tiles = tiles_of_bits(pool)
    rng.shuffle(tiles)
    for seat, hand in enumerate(hands):
        missing = public.sizes[seat] - size_of_bits(hand)
        if missing:
            hands[seat] = hand + bits_of_tiles(tiles[:missing])
            del tiles[:missing]
    return (*hands, *tiles[: public.stock_count])


def _hand_for_duty(
    public: OpenSide, known: PackedRack, pool: PackedRack, size: int, rng: random.Random
) -> PackedRack | None:
    """A hand that holds ``known`` and does its duty, the rest from ``pool``; None if none is found.

    Packed racks; ``size`` counts the tiles of the whole hand.
    """
    opened = public.opened[public.turn]
    source = known + pool
    plain = source & ~(3 << 2 * OKEY)
    forms: list[list[Group]] = []
    if opened is not Opened.PAIRS:
        forms.append([*melds_of(plain, public.okey)])
    if opened is None or may_lay_pairs(public, opened):
        forms.append([*pairs_of(plain, public.okey)])
    for _ in range(_BUILDS):
        groups = rng.choice([form for form in forms if form] or [[]])
        rng.shuffle(groups)
        hand = _built(public, groups, known, source, size, rng)
        if hand is not None and duty_met(public, hand):
            return hand
    return None


def _built(
    public: OpenSide, groups: list[Group], known: PackedRack, source: PackedRack, size: int,
    rng: random.Random,
) -> int | None:  # fmt: skip
    """Put groups and lay-offs together, those of known tiles first, and fill up at random."""
    table = public.table
    hand = 0
    needs = list(_first_needs(public, groups, source)) if public.taken_waits else []
    if needs:
        hand = rng.choice(needs)
    most = size - 1 if public.must_finish else rng.randint(1, size - 1)
    opened = public.opened[public.turn] is not None
    for group in groups:
        more = hand + group.bits
        if size_of_bits(more) > most or size_of_bits(union_bits(more, known)) > size:
            continue
        if holds_bits(source - hand, group.bits) and rng.random() < 0.7:
            hand = more
            opened = True
    before = public.opened[public.turn]
    opening = public.new_opening or before is None
    lays_off = may_lay_off(public, before or Opened.MELDS, opening=opening)
    while opened and lays_off and public.must_finish and size_of_bits(hand) < most:
        fits = [
            (piece, index)
            for piece, index in lay_offs(table, source - hand, public.okey)
            if size_of_bits(union_bits(hand + BITS_OF[tile_of_piece(piece)], known)) <= size
        ]
        if not fits:
            break
        piece, index = rng.choice(fits)
        hand += BITS_OF[tile_of_piece(piece)]
        table = (*table[:index], table[index].extended(piece), *table[index + 1 :])
    hand = union_bits(hand, known)
    rest = tiles_of_bits(source - hand)
    rng.shuffle(rest)
    missing = size - size_of_bits(hand)
    if not 0 <= missing <= len(rest):
        return None
    return hand + sum(BITS_OF[tile] for tile in rest[:missing])


def _first_needs(public: OpenSide, groups: list[Group], source: PackedRack) -> Iterator[int]:
    """Tiles that give the taken discard a use: a group with it, or a bridge from a run to it."""
    taken = public.taken
    assert taken is not None
    for group in groups:
        if count_bits(group.bits, taken):
            yield group.bits
    kind = public.okey if taken == FALSE_JOKER else taken
    opened = public.opened[public.turn]
    if opened is None or not may_lay_off(public, opened, opening=public.new_opening):
        return
    assert kind is not None  # in a riziko deal nobody has a false joker (R8)
    for group in public.table:
        if group.form is Form.RUN and group.colour == kind // 13:
            number = kind % 13 + 1
            first = kind - number + 1
            ends = (number + 1, group.low) if number < group.low else (group.high + 1, number)
            gap = (first + n - 1 for n in range(*ends))
            bits = BITS_OF[taken] + sum(
                BITS_OF[FALSE_JOKER if tile == public.okey else tile] for tile in gap
            )
            if holds_bits(source, bits):
                yield bits
