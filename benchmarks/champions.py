"""What a table with three ``champion`` costs its host: ``python -m benchmarks.champions``.

A server that lets them play, and somebody (``greedy``, with a pause before each tile is thrown, as
people have) who plays deals against three of them through the client, as a page would. Measured is
the processor's time of the server and of its processes over that time, how long one choice of a bot
took, and whether any was late: then ``master`` would have played.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from benchmarks.measure import machine
from okey101.bots import make_bot
from okey101.client import Client
from okey101.game.actions import Discard

__all__ = ["RESULTS"]

RESULTS = Path(__file__).with_name("champions.json")
_ROOT = Path(__file__).resolve().parents[1]
_TICKS = os.sysconf("SC_CLK_TCK")


def spent(process: int) -> float:
    """Processor seconds of a process and of all that it began and that still runs."""
    found = 0.0
    waiting = [process]
    while waiting:
        one = waiting.pop()
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{one}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            found += (int(words[11]) + int(words[12])) / _TICKS
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


async def ready(url: str) -> None:
    """Wait until the server offers the bot: the kernel is loaded then."""
    async with httpx.AsyncClient(base_url=url) as http:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if "champion" in (await http.get("/api/bots")).json()["others"]:
                    return
            await asyncio.sleep(0.5)


async def play(url: str, deals: int, pause: float, process: int) -> dict[str, float]:
    """Play deals against three, and count."""
    await ready(url)
    me, bot = await Client.as_guest(url, "Ayşe"), make_bot("greedy")
    begun, before, turns = time.monotonic(), spent(process), 0
    async with me.join(await me.against_bots(deals=deals, bot="champion", clock=0)) as table:
        async for turn in table.turns():
            action = bot.choose(turn.view, turn.options)
            if isinstance(action, Discard):
                await asyncio.sleep(pause)
                turns += 1
            await turn.act(action)
    seconds = time.monotonic() - begun
    used = spent(process) - before
    return {
        "deals": deals, "seconds": round(seconds), "turns_of_mine": turns,
        "processor_s": round(used, 2), "share": round(used / seconds, 4),
    }  # fmt: skip


def main() -> int:
    """Start a server, play at it, and tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.champions")
    parser.add_argument("--deals", type=int, default=4)
    parser.add_argument("--pause", type=float, default=4.0, help="seconds before a tile is thrown")
    given = parser.parse_args()
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="okey101-champions-") as folder:
        log = Path(folder) / "server.txt"
        with log.open("wb") as told:
            server = subprocess.Popen(
                [sys.executable, "-m", "okey101", "serve", "--port", str(port)],
                cwd=_ROOT,
                env=os.environ | {"OKEY101_DATA": folder, "OKEY101_SEARCH": "on"},
                stdout=told,
                stderr=told,
            )
        try:
            url = f"http://127.0.0.1:{port}"
            found: dict[str, object] = {
                "machine": machine(), "pause_s": given.pause,
                **asyncio.run(play(url, given.deals, given.pause, server.pid)),
            }  # fmt: skip
            figures = httpx.get(f"{url}/metrics").text
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
        found["late"] = log.read_text(encoding="utf-8").count("TimeoutError")
    for name, key in (("sum", "thought_s"), ("count", "choices")):
        match = re.search(rf"^okey101_bot_think_seconds_{name}\S* (\S+)", figures, re.MULTILINE)
        assert match is not None
        found[key] = round(float(match[1]), 2)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
