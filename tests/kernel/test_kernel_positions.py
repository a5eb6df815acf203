"""Deals of the kernel, also in the middle, are the game's; and worlds come as they should."""

import math
import random
from collections import Counter, defaultdict
from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from bots.tables import TABLES, choice, dealt, onward, shown
from conftest import Size, only_long, raises_code, strangeness, unwrap
from game.random_play import random_rules, states
from kernel.kernel_states import ENDS, called, said
from okey101 import testing
from okey101.bots.playing import choose
from okey101.game import (
    PRESETS,
    Deal,
    Discard,
    Opened,
    RuleSet,
    View,
    apply,
    deal_from_hands,
    options_of,
    view_of,
)
from okey101.game.actions import ANNOUNCE, Action, Announce, Back, Indicator, Lay, Meld, Swap, Take
from okey101.game.dealing import deal_from_seed, deck_bits, match_seed, seed_of
from okey101.game.public import Draft
from okey101.kernel import KernelDeal, dealing, groups, layout as at
from okey101.kernel.beliefs import (
    AT_HANDS,
    E_PLAYABLE,
    E_TILE,
    FACTS,
    MOST_LIKELY,
    ODDS,
    TILES,
    evidence_of,
    hand_facts,
    inputs_of,
    likelihood,
    parts_of,
    tile_odds,
)
from okey101.kernel.codes import codes_of, masks_of_bits, public_row
from okey101.kernel.conversion import fines_of, row_of_deal, rules_vector, seed_words
from okey101.kernel.deals import Playouts, Policy
from okey101.kernel.layout import HANDS, SCORES
from okey101.kernel.seats import minds_of, play_until
from okey101.kernel.solver import tables
from okey101.tiles import Rack, Tile, bits_of_tiles, count_bits, size_of_bits, tiles_of_bits
from okey101.weights.neural import beliefs_of

_likelihood = called(likelihood)
_hand_facts = called(hand_facts)


def test_a_fine_by_a_rule_that_is_not_known_counts_with_its_points() -> None:
    told = view_of(Deal.start("pagat", seed=7), 1).to_dict()
    fines = [{"seat": 2, "rule": "P9", "points": 50}]
    row = public_row(View.from_dict(told | {"fines": fines}).public)
    assert row[at.FINES : at.FINES + 4] == [0, 0, 50, 0]


@pytest.mark.parametrize("name", ["master", "neural", "search", "champion"])
def test_hands_that_no_deal_has_are_refused_where_there_is_no_room(name: str) -> None:
    hand = " ".join(f"{colour}{number}" for colour in "RYK" for number in range(1, 14))
    hands = hand, "B1 B2 B3"
    rules = RuleSet(players=2)
    layout = deal_from_hands(rules, indicator="B9", hands=hands, stock="B4 B5", dealer=1)
    deal = Deal.start(rules, layout)
    with raises_code("rack-too-large"):
        choose(deal, name)
    with raises_code("rack-too-large"):
        row_of_deal(deal)
    assert choose(deal, "greedy") in options_of(deal).actions()


def test_greedy_goes_on_from_there_as_in_the_game(preset: str, size: Size) -> None:
    """Playouts from the middle of a deal end with the scores that the readable bot reaches."""
    rng = random.Random(f"onwards {preset}")
    rules = RuleSet.preset(preset)
    none, minds = np.zeros(0, dtype=np.int64), minds_of(rules)
    for _ in range(size(2, long=300)):
        found = states(rules, rng)
        deal = rng.choice(found[len(found) // 2 : -1])
        row = row_of_deal(deal)
        play_until(tables(), rules_vector(rules), row, none, minds, 0, 0)
        *_, deal = onward(deal, actions=1_000)
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

ROOT = seed_of("kernel")


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
        dice = tuple(int(row[at.DICE]) >> 5 + 3 * i & 7 for i in range(row[at.DICE] & 31))
        assert dice == dealt.dice
        assert row.tolist() == row_of_deal(Deal.start(rules, dealt)).tolist()
        rethrown += len(dice) > 2
        riziko += dealt.okey is None
    assert riziko > 0 if preset == "wiki" else rethrown > 0


def test_large_numbers_of_deals_have_their_seeds() -> None:
    words, seed = np.zeros(64, dtype=np.uint32), np.zeros(8, dtype=np.int64)
    for number in (2**24 - 1, 2**24, 2**32 + 5, 2**62 + 12345):
        deal_seed(seed_words(ROOT), number, words, seed)
        assert seed.tolist() == seed_words(match_seed(ROOT, number)).tolist()


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


def assert_ended(twin: KernelDeal, deal: Deal) -> None:
    row, result = twin.row, unwrap(deal.result)
    assert twin.over
    assert [twin.rack(seat).bits for seat in range(len(deal.hands))] == [*deal.hands]
    assert (ENDS[row[at.END]], row[at.COUNTS]) == (result.end.value, result.counts)
    assert row[at.WINNER] == (-1 if result.winner is None else result.winner)
    assert (twin.scores, fines_of(row)) == (result.scores, result.fines)
    with pytest.raises(ValueError, match="over"):
        row_of_deal(deal)


def compare(deal: Deal, rng: random.Random) -> tuple[Deal, set[type[Action]]]:
    """Play a deal in both, the same choices, and compare all there is after each action."""
    twin = KernelDeal(deal.rules, deal.layout)
    met: set[type[Action]] = set()
    for _ in range(ACTIONS):
        actions = options_of(deal).actions()
        assert twin.actions() == actions
        if deal.over:
            assert_ended(twin, deal)
            break
        assert said(twin.row) == said(row_of_deal(deal))
        chosen = rng.randrange(len(actions))
        rare = [i for i, a in enumerate(actions) if isinstance(a, Meld | Lay | Swap | Take)]
        if ANNOUNCE in actions:
            rare = [actions.index(ANNOUNCE)]
        if rare and (ANNOUNCE in actions or rng.random() < 0.3):
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


def test_every_position_of_random_play_of_the_presets(preset: str, size: Size) -> None:
    rng = random.Random(f"kernel {preset}")
    for _ in range(size(3, long=500)):
        compare(Deal.start(preset, seed=rng.randbytes(32), dealer=rng.randrange(4)), rng)


def test_every_position_under_rule_sets_drawn_at_random(size: Size) -> None:
    rng = random.Random("kernel rules")
    met: set[type[Action]] = set()
    for _ in range(size(8, long=3_000)):
        rules = random_rules(rng)
        start = Deal.start(rules, seed=rng.randbytes(32), dealer=rng.randrange(rules.players))
        met |= compare(start, rng)[1]
    assert {Announce, Meld, Lay, Swap, Back, Take} <= met


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


SMALL = (2, 1)
"""Tiles in the two hands that seat 2 does not see."""
UNSEEN = "R3 R4 R5 R5 K9 Y12"


def few_unseen(unseen: str) -> Deal:
    """Seat 2 sees all but these: two tiles of seat 0, one of seat 1, and the stock."""
    rules = RuleSet.preset("altinstar").with_(players=3)
    tiles = tiles_of_bits(Rack.parse(unseen).bits)
    hands = [bits_of_tiles(tiles[:2]), bits_of_tiles(tiles[2:3])]
    seen = deck_bits(Tile.B1) - bits_of_tiles(tiles)
    layout = deal_from_hands(
        rules, indicator=Tile.B1, hands=(*hands, seen), stock=tuple(tiles[3:]), dealer=1
    )
    draft = Draft.of(Deal.start(rules, layout).public)
    draft.opened = (Opened.MELDS, None, None)
    return Deal(layout, draft.seal(), layout.hands)


def playouts(deal: Deal, steps: int, *, beliefs: bool = False) -> Playouts:
    """Seat 2's, with something to be told of both others."""
    found = Playouts(view_of(deal, 2), steps=steps, beliefs=beliefs)
    found._seen[3][:2] = (int(Tile.K13), 1 << int(Tile.R5), 3), (int(Tile.Y11), 0, 2)
    return found


def chances(found: Playouts) -> dict[tuple[int, int], float]:
    """Each pair of hands with its chance: every way to give tiles to places, by its likelihood."""
    position, unseen, told, evidence, *_ = found._seen
    row, pool = position.copy(), unseen.tolist()
    known: dict[tuple[int, int], float] = {}
    facts = np.zeros(FACTS, dtype=np.int64)

    def weight(seat: int, hand: int) -> float:
        if (seat, hand) not in known:
            row[HANDS + 2 * seat], row[HANDS + 2 * seat + 1] = masks_of_bits(hand)
            if len(told) == ODDS:
                _hand_facts(tables(), found._rules, row, seat, evidence, facts)
                by = told[AT_HANDS + facts].sum()
                by += sum(told[TILES * seat + tile] for tile in tiles_of_bits(hand))
                known[seat, hand] = math.exp(by / 64)
            else:
                known[seat, hand] = _likelihood(tables(), found._rules, row, seat, evidence, told)
        return known[seat, hand]

    weights: dict[tuple[int, int], float] = defaultdict(float)
    for first in combinations(range(len(pool)), SMALL[0]):
        rest = [place for place in range(len(pool)) if place not in first]
        one = bits_of_tiles([pool[place] for place in first])
        for second in combinations(rest, SMALL[1]):
            two = bits_of_tiles([pool[place] for place in second])
            weights[one, two] += weight(0, one) * weight(1, two)
    total = sum(weights.values())
    return {hands: points / total for hands, points in weights.items()}


def apart(wanted: dict[tuple[int, int], float], found: Playouts, draws: int) -> float:
    """How far drawn hands are from their chances."""
    return strangeness(
        Counter((world.hands[0], world.hands[1]) for world in found.deals(11, 0, draws)), wanted
    )


@pytest.mark.parametrize("beliefs", [False, True])
def test_a_walk_comes_to_each_world_as_often_as_it_is_likely(beliefs: bool, size: Size) -> None:
    """Before it walks all are equally likely, and by beliefs others than without."""
    deal = few_unseen(UNSEEN)
    found, other = playouts(deal, 25, beliefs=beliefs), playouts(deal, 25 if beliefs else 1)
    wanted = chances(found)
    assert max(wanted.values()) > 20 * min(wanted.values())
    draws = size(500, long=50_000 if beliefs else 100_000)
    assert apart(wanted, found, draws) < 4
    assert apart(wanted, other, draws) > 4
    whole, part = found.deals(7, 0, 50), found.deals(7, 37, 6)
    assert [world.hands for world in part] == [world.hands for world in whole[37:43]]


def test_without_evidence_a_walk_leaves_all_worlds_as_likely() -> None:
    deal = few_unseen(UNSEEN)
    found = playouts(deal, 5)
    found._seen[3][:, E_TILE] = -1
    wanted = chances(found)
    assert apart(wanted, found, 500) < 4


@pytest.mark.parametrize("table", ["wiki-3", "pagat-teams", *only_long("altinstar-4")])
def test_every_world_of_a_walk_fits_the_view(table: str, size: Size) -> None:
    """Hands have their sizes and the tiles known of them, and with the stock they are all tiles."""
    for deal in [*onward(dealt(TABLES[table], 3), actions=39)][:: size(3, long=1)]:
        if deal.over:
            break
        view = view_of(deal, deal.turn)
        plain, learned = (Playouts(view, steps=20, beliefs=known) for known in (False, True))
        for world in (*plain.deals(5, 0, 3), *learned.deals(5, 38, 3)):
            left = view.unseen
            for seat, hand in enumerate(world.hands):
                assert size_of_bits(hand) == view.public.sizes[seat]
                known = view.public.known[seat]
                assert all(count_bits(hand, t) >= count_bits(known, t) for t in range(54))
                left -= hand if seat != view.seat else 0
            assert size_of_bits(left) == view.public.stock_count


@pytest.mark.parametrize("table", ["altinstar-4", "pagat-teams", "wiki-3", *only_long("riziko-3")])
@pytest.mark.parametrize("bot", ["master", "neural"])
def test_a_search_begins_with_what_the_readable_bot_chooses(
    table: str, bot: Literal["master", "neural"], size: Size
) -> None:
    for number in range(size(1, long=3)):
        for deal in onward(dealt(TABLES[table], number), bot, actions=200):
            if not deal.over:
                view, options = shown(deal)
                assert Playouts(view).choice(bot, options) == choice(bot, deal)


def test_beliefs_are_those_of_whole_numbers(preset: str) -> None:
    """Products in floating point are exact: by a tenth of what it holds, and as integers give."""
    parts = parts_of(beliefs_of(PRESETS[preset]))
    _, first, bias, second, second_bias, last = parts
    for deal in [*onward(dealt(TABLES[f"{preset}-4"], 1), actions=60)][::7]:
        if not deal.over:
            view = view_of(deal, deal.turn)
            told = inputs_of(view)
            inner = np.maximum(0, told @ first + bias) >> 6
            outer = np.maximum(0, inner @ second + second_bias) >> 12
            for inputs, weights in ((told, first), (inner, second), (outer, last)):
                assert (abs(inputs) @ abs(weights)).max() < 2**53 // 10
            assert np.array_equal(tile_odds(view, parts), outer @ last >> 16)


def test_the_evidence_is_what_lay_there_when_it_was_thrown() -> None:
    compared = 0
    for number in range(3):
        deal = dealt(TABLES["altinstar-4"], number)
        thrown: dict[int, tuple[int, int]] = {}
        while not deal.over:
            found = evidence_of(deal.public, deal.turn)
            for seat, (tile, playable) in thrown.items():
                if seat != deal.turn:
                    assert found[seat, E_TILE] == tile
                    assert not int(found[seat, E_PLAYABLE]) & ~playable
                    compared += bool(playable) and int(found[seat, E_PLAYABLE]) == playable
            action = choice("greedy", deal)
            if isinstance(action, Discard):
                thrown[deal.turn] = int(action.tile), deal.public.playable
            deal = apply(deal, action)
    assert compared > 20


def test_greedy_hands_are_the_likely_ones() -> None:
    """What ``greedy`` threw is what it would throw: its true hand tells no other story."""
    whole = held = 0
    for number in range(6):
        deal = dealt(TABLES["altinstar-4"], number)
        while not deal.over:
            action = choice("greedy", deal)
            if isinstance(action, Discard):
                true = Playouts.with_hands(deal)
                row, _, grades, evidence, *_ = true._seen
                for seat, hand in enumerate(deal.hands):
                    at = HANDS + 2 * seat
                    row[at], row[at + 1] = masks_of_bits(hand)
                    if evidence[seat, E_TILE] >= 0:
                        held += 1
                        chance = _likelihood(tables(), true._rules, row, seat, evidence, grades)
                        whole += chance == MOST_LIKELY
            deal = apply(deal, action)
    assert held > 100
    assert whole > 0.8 * held, (whole, held)
