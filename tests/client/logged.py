"""What a server's own log and counters say of a match."""

from __future__ import annotations

import json
from collections import Counter
from typing import NamedTuple

from faults.audit import copied
from server.live import Json, LiveServer


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
