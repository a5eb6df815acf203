"""apply(deal, action): the next deal, or IllegalAction and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar, cast

from okey101.errors import checked
from okey101.game import actions as A
from okey101.game.deal_parts import End, Fine, Opened, Phase, Placed, Result
from okey101.game.legality import Ruling, judge
from okey101.game.openings import open_to_partner, opened_with
from okey101.game.public import DealState, Draft
from okey101.game.scoring import finish_factors, score_hands, score_stock, score_void
from okey101.melds import Form, Group, accepted_kinds, tile_of_piece
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    OKEY,
    PackedRack,
    TileCode,
    count_bits,
    tiles_of_bits,
    union_bits,
)

_Deal = TypeVar("_Deal", bound=DealState)
_T = TypeVar("_T")
_Held: TypeAlias = tuple[tuple[PackedRack, ...], TileCode | None]
"""The hands after an action, and the tile drawn in the running turn."""


def apply(deal: _Deal, action: A.Action | str, seat: int | None = None) -> _Deal:
    """Play an action of the seat to act, or its notation, and return the next deal.

    Raises IllegalAction with a code and a rule id; with ``seat`` given, ``not-your-turn`` for
    anybody but the seat to act; NotationError for a text that can't be read; OkeyError
    ``wrong-type`` for what is no deal.

    >>> from okey101 import Deal
    >>> deal = Deal.start("pagat", seed=7)
    >>> after = apply(deal, "discard R4")
    >>> deal.turn, after.turn
    (1, 2)
    """
    ruling = judge(checked(deal, DealState, "deal"), action, seat)
    new = Draft.of(deal.public)
    new.actions = (*new.actions, _noted(new.turn, ruling.action))
    if ruling.fine:
        new.fines = (*new.fines, Fine(new.turn, *ruling.fine))
    hands, drawn = _STEPS[type(ruling.action)](deal, new, ruling, ruling.action)
    return type(deal)(deal.layout, new.seal(), hands, drawn)


def _noted(seat: int, action: A.Action) -> tuple[int, A.Action]:
    """A seat with its action; of those that every deal is full of there is one object each."""
    if type(action) is A.Discard:
        return _DISCARDED[seat][action.tile]
    return _DREW[seat] if type(action) is A.Draw else (seat, action)


_DISCARDED: Final = tuple(tuple((seat, discard) for discard in A.DISCARDS) for seat in range(4))
_DREW: Final = tuple((seat, A.DRAW) for seat in range(4))


def _put(values: tuple[_T, ...], seat: int, value: _T) -> tuple[_T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _resize(new: Draft, change: int) -> None:
    new.sizes = _put(new.sizes, new.turn, new.sizes[new.turn] + change)


def _gain(deal: DealState, new: Draft, tile: TileCode) -> tuple[PackedRack, ...]:
    """The hands once the seat to act has one tile more."""
    _resize(new, 1)
    return _put(deal.hands, new.turn, deal.hands[new.turn] + BITS_OF[tile])


def _lose(deal: DealState, new: Draft, bits: PackedRack, count: int = 1) -> tuple[PackedRack, ...]:
    """The hands once so many tiles have left that of the seat to act."""
    _forget(new, bits)
    _resize(new, -count)
    return _put(deal.hands, new.turn, deal.hands[new.turn] - bits)


def _forget(new: Draft, bits: int) -> None:
    """Tiles that left the hand are no longer known to be in it; a twin may have stayed."""
    known = new.known[new.turn]
    if known:
        for tile in tiles_of_bits(bits):
            if known >> 2 * tile & 3:
                known -= BITS_OF[tile]
        new.known = _put(new.known, new.turn, known)


def _learn(new: Draft, bits: int) -> None:
    """From now on the hand is known to hold at least these tiles."""
    new.known = _put(new.known, new.turn, union_bits(new.known[new.turn], bits))


def _learn_one(new: Draft, tile: int) -> None:
    known = new.known[new.turn]
    if count_bits(known, tile) < 2:
        new.known = _put(new.known, new.turn, known + BITS_OF[tile])


def _draw(deal: DealState, new: Draft, _ruling: Ruling, _action: A.Action) -> _Held:
    stock = deal.layout.stock
    tile = stock[len(stock) - new.stock_count]
    new.stock_count -= 1
    new.phase = Phase.PLAY
    return _gain(deal, new, tile), tile


def _take(deal: DealState, new: Draft, _ruling: Ruling, _action: A.Action) -> _Held:
    thrower = new.previous
    *left, tile = new.discards[thrower]
    new.discards = _put(new.discards, thrower, tuple(left))
    new.taken = tile
    new.phase = Phase.PLAY
    _learn_one(new, tile)
    return _gain(deal, new, tile), None


def _return(deal: DealState, new: Draft, _ruling: Ruling, _action: A.Action) -> _Held:
    tile = cast("int", new.taken)
    _throw(new, new.previous, tile)
    new.taken = None
    new.phase = Phase.MUST_DRAW
    return _lose(deal, new, BITS_OF[tile]), None


def _throw(new: Draft, seat: int, tile: TileCode) -> None:
    new.discards = _put(new.discards, seat, (*new.discards[seat], tile))


def _announce(deal: DealState, new: Draft, _ruling: Ruling, _action: A.Action) -> _Held:
    new.announced = new.turn
    _learn(new, BITS_OF[new.setup.indicator])
    return deal.hands, deal.drawn


def _meld(deal: DealState, new: Draft, ruling: Ruling, _action: A.Meld) -> _Held:
    groups = ruling.groups
    turn = new.turn
    if ruling.short:
        _learn(new, sum(g.bits for g in groups))
        return deal.hands, deal.drawn
    first = len(new.table)
    opening = new.opened[turn] is None
    if opening:
        _open(new, groups)
    else:
        for i, group in enumerate(groups, first):
            _put_down(
                new, *(Placed(tile_of_piece(p), i, group, n) for n, p in enumerate(group.pieces))
            )
    new.table += groups
    new.owners += (turn,) * len(groups)
    new.playable |= accepted_kinds(groups)
    hands = _lose(deal, new, sum(g.bits for g in groups), sum(map(len, groups)))
    if opening and all(o is Opened.PAIRS for o in new.opened):  # the deal stops at once (O7, R4)
        rules = new.setup.rules
        okey_fine = rules.okey_in_hand_fine if rules.all_pairs == "void_but_okeys" else 0
        return _over(new, hands, score_void(hands, End.ALL_PAIRS, okey_fine=okey_fine))
    return hands, deal.drawn


def _over(new: Draft, hands: tuple[int, ...], result: Result) -> _Held:
    new.phase, new.result = Phase.OVER, result
    return hands, None


def _put_down(new: Draft, *tiles: Placed) -> None:
    """Tiles go to the table outside an opening; one taken back before them is free (R18)."""
    new.placed += tiles
    if new.backs < 2:
        new.backs = 0


def _open(new: Draft, groups: tuple[Group, ...]) -> None:
    pairs = groups[0].form is Form.PAIR
    kind = Opened.PAIRS if pairs else Opened.MELDS
    new.opened = opened_with(new, kind)
    new.new_opening = True
    if open_to_partner(new.setup.rules, new.opened, new.turn):
        return
    if pairs:
        new.high_pairs = max(new.high_pairs, len(groups))
    else:
        new.high_points = max(new.high_points, sum(g.points for g in groups))


def _replace_group(new: Draft, index: int, group: Group) -> None:
    new.table = _put(new.table, index, group)
    new.playable = accepted_kinds(new.table)


def _lay(deal: DealState, new: Draft, ruling: Ruling, action: A.Lay) -> _Held:
    tile = tile_of_piece(action.piece)
    index = action.group - 1
    _put_down(new, Placed(tile, index, new.table[index], -1))
    _replace_group(new, index, ruling.groups[0])
    return _lose(deal, new, BITS_OF[tile]), deal.drawn


def _swap(deal: DealState, new: Draft, ruling: Ruling, action: A.Swap) -> _Held:
    index = action.group - 1
    _put_down(new, Placed(action.tile, index, new.table[index], -1, True))
    _replace_group(new, index, ruling.groups[0])
    _forget(new, BITS_OF[action.tile])
    _learn_one(new, OKEY)
    hand = deal.hands[new.turn] - BITS_OF[action.tile] + BITS_OF[OKEY]
    return _put(deal.hands, new.turn, hand), deal.drawn


def _back(deal: DealState, new: Draft, _ruling: Ruling, action: A.Back) -> _Held:
    count = action.count
    turn = new.turn
    hand = deal.hands[turn]
    table, owners = list(new.table), list(new.owners)
    undone, new.placed = new.placed[-count:], new.placed[:-count]
    returned = 0
    for placed in reversed(undone):
        hand += BITS_OF[placed.tile]
        _learn_one(new, placed.tile)  # before an okey goes, which may be this one
        if placed.swapped:
            hand -= BITS_OF[OKEY]
            _forget(new, BITS_OF[OKEY])
        returned += 1 - placed.swapped
        if placed.nth == 0:
            del table[placed.at], owners[placed.at]
        elif placed.nth < 0:
            table[placed.at] = placed.before
    last = undone[0]
    if last.nth > 0:
        table[last.at] = cast("Group", last.restored())
    new.table, new.owners = tuple(table), tuple(owners)
    new.playable = accepted_kinds(new.table)
    _resize(new, returned)
    new.backs += count
    return _put(deal.hands, turn, hand), deal.drawn


def _discard(deal: DealState, new: Draft, _ruling: Ruling, action: A.Discard) -> _Held:
    tile = action.tile
    _fine_thrower(new)
    _throw(new, new.turn, tile)
    hands = _lose(deal, new, BITS_OF[tile])
    if not hands[new.turn]:
        return _finish(new, hands, tile)
    return _next_turn(new, hands)


def _fine_thrower(new: Draft) -> None:
    """Charge the previous seat for a discard that was taken and used (U7), to open (X4, R16)."""
    rules = new.setup.rules
    taken = new.taken
    if taken is None:
        return
    kind = new.setup.okey if taken in (OKEY, FALSE_JOKER) else taken
    if kind is not None and rules.taken_discard_fine:
        points = rules.taken_discard_fine * (kind % 13 + 1)
        new.fines = (*new.fines, Fine(new.previous, "U7", points))
    if new.new_opening and rules.opened_with_fine:
        new.fines = (*new.fines, Fine(new.previous, "X4", rules.opened_with_fine))


def _finish(new: Draft, hands: tuple[int, ...], tile: int) -> _Held:
    """The last tile is discarded: the seat wins (E1)."""
    turn = new.turn
    others = [o for seat, o in enumerate(new.opened) if seat != turn]
    whole = new.new_opening and not any(others)
    pairs, riziko = new.opened[turn] is Opened.PAIRS, new.setup.okey is None
    factors = finish_factors(okey=tile == OKEY, pairs=pairs, whole=whole, riziko=riziko)
    return _over(new, hands, score_hands(new, hands, turn, factors))


def _next_turn(new: Draft, hands: tuple[int, ...]) -> _Held:
    rules = new.setup.rules
    new.turns += 1
    new.turn = (new.turn + 1) % len(new.sizes)
    new.taken = None
    new.placed = ()
    new.backs = 0
    new.new_opening = False
    new.must_finish = False
    if new.stock_count:
        new.phase = Phase.DRAW
    elif rules.last_discard_takeable:
        new.phase = Phase.LAST_DISCARD
    elif rules.indicator_is_last_tile:
        new.phase = Phase.LAST_INDICATOR
    else:
        return _stock_end(new, hands)
    return hands, None


def _stock_end(new: Draft, hands: tuple[int, ...]) -> _Held:
    """Nobody finished before the stock was empty (E2, E3)."""
    return _over(new, hands, score_stock(new, hands))


def _indicator(deal: DealState, new: Draft, _ruling: Ruling, _action: A.Action) -> _Held:
    tile = new.setup.indicator
    new.phase = Phase.PLAY
    new.must_finish = True
    _learn_one(new, tile)
    return _gain(deal, new, tile), tile


_STEPS: dict[type[A.Action], Callable[[DealState, Draft, Ruling, Any], _Held]] = {
    A.Draw: _draw, A.Take: _take, A.Return: _return, A.Announce: _announce, A.Meld: _meld,
    A.Lay: _lay, A.Back: _back, A.Discard: _discard, A.Indicator: _indicator, A.Swap: _swap,
    A.Pass: lambda deal, new, _ruling, _action: _stock_end(new, deal.hands),
}  # fmt: skip
