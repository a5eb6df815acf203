"""One wrong byte in the log stops its table and no other, and everybody is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from faults.damage import alter, row_of
from server.clients import Client, Gone, Refused, over
from server.live import LiveServer, Person, guest

Damage = Callable[[Path, str, int], None]


def flipped(at: int, bit: int = 0) -> Damage:
    """One bit of a row's entry; ``at`` counts from its end where it is below 0."""

    def damage(data: Path, table: str, seq: int) -> None:
        entry = bytearray(row_of(data, table, seq))
        entry[at] ^= 1 << bit
        alter(data, table, seq, "entry", bytes(entry))

    return damage


def other_hash(data: Path, table: str, seq: int) -> None:
    alter(data, table, seq, "state_hash", "0123456789abcdef")


def other_time(data: Path, table: str, seq: int) -> None:
    alter(data, table, seq, "at_ms", 1)


def newer_rules(data: Path, table: str, seq: int) -> None:
    alter(data, table, seq, "rules_version", 1_000)


def other_entry(data: Path, table: str, seq: int) -> None:
    """A row that reads well and can't be there."""
    alter(
        data, table, seq, "entry", b'{"kind":"cut","user":"u_nobody","random":"' + b"0" * 32 + b'"}'
    )


FIRST, SECOND, LAST = 1, 2, 0
DAMAGES: dict[str, tuple[Damage, int]] = {
    "no JSON in the first row": (flipped(0), FIRST),
    "no JSON in the middle": (flipped(0), 4),
    "no JSON in the last row": (flipped(-1), LAST),
    "no UTF-8": (flipped(3, 7), SECOND),
    "another kind": (flipped(9, 0), 3),
    "another letter in the first row": (flipped(-4), FIRST),
    "another hash in the first row": (other_hash, FIRST),
    "another hash": (other_hash, 3),
    "another hash in the last row": (other_hash, LAST),
    "another time": (other_time, LAST),
    "newer rules": (newer_rules, SECOND),
    "another entry": (other_entry, LAST),
}


async def opened(server: LiveServer, person: Person) -> str:
    """A table against bots that has begun; its person took part in the first round."""
    async with server.http(person) as http:
        answer = await http.post("/api/play", json={"deals": 1, "bot": "greedy"})
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    async with Client(server, table, person) as client:
        await client.play_on(lambda c: c.model.stage == "playing")
    return table


async def finished(server: LiveServer, table: str, person: Person) -> None:
    """Play a table to the end of its match."""
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


def test_a_wrong_byte_freezes_its_table_alone() -> None:
    with LiveServer() as server:
        asyncio.run(damaged(server))


async def damaged(server: LiveServer) -> None:
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
        assert {line["id"] for line in lines if line["frozen"] is not None} == bad
        listed = (await admin.get("/api/admin/tables")).json()
        frozen = {line["id"] for line in listed if line["frozen"]}
        assert frozen
        assert frozen <= bad
        figures = (await admin.get("/metrics")).text
        assert f"okey101_tables_frozen {len(bad)}.0" in figures
    async with server.http() as http:  # nor does it keep anybody who wants to go
        gone = await http.delete("/api/me", headers=people[0].headers)
        assert gone.status_code == 204, gone.text
        gone = await http.get("/api/me", headers=people[0].headers)
        assert gone.status_code == 401
    kinds = ("table-frozen", "table-unreadable")
    told = {event["table"] for event in server.events if event.get("event") in kinds}
    assert told == bad
    assert "Traceback" not in server.log


def last_seq(data: Path, table: str) -> int:
    """The last row that a table has."""
    seq = 1
    while True:
        try:
            row_of(data, table, seq + 1)
        except TypeError:
            return seq
        seq += 1
