"""The page brings its own fonts: what the machine has is for what they lack alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error

from page.conftest import Visit
from page.scenes import mid_deal
from page.visitors import Visitor
from server.live import LiveServer

pytestmark = pytest.mark.fonts


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


@pytest.mark.parametrize("language", ["tr", "en"])
def test_every_word_is_drawn_in_the_fonts_of_the_page(
    visit: Visit, server: LiveServer, fonts: str, language: str
) -> None:
    # Where no phrases are shown: no font of the page has their faces.
    visitor = visit("Ayşe", language=language, size=(844, 390))
    visitor.go("/")
    assert "Okey Sans" in shown(visitor)
    mid_deal(server).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    used = shown(visitor)
    assert used == OWN, used


def test_what_the_fonts_lack_is_drawn_in_those_asked_for(
    visit: Visit, server: LiveServer, fonts: str
) -> None:
    visitor = visit("Ayşe")
    visitor.go("/")
    # Not in a place of the page's own, which may be drawn anew.
    visitor.page.evaluate(
        "() => { const words = document.createElement('p'); words.textContent = 'Ωж';"
        " document.body.append(words); }"
    )
    others = shown(visitor) - OWN
    assert others
    if fonts == "dejavu":
        assert others == {"DejaVu Sans"}
    else:
        assert not any("DejaVu" in family for family in others)
