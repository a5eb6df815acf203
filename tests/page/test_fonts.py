"""The page is measured in the fonts that were asked for, whatever else the machine has."""

from __future__ import annotations

import pytest

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
    fonts = [
        window.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        for node in found["nodeIds"]
    ]
    return {font["familyName"] for used in fonts for font in used}


def test_chromium_finds_the_fonts_asked_for_alone(
    visit: Visit, server: LiveServer, fonts: str
) -> None:
    visitor = visit("Ayşe")
    visitor.go("/")
    families = shown(visitor)
    mid_deal(server).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    families |= shown(visitor)
    if fonts == "dejavu":
        assert families == {"DejaVu Sans"}
    else:
        assert families
        assert not any("DejaVu" in family for family in families)
