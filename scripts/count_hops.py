"""Count what one discard takes in the server: ``python scripts/count_hops.py``.

Four people play at a table whose log is a SQLite file. Every call into a file of this project is
counted, from the text of the tenth discard to the last of the four sends; the thread that writes
the file is not, nor what carries bytes to and from the sockets. The same is done for the action
that ends the deal. ``make_docs.py`` writes the figures into ``docs/en/architecture.md``.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import okey101
from okey101.game import Phase, options_of
from okey101.game.fair.rounds import seat_commitment
from okey101.server.protocol.client_messages import Logged, digest_of, read_message
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.store.sqlite import SqliteStore
from okey101.server.tables import log_entries as log
from okey101.server.tables.dependencies import Dependencies
from okey101.server.tables.table import Table
from okey101.server.web.socket import Outbox
from okey101.tiles import TILES

ROOT = str(Path(okey101.__file__).parent)
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


class Count:
    """The calls of a stretch of work: all, those from one file into another, and the files."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.hops = self.calls = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Take a call that ``sys.setprofile`` reports."""
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(ROOT) or frame.f_code.co_name in COMPREHENSIONS:
            return
        back = frame.f_back
        while back is not None and not back.f_code.co_filename.startswith(ROOT):
            back = back.f_back
        self.files.add(file)
        self.calls += 1
        self.hops += back is None or back.f_code.co_filename != file

    def __str__(self) -> str:
        return f"{len(self.files)} files, {self.hops} calls between them, {self.calls} in all"


class Person:
    """One of the four, who reads everything at once."""

    def __init__(self, user: str) -> None:
        self.user: str | None = user
        self.options = True
        self.muted: set[str] = set()
        self.outbox = Outbox(self._late, self._closed, _nothing, _nothing, _sent)

    async def _late(self, _: str) -> None: ...

    async def _closed(self, _: int, __: str) -> None: ...

    def send(self, data: bytes) -> None:
        """Take a message."""
        self.outbox.put(data)

    def close(self, code: int, reason: str) -> None:
        """Nobody is sent away here."""


def _nothing() -> None:
    return None


def _sent(_: Sequence[bytes]) -> bool:
    return True


class Match:
    """A table with four people, who draw and discard and do nothing else."""

    def __init__(self, table: Table, people: list[Person]) -> None:
        self.table = table
        self.people = people
        self._rids = itertools.count()

    async def say(
        self, person: Person, kind: str, count: Count | None = None, **fields: str
    ) -> None:
        """Send a command, counting its calls where asked to."""
        text = json.dumps({"type": kind, "rid": f"r{next(self._rids)}", **fields})
        sys.setprofile(count)
        try:
            message = read_message(text)
            assert isinstance(message, Logged)
            assert person.user is not None
            digest = digest_of(message)
            await self.table.command(
                person.user, message, lambda _: person.outbox.hold(b"{}"), digest
            )
            person.outbox.flush()
        finally:
            sys.setprofile(None)

    async def begin(self) -> None:
        """Sit down, get ready, and wait until the tiles are dealt."""
        owner = self.people[0]
        for person in self.people:
            self.table.attach(person)
            if person is not owner:
                await self.say(person, "sit")
                await self.say(person, "ready")
        await self.say(owner, "start")
        state = self.table.state
        for seat, user in enumerate(state.sitting):
            assert state.commitment is not None
            promise = seat_commitment(b"\x5e" * 32, state.commitment, *state.context, seat)
            person = next(p for p in self.people if p.user == user)
            await self.say(person, "commit", commitment=promise)
        while not self.table.state.shown:  # noqa: ASYNC110  # the table tells its viewers alone
            await asyncio.sleep(0.02)
        for person in self.people:
            await self.say(person, "reveal", random="5e" * 32)
        while self.table.state.deal is None:  # noqa: ASYNC110  # the table tells its viewers alone
            await asyncio.sleep(0.02)

    async def turn(self) -> Count:
        """Draw and discard the first tile that costs nothing, or pass; what the last one took."""
        count, deal = Count(), self.table.state.deal
        assert deal is not None
        person = next(p for p in self.people if self.table.state.seat_of(p.user) == deal.turn)
        if deal.phase is Phase.DRAW:
            await self.say(person, "act", action="draw")
            deal = self.table.state.deal
            assert deal is not None
        if deal.phase is not Phase.PLAY:
            await self.say(person, "act", count, action="pass")
            return count
        tile = min((d.points, d.tile) for d in options_of(deal).discards)[1]
        await self.say(person, "act", count, action=f"discard {TILES[tile]}")
        return count


async def ways() -> dict[str, Count]:
    """Play one deal: what its tenth discard took, and the action that ended it."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore.open(Path(folder) / "log.sqlite")
        clock, dice = itertools.count(1_800_000_000_000), random.Random(7)
        around = Dependencies(
            store=store,
            now_ms=lambda: next(clock),
            secret=lambda: f"{dice.getrandbits(256):064x}",
        )
        created = log.Created(user="u0", options=checked_options(TableOptions(clock=60)))
        table = await Table.create("count", created, around)
        match = Match(table, [Person(f"u{n}") for n in range(4)])
        await match.begin()
        for _ in range(9):
            await match.turn()
        tenth = last = await match.turn()
        while table.state.deal is not None and table.state.deal.result is None:
            last = await match.turn()
        await table.stop()
        await store.close()
        return {"a discard": tenth, "the end of a deal": last}


if __name__ == "__main__":
    for name, count in asyncio.run(ways()).items():
        print(f"{name}: {count}")
