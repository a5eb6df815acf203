"""The page's files and the documents' site: packed as asked, and allowed by their policy."""

import base64
import gzip
import hashlib
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Final, cast

import httpx
import pytest

from conftest import Patch
from okey101.server.people import persons
from okey101.server.settings import SettingsError, load_settings
from okey101.server.web import page
from okey101.server.web.auth import Asked
from okey101.server.web.page import PAGE, answer_file, languages_asked, notice_sections
from server.live import Http, LiveServer, guest
from server.web.parties import command, in_match, new_table

INDEX: Final = (PAGE / "index.html").read_text("utf-8") if (PAGE / "index.html").exists() else ""
SCRIPT: Final = next(iter(re.findall(r'src="(/assets/[^"]+\.js)"', INDEX)), "/assets/none.js")


def card(html: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)" />', html)
    return {name: unescape(text) for name, text in found}


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("br, gzip", "br"), ("gzip, deflate", "gzip"), ("gzip;q=1, br;q=0", "gzip"), ("", None),
     ("identity", None), ("br;q=x, GZIP;q=0.1", "gzip"), ("zstd", None)],
)  # fmt: skip
async def test_a_file_comes_packed_as_asked(
    server: LiveServer, accepted: str, coding: str | None
) -> None:
    async with server.http() as http, http.stream(
        "GET", SCRIPT, headers={"Accept-Encoding": accepted}
    ) as answer:  # fmt: skip
        body = b"".join([part async for part in answer.aiter_raw()])
        assert answer.headers.get("content-encoding") == coding
        assert answer.headers["vary"] == "Accept-Encoding"
        assert "immutable" in answer.headers["cache-control"]
        assert answer.headers["content-type"].startswith("text/javascript")
    plain = (PAGE / SCRIPT.lstrip("/")).read_bytes()
    if coding == "br":
        assert body == (PAGE / f"{SCRIPT.lstrip('/')}.br").read_bytes()
    else:
        assert (gzip.decompress(body) if coding else body) == plain


def test_an_installed_page_has_nothing_twice(monkeypatch: Patch, tmp_path: Path) -> None:
    """The wheel has the packed files alone; who takes neither packing gets one unpacked."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "texts.tr-01234567.js.gz").write_bytes(gzip.compress(b"plain"))
    (tmp_path / "assets" / "texts.tr-01234567.js.br").write_bytes(b"br")
    (tmp_path / "index.html").write_bytes(b"<html>")
    monkeypatch.setattr(page, "PAGE", tmp_path)
    name = "assets/texts.tr-01234567.js"
    plain = answer_file(name, "identity", "no-cache")
    assert (plain.content, plain.headers.get("Content-Encoding")) == (b"plain", None)
    assert answer_file(name, "br, gzip", "no-cache").content == b"br"
    request = cast("Asked", SimpleNamespace(headers={"accept-language": "tr"}))
    answer = page.answer_page(request)
    assert answer.headers["Link"] == f"</{name}>; rel=modulepreload"


async def test_the_style_inside_the_page_is_all_that_its_policy_lets_in(server: LiveServer) -> None:
    async with server.http() as http:
        answer = await http.get("/rules")
    policy = answer.headers["content-security-policy"]
    styles = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert styles
    for style in styles:
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("language", ["tr", "en"])
async def test_the_reader_s_catalogue_is_named_beside_the_page(language: str, http: Http) -> None:
    answer = await http.get("/", headers={"Accept-Language": f"{language}-XX"})
    (path,) = re.findall(r"<(/assets/texts\.(?:tr|en)-.+\.js)>", answer.headers["link"])
    assert f"texts.{language}-" in path
    assert (await http.get(path)).status_code == 200


@pytest.mark.parametrize(
    ("header", "language"),
    [("tr-TR,tr;q=0.9,en;q=0.8", "tr"), ("en;q=0.2, tr;q=0.1", "en"), ("de, *", "tr"), ("", "tr"),
     ("en;q=wrong", "tr"), (",,;;=", "tr")],
)  # fmt: skip
def test_which_language_is_asked_for(header: str, language: str) -> None:
    assert languages_asked(header) == language


async def test_a_table_has_a_card_with_names_and_free_seats(server: LiveServer, http: Http) -> None:
    name = "Ayşe O'Neill"
    host = await guest(http, name)
    table = await new_table(http, host, clock=0, bots=[None, None, None, "steady"])
    answer = await http.get(f"/t/{table}", headers={"Accept-Language": "en"})
    told = card(answer.text)
    assert told["og:title"] == f"{name} invites you to a table of Okey 101"
    assert told["og:description"] == f"At the table: {name}. 2 seats are free."
    assert told["og:url"] == f"{server.url}/t/{table}"
    assert told["og:image"] == f"{server.url}/card.jpg"
    assert name not in answer.text  # escaped, though no name has < in it
    turkish = card((await http.get(f"/t/{table}?l=tr")).text)
    assert turkish["og:description"] == f"Masadakiler: {name}. 2 boş yer var."
    assert turkish["og:locale"] == "tr_TR"
    assert (await http.get("/card.jpg")).headers["content-type"] == "image/jpeg"
    for deals, free in ((2, "3 seats are free."), (1, "No seat is free; you can watch.")):
        async with in_match(server, lambda c: len(c.model.deal_actions) > 8, host, deals) as client:
            told = card((await http.get(f"/t/{client.table}?l=en")).text)
            assert told["og:description"] == f"At the table: {name}. {free}"


async def test_what_nobody_may_watch_has_the_card_of_a_table_that_never_was(http: Http) -> None:
    host = await guest(http, "Gizli")
    bots = [None, "steady", "steady", "steady"]
    table = await new_table(http, host, clock=0, bots=bots, spectators="off", late=False)
    seated = card((await http.get(f"/t/{table}")).text)
    assert "Gizli" in seated["og:title"]  # it still waits: whoever has the address may sit
    await command(http, host, table, "start")
    hidden = card((await http.get(f"/t/{table}")).text)
    never = card((await http.get("/t/nosuchtable1")).text)
    del hidden["og:url"], never["og:url"]
    assert hidden == never
    assert hidden["og:title"] == "Okey 101"


async def test_who_has_no_name_is_proposed_one(http: Http) -> None:
    for language, word in (("tr", "Misafir"), ("en", "Guest")):
        answer = (await http.get(f"/api/session?language={language}")).json()
        assert answer["user"] is None
        assert re.fullmatch(rf"{word} \d{{3,4}}", answer["proposed"])
    who = await guest(http, answer["proposed"])
    assert (await http.get("/api/session", headers=who.headers)).json()["proposed"] is None


# The privacy notice -----------------------------------------------------------------------------

DOCS: Final = Path(__file__).resolve().parents[3] / "docs"
_DAYS = {"180": persons.LIFETIME_MS // 86_400_000, "90": persons.EVENTS_KEPT_MS // 86_400_000}


@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_notice_to_fill_in_is_read_and_tells_how_long(language: str) -> None:
    page = (DOCS / language / "privacy-notice.md").read_text("utf-8")
    (text,) = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    sections = notice_sections(text)
    assert [len(section.title) > 5 for section in sections] == [True] * 4
    assert len([line for line in sections[1].lines if line.startswith("- ")]) == 20
    for number, days in _DAYS.items():
        assert re.search(rf"\b{number} (days|gün)\b", text)
        assert int(number) == days
    assert not [line for section in sections for line in section.lines if line.startswith("  ")]


async def test_a_notice_in_the_folder_is_shown(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "privacy.tr.md").write_text("# Kim\n\n[ad]\nişletir.\n\n- <b>bir</b>\n  iki\n", "utf-8")
    (data / "privacy.en.md").write_bytes(b"\xff")
    with LiveServer(data=data) as server:
        async with server.http() as http:
            assert (await http.get("/api/session")).json()["notice"] is True
            for language in ("tr", "en"):
                answer = await http.get(f"/api/privacy?language={language}")
                assert answer.json() == {
                    "language": "tr",
                    "sections": [{"title": "Kim", "lines": ["[ad] işletir.", "- <b>bir</b> iki"]}],
                }
        assert '"notice-unfinished"' in server.log
        assert '"notice-unread"' in server.log


async def test_without_a_notice_there_is_none(http: Http) -> None:
    answer = await http.get("/api/privacy")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-notice")
    assert (await http.get("/api/session")).json()["notice"] is False


# The documents' site -----------------------------------------------------------------------------

SITE_PAGE = "<!doctype html><title>x</title><style>b{}</style><script>let a = 1;</script><p>Okey"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    site = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text(SITE_PAGE, "utf-8")
    (site / "tr").mkdir()
    (site / "tr" / "a.css").write_text("b {}", "utf-8")
    (site.parent / "secret.txt").write_text("hidden", "utf-8")
    with LiveServer(site=site) as server:
        yield server


def test_the_site_is_shown(live: LiveServer) -> None:
    door = httpx.get(f"{live.url}/docs")
    assert door.status_code in (302, 303, 307, 308)
    assert door.headers["location"].endswith("/docs/index.html")
    front = httpx.get(f"{live.url}/docs/index.html")
    assert front.status_code == 200
    assert front.text == SITE_PAGE
    assert front.headers["content-type"].startswith("text/html")
    style = httpx.get(f"{live.url}/docs/tr/a.css")
    assert style.headers["content-type"].startswith("text/css")


def test_what_is_written_inside_a_page_runs_and_nothing_else(live: LiveServer) -> None:
    """The hashes are those that a browser makes of the two texts."""
    policy = httpx.get(f"{live.url}/docs/index.html").headers["content-security-policy"]
    assert "script-src 'self' 'sha256-" in policy
    assert "style-src 'self' 'sha256-" in policy
    assert "script-src 'self' 'unsafe-inline'" not in policy
    elsewhere = httpx.get(f"{live.url}/api/version").headers["content-security-policy"]
    assert "sandbox" in elsewhere


@pytest.mark.parametrize(
    "path",
    ["none.html", "..%2Fsecret.txt", "%2e%2e/secret.txt", "tr", "a%00", "x" * 5_000,
     "index.html/x"],
)  # fmt: skip
def test_nothing_beside_the_site_is_shown(live: LiveServer, path: str) -> None:
    answer = httpx.get(f"{live.url}/docs/{path}")
    assert answer.status_code == 404
    assert "hidden" not in answer.text


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings({"site": tmp_path})
    assert [problem.details["wanted"] for problem in caught.value.problems] == ["site"]
