"""Options, the judge, the solver and brute force agree on small positions."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies as st

from conftest import unwrap
from game.brute import legal, legal_melds, legal_openings, plain_actions, ruling, single_groups
from game.random_play import choose
from okey101 import testing as strategies
from okey101.errors import IllegalAction
from okey101.game import (
    PRESETS,
    Deal,
    Opened,
    Phase,
    RuleSet,
    apply,
    deal_from_hands,
    deal_from_seed,
    options_of,
    parse_action,
    parse_position,
)
from okey101.game.actions import INDICATOR, Action, Discard, Meld
from okey101.game.duties import can_finish
from okey101.game.openings import best_melds, melds_reach, twin_allowed
from okey101.game.public import Draft
from okey101.melds import AS, make_group, tile_of_piece
from okey101.solver import Objective, arrange_bits
from okey101.tiles import BITS_OF, Rack, Tile, distinct_bits, size_of_bits, tiles_of_bits

LOW = {"open_points": 51, "open_pairs": 4}
FEWER = settings(max_examples=settings().max_examples // 3)
"""For what tries all there is on each of many tables."""


@st.composite
def small(draw: st.DrawFn) -> tuple[Deal, random.Random]:
    rules = draw(strategies.rule_sets(players=draw(st.integers(2, 3)))).with_(**LOW)
    return draw(strategies.positions(rules)), draw(strategies.rngs())


def walk(drawn: tuple[Deal, random.Random], most: int = 40) -> Iterator[Deal]:
    deal, rng = drawn
    for _ in range(most):
        yield deal
        if deal.over:
            return
        deal = apply(deal, choose(options_of(deal), rng, rng.choice(("by-kind", "eager", "eager"))))


def hand_of(deal: Deal) -> int:
    return deal.hands[deal.turn]


@FEWER
@given(small())
def test_plain_actions_agree_with_the_judge(drawn: tuple[Deal, random.Random]) -> None:
    for deal in walk(drawn):
        listed = {a for a in options_of(deal).actions() if not isinstance(a, Meld)}
        assert listed == legal(deal, plain_actions(deal))


@given(small())
def test_P1_P2_P4_fines_of_options_are_the_fines_charged(drawn: tuple[Deal, random.Random]) -> None:
    for deal in walk(drawn):
        options = options_of(deal)
        costs: list[tuple[Action, int]] = list(options.backs)
        costs += [(Discard(d.tile), d.points) for d in options.discards]
        for action, points in costs:
            ruled = unwrap(ruling(deal, action))
            assert points == (ruled.fine[1] if ruled.fine else 0)


@given(small())
def test_melds_after_opening_agree_with_the_judge(drawn: tuple[Deal, random.Random]) -> None:
    tried = 0
    for deal in walk(drawn):
        if deal.over or deal.public.opened[deal.turn] is None:
            continue
        if deal.phase is Phase.PLAY and size_of_bits(hand_of(deal)) <= 6 and tried < 3:
            tried += 1
            melds = options_of(deal).melds
            assert set(melds) == legal_melds(deal)
            assert len(melds) == len(set(melds))


@FEWER
@given(small())
def test_openings_agree_with_the_judge(drawn: tuple[Deal, random.Random]) -> None:
    tried = 0
    for deal in walk(drawn):
        if deal.phase is not Phase.PLAY or deal.public.opened[deal.turn] is not None:
            continue
        if size_of_bits(hand_of(deal)) <= 9 and tried < 1:
            brute = legal_openings(deal, _groups(deal), most=2_000)
            if brute is not None:
                tried += 1
                _compare_openings(deal, {_plain(a) for a in brute})


def _groups(deal: Deal) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Every group of the hand with the tiles it takes; two okeys are one pair, however written."""
    hand = hand_of(deal)
    twin = twin_allowed(deal.public, hand)
    groups: dict[tuple[int, ...], tuple[int, ...]] = {}
    okeys_paired = False
    for pieces in single_groups(tiles_of_bits(hand)):
        try:
            group = make_group(pieces, deal.public.okey, twin)
        except IllegalAction:
            continue
        if _okeys(group.pieces):
            if okeys_paired:
                continue
            okeys_paired = True
        groups[group.pieces] = tuple(map(tile_of_piece, group.pieces))
    return groups


def _okeys(pieces: tuple[int, ...]) -> bool:
    return len(pieces) == 2 and min(pieces) >= AS


def _compare_openings(deal: Deal, brute: set[tuple[tuple[int, ...], ...]]) -> None:
    options = options_of(deal)
    if deal.public.must_finish:
        assert options.can_open or not brute
        return
    for found, form in ((options.opening, Opened.MELDS), (options.opening_pairs, Opened.PAIRS)):
        best = max((_worth(deal, groups) for groups in brute if _opens(groups) is form), default=0)
        assert (found is None) == (not best)
        if found is not None:
            assert _plain(found) in brute
            assert _worth(deal, found.pieces) == best


def _plain(action: Action) -> tuple[tuple[int, ...], ...]:
    """A meld with its groups in order, and two okeys paired under one name."""
    assert isinstance(action, Meld)
    return tuple(sorted((AS, AS) if _okeys(g) else g for g in action.pieces))


def _opens(groups: tuple[tuple[int, ...], ...]) -> Opened:
    return Opened.PAIRS if len(groups[0]) == 2 else Opened.MELDS


def _worth(deal: Deal, groups: tuple[tuple[int, ...], ...]) -> int:
    if len(groups[0]) == 2:
        return len(groups)
    return sum(make_group(pieces, deal.public.okey).points for pieces in groups)


@given(small())
def test_melds_compose(drawn: tuple[Deal, random.Random]) -> None:
    """Two groups in one meld are legal exactly if one after the other is."""
    rng = drawn[1]
    for deal in walk(drawn):
        melds = options_of(deal).melds
        for _ in range(4 if melds else 0):
            first, second = rng.choice(melds), rng.choice(melds)
            both = ruling(deal, Meld(first.pieces + second.pieces)) is not None
            if not deal.public.taken_waits:
                assert both == (ruling(apply(deal, first), second) is not None)
            elif both:
                orders = ((first, second), (second, first))
                assert any(ruling(apply(deal, a), b) is not None for a, b in orders)


def test_E4_X2_an_okey_reclaimed_after_the_opening_does_not_count() -> None:
    """A ruling: this hand opens, swaps its K4 and lays the okey with the false joker."""
    deal = parse_position(
        "deal; altinstar players=2 open_points=51 open_pairs=4 melds_lay_pairs=true"
        " reclaim_okey=true; R1 0; 0 play; F R13 Y13 B13 K2 K4 K13 / K3; - / -;"
        ' 1 R6 R6 / 1 Y3 Y3 / 1 K8 K8 / 1 K4 *K4; K3; opened=[null,"pairs"]'
    )
    assert isinstance(deal, Deal)
    assert not can_finish(deal.public, hand_of(deal))
    for action in ("meld R13 Y13 B13 K13", "swap K4 > 4", "meld F *R2", "discard K2"):
        deal = apply(deal, parse_action(action))
    assert deal.over


def test_E4_O6_the_opening_that_finishes_may_hold_the_announced_twin() -> None:
    """With the indicator drawn, its twin pairs with any tile: options once failed on it."""
    rules = RuleSet.preset("wiki").with_(players=2, open_pairs=5)
    okey = Tile.K8
    first = Rack.parse("R10 R6 R6 R8 R8 Y3 Y3 K9 * B1", okey=okey).bits
    hands = (Rack.parse("B2 B3", okey=okey).bits, first)
    start = Deal.start(rules, deal_from_hands(rules, indicator=Tile.K7, hands=hands, dealer=1))
    draft = Draft.of(start.public)
    draft.turn = 1
    draft.phase = Phase.LAST_INDICATOR
    draft.announced = 1
    deal = apply(Deal(start.layout, draft.seal(), start.hands), INDICATOR)
    opening = unwrap(options_of(deal).opening)
    assert "K7" in str(opening)
    opened = apply(deal, opening)
    end = apply(opened, Discard(tiles_of_bits(opened.hands[1])[0]))
    assert unwrap(end.result).winner == 1


# The best opening with a taken tile ---------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_U2_the_best_opening_with_a_taken_tile_is_the_solvers(seed: int) -> None:
    rng = random.Random(seed)
    rules: RuleSet = rng.choice(list(PRESETS.values()))
    deal = Deal.start(rules, deal_from_seed(rules, rng.randbytes(32), 0))
    public = deal.public
    for hand in deal.hands[1:]:
        with_it = hand + BITS_OF[deal.stock[0]] if not hand >> 2 * deal.stock[0] & 2 else hand
        for tile in distinct_bits(with_it):
            wanted = arrange_bits(with_it, public.okey, Objective.POINTS, must=tile, keep=1)
            found = best_melds(public, with_it, tile)
            assert (found is None) == (wanted is None)
            points = 0 if wanted is None else wanted.points
            if found is not None:
                assert found.points == points
            for need in (points - 1, points, points + 1):
                if need > 0:
                    assert melds_reach(public, with_it, tile, need) is (points >= need)
