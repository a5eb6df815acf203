"""``okey101 verify``: deals, and bots that are proved or not."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import Patch
from game.fair_match import fair_match
from game.test_fair_checker import run_checker
from okey101.game import RuleSet
from okey101.game.fair.transcript import Fair
from okey101.i18n import LANGUAGES, Texts, load
from server.tables.twins import Served, served_record

from .conftest import Change, Run, Spoil, spoiler

MATCH = fair_match(RuleSet(), "command line", 2)


@pytest.fixture
def record_file(tmp_path: Path) -> str:
    path = tmp_path / "fair.okey.json"
    MATCH.write(path)
    return str(path)


@pytest.fixture
def spoiled(tmp_path: Path) -> Spoil:
    return spoiler(MATCH, tmp_path / "spoiled.okey.json")


def fair(deal: int) -> dict[str, Any]:
    told = MATCH.deals[deal].fair
    assert told is not None
    return dict(told)


def test_a_fair_match(run: Run, record_file: str) -> None:
    ran = run("verify", record_file, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert list(ran.json) == ["ok", "deals", "totals", "thrown"]
    for number, deal in enumerate(ran.json["deals"]):
        assert (deal.pop("deal"), deal.pop("finished")) == (number, True)
        assert deal.pop("abandoned") == ["not-revealed"] * number
        unknown = ["noted", "mine", "shown"]
        assert [name for name, state in deal.items() if state == "unknown"] == unknown
        assert {state for name, state in deal.items() if name not in unknown} == {"proved"}


def test_the_text_says_what_is_proved_and_what_is_not(
    run: Run, record_file: str, texts: Texts, language: str
) -> None:
    ran = run("verify", record_file, "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    assert f"  + {texts('verify-secret', state='proved')}\n" in ran.out
    assert f"  ? {texts('verify-noted', state='unknown')}\n" in ran.out
    assert ran.out.splitlines()[-1] == texts("verify-good", count=2)
    assert ran.out.count(texts("verify-context", state="proved")) == 2
    notes = (
        "--commitment", f"2:{fair(1)['commitment']}", "--mine", f"1:{fair(0)['randomness'][0]}",
    )  # fmt: skip
    ran = run("verify", record_file, "--lang", language, *notes)
    assert ran.code == 0
    assert ran.out.count(texts("verify-noted", state="proved")) == 1
    assert ran.out.count(texts("verify-mine", state="proved", seats="0")) == 1


def test_notes_of_any_deal(run: Run, record_file: str) -> None:
    both = [part for n in (0, 1) for part in ("--commitment", fair(n)["commitment"].upper())]
    ran = run("verify", record_file, "--json", *both, "--mine", fair(1)["randomness"][1])
    assert ran.code == 0
    assert [deal["noted"] for deal in ran.json["deals"]] == ["proved", "proved"]
    assert ran.json["deals"][1]["mine"] == "proved"


WRONG_NOTES = {
    "fair-noted": ("--commitment {00}", "--commitment 2:{00}"),
    "fair-mine": (f"--mine {'00' * 16}", "--mine 1:{00}"),
    "no-such-deal": ("--mine 3:{00}",),
    "bad-note": (
        "--commitment 00", "--commitment 0:{00}", "--commitment x:{00}", "--commitment ²:{00}",
        "--mine ", "--mine 1:", f"--mine {'5e' * 15}", f"--mine :{'5e' * 16}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", WRONG_NOTES)
def test_notes_that_differ_or_are_none(run: Run, record_file: str, code: str) -> None:
    for note in WRONG_NOTES[code]:
        option, _, value = note.replace("{00}", "00" * 32).partition(" ")
        ran = run("verify", record_file, "--json", option, value)
        assert ran.refusal == (2 if code == "bad-note" else 3, code)
        assert ran.error.get("option", option) == option
        text = run("verify", record_file, "--lang", "tr", option, value)
        assert text.code == ran.code
        assert text.err.startswith("okey101: ")


SPOILS: list[tuple[Change, str, str]] = [
    (lambda d: d["deals"][1]["fair"].update(secret="00" * 32), "fair-commitment",
     "deals[1].fair.secret"),
    (lambda d: d["deals"][0].update(seed="00" * 32), "fair-seed", "deals[0].seed"),
    (lambda d: d["deals"][1]["fair"]["context"].update(table="elsewhere"), "fair-context",
     "deals[1].fair.context"),
    (lambda d: d["totals"].__setitem__(0, 12345), "totals-differ", "totals"),
    (lambda d: d["deals"][0]["fair"].pop("context"), "missing", "deals[0].fair.context"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "code", "path"), SPOILS)
def test_what_differs_is_told(
    run: Run, spoiled: Spoil, change: Change, code: str, path: str
) -> None:
    file = spoiled(change)
    ran = run("verify", file, "--json")
    assert (*ran.refusal, ran.error["path"]) == (3, code, path)
    for language in LANGUAGES:
        text = run("verify", file, "--lang", language)
        assert text.code == 3
        assert text.err == f"okey101: {path}: {text.err.partition(f'{path}: ')[2]}"
        assert text.err.count(path) == 1
        if code.startswith("fair-"):
            assert "  ! " in text.out
            assert text.out.count(path) <= 1  # a place is named once a line
            assert len(ran.error["deals"]) == 2
            assert load(language)("verify-good", count=2) not in text.out


def test_nothing_to_verify(run: Run, spoiled: Spoil) -> None:
    file = spoiled(lambda d: [deal.pop("fair") for deal in d["deals"]])
    ran = run("verify", file, "--json")
    assert ran.refusal == (1, "nothing-to-verify")
    assert [deal["tiles"] for deal in ran.error["deals"]] == ["proved", "proved"]
    text = run("verify", file, "--lang", "tr")
    assert text.code == 1
    assert load("tr")("error-nothing-to-verify") in text.err
    assert text.out.count(f"  ? {load('tr')('verify-alone')}") == text.out.count("  ? ") == 2


@pytest.mark.parametrize("name", ["fair", "secret"])
def test_a_finished_deal_without_its_secret(run: Run, spoiled: Spoil, name: str) -> None:
    def change(data: dict[str, Any]) -> None:
        deal = data["deals"][1]
        (deal if name == "fair" else deal["fair"]).pop(name)

    file = spoiled(change)
    ran = run("verify", file, "--json")
    assert (*ran.refusal, ran.error["count"]) == (1, "not-all-verified", 1)
    assert load("en")("error-not-all-verified", count=1) in run("verify", file).err


def running(number: int) -> Change:
    """A deal is told as if it were still played; the other one counts alone."""

    def change(data: dict[str, Any]) -> None:
        data["totals"] = data["deals"][1 - number]["result"]["scores"]
        deal = data["deals"][number]
        deal["actions"] = deal["actions"][:3]
        deal["fair"].pop("secret")
        deal.pop("result")

    return change


def test_a_running_deal_waits_for_its_secret(run: Run, spoiled: Spoil) -> None:
    ran = run("verify", spoiled(running(1)), "--json")
    assert ran.code == 0
    assert [deal["finished"] for deal in ran.json["deals"]] == [True, False]
    assert [deal["secret"] for deal in ran.json["deals"]] == ["proved", "unknown"]


def test_no_deal_runs_on_before_another(run: Run, spoiled: Spoil) -> None:
    file = spoiled(running(0))
    ran = run("verify", file, "--json")
    assert (*ran.refusal, ran.error["count"]) == (1, "not-all-verified", 2)
    code, said = run_checker(Path(file))
    assert (code, said.splitlines()[0]) == (1, "WRONG: deal 1: it is finished, and has no secret")


def test_a_record_without_its_first_deals_is_not_proved(run: Run, spoiled: Spoil) -> None:
    """Who had to deal, and so which tiles are whose, can't be told then."""

    def change(data: dict[str, Any]) -> None:
        del data["deals"][0]
        data["totals"] = data["deals"][0]["result"]["scores"]

    file = spoiled(change)
    ran = run("verify", file, "--json")
    assert (*ran.refusal, ran.error["count"]) == (1, "not-all-verified", 1)
    code, said = run_checker(Path(file))
    assert code == 1
    assert "WRONG: deal 2 of its match comes first: who had to deal can't be told" in said


# The words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["end", "fines"])
def test_values_are_told_as_the_record_has_them(
    run: Run, spoiled: Spoil, language: str, name: str
) -> None:
    def change(data: dict[str, Any]) -> None:
        if name == "end":
            data["deals"][1]["actions"].pop()
        else:
            fines = data["deals"][0]["result"]["fines"]
            fines.append({"seat": 0, "rule": "P1", "points": 101})
            fines.append({"seat": 3, "rule": "P1", "points": 101})

    ran = run("verify", spoiled(change), "--lang", language)
    assert ran.code == 3
    assert ("null" in ran.err) is (name == "end")
    for word in ("None", "(", "'"):
        assert word not in ran.err


def test_what_is_no_json_is_told_in_the_language(run: Run, language: str) -> None:
    ran = run("verify", "-", "--lang", language, stdin=b"{")
    place = load(language)("failure-at-line", line=1, column=2)
    assert ran.err.startswith(f"okey101: {place}: ")
    assert ran.code == 3


def test_a_bad_contribution_is_told_in_the_language(
    run: Run, spoiled: Spoil, language: str
) -> None:
    file = spoiled(lambda d: d["deals"][0]["fair"]["randomness"].__setitem__(0, "5e"))
    sentence = load(language)("error-bad-randomness", low=16, high=32)
    assert sentence in run("verify", file, "--lang", language).err


@pytest.mark.parametrize("fair", [True, False])
def test_other_tiles_are_told_beside_the_action_that_they_make_illegal(
    run: Run, spoiled: Spoil, *, fair: bool
) -> None:
    def change(data: dict[str, Any]) -> None:
        if not fair:
            del data["deals"][0]["fair"]
        hands = data["deals"][0]["hands"]
        longest = max(range(4), key=lambda seat: len(hands[seat].split()))
        one, other = ((longest + step) % 4 for step in (1, 2))
        hands[one], hands[other] = hands[other], hands[one]

    file = spoiled(change)
    ran = run("verify", file, "--json")
    assert (ran.code, ran.error["path"].partition("actions")[1]) == (3, "actions")
    assert ran.error["tiles"] == "differs"
    assert ran.error["tiles_path"].startswith("deals[0].hands[")
    for language in LANGUAGES:
        said = run("verify", file, "--lang", language).err
        assert load(language)("verify-tiles-before", message="").strip() in said
    skipped = spoiled(lambda data: data["deals"][0]["actions"].pop(1))
    assert "tiles" not in run("verify", skipped, "--json").error


# Bots ---------------------------------------------------------------------------------------------

SERVED = served_record()


@pytest.fixture
def spoiled_bots(tmp_path: Path) -> Spoil:
    return spoiler(SERVED, tmp_path / "served.okey.json")


@pytest.fixture
def file(spoiled_bots: Spoil) -> str:
    return spoiled_bots(lambda _: None)


def renamed(old: str, new: str) -> Change:
    """Of a deal: who acted under another name."""
    return lambda deal: deal.update(actors=[one.replace(old, new) for one in deal["actors"]])


def other_bot(data: dict[str, Any]) -> None:
    """As if a bot had played for a person all the time."""
    renamed("person", "bot:random/1")(data["deals"][1])


def test_bots_that_are_proved(run: Run, file: str) -> None:
    ran = run("verify", file, "--bots", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.json["deals"]) == len(SERVED.deals)
    for deal, written in zip(ran.json["deals"], SERVED.deals, strict=True):
        assert written.actors is not None
        assert (deal["bots"], deal["bots_why"], deal["bots_unknown"]) == ("proved", [], [])
        assert deal["bots_proved"] == len(written.actors) - written.actors.count("person")
        assert deal["fallbacks"] == deal["fallbacks_needless"] == written.actors.count("fallback")
        counts = [sum(seat.values()) for seat in deal["actors"]]
        assert sum(counts) == len(written.actors)
        assert deal["tiles"] == "proved"
    assert "bots" not in run("verify", file, "--json").json["deals"][0]
    assert "steady" not in run("verify", file).out


def test_fallbacks_are_counted(run: Run, tmp_path: Path, language: str) -> None:
    path, texts = tmp_path / "fallbacks.okey.json", load(language)
    record = served_record(fails=True)
    record.write(path)
    ran = run("verify", str(path), "--bots", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    for deal in record.deals:
        count = (deal.actors or ()).count("fallback")
        for what in ("fallbacks", "needless"):
            assert f"      {texts(f'verify-bots-{what}', count=count)}\n" in ran.out


def test_the_text_says_what_is_proved(run: Run, file: str, texts: Texts, language: str) -> None:
    ran = run("verify", file, "--bots", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    for deal in SERVED.deals:
        assert deal.actors is not None
        count = len(deal.actors) - deal.actors.count("person")
        assert f"  + {texts('verify-bots', state='proved', count=count)}\n" in ran.out
    assert f"      {texts('replay-seat', seat=1)}: bot:steady/1 " in ran.out


def test_bots_that_differ_are_told(run: Run, spoiled_bots: Spoil, language: str) -> None:
    texts = load(language)
    file = spoiled_bots(other_bot)
    ran = run("verify", file, "--bots", "--json")
    assert ran.refusal == (3, "fair-bot-choice")
    at = ran.error["action"]
    assert ran.error["path"] == f"deals[1].actions[{at}]"
    assert (ran.error["deal"], ran.error["seat"], ran.error["actor"]) == (1, 0, "random/1")
    assert SERVED.deals[1].actions[at] == f"0: {ran.error['claimed']}"
    assert [deal["bots"] for deal in ran.error["deals"]] == ["proved", "differs"]
    text = run("verify", file, "--bots", "--lang", language)
    assert text.code == 3
    assert f"  ! {texts('verify-bots', state='differs', count=0)}\n" in text.out
    words = {name: ran.error[name] for name in ("number", "seat", "claimed", "actor", "actual")}
    assert texts("error-fair-bot-choice", **words) in text.err
    assert texts("verify-good", count=2) not in text.out


def test_somebody_else_in_the_seat_of_a_bot_is_told(
    run: Run, spoiled_bots: Spoil, language: str
) -> None:
    change = renamed("bot:greedy/1", "person")
    file = spoiled_bots(lambda data: [change(deal) for deal in data["deals"]])
    ran = run("verify", file, "--bots", "--json")
    assert (*ran.refusal, ran.error["seat"]) == (3, "fair-actor", 2)
    text = run("verify", file, "--bots", "--lang", language)
    words = {name: ran.error[name] for name in ("number", "seat", "claimed", "actual")}
    assert load(language)("error-fair-actor", **words) in text.err


@pytest.mark.parametrize(
    ("change", "why", "bots"),
    [
        (lambda deal: deal.pop("actors"), "actors", ""),
        (lambda deal: deal["fair"].pop("secret"), "secret", ""),
        (renamed("steady/1", "steady/2"), "bot", "bot:steady/2"),
        (renamed("clock", "clock/2"), "fallback", ""),
    ],
)
def test_what_can_not_be_told_is_said(
    run: Run, spoiled_bots: Spoil, change: Change, why: str, bots: str, texts: Texts, language: str
) -> None:
    file = spoiled_bots(lambda data: [change(deal) for deal in data["deals"]])
    ran = run("verify", file, "--bots", "--json")
    secret = why == "secret"
    assert ran.code == (1 if secret else 0)  # that lacks proof anyway
    deals = ran.error["deals"] if secret else ran.json["deals"]
    assert all(deal["bots"] == "unknown" and why in deal["bots_why"] for deal in deals)
    text = run("verify", file, "--bots", "--lang", language)
    assert f"  ? {texts('verify-bots', state='unknown', count=0)}\n" in text.out
    assert f"      {texts(f'verify-bots-{why}', bots=bots, count=0)}\n" in text.out


def test_many_differences_are_not_all_printed(
    run: Run, spoiled_bots: Spoil, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("okey101.cli.verify.MOST_TOLD", 0)
    file = spoiled_bots(other_bot)
    found = run("verify", file, "--bots", "--json").error["deals"][1]
    ran = run("verify", file, "--bots")
    assert found["bots"] == "differs"
    assert "deals[1].actions[" not in ran.out
    assert load("en")("verify-bots-more", count=found["bots_differ"]) in ran.out


def test_a_bar_is_shown_on_a_terminal_alone(run: Run, file: str, monkeypatch: Patch) -> None:
    label = load("en")("verify-bots-now")
    assert run("verify", file, "--bots").err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    ran = run("verify", file, "--bots")
    assert ran.code == 0
    assert label in ran.err
    assert re.search(r" (\d+)/\1\b", ran.err)
    assert label not in ran.out
    assert run("verify", file, "--bots", "--json").err == ""
    monkeypatch.setenv("TERM", "dumb")
    assert run("verify", file, "--bots").err == ""


# What is thrown away, what nobody can tell, and what would steer a terminal -----------------------


def test_rounds_that_were_thrown_away_are_counted_over_all_records(
    run: Run, tmp_path: Path
) -> None:
    """Fall 4: four rounds of eight, thrown away after all was opened, passed."""
    files = []
    for number in range(4):
        record = fair_match(RuleSet(), f"thrown {number}", 2, f"t{number}")
        data = json.loads(record.to_json())
        data["deals"][1]["fair"]["abandoned"][0]["reason"] = "restored"
        files.append(tmp_path / f"{number}.okey.json")
        files[-1].write_text(json.dumps(data), encoding="utf-8")
    one = run("verify", str(files[0]), "--json")
    assert (one.code, one.json["thrown"]["put_back"]) == (0, 1)
    ran = run("verify", *map(str, files), "--json")
    assert ran.refusal == (1, "rounds-thrown")
    assert ran.error["thrown"] == {
        "rounds": 12, "unopened": 0, "put_back": 4, "too_many": True,
    }  # fmt: skip
    assert len(ran.error["records"]) == 4
    text = run("verify", *map(str, files))
    words = {"rounds": 12, "unopened": 0, "put_back": 4}
    assert f"? {load('en')('verify-thrown', state='unknown', **words)}\n" in text.out
    again = run("verify", *[str(files[0])] * 4, "--json")  # the same match is counted once
    assert (again.code, again.json["thrown"]["put_back"]) == (0, 1)
    usage = run("verify", *map(str, files), "--commitment", "00" * 32, "--json")
    assert usage.refusal == (2, "one-record")


def test_no_name_steers_the_terminal(run: Run, spoiled_bots: Spoil) -> None:
    """Fall 10: control characters of an actor's name reached the terminal."""
    evil = "external:\x1b]0;owned\x07\x1b[2J\u202e"

    def change(data: dict[str, Any]) -> None:
        for deal in data["deals"]:
            deal["actors"] = [evil if a.startswith("bot:random") else a for a in deal["actors"]]
            deal["fair"]["seats"][3] = f"bot:{evil}"

    ran = run("verify", spoiled_bots(change), "--bots")
    assert "owned" in ran.out
    for text in (ran.out, ran.err):
        assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_strict_fails_on_all_that_can_not_be_told(run: Run, file: str) -> None:
    """Fall 7: "unknown" ended with 0."""
    ran = run("verify", file, "--strict", "--json")
    assert ran.refusal == (1, "not-all-proved")
    assert ran.error["unknown"][:3] == ["1: noted", "1: mine", "1: shown"]
    made = Served("all is proved 5", deals=1)
    made.begin(commit=True)
    made.play("eager")
    made.record().write(file)
    told = Fair.from_dict(made.record().deals[0].fair)
    mine = next(text for text in told.randomness or () if text)
    notes = ["--commitment", f"1:{told.transcript}", "--mine", f"1:{mine}"]
    assert run("verify", file, "--strict", *notes).code == 0


@pytest.mark.parametrize(
    ("url", "code", "ends"),
    [("http://127.0.0.1:1", "no-server", 4), ("ftp://okey.example", "bad-address", 2)],
)
def test_a_log_that_nobody_shows(
    run: Run, record_file: str, url: str, code: str, ends: int
) -> None:
    """What the files show by themselves is told all the same."""
    ran = run("verify", record_file, "--log", url, "--json")
    assert ran.refusal == (ends, code)
    assert {deal["seed"] for deal in ran.json["error"]["deals"]} == {"proved"}
    ran = run("verify", record_file, "--log", url, "--mine", "5e" * 16, "--json")
    assert ran.refusal == (3, "fair-mine")
