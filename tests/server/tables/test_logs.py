"""Logs: hashes of states, kept and damaged ones, what may change nothing, and their records."""

import asyncio
import json
import os
import pickle
import random
import sys
from collections import Counter
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest

from conftest import Patch, Size, ran_python, unwrap
from okey101.game import Deal, RuleSet
from okey101.game.public import Draft
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.options import SpectatorMode, TableOptions
from okey101.server.protocol.views import Called
from okey101.server.settings import load_settings
from okey101.server.store.base import Row
from okey101.server.store.lost import Loss
from okey101.server.tables import broadcast, log_entries as log, rows as digests, serialise
from okey101.server.tables.broadcast import ResumeTokens
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.finished_deals import FinishedDeal
from okey101.server.tables.log_check import matches_begun, matches_in, tables_of
from okey101.server.tables.match_record import match_record, shown_from_ms
from okey101.server.tables.reduce import reduce
from okey101.server.tables.registry import Tables
from okey101.server.tables.rows import (
    MOST_CHANGES_EACH,
    LeftBehind,
    followed,
    read_first,
    state_hash,
)
from okey101.server.tables.state import Heard, Round, Stage, TableState, changed
from okey101.server.tables.table import Table
from server.accounts.people import code_of
from server.protocol.test_messages import checked
from server.simulation import World, live, simulate
from server.store.memory import MemoryStore
from server.tables.golden_logs import GOLDEN, from_line
from server.tables.table_stories import TABLE, Story, filled, rows_of, story, table_options
from server.tables.twins import Screen, Unchecked, brought_back, dependencies

# Hashes ---------------------------------------------------------------------------------------


def variants(state: TableState) -> dict[str, TableState]:
    """States that differ from this one in one part."""
    deal = unwrap(state.deal)
    swapped = (deal.hands[1], deal.hands[0], *deal.hands[2:])
    backwards = replace(deal.layout, stock=deal.layout.stock[::-1])
    played = (*state.played, state.played[0])
    last = state.played[-1]
    ended_by_another = last._replace(actors=(*last.actors[:-1], "bot:nobody"))
    found: dict[str, dict[str, object]] = {
        "table": {"table": "another"},
        "options": {"options": msgspec.structs.replace(state.options, phrases=False)},
        "owner": {"owner": "u3"},
        "salt": {"salt": "another"},
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
        "day": {"day": log.Day(date="2026-11-26", secrets=("5e" * 32,), closes_ms=5)},
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
    found = {"": state} | variants(state)
    assert {*TableState.__struct_fields__} - {"rules"} <= set(found)  # they stand in the options
    hashes = {name: state_hash(other) for name, other in found.items()}
    times = Counter(hashes.values())
    assert not [name for name, one in hashes.items() if times[one] > 1]


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
    for seed in ("1", "77"):
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        found.add(ran_python("-c", SCRIPT, env=env).stdout)
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
        await unwrap(table).stop()
        return unwrap(table).frozen

    return asyncio.run(run())


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [*rows_of(story("wiki", "3", "log", style="eager").steps)]


async def test_others_have_turns_while_a_log_replays(rows: list[Row], monkeypatch: Patch) -> None:
    """A table that has run for long holds nobody up."""
    replayed = Mock(side_effect=followed)
    monkeypatch.setattr("okey101.server.tables.table.followed", replayed)
    store = await filled(rows)
    loading = asyncio.create_task(Table.load(TABLE, dependencies(store, rows[-1].at_ms, 1)))
    seen = [0]
    while not loading.done():
        await asyncio.sleep(0)
        seen.append(replayed.call_count)
    assert replayed.call_count >= len(rows) - 1 > 100
    assert max(after - before for before, after in pairwise(seen)) <= 8
    table = unwrap(loading.result())
    await table.renamed("u0")
    events = table.audience._past._events  # written at once: else each would keep its state
    assert all(isinstance(event.told, bytes) for event in events)
    await table.stop()


def test_a_log_that_lacks_a_row_or_has_two_exchanged_freezes(rows: list[Row], size: Size) -> None:
    rng = random.Random(8)
    for number in {1, len(rows) - 2} | set(rng.sample(range(1, len(rows) - 1), size(8, long=40))):
        before, one, other, after = rows[:number], *rows[number : number + 2], rows[number + 2 :]
        assert frozen([*before, other, *after]) is not None
        assert frozen([*before, other, one, *after]) is not None
    assert frozen(rows[1:]) == "refused"
    assert frozen([*rows, rows[-1]]) is not None


# Golden logs -------------------------------------------------------------------------------------

LOGS = sorted(GOLDEN.glob("*.jsonl"))
NAMES = [path.stem for path in LOGS]


def rows_in(path: Path) -> list[Row]:
    return [from_line(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_replays_to_its_hashes(path: Path) -> None:
    kept = rows_in(path)
    state = read_first(kept[0])
    assert state_hash(state) == kept[0].state_hash
    for row in kept[1:]:
        state = reduce(state, log.read_entry(row.entry), row.at_ms)
        assert state_hash(state) == row.state_hash, row.seq
    assert state.stage is Stage.OVER
    # The table shows every rule that it plays by.
    state = read_first(rows_in(path)[0])
    options = serialise.table_view(state, Called)["options"]
    assert isinstance(options, TableOptions)
    shown = {name: options.rules[name] for name in (field.name for field in fields(RuleSet))}
    assert shown == {name: getattr(state.rules, name) for name in shown}
    assert options.rules["preset"] == path.stem


@pytest.mark.parametrize("path", LOGS, ids=NAMES)
def test_an_open_table_is_played_on_and_closed(path: Path) -> None:
    """Cut off in the middle, as by an upgrade; nobody comes back, so bots end it."""
    kept = rows_in(path)
    ended: list[TableState] = []
    cut = next(n for n, row in enumerate(kept) if row.seq > 60 and b'"act"' in row.entry)
    store = asyncio.run(filled(kept[:cut]))

    async def life() -> None:
        start = kept[cut - 1].at_ms
        closed = asyncio.Event()
        loop = asyncio.get_running_loop()
        deps = Dependencies(
            store=store,
            now_ms=lambda: start + int(loop.time() * 1000),
            on_match=ended.append,
            on_closed=lambda _: closed.set(),
        )
        assert unwrap(await Table.load(TABLE, deps)).frozen is None
        await closed.wait()

    simulate(life, 1)
    rows = store.log
    assert len(rows) > len(kept[:cut]) + 5
    assert rows[-1].last
    assert ended
    assert ended[-1].counted == ended[-1].options.deals


@pytest.mark.parametrize("text", ["", "1", "1:00", "0:00", "99:0011", "x:00", "²:00", ":", "2"])
def test_what_is_no_hash_agrees_with_nothing(text: str) -> None:
    assert state_hash(read_first(rows_in(LOGS[0])[0])) != text


def test_a_row_of_a_newer_state_freezes_and_says_so() -> None:
    kept = rows_in(LOGS[0])[:20]
    newer = kept[-1]._replace(state_hash=f"{digests.STATE_VERSION + 1}:{'0' * 16}")
    assert frozen([*kept[:-1], newer]) == "row 20: newer-state"


async def test_a_table_that_differs_keeps_the_deals_it_agrees_on() -> None:
    """In the middle of the second deal: its players still find the first among their matches."""
    kept = rows_in(LOGS[0])
    second = [n for n, row in enumerate(kept) if b'"kind":"deal"' in row.entry][1]
    ended: list[TableState] = []
    other = kept[second + 4]._replace(state_hash="1:" + "0" * 16)
    store = await filled([*kept[: second + 4], other])
    deps = Dependencies(store=store, now_ms=lambda: kept[second].at_ms, on_match=ended.append)
    table = unwrap(await Table.load(TABLE, deps))
    assert table.frozen == f"row {second + 5}: state-differs"
    screen = Screen("u0")
    table.attach(screen)
    await table.stop()
    [state] = ended
    assert len(state.played) == 1
    assert state.seq == second + 4
    assert screen.messages[-1] == {"type": "frozen", "code": "table-frozen"}
    checked(screen.got[-1])


# Rows that change nothing ------------------------------------------------------------------------


async def toggle(world: World, user: str, times: int) -> str | None:
    """Be ready and not, that often; the code of the last answer."""
    code: str | None = None
    for n in range(times):
        code = await world.send(user, ask.Ready(rid=world.rid(), on=n % 2 == 0))
    return code


@live("waiting", there=True)
async def test_a_person_who_fidgets_is_stopped_and_may_still_leave(world: World) -> None:
    assert await toggle(world, "u2", MOST_CHANGES_EACH - 1) is None
    rows = len(world.store.log)
    assert await toggle(world, "u2", 5) == "too-many-changes"
    assert len(world.store.log) <= rows + 1
    assert await toggle(world, "u3", 1) is None  # others are not concerned
    assert await world.send("u2", ask.Leave(rid=world.rid())) is None
    assert await world.send("u2", ask.Sit(rid=world.rid())) == "too-many-changes"


@live("waiting", there=True, people=1)
async def test_a_match_that_begins_ends_the_count(world: World) -> None:
    owner = world.table.state.owner
    assert await toggle(world, owner, MOST_CHANGES_EACH + 2) == "too-many-changes"
    assert await world.send(owner, ask.Start(rid=world.rid())) is None
    assert world.table.state.stage is Stage.DEALING
    assert await toggle(world, owner, 1) is None


@live("waiting", there=True)
async def test_a_table_that_is_loaded_counts_as_before(world: World) -> None:
    """And a new name is known without a row where there are too many."""
    await toggle(world, "u2", MOST_CHANGES_EACH + 2)
    rows = len(world.store.log)
    await world.table.renamed("u2")
    await asyncio.sleep(0)
    assert len(world.store.log) == rows
    await world.restart("stop")
    for name in world.table.state.people:
        world.connect(name)
    assert await toggle(world, "u2", 1) == "too-many-changes"


def test_a_crowd_has_an_allowance_together() -> None:
    left, state = LeftBehind(), Story(table_options("altinstar", "2"), "a crowd").state
    for n in range(digests.MOST_CHANGES):
        left.take(state, state, log.ReadySet(user=f"guest {n}"))
    assert left.spent(log.Sat(user="somebody", seat=1))
    assert not left.spent(log.Left(user="somebody"))
    assert not left.spent(log.Started(user="somebody", secret="00"))
    left.take(state, state, log.Started(user="somebody", secret="00"))
    assert not left.spent(log.Sat(user="somebody", seat=1))


def two_at_a_table() -> Story:
    """A match of two people that is over; then one leaves, and somebody else sits down."""
    told = story("altinstar", "2", "who played", style="eager")
    assert told.state.stage is Stage.OVER
    assert told.state.people == ("u0", "u1")
    return told


def players(table: Table) -> list[str]:
    shown = table.state
    record = match_record(shown, str.upper, table.left.players(shown)).to_dict()
    found = record["players"]
    assert isinstance(found, list)
    return found


async def test_the_record_names_those_who_played() -> None:
    """Who has left sits at no table all the same."""
    told = two_at_a_table()
    told.add(log.Left(user="u1"))
    store = await filled([*rows_of(told.steps)])
    assert [await tables_of(store, user) for user in ("u0", "u1")] == [[TABLE], []]
    told.add(log.Sat(user="u7", seat=1))
    assert told.state.people == ("u0", "u7")
    table = await brought_back(told)
    assert players(table) == ["U0", "U1"]


def test_while_a_match_is_played_the_record_names_those_who_sit_there() -> None:
    told = Story(table_options("altinstar", "2", deals=1), "another seat")
    told.fill()
    told.add(log.Started(user="u0", secret=told.secret()))
    left = LeftBehind()
    for before, after in zip(told.steps, told.steps[1:], strict=False):
        left.take(before.state, after.state, after.entry)
    assert left.players(told.state) == told.state.seats


def test_every_match_has_its_own_players() -> None:
    told = two_at_a_table()
    left = LeftBehind()
    taken = [told.steps[0].state]

    def tell() -> None:
        for step in told.steps[len(taken) :]:
            left.take(taken[-1], step.state, step.entry)
            taken.append(step.state)

    first = told.state
    told.rematch()
    told.match("eager")
    second = told.state
    told.add(log.Left(user="u1"))
    tell()
    assert second.match == 2
    rows = [*rows_of(told.steps)]
    assert matches_in(rows) == [first, second]
    assert (matches_begun(rows), matches_begun(rows[1 : first.seq])) == (2, 1)
    assert left.players(told.state) == second.seats
    assert left.players(first) == first.seats


def test_the_players_of_the_last_64_matches_are_known() -> None:
    told = Story(table_options("altinstar", "2", deals=1), "many matches")
    told.fill()
    told.match("eager")
    left = LeftBehind()
    for number in range(1, 66):
        over = changed(told.state, match=number)
        left.take(changed(over, stage=Stage.PLAYING), over, log.Restarted())
        assert [*left.history] == [*range(max(1, number - 63), number + 1)]


@pytest.mark.parametrize(
    ("mode", "later"), [("live", 0), ("deal", 0), ("off", 0), ("delayed", 90_000)]
)
def test_a_match_is_shown_to_others_after_the_delay(mode: SpectatorMode, later: int) -> None:
    told = story("altinstar", "2", f"shown {mode}", style="eager", spectators=mode, delay=90)
    over: TableState = told.state
    assert shown_from_ms(over) == over.at_ms + later


# Finished deals take little memory -------------------------------------------------------------


def test_of_a_long_match_only_the_last_deal_is_kept_as_objects() -> None:
    """A hundred deals took 4.3 MB for each table."""
    told = Story(table_options("altinstar", "4", deals=6), "a long match")
    told.fill()
    told.match()
    after = zip(told.steps, told.steps[1:], strict=False)
    ends = [new.state for old, new in after if len(new.state.played) > len(old.state.played)]
    whole = [state.played[-1].deal.whole for state in ends]
    assert len(whole) >= 6
    kept = [played.deal for played in told.state.played]
    assert [deal.whole for deal in kept] == whole
    assert [deal.result for deal in kept] == [deal.result for deal in whole]
    for packed, deal in zip(kept[:-1], whole[:-1], strict=True):
        assert packed._deal is None
        assert len(packed.data) < len(pickle.dumps(deal)) < 20_000
        assert len(packed.data) < 4_000
        assert packed == FinishedDeal.of(deal)
        assert str(deal.rack(0)) not in repr(packed)


# Rows that a log lacks --------------------------------------------------------------------------


KEY = bytes(range(32))


def dealt() -> Story:
    made = Story(table_options("altinstar", "4"), "losses")
    made.begin()
    for _ in range(6):
        made.move()
    return made


def dealing() -> Story:
    made = dealt()
    made.play()
    made.commit()
    assert made.state.stage is Stage.DEALING
    return made


def test_where_nothing_is_played_nothing_is_thrown_away() -> None:
    waiting = Story(table_options("altinstar", "4"), "losses").state
    told = log.Abandoned(why="log-truncated", secret="ab" * 32)
    after = reduce(waiting, told, waiting.at_ms + 5)
    assert after == changed(waiting, seq=after.seq, at_ms=after.at_ms)


# Heads ----------------------------------------------------------------------------------------


def test_only_this_servers_heads_count() -> None:
    resume_tokens = ResumeTokens(KEY)
    head = resume_tokens.of("t", 7, 2, "3:abc")
    assert len(head) == 34
    assert resume_tokens.loss_of("t", 7, head) == 2
    assert resume_tokens.loss_of("t", 8, head) is None
    assert resume_tokens.loss_of("u", 7, head) is None
    assert resume_tokens.loss_of("t", 7, "3" + head[1:]) is None
    assert ResumeTokens(KEY[::-1]).loss_of("t", 7, head) is None
    for bad in ("", ".", "2.", head[:-1], head + "A", "2.????", "-1" + head[1:], "٢" + head[1:]):
        assert resume_tokens.loss_of("t", 7, bad) is None
    assert resume_tokens.of("t", 7, 2, "3:abd") != head


# Tables ---------------------------------------------------------------------------------------


class Cut:
    """A server whose log is that of a story, cut off after some rows."""

    def __init__(self, rows: list[Row], **changes: Any) -> None:
        self.rows = rows
        self.lost: list[tuple[str, int, int]] = []
        self.changes: dict[str, Any] = {
            "resume_tokens": ResumeTokens(KEY), "on_lost": lambda *lost: self.lost.append(lost),
        } | changes  # fmt: skip

    async def loaded(self, until: int) -> tuple[Table, MemoryStore]:
        store = await filled(self.rows[:until])
        deps = replace(dependencies(store, self.rows[-1].at_ms, 1), **self.changes)
        table = unwrap(await Table.load(TABLE, deps))
        assert table.frozen is None
        return table, store


async def settled(table: Table) -> None:
    while running := table._tasks._running:
        await asyncio.gather(*running)


async def comes(table: Table, screen: Screen, seq: int, head: str | None) -> None:
    """Somebody who knows a row, as a socket comes."""
    await table.catch_up(seq, head)
    table.attach(screen, seq, head)


def entries(store: MemoryStore, after: int) -> list[str]:
    return [json.loads(row.entry)["kind"] for row in store.log[after:]]


ROWS = list(rows_of(dealt().steps))


async def head_at(seq: int) -> str:
    """What a client was told with a row, before the log lost it."""
    table, _ = await Cut(ROWS).loaded(len(ROWS))
    await table.stop()
    return unwrap(table.audience.head_of(seq))


async def test_views_events_and_resumed_bring_the_head() -> None:
    table, _ = await Cut(ROWS).loaded(len(ROWS))
    first, again = Screen("u0"), Screen("u0")
    table.attach(first)
    seq = table.state.seq
    await table.kick(1)
    table.attach(again, seq, first.messages[0]["head"])
    events = {m["type"]: m.get("head") for m in first.messages + again.messages}
    assert events["view"]
    assert events["event"] == events["resumed"] == table.audience.head
    await settled(table)


async def test_a_client_that_is_ahead_voids_the_deal_with_words() -> None:
    world = Cut(ROWS)
    head = await head_at(len(ROWS))
    cut = len(ROWS) - 3
    table, store = await world.loaded(cut)
    screen = Screen("u0")
    await comes(table, screen, len(ROWS), head)
    await settled(table)
    assert table.state.stage is Stage.DEALING
    assert world.lost == [(TABLE, cut + 1, len(ROWS))]
    assert entries(store, cut) == ["restart", "abandon"]
    (view,) = screen.messages  # nothing of before is shown, which would look like a lie
    assert (view["seq"], view["deal"]) == (cut + 2, None)
    assert view["table"]["round"]["abandoned"][0]["reason"] == "log-truncated"
    # Once is enough: neither this client nor another one can have the next deal thrown away.
    for user in ("u0", "u1"):
        await comes(table, Screen(user), len(ROWS), head)
    await settled(table)
    assert entries(store, cut) == ["restart", "abandon"]


async def test_rows_that_are_lost_right_after_a_loss_was_told_are_a_loss_of_their_own() -> None:
    world = Cut(ROWS)
    table, store = await world.loaded(len(ROWS) - 3)
    await comes(table, Screen("u0"), len(ROWS), await head_at(len(ROWS)))
    await settled(table)
    end, told = table.state.seq, table.left.loss_ms
    await comes(table, Screen("u0"), end + 2, ResumeTokens(KEY).of(TABLE, end + 2, told, "1:abc"))
    await settled(table)
    assert world.lost[-1] == (TABLE, end, end + 2)
    assert entries(store, end) == ["abandon"]


async def test_rows_written_since_do_not_hide_the_loss() -> None:
    """The log lost its end, went on, and is longer by now than what the client knows."""
    world = Cut(ROWS)
    cut = len(ROWS) - 3
    head = await head_at(cut + 1)
    table, store = await world.loaded(cut)
    await table.kick(2)
    await table.kick(3)
    await comes(table, Screen("u0"), cut + 1, head)
    await settled(table)
    assert entries(store, cut)[-1] == "abandon"


@pytest.mark.parametrize("kept", [256, 1])
async def test_who_comes_after_the_loss_was_told_is_shown_the_table_anew(
    kept: int, monkeypatch: Patch
) -> None:
    """The row it knows is of what was lost, though the log is longer by now, perhaps by far."""
    head = await head_at(len(ROWS))
    monkeypatch.setattr(broadcast, "_KEPT_EVENTS", kept)
    table, store = await Cut(ROWS).loaded(len(ROWS) - 3)
    await comes(table, Screen("u0"), len(ROWS), head)
    await settled(table)
    for seat in (2, 3):
        await table.kick(seat)
    assert table.state.seq > len(ROWS)
    late = Screen("u1")
    await comes(table, late, len(ROWS), head)
    assert late.messages[0]["type"] == "view"
    await settled(table)
    assert entries(store, len(ROWS) - 3).count("abandon") == 1


async def test_who_played_on_a_copy_that_was_put_away_again_is_shown_the_table_anew() -> None:
    """A copy is put back and played on, then a newer one: its rows are gone, and that is told.

    By another number, too: deals with other promises are a lie where no loss was told since.
    """
    older, newer = len(ROWS) - 3, len(ROWS)
    first, _ = await Cut(ROWS, lost={TABLE: Loss("restored", older)}).loaded(older)
    await first.kick(2)
    head = unwrap(first.audience.head)
    seq = first.state.seq
    await first.stop()
    later = ROWS[-1].at_ms + 60_000
    world = Cut(ROWS, lost={TABLE: Loss("restored", newer)}, now_ms=lambda: later)
    table, store = await world.loaded(newer)
    assert seq < table.state.seq
    screen = Screen("u0")
    await comes(table, screen, seq, head)
    assert screen.messages[0]["type"] == "view"
    assert screen.messages[0]["head"].partition(".")[0] != head.partition(".")[0]
    await settled(table)
    assert not world.lost
    assert entries(store, newer).count("abandon") == 1


@pytest.mark.parametrize("head", ["0.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "nonsense", ""])
async def test_nobody_voids_a_deal_with_a_head_made_up(head: str) -> None:
    world = Cut(ROWS)
    table, store = await world.loaded(len(ROWS))
    await comes(table, Screen("u0"), len(ROWS) + 50, head)
    other = ResumeTokens(bytes(32)).of(TABLE, len(ROWS) + 50, 0, "3:0")
    await comes(table, Screen("u1"), len(ROWS) + 50, other)
    await settled(table)
    assert entries(store, len(ROWS)) == ["restart"]
    assert not world.lost


async def test_a_client_that_is_up_to_date_or_behind_resumes() -> None:
    table, store = await Cut(ROWS).loaded(len(ROWS))
    for back in (0, 1, 3):
        seq = table.state.seq - back
        screen = Screen("u0")
        await comes(table, screen, seq, table.audience.head_of(seq))
        assert screen.messages[-1]["type"] == "resumed"
    await settled(table)
    assert entries(store, len(ROWS)) == ["restart"]


@pytest.mark.parametrize("why", ["log-truncated", "restored"])
async def test_a_loss_that_the_start_found_voids_the_deal_once(why: Any) -> None:
    world = Cut(ROWS, lost={TABLE: Loss(why, len(ROWS))})
    table, store = await world.loaded(len(ROWS))
    assert entries(store, len(ROWS)) == ["abandon"]
    assert json.loads(store.log[-1].entry)["why"] == why
    assert table.state.stage is Stage.DEALING
    await table.stop()
    world.rows = [*store.log]
    _, store = await world.loaded(len(world.rows))
    assert entries(store, len(world.rows)) == ["restart"]


async def test_a_start_goes_on_with_the_round_that_is_being_prepared() -> None:
    """Fall 4: a start that throws a round away would let its tiles be shuffled again."""
    rows = list(rows_of(dealing().steps))
    seen = set()
    for _ in range(2):  # the same files twice: copied by hand, say
        store = await filled(rows)
        table = unwrap(await Table.load(TABLE, Dependencies(store=store, now_ms=lambda: 1)))
        seen.add(table.state.commitment)
        await table.stop()
    assert len(seen) == 1


async def test_a_table_that_is_gone_is_no_404_for_those_who_know_it() -> None:
    lost = {"gone": Loss("log-truncated", 0), "cut": Loss("log-truncated", 1)}
    world = Cut(ROWS, lost=lost)
    deps = replace(dependencies(await filled(ROWS), ROWS[-1].at_ms, 1), **world.changes)
    tables = Tables(deps, load_settings())
    await tables.bring_back()
    await tables.wait_back()

    async def code(table: str, seq: int, head: str) -> str:
        known = await code_of(tables.get(table))
        return known if known != "no-table" else await code_of(told(table, seq, head)) or known

    told = tables.require_never_told
    resume_tokens = ResumeTokens(KEY)
    assert await code("gone", 1, "") == "log-truncated"
    assert await code("cut", 2, "") == "no-table"
    assert await code("another", 9, resume_tokens.of("another", 9, 0, "3:0")) == "log-truncated"
    assert await code("another", 9, resume_tokens.of("another", 8, 0, "3:0")) == "no-table"
    assert await code("another", 9, "made up") == "no-table"
    assert world.lost == [("another", 0, 9)]
    last = (await deps.store.read(TABLE))[-1].seq
    for seq, refused in ((last, ""), (last + 1, "log-truncated")):
        assert await code_of(told(TABLE, seq, resume_tokens.of(TABLE, seq, 0, "3:0"))) == refused
