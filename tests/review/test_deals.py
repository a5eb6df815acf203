"""A deal looked through: it adds up, sees what the seat saw, and finds planted blunders."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Size
from game.hidden import other_deal, replayed
from okey101.errors import IllegalAction, OkeyError
from okey101.game import PRESETS, Deal, Record, apply, parse_action, record_of, view_of
from okey101.game.actions import Meld
from okey101.review import review_deal, review_match
from okey101.review.balance import Way, balance_of
from okey101.review.deals import DealReview, Decision, looked_at
from okey101.review.par import _kept, measured, name_of
from okey101.review.spread import Spread, spread_of
from okey101.review.weighing import POLICIES
from okey101.review.wording import reason
from review.positions import RICH, deal_with, played_on, record_with, short_deal, states_of

SPREADS = st.builds(Spread, st.integers(-9_999, 9_999), st.integers(0, 999))


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
    assert twice.par == Spread(2 * par.tenths, 2 * par.reach), "the same estimate twice"


@pytest.mark.parametrize("seat", [0, 2])
def test_a_deal_adds_up_and_is_the_same_again(seat: int) -> None:
    last = played_on(short_deal(5, 6, size=12), "random")
    review = review_deal(record_with(last), 0, seat, worlds=8, policy="greedy")
    assert last.result is not None
    assert review.balance.score == last.result.scores[seat]
    assert adds_up(review)
    own = [at for at, (who, _) in enumerate(last.public.actions) if who == seat]
    assert [decision.action for decision in review.decisions] == own
    assert [str(d.played.action) for d in review.decisions] == [
        str(last.public.actions[at][1]) for at in own
    ]
    end, points = review.curve[-1]
    assert end == len(last.public.actions)
    assert points == last.result.scores[seat]
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
    nobody = tuple(decision._replace(actor=None) for decision in review.decisions)
    assert review._replace(decisions=nobody).by_others == 0


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
    assert last.result is not None
    assert last.result.scores == (11, 24, 202, 202)
    review = review_deal(record_with(last), 0, 3, worlds=16, policy="greedy")
    assert review.balance.residual == Spread(0, 0)
    assert review.balance.others.tenths
    assert adds_up(review)


def test_T2_a_decision_is_judged_by_what_the_seat_saw(size: Size) -> None:
    """The same actions over other hidden tiles: all but the hindsight stays as it is."""
    compared = 0
    for number in range(size(2, long=20)):
        states = states_of(played_on(short_deal(number, 2), "random"))
        rng = random.Random(number)
        for at in rng.sample(range(1, len(states) - 1), min(size(3, long=8), len(states) - 2)):
            seat = states[at].turn
            seen = states[: at + 1]
            with contextlib.suppress(IllegalAction):  # another seat may not have been able to
                twin = replayed(other_deal(seen, seat, rng), seen)
                twin.append(apply(twin[-1], states[at + 1].public.actions[-1][1], seat))
                first = looked_at(states, at, 8, 0, "greedy")
                second = looked_at(twin, at, 8, 0, "greedy")
                assert first._replace(hindsight=None) == second._replace(hindsight=None)
                compared += twin[at].hands != states[at].hands
    assert compared


def blunder(deal: Deal, played: str, worlds: int) -> Decision:
    return looked_at([deal, deal.apply(played)], 0, worlds, 0, "greedy")


def test_not_opening_with_150_is_found(size: Size) -> None:
    first = blunder(deal_with(RICH, 1), "discard K7", size(8, long=1_000))
    assert first.mark == "large"
    assert isinstance(first.best.action, Meld)
    assert first.why is not None
    assert first.why.code == "open"
    assert first.why.points >= 150
    assert first.why.need == 101
    assert first.skill.low > 50


def test_a_thrown_okey_is_found(size: Size) -> None:
    rack = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 B4 B7 B9 B12 K1 K3 K6 K8 K10 K13 B13 *"
    first = blunder(deal_with(rack, 1), "discard *", size(16, long=1_000))
    assert first.mark == "large"
    assert first.why is not None
    assert (first.why.code, first.why.points) == ("okey-thrown", 101)


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
            RICH,
            [f"meld {FEWER}", "lay R13 > 1", "back 1", "lay R13 > 1"],
            "back 1",
            "discard R7",
            ("back-fined", 101, 0),
        ),
    ],
)
def test_the_reason_of_an_opening_and_of_what_is_fined(
    rack: str, before: list[str], played: str, best: str, cause: tuple[str, int, int]
) -> None:
    """H1, P3 and P4: what was done counts, not only what would have been better."""
    deal = deal_with(rack, 1)
    for action in before:
        deal = deal.apply(action)
    why = reason(
        parse_action(played), parse_action(best), view_of(deal, 0), Spread(500, 10), Spread(0, 10)
    )
    assert (why.code, why.points, why.need) == cause


def test_who_plays_as_the_policy_has_neither_gained_nor_lost() -> None:
    review = review_deal(
        record_with(played_on(short_deal(3, 6, size=12))), 0, 1, worlds=8, policy="greedy"
    )
    assert review.balance.skill == Spread(0, 0)
    assert adds_up(review)


def test_a_match_is_its_deals_together() -> None:
    deals = [played_on(short_deal(number, 4, size=12)) for number in (7, 8)]
    record = record_of(deals[0].rules, deals)
    steps: list[tuple[int, int]] = []
    review = review_match(
        record, seats=[1], worlds=8, policy="greedy", on_step=lambda *done: steps.append(done)
    )
    summary = review.summaries()[0]
    assert summary.deals == len(review.deals) == 2
    assert summary.balance.score == sum(deal.balance.score for deal in review.deals)
    assert sum(term.tenths for term in summary.balance.terms) == 10 * summary.balance.score
    total = sum(len(deal.decisions) for deal in review.deals)
    assert steps == [(n + 1, total) for n in range(total)]
    assert (
        review.deals[1]
        == review_match(record, deal=1, seats=[1], worlds=8, policy="greedy").deals[0]
    )


def unfinished() -> Record:
    return record_of(PRESETS["altinstar"], [short_deal(1)])


@pytest.mark.parametrize(
    ("code", "deal", "seat"),
    [("deal-unfinished", None, 0), ("deal-unfinished", 0, 0), ("no-such-deal", 1, 0)],
)
def test_only_finished_deals(code: str, deal: int | None, seat: int) -> None:
    with pytest.raises(OkeyError) as caught:
        review_match(unfinished(), deal=deal, seats=[seat])
    assert caught.value.code == code


def test_only_seats_that_are_there() -> None:
    record = record_with(played_on(short_deal(1, 1)))
    for ask in (lambda: review_match(record, seats=[4]), lambda: review_deal(record, 0, -1)):
        with pytest.raises(OkeyError) as caught:
            ask()
        assert caught.value.code == "bad-seat"


@pytest.mark.long
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_pars_of_the_file_are_right(preset: str, policy: str) -> None:
    """Where this fails a policy has changed: scripts/make_pars.py measures them anew."""
    rules = PRESETS[preset]
    for table in (rules, rules.with_(players=2), rules.with_(players=3), rules.with_(teams=True)):
        kept = _kept()[f"{policy} {name_of(table)}"]
        for own, again in zip(kept, measured(table, policy, 5_000), strict=True):
            assert abs(own.tenths - again.tenths) <= 2 * (own.reach + again.reach)


def test_a_spread_is_exact() -> None:
    assert spread_of(0, 0, 100) == Spread(0, 0)
    assert spread_of(500, 2_500, 100) == Spread(50, 0)
    assert spread_of(-5, 25, 1) == Spread(-50, 0)
