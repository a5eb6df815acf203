"""Hashes of states; logs that replay, and logs that don't."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Size
from okey101.game import Deal
from okey101.game.public import Draft
from okey101.server.store.base import Row
from okey101.server.tables import log_entries as log
from okey101.server.tables.reduce import applied, reduce
from okey101.server.tables.rows import state_hash
from okey101.server.tables.state import Heard, Round, Stage, TableState, changed
from okey101.server.tables.table import Table
from server.tables.at_tables import deal_of
from server.tables.table_stories import TABLE, Story, filled, rows_of, story, table_options
from server.tables.twins import Unchecked, dependencies

# Hashes ---------------------------------------------------------------------------------------


def variants(state: TableState) -> dict[str, TableState]:
    """States that differ from this one in one part."""
    deal = deal_of(state)
    swapped = (deal.hands[1], deal.hands[0], *deal.hands[2:])
    backwards = replace(deal.layout, stock=deal.layout.stock[::-1])
    played = (*state.played, state.played[0])
    last = state.played[-1]
    ended_by_another = last._replace(actors=(*last.actors[:-1], "bot:nobody"))
    found: dict[str, dict[str, object]] = {
        "table": {"table": "another"},
        "options": {"options": msgspec.structs.replace(state.options, phrases=False)},
        "owner": {"owner": "u3"},
        "seats": {"seats": (state.seats[0]._replace(missed=7), *state.seats[1:])},
        "ready": {"seats": (*state.seats[:-1], state.seats[-1]._replace(ready=True))},
        "seq": {"seq": state.seq + 1},
        "at_ms": {"at_ms": state.at_ms + 1},
        "first_wait_ms": {"first_wait_ms": 1},
        "pause_ms": {"pause_ms": 1},
        "stage": {"stage": Stage.OVER},
        "match": {"match": 5},
        "dealer": {"dealer": None},
        "secret": {"secret": bytes(32)},
        "cuts": {"cuts": (b"x" * 16, *state.cuts[1:])},
        "promises": {"promises": ("5e" * 32, *state.promises[1:])},
        "shown": {"shown": False},
        "sat": {"sat": ("u9", *state.sat[1:])},
        "abandoned": {"abandoned": (Round(bytes(32), (), (), (), "left"),)},
        "left_out": {"left_out": frozenset({"u9"})},
        "deadline": {"deadline": 17},
        "turn_since": {"turn_since": 17},
        "turn_actions": {"turn_actions": 17},
        "seen": {"seen": (("u9", 1),)},
        "sent_away": {"sent_away": frozenset({"u9"})},
        "latecomers": {"latecomers": frozenset({"u9"})},
        "coming": {"coming": ((2, "u9"),)},
        "quits": {"quits": (("u9", 5),)},
        "actors": {"actors": (*state.actors[:-1], "clock")},
        "heard": {"heard": dict(state.heard) | {"u9": Heard().after("r", 3, 0)}},
        "played": {"played": played},
        "who ended a deal": {"played": (*state.played[:-1], ended_by_another)},
        "deal": {"deal": None},
        "hands": {"deal": Deal(deal.layout, deal.public, swapped)},
        "drawn": {"deal": Deal(deal.layout, deal.public, deal.hands, 33)},
        "stock": {"deal": Deal(backwards, deal.public, deal.hands)},
    }  # fmt: skip
    public = deal.public
    other: dict[str, object] = {
        "turn": (public.turn + 1) % 4, "turns": public.turns + 1, "stock_count": 0,
        "known": (1, 2, 3, 4), "discards": ((1,),) * 4, "fines": ("fine",), "announced": 2,
        "high_points": 888, "high_pairs": 13, "taken": 12, "backs": 9, "new_opening": True,
        "must_finish": True, "owners": (3,) * 9, "playable": 77,
        "actions": (*public.actions, (0, "draw")),
    }  # fmt: skip
    for name, value in other.items():
        draft = Draft.of(public)
        assert getattr(draft, name) != value, name
        setattr(draft, name, value)
        found[f"public {name}"] = {"deal": Deal(deal.layout, draft.seal(), deal.hands, deal.drawn)}
    return {name: changed(state, **change) for name, change in found.items()}


def middle(steps_of: Story) -> TableState:
    running = [s.state for s in steps_of.steps if s.state.stage is Stage.PLAYING]
    return running[3 * len(running) // 4]


def test_the_hash_changes_with_every_part() -> None:
    state = middle(story("altinstar", "4", "hash", style="eager"))
    hashes = {"": state_hash(state)}
    names = {*TableState.__struct_fields__} - {"rules"}  # they stand in the options
    found = variants(state)
    assert names <= set(found)
    for name, other in found.items():
        hashes[name] = state_hash(other)
    same = sorted(name for name in hashes if list(hashes.values()).count(hashes[name]) > 1)
    assert not same


@given(st.integers(0, 2**32))
@settings(max_examples=20)
def test_two_tables_of_other_secrets_never_agree(seed: int) -> None:
    rng = random.Random(seed)
    made = Story(table_options("altinstar", "4"), "reduce")
    made.fill()
    made.add(log.Started(user="u0", secret="5e" * 32))
    made.add(log.CommitmentsShown())
    one, other = (reduce(made.state, log.Dealt(), 0) for _ in range(2))
    assert state_hash(one) == state_hash(other)
    twin = changed(made.state, secret=rng.randbytes(32))
    assert state_hash(twin) != state_hash(made.state)
    assert state_hash(reduce(twin, log.Dealt(), 0)) != state_hash(one)


SCRIPT = """
from server.tables.golden_logs import GOLDEN
from server.tables.table_stories import Story, table_options
from okey101.server.tables import log_entries as log
from okey101.server.tables.rows import state_hash
told = Story(table_options("altinstar", "4"), "process")
for n in (1, 2, 3):
    told.add(log.Sat(user=f"u{n}", seat=n))
    told.add(log.Kicked(user="u0", seat=n))
for n in (4, 5, 6):
    told.add(log.Sat(user=f"u{n}", seat=n - 3))
    told.add(log.ReadySet(user=f"u{n}"))
told.match("eager")
print(" ".join(state_hash(step.state) for step in told.steps))
"""


def test_hashes_are_the_same_in_every_process() -> None:
    found = set()
    for seed in ("1", "2", "77"):
        env = dict(os.environ, PYTHONHASHSEED=seed, PYTHONPATH=os.pathsep.join(sys.path))
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True
        )
        found.add(run.stdout)
    assert len(found) == 1
    assert len(found.pop().split()) > 60


# Logs -----------------------------------------------------------------------------------------


def frozen(rows: list[Row]) -> str | None:
    """Why a table of this log is frozen; ``refused`` where there is no table at all."""

    async def run() -> str | None:
        store = Unchecked()
        store._tables[TABLE] = rows
        try:
            table = await Table.load(TABLE, dependencies(store, rows[-1].at_ms + 1, 1))
        except ValueError:
            return "refused"
        assert table is not None
        await table.stop()
        return table.frozen

    return asyncio.run(run())


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [*rows_of(story("wiki", "3", "log", style="eager").steps)]


async def test_others_have_their_turn_while_a_log_replays(
    rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table that has run for long holds nobody up."""
    replayed = 0

    def counted(*given: Any) -> Any:
        nonlocal replayed
        replayed += 1
        return applied(*given)

    monkeypatch.setattr("okey101.server.tables.replayed.applied", counted)
    store = await filled(rows)
    loading = asyncio.create_task(Table.load(TABLE, dependencies(store, rows[-1].at_ms, 1)))
    seen = [0]
    while not loading.done():
        await asyncio.sleep(0)
        seen.append(replayed)
    assert replayed >= len(rows) - 1 > 100
    assert max(after - before for before, after in pairwise(seen)) <= 8
    table = loading.result()
    assert table is not None
    await table.stop()


def test_a_log_that_lacks_a_row_or_has_two_exchanged_freezes(rows: list[Row], size: Size) -> None:
    rng = random.Random(8)
    for number in {1, len(rows) - 2} | set(rng.sample(range(1, len(rows) - 1), size(8, long=40))):
        assert frozen([*rows[:number], *rows[number + 1 :]]) is not None
        exchanged = [*rows[:number], rows[number + 1], rows[number], *rows[number + 2 :]]
        assert frozen(exchanged) is not None
    assert frozen(rows[1:]) == "refused"
    assert frozen([*rows, rows[-1]]) is not None
