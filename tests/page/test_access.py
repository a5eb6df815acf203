"""axe-core finds nothing on any screen, and every screen speaks both languages."""

import base64
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from conftest import Size, only_long, unwrap
from okey101 import Deal, position_of
from okey101.i18n import load
from page.conftest import Visit
from page.scenes import CROWD, LONG_NAMES, Scene, dealing, finished_match, mid_deal, over, people
from page.visitors import Visitor
from server.accounts.people import PASSWORD
from server.live import LiveServer

pytestmark = pytest.mark.fonts

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
# What axe objects to, and what it leaves open; words on a texture are left to the pixels below.
RUN = """async () => {
    const look = () => axe.run(document, { resultTypes: ["violations", "incomplete"] });
    let { violations, incomplete } = await look();
    // Headings that came or went while it looked leave their order open: it looks again.
    for (let more = 3; more && incomplete.some(({ id }) => id === "heading-order"); more--)
        ({ violations, incomplete } = await look());
    const faint = ({ id }) => id === "color-contrast";
    // Where colours are forced, axe compares those that were meant.
    const forced = matchMedia("(forced-colors: active)").matches;
    window.unsure = [...incomplete, ...(forced ? violations : [])].filter(faint);
    const sure = violations.filter((found) => !forced || !faint(found));
    return [...sure, ...incomplete.filter((found) => !faint(found))].map((found) =>
        `${found.id} (${found.impact}): ${found.help}: ` + found.nodes.slice(0, 3).map((node) =>
            node.target.join(" ") + " | " + (node.failureSummary ?? "").replace(/\\s+/g, " ")
        ).join(" ;; "));
}"""
# What axe can't tell, words on a texture, by where their lines stand and in which colour.
UNSURE = """async () => {
    document.adoptedStyleSheets = [];
    // What moves is where the picture shows it only once it has arrived.
    const ends = (moving) => moving.effect.getComputedTiming().endTime < 1e5;
    await Promise.allSettled(
        document.getAnimations().filter(ends).map((moving) => moving.finished));
    const words = new Map();
    for (const { target } of window.unsure.flatMap((found) => found.nodes)) {
        const element = document.querySelector(target.at(-1));
        for (const node of element?.childNodes ?? []) {
            if (node.nodeType !== 3 || !node.data.trim()) continue;
            const area = document.createRange();
            area.selectNodeContents(node);
            const { color: ink, fill, fontSize, fontWeight } = getComputedStyle(element);
            const color = element instanceof SVGElement ? fill : ink;
            const size = parseFloat(fontSize);
            const whole = (box) => [0.1, 0.5, 0.9].every((part) => { // not half under a sheet
                const at = document.elementFromPoint(
                    box.left + box.width * part, box.top + box.height * part);
                return at === element || element.contains(at);
            });
            const boxes = [...area.getClientRects()].filter(whole).map(
                ({ left, top, width, height }) => [left, top, width, height]);
            words.set(node, { text: node.data.trim().slice(0, 40), color, boxes,
                large: size >= 24 || (size >= 18.6 && fontWeight >= 700) });
        }
    }
    const wordless = new CSSStyleSheet();
    wordless.replaceSync(
        "* { color: transparent !important; text-shadow: none !important; }" +
        "text { fill: transparent !important; }");
    document.adoptedStyleSheets = [wordless];
    return [...words.values()];
}"""
# The least contrast of the words with what was painted behind them, lines under them left out.
CONTRAST = """async ([jpeg, words]) => {
    document.adoptedStyleSheets = [];
    const picture = new Image();
    picture.src = "data:image/jpeg;base64," + jpeg;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.drawImage(picture, 0, 0);
    const ratio = picture.width / innerWidth;
    const light = (...rgb) => rgb.map((v) => v / 255).map(
        (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    ).reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
    return words.flatMap(({ text, color, boxes, large }) => {
        const [r, g, b, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
        const found = boxes.flatMap(([x, y, w, h]) => {
            if (w < 2 || h < 2 || x < 0 || y < 0 || y + h > innerHeight) return [];
            const { data } = pen.getImageData(x * ratio, y * ratio, w * ratio, h * ratio);
            return Array.from({ length: Math.floor(data.length / 28) }, (_, n) => {
                const behind = [...data.slice(n * 28, n * 28 + 3)];
                const ink = [r, g, b].map((v, at) => v * alpha + behind[at] * (1 - alpha));
                const [one, two] = [light(...behind), light(...ink)];
                return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
            });
        }).sort((one, two) => one - two);
        // Forced colours show the words all the same: then most of what is there lies behind them.
        const share = matchMedia("(forced-colors: active)").matches ? 2 / 3 : 1 / 3;
        const least = found[Math.floor(found.length * share)];
        return least < (large ? 3 : 4.5) ? [`faint: ${text}: ${least.toFixed(2)}, ${color}`] : [];
    });
}"""
# What a fingertip would miss by 21 px; a box with its words beside it is as large as they are.
SMALL = """() => {
    const seen = (place, x, y) => x < 0 || y < 0 || x >= innerWidth || y >= innerHeight ||
        place.contains(document.elementFromPoint(x, y));
    const front = document.querySelector(".sheet") ?? document; // the table behind waits
    return [...front.querySelectorAll("button, a, input, select, summary")]
        .filter((found) => found.checkVisibility() && !found.closest("[data-target^='group:']"))
        .filter((found) => innerWidth > 352 || !found.closest(".slot")) // eight have to fit
        .map((found) => found.closest("label:has([type=checkbox])") ?? found)
        .filter((place) => {
            const { left, top, width, height } = place.getBoundingClientRect();
            if (width > 43.9 && height > 43.9) return false;
            const [x, y] = [left + width / 2, top + height / 2];
            return !place.contains(document.elementFromPoint(x, y))
                ? height < 43.9
                : ![[21, 0], [-21, 0], [0, 21], [0, -21]].every(
                    ([right, down]) => seen(place, x + right, y + down));
        })
        .map((place) => {
            const { width, height } = place.getBoundingClientRect();
            return `${place.outerHTML.slice(0, 90)} is ${width} wide, ${height} high`;
        });
}"""
# Words that run out of the window, or of what holds and clips them.
CUT = """() => {
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const faults = [];
    while (words.nextNode()) {
        const one = words.currentNode.parentElement;
        if (!words.currentNode.data.trim() || !one.checkVisibility()) continue;
        if (one.closest(".unseen, .scroll, script, style, option, svg")) continue;
        const area = document.createRange();
        area.selectNodeContents(words.currentNode);
        const box = area.getBoundingClientRect();
        if (box.width === 0) continue;
        let [left, right] = [0, innerWidth];
        let hidden = false;
        for (let up = one; up; up = up.parentElement) {
            const { clipPath, overflowX } = getComputedStyle(up);
            hidden ||= clipPath !== "none";
            if (overflowX === "visible") continue;
            const frame = up.getBoundingClientRect();
            left = Math.max(left, frame.left);
            right = Math.min(right, frame.right);
        }
        if (!hidden && (box.left < left - 1.5 || box.right > right + 1.5))
            faults.push(`cut: ${words.currentNode.data.trim()}`);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1)
        faults.push("it scrolls to the side");
    for (const field of document.querySelectorAll("select")) {
        const { appearance, font, paddingLeft, paddingRight } = getComputedStyle(field);
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = font;
        const arrow = appearance === "none" ? 0 : 20;
        const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
        const chosen = field.selectedOptions[0].text;
        if (field.checkVisibility() && pen.measureText(chosen).width > room)
            faults.push(`cut: ${chosen}`);
    }
    for (const field of document.querySelectorAll("input, select, button")) {
        const { left, right } = field.getBoundingClientRect();
        if (field.checkVisibility() && (left < -1 || right > innerWidth + 1))
            faults.push(`outside: ${field.outerHTML.slice(0, 90)}`);
    }
    return faults;
}"""
# Both: on a narrow screen the one is easily got at the cost of the other.
REACHED = f"() => [...({SMALL})(), ...({CUT})()]"
LANGUAGES = pytest.mark.parametrize("language", ["tr", "en"])
WIDE, NARROW, LOW, TINY = (1280, 800), (390, 844), (844, 390), (320, 568)
SHORT_NAMES = ("Ayşe", "Barış", "Cem", "Deniz")
LINE = position_of(Deal.start("pagat", seed=7))


def looks(*short: tuple[str, tuple[int, int]]) -> pytest.MarkDecorator:
    """Both languages in both sizes, in the short form these alone."""
    looks = [(language, size) for language in ("tr", "en") for size in (WIDE, NARROW)]
    return pytest.mark.parametrize(
        ("language", "look"),
        [pytest.param(*look, marks=() if look in short else pytest.mark.long) for look in looks],
    )


def violations(visitor: Visitor) -> list[str]:
    """What axe-core objects to on the current screen."""
    if not visitor.page.evaluate("() => 'axe' in window"):
        visitor.page.evaluate(AXE.read_text("utf-8"))
    found: list[str] = visitor.page.evaluate(RUN)
    return found


def faint(visitor: Visitor) -> list[str]:
    """Words on textures and gradients, which axe leaves open, that stand out too little."""
    words, jpeg = visitor.page.evaluate(UNSURE), b""
    while True:
        # A third of what a PNG takes; behind the words there are no edges that it would blur.
        jpeg = visitor.page.screenshot(animations="disabled", type="jpeg", quality=100)
        now = visitor.page.evaluate(UNSURE)
        if now == words:  # nothing has moved meanwhile
            break
        words = now
        visitor.pump(0.2)
    found: list[str] = visitor.page.evaluate(CONTRAST, [base64.b64encode(jpeg).decode(), words])
    return found


@cache
def foreign_to(language: str) -> frozenset[str]:
    """What the page says in the other language alone."""
    own, other = load(language), load({"tr": "en", "en": "tr"}[language])
    both = {own(key) for key in own.keys() if not own.variables(key)}  # noqa: SIM118
    said = {
        other(key)
        for key in other.keys()  # noqa: SIM118
        if key.startswith("page-") and not other.variables(key)
        and not key.startswith("page-language-")
    }  # fmt: skip
    return frozenset(said - both)


def untranslated(visitor: Visitor) -> list[str]:
    """Keys that are shown for want of a text, and texts of the other language alone."""
    text = visitor.page.locator("body").inner_text()
    labels: list[str] = visitor.page.evaluate(
        "() => [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap("
        "(e) => ['aria-label', 'title', 'placeholder'].map((n) => e.getAttribute(n) ?? ''))"
    )
    lines = [line.strip() for line in [*text.splitlines(), *labels]]
    keys = [line for line in lines if re.search(r"\b(page|phrase|error)-[a-z]+", line)]
    return keys + [line for line in lines if line in foreign_to(visitor.language)]


# Sentences that are seen more than once; moves and rules are lists, where that is as it should be.
TWICE = """() => {
    const seen = new Map();
    for (const one of document.querySelectorAll("body *")) {
        if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
            one.closest(".unseen, svg, ol, ul, table, select")) continue;
        for (const { nodeType, data } of one.childNodes) {
            const words = nodeType === 3 ? data.trim() : "";
            if (/\\s.*[.?!]$/.test(words)) seen.set(words, (seen.get(words) ?? 0) + 1);
        }
    }
    return [...seen].flatMap(([words, times]) => (times > 1 ? [words] : []));
}"""


# What is too small, cut, or wider than the screen; what is read by its own scrolling is not.
NARROWED = """() => {
    const faults = [];
    const seen = (one) => one.checkVisibility() && !one.closest(".unseen, svg, .face");
    for (const one of document.querySelectorAll("main *")) {
        if (!seen(one) || ![...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
            continue;
        const size = parseFloat(getComputedStyle(one).fontSize);
        const words = `${one.localName} ${one.textContent.trim().slice(0, 40)}`;
        if (size < 13) faults.push(`${size} px: ${words}`);
        if (one.matches("button, a, label, summary") && one.scrollWidth > one.clientWidth + 1 &&
            one.clientWidth > 0) faults.push(`cut: ${words}`);
    }
    for (const one of document.querySelectorAll("main th"))
        if (seen(one) && one.scrollWidth > one.clientWidth + 1)
            faults.push(`cut: ${one.textContent.trim()}`);
    const more = document.documentElement.scrollWidth - innerWidth;
    return more > 0 ? [...faults, `${more} px too wide`] : faults;
}"""
SIZES = ((360, 640), (1440, 900), (844, 390), (1920, 1080))


def narrowed(visitor: Visitor, screen: str, sizes: int | None = None) -> list[str]:
    """What is too small, cut or too wide on the first of the screens people have."""
    before = unwrap(visitor.page.viewport_size)
    found = []
    for width, height in SIZES[:sizes]:
        visitor.resize(width, height, 0.05)
        told: list[str] = visitor.page.evaluate(NARROWED)
        found += [f"{screen} at {width}x{height}: {line}" for line in told]
    visitor.resize(before["width"], before["height"])
    return found


def check(visitor: Visitor, screen: str, *, pixels: bool = True) -> list[str]:
    """Everything that is wrong with the screen that is shown; words on textures by their pixels."""
    assert visitor.page.evaluate("() => document.documentElement.lang") == visitor.language
    faults = [f"{screen}: {line}" for line in violations(visitor)]
    if pixels:
        faults += [f"{screen}: {line}" for line in faint(visitor)]
    faults += [f"{screen}: said twice: {line!r}" for line in visitor.page.evaluate(TWICE)]
    return faults + [f"{screen}: not translated: {line!r}" for line in untranslated(visitor)]


@looks(("tr", NARROW))
def test_every_screen_but_the_table(
    visit: Visit, language: str, look: tuple[int, int], size: Size
) -> None:
    visitor = visit("Şahmeran Gülbahçelii", language=language, size=look)
    faults, sizes = [], size(1, long=len(SIZES))
    match = finished_match(visitor, deals=1)
    screens: dict[str, Callable[[], object]] = {
        "/": lambda: visitor.button("page-play-now"),
        "/new": lambda: visitor.button("page-create"),
        "/matches": lambda: visitor.button("page-watch-replay").first,
        f"/m/{match}": lambda: visitor.page.get_by_role("slider"),
        f"/position#{quote(LINE)}": lambda: visitor.page.locator("section .face").first,
        "/puzzle#1": lambda: visitor.page.get_by_role("grid").locator(".face").first,
        "/day": lambda: visitor.text("day-none"),
        "/ladder": lambda: visitor.text("ladder-none"),
        "/rules": lambda: visitor.page.locator("section p").first,
        "/settings": lambda: visitor.page.locator("dl kbd").first,
        "/account": lambda: visitor.field("page-password"),
        "/nowhere": lambda: visitor.button("page-to-start"),
    }
    visitor.go("/rules")
    for path, there in screens.items():
        visitor.walk(path)
        sign: Any = there()
        sign.wait_for()
        faults += check(visitor, path) + narrowed(visitor, path, sizes)
    visitor.walk(f"/t/{visitor.make(listed=True)}")
    visitor.button("page-copy-link").wait_for()
    faults += check(visitor, "waiting room") + narrowed(visitor, "waiting room", sizes)
    assert not faults, "\n".join(faults)


@pytest.fixture(scope="module")
def peopled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LiveServer, str]]:
    """A server with friends, a season, a family and a day behind; the family's link."""
    data = tmp_path_factory.mktemp("peopled") / "data"
    link = people(data)
    with LiveServer(data, daily="on") as running:
        yield running, link


def _walked(visitor: Visitor, link: str) -> Iterator[str]:
    """Each screen of people, as one of them sees it."""
    body = {"name": CROWD[0], "password": PASSWORD}
    assert visitor.context.request.post("/api/login", data=body).ok
    visitor.go("/rules")
    for path in ("/day", "/friends", "/ladder", "/family", "/profile", f"/f/{link}"):
        visitor.walk(path)
        visitor.page.locator("main section :is(tr, li) >> visible=true").first.wait_for()
        yield path


@looks(("en", WIDE))
def test_the_screens_of_people(
    visit: Visit, peopled: tuple[LiveServer, str], language: str, look: tuple[int, int], size: Size
) -> None:
    server, link = peopled
    visitor, faults = visit(None, server, language=language, size=look), []
    for path in _walked(visitor, link):
        if path in ("/day", "/ladder"):  # all columns are seen at once
            visitor.resize(*NARROW)
            table = visitor.page.locator(".scroll").first
            assert table.evaluate("one => one.scrollWidth <= one.clientWidth"), path
            visitor.resize(*look)
        faults += check(visitor, path) + narrowed(visitor, path, size(1, long=len(SIZES)))
    _twice_as_large(visitor)
    visitor.walk("/friends")
    visitor.page.locator("main section li").first.wait_for()
    faults += _found(visitor, "/friends", CUT, (NARROW,))
    assert not faults, "\n".join(faults)


@looks(("en", WIDE))
def test_the_table(visit: Visit, language: str, look: tuple[int, int]) -> None:
    visitor = visit("Ayşe", language=language, size=look)
    faults = []
    stage = mid_deal(visitor.server).show(visitor)
    visitor.pump(0.3)
    faults += check(visitor, "table")
    visitor.page.locator("[data-source^='slot:']").first.click()
    faults += check(visitor, "tile held")
    visitor.page.keyboard.press("Escape")
    for pile in visitor.page.locator(".pile").all()[:3]:
        name = str(pile.get_attribute("aria-label"))
        assert any(one in name for one in LONG_NAMES) or "Ayşe" in name, name
    visitor.button("page-more").click()
    log = visitor.page.get_by_role("log").locator("ol")  # the latest has the highest number
    first = len(stage.view["deal"]["actions"])
    assert log.evaluate("(list) => [list.reversed, list.start]") == [True, first]
    faults += check(visitor, "panel")
    faults += _menu(visitor)
    visitor.button("page-close").click()
    stage.tell(type="frozen", code="table-frozen")
    stage.leave()
    visitor.until(lambda: visitor.page.locator(".banner").count() >= 2, "two banners")
    faults += check(visitor, "banners")
    assert not faults, "\n".join(faults)


def _menu(visitor: Visitor) -> list[str]:
    """What is small in the menu; leaving is above the phrases, and switches show their state."""
    panel = visitor.page.locator(".panel")
    leave, hello = (
        panel.get_by_role("button", name=visitor.say(key)) for key in ("page-leave", "phrase-hello")
    )
    if unwrap(visitor.page.viewport_size)["width"] < 1200:  # else they are beside the table
        tops = [unwrap(one.first.bounding_box())["y"] for one in (leave, hello)]
        assert tops[0] < tops[1]
    else:
        expect(hello).to_have_count(0)
    switch = panel.get_by_role("switch", name=visitor.say("page-palette-safe"))
    for on in (True, False):
        switch.set_checked(on)
        safe = visitor.page.evaluate("() => document.documentElement.dataset.palette === 'safe'")
        assert safe == on
    small = """(all) => all.filter((one) =>
        one.checkVisibility() && one.getBoundingClientRect().height < 43.9).length"""
    count = panel.locator("button, select, .toggle, input:not([role=switch])").evaluate_all(small)
    return ["small things in the menu"] * count


@LANGUAGES
@pytest.mark.long
def test_the_table_of_an_onlooker(visit: Visit, language: str) -> None:
    visitor = visit(None, language=language, size=NARROW)
    view = mid_deal(visitor.server).view
    bots = [seat | {"name": None, "bot": "greedy"} for seat in view["table"]["seats"]]
    Scene(view | {"table": view["table"] | {"seats": bots}, "you": None}).show(visitor)
    visitor.button("page-take-bot-seat").wait_for()
    faults = check(visitor, "onlooker")
    visitor.button("page-more").click()
    faults += check(visitor, "an onlooker's panel")
    assert not faults, "\n".join(faults)


Sizes = tuple[tuple[int, int], ...]


def _found(visitor: Visitor, screen: str, script: str, sizes: Sizes) -> list[str]:
    """What a script finds on a screen at each of these sizes, once it has laid itself out anew."""
    faults = []
    for width, height in sizes:
        visitor.resize(width, height)
        for _ in range(50):
            found: list[str] = visitor.page.evaluate(script)
            if not found:
                break
            visitor.pump(0.1)
        faults += [f"{screen}, {width}x{height}: {line}" for line in found]
    return faults


def _looked_at(visitor: Visitor, script: str, sizes: Sizes, *paths: str) -> list[str]:
    """The same on the usual screens, and on some more."""
    faults = []
    for path in ("/", "/new", "/matches", "/rules", "/settings", "/account", *paths):
        visitor.go(path)
        visitor.page.wait_for_load_state("networkidle")
        faults += _found(visitor, path, script, sizes)
    return faults


def test_fingers_find_what_they_look_for(visit: Visit) -> None:
    visitor = visit("Ayşe", size=NARROW, touch=True)
    match = finished_match(visitor, deals=1)
    paths = (f"/m/{match}", f"/position#{quote(LINE)}", "/puzzle#1", "/learn")
    faults = _looked_at(visitor, REACHED, (NARROW, TINY), *paths)
    visitor.go("/")
    languages = visitor.page.locator(".languages button").all()
    assert len({unwrap(one.bounding_box())["y"] for one in languages}) == 1, "in one line"
    for name, moment in (("table", mid_deal), ("between deals", dealing), ("match over", over)):
        moment(visitor.server).show(visitor)
        faults += _found(visitor, name, REACHED, (NARROW, LOW, TINY))
    assert not faults, "\n".join(faults)


def test_fingers_find_people(visit: Visit, peopled: tuple[LiveServer, str]) -> None:
    server, link = peopled
    visitor, faults = visit(None, server, size=TINY, touch=True), []
    for path in _walked(visitor, link):
        faults += _found(visitor, path, REACHED, (TINY,))
    assert not faults, "\n".join(faults)


@LANGUAGES
def test_score_sheets(visit: Visit, language: str, size: Size) -> None:
    """In the short form the one between deals, on a phone."""
    faults = []
    for name, moment in (("between deals", dealing), ("match over", over))[: size(1, long=2)]:
        visitor = visit("Ayşe", language=language, size=(390, 844))
        moment(visitor.server).show(visitor)
        visitor.page.locator(".sheet").wait_for()
        visitor.resize(390, 560)  # too low for all: the totals are seen first
        expect(visitor.page.locator(".sheet tfoot b").first).to_be_in_viewport(ratio=1)
        visitor.resize(390, 844)
        faults += check(visitor, name)
        if size(0, long=1):
            visitor.page.set_viewport_size({"width": 1280, "height": 800})
            faults += check(visitor, f"{name}, wide")
        if moment is dealing:
            faults += _earlier_deals(visitor)
    assert not faults, "\n".join(faults)


def _earlier_deals(visitor: Visitor) -> list[str]:
    """The check of every deal of the match so far, from the sheet between two deals."""
    visitor.page.locator("button.ask").click()
    dialog = visitor.page.locator("dialog[open]")
    deals = dialog.locator(".deals button")
    visitor.until(lambda: dialog.locator(".verdict").count(), "a verdict")
    number = len(visitor.page.locator(".sheet tbody tr").all())
    assert deals.count() == number >= 2
    deals.first.click()
    dialog.get_by_text(visitor.say("fair-verdict", state="unknown")).wait_for()
    assert dialog.locator("li.differs").count() == 0
    return check(visitor, "the check of an earlier deal")


# Without the page's colours: buttons without an edge, and tiles that lie bare.
BARE = """() => [...document.querySelectorAll("button, input, select, span.face")]
    .filter((found) => found.checkVisibility() && !found.querySelector("span.face"))
    .filter((found) => !found.closest("summary, .unseen, [type=range]"))
    .filter((found) => {
        const { borderTopStyle, borderTopWidth, boxShadow, appearance } = getComputedStyle(found);
        return found.matches("span.face") ? boxShadow === "none"
            : appearance !== "auto" && (borderTopStyle === "none" || borderTopWidth === "0px");
    }).map((found) => `no edge: ${found.outerHTML.slice(0, 90)}`)"""
# The tiles' inks, the lines of the seats, and how a slot, held or with the focus, is framed.
TOLD_APART = """() => {
    const style = (query, name, part) => {
        const found = document.querySelector(query);
        return found && getComputedStyle(found, part)[name];
    };
    return {
        inks: [..."RYBK"].map((colour) => style(`.rack .face.${colour} .number`, "color")),
        lines: [0, 1, 2, 3].map((seat) => style(`.group.seat${seat}`, "borderTopStyle", "::after")),
        frames: [style(".held .face", "boxShadow"),
            style("[data-source^='slot:']:not(.held) .face", "boxShadow")],
        focus: getComputedStyle(document.activeElement).outline,
    };
}"""


@pytest.mark.parametrize("scheme", ["dark", *only_long("light")])
def test_the_readers_own_colours(visit: Visit, scheme: str) -> None:
    """Forced colours: tiles keep their inks, and buttons, choice, focus and owners are seen."""
    visitor = visit("Ayşe", size=NARROW)
    mid_deal(visitor.server).show(visitor)
    inks = visitor.page.evaluate(TOLD_APART)["inks"]
    visitor.page.emulate_media(forced_colors="active", color_scheme=scheme)  # type: ignore[arg-type]
    faults = check(visitor, "table")
    visitor.slot(0).click()
    visitor.page.keyboard.press("ArrowRight")
    found = visitor.page.evaluate(TOLD_APART)
    assert found["inks"] == inks
    assert len({line for line in found["lines"] if line}) == sum(map(bool, found["lines"])) > 1
    assert found["frames"][0] != found["frames"][1]
    assert "solid 3px" in found["focus"]
    faults += visitor.page.evaluate(BARE)
    visitor.button("page-more").click()
    visitor.page.locator(".panel").wait_for()
    faults += check(visitor, "panel") + visitor.page.evaluate(BARE)
    over(visitor.server).show(visitor)
    visitor.page.locator(".sheet").wait_for()
    faults += check(visitor, "match over") + visitor.page.evaluate(BARE)
    for path in ("/", "/new", "/settings", "/rules"):
        visitor.walk(path)
        visitor.page.wait_for_load_state("networkidle")
        faults += check(visitor, path) + visitor.page.evaluate(BARE)
    assert not faults, "\n".join(faults)


def _twice_as_large(visitor: Visitor) -> None:
    window = visitor.context.new_cdp_session(visitor.page)
    window.send("Page.enable")  # as a browser's settings do
    window.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})


def test_text_twice_as_large(visit: Visit) -> None:
    visitor = visit("Ayşe")
    visitor.go("/puzzle#1")
    visitor.page.get_by_role("grid").wait_for()
    faults = _found(visitor, "/puzzle", CUT, ((320, 568),))
    match = finished_match(visitor, deals=1)
    visitor.walk(f"/m/{match}")
    visitor.page.get_by_role("slider").wait_for()
    faults += _found(visitor, "replay", CUT, (LOW,))
    _twice_as_large(visitor)
    faults += _looked_at(visitor, CUT, (NARROW, WIDE), f"/m/{match}", "/puzzle#1")
    visitor.resize(*NARROW)
    visitor.go("/learn")
    rack = visitor.page.get_by_role("grid")
    rack.scroll_into_view_if_needed()
    expect(rack).to_be_in_viewport(ratio=0.95)
    for name, moment in (("table", mid_deal), ("match over", over)):
        moment(visitor.server, names=SHORT_NAMES).show(visitor)
        visitor.page.locator(".table").wait_for()
        faults += _found(visitor, name, CUT, (NARROW, WIDE))
    assert not faults, "\n".join(faults)
