"""``neural``, and the bots that search: by their view alone, the same everywhere."""

import json
import math
import random
import zlib
from argparse import Namespace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import beliefs_data
import neural_data
import train_beliefs
import train_neural
from bots.tables import TABLES, Quick, QuickChampion, choice, dealt, onward, shown
from conftest import Size, ran_python, unwrap
from okey101.bots import make_bot
from okey101.bots.neural import Network, inputs_of, told
from okey101.bots.search import better_choices, worth_trying
from okey101.bots.steady import SteadyBot
from okey101.game import (
    PRESETS,
    Action,
    Back,
    Deal,
    Discard,
    Options,
    Phase,
    RuleSet,
    Take,
    View,
    apply,
    view_of,
)
from okey101.game.dealing import seed_of
from okey101.kernel import room
from okey101.kernel.beliefs import AT_HANDS, TILES, odds_of, parts_of, tile_odds
from okey101.kernel.deals import Playouts
from okey101.kernel.solver import tables
from okey101.sim.oracle import TimedSearch
from okey101.weights.neural import (
    CHOICE_SIZE,
    CHOICES,
    HAND_ODDS,
    NARROW,
    NARROW_NET,
    NET,
    NETS,
    POSITION_SIZE,
    WIDE,
    nets_of,
    values_of,
)


def test_weights_are_those_of_the_preset_that_rules_are_like() -> None:
    nets = {preset: nets_of(rules) for preset, rules in PRESETS.items()}
    assert len(set(nets.values())) == len(PRESETS)
    assert {len(net) for net in nets.values()} == {NETS * NET}
    assert nets_of(RuleSet.preset("wiki").with_(players=3)) == nets["wiki"]
    assert nets_of(RuleSet.preset("pagat").with_(taken_discard_fine=1)) == nets["pagat"]


def any_inputs(rng: random.Random) -> tuple[list[int], list[list[int]]]:
    """Inputs of a position and of its choices, larger than any there are."""
    position = [rng.randrange(200) for _ in range(POSITION_SIZE)]
    choices = [
        [rng.choice((0, rng.randrange(3000))) for _ in range(CHOICE_SIZE)] for _ in range(CHOICES)
    ]
    return position, choices


def test_training_reckons_as_the_bot() -> None:
    rng = random.Random("sums")
    for preset, rules in PRESETS.items():
        wide = np.array(nets_of(rules)).reshape(NETS, -1)
        narrow = np.array(values_of(rules)[:-2]).reshape(2, -1)
        for net in [*wide, *narrow]:
            shape = WIDE if len(net) == NET else NARROW
            network = Network(net.tolist(), shape)
            position, choices = any_inputs(rng)
            data = {
                "p": np.array([position]), "c": np.array([choices]),
                "mask": np.ones((1, CHOICES), dtype=bool),
            }  # fmt: skip
            wanted = train_neural.whole_costs(data, net, shape)[0]
            assert network.costs(position, choices) == [int(cost) for cost in wanted], preset


def test_it_weighs_the_discards_that_it_may_throw() -> None:
    for deal in onward(Deal.start("altinstar", seed=5), actions=1_000):
        view, options = shown(deal)
        if deal.over:
            break
        turn, desk, laid = told(view, options)
        _, choices = inputs_of(turn, desk)
        if not choices:
            continue
        assert {len(choice) for choice in choices} == {CHOICE_SIZE}
        found = desk[room.AT_TILES : room.AT_TILES + len(choices)]
        if deal.phase is Phase.DRAW:
            assert (turn.action(laid), found) == (Take(), [room.LAY, room.DRAW])
            continue
        tiles = [tile for tile in found if tile != room.LAY]
        assert len(set(tiles)) == len(tiles) <= CHOICES - 1
        assert set(tiles) <= {int(d.tile) for d in options.discards}


@pytest.mark.parametrize("value", [False, True])
def test_the_networks_of_one_preset_are_written_and_all_else_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: bool
) -> None:
    """What is beside the networks of the value, as beliefs are, stays too."""
    rng = np.random.default_rng(5)
    facts = {"deals": 3, "decisions": 9, "gain": 0.1, "error": 0.2, "curve": [[1.0, 0.1, 0.2]]}
    parts, counted = [], []
    for stage in train_neural.VALUED if value else train_neural.STAGES:
        data = {
            "p": rng.integers(0, 9, (9, POSITION_SIZE)),
            "c": rng.integers(0, 9, (9, CHOICES, CHOICE_SIZE)),
            "y": rng.normal(0, 9, (9, CHOICES)),
            "mask": np.ones((9, CHOICES), dtype=bool),
        }
        state = train_neural.begin(data, 1, NARROW if value else WIDE)
        kept = tmp_path / f"pagat-{stage}{'-value' if value else ''}"
        train_neural.save(kept.with_suffix(".npz"), state, True)
        kept.with_suffix(".json").write_text(json.dumps(facts), encoding="utf-8")
        parts.append(train_neural.whole(state))
        counted.append(train_neural.offset_of(state))
    for name in ("WEIGHTS", "VALUES", "TOLD"):
        copy = tmp_path / getattr(train_neural, name).name
        copy.write_bytes(getattr(train_neural, name).read_bytes())
        monkeypatch.setattr(train_neural, name, copy)
    path = train_neural.VALUES if value else train_neural.WEIGHTS
    before = zlib.decompress(path.read_bytes())
    assert train_neural.write(Namespace(nets=tmp_path, presets=["pagat"], value=value)) == 0
    after = zlib.decompress(path.read_bytes())
    written = np.concatenate(parts + [np.array(counted)] * value).astype("<i4").tobytes()
    begin = len(before) // 3
    end = begin + len(written)
    assert after == before[:begin] + written + before[end:]
    found = json.loads(train_neural.TOLD.read_text(encoding="utf-8"))
    told = found["values" if value else "networks"]["pagat"]["opened"]
    assert told == {k: v for k, v in facts.items() if k != "curve"}


@pytest.mark.long
def test_what_was_played_can_be_learned_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some decisions are kept, trained on where JAX is, and trained no further once done."""
    monkeypatch.setattr(neural_data, "PER_FILE", 50)
    folder = tmp_path / "altinstar"
    ways = Namespace(seed=31, orders=2, worlds=0, learned=False, taking=False)
    found = neural_data.play("altinstar", 100, ways)
    again = neural_data.play("altinstar", 100, ways)
    assert all((found[name] == again[name]).all() for name in found)
    ways = Namespace(seed=31, worlds=2, learned=True, taking=True)
    taking = neural_data.play("altinstar", 100, ways)
    assert {*taking["facts"][:, 0]} == {2}
    assert {*taking["facts"][:, 2]} == {2, 3}
    folder.mkdir()
    (folder / "manifest.json").write_text('{"preset": "altinstar"}', encoding="utf-8")
    np.savez(folder / "0000000.npz", **found)
    data = train_neural.load([folder], "altinstar", 0)
    assert set(data["n"]) <= {*range(2, CHOICES + 1)}
    state: Any = train_neural.begin(data, 1, WIDE)
    net = train_neural.whole(state)
    assert train_neural.gain(data, -data["y"])[0] < 0 < train_neural.gain(data, data["y"])[0]
    assert net.shape == (NET,)
    pytest.importorskip("jax")
    given = Namespace(
        batch=64, epochs=1, rate=1e-3, decay=0.0, seed=1, sharp=0.0, square=0.0,
        value=False, share=0.5,
    )  # fmt: skip
    kept = tmp_path / "net.npz"
    done = train_neural.train(data, state, kept, given)
    assert done["done"]
    passes = done["curve"]["passes"]
    assert [round(part) for part in passes[:, 0]] == [1]
    assert np.allclose(passes[-1, 1:], train_neural.gain_of(data, done)[:2])
    assert (train_neural.whole(train_neural.load_state(kept)) == train_neural.whole(done)).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_beliefs_are_learned_from_true_hands_and_reckon_as_they_were_trained(
    preset: str, tmp_path: Path, size: Size
) -> None:
    """Its networks tell the true world from one with an exchange; the bot's whole numbers agree."""
    rules, rng = PRESETS[preset], np.random.default_rng(7)
    root = seed_of(60_000)
    numbers = range(32, size(38, long=44))
    deals = [deal for n in numbers for deal in beliefs_data.positions(rules, root, n)]
    kept = [part for deal in deals if (part := beliefs_data.told(deal, rng)) is not None]
    together = {name: np.array([part[name] for part in kept]) for name in kept[0]}
    together["deal"] = np.full(len(kept), 31)  # all are left out
    np.savez(tmp_path / "kept.npz", allow_pickle=False, **together)
    data = train_beliefs.load(tmp_path / "kept.npz")
    odds = np.array([odds_of(view_of(deal, deal.turn)) for deal in deals])
    seats = np.array([[s for s in range(4) if s != deal.turn] for deal in deals])
    tiles = odds[:, : 4 * TILES].reshape(-1, 4, TILES)[np.arange(len(deals))[:, None], seats]
    tiles = np.pad(tiles, ((0, 0), (0, 1), (0, 0)))
    place, mine, elsewhere, theirs = np.moveaxis(data["exchanges"], 2, 0)
    at = np.arange(len(deals))[:, None]
    by = tiles[at, place, mine] + tiles[at, elsewhere, theirs]
    by = by - tiles[at, place, theirs] - tiles[at, elsewhere, mine]
    hands = odds[0, AT_HANDS : AT_HANDS + HAND_ODDS]
    by = by + (hands[data["before"]] - hands[data["after"]]).sum((2, 3))
    missed = float(np.logaddexp(0, -by / 64).mean())
    assert missed < train_beliefs.by_last_discard(data) < math.log(2)

    weights, scale = train_beliefs.begin(data, 1)
    weights |= {n: rng.normal(0, 0.3, weights[n].shape) for n in ("bias", "second_bias", "last")}
    x = (data["inputs"] - scale["mean"]) / scale["scale"]
    inner = np.maximum(0, x @ weights["first"] + weights["bias"])
    wanted = np.maximum(0, inner @ weights["second"] + weights["second_bias"]) @ weights["last"]
    parts = parts_of(train_beliefs.whole(train_beliefs.unscaled(weights, scale)).tolist())
    for at_deal, deal in enumerate(deals[:9]):
        told = tile_odds(view_of(deal, deal.turn), parts)[seats[at_deal]]
        assert np.abs(told / 64 - wanted[at_deal]).max() < 0.05


def played(table: str, number: int) -> list[Deal]:
    """The states of a deal that steady and chance play."""
    rng = random.Random(f"{table} {number}")
    states = [dealt(TABLES[table], number)]
    while True:
        deal = states[-1]
        action = choice(SteadyBot(number), deal)
        if isinstance(action, Discard) and rng.random() < 0.3:
            action = rng.choice([a for a in shown(deal)[1].actions() if not isinstance(a, Back)])
        deal = apply(deal, action)
        if deal.over:
            return states
        states.append(deal)


WRITTEN = {
    ("altinstar-4", 2, 5): "lay B8 > 7 [[11, 7, 11, 11], [23, 11, 23, 23], [19, 7, 19, 19]]",
    ("altinstar-4", 3, 5): "draw [[-101, -101, 1, 1], [-101, -101, 1, 1]]",
    ("pagat-teams", 1, 5): "meld Y2 B2 K2 [[204, 81, 204, 204], [205, 82, 203, 205], "
    "[205, 82, 203, 205]]",
    ("wiki-3", 2, 7): "draw [[-51, -51, 52, 56], [-51, -51, 52, 56]]",
    ("riziko-3", 1, 5): "discard B1 [[13, 4, 15, 13], [8, -101, 9, 2], [7, -101, 9, 2]]",
    ("riziko-3", 1, 7): "discard K6 [[12, 12, -101, 9], [13, 13, -101, 9], [16, 16, -101, 12]]",
}
"""What the compiled bot chose: table, deal, place from its end."""


@pytest.mark.parametrize("position", WRITTEN, ids=str)
def test_it_chooses_alike_compiled_or_not(position: tuple[str, int, int]) -> None:
    """The short tests run the kernel as plain Python, the long ones compiled."""
    table, number, back = position
    deal = played(table, number)[-back]
    view, options = shown(deal)
    choices = worth_trying(view, options, choice("master", deal))
    scores = Playouts(view, "own", steps=30).scores(choices[:3], 9, 0, 4)
    found = f"{choice(Quick(5), deal)} {scores.tolist()}"
    assert found == WRITTEN[position]


def test_the_budget_is_spent_where_choices_are_close() -> None:
    class Counting(Quick):
        worlds = 8
        rounds: ClassVar[list[int]] = []

        def _more(self, played: int) -> int:
            self.rounds.append(played)
            return min(4, self.worlds - played)

    deal = played("altinstar-4", 1)[-8]
    assert choice(Counting(3), deal) in deal.legal_actions()
    assert Counting.rounds[0] == 0
    assert Counting.rounds[-1] <= Counting.worlds


def test_a_search_by_the_clock_that_has_no_time_plays_as_master() -> None:
    class Hasty(TimedSearch):
        milliseconds = 0

    deal = played("altinstar-4", 1)[-6]
    assert choice(Hasty(3), deal) == choice("master", deal)
    assert not TimedSearch.replayable


def test_its_searches_do_not_hurry_those_of_others() -> None:
    view, _ = shown(played("altinstar-4", 1)[-6])
    Playouts(view, steps=3).scores([None], 1, 0, 1)
    assert tables()[1][room.HURRY] == 0


def test_a_world_is_the_same_by_its_number_alone() -> None:
    deal = played("altinstar-4", 1)[-6]
    view, options = shown(deal)
    choices = better_choices(view, options, choice("steady", deal))[:2]
    both = Playouts(view).scores(choices, 7, 0, 3)
    assert both.shape == (len(choices), 3)
    assert (Playouts(view).scores(choices[-1:], 7, 1, 2) == both[-1:, 1:]).all()


def test_without_the_extra_the_arena_says_which() -> None:
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from okey101.cli import main; sys.exit(main(['arena', 'search', 'greedy', '--json']))"
    )
    error = json.loads(ran_python("-c", program, ends=2).stdout)["error"]
    assert (error["code"], error["extra"]) == ("missing-extra", "sim")


# champion: playouts end in what a network foretells, compiled or not ------------------------------


def played_on(table: str, number: int, actions: int) -> Deal:
    """A deal of four ``greedy`` after so many actions, or the last one before its end."""
    states = onward(dealt(TABLES[table], number), actions=actions)
    return [deal for deal in states if not deal.over][-1]


def foretold_points(view: View, options: Options) -> int | None:
    """What the seat to act will have in the end, as the network foretells it; None for no choice.

    Of what it may do, what ``greedy`` would lay down and the discard that costs ``master`` least
    are looked at. Its fines so far are counted.
    """
    turn, desk, _ = told(view, options)
    position, choices = inputs_of(turn, desk)
    if not choices:
        return None
    public, found = view.public, values_of(view.public.rules)
    most = 2 if desk[room.AT_TILES] == room.LAY else 1
    opened = public.opened[public.turn] is not None
    net = Network(found[NARROW_NET * opened : NARROW_NET * (opened + 1)], NARROW)
    begin = found[opened - 2]
    costs = net.costs(position, choices[:most])
    fines = sum(fine.points for fine in public.fines if fine.seat == public.turn)
    return begin + (min(costs) + (1 << 19) >> 20) + fines


def outcome(world: Deal, action: Action, own: str, rounds: int) -> int:
    """What comes of a choice in a world, by the readable bots."""
    seat, turns = world.turn, world.public.turns
    until = turns + 1 + (rounds - 1) * world.rules.players
    bots = [make_bot(own if other == seat else "greedy") for other in range(world.rules.players)]
    deal = apply(world, action)
    while not deal.over:
        if deal.turn == seat and deal.phase is Phase.PLAY and deal.public.turns >= until:
            found = foretold_points(*shown(deal))
            if found is not None:
                return found
            deal = apply(deal, choice("neural", deal))
        else:
            deal = apply(deal, choice(bots[deal.turn], deal))
    return unwrap(deal.result).scores[seat]


@pytest.mark.parametrize("table", ["altinstar-4", "pagat-4", "wiki-4", "high"])
def test_a_playout_ends_in_what_the_network_foretells(table: str, size: Size) -> None:
    """As far as the readable bots and the readable network say, world by world."""
    rng = random.Random(table)
    for number in range(size(2, long=100)):
        deal = played_on(table, number, rng.randrange(size(20, long=60), 61))
        view, options = shown(deal)
        choices = worth_trying(view, options, choice("master", deal))[: size(2, long=20)]
        rounds = rng.randint(1, 2)
        playouts = Playouts(view, "own", rounds=rounds)
        scores = playouts.scores(choices, 3, 0, size(1, long=5))
        for world, points in zip(playouts.deals(3, 0, scores.shape[1]), scores.T, strict=True):
            found = [outcome(world, action, "master", rounds) for action in choices]
            assert found == points.tolist()


def test_worlds_are_those_of_whole_playouts() -> None:
    view, _ = shown(played_on("altinstar-4", 3, 30))
    whole, short = Playouts(view, "own", steps=5), Playouts(view, "own", steps=5, rounds=2)
    assert whole.deals(4, 1, 3) == short.deals(4, 1, 3)


@pytest.mark.parametrize("table", ["altinstar-4", "pagat-teams", "wiki-3"])
def test_it_plays_at_any_table(table: str) -> None:
    deal = played_on(table, 1, 40)
    assert choice(QuickChampion(1), deal) in deal.legal_actions()
