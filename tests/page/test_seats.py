"""Bots' seats: a spectator takes one over, hosts offer bots, and accounts are invited."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, expect

from conftest import only_long, unwrap
from page.conftest import Visit, served
from page.hands import Hands, dealt_out, play_by_requests, play_elsewhere, play_until
from page.test_access import NARROW, SMALL, WIDE, looks, untranslated, violations
from page.visitors import PATIENCE_S, Visitor
from server.live import SRC, Json, LiveServer

BOTS = (None, "random", "random", "random")  # of whom none finishes before the host has moved


def _running(host: Visitor, **options: object) -> str:
    """A match against bots that waits for its host."""
    table = host.make(clock=0, deals=2, bots=list(BOTS), **options)
    host.begin(table)
    return table


def _plate(visitor: Visitor, seat: int) -> Locator:
    return visitor.page.locator(f"[data-place='plate:{seat}']").get_by_role("button")


def _seated(visitor: Visitor) -> None:
    visitor.until(lambda: visitor.model.seat is not None, "a seat")
    visitor.wait_table()


def _promised(visitor: Visitor, seat: int) -> None:
    """The seat is the visitor's from the next deal on, and the page says so."""
    visitor.until(lambda: visitor.model.coming == seat, "the promise of a seat")
    assert visitor.model.you is None
    expect(visitor.text("page-coming")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), *only_long((1280, 800))])
def test_a_stranger_takes_the_seat_it_chose(visit: Visit, size: tuple[int, int]) -> None:
    host, friend = visit("Ayşe"), visit(None, size=size, touch=size[0] < 700)
    table = _running(host, spectators="live")
    friend.go(f"/t/{table}")
    expect(_plate(friend, 0)).to_have_count(0)
    for seat in (1, 2, 3):
        box = unwrap(_plate(friend, seat).bounding_box())
        assert min(box["width"], box["height"]) >= (44 if size[0] < 700 else 34)
    _plate(friend, 2).click()  # one tap: the server proposes a name
    _promised(friend, 2)
    expect(_plate(friend, 1)).to_have_count(0)
    host.until(lambda: host.model.table["seats"][2].get("coming"), "the friend's name")
    name = host.model.table["seats"][2]["coming"]
    assert re.fullmatch(r"Misafir \d{3,4}", name)
    expect(host.text("page-comes", name=name)).to_be_visible()
    play_elsewhere(host)
    play_until([Hands(host)], lambda: dealt_out(host))
    friend.until(lambda: friend.model.seat == 2, "the seat")
    expect(friend.text("page-coming")).to_have_count(0)
    assert friend.model.table["seats"][2]["name"] == name
    expect(friend.text("page-watching")).to_have_count(0)


def test_the_link_of_a_running_match_seats_a_friend(visit: Visit) -> None:
    """One tap plays against bots, a second copies the link; what was played stays unseen."""
    host, friend = visit(None), visit(None, language="en")
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.play_bots()
    host.button("page-invite-friend").click()
    expect(host.button("page-invite-copied")).to_be_visible()
    link = host.page.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{host.page.url}?l=tr"
    friend.go(link)
    friend.button("page-take-bot-seat").click()
    _promised(friend, 1)
    host.until(lambda: "Guest" in host.model.table["seats"][1].get("coming", ""), "the name")
    friend.button("page-coming-stop").click()
    friend.button("page-take-bot-seat").wait_for()
    host.until(lambda: "coming" not in host.model.table["seats"][1], "nobody")


@pytest.mark.long
def test_by_keyboard_alone_in_the_panel(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit(None, language="en")
    table = _running(host, spectators="live")
    friend.go(f"/t/{table}")
    friend.button("page-more").press("Enter")
    keyboard = friend.page.keyboard
    field = friend.field("page-your-name")
    for one in (*map(friend.button, ("page-close", "page-to-start", "page-settings")), field):
        expect(one).to_be_focused()
        if one != field:
            keyboard.press("Tab")
    expect(field).to_have_value(re.compile("Guest"))
    keyboard.type("Barış")  # what is proposed was selected: it goes
    keyboard.press("Tab")
    keyboard.press("Enter")
    _promised(friend, 1)
    host.until(lambda: host.model.table["seats"][1].get("coming") == "Barış", "the chosen name")


@pytest.mark.parametrize("phrases", [True, *only_long(False)])
def test_the_owner_sends_away_who_came_in_late(visit: Visit, phrases: bool) -> None:
    """Nobody who only sits there holds up a match without a clock; a bot goes on."""
    host, friend = visit("Ayşe"), visit("Barış")
    table = _running(host, phrases=phrases)
    friend.go(f"/t/{table}")
    _plate(friend, 2).click()
    _promised(friend, 2)
    host.until(lambda: host.model.table["seats"][2].get("coming"), "the friend's name")
    host.button("page-more").click()
    host.page.get_by_role("button", name=host.say("page-kick-seat", name="Barış")).click()
    host.until(lambda: "coming" not in host.model.table["seats"][2], "nobody")
    expect(friend.text("page-ended-kicked")).to_be_visible()
    expect(_plate(friend, 2)).to_have_count(0)


def _asked_for_a_name(visitor: Visitor) -> Locator:
    """The name field, still empty: nothing is sent."""
    field = visitor.field("page-your-name")
    expect(field).to_be_focused()
    assert field.evaluate(
        "(field) => field.validity.valueMissing || field.validity.patternMismatch"
    )
    assert not any(message["type"] == "sit" for message in visitor.sent)
    assert not visitor.context.cookies()
    return field


@pytest.mark.parametrize("running", [True, *only_long(False)])
def test_nobody_sits_down_without_a_name(visit: Visit, running: bool) -> None:
    """In the panel and in the waiting room, where one is proposed; a name of blanks is none."""
    host, friend = visit("Ayşe"), visit(None)
    table = _running(host, spectators="live") if running else host.make(clock=0)
    friend.go(f"/t/{table}")
    if running:
        friend.button("page-more").click()
        seat = friend.page.locator(".panel .phrase").first
    else:
        seat = friend.button("page-sit").first
    field = friend.field("page-your-name")
    expect(field).to_have_value(re.compile("Misafir"))
    field.fill("")
    seat.click()
    field = _asked_for_a_name(friend)
    field.fill("   ")
    seat.click()
    _asked_for_a_name(friend).fill(" Robin ")
    seat.click()
    if running:
        _promised(friend, 1)
        return
    friend.until(lambda: friend.model.seat is not None, "a seat")
    assert friend.model.table["seats"][friend.model.seat or 0]["name"] == "Robin"


def test_a_face_is_chosen_by_finger_and_by_key_and_seen_at_the_table(visit: Visit) -> None:
    """The faces to choose from are whole on a small phone; the bots' are none of them."""
    host, friend = visit("Ayşe", size=(360, 640), touch=True), visit("Barış")
    table = host.make()
    host.go("/settings")
    faces = host.page.get_by_role("radio")
    faces.first.wait_for()
    assert faces.count() == 16
    boxes = [unwrap(face.bounding_box()) for face in faces.all()]
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
    assert all(box["y"] >= 0 and box["y"] + box["height"] <= 640 for box in boxes)
    host.page.get_by_role("radio", name=host.say("face-14")).check()
    host.button("page-keep-name").tap()
    expect(host.page.get_by_role("status")).to_have_text(host.say("page-name-kept", name="Ayşe"))
    friend.go("/settings")
    field = friend.field("page-your-name")
    expect(field).to_have_value("Barış")  # the page knows who one is
    one, two = (friend.page.get_by_role("radio", name=friend.say(f"face-{n}")) for n in (20, 21))
    one.press("Space")
    expect(one).to_be_checked()
    one.press("ArrowRight")
    expect(two).to_be_checked()
    two.press("Enter")
    expect(friend.page.get_by_role("status")).not_to_be_empty()
    friend.sit(table)
    seats = friend.model.table["seats"]
    assert [seat.get("face") for seat in seats] == [14, 21, None, None]
    expect(friend.page.locator(".seats li i svg")).to_have_count(2)


@pytest.mark.long
def test_a_made_up_name_is_not_kept_but_a_chosen_one_is(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit(None)
    table = host.make(clock=0)
    field = friend.field("page-your-name")
    for name in ("", "Robin"):
        friend.go("/")
        field.fill(name)
        friend.button("page-play-bots").click()
        friend.wait_table()
        friend.context.clear_cookies()
        friend.go(f"/t/{table}")
        expect(field).to_have_value(name or re.compile(r"Misafir \d"))


def test_who_left_a_seat_comes_back_to_it_alone(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit("Barış")
    table = host.make(clock=0, deals=2, bots=[None, None, "greedy", "steady"], spectators="live")
    friend.go(f"/t/{table}")
    friend.button("page-sit").first.click()
    friend.until(lambda: friend.model.seat == 1, "a seat")
    host.go(f"/t/{table}")
    host.button("page-start").wait_for()
    host.until(lambda: host.model.table["seats"][1].get("ready"), "the friend")
    host.button("page-start").click()
    _seated(friend)
    friend.button("page-more").click()
    friend.button("page-leave").click()
    friend.reply(yes=True)
    friend.page.get_by_role("heading", name=friend.say("page-left-table")).wait_for()
    friend.button("page-back-to-table").click()
    _plate(friend, 3).click()
    _promised(friend, 3)
    friend.button("page-coming-stop").click()
    expect(_plate(friend, 1)).to_have_text(friend.say("page-take-seat-back"))
    _plate(friend, 1).click()
    _seated(friend)
    assert friend.model.seat == 1
    expect(friend.page.locator("[data-act=melds]")).not_to_contain_text("…")  # what opens is known


@pytest.mark.long
def test_no_way_in_where_the_table_lets_nobody_in(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit("Barış")
    table = _running(host, spectators="live", late=False)
    friend.go(f"/t/{table}")
    expect(friend.text("page-watching")).to_be_visible()
    expect(friend.button("page-take-bot-seat")).to_have_count(0)
    expect(_plate(friend, 1)).to_have_count(0)
    expect(host.button("page-invite-friend")).to_have_count(0)


ROOT = Path(__file__).resolve().parents[2]
OTHERS = "careful=okey101.bots.greedy:GreedyBot; zeki-2=okey101.bots.greedy:GreedyBot"
hosting = served(bots=OTHERS, bot_accounts="on")
"""A server whose host lets a bot of others play, and accounts of bots."""


def _bot(server: LiveServer, owner: str, name: str) -> Json:
    """An account of a bot, with its token."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE_S, trust_env=False) as http:
        body = {"name": owner, "bearer": True}
        for path, more in (("guests", {}), ("me/account", {"password": f"a long one of {owner}"})):
            token = http.post(f"/api/{path}", json=body | more).json()["token"]
            http.headers["Authorization"] = f"Bearer {token}"
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


def _second_plays(host: Visitor) -> None:
    """Play until seat 1 has done something."""

    def played() -> bool:
        done = host.model.deal["actions"] if host.model.deal else []
        return any(action.startswith("1: ") for action in done)

    play_by_requests(host, played)


@looks(("en", WIDE))
def test_the_bots_of_the_host_are_among_the_choices(
    visit: Visit, hosting: LiveServer, language: str, look: tuple[int, int]
) -> None:
    """By their names, below the levels: at a new table, in the waiting room, at play, in lists."""
    host = visit("Ayşe", hosting, language=language, size=look, touch=look == NARROW)
    host.go("/new")
    host.text("page-details").click()
    first = host.field("page-seat", seat=2)
    group = first.locator("optgroup")
    expect(group).to_have_attribute("label", host.say("bots-of-host"))
    assert group.locator("option").all_inner_texts() == ["Bot careful", "Bot zeki-2"]
    first.select_option("careful")
    host.field("page-seat", seat=3).select_option("greedy")
    host.field("page-listed").check()
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
    assert {"careful", "zeki-2"} <= {*names}  # the robot beside it says what it is
    plates = host.page.get_by_role("region").filter(has=host.page.locator(".bot")).all()
    said = [plate.get_attribute("aria-label") or "" for plate in plates]
    assert len(said) == 3 == sum(name.startswith("Bot ") for name in said)
    _second_plays(host)
    host.go("/")
    expect(host.page.get_by_text("Bot careful").first).to_be_visible()


@looks(("tr", NARROW))
def test_an_account_of_a_bot_is_invited_comes_and_plays(
    visit: Visit, hosting: LiveServer, language: str, look: tuple[int, int]
) -> None:
    mark = f"{language}{look[0]}"
    bot = _bot(hosting, f"Ali {mark}", f"Dikkatli {mark}")
    shy = _bot(hosting, f"Veli {mark}", f"Utangac {mark}")
    host = visit("Ayşe", hosting, language=language, size=look, touch=look == NARROW)
    host.tolerate("404")  # of a name that nobody has
    table = host.make(clock=60, deals=1, bots=[None, None, None, "random"])
    host.go(f"/t/{table}")
    host.page.get_by_text(host.say("bots-invite"), exact=True).click()
    name = host.field("bots-name")
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
        f"{hosting.url}/api/me/invitations/{table}",
        headers={"Authorization": f"Bearer {shy['token']}"}, trust_env=False,
    )  # fmt: skip
    assert answer.status_code == 204, answer.text
    expect(other).to_contain_text(host.say("bots-answer-refused"))
    told = host.say("bots-told-refused", name=shy["name"])
    expect(host.page.locator("details [role=status]")).to_have_text(told)
    off = host.say("bots-withdraw", name=shy["name"], answer="refused")
    host.page.get_by_role("button", name=off).click()
    expect(other).to_have_count(0)

    with _program(hosting, bot["token"]):
        host.until(lambda: host.model.table["seats"][1]["name"] == bot["name"], "the bot")
        invited = host.page.locator("details li").filter(has_text=bot["name"])
        expect(invited).to_contain_text(host.say("bots-answer-came"))
        host.page.get_by_label(_seat(host, 2)).select_option("greedy")
        _fits(host)
        host.until(lambda: host.model.table["seats"][1]["ready"], "its being ready")
        host.button("page-start").click()
        host.wait_table()
        expect(host.page.locator(".plate strong .full", has_text=bot["name"])).to_have_count(1)
        _second_plays(host)


def test_without_a_clock_it_says_why(visit: Visit, hosting: LiveServer) -> None:
    host = visit("Ayşe", hosting)
    host.go(f"/t/{host.make(clock=0, deals=1)}")
    host.page.get_by_text(host.say("bots-invite"), exact=True).click()
    expect(host.text("bots-no-clock")).to_be_visible()
    expect(host.field("bots-name")).to_have_count(0)


def test_where_there_are_none_nothing_is_offered(visit: Visit) -> None:
    host = visit("Ayşe")
    asked: list[str] = []
    host.page.on("request", lambda request: asked.append(request.url))
    host.go(f"/t/{host.make(clock=30, deals=1, bots=[None, None, 'greedy', 'greedy'])}")
    host.until(lambda: any(url.endswith("/api/bots") for url in asked), "the question")
    host.pump(0.3)
    expect(host.page.locator("optgroup")).to_have_count(0)
    expect(host.page.locator("details").filter(has_text=host.say("bots-invite"))).to_have_count(0)
    assert not any("InviteBot" in url or "/bots-" in url for url in asked)
