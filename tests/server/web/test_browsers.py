"""What the server tells browsers about its answers, and what no answer does."""

import asyncio
import re
from email.message import Message
from typing import Final

import httpx
import pytest

from conftest import Size
from okey101.server.web.page import read
from server.live import Http, LiveServer, Person, guest
from server.web.parties import PASSWORD, account, code_of

HTTPS: Final = {"X-Forwarded-Proto": "https"}
HTML: Final = {"Accept": "text/html"}
ADDRESSES: Final = (
    "/livez", "/readyz", "/version", "/metrics", "/", "/t/x", "/sw.js", "/nothing", "/assets/x.js",
    "/api/tables", "/api/me", "/api/nothing", "/api/rules/wiki", "/api/schema/openapi.json",
)  # fmt: skip
SCRIPT: Final = "<script>alert(1)</script>"


def kind_of(answer: httpx.Response) -> tuple[str, str | None]:
    """The media type of an answer, and its charset."""
    head = Message()
    head["content-type"] = answer.headers["content-type"]
    return head.get_content_type(), head.get_param("charset")  # type: ignore[return-value]


async def test_over_https_browsers_come_back_over_https_alone(http: Http) -> None:
    """A year of HSTS, on whatever is answered; and never because a stranger said so over http."""
    for path in ADDRESSES:
        answer = await http.get(path, headers=HTTPS)
        (policy,) = answer.headers.get_list("strict-transport-security")
        name, _, seconds = policy.partition("=")
        assert (name, int(seconds) >= 365 * 86_400) == ("max-age", True), path
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert "strict-transport-security" not in (await http.get(path)).headers


async def test_every_answer_says_what_it_is(http: Http) -> None:
    """The type fits the content, and text has its charset."""
    for path in ADDRESSES:
        for headers in ({}, HTML):
            answer = await http.get(path, headers=headers)
            kind, charset = kind_of(answer)
            if kind.endswith("json"):
                answer.json()
            else:
                assert kind in ("text/html", "text/plain", "text/javascript"), path
                assert charset == "utf-8", (path, kind)
            assert (kind == "text/html") == answer.text.startswith("<!doctype html>")


async def test_nothing_asked_for_is_repeated_as_html(http: Http) -> None:
    """What an address, a name or a body holds comes back in JSON alone, or not at all."""
    for path in (f"/t/{SCRIPT}", f"/{SCRIPT}", f"/api/{SCRIPT}", f"/api/rules/{SCRIPT}",
                 f"/api/matches/{SCRIPT}", f"/assets/{SCRIPT}"):  # fmt: skip
        answer = await http.get(path, headers=HTML)
        assert kind_of(answer)[0] == "application/json" or SCRIPT not in answer.text
    answer = await http.post("/api/guests", json={"name": SCRIPT})
    assert kind_of(answer)[0] == "application/json"
    assert answer.status_code == 400


async def test_what_changes_something_is_no_get(http: Http) -> None:
    """An address that a link or a picture may lead to changes nothing."""
    both = {  # GET shows them
        "/api/days", "/api/families", "/api/families/{link}", "/api/friends",
        "/api/matches/{match_id}/review", "/api/me", "/api/me/bots", "/api/me/push",
        "/api/me/sessions", "/api/tables", "/api/tables/{table_id}/invitations",
    }  # fmt: skip
    paths = (await http.get("/api/schema/openapi.json")).json()["paths"]
    changing = {path for path, ways in paths.items() if ways.keys() - {"get"}}
    assert {path for path in changing if "get" in paths[path]} == both
    assert {"/api/guests", "/api/login", "/api/logout", "/api/play"} <= changing
    for path in changing - both:
        answer = await http.get(re.sub(r"\{\w+\}", "x", path))
        assert code_of(answer, 405) == "method-not-allowed", path


@pytest.mark.parametrize(
    "path",
    [
        "/.git/config", "/.env", "/assets/", "/assets/..", "/assets/%2e%2e/index.html",
        "/assets/..%2findex.html", "/assets/..%2f..%2fserver%2fserve.py", "/index.html.bak",
        "/log.sqlite", "/admin.token", "/okey101", "/docs", "/api/schema/swagger",
    ],
)  # fmt: skip
async def test_only_the_page_s_own_files_are_served(server: LiveServer, path: str) -> None:
    """No folder is listed, no way leads out of the page, and nothing else lies about."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    assert answer.split(b" ", 2)[1] == b"404", answer[:200]


def test_the_way_to_a_file_stays_within_the_page() -> None:
    for name in ("../server/serve.py", "assets/../../py.typed", "/etc/passwd", "assets/\0", ""):
        assert read(name) is None, name


async def test_a_login_ends_the_session_it_came_with(http: Http) -> None:
    """Whoever signs in anew has a new token, and the old one opens nothing any more."""
    who = await account(http, "Yeniden Giren")
    other = await account(http, "Başkası Giren")
    body = {"name": who.name, "password": PASSWORD, "bearer": True}
    for before in (who, other):
        answer = await http.post("/api/login", json=body, headers=before.headers)
        now = Person(who.id, who.name, answer.json()["token"])
        assert now.token != before.token
        assert code_of(await http.get("/api/me", headers=before.headers), 401)
        assert (await http.get("/api/me", headers=now.headers)).json()["id"] == who.id


async def test_any_characters_make_a_password(size: Size, http: Http) -> None:
    """No kind of character is demanded or forbidden, up to 128 of them, and case counts."""
    passwords = ("q'\";--\\%00", "ŞİFRE şifre 🀄", "x" * 128, "ığüşöç çğ", "        x", "🀄" * 8)
    for at, password in enumerate(passwords[: size(3, long=6)]):
        who = await guest(http, f"Parola {at}")
        body = {"name": who.name, "password": password, "bearer": True}
        made = await http.post("/api/me/account", json=body, headers=who.headers)
        assert made.status_code == 200, password
        assert (await http.post("/api/login", json=body)).status_code == 200
        for other in (password.swapcase(), password[:-1], password + " "):
            if other != password:
                answer = await http.post("/api/login", json=body | {"password": other})
                assert code_of(answer, 401) == "bad-login"
