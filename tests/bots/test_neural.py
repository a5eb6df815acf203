"""``neural``: its weights, its sums, and what it is told."""

from __future__ import annotations

import json
import random
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neural_data
import train_neural
from okey101.bots import make_bot
from okey101.bots.neural import NeuralBot, NeuralInputs, networks_of
from okey101.game import PRESETS, Deal, Discard, Options, RuleSet, apply, view_of
from okey101.tiles import size_of_bits
from okey101.weights.neural import CHOICE_SIZE, CHOICES, NET, POSITION_SIZE, nets_of


def test_weights_are_those_of_the_preset_that_rules_are_like() -> None:
    nets = {preset: nets_of(rules) for preset, rules in PRESETS.items()}
    assert len(set(nets.values())) == len(PRESETS)
    assert {len(net) for net in nets.values()} == {2 * NET}
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
        for opened, network in enumerate(networks_of(rules)):
            net = np.array(nets_of(rules)[NET * opened : NET * (opened + 1)])
            position, choices = any_inputs(rng)
            data = {
                "p": np.array([position]), "c": np.array([choices]),
                "mask": np.ones((1, CHOICES), dtype=bool),
            }  # fmt: skip
            wanted = train_neural.whole_costs(data, net)[0]
            assert network.costs(position, choices) == [int(cost) for cost in wanted], preset


def test_it_weighs_the_discards_that_it_may_throw() -> None:
    deal, bot = Deal.start("altinstar", seed=5), make_bot("greedy")
    while not deal.over:
        view = view_of(deal, deal.turn)
        options = Options(view)
        deal = apply(deal, bot.choose(view, options))
        if not options.discards or size_of_bits(view.hand or 0) == 1:
            continue
        found = NeuralInputs(view, None).choices
        tiles = [choice.action.tile for choice in found if isinstance(choice.action, Discard)]
        assert len(set(tiles)) == len(tiles) <= CHOICES - 1
        assert {int(tile) for tile in tiles} <= {int(d.tile) for d in options.discards}
        assert {len(choice.inputs) for choice in found} <= {CHOICE_SIZE}


def test_it_plays_teams_and_smaller_tables() -> None:
    for rules in (
        RuleSet.preset("altinstar").with_(players=2),
        RuleSet.preset("pagat").with_(players=3),
        RuleSet.preset("wiki").with_(teams=True),
    ):
        deal, bot = Deal.start(rules, seed=3), NeuralBot()
        while not deal.over:
            view = view_of(deal, deal.turn)
            deal = apply(deal, bot.choose(view, Options(view)))


def test_the_networks_of_one_preset_are_written_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    facts = {"deals": 3, "decisions": 9, "gain": 0.1, "error": 0.2, "curve": [[1.0, 0.1, 0.2]]}
    parts = []
    for stage in train_neural.STAGES:
        data = {
            "p": rng.integers(0, 9, (9, POSITION_SIZE)),
            "c": rng.integers(0, 9, (9, CHOICES, CHOICE_SIZE)),
            "y": rng.normal(0, 9, (9, CHOICES)),
            "mask": np.ones((9, CHOICES), dtype=bool),
        }
        state = train_neural.begin(data, 1)
        train_neural.save(tmp_path / f"pagat-{stage}.npz", state, True)
        told = json.dumps(facts)
        (tmp_path / f"pagat-{stage}.json").write_text(told, encoding="utf-8")
        parts.append(train_neural.whole(state))
    before = train_neural.WEIGHTS.read_bytes()
    for name in ("WEIGHTS", "TOLD"):
        copy = tmp_path / getattr(train_neural, name).name
        copy.write_bytes(getattr(train_neural, name).read_bytes())
        monkeypatch.setattr(train_neural, name, copy)
    given = Namespace(nets=tmp_path, presets=["pagat"], value=False)
    assert train_neural.write(given) == 0
    after = train_neural.WEIGHTS.read_bytes()
    third = len(before) // 3
    assert (after[:third], after[2 * third :]) == (before[:third], before[2 * third :])
    assert after[third : 2 * third] == np.concatenate(parts).astype("<i4").tobytes()
    found = json.loads(train_neural.TOLD.read_text(encoding="utf-8"))["networks"]["pagat"]
    assert found["opened"] == {k: v for k, v in facts.items() if k != "curve"}


@pytest.mark.long
def test_what_was_played_can_be_learned_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some decisions are kept, trained on where JAX is, and trained no further once done."""
    monkeypatch.setattr(neural_data, "PER_FILE", 50)
    folder = tmp_path / "altinstar"
    nets = neural_data.nets_of("altinstar", learned=False)
    found = neural_data.play("altinstar", 100, 2, 31, nets, learned=False)
    again = neural_data.play("altinstar", 100, 2, 31, nets, learned=False)
    assert all((found[name] == again[name]).all() for name in found)
    folder.mkdir()
    (folder / "manifest.json").write_text('{"preset": "altinstar"}', encoding="utf-8")
    np.savez(folder / "0000000.npz", **found)
    data = train_neural.load([folder], "altinstar", opened=False)
    assert set(data["n"]) <= {*range(2, CHOICES + 1)}
    state: Any = train_neural.begin(data, 1)
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
