"""Where things are on the screen: nothing overlaps or is cut off, at many sizes."""

import copy
import itertools
import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Error, Locator, Route, expect

from conftest import Size, only_long, unwrap
from page.conftest import Visit
from page.scenes import Scene, dealing, mid_deal, over
from page.visitors import Visitor
from server.live import Json, LiveServer

pytestmark = pytest.mark.fonts

SIZES = (
    (640, 320), (360, 640), (390, 844), (1440, 900), (844, 390), (768, 1024), (640, 360),
    (800, 360), (892, 412), (1067, 480), (1280, 800), (1920, 1080),
)  # fmt: skip
"""The first few in the short form."""
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
    put("clock", ".clock");
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
    for (one, a), (other, b) in itertools.combinations(sorted(parts.items()), 2):
        across, down = (min(a[n + 2], b[n + 2]) - max(a[n], b[n]) for n in (0, 1))
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


def _settled(
    visitor: Visitor, what: str, sizes: Sequence[tuple[int, int]], look: Callable[[], list[str]]
) -> list[str]:
    """What is wrong at each size, once the page has laid itself out anew."""
    faults = []
    for width, height in sizes:
        visitor.resize(width, height, 0.08)
        deadline = time.monotonic() + _SETTLED_S
        while (wrong := look()) and time.monotonic() < deadline:
            visitor.pump(0.1)
        faults += [f"{width}x{height} {what}: {fault}" for fault in wrong]
    return faults


def _check(visitor: Visitor, what: str, size: Size) -> None:
    def look() -> list[str]:
        found = visitor.page.evaluate(_MEASURE)
        lacking = "banners" in what and found["banners"] < 2
        return _faults(found) + [f"only {found['banners']} banners"] * lacking

    faults = _settled(visitor, what, SIZES[: size(6, long=len(SIZES))], look)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["tr", "en"])
def test_layout_at_many_sizes_with_long_names_and_two_error_banners(
    visit: Visit, language: str, size: Size
) -> None:
    visitor = visit("Şahmeran Gülbahçelii", language=language)
    stage = mid_deal(visitor.server).show(visitor)
    _check(visitor, f"{language} plain", size)
    stage.tell(type="frozen", code="table-frozen")
    stage.leave()
    visitor.until(lambda: visitor.page.locator(".banner").count() >= 2, "two banners")
    _check(visitor, f"{language} banners", size)


@pytest.mark.parametrize(("players", "teams"), [(3, False), *only_long([2, False], [4, True])])
def test_layout_of_other_tables(visit: Visit, players: int, teams: bool, size: Size) -> None:
    visitor = visit("Ali")
    mid_deal(visitor.server, players, teams=teams).show(visitor)
    _check(visitor, f"{players} players", size)
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
            visitor.resize(width, height)
            found.append(float(visitor.page.evaluate(_DIGITS)))
        return found

    before = digits()
    visitor.page.evaluate(_LARGE)
    visitor.page.reload()
    visitor.page.get_by_role("grid").wait_for()
    assert all(now > 1.18 * was for was, now in zip(before, digits(), strict=True)), before
    _check(visitor, "large tiles", size)


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("onlooker", [True, *only_long(False)])
@pytest.mark.long
def test_layout_where_bots_may_be_replaced(
    visit: Visit, language: str, onlooker: bool, size: Size
) -> None:
    """Whoever plays may invite somebody; whoever looks on may take a bot's seat."""
    visitor = visit("Ali", language=language, touch=True)
    view = mid_deal(visitor.server).view
    bots = [seat | {"name": None, "bot": "greedy"} for seat in view["table"]["seats"]]
    me = view["you"]["seat"]
    seats = bots if onlooker else [*bots[:me], view["table"]["seats"][me], *bots[me + 1 :]]
    table = view["table"] | {"seats": seats}
    laid = view | {"table": table, "you": None if onlooker else _with_many_buttons(view["you"])}
    opened = view["deal"] | {"opened": ["melds"] * 4}
    Scene(laid if onlooker else laid | {"deal": opened}).show(visitor)
    visitor.page.locator(".plate").first.wait_for()
    assert visitor.page.locator(".plate .sit").count() == (4 if onlooker else 0)
    assert visitor.button("page-invite-friend").count() == (0 if onlooker else 1)
    _check(visitor, f"{language} bots", size)


def _with_many_buttons(you: dict[str, Any]) -> dict[str, Any]:
    """After several lay-offs, one taken back: as many buttons, and as long, as there ever are."""
    lays = [f"lay R{number} > 1" for number in range(1, 13)]
    backs = [{"action": "back 1", "points": 101}]
    return you | {"options": you["options"] | {"opening": None, "lays": lays, "backs": backs}}


class Middle(NamedTuple):
    """Where something is seen, by the middle of its upper edge."""

    x: float
    y: float


def test_next_in_turn_sits_on_the_right_and_I_take_from_the_left(visit: Visit) -> None:
    visitor = visit("Ali")
    view = mid_deal(visitor.server).view
    me = view["you"]["seat"]
    names = [seat["name"] for seat in view["table"]["seats"]]
    plates = visitor.page.locator(".plate")

    def box(one: Locator) -> Middle:
        found = unwrap(one.bounding_box())
        return Middle(found["x"] + found["width"] / 2, found["y"])

    for width, height in ((1280, 800), (390, 844)):
        visitor.resize(width, height)
        mid_deal(visitor.server).show(visitor)
        right, opposite, left = (
            box(plates.filter(has_text=names[(me + n) % 4])) for n in (1, 2, 3)
        )
        middle = width / 2
        assert right.x > middle > left.x
        assert opposite.y < min(right.y, left.y)
        take, throw = (box(visitor.place(name)) for name in ("left", "discard"))
        assert take.x < middle < throw.x
        # Each pile lies in the corner between who throws and who may take.
        assert abs(take.x - left.x) < middle / 2
        assert abs(throw.x - right.x) < middle / 2
    tops = [view["deal"]["discards"][(me + n) % 4].split()[-1:] for n in range(4)]
    seen = {name: visitor.place(name).get_attribute("aria-label") for name in ("left", "discard")}
    for name, top in (("left", tops[3]), ("discard", tops[0])):
        if top:
            visitor.model.take(view)
            assert visitor.words(top[0]) in str(seen[name])


# The whole table is seen -------------------------------------------------------------------------


SMALLEST_MELD = 18
TILES = 105
"""All but the indicator: more than that cannot lie."""

_MEASURE_FELT = """() => {
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
        // The places of the tiles, which lie a little askew on them.
        const tops = [...group.querySelectorAll(".tile")].map((tile) => tile.offsetTop);
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
        const size = parseFloat(getComputedStyle(one).fontSize);
        if (size < 13 && !one.closest(".face")) faults.push(`${size} px: ${name(one)}`);
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


_PLACES = "() => [...document.querySelectorAll('.group')].map((g) => g.style.cssText)"


def _everything() -> list[Json]:
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


_COACH = """() => [...document.querySelectorAll(".coach, .coach :is(button, .now, p, span)")]
    .filter((one) => one.checkVisibility() && !one.closest(".face, .tiles")).flatMap((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        const size = parseFloat(getComputedStyle(one).fontSize);
        const name = `${one.className} ${one.textContent.trim()}`;
        const table = document.querySelector(".stage").getBoundingClientRect();
        return [
            ...(left < 0 || top < 0 || right > innerWidth || bottom > table.top + 0.6
                ? [`outside its card: ${name}`] : []),
            ...(one.scrollWidth > one.clientWidth + 1 && one.clientWidth ? [`cut: ${name}`] : []),
            ...(size < 13 ? [`${size} px: ${name}`] : []),
        ];
    })"""
_PLATES = """() => [...document.querySelectorAll(".plate")].filter((plate) => {
    const { left, top, right, bottom } = plate.getBoundingClientRect();
    return plate.checkVisibility() && left >= 0 && top >= 0 && right <= innerWidth &&
        bottom <= innerHeight;
}).length"""
LESSON_SIZES = ((360, 640), (844, 390), *SIZES)
"""The first two in the short form, and all but the lowest in the long one."""


def _beside_the_coach(visitor: Visitor) -> list[str]:
    told: list[str] = visitor.page.evaluate(_MEASURE_FELT)["faults"]
    told += visitor.page.evaluate(_COACH)
    plates = visitor.page.evaluate(_PLATES)
    return told if plates == 4 else [*told, f"{plates} plates"]


@pytest.mark.parametrize("language", ["tr", "en"])
def test_the_lesson_is_whole(visit: Visit, language: str, size: Size) -> None:
    """Every step at every size: its words, the felt with its melds, four plates; no word is cut."""
    visitor = visit("WWWWWWWWWWWWWWWWWWWW", language=language)
    visitor.go("/learn")
    on, look = visitor.page.locator(".coach .on"), partial(_beside_the_coach, visitor)
    sizes = [one for one in LESSON_SIZES[: size(2, long=len(LESSON_SIZES))] if one[1] >= 360]
    faults: list[str] = []
    on.wait_for()
    step = 0

    while on.count():
        faults += _settled(visitor, f"step {step}", sizes, look)
        on.click()
        step += 1
    assert not faults, "\n".join(faults)
    for width, height in sizes:  # the sheet leaves the words their room
        visitor.resize(width, height, 0.15)
        box = unwrap(visitor.page.locator(".sheet").bounding_box())
        card = unwrap(visitor.page.locator(".coach").bounding_box())
        assert card["y"] + card["height"] <= box["y"]
        assert box["y"] + box["height"] <= height


_ADVICE = """() => {
    const { clientHeight, scrollHeight } = document.querySelector(".coach p");
    return [scrollHeight > clientHeight + 1, document.querySelector(".stage").offsetTop];
}"""
"""Whether words are left out, and where the table begins."""


@pytest.mark.parametrize("language", ["tr", "en"])
def test_beside_the_adviser_nothing_is_hidden_and_nothing_moves(
    visit: Visit, language: str, size: Size
) -> None:
    """However long the advice, and with a full rack; all of it is read over the table."""
    visitor = visit("Şahmeran Gülbahçelii", language=language, touch=True)
    hand = [f"{colour}{number}" for number in (2, 6, 8, 9, 12, 13) for colour in "RYBK"][:22]
    view = _laid(visitor.server, _everything()[::3], hand)
    # The longest okey and two digits of tiles leave the plates beside it the fewest columns.
    view["deal"] |= {"indicator": "Y11", "okey": "Y12", "sizes": [22, 21, 21, 21]}
    advised = f"localStorage.setItem('okey101.adviser', '{view['table']['id']}')"
    visitor.page.add_init_script(advised)
    stage = Scene(view).show(visitor)
    more, look = visitor.button("adviser-more"), partial(_beside_the_coach, visitor)
    words = visitor.page.locator(".coach p")

    faults = []
    for width, height in LESSON_SIZES[: size(2, long=len(LESSON_SIZES))]:
        if height < 360:
            continue
        expect(words).to_contain_text(visitor.say("hint-safe"))
        faults += _settled(visitor, "advised", [(width, height)], look)
        _, top = visitor.page.evaluate(_ADVICE)
        more.click()
        expect(more).to_have_attribute("aria-expanded", "true")
        assert visitor.page.evaluate(_ADVICE) == [False, top]
        stage.tell(**view | {"deal": view["deal"] | {"turn": (view["you"]["seat"] + 1) % 4}})
        expect(words).to_have_text(visitor.say("adviser-wait"))
        assert visitor.page.evaluate(_ADVICE) == [False, top]
        stage.tell(**view)
    assert not faults, "\n".join(faults)


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


def _check_felt(visitor: Visitor, what: str, tiles: int, size: Size) -> None:
    def look() -> list[str]:
        found: dict[str, Any] = visitor.page.evaluate(_MEASURE_FELT)
        told = list(found["faults"])
        if found["tiles"] != tiles or found["smallest"] < SMALLEST_MELD:
            told.append(f"{found['tiles']} tiles, the smallest {found['smallest']}")
        return told if found["counts"] == 3 else [*told, f"{found['counts']} counts"]

    faults = _settled(visitor, what, SIZES[: size(4, long=len(SIZES))], look)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize("full", [False, True], ids=["the felt", "the rack"])
def test_all_that_can_lie_is_seen_and_no_word_is_cut(
    visit: Visit, language: str, full: bool, size: Size
) -> None:
    """A full felt by mouse, and the middle of a deal with a full rack by finger."""
    visitor = visit("Şahmeran Gülbahçelii", language=language, touch=full)
    groups = _everything()[:: 3 if full else 1]
    tiles = sum(len(group["tiles"].split()) for group in groups)
    hand = [f"{colour}{number}" for number in (6, 8, 9, 12, 13) for colour in "RYBK"]
    Scene(_laid(visitor.server, groups, hand[: 14 if full else 1])).show(visitor)
    visitor.slot(0).tap() if full else visitor.slot(0).click()
    _check_felt(visitor, f"{language}, {'middle' if full else 'all'}", tiles, size)


def test_a_group_that_grows_moves_no_other(visit: Visit) -> None:
    groups = [
        {"owner": 0, "form": "run", "tiles": "R4 R5 R6"},
        {"owner": 1, "form": "set", "tiles": "R9 Y9 B9"},
        {"owner": 1, "form": "run", "tiles": "K1 K2 K3"},
        {"owner": 2, "form": "pair", "tiles": "B2 B2"},
    ]
    visitor = visit("Ali", size=(844, 390))
    view = _laid(visitor.server, groups, ["R7", "K9"])
    stage = Scene(view).show(visitor)
    before = visitor.page.evaluate(_PLACES)
    grown = copy.deepcopy(view)
    for number, tiles in ((0, "R3 R4 R5 R6 R7 R8"), (1, "R9 Y9 B9 K9")):
        grown["deal"]["groups"][number]["tiles"] = tiles
    stage.tell(**grown)
    faces = visitor.page.locator(".group .face")
    visitor.until(lambda: faces.count() == 15, "the group to grow")
    after = visitor.page.evaluate(_PLACES)
    assert after[2:] == before[2:], (before, after)
    assert after[1].split("width")[0] == before[1].split("width")[0]


@pytest.mark.parametrize("size", [(390, 844), *only_long((844, 390), (1440, 900))])
def test_after_a_reload_the_melds_lie_where_they_lay(visit: Visit, size: tuple[int, int]) -> None:
    laid = [
        {"owner": owner, "form": form, "tiles": tiles}
        for owner, form, tiles in (
            (0, "run", "K9 K10 K11"), (1, "run", "B4 B5 B6 B7"), (2, "set", "R12 Y12 B12"),
            (3, "pair", "Y5 Y5"), (1, "set", "R2 Y2 B2"), (2, "run", "R6 R7 R8"),
        )
    ]  # fmt: skip
    visitor = visit("Ali", size=size)
    view = _laid(visitor.server, laid[:1], ["K12", "K9"])
    stage = Scene(view).show(visitor)
    groups = visitor.page.locator(".group")
    for count in range(2, len(laid) + 1):
        stage.view = copy.deepcopy(view)
        stage.view["deal"]["groups"] = laid[:count]
        stage.tell(**stage.view)
        visitor.until(partial(_so_many, groups, count), "the group")
        visitor.pump(0.1)
    before = visitor.page.evaluate(_PLACES)
    visitor.page.reload()
    visitor.until(lambda: groups.count() == len(laid), "the melds")
    visitor.until(lambda: visitor.page.evaluate(_PLACES) == before, "their places")


@pytest.mark.parametrize("size", [(844, 390), *only_long((390, 844))])
def test_Seri_diz_breaks_nothing_at_a_lines_end(visit: Visit, size: tuple[int, int]) -> None:
    """What the solver found stands whole in a line; a longer run stands as two."""
    visitor = visit("Ali", size=size)
    view = _laid(visitor.server, [], ["R1"])
    run = [f"B{n}" for n in range(1, 12)]
    melds = [run, ["R5", "R6", "R7", "R8", "R9"], ["K3", "Y3", "R3"]]
    rest = ["Y13", "K12"]
    hand = [tile for meld in melds for tile in meld] + rest
    view["you"]["hand"] = " ".join(reversed(hand))
    stage = Scene(view).show(visitor)
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
                tops[tile] = unwrap(visitor.slot(index).bounding_box())["y"]
        return slots.index("R6") == slots.index("R5") + 1

    visitor.until(sorted_out, "the rack to be sorted")
    for meld in melds:
        lines = [[tile for tile in meld if tops[tile] == top] for top in {tops[t] for t in meld}]
        assert all(len(line) >= 3 for line in lines), lines
        assert len(lines) == (2 if len(meld) > 8 and size[0] < 700 else 1), lines


# What a phone has little room for ----------------------------------------------------------------


PORTRAIT, LANDSCAPE = (390, 844), (844, 390)
FINGER = 40

_CUT = """() => {
    const felt = document.querySelector("[data-target=felt]").getBoundingClientRect();
    return [...document.querySelectorAll("[data-target^='group:'] .face")].filter((face) => {
        const { left, right, width } = face.getBoundingClientRect();
        return left < felt.left || right > felt.right || width < 17.9;
    }).length;
}"""
_ROWS = """() => {
    const rows = {};
    for (const button of document.querySelectorAll("[role=toolbar] button")) {
        const { left, right, top, height } = button.getBoundingClientRect();
        (rows[Math.round(top)] ??= []).push([left, right, height]);
    }
    return Object.values(rows);
}"""
_HANDS = """() => [...document.querySelectorAll(".hands li")].map((line) => {
    const name = line.firstElementChild.getBoundingClientRect();
    return [...line.querySelectorAll(".face")].every(
        (face) => face.getBoundingClientRect().left >= name.right);
})"""
_SMALLEST_WORDS = """() => Math.min(...[...document.querySelectorAll(".sheet *")]
    .filter((one) => !one.closest(".face") && [...one.childNodes].some((node) =>
        node.nodeType === 3 && node.data.trim()) && one.checkVisibility())
    .map((one) => parseFloat(getComputedStyle(one).fontSize)).filter((size) => size > 0))"""
_LAST_SEEN = """() => {
    const line = document.querySelector(".hands li:last-child");
    line.scrollIntoView({ block: "nearest" });
    const { left, top, bottom } = line.getBoundingClientRect();
    return [top + 2, bottom - 3].every((y) => line.contains(document.elementFromPoint(left, y)) ||
        line === document.elementFromPoint(left + 1, y));
}"""


def _own_turn(server: LiveServer) -> Scene:
    """The start of a turn at a table with runs of all lengths and somebody's pairs."""
    view = copy.deepcopy(mid_deal(server).view)
    runs = [" ".join(f"K{n}" for n in range(1, length + 1)) for length in (7, 13, 3)]
    view["deal"]["groups"] = [{"form": "run", "tiles": tiles} for tiles in runs] + [
        {"form": "pair", "tiles": f"R{n} R{n}"} for n in range(1, 6)
    ]
    view["deal"]["opened"][view["you"]["seat"]] = None
    view["you"]["options"] |= {"draw": True, "take": True, "discards": []}
    return Scene(view)


@pytest.mark.parametrize("tiles", ["large", *only_long("normal")])
def test_pairs_beside_long_runs_are_whole(visit: Visit, tiles: str) -> None:
    visitor = visit("Ali", size=PORTRAIT)
    _own_turn(visitor.server).show(visitor)
    screen = visitor.page.locator("main.screen")
    screen.evaluate("(screen, tiles) => (screen.dataset.tiles = tiles)", tiles)
    for width, height in (PORTRAIT, LANDSCAPE, (360, 740)):
        visitor.resize(width, height)
        visitor.until(lambda: visitor.page.evaluate(_CUT) == 0, f"whole tiles at {width}x{height}")


@pytest.mark.parametrize("language", ["tr", "en"])
def test_actions_keep_to_columns_and_suit_a_finger(visit: Visit, language: str) -> None:
    visitor = visit("Ali", language=language, size=PORTRAIT)
    stage = _own_turn(visitor.server).show(visitor)
    visitor.page.get_by_role("toolbar").locator(".bulb").wait_for()
    rows: list[list[list[float]]] = visitor.page.evaluate(_ROWS)
    assert [len(row) for row in rows] == [4, 3], stage.view["you"]["options"]
    assert len({round(row[-1][1]) for row in rows}) == 1, rows
    columns = {round(left) for left, *_ in rows[0]}
    assert round(rows[1][0][0]) in columns, "what may stand there has a column of its own"
    assert min(height for row in rows for *_, height in row) >= FINGER
    okey = visitor.say("page-okey-is", tile=visitor.words(stage.view["deal"]["okey"]))
    named = visitor.page.get_by_text(okey, exact=True).filter(visible=True)
    expect(named).to_have_count(1)
    visitor.resize(*LANDSCAPE)
    expect(named).to_have_count(1)
    rows = visitor.page.evaluate(_ROWS)
    assert len(rows) == 1
    assert min(height for *_, height in rows[0]) >= FINGER


@pytest.mark.parametrize("ended", [over, *only_long(dealing)])
def test_every_hand_of_the_score_sheet_is_reached(visit: Visit, ended: Any) -> None:
    visitor = visit("Ali", size=PORTRAIT)
    view = copy.deepcopy(ended(visitor.server).view)
    view["deal"]["end"]["hands"] = [" ".join(f"R{n}" for n in range(1, 14))] * 4
    sheet = [{"seat": n, "base": 20, "factors": [], "fines": 0, "total": 20} for n in range(4)]
    view["table"]["scores"]["deals"] = [{"winner": None, "sheet": sheet, "fines": []}] * 4
    view["table"]["scores"]["places"] = [2, 1, 2, 2]
    Scene(view).show(visitor)
    visitor.page.locator(".sheet .ask").wait_for()
    expect(visitor.page.locator(".hands li")).to_have_count(4)
    for width, height in (PORTRAIT, LANDSCAPE, (320, 640)):
        visitor.resize(width, height)
        cells = visitor.page.locator(".sheet tbody tr").first.locator("td").all()
        widths = [round(unwrap(cell.bounding_box())["width"]) for cell in cells]
        assert max(widths) - min(widths) <= 1, "the columns are of one width"
        assert visitor.page.evaluate(_HANDS) == [True] * 4, "a hand keeps to its column"
        assert visitor.page.evaluate(_SMALLEST_WORDS) >= 13
        assert visitor.page.evaluate(_LAST_SEEN), f"the last hand is hidden at {width}x{height}"
        for button in visitor.page.locator(".sheet .buttons > button").all():
            box = unwrap(button.bounding_box())
            assert box["y"] + box["height"] <= height
    visitor.page.locator(".sheet .scroll").evaluate("(one) => one.scrollTo(0, 0)")
    rows = visitor.page.locator(".sheet tbody tr")
    first, totals = (unwrap(one.first.bounding_box()) for one in (rows, rows.page.locator("tfoot")))
    assert first["y"] + first["height"] <= totals["y"] + 1, "a deal is seen whole"


@pytest.mark.parametrize("language", ["tr", "en"])
def test_open_tables_say_whose_seats_are_free(visit: Visit, language: str) -> None:
    bots = ["Can", *["bot:steady"] * 3]
    tables = [
        _line("waiting", ["Ali", None, "bot:steady", "Ece"], free=1),
        _line("playing", bots, free=3),
        _line("playing", bots, free=0),
        _line("over", bots, free=3),
    ]

    def answer(route: Route) -> None:
        route.fulfill(content_type="application/json", body=json.dumps(tables))

    visitor = visit("Ayşe", language=language, size=PORTRAIT)
    visitor.page.route("**/api/tables", answer)
    visitor.go("/")
    lines = visitor.page.locator(".tables small")
    ends = {
        "tr": ["1 el · 1 boş yer", "1 el · maç sürüyor, 3 bot yeri", "1 el · maç sürüyor"],
        "en": ["1 deal · 1 free seat", "1 deal · running, 3 bots' seats", "1 deal · running"],
    }
    expect(lines).to_have_text([f"Altınstar · {end}" for end in ends[language]])


def _line(stage: str, seats: Sequence[str | None], free: int) -> dict[str, Any]:
    options = {"rules": {"preset": "altinstar"}, "deals": 1}
    return {
        "id": f"{stage}{free}", "stage": stage, "seats": [*seats], "free": free, "options": options,
        "counted": 0, "spectators": 0, "faces": [None for _ in seats],
    }  # fmt: skip


_SHORTENED = """() => [...document.querySelectorAll(".plate strong, p.notice")].filter((one) =>
    one.checkVisibility() &&
    (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
).map((one) => one.textContent)"""


def _among_bots(server: LiveServer, *, onlooker: bool = False) -> Json:
    """A moment at a table whose other seats, or all, are bots'."""
    view = copy.deepcopy(mid_deal(server).view)
    for seat in range(4):
        if onlooker or seat != view["you"]["seat"]:
            view["table"]["seats"][seat] = {"name": None, "bot": "steady"}
    return view


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize(
    ("onlooker", "touch", "opened"),
    [
        (False, True, "pairs"),
        (True, True, None),
        *only_long([False, False, "melds"], [False, True, None]),
    ],
)
def test_bots_are_told_apart_and_their_moves_can_be_read(
    visit: Visit, language: str, onlooker: bool, touch: bool, opened: str | None
) -> None:
    """A bot's own name comes last, and so does the tile in what it did.

    What the own plate leaves for the line hangs on how its player opened, and on the score.
    """
    visitor = visit("Ali", size=PORTRAIT, language=language, touch=touch)
    view = _among_bots(visitor.server, onlooker=onlooker)
    view["deal"]["opened"][view["you"]["seat"]] = opened
    view["table"]["scores"]["totals"][view["you"]["seat"]] = 0
    Scene(view | {"you": None if onlooker else view["you"]}).show(visitor)
    visitor.page.locator(".plate").first.wait_for()
    text = {"tr": "Bot Kemal attı: kırmızı 13.", "en": "Bot Kemal discarded red 13."}
    notice = visitor.page.locator("p.notice")
    notice.evaluate("(p, text) => (p.textContent = text)", text[language])
    for width, height in (PORTRAIT, LANDSCAPE, (360, 740), (640, 320), (1440, 900)):
        visitor.resize(width, height)
        assert visitor.page.evaluate(_SHORTENED) == [], f"{width}x{height}"
    if not onlooker:  # two lines leave the words of the turn's steps alone
        notice.evaluate("(p) => (p.textContent = p.textContent.repeat(4))")
        rail, said = (unwrap(one.bounding_box()) for one in (visitor.page.locator(".rail"), notice))
        assert rail["y"] + rail["height"] + 2 <= said["y"]


def test_an_onlooker_sees_all_four_names_and_which_tile_the_okey_is(visit: Visit) -> None:
    visitor = visit("Ali", size=PORTRAIT)
    view = copy.deepcopy(mid_deal(visitor.server).view)
    names = ["Ayşe", "Barış", "Cem", "Deniz"]
    for seat, name in zip(view["table"]["seats"], names, strict=True):
        seat |= {"name": name, "bot": None}
    Scene(view | {"you": None}).show(visitor)
    words = visitor.say("page-okey-is", tile=visitor.words(view["deal"]["okey"]))
    okey = visitor.page.locator(".table span.okey:not(.face):visible")
    for width, height in (PORTRAIT, LANDSCAPE, (360, 740), (640, 320), (640, 360)):
        visitor.resize(width, height)
        for name in names:
            expect(visitor.page.locator(".plate strong", has_text=name)).to_be_visible()
        expect(okey).to_have_text(words)
        box = unwrap(okey.bounding_box())
        assert box["y"] + box["height"] <= height
        assert visitor.page.evaluate(_SHORTENED) == []


_WRAPPED = """() => [...document.querySelectorAll(".plate")].filter((plate) => {
    const tops = [".count", ".badge"].map((part) => plate.querySelector(part))
        .map((part) => part.getBoundingClientRect()).map(({top, height}) => top + height / 2);
    const score = plate.querySelector(".score").getBoundingClientRect();
    const below = score.top > Math.max(...tops) + 2;
    const box = plate.getBoundingClientRect();
    return below || score.bottom > box.bottom || score.right > box.right + 1;
}).map((plate) => plate.ariaLabel)"""


@pytest.mark.parametrize("language", ["tr", "en"])
def test_three_digits_make_no_line_of_their_own(visit: Visit, language: str) -> None:
    visitor = visit("Ali", size=PORTRAIT, language=language, touch=True)
    view = _among_bots(visitor.server)
    view["table"]["scores"]["totals"] = [202, 404, -101, 1010]
    view["deal"]["opened"] = [None] * 4
    Scene(view).show(visitor)
    visitor.page.locator(".plate").first.wait_for()
    for size in (PORTRAIT, (640, 320), LANDSCAPE, (768, 1024)):
        visitor.resize(*size)
        visitor.until(lambda: visitor.page.evaluate(_WRAPPED) == [], f"no line at {size}")


# The fonts of the page ---------------------------------------------------------------------------


def shown(visitor: Visitor) -> set[str]:
    """The families that Chromium draws the words of the screen with."""
    window = visitor.context.new_cdp_session(visitor.page)
    window.send("DOM.enable")
    window.send("CSS.enable")
    root = window.send("DOM.getDocument")["root"]["nodeId"]
    found = window.send("DOM.querySelectorAll", {"nodeId": root, "selector": "body, body *"})
    families: set[str] = set()
    for node in found["nodeIds"]:
        try:
            used = window.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        except Error as error:
            if "find node" not in str(error):  # the page took it away meanwhile
                raise
        else:
            families |= {font["familyName"] for font in used}
    return families


OWN = {"Okey Sans", "Okey Numerals"}

# The widths of an icon's digits and of its tile in parts of the picture, and what lies furthest
# from its middle: red and ivory, as far as a picture without much of both has them.
_ICON = """async (name) => {
    const picture = new Image();
    picture.src = name;
    await picture.decode();
    const size = 512, canvas = new OffscreenCanvas(size, size);
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0, size, size);
    const { data } = pen.getImageData(0, 0, size, size);
    const among = (is) => {
        const found = [...Array(size * size).keys()].filter((n) =>
            is(data[4 * n], data[4 * n + 1], data[4 * n + 2]));
        const columns = found.map((n) => n % size);
        const far = found.map((n) => Math.hypot((n % size) - size / 2, n / size - size / 2));
        const most = (list) => list.reduce((a, b) => Math.max(a, b), 0);
        const wide = most(columns) + most(columns.map((x) => -x + size)) - size;
        return [wide / size, most(far) / size];
    };
    return [among((r, g, b) => Math.hypot(r - 0xc8, g - 0x10, b - 0x2e) < 40),
        among((r, g, b) => Math.min(r, g) > 235 && b > 190)];
}"""


def test_the_digits_of_the_icon_keep_within_the_tile(visit: Visit) -> None:
    """One mark for all: 101 in red on at most three quarters of the tile's width."""
    visitor = visit("Ayşe")
    visitor.go("/")
    for name in ("icon.svg", *(f"icon-{one}.png" for one in ("180", "192", "512", "maskable"))):
        (digits, _), (tile, far) = visitor.page.evaluate(_ICON, f"/{name}")
        assert 0.25 < digits < 0.765 * tile, name
        assert "maskable" not in name or far < 0.41, "a launcher may cut what is further out"


@pytest.mark.parametrize("language", ["tr", "en"])
def test_every_word_is_drawn_in_the_fonts_of_the_page(
    visit: Visit, fonts: str, language: str
) -> None:
    """And what they lack in those that are asked for."""
    # Where no phrases are shown: no font of the page has their faces.
    visitor = visit("Ayşe", language=language, size=(844, 390))
    visitor.go("/")
    visitor.until(lambda: "Okey Sans" in shown(visitor))
    mid_deal(visitor.server).show(visitor)
    used = shown(visitor)
    assert used == OWN, used
    # Not in a place of the page's own, which may be drawn anew.
    visitor.page.evaluate(
        "() => { const words = document.createElement('p'); words.textContent = 'Ωж';"
        " document.body.append(words); }"
    )
    others: set[str] = set()

    def found() -> bool:
        others.update(shown(visitor) - OWN)
        return bool(others)

    visitor.until(found, "other fonts")
    if fonts == "dejavu":
        assert others == {"DejaVu Sans"}
    else:
        assert not any("DejaVu" in family for family in others)


_MUTTERED = """(sentences) => {
    const bubble = document.querySelector(".mutter");
    const plate = bubble.closest(".plate").getBoundingClientRect();
    return sentences.filter((words) => {
        bubble.textContent = words;
        const box = bubble.getBoundingClientRect();
        return bubble.scrollWidth > bubble.clientWidth + 1 || box.left < plate.left - 1 ||
            box.right > plate.right + 1 || box.top < plate.top - 1 || box.bottom > plate.bottom + 6;
    });
}"""


@pytest.mark.parametrize("size", [(360, 640), *only_long((844, 390), (390, 844), (1280, 800))])
def test_what_a_bot_says_stays_on_its_plate(visit: Visit, size: tuple[int, int]) -> None:
    """So it covers no tile and no other word; screen readers are not told."""
    visitor = visit("Ayşe", size=size, touch=size[0] < 900)
    view = mid_deal(visitor.server).view
    seats = [view["table"]["seats"][0], *({"name": None, "bot": "greedy"} for _ in range(3))]
    view = view | {"table": view["table"] | {"seats": seats}}
    stage = Scene(view).show(visitor)
    said = visitor.page.locator(".mutter")
    sentences = [visitor.say(f"says-{who}-{n}") for who in range(8) for n in range(1, 6)]
    seqs = itertools.count(view["seq"] + 1)
    for seat in (1, 2, 3):
        for number in range(60):  # deals, as the words may come late
            deal = view["deal"] | {"actions": [], "number": number, "turn": 0}
            stage.tell(**view | {"seq": next(seqs), "deal": deal})
            what = {"kind": "act", "seat": seat, "actions": ["discard K5"], "by": "bot"}
            for _ in range(6):
                stage.tell(type="event", seq=next(seqs), at=0, what=what, deal={"turn": 0})
            visitor.pump(0.1)
            if said.count():
                break
        assert said.first.get_attribute("aria-hidden") == "true"
        assert visitor.page.evaluate(_MUTTERED, sentences) == []
        visitor.until(lambda: said.count() == 0, "silence")
