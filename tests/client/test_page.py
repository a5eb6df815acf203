"""The page about clients and the example: what they show runs, and every code has its sentence."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from okey101.client import Client as Program
from okey101.client import play_at
from server.live import LiveServer
from server.web.parties import account
from server.web.test_bot_accounts import bot_of, invite, table_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "client.py"
INVITED = ROOT / "examples" / "invited.py"


def test_the_example_plays_a_match() -> None:
    assert EXAMPLE.read_text("utf-8").count("\n") <= 40
    with LiveServer() as server:
        ran = subprocess.run(
            [sys.executable, str(EXAMPLE), server.url],
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        server.assert_clean()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("seat 0, place ")


async def test_the_example_comes_where_it_is_invited() -> None:
    """And it says how that went, also where it is sent away."""
    with LiveServer(bot_accounts="on", first_deal_wait_s=1) as server:
        async with server.http() as http, server.admin() as admin:
            who = await account(http, "Host")
            bot = await bot_of(http, who, "Goes there")
            running = await asyncio.create_subprocess_exec(
                sys.executable, str(INVITED), server.url, bot["token"], "random",
                env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
                stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            assert running.stdout is not None
            try:
                bots = [None, None, "random", "random"]
                table = await table_of(http, who, bots=bots)
                assert await invite(http, who, table, "goes there") == ""
                async with Program(server.url, who.token).join(table) as at:
                    await at.until(lambda: at.shown.table["seats"][1].get("ready"))
                    await at.start()
                    await play_at(at, "random")
                line = await asyncio.wait_for(running.stdout.readline(), 60)
                assert line.decode().startswith(f"{table}: place ")
                table = await table_of(http, who, bots=bots)
                assert await invite(http, who, table, "goes there") == ""
                async with Program(server.url, who.token).join(table) as at:
                    await at.until(lambda: at.shown.table["seats"][1].get("ready"))
                await admin.post(f"/api/admin/tables/{table}/kick", json={"seat": 1})
                line = await asyncio.wait_for(running.stdout.readline(), 60)
                assert line.decode() == f"{table}: kicked\n"
            finally:
                running.kill()
                await running.wait()
        server.assert_clean()


PAGE = (ROOT / "docs" / "en" / "client.md").read_text("utf-8")
HERE = "http://127.0.0.1:8101"


def test_the_code_and_the_commands_of_the_page(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    commands = re.findall(r"^\$ okey101 (.*)$", PAGE, re.MULTILINE)
    assert (len(blocks), len(commands)) == (4, 1)
    with LiveServer() as server:
        runs = [["-c", block.replace(HERE, server.url)] for block in blocks]
        runs += [["-m", "okey101", *shlex.split(c.replace(HERE, server.url))] for c in commands]
        for words in runs:
            ran = subprocess.run(
                [sys.executable, *words],
                cwd=tmp_path,
                env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert (ran.returncode, ran.stderr) == (0, ""), ran.stdout
            assert ran.stdout
