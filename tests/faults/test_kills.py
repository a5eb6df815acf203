"""Servers that are killed, stopped while they load, or want the same folder lose nothing."""

import asyncio
import json
import random
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import ran_python
from faults import players
from faults.storm import ride
from okey101.bots import make_bot
from okey101.errors import OkeyError
from okey101.game import Options, view_of
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.registry import Tables
from okey101.server.tables.state import Stage
from server.live import LiveServer, Person
from server.store.memory import MemoryStore, Step
from server.tables.table_stories import Story, table_options

HASTY = Path(__file__).with_name("hasty.py")


def test_kills_lose_nothing() -> None:
    tally = ride(tables=3, kills=4, life=0.4, pauses=2, deals=1)
    assert tally.problems == []
    assert tally.pauses == 2
    assert tally.kills["play"] >= 3
    assert tally.kills["early"] or tally.kills["drain"]
    assert tally.kills["start"]
    assert tally.matches >= 3
    assert tally.notes.counts["resumed"]
    assert tally.notes.counts["fresh views compared"]
    assert tally.compared


@pytest.mark.long
def test_two_hundred_kills_with_fifty_tables_lose_nothing() -> None:
    tally = ride(tables=50, kills=200, pauses=10)
    assert tally.problems == []
    assert tally.matches >= 50


SHOWN = {"acknowledge": ("lost",),
         "forget": ("and then refused", "is in rows", "and is in the log")}  # fmt: skip


@pytest.mark.parametrize("fault", SHOWN)
def test_a_server_with_a_fault_is_found_out(fault: str) -> None:
    # It ends at the first kill that shows it; how many that takes depends on the machine.
    program = [sys.executable, str(HASTY), fault]
    tally = ride(tables=4, kills=30, life=0.5, deals=1, whole=False, program=program)
    told = (words in problem for problem in tally.problems for words in SHOWN[fault])
    assert any(told), tally.problems


def _refused(server: LiveServer) -> dict[str, object]:
    """What another server on the same folder says before it ends."""
    words = ("-m", "okey101", "serve", "--data", server.data, "--port", 0, "--json")
    done = ran_python(*words, ends=1, timeout=60)
    assert "Traceback" not in done.stderr
    answer = json.loads(done.stdout)
    assert answer["ok"] is False
    error: dict[str, object] = answer["error"]
    return error


def test_a_second_server_leaves_the_folder_to_the_first() -> None:
    with LiveServer() as server:
        announced = (server.data / "server.json").read_text("utf-8")
        assert _refused(server)["code"] == "store-in-use"
        assert (server.data / "server.json").read_text("utf-8") == announced
        assert httpx.get(server.url + "/readyz", trust_env=False).status_code == 200
        server.restart(kill=True)  # what held the folder went with the process
        assert httpx.get(server.url + "/livez", trust_env=False).status_code == 200


def test_a_killed_server_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    with LiveServer(tmp_path / "data") as server:
        server.kill()
        assert (server.data / "server.json").exists()
        server.start()
        assert server.stop() == 0
        assert not (server.data / "server.json").exists()


OPTIONS = checked_options(TableOptions(bots=(None, "greedy", "greedy", "greedy")))


async def one_table() -> tuple[MemoryStore, str]:
    store = MemoryStore()
    made = await tables(store).create("u0", OPTIONS)
    await made.stop()
    return store, made.state.table


def tables(store: MemoryStore) -> Tables:
    deps = Dependencies(store=store, now_ms=lambda: 1_800_000_000_000)
    return Tables(deps, most=10, most_each=5)


def delay_reading(store: MemoryStore, pause: Callable[[], Awaitable[object]]) -> asyncio.Event:
    """Let every reading last as long as ``pause``; the event tells that one has begun."""
    reading = asyncio.Event()

    async def slow(step: Step) -> None:
        if step == "read":
            reading.set()
            await pause()

    store.delay = slow
    return reading


async def test_who_waits_for_a_table_when_the_server_drains_is_told_so() -> None:
    store, table = await one_table()
    found = tables(store)
    await found.bring_back()
    await delay_reading(store, lambda: asyncio.sleep(3600)).wait()
    waiting = asyncio.create_task(found.get(table))
    await asyncio.sleep(0)
    await found.drain()
    with pytest.raises(OkeyError, match="restart") as told:
        await waiting
    assert told.value.code == "draining"


async def test_who_waits_for_one_who_gave_up_loads_the_table() -> None:
    store, table = await one_table()
    reading = delay_reading(store, lambda: asyncio.sleep(0.05))
    found = tables(store)
    found._waiting = {table}
    first = asyncio.create_task(found.get(table))
    await reading.wait()
    others = [asyncio.create_task(found.get(table)) for _ in range(3)]
    await asyncio.sleep(0)
    first.cancel()
    loaded = await asyncio.gather(*others)
    assert all(one is loaded[0] for one in loaded)
    assert first.cancelled()
    await found.drain()


async def test_a_table_that_comes_back_while_the_server_drains_stands_still() -> None:
    store, table = await one_table()
    go_on = asyncio.Event()
    reading = delay_reading(store, go_on.wait)
    found = tables(store)
    found._waiting = {table}
    asked = asyncio.create_task(found.get(table))
    await reading.wait()
    await found.drain()
    go_on.set()
    with pytest.raises(OkeyError, match="restart"):
        await (await asked).close()


async def test_names_that_are_not_there_now_do_not_give_a_table_up() -> None:
    store, table = await one_table()
    tries = 0

    async def names(_: list[str]) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise OkeyError("accounts-busy", "too much to do")

    deps = Dependencies(store=store, now_ms=lambda: 1_800_000_000_000)
    found = Tables(deps, most=10, most_each=5, before_loading=names)
    found._waiting = {table}
    with pytest.raises(OkeyError) as told:
        await found.get(table)
    assert told.value.code == "store-failed"
    assert (await found.get(table)).frozen is None
    await found.drain()


def test_an_okey_laid_off_is_told_alike_by_events_and_views() -> None:
    """A bot may name the tile an okey stands for in full; the deal keeps the short form."""
    told = Story(table_options("wiki", "2", deals=1, bots=(None, "greedy")), "okeys 232")
    told.add(log.Started(user="u0", secret=told.secret()))
    told.deal()
    events: list[str] = []
    asked: list[str] = []
    while told.state.stage is Stage.PLAYING:
        deal = told.state.deal
        assert deal is not None
        view = view_of(deal, deal.turn)
        action = make_bot("greedy", 1).choose(view, Options(view))
        asked.append(f"{deal.turn}: {action}")
        told.add(log.Acted(seat=deal.turn, actions=(action,), by="bot", bot="steady/1"))
        entry = told.steps[-1].entry
        assert isinstance(entry, log.Acted)
        events += [f"{entry.seat}: {action}" for action in entry.actions]
    shown = serialise.deal_view(told.state)
    assert shown is not None
    assert asked != events
    assert events == shown["actions"]


# The people of a storm ----------------------------------------------------------------------------


class Told:
    """A socket that tells what it is given, and is lost."""

    def __init__(self, *told: dict[str, Any]) -> None:
        self._told = iter(told)
        self.sent: list[dict[str, Any]] = []

    async def send(self, text: str) -> None:
        self.sent.append(json.loads(text))

    async def recv(self) -> str:
        for message in self._told:
            return json.dumps({"rid": self.sent[-1].get("rid")} | message)
        raise OSError("it is lost")

    async def close(self) -> None:
        """Nothing is open."""


async def in_session(patch: pytest.MonkeyPatch, table: Any, *sockets: Told) -> None:
    """Have somebody at row 5 of a table come back by these sockets, and see no problem."""
    person = Person("u_ece", "Ece", "")
    player = players.Player(players.Notes(), "", "t", person, random.Random(1))
    player.model.seq, player.model.table, player.model.deal = 5, table, DEAL
    player.model.you = YOU
    left = iter(sockets)

    async def connect(*_: object, **__: object) -> Told:
        return next(left)

    patch.setattr(players, "connect", connect)
    with pytest.raises(OSError, match="lost"):
        await player._session()
    assert player.notes.problems == []


YOU = {"seat": 0, "hand": "r1 r2", "drawn": None}
DEAL = {
    "turn": 0, "phase": "play", "groups": [], "discards": [], "sizes": [2], "stock": 103,
    "must_finish": False, "actions": [],
}  # fmt: skip


async def test_who_has_not_heard_all_that_was_missed_does_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The seat may be another's by now, and what is told of its hand too."""
    mine: dict[str, Any] = {"ready": False, "owner": True, "bot": None}
    event = {"type": "event", "seq": 6, "at": 1, "table": {"seats": [{"bot": None}]}}
    drawn = {
        "what": {"kind": "left", "seat": 0, "actions": []},
        "deal": {"sizes": [3], "stock": 102},
    }
    socket = Told(event | drawn)
    await in_session(monkeypatch, {"stage": "waiting", "seats": [mine]}, socket)
    assert [sent["type"] for sent in socket.sent] == ["hello"]


async def test_who_is_refused_an_action_asks_what_may_be_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stand-in has taken a discard, and what it took must be used before anything is thrown."""
    table = {"stage": "playing", "seats": [{"away": False}]}
    resumed = {"type": "resumed", "seq": 5, "at": 1, "you": YOU, "here": [True]}
    first, second = Told(resumed, {"type": "error", "code": "taken-not-used"}), Told()
    await in_session(monkeypatch, table, first, second)
    assert [sent["type"] for sent in first.sent] == ["hello", "act"]
    assert second.sent == [{"type": "hello", "options": True}]
