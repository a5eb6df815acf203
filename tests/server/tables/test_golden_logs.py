"""Logs that were kept load, are played on and closed."""

from __future__ import annotations

import asyncio
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest

from okey101.game import RuleSet
from okey101.server.protocol.options import TableOptions
from okey101.server.store.base import Row
from okey101.server.store.memory import MemoryStore
from okey101.server.tables import log_entries as log
from okey101.server.tables import serialise
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import reduce
from okey101.server.tables.rows import STATE_VERSION, agrees, read_first
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table
from server.simulation import simulate
from server.tables.golden_logs import GOLDEN, from_line
from server.tables.table_stories import TABLE
from server.tables.twins import Screen

LOGS = sorted(GOLDEN.glob("*.jsonl"))
NAMES = [path.stem for path in LOGS]


def rows_in(path: Path) -> list[Row]:
    return [from_line(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_replays_to_its_hashes(path: Path) -> None:
    kept = rows_in(path)
    state = read_first(kept[0])
    assert agrees(state, kept[0].state_hash)
    for row in kept[1:]:
        state = reduce(state, log.read_entry(row.entry), row.at_ms)
        assert agrees(state, row.state_hash), row.seq
    assert state.stage is Stage.OVER


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_an_open_table_is_played_on_and_closed(path: Path) -> None:
    """Cut off in the middle, as by an upgrade; nobody comes back, so bots end it."""
    kept = rows_in(path)
    store = MemoryStore()
    ended: list[TableState] = []
    cut = next(n for n, row in enumerate(kept) if row.seq > 60 and b'"act"' in row.entry)

    async def life() -> None:
        for row in kept[:cut]:
            await store.append(row)
        start = kept[cut - 1].at_ms
        closed = asyncio.Event()
        loop = asyncio.get_running_loop()
        deps = Dependencies(
            store=store,
            now_ms=lambda: start + int(loop.time() * 1000),
            on_match=ended.append,
            on_closed=lambda _: closed.set(),
        )
        table = await Table.load(TABLE, deps)
        assert table is not None
        assert table.frozen is None
        await closed.wait()

    simulate(life, 1)
    rows = store.log
    assert len(rows) > len(kept[:cut]) + 5
    assert rows[-1].last
    assert ended
    assert ended[-1].counted == ended[-1].options.deals


@pytest.mark.parametrize("text", ["", "1", "1:00", "0:00", "99:0011", "x:00", "²:00", ":", "2"])
def test_what_is_no_hash_agrees_with_nothing(text: str) -> None:
    state = read_first(rows_in(LOGS[0])[0])
    assert not agrees(state, text)


def test_a_row_of_a_newer_state_freezes_and_says_so() -> None:
    kept = rows_in(LOGS[0])[:20]
    newer = kept[-1]._replace(state_hash=f"{STATE_VERSION + 1}:{'0' * 16}")

    async def life() -> str | None:
        store = MemoryStore()
        for row in [*kept[:-1], newer]:
            await store.append(row)
        table = await Table.load(TABLE, Dependencies(store=store, now_ms=lambda: newer.at_ms))
        assert table is not None
        await table.stop()
        return table.frozen

    assert asyncio.run(life()) == "row 20: newer-state"


async def test_a_table_that_differs_keeps_the_deals_it_agrees_on() -> None:
    """In the middle of the second deal: its players still find the first among their matches."""
    kept = rows_in(LOGS[0])
    second = [n for n, row in enumerate(kept) if b'"kind":"deal"' in row.entry][1]
    told: list[bytes] = []
    ended: list[TableState] = []

    store = MemoryStore()
    for row in [*kept[: second + 4], kept[second + 4]._replace(state_hash="1:" + "0" * 16)]:
        await store.append(row)
    deps = Dependencies(store=store, now_ms=lambda: kept[second].at_ms, on_match=ended.append)
    table = await Table.load(TABLE, deps)
    assert table is not None
    assert table.frozen == f"row {second + 5}: state-differs"
    screen = Screen("u0")
    table.attach(screen)
    told.extend(screen.got)
    await table.stop()
    [state] = ended
    assert len(state.played) == 1
    assert state.seq == second + 4
    assert msgspec.json.decode(told[-1]) == {"type": "frozen", "code": "table-frozen"}


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_a_table_shows_every_rule_that_it_plays_by(path: Path) -> None:
    state = read_first(rows_in(path)[0])
    options = serialise.table_view(state, str)["options"]
    assert isinstance(options, TableOptions)
    shown = {name: options.rules[name] for name in (field.name for field in fields(RuleSet))}
    assert shown == {name: getattr(state.rules, name) for name in shown}
    assert options.rules["preset"] == path.stem
