"""The kernel's bots choose as the readable ones, and play the released deals as ever."""

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bots.tables import TABLES, onward
from conftest import Size, only_long, raises_code, unwrap
from game.random_play import random_rules
from master_branches import COLUMNS, LINES_OF_DEAL, branch
from neural_strength import mark_of_nets
from okey101.bots import BOTS, SEARCHERS, Bot, make_bot, neural
from okey101.bots.greedy import GreedyBot
from okey101.bots.neural import NeuralBot
from okey101.bots.playing import play_deal
from okey101.game import PRESETS, Deal, RuleSet, replay
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import play_bots
from okey101.kernel.codes import actions_of
from okey101.kernel.conversion import row_of_deal, rules_vector, seed_words
from okey101.kernel.seats import play_turn
from okey101.kernel.solver import tables
from okey101.sim.arena import Job, play_chunk
from okey101.sim.arena.chunks import RELEASE_DEALS
from okey101.weights.master import weights_of
from okey101.weights.neural import NET, NETS
from strength_search import arenas_of, plain, released

Nets = list[int] | None


def same_deals(
    name: str, rules: RuleSet, deals: int, seed: str | int, first: int = 0, nets: Nets = None
) -> None:
    """Play deals in the kernel, the bot in some seats, and again with the readable bots."""
    rng = random.Random(f"{seed} {first}")
    for number in range(first, first + deals):
        sits = [rng.random() < 0.7 for _ in range(rules.players)]
        seated = {seat: name for seat, here in enumerate(sits) if here}
        found = play_bots(rules, 1, seated, seed=seed, first=number, nets=nets, log=True)
        deal = replay(found.record(0)).deals[0]
        layout = deal_from_seed(rules, match_seed(seed_of(seed), number), number % rules.players)
        bots: list[Bot] = [
            (NeuralBot() if name == "neural" else make_bot(name)) if here else GreedyBot()
            for here in sits
        ]
        wanted = play_deal(rules, bots, layout)
        assert [str(a) for a in deal.public.actions] == [str(a) for a in wanted.public.actions]
        assert deal.result == wanted.result
        assert unwrap(deal.result).scores == tuple(found.scores[0])


DEALS = {"greedy": (3, 10_000), "master": (2, 2_000), "neural": (1, 2_000)}
"""How many deals of each preset, in the short form and the long one."""


@pytest.mark.parametrize(
    ("name", "preset"),
    [
        pytest.param(name, preset, marks=[pytest.mark.long] if slow else ())
        for name in DEALS
        for preset in PRESETS
        for slow in [(name, preset != "wiki") == ("neural", True)]
    ],
)
def test_a_bot_plays_the_same_deals(name: str, preset: str, size: Size) -> None:
    short, long = DEALS[name]
    same_deals(name, PRESETS[preset], size(short, long=long), name)


@pytest.mark.parametrize(
    ("name", "every", "others"), [("greedy", 1, 500), ("master", 5, 200), ("neural", 9, 200)]
)
def test_a_bot_plays_the_same_deals_under_all_rules(
    name: str, every: int, others: int, size: Size, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random("neural under all rules")
    # All that is told matters.
    nets = [rng.randrange(-(1 << 16), 1 << 16) for _ in range(NETS * NET)]
    monkeypatch.setattr(neural, "nets_of", lambda _: tuple(nets))
    neural.networks_of.cache_clear()
    for rules in [*TABLES.values()][:: size(every, long=1)]:
        same_deals(name, rules, size(1, long=30), "tables", nets=nets)
    rng = random.Random(f"{name} under any rules")
    for number in range(size(3, long=others)):
        same_deals(name, random_rules(rng), size(1, long=4), f"any {number}", nets=nets)
    monkeypatch.undo()
    neural.networks_of.cache_clear()


@pytest.mark.parametrize(("preset", "number"), [("pagat", 1070), ("wiki", 2555)])
def test_an_opening_that_finishes_is_looked_for_long(preset: str, number: int) -> None:
    """All but one tile can be laid, but hundreds of ways to open leave nothing or too little."""
    same_deals("greedy", PRESETS[preset], 1, 7, first=number)


def test_an_okey_laid_off_on_a_set_names_no_colour() -> None:
    """The log said R1, whatever the set: one deal of five thousand could not be replayed."""
    rules = PRESETS["altinstar"]
    start = Deal.start(rules, deal_from_seed(rules, match_seed(seed_of("greedy"), 3865), 1))
    *_, deal = onward(start, actions=57)
    row, words, log = row_of_deal(deal), np.zeros(64, dtype=np.int64), np.zeros(9, dtype=np.int64)
    assert play_turn(tables(), rules_vector(rules), row, words, log, False) == 1
    assert [str(action) for action in actions_of(log[:1], deal.public.okey)] == ["lay *12 > 4"]


@pytest.mark.parametrize("name", ["master", *only_long("neural")])
def test_a_bot_sits_where_it_is_told(name: str) -> None:
    greedy = play_bots("altinstar", 2, {}, seed=3).scores
    assert (greedy == play_bots("altinstar", 2, seed=3).scores).all()
    everywhere = play_bots("altinstar", 1, dict.fromkeys(range(4), name), seed=3).scores
    assert (play_bots("altinstar", 1, name, seed=3).scores == everywhere).all()
    one = play_bots("altinstar", 1, {2: name}, seed=3, first=1).scores
    assert (play_bots("altinstar", 2, {2: name}, seed=3).scores[1:] == one).all()


def test_a_branch_that_was_played_ends_as_the_deal_does() -> None:
    """What ``master`` is fitted to: at each of its decisions one line is what it played."""
    weights, root = np.array(weights_of(PRESETS["altinstar"])), seed_words(seed_of(7))
    lines = np.zeros((LINES_OF_DEAL, len(COLUMNS)), dtype=np.int64)
    points, groups, kinds = (np.zeros(LINES_OF_DEAL, dtype=np.int64) for _ in range(3))
    rules = rules_vector(PRESETS["altinstar"])
    n = branch(tables(), rules, weights, root, 0, 1, lines, points, groups, kinds)
    played = [at for at in range(n) if lines[at, COLUMNS.index("played")]]
    assert [*dict.fromkeys(groups[:n])] == [groups[at] for at in played]
    (scores,) = play_bots("altinstar", 1, {0: "master"}, seed=7).scores
    assert {points[at] for at in played} == {scores[0]}


def test_weights_are_counted() -> None:
    wrong: list[tuple[str, Any]] = [("wrong-count", [1, 2]), ("wrong-type", 7)]
    for (code, given), name in product(wrong, ("nets", "weights")):
        with raises_code(code):
            play_bots("altinstar", 1, **{name: given})


@pytest.mark.parametrize(
    ("bots", "code"),
    [
        ("nobody", "unknown-bot"),
        (["greedy"], "wrong-type"),
        ({0: "steady"}, "unknown-bot"),
        ({4: "master"}, "bad-seat"),
    ],
)
def test_bots_that_the_kernel_has_not(bots: str | dict[int, str], code: str) -> None:
    with raises_code(code):
        play_bots("altinstar", 1, bots)


ROOT = Path(__file__).resolve().parents[2]
KEPT = json.loads((ROOT / "benchmarks" / "master.json").read_text(encoding="utf-8"))


def arena_scores(preset: str, bot: str, seed: int, deals: int) -> list[tuple[list[int], list[int]]]:
    """The scores of four ``greedy``, and of a bot in each seat, deal by deal."""
    job = Job(PRESETS[preset], (bot, "greedy"), seed)
    scores, width = [*play_chunk(job, range(deals)).scores], job.plan.width
    starts = range(0, len(scores), 2 * width)
    return [(scores[at : at + width], scores[at + width : at + 2 * width]) for at in starts]


def test_the_arena_plays_the_released_deals_alike(preset: str, size: Size) -> None:
    master = KEPT["master/1"]  # version 2 is another one in teams alone
    file = ROOT / "benchmarks" / "neural.json"
    kept = json.loads(file.read_text(encoding="utf-8"))[BOTS["neural"].mark]["rules"][preset]
    assert kept["networks"] == mark_of_nets(preset)
    for name, seed, rows, deals in (
        ("master", master["seed"], master["rules"][preset]["gains"], size(2, long=100)),
        ("neural", kept["seed"], kept["neural"], size(1, long=50)),
        ("master", kept["seed"], kept["master"], size(1, long=50)),
    ):
        assert len(rows) == RELEASE_DEALS
        found = arena_scores(preset, name, seed, deals)
        assert rows[:deals] == [sum(own) - sum(anchor) for anchor, own in found]


@pytest.mark.long
@pytest.mark.parametrize("bot", SEARCHERS)
def test_the_arena_plays_the_deals_of_those_that_search_alike(preset: str, bot: str) -> None:
    """One deal of each release, of this version or of one that says it chooses alike there."""
    kept = [a for a in arenas_of(bot) if released(a) and plain(a) and a["rules"] == preset][-1]
    [(anchors, own)] = arena_scores(preset, bot, kept["seed"], 1)
    assert own == kept["search"][0]
    assert anchors == kept["greedy"][0]
