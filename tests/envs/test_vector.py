"""The vector environment on the kernel is so many AEC environments side by side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from conftest import Size
from okey101.envs import OkeyVectorEnv
from okey101.envs.actions import numbered
from okey101.envs.episodes import points_of
from okey101.envs.observations import Observer
from okey101.errors import OkeyError
from okey101.game import PRESETS, Deal, deal_from_seed, options_of, view_of
from okey101.game.dealing import match_seed, seed_of

RULES = {
    "altinstar": PRESETS["altinstar"],
    "two": PRESETS["wiki"].with_(players=2),
    "teams": PRESETS["pagat"].with_(teams=True),
}


@pytest.mark.parametrize("name", RULES)
def test_each_environment_is_a_deal_of_the_game(name: str, size: Size) -> None:
    rules = RULES[name]
    count, root = size(2, long=32), seed_of(9)
    game = OkeyVectorEnv(count, rules)
    observer = Observer(rules)

    def dealt(number: int) -> Deal:
        layout = deal_from_seed(rules, match_seed(root, number), number % rules.players)
        return Deal.start(rules, layout)

    numbers = list(range(count))
    deals = [dealt(number) for number in numbers]
    seen, infos = game.reset(seed=9)
    rng = np.random.default_rng(5)
    ended = 0
    while ended < size(2, long=200):
        chosen = np.zeros(count, dtype=np.int64)
        for b, deal in enumerate(deals):
            legal = numbered(options_of(deal))
            assert infos["current_player"][b] == deal.turn
            np.testing.assert_array_equal(seen[b], observer(view_of(deal, deal.turn)))
            assert np.flatnonzero(infos["action_mask"][b]).tolist() == sorted(legal)
            starts = infos["legal_starts"]
            assert set(infos["legal"][starts[b] : starts[b + 1]].tolist()) == set(legal)
            chosen[b] = rng.choice(list(legal))
        before = deals[:]
        deals = [
            deal.apply(numbered(options_of(deal))[int(n)])
            for deal, n in zip(deals, chosen, strict=True)
        ]
        seen, rewards, over, cut, infos = game.step(chosen)
        assert not cut.any()
        for b, deal in enumerate(deals):
            assert over[b] == deal.over
            if not deal.over:
                assert rewards[b] == 0
                assert not infos["rewards"][b].any()
                continue
            ended += 1
            points = points_of(deal)
            assert infos["rewards"][b].tolist() == [-p for p in points]
            assert rewards[b] == -points[before[b].turn]
            final = observer(view_of(deal, before[b].turn))
            np.testing.assert_array_equal(infos["final_obs"][b], final)
            numbers[b] += count
            deals[b] = dealt(numbers[b])
        assert infos.get("_final_obs", over).tolist() == over.tolist()


def test_seeds_resets_and_what_is_refused() -> None:
    game = OkeyVectorEnv(2, "pagat")
    assert game.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    first, infos = game.reset(seed=3)
    assert game.observation_space.contains(first)
    kept = infos["action_mask"].copy()
    again, _ = OkeyVectorEnv(2, "pagat", copy=False).reset(seed=3)
    np.testing.assert_array_equal(first, again)
    following, infos = game.reset()
    assert (following != first).any()
    assert (infos["action_mask"] != kept).any()
    with pytest.raises(OkeyError, match="environment 0"):
        game.step(np.array([0, 0]))  # who starts has nothing to draw (D5)
    with pytest.raises(OkeyError, match="2 numbers"):
        game.step(np.array([8]))
    seeds: Any = [1, 2]
    with pytest.raises(OkeyError, match="one seed"):
        game.reset(seed=seeds)
