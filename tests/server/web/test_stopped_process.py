"""SIGSTOP, and SIGCONT a while later: nobody loses time, and no connection is lost."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from server.clients import Client, simple_choice
from server.live import LiveServer
from server.web.parties import playing, rule_choice, solo

PROGRAM = (sys.executable, str(Path(__file__).parents[1] / "restless_child.py"))
CLOCK_S, STOPPED_S = 5, 5.5

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")


def my_turn(client: Client) -> bool:
    model = client.model
    return playing(client) and model.options is not None and model.deal_turn == model.seat


async def test_a_stopped_process_charges_nobody_and_drops_nobody() -> None:
    """Both the clock of the turn and the ping's time are over when the process goes on."""
    with LiveServer(program=PROGRAM) as server:
        rules = rule_choice("altinstar", 2)
        async with solo(server, rules=rules, clock=CLOCK_S, deals=1) as client:
            await client.play_on(my_turn)
            await asyncio.sleep(0.6)  # a ping may be on its way
            server.signal(signal.SIGSTOP)
            assert client.model.options is not None
            action = simple_choice(client.model.options, client.random)
            acting = asyncio.create_task(client.command("act", action=action))
            await asyncio.sleep(STOPPED_S)
            server.signal(signal.SIGCONT)
            assert await acting
            await asyncio.sleep(1.2)
            assert not client.closed
            what = [message["what"] for message in client.seen("event")]
            assert not [w for w in what if w.get("by") == "clock"]
            assert [e["event"] for e in server.events].count("process-paused") == 1
