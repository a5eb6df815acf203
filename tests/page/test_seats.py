"""Bots' seats in a running match: a spectator takes one over, by any way that leads to it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from page.conftest import Visit
from page.hands import Tapping, dealt_out, play_elsewhere, play_until
from page.visitors import PATIENCE_S, Visitor
from server.live import LiveServer

expect.set_options(timeout=PATIENCE_S * 1000)
BOTS = (None, "greedy", "greedy", "steady")


def _running(host: Visitor, **options: object) -> str:
    """A match against bots that waits for its host."""
    table = host.make(clock=0, deals=2, bots=list(BOTS), **options)
    host.go(f"/t/{table}")
    host.button("page-start").click()
    host.wait_table()
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
    expect(visitor.page.get_by_text(visitor.say("page-coming"))).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), pytest.param((1280, 800), marks=pytest.mark.long)])
def test_a_stranger_takes_the_seat_it_chose(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    host, friend = visit("Ayşe"), visit(None, size=size, touch=size[0] < 700)
    table = _running(host, spectators="live")
    friend.go(f"/t/{table}")
    expect(_plate(friend, 0)).to_have_count(0)
    for seat in (1, 2, 3):
        box = _plate(friend, seat).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= (44 if size[0] < 700 else 34)
    _plate(friend, 2).click()  # one tap: the server proposes a name
    _promised(friend, 2)
    expect(_plate(friend, 1)).to_have_count(0)
    host.until(lambda: host.model.table["seats"][2].get("coming"), "the friend's name")
    name = host.model.table["seats"][2]["coming"]
    assert re.fullmatch(r"Misafir \d{3,4}", name)
    badge = host.page.get_by_text(host.say("page-comes", name=name))
    expect(badge).to_be_visible()
    play_elsewhere(server, host)
    play_until([Tapping(host)], lambda: dealt_out(host))
    friend.until(lambda: friend.model.seat == 2, "the seat")
    expect(friend.page.get_by_text(friend.say("page-coming"))).to_have_count(0)
    assert friend.model.table["seats"][2]["name"] == name
    expect(friend.page.get_by_text(friend.say("page-watching"))).to_have_count(0)


def test_the_link_of_a_running_match_seats_a_friend(visit: Visit) -> None:
    """One tap plays against bots, a second copies the link; what was played stays unseen."""
    host, friend = visit(None), visit(None, language="en")
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.go("/")
    host.button("page-play-bots").click()
    host.wait_table()
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
    expect(friend.button("page-close")).to_be_focused()
    keyboard.press("Tab")
    field = friend.page.get_by_label(friend.say("page-your-name"))
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile("Guest"))
    keyboard.type("Barış")  # what is proposed was selected: it goes
    keyboard.press("Tab")
    keyboard.press("Enter")
    _promised(friend, 1)
    host.until(lambda: host.model.table["seats"][1].get("coming") == "Barış", "the chosen name")


@pytest.mark.parametrize("phrases", [True, pytest.param(False, marks=pytest.mark.long)])
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
    expect(friend.page.get_by_text(friend.say("page-ended-kicked"))).to_be_visible()
    expect(_plate(friend, 2)).to_have_count(0)


def _asked_for_a_name(visitor: Visitor) -> Locator:
    """The name field, still empty: nothing is sent."""
    field = visitor.page.get_by_label(visitor.say("page-your-name"))
    expect(field).to_be_focused()
    assert field.evaluate(
        "(field) => field.validity.valueMissing || field.validity.patternMismatch"
    )
    assert not any(message["type"] == "sit" for message in visitor.sent)
    assert not visitor.context.cookies()
    return field


@pytest.mark.parametrize("running", [True, pytest.param(False, marks=pytest.mark.long)])
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
    field = friend.page.get_by_label(friend.say("page-your-name"))
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


@pytest.mark.long
def test_a_made_up_name_is_not_kept_but_a_chosen_one_is(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit(None)
    table = host.make(clock=0)
    field = friend.page.get_by_label(friend.say("page-your-name"))
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
    friend.button("page-im-ready").click()
    host.go(f"/t/{table}")
    host.button("page-start").wait_for()
    host.until(lambda: host.model.table["seats"][1].get("ready"), "the friend")
    host.button("page-start").click()
    _seated(friend)
    friend.button("page-more").click()
    friend.button("page-leave").click()
    friend.button("page-yes").click()
    friend.button("page-play-now").wait_for()
    friend.go(f"/t/{table}")
    _plate(friend, 3).click()
    _promised(friend, 3)
    friend.button("page-coming-stop").click()
    _plate(friend, 1).click()
    _seated(friend)
    assert friend.model.seat == 1


@pytest.mark.long
def test_no_way_in_where_the_table_lets_nobody_in(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit("Barış")
    table = _running(host, spectators="live", late=False)
    friend.go(f"/t/{table}")
    expect(friend.page.get_by_text(friend.say("page-watching"))).to_be_visible()
    expect(friend.button("page-take-bot-seat")).to_have_count(0)
    expect(_plate(friend, 1)).to_have_count(0)
    expect(host.button("page-invite-friend")).to_have_count(0)
