"""``okey101 bots``, ``bench``, ``doctor`` and ``rules``, and what is said of people."""

import re
from pathlib import Path
from unittest.mock import AsyncMock

import msgspec
import pytest

from conftest import Patch
from okey101.bots import BOTS, SEARCHERS
from okey101.cli.output import Output
from okey101.cli.progress import ready
from okey101.cli.rules import rules_of
from okey101.errors import RuleSetError
from okey101.game import PRESETS, RuleSet
from okey101.i18n import LANGUAGES, load
from okey101.kernel import warming
from okey101.render.rules_text import rules_plain
from okey101.server.protocol import views
from okey101.server.protocol.options import TableOptions

from .conftest import Ran, Run

CHECKS = ["python", "tables", "answers", "catalogues", "schema", "state", "terminal"]


def test_bots(run: Run, language: str) -> None:
    ran = run("bots", "--lang", language)
    assert ran.code == 0
    *lines, empty, about = ran.out.splitlines()
    assert empty == ""
    assert "altinstar" in about
    for line, (name, info) in zip(lines, {**BOTS, **SEARCHERS}.items(), strict=True):
        assert line.startswith(f"{name} ")
        assert line.endswith(f"  {load(language)(info.description)}")
        told = line.removeprefix(name).removesuffix(load(language)(info.description)).strip()
        figure = r"[-+]\d+,\d ± \d+,\d" if language == "tr" else r"[-+]\d+\.\d ± \d+\.\d"
        wanted = {"greedy": "0", "random": "-"}.get(name, figure)
        assert re.fullmatch(wanted, told), line


def test_bots_json(run: Run) -> None:
    ran = run("bots", "--json")
    assert [bot["name"] for bot in ran.json["bots"]] == [*BOTS, *SEARCHERS]
    assert all(bot["description"] for bot in ran.json["bots"])
    strength = {bot["name"]: bot["strength"] for bot in ran.json["bots"]}
    assert set(strength["champion"]) == set(PRESETS)
    means = [strength[name]["altinstar"]["mean"] for name in ("novice", "master", "champion")]
    assert means == sorted(means, reverse=True)
    assert not strength["greedy"], "it is the one that the others are compared with"


def test_bench(run: Run) -> None:
    ran = run("bench", "--seconds", "0.02", "--json")
    assert (ran.code, len(ran.err.splitlines())) == (0, 5)
    assert ran.json["solver_2_okeys"]["p99_us"] >= ran.json["solver_2_okeys"]["median_us"] > 0
    assert ran.json["random_play"]["decisions_per_second"] > 0
    assert ran.json["greedy_play"]["deals"] >= 1
    for language in LANGUAGES:
        ran = run("bench", "--seconds", "0.02", "--lang", language)
        assert len(ran.out.splitlines()) == len(ran.err.splitlines()) == 5
        assert load(language)("bench-solver", okeys=2) in ran.out


def test_doctor(run: Run, language: str, tmp_path: Path) -> None:
    ran = run("doctor", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    assert load(language)("doctor-all-good") in ran.out
    assert load(language)("doctor-bad") not in ran.out
    assert len(ran.out.splitlines()) == len(CHECKS) + 2
    ran = run("doctor", "--json")
    assert [check["name"] for check in ran.json["checks"]] == CHECKS
    assert all(check["ok"] for check in ran.json["checks"])
    assert not (tmp_path / "state").exists()  # looking leaves nothing behind


def unsound(ran: Ran) -> list[str]:
    return [check["name"] for check in ran.error["checks"] if not check["ok"]]


def test_doctor_finds_a_damaged_table(run: Run, monkeypatch: Patch) -> None:
    monkeypatch.setattr("okey101.cli.doctor.raw_table", lambda name: b"")
    ran = run("doctor", "--json")
    assert ran.refusal == (1, "not-sound")
    assert unsound(ran) == ["tables"]
    text = run("doctor", "--lang", "tr")
    assert text.code == 1
    assert load("tr")("doctor-bad") in text.out


def test_doctor_finds_no_place_for_a_match_and_no_turkish_letters(run: Run, spawn: Run) -> None:
    assert unsound(run("doctor", "--json", XDG_STATE_HOME="/proc/nothing")) == ["state"]
    assert unsound(spawn("doctor", "--json", PYTHONIOENCODING="ascii")) == ["terminal"]


# Compiling the kernel -----------------------------------------------------------------------------


def test_warm_compiles_once_and_others_say_that_they_do(
    run: Run, language: str, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[bool] = []
    monkeypatch.setattr(warming, "is_cached", lambda: bool(done))
    monkeypatch.setattr(warming, "need_warm", lambda: done.append(True))
    said = f"{load(language)('warm-compiling')}\n"
    assert run("warm", "--lang", language).err == said
    again = run("warm", "--json")
    assert (again.err, again.json["compiled"]) == ("", False)
    done.clear()
    output = Output(language, as_json=False)
    assert (ready(output, ["random", "greedy"]), done) == (False, [])
    assert (ready(output, ["random", "champion"]), done) == (True, [True])
    assert capsys.readouterr().err == said


# Rule sets as the command line names them ---------------------------------------------------------


@pytest.mark.parametrize("name", PRESETS)
def test_text(run: Run, name: str, language: str) -> None:
    ran = run("rules", name, "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == rules_plain(RuleSet.preset(name), load(language), width=80)


def test_the_fields_and_what_differs_from_the_usual(run: Run) -> None:
    assert run("rules").out == run("rules", "altinstar").out
    ran = run("rules", "pagat", "--json")
    assert ran.json["rules"] == RuleSet.preset("pagat").to_dict()
    assert ran.json["compared_with"] == "altinstar"
    assert ran.json["differences"]["okey_in_hand"] == ["fine_101", "tile_101"]
    changed = run("rules", "--set", "open-points=91", "--set", "rising=yes", "--json").json
    assert changed["compared_with"] == "altinstar"
    assert changed["differences"] == {"open_points": [101, 91], "rising": [False, True]}
    assert run("rules", "--json").json["differences"] == {}
    assert "91" in run("rules", "--set", "open_points=91").out


def test_settings_take_the_types_of_the_fields() -> None:
    texts = load("en")
    rules = rules_of("wiki", ["players = 3", "starter=dealer", "rising=ON"], texts)
    assert rules == RuleSet.preset("wiki").with_(players=3, starter="dealer", rising=True)
    with pytest.raises(RuleSetError):
        rules_of("wiki", ["players=١"], texts)


_EVIL = "A\x1b[2J\r\n\x9bK\u202eli\x07"
_ONE = views.Person("u\x1b[1m", _EVIL, None, here=True)
_LINE = views.LadderLine(1, _EVIL, None, own=False, public=True, points=2, rank=1, matches=3, won=1)
_OWN_LINE = msgspec.structs.replace(_LINE, own=True)
_AT = views.DealAt("m", 0, 1)
_LUCK = views.LuckOfDeal(1, _AT)
_PROFILE = views.Profile(
    1, 1, [views.Figure(kind, _EVIL, 1, [_AT]) for kind in ("place", "turn", "fine")],
    views.Ledger(1, {_EVIL: 1}, 1, _LUCK, _LUCK),
    views.StrengthCurve(_EVIL, _EVIL, 1, 1, [views.StrengthPoint(1, 1.0, 0.0, 2.0, _AT)], _EVIL),
    [], name=_EVIL,
)  # fmt: skip
_FAMILY = views.FamilyAnswer(
    _EVIL, _EVIL, own=True, options=TableOptions(), regulars=[_ONE], sits=[_EVIL, None],
    told=False, week=[views.FamilyScore(_EVIL, None, own=True, matches=1, won=1, points=-101)],
    year=[],
)  # fmt: skip


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("friends", views.Friends([_ONE], [_ONE], [_ONE], [_ONE], [_ONE])),
        ("profile", _PROFILE),
        ("families", [views.FamilyLine(_EVIL, _EVIL, own=True)]),
        ("families x", _FAMILY),
        ("ladder", views.Ladder(_EVIL, 0, 1, (0, 10), 2, [_LINE], _OWN_LINE)),
    ],
)
def test_no_name_of_a_server_steers_the_terminal(
    run: Run, monkeypatch: Patch, command: str, told: object
) -> None:
    monkeypatch.setattr("okey101.cli.people.answered", AsyncMock(return_value=told))
    name, *rest = command.split()
    ran = run(name, "http://localhost", *rest)
    assert (ran.code, ran.err) == (0, "")
    assert "A [2J K li" in ran.out
    assert all(line.isprintable() for line in ran.out.split("\n"))
