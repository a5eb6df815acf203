"""Sıralama: points by place and margin among accounts, a season at a time."""

import random
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest.mock import Mock

import pytest

from conftest import Patch
from okey101.game import RuleSet
from okey101.server.people.ladder import Played, gains, pairs, season_at, season_of, standings
from okey101.server.people.models import MatchSeat
from okey101.server.people.service import Accounts
from server.accounts.people import Clock, account, code_of, exported_of, save
from server.live import asking, in_process


def test_what_one_wins_the_others_lose() -> None:
    """Up to the bound of the margin; who is as good has as much; a short match counts less."""
    three = Played(5, {"a": 0, "b": 50, "c": 100})
    assert gains(three) == {"a": 23.0, "b": 0.0, "c": -23.0}
    assert gains(Played(1, three.totals)) == {"a": 6.0, "b": 0.0, "c": -6.0}
    assert gains(Played(11, three.totals))["a"] == 21.4
    far = gains(Played(5, {"a": -10_000, "b": 7, "c": 7}))
    assert far == {"a": 30.0, "b": -20.0, "c": -20.0}


def test_losses_weigh_more_the_higher_one_is_and_end_at_nothing() -> None:
    def after(wins: int, losses: int = 0) -> tuple[int, int]:
        lost = [Played(5, {"a": 250, "b": 0})] * losses
        found = standings([Played(5, {"a": 0, "b": 250})] * wins + lost)
        (own,) = (one for one in found if one.user == "a")
        assert (own.matches, own.won) == (wins + losses, wins)
        return own.points, own.rank

    assert after(0, 5) == (0, 1)
    assert after(4) == (80, 1)
    assert after(4, 1) == (70, 1)
    assert after(5) == (100, 2)
    assert after(5, 1) == (85, 1)
    assert after(70, 1) == (1370, 5)


def test_the_better_player_is_higher_at_the_end_of_a_season() -> None:
    """A hundred matches of four, whose totals differ by skill far less than by luck."""
    chance, skill = random.Random(3), {"a": -12, "b": -4, "c": 4, "d": 12}
    places: dict[str, list[int]] = {user: [] for user in skill}
    for _ in range(40):
        found = standings(
            Played(5, {one: round(chance.gauss(5 * own, 220)) for one, own in skill.items()})
            for _ in range(100)
        )
        for place, one in enumerate(found):
            places[one.user].append(place)
    means = [fmean(each) for each in places.values()]
    assert means == sorted(means)
    assert means[3] - means[0] > 1


@pytest.mark.parametrize(
    "name",
    ["2026", "2026-0", "2026-5", "26-1", "2026-4-1", "٢٠٢٦-4", "", "0000-1", "9999-4"],
)
async def test_a_season_has_one_name(name: str) -> None:
    async def named() -> Any:
        return season_of(name)

    assert await code_of(named()) == "no-season"


async def test_seasons_follow_one_another_without_a_gap() -> None:
    season, names = season_of("2025-4"), []
    for _ in range(5):
        names.append(season.name)
        assert season_at(season.begins_ms) == season_at(season.ends_ms - 1) == season
        season = season_at(season.ends_ms)
    assert names == ["2025-4", "2026-1", "2026-2", "2026-3", "2026-4"]


async def test_matches_of_accounts_count_in_their_season(accounts: Accounts, clock: Clock) -> None:
    """Not those of guests and bots; a minute later at the most, and for the others for good."""
    season = season_of("2026-4")
    clock.now = season.begins_ms + 1
    ali, _ = await account(accounts, "Ali")
    veli, _ = await account(accounts, "Veli")
    can, _ = await accounts.guest("Can")
    pair = MatchSeat(ali), MatchSeat(veli)
    await save(accounts, 1, MatchSeat(bot="greedy"), *pair, at=season.begins_ms, deals=5)
    await save(accounts, 2, *pair, at=season.begins_ms - 1, deals=5)
    await save(accounts, 3, *pair, at=season.ends_ms, deals=5)
    await save(accounts, 4, MatchSeat(ali), MatchSeat(can.id), at=clock.now, deals=5)
    await save(accounts, 5, MatchSeat(ali), MatchSeat(ali), at=clock.now, deals=5)

    async def found(name: str = "2026-4") -> list[tuple[str, int, int]]:
        standing = await accounts.ladder.standings(season_of(name))
        return [(one.user, one.points, one.matches) for one in standing]

    assert await found() == [(ali, 10, 1), (veli, 0, 1)]
    await save(accounts, 6, *pair, at=clock.now, deals=5)
    assert await found() == [(ali, 10, 1), (veli, 0, 1)]
    clock.now += 60_000
    assert await found() == [(ali, 20, 2), (veli, 0, 2)]
    assert await found("2026-3") == await found("2027-1") == [(ali, 10, 1), (veli, 0, 1)]
    for gone in (veli, can.id):
        await accounts.delete(gone)
        clock.now += 60_000
        assert await found() == [(ali, 20, 2), (veli, 0, 2)]
    assert await accounts.ladder.unlisted() == {veli}
    assert (await accounts.names([veli]))[veli].name is None


async def test_partners_of_a_team_win_and_lose_together(accounts: Accounts, clock: Clock) -> None:
    """Whoever of them has the points: the team with 400 wins against the one with 500."""
    season = season_of("2026-4")
    clock.now = season.begins_ms + 1
    people = [(await account(accounts, name))[0] for name in ("Ali", "Veli", "Can", "Efe")]
    seats = [*map(MatchSeat, people)]
    rules = RuleSet(players=4, teams=True)
    totals = (-100, 250, 500, 250)
    await save(accounts, 1, *seats, at=clock.now, deals=5, rules=rules, totals=totals)
    found = {one.user: (one.points, one.won) for one in await accounts.ladder.standings(season)}
    assert [found[user] for user in people] == [(21, 1), (0, 0)] * 2
    await save(accounts, 2, *seats, at=clock.now, deals=5, rules=rules, totals=(0, 9, 10, 1))
    clock.now += 60_000
    found = {one.user: (one.points, one.won) for one in await accounts.ladder.standings(season)}
    assert [found[user] for user in people] == [(21, 2), (0, 1)] * 2
    # Two partners against bots meet no other account, as one alone does not.
    alone = seats[0], MatchSeat(bot="steady"), seats[2], MatchSeat(bot="steady")
    await save(accounts, 3, *alone, at=clock.now, deals=5, rules=rules, totals=(90, 0, 90, 0))
    clock.now += 60_000
    again = {one.user: (one.points, one.won) for one in await accounts.ladder.standings(season)}
    assert again == found


async def test_who_asks_for_other_seasons_has_none_read_anew(
    accounts: Accounts, clock: Clock, monkeypatch: Patch
) -> None:
    """However many matches there are: all are read, a few at a time."""
    monkeypatch.setattr("okey101.server.people.database.IN_A_PART", 1)
    season = season_of("2026-4")
    clock.now = season.begins_ms + 1
    pair = [MatchSeat((await account(accounts, name))[0]) for name in ("Ali", "Veli")]
    for number in range(2):
        await save(accounts, number, *pair, at=clock.now, deals=5)
    reading = Mock(wraps=accounts.ladder._rows)
    monkeypatch.setattr(accounts.ladder, "_rows", reading)
    for name in ("2026-4", "0001-1", "2026-3", "2026-4"):
        found = await accounts.ladder.standings(season_of(name))
    assert [one.matches for one in found] == [2, 2]
    assert reading.call_count == 3


async def test_a_match_counts_once_its_spectators_have_seen_it(
    accounts: Accounts, clock: Clock
) -> None:
    season = season_of("2026-4")
    clock.now = season.begins_ms + 1
    pair = [MatchSeat((await account(accounts, name))[0]) for name in ("Ali", "Veli")]
    await save(accounts, 1, *pair, at=clock.now, deals=5, shown_ms=clock.now + 90_000)
    assert await accounts.ladder.standings(season) == []
    clock.now += 90_000
    assert len(await accounts.ladder.standings(season)) == 2


async def test_the_ladder_is_shown_without_who_does_not_want_it(tmp_path: Path) -> None:
    async with in_process(tmp_path) as app:
        accounts = app.state.hub.accounts
        (ali, his), (veli, her) = [await account(accounts, name) for name in ("Ali", "Veli")]
        now = accounts.now_ms()
        await save(accounts, 1, MatchSeat(ali), MatchSeat(veli), at=now, deals=5)
        line = {"face": None, "public": False, "rank": 1, "matches": 1}
        first = line | {"place": 1, "name": "Ali", "own": False, "points": 10, "won": 1}
        second = line | {"place": 2, "name": "Veli", "own": False, "points": 0, "won": 0}
        own = second | {"own": True, "public": True}
        async with asking(app) as nobody, asking(app, his) as him, asking(app, her) as one:
            told = (await nobody.get("/api/ladder")).json()
            assert (told["people"], told["lines"], told["own"]) == (2, [first, second], None)
            assert told["season"] == season_at(now).name
            assert (await one.patch("/api/me", json={"listed": False})).json()["listed"] is False
            told = (await him.get("/api/ladder")).json()
            assert (told["people"], told["lines"]) == (1, [first | {"own": True, "public": True}])
            told = (await one.get(f"/api/ladder?season={told['season']}")).json()
            assert (told["lines"], told["own"]) == ([first, own], own)
            assert (await one.delete("/api/me")).status_code == 204
            told = (await him.get("/api/ladder")).json()
            assert (told["people"], told["lines"]) == (1, [first | {"own": True, "public": True}])
            for season, code in (("2026-5", "no-season"), ("x" * 17, "bad-request")):
                answer = await nobody.get(f"/api/ladder?season={season}")
                assert answer.json()["error"]["code"] == code


def test_who_wins_with_the_same_one_again_and_again_is_told_to_administrators() -> None:
    """Twenty matches together, half of all of the one who wins; the other direction is not told."""
    met = [Played(5, {"a": 0, "b": 250, "c": 250})] * 19
    assert pairs(met) == []
    (one,) = pairs([*met, Played(5, {"a": 0, "b": 250})])
    assert (one.user, one.other, one.together, one.matches) == ("a", "b", 20, 20)
    others = [Played(5, {"a": 0, other: 100}) for other in "defghijklmnopqrstuvwx"]
    assert pairs([*met, Played(5, {"a": 0, "b": 250}), *others]) == []


def test_it_is_told_how_often_the_same_sat_there_and_two_were_at_one_address() -> None:
    four = {"a": 0, "b": 250, "c": 250, "d": 250}
    met = [Played(5, four, {frozenset("ab")})] * 12
    met += [Played(5, four, {frozenset("cd")})] * 3
    met += [Played(5, {"a": 0, "b": 250}, {frozenset("ab")})] * 5
    (one,) = (one for one in pairs(met) if one.other == "b")
    assert (one.user, one.together, one.same, one.near) == ("a", 20, 15, 17)


async def test_a_match_keeps_who_shared_an_address(accounts: Accounts, clock: Clock) -> None:
    """As the seats beside one's own, and for accounts that met on the ladder."""
    season = season_of("2026-4")
    clock.now = season.begins_ms + 1
    ali, veli, can = [(await account(accounts, name))[0] for name in ("Ali", "Veli", "Can")]
    seats = MatchSeat(ali, near=4), MatchSeat(veli), MatchSeat(can, near=1), MatchSeat(bot="steady")
    for number in range(20):
        await save(accounts, number, *seats, at=clock.now, deals=5)
    found = {(one.user, one.other): one.near for one in await accounts.ladder.pairs(season)}
    assert found == {(ali, veli): 0, (ali, can): 20}
    kept = (await exported_of(accounts, ali))["match_seats"]
    assert kept[0]["near"] == [True]
    kept = (await exported_of(accounts, veli))["match_seats"]
    assert kept[0]["near"] == [False]
