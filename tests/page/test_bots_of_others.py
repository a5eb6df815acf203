"""Bots of others on the page: those of the host are offered, and accounts are invited."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from page.conftest import Visit
from page.hands import play_by_requests
from page.test_access import SMALL, untranslated, violations
from page.visitors import PATIENCE_S, Visitor
from server.live import SRC, Json, LiveServer

expect.set_options(timeout=PATIENCE_S * 1000)
ROOT = Path(__file__).resolve().parents[2]
LOOKS = [("tr", (390, 844)), ("en", (1440, 900)), ("en", (390, 844)), ("tr", (1440, 900))]


def _looks(short: int) -> pytest.MarkDecorator:
    """All looks, in the short form the one of that number alone."""
    marks = [() if number == short else pytest.mark.long for number in range(len(LOOKS))]
    return pytest.mark.parametrize(
        ("language", "size"),
        [pytest.param(*look, marks=mark) for look, mark in zip(LOOKS, marks, strict=True)],
    )


@pytest.fixture(scope="module")
def server(executable: str) -> Iterator[LiveServer]:
    """A server whose host lets a bot of others play, and accounts of bots."""
    bots = "careful=okey101.bots.greedy:GreedyBot; zeki-2=okey101.bots.greedy:GreedyBot"
    with LiveServer(bot_delay_ms=20, bots=bots, bot_accounts="on") as running:
        yield running
        running.assert_clean()


def _bot(server: LiveServer, owner: str, name: str) -> Json:
    """An account of a bot, with its token."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S, trust_env=False) as http:
        guest = http.post("/api/guests", json={"name": owner, "bearer": True}).json()
        http.headers["Authorization"] = f"Bearer {guest['token']}"
        body = {"name": owner, "password": f"a long one of {owner}", "bearer": True}
        http.headers["Authorization"] = (
            f"Bearer {http.post('/api/me/account', json=body).json()['token']}"
        )
        made = http.post("/api/me/bots", json={"name": name})
        assert made.status_code == 201, made.text
        found: Json = made.json()
        return found


@contextmanager
def _program(server: LiveServer, token: str) -> Iterator[None]:
    """The example that comes where it is invited, as a process of its own."""
    words = [sys.executable, str(ROOT / "examples" / "invited.py"), server.url, token, "random"]
    running = subprocess.Popen(words, env={**os.environ, "PYTHONPATH": str(SRC)})
    try:
        yield
        assert running.poll() is None
    finally:
        running.kill()
        running.wait()


def _fits(visitor: Visitor) -> None:
    """Nothing is cut or too small to be touched, all is translated, and axe-core is content."""
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    room = visitor.page.locator(".room, main.page").first
    assert room.evaluate("(found) => found.scrollWidth <= found.clientWidth")
    assert "bots-" not in visitor.page.locator("body").inner_text()
    assert untranslated(visitor) == []
    assert violations(visitor) == []
    if visitor.page.evaluate("matchMedia('(pointer: coarse)').matches"):
        assert visitor.page.evaluate(SMALL) == []


def _seat(visitor: Visitor, number: int) -> str:
    return visitor.say("page-bot-of-seat", seat=number + 1)


@_looks(1)
def test_the_bots_of_the_host_are_among_the_choices(
    visit: Visit, language: str, size: tuple[int, int]
) -> None:
    """By their names, below the levels: at a new table, in the waiting room, at play, in lists."""
    host = visit("Ayşe", language=language, size=size, touch=size[0] < 700)
    host.go("/new")
    first = host.page.get_by_label(host.say("page-seat", seat=2))
    group = first.locator("optgroup")
    expect(group).to_have_attribute("label", host.say("bots-of-host"))
    assert group.locator("option").all_inner_texts() == ["Bot careful", "Bot zeki-2"]
    first.select_option("careful")
    host.page.get_by_label(host.say("page-seat", seat=3)).select_option("greedy")
    host.page.get_by_label(host.say("page-listed")).check()
    _fits(host)
    host.button("page-create").click()
    host.page.get_by_label(_seat(host, 1)).wait_for()
    expect(host.page.get_by_label(_seat(host, 1))).to_have_value("careful")
    expect(host.page.locator(".seats .name").nth(1)).to_have_text("Bot careful")
    expect(host.page.get_by_label(_seat(host, 1)).locator("option")).to_have_count(6)
    host.page.get_by_label(_seat(host, 3)).select_option("zeki-2")
    host.until(lambda: host.model.table["seats"][3]["bot"] == "zeki-2", "the other bot")
    _fits(host)
    host.button("page-start").click()
    host.wait_table()
    names = host.page.locator(".plate strong .full").all_inner_texts()
    assert {"Bot careful", "Bot zeki-2"} <= {*names}
    assert sum(name.startswith("Bot ") for name in names) == 3

    def played() -> bool:
        done = host.model.deal["actions"] if host.model.deal else []
        return any(action.startswith("1: ") for action in done)

    play_by_requests(host, played)
    host.go("/")
    expect(host.page.get_by_text("Bot careful").first).to_be_visible()


@_looks(0)
def test_an_account_of_a_bot_is_invited_comes_and_plays(
    visit: Visit, server: LiveServer, language: str, size: tuple[int, int]
) -> None:
    mark = f"{language}{size[0]}"
    bot = _bot(server, f"Ali {mark}", f"Dikkatli {mark}")
    shy = _bot(server, f"Veli {mark}", f"Utangac {mark}")
    host = visit("Ayşe", language=language, size=size, touch=size[0] < 700)
    host.tolerate("404")  # of a name that nobody has
    table = host.make(clock=60, deals=1, bots=[None, None, None, "random"])
    host.go(f"/t/{table}")
    host.page.get_by_text(host.say("bots-invite"), exact=True).click()
    name = host.page.get_by_label(host.say("bots-name"))
    seat = host.page.locator("details form select")
    assert seat.locator("option").all_inner_texts() == ["2", "3", "4"]
    name.fill("Yok Boyle Biri")
    host.button("bots-send").click()
    expect(host.page.locator("details [role=alert]")).to_have_text(host.say("error-no-bot-account"))
    _fits(host)

    name.fill(f"  dikkatli {mark}")
    host.button("bots-send").click()
    line = host.page.locator("li").filter(has_text=bot["name"])
    expect(line).to_contain_text(host.say("bots-line", name=bot["name"], seat=2))
    expect(line).to_contain_text(host.say("bots-answer-none"))
    expect(host.page.locator("details [role=alert]")).to_have_text("")
    name.fill(shy["name"])
    seat.select_option("3")
    host.button("bots-send").click()
    other = host.page.locator("li").filter(has_text=shy["name"])
    expect(other).to_contain_text(host.say("bots-answer-none"))
    _fits(host)
    answer = httpx.delete(
        f"{server.url}/api/me/invitations/{table}",
        headers={"Authorization": f"Bearer {shy['token']}"}, trust_env=False,
    )  # fmt: skip
    assert answer.status_code == 204, answer.text
    expect(other).to_contain_text(host.say("bots-answer-refused"))
    told = host.say("bots-told-refused", name=shy["name"])
    expect(host.page.locator("details [role=status]")).to_have_text(told)
    off = host.say("bots-withdraw", name=shy["name"], answer="refused")
    host.page.get_by_role("button", name=off).click()
    expect(other).to_have_count(0)

    with _program(server, bot["token"]):
        host.until(lambda: host.model.table["seats"][1]["name"] == bot["name"], "the bot")
        invited = host.page.locator("details li").filter(has_text=bot["name"])
        expect(invited).to_contain_text(host.say("bots-answer-came"))
        host.page.get_by_label(_seat(host, 2)).select_option("greedy")
        _fits(host)
        host.until(lambda: host.model.table["seats"][1]["ready"], "its being ready")
        host.button("page-start").click()
        host.wait_table()
        expect(host.page.locator(".plate strong .full", has_text=bot["name"])).to_have_count(1)

        def played() -> bool:
            done = host.model.deal["actions"] if host.model.deal else []
            return any(action.startswith("1: ") for action in done)

        play_by_requests(host, played)


def test_without_a_clock_it_says_why(visit: Visit) -> None:
    host = visit("Ayşe")
    host.go(f"/t/{host.make(clock=0, deals=1)}")
    host.page.get_by_text(host.say("bots-invite"), exact=True).click()
    expect(host.page.get_by_text(host.say("bots-no-clock"))).to_be_visible()
    expect(host.page.get_by_label(host.say("bots-name"))).to_have_count(0)


def test_where_there_are_none_nothing_is_offered(browser: Browser) -> None:
    with LiveServer() as plain:
        host = Visitor(browser, plain.url, "Ayşe")
        asked: list[str] = []
        host.page.on("request", lambda request: asked.append(request.url))
        host.go(f"/t/{host.make(clock=30, deals=1, bots=[None, None, 'greedy', 'greedy'])}")
        host.until(lambda: any(url.endswith("/api/bots") for url in asked), "the question")
        host.pump(0.3)
        expect(host.page.locator("optgroup")).to_have_count(0)
        expect(host.page.locator("details").filter(has_text=host.say("bots-invite"))).to_have_count(
            0
        )
        assert not any("InviteBot" in url or "/bots-" in url for url in asked)
        assert host.complaints == []
        host.close()
