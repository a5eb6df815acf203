"""The bot that searches, where the host wants it: offered, seated, in time, and proved."""

import asyncio
import os
import time

import pytest

from okey101.bots.registry import EXPERT, SEARCHERS
from okey101.game import parse_record
from okey101.game.record.verification import State
from okey101.kernel import warm
from okey101.sim.bot_proofs import verify_bots
from server.live import PATIENCE_S, Http, LiveServer
from server.web.parties import against_bots, guests, listed_when_saved

pytest.importorskip("numba")


async def offered(http: Http) -> None:
    """Wait until the bots of others and of the host have it among them: it loads first."""
    deadline = time.monotonic() + PATIENCE_S
    while (await http.get("/api/bots")).json()["others"] != ["champion"]:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.2)


@pytest.mark.long
async def test_search_plays_a_deal_that_can_be_proved() -> None:
    """In a process of its own; the record's choices are those of ``champion`` for what it saw."""
    warm().join()
    with LiveServer(search="on") as server:
        async with server.http() as http:
            await offered(http)
            (who,) = await guests(http, 1)
            rules = {"preset": "altinstar", "open_points": 51}
            async with against_bots(
                server, http, who, deals=1, bot="champion", rules=rules, clock=0
            ) as client:
                await client.play_on()
                played = [m["what"] for m in client.seen("event") if m["what"]["kind"] == "act"]
                assert {what["by"] for what in played} <= {"user", "bot"}
            (match,) = await listed_when_saved(http, who)
            answer = await http.get(f"/api/matches/{match['id']}/record", headers=who.headers)
        (deal,) = verify_bots(parse_record(answer.text))
        assert deal.errors == ()
        assert deal.state is State.PROVED
        assert any(f"bot:{SEARCHERS[EXPERT].mark}" in actors for actors in deal.actors)


async def test_a_host_offers_it_once_it_is_ready_and_a_late_answer_is_a_fallback() -> None:
    """Uncompiled it takes longer than it may."""
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        pytest.skip("compiled it is in time")
    with LiveServer(search="on", faulty=True) as server:
        async with server.http() as http:
            await offered(http)
            (who,) = await guests(http, 1)
            async with against_bots(server, http, who, deals=1, bot="champion", clock=0) as client:

                def played() -> list[str]:
                    events = [m["what"] for m in client.seen("event")]
                    return [w["by"] for w in events if w["kind"] == "act" and w["seat"]]

                # A choice between few things takes no search, and is in time.
                await client.play_on(lambda _: "fallback" in played())
                assert "fallback" in played()
        assert "TimeoutError" in server.log
        server.stop()  # and its process with it, which thinks on
