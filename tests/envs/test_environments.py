"""The environments: by themselves, many side by side, and what their page says of them."""

import copy
import hashlib
import pickle
import random
import re
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, render_test, seed_test

from conftest import Size, only_long, raises_code, ran_python, script
from game.hidden import other_deal, replayed
from okey101.bots import bot_of
from okey101.bots.greedy import GreedyBot
from okey101.bots.playing import play_deal
from okey101.envs import OkeyVectorEnv, gymnasium as single, pettingzoo as aec
from okey101.envs.actions import N_ACTIONS, meaning, numbered
from okey101.envs.episodes import ILLEGAL_REWARD, Episode, points_of
from okey101.envs.observations import OBSERVATION_PIECES, OBSERVATION_SIZE, Observer, pieces_of
from okey101.errors import IllegalAction, OkeyError
from okey101.game import (
    PRESETS,
    Action,
    Deal,
    Options,
    RuleSet,
    View,
    deal_from_seed,
    options_of,
    view_of,
)
from okey101.game.dealing import match_seed, seed_of
from okey101.kernel import envs as numbering
from okey101.tiles import count_bits

PAIRS = PRESETS["wiki"].with_(players=2)
TEAMS = PRESETS["altinstar"].with_(teams=True)


@pytest.fixture(autouse=True)
def _advice() -> Iterator[None]:
    """PettingZoo advises against dictionaries and unusual bounds; action masks need the first."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("rules", [*PRESETS.values(), PAIRS, TEAMS], ids=[*PRESETS, "2", "teams"])
def test_the_aec_environment_passes_the_tests_of_pettingzoo(rules: Any, size: Size) -> None:
    api_test(aec.env(rules), num_cycles=size(60, long=1_000))


def test_the_compiled_one_passes_too_and_says_the_same(size: Size) -> None:
    api_test(aec.env("wiki", compiled=True), num_cycles=size(10, long=1_000))
    rng = random.Random(4)
    both = [aec.raw_env(TEAMS, "ansi", compiled=compiled) for compiled in (False, True)]
    for number in range(size(2, long=50)):
        for game in both:
            game.reset(seed=8 if number == 0 else None)
        while both[0].agents and not any(both[0].terminations.values()):
            agent = both[0].agent_selection
            assert both[1].agent_selection == agent
            other = rng.choice(both[0].possible_agents)
            for player in (agent, other):
                seen, again = (game.observe(player) for game in both)
                for part in ("observation", "action_mask"):
                    np.testing.assert_array_equal(seen[part], again[part])
            assert rng.random() > 0.05 or both[0].render() == both[1].render()
            legal = np.flatnonzero(both[0].observe(agent)["action_mask"])
            with pytest.raises(OkeyError, match="no legal"):
                both[1].step(10_874)
            chosen = rng.choice(list(legal))
            for game in both:
                game.step(chosen)
        assert both[0].rewards == both[1].rewards
        assert both[0].episode.position.deal == both[1].episode.position.deal


@pytest.mark.parametrize("compiled", [False, True])
def test_who_asks_before_the_first_deal_or_after_the_last_turn_is_told(compiled: bool) -> None:
    game = aec.raw_env("pagat", "ansi", compiled=compiled)
    for call in (game.last, lambda: game.step(0), lambda: game.observe("player_1"), game.render):
        with raises_code("no-deal"):
            call()
    game.reset(seed=7)
    with raises_code("bad-value"):
        game.observe("nobody")
    play(game, random.Random(1))
    with raises_code("no-deal"):
        game.step(None)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_copy_of_a_running_deal_goes_on_like_the_deal(compiled: bool) -> None:
    game = aec.raw_env("pagat", compiled=compiled)
    game.reset(seed=7)
    copies = [copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    for _ in range(12):
        agent = game.agent_selection
        legal = np.flatnonzero(game.observe(agent)["action_mask"])
        for one in (game, *copies):
            assert one.agent_selection == agent
            np.testing.assert_array_equal(np.flatnonzero(one.observe(agent)["action_mask"]), legal)
            one.step(int(legal[-1]))


def test_seeds_and_rendering_pass_the_tests_of_pettingzoo(size: Size) -> None:
    seed_test(aec.env, num_cycles=size(40, long=500))
    render_test(aec.env)


def play(game: Any, rng: random.Random) -> dict[str, float]:
    """Play an episode at random by the masks alone; every player's rewards, summed as they come."""
    earned = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, terminated, truncated, _ = game.last()
        earned[agent] += reward
        assert game.observation_space(agent).contains(seen)
        if terminated or truncated:
            game.step(None)
            continue
        legal = np.flatnonzero(seen["action_mask"])
        assert list(legal) == sorted(numbered(options_of(game.unwrapped.episode.position.deal)))
        for other in game.agents:
            assert other == agent or not game.observe(other)["action_mask"].any()
        game.step(int(rng.choice(list(legal))))
    return earned


@pytest.mark.parametrize("rules", [PRESETS["pagat"], PAIRS, TEAMS], ids=["pagat", "2", "teams"])
def test_the_reward_is_minus_the_points_at_the_end_of_a_deal(rules: Any) -> None:
    game = aec.env(rules)
    rng = random.Random(1)
    for number in range(2):
        game.reset(seed=5 if number == 0 else None)
        deal = game.unwrapped.episode.position.deal
        assert deal.layout.seed == match_seed(seed_of(5), number)
        assert deal.layout.dealer == number % rules.players
        earned = play(game, rng)
        result = game.unwrapped.episode.position.deal.result
        scores = result.scores
        if rules.teams:
            scores = [score + scores[seat ^ 2] for seat, score in enumerate(scores)]
        assert list(earned.values()) == [-float(score) for score in scores]


@pytest.mark.parametrize("rules", ["pagat", "altinstar"])
def test_an_illegal_number_ends_the_deal_or_is_refused(rules: str) -> None:
    game: Any = aec.env(rules)
    game.reset(seed=5)
    agent = game.agent_selection
    game.step(0)  # who starts has nothing to draw (D5)
    assert all(game.terminations.values())
    assert game.rewards == {a: ILLEGAL_REWARD * (a == agent) for a in game.possible_agents}
    assert not any(game.observe(a)["action_mask"].any() for a in game.possible_agents)
    earned = dict.fromkeys(game.possible_agents, 0.0)
    for player in game.agent_iter():
        earned[player] += game.last()[1]
        game.step(None)
    assert earned == {a: ILLEGAL_REWARD * (a == agent) for a in game.possible_agents}
    assert not any(game.observe(a)["action_mask"].any() for a in game.possible_agents)
    bare = aec.raw_env(rules)
    bare.reset(seed=5)
    with pytest.raises(OkeyError, match="no legal micro-action"):
        bare.step(0)


@pytest.mark.parametrize("number", [8.5, float("nan"), "8", "x", None, [8], 10**30])
def test_what_is_no_number_of_an_action_is_refused(number: Any) -> None:
    for game in single.OkeyEnv("pagat"), aec.env("pagat"), aec.raw_env("pagat", compiled=True):
        game.reset(seed=7)
        with raises_code("not-a-micro-action"):
            game.step(number)
        game.step(np.array(int(np.flatnonzero(game.episode.mask())[0])))
    games = OkeyVectorEnv(1, "pagat")
    games.reset(seed=7)
    with raises_code("bad-batch"):
        games.step([number])  # type: ignore[arg-type]


@pytest.mark.parametrize("opponents", ["greedy", "random"])
def test_one_seat_passes_the_check_of_gymnasium(opponents: str) -> None:
    made = gymnasium.make("okey101-v0", rules="pagat", opponents=opponents)
    check_env(made.unwrapped, skip_render_check=True)
    made.close()


def test_opponents_are_shown_the_end() -> None:
    seen: list[int | None] = []

    class Ending(GreedyBot):
        def ended(self, view: View) -> None:
            assert view.public.result is not None
            seen.append(view.seat)

    game = single.OkeyEnv("pagat", opponents=Ending(), seat=2)
    game.reset(seed=7)
    over = False
    while not over:
        _, _, over, _, _ = game.step(int(game.action_masks().argmax()))
    assert seen == [3, 0, 1]


def test_an_opponent_that_does_not_end_its_turn_ends_the_call() -> None:
    class Waverer(GreedyBot):
        def choose(self, view: View, options: Options) -> Action:
            return options.actions()[-1]

    game, over = single.OkeyEnv("altinstar", opponents=Waverer(), seat=0), True
    with raises_code("too-many-actions"):
        for _ in range(1000):
            if over:
                game.reset()
            _, _, over, _, _ = game.step(int(game.action_masks().argmax()))
    assert not game.action_masks().any(), "it is the opponent's turn still"
    with raises_code("no-deal"):
        game.step(0)


def test_learners_find_the_masks_where_they_ask_for_them() -> None:
    """MaskablePPO asks through wrappers, and takes a flag for each number of the action space."""
    made = gymnasium.make("okey101-v0", rules="pagat")
    seen, _ = made.reset(seed=7)
    masks = made.get_wrapper_attr("action_masks")()
    assert masks.shape == (made.action_space.n,)  # type: ignore[attr-defined]
    assert (masks == seen["action_mask"]).all()
    assert 0 < masks.astype(bool).sum() == masks.sum()


def test_one_seat_against_bots_is_the_deal_that_the_bots_play() -> None:
    """Who does as a bot does comes to the same end as that bot among those bots."""
    game = single.OkeyEnv(PAIRS, "greedy", seat=1)
    for number in range(2):
        game.reset(seed=3 if number == 0 else None)
        over, reward = False, 0.0
        while not over:
            position = game.episode.position
            assert game.action_masks().sum() == len(position.legal)
            assert position.deal.turn == 1
            bot = bot_of("greedy")
            choice = bot.choose(position.view, position.options)
            found = [n for n, action in position.legal.items() if action == choice]
            if not found:  # several groups at once: one of them first
                found = [n for n in position.legal if n > 62] or list(position.legal)
            _, reward, over, cut, info = game.step(np.int64(found[0]))
            assert not cut
            assert info["seat"] == 1
        assert reward == -points_of(game.episode.position.deal)[1]
        assert not game.action_masks().any()
        with pytest.raises(OkeyError, match="reset"):
            game.step(found[0])


def test_seats_and_opponents_of_the_single_environment() -> None:
    game = single.OkeyEnv("pagat", "random")
    seats = []
    for number in range(8):
        _, info = game.reset(seed=1 if number == 0 else None)
        seats.append(info["seat"])
    assert set(seats) == {0, 1, 2, 3}
    single.OkeyEnv("pagat", ["greedy", bot_of("random", 3), "random"]).reset(seed=1)


def chosen(seen: Any, mask: Any) -> int:
    """A legal number that follows from what is seen alone."""
    legal = np.flatnonzero(mask)
    return int(legal[int.from_bytes(hashlib.sha256(seen.tobytes()).digest()[:4]) % len(legal)])


@pytest.mark.parametrize(
    ("rules", "opponents", "seat"),
    [
        *only_long(["pagat", "greedy", None], [PAIRS, ["neural"], 1]),
        (TEAMS, ["neural", "greedy", "master"], None),
    ],
    ids=["seats in turn", "2", "teams"],
)
def test_the_vector_with_opponents_plays_what_the_single_one_plays(
    rules: Any, opponents: Any, seat: int | None, size: Size
) -> None:
    wanted = size(3, long=60)
    alone = single.OkeyEnv(rules, opponents, seat)
    told: dict[int, list[Any]] = {}
    seen, info = alone.reset(seed=6)
    while info["deal"] < wanted:
        past, over = told.setdefault(info["deal"], [info["seat"]]), False
        while not over:
            number = chosen(seen["observation"], alone.action_masks())
            past.append(number)
            seen, reward, over, _, info = alone.step(number)
        past += [reward, seen["observation"].tobytes()]
        seen, info = alone.reset()
    games = gymnasium.make_vec("okey101-v0", 2, rules=rules, opponents=opponents, seat=seat)
    views, infos = games.reset(seed=6)
    batch = games._batch  # type: ignore[attr-defined]
    pasts: list[list[Any]] = [[], []]
    heard: dict[int, list[Any]] = {}
    while not set(told) <= set(heard):
        numbers = batch.played * 2 + np.arange(2)
        for past, own in zip(pasts, infos["current_player"], strict=True):
            past += [] if past else [own]
        masks = games.action_masks()  # type: ignore[attr-defined]
        acts = [chosen(view, mask) for view, mask in zip(views, masks, strict=True)]
        views, rewards, over, _, infos = games.step(np.array(acts))
        for b in range(2):
            pasts[b].append(acts[b])
            if over[b]:
                heard[int(numbers[b])] = [*pasts[b], rewards[b], infos["final_obs"][b].tobytes()]
                pasts[b] = []
    assert {number: heard[number] for number in told} == told


@pytest.mark.parametrize(
    ("make", "unknown"), [(single.OkeyEnv, "nobody"), (partial(OkeyVectorEnv, 2), "steady")]
)
def test_opponents_that_cannot_be_seated_are_refused(make: Any, unknown: str) -> None:
    with raises_code("unknown-bot"):
        make(opponents=unknown)
    with raises_code("wrong-count"):
        make(opponents=["greedy"])
    with raises_code("wrong-type"):
        make(opponents=3)
    with raises_code("bad-seat"):
        make(opponents="greedy", seat=4)
    with raises_code("wrong-count", match="3 opponents"):
        OkeyVectorEnv(1, "pagat", seat=1)


def test_what_is_no_rule_set_no_view_and_no_number_is_refused() -> None:
    view = view_of(Deal.start("pagat", seed=7), 1)
    np.testing.assert_array_equal(Observer("pagat")(view), Observer(PRESETS["pagat"])(view))
    for code, call in (
        ("unknown-preset", lambda: Observer(None)),  # type: ignore[arg-type]
        ("wrong-type", lambda: Observer("pagat")("pagat")),  # type: ignore[arg-type]
        ("wrong-type", lambda: numbered(view)),  # type: ignore[arg-type]
        ("out-of-range", lambda: meaning(7.5)),  # type: ignore[arg-type]
        ("out-of-range", lambda: meaning(N_ACTIONS)),
        ("bad-seat", lambda: Observer("pagat")(view_of(Deal.start("pagat", seed=7), None))),
        ("no-deal", lambda: single.OkeyEnv("pagat").render()),
        ("bad-value", lambda: single.OkeyEnv("pagat", render_mode="rgb")),
        ("bad-value", lambda: aec.raw_env("pagat", render_mode="rgb")),
        ("no-deal", lambda: aec.raw_env("pagat").observe("player_0")),
    ):
        with raises_code(code):
            call()


def test_rendering_shows_the_own_hand_alone() -> None:
    game: Any = gymnasium.make("okey101-v0", opponents="random", seat=2, render_mode="ansi")
    game.reset(seed=1)
    text = game.render()
    deal = game.unwrapped.episode.position.deal
    assert str(deal.rack(2)) in text
    assert str(deal.rack(0)) not in text
    assert str(deal.public.stock_count) in text


def test_pieces_are_views_of_the_flat_array() -> None:
    seen = Observer(PRESETS["wiki"])(view_of(Deal.start("wiki", seed=1), 1))
    found = pieces_of(seen)
    assert list(found) == list(OBSERVATION_PIECES)
    assert sum(piece.size for piece in found.values()) == OBSERVATION_SIZE == seen.size
    found["hand"][0] = 7
    assert seen[0] == 7
    assert pieces_of(np.zeros((3, OBSERVATION_SIZE), np.float32))["seats"].shape == (3, 4, 7)


def test_the_hand_and_the_discards_lie_where_the_pieces_say() -> None:
    deal = Deal.start("pagat", seed=7)
    tile = int(numbered(options_of(deal)).__iter__().__next__()) - 8
    after = deal.apply(numbered(options_of(deal))[8 + tile])
    for seat in range(4):
        found = pieces_of(Observer(deal.rules)(view_of(after, seat)))
        hand = [count_bits(after.hands[seat], t) for t in range(54)]
        assert found["hand"].tolist() == hand
        assert found["discards"][(1 - seat) % 4].tolist() == [t == tile for t in range(54)]
        assert found["offer"].tolist() == [t == tile and seat == 2 for t in range(54)]
        assert found["turn"].tolist() == [(seat + place) % 4 == 2 for place in range(4)]


def test_who_sees_no_difference_is_shown_none(size: Size) -> None:
    """Twins: two deals that differ only in what a seat has not seen (T2)."""
    rng = random.Random("twins of the environments")
    compared = 0
    for number in range(size(12, long=400)):
        rules = [*PRESETS.values(), PAIRS, TEAMS][number % 5]
        states = [Deal.start(rules, seed=rng.randbytes(32))]
        for _ in range(rng.randrange(4, 40)):
            if not states[-1].over:
                legal = numbered(options_of(states[-1]))
                states.append(states[-1].apply(legal[rng.choice(list(legal))]))
        seat = rng.randrange(rules.players)
        try:
            twins = replayed(other_deal(states, seat, rng), states)
        except IllegalAction:
            continue  # in the other deal somebody could not have played so
        for one, other in zip(states, twins, strict=True):
            if one.over:
                continue
            compared += one.hands != other.hands
            observer = Observer(rules)
            seen = [observer(view_of(deal, seat)) for deal in (one, other)]
            assert seen[0].tobytes() == seen[1].tobytes()
            if one.turn == seat:
                masks = [sorted(numbered(options_of(deal))) for deal in (one, other)]
                assert masks[0] == masks[1]
    assert compared > 20


GOLDEN = {"altinstar": "2649db02bb722876", "pagat": "f0a56317176e4f4f", "wiki": "c50b90c73cef33fa"}
"""What is seen, may be done and comes of it in two deals; other digests need another version."""


@pytest.mark.parametrize("rules", GOLDEN)
def test_version_0_is_what_it_was(rules: str) -> None:
    game = aec.raw_env(rules)
    state = hashlib.sha256()
    for number in range(2):
        game.reset(seed=2026 if number == 0 else None)
        turns = 0
        while not game.episode.position.deal.over:
            seen = game.observe(game.agent_selection)
            legal = np.flatnonzero(seen["action_mask"])
            state.update(seen["observation"].tobytes() + legal.astype("<i8").tobytes())
            lays = legal[(legal != 2) & ((legal < 8) | (legal >= 62))]
            some = lays if len(lays) else legal
            game.step(int(some[turns % len(some)]))
            turns += 1
        state.update(repr(game.rewards).encode())
    assert state.hexdigest()[:16] == GOLDEN[rules]
    assert gymnasium.spec("okey101-v0").version == 0
    assert game.metadata["name"] == "okey101_v0"


def test_episodes_without_a_seed_are_dealt_at_random() -> None:
    assert len({Episode("pagat").begin().layout for _ in range(3)}) == 3
    assert N_ACTIONS == 10_875


# Many at once -------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [PRESETS["pagat"], PAIRS, TEAMS], ids=["pagat", "2", "teams"])
def test_each_environment_is_a_deal_of_the_game(rules: RuleSet, size: Size) -> None:
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


ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "en" / "envs.md").read_text("utf-8")


def rows_below(head: str) -> list[list[str]]:
    """The cells of the table with this head."""
    found = re.search(rf"^\| {re.escape(head)} .*\n\|.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found, head
    return [line.strip("| ").split(" | ") for line in found.group(1).splitlines()]


def test_the_pieces_of_an_observation() -> None:
    rows = rows_below("piece")
    assert rows == [
        [f"`{piece.name}`", str(piece.at), " × ".join(map(str, piece.shape)),
         f"{piece.low:g} to {piece.high:g}", piece.meaning]
        for piece in OBSERVATION_PIECES.values()
    ]  # fmt: skip
    assert f"{OBSERVATION_SIZE} numbers" in PAGE
    last = list(OBSERVATION_PIECES.values())[-1]
    assert last.at + int(np.prod(last.shape)) == OBSERVATION_SIZE


def test_the_numbers_of_actions() -> None:
    rows = rows_below("from")
    begins = [int(row[0]) for row in rows]
    names = "LAY_RUN LAY_SET LAY_OKEY_SET SWAP MELD_RUN MELD_SET MELD_PAIR"
    firsts = [getattr(numbering, f"{name}_FROM") for name in names.split()]
    assert begins == [0, numbering.OPEN_NUMBER, numbering.DISCARD_FROM, *firsts]
    counts = [int(row[1]) for row in rows]
    assert [sum(counts[:i]) for i in range(len(rows))] == begins
    assert sum(counts) == N_ACTIONS
    assert f"to {N_ACTIONS - 1:,}," in PAGE
    unused = sum(meaning(number) == "nothing" for number in range(N_ACTIONS))
    assert f"{unused} numbers never occur" in PAGE


def test_the_learning_curve_is_drawn_from_its_numbers() -> None:
    curve = script(ROOT / "scripts" / "make_curve.py")
    rows = curve.curve()
    assert (ROOT / "docs" / "img" / "ppo.svg").read_text("utf-8") == curve.drawn(rows)
    first, last = rows[0], rows[-1]
    assert abs(first["points_better"]) < 4 * first["error"]
    assert last["points_better"] > 20 * last["error"]
    assert f"{last['points_better']:.0f} points" in PAGE


def test_without_the_extra_the_import_says_what_to_install() -> None:
    for module, hidden in (
        ("", "numba"),
        (".pettingzoo", "pettingzoo"),
        (".gymnasium", "gymnasium"),
        (".vector", "gymnasium"),
        (".openspiel", "pyspiel"),
    ):
        code = (
            f"import sys; sys.modules[{hidden!r}] = None\n"
            "import importlib.util as u; find = u.find_spec\n"
            f"u.find_spec = lambda n, *a: None if n == {hidden!r} else find(n, *a)\n"
            f"import okey101.envs{module}"
        )
        last = ran_python("-c", code, ends=1).stderr.strip().splitlines()[-1]
        extra = "openspiel" if hidden == "pyspiel" else "envs"
        assert last.startswith("ModuleNotFoundError: missing-extra: okey101.envs"), last
        assert last.endswith(f"pip install 'okey101[{extra}]'")


def test_what_the_example_has_learnt_plays_as_a_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = script(ROOT / "examples" / "ppo.py")
    monkeypatch.chdir(tmp_path)
    short = ["--minutes", "0", "--deals", "4", "--envs", "4", "--steps", "4"]
    example.main([*short, "--save", "ppo.npz"])
    bots = [example.LearntBot(), *["random"] * 3]
    assert play_deal("pagat", bots, seed=1).over


@pytest.mark.long
def test_the_example_learns_to_beat_random() -> None:
    example = script(ROOT / "examples" / "ppo.py")
    found = example.main(["--minutes", "1", "--deals", "256", "--envs", "128"])
    assert abs(found[0]["points_better"]) < 5 * found[0]["error"]
    assert found[-1]["points_better"] > 5 * found[-1]["error"]
    assert found[-1]["points_better"] > 20
