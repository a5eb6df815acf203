"""What is heard and what moves: exactly when it should, and at what cost."""

import json
import time
from typing import Final

import pytest
from playwright.sync_api import expect

from page.conftest import Visit
from page.scenes import Scene, Stage, before_opening, finished, mid_deal, opening
from page.visitors import Visitor
from server.live import Json

_DEVICE: Final = """
window.heard = [];
window.AudioContext = class {
    currentTime = 0; sampleRate = 8; destination = {};
    suspend() {} resume() {}
    part() {
        return { connect: (next) => next, start() {}, stop() {}, Q: {},
            frequency: { set value(pitch) { window.heard.push(pitch); } },
            gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } };
    }
    createBuffer() { return { getChannelData: () => [] }; }
    createBufferSource() { return this.part(); }
    createBiquadFilter() { return this.part(); }
    createGain() { return this.part(); }
};"""
DISCARD, TURN, TICK = {950, 420}, {1800, 2300}, {2600}


class _Ear:
    """A table with somebody who listens, and the server's end of it."""

    def __init__(self, visitor: Visitor, view: Json) -> None:
        self.visitor, self.view, self.seq = visitor, view, int(view["seq"])
        visitor.context.add_init_script(_DEVICE)

    def sit(self) -> None:
        """See the table anew, with one's own turn."""
        self.stage: Stage = Scene(self.view).show(self.visitor)
        self.seq = int(self.view["seq"])

    def tell(self, seat: int, action: str, **changed: Json) -> None:
        self.seq += 1
        what = {"kind": "act", "seat": seat, "actions": [action], "by": "user"}
        at = int(time.time() * 1000)
        self.stage.tell(type="event", seq=self.seq, at=at, what=what, **changed)

    def heard(self) -> set[int]:
        """What was heard since this was asked last."""
        found: list[int] = self.visitor.page.evaluate("() => heard.splice(0)")
        return set(found)

    def turn_comes(self) -> set[int]:
        """The left neighbour throws, and two seconds are left; what was heard until they are."""
        me, seats = self.view["you"]["seat"], len(self.view["table"]["seats"])
        left = (me - 1) % seats
        self.tell(left, "draw", deal={"turn": left, "phase": "play"})
        self.visitor.pump(0.3)
        self.heard()
        deadline = int(time.time() * 1000) + 2500
        options: Json = self.view["you"]
        self.tell(
            left, "discard K5", deal={"turn": me, "phase": "draw"}, table={"deadline": deadline},
            you=options,
        )  # fmt: skip
        # For the eye: whose turn it is, and how many seconds are left of it.
        expect(self.visitor.page.locator(".plate .seconds")).to_have_text("1")
        expect(self.visitor.page.locator(".alarm, [role=alert]").first).not_to_be_empty()
        self.visitor.pump(1.2)
        return self.heard()


def test_what_is_heard_can_be_switched_off_one_by_one(visit: Visit) -> None:
    visitor = visit("Ayşe", moving=True)
    ear = _Ear(visitor, mid_deal(visitor.server).view)
    ear.sit()
    assert ear.turn_comes() == DISCARD | TURN | TICK
    moving = "() => getComputedStyle(document.querySelector('.group')).animationName"
    assert "settle" in visitor.page.evaluate(moving)
    visitor.go("/settings")
    for kinds, kind in (
        ("page-sound-kinds", "page-kind-tiles"),
        ("page-sound-kinds", "page-kind-clock"),
        ("page-motion-kinds", "page-kind-tiles"),
    ):
        group = visitor.page.locator("details").filter(has_text=visitor.say(kinds))
        if group.get_attribute("open") is None:
            group.locator("summary").click()
        group.get_by_label(visitor.say(kind)).uncheck()
    kept = json.loads(visitor.page.evaluate("() => localStorage.getItem('okey101.settings')"))
    assert kept["off"] == ["sound-tiles", "sound-clock", "motion-tiles"]
    ear.sit()
    ear.heard()
    assert ear.turn_comes() == TURN
    assert visitor.page.evaluate(moving) == "none"


# What a drag may cost: the tile follows the finger, and nothing else is redrawn -------------------


_WATCH = """() => {
    window.changes = [];
    new MutationObserver((records) => {
        for (const { type, target, attributeName } of records) {
            const part = target.closest(".ghost") ? "ghost"
                : target.closest("[data-target]")?.dataset.target ?? "other";
            window.changes.push([part, attributeName ?? type]);
        }
    }).observe(document.querySelector("main"), {
        attributes: true, childList: true, subtree: true,
    });
}"""
_TAKEN = """() => window.changes.splice(0)"""
_OVER = """() => [...document.querySelectorAll("[data-over]")].map((e) => e.dataset.target)"""
_GHOST = """() => {
    const box = document.querySelector(".ghost").getBoundingClientRect();
    return [box.left, box.top, box.right, box.bottom];
}"""
_FRAME = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""


def test_a_drag_draws_the_tile_and_marks_the_target_alone(visit: Visit) -> None:
    visitor = visit("Ali", size=(390, 844))
    view = mid_deal(visitor.server).view
    # Without a clock: its ring and bar move by themselves.
    Scene(view | {"table": view["table"] | {"deadline": None}}).show(visitor)
    page, mouse = visitor.page, visitor.page.mouse
    visitor.until(lambda: any(visitor.labels()), "the rack")
    free = visitor.free_slot()
    tile = page.locator("[data-source^='slot:']:has(.face)").first
    start, gap = tile.bounding_box(), visitor.slot(free).bounding_box()
    felt = visitor.place("felt").bounding_box()
    assert start is not None
    assert gap is not None
    assert felt is not None
    label = visitor.slot(free).get_attribute("aria-label")
    mouse.move(start["x"] + 9, start["y"] + 9)
    mouse.down()
    mouse.move(start["x"] + 9, start["y"] - 20)
    page.evaluate(_FRAME)
    page.evaluate(_WATCH)

    mouse.move(felt["x"] + felt["width"] / 2, felt["y"] + felt["height"] - 4, steps=12)
    mouse.move(gap["x"] + 9, gap["y"] + 9, steps=12)
    page.evaluate(_FRAME)
    left, top, right, bottom = page.evaluate(_GHOST)
    assert left < gap["x"] + 9 < right
    assert top < gap["y"] + 9 < bottom
    assert page.evaluate(_OVER) == [f"slot:{free}"]
    changes = {tuple(change) for change in page.evaluate(_TAKEN)}
    assert ("ghost", "style") in changes
    # The tiles of the rack part under it, and what is carried leaves its slot; no more than that.
    assert {what for _, what in changes} <= {"style", "class", "data-over"}, changes
    moved = {part for part, what in changes if what in ("style", "class")} - {"ghost"}
    assert all(part.startswith("slot:") for part in moved), moved

    mouse.up()
    visitor.until(lambda: visitor.slot(free).get_attribute("aria-label") != label, "the tile")
    told = {part for part, what in page.evaluate(_TAKEN) if what == "aria-label"}
    assert page.evaluate(_OVER) == []
    # The labels are on the buttons in the two slots; the buttons of the bar may follow.
    relabelled = [part for part in told if part.startswith("slot:")]
    assert 1 <= len(relabelled) <= 2, relabelled


# Moments that are shown large ---------------------------------------------------------------------


# Where a fine is at a time of its way, beside where it comes from and where it goes to.
_FINE_AT = """([seat, time]) => {
    const fine = document.querySelector(".fine"), middle = (one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const [way] = fine?.getAnimations() ?? [];
    if (!way) return null;
    way.pause();
    way.currentTime = time;
    const score = document.querySelector(`[data-place="plate:${seat}"] .score`);
    return [fine.textContent.trim(), middle(fine), parseInt(score.lastChild.data),
        middle(document.querySelector(`[data-place="pile:${seat}"]`)), middle(score)];
}"""


def test_a_fine_flies_from_the_tile_to_its_score(visit: Visit) -> None:
    """In red; the score has changed before it is there."""
    visitor = visit("Ayşe", moving=True)
    view = mid_deal(visitor.server).view
    ear = _Ear(visitor, view)
    ear.sit()
    seat, fines = (view["you"]["seat"] - 1) % 4, view["deal"]["fines"]
    before = visitor.page.locator(f'[data-place="plate:{seat}"] .score').inner_text()
    fine = {"seat": seat, "rule": "P2", "points": 101}
    ear.tell(seat, "discard K5", deal={"fines": [*fines, fine]})
    visitor.page.wait_for_function(_FINE_AT, arg=[seat, 0])
    for time_ms, there in ((900, False), (2250, True)):
        text, shown, score, *ends = visitor.page.evaluate(_FINE_AT, [seat, time_ms])
        assert (text, score) == ("+101", int(before.split()[-1]) + 101)
        assert shown == pytest.approx(ends[there], abs=8)


def test_an_openings_sum_lies_over_no_hint(visit: Visit) -> None:
    visitor = visit("Ayşe", moving=True, size=(390, 844))
    view = before_opening(mid_deal(visitor.server).view)
    stage = Scene(view).show(visitor)
    hint = visitor.button("hint-button")
    hint.wait_for()
    stage.tell(**opening(view))
    hint.click()
    visitor.button("hint-follow").wait_for()
    assert not visitor.page.locator(".sum").is_visible()


_COUNT_FACES = """
    window.faces = [];
    const look = () => {
        const all = [...document.querySelectorAll("[role=grid] .face")];
        if (all.length > 0) window.faces.push(all.filter((face) => face.checkVisibility(
            { visibilityProperty: true }) && face.getBoundingClientRect().width > 2).length);
        requestAnimationFrame(look);
    };
    look();
"""
"""Note in each frame how many tiles are seen on the rack, once there is one."""


@pytest.mark.parametrize("moving", [True, False])
def test_the_rack_is_empty_until_the_tiles_are_dealt(visit: Visit, moving: bool) -> None:
    """A tap skips the deal; where nothing is to move, the tiles are there at once."""
    visitor = visit("Ali", moving=moving, size=(390, 844), touch=True)
    visitor.page.add_init_script(_COUNT_FACES)
    visitor.go("/")
    visitor.button("page-play-bots").click()
    deal = visitor.page.locator("section.deal")
    if moving:
        deal.wait_for()
        visitor.page.touchscreen.tap(195, 320)
    visitor.until(lambda: visitor.page.evaluate("window.faces.at(-1) >= 21"), "the tiles")
    assert deal.count() == 0
    assert visitor.page.evaluate("window.faces[0]") == (0 if moving else len(visitor.hand))


@pytest.mark.parametrize("moving", [True, False])
def test_the_end_of_a_deal_is_a_moment_that_a_tap_ends(visit: Visit, moving: bool) -> None:
    visitor = visit("Ali", moving=moving, size=(390, 844), touch=True)
    view = mid_deal(visitor.server).view
    theatre, sheet = visitor.page.locator(".theatre"), visitor.page.locator(".sheet")
    name = view["table"]["seats"][(view["you"]["seat"] + 3) % 4]["name"]
    for end in ("finish", "stock"):
        Scene(view).show(visitor).tell(**finished(view, end))
        said = visitor.say("page-finished-with", name=name, points="-101", you="no")
        if end == "stock":
            said = f"{visitor.say('page-end-stock')} {visitor.say('page-end-counted')}"
        if moving:
            # The deal's, then the match's.
            for kind in ("finish" if end == "finish" else "unfinished", "won"):
                visitor.page.locator(f".theatre.{kind}").wait_for()
                assert sheet.count() == 0
                theatre.click()
        sheet.wait_for()
        assert theatre.count() == 0
        expect(visitor.page.locator("p[role=status].unseen")).to_have_text(said)
