"""axe-core finds nothing on any screen, and every screen speaks both languages."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from conftest import Size, unwrap
from okey101 import Deal, position_of
from okey101.i18n import load
from page.conftest import Visit
from page.scenes import LONG_NAMES, Scene, dealing, finished_match, mid_deal, over
from page.visitors import Visitor
from server.live import LiveServer

pytestmark = pytest.mark.fonts

AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
    (found) => `${found.id} (${found.impact}): ${found.help}: ` + found.nodes.slice(0, 3).map(
        (node) => node.target.join(" ") + " | " + node.failureSummary.replace(/\\s+/g, " ")
    ).join(" ;; "))"""
# What axe can't tell, words on a texture, by where their lines stand and in which colour.
UNSURE = """async () => {
    const { incomplete } = await axe.run(document, {
        runOnly: ["color-contrast"], resultTypes: ["incomplete"] });
    const words = new Map();
    for (const { target } of incomplete.flatMap((found) => found.nodes)) {
        const element = document.querySelector(target.at(-1));
        for (const node of element?.childNodes ?? []) {
            if (node.nodeType !== 3 || !node.data.trim()) continue;
            const area = document.createRange();
            area.selectNodeContents(node);
            const { color, fontSize, fontWeight } = getComputedStyle(element);
            const size = parseFloat(fontSize);
            const boxes = [...area.getClientRects()].filter((box) => {
                const at = document.elementFromPoint(
                    box.left + box.width / 2, box.top + box.height / 2);
                return at === element || element.contains(at);
            }).map(({ left, top, width, height }) => [left, top, width, height]);
            words.set(node, { text: node.data.trim().slice(0, 40), color, boxes,
                large: size >= 24 || (size >= 18.6 && fontWeight >= 700) });
        }
    }
    const wordless = new CSSStyleSheet();
    wordless.replaceSync("* { color: transparent !important; text-shadow: none !important; }");
    document.adoptedStyleSheets = [wordless];
    return [...words.values()];
}"""
# The least contrast of the words with what was painted behind them, lines under them left out.
CONTRAST = """async ([png, words]) => {
    document.adoptedStyleSheets = [];
    const picture = new Image();
    picture.src = "data:image/png;base64," + png;
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
            if (w < 2 || h < 2 || x < 0 || y < 0) return [];
            const { data } = pen.getImageData(x * ratio, y * ratio, w * ratio, h * ratio);
            return Array.from({ length: Math.floor(data.length / 28) }, (_, n) => {
                const behind = [...data.slice(n * 28, n * 28 + 3)];
                const ink = [r, g, b].map((v, at) => v * alpha + behind[at] * (1 - alpha));
                const [one, two] = [light(...behind), light(...ink)];
                return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
            });
        }).sort((one, two) => one - two);
        const least = found[Math.floor(found.length / 3)];
        return least < (large ? 3 : 4.5) ? [`faint: ${text}: ${least.toFixed(2)}, ${color}`] : [];
    });
}"""
# What is lower than a fingertip; a box with its words beside it is as high as they are.
SMALL = """() => [...document.querySelectorAll("button, a, input, select, summary")]
    .filter((found) => found.checkVisibility())
    .map((found) => [found, (found.closest("label:has([type=checkbox])") ?? found)])
    .filter(([, place]) => place.getBoundingClientRect().height < 43.9)
    .map(([found, place]) => `${found.outerHTML.slice(0, 90)} is ${
        place.getBoundingClientRect().height} high`)"""
GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new Event('popstate')); }"
LANGUAGES = pytest.mark.parametrize("language", ["tr", "en"])
WIDE, NARROW = (1280, 800), (390, 844)
LINE = position_of(Deal.start("pagat", seed=7))


def _looks(*short: tuple[str, tuple[int, int]]) -> pytest.MarkDecorator:
    """Both languages in both sizes, in the short form these alone."""
    looks = [(language, size) for language in ("tr", "en") for size in (WIDE, NARROW)]
    return pytest.mark.parametrize(
        ("language", "size"),
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
    words = visitor.page.evaluate(UNSURE)
    png = base64.b64encode(visitor.page.screenshot(animations="disabled")).decode()
    found: list[str] = visitor.page.evaluate(CONTRAST, [png, words])
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


def check(visitor: Visitor, screen: str) -> list[str]:
    """Everything that is wrong with the screen that is shown."""
    assert visitor.page.evaluate("() => document.documentElement.lang") == visitor.language
    faults = [f"{screen}: {line}" for line in violations(visitor)]
    return faults + [f"{screen}: not translated: {line!r}" for line in untranslated(visitor)]


@_looks(("tr", NARROW))
def test_every_screen_but_the_table(
    visit: Visit, server: LiveServer, language: str, size: tuple[int, int]
) -> None:
    visitor = visit("Ayşe", language=language, size=size)
    faults = []
    match = finished_match(server, visitor, deals=1)
    screens: dict[str, Callable[[], object]] = {
        "/": lambda: visitor.button("page-play-now"),
        "/new": lambda: visitor.button("page-create"),
        "/matches": lambda: visitor.button("page-watch-replay").first,
        f"/m/{match}": lambda: visitor.page.get_by_role("slider"),
        f"/position#{quote(LINE)}": lambda: visitor.page.locator("section .face").first,
        "/rules": lambda: visitor.page.locator("section p").first,
        "/settings": lambda: visitor.page.locator(".print", has_text=re.compile("^[0-9a-f]{64}$")),
        "/account": lambda: visitor.page.get_by_label(visitor.say("page-password")),
        "/nowhere": lambda: visitor.button("page-to-start"),
    }
    for path, there in screens.items():
        if path == "/nowhere":
            visitor.page.evaluate(GO, path)
        else:
            visitor.go(path)
        sign: Any = there()
        sign.wait_for()
        faults += check(visitor, path) + faint(visitor)
    table = visitor.make(listed=True)
    visitor.go(f"/t/{table}")
    visitor.button("page-copy-link").wait_for()
    faults += check(visitor, "waiting room")
    assert not faults, "\n".join(faults)


@_looks(("en", WIDE))
def test_the_table(visit: Visit, server: LiveServer, language: str, size: tuple[int, int]) -> None:
    visitor = visit("Ayşe", language=language, size=size)
    faults = []
    stage = mid_deal(server).show(visitor)
    visitor.pump(0.3)
    faults += check(visitor, "table") + faint(visitor)
    visitor.page.locator("[data-source^='slot:']").first.click()
    faults += check(visitor, "tile held")
    visitor.page.keyboard.press("Escape")
    for pile in visitor.page.locator(".pile").all()[:3]:
        name = str(pile.get_attribute("aria-label"))
        assert any(one in name for one in LONG_NAMES) or "Ayşe" in name, name
    visitor.button("page-more").click()
    faults += check(visitor, "panel") + faint(visitor)
    faults += _menu(visitor)
    visitor.button("page-close").click()
    stage.tell(type="frozen", code="table-frozen")
    stage.leave()
    visitor.until(lambda: visitor.page.locator(".banner").count() >= 2, "two banners")
    faults += check(visitor, "banners") + faint(visitor)
    assert not faults, "\n".join(faults)


def _menu(visitor: Visitor) -> list[str]:
    """What is small in the menu; leaving is above the phrases, and switches show their state."""
    panel = visitor.page.locator(".panel")
    tops = [
        unwrap(panel.get_by_role("button", name=visitor.say(key)).first.bounding_box())["y"]
        for key in ("page-leave", "phrase-hello")
    ]
    assert tops[0] < tops[1]
    switch = panel.get_by_role("switch", name=visitor.say("page-palette-safe"))
    for on in (True, False):
        switch.set_checked(on)
        safe = visitor.page.evaluate("() => document.documentElement.dataset.palette === 'safe'")
        assert safe == on
    small = "(all) => all.filter((one) => one.getBoundingClientRect().height < 43.9).length"
    count = panel.locator("button, select, .toggle, input:not([role=switch])").evaluate_all(small)
    return ["small things in the menu"] * count


@LANGUAGES
@pytest.mark.long
def test_the_table_of_an_onlooker(visit: Visit, server: LiveServer, language: str) -> None:
    visitor = visit(None, language=language, size=NARROW)
    view = mid_deal(server).view
    bots = [seat | {"name": None, "bot": "greedy"} for seat in view["table"]["seats"]]
    Scene(view | {"table": view["table"] | {"seats": bots}, "you": None}).show(visitor)
    visitor.button("page-take-bot-seat").wait_for()
    faults = check(visitor, "onlooker")
    visitor.button("page-more").click()
    faults += check(visitor, "an onlooker's panel")
    assert not faults, "\n".join(faults)


def test_fingers_find_what_they_look_for(visit: Visit, server: LiveServer) -> None:
    visitor = visit("Ayşe", size=NARROW, touch=True)
    match = finished_match(server, visitor, deals=1)
    faults = []
    line = f"/position#{quote(LINE)}"
    for path in ("/", "/new", "/matches", f"/m/{match}", line, "/rules", "/settings", "/account"):
        visitor.go(path)
        visitor.page.wait_for_load_state("networkidle")
        small: list[str] = visitor.page.evaluate(SMALL)
        faults += [f"{path}: {line}" for line in small]
    assert not faults, "\n".join(faults)


@LANGUAGES
def test_score_sheets(visit: Visit, server: LiveServer, language: str, size: Size) -> None:
    """In the short form the one between deals, on a phone."""
    faults = []
    for name, moment in (("between deals", dealing), ("match over", over))[: size(1, long=2)]:
        visitor = visit("Ayşe", language=language, size=(390, 844))
        moment(server).show(visitor)
        visitor.page.locator(".sheet").wait_for()
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


def test_the_question_before_a_fine(visit: Visit, server: LiveServer) -> None:
    visitor = visit("Ayşe")
    moment = mid_deal(server)
    options = moment.view["you"]["options"]
    costs = [one | {"points": 101, "rule": "P2"} for one in options["discards"]]
    costly = moment.view | {"you": moment.view["you"] | {"options": options | {"discards": costs}}}
    type(moment)(costly).show(visitor)
    visitor.model.take(costly)
    visitor.slot(visitor.slot_of(costs[0]["tile"])).click()
    visitor.place("discard").click()
    visitor.question.wait_for()
    assert "101" in visitor.question.inner_text()
    faults = check(visitor, "question")
    assert not faults, "\n".join(faults)
    visitor.page.keyboard.press("Escape")
    assert visitor.question.count() == 0
    assert not any(message["type"] == "act" for message in visitor.sent)
