"""Tables for tests: what is done at them, matches that are served, and twins nobody tells apart."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from typing import Any, TypeAlias

import pytest

from conftest import unwrap
from game.hidden import other_deal, replayed
from okey101.bots.greedy import GreedyBot
from okey101.errors import IllegalAction, OkeyError
from okey101.game import Deal, Options, Record, view_of
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.views import Called
from okey101.server.store.base import Row
from okey101.server.tables import clocks, log_entries as log
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.match_record import match_record
from okey101.server.tables.reduce import applied
from okey101.server.tables.state import Stage, TableState, changed
from okey101.server.tables.table import Table
from server.contributions import promise_of
from server.server_stories import at_once
from server.store.memory import MemoryStore
from server.tables.table_stories import TABLE, Step, Story, filled, rows_of, table_options


class Unchecked(MemoryStore):
    """A log that takes any row: for tables that begin in the middle of their life."""

    async def append(self, row: Row) -> None:
        self.log.append(row)


class Screen:
    """A viewer that keeps what it is sent."""

    def __init__(self, user: str | None, *, options: bool = True) -> None:
        self.user = user
        self.options = options
        self.muted: set[str] = set()
        self.got: list[bytes] = []
        self.closed: tuple[int, str] | None = None

    def send(self, data: bytes) -> None:
        assert self.closed is None
        self.got.append(data)

    def close(self, code: int, reason: str) -> None:
        self.closed = (code, reason)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(data) for data in self.got]


def dependencies(store: MemoryStore, start_ms: int, seed: int) -> Dependencies:
    """A server whose clock counts the calls, and whose bots take their time."""
    now = iter(range(start_ms, start_ms + 10**9))
    rng = random.Random(seed)
    return Dependencies(
        store=store,
        now_ms=lambda: next(now),
        called=lambda user: Called(user.upper()),
        bot_delay=10_000,
        absence=10_000,
        idle_close=100_000,
        secret=lambda: rng.randbytes(32).hex(),
    )


def table_at(state: TableState, **changes: Any) -> Table:
    """A table in a state, at which people play in their own time."""
    return Table(state, replace(dependencies(Unchecked(), state.at_ms, 1), **changes))


async def brought_back(made: Story, later: int = 0) -> Table:
    """The table after a restart, so many milliseconds later."""
    store = await filled([*rows_of(made.steps)])
    table = unwrap(await Table.load(TABLE, dependencies(store, made.state.at_ms + later, 1)))
    assert table.frozen is None
    return table


def twins(
    steps: Sequence[Step], seat: int | None, at: int, until: int, rng: random.Random
) -> TableState | None:
    """The state of step ``at``, other in all that the seat doesn't see up to step ``until``.

    Both lie in the same deal, running or being prepared. None where no such twin was found.
    """
    state = steps[at].state
    twin = changed(state, secret=rng.randbytes(32))
    if state.stage is not Stage.PLAYING:
        return changed(twin, promises=_bound(twin, steps[at + 1 : until + 1]))
    begun = at
    while steps[begun - 1].state.stage is Stage.PLAYING:
        begun -= 1
    deals = _different([step.state.deal for step in steps[begun : until + 1]])
    try:
        again = replayed(other_deal(deals, seat, rng), deals)
    except IllegalAction:  # somebody else's actions showed that he could do it
        return None
    return changed(twin, deal=again[deals.index(unwrap(state.deal))])


def _bound(twin: TableState, steps: Sequence[Step]) -> tuple[str | None, ...]:
    """The commitments to what is revealed, as they are for the twin's own secret."""
    entries = [step.entry for step in steps]
    opened = {e.user: bytes.fromhex(e.random) for e in entries if isinstance(e, log.Revealed)}
    given = [cut or opened.get(who) for cut, who in zip(twin.cuts, twin.sat, strict=False)]
    return tuple(
        promise if promise is None or part is None else promise_of(twin, part, seat)
        for seat, (promise, part) in enumerate(zip_longest(twin.promises, given))
    )


def _different(deals: Sequence[Deal | None]) -> list[Deal]:
    """The deal after every action."""
    found: list[Deal] = []
    for deal in deals:
        assert deal is not None
        if not found or found[-1] is not deal:
            found.append(deal)
    return found


def hidden_words(state: TableState, seat: int | None) -> set[bytes]:
    """What must not be read anywhere: secrets in hexadecimal digits, and the hands as texts."""
    words: set[bytes] = set()
    if state.secret is not None:
        words |= {state.secret.hex().encode(), repr(state.secret).encode()}
    deal = state.deal
    if deal is not None and not deal.over:
        assert state.secret is not None
        words |= {state.seed.hex().encode(), repr(state.seed).encode()}
        words |= {
            str(deal.rack(n)).encode()
            for n in range(len(deal.hands))
            if n != seat and deal.public.sizes[n] > 5
        }
        packed = [str(hand).encode() for n, hand in enumerate(deal.hands) if n != seat]
        words |= {word for word in packed if len(word) > 10}
    return words


def promises(state: TableState) -> list[bytes]:
    """What follows from the secret and is told: its commitment, the seats', and the transcript."""
    told = (state.commitment, changed(state, shown=True, sat=state.sat or state.sitting).transcript)
    assert None not in told
    return [text.encode() for text in (*told, *state.promises) if text is not None]


def asked(made: Story, user: str, command: ask.Logged) -> TableState:
    return made.add(entry_for(made.state, user, command))


def refusal(state: TableState, user: str, command: ask.Logged) -> str:
    with pytest.raises(OkeyError) as caught:
        applied(state, entry_for(state, user, command), state.at_ms)
    return caught.value.code


async def put(table: Table, entry: log.Entry) -> None:
    await table._do(lambda _: entry)


async def deal_over(table: Table) -> None:
    """The running deal played to its end by the rows that bots would write."""
    made = Story(table.state.options, "ended")
    made.steps.append(Step(log.Dealt(), table.state))
    known = len(made.steps)
    made.play("eager")
    for step in made.steps[known:]:
        await put(table, step.entry)


Bots: TypeAlias = tuple[str | None, ...]
BOTS: Bots = (None, "steady", "greedy", "random")


class Served(Story):
    """A table where everybody but people acts as the server has it."""

    def __init__(
        self, seed: str, deals: int = 2, *, fails: bool = False, bots: Bots = BOTS
    ) -> None:
        preset = "altinstar"
        super().__init__(table_options(preset, "4", bots=bots, deals=deals), seed)
        self.moves = 0
        self.fails = fails
        """Whether now and then the fallback plays in place of a bot, without any need."""
        self.deps = Dependencies(store=MemoryStore(), now_ms=lambda: 0)

    def move(self, style: str = "by-kind") -> None:
        """What the table does by itself, or a person does.

        Every so often a person's clock runs out, and a person is away for a while.
        """
        state, deal = self.state, self.state.deal
        assert deal is not None
        seat = state.seats[deal.turn]
        self.moves += 1
        if not seat.human:
            try:
                if self.fails and self.moves % 17 == 0:
                    raise OkeyError("no-luck", "the bot has failed")
                self.add(at_once(clocks.bot_action(state, self.deps)))
            except OkeyError as error:
                self.add(clocks.instead_of(state, error))
        elif self.moves % 4 == 0:
            self.add(clocks._time_out(state))
        else:
            view = view_of(deal, deal.turn)
            action = GreedyBot().choose(view, Options(view))
            self.add(log.Acted(seat=deal.turn, actions=(action,), user=seat.user))
        on = self.moves % 40 == 29
        if (on or self.moves % 40 == 39) and self.state.stage is Stage.PLAYING:
            self.add(log.Away(seat=0, on=on, why="absent" if on else "back"))

    def record(self) -> Record:
        """The record of the match as the server gives it out."""
        return match_record(self.state, str.upper)


def served(seed: str, **how: Any) -> Served:
    told = Served(seed, **how)
    told.fill()
    told.match()
    return told


@cache
def served_record(*, fails: bool = False) -> Record:
    """The record of a match that a server has kept, as a rule an honest one."""
    return served("an honest match", fails=fails).record()
