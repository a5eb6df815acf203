"""A malicious server gets nothing from the clients: no reveal, or they say what differs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from client.lying import AFTER, BEFORE, LIES, SILENT, TILES, LyingServer
from client.test_page import node, package
from conftest import unwrap
from okey101.client import Ended
from okey101.client.table import JoinedTable
from server.tables.table_stories import TABLE

__all__ = ["package"]
SOON = 20.0
HONEST = "no lie"


class Host:
    """Lying servers behind one address; which one it is, the client's token says."""

    def __init__(self) -> None:
        self.servers: dict[str, LyingServer] = {}
        self.url = ""

    async def talk(self, socket: ServerConnection) -> None:
        name = bytes.fromhex(unwrap(socket.request).headers["Authorization"].split(" ")[1])
        server = self.servers[name.decode()] = LyingServer(name.decode())
        with suppress(ConnectionClosed):
            async for text in socket:
                for answer in server.said(json.loads(text)):
                    await socket.send(json.dumps(answer))


@asynccontextmanager
async def hosted() -> AsyncIterator[Host]:
    host = Host()
    async with serve(host.talk, "127.0.0.1", 0) as listening:
        host.url = f"http://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}"
        yield host


async def played(host: Host, name: str) -> str:
    """What a program in Python says of a server; empty where nothing is amiss."""
    headers = {"Authorization": f"Bearer {name.encode().hex()}"}
    try:
        async with asyncio.timeout(SOON), JoinedTable(host.url, TABLE, headers) as table:
            if name in SILENT:
                await table.until(lambda: "commitments" in (table.shown.table["round"] or {}))
                await asyncio.sleep(0.2)
                await table.until(lambda: True)
                return ""
            await table.until(lambda: table.stage == "over")
            return ""
    except Ended as ended:
        return f"{ended.code}: {ended.message}"


SCRIPT = """
import { Client } from "okey101-client";
import WebSocket from "ws";
const [, , url, table, silent, ...names] = process.argv;
const said = {};
const one = async (name) => {
  const token = Buffer.from(name).toString("hex");
  const line = new Client(url, { token, WebSocket, waits: [150, 300] }).join(table);
  try {
    const over = line.until(() => line.stage === "over");
    over.catch(() => undefined);
    const pause = () => new Promise((go) => setTimeout(go, 300));
    await (JSON.parse(silent).includes(name) ? pause() : over.then(pause));
    await line.until(() => true);
    said[name] = "";
  } catch (error) {
    said[name] = `${error.code}: ${error.message}`;
  }
  line.close();
};
await Promise.all(names.map(one));
console.log(JSON.stringify(said));
process.exit(0);
"""


def judge(name: str, server: LyingServer, said: str) -> str:
    """What is wrong with how a client took a lie; empty for nothing."""
    if name in BEFORE and server.reveals:
        return "it revealed"
    if name.startswith("a foreign table") and len(server.commits) > ("shown" in name):
        return "it promised something for another table"
    if name in SILENT:
        return said
    return "" if said.startswith("unfair-deal: ") else f"it said {said!r}"


async def test_the_python_client_gives_nothing_to_a_malicious_server() -> None:
    """Fall 1, 4 and 5: no reveal, or what differs in words."""
    async with hosted() as host:
        assert await played(host, HONEST) == ""
        assert host.servers[HONEST].reveals
        said = {name: await played(host, name) for name in LIES}
        wrong = {name: judge(name, host.servers[name], text) for name, text in said.items()}
    assert not {name: text for name, text in wrong.items() if text}
    assert len(LIES) >= 24


async def test_the_javascript_client_gives_nothing_to_a_malicious_server(package: Path) -> None:
    """The same in JavaScript, which does not deal the tiles again."""
    (package / "lies.mjs").write_text(SCRIPT, "utf-8")
    names = [HONEST, *BEFORE, *AFTER]
    async with hosted() as host:
        words = ("lies.mjs", host.url, TABLE, json.dumps([*SILENT]), *names)
        said: dict[str, str] = json.loads(await node(package, *words))
        assert said.pop(HONEST) == ""
        assert host.servers[HONEST].reveals
        wrong = {name: judge(name, host.servers[name], text) for name, text in said.items()}
    assert not {name: text for name, text in wrong.items() if text}
    assert TILES
