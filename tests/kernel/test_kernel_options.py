"""Position by position: the kernel's state and legal micro-actions are the game's."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Size
from kernel.kernel_states import any_rules, state_of_deal, state_of_row
from okey101 import testing
from okey101.errors import OkeyError
from okey101.game import PRESETS, Deal, RuleSet, options_of
from okey101.game.actions import Action, Back, Lay, Meld, Swap, Take
from okey101.kernel import KernelDeal
from okey101.kernel.exporting import codes_of

ACTIONS = 150
"""A deal is followed no further: who has to finish may lay and take back for ever."""


def compare(deal: Deal, rng: random.Random) -> tuple[Deal, set[type[Action]]]:
    """Play a deal in both, the same choices, and compare all there is after each action."""
    twin = KernelDeal(deal.rules, deal.layout)
    met: set[type[Action]] = set()
    for _ in range(ACTIONS):
        assert state_of_row(twin.row) == state_of_deal(deal)
        actions = options_of(deal).actions()
        assert twin.actions() == actions
        if deal.over:
            break
        chosen = rng.randrange(len(actions))
        rare = [i for i, a in enumerate(actions) if isinstance(a, Meld | Lay | Swap | Take)]
        if rare and rng.random() < 0.3:
            chosen = rng.choice(rare)
        elif isinstance(actions[chosen], Back) and rng.random() < 0.6:
            chosen = rng.randrange(len(actions))
        action = actions[chosen]
        met.add(type(action))
        code = int(twin.legal()[chosen])
        if not isinstance(action, Meld):
            assert codes_of(action, deal.public.okey) == [code]
        twin.apply(code)
        deal = deal.apply(action)
    assert twin.played == tuple(action for _, action in deal.public.actions)
    return deal, met


@pytest.mark.parametrize("preset", PRESETS)
def test_every_position_of_random_play_of_the_presets(preset: str, size: Size) -> None:
    rng = random.Random(f"kernel {preset}")
    for _ in range(size(3, long=500)):
        compare(Deal.start(preset, seed=rng.randbytes(32), dealer=rng.randrange(4)), rng)


def test_every_position_under_rule_sets_drawn_at_random(size: Size) -> None:
    rng = random.Random("kernel rules")
    met: set[type[Action]] = set()
    for _ in range(size(8, long=3_000)):
        rules = any_rules(rng)
        start = Deal.start(rules, seed=rng.randbytes(32), dealer=rng.randrange(rules.players))
        met |= compare(start, rng)[1]
    assert {Meld, Lay, Swap, Back, Take} <= met


@settings(max_examples=60)
@given(st.data(), testing.rule_sets(), testing.rngs())
def test_small_tables_laid_out_by_hand(
    data: st.DataObject, rules: RuleSet, rng: random.Random
) -> None:
    """Kits that open, few tiles and a short stock: the ends, E2 and E4 come soon."""
    compare(data.draw(testing.positions(rules)), rng)


def test_what_is_no_micro_action_is_refused() -> None:
    deal = KernelDeal("pagat", seed=7)
    for wrong in ("draw", "pass", 0, 10**6):
        with pytest.raises(OkeyError) as error:
            deal.apply(wrong)
        assert error.value.code == "not-a-micro-action"
    deal.apply("discard R4")
    assert [str(action) for action in deal.played] == ["discard R4"]
