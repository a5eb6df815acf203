"""Short deals: few tiles in the stock, so that little is left to play out."""

from __future__ import annotations

import random

from okey101.bots import make_bot
from okey101.game import (
    Deal,
    Options,
    Record,
    RuleSet,
    apply,
    deal_from_hands,
    parse_action,
    record_of,
    view_of,
)
from okey101.tiles import OKEY, Rack, Tile, bits_of_tiles

__all__ = ["RICH", "deal_with", "played_on", "record_with", "short_deal", "states_of"]

RICH = "R10 R11 R12 R13 Y11 Y12 Y13 B11 B12 B13 K11 K12 K13 R1 Y3 B5 K7 K2 B2 Y5 R7 K9"
"""22 tiles with more than 150 points, the okey being another one."""


def deal_with(rack: str, stock: int, seed: int = 1, rules: RuleSet | None = None) -> Deal:
    """A deal in which seat 0 starts with these tiles, the others having one less.

    The okey is red 5.
    """
    rules = rules or RuleSet()
    own = Rack.parse(rack, okey=Tile.R5).bits
    rng = random.Random(seed)
    left = [t for t in range(53) for _ in range(2) if t not in (int(Tile.R4), int(Tile.R5))]
    left += [int(Tile.R4), OKEY, OKEY]
    for tile in Rack.from_bits(own):
        left.remove(int(tile))
    rng.shuffle(left)
    size = len(Rack.from_bits(own)) - 1
    hands = [bits_of_tiles(left[size * n : size * (n + 1)]) for n in range(3)]
    layout = deal_from_hands(
        rules,
        indicator=int(Tile.R4),
        hands=(own, *hands),
        stock=tuple(left[3 * size : 3 * size + stock]),
        dealer=3 if rules.starter != "dealer" else 0,
    )
    return Deal.start(rules, layout)


def short_deal(seed: int, stock: int = 3, rules: RuleSet | None = None, size: int = 22) -> Deal:
    """The same with tiles at random, seat 0 having so many."""
    rng = random.Random(seed)
    tiles = [t for t in range(53) for _ in range(2) if t not in (int(Tile.R4), int(Tile.R5))]
    tiles += [OKEY, OKEY]
    rng.shuffle(tiles)
    rack = str(Rack.from_bits(bits_of_tiles(tiles[:size])))
    return deal_with(rack, stock, seed, rules)


def played_on(deal: Deal, bots: str = "greedy", first: str | None = None) -> Deal:
    """A deal played to its end, the first action perhaps a given one."""
    players = [make_bot(bots, seat) for seat in range(deal.rules.players)]
    if first is not None:
        deal = apply(deal, parse_action(first))
    while not deal.over:
        view = view_of(deal, deal.turn)
        deal = apply(deal, players[deal.turn].choose(view, Options(view)))
    return deal


def record_with(deal: Deal) -> Record:
    """The record of one deal."""
    return record_of(deal.rules, [deal])


def states_of(deal: Deal) -> list[Deal]:
    """The states of a deal from its layout on."""
    states = [Deal.start(deal.rules, deal.layout)]
    for seat, action in deal.public.actions:
        states.append(apply(states[-1], action, seat))
    return states
