"""Tables of four on one server process, durable and not, beside a bare echo of the same fan-out.

The players are one process (``server_load``), and each server is another (``server_child``).
They share the machine with whatever else runs, so that what counts is the processor time of the
server; times on the clock are those of a busy machine.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measure import median, table

__all__ = ["PAUSES", "Plan", "asked", "measure", "process", "report"]

ROOT = Path(__file__).resolve().parents[1]
KINDS = {"durable": "durable", "memory": "log in memory", "echo": "bare echo"}
PAUSE_AIM = 0.05
PAUSES = "pauses.json"
"""Where a measured server leaves the pauses of its collector."""


@dataclass(frozen=True)
class Plan:
    """How much is measured; times in seconds."""

    sizes: tuple[int, ...] = (250, 1_250)
    """Numbers of tables; the paced runs are at the last."""
    paced: int = 1_000
    """Tables that play at a pace."""
    pace: float = 0.4
    """Commands a second at a table: people who draw and discard within five seconds."""
    hard: float = 0.6
    """The second pace, as a share of what the durable server does flat out."""
    rounds: int = 3
    seconds: float = 5.0
    paced_rounds: int = 2
    paced_seconds: float = 10.0


@dataclass
class _Contestant:
    """A server with its players."""

    kind: str
    server: subprocess.Popen[str]
    load: subprocess.Popen[str]
    opened: dict[str, float] = field(default_factory=dict)
    flat: list[dict[str, float]] = field(default_factory=list)
    paced: dict[str, list[dict[str, float]]] = field(default_factory=dict)
    pauses: list[tuple[float, float]] = field(default_factory=list)

    def ask(self, *words: object) -> dict[str, float]:
        """Have the players do something, and wait for the figures."""
        return asked(self.load, *words)


def asked(load: subprocess.Popen[str], *words: object) -> dict[str, float]:
    """Have players do something, and wait for the figures."""
    assert load.stdin is not None
    assert load.stdout is not None
    print(*words, file=load.stdin, flush=True)
    line = load.stdout.readline()
    if not line:
        raise RuntimeError(f"the players of {load.args!r} are gone")
    found: dict[str, float] = json.loads(line)
    return found


@contextmanager
def process(module: str, *words: object) -> Iterator[subprocess.Popen[str]]:
    """A Python module as a process; one that still runs at the end is killed."""
    environ = {name: text for name, text in os.environ.items() if not name.startswith("OKEY101_")}
    environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    with subprocess.Popen(
        [sys.executable, "-m", module, *map(str, words)],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


@contextmanager
def _contestant(kind: str, tables: int, size: int) -> Iterator[_Contestant]:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        server = stack.enter_context(process("benchmarks.server_child", kind, folder, size))
        assert server.stdout is not None
        at = json.loads(server.stdout.readline())
        words = at["url"], at["pid"], kind, tables
        load = stack.enter_context(process("benchmarks.server_load", *words))
        made = _Contestant(kind, server, load)
        yield made
        with contextlib.suppress(BrokenPipeError):
            assert load.stdin is not None
            print("end", file=load.stdin, flush=True)
        load.wait(30)
        server.send_signal(signal.SIGTERM)
        server.wait(60)
        found = json.loads(Path(folder, PAUSES).read_text(encoding="ascii"))
        made.pauses = [(wall, cpu) for wall, cpu in found]


def _say(text: str) -> None:
    print(f"  {text}", file=sys.stderr, flush=True)


def _contest(plan: Plan, tables: int) -> dict[str, _Contestant]:
    """All three at one size, round by round in turn."""
    with ExitStack() as stack:
        found: dict[str, _Contestant] = {}
        size = 0
        for kind in KINDS:
            one = found[kind] = stack.enter_context(_contestant(kind, tables, size))
            one.opened = one.ask("open")
            size = round(one.ask("flat", plan.seconds / 2)["bytes"])  # warms it up, too
            _say(f"{kind}: {4 * tables} sockets")
        for number in range(plan.rounds):
            for one in found.values():
                one.flat.append(one.ask("flat", plan.seconds))
            _say(f"{tables} tables, round {number + 1} of {plan.rounds}")
        if tables == plan.sizes[-1]:
            _pace(plan, found)
    return found


def _pace(plan: Plan, found: dict[str, _Contestant]) -> None:
    most = median([run["events"] / run["wall"] for run in found["durable"].flat])
    rates = {"people": plan.pace, "hard": plan.hard * most / plan.paced}
    for name, rate in rates.items():
        for _ in range(plan.paced_rounds):
            for one in found.values():
                run = one.ask("pace", plan.paced_seconds, rate, plan.paced) | {"rate": rate}
                one.paced.setdefault(name, []).append(run)
        _say(f"{plan.paced} tables at {rate:.2f} commands a second")


def _median(runs: list[dict[str, float]], name: str) -> float:
    return median([run[name] for run in runs])


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:,.1f}"


def _rate(one: _Contestant) -> float:
    """Events a second of processor time."""
    return median([run["events"] / run["cpu"] for run in one.flat])


def _flat_rows(tables: int, found: dict[str, _Contestant]) -> Iterator[tuple[str, ...]]:
    echo = _rate(found["echo"])
    for kind, one in found.items():
        held = one.opened["rss_sockets"] - one.opened["rss_tables"]
        yield (
            f"{4 * tables:,}",
            KINDS[kind],
            f"{_rate(one):,.0f}",
            f"{1e6 / _rate(one):,.0f}",
            f"{_rate(one) / echo:.2f}",
            _ms(_median(one.flat, "p50")),
            _ms(_median(one.flat, "p99")),
            f"{held / tables / 4 / 1024:.1f}",
            f"{(one.flat[-1]['rss'] - one.opened['rss_start']) / tables / 4 / 1024:.1f}",
        )


def _paced_rows(found: dict[str, _Contestant]) -> Iterator[tuple[str, ...]]:
    for name in found["durable"].paced:
        for kind, one in found.items():
            runs = one.paced[name]
            yield (
                f"{_median(runs, 'rate'):.2f}",
                KINDS[kind],
                f"{median([run['events'] / run['wall'] for run in runs]):,.0f}",
                f"{median([run['cpu'] / run['wall'] for run in runs]):.0%}",
                _ms(_median(runs, "p50")),
                _ms(_median(runs, "p99")),
                _ms(max(run["worst"] for run in runs)),
            )


def _pause_rows(found: dict[int, dict[str, _Contestant]]) -> Iterator[tuple[str, ...]]:
    for tables, contest in found.items():
        for kind, one in contest.items():
            walls = [wall for wall, _ in one.pauses] or [0.0]
            costs = [cpu for _, cpu in one.pauses] or [0.0]
            over = sum(wall > PAUSE_AIM for wall in walls)
            yield (
                f"{4 * tables:,}", KINDS[kind], str(len(one.pauses)),
                _ms(median(costs)), _ms(max(costs)), _ms(max(walls)), str(over),
            )  # fmt: skip


def _aims(found: dict[int, dict[str, _Contestant]], last: dict[str, _Contestant]) -> str:
    """What was aimed at, and what came of it."""
    shares = [_rate(one["durable"]) / _rate(one["echo"]) for one in found.values()]
    kept = [_rate(one["durable"]) / _rate(one["memory"]) for one in found.values()]
    slow = _median(last["durable"].paced["people"], "p99")
    pauses = [pause for one in found.values() for pause in one["durable"].pauses] or [(0.0, 0.0)]
    wall, cpu = (max(pause[way] for pause in pauses) for way in (0, 1))
    rows = [
        ("events of the durable server for each of the echo's", "0.5", f"{min(shares):.2f}"),
        ("and for each of those with the log in memory", "0.5", f"{min(kept):.2f}"),
        ("p99 at the pace of people", "100 ms", f"{_ms(slow)} ms"),
        (
            "longest pause, processor time / on the clock",
            "50 ms",
            f"{_ms(cpu)} / {_ms(wall)} ms",
        ),
    ]
    return table(("figure", "aim", "measured"), rows)


def measure(plan: Plan) -> str:
    """Measure, and give the section of results.md."""
    found = {tables: _contest(plan, tables) for tables in plan.sizes}
    last = found[plan.sizes[-1]]
    size = _median(last["durable"].flat, "bytes")
    flat = table(
        ("sockets", "server", "events / cpu-s", "µs each", "of the echo", "p50 ms", "p99 ms",
         "kB / socket", "kB / socket after play"),
        [row for tables, contest in found.items() for row in _flat_rows(tables, contest)],
    )  # fmt: skip
    paced = table(
        ("a second, each", "server", "events / s", "processor", "p50 ms", "p99 ms", "worst ms"),
        [*_paced_rows(last)],
    )
    pauses = table(
        ("sockets", "server", "pauses", "median ms", "worst ms", "worst on the clock", "over 50"),
        [*_pause_rows(found)],
    )
    load = max(
        run["load"] for contest in found.values() for c in contest.values() for run in c.flat
    )
    return f"""## Server

One server process and tables of four people, all over WebSockets on the loopback; the players are
another process, which used at most {load:.0%} of a core. An event is one accepted command (draw,
discard, commit, reveal, ready) told to all four seats, {size:.0f} bytes on average; its time runs
from sending the command until the fourth seat has it. *Durable* is the server as `okey101 serve`
runs it, its rows synced to disk before anybody is told; *log in memory* the same without a file;
*bare echo* a Litestar application on the same uvicorn that decodes the command and sends four
messages of that size. Each of {plan.rounds} rounds of {plan.seconds:g} s went to all three in turn;
medians.

Flat out, the next command of a table following at once, so that the times are those of a queue as
long as there are tables. Memory by socket: of the connection alone, and of all the server holds
once they play (tables, hands, history).

{flat}

{plan.paced:,} tables of {4 * plan.sizes[-1]:,} sockets at a pace, commands at random times and
waiting counted from when they were due: people who take {1 / plan.pace:g} s a command, and
{plan.hard:.0%} of what the durable server did flat out.

{paced}

Pauses of the garbage collector in each server's whole life, by the processor time of the thread
and, at worst, on the clock of a machine with more processes than cores. The echo has the
interpreter's own rounds alone; at the end all sockets close at the same moment.

{pauses}

{_aims(found, last)}

An event costs what the echo does not do: the rules, the next state and its hash, the log, what
changed for everybody and for each hand, an acknowledgement, the clocks.
"""


def report() -> str:
    """The section of results.md."""
    return measure(Plan())
