"""What importing the package loads, and what the strategies for Hypothesis make."""

import json
import sys
from importlib import import_module

import pytest
from hypothesis import given, settings, strategies as st

from conftest import ran_python, unwrap, without
from okey101 import Deal, RuleSet, deal_from_seed, testing
from okey101.tiles import OKEY, Tile

LAZY = ("okey101", "okey101.kernel", "okey101.envs")


def test_a_name_is_imported_once_and_then_there() -> None:
    code = (
        "import okey101\n"
        "assert 'Group' not in vars(okey101)\n"
        "from okey101.melds import Group\n"
        "assert okey101.Group is Group and vars(okey101)['Group'] is Group\n"
    )
    ran_python("-c", code)


@pytest.mark.parametrize("name", LAZY)
def test_all_names_are_there_and_no_other(name: str) -> None:
    package = import_module(name)
    assert len({*package.__all__}) == len(package.__all__)
    assert {*package.__all__} <= {*dir(package)}
    for one in package.__all__:
        assert getattr(package, one) is not None
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        _ = package.nothing


def test_importing_the_package_imports_the_core_alone() -> None:
    code = (
        "import sys; before = set(sys.modules); import okey101, json;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    loaded = json.loads(ran_python("-c", code).stdout)
    ours = [name.split(".")[1] for name in loaded if name.startswith("okey101.")]
    assert {*ours} <= {"errors", "tiles", "melds", "solver", "game"}
    assert {name.partition(".")[0] for name in loaded} <= {*sys.stdlib_module_names, "okey101"}


# The strategies for Hypothesis --------------------------------------------------------------------


def test_a_missing_hypothesis_is_named_with_its_extra() -> None:
    told = without("hypothesis", "import okey101.testing")
    assert told.startswith("hypothesis missing-extra: ")
    assert "okey101[testing]" in told


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
@given(testing.states("wiki", max_actions=30))
def test_states_are_reached_by_legal_actions(deal: Deal) -> None:
    dealt = deal_from_seed(deal.rules, unwrap(deal.layout.seed), deal.layout.dealer)
    again = Deal.start(deal.rules, dealt)
    for seat, action in deal.public.actions:
        again = again.apply(action, seat)
    assert again == deal


@given(testing.racks(min_size=3), testing.tiles, testing.pieces())
def test_racks_tiles_and_pieces(rack: object, tile: Tile, piece: int) -> None:
    assert len(rack) >= 3  # type: ignore[arg-type]
    assert tile in Tile
    assert piece != OKEY
