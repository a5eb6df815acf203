"""What a drag may cost: the tile follows the finger, and nothing else is redrawn."""

from __future__ import annotations

from page.conftest import Visit
from page.scenes import Scene, mid_deal
from server.live import LiveServer

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


def test_a_drag_draws_the_tile_and_marks_the_target_alone(visit: Visit, server: LiveServer) -> None:
    visitor = visit("Ali", size=(390, 844))
    view = mid_deal(server).view
    # Without a clock: its ring and bar move by themselves.
    Scene(view | {"table": view["table"] | {"deadline": None}}).show(visitor)
    page, mouse = visitor.page, visitor.page.mouse
    visitor.until(lambda: any(visitor.labels()), "the rack")
    # What the others did last is told when the page opens; it fades by itself as well.
    lines = page.locator(".middle > ol li")
    visitor.until(lambda: lines.count() == 0, "the told lines to fade")
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
    assert {what for _, what in changes} <= {"style", "data-over"}
    assert not {part for part, what in changes if what == "style"} - {"ghost"}

    mouse.up()
    visitor.until(lambda: visitor.slot(free).get_attribute("aria-label") != label, "the tile")
    told = {part for part, what in page.evaluate(_TAKEN) if what == "aria-label"}
    assert page.evaluate(_OVER) == []
    # The labels are on the buttons in the two slots; the buttons of the bar may follow.
    relabelled = [part for part in told if part.startswith("slot:")]
    assert 1 <= len(relabelled) <= 2, relabelled
