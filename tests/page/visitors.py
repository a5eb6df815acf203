"""People in front of the page: their windows, and the table as it comes over the wire."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, WebSocket, expect

from conftest import unwrap
from okey101.i18n import load
from server.live import Json, LiveServer, Person
from server.model import Model

PATIENCE_S = 60.0
expect.set_options(timeout=PATIENCE_S * 1000)

_LABELS = """() => [...document.querySelectorAll("[data-source^='slot:']")].map(
    (tile) => tile.getAttribute("aria-label") ?? "")"""

_SHOWN = """() => [...document.querySelectorAll("[data-source^='slot:']")].filter(
    (slot) => slot.checkVisibility()).length"""

_WALK = """(path) => {
    for (const main of document.querySelectorAll("main")) main.dataset.left = "";
    history.pushState(null, "", path);
    dispatchEvent(new Event("popstate"));
}"""
_NO_WORKER = re.compile("Service Worker registration blocked by Playwright")


_LAID_OUT = """([width, height]) => new Promise((done) => {
    let frames = 0;
    const look = () => {
        frames += document.URL === "about:blank" || innerWidth === width && innerHeight === height;
        if (frames > 3) done(); else requestAnimationFrame(look);
    };
    look();
})"""
"""Wait for frames of a size: the page measures in one, and what that changes is in the next.

An empty window of a phone is as wide as a page that knows of none.
"""


class Visitor:
    """A window of one person's browser, and the table as its socket tells it.

    ``complaints`` has what the page wrote to its console as an error, and every exception that
    nobody caught. With a ``name`` the visitor is a guest already. Without its ``worker`` the page
    keeps nothing for times without a network, which costs a sixth of what opening it costs.
    """

    def __init__(
        self, browser: Browser, server: LiveServer, name: str | None = None, *,
        language: str = "tr", size: tuple[int, int] = (1280, 800), touch: bool = False,
        moving: bool = False, worker: bool = True, host: str = "127.0.0.1",
    ) -> None:  # fmt: skip
        self.server, self.name, self.language = server, name, language
        self.url = server.url.replace("127.0.0.1", host)
        self.texts = load(language)
        self.context = browser.new_context(
            base_url=self.url,
            locale={"tr": "tr-TR", "en": "en-GB"}[language],
            viewport={"width": size[0], "height": size[1]},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="no-preference" if moving else "reduce",
            service_workers="allow" if worker else "block",
        )
        self.context.set_default_timeout(PATIENCE_S * 1000)
        self.complaints: list[str] = []
        self.tolerated = [] if worker else [_NO_WORKER]
        self.model = Model()
        self.sent: list[Json] = []
        self.heard: list[Json] = []
        self.page = self.window()
        if name is not None:
            self.become(name)

    def window(self) -> Page:
        """One more window of the same browser; its socket is followed from now on."""
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"{error} {error.stack or ''}"))
        page.on("websocket", self._socket)
        return page

    def become(self, name: str) -> None:
        """Be a guest of that name, without the page's help."""
        data = {"name": name, "language": self.language}
        answer = self.context.request.post("/api/guests", data=data)
        assert answer.status == 201, answer.text()

    @property
    def person(self) -> Person:
        """Who this is, for a program that does something in the same name."""
        cookies = self.context.cookies()
        token = next(c for c in cookies if c.get("name", "").startswith("okey101"))
        return Person(self.name or "", self.name or "", token.get("value", ""))

    def make(self, **options: Any) -> str:
        """Open a table, without the page's help; returns its id."""
        answer = self.context.request.post("/api/tables", data=options)
        assert answer.status == 201, answer.text()
        return str(answer.json()["id"])

    def begin(self, table: str) -> None:
        """Open one's table, start the match, and wait for the tiles."""
        self.go(f"/t/{table}")
        self.button("page-start").click()
        self.wait_table()

    def play(self, **options: Any) -> None:
        """Play against bots, without the start page."""
        answer = self.context.request.post("/api/play", data=options)
        self.go(f"/t/{answer.json()['table']}")
        self.wait_table()

    def play_bots(self) -> None:
        """Play against bots, from the start page on."""
        self.go("/")
        self.button("page-play-bots").click()
        self.wait_table()

    def sit(self, table: str) -> None:
        """Sit down at somebody's table, ready."""
        self.go(f"/t/{table}")
        self.button("page-sit").first.click()
        self.button("page-not-ready").wait_for()

    def tolerate(self, *patterns: str) -> None:
        self.tolerated += [re.compile(pattern) for pattern in patterns]

    def close(self) -> None:
        self.context.close()

    # What came over the wire ------------------------------------------------------------------

    def _console(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning"):
            return
        text = f"{message.text} {message.location.get('url', '')}"
        if not any(pattern.search(text) for pattern in self.tolerated):
            self.complaints.append(f"console {message.type}: {text}")

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._take)
        socket.on("framesent", lambda data: self.sent.append(json.loads(data)))

    def _take(self, data: str | bytes) -> None:
        message = json.loads(data)
        self.heard.append(message)
        try:
            self.model.take(message)
        except AssertionError as error:
            self.complaints.append(f"socket: {error}")

    # Looking ----------------------------------------------------------------------------------

    def go(self, path: str = "/") -> None:
        self.page.goto(path)
        self.page.locator("main").first.wait_for()

    def walk(self, path: str) -> None:
        """Go to another screen as the page's own buttons do: nothing is loaded again."""
        self.page.evaluate(_WALK, path)
        self.page.locator("main:not([data-left])").first.wait_for()

    def say(self, key: str, /, **arguments: str | int) -> str:
        """A text of the page in this person's language."""
        return self.texts(key, **arguments)

    def command_line(self) -> None:
        """Show the command line in the menu, which is open."""
        self.page.locator(".panel details").first.evaluate("(one) => { one.open = true; }")

    def button(self, key: str, /, **arguments: str | int) -> Locator:
        """A button by the key of its text."""
        return self.page.get_by_role("button", name=self.say(key, **arguments), exact=True)

    def text(self, key: str, /, **arguments: str | int) -> Locator:
        """Where a text of the page stands, by its key."""
        return self.page.get_by_text(self.say(key, **arguments))

    def field(self, key: str, /, **arguments: str | int) -> Locator:
        """What is filled in or chosen, by the key of its label."""
        return self.page.get_by_label(self.say(key, **arguments))

    def button_like(self, key: str) -> Locator:
        """A button by the key of its text, whatever numbers are in it."""
        return self.page.get_by_role("button").filter(has_text=self.like(key))

    def like(self, key: str, **arguments: str) -> re.Pattern[str]:
        """A text of the page with any numbers in it."""
        numbers = {name: 987_654 for name in self.texts.variables(key) if name not in arguments}
        text = re.escape(self.say(key, **numbers, **arguments))
        return re.compile(rf"^\s*{text}\s*$".replace("987654", r"\d+"))

    def pump(self, seconds: float = 0.01) -> None:
        """Let the browser go on."""
        self.page.wait_for_timeout(seconds * 1000)

    def resize(self, width: int, height: int, seconds: float = 0.1) -> None:
        """Make the window another size, and let the page follow."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(_LAID_OUT, [width, height])
        self.pump(seconds)

    def until(self, reached: Callable[[], object], what: str = "") -> None:
        """Let the browser go on until something holds; AssertionError with the model if never."""
        deadline, pause = time.monotonic() + PATIENCE_S, 0.01
        while not reached():
            assert time.monotonic() < deadline, (
                f"{self.name} waited for {what or reached}: stage {self.model.stage!r}, "
                f"{self.page.url}, {self.page.locator('main').first.inner_text()[:900]}"
            )
            self.pump(pause)
            pause = min(pause * 1.5, 0.1)  # to look takes time that the page could use

    def over(self) -> bool:
        return self.model.stage == "over"

    def wait_table(self) -> None:
        """Wait until a deal is on the table, and the rack is full."""
        self.until(lambda: self.model.stage == "playing", "a deal")
        self.until(self.agrees, "the rack")

    def settled(self) -> bool:
        """Whether every move that the page has sent is answered, and its event has come.

        What it asks for when a tile was drawn, to sort it in, is answered as well.
        """
        answers = {message.get("rid"): message for message in self.heard}
        sent = [m["rid"] for m in self.sent if m["type"] == "act" or m.get("what") == "arrange"]
        return all(
            rid in answers and (answers[rid].get("seq") or 0) <= self.model.seq for rid in sent
        )

    # The table --------------------------------------------------------------------------------

    @property
    def hand(self) -> list[str]:
        """The visitor's tiles, as the server tells them."""
        return str((self.model.you or {}).get("hand", "")).split()

    def words(self, tile: str) -> str:
        """A tile of the rack in this person's words."""
        if tile == "F":
            return self.say("page-tile-joker")
        if tile == "*":
            okey = self.words(unwrap(self.model.deal)["okey"])
            return self.say("page-tile-okey-as", tile=okey)
        return self.say("page-tile", colour=tile[0], number=int(tile[1:]))

    def labels(self) -> list[str]:
        """What a screen reader says of the slots."""
        found: list[str] = self.page.evaluate(_LABELS)
        return found

    def slots(self) -> list[str | None]:
        """The tiles on the rack by slot, read from the page."""
        names = {self.words(tile): tile for tile in self.hand}
        ordered = sorted(names, key=len, reverse=True)
        return [
            next((names[n] for n in ordered if label.startswith(f"{n},")), None)
            for label in self.labels()
        ]

    def agrees(self) -> bool:
        """Whether the rack shows exactly the tiles the server has given."""
        shown = sorted(tile for tile in self.slots() if tile is not None)
        return bool(shown) and shown == sorted(self.hand)

    def slot_of(self, tile: str) -> int:
        """A slot with such a tile."""
        found: list[int] = []

        # Found and told in one reading: at the next one the tile may lie elsewhere, or nowhere.
        def seen() -> bool:
            found[:] = [slot for slot, held in enumerate(self.slots()) if held == tile][:1]
            return bool(found)

        self.until(seen, f"{tile} on the rack")
        return found[0]

    def free_slot(self) -> int:
        """The last slot without a tile, of those that the rack shows."""
        empty = re.compile("^" + re.escape(self.say("page-slot-empty", place="")))
        shown = self.page.evaluate(_SHOWN)
        return max(i for i, label in enumerate(self.labels()[:shown]) if empty.match(label))

    def slot(self, number: int) -> Locator:
        """The tile or the gap in a slot."""
        return self.page.locator(f"[data-source='slot:{number}']")

    def place(self, target: str) -> Locator:
        """Where something can be put: ``discard``, ``left``, ``stock``, ``group:2``, ``slot:5``."""
        name = "data-source" if target == "stock" else "data-target"
        return self.page.locator(f"[{name}='{target}']")

    @property
    def question(self) -> Locator:
        """The dialog that asks before something costs."""
        return self.page.locator("dialog[open]")

    def reply(self, *, yes: bool) -> None:
        """Do what is asked about, or let it be."""
        buttons = self.question.get_by_role("button")
        (buttons.last if yes else buttons.first).click()
