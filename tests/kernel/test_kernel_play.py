"""What the kernel plays by itself: the game replays it, in any batch and any seat alike."""

import copy
import random
from functools import partial
from typing import Any

import numpy as np
import pytest

from conftest import Size, raises_code
from game.random_play import random_rules
from okey101.bots import bot_info
from okey101.errors import OkeyError, RecordError
from okey101.game import Layout, RuleSet, deal_from_seed, parse_record, replay
from okey101.kernel import KernelBatch, KernelDeal, conversion, play_random
from okey101.kernel.compiling import Row
from okey101.kernel.conversion import rules_vector
from okey101.kernel.layout import A_BACK, A_OPEN, A_PAIRS, OP, R_SIZE
from okey101.tiles import Tile


def replayed(rules: RuleSet | str, deals: int, seed: str) -> None:
    """Play deals at random and let the game replay them; it compares ends, scores and fines."""
    played = play_random(rules, deals, seed=seed, log=True)
    for i, record in enumerate(played.records()):
        deal = replay(record).deals[0]
        assert deal.result is not None
        assert deal.result.scores == tuple(played.scores[i])
        assert deal.result.counts == played.counts[i]
    assert (played.ends > 0).all()


def test_the_game_replays_what_the_kernel_played(preset: str, size: Size) -> None:
    replayed(preset, size(4, long=10_000), "replayed")


def test_the_game_replays_deals_of_random_rules(size: Size) -> None:
    rng = random.Random("kernel records")
    for number in range(size(10, long=1_000)):
        replayed(random_rules(rng), size(2, long=5), f"any rules {number}")


def test_a_record_of_the_kernel_is_a_record_like_any_other() -> None:
    played = play_random("wiki", 1, seed=5, first=3, log=True)
    record = parse_record(played.record(0).to_json())
    assert replay(record).totals == tuple(played.scores[0])
    with raises_code("no-log"):
        play_random("wiki", 1).record(0)
    for place in (-1, 9, None):
        with raises_code("out-of-range"):
            played.record(place)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 4, None])
def test_a_seat_that_is_not_there_has_no_rack(seat: Any) -> None:
    with raises_code("bad-seat"):
        KernelDeal("pagat", seed=7).rack(seat)


def test_what_is_played_depends_on_seeds_and_numbers_alone() -> None:
    at_once = play_random("pagat", 4, seed="batches", play_seed=1)
    alone = play_random("pagat", 4, seed="batches", play_seed=1, batch=1)
    later = play_random("pagat", 3, seed="batches", play_seed=1, first=1, batch=2)
    assert (at_once.scores == alone.scores).all()
    assert at_once.decisions == alone.decisions
    assert (at_once.scores[1:] == later.scores).all()
    other = play_random("pagat", 4, seed="batches", play_seed=2)
    assert (at_once.scores != other.scores).any()
    assert play_random("pagat", 0).scores.shape == (0, 4)


def test_a_batch_steps_as_deals_alone_do() -> None:
    rules = RuleSet.preset("altinstar").with_(open_points=51, open_pairs=4, players=3)
    batch = KernelBatch(rules, 12)
    assert batch.over.all()
    batch.reset("side by side", first=5)
    alone = [KernelDeal(rules, layout) for layout in layouts(rules, "side by side", 5, 12)]
    rng = random.Random(1)
    openings = 0
    while not batch.over.all():
        codes, starts = batch.legal()
        chosen = np.zeros(12, dtype=np.int64)
        for b, deal in enumerate(alone):
            mine = codes[starts[b] : starts[b + 1]]
            theirs = [code for code in deal.legal() if code & OP != A_BACK]
            assert mine.tolist() == theirs
            assert deal.turn == batch.turn[b]
            if deal.over:
                continue
            chosen[b] = next((c for c in theirs if c & OP in (A_OPEN, A_PAIRS)), rng.choice(theirs))
            openings += chosen[b] & OP in (A_OPEN, A_PAIRS)
            deal.apply(int(chosen[b]))
        batch.step(chosen)
        for b, deal in enumerate(alone):
            assert batch.rows[b].tolist() == deal.row.tolist()
    assert openings
    assert [tuple(scores) for scores in batch.scores] == [deal.scores for deal in alone]
    batch.reset_row(3, alone[3].layout)
    assert not batch.over[3]
    assert batch.over[2]
    for wrong in (np.zeros(11, dtype=np.int64), np.zeros((12, 1), dtype=np.int64)):
        with raises_code("bad-batch"):
            batch.step(wrong)
    wrong_sizes: tuple[Any, ...] = 0, "4", True, 10**30
    for size in wrong_sizes:
        with pytest.raises(OkeyError):
            KernelBatch(rules, size)
        for given in ({"deals": size or -1}, {"deals": 1, "batch": size}):
            with pytest.raises(OkeyError):
                play_random(rules, **given)
        with pytest.raises(OkeyError):
            batch.reset_row(size or -1, alone[3].layout)
    for first in (-1, "1", 1 << 63):
        for call in (partial(play_random, rules, 1), partial(batch.reset, 1)):
            with pytest.raises(OkeyError):
                call(first=first)  # type: ignore[arg-type]
    nobody: Any = None
    with raises_code("wrong-type"):
        bot_info(nobody)


def test_a_copy_of_a_deal_goes_on_like_the_deal() -> None:
    deal = KernelDeal("pagat", seed=7)
    twin = copy.deepcopy(deal)
    for call in (deal.action_of, deal.apply):
        for code in (-1, 10**30, "draw", Tile.R4):
            with raises_code("not-a-micro-action"):
                call(code)  # type: ignore[arg-type]
    assert deal.action_of(int(deal.legal()[0])) == deal.actions()[0]
    for one in (deal, twin):
        one.apply(int(one.legal()[-1]))
    assert twin.turn == deal.turn == 2
    assert twin.row.tolist() == deal.row.tolist()


def layouts(rules: RuleSet, seed: str, first: int, deals: int) -> list[Layout]:
    from okey101.game.dealing import match_seed, seed_of

    numbers = range(first, first + deals)
    return [deal_from_seed(rules, match_seed(seed_of(seed), n), n % rules.players) for n in numbers]


# The fields, and the first seed with two deals that show it.
FAULTS = {
    "playable_discard_fine": 0,
    "okey_in_hand_fine": 63,
    "stock_pairs_doubled": 0,
    "open_points": 15,
}


@pytest.mark.parametrize("field", FAULTS)
def test_a_planted_fault_is_caught(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that reads one field of the rules wrongly plays what the game does not replay."""
    rules = RuleSet.preset("altinstar").with_(open_points=60, open_pairs=4)
    wrong = {"open_points": 59, "stock_pairs_doubled": False}.get(field, 100)

    def misread(_: RuleSet) -> Row:
        return rules_vector(rules.with_(**{field: wrong}))

    monkeypatch.setattr(conversion, "rules_vector", misread)
    with pytest.raises(RecordError):
        _replayed_until_it_fails(rules, FAULTS[field])


def _replayed_until_it_fails(rules: RuleSet, first: int) -> None:
    for part in range(first, first + 50):
        replayed(rules, 2, f"faults {part}")


def test_every_field_of_the_rules_has_its_place() -> None:
    from dataclasses import fields

    from okey101.kernel import layout

    names = [f.name for f in fields(RuleSet)]
    assert len(names) == R_SIZE
    for place, name in enumerate(names):
        assert getattr(layout, f"R_{name.upper()}") == place
