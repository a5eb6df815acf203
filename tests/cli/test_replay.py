"""``okey101 replay``, and positions in one line in the place of a rack or a file."""

import json
import random
from pathlib import Path

import pytest

from conftest import unwrap
from okey101 import Back, Lay, Meld, Options, Return, arrange, position_of, view_of
from okey101.game import (
    PRESETS,
    RULES_VERSION,
    Deal,
    Match,
    RuleSet,
    apply,
    options_of,
    record_of,
    replay,
)
from okey101.game.record.form import Record, parse_record
from okey101.i18n import load

from .conftest import Change, Run, Spoil, spoiler

NAMES = ("Ayşe", "bot:greedy", "bot:greedy", "")


def played(rules: RuleSet, seed: int, deals: int = 2, stop: int = 10_000) -> Record:
    """A match of random legal play that melds when it can; the last deal may break off."""
    rng = random.Random(seed)
    match = Match.new(rules, deals=deals, seed=rng.randbytes(32))
    done: list[Deal] = []
    actions = 0
    while not match.over and actions < stop and len(done) < 4:
        deal = match.deal()
        while not deal.over and actions < stop:
            legal = [a for a in options_of(deal).actions() if not isinstance(a, Back | Return)]
            laying = [a for a in legal if isinstance(a, Meld | Lay)]
            deal = apply(deal, rng.choice(laying or legal or list(options_of(deal).actions())))
            actions += 1
        done.append(deal)
        if deal.over:
            match = match.after(deal)
    return record_of(rules, done, players=NAMES[: rules.players], deals_agreed=deals)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records")


@pytest.fixture(scope="module")
def record_file(folder: Path) -> Path:
    path = folder / "played.okey.json"
    played(RuleSet(), 3).write(path)
    return path


@pytest.fixture
def spoiled(record_file: Path, tmp_path: Path) -> Spoil:
    return spoiler(Record.read(record_file), tmp_path / "spoiled.okey.json")


def test_json_has_the_shape_of_the_design(run: Run, record_file: Path) -> None:
    ran = run("replay", str(record_file), "--json")
    assert ran.code == 0
    assert list(ran.json) == ["ok", "rules_version", "deals", "totals"]
    for deal in ran.json["deals"]:
        assert list(deal) == ["end", "winner", "scores", "fines", "opened"]
        assert len(deal["scores"]) == len(deal["opened"]) == 4
    record = parse_record(record_file.read_bytes())
    assert ran.json == {"ok": True} | json.loads(json.dumps(replay(record).to_dict()))
    assert [sum(s) for s in zip(*(d["scores"] for d in ran.json["deals"]), strict=True)] == (
        ran.json["totals"]
    )


def test_text_shows_every_action_and_the_sheets(run: Run, record_file: Path, language: str) -> None:
    ran = run("replay", str(record_file), "--lang", language)
    assert (ran.code, ran.err) == (0, "")
    texts = load(language)
    record = parse_record(record_file.read_bytes())
    assert texts("replay-rules", version=RULES_VERSION) in ran.out
    assert texts("replay-deal", number=2, count=2) in ran.out
    assert ran.out.count(texts("text-sheet-heading")) == 2
    assert texts("replay-name", name="bot:greedy", seat=2) in ran.out
    assert texts("replay-seat", seat=3) in ran.out
    lines = [line for line in ran.out.splitlines() if line.startswith("  ")]
    assert len(lines) >= sum(len(deal.actions) for deal in record.deals)
    assert all(line == line.rstrip() and line.isprintable() for line in ran.out.splitlines())


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_any_record_can_be_shown(run: Run, tmp_path: Path, preset: str, players: int) -> None:
    rules = RuleSet.preset(preset).with_(players=players, reclaim_okey=True, teams=players == 4)
    path = tmp_path / "r.okey.json"
    played(rules, players, deals=1).write(path)
    for arguments in ([], ["--lang", "tr"], ["--json"], ["--until", "7"]):
        ran = run("replay", str(path), *arguments)
        assert (ran.code, ran.err) == (0, ""), ran


def test_until_stops(run: Run, record_file: Path) -> None:
    full = run("replay", str(record_file), "--json").json
    ran = run("replay", str(record_file), "--until", "5", "--json")
    (deal,) = ran.json["deals"]
    assert (deal["end"], deal["scores"], ran.json["totals"]) == (None, None, [0, 0, 0, 0])
    assert load("en")("replay-unfinished") in run("replay", str(record_file), "--until", "0").out
    assert run("replay", str(record_file), "--until", "100000", "--json").json == full
    assert run("replay", str(record_file), "--until", "-1").code == 2


def test_a_record_without_a_version_is_read_under_the_rules_of_today(
    run: Run, record_file: Path, spoiled: Spoil
) -> None:
    path = spoiled(lambda data: data.pop("rules_version"))
    assert Record.read(path) == Record.read(record_file)
    ran = run("replay", path, "--json")
    assert ran.json["rules_version"] == RULES_VERSION
    assert ran.json == run("replay", str(record_file), "--json").json


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_stdin(run: Run, record_file: Path, command: str) -> None:
    data = record_file.read_bytes()
    assert run(command, "-", stdin=data).out == run(command, str(record_file)).out


def test_an_illegal_action(run: Run, spoiled: Spoil) -> None:
    path = spoiled(lambda data: data["deals"][0]["actions"].__setitem__(1, "lay K5 > 3"))
    ran = run("replay", path, "--json")
    assert ran.refusal == (3, "must-draw-first")
    told = {"rule": "U1", "deal": 0, "action": 1, "text": "lay K5 > 3"}
    assert told.items() <= ran.error.items()
    assert ran.error["message"] == load("en")("error-must-draw-first")
    text = run("replay", path, "--lang", "tr")
    assert (text.code, text.out) == (3, "")
    assert "1. el, 2. hamle (lay K5 > 3): " in text.err
    assert load("tr")("error-must-draw-first") in text.err


def test_a_short_opening_where_that_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "short.okey.json"
    hands = ["R7 R8 R9 K1 K2", "Y1", "Y2", "Y3"]
    data = {
        "format": "okey101/1",
        "rules": {"preset": "altinstar", "short_opening": "refuse"},
        "deals": [
            {"dealer": 0, "indicator": "B5", "hands": hands, "actions": ["0: meld R7 R8 R9"]}
        ],
    }
    path.write_text(json.dumps(data), encoding="utf-8")
    error = run("replay", str(path), "--json").error
    told = {"code": "below-threshold", "rule": "O1", "deal": 0, "action": 0}
    assert told.items() <= error.items()
    assert {"24", "101"} <= {*error["message"].replace(",", "").split()}


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        (lambda d: d["deals"][0]["actions"].__setitem__(0, "dance"), "unknown-action",
         "deals[0].actions[0]"),
        (lambda d: d["deals"][0]["hands"].__setitem__(1, "R1 R1 R1"), "too-many-copies",
         "deals[0].hands[1]"),
        (lambda d: d["rules"].update(players=3, teams=True), "teams-need-four", "rules.teams"),
        (lambda d: d["totals"].__setitem__(0, 12345), "totals-differ", "totals"),
        (lambda d: d.update(format="okey101/9"), "newer-format", "format"),
        (lambda d: d["deals"][0].pop("actions"), "missing", "deals[0].actions"),
    ],
)  # fmt: skip
def test_bad_records(run: Run, spoiled: Spoil, change: Change, code: str, path: str) -> None:
    file = spoiled(change)
    ran = run("replay", file, "--json")
    assert (*ran.refusal, ran.error["path"]) == (3, code, path)
    for language in ("tr", "en"):
        text = run("replay", file, "--lang", language)
        assert (text.code, text.out) == (3, "")
        assert len(text.err.splitlines()) == 1


def test_files_that_can_not_be_read(run: Run, tmp_path: Path) -> None:
    missing = str(tmp_path / "no.okey.json")
    for command in ("replay", "verify", "review"):
        ran = run(command, missing, "--json")
        assert (*ran.refusal, ran.error["file"]) == (1, "file-not-found", missing)
        assert "no.okey.json" in run(command, missing, "--lang", "tr").err
        assert run(command, "-", "--json", stdin=b"{").refusal == (3, "truncated")
    (tmp_path / "latin").write_bytes(b'{"a": "\xe7"}')
    with (tmp_path / "large").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    for name, refusal in (
        ("", (1, "file-is-folder")), ("none/match.okey.json", (1, "folder-not-found")),
        ("latin", (3, "not-utf8")), ("large", (3, "too-large")),
    ):  # fmt: skip
        assert run("replay", str(tmp_path / name), "--json").refusal == refusal


def test_names_do_not_reach_the_terminal_raw(run: Run, spoiled: Spoil) -> None:
    name = "\x1b[2JAli\nVeli\u202e"
    out = run("replay", spoiled(lambda data: data["players"].__setitem__(0, name))).out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[2JAli Veli" in out


# Positions in one line ----------------------------------------------------------------------------

DEAL = Deal.start("pagat", seed=7)
VIEW = view_of(DEAL, 1)


@pytest.mark.parametrize("position", [DEAL, VIEW])
def test_solve_takes_the_rack_of_a_position(run: Run, position: Deal) -> None:
    found = unwrap(arrange(VIEW.rack, VIEW.public.okey))
    assert run("solve", position_of(position), "--json").json["points"] == found.points
    line = position_of(position).encode()
    assert run("solve", "-", stdin=line).json["points"] == found.points
    assert run("outs", position_of(position), "--json").code == 0


def test_replay_shows_a_position(run: Run) -> None:
    assert run("replay", position_of(DEAL)).out.strip() == DEAL.text(secrets=True)
    assert run("replay", position_of(VIEW)).out.strip() == str(VIEW)
    told = run("replay", position_of(VIEW), "--json").json
    assert (told["position"], told["seat"]) == (position_of(VIEW), 1)


def test_what_is_no_position_is_told(run: Run) -> None:
    spectator = position_of(view_of(DEAL, None))
    for words in (("solve", spectator), ("replay", "deal; pagat"), ("review", "open; pagat")):
        assert run(*words, "--json").refusal == (3, "bad-position")


def test_review_weighs_the_choices_of_a_position(run: Run) -> None:
    pytest.importorskip("numba")
    line = position_of(VIEW)
    ran = run("review", line, "--worlds", "8", "--policy", "greedy", "--json")
    assert ran.json["best"] in {str(action) for action in Options(VIEW).actions()}
    assert "discard" in run("review", line, "--worlds", "8", "--policy", "greedy").out
