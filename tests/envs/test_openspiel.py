"""The game of OpenSpiel: its own tests, and the same deals as elsewhere."""

import importlib.util
import random
import re
from typing import Any

import pytest

from conftest import missing, ran_python, unwrap
from okey101.game import Deal, options_of, view_of

pytestmark = pytest.mark.long


@pytest.fixture
def spiel() -> Any:
    if importlib.util.find_spec("pyspiel") is None:
        missing("OpenSpiel is not installed: uv sync --group cluster")
    import pyspiel

    import okey101.envs.openspiel as ours

    assert ours.GAME_NAME == "python_okey101"
    return pyspiel


_SUITES = """
import sys, unittest
import okey101.envs.openspiel
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.tests import games_sim_test

flags.FLAGS(["tests", "--test_only_games=^python_okey101$"])
loader = unittest.TestLoader()
loader.testNamePatterns = [sys.argv[1]]
module = {"api": api_test, "simulations": games_sim_test}[sys.argv[2]]
ran = unittest.TextTestRunner().run(loader.loadTestsFromModule(module))
sys.exit(not ran.wasSuccessful())
"""


@pytest.mark.parametrize(
    ("suite", "pattern", "least"), [("api", "*", 5), ("simulations", "*okey101", 4)]
)
def test_the_suites_that_openspiel_ships(spiel: Any, suite: str, pattern: str, least: int) -> None:
    """Its API test and its simulations, with two to four players, states cloned and pickled."""
    ran = ran_python("-c", _SUITES, pattern, suite, env={"NUMBA_DISABLE_JIT": "1"})
    count = unwrap(re.search(r"^Ran (\d+) tests? in", ran.stderr, re.MULTILINE))
    assert int(count[1]) >= least


@pytest.mark.parametrize(
    "name",
    ["python_okey101", "python_okey101(rules=pagat,players=2)", "python_okey101(teams=True)"],
)
def test_random_simulations_of_openspiel(spiel: Any, name: str) -> None:
    game = spiel.load_game(name)
    spiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    assert str(game).startswith("python_okey101(")


def test_states_are_deals_and_observers_see_what_their_seats_see(spiel: Any) -> None:
    from okey101.envs.actions import N_ACTIONS, meaning, numbered
    from okey101.envs.observations import Observer

    game = spiel.load_game("python_okey101(rules=wiki,players=3)")
    assert game.num_distinct_actions() == N_ACTIONS
    assert game.num_players() == 3
    rng = random.Random(1)
    state = game.new_initial_state()
    drawn = bytes(rng.randrange(256) for _ in range(4))
    for byte in drawn:
        assert state.is_chance_node()
        assert state.chance_outcomes()[byte] == (byte, 1 / 256)
        state.apply_action(byte)
    number = int.from_bytes(drawn, "big")
    deal = Deal.start(state.position.deal.rules, seed=number, dealer=number % 3)
    observer, direct = game.make_py_observer(), Observer(deal.rules)
    while not state.is_terminal():
        legal = numbered(options_of(deal))
        assert state.current_player() == deal.turn
        assert state.legal_actions() == sorted(legal)
        for seat in range(3):
            observer.set_from(state, seat)
            assert observer.tensor.tolist() == direct(view_of(deal, seat)).tolist()
            assert observer.string_from(state, seat) == view_of(deal, seat).text()
        chosen = rng.choice(sorted(legal))
        assert state.action_to_string(deal.turn, chosen) == meaning(chosen)
        other = state.clone()
        state.apply_action(chosen)
        assert other.history() == state.history()[:-1]
        deal = deal.apply(legal[chosen])
    assert state.returns() == [-float(points) for points in unwrap(deal.result).scores]
    with pytest.raises(spiel.SpielError):
        spiel.load_game("python_okey101(colour=red)")


def test_information_states_are_kept_by_resampling_and_is_mcts_plays(spiel: Any) -> None:
    """A world that is drawn for a seat looks to it as the true one, and not to the others."""
    import numpy as np
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator

    game = spiel.load_game("python_okey101(rules=pagat,players=2)")
    rng = random.Random(2)
    state = game.new_initial_state()
    told: list[set[str]] = [set(), set()]
    for _ in range(40):
        if state.is_chance_node():
            state.apply_action(rng.randrange(256))
            continue
        for seat in range(2):
            told[seat].add(state.information_state_string(seat))
            world = state.resample_from_infostate(seat, rng.random)
            assert world.information_state_string(seat) == state.information_state_string(seat)
            tensor = state.information_state_tensor(seat)
            assert len(tensor) == game.information_state_tensor_size()
            assert world.information_state_tensor(seat) == tensor
            assert world.legal_actions() == state.legal_actions() or state.current_player() != seat
            other = 1 - seat
            assert world.observation_string(other) != state.observation_string(other)
        state.apply_action(rng.choice(state.legal_actions()))
    assert len(told[0]) == len(told[1]) == 36
    bot = ISMCTSBot(game, RandomRolloutEvaluator(1, np.random.RandomState(1)), 2.0, 4)
    assert bot.step(state) in state.legal_actions()
