"""``okey101 strength``: what it prints, and that its numbers can be made again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Patch
from okey101.cli.app import app
from okey101.review import strength
from review.test_strength import two_records

from .conftest import Run


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two records of two deals; the players change their seats."""
    folder = tmp_path_factory.mktemp("strength")
    paths = [folder / "1.okey.json", folder / "2.okey.json"]
    for path, record in zip(paths, two_records(), strict=True):
        record.write(path)
    return [*map(str, paths)]


Told = tuple[dict[str, Any], Callable[[object], str]]


@pytest.fixture
def told(files: list[str], run: Run, tmp_path: Path, monkeypatch: Patch) -> Told:
    """What ``--json`` prints where two deals tell, and what writes something into a file."""
    monkeypatch.setattr(strength, "LEAST_DEALS", 2)
    path = tmp_path / "strength.json"

    def write(data: object) -> str:
        path.write_text(json.dumps(data), encoding="utf-8")
        return str(path)

    return run("strength", *files, "--player", "Ali", "--worlds", "8", "--json").json, write


def test_one_hundred_worlds_where_nothing_is_said() -> None:
    (worlds,) = (one for one in app.commands["strength"].params if one.name == "worlds")
    assert worlds.default == strength.WORLDS


def test_the_text_tells_the_strength_or_what_it_lacks(
    files: list[str], run: Run, monkeypatch: Patch
) -> None:
    asked = ("strength", *files, "--player", "Ali", "--worlds", "8")
    few = run(*asked, "--lang", "en")
    assert few.code == 0
    assert "You have 4 of the 30 deals" in few.out
    monkeypatch.setattr(strength, "LEAST_DEALS", 2)
    english = run(*asked, "--lang", "en").out
    assert "Strength without luck: Ali" in english
    assert "points a deal, give or take" in english
    assert "0 means playing as master/2 does" in english
    assert "4 el sonunda el başına" in run(*asked, "--lang", "tr").out


def test_the_numbers_are_made_again(files: list[str], run: Run, told: Told) -> None:
    data, write = told
    assert data["strength"]["low"] < data["strength"]["mean"] < data["strength"]["high"]
    again = run("strength", "verify", write(data), *files, "--json")
    assert (again.code, again.json) == (0, {"ok": True, "deals": 4, "reference": "master/2"})
    data["deals"][2]["own"]["mean"] += 0.1
    changed = run("strength", "verify", write(data), *files, "--json")
    assert changed.refusal == (3, "strength-differs")
    assert changed.error["path"] == "deals[2].own.mean"
    del data["deals"][3]
    fewer = run("strength", "verify", write(data), *files, "--json")
    assert fewer.error["path"] == "deals"


def test_what_is_no_strength_is_refused(files: list[str], run: Run, told: Told) -> None:
    data, write = told

    def refusal(changes: dict[str, object]) -> tuple[int, str]:
        return run("strength", "verify", write(data | changes), *files, "--json").refusal

    assert refusal({"reference": "master/1"}) == (3, "other-reference")
    assert refusal({"format": "okey101/1"}) == (3, "bad-format")
    assert refusal({"worlds": "many"}) == (3, "wrong-type")
    assert refusal({"player": None}) == (3, "no-one-named")
    assert run("strength", "verify", write([]), *files, "--json").refusal == (3, "bad-format")
    assert run("strength", "verify", write(data), "--json").refusal == (3, "no-one-named")
    assert run("strength", *files, "--json").refusal == (3, "no-one-named")
    assert run("strength", "verify", "none.json", *files, "--json").refusal == (
        1, "file-not-found",
    )  # fmt: skip
