"""Fair deals: the vectors, an independent checker, and every way to cheat that a record shows."""

import json
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from conftest import raises_code, ran_python
from game.fair_match import fair_match, matches, rounds, vectors, wrong
from okey101.errors import OkeyError, RecordError
from okey101.game import PRESETS, RuleSet, parse_record
from okey101.game.fair.rounds import (
    parse_digest,
    parse_randomness,
    round_seed,
    seat_commitment,
    transcript,
)
from okey101.game.fair.transcript import AbandonedRound, Fair, Thrown, at_least, thrown
from okey101.game.record.form import Record
from okey101.game.record.verification import Check, Noted, State, Verification, verify_record

ROOT = Path(__file__).resolve().parents[2]
SECRET = bytes(range(32))
# The computation ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 15, 33])
def test_a_contribution_has_16_to_32_bytes(size: int) -> None:
    part = b"x" * size
    assert round_seed(SECRET, "c0" * 32, [b"x" * 16, b"x" * 32])
    with raises_code("bad-randomness"):
        seat_commitment(part, "00" * 32, "t", 1, 0, 0, 0)
    with raises_code("bad-randomness"):
        round_seed(SECRET, "c0" * 32, [part])


@pytest.mark.parametrize("secret", [b"", b"x" * 31, b"x" * 33])
def test_a_secret_has_32_bytes(secret: bytes) -> None:
    with raises_code("bad-secret") as caught:
        round_seed(secret, "c0" * 32, ())
    assert "xxx" not in caught.value.message


@pytest.mark.parametrize("size", [0, 16, 17, 31, 32])
def test_contributions_are_read(size: int) -> None:
    given = bytes(range(200, 200 + size))
    assert parse_randomness(given.hex()) == given
    assert parse_randomness(given.hex().upper()) == given
    assert len(round_seed(SECRET, "c0" * 32, [given, b""])) == 32


@pytest.mark.parametrize(
    "text",
    [
        "5e" * 15, "5e" * 33, "5" * 33, "5e" * 15 + "5g", " " + "5e" * 16, "5e" * 16 + "\n",
        "５e" * 16,
    ],
)  # fmt: skip
def test_bad_contributions_are_refused(text: str) -> None:
    with raises_code("bad-randomness") as caught:
        parse_randomness(text)
    assert text.strip() not in str(caught.value.details) + caught.value.message


@given(st.text("0123456789abcdefABCDEF", max_size=70) | st.text(max_size=70))
def test_whatever_is_read_is_hex(text: str) -> None:
    for parse in (parse_randomness, parse_digest):
        with suppress(OkeyError):
            parse(text)
            assert not text or len(bytes.fromhex(text)) in range(16, 33)


def test_the_object_of_a_record_and_back() -> None:
    sat = ("3f", "bot:steady/1")
    fair = Fair("c0" * 32, "salon", 1, 0, 0, {"deals": 3}, sat, ("c1" * 32, ""))
    assert list(fair.to_dict()) == [
        "version", "commitment", "context", "terms", "seats", "commitments",
    ]  # fmt: skip
    assert Fair.from_dict(fair.to_dict()) == fair
    whole = replace(fair, randomness=("5e" * 16, ""), secret="5c" * 32)
    assert Fair.from_dict(whole.to_dict(), players=2) == whole
    shouted = whole.to_dict() | {"secret": "5C" * 32, "_own": 1}
    assert Fair.from_dict(shouted, players=2) == whole
    with raises_code("wrong-count", RecordError, path="here.seats"):
        Fair.from_dict(whole.to_dict(), "here", players=3)
    with raises_code("wrong-count"):
        transcript("5c" * 32, "t", 1, 0, 0, ["a", "b"], [""], {})


# The vectors ----------------------------------------------------------------------------------


def test_the_vectors_are_those_of_the_script() -> None:
    ran_python((ROOT / "scripts" / "make_vectors.py"), "--check")


def test_the_vectors_cover_what_there_is() -> None:
    records = vectors()
    assert len(records) >= 12
    assert {(r["rules"]["preset"], r["rules"]["players"]) for r in records} == {
        (preset, players) for preset in PRESETS for players in (2, 3, 4)
    }
    deals = [r["deals"][0] for r in records]
    assert {0, 1, 3, 4} <= ({deal["fair"]["randomness"].count("") for deal in deals})
    assert any(deal["indicator"] == "F" for deal in deals)
    assert any(len(deal["dice"]) > 2 for deal in deals)
    assert {r["rules"]["starter"] for r in records} == {"dealer", "right_of_dealer"}


@pytest.mark.parametrize("vector", [*vectors(), *rounds(), *matches()])
def test_what_is_right_among_the_vectors_is_verified(vector: dict[str, Any]) -> None:
    """Who deals goes on from a deal that counts, and stays after one that does not (D3)."""
    fairs = [Fair.from_dict(deal["fair"]) for deal in vector["deals"]]
    noted = [Noted(fair.transcript, number) for number, fair in enumerate(fairs)]
    found = verify_record(parse_record(json.dumps(vector)), noted=noted)
    assert not found.errors
    for fair, deal in zip(fairs, found.deals, strict=True):
        assert deal.states[Check.SHOWN] is State.PROVED
        assert len(deal.abandoned) == len(fair.abandoned) == fair.round
        lone = len(fairs) == 1 and fair.deal > 0  # what was before it is not told
        assert deal.states[Check.DEALER] is (State.UNKNOWN if lone else State.PROVED)
        assert deal.verified is not lone


@pytest.mark.parametrize("vector", wrong(), ids=lambda vector: str(vector["_vector"]))
def test_what_is_wrong_among_the_vectors_is_found(vector: dict[str, Any]) -> None:
    """Each of them replays, and its tiles are those of its seed."""
    found = verify_record(parse_record(json.dumps(vector)))
    codes = {error.code for error in found.errors}
    assert vector["_code"] in codes
    assert codes <= {
        "fair-bot", "fair-opening", "fair-reason", "fair-round", "fair-rounds", "fair-terms",
    }  # fmt: skip
    assert not found.deals[0].verified


def test_the_matches_among_the_vectors_have_what_there_is() -> None:
    stays = set()
    for match in matches():
        for before, after in pairwise(match["deals"]):
            stays.add((before["result"]["end"], before["dealer"] == after["dealer"]))
    assert stays == {("finish", False), ("stock", True), ("stock", False)}


# Verifying ------------------------------------------------------------------------------------


FAIR_MATCH = fair_match(RuleSet(), "cheating", 2).to_json()


def spoiled(*changes: tuple[tuple[str | int, ...], object]) -> Record:
    data = json.loads(FAIR_MATCH)
    for place, value in changes:
        node: Any = data
        for step in place[:-1]:
            node = node[step]
        node[place[-1]] = value
    return parse_record(json.dumps(data))


def errors_of(found: Verification) -> list[tuple[str, str]]:
    return [(error.code, error.path) for error in found.errors]


def stripped(place: int, *names: str) -> Record:
    """The match with one deal's actions gone, and with it what depends on them."""
    data = json.loads(FAIR_MATCH)
    data.pop("totals")
    data["deals"] = data["deals"][: place + 1]
    deal = data["deals"][place]
    deal["actions"] = []
    for name in ("result", *names):
        deal.pop(name)
    return parse_record(json.dumps(data))


FIRST, SECOND = (deal["fair"] for deal in json.loads(FAIR_MATCH)["deals"])
ABSENT = FIRST["randomness"].index("")
BEFORE = ("fair", "abandoned", 0)
GAVE, OPENED = (
    next((n for n, text in enumerate(SECOND["abandoned"][0][name]) if text), 0)
    for name in ("commitments", "randomness")
)
Place = tuple[str | int, ...]

CHEATS: dict[str, tuple[int, dict[Place, object], list[tuple[str, str]]]] = {
    "another seed though the tiles are right": (
        0, {("seed",): "00" * 32}, [("fair-seed", "seed")],
    ),
    "another secret": (
        1,
        {("fair", "secret"): "00" * 32},
        [("fair-commitment", "fair.secret"), ("fair-seed", "seed")],
    ),
    "what was promised for another deal": (
        1,
        {("fair", name): FIRST[name] for name in ("commitment", "secret")},
        [("fair-commitment", "fair.secret")],
    ),
    "another contribution": (
        0,
        {("fair", "randomness", 0): "5e" * 16},
        [("fair-opening", "fair.randomness[0]"), ("fair-seed", "seed")],
    ),
    # Whoever relays the contributions could else choose among those that it lets through.
    "a commitment that was not opened": (
        0,
        {("fair", "commitments", ABSENT): "5e" * 32},
        [("fair-opening", f"fair.randomness[{ABSENT}]")],
    ),
    "a bot that contributed": (
        0, {("fair", "seats", 0): "bot:steady"}, [("fair-bot", "fair.commitments[0]")],
    ),
    "a bot that contributed to an abandoned round": (
        1,
        {(*BEFORE, "seats", GAVE): "bot:steady"},
        [("fair-bot", f"fair.abandoned[0].commitments[{GAVE}]")],
    ),
    # A server that began anew until it liked the deal has to tell of every try.
    "rounds that were left out": (
        1, {("fair", "abandoned"): []}, [("fair-rounds", "fair.context.round")],
    ),
    "rounds that were left out, and the last renumbered": (
        1,
        {("fair", "abandoned"): [], ("fair", "context", "round"): 0},
        [("fair-commitment", "fair.secret")],
    ),
    "another secret of an abandoned round": (
        1, {(*BEFORE, "secret"): "00" * 32}, [("fair-round", "fair.abandoned[0].secret")],
    ),
    "another contribution to an abandoned round": (
        1,
        {(*BEFORE, "randomness", OPENED): "5e" * 16},
        [("fair-opening", f"fair.abandoned[0].randomness[{OPENED}]")],
    ),
}  # fmt: skip
"""In which deal what is changed, and the errors that have to be found there."""
for _name, _value in (("table", "Salon"), ("match", 2), ("deal", 0), ("deal", 2)):
    CHEATS[f"a context that does not go on: {_name} {_value}"] = (
        1, {("fair", "context", _name): _value}, [("fair-context", "fair.context")],
    )  # fmt: skip


@pytest.mark.parametrize("name", CHEATS)
def test_cheating_is_found_with_its_place(name: str) -> None:
    deal, changes, errors = CHEATS[name]
    found = verify_record(
        spoiled(*((("deals", deal, *place), value) for place, value in changes.items()))
    )
    assert {(code, f"deals[{deal}].{path}") for code, path in errors} <= {*errors_of(found)}
    assert not found.deals[deal].verified


def test_notes_of_an_abandoned_round_are_found() -> None:
    """Whoever noted the first round's promise must not be told that the server broke it."""
    record = spoiled()
    fair = Fair.from_dict(record.deals[1].fair)
    (before,) = fair.abandoned
    assert fair.randomness is not None
    seat = next(n for n, text in enumerate(before.randomness) if text)
    mine, again = before.randomness[seat], fair.randomness[seat]
    assert not [text for text in (str(fair.secret), again) if text in repr(fair)]
    found = verify_record(
        record, noted=[Noted(before.commitment, 1)], mine=[Noted(mine, 1), Noted(again)]
    )
    assert not found.errors
    assert found.deals[1].states[Check.NOTED] is State.UNKNOWN
    assert found.deals[1].states[Check.MINE] is State.PROVED
    assert found.deals[1].abandoned == ("not-revealed",)
    # Fall 4: a contribution that stands only in rounds that were thrown away was passed over.
    for note in (Noted(mine, 1), Noted(mine)):
        thrown = verify_record(record, mine=[note])
        assert errors_of(thrown) == [("fair-mine", "deals[1].fair.randomness")]
        assert "only in rounds that were thrown away" in thrown.errors[0].message


def test_other_commitments_than_those_shown_are_found() -> None:
    """The server shows a seat other commitments of the others, to make those up later."""
    record = spoiled()
    fair = Fair.from_dict(record.deals[0].fair)
    good = verify_record(record, noted=[Noted(fair.transcript, 0)])
    assert good.deals[0].states[Check.SHOWN] is State.PROVED
    assert good.deals[0].states[Check.NOTED] is State.PROVED
    seat = next(n for n, text in enumerate(fair.commitments) if text)
    shown = (*fair.commitments[:seat], "5e" * 32, *fair.commitments[seat + 1 :])
    seen = replace(fair, commitments=shown).transcript
    bad = verify_record(record, noted=[Noted(seen, 0)])
    assert errors_of(bad) == [("fair-noted", "deals[0].fair.commitment")]


@pytest.mark.parametrize("with_fair", [True, False])
def test_exchanged_tiles_are_found(*, with_fair: bool) -> None:
    record = stripped(0, *(() if with_fair else ("fair",)))
    deal = record.deals[0]
    assert deal.hands is not None
    assert deal.stock is not None
    mine, drawn = deal.hands[1].split(), deal.stock.split()
    drawn[3], mine[0] = mine[0], drawn[3]
    hands = (deal.hands[0], " ".join(mine), *deal.hands[2:])
    rigged = replace(deal, hands=hands, stock=" ".join(drawn))
    found = verify_record(replace(record, deals=(rigged,)))
    assert errors_of(found) == [("fair-tiles", "deals[0].hands[1]")]
    assert found.deals[0].states[Check.TILES] is State.DIFFERS


@pytest.mark.parametrize("left_out", [(), ("hands", "indicator")])
@pytest.mark.parametrize(
    ("name", "value"),
    [("stock", lambda deal: " ".join(reversed(deal.stock.split()))), ("dice", lambda _: (6, 6, 6))],
)
def test_another_stock_and_other_dice_are_found(
    name: str, value: Callable[[Any], Any], left_out: tuple[str, ...]
) -> None:
    record = stripped(0, *left_out, *(["stock"] if left_out and name == "dice" else []))
    deal = replace(record.deals[0], **{name: value(record.deals[0])})
    found = verify_record(replace(record, deals=(deal,)))
    assert errors_of(found) == [("fair-tiles", f"deals[0].{name}")]


@pytest.mark.parametrize("place", [0, 1])
def test_a_wrong_dealer_is_found(place: int) -> None:
    """Who deals decides who gets which tiles: the dealer can't be chosen after the seed."""
    record = stripped(place, "hands", "stock", "indicator", "dice")
    deal = record.deals[place]
    assert deal.dealer is not None
    moved = replace(deal, dealer=(deal.dealer + 1) % 4)
    found = verify_record(replace(record, deals=(*record.deals[:place], moved)))
    assert errors_of(found) == [("fair-dealer", f"deals[{place}].dealer")]


def test_notes_that_are_nowhere_are_told() -> None:
    record = spoiled()
    fair = Fair.from_dict(record.deals[1].fair)
    assert fair.randomness is not None
    mine = next(text for text in fair.randomness if text)
    assert not verify_record(record, noted=[Noted(fair.commitment)], mine=[Noted(mine)]).errors
    wrong_deal = verify_record(record, noted=[Noted(fair.commitment, 0)], mine=[Noted(mine, 0)])
    assert errors_of(wrong_deal) == [
        ("fair-noted", "deals[0].fair.commitment"),
        ("fair-mine", "deals[0].fair.randomness"),
    ]
    nowhere = verify_record(record, noted=[Noted("00" * 32)], mine=[Noted("00" * 16)])
    assert errors_of(nowhere) == [("fair-noted", ""), ("fair-mine", "")]
    bare = verify_record(stripped(0, "fair"), noted=[Noted("00" * 32, 0)])
    assert errors_of(bare) == [("fair-noted", "deals[0].fair")]
    with raises_code("no-such-deal", details={"deal": 3}):
        verify_record(record, noted=[Noted("00" * 32, 2)])


def test_what_the_record_does_not_tell_is_unknown() -> None:
    running = stripped(0)
    hidden = replace(Fair.from_dict(running.deals[0].fair), secret=None).to_dict()
    record = replace(running, deals=(replace(running.deals[0], fair=hidden),))
    (deal,) = verify_record(record).deals
    assert (deal.verified, deal.finished) == (False, False)
    assert deal.states[Check.SECRET] is State.UNKNOWN
    assert deal.states[Check.SEED] is State.UNKNOWN
    assert deal.states[Check.TILES] is State.PROVED
    (bare,) = verify_record(stripped(0, "fair", "seed")).deals
    assert set(bare.states.values()) == {State.UNKNOWN}


# Rounds that are thrown away, over many deals ----------------------------------------------------


def deals_of_a_server(deals: int, seed: str, *, withholds: float, puts_back: float) -> list[Fair]:
    """What a server tells of its deals; nothing but the reasons counts here."""
    rng, digest, none = random.Random(seed), "c0" * 32, ("", "")
    sat = ("3f", "41")

    def away(reason: str) -> AbandonedRound:
        return AbandonedRound(digest, sat, (digest, digest), ("5e" * 16, ""), digest, reason)

    found = []
    for number in range(deals):
        thrown_away: list[AbandonedRound] = []
        while rng.random() < withholds:
            thrown_away.append(away("not-revealed"))
        if rng.random() < puts_back:
            thrown_away.append(away("restored"))
        where = ("t", 1, number, len(thrown_away))
        found.append(Fair(digest, *where, {}, sat, none, abandoned=tuple(thrown_away)))
    return found


def told_after(fairs: list[Fair]) -> int | None:
    """After how many deals the count tells of too many; None for never, looking every 10 deals."""
    looks = range(10, len(fairs) + 1, 10)
    return next((many for many in looks if thrown(fairs[:many]).too_many), None)


@pytest.mark.parametrize(
    ("withholds", "puts_back", "soon"),
    [(0.1, 0.0, 400), (0.0, 0.01, 4_000), (0.005, 0.0002, None), (0.0, 0.0, None)],
    ids=["withholds one opening in ten", "puts files back once in a hundred", "unlucky", "honest"],
)
def test_ten_thousand_deals_tell_of_who_throws_rounds_away(
    withholds: float, puts_back: float, soon: int | None
) -> None:
    for seed in range(3):
        fairs = deals_of_a_server(
            10_000, f"server {seed}", withholds=withholds, puts_back=puts_back
        )
        assert thrown(fairs).too_many is (soon is not None)
        if soon is not None:
            after = told_after(fairs[: soon + 10])
            assert after is not None
            assert after <= soon


@pytest.mark.parametrize(("rate", "kind"), [(0.02, "unopened"), (0.002, "put_back")])
def test_how_likely_so_many_rounds_are_is_their_binomial_tail(rate: float, kind: str) -> None:
    for many in (1, 7, 50, 697, 1000):
        odds = [comb(many, n) * rate**n * (1 - rate) ** (many - n) for n in range(many + 1)]
        for count in range(min(many, 60) + 1):
            tail = sum(odds[count:])
            expected = 1.0 if count <= many * rate else tail
            assert at_least(count, many, rate) == pytest.approx(expected, rel=1e-9, abs=0)
            assert Thrown(many, **{kind: count}).too_many is (tail < 1e-4)


def test_rounds_are_counted_by_why_they_were_thrown_away() -> None:
    fairs = deals_of_a_server(500, "counted", withholds=0.1, puts_back=0.1)
    reasons = Counter(other.reason for fair in fairs for other in fair.abandoned)
    unopened, back = reasons["not-revealed"], reasons["restored"]
    assert unopened != back
    assert thrown(fairs) == Thrown(500 + unopened + back, unopened, back)


def test_a_complete_round_that_is_not_dealt_is_told_at_once() -> None:
    """Fall 4: whatever reason is given that needs a missing opening, or none that is known."""
    digest, sat, opened = "c0" * 32, ("3f", "41"), ("5e" * 16, "5e" * 16)
    for reason in ("not-revealed", "left", "restart", "slow"):
        complete = AbandonedRound(digest, sat, (digest, digest), opened, digest, reason)
        assert not complete.has_reason
        missing = replace(complete, randomness=("5e" * 16, ""))
        assert missing.has_reason is (reason in ("not-revealed", "left"))
