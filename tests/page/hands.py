"""Hands that play in a window by drag, tap, touch, key or word."""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from playwright.sync_api import Locator, TimeoutError as Late, expect

from conftest import aside, unwrap
from page.visitors import Visitor
from server.clients import Client, simple_choice
from server.live import Json

_HEARD_BY_NOW_S = 3.0
_TRIES = 3
_AT_REST_S = 0.12
"""What is let go sooner was flung."""
_CLOSED_BY_NOW_MS = 3_000
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


class Hands:
    """How somebody plays: the choice is the same for all, the way to do it is the subclass's.

    Here it is by taps: what is to be moved, then where to.
    """

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.done: list[str] = []
        self._failed = -1
        self._returned = False

    # One action by one kind of input; each leaves the rest to the server.

    def touch(self, locator: Locator, timeout: float | None = None) -> None:
        locator.click(timeout=timeout)

    def draw(self) -> None:
        """Draw from the stock."""
        self.touch(self.visitor.place("stock"))

    def take(self) -> None:
        """Take the left neighbour's discard."""
        self.touch(self.visitor.place("left"))

    def give_back(self) -> None:
        """Put back what was taken: it has to be laid down, or go back, before a tile is thrown."""
        step = self.visitor.page.locator(".rail .now")
        expect(step).to_have_attribute("data-step", self.visitor.say("page-step-lay"))
        self.touch(self.visitor.button("page-put-back"))

    def sort(self, kind: str) -> None:
        """Have the rack sorted for ``melds`` or ``pairs``."""
        asked = self._asked()
        # The row of buttons moves when those of the turn come and go: faster than any person, a
        # tap may be meant for where it was before the page has drawn what the socket has told.
        for _ in range(_TRIES):
            self.touch(self.visitor.button(f"page-sort-{kind}"))
            deadline = time.monotonic() + _HEARD_BY_NOW_S
            while self._asked() == asked and time.monotonic() < deadline:
                self.visitor.pump()
            if self._asked() > asked:
                break
        self.visitor.until(lambda: self._asked() > asked, "the tap to be heard")
        self.visitor.until(self.visitor.agrees)

    def _asked(self) -> int:
        """How often the page has asked for an arrangement."""
        return sum(message.get("what") == "arrange" for message in self.visitor.sent)

    def open(self, kind: str) -> None:
        """Open with ``melds`` or ``pairs``, as they are sorted."""
        key = "page-open" if kind == "melds" else "page-open-pairs"
        self.touch(self.visitor.button_like(key))

    def lay(self, tile: str, group: int) -> None:
        """Add a tile to what lies open."""
        self.touch(self.visitor.slot(self.visitor.slot_of(tile)))
        self.touch(self.visitor.place(f"group:{group}"))

    def discard(self, tile: str) -> None:
        """End the turn with a tile."""
        self.touch(self.visitor.slot(self.visitor.slot_of(tile)))
        self.touch(self.visitor.place("discard"))

    def yes(self) -> None:
        """Agree to what something costs."""
        with suppress(Late):  # answered already, and still closing when it was counted
            self.touch(self.visitor.question.locator("button").last, _CLOSED_BY_NOW_MS)

    def let_pass(self) -> None:
        """Pass, where the stock is empty and the last discard may still be taken."""
        self.touch(self.visitor.button("page-pass"))

    # The choice.

    def step(self) -> bool:
        """Do one thing on one's turn; returns whether there was one to do."""
        visitor, model = self.visitor, self.visitor.model
        options = model.options
        if options is None or not self._to_move():
            return False
        if visitor.question.count():  # still open, where a row of something else came first
            self.yes()
            visitor.until(visitor.settled, "the answer to a question")
            return True
        seq, acts = model.seq, self._acts()
        word = self._choose(options)
        self.done.append(word)

        # A row of something else may come first, and what is asked about the move only after it.
        def moved() -> bool:
            return model.seq > seq and (self._acts() > acts or not self._to_move())

        visitor.until(lambda: moved() or self._answer(), f"{word} to be done")
        visitor.until(visitor.settled, f"the answer to {word}")
        return True

    def _to_move(self) -> bool:
        model = self.visitor.model
        return model.stage == "playing" and model.deal_turn == model.seat

    def _acts(self) -> int:
        """How many moves the page has sent."""
        return sum(message["type"] == "act" for message in self.visitor.sent)

    def _answer(self) -> bool:
        if self.visitor.question.count():
            self.yes()
        return False

    def _choose(self, options: Json) -> str:
        model, opening = self.visitor.model, options["opening"]
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
            self.let_pass()
            return "pass"
        for kind in ("melds", "pairs"):
            if opening.get(kind) and self._failed != model.seq:
                self._failed = model.seq
                self.sort(kind)
                self.open(kind)
                self.visitor.until(lambda: model.seq > self._failed or self._refused())
                # What was sent late is answered before anything else is done.
                self.visitor.until(self.visitor.settled, "the answer to the opening")
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

    def _refused(self) -> bool:
        self.visitor.pump(0.7)
        return True


class Dragging(Hands):
    """Drags with the mouse, from where a thing is to where it goes."""

    def drag(self, source: Locator, target: Locator | tuple[float, float]) -> None:
        """Press on one thing, move in steps, and let go over the other."""
        mouse = self.visitor.page.mouse
        x, y = _middle(source)
        mouse.move(x, y)
        mouse.down()
        mouse.move(*(target if isinstance(target, tuple) else _middle(target)), steps=5)
        self.visitor.pump(_AT_REST_S)
        mouse.up()

    def draw(self) -> None:
        free = self.visitor.free_slot()
        self.drag(self.visitor.place("stock"), self.visitor.place(f"slot:{free}"))

    def take(self) -> None:
        free = self.visitor.free_slot()
        self.drag(self.visitor.place("left"), self.visitor.place(f"slot:{free}"))

    def give_back(self) -> None:
        deal = unwrap(self.visitor.model.deal)
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

    def touch(self, locator: Locator, timeout: float | None = None) -> None:
        locator.tap(timeout=timeout)

    def drag(self, source: Locator, target: Locator | tuple[float, float]) -> None:
        start = _middle(source)
        end = target if isinstance(target, tuple) else _middle(target)
        self._finger("touchStart", start)
        for step in range(1, 7):
            share = step / 6
            x, y = (a + (b - a) * share for a, b in zip(start, end, strict=True))
            self._finger("touchMove", (x, y))
        self.visitor.pump(_AT_REST_S)
        self._finger("touchEnd")

    def _finger(self, kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


class Plain(Touching):
    """As few taps as a turn takes: the drawn tile sorts itself in, and the chosen one is thrown."""

    def __init__(self, visitor: Visitor) -> None:
        super().__init__(visitor)
        self.taps = 0

    def touch(self, locator: Locator, timeout: float | None = None) -> None:
        super().touch(locator, timeout)
        self.taps += 1

    def step(self) -> bool:
        self._returned = True  # what the neighbour threw is left alone
        return super().step()

    def turn(self, look: Callable[[], object] = lambda: None) -> tuple[int, bool]:
        """Play one's turn; its taps, and whether it was a plain one. ``look`` sees each step."""
        visitor = self.visitor
        visitor.until(lambda: visitor.model.options is not None or dealt_out(visitor))
        turn, begun, self.taps = unwrap(visitor.model.deal)["turns"], len(self.done), 0
        while not dealt_out(visitor) and unwrap(visitor.model.deal)["turns"] == turn:
            look()
            if not self.step():
                visitor.pump()
        return self.taps, self.done[begun:] == ["draw", "discard"]

    draw, open, lay = Hands.draw, Hands.open, Hands.lay

    def sort(self, kind: str) -> None:
        if kind == "pairs" or self.done[-1:] != ["draw"]:  # what was drawn is sorted in for melds
            super().sort(kind)

    def discard(self, tile: str) -> None:
        slot = self.visitor.slot(self.visitor.slot_of(tile))
        try:
            self.touch(slot, _CLOSED_BY_NOW_MS)
        except Late:
            if self.visitor.question.count():  # of what came before: it is answered first
                return
            self.touch(slot)
        self.visitor.pump(0.4)  # sooner it would be a double tap, which never throws
        if not self.visitor.question.count():  # where the tile was chosen, the first tap throws it
            with suppress(Late):  # what that costs is asked only now, over the tile
                self.touch(slot, _CLOSED_BY_NOW_MS)


class Typing(Hands):
    """Keys alone: arrows lead over the rack, letters act."""

    def press(self, *keys: str) -> None:
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
        self.enter_rack()
        at = unwrap(self._at())
        if at // 16 != slot // 16:
            self.press("ArrowDown" if slot > at else "ArrowUp")
        for _ in range(40):
            at = unwrap(self._at())
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

    def let_pass(self) -> None:
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
        self.visitor.command_line()
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
        self.write(str(unwrap(self.visitor.model.options)["opening"][kind]))

    def lay(self, tile: str, group: int) -> None:
        self.write(str(unwrap(self.visitor.model.options)["lays"][0]))

    def discard(self, tile: str) -> None:
        self.write(f"discard {tile}")

    def let_pass(self) -> None:
        self.write("pass")


def _middle(locator: Locator) -> tuple[float, float]:
    """The middle of what is seen of an element."""
    locator.wait_for()
    box = unwrap(locator.bounding_box())
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def dealt_out(visitor: Visitor) -> bool:
    deal = visitor.model.deal
    return deal is not None and bool(deal.get("end"))


def play_by_requests(visitor: Visitor, reached: Callable[[], object]) -> None:
    """Have the server asked for this person's moves until something holds: the window looks on."""
    rng, model = random.Random(0), visitor.model
    address = f"/api/tables/{model.table['id']}/commands"
    while not reached():
        seq, options = model.seq, model.options
        if options is not None and model.stage == "playing":
            act = {"type": "act", "rid": f"asked-{seq}", "action": simple_choice(options, rng)}
            answer = visitor.context.request.post(address, data=act)
            assert answer.ok, answer.text()
        visitor.until(lambda seq=seq: model.seq > seq or reached(), "a move")  # type: ignore[misc]


async def _played(clients: list[Client], deal: int) -> None:
    def nearly_out(client: Client) -> bool:
        """Whether everybody has a turn left at most, or the deal is over already."""
        over, now = len(client.model.table["scores"]["deals"]), client.model.deal
        runs = now is not None and not now.get("end")
        return over > deal or (over == deal and runs and unwrap(now)["stock"] <= 4)

    for client in clients:
        await client.connect()
    try:
        await asyncio.gather(*(client.play_on(nearly_out) for client in clients))
    finally:
        for client in clients:
            await client.close()


def play_elsewhere(*visitors: Visitor, deal: int = 0) -> None:
    """Have a program play for these people until the deal is nearly over, while they are away.

    Or until a later ``deal`` of the match is, 0 being the first.

    Their windows leave the table and come back to it: what they show in between costs time.
    """
    clients: list[Client] = []
    for visitor in visitors:
        visitor.until(visitor.settled, "the last answer")
        clients.append(Client(visitor.server, visitor.model.table["id"], visitor.person))
        visitor.page.goto("about:blank")
    aside(asyncio.run, _played(clients, deal))
    for visitor, client in zip(visitors, clients, strict=True):
        visitor.go(f"/t/{client.table}")
        now = client.model.seq
        visitor.until(lambda v=visitor, now=now: v.model.seq >= now, "the table")  # type: ignore[misc]


def play_until(
    players: list[Hands], reached: Callable[[], object], *, patience_s: float = 300
) -> None:
    """Let everybody play in their own way until something holds."""
    deadline = time.monotonic() + patience_s
    pause = 0.01
    while not reached():
        players[0].visitor.pump(pause)
        moved = [hands.step() for hands in players]
        pause = 0.01 if any(moved) else min(pause * 1.5, 0.1)  # to look takes the page's time
        assert time.monotonic() < deadline, [_where(hands) for hands in players]


def _where(hands: Hands) -> tuple[object, ...]:
    """What came of somebody's play, and whether it is the server, the window or the test that lags.

    The server knows its last row, the window shows what its own socket told, and the model has
    what was seen of that socket.
    """
    visitor, model = hands.visitor, hands.visitor.model
    told = visitor.context.request.get(f"/api/tables/{model.table.get('id')}").text()
    shown = visitor.page.locator("main").first.inner_text()
    return hands.done, model, visitor.complaints, visitor.heard[-3:], told, shown
