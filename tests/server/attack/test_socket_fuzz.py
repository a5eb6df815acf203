"""Whatever is sent to a table's socket: a coded answer or the right close code, and no harm."""

import asyncio
import contextlib
import json
import struct
from typing import Any

from hypothesis import HealthCheck, given, settings, strategies as st

from conftest import Size
from server.attack.raw import BINARY, CLOSE, CONT, PATIENCE_S, PING, PONG, TEXT, Raw, frame
from server.clients import Client, answered
from server.live import LiveServer, Person, guest, served

HELLO = frame(TEXT, b'{"type":"hello"}')
CODES = {1000, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 4002}
TYPES = {"view", "event", "resumed", "ack", "error", "answer", "presence", "said", "pong", "bye"}


narrow = served(
    hello_timeout_s=0.5, messages_per_second=0.5, message_burst=10, max_sockets_per_address=5
)
"""A server with little patience and few places."""


class Scene:
    """A table with two people and a bot or two, and somebody who has no seat."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.people: list[Person] = []
        self.table = ""

    async def prepare(self, *, running: bool = False) -> None:
        """Make the table; a running one has no free seat, and waits for a person's turn."""
        options: dict[str, Any] = {"spectators": "live", "bots": [None, None, "random", None]}
        if running:
            options |= {"bots": [None, None, "random", "random"], "clock": 0, "late": False}
        async with self.server.http() as http:
            self.people = [await guest(http, name) for name in ("Ece", "Can", "Ada")]
            owner, other = (person.headers for person in self.people[:2])
            made = await http.post("/api/tables", json=options, headers=owner)
            assert made.is_success, made.text
            self.table = made.json()["id"]
            address = f"/api/tables/{self.table}/commands"
            for headers, command in (
                (other, {"type": "sit", "rid": "s", "seat": 1}),
                (other, {"type": "ready", "rid": "r"}),
                (owner, {"type": "start", "rid": "t"}),
            )[: 3 if running else 1]:
                answer = await http.post(address, json=command, headers=headers)
                assert answer.is_success, answer.text

    async def state(self) -> dict[str, Any]:
        async with self.server.http(self.people[0]) as http:
            shown: dict[str, Any] = (await http.get(f"/api/tables/{self.table}")).json()
            return shown

    async def assert_still(self, before: dict[str, Any]) -> None:
        """Nothing has changed, once the server has heard of every connection that went.

        Its end of a connection is closed before the table is told who is away, and a hello that
        it reads late is still answered: who sent it is there for a moment.
        """
        now = await self.state()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while now["here"] != before["here"]:
                    await asyncio.sleep(0.05)
                    now = await self.state()
        assert now == before

    async def settled(self) -> dict[str, Any]:
        """What is shown once it is a person's turn."""
        async with Client(self.server, self.table) as client:
            await client.until(lambda c: c.model.deal is not None and c.model.deal["turn"] < 2)
        return await self.state()

    async def open(self, who: int | None) -> Raw:
        raw = await Raw.open(self.server)
        headers = {} if who is None else self.people[who].headers
        assert (await raw.upgrade(f"/ws/{self.table}", headers)).status == 101
        return raw


async def scene_of(server: LiveServer) -> Scene:
    scene = Scene(server)
    await scene.prepare()
    return scene


def checked(texts: list[bytes]) -> list[dict[str, Any]]:
    """Messages of the server, each of a known kind, and each error complete."""
    found = [json.loads(text) for text in texts]
    for message in found:
        assert message["type"] in TYPES
        if message["type"] == "error":
            assert [*message] == ["type", "rid", "code", "message", "rule", "details"]
    return found


# Codes ----------------------------------------------------------------------------------------

BREACHES: list[tuple[str, bytes, int]] = [
    ("binary", frame(BINARY, b"{}"), 1003),
    ("empty-binary", frame(BINARY, b""), 1003),
    ("no-utf-8", frame(TEXT, b"\xff\xfe"), 1007),
    ("surrogate", frame(TEXT, b'{"type":"\xed\xa0\x80"}'), 1007),
    ("split-no-utf-8", frame(TEXT, b"\xc3", fin=False) + frame(CONT, b"\x28"), 1007),
    ("long", frame(TEXT, b"x" * 16_385), 1009),
    ("said-to-be-long", frame(TEXT, b"x", length=2**40), 1009),
    ("said-to-be-longer", frame(TEXT, b"x", length=2**63 - 1), 1009),
    ("long-in-parts", frame(TEXT, b"x" * 9_000, fin=False) + frame(CONT, b"x" * 9_000), 1009),
    ("reserved-bit", frame(TEXT, b"{}", bits=4), 1002),
    ("unknown-opcode", frame(5, b"{}"), 1002),
    ("unknown-control", frame(11, b""), 1002),
    ("bare", frame(TEXT, b"{}", masked=False), 1002),
    ("lone-part", frame(CONT, b"{}"), 1002),
    ("begun-twice", frame(TEXT, b"{", fin=False) + frame(TEXT, b"}"), 1002),
    ("ping-in-parts", frame(PING, b"", fin=False), 1002),
    ("long-ping", frame(PING, b"x" * 126), 1002),
    ("close-without-code", frame(CLOSE, b"x"), 1002),
    ("close-with-bad-code", frame(CLOSE, struct.pack("!H", 1006)), 1002),
    ("close-no-utf-8", frame(CLOSE, struct.pack("!H", 1000) + b"\xff"), 1007),
    ("close", frame(CLOSE, struct.pack("!H", 1000) + b"bye"), 1000),
    ("close-of-an-application", frame(CLOSE, struct.pack("!H", 4999)), 4999),
    ("empty-close", frame(CLOSE, b""), 1005),
    ("many-pings", frame(PING, b"") * 500, 1008),
    ("many-pongs", frame(PONG, b"") * 500, 1008),
    ("http", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 1002),
]


async def test_each_breach_of_the_protocol_has_its_close_code(server: LiveServer) -> None:
    """Before hello and after it."""
    scene = await scene_of(server)
    before = await scene.state()
    async with Client(server, scene.table, scene.people[1]) as friend:
        for name, data, code in BREACHES:
            for first in (b"", HELLO):
                async with await scene.open(0) as raw:
                    await raw.send(first + data)
                    texts, ended = await raw.end()
                    # Who sends too much may find the connection broken.
                    assert ended == code or (ended, len(data) > 9_000) == (1006, True), name
                    checked(texts)
                    await raw.send(frame(CLOSE, b""))
                    await raw.gone()
        assert not friend.seen("event")
        assert friend.model.seq == before["seq"]
    await scene.assert_still(before)


FIRST: list[tuple[str, bytes, int, str]] = [
    ("nothing", b"", 1008, "bad-message"),
    ("no-json", b"hello", 1008, "bad-message"),
    ("other", b'{"type":"ping"}', 1008, "hello-first"),
    ("list", b"[]", 1008, "bad-message"),
    ("deep", b"[" * 9_000, 1008, "bad-message"),
    ("field", b'{"type":"hello","token":"x"}', 1008, "bad-message"),
    ("large", b'{"type":"hello","seq":1e999}', 1008, "bad-message"),
    ("larger", b'{"type":"hello","seq":%s}' % (b"9" * 9_000), 1008, "bad-message"),
    ("negative", b'{"type":"hello","seq":-1}', 1008, "bad-message"),
    ("lone-surrogate", b'{"type":"hello","\\ud800":1}', 1008, "bad-message"),
]


async def test_hello_comes_first_and_in_form(server: LiveServer) -> None:
    scene = await scene_of(server)
    for name, data, code, why in FIRST:
        async with await scene.open(None) as raw:
            await raw.send(frame(TEXT, data))
            texts, ended = await raw.end()
            error, bye = checked(texts)
            assert (ended, error["code"], bye["code"]) == (code, why, why), name
    twice = b'{"type":"hello","seq":0,"seq":1,"options":false,"options":true}'
    async with await scene.open(0) as raw:  # the last of two counts, as everywhere in JSON
        await raw.send(frame(TEXT, twice) + HELLO + frame(TEXT, b'{"type":"ping","n":3}'))
        kinds = [json.loads((await raw.frame()).data)["type"] for _ in range(4)]
        assert kinds[-2:] == ["error", "pong"]


# Random ---------------------------------------------------------------------------------------

KINDS = [
    "hello", "sit", "leave", "ready", "bot", "kick", "start", "commit", "reveal", "act", "resume",
    "rematch", "say", "mute", "ask", "ping", "", "view", "HELLO", "\ud800", "close",
]  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=50)
    | st.sampled_from([0, 3, 4, -1, 2**63, 10**400, "draw", "discard R1", "options", "meld " * 90]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
NAMES = st.sampled_from(
    ["rid", "seat", "on", "bot", "random", "action", "phrase", "what", "aim", "n", "seq", "options"]
)
MESSAGES = st.builds(
    lambda kind, fields: json.dumps({"type": kind} | fields).encode(),
    st.sampled_from(KINDS),
    st.dictionaries(NAMES | st.text(max_size=5), VALUES, max_size=4),
)
"""Messages that look like real ones: all are refused, as a stranger sends them."""
PAYLOADS = st.one_of(
    MESSAGES,
    MESSAGES.map(lambda data: data[:-1] + b',"type":"ping"}'),
    st.binary(max_size=300),
    st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.integers(1, 6_000).map(lambda depth: b'{"type":"ping","n":' + b"[" * depth),
)
FRAMES = st.one_of(
    PAYLOADS.map(lambda data: frame(TEXT, data)),
    st.builds(
        lambda data, at: b"".join(
            (frame(TEXT, data[:at], fin=False), frame(PING, b"x"), frame(CONT, data[at:]))
        ),
        PAYLOADS, st.integers(0, 100),
    ),
    st.builds(
        lambda code, data, fin, bits, length: frame(code, data, fin=fin, bits=bits, length=length),
        st.integers(0, 15), st.binary(max_size=130), st.booleans(),
        st.sampled_from([0, 0, 0, 1, 7]),
        st.none() | st.integers(0, 2**63 - 1),
    ),
    st.binary(max_size=200),
)  # fmt: skip


async def throw(scene: Scene, data: list[bytes], who: int | None, hello: bool) -> None:
    """Open a socket, send frames and a close frame, and read to the end."""
    async with await scene.open(who) as raw:
        if hello:
            await raw.send(HELLO)
        await raw.send(b"".join(data))
        await raw.send(frame(CLOSE, struct.pack("!H", 1000)))
        with contextlib.suppress(OSError):
            raw.writer.write_eof()
        texts, code = await raw.end()
        checked(texts)
        assert code in CODES or code >= 3000


def test_nothing_a_stranger_sends_does_any_harm(server: LiveServer, size: Size) -> None:
    """Spectators with a session and without: the table stays as it is, and nobody is disturbed."""
    scene = Scene(server)
    fuzz = settings(
        max_examples=size(20, long=5_000), deadline=None, suppress_health_check=list(HealthCheck)
    )
    frames = st.lists(FRAMES, max_size=6)
    with asyncio.Runner() as runner:
        runner.run(scene.prepare(running=True))
        players = [Client(server, scene.table, person) for person in scene.people[:2]]
        for player in players:
            runner.run(player.connect())
        before = runner.run(scene.settled())

        def attack(data: list[bytes], who: int | None, hello: bool) -> None:
            runner.run(throw(scene, data, who, hello))
            runner.run(answered(players[1]))

        strangers = st.sampled_from([None, 2])
        fuzz(given(data=frames, who=strangers, hello=st.booleans())(attack))()
        runner.run(scene.assert_still(before))
        for player in players:
            runner.run(answered(player))
            assert player.model.seq == before["seq"]
            runner.run(player.close())


def test_a_player_who_sends_anything_harms_nobody_else(server: LiveServer, size: Size) -> None:
    """What the owner of a waiting table sends may change it; the other player's model follows."""
    fuzz = settings(
        max_examples=size(10, long=5_000), deadline=None, suppress_health_check=list(HealthCheck)
    )
    with asyncio.Runner() as runner:

        def storm(data: list[bytes]) -> None:
            scene = Scene(server)
            runner.run(scene.prepare())
            friend = Client(server, scene.table, scene.people[1])
            runner.run(friend.connect())
            runner.run(throw(scene, data, 0, hello=True))
            again = Client(server, scene.table, scene.people[2])
            runner.run(again.connect())
            if not friend.closed:  # it may have been sent away
                runner.run(answered(friend))
                assert (friend.model.seq, friend.model.table) == (
                    again.model.seq, again.model.table,
                )  # fmt: skip
            runner.run(friend.close())
            runner.run(again.close())

        frames = st.lists(MESSAGES.map(lambda data: frame(TEXT, data)), min_size=1, max_size=8)
        fuzz(given(data=frames)(storm))()


# Limits ---------------------------------------------------------------------------------------


async def test_the_silent_the_hasty_and_the_many(narrow: LiveServer) -> None:
    scene = await scene_of(narrow)

    for first in (b"", frame(PING, b""), frame(TEXT, b'{"type":', fin=False)):
        async with await scene.open(None) as raw:
            await raw.send(first)
            texts, code = await raw.end()
            assert code == 4008
            assert [m["code"] for m in checked(texts)] == ["hello-timeout"]

    async with await scene.open(0) as raw:
        await raw.send(HELLO)
        await raw.send(frame(TEXT, b'{"type":"ping"}') * 200)
        texts, code = await raw.end()
        assert code == 1008
        kinds = [m.get("code", m["type"]) for m in checked(texts)]
        # What the person asked for over HTTP, to open the table, counts too.
        heard = kinds.count("pong")
        assert heard in (9, 10)
        assert kinds == ["view", *["pong"] * heard, *["rate-limited"] * 21, "rate-limited"]
        error = json.loads(texts[-2])
        assert error["type"] == "error"
        assert error["details"]["seconds"] >= 1

    async with contextlib.AsyncExitStack() as all_of:
        for _ in range(5):
            raw = await all_of.enter_async_context(await scene.open(None))
            await raw.send(HELLO)
            assert (await raw.frame()).opcode == TEXT
        for _ in range(3):
            async with await scene.open(None) as raw:
                assert (await raw.end())[1] == 1013
    async with asyncio.timeout(60):  # the places are free again
        while True:
            async with await scene.open(None) as raw:
                await raw.send(HELLO)
                if (await raw.frame()).opcode == TEXT:
                    break


async def test_nobody_commands_for_others(server: LiveServer) -> None:
    """Each command from a stranger, a spectator without a session, and one who is not the owner."""
    scene = await scene_of(server)
    owners: list[dict[str, Any]] = [
        {"type": "start"}, {"type": "kick", "seat": 0}, {"type": "kick", "seat": 2},
        {"type": "bot", "seat": 2, "bot": None}, {"type": "bot", "seat": 3, "bot": "random"},
    ]  # fmt: skip
    players: list[dict[str, Any]] = [
        {"type": "leave"}, {"type": "ready"}, {"type": "commit", "commitment": "0" * 64},
        {"type": "reveal", "random": "0" * 32},
        {"type": "act", "action": "draw"}, {"type": "resume"}, {"type": "rematch"},
        {"type": "say", "phrase": "hello"}, {"type": "ask", "what": "options"},
    ]  # fmt: skip
    before = await scene.state()
    for who, commands, codes in (
        (1, owners, {"not-owner"}),
        (2, owners, {"not-owner", "not-seated"}),
        (2, players, {"not-seated", "no-rematch"}),
        (None, [*owners, *players, {"type": "sit"}], {"unauthorised", "not-seated"}),
    ):
        async with await scene.open(who) as raw:
            await raw.send(HELLO)
            for n, command in enumerate(commands):
                await raw.send(frame(TEXT, json.dumps(command | {"rid": f"c{n}"}).encode()))
                while (found := json.loads((await raw.frame()).data)).get("rid") != f"c{n}":
                    pass
                assert found["type"] == "error"
                assert found["code"] in codes, (who, command, found)
    await scene.assert_still(before)


async def test_who_vanishes_at_any_moment_leaves_nothing_behind(server: LiveServer) -> None:
    scene = await scene_of(server)
    for n in range(60):
        raw = await Raw.open(server)
        async with raw:
            if n % 4 == 0:
                head = f"GET /ws/{scene.table} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                head += "Connection: Upgrade\r\nSec-WebSocket-Key: eHh4eHh4eHh4eHh4eHh4eA==\r\n"
                await raw.send(f"{head}Sec-WebSocket-Version: 13\r\n\r\n".encode())
                continue  # gone before it is answered
            assert (await raw.upgrade(f"/ws/{scene.table}", scene.people[0].headers)).status == 101
            if n % 4 > 1:
                await raw.send(HELLO)
            if n % 4 > 2:
                await raw.send(frame(TEXT, b'{"type":"ask","rid":"a","what":"options"}') * 20)
    async with asyncio.timeout(60):
        while True in (await scene.state())["here"][:2]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
