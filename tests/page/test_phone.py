"""What a phone has little room for: pairs, buttons, the score sheet, lines of lists."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from page.conftest import Visit
from page.scenes import Scene, dealing, mid_deal, over
from server.live import LiveServer

pytestmark = pytest.mark.fonts

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


@pytest.mark.parametrize("tiles", ["large", pytest.param("normal", marks=pytest.mark.long)])
def test_pairs_beside_long_runs_are_whole(visit: Visit, server: LiveServer, tiles: str) -> None:
    visitor = visit("Ali", size=PORTRAIT)
    _own_turn(server).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    screen = visitor.page.locator("main.screen")
    screen.evaluate("(screen, tiles) => (screen.dataset.tiles = tiles)", tiles)
    for width, height in (PORTRAIT, LANDSCAPE, (360, 740)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.pump(0.1)
        assert visitor.page.evaluate(_CUT) == 0, f"tiles are cut off at {width}x{height}"


@pytest.mark.parametrize("language", ["tr", "en"])
def test_actions_fill_even_rows_and_suit_a_finger(
    visit: Visit, server: LiveServer, language: str
) -> None:
    visitor = visit("Ali", language=language, size=PORTRAIT)
    stage = _own_turn(server).show(visitor)
    visitor.page.get_by_role("toolbar").locator(".bulb").wait_for()
    rows: list[list[list[float]]] = visitor.page.evaluate(_ROWS)
    assert [len(row) for row in rows] == [4, 3], stage.view["you"]["options"]
    assert len({(round(row[0][0]), round(row[-1][1])) for row in rows}) == 1, rows
    assert min(height for row in rows for *_, height in row) >= FINGER
    okey = visitor.say("page-okey-is", tile=visitor.words(stage.view["deal"]["okey"]))
    named = visitor.page.get_by_text(okey, exact=True).filter(visible=True)
    expect(named).to_have_count(1)
    visitor.page.set_viewport_size({"width": LANDSCAPE[0], "height": LANDSCAPE[1]})
    visitor.pump(0.1)
    expect(named).to_have_count(1)
    rows = visitor.page.evaluate(_ROWS)
    assert len(rows) == 1
    assert min(height for *_, height in rows[0]) >= FINGER


@pytest.mark.parametrize("ended", [over, pytest.param(dealing, marks=pytest.mark.long)])
def test_every_hand_of_the_score_sheet_is_reached(
    visit: Visit, server: LiveServer, ended: Any
) -> None:
    view = copy.deepcopy(ended(server).view)
    view["deal"]["end"]["hands"] = [" ".join(f"R{n}" for n in range(1, 14))] * 4
    view["table"]["scores"]["deals"] *= 4
    visitor = visit("Ali", size=PORTRAIT)
    Scene(view).show(visitor)
    visitor.page.locator(".sheet .ask").wait_for()
    for width, height in (PORTRAIT, LANDSCAPE):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.pump(0.1)
        assert visitor.page.evaluate(_HANDS) == [True] * 4, "a hand keeps to its column"
        assert visitor.page.evaluate(_LAST_SEEN), f"the last hand is hidden at {width}x{height}"
        for button in visitor.page.locator(".sheet .buttons > button").all():
            box = button.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= height


def test_the_latest_action_has_the_highest_number(visit: Visit, server: LiveServer) -> None:
    visitor = visit("Ali", size=PORTRAIT)
    scene = mid_deal(server)
    scene.show(visitor)
    visitor.button("page-more").click()
    log = visitor.page.get_by_role("log").locator("ol")
    assert log.evaluate("(list) => [list.reversed, list.start]") == [
        True,
        len(scene.view["deal"]["actions"]),
    ]


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
        "tr": ["1 el · 1 boş yer", "1 el · oyun sürüyor, 3 bot yeri", "1 el · oyun sürüyor"],
        "en": ["1 deal · 1 free seat", "1 deal · running, 3 bots' seats", "1 deal · running"],
    }
    expect(lines).to_have_text([f"Altınstar · {end}" for end in ends[language]])


def _line(stage: str, seats: Sequence[str | None], free: int) -> dict[str, Any]:
    options = {"rules": {"preset": "altinstar"}, "deals": 1}
    return {
        "id": f"{stage}{free}", "stage": stage, "seats": [*seats], "free": free, "options": options,
        "counted": 0, "spectators": 0,
    }  # fmt: skip


_SHORTENED = """() => [...document.querySelectorAll(".plate strong, p.notice")].filter((one) =>
    one.checkVisibility() &&
    (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
).map((one) => one.textContent)"""


@pytest.mark.parametrize("language", ["tr", "en"])
@pytest.mark.parametrize(
    ("onlooker", "touch", "opened"),
    [
        (False, True, "pairs"),
        (True, True, None),
        pytest.param(False, False, "melds", marks=pytest.mark.long),
        pytest.param(False, True, None, marks=pytest.mark.long),
    ],
)
def test_bots_are_told_apart_and_their_moves_can_be_read(
    visit: Visit, server: LiveServer, language: str, onlooker: bool, touch: bool, opened: str | None
) -> None:
    """A bot's own name comes last, and so does the tile in what it did.

    What the own plate leaves for the line hangs on how its player opened, and on the score.
    """
    visitor = visit("Ali", size=PORTRAIT, language=language, touch=touch)
    view = copy.deepcopy(mid_deal(server).view)
    view["deal"]["opened"][view["you"]["seat"]] = opened
    view["table"]["scores"]["totals"][view["you"]["seat"]] = 0
    for seat in range(4):
        if onlooker or seat != view["you"]["seat"]:
            view["table"]["seats"][seat] = {"name": None, "bot": "steady"}
    Scene(view | {"you": None if onlooker else view["you"]}).show(visitor)
    visitor.page.locator(".plate").first.wait_for()
    text = {"tr": "Bot Kemal attı: kırmızı 13.", "en": "Bot Kemal discarded red 13."}
    notice = visitor.page.locator("p.notice")
    notice.evaluate("(p, text) => (p.textContent = text)", text[language])
    for width, height in (PORTRAIT, LANDSCAPE, (360, 740), (640, 320), (1440, 900)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.pump(0.1)
        for small in (False, True):
            notice.evaluate("(p, small) => p.classList.toggle('long', small)", small)
            assert visitor.page.evaluate(_SHORTENED) == [], f"{width}x{height}, {small=}"


def test_an_onlooker_sees_all_four_names(visit: Visit, server: LiveServer) -> None:
    visitor = visit("Ali", size=PORTRAIT)
    view = copy.deepcopy(mid_deal(server).view)
    names = ["Ayşe", "Barış", "Cem", "Deniz"]
    for seat, name in zip(view["table"]["seats"], names, strict=True):
        seat |= {"name": name, "bot": None}
    Scene(view | {"you": None}).show(visitor)
    for width, height in (PORTRAIT, LANDSCAPE, (360, 740), (640, 320)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        for name in names:
            expect(visitor.page.locator(".plate strong", has_text=name)).to_be_visible()
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
@pytest.mark.parametrize(
    "size",
    [
        PORTRAIT,
        (640, 320),
        *(pytest.param(s, marks=pytest.mark.long) for s in (LANDSCAPE, (768, 1024))),
    ],
)
def test_three_digits_make_no_line_of_their_own(
    visit: Visit, server: LiveServer, language: str, size: tuple[int, int]
) -> None:
    visitor = visit("Ali", size=size, language=language, touch=True)
    view = copy.deepcopy(mid_deal(server).view)
    view["table"]["scores"]["totals"] = [202, 404, -101, 1010]
    for seat in range(4):
        if seat != view["you"]["seat"]:
            view["table"]["seats"][seat] = {"name": None, "bot": "steady"}
        view["deal"]["opened"][seat] = None
    Scene(view).show(visitor)
    visitor.page.locator(".plate").first.wait_for()
    assert visitor.page.evaluate(_WRAPPED) == []


@pytest.mark.parametrize(
    "size",
    [
        (640, 320),
        PORTRAIT,
        *(pytest.param(s, marks=pytest.mark.long) for s in ((640, 360), LANDSCAPE)),
    ],
)
def test_an_onlooker_reads_which_tile_the_okey_is(
    visit: Visit, server: LiveServer, size: tuple[int, int]
) -> None:
    visitor = visit("Ali", size=size)
    Scene(copy.deepcopy(mid_deal(server).view) | {"you": None}).show(visitor)
    words = visitor.say("page-okey-is", tile=visitor.words(mid_deal(server).view["deal"]["okey"]))
    shown = visitor.page.locator(".table span.okey:not(.face):visible")
    expect(shown).to_have_text(words)
    box = shown.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= size[1]
    assert visitor.page.evaluate(_SHORTENED) == []
