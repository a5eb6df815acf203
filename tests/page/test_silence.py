"""A server that stands still, a line that is cut: words in seconds, and no tap is lost."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from conftest import unwrap
from page.hands import Tapping, play_until
from page.visitors import Visitor
from server.live import LiveServer

_NOTE_ALERTS = """() => {
    window.alerts = [];
    new MutationObserver(() => {
        for (const one of document.querySelectorAll("[role=alert]"))
            window.alerts.push(one.textContent.trim());
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
"""Words that are soon followed by others are seen, however late anybody looks."""


@pytest.fixture(scope="module")
def still(executable: str) -> Iterator[LiveServer]:
    """A server that these tests may stop."""
    with LiveServer(bot_delay_ms=20) as running:
        yield running
        assert "Traceback" not in running.log, running.log


def _at_own_turn(visitor: Visitor, clock: int) -> Tapping:
    answer = visitor.context.request.post("/api/play", data={"clock": clock, "deals": 1})
    visitor.go(f"/t/{answer.json()['table']}")
    visitor.wait_table()
    hands = Tapping(visitor)
    play_until([hands], lambda: (visitor.model.options or {}).get("discards"))
    return hands


def _cheapest(visitor: Visitor) -> str:
    found = min(unwrap(visitor.model.options)["discards"], key=lambda one: int(one["points"]))
    return str(found["tile"])


def _thrown(visitor: Visitor, since: int) -> list[tuple[list[str], str]]:
    """What the seat has done since a row, and by whom."""
    acts = [m["what"] for m in visitor.heard if m["type"] == "event" and m["seq"] > since]
    own = [what for what in acts if what["kind"] == "act" and what["seat"] == visitor.model.seat]
    return [(what["actions"], what["by"]) for what in own]


def test_a_server_that_stands_still_is_told_and_charges_nobody(
    browser: Browser, still: LiveServer
) -> None:
    """It stops for longer than the turn lasts; what was tapped then is played, by the person."""
    visitor = Visitor(browser, still.url, "Ayşe")
    try:
        hands = _at_own_turn(visitor, clock=10)
        tile, seq = _cheapest(visitor), visitor.model.seq
        process = still.running
        silent = visitor.page.get_by_role("alert").get_by_text(visitor.say("page-silent"))
        waiting = visitor.page.get_by_text(visitor.say("page-unanswered"))
        process.send_signal(signal.SIGSTOP)
        since = time.monotonic()
        try:
            hands.discard(tile)
            if visitor.question.count():
                hands.yes()
            expect(waiting).to_be_visible()
            expect(silent).to_be_visible()
            expect(waiting).to_be_hidden()  # one banner says it
            while time.monotonic() < since + 14:
                visitor.pump(0.2)
        finally:
            process.send_signal(signal.SIGCONT)
        expect(silent).to_be_hidden()
        visitor.until(lambda: _thrown(visitor, seq), "the discard")
        assert _thrown(visitor, seq)[0] == ([f"discard {tile}"], "user")
        assert not visitor.complaints, visitor.complaints
    finally:
        visitor.close()


def test_offline_in_the_middle_of_a_turn_and_back(browser: Browser, still: LiveServer) -> None:
    visitor = Visitor(browser, still.url, "Ayşe")
    try:
        visitor.tolerate(r"WebSocket connection to .* failed", r"ERR_INTERNET_DISCONNECTED")
        hands = _at_own_turn(visitor, clock=0)
        tile, seq = _cheapest(visitor), visitor.model.seq
        lost = visitor.page.get_by_role("alert").get_by_text(visitor.say("page-lost"))
        visitor.context.set_offline(True)
        expect(lost).to_be_visible()
        hands.discard(tile)
        if visitor.question.count():
            hands.yes()
        visitor.pump(0.5)
        assert not _thrown(visitor, seq)
        visitor.context.set_offline(False)
        expect(lost).to_be_hidden()
        visitor.until(lambda: _thrown(visitor, seq), "the discard")
        assert _thrown(visitor, seq)[0] == ([f"discard {tile}"], "user")
    finally:
        visitor.close()


def test_a_tap_that_comes_too_late_is_not_played_in_the_next_turn(
    browser: Browser, still: LiveServer
) -> None:
    """The clock played for the seat meanwhile: the tap was for a turn that is over."""
    visitor = Visitor(browser, still.url, "Ayşe")
    try:
        visitor.tolerate(r"WebSocket connection to .* failed", r"ERR_INTERNET_DISCONNECTED")
        hands = _at_own_turn(visitor, clock=5)
        tile, seq = _cheapest(visitor), visitor.model.seq
        visitor.context.set_offline(True)
        hands.discard(tile)
        if visitor.question.count():
            hands.yes()
        table = visitor.model.table["id"]
        since = time.monotonic()
        while time.monotonic() < since + 60:
            time.sleep(0.2)
            answer = visitor.context.request.get(f"/api/tables/{table}")
            if answer.ok and answer.json()["seq"] > seq:
                break
        visitor.page.evaluate(_NOTE_ALERTS)
        visitor.context.set_offline(False)
        visitor.until(lambda: _thrown(visitor, seq), "what the clock threw")
        assert _thrown(visitor, seq)[0][1] == "clock"
        words = visitor.say("error-turn-over")
        visitor.until(lambda: words in visitor.page.evaluate("() => window.alerts"), "the words")
    finally:
        visitor.close()


def test_without_a_network_the_start_page_opens_and_says_what_is_possible(
    browser: Browser, still: LiveServer
) -> None:
    visitor = Visitor(browser, still.url, "Ayşe")
    try:
        visitor.tolerate(r"ERR_INTERNET_DISCONNECTED", r"net::ERR_FAILED")
        visitor.go("/")
        visitor.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        visitor.page.reload()
        expect(visitor.button("page-play-now")).to_be_visible()
        visitor.context.set_offline(True)
        visitor.page.reload()
        expect(visitor.button("page-play-now")).to_be_visible()
        expect(visitor.page.get_by_text(visitor.say("page-offline"))).to_be_visible()
        visitor.context.set_offline(False)
        expect(visitor.page.get_by_text(visitor.say("page-offline"))).to_be_hidden()
    finally:
        visitor.close()
