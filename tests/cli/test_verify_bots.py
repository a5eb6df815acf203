"""``okey101 verify --bots``: bots that are proved, bots that are not, and a bar on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from okey101.game.record import write_record
from okey101.i18n import LANGUAGES, load
from server.tables.served_match import served_record

from .conftest import Run

Change = Callable[[dict[str, Any]], object]
RECORD = served_record()
TOTAL = sum(len(deal.actions) for deal in RECORD.deals)


@pytest.fixture
def spoiled(tmp_path: Path) -> Callable[[Change], str]:
    """The record with a change, as the path of its file."""

    def spoil(change: Change) -> str:
        path = tmp_path / "served.okey.json"
        write_record(path, RECORD)
        data = json.loads(path.read_text(encoding="utf-8"))
        change(data)
        path.write_text(json.dumps(data), encoding="utf-8")
        return str(path)

    return spoil


@pytest.fixture
def file(spoiled: Callable[[Change], str]) -> str:
    return spoiled(lambda _: None)


def other_bot(data: dict[str, Any]) -> None:
    """As if a bot had played for a person all the time."""
    actors = data["deals"][1]["actors"]
    data["deals"][1]["actors"] = ["bot:random/1" if a == "person" else a for a in actors]


def test_bots_that_are_proved(run: Run, file: str) -> None:
    ran = run("verify", file, "--bots", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.json["deals"]) == len(RECORD.deals)
    for deal, written in zip(ran.json["deals"], RECORD.deals, strict=True):
        assert written.actors is not None
        assert (deal["bots"], deal["bots_why"], deal["bots_unknown"]) == ("proved", [], [])
        assert deal["bots_proved"] == len(written.actors) - written.actors.count("person")
        assert deal["fallbacks"] == deal["fallbacks_needless"] == written.actors.count("fallback")
        counts = [sum(seat.values()) for seat in deal["actors"]]
        assert sum(counts) == len(written.actors)
        assert deal["tiles"] == "proved"


def test_without_the_option_nothing_is_said_of_bots(run: Run, file: str) -> None:
    assert "bots" not in run("verify", file, "--json").json["deals"][0]
    assert "steady" not in run("verify", file).out


@pytest.mark.parametrize("language", LANGUAGES)
def test_fallbacks_are_counted(run: Run, tmp_path: Path, language: str) -> None:
    path, texts = tmp_path / "fallbacks.okey.json", load(language)
    record = served_record(fails=True)
    write_record(path, record)
    ran = run("verify", str(path), "--bots", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    for deal in record.deals:
        count = (deal.actors or ()).count("fallback")
        for what in ("fallbacks", "needless"):
            assert f"      {texts(f'verify-bots-{what}', count=count)}\n" in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_says_what_is_proved(run: Run, file: str, language: str) -> None:
    texts = load(language)
    ran = run("verify", file, "--bots", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    for deal in RECORD.deals:
        assert deal.actors is not None
        count = len(deal.actors) - deal.actors.count("person")
        assert f"  + {texts('verify-bots', state='proved', count=count)}\n" in ran.out
    assert f"      {texts('replay-seat', seat=1)}: bot:steady/1 " in ran.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_bots_that_differ_are_told(
    run: Run, spoiled: Callable[[Change], str], language: str
) -> None:
    texts = load(language)
    file = spoiled(other_bot)
    ran = run("verify", file, "--bots", "--json")
    assert (ran.code, ran.error["code"]) == (3, "fair-bot-choice")
    at = ran.error["action"]
    assert ran.error["path"] == f"deals[1].actions[{at}]"
    assert (ran.error["deal"], ran.error["seat"], ran.error["actor"]) == (1, 0, "random/1")
    assert RECORD.deals[1].actions[at] == f"0: {ran.error['claimed']}"
    assert [deal["bots"] for deal in ran.error["deals"]] == ["proved", "differs"]
    text = run("verify", file, "--bots", "--lang", language)
    assert text.code == 3
    assert f"  ! {texts('verify-bots', state='differs', count=0)}\n" in text.out
    words = {name: ran.error[name] for name in ("number", "seat", "claimed", "actor", "actual")}
    assert texts("error-fair-bot-choice", **words) in text.err
    assert texts("verify-good", count=2) not in text.out


@pytest.mark.parametrize("language", LANGUAGES)
def test_somebody_else_in_the_seat_of_a_bot_is_told(
    run: Run, spoiled: Callable[[Change], str], language: str
) -> None:
    file = spoiled(
        lambda data: [
            deal.update(actors=[a.replace("bot:greedy/1", "person") for a in deal["actors"]])
            for deal in data["deals"]
        ]
    )
    ran = run("verify", file, "--bots", "--json")
    assert (ran.code, ran.error["code"], ran.error["seat"]) == (3, "fair-actor", 2)
    text = run("verify", file, "--bots", "--lang", language)
    words = {name: ran.error[name] for name in ("number", "seat", "claimed", "actual")}
    assert load(language)("error-fair-actor", **words) in text.err


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("change", "why", "bots"),
    [
        (lambda deal: deal.pop("actors"), "actors", ""),
        (lambda deal: deal["fair"].pop("secret"), "secret", ""),
        (
            lambda deal: deal.update(
                actors=[a.replace("steady/1", "steady/2") for a in deal["actors"]]
            ),
            "bot",
            "bot:steady/2",
        ),
        (
            lambda deal: deal.update(
                actors=["bot" if a.startswith("bot:") else a for a in deal["actors"]]
            ),
            "nameless",
            "bot",
        ),
        (
            lambda deal: deal.update(
                actors=[a.replace("clock", "clock/2") for a in deal["actors"]]
            ),
            "fallback",
            "",
        ),
    ],
)
def test_what_can_not_be_told_is_said(
    run: Run,
    spoiled: Callable[[Change], str],
    change: Change,
    why: str,
    bots: str,
    language: str,
) -> None:
    file = spoiled(lambda data: [change(deal) for deal in data["deals"]])
    ran = run("verify", file, "--bots", "--json")
    secret = why == "secret"
    assert ran.code == (1 if secret else 0)  # that lacks proof anyway
    deals = ran.error["deals"] if secret else ran.json["deals"]
    assert all(deal["bots"] == "unknown" and deal["bots_why"] == [why] for deal in deals)
    text = run("verify", file, "--bots", "--lang", language)
    texts = load(language)
    assert f"  ? {texts('verify-bots', state='unknown', count=0)}\n" in text.out
    assert f"      {texts(f'verify-bots-{why}', bots=bots, count=0)}\n" in text.out


def test_many_differences_are_not_all_printed(
    run: Run, spoiled: Callable[[Change], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("okey101.cli.verify_bots.MOST_TOLD", 0)
    file = spoiled(other_bot)
    found = run("verify", file, "--bots", "--json").error["deals"][1]
    ran = run("verify", file, "--bots")
    assert found["bots"] == "differs"
    assert "deals[1].actions[" not in ran.out
    assert load("en")("verify-bots-more", count=found["bots_differ"]) in ran.out


def test_a_bar_is_shown_on_a_terminal_alone(
    run: Run, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    label = load("en")("verify-bots-now")
    assert run("verify", file, "--bots").err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    ran = run("verify", file, "--bots")
    assert ran.code == 0
    assert label in ran.err
    assert "100%" in ran.err
    assert label not in ran.out
    assert run("verify", file, "--bots", "--json").err == ""
    monkeypatch.setenv("TERM", "dumb")
    assert run("verify", file, "--bots").err == ""
