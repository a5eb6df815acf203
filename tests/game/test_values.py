"""Deals are values: they don't change, and they survive comparing, hashing and pickling."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from game.random_play import STYLES, rules_of, steps
from game.test_golden import digest
from okey101.game import (
    PRESETS,
    Deal,
    Match,
    Public,
    RuleSet,
    apply,
    deal_from_seed,
    options_of,
    record_of,
    view_of,
)
from okey101.melds import parse_group
from okey101.tiles import Rack


def states(number: int) -> list[Deal]:
    rng = random.Random(number)
    rules = rules_of(list(PRESETS)[number % 3], "234"[number % 3])
    deal = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), 0))
    return list(steps(deal, rng, STYLES[number % 3], checked=0))


STATES = [state for number in range(3) for state in states(number)[::7]]


def test_nothing_can_be_set() -> None:
    deal = STATES[20]
    rack = deal.rack(0)
    values: tuple[object, ...] = (
        deal, deal.public, deal.layout, rack, deal.rules, view_of(deal, 0), deal.public.setup,
        Match.new(RuleSet(), deals=3, seed=bytes(32)), record_of(deal.rules, [deal]),
    )  # fmt: skip
    for value in values:
        slots = [s for c in type(value).__mro__ for s in getattr(c, "__slots__", ())]
        slots += getattr(value, "_fields", ())
        assert slots
        for name in (*slots, "other"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, 1)
            with pytest.raises((AttributeError, TypeError)):
                delattr(value, name)


def test_groups_on_the_table_can_not_be_set() -> None:
    group = parse_group("R7 R8 R9")
    for name in ("pieces", "points", "accepts", "form"):
        with pytest.raises(AttributeError):
            setattr(group, name, 1)


def test_apply_leaves_the_old_deal_as_it_was() -> None:
    for deal in STATES:
        if deal.over:
            continue
        before = pickle.dumps((deal.hands, deal.drawn, deal.public, deal.layout))
        for action in options_of(deal).actions():
            after = apply(deal, action)
            assert after != deal
            assert after.public.actions[:-1] == deal.public.actions
        assert pickle.dumps((deal.hands, deal.drawn, deal.public, deal.layout)) == before


def test_pickles_copies_equality_and_hashes() -> None:
    for deal in STATES:
        for again in (pickle.loads(pickle.dumps(deal)), copy.copy(deal), copy.deepcopy(deal)):
            assert again == deal
            assert hash(again) == hash(deal)
            assert again.public == deal.public
            assert type(again.public) is Public
            assert options_of(again).to_dict() == options_of(deal).to_dict()
        view = view_of(deal, 0)
        assert pickle.loads(pickle.dumps(view)) == view
    assert len(set(STATES)) == len(STATES)
    assert STATES[0] != STATES[1]
    assert STATES[0] != "a deal"
    assert STATES[0].public != object()


def test_pickled_deals_play_on_alike() -> None:
    whole = states(1)
    middle = pickle.loads(pickle.dumps(whole[len(whole) // 2]))
    for _, action in whole[-1].public.actions[len(middle.public.actions) :]:
        middle = apply(middle, action)
    assert middle == whole[-1]


def test_racks_are_values() -> None:
    rack = Rack.parse("R1 R1 F *")
    assert pickle.loads(pickle.dumps(rack)) == rack == copy.deepcopy(rack)
    assert {rack: 1}[Rack.parse("* F R1 R1")] == 1
    assert rack != "R1 R1 F *"
    with pytest.raises(KeyError):
        rack - Rack.parse("R2")


def test_equal_play_gives_equal_deals() -> None:
    first, second = states(2), states(2)
    assert first == second
    assert list(map(hash, first)) == list(map(hash, second))
    record = record_of(first[-1].rules, [first[-1]])
    assert digest(record) == digest(record_of(second[-1].rules, [second[-1]]))
