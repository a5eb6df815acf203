"""Tables of bots and scripted people on a server that is killed over and over."""

import argparse
import asyncio
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from signal import SIGCONT, SIGKILL, SIGSTOP, SIGTERM
from typing import Any

import httpx

from faults.audit import Audit, copy_database
from faults.players import Notes, Player
from okey101.game import parse_record, replay
from okey101.game.record.verification import verify_record
from server.live import Json, LiveServer, Person, guest

_PATIENCE_S = 120.0
SETTINGS: dict[str, object] = {
    "bot_delay_ms": 60,
    "absence_s": 3,
    "deal_pause_s": 2,
    "first_deal_wait_s": 2,
    "drain_s": 5,
    "log_level": "warning",
}
_WAYS = ("play", "start", "drain", "play", "early", "play", "play", "play", "play", "play")
"""When the server is killed: at some moment of play, while it drains, just after it is back, and
for ``start`` once in play and once more before it listens."""
_SEATS = ((2, False), (3, False), (4, False), (4, False), (4, True))


@dataclass
class Party:
    table: str
    players: list[Player]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


@dataclass
class Tally:
    """What a storm came to."""

    kills: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    """In a cluster: what has failed."""
    waits: list[float] = field(default_factory=list)
    """For each fault the seconds until the last of the tables had moved on."""
    stops: int = 0
    pauses: int = 0
    tables: int = 0
    matches: int = 0
    notes: Notes = field(default_factory=Notes)
    rows: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    slowest_start: float = 0.0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)


async def insisted(
    ask: Callable[[], Awaitable[httpx.Response]], patience: float = _PATIENCE_S
) -> httpx.Response:
    """The first answer that is neither an error of the server nor ``wait``.

    A TimeoutError tells the last answer, where none came in time.
    """
    last = ""
    try:
        async with asyncio.timeout(patience):
            while True:
                try:
                    answer = await ask()
                except httpx.TransportError as error:
                    last = repr(error)
                else:
                    if answer.status_code not in (429, 503):
                        return answer
                    last = f"{answer.request.url.path}: {answer.text}"
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise TimeoutError(f"no answer in {patience:.0f} s, the last was {last}") from None


class Storm:
    """Tables on one server, so many at a time; whatever does not fit is noted as a problem."""

    def __init__(self, server: LiveServer, tables: int, seed: int, deals: int) -> None:
        self.server = server
        self.notes = Notes()
        self.tally = Tally(notes=self.notes)
        self.parties: dict[str, Party] = {}
        self.closed: list[str] = []
        self.playing = True
        """Whether a finished table is followed by another."""
        self.people: list[Person] = []
        self.names: dict[str, str] = {}
        self.audit = Audit(self.names)
        self._tables = tables
        self._deals = deals
        self._random = random.Random(seed)
        self._http = httpx.AsyncClient(timeout=10, trust_env=False)

    # Over HTTP --------------------------------------------------------------------------------

    async def ask(
        self, method: str, path: str, headers: dict[str, str], body: Json | None = None
    ) -> httpx.Response:
        """Ask until there is an answer that is neither an error of the server nor ``wait``."""

        async def once() -> httpx.Response:
            await self.notes.up.wait()
            url = self.server.url + path
            return await self._http.request(method, url, headers=headers, json=body)

        return await insisted(once)

    async def administer(self, method: str, path: str, body: Json | None = None) -> httpx.Response:
        token = {"Authorization": f"Bearer {self.server.admin_token}"}
        return await self.ask(method, path, token, body)

    # Tables -----------------------------------------------------------------------------------

    async def gather(self, people: int = 12) -> None:
        """Have guests, who sit at many tables each."""
        async with self.server.http() as http:
            self.people = [await guest(http, f"Oyuncu {n}") for n in range(people)]
        self.names |= {person.id: person.name for person in self.people}

    async def _open(self) -> Party:
        """A new table with one to four people, the other seats with bots, and perhaps a guest."""
        rng = self._random
        seats, teams = rng.choice(_SEATS)
        people = rng.sample(self.people, rng.randint(1, seats))
        bots = [None] * len(people) + [
            rng.choice(("greedy", "greedy", "random", "steady")) for _ in range(seats - len(people))
        ]
        options: Json = {
            "rules": {
                "preset": rng.choice(("altinstar", "wiki")),
                "players": seats,
                "teams": teams,
            },
            "deals": rng.randint(1, self._deals),
            "clock": rng.choice((0, 5, 30)),
            "bots": bots,
            "spectators": rng.choice(("live", "delayed", "deal")),
            "delay": 5,
        }
        answer = await self.ask("POST", "/api/tables", people[0].headers, options)
        assert answer.status_code == 201, answer.text
        table = answer.json()["id"]
        last = rng.choice((1, 1, 1, 2))  # matches at this table
        party = Party(table, [])
        party.players = [
            Player(
                self.notes, self.server.url, table, person, random.Random(rng.random()),
                seat=seat, options=rng.random() < 0.3,
                again=lambda player: player.model.table["match"] < last,
            )
            for seat, person in enumerate([*people, *([None] * (rng.random() < 0.2))])
        ]  # fmt: skip
        self.tally.tables += 1
        return party

    async def _keep(self) -> None:
        """Open a table, wait until it is finished, close it, and so on."""
        while self.playing:
            party = await self._open()
            self.parties[party.table] = party
            async with asyncio.TaskGroup() as group:
                for player in party.players:
                    group.create_task(player.run())
            answer = await self.administer("POST", f"/api/admin/tables/{party.table}/close")
            if answer.status_code not in (204, 404, 410):  # gone: closed before the answer came
                self.notes.problems.append(f"{party.table} is not closed: {answer.text}")
            self.closed.append(party.table)
            del self.parties[party.table]

    # Failures ---------------------------------------------------------------------------------

    async def _started(self, began: float) -> None:
        await asyncio.to_thread(self.server.wait)
        self.tally.slowest_start = max(self.tally.slowest_start, time.monotonic() - began)
        self.notes.up.set()

    async def kill(self, way: str, life: float) -> None:
        """Let it live for a while, kill it, look at its log, and start it again."""
        rng = self._random
        await asyncio.sleep(rng.uniform(0, 0.2) if way == "early" else rng.uniform(0.1, life))
        for party in self.parties.values():
            for player in party.players:
                player.stays_away = rng.uniform(3, 6) if rng.random() < 0.02 else 0.0
        if way == "drain":
            self.server.signal(SIGTERM)
            await asyncio.sleep(rng.uniform(0, 0.15))
        self._end("play" if way == "start" else way)
        await self._silence()
        if way == "start":
            self.server.launch()
            await asyncio.sleep(rng.uniform(0.05, 0.8))
            self._end("start")
        began = time.monotonic()
        self._look()
        self.server.launch()
        await self._started(began)

    def _end(self, way: str) -> None:
        process = self.server.process
        assert process is not None
        self.notes.up.clear()
        self.server.kill()
        if process.returncode == -SIGKILL:
            self.tally.kills[way] += 1
        else:  # it had drained and gone
            self.tally.stops += 1

    async def _silence(self) -> None:
        """Everybody has taken what was on its way, and noticed."""
        async with asyncio.timeout(_PATIENCE_S):
            for party in [*self.parties.values()]:
                for player in party.players:
                    await player.offline.wait()

    def _look(self, *, whole: bool = False) -> None:
        seen = [
            player.seen
            for party in self.parties.values()
            for player in party.players
            if player.model.seq > 0
        ]
        self.audit.read(self._at_rest(), seen, whole=whole)

    def _at_rest(self) -> Path:
        """The folder of a server that is down, with a copy of its database where it has one."""
        database = self.server.settings.get("database")
        if database is not None:
            copy_database(str(database), self.server.data)
        return self.server.data

    async def pause(self, seconds: float) -> None:
        self.server.signal(SIGSTOP)
        await asyncio.sleep(seconds)
        self.server.signal(SIGCONT)
        self.tally.pauses += 1

    # The whole --------------------------------------------------------------------------------

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[list[asyncio.Task[None]]]:
        """Have people, and tables where they play, one after the other."""
        self.notes.up.set()
        await self.gather()
        keepers = [asyncio.create_task(self._keep()) for _ in range(self._tables)]
        try:
            yield keepers
        finally:
            for keeper in keepers:
                keeper.cancel()
            await asyncio.gather(*keepers, return_exceptions=True)
            await self._http.aclose()

    async def ended(self, keepers: Sequence[asyncio.Task[None]]) -> None:
        """Let the tables that are open end, and open no others."""
        self.playing = False
        late, before = {*keepers}, -1
        while late and before != (now := self._rows()):  # however slow the machine is
            before = now
            _, late = await asyncio.wait(late, timeout=_PATIENCE_S)
        self.failed(keepers)
        for party in self.parties.values() if late else ():
            for player in party.players:
                if not player.done.is_set():
                    model = player.model
                    player.problem(f"the match does not end: {model.stage}, row {model.seq}")

    def _rows(self) -> int:
        """How many rows everybody has seen at the tables that are open."""
        return sum(p.model.seq for party in self.parties.values() for p in party.players)

    async def ride(
        self, kills: int, life: float, pauses: int = 0, *, whole: bool = True, minutes: float = 0.0
    ) -> Tally:
        """Kill that many times during play, and at other times as well, and let everything end.

        Without ``whole`` it ends at the first kill that shows a problem; with ``minutes`` it kills
        no more once they are over.
        """
        began = time.monotonic()
        ways = itertools.cycle(_WAYS)
        async with self.kept() as keepers:
            while self.tally.kills["play"] + self.tally.kills["early"] < kills:
                if minutes and time.monotonic() - began > minutes * 60:
                    break
                await self.kill(next(ways), life)
                self.failed(keepers)
                if not whole and self._problems:
                    break
            for _ in range(pauses):
                await asyncio.sleep(self._random.uniform(0, life))
                await self.pause(self._random.uniform(0.2, 2))
            if not whole:
                return self.summed()
            await self.ended(keepers)
            await self._finish()
        self.tally.seconds = time.monotonic() - began
        return self.summed()

    @property
    def _problems(self) -> list[str]:
        self.audit.check(self.notes.acknowledged, self.notes.refused, self.closed)
        return [*self.notes.problems, *self.audit.problems]

    def failed(self, keepers: Sequence[asyncio.Task[None]]) -> None:
        """Raise what went wrong with a table."""
        for keeper in keepers:
            if keeper.done() and not keeper.cancelled():
                keeper.result()

    async def _finish(self) -> None:
        """Ask the server how it is, stop it, and look at all that is left."""
        tables = (await self.administer("GET", "/api/admin/tables")).json()
        frozen = [table["id"] for table in tables if table["frozen"] is not None]
        if frozen:
            self.notes.problems.append(f"frozen: {frozen}")
        checked = (await self.administer("POST", "/api/admin/check")).json()
        if not checked["ok"]:
            self.notes.problems.append(f"the check finds {checked['problems']}")
        ready = await self.ask("GET", "/readyz", {})
        if ready.status_code != 200:
            self.notes.problems.append(f"not ready: {ready.text}")
        texts = {match: await self._record(match) for match in self._finished()}
        code = await asyncio.to_thread(self.server.stop)
        if code != 0:
            self.notes.problems.append(f"the last exit code is {code}")
        self._look(whole=True)
        again = Audit(self.names)
        again.read(self._at_rest())
        if again.marks != self.audit.marks or again.closed != self.audit.closed:
            self.notes.problems.append("the log read at once is not what was read bit by bit")
        self.notes.problems += again.problems
        for match, totals in self.audit.matches.items():
            self._history(match, totals, texts.get(match, ""))

    async def _record(self, match: str) -> str:
        """A record as everybody may have it, empty if there is none.

        That of a delayed table comes later, and records that are asked for too fast later still.
        """
        for _ in range(40):
            answer = await self.ask("GET", f"/api/matches/{match}/record", {})
            if answer.status_code not in (404, 429):
                break
            await asyncio.sleep(0.25)
        return answer.text if answer.status_code == 200 else ""

    def _finished(self) -> list[str]:
        """The ids of matches that the log will turn out to have finished."""
        self.audit.read(self._at_rest())  # the pages of a log at rest: everybody is gone
        return [*self.audit.matches]

    def _history(self, match: str, totals: tuple[int, ...], text: str) -> None:
        if not text:
            self.notes.problems.append(f"match {match} is not in the history")
            return
        record = parse_record(text)
        if replay(record).totals != totals or verify_record(record).errors:
            self.notes.problems.append(f"the record of match {match} differs")

    def summed(self) -> Tally:
        audit, tally = self.audit, self.tally
        for event in self.server.events:
            if event.get("level") == "error" or "exception" in event:
                self.notes.problems.append(f"the server logs {json.dumps(event)[:2000]}")
        tally.matches = len(audit.matches)
        tally.rows = audit.kinds
        tally.compared = audit.compared
        tally.problems = [*dict.fromkeys(self._problems)]
        return tally


def ride(
    *, tables: int, kills: int, life: float = 1.0, pauses: int = 0, deals: int = 3, seed: int = 101,
    whole: bool = True, program: Sequence[str] | None = None, minutes: float = 0.0,
    **settings: object,
) -> Tally:  # fmt: skip
    """A storm on a new server in a new folder."""
    merged: dict[str, Any] = SETTINGS | settings
    with LiveServer(None, program=program, faulty=True, **merged) as server:

        async def run() -> Tally:
            storm = Storm(server, tables, seed, deals)
            return await storm.ride(kills, life, pauses, whole=whole, minutes=minutes)

        return asyncio.run(run())


# The long storm, and what came of it as the page benchmarks/kills.md ------------------------------

_HEAD = """\
# Kills during play

One server with {tables} tables at a time, of bots and of people who play by script over real
sockets, killed (SIGKILL) over and over ({minutes:.0f} minutes). Between two lives the log is read
from a copy and played through: every acknowledged command is in it once, in the row that was
acknowledged, no tile is lost or doubled, and every client knows what the log says at the row it
has reached. Clients come back with their last `seq`, and send once more what was not answered.
In the end every match is over and in the history, and its record replays and verifies.
Made by `cd tests && ../.venv/bin/python -m faults.storm --write ../benchmarks/kills.md`; the test
marked long repeats it.

| what | how many |
| --- | ---: |
"""
_FOOT = "\nThe slowest start took {start:.1f} s, on two cores that had other work to do.\n"


def _page(tally: Tally, tables: int) -> str:
    """What a storm came to, as a page."""
    counts, kills = tally.notes.counts, tally.kills
    lines = [
        ("kills at some moment of play", kills["play"]),
        ("kills within 0.2 s after the server was back", kills["early"]),
        ("kills while it drained", kills["drain"]),
        ("kills before it listened", kills["start"]),
        ("ends by draining", tally.stops),
        ("pauses (SIGSTOP, SIGCONT)", tally.pauses),
        ("tables", tally.tables),
        ("matches over", tally.matches),
        ("rows in the log", sum(tally.rows.values())),
        ("commands of people", counts["commands"]),
        ("commands acknowledged", len(tally.notes.acknowledged)),
        ("commands sent again after a loss", counts["commands sent again"]),
        ("commands sent twice at once", counts["commands sent twice"]),
        ("connections", counts["connections"]),
        ("resumed by seq", counts["resumed"]),
        ("events received", counts["events"]),
        ("fresh views compared with what was known", counts["fresh views compared"]),
        ("clients compared with the log while it was down", tally.compared),
        ("problems", len(tally.problems)),
    ]
    rows = "".join(f"| {what} | {count:,} |\n" for what, count in lines)
    head = _HEAD.format(tables=tables, minutes=tally.seconds / 60)
    return head + rows + _FOOT.format(start=tally.slowest_start)


def main() -> None:
    """Ride the long storm and write what came of it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--minutes", type=float, default=0.0, help="kill no more after so many")
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    tally = ride(
        tables=args.tables, kills=args.kills, pauses=10, seed=args.seed, minutes=args.minutes,
    )  # fmt: skip
    for problem in tally.problems:
        print(problem)
    text = _page(tally, args.tables)
    if args.write:
        args.write.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
