"""Pages and hosts of others, tokens in wrong places, broken requests: refused with a code."""

import json
import re
import socket
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from okey101.server.settings import load_settings
from okey101.server.web.app import host_is_ours
from server.attack.raw import CLOSE, TEXT, Raw, frame, somebody
from server.live import Http, LiveServer, guest
from server.web.parties import code_of

PUBLIC = "https://okey.example"
FRIEND = "https://friend.example:8443"


@pytest.fixture(scope="module")
def public() -> Iterator[LiveServer]:
    """One that is behind a proxy of this machine and knows its public address."""
    with LiveServer(
        public_url=PUBLIC, allowed_origins=FRIEND, trusted_proxies="127.0.0.1"
    ) as running:
        running.url = json.loads((running.data / "server.json").read_text("utf-8"))["url"]
        running.port = httpx.URL(running.url).port or 80
        yield running


def cases(server: LiveServer) -> list[tuple[dict[str, str], bool]]:
    """Headers of a browser, and whether they come from one of our pages."""
    own = f"127.0.0.1:{server.port}"
    return [
        ({}, True),
        ({"Origin": f"http://{own}"}, True),
        ({"Origin": f"HTTP://{own}"}, True),
        ({"Origin": f"https://{own}"}, False),
        ({"Origin": f"http://127.0.0.1:{server.port + 1}"}, False),
        ({"Origin": f"http://localhost:{server.port}"}, False),
        ({"Origin": f"http://{own}.evil.example"}, False),
        ({"Origin": f"http://evil.example#{own}"}, False),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
        ({"Origin": "file://"}, False),
        ({"Origin": f"http://{own}, http://evil.example"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "http://localhost", "Host": "localhost"}, True),
        ({"Origin": "http://evil.example", "X-Forwarded-Host": "evil.example"}, False),
        ({"Origin": f"https://{own}", "X-Forwarded-Proto": "https"}, False),
    ]


async def test_only_own_pages_write_or_open_a_socket(server: LiveServer, http: Http) -> None:
    me, table = await somebody(server)
    cookie = {"Cookie": f"okey101={me.token}"}
    for headers, own in cases(server):
        for shown in (cookie, me.headers):
            body = {"type": "ready", "rid": "r", "on": True}
            address = f"/api/tables/{table}/commands"
            answer = await http.post(address, json=body, headers=headers | shown)
            assert answer.status_code == (200 if own else 403), (headers, answer.text)
            assert own or code_of(answer) == "origin"
        async with await Raw.open(server) as raw:
            host = {"Host": f"127.0.0.1:{server.port}"}
            upgraded = await raw.upgrade(f"/ws/{table}", host | cookie | headers)
            assert upgraded.status == (101 if own else 403), headers
        # Reading changes nothing, and no other page gets to see the answer.
        answer = await http.get("/api/me", headers=headers | cookie)
        assert answer.status_code == 200
        assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize(
    ("headers", "own"),
    [
        ({"Host": "okey.example", "Origin": PUBLIC, "X-Forwarded-Proto": "https"}, True),
        ({"Host": "okey.example", "Origin": PUBLIC}, True),
        ({"Host": "okey.example", "Origin": FRIEND}, True),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, False),
        ({"Host": "evil.example:8101", "Origin": "http://evil.example:8101"}, False),
        ({"Host": "okey.example", "Origin": "http://okey.example"}, False),
        ({"Host": "[::1", "Origin": "http://[::1"}, False),
        ({"Host": "127.0.0.1.evil.example", "Origin": "http://127.0.0.1.evil.example"}, False),
        ({"Host": "192.0.2.7:8101", "Origin": "http://192.0.2.7:8101"}, True),
        ({"Host": "[2001:db8::7]:81", "Origin": "http://[2001:db8::7]:81"}, True),
        ({"Host": "localhost:81", "Origin": "http://localhost:81"}, True),
    ],
)
async def test_a_name_is_no_proof(public: LiveServer, headers: dict[str, str], own: bool) -> None:
    """Once the public address is known, other names count for nothing (DNS rebinding)."""
    async with public.http() as http:
        answer = await http.post("/api/guests", json={"name": "Ada"}, headers=headers)
        assert answer.status_code == (201 if own else 403), answer.text
        async with await Raw.open(public) as raw:
            assert (await raw.upgrade("/ws/x", headers)).status == (101 if own else 403)


async def test_nobody_untrusted_says_that_it_was_https(server: LiveServer, http: Http) -> None:
    """The cookie that no other host can have set is for https; another's is not taken there."""
    https = {"X-Forwarded-Proto": "https"}
    me, _ = await somebody(server)
    made = await http.post("/api/guests", json={"name": "Ada"}, headers=https)
    assert made.headers["set-cookie"].startswith("okey101=")
    assert "Secure" not in made.headers["set-cookie"]
    for key, status in (("okey101", 200), ("__Host-okey101", 401)):
        shown = https | {"Cookie": f"{key}={me.token}"}
        assert (await http.get("/api/me", headers=shown)).status_code == status


async def test_a_bearer_goes_before_a_cookie_and_nothing_else_counts(server: LiveServer) -> None:
    (me, table), (other, _) = await somebody(server), await somebody(server)
    cookie = {"Cookie": f"okey101={other.token}"}
    async with server.http() as http:
        both = await http.get("/api/me", headers=me.headers | cookie)
        assert both.json()["id"] == me.id
        bad = await http.get("/api/me", headers={"Authorization": "Bearer x"} | cookie)
        assert code_of(bad) == "unauthorised"
        for token in (f"token={me.token}", f"access_token={me.token}", f"okey101={me.token}"):
            assert (await http.get(f"/api/me?{token}")).status_code == 401
            admin = f"/api/admin/tables?token={server.admin_token}"
            assert code_of(await http.get(admin)) == "not-allowed"
        for kind in ("Basic", "Token", "Bearerx", ""):
            shown = {"Authorization": f"{kind} {me.token}".strip()}
            assert (await http.get("/api/me", headers=shown)).status_code == 401
        assert (await http.get("/api/me", headers={"Authorization": ""})).status_code == 401
    async with await Raw.open(server) as raw:
        assert (await raw.upgrade(f"/ws/{table}?token={me.token}")).status == 101
        await raw.send(frame(TEXT, b'{"type":"hello"}'))
        assert json.loads((await raw.frame()).data)["you"] is None


async def test_administrators_addresses_want_the_administrators_token(server: LiveServer) -> None:
    me, _ = await somebody(server)
    async with server.http() as http:
        document = (await http.get("/api/schema/openapi.json")).json()
        paths = [path for path in document["paths"] if path.startswith("/api/admin")]
        asked = [(method, path) for path in paths for method in document["paths"][path]]
        assert len(asked) >= 8
        wrong: list[dict[str, str]] = [
            {}, me.headers, {"Cookie": f"okey101={server.admin_token}"},
            {"Authorization": "Bearer"}, {"Authorization": f"Bearer {server.admin_token}x"},
            {"Authorization": f"Bearer {server.admin_token[:-1]}"},
            {"Authorization": f"Basic {server.admin_token}"},
        ]  # fmt: skip
        for method, path in asked:
            for headers in wrong:
                address = path.format(table_id="x", user_id="x", bot_id="x", person="x")
                answer = await http.request(method, address, json={}, headers=headers)
                assert answer.status_code == 403, (method, path, headers, answer.text)
                assert code_of(answer) == "not-allowed"
        letters = {"Authorization": b"Bearer \xff\xc3\xa4"}
        raw: Any = letters
        assert (await http.get("/api/admin/tables", headers=raw)).status_code == 403
    async with server.admin() as http:
        assert (await http.get("/api/admin/tables")).status_code == 200
        assert code_of(await http.get("/api/me")) == "unauthorised"  # it is nobody's session


NO_IDS = (
    "..%2f..%2fadmin.token", "%2e%2e%2fetc%2fpasswd", "%2Fetc%2Fpasswd", "....//", "%00", "%ff",
    "x%00y",     "a" * 5_000, "%F0%9F%98%80", "%E2%80%AEx", "%ED%A0%80", "x%0d%0aSet-Cookie:%20a=b",
    "%25%32%65", "'%20OR%201=1--", "%22;DROP%20TABLE%20log;--", "*", "%5c..%5c", "{table_id}", "-1",
    "0", "9" * 400,
)  # fmt: skip


async def test_ids_that_are_none_lead_nowhere(server: LiveServer) -> None:
    me, _ = await somebody(server)
    async with server.http(me) as http:
        for none in NO_IDS:
            for address in (
                f"/api/tables/{none}", f"/api/tables/{none}/record", f"/api/matches/{none}",
                f"/api/matches/{none}/record", f"/api/matches/{none}/deals/0",
                f"/api/matches/x/deals/{none}", f"/api/schema/{none}",
            ):  # fmt: skip
                answer = await http.get(address)
                assert answer.status_code == 404, (address, answer.text)
                assert "a=b" not in answer.headers.get("set-cookie", "")
                code_of(answer)
            ended = await http.delete(f"/api/me/sessions/{none}")
            assert ended.status_code in (401, 404), (none, ended.text)
            async with await Raw.open(server) as raw:
                upgraded = await raw.upgrade(f"/ws/{none}")
                if upgraded.status == 101:
                    await raw.send(frame(TEXT, b'{"type":"hello"}'))
                    texts, code = await raw.end()
                    assert code == 4002
                    assert [json.loads(text).get("code") for text in texts] == ["no-table"] * 2
                else:
                    assert upgraded.status in (400, 403, 404, 414, 431), none


OTHERS = (
    "evil.example", "evil.example:8101", "127.0.0.1.evil.example", "localhost.evil.example",
    "evil.local.example", "x.evil.example", "[::1", "evil", "2130706433", "127.1", "0x7f000001",
)  # fmt: skip
"""Names; numbers that are no address in full are resolved like names."""


async def test_a_page_whose_name_leads_here_gets_nothing(server: LiveServer, http: Http) -> None:
    """It would be of our origin: its guests, its sockets, and whatever may be read."""
    for host in OTHERS:
        headers = {"Host": host, "Origin": f"http://{host}"}
        for method, path in (
            ("POST", "/api/guests"), ("GET", "/api/tables"), ("GET", "/"),
            ("GET", "/metrics"), ("GET", "/nothing"),
        ):  # fmt: skip
            answer = await http.request(method, path, json={"name": "Ada"}, headers=headers)
            assert answer.status_code == 421, (host, path, answer.text)
            error = answer.json()["error"]
            assert (error["code"], error["details"]) == ("unknown-host", {"host": host})
            assert answer.headers["x-frame-options"] == "DENY"
        assert (await http.get("/livez", headers=headers)).status_code == 200
    for host in OTHERS:
        async with await Raw.open(server) as raw:
            headers = {"Host": host, "Origin": f"http://{host}"}
            upgraded = await raw.upgrade("/ws/x", headers)
            assert upgraded.status == 421
            assert json.loads(upgraded.body)["error"]["code"] == "unknown-host"


async def test_the_machine_s_own_names_and_addresses_are_let_in(server: LiveServer) -> None:
    name = socket.gethostname().partition(".")[0]
    hosts = (
        "localhost", "localhost:8101", "okey.localhost", "192.0.2.7:8101", "127.0.0.1", "[::1]:80",
        "[2001:db8::7]", name, f"{name.upper()}.local:8101", f"{name}.lan.", "x", "X:8101",
    )  # fmt: skip
    async with server.http() as http:
        for host in hosts:
            headers = {"Host": host, "Origin": f"http://{host}"}
            made = await http.post("/api/guests", json={"name": "Ada"}, headers=headers)
            assert made.status_code == 201, (host, made.text)
            async with await Raw.open(server) as raw:
                assert (await raw.upgrade("/ws/x", headers)).status == 101, host
    async with await Raw.open(server) as raw:  # programs of old send none, browsers always do
        assert (await raw.request("GET /version HTTP/1.0")).status == 200


@pytest.mark.parametrize(
    ("host", "ours"),
    [("okey.lan", True), ("OKEY.LAN:81", True), ("okey.lan.", True), ("masa.lan", False),
     ("ev.okey.lan", False), ("okey.home", True), ("", True), (":81", False)],
)  # fmt: skip
def test_names_that_the_settings_allow(host: str, ours: bool) -> None:
    settings = load_settings({"allowed_hosts": ("okey.lan",), "host": "okey.home"})
    assert host_is_ours(host, settings) is ours


HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
}
JSON = {"Content-Type": "application/json"}


async def test_security_headers_are_on_every_answer(server: LiveServer, http: Http) -> None:
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


async def test_bodies_that_can_not_be_read_are_refused(http: Http) -> None:
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
async def test_a_body_is_said_to_be_json(kind: str | None, http: Http) -> None:
    """What a form on somebody else's page can send is refused."""
    headers = {} if kind is None else {"Content-Type": kind}
    answer = await http.post("/api/guests", content=b'{"name":"Ada"}', headers=headers)
    assert answer.status_code == 415, answer.text
    assert answer.json()["error"]["code"] == "body-not-json"


async def test_head_and_options_and_the_rest(http: Http) -> None:
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


async def test_requests_that_are_none_are_refused_and_cut_off(server: LiveServer) -> None:
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


async def test_figures_have_no_label_that_a_stranger_sent(server: LiveServer) -> None:
    me, table = await somebody(server)
    for asked in ("HUSH /livez", "PURGE /hush", "GET /hush/x", "GET /api/tables/hush"):
        async with await Raw.open(server) as raw:
            await raw.request(f"{asked} HTTP/1.1\nHost: 127.0.0.1")
    async with await Raw.open(server) as raw:
        await raw.upgrade(f"/ws/{table}", me.headers)
        await raw.send(frame(TEXT, b'{"type":"hello"}'))
        for more in ("", ',"seat":0', ',"action":"discard hush"', ',"text":"hush"'):
            for kind in ("hush", "act", "sit", "say"):
                data = f'{{"type":"{kind}","rid":"hush"{more}}}'
                await raw.send(frame(TEXT, data.encode()))
        await raw.send(frame(CLOSE, b""))
        await raw.end()
    async with server.http() as http:
        told = (await http.get("/metrics")).text
    assert {'type="unreadable"', 'type="sit"'} <= {*re.findall(r'type="\w+"', told)}
    assert 'route="unknown"' in told
    assert "hush" not in told.casefold()


async def test_many_requests_at_once_are_all_answered_in_order(server: LiveServer) -> None:
    async with await Raw.open(server) as raw:
        count = 300
        await raw.send(b"GET /version HTTP/1.1\r\nHost: x\r\n\r\n" * count)
        for _ in range(count):
            answer = await raw.answer()
            assert answer.status == 200
            assert json.loads(answer.body)["protocol"] == 1
