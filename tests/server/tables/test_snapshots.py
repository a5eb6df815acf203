"""A table that is loaded from a snapshot is the one that all its rows lead to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import AsyncMock, Mock

import msgspec
import pytest
import structlog.testing
from msgspec.json import encode

from conftest import Patch, unwrap
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.views import Called
from okey101.server.settings import load_settings
from okey101.server.store.base import Row, StoreError
from okey101.server.store.lost import Loss
from okey101.server.store.snapshots import Snapshot
from okey101.server.tables import log_entries as log, serialise, snapshots as snapshots_module
from okey101.server.tables.broadcast import ResumeTokens
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.finished_deals import FinishedDeal
from okey101.server.tables.log_check import audit
from okey101.server.tables.match_record import match_record, shown_from_ms
from okey101.server.tables.reduce import reduce
from okey101.server.tables.registry import Tables
from okey101.server.tables.rows import read_first, state_hash
from okey101.server.tables.snapshots import (
    EVERY,
    Snapshots,
    TableSnapshot,
    decode_start,
    encode_start,
)
from okey101.server.tables.state import TableState, changed
from okey101.server.tables.table import Table
from server.store.memory import MemoryStore
from server.tables.table_stories import TABLE, Story, filled, rows_of, story, table_options
from server.tables.test_logs import LOGS, NAMES, rows_in
from server.tables.twins import Screen

KEY = bytes(range(32))


class Stepping(Table):
    """A table that is given its rows by hand, and does nothing by itself."""

    async def take(self, rows: list[Row]) -> None:
        """Take rows as a load does."""
        assert await self._taken(rows) is None


def deps(now_ms: int, store: MemoryStore | None = None, **more: Any) -> Dependencies:
    return Dependencies(
        store=store or MemoryStore(), now_ms=lambda: now_ms,
        called=lambda user: Called(f"({user})"),
        resume_tokens=ResumeTokens(KEY), secret=lambda: "ab" * 32, **more,
    )  # fmt: skip


def assert_same(made: Stepping, other: Stepping, *, records: bool = True) -> None:
    """Nobody can tell one table from the other."""
    assert made.state == other.state
    assert state_hash(made.state) == state_hash(other.state)
    assert made.left == other.left
    for seat in (None, *range(len(made.state.seats))):
        assert made.audience.view(seat) == other.audience.view(seat), seat
    for seq in (made.state.seq, made.audience.feed.shown.seq):
        assert unwrap(made.audience.head_of(seq)) == other.audience.head_of(seq)
    for user, heard in made.state.heard.items():
        for line in heard.lines.split("\n")[1:-1]:
            rid = line.split(" ")[0]
            assert made.state.known(user, rid) == other.state.known(user, rid) is not None
    # Each goes by the time of its own load.
    assert made.audience.feed.due == pytest.approx(other.audience.feed.due, abs=60)
    if records:
        assert records_of(made) == records_of(other)


def records_of(table: Stepping) -> list[dict[str, object]]:
    """The records of the match there, and of the one that spectators see."""
    states = (table.state, table.audience.feed.shown)
    return [match_record(one, str, table.left.players(one)).to_dict() for one in states]


async def assert_told_alike(made: Stepping, start: TableSnapshot, rows: list[Row]) -> None:
    """What a load writes of rows only once it is asked for is what was told of them."""
    other = Stepping(start.state, deps(rows[-1].at_ms))
    since, until = start.state.seq, made.state.seq
    assert await other._resumed(start, [row for row in rows if since < row.seq <= until])
    told = [table.audience._past.since(since, until) for table in (other, made)]
    if told[0] is None or told[1] is None:  # another match has begun
        assert told == [None, None]
        return
    for one, two in zip(*told, strict=True):
        assert (one.seq, one.head, one.public) == (two.seq, two.head, two.public)
        assert encode(one.private) == encode(two.private)


async def compared(rows: list[Row], every: int, now_ms: int) -> int:
    """Take rows one after the other, and begin from snapshots on the way; how many there were."""
    made = Stepping(read_first(rows[0]), deps(now_ms))
    starts: list[TableSnapshot] = []
    for at, row in enumerate(rows):
        await made.take([row])
        snapshot = made.snapshot() if at % every == 0 else None
        if snapshot is None:
            continue
        assert len(snapshot.body) < 8_000
        start = decode_start(snapshot)
        if shown_from_ms(start.state) > now_ms:
            continue
        starts.append(start)
        other = Stepping(start.state, deps(now_ms))
        assert await other._resumed(start, [])
        assert_same(made, other, records=len(starts) % 4 == 0)
        assert {*made.known} <= start.people
        if len(starts) > 1:
            await assert_told_alike(made, starts[-2], rows)
    for start in {start.state.seq: start for start in (starts[0], starts[-1])}.values():
        other = Stepping(start.state, deps(now_ms))
        assert await other._resumed(start, rows[start.state.seq :])
        assert_same(made, other)
    return len(starts)


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_every_golden_log(path: Any) -> None:
    rows = rows_in(path)
    assert asyncio.run(compared(rows, 11, rows[-1].at_ms)) > 9


def two_matches(seed: str, **options: object) -> list[Row]:
    """Two matches at one table, a loss told in the first, people who come late and leave."""
    options |= {"bots": (None, None, "steady", None)}
    made = Story(table_options("altinstar", "4", **options), seed)
    made.begin(commit=True)
    for _ in range(9):
        made.move()
    made.add(log.Abandoned(why="log-truncated", secret=made.secret()))
    made.commit()
    made.deal()
    if made.state.options.late:
        made.add(log.Sat(user="late", seat=2, late=True, waits=True))
    made.play_out("by-kind", commit=True)
    made.add(log.Left(user="u3"))
    made.rematch()
    made.add(log.BotSet(user=made.state.owner, seat=3, bot="eager"))
    made.match()
    made.add(log.Left(user="u1"))
    return [*rows_of(made.steps)]


@pytest.mark.parametrize("mode", ["deal", "delayed", "live", "off"])
def test_matches_of_every_kind_of_watching(mode: str) -> None:
    """Whoever watches late is shown what was shown, and nothing earlier."""
    rows = two_matches(f"two {mode}", spectators=mode, delay=60)
    # No row becomes old enough to be shown within half a second of then.
    late = rows[-1].at_ms + (600 if mode == "delayed" else 3_600_000)
    assert asyncio.run(compared(rows, 19, late)) > (1 if mode == "delayed" else 9)


@pytest.mark.parametrize("seats", ["2", "3", "teams"])
def test_matches_of_every_size(seats: str) -> None:
    rows = [*rows_of(story("wiki", seats, f"size {seats}", riziko=seats == "3").steps)]
    asyncio.run(compared(rows, 17, rows[-1].at_ms))


# Where they can't be used -------------------------------------------------------------------------


async def with_snapshot() -> tuple[list[Row], Snapshot]:
    """Rows of a table in its second deal, and a snapshot on the way."""
    made = Story(table_options("altinstar", "4"), "one match")
    made.begin(commit=True)
    made.play()
    made.commit()
    made.deal()
    for _ in range(20):
        made.move()
    rows = [*rows_of(made.steps)]
    table = Stepping(read_first(rows[0]), deps(rows[-1].at_ms))
    await table.take(rows[:-9])
    return rows, unwrap(table.snapshot())


async def test_what_spectators_see_is_told_in_few_words_or_not_at_all() -> None:
    """The deals before must be the same, and a deal that runs must be the state's own."""
    _, snapshot = await with_snapshot()
    start = decode_start(snapshot)
    assert encode_start(start) is not None
    for shown in (changed(start.state), changed(start.state, played=(), deal=None)):
        assert encode_start(start._replace(shown=shown)) is None


async def loaded(
    rows: list[Row], kept: list[Snapshot], **more: Any
) -> tuple[Table, MemoryStore, Counted]:
    """The table as a server brings it back."""
    store = await filled(rows)
    store.kept[TABLE] = kept
    found = Counted(store)
    return await brought_back(rows, found, **more), store, found


async def brought_back(rows: list[Row], found: Snapshots, **more: Any) -> Table:
    """The table as a server brings it back that has these snapshots, with their store."""
    store = found._store
    assert isinstance(store, MemoryStore)
    for row in rows[len(store.log) :]:
        await store.append(row)
    tables = Tables(deps(rows[-1].at_ms, store, snapshots=found, **more), load_settings())
    await tables.bring_back()
    table = await tables.get(TABLE)
    await tables.drain()
    return table


class Counted(Snapshots):
    """What was refused, and which snapshot a load began from."""

    def __init__(self, store: MemoryStore) -> None:
        super().__init__(store)
        self.why: list[str] = []
        self.begun: list[int | None] = []

    def refused(self, table: str, seq: int, why: str) -> None:
        super().refused(table, seq, why)
        self.why.append(why)

    async def find(self, table: str, now_ms: int) -> TableSnapshot | None:
        start = await super().find(table, now_ms)
        self.begun.append(None if start is None else start.state.seq)
        return start


def tampered(snapshot: Snapshot, **changes: object) -> Snapshot:
    start = decode_start(snapshot)
    state = changed(start.state, **changes)
    return unwrap(encode_start(start._replace(state=state, shown=state)))


BROKEN: dict[str, tuple[str, Callable[[Snapshot], Snapshot]]] = {
    "version": ("version", lambda s: s._replace(version="1.2.1")),
    "hash": ("state-differs", lambda s: s._replace(state_hash="1:0123456789abcdef")),
    "hash of a later version": ("state-differs", lambda s: s._replace(state_hash="99:01")),
    "cut off": ("undecodable", lambda s: s._replace(body=s.body[:-9])),
    "empty": ("undecodable", lambda s: s._replace(body=b"")),
    "a part is missing": ("undecodable", lambda s: s._replace(parts={})),
    "of another row": ("another-row", lambda s: s._replace(seq=s.seq - 1)),
    "of another table": ("another-row", lambda s: s._replace(table="another")),
    "another state": ("state-differs", lambda s: tampered(s, owner="u3")),
}


@pytest.mark.parametrize("what", BROKEN)
async def test_a_broken_snapshot_is_counted_and_the_rows_are_replayed(what: str) -> None:
    rows, snapshot = await with_snapshot()
    why, harm = BROKEN[what]
    plain, _, _ = await loaded(rows, [])
    with structlog.testing.capture_logs() as lines:
        table, _, found = await loaded(rows, [harm(snapshot)])
    assert found.begun == [None]
    assert found.why == [why]
    assert [line["why"] for line in lines if line["event"] == "snapshot-refused"] == [why]
    assert table.frozen is None
    assert table.state == plain.state
    # One that is older may still do.
    _, _, found = await loaded(rows, [harm(snapshot), snapshot])
    assert found.begun == [snapshot.seq]


async def test_a_snapshot_to_which_the_rows_dont_fit_is_counted_as_well(
    monkeypatch: Patch,
) -> None:
    """Whatever its hash says: the next row has one, too."""
    rows, snapshot = await with_snapshot()
    wrong = decode_start(snapshot)
    wrong = wrong._replace(state=changed(wrong.state, owner="u3"))
    plain, _, _ = await loaded(rows, [])
    found = Counted(MemoryStore())
    monkeypatch.setattr(found, "find", AsyncMock(return_value=wrong))
    table = await brought_back(rows, found)
    assert found.why == ["state-differs"]
    assert table.frozen is None
    assert table.state == plain.state


async def test_nothing_fails_where_snapshots_cant_be_read(monkeypatch: Patch) -> None:
    rows, _ = await with_snapshot()
    store = MemoryStore()
    monkeypatch.setattr(store, "snapshots", AsyncMock(side_effect=StoreError("no")))
    found = Counted(store)
    table = await brought_back(rows, found)
    assert (table.frozen, found.why) == (None, ["unreadable"])


async def test_a_table_with_known_losses_replays_all_its_rows() -> None:
    rows, snapshot = await with_snapshot()
    lost = {TABLE: Loss("restored", rows[-1].seq)}
    _, store, found = await loaded(rows, [snapshot], lost=lost)
    assert found.begun == []
    assert b'"why":"restored"' in store.log[len(rows)].entry


async def test_a_load_writes_what_was_told_once_somebody_asks(monkeypatch: Patch) -> None:
    """A start loads thousands of tables to which nobody may come back."""
    rows, snapshot = await with_snapshot()
    written = Mock(side_effect=serialise.what_happened)
    monkeypatch.setattr(serialise, "what_happened", written)
    start = decode_start(snapshot)
    table = Stepping(start.state, deps(rows[-1].at_ms))
    assert await table._resumed(start, rows[snapshot.seq :])
    assert not written.called
    table.attach(Screen("u1"), snapshot.seq)
    assert written.call_count == len(rows) - snapshot.seq


async def test_rows_of_long_ago_are_still_compared_with_what_a_client_was_told() -> None:
    """Their heads are not at hand after a load from a snapshot: the log has them."""
    rows, snapshot = await with_snapshot()
    seq = snapshot.seq - 5
    for text, void in ((rows[seq - 1].state_hash, False), ("of another story", True)):
        head = ResumeTokens(KEY).of(TABLE, seq, 0, text)
        assert await thrown_away(rows, snapshot, seq, head) is void


async def test_the_round_of_a_table_that_loads_late_is_told() -> None:
    """Its log could not be read before, or another node had it; its promise is in the snapshot."""
    rows, snapshot = await with_snapshot()
    store, begun = await filled(rows), list[str]()
    store.kept[TABLE] = [snapshot]
    late = {"snapshots": Snapshots(store), "on_round": lambda state: begun.append(state.table)}
    tables = Tables(deps(rows[-1].at_ms, store, **late), load_settings())
    await tables.bring_back([])
    await tables.brought()
    tables.expect([TABLE])
    await (await tables.get(TABLE)).remove("u1")
    await tables.drain()
    assert begun == [TABLE]


async def test_forged_scores_need_rows_that_clients_hold_heads_of() -> None:
    """Fall 8: whoever may write the file changes what a match has come to."""
    rows, snapshot = await with_snapshot()
    start = decode_start(snapshot)
    state = richer(start.state)
    forged = start._replace(state=state, shown=state)
    with pytest.raises(ValueError, match="state-differs"):
        decode_start(unwrap(encode_start(forged)))
    whole = unwrap(encode_start(forged._replace(state_hash=state_hash(state))))
    rewritten = [*rows]
    rewritten[state.seq - 1] = rows[state.seq - 1]._replace(state_hash=whole.state_hash)
    for place, row in enumerate(rows[state.seq :], state.seq):
        state = reduce(state, log.read_entry(row.entry), row.at_ms)
        rewritten[place] = row._replace(state_hash=state_hash(state))
    seq = len(rows)
    for there, void in ((rows, False), (rewritten, True)):
        kept = whole if void else snapshot
        head = ResumeTokens(KEY).of(TABLE, seq, 0, rows[-1].state_hash)
        assert await thrown_away(there, kept, seq, head) is void


async def thrown_away(rows: list[Row], snapshot: Snapshot, seq: int, head: str) -> bool:
    """Whether a client that was shown the head of a row finds the log to be another one."""
    store = await filled(rows)
    store.kept[TABLE] = [snapshot]
    tables = Tables(deps(rows[-1].at_ms, store, snapshots=Snapshots(store)), load_settings())
    await tables.bring_back()
    table = await tables.get(TABLE)
    await table.catch_up(seq, head)
    table.attach(Screen("u1"), seq, head)
    for _ in range(50):
        await asyncio.sleep(0)
    await tables.drain()
    return any(b'"why":"log-truncated"' in row.entry for row in store.log)


# When they are written ----------------------------------------------------------------------------


async def test_every_so_many_rows_one_is_due() -> None:
    store = MemoryStore()
    writer = Snapshots(store)
    tables = Tables(deps(0, store, snapshots=writer), load_settings())
    table = await tables.create("u0", table_options("altinstar", "4"))
    name = table.state.table
    for number in range(2 * EVERY):
        assert bool(store.kept) is (number >= EVERY)
        await table.command("u0", ready(number))
        while await writer.write_next():
            pass
    assert [kept.seq for kept in store.kept[name]] == [2 * EVERY + 1, EVERY + 1]
    await table.close()
    assert table.snapshot() is None


def ready(number: int) -> ask.Ready:
    return ask.Ready(rid=f"r{number}", on=number % 2 == 1)


async def test_a_match_that_is_not_kept_yet_stays_in_the_rows_that_a_load_replays() -> None:
    """Else it would never be told of again."""
    kept = False
    rows = [*rows_of(story("pagat", "2", "not kept").steps)]
    table = Stepping(read_first(rows[0]), deps(rows[-1].at_ms, may_close=lambda _: kept))
    await table.take(rows)
    assert table.snapshot() is None
    kept = True
    assert table.snapshot() is not None


async def test_tables_that_are_shown_late_always_have_one_that_may_be_shown() -> None:
    """However fast the rows come."""
    rows = two_matches("late", spectators="delayed", delay=60)
    now, used, store = rows[0].at_ms, 0, MemoryStore()
    table = Stepping(read_first(rows[0]), replace(deps(0, store), now_ms=lambda: now))
    for row in rows:
        now = row.at_ms
        await store.append(row)
        await table.take([row])
        snapshot = table.snapshot()
        if snapshot is not None:
            await store.keep(snapshot)
        start = await Snapshots(store).find(TABLE, now)
        if len(store.kept[TABLE]) > 1:
            assert 60_000 <= now - unwrap(start).state.at_ms < 3 * 60_000
            used += 1
    assert used > 20


async def test_one_that_is_shown_late_is_made_again_once_the_one_before_may_be_shown() -> None:
    """Else the older of the two that are kept would be too new for those who watch."""
    rows = two_matches("late", spectators="delayed", delay=60)
    now = rows[-1].at_ms
    table = Stepping(read_first(rows[0]), replace(deps(0), now_ms=lambda: now))
    await table.take(rows)
    store = await filled(rows)
    store.kept[TABLE] = [unwrap(table.snapshot())]
    now += 60_000 - 1
    assert table.snapshot() is None
    assert await Snapshots(store).find(TABLE, now) is None
    now += 1
    assert table.snapshot() is not None
    assert await Snapshots(store).find(TABLE, now) is not None


async def test_what_cant_be_written_and_a_failing_store_stop_nobody(monkeypatch: Patch) -> None:
    monkeypatch.setattr(snapshots_module, "_AGAIN_S", 0.0)
    _, snapshot = await with_snapshot()
    store = MemoryStore()
    outcomes = [StoreError("no"), StoreError("no"), True, True, True]
    monkeypatch.setattr(store, "keep", AsyncMock(side_effect=outcomes))
    broken: Any = Mock(side_effect=KeyError("a fault"))
    kept = asyncio.Semaphore(0)
    writer = Snapshots(store, on_kept=kept.release)
    makes: list[Callable[[], Snapshot | None]] = [partial(unwrap, snapshot) for _ in range(4)]
    for make in (makes[0], broken, *makes[1:]):
        writer.due(make)
    with structlog.testing.capture_logs() as lines:
        task = asyncio.create_task(writer.run())
        for _ in range(2):
            await kept.acquire()
        task.cancel()
    events = [line["event"] for line in lines]
    assert sorted(events) == ["snapshot-failed", "snapshot-not-made"]


# The check ----------------------------------------------------------------------------------------


def richer(state: TableState) -> TableState:
    """The state with other scores of a deal that is over."""
    first, *rest = state.played
    result = unwrap(first.deal.result)._replace(scores=(9, 9, 9, 9))
    forged = FinishedDeal(state.rules, result, data=first.deal.data)
    return changed(state, played=(first._replace(deal=forged), *rest))


async def test_the_check_compares_snapshots_with_the_rows() -> None:
    rows = two_matches("checked")
    table = Stepping(read_first(rows[0]), deps(rows[-1].at_ms))
    await table.take(rows[:-9])
    snapshot = unwrap(table.snapshot())
    start = decode_start(snapshot)
    state, left = richer(start.state), start.left
    assert left.loss_ms > len(left.history) == 1
    other: list[dict[str, Any]] = [
        {"changes": {"u0": 99}}, {"history": {}}, {"loss_ms": 2}, {"told_at": left.told_at + 1},
    ]  # fmt: skip
    wrong = [start._replace(left=msgspec.structs.replace(left, **one)) for one in other]
    what = f"{TABLE}: snapshot {snapshot.seq}: "
    broken = [(unwrap(encode_start(one)), "is not what the rows lead to") for one in wrong]
    forged = unwrap(encode_start(start._replace(state=state, shown=state)))
    broken += [(forged, "state-differs"), (snapshot._replace(body=b""), "undecodable")]
    store = await filled(rows)
    for good in (snapshot, snapshot._replace(version="0", body=b"")):
        store.kept[TABLE] = [good]
        assert await audit(store) == ([], 1)
    for kept, why in broken:
        store.kept[TABLE] = [kept]
        assert await audit(store) == ([what + why], 1)
    whole, kept_of_it = await with_snapshot()
    lossless = await filled(whole)
    lossless.kept[TABLE] = [kept_of_it]
    assert await audit(lossless) == ([], 1)
    await store.append(rows[-1]._replace(seq=len(rows) + 1))
    problems, count = await audit(store)
    assert (len(problems), problems[1], count) == (2, what + "undecodable", 1)


async def test_the_check_tells_of_a_table_that_cannot_be_read(monkeypatch: Patch) -> None:
    rows, _ = await with_snapshot()
    store = await filled(rows)
    fails = AsyncMock(side_effect=StoreError("disk image is malformed"))
    monkeypatch.setattr(store, "read", fails)
    assert await audit(store) == ([f"{TABLE}: disk image is malformed"], 1)
    monkeypatch.setattr(store, "running", fails)
    assert await audit(store) == (["the open tables are unknown: disk image is malformed"], 0)
