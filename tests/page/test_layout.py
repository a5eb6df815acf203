"""Where things are on the screen: nothing overlaps, nothing is cut off, at many sizes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from conftest import Size
from page.conftest import Visit
from page.scenes import Scene, mid_deal
from page.visitors import Visitor
from server.live import LiveServer

pytestmark = pytest.mark.fonts

SIZES = (
    (640, 320), (360, 640), (844, 390), (1280, 800), (390, 844), (768, 1024), (640, 360),
    (800, 360), (892, 412), (1067, 480), (1440, 900), (1920, 1080),
)  # fmt: skip
"""The first six in the short form."""
SMALLEST_TILE = 24
_SETTLED_S = 3.0
"""How long a busy machine may take to lay the page out anew."""

_MEASURE = """() => {
    const box = (element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return [left, top, right, bottom].map((n) => Math.round(n * 10) / 10);
    };
    const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    const all = (query) => [...document.querySelectorAll(query)].filter(seen);
    const parts = {};
    const put = (name, query) => all(query).forEach((found, i) => (parts[name + i] = box(found)));
    put("plate", ".plate");
    put("corner", ".pile");
    put("stock", "[data-source=stock]");
    put("felt", "[data-target=felt]");
    put("action", "[role=toolbar] button");
    put("rack", "[role=grid]");
    put("tool", ".corner button");
    put("column", "aside.column");
    const felt = document.querySelector("[data-target=felt]").getBoundingClientRect();
    const [group] = all("[data-target^='group:']").map((one) => one.getBoundingClientRect())
        .sort((one, other) => one.bottom - other.bottom);
    const at = group && document.elementFromPoint(
        group.left + group.width / 2, group.top + group.height / 2);
    return {
        parts,
        slots: all("[role=gridcell] .face").length,
        hand: document.querySelectorAll("[role=gridcell] .face").length,
        tiles: all("[role=gridcell]").map((cell) => cell.getBoundingClientRect().width),
        wide: document.documentElement.scrollWidth - innerWidth,
        high: document.documentElement.scrollHeight - innerHeight,
        height: innerHeight,
        width: innerWidth,
        felt: felt.height,
        meldSeen: Boolean(at?.closest("[data-target^='group:']")),
        meldRow: group ? [group.top - felt.top, group.bottom - felt.bottom] : null,
        banners: all(".banner").length,
        cut: all("[role=toolbar] button, .corner button, .plate button").filter(
            (button) => button.scrollWidth > button.clientWidth + 1).map((b) => b.textContent),
    };
}"""


def _overlaps(parts: dict[str, list[float]]) -> list[str]:
    """Pairs of parts that share more than a pixel."""
    found = []
    names = sorted(parts)
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            a, b = parts[one], parts[other]
            across = min(a[2], b[2]) - max(a[0], b[0])
            down = min(a[3], b[3]) - max(a[1], b[1])
            if across > 1 and down > 1:
                found.append(f"{one} {a} and {other} {b}")
    return found


def _faults(found: dict[str, Any]) -> list[str]:
    parts = found["parts"]
    faults = [f"overlap: {pair}" for pair in _overlaps(parts)]
    rack = parts.get("rack0", (0, 0, 0, 0))  # an onlooker has none
    if rack[3] - rack[1] > found["height"] / 2:
        faults.append(f"the rack is {rack[3] - rack[1]} of {found['height']} high")
    if rack[3] and (min(found["tiles"]) < SMALLEST_TILE or len(found["tiles"]) % 8):
        faults.append(f"{len(found['tiles'])} slots, the smallest {min(found['tiles'])} wide")
    if found["slots"] != found["hand"]:
        faults.append(f"{found['slots']} of {found['hand']} tiles of the hand are seen")
    if found["wide"] > 0 or found["high"] > 0:
        faults.append(f"the page scrolls: {found['wide']} across, {found['high']} down")
    if not found["meldSeen"] or found["meldRow"] is None or found["meldRow"][1] > 1:
        faults.append(f"no whole meld row is seen: {found['meldRow']}, felt {found['felt']}")
    if found["cut"]:
        faults.append(f"words are cut off: {found['cut']}")
    for name, (left, top, right, bottom) in parts.items():
        if left < -1 or top < -1 or right > found["width"] + 1 or bottom > found["height"] + 1:
            faults.append(f"{name} is partly outside: {left, top, right, bottom}")
    return faults


def _check(visitor: Visitor, what: str, size: Size) -> list[str]:
    faults = []
    for width, height in SIZES[: size(6, long=len(SIZES))]:
        visitor.page.set_viewport_size({"width": width, "height": height})
        deadline = time.monotonic() + _SETTLED_S
        while True:
            visitor.pump(0.08)
            found = visitor.page.evaluate(_MEASURE)
            wrong = _faults(found)
            if not wrong or time.monotonic() > deadline:
                break
        if "banners" in what and found["banners"] < 2:
            faults.append(f"only {found['banners']} banners")
        faults += [f"{width}x{height} {what}: {fault}" for fault in wrong]
    return faults


@pytest.mark.parametrize("language", ["tr", "en"])
def test_layout_at_many_sizes_with_long_names_and_two_error_banners(
    visit: Visit, server: LiveServer, language: str, size: Size
) -> None:
    visitor = visit("Şahmeran Gülbahçelii", language=language)
    stage = mid_deal(server).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    faults = _check(visitor, f"{language} plain", size)
    stage.tell(type="frozen", code="table-frozen")
    stage.leave()
    visitor.until(lambda: visitor.page.locator(".banner").count() >= 2, "two banners")
    faults += _check(visitor, f"{language} banners", size)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("players", "teams"),
    [pytest.param(2, False, marks=pytest.mark.long), (3, False), (4, True)],
)
def test_layout_of_other_tables(
    visit: Visit, server: LiveServer, players: int, teams: bool, size: Size
) -> None:
    visitor = visit("Ali")
    mid_deal(server, players, teams=teams).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    faults = _check(visitor, f"{players} players", size)
    assert not faults, "\n".join(faults)
    if players == 3:
        _large_tiles_are_larger(visitor, size)


_DIGITS = """() => parseFloat(getComputedStyle(
    document.querySelector("[role=grid] .number")).fontSize)"""
_LARGE = """() => localStorage.setItem("okey101.settings", '{"tileSize": "large"}')"""


def _large_tiles_are_larger(visitor: Visitor, size: Size) -> None:
    """On a phone held upright too, where eight tiles fill the width as they are."""
    phones = ((390, 844), (360, 640))

    def digits() -> list[float]:
        found = []
        for width, height in phones:
            visitor.page.set_viewport_size({"width": width, "height": height})
            visitor.pump(0.1)
            found.append(float(visitor.page.evaluate(_DIGITS)))
        return found

    before = digits()
    visitor.page.evaluate(_LARGE)
    visitor.page.reload()
    visitor.page.get_by_role("grid").wait_for()
    assert all(now > 1.18 * was for was, now in zip(before, digits(), strict=True)), before
    faults = _check(visitor, "large tiles", size)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("onlooker", [True, pytest.param(False, marks=pytest.mark.long)])
@pytest.mark.long
def test_layout_where_bots_may_be_replaced(
    visit: Visit, server: LiveServer, language: str, onlooker: bool, size: Size
) -> None:
    """Whoever plays may invite somebody; whoever looks on may take a bot's seat."""
    visitor = visit("Ali", language=language, touch=True)
    view = mid_deal(server).view
    bots = [seat | {"name": None, "bot": "greedy"} for seat in view["table"]["seats"]]
    me = view["you"]["seat"]
    seats = bots if onlooker else [*bots[:me], view["table"]["seats"][me], *bots[me + 1 :]]
    table = view["table"] | {"seats": seats}
    laid = view | {"table": table, "you": None if onlooker else _with_many_buttons(view["you"])}
    opened = view["deal"] | {"opened": ["melds"] * 4}
    Scene(laid if onlooker else laid | {"deal": opened}).show(visitor)
    visitor.page.locator(".plate").first.wait_for()
    assert visitor.page.locator(".plate button").count() == (4 if onlooker else 0)
    assert visitor.button("page-invite-friend").count() == (0 if onlooker else 1)
    faults = _check(visitor, f"{language} bots", size)
    assert not faults, "\n".join(faults)


def _with_many_buttons(you: dict[str, Any]) -> dict[str, Any]:
    """After several lay-offs, one taken back: as many buttons, and as long, as there ever are."""
    lays = [f"lay R{number} > 1" for number in range(1, 13)]
    backs = [{"action": "back 1", "points": 101}]
    return you | {"options": you["options"] | {"opening": None, "lays": lays, "backs": backs}}


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_next_in_turn_sits_on_the_right_and_I_take_from_the_left(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    visitor = visit("Ali", size=size)
    view = mid_deal(server).view
    mid_deal(server).show(visitor)
    me = view["you"]["seat"]
    names = [seat["name"] for seat in view["table"]["seats"]]

    def plate(seat: int) -> dict[str, float]:
        box = visitor.page.locator(".plate").filter(has_text=names[seat % 4]).bounding_box()
        assert box is not None
        return {"x": box["x"], "y": box["y"], "width": box["width"]}

    right, opposite, left = plate(me + 1), plate(me + 2), plate(me + 3)
    middle = size[0] / 2
    assert right["x"] + right["width"] / 2 > middle > left["x"] + left["width"] / 2
    assert opposite["y"] < min(right["y"], left["y"])
    take = visitor.place("left").bounding_box()
    throw = visitor.place("discard").bounding_box()
    assert take is not None
    assert throw is not None
    assert take["x"] < middle < throw["x"]
    # Each pile lies in the corner between who throws and who may take.
    assert abs(take["x"] + take["width"] / 2 - (left["x"] + left["width"] / 2)) < middle / 2
    assert abs(throw["x"] + throw["width"] / 2 - (right["x"] + right["width"] / 2)) < middle / 2
    tops = [view["deal"]["discards"][(me + n) % 4].split()[-1:] for n in range(4)]
    seen = {name: visitor.place(name).get_attribute("aria-label") for name in ("left", "discard")}
    for name, top in (("left", tops[3]), ("discard", tops[0])):
        if top:
            visitor.model.take(view)
            assert visitor.words(top[0]) in str(seen[name])
