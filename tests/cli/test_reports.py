"""``okey101 bots``, ``bench``, ``doctor`` and ``rules``."""

import re
from pathlib import Path

import pytest

from conftest import Patch
from okey101.bots import BOTS, SEARCHERS
from okey101.cli.output import Output
from okey101.cli.progress import ready
from okey101.cli.rules import rules_of
from okey101.errors import RuleSetError
from okey101.game import PRESETS, RuleSet
from okey101.i18n import load
from okey101.kernel import warming
from okey101.render.rules_text import rules_plain

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


def test_bench_text(run: Run, language: str) -> None:
    ran = run("bench", "--seconds", "0.02", "--lang", language)
    assert len(ran.out.splitlines()) == len(ran.err.splitlines()) == 5
    assert load(language)("bench-solver", okeys=2) in ran.out


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_doctor(run: Run, language: str) -> None:
    ran = run("doctor", "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    assert load(language)("doctor-all-good") in ran.out
    assert load(language)("doctor-bad") not in ran.out
    assert len(ran.out.splitlines()) == len(CHECKS) + 2


def test_doctor_json(run: Run, tmp_path: Path) -> None:
    ran = run("doctor", "--json")
    assert [check["name"] for check in ran.json["checks"]] == CHECKS
    assert all(check["ok"] for check in ran.json["checks"])
    assert not (tmp_path / "state").exists()  # looking leaves nothing behind


def unsound(ran: Ran) -> list[str]:
    """The checks that have failed."""
    return [check["name"] for check in ran.error["checks"] if not check["ok"]]


def test_doctor_finds_a_damaged_table(run: Run, monkeypatch: Patch) -> None:
    monkeypatch.setattr("okey101.cli.doctor.raw_table", lambda name: b"")
    ran = run("doctor", "--json")
    assert ran.refusal == (1, "not-sound")
    assert unsound(ran) == ["tables"]
    text = run("doctor", "--lang", "tr")
    assert text.code == 1
    assert load("tr")("doctor-bad") in text.out


def test_doctor_finds_a_state_folder_it_can_not_write(run: Run, monkeypatch: Patch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nothing")
    assert unsound(run("doctor", "--json")) == ["state"]


def test_doctor_finds_a_terminal_without_turkish_letters(spawn: Run) -> None:
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


def test_the_first_preset_is_the_default(run: Run) -> None:
    assert run("rules").out == run("rules", "altinstar").out


def test_json(run: Run) -> None:
    ran = run("rules", "pagat", "--json")
    assert ran.json["rules"] == RuleSet.preset("pagat").to_dict()
    assert ran.json["compared_with"] == "altinstar"
    assert ran.json["differences"]["okey_in_hand"] == ["fine_101", "tile_101"]
    changed = run("rules", "--set", "open-points=91", "--set", "rising=yes", "--json").json
    assert changed["compared_with"] == "altinstar"
    assert changed["differences"] == {"open_points": [101, 91], "rising": [False, True]}
    assert run("rules", "--json").json["differences"] == {}


def test_a_changed_number_is_in_the_text(run: Run) -> None:
    assert "91" in run("rules", "--set", "open_points=91").out


def test_settings_take_the_types_of_the_fields() -> None:
    texts = load("en")
    rules = rules_of("wiki", ["players = 3", "starter=dealer", "rising=ON"], texts)
    assert rules == RuleSet.preset("wiki").with_(players=3, starter="dealer", rising=True)
    with pytest.raises(RuleSetError):
        rules_of("wiki", ["players=١"], texts)
