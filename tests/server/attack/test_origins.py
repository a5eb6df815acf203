"""Other people's pages, tokens in wrong places, bad ids: all refused with a code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from server.attack.raw import TEXT, Raw, frame
from server.live import LiveServer, Person, guest

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
        assert "Traceback" not in running.log


async def somebody(server: LiveServer) -> tuple[Person, str]:
    """A guest who owns a table, and its id."""
    async with server.http() as http:
        me = await guest(http)
        made = await http.post("/api/tables", json={}, headers=me.headers)
        return me, made.json()["id"]


def code_of(answer: httpx.Response) -> str:
    body = answer.json()
    assert body["ok"] is False
    assert [*body["error"]] == ["code", "message", "rule", "details"]
    return str(body["error"]["code"])


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


async def test_only_own_pages_may_change_anything_or_open_a_socket(
    server: LiveServer, http: httpx.AsyncClient
) -> None:
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
async def test_a_name_that_leads_here_is_not_thereby_ours(
    public: LiveServer, headers: dict[str, str], own: bool
) -> None:
    """Once the public address is known, other names count for nothing (DNS rebinding)."""
    async with public.http() as http:
        answer = await http.post("/api/guests", json={"name": "Ada"}, headers=headers)
        assert answer.status_code == (201 if own else 403), answer.text
        async with await Raw.open(public) as raw:
            assert (await raw.upgrade("/ws/x", headers)).status == (101 if own else 403)


async def test_the_cookie_fits_the_scheme(public: LiveServer, server: LiveServer) -> None:
    """Over https only the cookie that no other host can have set; over http the plain one."""
    https = {"X-Forwarded-Proto": "https"}
    for one, header, name, other in (
        (public, https, "__Host-okey101", "okey101"),
        (public, {}, "okey101", "__Host-okey101"),
        (server, https, "okey101", "__Host-okey101"),  # nobody it trusts says it was https
    ):
        me, _ = await somebody(one)
        async with one.http() as http:
            made = await http.post("/api/guests", json={"name": "Ada"}, headers=header)
            cookie = made.headers["set-cookie"]
            assert cookie.startswith(f"{name}=")
            assert ("Secure" in cookie) == name.startswith("__Host-")
            assert "HttpOnly" in cookie
            assert "SameSite=lax" in cookie
            assert "Domain" not in cookie
            for key, status in ((name, 200), (other, 401)):
                shown = header | {"Cookie": f"{key}={me.token}"}
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


async def test_the_administrators_addresses_want_the_administrators_token(
    server: LiveServer,
) -> None:
    me, _ = await somebody(server)
    async with server.http() as http:
        document = (await http.get("/api/schema/openapi.json")).json()
        asked = [
            (method, path)
            for path, item in document["paths"].items()
            for method in item
            if path.startswith("/api/admin")
        ]
        assert len(asked) >= 8
        wrong: list[dict[str, str]] = [
            {}, me.headers, {"Cookie": f"okey101={server.admin_token}"},
            {"Authorization": "Bearer"}, {"Authorization": f"Bearer {server.admin_token}x"},
            {"Authorization": f"Bearer {server.admin_token[:-1]}"},
            {"Authorization": f"Basic {server.admin_token}"},
        ]  # fmt: skip
        for method, path in asked:
            for headers in wrong:
                address = path.format(table_id="x", user_id="x", bot_id="x")
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
                    assert upgraded.status in (400, 403, 414, 431), none
