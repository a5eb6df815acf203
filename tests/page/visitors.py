"""People in front of the page: windows, and hands that play by drag, tap, touch, key or word."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any, ClassVar

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, WebSocket

from okey101.i18n import load
from server.live import Json, Model

__all__ = [
    "PATIENCE_S",
    "Dragging",
    "Hands",
    "Tapping",
    "Touching",
    "Typing",
    "Visitor",
    "Writing",
    "dealt_out",
    "play_until",
]

PATIENCE_S = 30.0
_LABELS = """() => [...document.querySelectorAll("[data-source^='slot:']")].map(
    (tile) => tile.getAttribute("aria-label") ?? "")"""
_FREE_FELT = """() => {
    const felt = document.querySelector("[data-target=felt]");
    const box = felt.getBoundingClientRect();
    for (let y = box.bottom - 6; y > box.top; y -= 7)
        for (let x = box.right - 6; x > box.left; x -= 11) {
            const found = document.elementFromPoint(x, y);
            if (found?.closest("[data-target]") === felt) return [x, y];
        }
    return null;
}"""


class Visitor:
    """A window of one person's browser, and the table as its socket tells it.

    ``complaints`` has what the page wrote to its console as an error, and every exception that
    nobody caught. With a ``name`` the visitor is a guest already.
    """

    def __init__(
        self, browser: Browser, url: str, name: str | None = None, *, language: str = "tr",
        size: tuple[int, int] = (1280, 800), touch: bool = False, moving: bool = False,
        **options: Any,
    ) -> None:  # fmt: skip
        self.url, self.name, self.language = url, name, language
        self.texts = load(language)
        self.context = browser.new_context(
            base_url=url,
            locale={"tr": "tr-TR", "en": "en-GB"}[language],
            viewport={"width": size[0], "height": size[1]},
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="no-preference" if moving else "reduce",
            **options,
        )
        self.context.set_default_timeout(PATIENCE_S * 1000)
        self.complaints: list[str] = []
        self.tolerated: list[re.Pattern[str]] = []
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

    def make(self, **options: Any) -> str:
        """Open a table, without the page's help; returns its id."""
        answer = self.context.request.post("/api/tables", data=options)
        assert answer.status == 201, answer.text()
        return str(answer.json()["id"])

    def tolerate(self, *patterns: str) -> None:
        """Don't mind complaints that match."""
        self.tolerated += [re.compile(pattern) for pattern in patterns]

    def close(self) -> None:
        """Close all windows."""
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
        """Open a screen."""
        self.page.goto(path)
        self.page.locator("main").first.wait_for()

    def say(self, key: str, /, **arguments: str | int) -> str:
        """A text of the page in this person's language."""
        return self.texts(key, **arguments)

    def button(self, key: str, /, **arguments: str | int) -> Locator:
        """A button by the key of its text."""
        return self.page.get_by_role("button", name=self.say(key, **arguments), exact=True)

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

    def until(self, reached: Callable[[], object], what: str = "") -> None:
        """Let the browser go on until something holds; AssertionError with the model if never."""
        deadline = time.monotonic() + PATIENCE_S
        while not reached():
            assert time.monotonic() < deadline, (
                f"{self.name} waited for {what or reached}: stage {self.model.stage!r}, "
                f"{self.page.url}, {self.page.locator('main').first.inner_text()[:900]}"
            )
            self.pump()

    def over(self) -> bool:
        """Whether the match is over."""
        return self.model.stage == "over"

    def wait_table(self) -> None:
        """Wait until a deal is on the table, and the rack is full."""
        self.until(lambda: self.model.stage == "playing", "a deal")
        self.until(self.agrees, "the rack")

    # The table --------------------------------------------------------------------------------

    @property
    def hand(self) -> list[str]:
        """The own tiles, as the server tells them."""
        return str((self.model.you or {}).get("hand", "")).split()

    def words(self, tile: str) -> str:
        """A tile of the rack in this person's words."""
        if tile == "F":
            return self.say("page-tile-joker")
        if tile == "*":
            assert self.model.deal is not None
            okey = self.words(self.model.deal["okey"])
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
        self.until(lambda: tile in self.slots(), f"{tile} on the rack")
        return self.slots().index(tile)

    def free_slot(self) -> int:
        """The last slot without a tile."""
        labels, empty = (
            self.labels(),
            re.compile("^" + re.escape(self.say("page-slot-empty", place=""))),
        )
        return max(i for i, label in enumerate(labels) if empty.match(label))

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


class Hands:
    """How somebody plays: the choice is the same for all, the way to do it is the subclass's."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.done: list[str] = []
        self._failed = -1
        self._returned = False

    # One action by one kind of input; each leaves the rest to the server.

    def draw(self) -> None:
        raise NotImplementedError

    def take(self) -> None:
        raise NotImplementedError

    def give_back(self) -> None:
        raise NotImplementedError

    def open(self, kind: str) -> None:
        raise NotImplementedError

    def lay(self, tile: str, group: int) -> None:
        raise NotImplementedError

    def discard(self, tile: str) -> None:
        raise NotImplementedError

    def sort(self, kind: str) -> None:
        raise NotImplementedError

    def yes(self) -> None:
        """Agree to what something costs."""
        self.visitor.question.locator("button").last.click()

    # The choice.

    def step(self) -> bool:
        """Do one thing at the own turn; whether there was one to do."""
        visitor, model = self.visitor, self.visitor.model
        options = model.options
        if options is None or model.stage != "playing" or model.deal_turn != model.seat:
            return False
        seq = model.seq
        word = self._choose(options)
        self.done.append(word)
        visitor.until(lambda: model.seq > seq or self._answer(), f"{word} to be done")
        return True

    def _answer(self) -> bool:
        if self.visitor.question.count():
            self.yes()
        return False

    def _choose(self, options: Json) -> str:
        model, opening = self.visitor.model, options["open"]
        if options["draw"]:
            if options["take"] and not self._returned:
                self.take()
                return "take"
            self.draw()
            return "draw"
        if options["return"] and not self._returned:
            self._returned = True
            self.give_back()
            return "return"
        self._returned = False
        if options["pass"]:
            self.draw_or_pass()
            return "pass"
        for kind in ("melds", "pairs"):
            if opening.get(kind) and self._failed != model.seq:
                self._failed = model.seq
                self.sort(kind)
                self.open(kind)
                self.visitor.until(lambda: model.seq > self._failed or self._refused())
                if model.seq > self._failed:
                    return f"open {kind}"
        if options.get("lays"):
            _, piece, _, group = str(options["lays"][0]).split()
            if len(self.visitor.hand) > 1:
                self.lay("*" if piece.startswith("*") else piece, int(group))
                return "lay"
        if not options["discards"]:
            self.give_back()
            return "return"
        cheapest = min(options["discards"], key=lambda one: int(one["points"]))
        self.discard(str(cheapest["tile"]))
        return "discard"

    def draw_or_pass(self) -> None:
        """Pass, where the stock is empty and the last discard may still be taken."""
        self.visitor.button("page-pass").click()

    def _refused(self) -> bool:
        self.visitor.pump(0.7)
        return True


class Tapping(Hands):
    """Taps: what is to be moved, then where to."""

    def touch(self, locator: Locator) -> None:
        """One tap; with a mouse, a click."""
        locator.click()

    def draw(self) -> None:
        self.touch(self.visitor.place("stock"))

    def take(self) -> None:
        self.touch(self.visitor.place("left"))

    def give_back(self) -> None:
        self.touch(self.visitor.button("page-put-back"))

    def sort(self, kind: str) -> None:
        self.touch(self.visitor.button(f"page-sort-{kind}"))
        self.visitor.until(self.visitor.agrees)

    def open(self, kind: str) -> None:
        key = "page-open" if kind == "melds" else "page-open-pairs"
        self.touch(self.visitor.button_like(key))

    def lay(self, tile: str, group: int) -> None:
        self.touch(self.visitor.slot(self.visitor.slot_of(tile)))
        self.touch(self.visitor.place(f"group:{group}"))

    def discard(self, tile: str) -> None:
        self.touch(self.visitor.slot(self.visitor.slot_of(tile)))
        self.touch(self.visitor.place("discard"))

    def yes(self) -> None:
        self.touch(self.visitor.question.locator("button").last)

    def draw_or_pass(self) -> None:
        self.touch(self.visitor.button("page-pass"))


class Dragging(Tapping):
    """Drags with the mouse, from where a thing is to where it goes."""

    def drag(self, source: Locator, target: Locator | tuple[float, float]) -> None:
        """Press on one thing, move in steps, and let go over the other."""
        mouse = self.visitor.page.mouse
        x, y = _middle(source)
        mouse.move(x, y)
        mouse.down()
        mouse.move(*(target if isinstance(target, tuple) else _middle(target)), steps=5)
        mouse.up()

    def draw(self) -> None:
        free = self.visitor.free_slot()
        self.drag(self.visitor.place("stock"), self.visitor.place(f"slot:{free}"))

    def take(self) -> None:
        free = self.visitor.free_slot()
        self.drag(self.visitor.place("left"), self.visitor.place(f"slot:{free}"))

    def give_back(self) -> None:
        deal = self.visitor.model.deal
        assert deal is not None
        taken = self.visitor.slot(self.visitor.slot_of(deal["taken"]))
        self.drag(taken, self.visitor.place("left"))

    def open(self, kind: str) -> None:
        if kind == "pairs":  # the felt opens with sets and runs
            super().open(kind)
            return
        first = next(i for i, tile in enumerate(self.visitor.slots()) if tile is not None)
        self.drag(self.visitor.slot(first), self.felt())

    def felt(self) -> tuple[float, float]:
        """A point of the table without a meld."""
        x, y = self.visitor.page.evaluate(_FREE_FELT)
        return x, y

    def lay(self, tile: str, group: int) -> None:
        target = self.visitor.place(f"group:{group}")
        target.scroll_into_view_if_needed()
        self.drag(self.visitor.slot(self.visitor.slot_of(tile)), target)

    def discard(self, tile: str) -> None:
        source = self.visitor.slot(self.visitor.slot_of(tile))
        self.drag(source, self.visitor.place("discard"))


class Touching(Dragging):
    """Fingers: taps, and drags, on a touch screen."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__(visitor)
        self._fingers = visitor.context.new_cdp_session(visitor.page)

    def touch(self, locator: Locator) -> None:
        locator.tap()

    def drag(self, source: Locator, target: Locator | tuple[float, float]) -> None:
        start = _middle(source)
        end = target if isinstance(target, tuple) else _middle(target)
        self._finger("touchStart", start)
        for step in range(1, 7):
            share = step / 6
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self._finger("touchMove", (x, y))
        self._finger("touchEnd")

    def _finger(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


class Typing(Hands):
    """Keys alone: arrows lead over the rack, letters act."""

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.visitor.page.keyboard.press(key)

    def enter_rack(self) -> None:
        """Tab until a slot of the rack has the focus."""
        for _ in range(60):
            if self._at() is not None:
                return
            self.press("Tab")
        raise AssertionError("Tab does not lead to the rack")

    def _at(self) -> int | None:
        source = self.visitor.page.evaluate("() => document.activeElement?.dataset?.source ?? ''")
        return int(source[5:]) if str(source).startswith("slot:") else None

    def focus(self, slot: int) -> None:
        """Go to a slot with the arrows."""
        self.enter_rack()
        at = self._at()
        assert at is not None
        if at // 16 != slot // 16:
            self.press("ArrowDown" if slot > at else "ArrowUp")
        for _ in range(40):
            at = self._at()
            assert at is not None
            if at == slot:
                return
            self.press("ArrowRight" if at < slot else "ArrowLeft")
        raise AssertionError(f"the arrows do not lead to slot {slot}, but to {self._at()}")

    def draw(self) -> None:
        self.enter_rack()
        self.press("1")

    def take(self) -> None:
        self.enter_rack()
        self.press("2")

    def give_back(self) -> None:
        self.enter_rack()
        self.press("Backspace")

    def sort(self, kind: str) -> None:
        if kind == "pairs":
            self.visitor.button("page-sort-pairs").focus()
            self.press("Enter")
        else:
            self.enter_rack()
            self.press("s")
        self.visitor.pump(0.3)

    def open(self, kind: str) -> None:
        self.enter_rack()
        self.press("o" if kind == "melds" else "p")

    def lay(self, tile: str, group: int) -> None:
        self.focus(self.visitor.slot_of(tile))
        self.press("l")

    def discard(self, tile: str) -> None:
        self.focus(self.visitor.slot_of(tile))
        self.press("d")

    def yes(self) -> None:
        for _ in range(4):
            if self.visitor.page.evaluate(
                "() => document.activeElement === document.querySelector("
                "'dialog[open] button:last-of-type')"
            ):
                self.press("Enter")
                return
            self.press("Tab")
        raise AssertionError("Tab does not lead to yes")

    def draw_or_pass(self) -> None:
        self.visitor.button("page-pass").focus()
        self.press("Enter")


class Writing(Hands):
    """The command line alone, in the words of the visitor's language."""

    TURKISH: ClassVar[dict[str, str]] = {
        "draw": "çek", "take": "al", "return": "geri bırak", "sort": "seri diz", "meld": "ser",
        "lay": "işle", "discard": "at", "pass": "geç",
    }  # fmt: skip

    def write(self, line: str) -> None:
        """Type a line and send it."""
        word, *rest = line.split(" ")
        if self.visitor.language == "tr":
            word = self.TURKISH[word]
        field = self.visitor.page.locator("#command")
        field.fill(" ".join([word, *rest]))
        field.press("Enter")

    def draw(self) -> None:
        self.write("draw")

    def take(self) -> None:
        self.write("take")

    def give_back(self) -> None:
        self.write("return")

    def sort(self, kind: str) -> None:
        if kind == "melds":
            self.write("sort")
        self.visitor.pump(0.3)

    def open(self, kind: str) -> None:
        options = self.visitor.model.options
        assert options is not None
        self.write(str(options["open"][kind]))

    def lay(self, tile: str, group: int) -> None:
        options = self.visitor.model.options
        assert options is not None
        self.write(str(options["lays"][0]))

    def discard(self, tile: str) -> None:
        self.write(f"discard {tile}")

    def draw_or_pass(self) -> None:
        self.write("pass")


def _middle(locator: Locator) -> tuple[float, float]:
    """The middle of what is seen of an element."""
    locator.wait_for()
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dealt_out(visitor: Visitor) -> bool:
    """Whether the deal on the table is over."""
    deal = visitor.model.deal
    return deal is not None and bool(deal.get("end"))


def play_until(
    players: list[Hands], reached: Callable[[], object], *, patience_s: float = 90
) -> None:
    """Let everybody play in their own way until something holds."""
    deadline = time.monotonic() + patience_s
    while not reached():
        players[0].visitor.pump()
        for hands in players:
            hands.step()
        assert time.monotonic() < deadline, [hands.done for hands in players]
