"""The checker of histories finds each planted fault, and none in a history that is true."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from faults.audit import Audit, Mark, Seen, copied, put_rows
from faults.cluster_storm import storm as cluster_storm
from faults.storm import SETTINGS, Storm
from okey101.errors import OkeyError
from okey101.game import parse_action
from okey101.server.protocol import TableOptions, checked_options, client_messages as ask
from okey101.server.settings import load_settings
from okey101.server.store.base import Row
from okey101.server.tables import log_entries as log
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.reduce import applied, reduce
from okey101.server.tables.registry import Tables
from okey101.server.tables.rows import SteadyTexts, read_first, row_of
from okey101.server.tables.state import TableState
from postgres import Postgres
from server.live import LiveServer, changed
from server.store.memory import MemoryStore


class History(NamedTuple):
    """A table's rows, and what those who played there were told."""

    rows: list[Row]
    acknowledged: dict[Mark, int]
    refused: dict[Mark, str]
    seen: list[Seen]
    names: dict[str, str]

    def entries(self) -> list[log.Entry]:
        return [log.read_entry(row.entry) for row in self.rows]

    def problems(self, rows: Sequence[Row], folder: Path) -> list[str]:
        """What the checker says of these rows in place of the true ones."""
        put_rows(folder, rows)
        audit = Audit(self.names)
        audit.read(folder, self.seen)
        audit.check(self.acknowledged, self.refused, [self.rows[0].table])
        return audit.problems

    def at(self, which: Callable[[log.Entry], bool] = lambda _: True, nth: int = 0) -> int:
        """Where an acknowledged command of that kind is, among the rows."""
        marks = {(mark.user, mark.rid) for mark in self.acknowledged}
        found = [
            n for n, entry in enumerate(self.entries())
            if (getattr(entry, "user", None), getattr(entry, "rid", None)) in marks
            and which(entry)
        ]  # fmt: skip
        return found[nth]


@pytest.fixture(scope="module")
def history() -> History:
    """A short match of two people and two bots on a server."""
    fast: dict[str, Any] = SETTINGS | {"bot_delay_ms": 0, "deal_pause_s": 0, "first_deal_wait_s": 1}
    with LiveServer(None, **fast) as server:
        storm, players = asyncio.run(_match(server))
        assert server.stop() == 0
        with copied(server.data) as conn:
            sql = "SELECT table_id, seq, at_ms, entry, rules_version, state_hash, last FROM {}"
            rows = [
                Row._make((*values[:6], bool(values[6])))
                for name in ("archive", "log")
                for values in conn.execute(sql.format(name))
                if values[0]
            ]
    rows.sort(key=lambda row: row.seq)
    return History(rows, storm.notes.acknowledged, storm.notes.refused, players, storm.names)


async def _match(server: LiveServer) -> tuple[Storm, list[Seen]]:
    storm = Storm(server, 1, 3, 1)
    await storm.gather(4)
    storm.notes.up.set()
    keeper = asyncio.create_task(storm._keep())
    while not storm.parties:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    storm.playing = False
    (party,) = storm.parties.values()
    await keeper
    await storm._http.aclose()
    assert storm.notes.problems == []
    return storm, [player.seen for player in party.players]


def states(rows: Sequence[Row]) -> list[TableState]:
    found = [read_first(rows[0])]
    for row in rows[1:]:
        found.append(reduce(found[-1], log.read_entry(row.entry), row.at_ms))
    return found


def following(state: TableState, entries: Sequence[log.Entry]) -> list[Row]:
    """Rows that go on from a state as a server would write them."""
    rows = []
    for entry in entries:
        kept, state = applied(state, entry, state.at_ms + 1)
        rows.append(row_of(state, kept, SteadyTexts()))
    return rows


def by_person(entry: log.Entry) -> bool:
    return isinstance(entry, log.Acted)


def has(words: str, problems: Sequence[str]) -> bool:
    return any(words in problem for problem in problems)


def test_a_true_history_has_no_problems(history: History, tmp_path: Path) -> None:
    assert history.problems(history.rows, tmp_path) == []
    assert len(history.acknowledged) > 10


def test_a_command_that_is_written_twice_is_found(history: History, tmp_path: Path) -> None:
    """Both rows are such as a server writes: only what marks them tells."""
    first = history.at(by_person)
    entries = history.entries()
    acted = entries[first]
    assert isinstance(acted, log.Acted)
    second = next(
        n for n, entry in enumerate(entries[first + 1 :], first + 1)
        if isinstance(entry, log.Acted) and entry.user == acted.user
    )  # fmt: skip
    entries[second] = msgspec.structs.replace(entries[second], rid=acted.rid, digest=acted.digest)
    before = states(history.rows)[second - 1]
    rows = [*history.rows[:second], *following(before, entries[second:])]
    assert has(f"is in rows {first + 1} and {second + 1}", history.problems(rows, tmp_path))


def test_rows_that_are_not_what_people_were_told_are_found(
    history: History, tmp_path: Path
) -> None:
    """Lost at the end or in the middle, another end that is whole in itself, a refused command."""
    rows, found = history.rows, states(history.rows)
    end, middle, late = history.at(nth=-1), history.at(by_person), history.at(by_person, nth=-1)
    seen = max(one.model.seq for one in history.seen)
    lied = history._replace(refused={next(iter(history.acknowledged)): "not-your-turn"})

    def closed(at: int) -> list[Row]:
        return [*rows[:at], *following(found[at - 1], [log.Closed(why="admin")])]

    for number, (told, kept, words) in enumerate([
        (history, rows[:end], f"was acknowledged as row {end + 1}: lost"),
        (history, rows[:end], "was told of row"),
        (history, [*rows[:middle], *rows[middle + 1 :]],
         f"row {middle + 2} of {rows[0].table} follows row {middle}"),
        (history, closed(late), f"was acknowledged as row {late + 1}: lost"),
        (history._replace(acknowledged={}, refused={}), closed(seen - 1), "knows another row"),
        (lied, rows, "was refused (not-your-turn), and is in the log"),
    ]):  # fmt: skip
        (folder := tmp_path / str(number)).mkdir()
        assert has(words, told.problems(kept, folder)), words


def test_a_row_after_another_than_its_own_is_found(history: History, tmp_path: Path) -> None:
    """Who wrote it had another row before it, which the fence would have told."""
    found = states(history.rows)
    place = history.at(by_person, nth=2)
    entry = history.entries()[place]
    assert isinstance(entry, log.Acted)
    before = found[place - 1]
    assert before.deal is not None
    other = next(
        action for action in before.deal.legal_actions()
        if str(action) not in map(str, entry.actions)
    )  # fmt: skip
    instead = msgspec.structs.replace(entry, actions=(parse_action(str(other)),))
    _, stale = applied(before, instead, before.at_ms)
    assert stale.deal is not None
    action = next(iter(stale.deal.legal_actions()))
    after = log.Acted(seat=stale.deal.turn, actions=(action,), by="clock")
    rows = [*history.rows[: place + 1], *following(stale, [after])]
    problems = history.problems(rows, tmp_path)
    where = f"row {place + 2} of {rows[0].table}"
    assert has(f"{where}: the state differs", problems) or has(f"{where} can't follow", problems)


# A fence left out ---------------------------------------------------------------------------------


class Unfenced(MemoryStore):
    """Takes whatever row comes in the place that it names."""

    def _put(self, row: Row) -> None:
        rows = self._tables.setdefault(row.table, [])
        rows[row.seq - 1 :] = [*([row] if len(rows) < row.seq else [row, *rows[row.seq :]])]
        self.log = [one for some in self._tables.values() for one in some]


@pytest.mark.parametrize("store", [MemoryStore(), Unfenced()], ids=["fenced", "unfenced"])
async def test_two_owners_without_a_fence_are_found(store: MemoryStore, tmp_path: Path) -> None:
    """One was paused and goes on as if nothing had happened while the other keeps the table."""
    one, two = (
        Tables(Dependencies(store=store, now_ms=lambda: 1_800_000_000_000), load_settings())
        for _ in range(2)
    )
    stale = await one.create("u0", checked_options(TableOptions()))
    await two.bring_back()
    table = await two.get(stale.state.table)
    told: dict[Mark, int] = {}
    for owner, user, seat in ((table, "u1", 1), (table, "u2", 2), (stale, "u3", 1)):
        command = ask.Sit(rid=f"sits-{user}", seat=seat)
        try:
            seq = await owner.command(user, command)
        except OkeyError:
            continue  # it was told that the seat is another's
        told[Mark(stale.state.table, user, command.rid)] = seq
    for tables in (one, two):
        await tables.drain()
    put_rows(tmp_path, store.log)
    audit = Audit({})
    audit.read(tmp_path)
    audit.check(told, {}, [])
    if type(store) is MemoryStore:
        assert audit.problems == []
    else:
        assert has("was acknowledged as row 2: lost", audit.problems)
        assert has("row 3", audit.problems)


@pytest.mark.long
def test_nodes_without_a_fence_are_found(postgres: Postgres) -> None:
    """A node that was paused goes on to write, and believes that it may."""
    program = changed("unfenced")
    words = ("lost", "differs", "follow")
    for seed in range(5):
        tally = cluster_storm(postgres, ["node paused"] * 2, program=program, seed=seed)
        if any(word in problem for problem in tally.problems for word in words):
            return
    pytest.fail("the fence was left out, and nobody noticed")
