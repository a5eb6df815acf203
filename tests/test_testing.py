"""The strategies for Hypothesis: what they make, and the message where Hypothesis is missing."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from okey101 import testing
from okey101.game import Deal, RuleSet, deal_from_seed
from okey101.tiles import OKEY, Tile

_WITHOUT = """
import sys
sys.modules["hypothesis"] = None
try:
    import okey101.testing
except ModuleNotFoundError as error:
    print(error.name, error)
"""


def test_a_missing_hypothesis_is_named_with_its_extra() -> None:
    run = subprocess.run(
        [sys.executable, "-c", _WITHOUT], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("hypothesis missing-extra: ")
    assert "okey101[testing]" in run.stdout


@settings(max_examples=20)
@given(testing.rule_sets(), st.data())
def test_strategies_keep_to_the_rules_they_are_given(rules: RuleSet, data: st.DataObject) -> None:
    for strategy in (testing.deals(rules), testing.states(rules), testing.positions(rules)):
        deal = data.draw(strategy)
        assert deal.rules == rules
        assert deal.over or deal.legal_actions().count()
    fixed = data.draw(testing.rule_sets(players=3))
    assert (fixed.players, fixed.teams) == (3, False)


@settings(max_examples=20)
@given(testing.states(RuleSet.preset("wiki"), max_actions=30))
def test_states_are_reached_by_legal_actions(deal: Deal) -> None:
    assert deal.layout.seed is not None
    dealt = deal_from_seed(deal.rules, deal.layout.seed, deal.layout.dealer)
    again = Deal.start(deal.rules, dealt)
    for seat, action in deal.public.actions:
        again = again.apply(action, seat)
    assert again == deal


@given(testing.racks(min_size=3), testing.tiles, testing.pieces())
def test_racks_tiles_and_pieces(rack: object, tile: Tile, piece: int) -> None:
    assert len(rack) >= 3  # type: ignore[arg-type]
    assert tile in Tile
    assert piece != OKEY
