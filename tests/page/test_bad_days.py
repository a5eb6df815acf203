"""Reloads, lost lines, restarts, a silent server, tables that are gone: words and a way on."""

import signal
import time
from functools import partial

import pytest
from playwright.sync_api import Route, expect

from conftest import unwrap
from okey101.server.net.close_codes import GOODBYES
from page.conftest import Visit, served
from page.hands import Dragging, Hands, dealt_out, play_elsewhere, play_until
from page.scenes import dealing, mid_deal
from page.visitors import Visitor
from server.live import LiveServer

NO_ANSWER = (
    r"WebSocket connection to .* failed", r"ERR_CONNECTION_REFUSED", r"ERR_FAILED .*/assets/",
)  # fmt: skip


def _can_throw(visitor: Visitor) -> bool:
    return bool((visitor.model.options or {}).get("discards"))


def _at_own_turn(visitor: Visitor, clock: int = 0) -> Hands:
    """A table against bots, one deal long; one's own turn, a tile drawn."""
    visitor.play(clock=clock, deals=1)
    hands = Hands(visitor)
    play_until([hands], lambda: _can_throw(visitor))
    return hands


def _cheapest(visitor: Visitor) -> str:
    found = min(unwrap(visitor.model.options)["discards"], key=lambda one: int(one["points"]))
    return str(found["tile"])


def _thrown(visitor: Visitor, since: int) -> list[tuple[list[str], str]]:
    """What the seat has done since a row, and by whom."""
    acts = [m["what"] for m in visitor.heard if m["type"] == "event" and m["seq"] > since]
    own = [what for what in acts if what["kind"] == "act" and what["seat"] == visitor.model.seat]
    return [(what["actions"], what["by"]) for what in own]


def _agree(visitor: Visitor, hands: Hands) -> None:
    """To what the discard costs, if it is asked."""
    if visitor.question.count():
        hands.yes()


def test_reload_in_the_middle_of_a_turn(visit: Visit) -> None:
    visitor = visit("Ayşe")
    hands = _at_own_turn(visitor)
    Hands(visitor).sort("melds")
    first = next(i for i, tile in enumerate(visitor.slots()) if tile)
    Dragging(visitor).drag(visitor.slot(first), visitor.place(f"slot:{visitor.free_slot()}"))
    visitor.until(lambda: visitor.slots()[first] is None, "the tile to be moved")
    before, turn = visitor.slots(), visitor.model.deal_turn
    visitor.page.reload()
    visitor.until(visitor.agrees)
    assert visitor.slots() == before
    assert visitor.model.deal_turn == turn == visitor.model.seat
    play_until([hands], lambda: visitor.model.deal_turn != turn or dealt_out(visitor))
    assert not visitor.model.table["seats"][visitor.model.seat or 0]["away"]


frail = served()
"""A server of this module's own, to which bad things happen."""


def test_a_disk_that_does_not_answer_is_told_at_the_table(visit: Visit) -> None:
    visitor = visit("Ayşe")
    stage = mid_deal(visitor.server).show(visitor)
    banner = visitor.text("page-store-slow")
    for on in (False, True, False):
        stage.tell(type="notice", code="store-slow", on=on)
        expect(banner).to_have_count(int(on))


def test_server_killed_and_started_again_in_the_middle_of_a_deal(
    visit: Visit, frail: LiveServer
) -> None:
    visitor = visit("Ayşe", frail, worker=True)
    visitor.tolerate(*NO_ANSWER)
    hands = _at_own_turn(visitor)
    hands.sort("pairs")
    visitor.button("page-more").click()
    visitor.command_line()
    field = visitor.page.locator("#command")
    field.wait_for()
    before, tile, seq = visitor.slots(), _cheapest(visitor), visitor.model.seq
    frail.kill()
    banner = visitor.page.get_by_role("alert").get_by_text(visitor.say("page-lost"))
    expect(banner).to_be_visible()
    assert visitor.slots() == before
    # What is sent meanwhile goes out when the server is back, and is done once; what is half
    # typed stays.
    field.fill(f"discard {tile}")
    field.press("Enter")
    _agree(visitor, hands)
    expect(banner).to_contain_text(visitor.say("page-kept"))
    field.fill("lay R")
    frail.start()
    expect(banner).to_be_hidden()
    visitor.until(lambda: _thrown(visitor, seq), "the discard")
    expect(field).to_have_value("lay R")
    expect(field).to_be_focused()
    visitor.until(lambda: visitor.model.options or dealt_out(visitor), "the next turn")
    thrown = _thrown(visitor, seq)
    assert thrown[0] == ([f"discard {tile}"], "user")
    assert len(thrown) == 1 or dealt_out(visitor)
    visitor.button("page-close").click()
    if not dealt_out(visitor):
        play_elsewhere(visitor)
    play_until([hands], lambda: dealt_out(visitor))
    visitor.page.locator(".sheet").wait_for()


def test_the_table_opened_in_another_window(visit: Visit) -> None:
    visitor = visit("Ayşe")
    _at_own_turn(visitor)
    path = visitor.page.url
    other = visitor.context.new_page()
    other.goto(path)
    other.get_by_role("grid").wait_for()
    words = visitor.text("page-ended-replaced")
    expect(words).to_be_visible()
    assert other.get_by_text(visitor.say("page-ended-replaced")).count() == 0
    visitor.button("page-play-here").click()
    expect(other.get_by_text(visitor.say("page-ended-replaced"))).to_be_visible()
    visitor.until(visitor.agrees)
    expect(words).to_be_hidden()


def _ended(visitor: Visitor, why: str) -> None:
    """The page says why the table ended, and leads on."""
    expect(visitor.text(f"page-ended-{why}")).to_be_visible()
    visitor.button("page-to-start").first.click()
    expect(visitor.button("page-play-now")).to_be_visible()


@pytest.mark.parametrize("language", ["tr", "en"])
def test_addresses_that_lead_nowhere(visit: Visit, language: str) -> None:
    visitor = visit(None, language=language)
    visitor.tolerate(r"404 \(Not Found\)", r"400 \(Bad Request\).*/api/days/")
    for path in ("/day/2020-02-31", "/c/cut-of"):
        visitor.go(path)
        expect(visitor.text("error-no-day")).to_be_visible()
    for path in ("/nowhere", "/t", "/t/one/two", "/rules/old"):
        visitor.go(path)
        expect(visitor.text("page-not-found")).to_be_visible()
    assert visitor.page.title().startswith(visitor.say("page-not-found"))
    visitor.button("page-to-start").click()
    expect(visitor.button("page-play-now")).to_be_visible()
    assert visitor.page.title() == "Okey 101"
    visitor.go("/t/nosuchtable1")
    _ended(visitor, "no-table")


def test_a_session_that_was_ended_elsewhere_leaves_a_way_on(visit: Visit) -> None:
    visitor = visit("Ayşe")
    visitor.tolerate(r"401 \(Unauthorized\)")
    with visitor.page.expect_response("**/api/friends"):  # the page knows whose session it is
        visitor.go("/")
    assert visitor.context.request.post("/api/logout").ok
    visitor.button("page-play-bots").click()
    expect(visitor.page.get_by_role("alert")).to_have_text(visitor.say("error-unauthorised"))
    visitor.button("page-play-bots").click()
    visitor.wait_table()


def _does(visitor: Visitor, what: str) -> None:
    """The host does something."""
    headers = {"Authorization": f"Bearer {visitor.server.admin_token}"}
    answer = visitor.context.request.post(f"/api/admin/{what}", headers=headers, data={})
    assert answer.ok, answer.text()


def test_who_is_banned_is_told_and_not_kept_waiting(visit: Visit) -> None:
    visitor = visit("Ayşe")
    visitor.tolerate(r"403", r"404 \(Not Found\).*/api/tables/")
    _at_own_turn(visitor)
    _does(visitor, f"users/{visitor.context.request.get('/api/me').json()['id']}/ban")
    words = visitor.text("page-ended-banned")
    expect(words).to_be_visible()
    # From now on the handshake itself is refused.
    visitor.page.reload()
    expect(words).to_be_visible()
    visitor.button("page-to-start").click()
    expect(visitor.button("page-play-now")).to_be_visible()


@pytest.mark.long
def test_who_is_muted_stays_so_after_a_reload(visit: Visit) -> None:
    host, friend = visit("Ayşe"), visit("Barış")
    table = host.make(clock=0, bots=[None, None, "greedy", "greedy"], late=False)
    host.go(f"/t/{table}")
    friend.sit(table)
    host.button("page-start").click()
    host.wait_table()
    host.button("page-more").click()
    host.button("page-mute-seat", name="Barış").click()
    expect(host.button("page-unmute-seat", name="Barış")).to_be_visible()
    host.page.reload()
    host.button("page-more").click()
    expect(host.button("page-unmute-seat", name="Barış")).to_be_visible()
    host.button("page-unmute-seat", name="Barış").click()
    expect(host.button("page-mute-seat", name="Barış")).to_be_visible()


def test_whatever_ends_a_table_is_told(visit: Visit) -> None:
    visitor = visit("Ayşe")
    why = "session-changed"  # in another tab
    mid_deal(visitor.server).show(visitor).leave(GOODBYES[why], why)
    expect(visitor.text(f"page-ended-{why}")).to_be_visible()
    visitor.button("page-reload").click()
    expect(visitor.text(f"page-ended-{why}")).to_be_hidden()
    for why in ("table-closed", "spectators-off", "signed-out", "deleted"):
        mid_deal(visitor.server).show(visitor).leave(GOODBYES[why], why)
        _ended(visitor, why)


def test_somebody_is_sent_away(visit: Visit) -> None:
    host, guest = visit("Ayşe"), visit("Barış", language="en")
    table = host.make()
    host.go(f"/t/{table}")
    guest.go(f"/t/{table}")
    guest.button("page-sit").first.click()
    host.button("page-kick").click()
    expect(guest.page.locator(".seats")).to_have_count(0)  # of the room nothing counts any more
    _ended(guest, "kicked")


_UNCOVERED = """one => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


@pytest.mark.long
def test_a_bot_sits_in_and_the_owner_takes_the_seat_back(visit: Visit) -> None:
    visitor = visit("Ayşe", language="en")
    visitor.play(clock=5, deals=100)
    seat = visitor.model.seat or 0
    visitor.until(lambda: visitor.model.table["seats"][seat]["away"], "two turns out of time")
    visitor.page.set_viewport_size({"width": 390, "height": 844})
    for plate in visitor.page.locator(".plate").all():  # it lies over nobody's; tiles fly past
        visitor.until(partial(plate.evaluate, _UNCOVERED), "a plate in sight")
    visitor.button("page-take-seat-back").click()
    visitor.until(lambda: not visitor.model.table["seats"][seat]["away"], "the seat")
    expect(visitor.button("page-take-seat-back")).to_be_hidden()


# A server that stands still, and a line that is cut ----------------------------------------------


_NOTE_ALERTS = """() => {
    window.alerts = [];
    new MutationObserver(() => {
        for (const one of document.querySelectorAll("[role=alert]"))
            window.alerts.push(one.textContent.trim());
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
"""Words that are soon followed by others are seen, however late anybody looks."""


def test_a_server_that_stands_still_is_told_and_charges_nobody(
    visit: Visit, frail: LiveServer
) -> None:
    """It stops for longer than the turn lasts; what was tapped then is played, by the person."""
    visitor = visit("Ayşe", frail, worker=True)
    hands = _at_own_turn(visitor, clock=10)
    tile, seq = _cheapest(visitor), visitor.model.seq
    process = frail.running
    silent = visitor.page.get_by_role("alert").get_by_text(visitor.say("page-silent"))
    waiting = visitor.text("page-unanswered")
    process.send_signal(signal.SIGSTOP)
    since = time.monotonic()
    try:
        hands.discard(tile)
        _agree(visitor, hands)
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


def test_offline_in_the_middle_of_a_turn_and_back(visit: Visit, frail: LiveServer) -> None:
    visitor = visit("Ayşe", frail, worker=True)
    visitor.tolerate(r"WebSocket connection to .* failed", r"ERR_(INTERNET_DISCONNECTED|FAILED)")
    hands = _at_own_turn(visitor, clock=0)
    tile, seq = _cheapest(visitor), visitor.model.seq
    lost = visitor.page.get_by_role("alert").get_by_text(visitor.say("page-lost"))
    visitor.context.set_offline(True)
    expect(lost).to_be_visible()
    hands.discard(tile)
    _agree(visitor, hands)
    expect(lost).to_contain_text(visitor.say("page-kept"))
    visitor.pump(0.5)
    assert not _thrown(visitor, seq)
    visitor.context.set_offline(False)
    expect(lost).to_be_hidden()
    visitor.until(lambda: _thrown(visitor, seq), "the discard")
    assert _thrown(visitor, seq)[0] == ([f"discard {tile}"], "user")


def test_a_tap_that_comes_too_late_is_not_played_in_the_next_turn(
    visit: Visit, frail: LiveServer
) -> None:
    """The clock played for the seat meanwhile: the tap was for a turn that is over."""
    visitor = visit("Ayşe", frail, worker=True)
    visitor.tolerate(r"WebSocket connection to .* failed", r"ERR_(INTERNET_DISCONNECTED|FAILED)")
    hands = _at_own_turn(visitor, clock=5)
    tile, seq = _cheapest(visitor), visitor.model.seq
    visitor.context.set_offline(True)
    hands.discard(tile)
    _agree(visitor, hands)
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


def test_without_a_network_the_start_page_opens_and_says_what_is_possible(
    visit: Visit, frail: LiveServer
) -> None:
    visitor = visit("Ayşe", frail, worker=True)
    visitor.tolerate(r"ERR_INTERNET_DISCONNECTED", r"net::ERR_FAILED")
    visitor.go("/")
    visitor.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    visitor.page.reload()
    expect(visitor.button("page-play-now")).to_be_visible()
    visitor.context.set_offline(True)
    visitor.page.reload()
    expect(visitor.button("page-play-now")).to_be_visible()
    expect(visitor.text("page-offline")).to_be_visible()
    visitor.context.set_offline(False)
    expect(visitor.text("page-offline")).to_be_hidden()


_FORBIDDEN = """() => {
    const deny = (what) => { throw new DOMException("denied", what); };
    Storage.prototype.setItem = () => deny("QuotaExceededError");
    const denied = { configurable: true, get: () => deny("SecurityError") };
    Object.defineProperty(window, "sessionStorage", denied);
}"""
"""One of the two may be read but not written, the other neither."""
_FULL = """() => { if (localStorage.getItem("okey101.rack.0")) return;
    for (let size = 1 << 18, at = 0; size > 0; )
        try { localStorage.setItem("okey101.rack." + at, "x".repeat(size)); at += 1; }
        catch { size >>= 1; } }"""


@pytest.mark.parametrize("device", [_FORBIDDEN, _FULL], ids=["forbidden", "full"])
def test_a_browser_that_keeps_nothing_plays_all_the_same(visit: Visit, device: str) -> None:
    visitor = visit("Ayşe", worker=False)
    visitor.page.add_init_script(f"({device})()")
    visitor.play_bots()
    visitor.until(visitor.agrees, "the rack")
    visitor.go("/settings")
    visitor.field("page-palette").select_option("safe")
    expect(visitor.page.locator("html")).to_have_attribute("data-palette", "safe")


def test_a_page_without_its_words_says_so_in_both_languages(visit: Visit) -> None:
    """The server has a newer page, or the line broke: nobody is left with an empty page."""
    visitor = visit("Ayşe")
    visitor.tolerate(r"net::ERR_FAILED", r"Failed to fetch dynamically imported module")
    visitor.page.route("**/assets/texts.*", lambda route: route.abort())
    visitor.page.goto("/")
    told = visitor.page.get_by_role("alert")
    expect(told).to_contain_text("Sayfa yüklenemedi")
    visitor.page.unroute("**/assets/texts.*")
    told.get_by_role("link").click()
    visitor.button("page-play-bots").wait_for()


def test_a_part_of_the_table_that_is_lost_on_the_way_is_loaded_again(visit: Visit) -> None:
    visitor = visit("Ayşe", worker=False)
    lost: list[str] = []

    def lose_two(route: Route) -> None:
        if len(lost) == 2:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort()

    visitor.tolerate(*NO_ANSWER)
    visitor.page.route("**/assets/later-*.js", lose_two)
    dealing(visitor.server).show(visitor)
    expect(visitor.page.locator(".sheet table")).to_be_visible()
    assert len(lost) == 2
