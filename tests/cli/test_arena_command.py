"""The arena on the command line: matches, data sets, and the page's own commands."""

import gzip
import json
import re
import shlex
import signal
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from pyarrow import parquet

from conftest import Patch, unwrap
from okey101.cli.arena import command as arena_command, evaluate
from okey101.cli.arena.command import ArenaOptions
from okey101.game import RuleSet, parse_record, replay
from okey101.sim.arena.chunks import RANGES, Purpose, play_chunk
from okey101.sim.bot_proofs import verify_bots
from okey101.sim.data import DataJob, simulate

from .conftest import SRC, Run, started

QUICK = ("--set", "players=2")


def numbers(answer: dict[str, Any]) -> dict[str, Any]:
    """What of an answer does not depend on the machine and on how it was played."""
    return {k: v for k, v in answer.items() if k not in ("times", "manifest")}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def test_a_duel_as_text_and_page(run: Run, pages: Path, language: str) -> None:
    file = pages / f"{language}.html"
    line = ("arena", "random", "greedy", *QUICK, "--deals", "4", "--lang", language)
    ran = run(*line, "--html", str(file))
    assert ran.code == 0, ran.err
    assert "random/1 : greedy/1" in ran.out
    assert "--deals 4 --seed 0" in ran.out
    assert ("95% interval" in ran.out) == (language == "en")
    page = file.read_text("utf-8")
    assert page.startswith(f'<!doctype html>\n<html lang="{language}">')
    assert not re.search(r"<script|https?://|url\(|@import", page), "it needs nothing else"
    assert "prefers-color-scheme:dark" in page
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        root = ET.fromstring(picture)
        assert root.find("title") is not None
        assert root.find("desc") is not None
    assert page.count("<svg") >= 6


@pytest.mark.parametrize(
    ("line", "code", "named"),
    [
        ("arena random random --deals 2 --html", "folder-is-file", "/dev/null"),
        ("arena random random --release", "folder-not-found", "/dev/null/report"),
        ("evaluate random --deals 2 --out", "folder-is-file", "/dev/null"),
    ],
)
def test_a_file_that_can_not_be_written_is_told_before_the_work(
    run: Run, monkeypatch: Patch, line: str, code: str, named: str
) -> None:
    monkeypatch.setattr(arena_command, "run_job", None)
    ran = run(*line.split(), "/dev/null/report", "--json")
    assert ran.refusal == (1, code)
    assert named in ran.error["message"].rstrip(".").replace(";", "").split()


def test_the_same_numbers_however_it_is_played(run: Run, tmp_path: Path) -> None:
    line = ("arena", "random", "greedy", *QUICK, "--seed", "7", "--json")
    whole = run(*line, "--deals", "6")
    assert (whole.code, whole.err) == (0, "")
    file = str(tmp_path / "kept.jsonl")
    assert run(*line, "--deals", "3", "--resume", file).code == 0
    rest = run(*line, "--deals", "6", "--resume", file)
    assert numbers(rest.json) == numbers(whole.json)
    manifest = whole.json["manifest"]
    assert manifest["job"]["bots"][0]["name"] == "random"
    assert len(manifest["job"]["engine_sha256"]) == 64
    assert run(*manifest["command"].split()[1:], "--json").json["rows"] == whole.json["rows"]
    over = run(*line, "--deals", "6", "--resume", file, "--html", file)
    assert over.refusal == (1, "file-exists")
    other = run("arena", "greedy", "random", *QUICK, "--deals", "6", "--resume", file, "--json")
    assert other.refusal == (3, "arena-file-other")


def test_a_league_and_all_orders(run: Run) -> None:
    league = run("arena", "random", "greedy", *QUICK, "--league", "--deals", "2", "--json").json
    assert (league["kind"], len(league["rows"]), len(league["worst"])) == ("league", 2, 2)
    line = ("arena", "random", "greedy", "random", "--set", "players=3", "--deals", "2")
    assert run(*line, "--json").json["kind"] == "seatings"
    assert "random/1#3" in run(*line).out


@pytest.mark.parametrize(
    "line",
    [
        "arena chatty:Chatty random --deals 2", "arena chatty:Chatty random --deals 2 --workers 2",
        "evaluate chatty:Chatty --deals 2", "simulate chatty:Chatty --deals 1 --out d.jsonl",
        "bots check chatty:Chatty --deals 1",
    ],
)  # fmt: skip
def test_what_a_bot_prints_is_no_part_of_the_answer(
    run: Run, tmp_path: Path, monkeypatch: Patch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(evaluate, "PRESETS", ["wiki"])
    monkeypatch.setattr(evaluate, "OPPONENTS", ["random"])
    Path("chatty.py").write_text("""
from okey101.bots.novice import RandomBot
print("loaded")
class Chatty(RandomBot):
    def choose(self, view, options):
        print("thinking")
        return super().choose(view, options)
""")
    monkeypatch.delitem(sys.modules, "chatty", raising=False)
    ran = run(*line.split(), "--json")
    assert (ran.code, ran.json["ok"]) == (0, True)


def test_what_the_rules_say_of_a_bots_choice_is_told_in_the_language(
    run: Run, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("okey101.sim.conformance.PRESETS", {"wiki": RuleSet.preset("wiki")})
    Path("again.py").write_text("""
from okey101.bots.novice import RandomBot
class Again(RandomBot):
    def choose(self, view, options):
        return "draw" if view.public.phase == "play" else super().choose(view, options)
""")
    for language, said in (("en", "You can't draw now"), ("tr", "Şimdi taş çekemezsiniz")):
        ran = run("bots", "check", "again:Again", "--deals", "1", "--lang", language)
        assert ran.code == 1
        assert f"'draw': {said}" in ran.out
    ran = run("bots", "check", "again:Again", "--deals", "1", "--json")
    assert "already" in ran.error["reason"]
    assert "refusal" not in ran.error


def test_a_gate_tells_by_its_exit_code(run: Run, monkeypatch: Patch) -> None:
    for name, value in {"BOUND": 0.01, "FIRST_LOOK": 4, "LOOK_EVERY": 2}.items():
        monkeypatch.setattr(f"okey101.sim.stats.{name}", value)
    monkeypatch.setattr("okey101.cli.arena.command.LOOK_EVERY", 2)
    worse = run("arena", "random", "greedy", *QUICK, "--gate", "--json")
    assert worse.code == 1
    gate = worse.json["gate"]
    assert (gate["verdict"], gate["deals"]) == ("no-better", 4)
    assert worse.json["deals"] == 4
    assert worse.json["rows"][0]["counts"]["seats"] == 8
    assert worse.json["manifest"]["job"]["seed"] in RANGES[Purpose.GATE]


def test_a_release_is_made_once(run: Run, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("okey101.cli.arena.command.RELEASE_DEALS", 2)
    folder = tmp_path / "results"
    line = ("arena", "random", "greedy", *QUICK, "--release", str(folder), "--json")
    made = run(*line)
    assert made.code == 0
    (file,) = folder.iterdir()
    assert json.loads(file.read_text("utf-8"))["rows"] == made.json["rows"]
    assert run(*line).refusal == (2, "release-made")


def test_the_command_is_that_of_the_wishes() -> None:
    options = ArenaOptions(bots=("a:B", "exec:node x.js"), league=True, limit=50)
    assert options.command(3, 9) == (
        "okey101 arena a:B 'exec:node x.js' --rules altinstar --deals 9 --seed 3 --league "
        "--limit 50"
    )


def test_ctrl_c_loses_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    line = ["arena", "random", "greedy", *QUICK, "--deals", "1000", "--resume", str(file)]
    with started(*line, "--json") as (process, *_):
        end = time.monotonic() + 50
        while not (file.exists() and file.read_bytes().count(b"\n") >= 4):
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=50)
    assert process.returncode == 130
    error = json.loads(out)["error"]
    assert error["code"] == "interrupted"
    done = error["done"]
    assert 0 < done < 1000
    line[line.index("1000")] = str(done)
    played = sum(json.loads(row).get("deals", 0) for row in file.read_text("utf-8").splitlines())
    assert played == done
    kept = run(*line[: line.index("--resume")], "--resume", str(file), "--json")
    assert kept.json["deals"] == done
    assert file.read_text("utf-8").count('"deals"') == len(file.read_text().splitlines()) - 1


PAGE = (SRC.parent / "docs" / "en" / "arena.md").read_text("utf-8")


def test_the_commands_of_the_page(run: Run, tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^\$ okey101 (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        ran = run(*shlex.split(command))
        assert ran.code == 0, ran.err
    assert {path.name for path in tmp_path.iterdir()} == {
        "kept.jsonl", "report.html", "deals.jsonl.gz", "deals.jsonl.gz.summary.json",
    }  # fmt: skip


def test_the_same_numbers_compiled(run: Run, tmp_path: Path) -> None:
    """With bots whose choices take little where nothing is compiled."""
    arena = ("arena", "random", "random", "--set", "players=2", "--deals", "2", "--json")
    plain, compiled = json.loads(run(*arena).out), json.loads(run(*arena, "--compiled").out)
    for answer in (plain, compiled):
        del answer["times"]
    assert plain.pop("manifest")["kernel"] is None
    manifest = compiled.pop("manifest")
    assert re.fullmatch("[0-9a-f]{64}", manifest["kernel"])
    assert manifest["command"].endswith("--compiled")
    assert plain == compiled
    files = [tmp_path / "plain.jsonl", tmp_path / "compiled.jsonl"]
    for file, more in zip(files, ((), ("--compiled",)), strict=True):
        data = ("simulate", "random", "--set", "players=2", "--deals", "1", "--out", str(file))
        assert run(*data, *more).code == 0
    assert files[0].read_bytes() == files[1].read_bytes()


# Data sets ----------------------------------------------------------------------------------------

QUICK_DATA = ("--set", "players=2", "--deals", "5")


def test_lines_are_records_that_replay(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl.gz"
    line = ("simulate", "random", "greedy", *QUICK_DATA, "--out", str(file), "--json")
    made = run(*line)
    assert (made.code, made.err) == (0, "")
    rows = gzip.decompress(file.read_bytes()).decode().splitlines()
    assert made.json["deals"] == len(rows) == 5
    seats = set()
    for number, row in enumerate(rows):
        record = parse_record(row)
        assert replay(record).deals[0].over
        assert json.loads(row)["_arena"] == {"seed": 0, "deal": number}
        seats.add(unwrap(record.players))
        assert verify_bots(record)[0].seats == ("replayable", "replayable")
    assert len(seats) == 2, "they change seats"
    assert "--limit" not in made.json["command"]
    limited = run(*line[:-2], str(tmp_path / "e.jsonl.gz"), "--limit", "4000", "--json")
    assert "--limit 4000" in limited.json["command"]
    again = tmp_path / "again.jsonl.gz"
    run(*line[:-2], str(again), "--workers", "2", "--json")
    assert again.read_bytes() == file.read_bytes()
    assert (
        run(*line).refusal
        == run(*line[:-2], str(tmp_path / "n.jsonl"), "--transitions", str(file), "--json").refusal
        == (1, "file-exists")
    )
    assert again.read_bytes() == file.read_bytes()
    shown = run("stats", str(file), "--json")
    assert shown.json["checked"] == "d.jsonl.gz.summary.json"
    assert shown.json["sha256"] == made.json["sha256"]
    assert {name: bot["seats"] for name, bot in shown.json["bots"].items()} == {
        "bot:greedy/1": 5, "bot:random/1": 5,
    }  # fmt: skip
    for language in ("en", "tr"):
        assert "bot:greedy/1" in run("stats", str(file), "--lang", language).out


def test_a_name_that_is_not_UTF8(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "\udcff.jsonl")
    assert run("simulate", "greedy", *QUICK_DATA, "--out", file).code == 0
    assert run("stats", file).code == 0
    page = ("--deals", "2", "--html", f"{tmp_path}/\udcff.html", "--resume", f"{tmp_path}/\udcff")
    assert run("arena", "greedy", "novice", *QUICK, *page).code == 0


def test_a_file_that_is_not_what_it_was(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "d.jsonl"
    assert run("simulate", "greedy", *QUICK_DATA, "--out", str(file)).code == 0
    good = file.read_text("utf-8")
    lines = good.splitlines(keepends=True)
    for damaged, code in (
        ("".join(lines[1:]), "data-differs"),
        (good.replace("discard", "Discard", 1), "data-differs"),
        (good + "{}\n", "data-line"),
        (good[:-9], "data-line"),
        ("[]\n", "data-line"),
        ("[" * 100_000 + "\n", "data-line"),
        (good.replace('"end":"', '"end":"un', 1), "data-line"),
        (good.replace('"scores":[', '"scores":[1e300,', 1), "data-line"),
        (re.sub(r'"scores":\[[^]]*', f'"scores":[{"9" * 400},0', good, count=1), "data-line"),
        (re.sub(r'"scores":\[[^]]*', '"scores":[NaN,0', good, count=1), "data-line"),
        (re.sub(r'"players":\[[^]]*', '"players":[1,null', good, count=1), "data-line"),
    ):
        file.write_text(damaged, "utf-8")
        assert run("stats", str(file), "--json").refusal == (3, code)
    told = json.loads(lines[0])
    told["deals"][0]["result"]["fines"] = [{"seat": 0, "rule": "\x1b[2J"}]
    (tmp_path / "strange.jsonl").write_text(f"{json.dumps(told)}\n", "utf-8")
    assert "\x1b" not in run("stats", str(tmp_path / "strange.jsonl")).out
    file.write_text(good, "utf-8")
    for summary in (b"{", b'{"deals": "\xa2"}', b"null", b"{}", b"[" * 100_000):
        file.with_name("d.jsonl.summary.json").write_bytes(summary)
        assert run("stats", str(file), "--json").refusal == (3, "data-differs")
    packed, whole = tmp_path / "d.jsonl.gz", gzip.compress(good.encode())
    for torn in (whole[:-20], whole[:10] + b"\7" + whole[11:]):  # no type of a block is 3
        packed.write_bytes(torn)
        assert run("stats", str(packed), "--json").refusal == (3, "data-damaged")


@pytest.mark.parametrize(
    ("line", "code"),
    [("greedy --out d.csv", "data-format"), ("greedy greedy --out d.jsonl", "bots-for-seats"),
     ("deep-blue --out d.jsonl", "unknown-bot"), ("greedy", "missing-parameter"),
     ("okey101:Deal --out d.jsonl", "bot-unloadable")],
)  # fmt: skip
def test_what_is_refused(
    run: Run, line: str, code: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("simulate", *line.split(), "--deals", "1", "--json").refusal == (2, code)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_or_nothing_in_place_of_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "d.parquet").mkdir()
    assert run("stats", str(tmp_path / "d.parquet"), "--json").refusal == (1, "file-is-folder")
    assert run("stats", "", "--json").refusal == (3, "data-format")
    made = ("simulate", "nobody", "--json", "--out")
    assert run(*made, str(tmp_path / "d.parquet")).refusal == (1, "file-exists"), "before the play"


def test_stopped_it_leaves_nothing(tmp_path: Path) -> None:
    job = DataJob(RuleSet(players=2), ("greedy",))
    done: list[int] = []
    found = simulate(
        job, tmp_path / "d.jsonl.xz", 9, progress=done.append, stopped=lambda: len(done) > 1
    )
    assert found is None
    assert list(tmp_path.iterdir()) == []


def test_decisions_are_rows_for_learning(run: Run, tmp_path: Path) -> None:
    deals, file = tmp_path / "d.jsonl", tmp_path / "t.parquet"
    arguments = ("greedy", "steady", "random", *("--rules", "wiki", "--set", "players=3"))
    more = ("--deals", "2", "--out", str(deals), "--transitions", str(file), "--json")
    assert run("simulate", *arguments, *more).code == 0
    table = parquet.read_table(file)
    told = re.findall(r"^\| `(\w+)` \| (?:list of )?\w+ \|", PAGE, re.MULTILINE)
    assert told[-len(table.column_names) :] == table.column_names
    rows = table.to_pylist()
    for number, line in enumerate(deals.read_text().splitlines()):
        record = json.loads(line)
        mine = [row for row in rows if row["deal"] == number]
        assert [row["step"] for row in mine] == list(range(len(mine)))
        assert len(mine) >= len(record["deals"][0]["actions"])
        numbered = [row for row in mine if row["action"] is not None]
        assert len(numbered) > 0.9 * len(mine)
        assert all(row["action"] in row["legal"] for row in numbered)
        ends = {row["seat"]: -row["reward"] for row in mine if row["last"]}
        assert [ends[seat] for seat in range(3)] == record["deals"][0]["result"]["scores"]
        assert all(row["reward"] == 0 for row in mine if not row["last"])
        assert {row["bot"] for row in mine} == set(record["players"])
    csv = ("--out", str(tmp_path / "e.jsonl"), "--transitions", str(tmp_path / "t.csv"), "--json")
    assert run("simulate", "greedy", *csv).refusal == (2, "data-format")
    one = str(tmp_path / "one.parquet")
    again = f"{tmp_path}/../{tmp_path.name}/one.parquet"
    twice = ("--out", one, "--transitions", again, "--json")
    assert run("simulate", "greedy", *twice).refusal == (2, "same-file")
    assert not list(tmp_path.glob(".*"))
    assert run("stats", str(file), "--json").refusal == (3, "data-line")  # no deals
    file.write_bytes(file.read_bytes()[:-20])
    assert run("stats", str(file), "--json").refusal == (3, "data-damaged")


def test_an_okey_in_a_group_that_is_laid_later_stands_for_what_it_did(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "t.parquet"
    files = ("--out", str(tmp_path / "d.jsonl"), "--transitions", str(file))
    assert run("simulate", "greedy", "--deals", "2", *files).code == 0
    assert set(parquet.read_table(file, columns=["deal"])["deal"].to_pylist()) == {0, 1}


def test_parquet_has_a_row_for_each_deal(run: Run, tmp_path: Path, monkeypatch: Patch) -> None:
    file = tmp_path / "d.parquet"
    made = run("simulate", "greedy", *QUICK_DATA, "--out", str(file), "--json")
    assert made.code == 0
    table = parquet.read_table(file)
    told = re.findall(r"^\| `(\w+)` \| (?:list of )?\w+ \|", PAGE, re.MULTILINE)
    assert told[: len(table.column_names)] == table.column_names
    rows = table.to_pylist()
    assert [row["deal"] for row in rows] == list(range(5))
    for row in rows:
        record = json.loads(row["record"])
        assert row["scores"] == record["deals"][0]["result"]["scores"]
        assert row["actions"] == len(record["deals"][0]["actions"])
    assert run("stats", str(file), "--json").json["sha256"] == made.json["sha256"]
    lines = tmp_path / "d.jsonl"
    same = run("simulate", "greedy", *QUICK_DATA, "--out", str(lines), "--json")
    assert same.json["sha256"] == made.json["sha256"]
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    other = run("simulate", "greedy", *QUICK_DATA, "--out", str(tmp_path / "e.parquet"), "--json")
    assert (other.code, other.error["code"], other.error["extra"]) == (2, "missing-extra", "data")
    assert not list(tmp_path.glob(".*"))


# The benchmark -------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: Patch) -> None:
    monkeypatch.setattr(evaluate, "PRESETS", ("pagat",))
    monkeypatch.setattr(evaluate, "OPPONENTS", ("novice", "greedy"))


@pytest.mark.usefixtures("small")
def test_the_benchmark_is_the_same_however_it_is_played(run: Run, tmp_path: Path) -> None:
    line = ("evaluate", "greedy", "--deals", "2")
    file = tmp_path / "greedy.json"
    first = run(*line, "--resume", str(tmp_path / "kept"), "--out", str(file), "--json").json
    again = run(*line, "--resume", str(tmp_path / "kept"), "--json").json
    shared = run(*line, "--workers", "2", "--compiled", "--json").json
    assert first["sha256"] == again["sha256"] == shared["sha256"]
    assert json.loads(file.read_text("utf-8")) == {k: v for k, v in first.items() if k != "ok"}
    weak, own = first["rows"]
    assert (weak["against"], own["against"]) == ("novice", "greedy")
    assert (own["difference"], own["error"]) == (0, 0), "among its own it is no better"
    assert first["difference"] == pytest.approx(weak["difference"] / 2, abs=1e-6)
    assert first["suite"] is None, "a trial"
    assert first["faults"] == 0


@pytest.mark.usefixtures("small")
def test_a_file_with_more_deals_changes_nothing(
    run: Run, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(evaluate, "DEALS", 2)
    kept = ("--resume", str(tmp_path / "kept"), "--json")
    more = run("evaluate", "random", "--deals", "5", *kept).json
    assert (more["suite"], more["deals"]) == (None, 5)
    again = run("evaluate", "random", *kept).json
    assert again["suite"] == evaluate.SUITE
    assert again["sha256"] == run("evaluate", "random", "--json").json["sha256"]


@pytest.mark.usefixtures("small")
def test_a_trial_counts_the_faults_of_its_deals_alone(
    run: Run, tmp_path: Path, monkeypatch: Patch
) -> None:
    """Also where a longer one has played some of them in one chunk with others."""
    (tmp_path / "faulty_bots_of_a_test.py").write_text(
        "class Faulty:\n    name = 'faulty'\n    def __init__(self, seed): pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    trial = ("evaluate", "faulty_bots_of_a_test:Faulty", "--deals", "2", "--json")
    found = run(*trial).json
    monkeypatch.setattr(evaluate, "played", lambda *to, **_: (play_chunk(to[2], range(3)),))
    assert run(*trial).json["sha256"] == found["sha256"]
    assert found["faults"] > 0


@pytest.mark.usefixtures("small")
def test_the_benchmark_as_text(run: Run, monkeypatch: Patch, language: str) -> None:
    monkeypatch.setattr(evaluate, "DEALS", 2)
    ran = run("evaluate", "random", "--lang", language)
    assert ran.code == 0, ran.err
    head, _, names, row, _, whole, digest = ran.out.splitlines()
    assert head.startswith("okey101-1: random/1, ")
    assert "(" not in head
    assert names.split()[:2] == ["novice", "greedy"]
    assert row.count("±") == 3
    assert ("without a fault" in whole) == (language == "en")
    assert re.fullmatch("SHA-256 [0-9a-f]{64}", digest)
    assert "1/2 pagat, novice" in ran.err


def test_a_benchmark_that_cannot_begin_says_why(run: Run, tmp_path: Path) -> None:
    assert run("evaluate", "gredy", "--json").refusal == (2, "unknown-bot")
    (tmp_path / "file").touch()
    ran = run("evaluate", "greedy", "--resume", str(tmp_path / "file"), "--json")
    assert ran.refusal == (1, "folder-is-file")
