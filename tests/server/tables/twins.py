"""Twins of a table that one viewer can't tell apart, and a table actor to try them on."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from conftest import unwrap
from game.hidden import other_deal, replayed
from okey101.errors import IllegalAction
from okey101.game import Deal
from okey101.server.protocol.views import Called
from okey101.server.store.base import Row
from okey101.server.tables import log_entries as log
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.state import Stage, TableState, changed
from okey101.server.tables.table import Table
from server.contributions import promise_of
from server.store.memory import MemoryStore
from server.tables.table_stories import TABLE, Step, Story, filled, rows_of


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
