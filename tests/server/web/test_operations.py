"""Health, figures, draining; and a restart loses nothing that was acknowledged."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from conftest import unwrap
from okey101 import RULES_VERSION, __version__
from server.clients import Client, Gone, all_play, over
from server.live import Http, LiveServer
from server.web.parties import (
    code_of,
    guests,
    listed_when_saved,
    person_of,
    rule_choice,
    solo,
    started,
)

FAILING = Path(__file__).parents[1] / "failing_child.py"


async def test_health_and_version(http: Http) -> None:
    """All is well, without a session."""
    answer = await http.get("/livez")
    assert (answer.status_code, answer.text) == (200, "ok\n")
    answer = await http.get("/readyz")
    assert answer.status_code == 200
    names = ("log", "tables", "open", "whole")
    assert answer.json() == dict.fromkeys(names, True)
    found = (await http.get("/version")).json()
    assert found == {"version": __version__, "rules_version": RULES_VERSION, "protocol": 1}
    assert "/api/tables" in (await http.get("/api/schema/openapi.json")).json()["paths"]
    assert code_of(await http.get("/api/nothing"), 404) == "not-found"
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    lost = await http.get("/nothing/at/all", headers=browser)
    page = await http.get("/rules", headers=browser)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    if page.status_code == 200:  # it is built
        assert (lost.status_code, lost.content) == (404, page.content)
    for path in ("/api/nothing", "/assets/nothing.js", "/t/../api/nothing"):
        assert code_of(await http.get(path, headers=browser), 404) == "not-found"
    assert code_of(await http.post("/nothing", headers=browser), 404) == "not-found"
    assert code_of(await http.put("/api/tables", json={}), 405) == "method-not-allowed"


OTHER_SPELLINGS = ("/metrics/", "/metrics%2f", "/metrics%2F", "/%6detrics")
"""Of a path that proxies are told to hide by its name."""


async def test_metrics(server: LiveServer, strict: LiveServer) -> None:
    """Figures that move with play; for the bearer of the token alone, where one is set."""

    def value(text: str, name: str) -> float:
        found = [line.split()[-1] for line in text.splitlines() if line.startswith(name)]
        return sum(map(float, found))

    async with server.http() as http:
        before = (await http.get("/metrics")).text
        async with solo(server, deals=1, bot="greedy") as client:
            await client.play_on()
            after = (await http.get("/metrics")).text
        acts = 'okey101_commands_total{outcome="ok",type="act"}'
        assert value(after, acts) > value(before, acts)
        assert value(after, "okey101_sockets") >= 1
        assert value(after, "okey101_frozen_tables") == 0
        assert client.table not in after
        assert person_of(client).id not in after
    async with strict.http() as http:
        assert code_of(await http.get("/metrics"), 403) == "not-allowed"
        headers = {"Authorization": "Bearer figures for me"}
        assert (await http.get("/metrics", headers=headers)).status_code == 200
        for path in OTHER_SPELLINGS:
            assert (await http.get(path, headers=headers)).status_code == 404, path


async def test_draining_loses_nothing() -> None:
    """SIGTERM in the middle of play: all are told, and go on after the restart where they were."""
    with LiveServer() as server:
        async with server.http() as http:
            people = await guests(http, 4)
        async with (
            started(server, people, deals=2, clock=0) as clients,
            Client(server, clients[0].table) as watcher,
        ):
            acked: list[int] = []
            tasks = [asyncio.create_task(play_noting(client, acked)) for client in clients]
            await clients[0].until(lambda c: len(c.model.deal_actions) > 15)
            assert (await asyncio.to_thread(server.stop)) == 0
            await asyncio.gather(*tasks, return_exceptions=True)
            await watcher.until(lambda c: c.closed)
            for client in (*clients, watcher):
                assert client.closed
                assert client.messages[-1] == {"type": "bye", "code": "server-restarting"}
                assert client.close_code == 1012
            await asyncio.to_thread(server.start)
            await resume(clients, max(acked))
            await watcher.connect()
            await all_play(clients)
            await watcher.until(over)
            assert watcher.model.totals == clients[0].model.totals
        async with server.http() as http:
            assert len(await listed_when_saved(http, people[3])) == 1
        assert "Traceback" not in server.log


async def play_noting(client: Client, acked: list[int]) -> None:
    """Play on until the socket ends, and note the seq of every ack."""
    try:
        await client.play_on()
    except Gone:
        pass
    finally:
        acked += [ack["seq"] for ack in client.seen("ack") if ack["seq"] is not None]


async def resume(clients: list[Client], least: int) -> None:
    """Come back with the last seq, and send again what was not answered, with the same mark."""
    for client in clients:
        left_at = client.model.seq
        await client.connect(left_at)
        assert client.seen("resumed")
        assert not client.seen("view")
        assert client.model.seq >= least
        seqs = [event["seq"] for event in client.seen("event")]
        assert seqs[: client.model.seq - left_at] == list(range(left_at + 1, client.model.seq + 1))
        for message in list(client.unanswered.values()):
            again = dict(message)
            await client.command(again.pop("type"), **again)


async def test_a_fault_ends_the_socket_and_is_logged_without_its_text() -> None:
    """Whatever fails behind a socket: the log tells where, and the client that it was no fault
    of its own."""
    with LiveServer(program=[sys.executable, str(FAILING)]) as server:
        async with solo(server, rules=rule_choice("altinstar", 2)) as client:
            await client.play_on(lambda c: c.model.options is not None)
            with pytest.raises(Gone):
                await client.ask("options")
            assert client.close_code == 1011
            assert client.messages[-1] == {"type": "bye", "code": "internal"}
            (found,) = [e for e in server.events if e.get("event") == "socket-failed"]
            assert found["trace"][0] == "KeyError"
            assert unwrap(client.model.you)["hand"] not in server.log
            await client.connect()
            assert client.model.options is not None
