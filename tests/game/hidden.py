"""Other deals that one seat can't tell from the one it plays in."""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from okey101.game import Announce, Deal, Draw, Meld, apply
from okey101.melds import tile_of_piece
from okey101.tiles import bits_of_tiles, count_bits, tiles_of_bits

Place: TypeAlias = "tuple[int, int]"
"""Where a tile was at first: a seat and a place in its hand, or -1 and a place in the stock."""
Held: TypeAlias = "list[tuple[int, Place | None]]"
"""A hand as tiles with their places; None for a tile that has been seen since."""


def _owners(states: Sequence[Deal]) -> list[Held]:
    """Each hand of the last state with the places its tiles came from."""
    dealt = states[0].layout
    hands: list[Held] = [
        [(tile, (seat, i)) for i, tile in enumerate(tiles_of_bits(hand))]
        for seat, hand in enumerate(dealt.hands)
    ]
    for before, after in pairwise(states):
        seat = before.turn
        action = after.public.actions[-1][1]
        old, new = before.hands[seat], after.hands[seat]
        for tile in range(54):
            change = count_bits(new, tile) - count_bits(old, tile)
            for _ in range(change):
                drawn = isinstance(action, Draw)
                at = len(dealt.stock) - before.public.stock_count
                hands[seat].append((tile, (-1, at) if drawn else None))
            for _ in range(-change):
                known = (tile, None)
                gone = next(e for e in hands[seat] if e[0] == tile)
                hands[seat].remove(known if known in hands[seat] else gone)
        if isinstance(action, Announce):
            _show(hands[seat], (after.public.setup.indicator,))
        elif isinstance(action, Meld) and old == new:
            _show(hands[seat], [tile_of_piece(p) for pieces in action.pieces for p in pieces])
    return hands


def _show(hand: Held, tiles: Iterable[int]) -> None:
    """A short opening, or the indicator's twin: so many of each tile have now been seen."""
    for tile, count in Counter(tiles).items():
        seen = hand.count((tile, None))
        for entry in [e for e in hand if e[0] == tile and e[1] is not None][: max(0, count - seen)]:
            hand[hand.index(entry)] = (tile, None)


def other_deal(states: Sequence[Deal], seat: int | None, rng: random.Random) -> Deal:
    """The first state of a deal that differs only in tiles the seat has not seen till the last."""
    last = states[-1]
    dealt = last.layout
    tiles: dict[Place, int] = {(-1, i): tile for i, tile in enumerate(dealt.stock)}
    for owner, hand in enumerate(dealt.hands):
        tiles |= {(owner, i): tile for i, tile in enumerate(tiles_of_bits(hand))}
    drawn = len(dealt.stock) - last.public.stock_count
    hidden = [(-1, i) for i in range(drawn, len(dealt.stock))]
    for owner, held in enumerate(_owners(states)):
        if owner == seat:
            continue
        for tile, _ in held:
            assert count_bits(last.public.known[owner], tile) <= held.count((tile, None))
        hidden += [place for _, place in held if place is not None]
    values = [tiles[place] for place in hidden]
    rng.shuffle(values)
    tiles |= dict(zip(hidden, values, strict=True))
    hands = tuple(
        bits_of_tiles(tile for place, tile in tiles.items() if place[0] == owner)
        for owner in range(len(dealt.hands))
    )
    stock = tuple(tiles[-1, i] for i in range(len(dealt.stock)))
    return Deal.start(last.rules, dataclasses.replace(dealt, hands=hands, stock=stock, seed=None))


def replayed(start: Deal, states: Sequence[Deal]) -> list[Deal]:
    """The states of another deal under the same actions; IllegalAction where one is refused."""
    found = [start]
    for seat, action in states[-1].public.actions:
        found.append(apply(found[-1], action, seat))
    return found
