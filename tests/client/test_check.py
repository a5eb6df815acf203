"""``okey101 client-check``: it finds what was planted, and lets a good client through."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import httpx
import pytest

from client.faulty import FAULTS, Natural
from client.test_client import run
from okey101.client import Client, Ended, Pace, play
from okey101.client.check import CheckingProxy
from okey101.client.check.findings import TRIALS
from okey101.client.check.watch import Patience
from server.live import LiveServer, guest

FOUND = {
    "acts-twice": ("ack-not-awaited", "ack-late"),
    "counts-rids-anew": ("rid-reused", "action-lost"),
    "forgets": ("move-sent-twice", "action-lost"),
    "forgets-seq": ("seq-not-resumed", "message-halved"),
    "hammers": ("no-back-off", "handshakes-refused"),
    "new-rid": ("move-sent-twice", "action-lost"),
    "on-ack": ("stale-options", "event-late"),
    "returns-after-replaced": ("back-after-replaced", "replaced"),
    "sends-nonsense": ("bad-message", "event-again"),
    "stops-at-unknown": ("unknown-not-ignored", "unknown-message"),
    "token-in-address": ("token-in-address", "unknown-name"),
}
"""What is found of each planted fault, and the trial that shows it."""
PATIENCE = Patience(back=12, resent=1.5, turn=2.5, hold=0.15, replaced=1.2)
PACE = Pace(first=0.25, longest=0.3)


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer() as server:
        yield server


async def checked(server: LiveServer, fault: str, trials: Sequence[str] = TRIALS) -> CheckingProxy:
    """What a small client is found to do."""
    async with CheckingProxy(
        server.url, seed=1, rounds=1, patience=PATIENCE, trials=trials
    ) as proxy:
        async with httpx.AsyncClient(base_url=proxy.url, trust_env=False) as http:
            person = await guest(http, "My client")
            answer = await http.post(
                "/api/play", json={"deals": 6, "bot": "random"}, headers=person.headers
            )
            table = answer.json()["table"]
        player = asyncio.create_task(Natural(proxy.url, table, person, fault).play())
        try:
            await asyncio.wait_for(proxy.done.wait(), 60)
        finally:
            player.cancel()
            await asyncio.gather(player, return_exceptions=True)
        return proxy


def test_a_good_client_passes_everything(server: LiveServer) -> None:
    async def ours() -> CheckingProxy:
        async with CheckingProxy(server.url, seed=2, rounds=1, patience=PATIENCE) as proxy:
            with pytest.raises(Ended) as caught:
                await play(proxy.url, "greedy", deals=6, against="random", pace=PACE)
            assert caught.value.code == "replaced"
            await proxy.done.wait()
            return proxy

    for proxy in (run(ours()), run(checked(server, ""))):
        assert proxy.report.untried == []
        assert proxy.report.found == []
        assert proxy.made == proxy.total == len(TRIALS)
    server.assert_clean()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(server: LiveServer, fault: str) -> None:
    code, *trials = FOUND[fault]
    report = run(checked(server, fault, trials)).report
    assert code in {found.code for found in report.faults}, report.to_dict()


def test_a_server_that_is_away_is_no_fault_of_the_client() -> None:
    async def story() -> None:
        async with CheckingProxy("http://127.0.0.1:1", patience=PATIENCE) as proxy:
            with pytest.raises(ValueError, match="no server"):
                await Client(proxy.url).tables()
            assert proxy.report.found == []

    run(story())
