"""Analyses of positions, and reviews of deals."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import okey101
from conftest import Size, raises_code, unwrap
from game.hidden import other_deal, replayed
from okey101.bots import make_bot
from okey101.bots.playing import play_out
from okey101.errors import IllegalAction, OkeyError
from okey101.game import (
    PRESETS,
    Deal,
    Options,
    Record,
    RuleSet,
    apply,
    deal_from_hands,
    determinize,
    parse_action,
    record_of,
    view_of,
)
from okey101.game.actions import Action, Discard, Lay, Meld, Swap
from okey101.game.public import Draft
from okey101.game.record.replay import steps_of
from okey101.review import review_deal, review_match
from okey101.review.analysis import POLICIES, _first, weigh
from okey101.review.balance import Spread, Way, _kept, balance_of, measured, name_of, spread_of
from okey101.review.deals import DealReview, Decision, Moment, looked_at
from okey101.review.matches import joined
from okey101.review.wording import reason
from okey101.tiles import OKEY, Rack, Tile, bits_of_tiles

RICH = "R10 R11 R12 R13 Y11 Y12 Y13 B11 B12 B13 K11 K12 K13 R1 Y3 B5 K7 K2 B2 Y5 R7 K9"
"""22 tiles with more than 150 points, the okey being another one."""


def deal_with(rack: str, stock: int, seed: int = 1, rules: RuleSet | None = None) -> Deal:
    """A deal in which seat 0 starts with these tiles, the others having one less.

    The okey is red 5.
    """
    rules = rules or RuleSet()
    own = Rack.parse(rack, okey=Tile.R5).bits
    rng = random.Random(seed)
    left = [t for t in range(53) for _ in range(2) if t not in (Tile.R4, Tile.R5)]
    left += [int(Tile.R4), OKEY, OKEY]
    for tile in Rack.from_bits(own):
        left.remove(int(tile))
    rng.shuffle(left)
    size = len(Rack.from_bits(own)) - 1
    hands = [bits_of_tiles(left[size * n : size * (n + 1)]) for n in range(3)]
    layout = deal_from_hands(
        rules,
        indicator=int(Tile.R4),
        hands=(own, *hands),
        stock=tuple(left[3 * size : 3 * size + stock]),
        dealer=3 if rules.starter != "dealer" else 0,
    )
    return Deal.start(rules, layout)


def short_deal(seed: int, stock: int = 3, rules: RuleSet | None = None, size: int = 22) -> Deal:
    """The same with tiles at random, seat 0 having so many."""
    rng = random.Random(seed)
    tiles = [t for t in range(53) for _ in range(2) if t not in (Tile.R4, Tile.R5)] + [OKEY] * 2
    rng.shuffle(tiles)
    rack = str(Rack.from_bits(bits_of_tiles(tiles[:size])))
    return deal_with(rack, stock, seed, rules)


def played_on(deal: Deal, bots: str = "greedy", first: str | None = None) -> Deal:
    """A deal played to its end, the first action perhaps a given one."""
    players = [make_bot(bots, seat) for seat in range(deal.rules.players)]
    return play_out(deal if first is None else deal.apply(first), players)


def record_with(deal: Deal) -> Record:
    """The record of one deal."""
    return record_of(deal.rules, [deal])


if TYPE_CHECKING:
    from numpy.typing import NDArray


class Noise:
    """A player for whom all choices are equal, and each world another number."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def outcomes(
        self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """Points that have nothing to do with the choice."""
        shape = (len(choices), worlds, 4)
        return np.random.default_rng((self._seed, first)).integers(-100, 200, shape)


def test_equal_choices_cost_nothing_on_average(size: Size) -> None:
    """The best of many equal ones looks good on the worlds that chose it, and there alone."""
    view = view_of(short_deal(1), 0)
    choices = [Discard(one.tile) for one in Options(view).discards][:8]
    priced, chosen = [], []
    for trial in range(size(200, long=5_000)):
        prices = weigh(Noise(trial).outcomes, view, choices, 64, 0, every=True)
        priced.append(prices.behind(0, prices.best).tenths)
        own = prices.first
        chosen.append(int(own[0][:, 0].sum()) - int(own[prices.best][:, 0].sum()))
    fair = spread_of(sum(priced), sum(n * n for n in priced), len(priced))
    assert abs(fair.tenths) <= 1.7 * fair.reach
    unfair = spread_of(sum(chosen), sum(n * n for n in chosen), len(chosen))
    assert unfair.low > 0


def test_halving_keeps_the_named_choices_and_asks_less() -> None:
    asked = 0

    class Counting(Noise):
        def outcomes(
            self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
        ) -> NDArray[np.int64]:
            nonlocal asked
            asked += len(choices) * worlds
            return super().outcomes(choices, seed, first, worlds)

    view = view_of(short_deal(1), 0)
    choices = [Discard(one.tile) for one in Options(view).discards][:8]
    for trial in range(20):
        prices = weigh(Counting(trial).outcomes, view, choices, 400, 0, kept=(0, 7))
        assert {0, 7, prices.best} <= set(prices.second)
        assert len(prices.first[7]) == len(prices.second[7]) == 200
    assert asked < 20 * 8 * 400 * 0.7


def test_a_position_has_its_figures(size: Size) -> None:
    deal = deal_with(RICH, 1)
    view = view_of(deal, 0)
    found = okey101.analyse(view, size(16, long=2_000), seed=3, policy="greedy")
    assert isinstance(found.best, Meld)
    opening = found.of(found.best)
    assert opening.behind.tenths == 0
    assert found.choices[0].action == found.best
    thrown = max(found.choices, key=lambda weighed: weighed.points.tenths)
    assert thrown.behind.low > 50
    told = found.to_dict()
    assert told["best"] == str(found.best)
    assert found == okey101.analyse(view, size(16, long=2_000), seed=3, policy="greedy")
    assert found != okey101.analyse(view, size(16, long=2_000), seed=4, policy="greedy")


def test_T2_the_figures_depend_on_the_view_alone(size: Size) -> None:
    compared = 0
    for number in range(size(1, long=20)):
        deal = short_deal(number, 2)
        view = view_of(deal, 0)
        first = okey101.analyse(view, 8, policy="greedy")
        for trial in range(2):
            other = determinize(view, random.Random(trial))
            compared += other.hands != deal.hands
            assert okey101.analyse(view_of(other, 0), 8, policy="greedy") == first
    assert compared


def test_master_plays_on_where_nobody_says_otherwise() -> None:
    view = view_of(deal_with(RICH, 1), 0)
    found = okey101.analyse(view, 8)
    assert found.policy == "master"
    assert isinstance(found.best, Meld)


def test_a_choice_that_is_asked_for_is_weighed_too() -> None:
    deal = deal_with(RICH, 1)
    view = view_of(deal, 0)
    worst = Discard("R13")
    found = okey101.analyse(view, 8, policy="greedy", also=(worst,))
    assert found.of(worst).points.tenths > found.of(found.best).points.tenths
    with pytest.raises(OkeyError, match="was not weighed"):
        found.of(Discard("K1"))
    named = okey101.analyse(view, 8, policy="greedy", also=["discard R13"])
    assert named == found
    assert named.of("discard R13") == found.of(worst)


@pytest.mark.parametrize("action", ["draw", "discard B6", Discard("R5"), "lay R1 > 1"])
def test_what_cannot_be_played_is_not_weighed(action: Action | str) -> None:
    with pytest.raises(IllegalAction):
        okey101.analyse(view_of(deal_with(RICH, 1), 0), 8, policy="greedy", also=[action])


@pytest.mark.parametrize(
    ("code", "seat", "worlds", "policy"),
    [
        ("not-to-act", 1, 8, "greedy"),
        ("bad-worlds", 0, 7, "greedy"),
        ("bad-worlds", 0, 1_000_001, "greedy"),
        ("unknown-policy", 0, 8, "nobody"),
    ],
)
def test_what_is_refused(
    code: str, seat: int, worlds: int, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a minute goes by with compiling."""
    monkeypatch.setattr("okey101.review.analysis._kernel", None)
    view = view_of(short_deal(1), seat)
    with raises_code(code):
        okey101.analyse(view, worlds, policy=policy)


@pytest.mark.parametrize(("worlds", "seed"), [("8", 0), (8.0, 0), (True, 0), (8, "x"), (8, None)])
def test_only_whole_numbers_are_numbers(worlds: Any, seed: Any) -> None:
    view = view_of(short_deal(1), 0)
    with pytest.raises(OkeyError, match="has to be a whole number"):
        okey101.analyse(view, worlds, seed=seed)


@pytest.mark.parametrize("view", [None, short_deal(1)])
def test_only_a_view_is_looked_at(view: Any) -> None:
    with pytest.raises(OkeyError, match="a View is wanted here"):
        okey101.analyse(view, 8)


def test_U2_E4_a_duty_that_cannot_be_done_leaves_no_choices() -> None:
    """A view made by hand may ask that of it; bots have no answer then."""
    view = view_of(deal := Deal.start("pagat", seed=7), deal.turn)
    draft = Draft.of(view.public)
    draft.must_finish = True
    with raises_code("bad-position", match="finish, as it has to"):
        okey101.analyse(view._replace(public=draft.seal()), 8, policy="greedy")


def test_many_ways_to_lay_down_leave_the_discards_and_swaps_in() -> None:
    """The seven discards that look best are weighed whatever else may be done."""
    layers: list[Action] = [Lay("R1", number) for number in range(1, 31)]
    discards: list[Action] = [Discard(name) for name in ("R1", "R2", "R3")]
    swap = Swap("R8", 3)
    kept = _first([layers[0], *layers[1:], swap, *discards])
    assert kept == [*layers[:20], swap, *discards]
    few = [*layers[:3], swap, *discards]
    assert _first(few) == few


def test_a_deal_that_is_over_has_no_choices() -> None:
    deal = played_on(short_deal(1, 1))
    with raises_code("not-to-act"):
        okey101.analyse(view_of(deal, deal.turn), 8)
    assert not Options(view_of(deal, 0)).actions()


# Deals --------------------------------------------------------------------------------------------

SPREADS = st.builds(Spread.of, st.integers(-9_999, 9_999), st.integers(0, 999))


def adds_up(review: DealReview) -> bool:
    return sum(term.tenths for term in review.balance.terms) == 10 * review.balance.score


@given(
    SPREADS,
    SPREADS,
    st.lists(st.builds(Way, SPREADS, SPREADS, st.sampled_from(["draws", "others", "residual"]))),
    st.integers(-404, 1_000),
)
def test_the_terms_add_up_to_the_score(
    par: Spread, dealt: Spread, steps: list[Way], score: int
) -> None:
    found = balance_of(par, dealt, steps, score)
    assert sum(term.tenths for term in found.terms) == 10 * score
    twice = found.plus(found)
    assert sum(term.tenths for term in twice.terms) == 20 * score
    assert twice.par == Spread.of(2 * par.tenths, 2 * par.reach), "the same estimate twice"


@pytest.mark.parametrize("seat", [0, 2])
def test_a_deal_adds_up_and_is_the_same_again(seat: int) -> None:
    last = played_on(short_deal(5, 6, size=12), "random")
    review = review_deal(record_with(last), 0, seat, worlds=8, policy="greedy")
    score, actions = unwrap(last.result).scores[seat], last.public.actions
    assert review.balance.score == score
    assert adds_up(review)
    own = [(at, str(action)) for at, (who, action) in enumerate(actions) if who == seat]
    assert [(one.action, one.played.action) for one in review.decisions] == own
    assert review.curve[-1] == Moment(len(actions), score)
    assert review == review_deal(record_with(last), 0, seat, worlds=8, policy="greedy")


def test_it_tells_what_a_bot_or_the_clock_played_for_the_seat() -> None:
    last = played_on(short_deal(5, 4, size=12), "random")
    record = record_with(last)
    own = [at for at, (who, _) in enumerate(last.public.actions) if who == 0]
    actors = ["person"] * len(last.public.actions)
    actors[own[0]], actors[own[1]] = "bot:steady/1", "clock"
    told = replace(record, deals=(replace(record.deals[0], actors=tuple(actors)),))
    assert len(own) > 2
    review = review_deal(told, 0, 0, worlds=8, policy="greedy")
    assert review.by_others == 2
    nobody = tuple(replace(decision, actor=None) for decision in review.decisions)
    assert replace(review, decisions=nobody).by_others == 0


def test_a_team_has_the_scores_of_both() -> None:
    rules = PRESETS["altinstar"].with_(teams=True)
    last = played_on(short_deal(3, 4, rules, 12))
    assert last.result is not None
    review = review_deal(record_with(last), 0, 0, worlds=8, policy="greedy")
    assert review.balance.score == last.result.scores[0] + last.result.scores[2]
    assert adds_up(review)


def test_what_the_partner_held_at_the_end_is_not_inexactness() -> None:
    """Seat 3 ends the deal, which brings the rest of its partner's rack to light."""
    rules = PRESETS["altinstar"].with_(teams=True)
    last = played_on(short_deal(5, 2, rules))
    assert last.public.actions[-1][0] == 3
    assert unwrap(last.result).scores == (11, 24, 202, 202)
    review = review_deal(record_with(last), 0, 3, worlds=16, policy="greedy")
    assert review.balance.residual == Spread.of(0, 0)
    assert review.balance.others.tenths
    assert adds_up(review)


def test_T2_a_decision_is_judged_by_what_the_seat_saw(size: Size) -> None:
    """The same actions over other hidden tiles: all but the hindsight stays as it is."""
    compared = 0
    for number in range(size(1, long=20)):
        states = [*steps_of(record_with(played_on(short_deal(number, 2), "random")), 0)]
        rng = random.Random(number)
        for at in rng.sample(range(1, len(states) - 1), min(size(3, long=8), len(states) - 2)):
            seat = states[at].turn
            seen = states[: at + 1]
            with contextlib.suppress(IllegalAction):  # another seat may not have been able to
                twin = replayed(other_deal(seen, seat, rng), seen)
                twin.append(apply(twin[-1], states[at + 1].public.actions[-1][1], seat))
                first = looked_at(states, at, 8, 0, "greedy")
                second = looked_at(twin, at, 8, 0, "greedy")
                assert replace(first, hindsight=None) == replace(second, hindsight=None)
                compared += twin[at].hands != states[at].hands
    assert compared


def blunder(deal: Deal, played: str, worlds: int) -> Decision:
    return looked_at([deal, deal.apply(played)], 0, worlds, 0, "greedy")


def test_not_opening_with_150_is_found(size: Size) -> None:
    first = blunder(deal_with(RICH, 1), "discard K7", size(8, long=1_000))
    assert (first.mark, first.best.verb) == ("large", "open")
    why = unwrap(first.why)
    assert (why.code, why.need) == ("open", 101)
    assert why.points >= 150
    assert first.skill.low > 50


def test_a_thrown_okey_is_found(size: Size) -> None:
    rack = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 B4 B7 B9 B12 K1 K3 K6 K8 K10 K13 B13 *"
    first = blunder(deal_with(rack, 1), "discard *", size(16, long=1_000))
    why = unwrap(first.why)
    assert (first.mark, why.code, why.points) == ("large", "okey-thrown", 101)


POOR = "R10 R11 R12 Y1 Y4 Y7 Y9 Y11 B2 B4 B7 B9 B12 K1 K3 K6 K8 K10 K13 B13 R1 R3"
FEWER = "R10 R11 R12 / Y11 Y12 Y13 / B11 B12 B13 / K11 K12 K13"


@pytest.mark.parametrize(
    ("rack", "before", "played", "best", "cause"),
    [
        (POOR, [], "meld R10 R11 R12", "discard Y1", ("short", 101, 101)),
        (POOR, [], "meld R10 R11 R12", "meld R10 R11 R12", ("short", 101, 101)),
        (RICH, [], "meld R10 R11 R12 R13", f"meld {FEWER}", ("short", 101, 101)),
        (RICH, [], f"meld {FEWER}", f"meld R13 {FEWER}", ("open-other", 154, 0)),
        (RICH, [], f"meld {FEWER}", "discard R7", ("hold", 0, 0)),
        (RICH, [], "discard R7", f"meld {FEWER}", ("open", 141, 101)),
        (
            RICH.replace("K9", "Y10"),
            [f"meld {FEWER}", "lay R13 > 1", "lay Y10 > 2", "back 1"],
            "back 1",
            "discard R7",
            ("back-fined", 101, 0),
        ),
        (RICH, [f"meld {FEWER}"], "lay R13 > 1", "discard R7", ("keep", 0, 0)),
        (RICH, [f"meld {FEWER}"], "lay R13 > 1", "lay R13 > 2", ("played-out", 0, 0)),
    ],
)
def test_the_reason_of_an_opening_and_of_what_is_fined(
    rack: str, before: list[str], played: str, best: str, cause: tuple[str, int, int]
) -> None:
    """H1, P3 and P4: what was done counts, not only what would have been better."""
    deal = deal_with(rack, 1)
    for action in before:
        deal = deal.apply(action)
    costs = Spread.of(500, 10), Spread.of(0, 10)
    why = reason(parse_action(played), parse_action(best), view_of(deal, 0), *costs)
    assert (why.code, why.points, why.need) == cause


def test_who_plays_as_the_policy_has_neither_gained_nor_lost() -> None:
    record = record_with(played_on(short_deal(3, 6, size=12)))
    review = review_deal(record, 0, 1, worlds=8, policy="greedy")
    assert review.balance.skill == Spread.of(0, 0)
    assert adds_up(review)


def test_a_match_is_its_deals_together() -> None:
    deals = [played_on(short_deal(number, 4, size=12)) for number in (7, 8)]
    record = record_of(deals[0].rules, deals)
    steps: list[tuple[int, int]] = []
    how: Any = {"seats": [1], "worlds": 8, "policy": "greedy"}
    how["on_step"] = lambda *done: steps.append(done)
    review = review_match(record, **how)
    summary = review.summary[0]
    assert summary.deals == len(review.deals) == 2
    assert summary.balance.score == sum(deal.balance.score for deal in review.deals)
    assert sum(term.tenths for term in summary.balance.terms) == 10 * summary.balance.score
    total = sum(len(deal.decisions) for deal in review.deals)
    assert steps == [(n + 1, total) for n in range(total)]
    one = review_match(record, **how, go_on=lambda: False)
    other = review_match(record, **how, first=1)
    assert (len(one.deals), len(other.deals)) == (1, 1)
    assert joined([one, other]) == review  # in parts as in one go
    assert steps[total:] == steps[:total]
    assert other.deals == review_match(record, deal=1, seats=[1], worlds=8, policy="greedy").deals


@pytest.mark.parametrize(
    ("code", "deal", "seat"),
    [("deal-unfinished", None, 0), ("deal-unfinished", 0, 0), ("no-such-deal", 1, 0)],
)
def test_only_finished_deals(code: str, deal: int | None, seat: int) -> None:
    with raises_code(code):
        review_match(record_with(short_deal(1)), deal=deal, seats=[seat])


def test_only_seats_that_are_there() -> None:
    record = record_with(played_on(short_deal(1, 1)))
    junk: Any
    for junk in ({"deal": "0"}, {"first": "0"}, {"seats": 1}):
        with raises_code("wrong-type"):
            review_match(record, worlds=8, **junk)
    junk = 3
    with raises_code("wrong-type"):
        okey101.analyse(view_of(start := Deal.start("pagat", seed=7), start.turn), 8, also=junk)
    for ask in (lambda: review_match(record, seats=[4]), lambda: review_deal(record, 0, -1)):
        with raises_code("bad-seat"):
            ask()


@pytest.mark.long
@pytest.mark.parametrize("policy", POLICIES)
def test_the_pars_of_the_file_are_right(preset: str, policy: str) -> None:
    """Where this fails a policy has changed: scripts/make_pars.py measures them anew."""
    rules = PRESETS[preset]
    for table in (rules, rules.with_(players=2), rules.with_(players=3), rules.with_(teams=True)):
        kept = _kept()[f"{policy} {name_of(table)}"]
        for own, again in zip(kept, measured(table, policy, 5_000), strict=True):
            assert abs(own.tenths - again.tenths) <= 2 * (own.reach + again.reach)


def test_a_spread_is_exact() -> None:
    assert spread_of(0, 0, 100) == Spread.of(0, 0)
    assert spread_of(500, 2_500, 100) == Spread.of(50, 0)
    assert spread_of(-5, 25, 1) == Spread.of(-50, 0)
