"""Bots by their names: ours, those of packages, and programs, whatever faults they have."""

import contextlib
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import ClassVar

import pytest

from conftest import raises_code, unwrap
from okey101.bots import BOTS, EXPERT, SEARCHERS, Bot, BotFault, bot_info, bot_of, make_bot
from okey101.bots.greedy import GreedyBot
from okey101.bots.playing import play_deal
from okey101.bots.process_bot import LINE_MAX, PATIENCE, UNREAD_MAX, ProcessBot, Program, Programs
from okey101.bots.registry import check_bot_starts, info_of, installed, is_foreign, runs_code
from okey101.errors import OkeyError
from okey101.game import Deal, Options, RuleSet, View, view_of
from okey101.sim.arena import duplicate
from okey101.sim.conduct import play_table
from okey101.sim.conformance import check_bot


def test_the_bots_there_are() -> None:
    assert list(BOTS) == ["random", "novice", "greedy", "steady", "master", "neural"]
    assert list(SEARCHERS) == ["search", "champion"]
    assert EXPERT in SEARCHERS
    for name, info in {**BOTS, **SEARCHERS}.items():
        assert (info.name, info.description) == (name, f"bot-{name}")
        assert bot_info(name) is info
        assert info.replayable
        assert not is_foreign(name)
    for name in BOTS:
        bot = make_bot(name, 3)
        assert isinstance(bot, Bot)
        assert bot.name == name


# Words that name bots -----------------------------------------------------------------------------

OWN = """
from okey101.bots.greedy import GreedyBot

class Careful(GreedyBot):
    name = "careful"
    version = 3

class Nameless(GreedyBot):
    name = "two words"

class Versions(GreedyBot):
    version = "one"

class Seedless:
    def choose(self, view, options):
        return options.actions()[-1]

class Quits:
    def __init__(self, seed):
        pass

    def choose(self, view, options):
        raise SystemExit(3)

class Five(Quits):
    def choose(self, view, options):
        return 5

class Mute(Quits):
    def choose(self, view, options):
        return self

    def __repr__(self):
        raise ValueError

class Leaves(GreedyBot):
    def ended(self, view):
        raise SystemExit

nothing = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_bots_of_a_test.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    bot_info.cache_clear()
    return tmp_path


def refused(spec: str) -> OkeyError:
    with pytest.raises(OkeyError) as caught:
        bot_info(spec)
    assert caught.value.details["name"] == spec
    return caught.value


def test_a_name_that_nobody_has_is_refused_with_the_known_ones() -> None:
    unknown = refused("deep-blue")
    assert unknown.code == "unknown-bot"
    assert "random, novice, greedy, steady, master, neural" in unknown.message
    with raises_code("unknown-bot"):
        make_bot("deep-blue")


def test_a_class_in_the_current_folder(folder: Path) -> None:
    careful = "own_bots_of_a_test:Careful"
    assert (bot_info(careful).mark, bot_info(careful).replayable) == ("careful/3", False)
    assert bot_of(careful, 5).name == "careful"
    assert runs_code(careful)
    with pytest.raises(ImportError):
        __import__("no_such_module_here")


@pytest.mark.parametrize(
    "spec",
    [
        "no_such_module_here:Bot", "own_bots_of_a_test:Missing", "own_bots_of_a_test:nothing",
        "own_bots_of_a_test:Nameless", "own_bots_of_a_test:Versions", ":", "exec:",
        "exec:no-such-program-here --fast", "exec:'",
    ],
)  # fmt: skip
def test_what_is_no_bot_is_refused(folder: Path, spec: str) -> None:
    assert refused(spec).code == "bot-unloadable"
    assert "did you mean Careful?" in refused("own_bots_of_a_test:Carefull").message


def test_a_class_that_makes_no_bot_of_a_seed_is_refused_before_the_first_deal(folder: Path) -> None:
    seedless = "own_bots_of_a_test:Seedless"
    against = partial(duplicate, RuleSet(players=2), anchor="random", deals=2)
    for call in (partial(check_bot, deals=1), bot_of, against):
        with raises_code("bot-unloadable"):
            call(seedless)
    with raises_code("wrong-type", match="not the class GreedyBot"):
        bot_of(GreedyBot)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [
        ("Quits", "crashed", "SystemExit: 3"),
        ("Five", "illegal", "5: 5 is no action"),
        ("Mute", "illegal", "<Mute instance"),
    ],
)
def test_a_check_says_what_was_wrong_first(folder: Path, name: str, kind: str, reason: str) -> None:
    found = check_bot(f"own_bots_of_a_test:{name}", deals=1)
    assert (found.name, getattr(found, kind)) == (name, found.choices)
    assert found.reason.startswith(reason)


def test_a_bot_that_exits_at_the_end_of_a_deal_ends_no_more_than_that(folder: Path) -> None:
    found = check_bot("own_bots_of_a_test:Leaves", deals=1)
    assert found.crashed == 2 * found.tables


def test_bots_of_installed_packages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = folder / "theirs-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(
        "[okey101.bots]\nhasty = own_bots_of_a_test:Careful\ngreedy = own_bots_of_a_test:Careful\n"
        "broken = no_such_module_here:Bot\n"
    )
    monkeypatch.syspath_prepend(folder)
    assert list(installed()) == ["broken", "hasty"]
    assert bot_info("hasty").mark == "hasty/3"
    assert bot_info("greedy").factory is GreedyBot
    assert refused("broken").code == "bot-unloadable"
    assert "hasty" in refused("unheard").message
    bot_info.cache_clear()


def test_a_factory_says_who_it_is() -> None:
    class Mine(GreedyBot):
        name = "mine"
        version = 2
        replayable = True

    assert info_of(Mine)[:2] == ("mine", 2)
    assert info_of(Mine).replayable
    with raises_code("bot-unloadable"):
        info_of(7)


def test_programs_are_named_by_their_command() -> None:
    info = bot_info("exec:node bots/first.js --fast")
    assert info.mark == "node-bots-first.js---fast/1"
    assert not info.replayable


ROOT = Path(__file__).resolve().parents[2]
HEAD = """
import json, os, sys, time
def say(**answer): print(json.dumps(answer), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="hello", name="test", version=2)
    elif m["type"] == "choose":
"""
BAD = {
    "hangs": ("time.sleep(60)", "late"),
    "late": ("time.sleep(0.6); say(id=m['id'], action=m['actions'][0])", "late"),
    "ends": ("sys.exit(3)", "crashed"),
    "no-json": ("print('draw', flush=True)", "illegal"),
    "no-object": ("print('[1]', flush=True)", "illegal"),
    "no-action": ("say(id=m['id'])", "illegal"),
    "unreadable": ("say(id=m['id'], action='dance')", "illegal"),
    "refused": ("say(id=m['id'], action='discard R1 R2')", "illegal"),
    "long": ("print('x' * 100_000, flush=True)", "illegal"),
}
DEAL = Deal.start(RuleSet(players=2), seed=bytes(32))
VIEW = view_of(DEAL, DEAL.turn)


@pytest.fixture
def programs() -> Iterator[Programs]:
    running = Programs()
    yield running
    running.stop(0)


def command(tmp_path: Path, code: str) -> str:
    path = tmp_path / "bot.py"
    path.write_text(HEAD + f"        {code}\n", encoding="utf-8")
    return shlex.join([sys.executable, "-S", str(path)])


def noting(tmp_path: Path, what: str) -> str:
    """A program that writes down what it hears, and plays the first action."""
    told = str(tmp_path / "told")
    code = f"open({told!r}, 'a').write({what}); say(id=m['id'], action=m['actions'][0])"
    return command(tmp_path, code)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_program_never_stops_a_table(name: str, tmp_path: Path, programs: Programs) -> None:
    code, kind = BAD[name]
    bot = ProcessBot(command(tmp_path, code), 1, programs=programs)
    began = monotonic()
    limit = 3 * 10**8 if kind == "late" else 10**10  # a slow machine starts a program slowly
    played = play_table(DEAL, [bot, GreedyBot()], limit)
    assert played.deal.over
    conduct = played.conducts[0]
    assert getattr(conduct, kind) == conduct.defaults == conduct.choices
    if kind == "late":
        assert monotonic() - began < 20
        assert conduct.late > PATIENCE
        assert conduct.spent_ns < (PATIENCE + 2) * 2 * 10**9


def test_a_program_that_keeps_talking_is_ended(tmp_path: Path) -> None:
    program = Program(command(tmp_path, "while True: say(id=0)"))
    program.start()
    with pytest.raises(BotFault) as caught:
        program.ask({"type": "choose", "id": 1}, 0.3)
    assert caught.value.kind in {"crashed", "late"}
    while program.running:  # the pipe was closed, which ends it
        sleep(0.01)


def test_a_program_that_does_not_read_is_ended(tmp_path: Path) -> None:
    program = Program(command(tmp_path, "time.sleep(60)"))
    program.start()
    for _ in range(UNREAD_MAX):
        program.tell({"type": "choose", "view": "x" * LINE_MAX})
    while program.running:  # one of the lines may be on its way already
        with contextlib.suppress(BotFault):
            program.tell({"type": "end"})


def test_a_good_program_plays_as_it_says(tmp_path: Path, programs: Programs) -> None:
    bot = ProcessBot(command(tmp_path, "say(id=m['id'], action=m['actions'][-1])"), 7,
                     programs=programs)  # fmt: skip
    assert bot.choose(VIEW, Options(VIEW)) == Options(VIEW).actions()[-1]
    with pytest.raises(BotFault, match="started"):
        ProcessBot("/no/such/program", 1, programs=programs).choose(VIEW, Options(VIEW))


def test_a_program_is_told_its_seat_and_no_secret(
    tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OKEY101_METRICS_TOKEN", "secret")
    bot = ProcessBot(noting(tmp_path, "line + repr(sorted(os.environ))"), 1, programs=programs)
    bot.choose(VIEW, Options(VIEW))
    text = (tmp_path / "told").read_text("utf-8")
    assert str(VIEW.rack) in text
    assert str(DEAL.rack(1 - DEAL.turn)) not in text
    assert "OKEY101_METRICS" not in text


def test_a_program_that_ends_after_each_answer_leaves_nothing_behind(
    tmp_path: Path, programs: Programs
) -> None:
    code = "say(id=m['id'], action=m['actions'][0]); sys.exit()"
    bot = ProcessBot(command(tmp_path, code), 1, programs=programs)
    running = []
    for _ in range(5):
        bot.choose(VIEW, Options(VIEW))
        while programs.get(bot.command, VIEW.seat).running:
            sleep(0.01)
        running.append(threading.active_count())
    assert running[-1] <= running[0] + 1  # a thread may be about to end


def test_a_class_that_plays_as_a_program_is_shown_the_end_of_a_deal(
    folder: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "    def ended(self, view): open('told', 'w').write(str(view.public.phase))\n"
    (folder / "ending_bot_of_a_test.py").write_text(
        "from okey101.bots.greedy import GreedyBot\nclass Ending(GreedyBot):\n" + code
    )
    words = [sys.executable, "-m", "okey101.bots.program", "ending_bot_of_a_test:Ending"]
    bot = ProcessBot(shlex.join(words), 1, programs=programs)
    assert play_deal(DEAL.rules, [bot, "greedy"], DEAL.layout).over
    programs.stop()
    assert (folder / "told").read_text("utf-8") == "over"
    for wrong, said in ((words[:-1], "usage: "), ([*words[:-1], "gredy"], "no bot is called")):
        ended = subprocess.run(wrong, check=False, capture_output=True, text=True, timeout=60)
        assert (ended.returncode, ended.stderr[: len(said)]) == (1, said)


def test_a_late_answer_is_not_one_to_the_first_question_of_another_deal(
    tmp_path: Path, programs: Programs
) -> None:
    code = "time.sleep(0.6 * (m['id'] == 1)); say(id=m['id'], action=m['actions'][0])"
    program = command(tmp_path, code)
    with pytest.raises(BotFault, match="time"):
        ProcessBot(program, limit_s=0.3, programs=programs).choose(VIEW, Options(VIEW))
    sleep(0.6)
    deal = Deal.start(RuleSet(players=2), seed=8, dealer=DEAL.layout.dealer)
    options = Options(view_of(deal, VIEW.seat))
    assert options.actions()[0] != Options(VIEW).actions()[0]
    bot = ProcessBot(program, programs=programs)
    assert bot.choose(options.view, options) == options.actions()[0]


def test_each_deal_alone_has_a_process_of_its_own(tmp_path: Path, programs: Programs) -> None:
    program = noting(tmp_path, "f'{os.getpid()} '")
    for seed in (1, 2, 1):
        ProcessBot(program, seed, programs=programs, alone=True).choose(VIEW, Options(VIEW))
    first, second, third = (tmp_path / "told").read_text("utf-8").split()
    assert first == third != second


@pytest.mark.parametrize(
    "program", ["exec:{python} examples/bots/first_bot.py", "exec:node examples/bots/first_bot.mjs"]
)
def test_the_examples_conform(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = check_bot(program.format(python=shlex.quote(sys.executable)), deals=1)
    assert found.conforms, found
    assert found.name.startswith("first")
    assert found.again == 0
    assert found.choices > 20


class Ending(GreedyBot):
    """A bot that wants to know the end of its deals, and can't bear it."""

    seen: ClassVar[list[tuple[int | None, int]]] = []

    def ended(self, view: View) -> None:
        self.seen.append((view.seat, unwrap(view.public.result).scores[view.seat or 0]))
        raise ZeroDivisionError


def test_a_bot_is_shown_the_end_and_stops_no_table_there() -> None:
    Ending.seen.clear()
    bots = [GreedyBot(), Ending(), GreedyBot(), Ending()]
    played = play_table(Deal.start("pagat", seed=7), bots, 10**9)
    assert [conduct.crashed for conduct in played.conducts] == [0, 1, 0, 1]
    scores = unwrap(played.deal.result).scores
    assert Ending.seen == [(1, scores[1]), (3, scores[3])]
    with pytest.raises(ZeroDivisionError):  # the caller's own bot
        play_deal("pagat", bots, seed=7)
    assert Ending.seen[2:] == [(1, scores[1])]


def test_a_check_finds_what_is_wrong(tmp_path: Path) -> None:
    bad = check_bot(f"exec:{command(tmp_path, BAD['unreadable'][0])}", deals=1)
    assert bad.illegal == bad.choices > 0
    assert not bad.conforms
    assert bad.reason.startswith("'dance'")
    with raises_code("bot-unloadable"):
        check_bot("exec:/no/such/program")
    assert check_bot("greedy", deals=1).conforms
    assert not check_bot("steady", deals=1, limit_ms=1).conforms


def test_a_program_may_take_longer_to_start_than_to_answer(tmp_path: Path) -> None:
    """It has 15 seconds to say hello, whatever the limit for an answer is."""
    good = command(tmp_path, "say(id=m['id'], action=m['actions'][-1])")
    found = check_bot(f"exec:sh -c {shlex.quote(f'sleep 0.6; exec {good}')}", deals=1, limit_ms=500)
    assert (found.late, found.conforms) == (0, True)
    assert (found.name, found.version) == ("test", 2)


@pytest.mark.parametrize("name", ["two words", "", "x" * 61])
def test_what_a_program_calls_itself_is_a_name_or_not_heeded(name: str, tmp_path: Path) -> None:
    spec = f"exec:{command(tmp_path, 'pass')}"
    path = tmp_path / "bot.py"
    head = path.read_text("utf-8").replace('"test", version=2', f"{name!r}, version=-3")
    path.write_text(head, "utf-8")
    assert check_bot_starts(spec)[:2] == bot_info(spec)[:2]
