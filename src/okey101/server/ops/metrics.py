"""What the server counts about itself, for Prometheus: sums, nothing per user or table."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import accumulate
from typing import Final

import prometheus_client as prom
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

from okey101 import __version__

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_FAST: Final = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.5, 1, 2.5)
_THOUGHT: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_ROWS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024)
_WORST_OF_S: Final = 60.0
"""How far back the worst lag looks: longer than Prometheus waits between two readings."""


class _Times(Collector):
    """A histogram for what happens all the time, in one thread: the library's own takes two locks
    and walks its bounds at every observation.
    """

    def __init__(self, name: str, meaning: str, bounds: Iterable[float]) -> None:
        self._name, self._meaning = name, meaning
        self._bounds = [*map(float, bounds), float("inf")]
        self._counts = [0] * len(self._bounds)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count one more."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterable[HistogramMetricFamily]:
        """As the library reads it."""
        names = [*map(str, self._bounds[:-1]), "+Inf"]
        buckets = list(zip(names, map(float, accumulate(self._counts)), strict=True))
        yield HistogramMetricFamily(self._name, self._meaning, buckets, self._sum)


class Metrics:
    """The server's counters, in a registry of their own.

    Only names that appear in the code are fit for labels: kinds of commands, codes of errors,
    patterns of routes. A bound on their number is a second net. Gauges are set just before they
    are read.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._registry = registry = prom.CollectorRegistry()
        self._clock = clock
        prom.ProcessCollector(registry=registry)
        gauge = partial(prom.Gauge, registry=registry)
        counter = partial(prom.Counter, registry=registry)
        gauge("okey101_build", "1, with the version", ["version"]).labels(__version__).set(1)
        self.ready = gauge("okey101_ready", "1 where /readyz answers 200, else 0").set
        """Set whether the server can do all it should."""
        self._tables = gauge("okey101_tables", "tables by stage", ["stage"])
        self._stages: set[str] = set()
        self._frozen = gauge("okey101_tables_frozen", "tables whose log does not replay")
        self.sockets = gauge("okey101_sockets", "open WebSockets").set
        """Set how many sockets are open."""
        self._seats = gauge("okey101_seats", "taken seats, by who plays", ["by"])
        self.log_queue = gauge("okey101_log_queue", "rows waiting to be stored").set
        """Set how many rows wait to be stored."""
        waits = "how long the oldest row or question that waits for the disk has waited"
        self.log_age = gauge("okey101_log_commit_age_seconds", waits).set
        """Set how many seconds the oldest row or question has been waiting."""
        looked = "rows looked through since the start, -1 where the file is damaged"
        self._looked = gauge("okey101_log_looked_rows", looked)
        found = "what the look through the log has found"
        self._log_problems = gauge("okey101_log_problems", found)
        whole = "0 where stored rows are gone from the log, else 1"
        self.log_whole = gauge("okey101_log_whole", whole).set
        """Set whether the log lacks nothing that was stored, as far as known."""
        self._lag = gauge("okey101_loop_lag_seconds", "how late the event loop woke last")
        self._lag_worst = gauge("okey101_loop_lag_worst_seconds", "the latest of the last minute")
        self._lags: deque[tuple[float, float]] = deque()
        """When the loop was late in the last minute, and how much; each less than those before."""
        labels = ["type", "outcome"]
        self._commands = counter("okey101_commands", "commands by type and outcome", labels)
        self._counted: Counter[tuple[str, str]] = Counter()
        """Commands since the last reading."""
        self._events = counter("okey101_events", "events sent to clients")
        self._sent = 0
        ended = "rounds before deals, by what came of them: dealt, or why they were thrown away"
        self._rounds = counter("okey101_rounds", ended, ["outcome"])
        self._rows = counter("okey101_log_rows", "rows stored")
        self.snapshot = counter("okey101_snapshots", "snapshots of tables written").inc
        """Count a snapshot of a table that was written."""
        refused = "snapshots that a load could not use"
        self.snapshot_refused = counter("okey101_snapshots_refused", refused).inc
        """Count a snapshot that a load could not use, so that all rows were replayed."""
        failed = "commits of the log that failed"
        self._failed_commits = counter("okey101_log_commits_failed", failed)
        closed = "sockets closed for reading too slowly"
        self.overflow = counter("okey101_outbox_overflows", closed).inc
        """Count a socket closed because its reader was too slow."""
        seen = "nodes that this one sees, itself too; 0 for a server that is none"
        self._nodes = gauge("okey101_nodes", seen)
        silent = "how long ago this node last said that it lives"
        self._node_silent = gauge("okey101_node_silent_seconds", silent)
        self._node_sums = {
            counter("okey101_node_tables_taken", "tables taken from nodes that are no more"): 0,
            counter("okey101_node_messages", "messages to other nodes and from them"): 0,
            counter("okey101_node_bytes", "bytes of these messages"): 0,
        }
        """As they were when they were last told."""
        labels = ["method", "route", "status"]
        by_route = "HTTP requests by route and status"
        self._requests = counter("okey101_http_requests", by_route, labels)
        times = partial(prom.Histogram, registry=registry, buckets=_FAST)
        self._command_seconds = _Times(
            "okey101_command_seconds", "from receiving a command to storing it", _FAST
        )
        registry.register(self._command_seconds)
        self._commit_seconds = times("okey101_log_commit_seconds", "one commit of the log")
        self._commit_rows = times("okey101_log_commit_rows", "rows in one commit", buckets=_ROWS)
        self._gc_seconds = times("okey101_gc_pause_seconds", "one round of the garbage collector")
        thought = "one decision of a bot, its pause not counted"
        self.think = times("okey101_bot_think_seconds", thought, buckets=_THOUGHT).observe
        """Count the seconds of a decision of a bot; safe to call from any thread."""
        self._pauses: deque[float] = deque(maxlen=100_000)
        self.gc_pause = self._pauses.append
        """Count the seconds of a round of the garbage collector, at the next reading.

        A round may begin anywhere, even while this thread holds a lock of the histogram.
        """

    def render(self) -> bytes:
        """Everything, in the text form of Prometheus (:data:`CONTENT_TYPE`)."""
        while self._pauses:
            self._gc_seconds.observe(self._pauses.popleft())
        self._events.inc(self._sent)
        self._sent = 0
        for labels, count in self._counted.items():
            self._commands.labels(*labels).inc(count)
        self._counted.clear()
        self._forget_lags()
        self._lag_worst.set(self._lags[0][1] if self._lags else 0.0)
        return prom.generate_latest(self._registry)

    def tables(self, by_stage: Mapping[str, int], frozen: int, people: int, bots: int) -> None:
        """Set how many tables there are, and how many seats people and bots play.

        Stages named before and missing now are 0.
        """
        self._stages |= by_stage.keys()
        for stage in self._stages:
            self._tables.labels(stage).set(by_stage.get(stage, 0))
        self._frozen.set(frozen)
        self._seats.labels("people").set(people)
        self._seats.labels("bots").set(bots)

    def node(self, nodes: int, silent_s: float, *sums: int) -> None:
        """Set what a node counts of itself: nodes, silence, tables taken, messages, bytes."""
        self._nodes.set(nodes)
        self._node_silent.set(silent_s)
        for (one, before), value in zip(self._node_sums.items(), sums, strict=True):
            one.inc(value - before)
            self._node_sums[one] = value

    def log_scrubbed(self, rows: int, problems: int) -> None:
        """Set how many rows were looked through, -1 in a damaged file, and what was found."""
        self._looked.set(rows)
        self._log_problems.set(problems)

    def command(self, kind: str, outcome: str, seconds: float) -> None:
        """Count a command: its type, ``ok`` or the code of the refusal, and how long it took."""
        self._counted[kind, outcome] += 1
        if outcome == "ok":
            self._command_seconds.observe(seconds)

    def events(self, count: int) -> None:
        """Count events sent, one for each receiver, at the next reading."""
        self._sent += count

    def round(self, outcome: str) -> None:
        """Count a round: ``dealt``, or why it was thrown away."""
        self._rounds.labels(outcome).inc()

    def commit(self, rows: int, seconds: float) -> None:
        """Count a commit of the log, 0 rows for one that failed; safe to call from any thread."""
        if not rows:
            self._failed_commits.inc()
            return
        self._rows.inc(rows)
        self._commit_rows.observe(rows)
        self._commit_seconds.observe(seconds)

    def request(self, method: str, route: str, status: int) -> None:
        """Count an HTTP request; ``route`` is the pattern, never the path itself."""
        self._requests.labels(method, route, str(status)).inc()

    def loop_lag(self, seconds: float) -> None:
        """Set how late the event loop woke a sleeper."""
        self._lag.set(seconds)
        self._forget_lags()
        while self._lags and self._lags[-1][1] <= seconds:
            self._lags.pop()
        self._lags.append((self._clock(), seconds))

    def _forget_lags(self) -> None:
        since = self._clock() - _WORST_OF_S
        while self._lags and self._lags[0][0] <= since:
            self._lags.popleft()
