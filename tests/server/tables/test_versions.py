"""Logs outlive a release: those of every version load, are played on and closed by today's code."""

from __future__ import annotations

import asyncio
import json
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest

from game.test_open_side import WIDER, WiderPublic, starting
from okey101.game import PRESETS, RuleSet
from okey101.game.public import FORM, Public
from okey101.server.protocol.options import TableOptions
from okey101.server.store.base import Row
from okey101.server.store.memory import MemoryStore
from okey101.server.tables import log_entries as log
from okey101.server.tables import serialise
from okey101.server.tables import state_hash as hashes
from okey101.server.tables.reduce import reduce
from okey101.server.tables.state import Stage, TableState, changed
from okey101.server.tables.state_hash import STATE_VERSION, agrees, state_hash, version_of
from okey101.server.tables.surroundings import Surroundings
from okey101.server.tables.table import Table
from okey101.server.tables.table_rows import read_first
from server.simulation import simulate
from server.tables.golden_logs import GOLDEN, from_line
from server.tables.table_stories import TABLE, table_options
from server.tables.twins import Screen

FOLDERS = {int(path.name.removeprefix("v")): path for path in GOLDEN.glob("v*")}
LOGS = sorted(path for folder in FOLDERS.values() for path in folder.glob("*.jsonl"))
NAMES = [f"{path.parent.name}-{path.stem}" for path in LOGS]


def rows_in(path: Path) -> list[Row]:
    return [from_line(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_version_has_its_logs() -> None:
    assert sorted(FOLDERS) == [*range(1, STATE_VERSION + 1)]
    for version, folder in FOLDERS.items():
        assert len([*folder.glob("*.jsonl")]) == 3
        for path in folder.glob("*.jsonl"):
            assert {version_of(row.state_hash) for row in rows_in(path)} == {version}


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
def test_R8_R13_a_table_is_played_by_the_rules_it_began_with(path: Path) -> None:
    """Version 1 of the rules says nothing of the fields that came with version 2."""
    first = rows_in(path)[0]
    entry = log.read_entry(first.entry)
    assert isinstance(entry, log.Created)
    state = read_first(first)
    if first.rules_version == 1:
        assert "riziko_losers" not in entry.options.rules
        before: dict[str, object] = {"riziko_losers": "hand", "stock_pairs_doubled": True}
        assert state.rules == PRESETS[path.stem].with_(**before)
    else:
        assert state.rules == PRESETS[path.stem]
        assert len(entry.options.rules) == len(fields(RuleSet)) + 1


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
        around = Surroundings(
            store=store,
            now_ms=lambda: start + int(loop.time() * 1000),
            on_match=ended.append,
            on_closed=lambda _: closed.set(),
        )
        table = await Table.load(TABLE, around)
        assert table is not None
        assert table.frozen is None
        await closed.wait()

    simulate(life, 1)
    rows = store.log
    assert len(rows) > len(kept[:cut]) + 5
    assert rows[-1].last
    assert {version_of(row.state_hash) for row in rows[cut:]} == {STATE_VERSION}
    assert ended
    assert ended[-1].counted == ended[-1].options.deals


# A field more -----------------------------------------------------------------------------------


class WiderOptions(TableOptions, frozen=True, kw_only=True):
    """The options of a later release: one more, with a default."""

    tea: bool = True


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_an_option_more_changes_no_hash(path: Path) -> None:
    kept = rows_in(path)
    state = read_first(kept[0])
    wider = WiderOptions(**{f: getattr(state.options, f) for f in TableOptions.__struct_fields__})
    state = changed(state, options=wider)
    assert state_hash(changed(state, options=msgspec.structs.replace(wider, tea=False)))
    assert agrees(state, kept[0].state_hash)
    for row in kept[1:]:
        state = reduce(state, log.read_entry(row.entry), row.at_ms)
        assert isinstance(state.options, WiderOptions)
        assert agrees(state, row.state_hash), row.seq


def test_a_field_more_of_the_deal_is_hashed_from_its_version_on() -> None:
    wide = starting()
    narrow = Public(tuple(wide)[:-1])

    assert isinstance(wide, WiderPublic)
    for version in (2, 3):
        old = hashes.open_side(FORM.fields, version).of(narrow)
        new = hashes.open_side(WIDER.fields, version).of(wide)
        assert new == (old if version == 2 else [*old, 0])


def test_the_list_names_every_part_of_a_state_and_every_option() -> None:
    """What is added has to be listed, with the version that covers it; nothing may be left out."""
    listed = {name for name, *_ in (*hashes.STATE, *hashes.ROUND)} | {"options", "deal", "rules"}
    assert listed == set(TableState.__struct_fields__)
    assert [name for name, _ in hashes.OPTIONS] == list(TableOptions.__struct_fields__)
    newest = max(
        [since for _, since, *_ in (*hashes.STATE, *hashes.ROUND)]
        + [since for _, since in hashes.OPTIONS]
        + [item.since for item in FORM.fields]
    )
    assert newest == STATE_VERSION


@pytest.mark.parametrize("text", ["", "3", "1:00", "0:00", "99:0011", "x:00", "²:00", ":", "2"])
def test_a_hash_of_no_known_version_agrees_with_nothing(text: str) -> None:
    state = read_first(rows_in(LOGS[0])[0])
    assert not agrees(state, text)


def test_a_row_of_a_newer_state_freezes_and_says_so() -> None:
    kept = rows_in(LOGS[0])[:20]
    newer = kept[-1]._replace(state_hash=f"{STATE_VERSION + 1}:{'0' * 16}")

    async def life() -> str | None:
        store = MemoryStore()
        for row in [*kept[:-1], newer]:
            await store.append(row)
        table = await Table.load(TABLE, Surroundings(store=store, now_ms=lambda: newer.at_ms))
        assert table is not None
        await table.stop()
        return table.frozen

    assert asyncio.run(life()) == "row 20: newer-state"


def test_a_table_that_differs_keeps_the_deals_it_agrees_on() -> None:
    """In the middle of the second deal: its players still find the first among their matches."""
    kept = rows_in(LOGS[0])
    second = [n for n, row in enumerate(kept) if b'"kind":"deal"' in row.entry][1]
    told: list[bytes] = []
    ended: list[TableState] = []

    async def life() -> None:
        store = MemoryStore()
        for row in [*kept[: second + 4], kept[second + 4]._replace(state_hash="2:" + "0" * 16)]:
            await store.append(row)
        around = Surroundings(store=store, now_ms=lambda: kept[second].at_ms, on_match=ended.append)
        table = await Table.load(TABLE, around)
        assert table is not None
        assert table.frozen == f"row {second + 5}: state-differs"
        screen = Screen("u0")
        table.attach(screen)
        told.extend(screen.got)
        await table.stop()

    asyncio.run(life())
    [state] = ended
    assert len(state.played) == 1
    assert state.seq == second + 4
    assert msgspec.json.decode(told[-1]) == {"type": "frozen", "code": "table-frozen"}


def test_options_are_read_with_what_they_lack() -> None:
    """An old row lacks the options of today; they take their defaults."""
    first = rows_in(LOGS[0])[0]
    data = json.loads(first.entry)
    del data["options"]["late"]
    entry = log.read_entry(json.dumps(data).encode())
    assert isinstance(entry, log.Created)
    assert entry.options.late is table_options("altinstar", "4").late


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_R8_R13_X7_a_table_shows_every_rule_that_it_plays_by(path: Path) -> None:
    """Also those that its options, written under version 1, do not name."""
    state = read_first(rows_in(path)[0])
    options = serialise.table_view(state, str)["options"]
    assert isinstance(options, TableOptions)
    shown = {name: options.rules[name] for name in (field.name for field in fields(RuleSet))}
    assert shown == {name: getattr(state.rules, name) for name in shown}
    assert options.rules["preset"] == path.stem
