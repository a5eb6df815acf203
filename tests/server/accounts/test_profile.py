"""Profil: what is counted over one's matches, the ledger of luck, and who may see it."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal
from unittest.mock import AsyncMock
from urllib.parse import quote

import msgspec
import pytest

from conftest import Patch, unwrap
from okey101 import Deal, play_deal
from okey101.cli.app import run
from okey101.game import PRESETS
from okey101.game.record.form import PERSON
from okey101.review.balance import NOTHING, TERMS, Balance, Spread
from okey101.review.deals import DealReview, Decision
from okey101.review.matches import FORMAT, MatchReview
from okey101.review.strength import LEAST_DEALS, REFERENCE, strength_of
from okey101.review.wording import Move
from okey101.server.people.models import MatchSeat
from okey101.server.people.profile import (
    LEAST_TOLD,
    Luck,
    Sat,
    _too_good,
    beside,
    deeds_of,
    found_of,
    profile_of,
    tally_of,
)
from okey101.server.people.service import Accounts
from okey101.server.protocol.views import Beside, DealAt, Figure, Profile
from server.accounts.people import BOTS, Clock, account, code_of, exported_of, save
from server.live import asking, in_process

RULES = PRESETS["altinstar"]


@pytest.fixture(scope="module")
def deals() -> list[Deal]:
    return [play_deal(RULES, ["steady", "greedy", "novice", "novice"], seed=n) for n in range(12)]


def figure(found: Profile, kind: str, of: object) -> Figure | None:
    return next((one for one in found.figures if (one.kind, one.of) == (kind, str(of))), None)


def counted(found: Profile, kind: str, of: object) -> int:
    one = figure(found, kind, of)
    return 0 if one is None else one.count


def reviewed(*balances: tuple[int, Balance], actor: str = PERSON) -> MatchReview:
    """A review of seat 0, by the deals' numbers, each with one choice."""
    move = Move("draw", "draw", "", "", 0)
    chosen = Decision(0, move, move, NOTHING, NOTHING, NOTHING, "", None, (), None, actor)
    deals = [DealReview(n, 0, balance, NOTHING, 0, 0, (), (chosen,)) for n, balance in balances]
    return MatchReview(FORMAT, 1, "master", 8, 0, False, None, (), (*deals,))


def balance(luck: int, draws: int, skill: int, score: int) -> Balance:
    """One whose terms add up, from tenths of a point and points."""
    rest = 10 * score - 260 - luck - draws - skill
    terms = [Spread.of(tenths, 7) for tenths in (260, luck, draws, rest + 3, skill, -3)]
    return Balance(**dict(zip(TERMS, terms, strict=True)), score=score)


def test_what_seats_did_is_counted(deals: list[Deal]) -> None:
    """Against the deals themselves, which are looked through in another way."""
    by_seat = deeds_of(RULES, deals)
    for seat in range(4):
        sat = [Sat("m", 5, 2, len(deals), by_seat[seat], None)]
        found = profile_of(sat)
        assert (found.matches, found.deals, counted(found, "place", 2)) == (1, len(deals), 1)
        won = [deal for deal in deals if deal.result and deal.result.winner == seat]
        for factor in ("okey", "pairs", "whole-hand"):
            told = [deal for deal in won if factor in deal.result.sheet[seat].factors]  # type: ignore[union-attr]
            assert counted(found, "finish", factor) == len(told)
        plain = [deal for deal in won if not deal.result.sheet[seat].factors]  # type: ignore[union-attr]
        assert counted(found, "finish", "plain") == len(plain)
        opened = [deal.public.opened[seat] for deal in deals]
        for how in ("melds", "pairs"):
            assert counted(found, "opening", how) == opened.count(how)  # type: ignore[arg-type]
        assert counted(found, "opening", "none") == opened.count(None)
        turns = sum(one.count for one in found.figures if one.kind == "turn")
        assert turns == len(deals) - opened.count(None)
        fines = [fine.rule for deal in deals for fine in deal.result.fines if fine.seat == seat]  # type: ignore[union-attr]
        for rule in fines:
            assert counted(found, "fine", rule) == fines.count(rule)
        best = figure(found, "best", "melds")
        assert best is None or best.count >= RULES.open_points
        named = {where.deal for one in found.figures for where in one.deals}
        assert named == {*range(len(deals))}
        assert (found.ledger, found.strength) == (None, None)


def test_an_opening_is_told_by_its_turn_and_worth() -> None:
    """The turn is one's own, the starter's first included; a deal with the most leads there."""
    deal = next(
        deal
        for deal in (play_deal(RULES, ["steady"] * 4, seed=n) for n in range(99))
        if any(how == "melds" for how in deal.public.opened)
    )
    seat = deal.public.opened.index("melds")
    (turn, worth), discards, state = (0, 0), 0, Deal.start(deal.rules, deal.layout)
    for who, action in deal.public.actions:
        before, state = state, state.apply(action, who)
        if who == seat and state.public.opened[seat] and not before.public.opened[seat]:
            turn, worth = discards + 1, state.public.high_points
        discards += who == seat and str(action).startswith("discard")
    found = profile_of([Sat("m", 5, 1, 2, deeds_of(RULES, [deal, deal])[seat], None)])
    both = [DealAt("m", 1, 5), DealAt("m", 0, 5)]
    assert figure(found, "turn", turn) == Figure("turn", str(turn), 2, both)
    best = unwrap(figure(found, "best", "melds"))
    assert best.deals == [DealAt("m", 0, 5)]
    assert RULES.open_points <= best.count <= worth


def test_terms_add_up_to_the_score_of_all_reviewed_deals() -> None:
    chance = random.Random(5)
    seats, scores, luck = [], [], {}
    for match in range(40):
        of = []
        for _ in range(3):
            dealt, draws, skill = (chance.randrange(-900, 900) for _ in "123")
            of.append(balance(dealt, draws, skill, chance.randrange(-202, 400)))
        review = reviewed(*enumerate(of))
        scores += [one.score for one in of]
        for number, one in enumerate(of):
            luck[f"m{match}", number] = one.deal.tenths + one.draws.tenths
        seats.append(Sat(f"m{match}", match, 1, 3, None, found_of(review)[0]))
    seats.append(Sat("not reviewed", 99, 1, 3, None, None))
    ledger = unwrap(profile_of(seats).ledger)
    assert (*ledger.terms,) == TERMS
    assert sum(ledger.terms.values()) == 10 * ledger.score == 10 * sum(scores)
    assert ledger.deals == 120
    for found, of_all in ((ledger.luckiest, min), (ledger.unluckiest, max)):
        at = unwrap(found.at)
        assert found.tenths == luck[at.match, at.deal] == of_all(luck.values())


def careers(*numbers: int, actor: str = PERSON, rules: str = "altinstar 4") -> Iterator[Sat]:
    deeds = msgspec.json.encode([rules, []]).decode()
    for match in numbers:
        review = reviewed((0, balance(0, 0, 10 * match, 5)), actor=actor)
        yield Sat(f"{rules}{match}", match, 1, 1, deeds, found_of(review)[0])


def test_strength_is_followed_from_the_first_deal_that_means_something() -> None:
    """In one scale, and without the deals that somebody else played in part."""
    early = [*careers(*range(LEAST_DEALS - 1))]
    early += careers(*range(500, 900), actor="bot:master/1")
    # Against another version of the reference, which has a scale of its own.
    older = [*careers(*range(900, 1000))]
    texts = [unwrap(sat.found).replace(REFERENCE.mark, "master/0") for sat in older]
    older = [sat._replace(found=text) for sat, text in zip(older, texts, strict=True)]
    assert (profile_of(older).strength, tally_of(older)["weighed"]) == (None, 0)
    assert unwrap(profile_of(older).ledger).deals == 100
    early += older
    found = unwrap(profile_of(early).strength)
    assert (found.points, found.deals, found.least) == ([], LEAST_DEALS - 1, LEAST_DEALS)
    seats = [*early, *careers(*range(29, 300)), *careers(*range(200), rules="pagat 4")]
    found = unwrap(profile_of(seats).strength)
    assert (found.rules, found.reference) == ("altinstar 4", REFERENCE.mark)
    own = [10 * match for match in range(300)]
    for point in found.points:
        now = strength_of(own[: point.deals])
        assert (point.mean, point.low, point.high) == (now.mean, now.low, now.high)
        assert point.at == DealAt(f"altinstar 4{point.deals - 1}", 0, point.deals - 1)
    assert found.points[-1].deals == found.deals == 300
    assert found.like == "novice"  # whose own play is the worst there is
    assert 30 <= len(found.points) <= 40


async def test_reviews_are_kept_with_the_seats_they_are_of(accounts: Accounts) -> None:
    """And go with the match where that is kept anew; a guest's come along into the account."""
    ali, _ = await account(accounts, "Ali")
    guest, token = await accounts.guest("Misafir")
    key = await save(accounts, 1, MatchSeat(guest.id), MatchSeat(bot="greedy"))
    review = reviewed((0, balance(-500, 20, 30, 40)))
    await accounts.save_review(key, 1, b"{}", found_of(review))
    assert (await accounts.profiles.of(ali, ali)).matches == 0
    session = await accounts.session(token)
    await accounts.login("Ali", "correct horse", guest=session)
    found = await accounts.profiles.of(ali, ali)
    ledger = unwrap(found.ledger)
    assert (found.matches, ledger.score, ledger.luckiest.at) == (1, 40, DealAt(key, 0, 1))
    kept = (await exported_of(accounts, ali))["match_seats"]
    assert kept[0]["found"] == [[REFERENCE.mark, [[0, True, [260, -500, 20, 593, 30, -3], 40]]]]
    await accounts.forget_match(key)
    assert await accounts.profiles.of(ali, ali) == Profile(0, 0, [], None, None, [])


@pytest.mark.parametrize("kind", ["mute", "block"])
async def test_who_may_see_a_profile(accounts: Accounts, kind: Literal["mute", "block"]) -> None:
    """Private unless opened; whom one has muted or blocked is told what is told of nobody."""
    ali, _ = await account(accounts, "Ali Can")
    veli, _ = await account(accounts, "Veli")
    await accounts.guest("Misafir")
    named, open_to = accounts.profiles.named, accounts.profiles.open_to
    everybody: list[str | None] = [ali, veli, None]

    async def seen() -> list[bool]:
        return [not await code_of(named("ali can", to)) for to in everybody]

    assert await seen() == [True, False, False]
    await accounts.change(ali, public=True)
    assert await seen() == [True, True, True]
    assert await open_to([ali, veli], veli) == {ali, veli}
    await accounts.ties.shun(ali, veli, kind)
    assert await seen() == [True, False, True]
    assert await open_to([ali], veli) == set()
    await accounts.change(ali, public=False)
    codes = {await code_of(named(name, veli)) for name in ("Ali Can", "Misafir", "Nobody")}
    assert codes == {"no-profile"}
    await accounts.change(ali, public=True)
    await accounts.delete(ali)
    assert await seen() == [False] * 3


async def test_others_are_led_to_no_deal_of_a_third_person(
    accounts: Accounts, clock: Clock
) -> None:
    """Nor is a match counted for them before it is shown."""
    ali, _ = await account(accounts, "Ali")
    veli, _ = await account(accounts, "Veli")
    bots = [MatchSeat(bot="greedy")] * 3
    alone = await save(accounts, 1, MatchSeat(ali), *bots)
    both = await save(accounts, 2, MatchSeat(ali), MatchSeat(veli), *bots[:2])
    await save(accounts, 3, MatchSeat(ali), *bots, shown_ms=clock.now + 1)

    async def places(to: str | None) -> tuple[int, set[str]]:
        found = await accounts.profiles.of(ali, to)
        return found.matches, {one.match for each in found.figures for one in each.deals}

    assert await places(ali) == (3, {alone, both, "t_x-3"})
    assert await places(veli) == (2, {alone, both})
    assert await places(None) == (2, {alone})
    clock.now += 1
    assert await places(None) == (3, {alone, "t_x-3"})


async def test_a_profile_over_http(tmp_path: Path) -> None:
    async with in_process(tmp_path) as app:
        accounts = app.state.hub.accounts
        (ali, his), (_, her) = [await account(accounts, name) for name in ("Ali Şen", "Veli")]
        _, guest = await accounts.guest("Misafir")
        await save(accounts, 1, MatchSeat(ali), *[MatchSeat(bot="greedy")] * 3)
        path = f"/api/profiles/{quote('Ali Şen')}"
        async with asking(app, his) as him, asking(app, her) as one, asking(app, guest) as third:
            own = (await him.get("/api/me/profile")).json()
            assert (own["name"], own["own"], own["matches"]) == ("Ali Şen", True, 1)
            assert (await him.get(path)).json() == own
            answers = [await one.get(path), await third.get(path)]
            answers += [
                await one.get("/api/profiles/Kimse"),
                await one.get("/api/profiles/Misafir"),
            ]
            told = {answer.text for answer in answers}
            assert (len(told), answers[0].status_code) == (1, 404)
            answer = await third.get("/api/me/profile")
            assert answer.json()["error"]["code"] == "not-account"
            assert (await him.patch("/api/me", json={"public": True})).json()["public"] is True
            assert (await one.get(path)).json() == own | {"own": False}
            assert (await one.get("/api/luck")).json()["lines"] == []
            deeds = [json.dumps(["altinstar 4", []])] * 4
            bots = [MatchSeat(bot="greedy")] * 3
            for number in (2, 3):
                match = await save(accounts, number, MatchSeat(ali), *bots, deeds=deeds)
            found = found_of(reviewed((0, balance(0, 0, 1, 0))))
            await accounts.save_review(match, 1, b"{}", found)
            told = (await him.get("/api/me/profile")).json()
            assert (told["waiting"], told["strength"]["deals"]) == (1, 1)
            assert told["weighing"] in ("shared", "numba")
            assert (await one.get(path)).json()["waiting"] == 0
            assert (await him.patch("/api/me", json={"weighed": False})).json()["weighed"] is False
            told = (await him.get("/api/me/profile")).json()
            assert (told["waiting"], told["strength"], told["matches"]) == (0, None, 3)
            assert (await one.get(path)).json()["strength"] is None


async def test_who_has_as_bad_luck_has_the_same_place(tmp_path: Path) -> None:
    async with in_process(tmp_path) as app:
        accounts = app.state.hub.accounts
        for n, luck in enumerate((50, 90, 50, 10)):
            user, _ = await account(accounts, f"Oyuncu {n}")
            await accounts.change(user, public=True)
            key = await save(accounts, n, MatchSeat(user), *BOTS[:3], at=accounts.now_ms())
            found = found_of(reviewed((0, balance(luck, 0, 0, 40))))
            await accounts.save_review(key, 1, b"{}", found)
        async with asking(app) as http:
            lines = (await http.get("/api/luck")).json()["lines"]
    assert [(one["place"], one["tenths"]) for one in lines] == [(1, 90), (2, 50), (2, 50), (4, 10)]


def test_one_is_told_of_how_many_one_is_ahead() -> None:
    """Of each thing by its own deals, equals counting half; of fewer than twenty people nothing."""

    def person(skill: int, deals: int = 30, won: int = 0) -> Counter[str]:
        return Counter(matches=10, played=30, won=won, weighed=deals, skill=skill * deals, luck=-5)

    others = [person(n, won=n // 8) for n in range(1, 19)]
    assert beside(person(5), others) == []
    others.append(person(99, deals=29))
    assert beside(person(5), others) == [Beside("won", 100 * 8 // 38, 20)]
    others.append(person(5))
    by = {one.of: one for one in beside(person(5), others)}
    # Of nineteen others thirteen play worse and two as well.
    assert by["skill"] == Beside("skill", 100 * (2 * 13 + 2) // 38, 20)
    assert by["luck"] == Beside("luck", 50, 20)
    assert {*by} == {"won", "skill", "luck"}
    assert beside(person(5, deals=29), others)[0].of == "won"


def test_what_is_compared_is_counted_deal_by_deal(deals: list[Deal]) -> None:
    review = reviewed((0, balance(-500, 20, -30, 40)), (1, balance(100, 0, -30, 40)))
    sat = Sat("m", 5, 1, len(deals), deeds_of(RULES, deals)[0], found_of(review)[0])
    found, told = profile_of([sat, sat]), tally_of([sat, sat])
    assert (told["matches"], told["won"], told["deals"]) == (2, 2, 2 * len(deals))
    assert told["opened"] == told["deals"] - counted(found, "opening", "none")
    won = sum(deal.result.winner == 0 for deal in deals if deal.result)
    assert told["finished"] == 2 * won
    assert told["fines"] == sum(one.count for one in found.figures if one.kind == "fine")
    assert (told["weighed"], told["skill"], told["luck"]) == (4, -120, -760)


async def test_accounts_are_compared_and_the_unluckiest_are_told(
    accounts: Accounts, clock: Clock
) -> None:
    """The comparison is an hour old at the most, and has all accounts; the list only who agrees."""
    people = [(await account(accounts, f"Oyuncu {n}"))[0] for n in range(20)]
    for n, user in enumerate(people):
        of = [(deal, balance(20 * n - 100, 0, 10 * n, 40)) for deal in range(30)]
        key = await save(accounts, n, MatchSeat(user), *BOTS[:3], at=clock.now - n, deals=30)
        await accounts.save_review(key, 30, b"{}", found_of(reviewed(*of)))
        await accounts.change(user, public=n > 15)
    told = {one.of: one for one in (await accounts.profiles.of(people[3], people[3])).beside}
    assert told["skill"] == Beside("skill", 100 * 16 // 19, 20)
    assert told["luck"].percent == 100 * 16 // 19
    await accounts.delete(people[19])
    assert (await accounts.profiles.of(people[3], None)).beside != []
    clock.now += 3_600_000
    assert (await accounts.profiles.of(people[3], None)).beside == []
    since = clock.now - 3_600_000 - 17
    luck = await accounts.profiles.luck_since(since, people[0])
    assert luck == [Luck(people[n], 30, 30 * (20 * n - 100)) for n in (17, 16)]
    await accounts.ties.shun(people[17], people[0], "block")
    assert len(await accounts.profiles.luck_since(since, people[0])) == 1
    assert len(await accounts.profiles.luck_since(since, None)) == 2


async def test_the_latest_matches_are_weighed_first(accounts: Accounts, monkeypatch: Patch) -> None:
    """The seats of accounts alone, whatever pages they are read in."""
    monkeypatch.setattr("okey101.server.people.database.IN_A_PART", 3)
    people = [MatchSeat((await account(accounts, name))[0]) for name in ("Ali", "Veli")]
    guest = MatchSeat((await accounts.guest("Misafir"))[0].id)
    deeds = [json.dumps(["altinstar 4", []])] * 4
    keys = [
        await save(accounts, n, *seats, BOTS[0], at=n, deeds=deeds)
        for n, seats in enumerate([(*people, guest)] * 4 + [(guest,) * 3] * 2)
    ]
    every = {key: {0, 1} for key in reversed(keys[:4])}
    found = await accounts.unweighed(9, ())
    assert [*found] == [*every]
    assert {key: {*seats} for key, seats in found.items()} == every
    assert [*await accounts.unweighed(1, {keys[3]})] == [keys[2]]
    told = found_of(reviewed((0, balance(0, 0, 1, 0))))[0]
    await accounts.save_review(keys[3], 1, None, {0: told, 1: told})
    await accounts.save_review(keys[2], 1, b"{}", {1: told})
    assert {key: {*seats} for key, seats in (await accounts.unweighed(9, ())).items()} == {
        keys[2]: {0}, keys[1]: {0, 1}, keys[0]: {0, 1},
    }  # fmt: skip


async def test_who_is_too_good_is_told_to_the_operator_alone(
    accounts: Accounts, monkeypatch: Patch
) -> None:
    """With a hundred deals and the whole interval two points ahead of the reference."""
    monkeypatch.setattr("okey101.server.people.database.IN_A_PART", 3)  # pages end within a person

    async def plays(name: str, skill: int, deals: int, rules: str = "altinstar 4") -> str:
        user, _ = await account(accounts, name)
        for number in range(2):
            of = [(deal, balance(0, 0, skill, 0)) for deal in range(deals // 2)]
            match = await save(
                accounts, number, MatchSeat(user), *BOTS[:3], table_id=f"t_{name}",
                deals=deals // 2, deeds=[json.dumps([rules, []])] * 4,
            )  # fmt: skip
            await accounts.save_review(match, deals // 2, b"{}", found_of(reviewed(*of)))
        return user

    good = await plays("Usta", -100, LEAST_TOLD)
    await plays("Az", -100, LEAST_TOLD - 2)
    await plays("İyi", -40, LEAST_TOLD)
    best = await plays("Bilen", -300, LEAST_TOLD, "pagat 4")
    found = await accounts.profiles.too_good()
    assert [(one.user, one.rules, one.deals) for one in found] == [
        (best, "pagat 4", LEAST_TOLD), (good, "altinstar 4", LEAST_TOLD),
    ]  # fmt: skip
    now = strength_of([-100] * LEAST_TOLD)
    told = (found[1].reference, found[1].mean, found[1].low, found[1].high)
    assert told == (REFERENCE.mark, now.mean, now.low, now.high)
    await accounts.delete(good)
    assert [one.user for one in await accounts.profiles.too_good()] == [best]


def test_nobody_is_too_good_by_luck() -> None:
    """At the spread of a careful player none of those who play as the reference is told, and half
    of those who play as ``champion``: benchmarks/strength_of_people.md and benchmarks/strength.md.
    """
    chance = random.Random(32)

    def told(points: float) -> int:
        careers = {
            str(n): {"altinstar 4": [round(10 * chance.gauss(points, 17.3)) for _ in range(150)]}
            for n in range(200)
        }
        return len(_too_good(careers))

    assert told(0) == 0
    assert 70 < told(-8.7) < 130


def test_a_profile_at_the_terminal(
    deals: list[Deal], monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each figure has its words, in both languages; the terms stand above their sum."""
    review = reviewed((0, balance(-500, 20, -30, 40)), (1, balance(100, 0, -30, 40)))
    sat = Sat("m", 5, 1, len(deals), deeds_of(RULES, deals)[0], found_of(review)[0])
    told = profile_of([sat, *careers(*range(40))])
    told.name, told.beside = "Ali Şen", [Beside("luck", 40, 20)]
    monkeypatch.setattr("okey101.cli.people.answered", AsyncMock(return_value=told))
    for language, heading, score in (
        ("en", "Ledger of luck", "+280.0"),
        ("tr", "Şans defteri", "+280,0"),
    ):
        assert run(["profile", "http://localhost", "Ali Şen", "--lang", language]) == 0
        text = capsys.readouterr().out
        assert heading in text
        assert score in text
        for one in told.figures:
            assert f"{one.count:>8}  " in text
    assert run(["profile", "http://localhost", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert sum(shown["ledger"]["terms"].values()) == 10 * shown["ledger"]["score"] == 2_800
