"""Clients that do not read, or do not finish what they say, are cut off and delay nobody."""

import asyncio
import contextlib
import json
from pathlib import Path

from conftest import Size, soon
from server.attack.raw import PING, TEXT, Raw, frame, somebody
from server.clients import Client
from server.live import Http, LiveServer, changed, guest, served
from server.web.parties import command

PATIENCE_S = 60.0


server = served(program=changed("hasty"), deal_pause_s=0, first_deal_wait_s=0)


def resident_kib(server: LiveServer) -> int:
    status = Path(f"/proc/{server.running.pid}/status").read_text("ascii")
    return int(next(x for x in status.splitlines() if x.startswith("VmRSS")).split()[1])


async def sockets_at_most(server: LiveServer, most: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while (await server.figures())["okey101_sockets"] > most:  # noqa: ASYNC110
            await asyncio.sleep(0.25)  # an address may ask for figures five times a second


async def deaf(server: LiveServer, table: str, token: str | None = None) -> Raw:
    """A client that says hello and never reads again."""
    raw = await Raw.open(server, receive_buffer=4096)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    assert (await raw.upgrade(f"/ws/{table}", headers)).status == 101
    await raw.send(frame(TEXT, b'{"type":"hello"}'))
    raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
    return raw


async def shout(raw: Raw, texts: list[bytes]) -> None:
    """Send texts, some at a time, as long as the server takes them."""
    for n in range(0, len(texts), 20):
        try:
            async with asyncio.timeout(1):
                if not await raw.send(b"".join(frame(TEXT, text) for text in texts[n : n + 20])):
                    return
        except TimeoutError:
            return
        await asyncio.sleep(0.002)


def open_files(server: LiveServer) -> int:
    return len(list(Path(f"/proc/{server.running.pid}/fd").iterdir()))


def questions(count: int) -> list[bytes]:
    made = [{"type": "ask", "rid": f"q{n}", "what": "options"} for n in range(count)]
    return [json.dumps(one).encode() for one in made]


async def one_round(server: LiveServer, http: Http, listeners: int) -> None:
    """Two people at a table with bots: one plays, the other keeps asking and reads nothing."""
    friend, deaf_one = await guest(http, "Ece"), await guest(http, "Can")
    body = {"deals": 100, "spectators": "live", "bots": [None, None, "steady", "steady"]}
    made = await http.post("/api/tables", json=body, headers=friend.headers)
    table = made.json()["id"]
    (await command(http, deaf_one, table, "sit", seat=1)).raise_for_status()
    (await command(http, deaf_one, table, "ready")).raise_for_status()
    before = (await server.figures())["okey101_outbox_overflows_total"]
    async with Client(server, table, friend) as client, contextlib.AsyncExitStack() as all_of:
        tokens = [deaf_one.token, *[None] * listeners]
        raws = [await all_of.enter_async_context(await deaf(server, table, t)) for t in tokens]
        await client.command("ready")
        await client.command("start")
        await client.until(lambda c: c.model.deal is not None)
        asking = [asyncio.create_task(shout(raw, questions(5_000))) for raw in raws]
        for n in range(20):  # while the server gets all these questions, the friend is answered
            await client.ask("arrange")
            if n < 3:
                await client.command("say", phrase="hello")
        await client.until(lambda c: not c.model.here[1])
        for task in asking:
            task.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        await sockets_at_most(server, 1)
        assert not client.closed
    assert (await server.figures())["okey101_outbox_overflows_total"] > before


async def test_who_never_reads_is_cut_off_and_delays_nobody(server: LiveServer, size: Size) -> None:
    rounds, listeners = size(2, long=20), size(6, long=30)
    memory: list[int] = []
    async with server.http() as http:
        for _ in range(rounds):
            await one_round(server, http, listeners)
            memory.append(resident_kib(server))
    assert memory[-1] < memory[0] + 40_000, memory


async def test_who_reads_may_ask_much_at_once(server: LiveServer) -> None:
    """A burst of questions is no sign of a slow reader."""
    me, table = await somebody(server)
    raw = await Raw.open(server)
    async with raw:
        headers = {"Authorization": f"Bearer {me.token}"}
        assert (await raw.upgrade(f"/ws/{table}", headers)).status == 101
        pings = [b'{"type":"ping","n":%d}' % n for n in range(500)]
        texts = [b'{"type":"hello"}', *pings]
        await raw.send(b"".join(frame(TEXT, text) for text in texts))
        assert json.loads((await raw.frame()).data)["type"] == "view"
        assert [json.loads((await raw.frame()).data)["n"] for _ in pings] == [*range(500)]


async def test_pings_nobody_reads_the_answers_of_cost_nothing(server: LiveServer) -> None:
    me, table = await somebody(server)
    files = open_files(server)
    for payload in (b"x" * 125, b""):
        async with await deaf(server, table, me.token) as raw:
            for _ in range(3_000):
                if not await raw.send(frame(PING, payload) * 10):
                    break
            await sockets_at_most(server, 0)
    await soon(lambda: open_files(server) <= files)


async def test_a_replaced_socket_that_does_not_read_is_let_go(server: LiveServer) -> None:
    """It can't be sent a last word, and nothing of it remains."""
    me, table = await somebody(server)
    async with await deaf(server, table, me.token) as raw:
        await shout(raw, [b'{"type":"ping","n":%d}' % n for n in range(6_000)])
        async with Client(server, table, me) as client:
            await sockets_at_most(server, 1)
            assert client.model.here == [True, False, False, False]


HALVES = (
    b"",
    b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: a",
    b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n\r\n{",
    b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n\r\nGET",
    b"GET /ws/x HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n",
)


async def test_half_a_request_is_not_waited_for_long(server: LiveServer) -> None:
    """Bytes that trickle in do not prolong it, nor do blank lines between requests."""

    async def trickle(begun: bytes) -> None:
        async with await Raw.open(server) as raw:
            reading = asyncio.create_task(raw.gone())
            await raw.send(begun)
            async with asyncio.timeout(PATIENCE_S):
                while not reading.done():
                    await asyncio.sleep(0.1)
                    await raw.send(b"\r\n" if begun.endswith(b"\r\n\r\n") else b"a")

    await asyncio.gather(*(trickle(begun) for begun in HALVES))


async def test_an_endless_head_is_refused(server: LiveServer) -> None:
    for begun in (
        b"GET /",
        b"GET /livez HTTP/1.1\r\nX-Long: ",
        b"GET /livez HTTP/1.1\r\nX",
        b"GET /livez HTTP/1.1\r\nX: y\r\n" * 1,
    ):
        memory = resident_kib(server)
        async with await Raw.open(server) as raw:
            more = b"X: y\r\n" if begun.endswith(b"\n") else b"a"
            await raw.send(begun)
            for _ in range(200):
                if not await raw.send(more * (65_536 // len(more))):
                    break
            else:
                raise AssertionError("12 MB of head were taken")
        assert resident_kib(server) < memory + 8_000


async def test_trailers_add_nothing_to_the_head(server: LiveServer) -> None:
    """What follows the body was not seen by those who looked at the head."""
    async with server.http() as http:
        me = await guest(http, "Ece")
    async with await Raw.open(server) as raw:
        head = "POST /api/tables HTTP/1.1\nHost: 127.0.0.1\nTransfer-Encoding: chunked"
        head += "\nContent-Type: application/json"
        chunks = b"2\r\n{}\r\n0\r\nAuthorization: Bearer %s\r\n\r\n" % me.token.encode()
        assert (await raw.request(head, chunks)).status == 401


async def test_large_answers_that_nobody_reads_are_dropped(server: LiveServer) -> None:
    files = open_files(server)
    asked = b"GET /api/schema/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    async with contextlib.AsyncExitStack() as all_of:
        for _ in range(5):
            raw = await Raw.open(server, receive_buffer=4096)
            all_of.push_async_exit(raw)
            raw.writer.transport.pause_reading()  # type: ignore[attr-defined]
            await raw.send(asked * 400)
        await soon(lambda: open_files(server) <= files)
