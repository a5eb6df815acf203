"""A table in this process, and everything that it sends to whom while a match is played."""

from __future__ import annotations

import asyncio
import random
import secrets
from typing import Any

from conftest import unwrap
from okey101.bots import make_bot
from okey101.game import options_of, view_of
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.protocol import client_messages as ask
from okey101.server.store.memory import MemoryStore
from okey101.server.tables import log_entries as log
from okey101.server.tables import rounds
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from server.contributions import promise_of, round_of
from server.tables.twins import Screen

EPOCH_MS = 1_800_000_000_000


def table_options(preset: str, **changes: Any) -> TableOptions:
    """Three people and a bot; all other options by default."""
    rules = {"preset": preset} | changes.pop("rules", {})
    plain: dict[str, Any] = {"deals": 1, "clock": 0, "bots": (None, None, None, "greedy")}
    return checked_options(TableOptions(rules=rules, **plain | changes))


async def played(options: TableOptions, seed: int, *, rematch: bool = False) -> list[bytes]:
    """Every message of a match: three people, one of them without options, and a spectator."""
    rng = random.Random(seed)
    clock = iter(range(EPOCH_MS, EPOCH_MS * 2, 1000))
    deps = Dependencies(
        store=MemoryStore(),
        now_ms=lambda: next(clock),
        name_of={"u0": "Ali", "u1": "Ayşe", "u2": "Can"}.get,
        bot_delay=0.0,
        secret=lambda: rng.randbytes(32).hex(),
    )
    first = log.Created(user="u0", options=options, first_wait_ms=60_000, pause_ms=60_000)
    table = await Table.create("masa", first, deps)
    taps = [Screen(None), *(Screen(f"u{n}", options=n != 2) for n in range(3))]
    for tap in taps:
        table.attach(tap)

    async def send(user: str, kind: Any, **fields: Any) -> None:
        await table.command(user, kind(rid=secrets.token_hex(4), **fields))

    for user in ("u1", "u2"):
        await send(user, ask.Sit)
        await send(user, ask.Ready)
    await send("u0", ask.Start)
    table.audience.say("u1", "good-luck")
    given: dict[tuple[object, int], bytes] = {}
    while table.state.stage is not Stage.OVER:
        await _step(table, send, rng, given)
    if rematch:
        for user in ("u0", "u1", "u2"):
            await send(user, ask.Rematch)
    await send("u2", ask.Leave)
    late = Screen("u1")
    table.attach(late, table.state.seq - 3)
    await table.close()
    await table.stop()
    return [message for tap in (*taps, late) for message in tap.got]


async def _step(
    table: Table, send: Any, rng: random.Random, given: dict[tuple[object, int], bytes]
) -> None:
    state = table.state
    if state.stage is Stage.DEALING:
        for user in state.people:
            seat = unwrap(state.seat_of(user))
            state = table.state
            if state.stage is Stage.DEALING and not state.shown and state.promises[seat] is None:
                given[round_of(state), seat] = rng.randbytes(16)
                promise = promise_of(state, given[round_of(state), seat], seat)
                await send(user, ask.Commit, commitment=promise)
                await send(user, ask.Ready)
        for seat, user in enumerate(table.state.sitting):
            state = table.state
            if state.shown and seat in rounds.unrevealed(state):
                await send(user, ask.Reveal, random=given[round_of(state), seat].hex())
        await asyncio.sleep(0)
        return
    deal = unwrap(state.deal)
    player = state.seats[deal.turn].user
    if player is None:
        await asyncio.sleep(0.001)
        return
    bot = make_bot("greedy" if rng.random() < 0.8 else "random", seed=rng.getrandbits(32))
    options = options_of(deal)
    action = bot.choose(view_of(deal, deal.turn), options)
    await send(player, ask.Act, action=str(action))
