"""A line that is cut again and again at seeded moments, and what the server says of a match."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from conftest import unwrap
from faults.audit import copied
from server.live import Json, LiveServer


class CuttingProxy:
    """Passes connections on to a server, and cuts each of them after some of its chunks.

    A cut comes before a chunk of the client is passed on (the server never has it), right after it
    (its answer is lost), or in the middle of a chunk of the server. ``cuts`` counts them by kind.
    """

    def __init__(self, url: str, seed: int, *, most: int = 12, limit: int = 10_000) -> None:
        parts = urlsplit(url)
        self._to = unwrap(parts.hostname), unwrap(parts.port)
        self._random = random.Random(seed)
        self._most = most
        self._limit = limit
        self.cuts: Counter[str] = Counter()
        self.url = ""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        unwrap(self._server).close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, near: asyncio.StreamReader, to_near: asyncio.StreamWriter) -> None:
        task = unwrap(asyncio.current_task())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        far, to_far = await asyncio.open_connection(*self._to)
        kind = self._random.choice(("lost", "unanswered", "half"))
        count = self._random.randint(1, self._most)
        if self.cuts.total() >= self._limit:
            kind = ""
        there, back = ("", kind) if kind == "half" else (kind, "")
        ways = [
            asyncio.create_task(self._pass(near, to_far, there, count)),
            asyncio.create_task(self._pass(far, to_near, back, count * 2)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for writer in (to_near, to_far):
                writer.transport.abort()

    async def _pass(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, kind: str, count: int
    ) -> None:
        """Pass on what comes; with so many chunks the line ends as ``kind`` says."""
        while chunk := await source.read(65_536):
            count -= 1
            cut = kind and not count
            if not (cut and kind == "lost"):
                target.write(chunk[: len(chunk) // 2] if cut and kind == "half" else chunk)
                await target.drain()
            if cut:
                await asyncio.sleep(0.01)  # the other side has what went through, and no answer
                self.cuts[kind] += 1
                return


class Acts(NamedTuple):
    """The actions of a person in the log: the rows, and how many were played by whom."""

    rows: list[Json]
    by_others: int
    """Of the same seat, while a person had it: by the clock, a bot or the fallback."""

    @property
    def rids(self) -> Counter[str]:
        return Counter(row["rid"] for row in self.rows)


def acts_of(server: LiveServer, table: str, seat: int) -> Acts:
    """The actions of a seat, as the log has them; the person has to have sat there throughout."""
    with copied(server.data) as log:
        found = log.execute("SELECT entry FROM log WHERE table_id = ? ORDER BY seq", (table,))
        entries = [json.loads(entry) for (entry,) in found]
    acts = [entry for entry in entries if entry["kind"] == "act" and entry["seat"] == seat]
    assert acts
    own = [entry for entry in acts if entry.get("user")]
    return Acts(own, len(acts) - len(own))


async def assert_played_once(
    server: LiveServer, table: str, seat: int, moves: int, before: dict[str, float]
) -> None:
    """No turn lost, no move sent twice: each stands in the log once, and none was refused since."""
    acts = acts_of(server, table, seat)
    assert acts.by_others == 0
    assert len(acts.rows) == moves
    assert set(acts.rids.values()) == {1}
    after = await refusals(server)
    assert {n for n in after if 'type="act"' in n and after[n] != before.get(n)} == set()


async def refusals(server: LiveServer) -> dict[str, float]:
    """How many commands of a kind the server has answered, by outcome, but for those that went."""
    async with server.admin() as http:
        text = (await http.get("/metrics")).text
    found: dict[str, float] = {}
    for line in text.splitlines():
        if line.startswith("okey101_commands_total{") and 'outcome="ok"' not in line:
            name, _, number = line.rpartition(" ")
            found[name] = float(number)
    return found
