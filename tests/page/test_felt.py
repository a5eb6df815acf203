"""The whole table is seen: all that can lie, every count, every word, at the sizes people have."""

from __future__ import annotations

import copy
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator

from conftest import Size
from page.conftest import Visit
from page.scenes import Scene, mid_deal
from page.visitors import Visitor
from server.live import Json, LiveServer

pytestmark = pytest.mark.fonts

SIZES = (
    (640, 320), (390, 844), (360, 640), (1440, 900), (844, 390), (768, 1024), (1920, 1080)
)  # fmt: skip
"""The first four in the short form."""
SMALLEST_MELD = 18
TILES = 105
"""All but the indicator: more than that cannot lie."""

_MEASURE = """() => {
    const faults = [];
    const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    const all = (query) => [...document.querySelectorAll(query)].filter(seen);
    const felt = document.querySelector("[data-target=felt]").getBoundingClientRect();
    const inside = (box, frame) => box.left >= frame.left - 0.6 && box.top >= frame.top - 0.6 &&
        box.right <= frame.right + 0.6 && box.bottom <= frame.bottom + 0.6;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const name = (element) => `${element.className} ${element.textContent.trim()}`;
    const faces = all("[data-target^='group:'] .face").map((face) => [
        face.closest("[data-target]"), face.getBoundingClientRect()]);
    for (const [group, box] of faces) {
        const at = document.elementFromPoint(
            box.left + box.width / 2, box.top + box.height * 0.6);
        if (!inside(box, felt) || !inside(box, screen)) faults.push(`${name(group)} is outside`);
        else if (!group.contains(at)) faults.push(`${group.dataset.target} is covered`);
    }
    for (const group of all("[data-target^='group:']")) {
        const tops = [...group.querySelectorAll(".face")].map((face) => Math.round(
            face.getBoundingClientRect().top));
        for (const top of new Set(tops)) {
            const count = tops.filter((one) => one === top).length;
            if (tops.length > 2 && count < 3) faults.push(`${group.dataset.target} is broken`);
        }
    }
    const counts = all(".plate:not(.own) .count").filter((one) =>
        inside(one.getBoundingClientRect(), screen) && /\\d/.test(one.textContent));
    for (const lit of all(".target, .lit")) {
        const box = lit.getBoundingClientRect();
        if (!inside(box, screen)) faults.push(`lit outside the view: ${name(lit)}`);
        if (lit.matches(".target") && !inside(box, felt)) faults.push(`lit: ${name(lit)}`);
    }
    const words = all("main *").filter((one) => !one.closest(".unseen, svg")).flatMap((one) =>
        [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()));
    for (const text of words) {
        const area = document.createRange();
        area.selectNodeContents(text);
        const box = area.getBoundingClientRect();
        const one = text.parentElement;
        // What scrolls by itself is read by scrolling.
        if (one.closest(".column .scroll, .column .said")) continue;
        if (!inside(box, screen)) faults.push(`words outside the view: ${name(one)}`);
        for (let up = one; up; up = up.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(up);
            if (overflowX === "visible" && overflowY === "visible") continue;
            const frame = up.getBoundingClientRect();
            const wide = { ...screen, left: frame.left - 1, right: frame.right + 1,
                top: frame.top - 4, bottom: frame.bottom + 4 };
            if (!inside(box, wide)) faults.push(`words are cut: ${name(one)}`);
        }
        if (one.matches("button") && one.scrollWidth > one.clientWidth + 1)
            faults.push(`words are cut: ${name(one)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) faults.push("it scrolls");
    return { faults, tiles: faces.length, counts: counts.length,
        smallest: Math.min(...faces.map(([, box]) => box.width)) };
}"""


def _everything() -> list[Json]:
    """26 melds and 4 pairs."""
    colours = "RYBK"
    sets = [
        {"form": "set", "tiles": " ".join(f"{c}{n % 13 + 1}" for c in colours[: 4 - n // 6])}
        for n in range(12)
    ]
    runs = [
        {"form": "run", "tiles": " ".join(f"{colours[n % 4]}{m}" for m in range(start, end + 1))}
        for n in range(7)
        for start, end in (((1, 5), (9, 11)) if n < 6 else ((1, 4), (6, 8)))
    ]
    pairs = [{"form": "pair", "tiles": f"K{n} K{n}"} for n in range(3, 7)]
    groups = [*sets, *runs, *pairs]
    assert len(sets + runs) == 26
    assert sum(len(group["tiles"].split()) for group in groups) == TILES
    return [group | {"owner": n % 4} for n, group in enumerate(groups)]


def _so_many(groups: Locator, count: int) -> bool:
    return groups.count() == count


def _laid(server: LiveServer, groups: list[Json], hand: list[str]) -> Json:
    """One's turn with these groups, each of which takes the first tile of the hand."""
    view = copy.deepcopy(mid_deal(server).view)
    view["deal"]["groups"] = groups
    me = view["you"]["seat"]
    view["deal"]["opened"] = ["melds", "pairs", "melds", "melds"]
    view["deal"]["turn"] = me
    view["deal"]["sizes"][me] = len(hand)
    view["you"]["hand"] = " ".join(hand)
    view["you"]["options"] |= {
        "draw": False, "take": False,
        "lays": [f"lay {hand[0]} > {n}" for n in range(1, len(groups) + 1)],
        "discards": [{"tile": tile, "points": 0} for tile in hand],
    }  # fmt: skip
    return view


def _faults(visitor: Visitor, what: str, tiles: int, size: Size) -> list[str]:
    faults = []
    for width, height in SIZES[: size(4, long=len(SIZES))]:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.pump(0.15)
        found: dict[str, Any] = visitor.page.evaluate(_MEASURE)
        told = list(found["faults"])
        if found["tiles"] != tiles or found["smallest"] < SMALLEST_MELD:
            told.append(f"{found['tiles']} tiles, the smallest {found['smallest']}")
        if found["counts"] != 3:
            told.append(f"{found['counts']} counts")
        faults += [f"{width}x{height} {what}: {fault}" for fault in told]
    return faults


@pytest.mark.parametrize("language", ["tr", "en"])
def test_all_that_can_lie_is_seen_and_no_word_is_cut(
    visit: Visit, server: LiveServer, language: str, size: Size
) -> None:
    visitor = visit("Şahmeran Gülbahçelii", language=language)
    groups = _everything()
    tiles = sum(len(group["tiles"].split()) for group in groups)
    faults = []
    Scene(_laid(server, groups, ["R6"])).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    visitor.slot(0).click()
    faults += _faults(visitor, f"{language}, all", tiles, size)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_middle_of_a_deal_is_seen_with_a_full_rack(
    visit: Visit, server: LiveServer, language: str, size: Size
) -> None:
    visitor = visit("Şahmeran Gülbahçelii", language=language, touch=True)
    groups = _everything()[::3]
    tiles = sum(len(group["tiles"].split()) for group in groups)
    hand = [f"{colour}{number}" for number in (6, 8, 9, 12, 13) for colour in "RYBK"][:14]
    Scene(_laid(server, groups, hand)).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    visitor.slot(0).tap()
    faults = _faults(visitor, f"{language}, middle", tiles, size)
    assert not faults, "\n".join(faults)


def test_a_group_that_grows_moves_no_other(visit: Visit, server: LiveServer) -> None:
    groups = [
        {"owner": 0, "form": "run", "tiles": "R4 R5 R6"},
        {"owner": 1, "form": "set", "tiles": "R9 Y9 B9"},
        {"owner": 1, "form": "run", "tiles": "K1 K2 K3"},
        {"owner": 2, "form": "pair", "tiles": "B2 B2"},
    ]
    visitor = visit("Ali", size=(844, 390))
    view = _laid(server, groups, ["R7", "K9"])
    stage = Scene(view).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    places = "() => [...document.querySelectorAll('.group')].map((g) => g.style.cssText)"
    before = visitor.page.evaluate(places)
    grown = copy.deepcopy(view)
    for number, tiles in ((0, "R3 R4 R5 R6 R7 R8"), (1, "R9 Y9 B9 K9")):
        grown["deal"]["groups"][number]["tiles"] = tiles
    stage.tell(**grown)
    faces = visitor.page.locator(".group .face")
    visitor.until(lambda: faces.count() == 15, "the group to grow")
    after = visitor.page.evaluate(places)
    assert after[2:] == before[2:], (before, after)
    assert after[1].split("width")[0] == before[1].split("width")[0]


@pytest.mark.parametrize(
    "size",
    [(390, 844), *(pytest.param(s, marks=pytest.mark.long) for s in ((844, 390), (1440, 900)))],
)
def test_after_a_reload_the_melds_lie_where_they_lay(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    laid = [
        {"owner": owner, "form": form, "tiles": tiles}
        for owner, form, tiles in (
            (0, "run", "K9 K10 K11"), (1, "run", "B4 B5 B6 B7"), (2, "set", "R12 Y12 B12"),
            (3, "pair", "Y5 Y5"), (1, "set", "R2 Y2 B2"), (2, "run", "R6 R7 R8"),
        )
    ]  # fmt: skip
    visitor = visit("Ali", size=size)
    view = _laid(server, laid[:1], ["K12", "K9"])
    stage = Scene(view).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    groups = visitor.page.locator(".group")
    for count in range(2, len(laid) + 1):
        stage.view = copy.deepcopy(view)
        stage.view["deal"]["groups"] = laid[:count]
        stage.tell(**stage.view)
        visitor.until(partial(_so_many, groups, count), "the group")
        visitor.pump(0.1)
    places = "() => [...document.querySelectorAll('.group')].map((g) => g.style.cssText)"
    before = visitor.page.evaluate(places)
    visitor.page.reload()
    visitor.until(lambda: groups.count() == len(laid), "the melds")
    visitor.until(lambda: visitor.page.evaluate(places) == before, "their places")


@pytest.mark.parametrize("size", [(844, 390), pytest.param((390, 844), marks=pytest.mark.long)])
def test_Seri_diz_breaks_nothing_at_a_lines_end(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    """What the solver found stands whole in a line; a longer run stands as two."""
    view = _laid(server, [], ["R1"])
    run = [f"B{n}" for n in range(1, 12)]
    melds = [run, ["R5", "R6", "R7", "R8", "R9"], ["K3", "Y3", "R3"]]
    rest = ["Y13", "K12"]
    hand = [tile for meld in melds for tile in meld] + rest
    view["you"]["hand"] = " ".join(reversed(hand))
    visitor = visit("Ali", size=size)
    stage = Scene(view).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    visitor.model.take(view)
    visitor.button("page-sort-melds").click()
    asked: Json = {}

    def found() -> bool:
        asked.update(next((m for m in stage.heard if m.get("what") == "arrange"), {}))
        return bool(asked)

    visitor.until(found, "the question")
    stage.tell(
        type="answer", rid=asked["rid"], what="arrange",
        groups=[" ".join(meld) for meld in melds], left=" ".join(rest),
    )  # fmt: skip
    tops: dict[str, float] = {}

    def sorted_out() -> bool:
        slots = visitor.slots()
        tops.clear()
        for index, tile in enumerate(slots):
            if tile is not None:
                box = visitor.slot(index).bounding_box()
                assert box is not None
                tops[tile] = box["y"]
        return slots.index("R6") == slots.index("R5") + 1

    visitor.until(sorted_out, "the rack to be sorted")
    for meld in melds:
        lines = [[tile for tile in meld if tops[tile] == top] for top in {tops[t] for t in meld}]
        assert all(len(line) >= 3 for line in lines), lines
        assert len(lines) == (2 if len(meld) > 8 and size[0] < 700 else 1), lines
