"""Damage to the log: wrong bytes and bits, a lost end; told to everybody, and to no other table."""

import contextlib
import json
import random
import sqlite3
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import Size, soon
from faults.damage import alter, row_of
from okey101.server.store import Row
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.rows import state_hash
from okey101.server.tables.state import TableState
from okey101.server.tables.table import Table
from server.clients import Client, Gone, Refused, over
from server.live import LiveServer, Person, guest
from server.store.memory import MemoryStore
from server.tables.table_stories import TABLE, rows_of, story
from server.web.parties import in_match, newcomer, playing as in_play, solo

Damage = Callable[[Path, str, int], None]


def flipped(at: int, bit: int = 0) -> Damage:
    """One bit of a row's entry; ``at`` counts from its end where it is below 0."""

    def damage(data: Path, table: str, seq: int) -> None:
        entry = bytearray(row_of(data, table, seq))
        entry[at] ^= 1 << bit
        alter(data, table, seq, "entry", bytes(entry))

    return damage


def other(column: str, value: object) -> Damage:
    """Something else in a column of a row."""
    return lambda data, table, seq: alter(data, table, seq, column, value)


OTHER_HASH = other("state_hash", "0123456789abcdef")
REVEALED = b'{"kind":"reveal","user":"u_nobody","random":"%s"}' % (b"0" * 32)
"""A row that reads well and can't be there."""
FIRST, SECOND, LAST = 1, 2, 0
DAMAGES: dict[str, tuple[Damage, int]] = {
    "no JSON in the first row": (flipped(0), FIRST),
    "no JSON in the middle": (flipped(0), 4),
    "no JSON in the last row": (flipped(-1), LAST),
    "no UTF-8": (flipped(3, 7), SECOND),
    "another kind": (flipped(9, 0), 3),
    "another letter in the first row": (flipped(-4), FIRST),
    "another hash in the first row": (OTHER_HASH, FIRST),
    "another hash": (OTHER_HASH, 3),
    "another hash in the last row": (OTHER_HASH, LAST),
    "another time": (other("at_ms", 1), LAST),
    "newer rules": (other("rules_version", 1_000), SECOND),
    "another entry": (other("entry", REVEALED), LAST),
    "no entry": (other("entry", None), 4),
}


async def opened(server: LiveServer, person: Person) -> str:
    async with solo(server, person, deals=1, bot="greedy") as client:
        await client.play_on(in_play)
        return client.table


async def finished(server: LiveServer, table: str, person: Person) -> None:
    async with Client(server, table, person) as client:
        assert not client.seen("frozen")
        await client.play_on(over)


async def stands_still(server: LiveServer, table: str, person: Person) -> None:
    """A table says that it is frozen, and takes nothing."""
    async with server.http(person) as http:
        body = {"type": "act", "rid": "x", "action": "draw"}
        answer = await http.post(f"/api/tables/{table}/commands", json=body)
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "table-frozen"
    client = Client(server, table, person)
    try:
        await client.connect()
        await client.until(lambda c: c.closed or bool(c.seen("frozen")))
        if not client.closed:
            with pytest.raises(Refused, match="table-frozen"):
                await client.command("act", action="draw")
    except Gone:
        pass
    finally:
        await client.close()


async def test_a_wrong_byte_freezes_its_table_alone() -> None:
    """No bot plays on for who is away: a snapshot would lead past the rows that are damaged."""
    with LiveServer(absence_s=86_400) as server:
        async with server.http() as http:
            people = [await guest(http, f"Oyuncu {n}") for n in range(4)]
        tables = {}
        for number, name in enumerate([*DAMAGES, "whole", "whole as well"]):
            person = people[number % len(people)]
            tables[name] = await opened(server, person), person
        assert server.stop() == 0
        for name, (damage, seq) in DAMAGES.items():
            table, _ = tables[name]
            damage(server.data, table, seq or last_seq(server.data, table))
        server.start()
        async with server.admin() as admin:
            for name in ("whole", "whole as well"):
                await finished(server, *tables[name])
            for name in DAMAGES:
                await stands_still(server, *tables[name])
            bad = {tables[name][0] for name in DAMAGES}
            ready = await admin.get("/readyz")
            assert (ready.status_code, ready.json()["tables"]) == (200, True), ready.text
            found = (await admin.post("/api/admin/check")).json()
            assert not found["ok"]
            # Each is told twice: the row does not continue the chain, and does not replay.
            names = [problem.removeprefix("table ").split(":")[0] for problem in found["problems"]]
            assert set(names) == bad
            lines = (await admin.get("/api/admin/tables")).json()
            assert {line["id"] for line in lines if line["frozen"]} == bad
            assert (await server.figures())["okey101_tables_frozen"] == len(bad)
        async with server.http() as http:  # nor does it keep anybody who wants to go
            gone = await http.delete("/api/me", headers=people[0].headers)
            assert gone.status_code == 204, gone.text
            assert (await http.get("/api/me", headers=people[0].headers)).status_code == 401
        kinds = ("table-frozen", "table-unreadable")
        told = {event["table"] for event in server.events if event.get("event") in kinds}
        assert told == bad
        assert not [event for event in server.events if event.get("event") == "task-failed"]


def last_seq(data: Path, table: str) -> int:
    seq = 1
    while True:
        try:
            row_of(data, table, seq + 1)
        except TypeError:
            return seq
        seq += 1


# Any single flipped bit of a row ------------------------------------------------------------------


def with_a_flip(row: Row, rng: random.Random) -> Row:
    entry = bytearray(row.entry)
    entry[rng.randrange(len(entry))] ^= 1 << rng.randrange(8)
    return row._replace(entry=bytes(entry))


async def harmless(before: TableState, row: Row, true: TableState, deps: Dependencies) -> bool:
    """Whether a table freezes at a row, or comes to the true state all the same (``dRaw``)."""
    table = Table(before, deps)
    await table._replay([row])
    if table.frozen is not None:
        return table.state is before
    same = table.state.heard == true.heard and table.state.seats == true.seats
    return same and state_hash(table.state) == state_hash(true)


async def test_a_flipped_bit_freezes_the_table(size: Size) -> None:
    rng = random.Random(101)
    deps = Dependencies(store=MemoryStore(), now_ms=lambda: 1_800_000_000_000)
    for number in range(size(2, long=40)):
        told = story("wiki", "4", f"flips {number}", deals=1, style="eager")
        rows = [*rows_of(told.steps)]
        for before, after, row in zip(told.steps, told.steps[1:], rows[1:], strict=False):
            for _ in range(size(3, long=50)):
                bad = with_a_flip(row, rng)
                same = await harmless(before.state, bad, after.state, deps)
                assert same, (bad.seq, bad.entry)


async def test_a_flipped_bit_in_the_first_row_is_noticed(size: Size) -> None:
    rng = random.Random(101)
    first = next(rows_of(story("wiki", "4", "first", deals=1).steps))
    for _ in range(size(500, long=20_000)):
        store = MemoryStore()
        store._put(with_a_flip(first, rng))
        deps = Dependencies(store=store, now_ms=lambda: 1_800_000_000_000)
        try:
            table = await Table.load(TABLE, deps)
        except ValueError:
            continue
        assert table is not None
        assert table.frozen is not None or state_hash(table.state) == first.state_hash
        if table.frozen is None:
            assert store._tables[TABLE][0].entry == first.entry


# A log whose end was acknowledged and is gone -----------------------------------------------------


def playing(server: LiveServer, person: Person) -> AbstractAsyncContextManager[Client]:
    return in_match(server, lambda c: in_play(c) and len(c.model.deal_actions) > 8, person, deals=3)


async def ready(server: LiveServer) -> tuple[int, dict[str, bool]]:
    async with server.http() as http:

        async def loaded() -> bool:
            return bool((await http.get("/readyz")).json()["tables"])

        await soon(loaded)
        answer = await http.get("/readyz")
    return answer.status_code, answer.json()


async def checked(server: LiveServer) -> list[str]:
    async with server.admin() as admin:
        answer = await admin.post("/api/admin/check")
    return list(answer.json()["problems"])


def zeroed(data: Path) -> None:
    """4 KiB of zeros in the write-ahead log, as after a power cut on a disk that lies."""
    wal = data / "log.sqlite-wal"
    with wal.open("rb+") as file:
        file.seek(wal.stat().st_size // 2)
        file.write(bytes(4096))


def deleted(data: Path) -> None:
    for path in data.glob("log.sqlite*"):
        path.unlink()


def told(server: LiveServer) -> list[Any]:
    return [event for event in server.events if event["event"] == "log-truncated"]


async def test_zeros_in_the_write_ahead_log_void_the_deals_concerned() -> None:
    with LiveServer() as server:
        person = await newcomer(server)
        server.restart()  # whoever comes is in the same file: not in the part that is lost
        async with playing(server, person) as client:
            seq, commitment = client.model.seq, client.model.table["commitment"]
            server.kill()
            await client.close()
            zeroed(server.data)
            server.start()
            checks = {"log": True, "tables": True, "open": True, "whole": False}
            assert (await ready(server)) == (503, checks)
            assert [event["tables"] for event in told(server)] == [[client.table]]
            assert (await server.figures())["okey101_log_whole"] == 0
            assert any("log-truncated" in problem for problem in await checked(server))
            # Whoever comes back is not shown an older hand as if nothing had happened.
            await client.connect(seq)
            await client.until(lambda c: c.model.stage == "dealing" or c.model.deal is None)
            assert client.model.table["commitment"] != commitment
            assert client.model.table["scores"]["counted"] == 0
            await client.play_on(in_play)
        (server.data / "log.lost").unlink()
        assert (await ready(server))[0] == 200
        assert await checked(server) == []
        server.restart()
        assert len(told(server)) == 1


@pytest.mark.parametrize("marked", [True, False])
async def test_a_deleted_log_is_no_plain_404(*, marked: bool) -> None:
    """With its mark the start tells; without it the client, by the head it was told."""
    with LiveServer() as server:
        person = await newcomer(server)
        async with playing(server, person) as client:
            server.kill()
            await client.close()
            deleted(server.data)
            if not marked:
                (server.data / "log.mark").unlink()
            server.start()
            assert (await ready(server))[0] == (503 if marked else 200)
            async with server.http() as http:  # the people are gone with the tables
                assert (await http.get("/api/me", headers=person.headers)).status_code == 401
                client.person = person = await guest(http, "Ali")
            await client.resume()
            assert client.closed
            assert [error["code"] for error in client.seen("error")] == ["log-truncated"]
            assert client.close_code == 4002
        assert len(told(server)) == 1
        assert (await ready(server))[0] == 503
        async with server.http(person) as http:
            answer = await http.get("/api/tables/abcdefghjkmn")
        assert answer.status_code == httpx.codes.NOT_FOUND
        server.stop()  # what a client has told is written by then
        lost = json.loads((server.data / "log.lost").read_text())
        assert (lost["why"], lost["ends"]) == ("log-truncated", {client.table: 0})


# A match that is over, and gone from the history -------------------------------------------------


async def record(server: LiveServer, table: str) -> Any:
    async with server.http() as http:

        async def found() -> Any:
            answer = await http.get(f"/api/matches/{table}-1/record")
            return answer.json() if answer.is_success else None

        await soon(found)
        return await found()


@pytest.mark.parametrize("how", ["by a check", "at a start"])
async def test_a_finished_match_is_made_again_from_the_rows(how: str) -> None:
    """Those of its table, in the archive by then."""
    with LiveServer() as server:
        person = await newcomer(server)
        async with solo(server, person, deals=1, bot="greedy") as client:
            await client.play_on()
        async with server.admin() as admin:
            answer = await admin.post(f"/api/admin/tables/{client.table}/close")
            assert answer.status_code == httpx.codes.NO_CONTENT
        async with server.http(person) as http:  # the log's last row is another table's
            await http.post("/api/tables", json={"bots": [None, "greedy", "greedy", "greedy"]})
        table, before = client.table, await record(server, client.table)
        server.stop()
        with contextlib.closing(sqlite3.connect(server.data / "log.sqlite")) as conn, conn:
            conn.execute("INSERT INTO archive SELECT * FROM log WHERE table_id = ?", (table,))
            conn.execute("DELETE FROM log WHERE table_id = ?", (table,))
            conn.execute("UPDATE others SET ended = ended + 1")
            if how == "by a check":
                for name, key in (("match_seats", "match_id"), ("matches", "id")):
                    conn.execute(f"DELETE FROM {name} WHERE {key} = ?", (f"{table}-1",))
            else:
                conn.execute("UPDATE matches SET totals = '[9, 9, 9, 9]'")
        server.start()
        if how == "by a check":
            wrong = [f"match {table}-1 was missing or changed, and is made again"]
            assert await checked(server) == wrong
        else:
            made = "match-made-again"
            await soon(lambda: any(event["event"] == made for event in server.events))
            assert (await ready(server))[1]["log"] is False
        assert await record(server, table) == before
        assert await checked(server) == []
