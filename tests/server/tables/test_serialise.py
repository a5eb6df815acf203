"""A client that adds what events tell to the view it began with has what a fresh view shows."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from conftest import every_other
from okey101.game import PRESETS
from okey101.server.tables import log_entries as log
from okey101.server.tables import serialise
from okey101.server.tables.command_handler import applied
from okey101.server.tables.state import TableState
from okey101.server.tables.table import Table
from server.tables.table_stories import Step, Story, story, table_options
from server.tables.twins import Screen, Unchecked, surroundings

Shown = dict[str, Any]


class Client:
    """A viewer that keeps the table by views and events alone."""

    def __init__(self, user: str | None) -> None:
        self.screen = Screen(user)
        self.shown: Shown = {}
        self.read = 0

    def catch_up(self) -> None:
        for data in self.screen.got[self.read :]:
            self.take(json.loads(data))
        self.read = len(self.screen.got)

    def take(self, message: Shown) -> None:
        match message["type"]:
            case "view":
                self.shown = message
            case "event":
                assert message["seq"] == self.shown["seq"] + 1
                self.shown["seq"], self.shown["at"] = message["seq"], message["at"]
                self.shown["table"].update(message.get("table", {}))
                self.deal(message)
                if "you" in message:
                    self.shown["you"] = message["you"]
            case "presence":
                self.shown["here"][message["seat"]] = message["here"]
            case other:
                raise AssertionError(other)

    def deal(self, message: Shown) -> None:
        patch = message.get("deal")
        if patch is None:
            assert message["what"]["kind"] != "act"
        elif not patch:
            self.shown["deal"] = None
        elif "indicator" in patch:
            self.shown["deal"] = patch
        else:
            what = message["what"]
            self.shown["deal"].update(patch)
            self.shown["deal"]["actions"] += [f"{what['seat']}: {a}" for a in what["actions"]]


def compared(shown: Shown, state: TableState, seat: int | None) -> None:
    """The client's table is the server's; options count only on the seat's own turn."""
    fresh = json.loads(
        serialise.encode(
            {
                "table": serialise.table_view(state, str.upper),
                "deal": serialise.deal_view(state),
                "you": serialise.you(state, seat, serialise.options_for(state, seat or 0)),
            }
        )
    )
    deal = state.deal
    mine, yours = shown["you"], fresh["you"]
    if deal is None or deal.over or deal.turn != seat:
        for you in (mine, yours):
            if you is not None:
                you.pop("options", None)
    assert shown["seq"] == state.seq
    assert shown["at"] == state.at_ms
    for part in ("table", "deal", "you"):
        assert shown[part] == fresh[part], part


def follow(steps: list[Step]) -> int:
    """Tell a table's whole life to clients of all seats and one without; the rows compared."""

    async def run() -> int:
        first = steps[0].state
        table = Table(first, surroundings(Unchecked(), first.at_ms, 1))
        seats = len(first.seats)
        clients = [Client(None)] + [Client(f"u{n}") for n in range(seats)]
        for client in clients:
            table.attach(client.screen)
            client.catch_up()
        compared_rows = 0
        short = len(steps) < 300
        for step in steps[1:]:
            table._swap(step.entry, step.state)
            state = step.state
            for client in clients:
                client.catch_up()
                if client.screen.closed is None and (short or state.seq % 5 == 0):
                    compared(client.shown, state, state.seat_of(client.screen.user))
                    here = zip(state.seats, client.shown["here"], table.here(), strict=True)
                    assert all(one == other for seat, one, other in here if seat.user)
            compared_rows += 1
        await table.stop()
        return compared_rows

    return asyncio.run(run())


@pytest.mark.parametrize(("preset", "seats"), every_other(PRESETS, ("2", "3", "4", "teams")))
def test_views_and_events_agree_in_whole_matches(preset: str, seats: str) -> None:
    options = table_options(preset, seats, deals=1, spectators="live")
    told = Story(options, f"follow {preset} {seats}")
    told.fill()
    told.match("eager")
    told.rematch()
    told.add(log.Left(user="u0"))
    told.add(log.Sat(user="u0", seat=0))
    told.add(log.ReadySet(user="u0"))
    for user in told.state.people:
        told.add(log.ReadySet(user=user))
    told.match("by-kind")
    told.add(log.Closed(why="idle"))
    assert follow(told.steps) > 60


def test_views_and_events_agree_where_people_come_and_go() -> None:
    options = table_options("altinstar", "4", spectators="live", deals=1)
    told = Story(options, "come and go")
    told.add(log.BotSet(user="u0", seat=3, bot="greedy"))
    told.add(log.Sat(user="u2", seat=1))
    told.add(log.Kicked(user="u0", seat=1))
    told.add(log.Sat(user="u1", seat=1))
    told.add(log.ReadySet(user="u1"))
    told.add(log.Renamed(user="u1"))
    told.add(log.BotSet(user="u0", seat=2, bot="steady"))
    told.add(log.Started(user="u0", secret=told.secret(), order=(2, 0, 3, 1)))
    assert told.state.seat_of("u0") == 1
    assert told.state.seat_of("u1") == 3
    told.given["u1"] = b"\xaa" * 16
    told.add(told.committed("u1", told.given["u1"]))
    told.deal()
    for _ in range(12):
        told.move("eager")
    told.add(log.Left(user="u1"))
    told.move()
    told.add(log.Away(seat=1, on=True, why="absent"))
    told.move()
    told.add(log.Away(seat=1, on=False, why="back"))
    told.add(log.Sat(user="u3", seat=0))
    told.add(log.Restarted())
    told.add(log.Left(user="u0"))
    told.add(log.Sat(user="u0", seat=1))
    told.play("eager")
    follow(told.steps)


def test_who_is_dealt_another_seat_is_told_so() -> None:
    told = Story(table_options("altinstar", "4", bots=(None, None, "steady", "steady")), "drawn")
    told.fill()

    async def run() -> None:
        table = Table(told.state, surroundings(Unchecked(), told.state.at_ms, 1))
        screen = Screen("u0")
        table.attach(screen)
        entry = log.Started(user="u0", secret="00" * 32, order=(3, 2, 1, 0))
        table._swap(*applied(table.state, entry, 0))
        event = [json.loads(data) for data in screen.got if b'"event"' in data][-1]
        assert event["you"] == {"seat": 3}
        await table.stop()

    asyncio.run(run())


def test_who_sits_down_during_a_deal_is_told_the_hand_and_the_options() -> None:
    told = Story(table_options("altinstar", "4", bots=("steady",) * 3 + (None,)), "late")
    told.add(log.Started(user="u0", secret=told.secret()))
    told.deal()
    deal = told.state.deal
    assert deal is not None
    while deal.turn == 3:
        told.move()
        assert told.state.deal is not None
        deal = told.state.deal

    async def run() -> None:
        table = Table(told.state, surroundings(Unchecked(), told.state.at_ms, 1))
        screen = Screen("u5")
        table.attach(screen)
        table._swap(*applied(table.state, log.Sat(user="u5", seat=deal.turn), 0))
        event = [json.loads(data) for data in screen.got if b'"event"' in data][-1]
        assert event["you"]["seat"] == deal.turn
        assert event["you"]["hand"] == str(deal.rack(deal.turn))
        assert event["you"]["options"] is not None
        await table.stop()

    asyncio.run(run())


def test_no_help_with_melds_where_the_table_is_not_assisted() -> None:
    for assisted in (True, False):
        told = Story(table_options("altinstar", "4", assisted=assisted), "help")
        told.fill()
        told.add(log.Started(user="u0", secret=told.secret()))
        told.deal()
        deal = told.state.deal
        assert deal is not None
        found = serialise.options_for(told.state, deal.turn)
        assert found is not None
        for name in ("melds", "lays", "swaps"):
            assert (name in found) is assisted
        opening = found["opening"]
        assert isinstance(opening, dict)
        assert ("melds" in opening) is assisted
        assert serialise.options_for(told.state, (deal.turn + 1) % 4) is None


def test_every_entry_is_told_without_names_and_secrets() -> None:
    told = Story(table_options("wiki", "3", deals=1), "what")
    told.fill()
    told.match("eager")
    for before, after in zip(told.steps, told.steps[1:], strict=False):
        what = serialise.what_happened(after.entry, before.state)
        text = serialise.encode(what)
        assert b"u0" not in text
        assert b"rid" not in text
        assert set(what) <= {"kind", "seat", "on", "actions", "by", "why", "bot", "random"}
        assert not isinstance(after.entry, log.Sat | log.Revealed | log.ReadySet) or "seat" in what


def test_E1_the_hand_of_who_finished_is_empty() -> None:
    ended = (story("altinstar", "2", f"end {n}", style="eager").steps for n in range(9))
    states = (step.state for steps in ended for step in steps)
    for state in states:
        result = None if state.deal is None else state.deal.result
        if result is not None and result.winner is not None:
            told = serialise.you(state, result.winner)
            assert told is not None
            assert told["hand"] == ""
            return
    raise AssertionError("nobody finished")
