"""Strangers who press Hemen oyna meet, and who watches sees a table one turn behind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from conftest import Size
from okey101.server.tables.quick import QUICK_S
from page.conftest import Visit
from page.hands import Hands, Tapping, play_elsewhere, play_until
from page.visitors import PATIENCE_S, Visitor
from server.live import LiveServer

expect.set_options(timeout=PATIENCE_S * 1000)


@pytest.fixture
def brisk(executable: str) -> Iterator[LiveServer]:
    """A server whose pauses between two deals are short."""
    with LiveServer(bot_delay_ms=20, deal_pause_s=3) as running:
        yield running
        assert "Traceback" not in running.log, running.log


def _press(visitor: Visitor, name: str) -> None:
    visitor.go("/")
    visitor.page.get_by_label(visitor.say("page-your-name")).fill(name)
    visitor.button("page-play-now").click()


def _deals(visitor: Visitor) -> int:
    return len(visitor.model.table["scores"]["deals"])


def test_two_strangers_meet_and_a_third_has_a_bots_seat_at_the_next_deal(
    visit: Visit, brisk: LiveServer, size: Size
) -> None:
    """Within eight seconds; bots are marked, and nobody else is told to be one.

    The short form ends before the next deal.
    """
    first, second, third = (visit(None, brisk, language=one) for one in ("tr", "en", "tr"))
    _press(first, "Ayşe")
    first.until(lambda: first.model.stage == "waiting", "the waiting seats")
    first.page.get_by_role("timer").wait_for()
    _press(second, "Barış")
    second.until(lambda: "id" in second.model.table, "a table")
    assert first.model.table["id"] == second.model.table["id"]
    assert first.model.table["options"]["quick"] == QUICK_S
    first.page.get_by_text("Barış").first.wait_for()
    for visitor in (first, second):
        visitor.wait_table()
    seats = first.model.table["seats"]
    assert [seat["name"] for seat in seats if seat["bot"] is None] == ["Ayşe", "Barış"]
    plates = first.page.locator(".plate strong").all_inner_texts()
    assert sum(text.startswith("Bot ") for text in plates) == 2
    hands: list[Hands] = [Tapping(first), Tapping(second)]
    _press(third, "Can")
    third.page.get_by_text(third.say("page-coming")).wait_for()
    assert third.model.table["id"] == first.model.table["id"]
    assert third.model.you is None
    if not size(0, long=1):
        return
    play_elsewhere(brisk, first, second)
    play_until(hands, lambda: _deals(first) == 1)
    third.until(lambda: third.model.seat == 2, "the seat")
    names = [seat["name"] for seat in third.model.table["seats"]]
    assert names == ["Ayşe", "Barış", "Can", None]
    third.wait_table()  # the pause is over by itself
    _leave_and_come_back(third, first)


def _leave_and_come_back(who: Visitor, other: Visitor) -> None:
    """A bot keeps the seat; the start page leads back to the table, and one tap to the seat."""
    who.button("page-more").click()
    who.button("page-leave").click()
    who.button("page-yes").click()
    other.until(lambda: other.model.table["seats"][2]["name"] is None, "a bot in the seat")
    who.button("page-back-to-table").click()
    who.until(lambda: who.model.you is None, "the table from outside")
    who.page.locator(".banner").get_by_role("button", name=who.say("page-take-bot-seat")).click()
    who.until(lambda: who.model.seat == 2, "the own seat")
    who.until(who.agrees, "the own tiles")
    other.until(lambda: other.model.table["seats"][2]["name"] == "Can", "the seat taken back")


def test_live_tables_are_small_felts_and_a_hidden_deal_says_so(visit: Visit) -> None:
    """One tap from the start page; a deal that is not shown is no empty felt."""
    host, other = visit("Ayşe"), visit("Barış")
    bots = [None, "greedy", "greedy", "greedy"]
    tables = {}
    for spectators in ("turn", "deal"):
        tables[spectators] = host.make(
            clock=0, deals=1, listed=True, spectators=spectators, bots=bots
        )
        host.go(f"/t/{tables[spectators]}")
        host.button("page-start").click()
        host.wait_table()
    other.go("/")
    other.page.locator(".felt .bottom").first.wait_for()
    expect(other.page.get_by_text(other.say("page-watching-deal")).first).to_be_visible()
    other.go(f"/t/{tables['turn']}")
    other.page.get_by_text(other.say("page-watching-turn")).wait_for()
    expect(other.page.locator(".plate")).to_have_count(4)
    other.go(f"/t/{tables['deal']}")
    other.page.get_by_text(other.say("page-unseen")).wait_for()


@pytest.mark.long
def test_somebody_is_reported_from_the_panel(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit("Barış")
    table = host.make(clock=0, bots=[None, None, "greedy", "greedy"])
    friend.go(f"/t/{table}")
    friend.button("page-sit").first.click()
    friend.button("page-im-ready").click()
    host.go(f"/t/{table}")
    host.until(lambda: host.model.table and host.model.table["seats"][1].get("ready"), "friend")
    host.button("page-start").click()
    host.wait_table()
    host.button("page-more").click()
    host.page.get_by_label(host.say("page-report", name="Barış")).select_option("stalling")
    host.page.get_by_text(host.say("page-reported")).first.wait_for()
