"""What the server counts about itself, for Prometheus: sums, nothing per user or table."""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

from okey101 import __version__

__all__ = ["CONTENT_TYPE", "Metrics"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

_FAST: Final = (0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.5, 1, 2.5)
_THOUGHT: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
_ROWS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024)
_WORD: Final = re.compile(r"[A-Za-z0-9_{}:/.*-]{0,80}", re.ASCII)
_OTHER: Final = "other"
_WORST_OF_S: Final = 60.0
"""How far back the worst lag looks: longer than Prometheus waits between two readings."""


class _Words:
    """The values a label may take: the first few that look like words, then ``other``."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: set[str] = set()

    def __call__(self, word: str) -> str:
        if word in self._known:
            return word
        if len(self._known) >= self._most or not _WORD.fullmatch(word):
            return _OTHER
        self._known.add(word)
        return word


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
    are read, by what :meth:`before_reading` was given.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._registry = registry = CollectorRegistry()
        self._clock = clock
        self._readers: list[Callable[[], None]] = []
        ProcessCollector(registry=registry)
        build = Gauge("okey101_build", "1, with the version", ["version"], registry=registry)
        build.labels(__version__).set(1)
        self._ready = Gauge(
            "okey101_ready", "1 where /readyz answers 200, else 0", registry=registry
        )
        self._tables = Gauge("okey101_tables", "tables by stage", ["stage"], registry=registry)
        self._frozen = Gauge(
            "okey101_tables_frozen", "tables whose log does not replay", registry=registry
        )
        self._sockets = Gauge("okey101_sockets", "open WebSockets", registry=registry)
        self._seats = Gauge("okey101_seats", "taken seats, by who plays", ["by"], registry=registry)
        self._queue = Gauge("okey101_log_queue", "rows waiting to be stored", registry=registry)
        self._age = Gauge(
            "okey101_log_commit_age_seconds",
            "how long the oldest row that is not stored yet has waited", registry=registry,
        )  # fmt: skip
        self._accounts_age = Gauge(
            "okey101_accounts_age_seconds",
            "how long the oldest question to the accounts that is not answered has waited",
            registry=registry,
        )
        self._looked = Gauge(
            "okey101_log_looked_rows",
            "rows looked through since the start, -1 where the file is damaged", registry=registry,
        )  # fmt: skip
        self._accounts_looked = Gauge(
            "okey101_accounts_looked_rows",
            "rows of people looked through since the start, -1 where the file is damaged",
            registry=registry,
        )
        self._log_problems = Gauge(
            "okey101_log_problems", "what the look through the log has found", registry=registry
        )
        self._whole = Gauge(
            "okey101_log_whole", "0 where stored rows are gone from the log, else 1",
            registry=registry,
        )  # fmt: skip
        self._lag = Gauge(
            "okey101_loop_lag_seconds", "how late the event loop woke last", registry=registry
        )
        self._lag_worst = Gauge(
            "okey101_loop_lag_worst_seconds", "the latest of the last minute", registry=registry
        )
        self._lags: deque[tuple[float, float]] = deque()
        """When the loop was late in the last minute, and how much; each less than those before."""
        self._stages: set[str] = set()
        self._pauses: deque[float] = deque(maxlen=100_000)
        self._count(registry)
        self._measure(registry)

    def _count(self, registry: CollectorRegistry) -> None:
        self._kinds, self._outcomes, self._routes = _Words(64), _Words(256), _Words(128)
        self._commands = Counter(
            "okey101_commands", "commands by type and outcome", ["type", "outcome"],
            registry=registry,
        )  # fmt: skip
        self._events = Counter("okey101_events", "events sent to clients", registry=registry)
        self._sent = 0
        self._counted: dict[tuple[str, str], int] = {}
        """Commands since the last reading; no more kinds of them than of labels."""
        self._rows = Counter("okey101_log_rows", "rows stored", registry=registry)
        self._snapshots = Counter(
            "okey101_snapshots", "snapshots of tables written", registry=registry
        )
        self._refused_snapshots = Counter(
            "okey101_snapshots_refused", "snapshots that a load could not use", registry=registry
        )
        self._failed_commits = Counter(
            "okey101_log_commits_failed", "commits of the log that failed", registry=registry
        )
        self._overflows = Counter(
            "okey101_outbox_overflows", "sockets closed for reading too slowly", registry=registry
        )
        self._requests = Counter(
            "okey101_http_requests", "HTTP requests by route and status",
            ["method", "route", "status"], registry=registry,
        )  # fmt: skip

    def _measure(self, registry: CollectorRegistry) -> None:
        self._command_seconds = _Times(
            "okey101_command_seconds", "from receiving a command to storing it", _FAST
        )
        registry.register(self._command_seconds)
        self._commit_seconds = Histogram(
            "okey101_log_commit_seconds", "one commit of the log",
            buckets=_FAST, registry=registry,
        )  # fmt: skip
        self._commit_rows = Histogram(
            "okey101_log_commit_rows", "rows in one commit", buckets=_ROWS, registry=registry
        )
        self._gc_seconds = Histogram(
            "okey101_gc_pause_seconds", "one round of the garbage collector",
            buckets=_FAST, registry=registry,
        )  # fmt: skip
        self._think_seconds = Histogram(
            "okey101_bot_think_seconds", "one decision of a bot, its pause not counted",
            buckets=_THOUGHT, registry=registry,
        )  # fmt: skip

    def before_reading(self, reader: Callable[[], None]) -> None:
        """Call ``reader`` before every :meth:`render`, to set the gauges."""
        self._readers.append(reader)

    def render(self) -> bytes:
        """Everything, in the text form of Prometheus (:data:`CONTENT_TYPE`)."""
        for reader in self._readers:
            reader()
        while self._pauses:
            self._gc_seconds.observe(self._pauses.popleft())
        self._events.inc(self._sent)
        self._sent = 0
        for labels, count in self._counted.items():
            self._commands.labels(*labels).inc(count)
        self._counted.clear()
        self._forget_lags()
        self._lag_worst.set(self._lags[0][1] if self._lags else 0.0)
        return generate_latest(self._registry)

    def ready(self, ready: bool) -> None:
        """Set whether the server can do all it should."""
        self._ready.set(ready)

    def tables(self, by_stage: Mapping[str, int], *, frozen: int) -> None:
        """Set how many tables there are; stages named before and missing now are 0."""
        self._stages |= by_stage.keys()
        for stage in self._stages:
            self._tables.labels(stage).set(by_stage.get(stage, 0))
        self._frozen.set(frozen)

    def seats(self, *, people: int, bots: int) -> None:
        """Set how many seats people and bots play."""
        self._seats.labels("people").set(people)
        self._seats.labels("bots").set(bots)

    def sockets(self, count: int) -> None:
        """Set how many sockets are open."""
        self._sockets.set(count)

    def log_queue(self, rows: int) -> None:
        """Set how many rows wait to be stored."""
        self._queue.set(rows)

    def log_age(self, seconds: float) -> None:
        """Set how long the oldest row that isn't stored yet has been waiting."""
        self._age.set(seconds)

    def accounts_age(self, seconds: float) -> None:
        """Set how long the oldest call that the accounts have not answered has been waiting."""
        self._accounts_age.set(seconds)

    def log_looked(self, rows: int, problems: int) -> None:
        """Set how many rows were looked through, -1 in a damaged file, and what was found."""
        self._looked.set(rows)
        self._log_problems.set(problems)

    def accounts_looked(self, rows: int, _problems: int) -> None:
        """Set how many rows of the accounts were looked through, -1 in a damaged file."""
        self._accounts_looked.set(rows)

    def log_whole(self, whole: bool) -> None:
        """Set whether the log lacks nothing that was stored, as far as known."""
        self._whole.set(whole)

    def command(self, kind: str, outcome: str, seconds: float) -> None:
        """Count a command: its type, ``ok`` or the code of the refusal, and how long it took."""
        try:
            self._counted[kind, outcome] += 1
        except KeyError:
            labels = self._kinds(kind), self._outcomes(outcome)
            self._counted[labels] = self._counted.get(labels, 0) + 1
        if outcome == "ok":
            self._command_seconds.observe(seconds)

    def events(self, count: int) -> None:
        """Count events sent, one for each receiver, at the next reading."""
        self._sent += count

    def commit(self, rows: int, seconds: float) -> None:
        """Count a commit of the log, 0 rows for one that failed; safe to call from any thread."""
        if not rows:
            self._failed_commits.inc()
            return
        self._rows.inc(rows)
        self._commit_rows.observe(rows)
        self._commit_seconds.observe(seconds)

    def snapshot(self) -> None:
        """Count a snapshot of a table that was written."""
        self._snapshots.inc()

    def snapshot_refused(self) -> None:
        """Count a snapshot that a load could not use, so that all rows were replayed."""
        self._refused_snapshots.inc()

    def overflow(self) -> None:
        """Count a socket closed because its reader was too slow."""
        self._overflows.inc()

    def request(self, method: str, route: str, status: int) -> None:
        """Count an HTTP request; ``route`` is the pattern, never the path itself."""
        self._requests.labels(self._routes(method), self._routes(route), str(status)).inc()

    def think(self, seconds: float) -> None:
        """Count a decision of a bot; safe to call from any thread."""
        self._think_seconds.observe(seconds)

    def gc_pause(self, seconds: float) -> None:
        """Count a round of the garbage collector, at the next reading.

        A round may begin anywhere, even while this thread holds a lock of the histogram.
        """
        self._pauses.append(seconds)

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
