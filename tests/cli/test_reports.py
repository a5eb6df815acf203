"""``okey101 bots``, ``bench`` and ``doctor``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from okey101.bots import BOTS, SEARCHERS
from okey101.game import PRESETS
from okey101.i18n import LANGUAGES, load

from .conftest import Run

CHECKS = ["python", "tables", "answers", "catalogues", "schema", "state", "terminal"]


@pytest.mark.parametrize("language", LANGUAGES)
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
    assert ran.code == 0
    assert ran.json["solver_2_okeys"]["p99_us"] >= ran.json["solver_2_okeys"]["median_us"] > 0
    assert ran.json["random_play"]["decisions_per_second"] > 0
    assert ran.json["greedy_play"]["deals"] >= 1
    assert len(ran.err.splitlines()) == 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_bench_text(run: Run, language: str) -> None:
    ran = run("bench", "--seconds", "0.02", "--lang", language)
    assert len(ran.out.splitlines()) == len(ran.err.splitlines()) == 5
    assert load(language)("bench-solver", okeys=2) in ran.out


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.parametrize("language", LANGUAGES)
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


def test_doctor_finds_a_damaged_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("okey101.cli.doctor.raw_table", lambda name: b"")
    ran = run("doctor", "--json")
    assert (ran.code, ran.error["code"]) == (1, "not-sound")
    bad = [check["name"] for check in ran.error["checks"] if not check["ok"]]
    assert bad == ["tables"]
    text = run("doctor", "--lang", "tr")
    assert text.code == 1
    assert load("tr")("doctor-bad") in text.out


def test_doctor_finds_a_state_folder_it_can_not_write(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nothing")
    bad = [c["name"] for c in run("doctor", "--json").error["checks"] if not c["ok"]]
    assert bad == ["state"]


def test_doctor_finds_a_terminal_without_turkish_letters(
    run: Run, monkeypatch: pytest.MonkeyPatch, spawn: Run
) -> None:
    ran = spawn("doctor", "--json", PYTHONIOENCODING="ascii")
    assert [c["name"] for c in ran.error["checks"] if not c["ok"]] == ["terminal"]
