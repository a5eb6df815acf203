"""A line that is cut again and again at seeded moments, and what the server says of a match."""

import asyncio
import json
import random
from collections import Counter
from functools import partial
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from conftest import unwrap
from faults.audit import copied
from faults.cluster_storm import Flow, Wire
from server.live import Json, LiveServer


class CuttingProxy(Wire):
    """Passes connections on to a server, and cuts each of them after some of its chunks.

    A cut comes before a chunk of the client is passed on (the server never has it), right after it
    (its answer is lost), or in the middle of a chunk of the server. ``cuts`` counts them by kind.
    """

    def __init__(self, url: str, seed: int, *, most: int = 12) -> None:
        super().__init__(lambda: [unwrap(urlsplit(url).port)], random.Random(seed))
        self._most = most
        self.cuts: Counter[str] = Counter()
        self.url = ""

    async def __aenter__(self) -> Self:
        await self.listen()
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def flows(self) -> tuple[Flow, Flow]:
        kind = self._random.choice(("lost", "unanswered", "half"))
        count = self._random.randint(1, self._most)
        there, back = ("", kind) if kind == "half" else (kind, "")
        return partial(self._pass, there, count), partial(self._pass, back, count * 2)

    async def _pass(
        self, kind: str, count: int, source: asyncio.StreamReader, target: asyncio.StreamWriter
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
    kind = "okey101_commands_total{"
    return {
        name: value for name, value in (await server.figures()).items()
        if name.startswith(kind) and 'outcome="ok"' not in name
    }  # fmt: skip
