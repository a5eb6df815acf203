"""Any commands of four people, in any order, with lost sockets, restarts and time passing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from typing import Any, TypeVar

import msgspec
import pytest
import structlog.testing
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from conftest import Size
from okey101.bots import make_bot
from okey101.game import Options, view_of
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import clocks
from okey101.server.tables.clocks import rest_of_turn
from okey101.server.tables.state import Stage
from okey101.testing import actions
from server.contributions import commit, reveal
from server.server_stories import PEOPLE, Moment, story, table_options
from server.simulation import VirtualLoop, World, check_table, close, heard

T = TypeVar("T")
GIVEN = b"a contribution of"
NAMES = (*PEOPLE, "u4", "s0")
"""Four people, one more who finds no seat, and one who only looks."""

people = st.sampled_from(NAMES[:-1])
seats = st.integers(0, 3)
garbage = st.one_of(
    st.text(min_size=1, max_size=30),
    st.sampled_from(("draw draw", "discard", "discard R14", "meld / ", "lay R1 0", "0: draw")),
)
commands: st.SearchStrategy[ask.Logged] = st.one_of(
    st.builds(ask.Sit, rid=st.just("-"), seat=st.one_of(st.none(), seats)),
    st.builds(ask.Leave, rid=st.just("-")),
    st.builds(ask.Ready, rid=st.just("-"), on=st.booleans()),
    st.builds(
        ask.SetBot,
        rid=st.just("-"),
        seat=seats,
        bot=st.one_of(st.none(), st.sampled_from(("random", "greedy", "nobody"))),
    ),
    st.builds(ask.Kick, rid=st.just("-"), seat=seats),
    st.builds(ask.Start, rid=st.just("-")),
    st.builds(ask.Commit, rid=st.just("-"), commitment=st.sampled_from(("0" * 64, "ab" * 32))),
    st.builds(
        ask.Reveal, rid=st.just("-"), random=st.sampled_from((GIVEN.hex(), "ab" * 20, "0" * 33))
    ),
    st.builds(ask.Act, rid=st.just("-"), action=st.one_of(actions().map(str), garbage)),
    st.builds(ask.Resume, rid=st.just("-")),
    st.builds(ask.Rematch, rid=st.just("-"), on=st.booleans()),
)


class Table(RuleBasedStateMachine):
    """One table in a loop of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = VirtualLoop(0)
        self.world = World(random.Random(0))
        self.sent: list[tuple[str, ask.Logged]] = []
        self.logs = structlog.testing.capture_logs()
        self.lines = self.logs.__enter__()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Let the loop run until something is done."""
        return self.loop.run_until_complete(work)

    def _send(self, user: str, command: ask.Logged) -> str | None:
        """A refused command changes nothing, nor does one that was applied before."""
        world = self.world
        self.run(asyncio.sleep(0.001))  # what is due happens first
        state, rows = world.table.state, len(world.store.rows)
        before = (user, command.rid) in world.acked
        code = self.run(world.send(user, command))
        if code is not None or before:
            assert world.table.state is state
            assert len(world.store.rows) == rows
        else:
            assert (user, command.rid) in world.marks()
            self.run(asyncio.sleep(0.001))
        return code

    def _now(self, user: str, command: ask.Logged) -> str | None:
        self.sent.append((user, command))
        return self._send(user, command)

    @initialize(
        moment=st.sampled_from(("waiting", "dealing", "playing", "late", "last")),
        preset=st.sampled_from(("altinstar", "pagat", "wiki")),
        seats_by=st.sampled_from(("choice", "random")),
        spectators=st.sampled_from(("off", "live", "delayed", "deal", "turn")),
        clock=st.sampled_from((0, 5, 30)),
        sitting=st.integers(1, 4),
        teams=st.booleans(),
    )
    def begin(
        self,
        moment: Moment,
        preset: str,
        seats_by: str,
        spectators: str,
        clock: int,
        sitting: int,
        teams: bool,
    ) -> None:
        told = story(
            table_options(
                preset=preset,
                people=sitting,
                teams=teams,
                deals=2,
                clock=clock,
                spectators=spectators,
                seats=seats_by,
            ),
            moment,
            clock,
        )

        async def start() -> None:
            self.world.begin(told.rows, told.state)
            for name in told.state.people:
                self.world.connect(name, options=name == "u1")

        self.run(start())

    @rule(user=people, command=commands)
    def anything(self, user: str, command: ask.Logged) -> None:
        """Any command of anybody: most are refused."""
        self._now(user, _marked(command, self.world.rid()))

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def again(self, data: st.DataObject) -> None:
        """A command that was sent before comes once more."""
        recent = self.sent[-20:]
        user, command = recent[data.draw(st.integers(0, len(recent) - 1))]
        self._send(user, command)

    @rule(command=commands)
    def of_the_owner(self, command: ask.Logged) -> None:
        """What only the owner may do."""
        self._now(self.world.table.state.owner, _marked(command, self.world.rid()))

    @precondition(lambda self: self._person_to_act() is not None)
    @rule(way=st.sampled_from(("random", "greedy", "rest")), times=st.integers(1, 6))
    def legal(self, way: str, times: int) -> None:
        """Whoever is to act does something legal."""
        for _ in range(times):
            user = self._person_to_act()
            deal = self.world.table.state.deal
            if user is None or deal is None:
                return
            view = view_of(deal, deal.turn)
            if way == "rest":
                action = rest_of_turn(deal)[0]
            else:
                action = make_bot(way, len(self.world.store.rows)).choose(view, Options(view))
            command = ask.Act(rid=self.world.rid(), action=str(action))
            assert self._now(user, command) is None

    @precondition(lambda self: self._stage() is Stage.DEALING)
    @rule()
    def all_are_ready(self) -> None:
        """Everybody is ready for the deal, and commits, or reveals."""
        for user in self.world.table.state.people:
            state = self.world.table.state
            if state.stage is Stage.DEALING:
                step = commit(state, user, GIVEN, self.world.rid())
                self._now(user, reveal(GIVEN, step.rid) if state.shown else step)
            if self._stage() is Stage.DEALING:
                self._now(user, ask.Ready(rid=self.world.rid()))

    @precondition(lambda self: self._stage() in (Stage.WAITING, Stage.OVER))
    @rule()
    def a_match_begins(self) -> None:
        """Empty seats are filled and everybody wants to play."""
        world = self.world
        if self._stage() is Stage.OVER:
            for user in world.table.state.people:
                if self._stage() is Stage.OVER:
                    self._now(user, ask.Rematch(rid=world.rid()))
        owner = world.table.state.owner
        for number, seat in enumerate(world.table.state.seats):
            if seat.free and self._stage() is Stage.WAITING:
                self._now(owner, ask.SetBot(rid=world.rid(), seat=number, bot="random"))
        for user in world.table.state.people:
            if self._stage() is Stage.WAITING:
                self._now(user, ask.Ready(rid=world.rid()))
        if self._stage() is Stage.WAITING:
            self._now(owner, ask.Start(rid=world.rid()))

    @rule(name=st.sampled_from(NAMES), resume=st.booleans(), options=st.booleans())
    def comes(self, name: str, resume: bool, options: bool) -> None:
        """A socket is opened, perhaps a second one."""

        async def connect() -> None:
            self.world.connect(name, resume=resume, options=options)
            await asyncio.sleep(0.01)

        self.run(connect())

    @rule(name=st.sampled_from(NAMES))
    def goes(self, name: str) -> None:
        """A socket is lost."""

        async def drop() -> None:
            self.world.drop(name)

        self.run(drop())

    @rule(seconds=st.sampled_from((0.1, 1.0, 6.0, 31.0, 95.0, 200.0, 2_000.0)))
    def time_passes(self, seconds: float) -> None:
        """Clocks run out, bots play, people are missed."""
        if self._stage() in (Stage.DEALING, Stage.PLAYING):
            seconds = min(seconds, 95.0)
        self.run(asyncio.sleep(seconds))

    @rule(how=st.sampled_from(("stop", "crash")), back=st.booleans())
    def the_server_restarts(self, how: str, back: bool) -> None:
        """Everybody is cut off; a new server reads the log."""
        names = [*self.world.clients]
        if self.world.over:
            return
        self.run(self.world.restart(how))

        async def connect() -> None:
            for name in names:
                self.world.connect(name, resume=True)
            await asyncio.sleep(0.01)

        if back:
            self.run(connect())

    def _stage(self) -> Stage:
        return self.world.table.state.stage

    def _person_to_act(self) -> str | None:
        state = self.world.table.state
        if state.stage is not Stage.PLAYING or state.deal is None:
            return None
        seat = state.seats[state.deal.turn]
        return seat.user if seat.human else None

    @invariant()
    def all_is_well(self) -> None:
        """The clients know what there is to know; the table is a possible one."""
        if self.world.store.rows:
            check_table(self.world.table.state)
            assert self.world.table.state.seq == len(self.world.store.rows)
            self.world.check_clients()

    def teardown(self) -> None:
        """The log says the same, and nothing has failed unnoticed."""
        try:
            if self.world.store.rows:
                self.world.check_log()
            heard(self.loop, self.lines)
        finally:
            self.logs.__exit__(None, None, None)
            close(self.loop)


def _marked(command: ask.Logged, rid: str) -> ask.Logged:
    return msgspec.structs.replace(command, rid=rid)


def test_any_commands_keep_what_a_table_promises(size: Size) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clocks, "STAND_IN", "random")  # it thinks least
        run_state_machine_as_test(
            Table,
            settings=settings(
                max_examples=size(12, long=5_000),
                stateful_step_count=size(24, long=100),
                report_multiple_bugs=False,
            ),
        )
