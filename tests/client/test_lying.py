"""A malicious server gets nothing from the clients: no reveal, or they say what differs."""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from client.lying import AFTER, BEFORE, FIRST, LIES, LOGS, SILENT, TILES, LyingServer
from client.test_page import node, package
from conftest import Patch, unwrap
from okey101.client import Client, Heads
from okey101.client.table import JoinedTable
from okey101.errors import OkeyError
from server.tables.table_stories import TABLE

__all__ = ["package"]
SOON = 20.0
HONEST = "no lie"


class Host:
    """Lying servers behind one address; which one it is, the client's token says.

    Which log they show, the first part of the path says; ``asked`` has what was asked of each.
    """

    def __init__(self) -> None:
        self.servers: dict[str, LyingServer] = {}
        self.asked: dict[str, list[str]] = defaultdict(list)
        self.url = ""

    def answer(self, socket: ServerConnection, request: Request) -> Response | None:
        """What is answered over HTTP; None lets a socket open."""
        name, _, path = request.path[1:].partition("/api/log/")
        if "Upgrade" in request.headers:
            return None
        if path == "" and name.endswith("version"):
            return socket.respond(HTTPStatus.OK, '{"protocol": 1}')
        if name not in LOGS or "Authorization" in request.headers:
            return socket.respond(HTTPStatus.NOT_FOUND, "{}")
        shown = LOGS[name][0] if "" in self.asked[name] else FIRST
        self.asked[name].append(path)
        sizes = parse_qs(urlsplit(path).query)
        try:
            if not path:
                return socket.respond(HTTPStatus.OK, json.dumps(shown.head()))
            proof = shown.proof(int(sizes["old"][0]), int(sizes["size"][0]))
        except ConnectionError:
            socket.transport.abort()
            return socket.respond(HTTPStatus.OK, "")
        except OkeyError as error:
            told = {"error": {"code": error.code, "message": error.message, "rule": None}}
            return socket.respond(HTTPStatus.BAD_REQUEST, json.dumps(told))
        return socket.respond(HTTPStatus.OK, json.dumps(proof))

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
    async with serve(host.talk, "127.0.0.1", 0, process_request=host.answer) as listening:
        host.url = f"http://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}"
        yield host


async def played(host: Host, name: str) -> str:
    """What a program in Python says of a server; empty where nothing is amiss."""
    headers = {"Authorization": f"Bearer {name.encode().hex()}"}
    try:
        async with (
            asyncio.timeout(SOON),
            JoinedTable(host.url, TABLE, headers, promised=True) as table,
        ):
            if name in SILENT:
                await table.until(lambda: "commitments" in (table.shown.table["round"] or {}))
                await asyncio.sleep(0.2)
                await table.until(lambda: True)
                return ""
            await table.until(lambda: table.stage == "over")
            return ""
    except OkeyError as ended:
        return f"{ended.code}: {ended.message}"


SCRIPT = """
import { Client } from "okey101-client";
import WebSocket from "ws";
const [, , url, table, silent, ...names] = process.argv;
const said = {};
const one = async (name) => {
  const token = Buffer.from(name).toString("hex");
  const line = new Client(url, { token, WebSocket, waits: [150, 300] }).join(table);
  line.promised = true;
  try {
    const over = line.until(() => line.stage === "over");
    over.catch(() => undefined);
    const pause = () => new Promise((go) => setTimeout(go, 300));
    const promised = () => line.table?.round?.commitments !== undefined;
    await (JSON.parse(silent).includes(name) ? line.until(promised) : over).then(pause);
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


TOKEN = HONEST.encode().hex()


async def sat_twice(host: Host, name: str, kept: Path) -> str:
    """The code by which a program in Python tells of a log when it comes to a second table."""
    url = f"{host.url}/{name}"
    async with asyncio.timeout(SOON), Client(url, TOKEN, heads=Heads(kept)).join(TABLE):
        pass
    try:
        if LOGS[name][1] == "log-unproved":  # for less than a day, or four times, nobody is accused
            for ago in (0, 86_400, 0, 0):
                assert await Client(url, heads=Heads(kept)).compare_heads() is None
                seen = json.loads(kept.read_text())
                seen[url]["unproved_s"] -= ago
                kept.write_text(json.dumps(seen))
        async with asyncio.timeout(SOON), Client(url, TOKEN, heads=Heads(kept)).join(TABLE):
            return ""
    except OkeyError as error:
        return error.code


def first_asked(host: Host) -> None:
    """Nothing of another server was repeated: a first request names no head."""
    assert {name: asked[0] for name, asked in host.asked.items()} == dict.fromkeys(LOGS, "")
    assert host.asked["longer"] == ["", "", "consistency?old=5&size=6"]


async def test_the_python_client_keeps_heads_of_logs(tmp_path: Path) -> None:
    """Issue 29: heads go from table to table and from run to run, to their own server alone."""
    kept = tmp_path / "seen" / "heads.json"
    async with hosted() as host:
        said = {name: await sat_twice(host, name, kept) for name in LOGS}
        first_asked(host)
        assert await Client(f"{host.url}/same", heads=Heads(kept)).compare_heads() is True
        assert await Client(f"{host.url}/none", heads=Heads(kept)).compare_heads() is None
    assert said == {name: code for name, (_, code) in LOGS.items()}
    seen = json.loads(kept.read_text())
    for name in ("unproved", "headless", "cut"):
        del seen[f"{host.url}/{name}"]["unproved_s"], seen[f"{host.url}/{name}"]["tries"]
    assert {name: seen[f"{host.url}/{name}"] for name in LOGS} == {
        name: (FIRST if code else shown).head() for name, (shown, code) in LOGS.items()
    }


async def test_without_cryptography_hashes_alone_are_compared(monkeypatch: Patch) -> None:
    for name in ("cryptography.exceptions", "cryptography.hazmat.primitives.asymmetric.ed25519"):
        monkeypatch.setitem(sys.modules, name, None)
    async with hosted() as host:
        for name in ("same", "longer", "two-faces", "unsigned"):
            client = Client(f"{host.url}/{name}")
            assert await client.compare_heads() is False
            code = ""
            try:
                assert await client.compare_heads() is False
            except OkeyError as error:
                code = error.code
            assert code == ("log-rewritten" if name == "two-faces" else ""), name


LOG_SCRIPT = """
import { Client, LogFault } from "okey101-client";
import WebSocket from "ws";
const [, , url, table, token, ...names] = process.argv;
const said = {};
const heads = new Map();
const one = async (name) => {
  const [word, faulty] = name.split(" ");
  const client = () => new Client(`${url}/${word}`, { token, WebSocket, heads });
  const first = await client().compareHeads();
  if (faulty === "log-unproved") {
    // For less than a day, or four times, nobody is accused.
    for (const ago of [0, 86_400_000, 0, 0]) {
      if ((await client().compareHeads()) !== null) return;
      const seen = heads.get(`${url}/${word}`);
      heads.set(`${url}/${word}`, { ...seen, unproved: seen.unproved - ago });
    }
  }
  const line = client().join(table);
  try {
    await line.until(() => !faulty && line.seq !== null);
    said[word] = `${first && (await client().compareHeads())}`;
  } catch (error) {
    said[word] = error instanceof LogFault ? error.code : String(error);
  }
  line.close();
};
for (const name of names) await one(name);
console.log(JSON.stringify(said));
process.exit(0);
"""


async def test_the_javascript_client_keeps_heads_of_logs(package: Path) -> None:
    """The same in JavaScript, in whatever the program gives to keep them in."""
    (package / "logs.mjs").write_text(LOG_SCRIPT, "utf-8")
    async with hosted() as host:
        names = [f"{name} {code}" for name, (_, code) in LOGS.items()]
        said = json.loads(await node(package, "logs.mjs", host.url, TABLE, TOKEN, *names))
    assert said == {name: code or "true" for name, (_, code) in LOGS.items()}
