"""Options, the judge, the solver and brute force agree on small positions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Size, unwrap
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
from okey101.game.dealing import deck_bits
from okey101.game.finishing import can_finish
from okey101.game.openings import best_melds, melds_of, melds_reach, twin_allowed
from okey101.game.public import Draft
from okey101.game.taken_discard import can_use
from okey101.melds import AS, Group, make_group, tile_of_piece
from okey101.solver import Objective, arrange_bits
from okey101.tiles import (
    BITS_OF,
    OKEY,
    Rack,
    Tile,
    bits_of_tiles,
    count_bits,
    distinct_bits,
    okey_of,
    size_of_bits,
    tiles_of_bits,
)

LOW = {"open_points": 51, "open_pairs": 4}
FEWER = settings(max_examples=settings().max_examples // 3)
"""For what tries all there is on each of many tables."""


@st.composite
def small(draw: st.DrawFn) -> tuple[Deal, random.Random]:
    """A small deal under low thresholds, and the random generator to play it with."""
    rules = draw(strategies.rule_sets(players=draw(st.integers(2, 3)))).with_(**LOW)
    return draw(strategies.positions(rules)), draw(strategies.rngs())


def walk(drawn: tuple[Deal, random.Random], most: int = 40) -> Iterator[Deal]:
    """The states of a deal played at random, its end included."""
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
    assert {_plain(a) for a in options.openings()} == brute
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


def _reaches(
    deal: Deal, done: Callable[[Deal], bool], seen: set[tuple[int, tuple[Group, ...]]]
) -> bool:
    """Whether some sequence of melds, lay-offs and swaps of this turn meets a condition."""
    if done(deal):
        return True
    options = options_of(deal)
    tried: list[Action] = [*options.melds, *options.lays, *options.swaps, *options.openings()]
    for action in tried:
        after = apply(deal, action)
        key = (after.hands[deal.turn], after.public.table)
        if key not in seen:
            seen.add(key)
            if after.over:
                if done(after):
                    return True
            elif _reaches(after, done, seen):
                return True
    return False


def _under(deal: Deal, **changes: bool) -> Deal:
    draft = Draft.of(deal.public)
    draft.setup = draft.setup._replace(rules=deal.rules.with_(**changes))
    return Deal(deal.layout, draft.seal(), deal.hands)


def _usable(free: Deal, tile: int) -> bool:
    seat = free.turn
    laid = len(free.public.table)
    if free.public.opened[seat] is None:
        # The opening itself has to hold the tile, and the whole hand alone does not do (R17).
        free = _under(free, whole_hand_opens=False)
        for opening in options_of(free).openings():
            after = apply(free, opening).public
            if any(count_bits(g.bits, tile) for g in after.table[laid:]):
                return True
        return False
    return _reaches(free, lambda d: any(p.tile == tile for p in d.public.placed), set())


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


def laid_out(rng: random.Random, *, partner: bool = False) -> tuple[Deal, int]:
    """An opened seat before a table of close groups, with close tiles in hand, and one of them.

    With ``partner`` it has not opened, but its partner has, so that anything opens (X5).
    """
    rules = RuleSet(
        players=4 if partner else 2,
        teams=partner,
        partner_opens=partner,
        reclaim_okey=not partner and rng.random() < 0.5,
        pairs_lay_off=rng.choice(("all", "all", "none")),
        lay_off_when_opening=rng.random() < 0.7,
        melds_lay_pairs=rng.random() < 0.5,
    )
    indicator = rng.randrange(52)
    okey = okey_of(indicator)
    low, colours = rng.randint(1, 8), rng.sample(range(4), rng.choice((1, 2, 2)))
    near = [13 * c + n - 1 for c in colours for n in range(low, low + 6)]
    deck = [t for t in tiles_of_bits(deck_bits(indicator)) if t in near or t >= 52]
    rng.shuffle(deck)
    table: list[Group] = []
    for _ in range(rng.randint(1, 3)):
        found = melds_of(bits_of_tiles(deck), okey)
        if found:
            table.append(rng.choice([g for g in found if len(g) == 3] or list(found)))
            for tile in table[-1].tiles:
                deck.remove(tile)
    pairs = [tile for tile in set(deck) if deck.count(tile) == 2 and tile != OKEY]
    if pairs and rng.random() < 0.5:
        paired = rng.choice(sorted(pairs))
        table.append(make_group((paired, paired), okey))
        deck = [tile for tile in deck if tile != paired]
    size = min(len(deck), rng.randint(2, 6))
    far = [t for t in tiles_of_bits(deck_bits(indicator)) if t not in near and t < 52]
    hand, others = deck[:size], far[: rules.players - 1]
    hands = (bits_of_tiles(hand), *(1 << 2 * other for other in others))
    dealt = deal_from_hands(rules, indicator=indicator, hands=hands)
    draft = Draft.of(Deal.start(rules, dealt).public)
    draft.table = tuple(table)
    draft.owners = (1,) * len(table)
    draft.opened = (rng.choice(tuple(Opened)), Opened.MELDS)
    if partner:
        draft.opened = (None, None, Opened.MELDS, None)
    for group in table:
        draft.playable |= group.accepts
    return Deal(dealt, draft.seal(), hands), rng.choice(hand)


@pytest.mark.parametrize(
    ("part", "partner"), [*((part, False) for part in range(4)), (0, True), (1, True)]
)
def test_U2_E4_X5_X6_X8_uses_and_finishes_before_close_tables(
    part: int, partner: bool, size: Size
) -> None:
    """An opening of anything (X5) finishes where search says so."""
    told: Counter[tuple[str, bool]] = Counter()
    kind = "partner" if partner else "close"
    for number in range(size(60, long=5_000 if partner else 10_000)):
        deal, tile = laid_out(random.Random(f"{kind} {part} {number}"), partner=partner)
        hand = hand_of(deal)
        taken = Draft.of(deal.public)
        taken.taken = tile
        used = can_use(taken.seal(), hand, tile)
        assert used == _usable(deal, tile), number
        finished = can_finish(deal.public, hand)
        assert finished == _reaches(deal, lambda d: size_of_bits(d.hands[0]) == 1, set()), number
        told["use", used] += 1
        told["finish", finished] += 1
    assert len(told) == 4
    assert min(told.values()) > 5


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
