"""``okey101 simulate`` and ``stats``: the same file each time, and what it holds."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from okey101.game import RuleSet
from okey101.game.record import parse_record
from okey101.game.record_replay import replay
from okey101.sim.bot_proofs import verify_bots
from okey101.sim.data import DataJob, simulate

from .conftest import Run

QUICK = ("--set", "players=2", "--deals", "5")


def test_lines_are_records_that_replay(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl.gz"
    line = ("simulate", "random", "greedy", *QUICK, "--out", str(file), "--json")
    made = run(*line)
    assert (made.code, made.err) == (0, "")
    rows = gzip.decompress(file.read_bytes()).decode().splitlines()
    assert made.json["deals"] == len(rows) == 5
    seats = set()
    for number, row in enumerate(rows):
        record = parse_record(row)
        assert replay(record).deals[0].over
        assert json.loads(row)["_arena"] == {"seed": 0, "deal": number}
        assert record.players is not None
        seats.add(record.players)
        assert verify_bots(record)[0].seats == ("replayable", "replayable")
    assert len(seats) == 2, "they change seats"
    again = tmp_path / "again.jsonl.gz"
    run(*line[:-2], str(again), "--workers", "2", "--json")
    assert again.read_bytes() == file.read_bytes()
    shown = run("stats", str(file), "--json")
    assert shown.json["checked"] == "d.jsonl.gz.summary.json"
    assert shown.json["sha256"] == made.json["sha256"]
    assert {name: bot["seats"] for name, bot in shown.json["bots"].items()} == {
        "bot:greedy/1": 5, "bot:random/1": 5,
    }  # fmt: skip
    for language in ("en", "tr"):
        assert "bot:greedy/1" in run("stats", str(file), "--lang", language).out


def test_a_file_that_is_not_what_it_was(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl"
    assert run("simulate", "greedy", *QUICK, "--out", str(file)).code == 0
    good = file.read_text("utf-8")
    lines = good.splitlines(keepends=True)
    for damaged, code in (
        ("".join(lines[1:]), "data-differs"),
        (good.replace("discard", "Discard", 1), "data-differs"),
        (good + "{}\n", "data-line"),
        (good[:-9], "data-line"),
        ("[]\n", "data-line"),
    ):
        file.write_text(damaged, "utf-8")
        ran = run("stats", str(file), "--json")
        assert (ran.code, ran.error["code"]) == (3, code)
    packed = tmp_path / "d.jsonl.gz"
    packed.write_bytes(gzip.compress(good.encode())[:-20])
    ran = run("stats", str(packed), "--json")
    assert (ran.code, ran.error["code"]) == (3, "data-damaged")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["greedy", "--out", "d.csv"], "data-format"),
        (["greedy", "greedy", "--out", "d.jsonl"], "bots-for-seats"),
        (["deep-blue", "--out", "d.jsonl"], "unknown-bot"),
        (["greedy"], "missing-parameter"),
    ],
)
def test_what_is_refused(
    run: Run, arguments: list[str], code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("simulate", *arguments, "--deals", "1", "--json")
    assert (ran.code, ran.error["code"]) == (2, code)
    assert list(tmp_path.iterdir()) == []


def test_stopped_it_leaves_nothing(tmp_path: Path) -> None:
    job = DataJob(RuleSet(players=2), ("greedy",))
    done: list[int] = []
    found = simulate(
        job, tmp_path / "d.jsonl.xz", 9, progress=done.append, stopped=lambda: len(done) > 1
    )
    assert found is None
    assert list(tmp_path.iterdir()) == []


def test_parquet_has_a_row_for_each_deal(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "d.parquet"
    made = run("simulate", "greedy", *QUICK, "--out", str(file), "--json")
    assert made.code == 0
    rows = parquet.read_table(file).to_pylist()
    assert [row["deal"] for row in rows] == list(range(5))
    for row in rows:
        record = json.loads(row["record"])
        assert row["scores"] == record["deals"][0]["result"]["scores"]
        assert row["actions"] == len(record["deals"][0]["actions"])
    assert run("stats", str(file), "--json").json["sha256"] == made.json["sha256"]
    lines = tmp_path / "d.jsonl"
    same = run("simulate", "greedy", *QUICK, "--out", str(lines), "--json")
    assert same.json["sha256"] == made.json["sha256"]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    other = run("simulate", "greedy", *QUICK, "--out", str(tmp_path / "e.parquet"), "--json")
    assert (other.code, other.error["code"], other.error["extra"]) == (2, "missing-extra", "data")
    assert not list(tmp_path.glob(".*"))
