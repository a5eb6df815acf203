"""How far it carries: ``python -m benchmarks.sizing`` makes sizing.md and the tables of hosting.md.

What a table costs is taken from ``cluster_costs.json``, which ``make bench ARGS=cluster`` measures.
A simulation, event by event, has to predict by the figures of one node what two and three did; then
it goes on to as many as one likes. It needs the standard library alone.
"""

from __future__ import annotations

import heapq
import json
import random
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.measure import quantile, table

__all__ = ["COSTS", "Costs", "Need", "hosting", "need", "simulate", "wanted"]

ROOT: Final = Path(__file__).resolve().parents[1]
COSTS: Final = Path(__file__).with_name("cluster_costs.json")
PAGE: Final = Path(__file__).with_name("sizing.md")
BUSY: Final = 0.6
"""The share of its core that a node is meant to use."""
ONE_LESS: Final = 0.9
"""The same after another node has failed."""
DATABASE_BUSY: Final = 0.5
DAY: Final = 1 / 3
"""How much is played on average, of what is played in the evening."""
SHARE: Final = 0.1
"""Of its time a node spends on the archive so much, and waits the rest."""
BEATS: Final = 1 / 0.75
TABLES_A_NODE: Final = 2_000
"""``OKEY101_MAX_TABLES`` as it is by default; ``OKEY101_MAX_SOCKETS`` is as many."""
ROWS_A_DEAL: Final = 60
"""22 turns of a draw and a discard, and what a fair round is made of."""
ENTRIES_A_DEAL: Final = 1
MONTH_S: Final = 30 * 86_400


@dataclass(frozen=True)
class Costs:
    """What was measured: processor in seconds, sizes in bytes."""

    pace: float
    """Commands a second at a table."""
    event_cpu: float
    """Of a node, for a command that is told to four seats, none of them relayed."""
    relayed_cpu: float
    """What is added where all four come to other nodes."""
    beside: float
    """How much longer all of it takes for each node more on this machine's few cores."""
    file_event_cpu: float
    """An event with SQLite."""
    row_cpu: float
    """Of PostgreSQL, for a row with the snapshots that hang on it."""
    archived_cpu: float
    entry_cpu: float
    beat_cpu: float
    start: float
    """Memory of a node with nobody there."""
    socket: float
    row: float
    file_row: float
    record: float
    """A finished match for each deal."""
    connections: float
    commit: float
    """Seconds that a commit of one row takes, and each further row."""
    commit_more: float
    archived_a_second: float
    entries_a_second: float

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Costs:
        """From what was measured."""
        setups, alone, node = found["setups"], found["alone"], found["held"]["PostgreSQL"]
        one, none, every, file = (
            setups[name] for name in ("one node", "two nodes, no socket relayed",
                                      "two nodes, every socket relayed", "SQLite")
        )  # fmt: skip
        public, archive, beat = alone["public"], alone["archive"], alone["beats"][-1]
        single, many = (
            next(
                run for run in alone["rows"] if run["store"] == "PostgreSQL" and run["tables"] == n
            )
            for n in (1, 64)
        )
        beside = max(0.0, none["event_cpu"] / one["event_cpu"] - 1)
        commit, filled = (run["wall"] / run["batches"] for run in (single, many))
        return cls(
            pace=found["pace"],
            event_cpu=one["event_cpu"],
            relayed_cpu=max(0.0, every["event_cpu"] - none["event_cpu"]) / (1 + beside),
            beside=beside,
            file_event_cpu=file["event_cpu"],
            row_cpu=one["row_cpu"],
            archived_cpu=archive["database_cpu"] / archive["rows"],
            entry_cpu=public["database_cpu"] / public["entries"],
            beat_cpu=beat["database_cpu"] / beat["beats"],
            start=node["start"],
            socket=node["socket"],
            row=node["row"],
            file_row=found["held"]["SQLite"]["row"],
            record=alone["record"],
            connections=node["connections"],
            commit=commit,
            commit_more=max(0.0, filled - commit) * single["tables"] / (many["tables"] - 1),
            archived_a_second=archive["rows"] / archive["wall"],
            entries_a_second=public["entries"] / public["wall"],
        )

    def event(self, nodes: int, away: float) -> float:
        """Processor of all nodes for an event; 0 nodes are a server with a file."""
        return self.event_cpu + away * self.relayed_cpu if nodes else self.file_event_cpu


class Need(NamedTuple):
    """What so many players at a time take."""

    players: int
    nodes: int
    """0: a server with a file of its own."""
    busy: float
    """The share of its core that each node uses."""
    database: float
    """Cores of PostgreSQL."""
    memory: float
    """Bytes of all nodes."""
    disk: float
    """Bytes a month."""
    events: float
    """A second."""


def away(nodes: int) -> float:
    """The share of sockets that come to another node than their table's, by a proxy without aim."""
    return 1 - 1 / nodes if nodes else 0.0


def need(costs: Costs, players: int, *, file: bool = False) -> Need:
    """What people at tables of four take who all play at once, on as few nodes as carry them."""
    events = players / 4 * costs.pace
    nodes = 0 if file else 2
    while True:
        cpu = events * costs.event(nodes, away(nodes))
        carried = cpu / max(1, nodes)
        if file or (
            carried <= BUSY
            and cpu / (nodes - 1) <= ONE_LESS
            and players / 4 <= TABLES_A_NODE * nodes
        ):
            break
        nodes += 1
    deals = events / ROWS_A_DEAL
    row_cpu = costs.row_cpu + costs.archived_cpu + costs.entry_cpu * ENTRIES_A_DEAL / ROWS_A_DEAL
    rows = costs.file_row if file else costs.row
    return Need(
        players,
        nodes,
        carried,
        0.0 if file else (events * row_cpu + nodes * BEATS * costs.beat_cpu) / DATABASE_BUSY,
        max(1, nodes) * costs.start + players * costs.socket,
        (events * rows + deals * costs.record) * DAY * MONTH_S,
        events,
    )


def most(costs: Costs) -> int:
    """The players that one process with a file carries, by its core and its tables."""
    by_core = BUSY / costs.file_event_cpu / costs.pace * 4
    return int(min(by_core, 4 * TABLES_A_NODE) // 500 * 500)


def quick_players(costs: Costs) -> int:
    """The players at quick tables that one node among many carries."""
    by_core = BUSY / costs.event(2, 1) / costs.pace * 4
    return int(min(by_core, 4 * TABLES_A_NODE) // 500 * 500)


# The simulation -----------------------------------------------------------------------------------


class Ran(NamedTuple):
    """What a simulation came to; times in seconds."""

    events: float
    """A second."""
    busy: float
    p50: float
    p99: float


def simulate(
    costs: Costs, nodes: int, tables: int, *, pace: float | None, share: float = 1.0,
    seconds: float = 4.0, away_share: float | None = None,
) -> Ran:  # fmt: skip
    """Tables on nodes: commands wait for their node, for its commit, and for it to tell four seats.

    Each node does one thing at a time with a ``share`` of a core, and one commit at a time of all
    rows that wait. ``pace`` is that of each table; None: the next command follows at once.
    """
    part = away(nodes) if away_share is None else away_share
    return _Simulation(costs, nodes, part, pace, share).run(tables, seconds)


@dataclass
class _Command:
    since: float
    table: int
    left: int
    """Four seats, and the node that tells them."""
    over: float = 0.0


class _Simulation:
    """What has happened, and what will."""

    def __init__(
        self, costs: Costs, nodes: int, part: float, pace: float | None, share: float
    ) -> None:
        self._costs, self._part, self._pace = costs, part, pace
        self._count = max(1, nodes)
        self._own = (costs.event_cpu if nodes else costs.file_event_cpu) / share
        self._relayed = costs.relayed_cpu / share / 8
        """Of a socket, at each of the two nodes."""
        self._free, self._used = [0.0] * self._count, [0.0] * self._count
        self._waiting: list[list[int]] = [[] for _ in range(self._count)]
        self._committing: list[list[int]] = [[] for _ in range(self._count)]
        self._numbers = count()
        self._coming: list[tuple[float, int, int, int]] = []
        """When; 0: a table's command, 1: it is to be stored, 2: a commit is over, 3: a socket of
        another node's is to be told; by whom, and which command."""
        self._commands: dict[int, _Command] = {}
        self._times: list[float] = []
        self._rng = random.Random(101)
        self._warm = 0.0

    def run(self, tables: int, seconds: float) -> Ran:
        """What comes of so many seconds, the first quarter left out."""
        self._warm = seconds / 4
        for number in range(tables):
            self._due(self._rng.uniform(0, 1 / self._pace) if self._pace else 0.0, number)
        while self._coming:
            now, kind, node, which = heapq.heappop(self._coming)
            if now > seconds:
                break
            if kind == 0:
                self._take(node, now, which)
            elif kind == 1:
                self._waiting[node].append(which)
                self._commit(node, now)
            elif kind == 2:
                self._told(node, now)
            else:
                self._heard(self._work(node, now, self._relayed), which)
        lasted = seconds - self._warm
        middle, slow = quantile(self._times, 0.5), quantile(self._times, 0.99)
        return Ran(len(self._times) / lasted, max(self._used) / lasted, middle, slow)

    def _due(self, at: float, table: int) -> None:
        number = next(self._numbers)
        self._commands[number] = _Command(at, table, 5)
        heapq.heappush(self._coming, (at, 0, table % self._count, number))

    def _work(self, node: int, now: float, need: float) -> float:
        """Have a node do something once it is free; when it is done."""
        need *= self._rng.uniform(0.5, 1.5)
        self._free[node] = max(now, self._free[node]) + need
        if now > self._warm:
            self._used[node] += need
        return self._free[node]

    def _take(self, node: int, now: float, which: int) -> None:
        heapq.heappush(self._coming, (self._work(node, now, self._own / 2), 1, node, which))
        if self._pace:
            due = now + self._rng.uniform(0.5, 1.5) / self._pace
            self._due(due, self._commands[which].table)

    def _commit(self, node: int, now: float) -> None:
        if self._waiting[node] and not self._committing[node]:
            some, self._waiting[node] = self._waiting[node], []
            self._committing[node] = some
            lasts = self._costs.commit + self._costs.commit_more * (len(some) - 1)
            heapq.heappush(self._coming, (now + lasts, 2, node, 0))

    def _told(self, node: int, now: float) -> None:
        """A commit is over: whoever waits is told, or the nodes where they are."""
        some, self._committing[node] = self._committing[node], []
        for which in some:
            sent = self._work(node, now, self._own / 2)
            for _ in range(4):
                if self._rng.random() < self._part:
                    other = (node + self._rng.randrange(1, self._count)) % self._count
                    sent = self._work(node, now, self._relayed)
                    heapq.heappush(self._coming, (sent, 3, other, which))
                else:
                    self._heard(sent, which)
            self._heard(sent, which)
        self._commit(node, now)

    def _heard(self, now: float, which: int) -> None:
        """One of those whom a command waits for is done with it."""
        command = self._commands[which]
        command.over = max(command.over, now)
        command.left -= 1
        if command.left:
            return
        del self._commands[which]
        if command.over > self._warm:
            self._times.append(command.over - command.since)
        if not self._pace:
            self._due(command.over, command.table)


# What is written ----------------------------------------------------------------------------------


def size(amount: float) -> str:
    """Bytes in GB or TB, in two digits."""
    for unit, factor in (("TB", 1e12), ("GB", 1e9)):
        if amount >= factor:
            return f"{float(f'{amount / factor:.2g}'):g} {unit}"
    return f"{float(f'{amount / 1e6:.2g}'):g} MB"


def sizes(costs: Costs) -> list[Need]:
    """What the tables show: a server with a file, then nodes."""
    top = most(costs)
    return [
        *(need(costs, players, file=True) for players in (100, 1_000, top)),
        *(need(costs, players) for players in (top, 10_000, 100_000, 1_000_000)),
    ]


HEADS: Final = {
    "en": ("players at once", "with", "nodes", "cores of PostgreSQL", "memory of the nodes",
           "disk a month"),
    "tr": ("aynı anda oyuncu", "kayıt", "düğüm", "PostgreSQL'in çekirdeği", "düğümlerin belleği",
           "ayda disk"),
}  # fmt: skip
MATCHES: Final = {
    "en": "A match of ten deals keeps about {} on the disk.",
    "tr": "On ellik bir maç diskte yaklaşık {} yer tutar.",
}
POINTS: Final = {"en": ",", "tr": "."}


def hosting(costs: Costs, language: str) -> str:
    """The table of hosting.md."""

    def number(amount: float) -> str:
        return f"{amount:,.0f}".replace(",", POINTS[language])

    def amount(count: float) -> str:
        return size(count) if language == "en" else size(count).replace(".", ",")

    rows = []
    for one in sizes(costs):
        cores = number(ceil(one.database)) if one.nodes else "-"
        rows.append([
            number(one.players), "PostgreSQL" if one.nodes else "SQLite",
            number(max(1, one.nodes)), cores,
            amount(one.memory), amount(one.disk),
        ])  # fmt: skip
    match = 10 * (ROWS_A_DEAL * costs.file_row + costs.record)
    return f"{table(HEADS[language], rows)}\n\n{MATCHES[language].format(amount(match))}"


MARKED: Final = re.compile(r"(<!-- sizing -->\n).*?(<!-- end -->)", re.DOTALL)


def page(language: str) -> Path:
    """The page that has the table, in a language."""
    return ROOT / "docs" / language / "hosting.md"


def wanted(costs: Costs, language: str) -> str:
    """That page with the table that the costs make."""
    text = page(language).read_text("utf-8")
    assert MARKED.search(text), f"{page(language)} has no place for the table"
    return MARKED.sub(lambda found: f"{found[1]}{hosting(costs, language)}\n{found[2]}", text)


def _error(predicted: float, measured: float) -> str:
    return f"{predicted / measured - 1:+.0%}"


def _predictions(found: Mapping[str, Any], costs: Costs) -> str:
    rows = []
    for name, run in found["setups"].items():
        slower = 1 + costs.beside * max(0, run["nodes"] - 1)
        share = found["quota"] * run["used"] / slower
        ran = simulate(
            costs, run["nodes"], found["tables"] * max(1, run["nodes"]), pace=None, share=share,
            away_share=run["away"], seconds=8.0,
        )  # fmt: skip
        cpu = slower * costs.event(run["nodes"], run["away"])
        rows.append([
            name, f"{1e6 * cpu:,.0f}", f"{1e6 * run['event_cpu']:,.0f}",
            _error(cpu, run["event_cpu"]), f"{ran.events:,.0f}", f"{run['events']:,.0f}",
            _error(ran.events, run["events"]), f"{1e3 * ran.p50:,.0f} / {1e3 * run['p50']:,.0f}",
        ])  # fmt: skip
    head = ("", "µs an event", "measured", "error", "events / s", "measured", "error",
            "p50 ms / measured")  # fmt: skip
    return table(head, rows)


def _far(costs: Costs) -> tuple[str, str]:
    rows, parts = [], []
    for one in sizes(costs):
        tables = ceil(one.players / 4)
        seconds = max(2.0, min(20.0, 200_000 / max(1.0, one.events)))
        ran = simulate(costs, one.nodes, tables, pace=costs.pace, seconds=seconds)
        rows.append([
            f"{one.players:,}", f"{one.nodes or 'SQLite'}", f"{one.events:,.0f}",
            f"{one.busy:.0%}", f"{ran.busy:.0%}", f"{1e3 * ran.p50:,.1f}",
            f"{1e3 * ran.p99:,.1f}", f"{one.database:,.1f}", size(one.memory), size(one.disk),
            f"{one.nodes * costs.connections:,.0f}" if one.nodes else "-",
        ])  # fmt: skip
        parts.append([
            f"{one.players:,}", f"{one.nodes or 'SQLite'}",
            f"{one.events * (1 + 4 * away(one.nodes)) if one.nodes else 0:,.0f}",
            f"{one.events * costs.row / 1e6:,.1f}" if one.nodes else "-",
            f"{one.events / ROWS_A_DEAL:,.0f}",
        ])  # fmt: skip
    first = table(
        ("players", "nodes", "events / s", "of a core", "simulated", "p50 ms", "p99 ms",
         "PostgreSQL cores", "memory", "disk a month", "connections"), rows)  # fmt: skip
    second = table(("players", "nodes", "relayed frames / s", "MB / s of rows", "deals / s"), parts)
    return first, second


TEXT: Final = """\
# How far it carries

What one table costs, measured; a simulation that has to predict what two and three nodes did; and
what so many players take. Made by `python -m benchmarks.sizing` from
[cluster_costs.json](cluster_costs.json), which `make bench ARGS=cluster` measures. Measured on
{machine}, while the machine's load was {busy:.0f}: costs are processor time, which a busy machine
changes less than times on the clock. With less beside them nodes and PostgreSQL do more.

## A table

Four people who draw and discard within five seconds: {pace} commands a second. Each is an event: a
row that is durable before four seats are told.

| what | of one event | of a table, a second |
| --- | --- | --- |
| processor of its node | {event:,.0f} µs | {event_s:,.0f} µs |
| more where all four sockets come to other nodes | {relayed:,.0f} µs | {relayed_s:,.0f} µs |
| processor with SQLite, writing included | {file:,.0f} µs | {file_s:,.0f} µs |
| PostgreSQL: the row and its share of snapshots | {row:,.0f} µs | {row_s:,.0f} µs |
| PostgreSQL: the row's way into the archive | {archived:,.0f} µs | {archived_s:,.0f} µs |
| PostgreSQL: an entry of the public log, once a deal | {entry:,.0f} µs | {entry_s:,.0f} µs |
| disk, PostgreSQL / SQLite | {row_bytes:,.0f} / {file_row:,.0f} bytes | \
{row_bytes_s:,.0f} / {file_row_s:,.0f} bytes |
| a match that is kept, for each deal | {record:,.0f} bytes | {record_s:,.0f} bytes |
| frames relayed, two nodes / many | 2.5 / 5 | {two_s:.1f} / {many_s:.1f} |

A node holds {start:,.0f} MB with nobody there, {socket:,.0f} kB more for each socket with its share
of the table, and {connections:.0f} connections to the database. Of a proxy that knows no table
(N-1)/N of the sockets come to another of N nodes than their table's.

## What the simulation predicts

Each node does one thing at a time, as far as its quota and the busy machine let it (the share of a
core that it used when it was measured), and one commit at a time, of all rows that wait. It has the
cost of an event from one node, and that of relaying from two nodes all or none of whose sockets
were relayed; two and three nodes as a proxy mixes them are predictions. On this machine's few cores
an event takes {beside:.0%} longer for each node beside its own, as two nodes show none of whose
sockets were relayed; nodes with cores of their own, as below, are without that. Every table's next
command follows at once.

{predictions}

## From there on

All players at tables of four at once, as in the evening; nodes as few as use at most {used:.0%} of
a core each, {less:.0%} when one of them has failed, and have no more than the default {tables:,}
tables. A process uses one core: that many cores, and PostgreSQL's beside them (at half of what it
could). The disk for a month in which on average a third of that is played, with everything kept for
good.

{far}

{parts}

## What ends first, and where PostgreSQL does

- Quick tables are all opened on the node that has lived longest: {quick:,.0f} players at quick
  tables, on however many nodes. Tables that people open themselves, and those against bots, are on
  the node to which they came. Beyond that, seats would be found there, and tables opened
  elsewhere.
- PostgreSQL does not end soon by its processor: a million players take {million:,.0f} cores of one
  machine at half of what they could do, and {wal:,.0f} MB of rows a second. Two busy cores stored
  {rows_best} rows a second here for one node.
- The public log is one sequence, and was written at {entries:,.0f} entries a second here: one for
  each deal, so {log_players:,.0f} players. Nodes that write it at the same moment wait for each
  other (`SERIALIZABLE`, tried again), which is not in that figure: expect less.
- A node moves closed tables to the archive in a tenth of its time: {archived_rate:,.0f} rows a
  second, as many as {archive_tables:,.0f} tables write. All nodes begin with the same table, so
  that more nodes do little more. Beyond that the log grows; play is no slower.
- Connections: {connections:.0f} for each node. Beyond some fifty nodes raise `max_connections`; a
  pooler by transaction can't be put between, since nodes hold a lock of their session.

## Several databases

Beyond that one would give each range of table ids a database, and keep people in one. A look
through the code for what stands in the way:

- Nothing in play: `Store` (`append`, `read`, `closed`, snapshots) asks by one table at a time, and
  each row is fenced by the row before it in its own table. A store that chooses a database by the
  table's id is one class more.
- `running`, `tables`, the archive and `check` walk through all tables of one database: such a
  store would ask each.
- Who keeps a table (`owners`) is a row of its own as well; `nodes` and `news` are small, and stay
  in one place.
- People, names, sessions, bans and finished matches refer to each other, and stay in one database:
  they are written once a match, not once a row.
- The public log is one sequence by design. Several databases need a log each, or one that takes
  entries by the batch of all nodes.
- Lists of tables ask every node; with a hundred nodes each such request is a hundred.
- A table's id does not say which database has it: the id is drawn, so it would be chosen by a hash.

So nothing has to be undone, and none of it is built.
"""


def report(found: Mapping[str, Any]) -> str:
    """The page."""
    costs = Costs.of(found)
    far, parts = _far(costs)
    million = need(costs, 1_000_000)
    each = {
        "event": costs.event_cpu, "relayed": costs.relayed_cpu, "file": costs.file_event_cpu,
        "row": costs.row_cpu, "archived": costs.archived_cpu,
    }  # fmt: skip
    told = {name: 1e6 * cost for name, cost in each.items()}
    told |= {f"{name}_s": 1e6 * cost * costs.pace for name, cost in each.items()}
    a_deal = costs.pace / ROWS_A_DEAL
    best = max(
        run["rows"] / run["wall"] for run in found["alone"]["rows"] if run["store"] == "PostgreSQL"
    )
    archived = costs.archived_a_second * SHARE
    return TEXT.format(
        **told,
        machine=found["machine"], busy=found["busy"], pace=costs.pace,
        entry=1e6 * costs.entry_cpu, entry_s=1e6 * costs.entry_cpu * a_deal,
        row_bytes=costs.row, row_bytes_s=costs.row * costs.pace,
        file_row=costs.file_row, file_row_s=costs.file_row * costs.pace,
        record=costs.record, record_s=costs.record * a_deal,
        two_s=2.5 * costs.pace, many_s=5 * costs.pace,
        start=costs.start / 1e6, socket=costs.socket / 1e3, connections=costs.connections,
        predictions=_predictions(found, costs), beside=costs.beside,
        used=BUSY, less=ONE_LESS, tables=TABLES_A_NODE,
        far=far, parts=parts, million=million.database, wal=million.events * costs.row / 1e6,
        rows_best=f"{best:,.0f}", entries=costs.entries_a_second,
        log_players=costs.entries_a_second / ENTRIES_A_DEAL / a_deal * 4,
        quick=quick_players(costs), archived_rate=archived, archive_tables=archived / costs.pace,
    )  # fmt: skip


def main() -> int:
    """Write the page, and the tables of the documents."""
    found = json.loads(COSTS.read_text("utf-8"))
    PAGE.write_text(report(found), encoding="utf-8")
    for language in HEADS:
        text = wanted(Costs.of(found), language)
        page(language).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
