"""Data sets: deals of bots as records, a line of JSON each, and what a file of them holds.

A line is a record of one deal (docs/en/record.md) with who played each action. The same call makes
the same bytes, whatever the number of processes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
import math
import os
import secrets
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final, Literal, cast

from okey101.bots.base import BotInfo
from okey101.errors import OkeyError
from okey101.game.deal import Deal
from okey101.game.deal_parts import End
from okey101.game.record.form import BOT, EXTERNAL, FALLBACK, record_of
from okey101.game.ruleset import RuleSet
from okey101.game.strict_json import as_ints, as_text, as_texts
from okey101.sim.arena.chunks import Player, arena_deal, bot_seed, check_players, info_for
from okey101.sim.conduct import play_table
from okey101.work import Caller, WorkerEnded, Workers

CHUNK: Final = 20
"""Deals that a process plays at once."""
LINE_MAX: Final = 4 * 1024 * 1024
ENDINGS: Final = (".jsonl", ".jsonl.gz", ".jsonl.xz", ".parquet")
_ARENA: Final = "_arena"
_NO_RECORD: Final = (
    ValueError, LookupError, ArithmeticError, TypeError, AttributeError, RecursionError,
)  # fmt: skip
"""What comes of counting a line that is no record."""
Stopped = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class DataJob:
    """What is played: one bot for all seats, or one for each, who change seats as deals go by."""

    rules: RuleSet
    players: tuple[Player, ...]
    seed: int = 0
    limit_ms: int = 5_000
    compiled: bool = False
    """Whether the kernel plays, as in :class:`okey101.sim.arena.chunks.Job`: the same lines."""

    def __post_init__(self) -> None:
        """OkeyError ``bots-for-seats`` for any other number of bots."""
        wanted, got = self.rules.players, len(self.players)
        if got not in (1, wanted):
            words = f"one bot, or one for each of {wanted} seats, not {got}"
            raise OkeyError("bots-for-seats", words, wanted=wanted, got=got)

    def seated(self, number: int) -> tuple[Player, ...]:
        """Who sits where in a deal. Once round the dealers, and all move on by a seat."""
        players = self.rules.players
        everybody = self.players * players if len(self.players) == 1 else self.players
        return tuple(everybody[(seat + number // players) % players] for seat in range(players))

    def line(self, number: int) -> str:
        """The record of a deal, as a line of JSON without its end."""
        rules = self.rules
        layout = arena_deal(rules, self.seed, number)
        assert layout.seed is not None
        infos = [info_for(player) for player in self.seated(number)]
        seeds = [bot_seed(layout.seed, seat) for seat in range(rules.players)]
        finished, defaults = self._played(Deal.start(rules, layout), infos, seeds)
        marks = [f"{BOT if info.replayable else EXTERNAL}:{info.mark}" for info in infos]
        record = record_of(rules, [finished], players=marks)
        actors = tuple(
            FALLBACK if at in defaults else marks[seat]
            for at, (seat, _) in enumerate(finished.public.actions)
        )
        (deal,) = record.deals
        extra = {_ARENA: {"seed": self.seed, "deal": number}}
        record = replace(record, deals=(replace(deal, actors=actors),), extra=extra)
        return json.dumps(record.to_dict(), ensure_ascii=False, separators=(",", ":"))

    def _played(self, deal: Deal, infos: list[BotInfo], seeds: list[int]) -> tuple[Deal, set[int]]:
        """The finished deal, and which of its actions are default moves."""
        if self.compiled:
            from okey101.sim.arena.compiled import CompiledTables

            tables = CompiledTables(deal)
            if tables.play([info.factory for info in infos], seeds) is not None:
                return tables.finished(), set()
        bots = [info.factory(seed) for info, seed in zip(infos, seeds, strict=True)]
        table = play_table(deal, bots, self.limit_ms * 1_000_000)
        return table.deal, table.defaults


class _Parquet:
    """Rows of a Parquet file; ModuleNotFoundError without the extra ``data``."""

    def __init__(self, raw: IO[bytes], columns: Callable[[Any], list[tuple[str, Any]]]) -> None:
        """``columns`` takes the module of Arrow and gives names with types."""
        import pyarrow as pa
        from pyarrow import parquet

        self._table = pa.Table
        self._schema = pa.schema(columns(pa))
        self._file = parquet.ParquetWriter(raw, self._schema, compression="zstd")

    def add(self, rows: list[dict[str, Any]]) -> None:
        """Append rows, as a group of their own."""
        self._file.write_table(self._table.from_pylist(rows, self._schema))

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _packed(path: Path, raw: IO[bytes], mode: Literal["rb", "wb"]) -> IO[bytes]:
    """A file that is compressed as its name says; whoever writes has to close what comes back."""
    if path.name.endswith(".gz"):
        return cast("IO[bytes]", gzip.GzipFile("", mode, fileobj=raw, mtime=0))
    return cast("IO[bytes]", lzma.LZMAFile(raw, mode)) if path.name.endswith(".xz") else raw


class _Lines:
    """JSON Lines, compressed as the name says; the bytes depend on the lines alone."""

    def __init__(self, path: Path, raw: IO[bytes]) -> None:
        self._raw, self._file = raw, _packed(path, raw, "wb")

    def write(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")

    def close(self) -> None:
        if self._file is not self._raw:
            self._file.close()


class _Records(_Parquet):
    """A table with a row for each deal: columns to look at, and the record whole."""

    def __init__(self, raw: IO[bytes]) -> None:
        super().__init__(raw, lambda pa: [
            ("deal", pa.int64()), ("end", pa.string()), ("winner", pa.int32()),
            ("players", pa.list_(pa.string())), ("scores", pa.list_(pa.int32())),
            ("actions", pa.int32()), ("record", pa.string()),
        ])  # fmt: skip
        self._rows: list[dict[str, Any]] = []

    def write(self, line: str) -> None:
        record = json.loads(line)
        deal = record["deals"][0]
        row = {name: deal["result"][name] for name in ("end", "winner", "scores")}
        row |= {"deal": record[_ARENA]["deal"], "players": record["players"]}
        self._rows.append(row | {"actions": len(deal["actions"]), "record": line})
        if len(self._rows) >= 1_000:
            self.add(self._rows)
            self._rows = []

    def close(self) -> None:
        if self._rows:
            self.add(self._rows)
        super().close()


class _Transitions(_Parquet):
    """The decisions of each line as rows for learning."""

    def __init__(self, raw: IO[bytes]) -> None:
        from okey101.envs.observations import OBSERVATION_SIZE
        from okey101.sim.transitions import rows_of

        super().__init__(raw, lambda pa: [
            ("deal", pa.int64()), ("step", pa.int32()), ("seat", pa.int8()), ("bot", pa.string()),
            ("observation", pa.list_(pa.float32(), OBSERVATION_SIZE)),
            ("legal", pa.list_(pa.int16())), ("action", pa.int16()), ("reward", pa.float32()),
            ("last", pa.bool_()),
        ])  # fmt: skip
        self._rows_of = rows_of
        self._deals = 0

    def write(self, line: str) -> None:
        self.add([{"deal": self._deals} | row for row in self._rows_of(line)])
        self._deals += 1


def _check_ending(path: Path) -> None:
    if not path.name.endswith(ENDINGS):
        known = ", ".join(ENDINGS)
        raise OkeyError("data-format", f"the name has to end in one of {known}", known=known)


@dataclass(slots=True)
class DataSummary:
    """What lines hold, added up as they come; ``sha256`` is that of the lines with their ends."""

    deals: int = 0
    actions: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    bots: dict[str, _OfBot] = field(default_factory=dict)
    _digest: Any = field(default_factory=hashlib.sha256)

    def add(self, line: str) -> None:
        """Count a line. OkeyError ``data-line`` for one that is no record of a finished deal."""
        self._digest.update(line.encode() + b"\n")
        try:
            self._count(json.loads(line))
        except _NO_RECORD:
            number = self.deals + 1
            words = f"line {number} is no record of a finished deal"
            raise OkeyError("data-line", words, line=number) from None

    def _count(self, record: Any) -> None:
        rules, (deal,) = record["rules"], record["deals"]
        players = as_texts(record["players"], "players", as_text)
        actions: list[str] = deal["actions"]
        result = deal["result"]
        scores = as_ints(result["scores"], "scores", len(players))
        seats = [int(action.partition(":")[0]) for action in actions]
        for seat, name in enumerate(players):
            bot = self.bots.setdefault(name, _OfBot())
            bot.seats += 1
            bot.won += result.get("winner") == seat
            bot.points += scores[seat]
            bot.squares += scores[seat] ** 2
        for fine in result.get("fines", []):
            self.bots[players[fine["seat"]]].fines[str(fine["rule"])] += 1
        for seat, actor in zip(seats, deal.get("actors", [""] * len(actions)), strict=True):
            self.bots[players[seat]].defaults += actor.startswith(FALLBACK)
        self.kinds.update(action.split()[1] for action in actions)
        self.ends[End(result["end"]).value] += 1
        self.rules[str(rules["preset"])] += 1
        self.deals += 1
        self.actions += len(actions)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "deals": self.deals,
            "actions": self.actions,
            "sha256": self._digest.hexdigest(),
            "rules": dict(sorted(self.rules.items())),
            "ends": dict(sorted(self.ends.items())),
            "kinds": dict(sorted(self.kinds.items())),
            "bots": {name: bot.to_dict() for name, bot in sorted(self.bots.items())},
        }


@dataclass(slots=True)
class _OfBot:
    seats: int = 0
    won: int = 0
    points: int = 0
    squares: int = 0
    defaults: int = 0
    fines: Counter[str] = field(default_factory=Counter)

    def to_dict(self) -> dict[str, object]:
        mean = self.points / self.seats
        spread = math.sqrt(max(0.0, self.squares / self.seats - mean * mean))
        return {
            "seats": self.seats, "won": self.won, "mean_score": round(mean, 4),
            "sd_score": round(spread, 4), "defaults": self.defaults,
            "fines": dict(sorted(self.fines.items())),
        }  # fmt: skip


def lines_of(job: DataJob, deals: int, workers: int, stopped: Stopped) -> Iterator[str]:
    """The lines of deals from 0 on, in their order; fewer where it is stopped.

    OkeyError ``arena-workers`` where a process dies.
    """
    if workers == 1:
        for number in range(deals):
            if stopped():
                return
            yield job.line(number)
        return
    with closing(Workers(workers, stderr=None)) as pool:
        chunks = (range(at, min(at + CHUNK, deals)) for at in range(0, deals, CHUNK))
        running = deque(pool.submit(_chunk, job, c) for c in islice(chunks, 2 * workers))
        while running:
            try:
                lines = running.popleft().result()
            except WorkerEnded as error:
                raise OkeyError("arena-workers", "a process that plays has died") from error
            if stopped():
                return
            running += [pool.submit(_chunk, job, c) for c in islice(chunks, 1)]
            yield from lines


def _chunk(_: Caller, job: DataJob, numbers: range) -> list[str]:
    return [job.line(number) for number in numbers]


def simulate(
    job: DataJob,
    path: Path,
    deals: int,
    *,
    workers: int = 1,
    progress: Callable[[int], object] = lambda _: None,
    stopped: Stopped = lambda: False,
    transitions: Path | None = None,
) -> DataSummary | None:
    """Play deals and write them; the file is there as a whole or not at all.

    With ``transitions`` the decisions go to a second file, as rows for learning.

    None where it was stopped. OkeyError ``data-format``, ``same-file``, ``unknown-bot`` or
    ``bot-unloadable``; OSError; ModuleNotFoundError for what needs an extra.
    """
    check_players(job.players)
    _check_ending(path)
    makers: dict[Path, Callable[[IO[bytes]], Any]]
    makers = {path: _Records if path.name.endswith(".parquet") else partial(_Lines, path)}
    if transitions is not None:
        if not transitions.name.endswith(".parquet"):
            raise OkeyError("data-format", "the name has to end in .parquet", known=".parquet")
        if transitions.resolve() == path.resolve():
            raise OkeyError("same-file", f"{path} is named twice", file=str(path))
        makers[transitions] = _Transitions
    parts = {to: to.with_name(f".{to.name}.{secrets.token_hex(4)}.part") for to in makers}
    summary = DataSummary()
    try:
        with ExitStack() as files:
            raws = {to: files.enter_context(part.open("xb")) for to, part in parts.items()}
            with ExitStack() as closed:
                writers = [
                    closed.enter_context(closing(make(raws[to]))) for to, make in makers.items()
                ]
                for line in lines_of(job, deals, workers, stopped):
                    for writer in writers:
                        writer.write(line)
                    summary.add(line)
                    progress(1)
            for raw in raws.values():
                raw.flush()
                os.fsync(raw.fileno())
        if summary.deals < deals:
            return None
        for to, part in parts.items():
            part.replace(to)
    finally:
        for part in parts.values():
            part.unlink(missing_ok=True)
    return summary


def _read_lines(path: Path) -> Iterable[str]:
    if path.name.endswith(".parquet"):
        from pyarrow import parquet

        with path.open("rb") as raw, parquet.ParquetFile(raw) as file:
            if "record" not in file.schema_arrow.names:
                yield ""  # other rows than a deal's
            for batch in file.iter_batches(columns=["record"]):
                yield from map(str, batch.column(0).to_pylist())
        return
    with path.open("rb") as raw:
        opened = _packed(path, raw, "rb")
        while line := opened.readline(LINE_MAX):
            yield line.decode().removesuffix("\n")


def read_summary(
    path: Path,
    progress: Callable[[int], object] = lambda _: None,
    stopped: Stopped = lambda: False,
) -> DataSummary | None:
    """What a file holds; None where it was stopped.

    OkeyError ``data-format``, ``data-line``, and ``data-damaged`` for what can't be unpacked;
    OSError.
    """
    _check_ending(path)
    summary = DataSummary()
    try:
        for line in _read_lines(path):
            summary.add(line)
            progress(1)
            if stopped():
                return None
    except OkeyError:
        raise
    except (gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError, ValueError):
        number = summary.deals + 1
        words = f"the file is damaged after {summary.deals} deals"
        raise OkeyError("data-damaged", words, line=number, deals=summary.deals) from None
    return summary
