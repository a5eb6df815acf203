"""Whether a deal was fair, as the page itself finds out: an honest one, and each way to cheat."""

import copy
import json
import re
from collections.abc import Callable, Iterable, Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from client.lying import (
    BEFORE,
    LIES,
    PLAYED,
    SILENT,
    LyingServer,
    another_contribution,
    secret_with_its_promise,
)  # fmt: skip
from conftest import Size, unwrap
from okey101.game.fair.rounds import seat_commitment
from okey101.i18n import load
from page.conftest import Visit
from page.hands import dealt_out, play_by_requests, play_elsewhere
from page.test_access import check
from page.visitors import Visitor
from server.live import Json, LiveServer
from server.tables.table_stories import TABLE

Change = Callable[[list[Json]], None]
PHONE = (390, 844)


@pytest.fixture(scope="module")
def honest(browser: Browser, server: LiveServer) -> Iterator[Visitor]:
    """Somebody who was told a deal against bots from its first message to its last."""
    visitor = Visitor(browser, server, "Ayşe", size=PHONE)
    visitor.play(clock=0, deals=1, bot="greedy")
    play_by_requests(visitor, lambda: dealt_out(visitor))
    yield visitor
    assert not visitor.complaints, visitor.complaints
    visitor.close()


def _told(visitor: Visitor) -> list[Json]:
    """What the server told, to be told again."""
    kinds = ("view", "event", "resumed")
    return [copy.deepcopy(message) for message in visitor.heard if message["type"] in kinds]


def _window(visitor: Visitor, answer: Callable[[Json], Iterable[Json]]) -> Page:
    """Another window of the same browser, whose socket tells these answers and nothing else."""

    def take(socket: WebSocketRoute) -> None:
        def heard(text: str | bytes) -> None:
            for message in answer(json.loads(text)):
                socket.send(json.dumps(message))

        socket.on_message(heard)

    page = visitor.context.new_page()
    page.route_web_socket(re.compile(r"/ws/"), take)
    return page


def _retold(visitor: Visitor, change: Change) -> Page:
    """Another window of the same browser, to which a changed story is told."""
    messages = _told(visitor)
    change(messages)
    page = _window(visitor, lambda heard: messages if heard["type"] == "hello" else [])
    page.goto(visitor.page.url)
    return page


def _fair(visitor: Visitor, page: Page, state: str) -> Locator:
    return page.get_by_role("button", name=visitor.say("fair-button", state=state))


def _end(messages: list[Json]) -> Json:
    deals = [message.get("deal") or {} for message in messages if message["type"] == "event"]
    found: Json = next(deal["end"] for deal in deals if deal.get("end"))
    return found


def _dealt(messages: list[Json]) -> Json:
    return next(m for m in messages if m.get("what", {}).get("kind") == "deal")


def _other(tile: str) -> str:
    return "K2" if tile == "K1" else "K1"


def _secret(messages: list[Json]) -> None:
    _end(messages)["fair"]["secret"] = "5e" * 32


def _secret_with_its_seal(messages: list[Json]) -> None:
    secret_with_its_promise(_end(messages)["fair"])


def _randomness(messages: list[Json]) -> None:
    fair = _end(messages)["fair"]
    seat = next(n for n, given in enumerate(fair["randomness"]) if given)
    another_contribution(seat)(fair)


def _left_out(messages: list[Json]) -> None:
    fair = _end(messages)["fair"]
    fair["randomness"] = fair["commitments"] = [""] * 4


def _own_tiles(messages: list[Json]) -> None:
    you = _dealt(messages)["you"]
    tiles = you["hand"].split()
    you["hand"] = " ".join([_other(tiles[0]), *tiles[1:]])


def _drawn_tile(messages: list[Json]) -> None:
    for message in messages:
        you = message.get("you") or {}
        if message.get("what", {}).get("actions") == ["draw"] and you.get("drawn"):
            tiles = you["hand"].split()
            tiles[tiles.index(you["drawn"])] = you["drawn"] = _other(you["drawn"])
            you["hand"] = " ".join(tiles)
            return


def _tiles_of_others(messages: list[Json]) -> None:
    hands = _end(messages)["hands"]
    seat = next(n for n, tiles in enumerate(hands) if len(tiles.split()) > 1)
    first, *rest = hands[seat].split()
    hands[seat] = " ".join([_other(first), *rest])


def _indicator(messages: list[Json]) -> None:
    deal = _dealt(messages)["deal"]
    deal["indicator"] = _other(deal["indicator"])


def _promise(messages: list[Json]) -> None:
    """Another promise before the deal than the browser was shown, and nothing more."""
    promises = [(message.get("table") or {}).get("commitment") for message in messages]
    first = next(n for n, promise in enumerate(promises) if promise and promise["deal"] == 0)
    unwrap(promises[first])["value"] = "00" * 32
    del messages[first + 1 :]


@pytest.mark.parametrize("language", ["tr", "en"])
def test_an_honest_deal_has_one_tick(honest: Visitor, language: str, size: Size) -> None:
    """In the window that was told it, in another tab of the device, and in the replay."""
    expect(_fair(honest, honest.page, "proved")).to_be_visible()
    visitor = copy.copy(honest)
    visitor.language, visitor.texts = language, load(language)
    honest.page.evaluate("(l) => localStorage.setItem('okey101.language', l)", language)
    visitor.page = page = honest.context.new_page()
    try:
        page.goto(honest.page.url)
        _fair(visitor, page, "proved").click()
        dialog = page.get_by_role("dialog", name=visitor.say("fair-question"))
        expect(dialog).to_contain_text(visitor.say("fair-verdict", state="proved"))
        logs = [visitor.say("fair-log", state=state) for state in ("same", "later")]
        expect(dialog).to_contain_text(re.compile("|".join(map(re.escape, logs))))
        signs = dialog.get_by_role("img", name=visitor.say("fair-state", state="differs"))
        expect(signs).to_have_count(0)
        faults = check(visitor, "fair")
        for width, height in ((1280, 800), (844, 390))[: size(0, long=2)]:
            page.set_viewport_size({"width": width, "height": height})
            faults += check(visitor, f"fair {width}x{height}")
        assert not faults, "\n".join(faults)
        page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
        page.goto(f"/m/{page.url.rpartition('/')[2]}-1")
        expect(_fair(visitor, page, "proved")).to_be_visible()
    finally:
        page.evaluate("() => localStorage.setItem('okey101.language', 'tr')")
        page.close()


_LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("change", "found"),
    [
        pytest.param(_secret, ["noted-not", "secret", "table", "hand"], id="secret"),
        pytest.param(_secret_with_its_seal, ["noted"], id="secret and its seal", marks=_LONG),
        pytest.param(_randomness, ["shown", "mine"], id="the seat's randomness", marks=_LONG),
        pytest.param(_left_out, ["shown", "mine"], id="the seat left out", marks=_LONG),
        pytest.param(_own_tiles, ["same"], id="own tiles", marks=_LONG),
        pytest.param(_drawn_tile, ["same"], id="a drawn tile", marks=_LONG),
        pytest.param(_tiles_of_others, ["others"], id="tiles of others", marks=_LONG),
        pytest.param(_indicator, ["table"], id="indicator", marks=_LONG),
    ],
)
def test_a_tampered_deal_is_told(honest: Visitor, change: Change, found: list[str]) -> None:
    page = _retold(honest, change)
    try:
        _fair(honest, page, "differs").click()
        dialog = page.get_by_role("dialog", name=honest.say("fair-question"))
        expect(dialog).to_contain_text(honest.say("fair-verdict", state="differs"))
        for name in found:
            word, _, fine = name.partition("-")
            item = honest.say(f"fair-check-{word}", state="proved" if fine else "differs")
            expect(dialog.get_by_role("listitem").filter(has_text=item)).to_have_count(1)
    finally:
        page.close()


def test_another_promise_than_before_is_told(honest: Visitor) -> None:
    """Whichever window was shown the first one: what the browser saw outlives it."""
    page = _retold(honest, _promise)
    try:
        expect(page.get_by_text(honest.say("page-unfair"))).to_be_visible()
    finally:
        page.close()


# A malicious server ------------------------------------------------------------------------------

_FORGET = (
    "() => new Promise((go) => { const gone = indexedDB.deleteDatabase('keyval-store');"
    " gone.onsuccess = gone.onblocked = go; })"
)
FOREIGN = {"a foreign table"}
_OF_A_DAY = "nothing that is promised, as at a table of a day"
"""Such a table is shown as one of a day."""
_SHORT = {
    "a foreign table", "a replayed promise", "another secret", "bots named after the deal",
    "other tiles until the end",
}  # fmt: skip


@pytest.fixture(scope="module")
def guest(browser: Browser, server: LiveServer) -> Iterator[Visitor]:
    """Somebody whose page a lying server talks to."""
    visitor = Visitor(browser, server, "Ali", size=PHONE, worker=False)
    yield visitor
    assert not visitor.complaints, visitor.complaints
    visitor.close()


def _lied_to(visitor: Visitor, name: str) -> tuple[LyingServer, Page]:
    """A window that a lying server talks to, in a browser that has seen nothing before."""
    liar = LyingServer(name)
    page = _window(visitor, liar.said)
    page.goto("/settings")
    page.evaluate(_FORGET)
    page.goto(f"/t/{TABLE}")
    return liar, page


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in _SHORT else _LONG)
        for name in LIES
        if name not in PLAYED and name != _OF_A_DAY
    ],
)
def test_a_malicious_server_gets_nothing_from_the_page(guest: Visitor, name: str) -> None:
    """Falls 1, 4 and 5: no reveal, or what differs in words; never that all was proved."""
    liar, page = _lied_to(guest, name)
    try:
        if name in BEFORE:
            if name in SILENT:
                page.locator(".table, main").first.wait_for()
                page.wait_for_timeout(500)
            else:
                expect(page.get_by_text(guest.say("page-unfair"))).to_be_visible()
            assert not liar.reveals
            assert len(liar.commits) <= ("shown" in name or name not in FOREIGN)
        else:
            alarmed = page.get_by_text(guest.say("page-unfair"))
            expect(_fair(guest, page, "differs").or_(alarmed).first).to_be_visible()
        expect(_fair(guest, page, "proved")).to_have_count(0)
    finally:
        page.close()


def test_an_honest_one_gets_its_word(guest: Visitor) -> None:
    liar, page = _lied_to(guest, "no lie")
    try:
        expect(_fair(guest, page, "proved")).to_be_visible()
        assert len(liar.reveals) == 1
    finally:
        page.close()


def test_what_a_browser_gave_outlives_its_window(guest: Visitor) -> None:
    """Fall 1: a second window gives what the first promised, and nothing new for the same round."""
    liar, page = _lied_to(guest, "no seats")
    expect(page.get_by_text(guest.say("page-unfair"))).to_be_visible()
    page.close()
    again = guest.context.new_page()
    kept = "() => new Promise((go) => { const open = indexedDB.open('keyval-store');"
    kept += " open.onsuccess = () => { const all = open.result.transaction('keyval')"
    kept += ".objectStore('keyval').getAll(); all.onsuccess = () => go(all.result); }; })"
    again.goto("/settings")
    (stored,) = again.evaluate(kept)
    again.close()
    (deal,) = stored["deals"]
    given = bytes.fromhex(deal["rounds"]["0"]["given"])
    promised = deal["rounds"]["0"]["commitment"]
    assert liar.commits == [seat_commitment(given, promised, TABLE, 1, 0, 0, 0)]


def test_a_sheet_that_is_put_away_is_let_go(visit: Visit) -> None:
    """With all its rows, once the next deal is dealt; what shows the proof lay in it."""
    visitor = visit("Ayşe", size=PHONE)
    visitor.begin(visitor.make(clock=0, bots=[None, *["greedy"] * 3]))
    play_elsewhere(visitor)
    play_by_requests(visitor, lambda: dealt_out(visitor))
    visitor.page.locator(".sheet dialog").wait_for(state="attached")
    visitor.page.evaluate("() => { window.gone = new WeakRef(document.querySelector('.sheet')) }")
    visitor.button_like("page-next-deal").click()
    visitor.until(lambda: not dealt_out(visitor), "the next deal")
    wire = visitor.context.new_cdp_session(visitor.page)

    def let_go() -> bool:
        wire.send("HeapProfiler.collectGarbage")
        return bool(visitor.page.evaluate("() => window.gone.deref() === undefined"))

    visitor.until(let_go, "the sheet's memory to be free")
