"""Strength without luck: the update, what it is told of, and what it refuses."""

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, strategies as st

from conftest import Size, raises_code
from okey101.game import Record, RuleSet, record_of
from okey101.review import strength
from okey101.review.balance import Spread
from okey101.review.strength import strength_in, strength_of

from .test_analysis import played_on, short_deal

NAMES = ("Ayşe", "Ali", "Can", "Ece")
PRIOR, NOISE, WEIGHT, MEMORY = 150.0, 350.0, 8, 30


def filtered(own: Sequence[int]) -> tuple[float, float]:
    """The mean and the standard deviation of the textbook's filter, in tenths of a point."""
    squares = sum((b - a) ** 2 for a, b in pairwise(own)) / 2
    noise = (WEIGHT * NOISE**2 + squares) / (WEIGHT + max(len(own) - 1, 0))
    mean, spread = PRIOR, PRIOR**2
    for tenths in own:
        spread += noise / MEMORY**2
        gain = spread / (spread + noise)
        mean, spread = mean + gain * (tenths - mean), (1 - gain) * spread
    return mean, math.sqrt(spread)


@given(st.lists(st.integers(-3_000, 6_000), max_size=200))
def test_whole_numbers_give_what_the_filter_gives(own: list[int]) -> None:
    found, (mean, deviation) = strength_of(own), filtered(own)
    assert abs(found.tenths - mean) <= 0.6
    assert 0 <= found.reach - 1.96 * deviation <= 1.1


def career(rng: random.Random, deals: int) -> tuple[list[int], float]:
    """A career whose strength is drawn from the prior and drifts: its deals, and where it ends."""
    now, noise = rng.gauss(PRIOR, PRIOR), rng.uniform(100, 500)
    own = []
    for _ in range(deals):
        now += rng.gauss(0, noise / MEMORY)
        own.append(round(rng.gauss(now, noise)))
    return own, now


@pytest.mark.parametrize("deals", [30, 100])
def test_the_interval_holds_the_strength(deals: int, size: Size) -> None:
    rng, held, careers = random.Random(deals), 0, size(400, long=4_000)
    for _ in range(careers):
        own, now = career(rng, deals)
        found = strength_of(own)
        held += 10 * found.low <= now <= 10 * found.high
    assert 0.93 <= held / careers <= 0.98


def test_who_improves_is_followed() -> None:
    rng = random.Random(1)
    before = [round(rng.gauss(450, 600)) for _ in range(60)]
    after = [round(rng.gauss(50, 150)) for _ in range(60)]
    assert strength_of(before).low > 20
    found = strength_of(before + after)
    assert found.low < 5 < found.high
    assert found.mean < 15


def two_records() -> tuple[Record, Record]:
    """Two records of two deals each, whose players change their seats."""
    deals = [played_on(short_deal(number, 2, size=12)) for number in range(4)]
    rules = deals[0].rules
    return (
        record_of(rules, deals[:2], players=NAMES),
        record_of(rules, deals[2:], players=NAMES[::-1]),
    )


@pytest.fixture(scope="module")
def records() -> tuple[Record, Record]:
    return two_records()


@pytest.fixture(autouse=True)
def two_deals_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "LEAST_DEALS", 2)


def test_a_player_is_followed_through_the_seats(records: tuple[Record, Record]) -> None:
    found = strength_in(records, player="Ali", worlds=8)
    assert [(deal.number, deal.seat) for deal in found.deals] == [(0, 1), (1, 1), (0, 2), (1, 2)]
    assert found.strength == strength_of([deal.own.tenths for deal in found.deals])
    assert (found.reference, found.rules) == ("master/2", "altinstar 4")
    again = strength_in(records, player="Ali", worlds=8)
    assert again == found
    assert strength_in(records, player="Ali", worlds=8, seed=1) != found


def test_few_deals_tell_nothing(
    records: tuple[Record, Record], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "LEAST_DEALS", 5)
    found = strength_in(records, seat=0, worlds=8)
    assert (found.strength, found.like, len(found.deals)) == (None, "", 4)


@pytest.mark.parametrize("other", ["clock", "fallback", "fallback:master/2", "bot:master/2"])
@pytest.mark.parametrize("most", [1, None], ids=["once", "always"])
def test_deals_that_others_played_in_are_left_out(
    records: tuple[Record, Record], other: str, most: int | None
) -> None:
    record = records[0]
    actors = [["person"] * len(deal.actions) for deal in record.deals]
    own = [n for n, text in enumerate(record.deals[1].actions) if text.startswith("1:")]
    for at in own[:most]:
        actors[1][at] = other
    deals = tuple(
        replace(deal, actors=tuple(one)) for deal, one in zip(record.deals, actors, strict=True)
    )
    found = strength_in([replace(record, deals=deals)], seat=1, worlds=8)
    assert ([deal.number for deal in found.deals], found.left_out) == ([0], 1)


def test_a_bot_in_its_own_seat_is_followed(records: tuple[Record, Record]) -> None:
    record = records[0]
    deals = tuple(replace(d, actors=("bot:master/2",) * len(d.actions)) for d in record.deals)
    bots = replace(record, deals=deals, players=("Ada", "bot:master", "Can", "-"))
    assert strength_in([bots], player="bot:master", worlds=8).left_out == 0


def test_what_can_not_be_one_strength_is_refused(records: tuple[Record, Record]) -> None:
    one, two = records
    # The same deals in other words.
    shouted = tuple(
        replace(d, actions=tuple(a.lower() for a in d.actions), stock=f" {d.stock}".lower())
        for d in one.deals
    )
    same, other = replace(one, players=("Ali",) * 4), replace(two, rules=RuleSet.preset("pagat"))
    asked: list[tuple[str, list[Record], dict[str, Any]]] = [
        ("no-one-named", [one, two], {}),
        ("no-one-named", [one, two], {"seat": 1, "player": "Ali"}),
        ("no-such-player", [one, two], {"player": "Eda"}),
        ("no-such-player", [same], {"player": "Ali"}),
        ("mixed-rules", [one, other], {"seat": 0}),
        ("deal-twice", [one, one], {"seat": 0}),
        ("deal-twice", [one, replace(one, deals=shouted)], {"seat": 0}),
    ]
    for code, those, whose in asked:
        with raises_code(code):
            strength_in(those, worlds=8, **whose)


def test_the_nearest_level_is_told() -> None:
    def like(tenths: int, preset: str = "altinstar 4") -> str:
        return strength.level_like(Spread.of(tenths, 0), preset)

    assert [like(tenths) for tenths in (400, 90, -40, -90)] == [
        "novice", "greedy", "neural", "champion",
    ]  # fmt: skip
    assert like(90, "altinstar 3") == like(90, "") == ""
