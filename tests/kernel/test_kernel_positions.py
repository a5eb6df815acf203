"""Deals dealt by the kernel, and in the middle of their course, are those of the game."""

from __future__ import annotations

import hashlib
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Size, raises_code, unwrap
from kernel.kernel_states import any_rules, called, state_of_deal, state_of_row
from okey101 import PRESETS, Deal, Options, RuleSet, View, apply, options_of, testing, view_of
from okey101.bots.greedy import GreedyBot
from okey101.game.actions import Action, Back, Indicator, Lay, Meld, Swap, Take
from okey101.game.dealing import deal_from_seed, match_seed, seed_of
from okey101.kernel import KernelDeal, dealing, groups
from okey101.kernel import layout as at
from okey101.kernel.codes import bits_of_masks, codes_of
from okey101.kernel.conversion import row_of_deal, rules_vector, seed_words
from okey101.kernel.greedy import play_one
from okey101.kernel.layout import SCORES, SIZE
from okey101.kernel.legal import MOST_ACTIONS
from okey101.kernel.playouts import Playouts, Policy
from okey101.kernel.solver import tables


def states(rules: RuleSet, rng: random.Random) -> list[Deal]:
    """The states of a deal played at random, with tiles taken back now and then."""
    deal = Deal.start(rules, seed=rng.randbytes(32), dealer=rng.randrange(rules.players))
    found = [deal]
    while not deal.over and len(found) < 400:
        deal = apply(deal, rng.choice(options_of(deal).actions()))
        found.append(deal)
    return found


@pytest.mark.parametrize("part", range(2))
def test_a_row_says_what_the_deal_says(part: int, size: Size) -> None:
    rng = random.Random(f"positions {part}")
    for _ in range(size(6, long=400)):
        found = states(any_rules(rng), rng)
        for deal in rng.sample(found, min(12, len(found))):
            if deal.over:
                with pytest.raises(ValueError, match="over"):
                    row_of_deal(deal)
                continue
            row = row_of_deal(deal)
            assert row.shape == (SIZE,)
            assert state_of_row(row) == state_of_deal(deal)


@pytest.mark.parametrize("preset", PRESETS)
def test_greedy_goes_on_from_there_as_in_the_game(preset: str, size: Size) -> None:
    """Playouts from the middle of a deal end with the scores that the readable bot reaches."""
    rng = random.Random(f"onwards {preset}")
    rules = RuleSet.preset(preset)
    words, actions = np.zeros(64, dtype=np.int64), np.zeros(MOST_ACTIONS, dtype=np.int64)
    greedy = GreedyBot()
    for _ in range(size(2, long=300)):
        found = states(rules, rng)
        deal = rng.choice(found[len(found) // 2 : -1])
        row = row_of_deal(deal)
        play_one(tables(), rules_vector(rules), row, words, actions, np.zeros(0, dtype=np.int64))
        while not deal.over:
            view = view_of(deal, deal.turn)
            deal = apply(deal, greedy.choose(view, Options(view)))
        assert tuple(row[SCORES : SCORES + rules.players]) == unwrap(deal.result).scores


LONG_SEARCH = """
discard Y2 | draw | discard Y4 | draw | discard Y3 | draw | discard Y9 | take
meld R1 R2 R3 / R7 R8 R9 / Y6 Y7 Y8 Y9 / B1 B2 B3 / Y9 B9 K9 / Y10 B10 K10
discard K12 | draw | discard K2 | draw | discard B7 | draw | discard B1 | draw | discard R11 | take
meld R9 R10 R11 / B8 B9 B10 B11 / K9 *K10 K11 / R5 Y5 K5
discard Y12 | draw | discard B12 | draw | discard Y1 | draw | discard Y2 | take
meld Y1 Y2 Y3 Y4
discard Y7 | draw | discard K11 | take
meld B4 B5 B6 / K1 K2 K3 / K3 K4 K5 / R8 Y8 K8 / R11 B11 K11 / R12 B12 K12
lay Y5 > 3 | lay B4 > 4 | discard K13 | draw | lay R12 > 7
discard R7 | draw | lay B3 > 12 | lay B2 > 12 | lay K6 > 14 | discard R2
"""


def after(rules: str, seed: bytes, dealer: int, actions: str) -> View:
    """What the seat to act sees after some actions of a deal."""
    deal = Deal.start(rules, seed=seed, dealer=dealer)
    for action in actions.replace("\n", " | ").strip(" |").split(" | "):
        deal = apply(deal, action)
    return view_of(deal, deal.turn)


def test_a_playout_does_not_look_for_minutes_for_what_to_lay_down() -> None:
    """The hand with the tile that lies there, beside 17 melds, has a million states to look at."""
    seed = bytes.fromhex("fed2216f56bbe4cec5c7b40c43370b082be3d730ad9070e30c6e87e0622a890f")
    view = after("altinstar", seed, 0, LONG_SEARCH)
    points = Playouts(view, "greedy").outcomes([Take()], 1, 0, 2)
    assert points.tolist() == [[[13, 12, 107, -101], [5, 13, 107, -101]]]


LAST_INDICATOR = """
meld Y1 Y2 Y3 / B11 B12 B13 / R12 Y12 K12 / R13 Y13 K13 | discard R13 | draw | discard Y11
draw | discard K1 | draw | discard K4 | draw | discard K12 | draw | discard K11 | draw
discard R4 | draw | discard R3 | take | meld R3 R4 R5 | discard K10 | draw
meld R8 R8 / R10 R10 / B7 B7 / K2 K2 / Y12 *Y12 | lay Y4 > 1 | lay Y5 > 1 | lay Y6 > 1
lay B10 > 2 | discard Y8 | draw | discard Y10 | draw
meld R1 R2 R3 / Y9 Y10 Y11 / B3 B4 B5 / B8 B9 B10 / K8 F K10 | lay B13 > 4 | lay R6 > 5
lay R7 > 5 | discard K13 | draw | lay Y7 > 1 | lay B6 > 13 | discard B8 | draw | lay B2 > 13
lay B1 > 13 | lay B11 > 14 | lay K7 > 15 | discard K5 | draw | discard Y13 | draw | lay B12 > 14
discard R12 | draw | discard R7 | draw | discard B4 | draw | discard B1 | draw | discard R11
draw | discard Y9 | draw | discard Y1
"""
"""The next player may draw the indicator, for with it the whole hand goes down."""


@pytest.mark.parametrize(("policy", "rounds"), [("greedy", 0), ("own", 2)])
def test_E4_who_drew_the_indicator_finishes_in_playouts_as_well(
    policy: Policy, rounds: int
) -> None:
    """However long it takes to see how: who gave up drew it and put it back, over and over."""
    seed = bytes.fromhex("8f7d1593b3335f2d288f31e2409d51d42b2a8c968eb37da18275fcf9526fdc63")
    view = after("wiki", seed, 3, LAST_INDICATOR)
    playouts = Playouts(view, policy, steps=1, rounds=rounds)
    points = playouts.outcomes([Indicator()], 1, 0, 2)
    assert points[0, :, view.seat].tolist() == [-101, -101]


# Dealing ------------------------------------------------------------------------------------------


pile_tile, deal_seed = called(groups.pile_tile), called(dealing.deal_seed)
generator, next_below = called(dealing.generator), called(dealing.next_below)
sha256_block = called(dealing.sha256_block)

ROOT = seed_of("kernel")


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_d3_to_d8_the_same_tiles_from_the_same_seed(preset: str, players: int, size: Size) -> None:
    rules = PRESETS[preset].with_(players=players)
    vector = rules_vector(rules)
    row = np.zeros(at.SIZE, dtype=np.int64)
    words, seed = np.zeros(64, dtype=np.uint32), np.zeros(8, dtype=np.int64)
    rethrown = riziko = 0
    for number in range(size(5, long=5_000)):
        deal_seed(seed_words(ROOT), number, words, seed)
        assert seed.tolist() == seed_words(match_seed(ROOT, number)).tolist()
        dealt = deal_from_seed(rules, match_seed(ROOT, number), number % players)
        dealing.deal(row, vector, seed, number % players)
        hands = tuple(
            bits_of_masks(int(row[at.HANDS + 2 * s]), int(row[at.HANDS + 2 * s + 1]))
            for s in range(players)
        )
        stock = tuple(int(pile_tile(row, at.STOCK, i)) for i in range(row[at.STOCK_LEN]))
        dice = tuple(int(row[at.DICE]) >> 5 + 3 * i & 7 for i in range(row[at.DICE] & 31))
        okey = None if row[at.OKEY_KIND] < 0 else int(row[at.OKEY_KIND])
        assert (hands, stock, dice, okey) == (dealt.hands, dealt.stock, dealt.dice, dealt.okey)
        assert (row[at.DEALER], row[at.STARTER]) == (dealt.dealer, dealt.starter)
        assert row[at.INDICATOR] == dealt.indicator
        assert row[at.STOCK_COUNT] == len(stock)
        rethrown += len(dice) > 2
        riziko += okey is None
    assert riziko > 0 if preset == "wiki" else rethrown > 0


def test_large_numbers_of_deals_have_their_seeds() -> None:
    words, seed = np.zeros(64, dtype=np.uint32), np.zeros(8, dtype=np.int64)
    for number in (2**24 - 1, 2**24, 2**32 + 5, 2**62 + 12345):
        deal_seed(seed_words(ROOT), number, words, seed)
        assert seed.tolist() == seed_words(match_seed(ROOT, number)).tolist()


def test_sha_256_of_one_block() -> None:
    for message in (b"", b"abc", bytes(range(55))):
        padded = (
            message + b"\x80" + bytes(55 - len(message)) + (8 * len(message)).to_bytes(8, "big")
        )
        words = np.zeros(64, dtype=np.uint32)
        words[:16] = np.frombuffer(padded, dtype=">u4")
        out = np.zeros(8, dtype=np.int64)
        sha256_block(words, out)
        assert b"".join(int(w).to_bytes(4, "big") for w in out) == hashlib.sha256(message).digest()


def test_the_fast_generator_repeats_itself_and_leaves_no_number_out() -> None:
    state = np.zeros(1, dtype=np.int64)
    state[0] = generator(3, 8)
    drawn = [int(next_below(state, 0, 5)) for _ in range(2_000)]
    state[0] = generator(3, 8)
    assert drawn == [int(next_below(state, 0, 5)) for _ in range(2_000)]
    assert {drawn.count(n) // 100 for n in range(5)} <= {3, 4}
    assert generator(3, 9) != generator(3, 8) != generator(4, 8)


# Position by position: state and legal micro-actions ----------------------------------------------


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
        with raises_code("not-a-micro-action"):
            deal.apply(wrong)
    deal.apply("discard R4")
    assert [str(action) for action in deal.played] == ["discard R4"]
