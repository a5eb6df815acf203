"""How a turn is ended for a player who is late: legally, and at the least cost."""

from __future__ import annotations

import random

import pytest

from conftest import Size
from game.random_play import TABLES, choose, random_rules, rules_of, short_opening
from okey101.game import PRESETS, Deal, RuleSet, apply, deal_from_seed, options_of
from okey101.game.actions import Back, Discard, Meld
from okey101.game.deal_parts import Phase
from okey101.server.tables.clocks import rest_of_turn
from okey101.tiles import distinct_bits
from rules.table import play
from rules.table import table as laid_out


def least_fine(deal: Deal) -> int | None:
    """The least that a discard costs now, each of them tried; None where none is allowed."""
    seat = deal.turn
    costs = []
    for tile in distinct_bits(deal.hands[seat]):
        if Discard(tile) in deal.legal_actions():
            fines = apply(deal, Discard(tile)).public.fines[len(deal.public.fines) :]
            costs.append(sum(fine.points for fine in fines if fine.seat == seat))
    return min(costs, default=None)


def check_rest(deal: Deal) -> int | None:
    """The turn ends, each action is legal, and the discard costs what the cheapest one does."""
    seat, turns = deal.turn, deal.public.turns
    cost: int | None = None
    for action in rest_of_turn(deal):
        assert deal.turn == seat
        assert deal.public.turns == turns
        least = least_fine(deal) if deal.phase is Phase.PLAY else None
        fined = len(deal.public.fines)
        assert least is None or isinstance(action, Discard)
        # Both are refused after a hundred actions; the clock must get through all the same.
        hands = deal.hands
        deal = apply(deal, action, seat)
        assert not isinstance(action, Back)
        assert not isinstance(action, Meld) or deal.hands != hands
        paid = sum(f.points for f in deal.public.fines[fined:] if f.seat == seat)
        assert paid == (least or 0)
        cost = least
    assert deal.over or deal.public.turns == turns + 1
    return cost


def walk(rules: RuleSet, rng: random.Random, steps: int) -> list[int | None]:
    deal = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), rng.randrange(rules.players)))
    style = rng.choice(("uniform", "by-kind", "eager"))
    costs = []
    for _ in range(steps):
        if deal.over:
            break
        if rng.random() < 0.2:
            costs.append(check_rest(deal))
        options = options_of(deal)
        action = (short_opening(options, rng) if rng.random() < 0.1 else None) or choose(
            options, rng, style
        )
        if action in deal.legal_actions():
            deal = apply(deal, action)
    return costs


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_rest_of_any_turn_costs_least(preset: str, table: str, size: Size) -> None:
    rng = random.Random(f"{preset} {table}")
    costs = [
        cost for _ in range(size(4, long=200)) for cost in walk(rules_of(preset, table), rng, 150)
    ]
    assert len(costs) > 20


def test_the_rest_of_a_turn_under_any_rules(size: Size) -> None:
    rng = random.Random(1)
    costs = [c for _ in range(size(100, long=10_000)) for c in walk(random_rules(rng), rng, 200)]
    assert any(costs), "no turn where every discard is fined"
    assert None in costs, "no turn that ends without a discard"


# The clock -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("drawn", "thrown"), [("B2", "B2"), ("*", "K12"), ("Y8", "Y8")])
def test_the_drawn_tile_is_thrown_unless_it_is_an_okey(drawn: str, thrown: str) -> None:
    """Of tiles that cost the same; another tile than the drawn one would be the highest."""
    deal = play(
        laid_out("altinstar", ["B3 B5", "Y9 K12"], stock=drawn, okey_discard_fine=0), "discard B3"
    )
    assert [*map(str, rest_of_turn(deal))] == ["draw", f"discard {thrown}"]
