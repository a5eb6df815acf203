"""Requests that are too long, of the wrong kind, incomplete or malformed: each has its answer."""

from __future__ import annotations

import asyncio
import json

import httpx
import pytest

from server.attack.raw import Raw
from server.live import LiveServer, guest

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
}
JSON = {"Content-Type": "application/json"}


async def test_security_headers_are_on_every_answer(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
    me = await guest(http)
    asked = [
        ("GET", "/livez"), ("GET", "/readyz"), ("GET", "/version"), ("GET", "/metrics"),
        ("GET", "/api/tables"), ("GET", "/api/me"), ("GET", "/api/nothing"),
        ("GET", "/x/y"),
        ("GET", "/api/schema/openapi.json"), ("GET", "/api/schema"), ("PUT", "/api/tables"),
        ("OPTIONS", "/api/tables"), ("HEAD", "/livez"), ("HEAD", "/api/nothing"),
        ("POST", "/api/guests"), ("DELETE", "/api/admin/users"), ("GET", "/ws/x"),
    ]  # fmt: skip
    for method, path in asked:
        for headers in ({}, me.headers):
            answer = await http.request(method, path, headers=headers)
            for name, value in HEADERS.items():
                assert answer.headers.get_list(name) == [value], (method, path, name)
            # Browsers complain about it over plain http.
            assert "cross-origin-opener-policy" not in answer.headers
            assert "strict-transport-security" not in answer.headers
            policy = answer.headers["content-security-policy"]
            assert "unsafe" not in policy
            assert "base-uri 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            if path.startswith("/api/"):
                assert answer.headers["cache-control"] == "no-store"
                assert policy.startswith("default-src 'none'; ")
                assert policy.endswith("; sandbox")
            else:
                assert policy.startswith("default-src 'self'; ")
                assert "object-src 'none'" in policy
            assert "server" not in answer.headers


BODIES = [
    (b"", 400), (b"{", 400), (b"[]", 400), (b"null", 400), (b'"\xff"', 400),
    (b'{"name":"\xff"}', 400),
    (b'{"name":"\xed\xa0\x80"}', 400), (b'{"name":"\\ud800"}', 400), (b"[" * 8_000, 400),
    (b'{"name":1}', 400), (b'{"name":"Ada","x":1}', 400), (b'{"name":1e999}', 400),
    (b'{"name":%s}' % (b"9" * 5_000), 400), (b'\xef\xbb\xbf{"name":"Ada"}', 400),
    (b'{"name":"Ada"}x', 400), (b'{"name":NaN}', 400),
    (b'{"name":"Ada","name":"Ece"}', 201),
    (b'{"name":"Ada"}'.ljust(16_384), 201), (b'{"name":"Ada"}'.ljust(16_385), 413),
    (b"x" * 1_000_000, 413),
]  # fmt: skip


async def test_bodies_that_can_not_be_read_are_refused(http: httpx.AsyncClient) -> None:
    for body, status in BODIES:
        for chunked in (False, True):

            async def parts(body: bytes = body):  # type: ignore[no-untyped-def]
                for at in range(0, len(body), 4_000):
                    yield body[at : at + 4_000]

            content = parts() if chunked else body
            answer = await http.post("/api/guests", content=content, headers=JSON)
            assert answer.status_code == status, (body[:50], answer.text)
            if status > 201:
                code = "too-large" if status == 413 else "bad-request"
                error = answer.json()["error"]
                assert error["code"] == code
                known = error["details"]
                assert known["limit"] == 16_384 if status == 413 else known["reason"]
                assert "'data'" not in error["message"]


@pytest.mark.parametrize(
    "kind",
    [
        None, "", "text/plain", "application/x-www-form-urlencoded", "application/msgpack", "x",
        "multipart/form-data; boundary=x", "application/json2", "text/json", "application/xml",
    ],
)  # fmt: skip
async def test_a_body_is_said_to_be_json(kind: str | None, http: httpx.AsyncClient) -> None:
    """What a form on somebody else's page can send is refused."""
    headers = {} if kind is None else {"Content-Type": kind}
    answer = await http.post("/api/guests", content=b'{"name":"Ada"}', headers=headers)
    assert answer.status_code == 415, answer.text
    assert answer.json()["error"]["code"] == "body-not-json"


async def test_head_and_options_and_the_rest(http: httpx.AsyncClient) -> None:
    for path in ("/livez", "/api/tables", "/version", "/api/nothing"):
        got, head = await http.get(path), await http.head(path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        assert head.headers["content-type"] == got.headers["content-type"]
    options = await http.options("/api/tables")
    assert options.status_code == 204
    assert not [name for name in options.headers if name.startswith("access-control")]
    for method in ("PUT", "TRACE", "PATCH", "CONNECT"):
        answer = await http.request(method, "/api/tables")
        assert answer.status_code == 405
        assert answer.json()["error"]["code"] == "method-not-allowed"


ODD = [
    "BREW /livez HTTP/1.1\nHost: x",
    "GET /livez HTTP/9.9\nHost: x",
    "GET /livez HTTP/1.1\nHost: x\nContent-Length: 5\nContent-Length: 6",
    "GET /livez HTTP/1.1\nHost: x\nContent-Length: -1",
    "POST /api/guests HTTP/1.1\nHost: x\nTransfer-Encoding: chunked\nContent-Length: 3",
    "POST /api/guests HTTP/1.1\nHost: x\nTransfer-Encoding: xchunked",
    "GET /livez HTTP/1.1\nHost: x\nX\x00Y: z",
    "GET /livez HTTP/1.1\nHost: x\n X: folded",
    "GET http://[x/ HTTP/1.1\nHost: x",
    "GET /a b HTTP/1.1\nHost: x",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "PRI * HTTP/2.0\n\nSM",
    "GET /livez HTTP/1.1\nHost: x\n" + "\n".join(f"X-{n}: {'y' * 100}" for n in range(900)),
    "GET /" + "a" * 70_000 + " HTTP/1.1\nHost: x",
]


UPGRADE = "GET /ws/x HTTP/1.1\nHost: x\nUpgrade: websocket\nConnection: Upgrade"
KEY = "Sec-WebSocket-Key: eHh4eHh4eHh4eHh4eHh4eA=="
SOCKETS = [
    "",
    f"Sec-WebSocket-Version: 12\n{KEY}",
    "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: short",
    f"Sec-WebSocket-Version: 13\n{KEY}\n" + "\n".join(f"X-{n}: y" for n in range(200)),
    f"Sec-WebSocket-Version: 13\n{KEY}\nX: " + "y" * 20_000,
]


async def test_requests_that_are_none_are_refused_and_the_connection_ends(
    server: LiveServer,
) -> None:
    for odd in ODD:
        async with await Raw.open(server) as raw:
            answer = await raw.request(odd)
            assert answer.status == 400, odd[:60]
            assert answer.headers["connection"] == "close"
            await raw.gone()
    for more in SOCKETS:
        async with await Raw.open(server) as raw:
            answer = await raw.request(f"{UPGRADE}\n{more}".strip())
            assert answer.status in (400, 403, 405, 414, 426, 431), (answer, more[:200])
            await raw.gone()


async def test_many_requests_at_once_are_all_answered_in_order(server: LiveServer) -> None:
    async with await Raw.open(server) as raw:
        count = 300
        await raw.send(b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n" * count)
        for _ in range(count):
            answer = await raw.answer()
            assert answer.status == 200
            assert json.loads(answer.body)["protocol"] == 1


def test_who_asks_too_often_is_told_when_to_come_back() -> None:
    with LiveServer(requests_per_second=1, request_burst=5, guests_per_minute=1) as narrow:

        async def play() -> None:
            async with narrow.http() as http:
                answers = [await http.get("/api/tables") for _ in range(8)]
                assert [answer.status_code for answer in answers][:5] == [200] * 5
                last = answers[-1]
                assert last.status_code == 429
                assert last.json()["error"]["code"] == "rate-limited"
                assert int(last.headers["retry-after"]) >= 1
                assert (await http.get("/livez")).status_code == 200  # health is always answered
                # Nobody it trusts says that these come from others.
                for n in range(3):
                    headers = {"X-Forwarded-For": f"192.0.2.{n}", "Forwarded": "for=192.0.2.1"}
                    spoofed = await http.get("/api/tables", headers=headers)
                    assert spoofed.status_code == 429

        asyncio.run(play())
