"""Draw web/public/card.jpg, which messengers show beside an address of the page, and its icons.

    .venv/bin/python scripts/make_card.py

It needs Chromium, as the tests of the page do.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

CARD = Path(__file__).resolve().parents[1] / "web" / "public" / "card.jpg"
SIZE = (1200, 630)
"""What messengers ask for."""
ICONS = (180, 192, 512)
"""What home screens ask for, in pixels."""
PLAIN = "body { margin: 0; background: #14532d } svg { display: block; width: 100vw }"
INKS = {"R": "#c8102e", "Y": "#b07a00", "B": "#0b5cd5", "K": "#111"}
ROWS = (("R9", "R10", "R11", "R12"), ("K1", "B1", "Y1"), ("101",))

STYLE = """
* { box-sizing: border-box }
body { margin: 0; width: 1200px; height: 630px; display: grid; grid-template-rows: 250px 1fr 120px;
  background: radial-gradient(circle at 50% 35%, #1c6f44, #17603a 45%, #0e3b25);
  font-family: "DejaVu Sans Condensed", sans-serif; overflow: hidden }
h1 { margin: 0; padding-top: 70px; text-align: center; font-size: 120px; color: #fff9ec;
  letter-spacing: -0.02em; text-shadow: 0 4px 12px rgb(0 0 0 / 45%) }
main { display: flex; gap: 46px; align-items: end; justify-content: center; padding-bottom: 18px }
div { display: flex; gap: 8px }
i { display: grid; justify-items: center; align-content: start; width: 102px; height: 146px;
  padding-top: 10px; border-radius: 10px; font: 700 76px/1 "DejaVu Sans Condensed", sans-serif;
  letter-spacing: -0.06em; background: linear-gradient(#fffdf4, #fff9ec 60%, #efe3c4);
  box-shadow: 0 6px 0 #cdbb8b, 0 14px 22px rgb(0 0 0 / 45%) }
i::after { content: ""; width: 26px; height: 26px; margin-top: 14px; border: 6px solid;
  border-radius: 50% }
i.mark { width: 190px; height: 206px; font-size: 96px; color: #e2b04a;
  background: linear-gradient(#12201a, #0b1510); box-shadow: 0 6px 0 #050a08,
  0 14px 22px rgb(0 0 0 / 45%) }
footer { background: linear-gradient(#9a6a38, #6f4722 30%, #4d2f15);
  box-shadow: 0 -3px 0 #b98650 inset, 0 -10px 24px rgb(0 0 0 / 35%) }
"""


def _tile(name: str) -> str:
    if name == "101":
        return '<i class="mark">101</i>'
    return f'<i style="color:{INKS[name[0]]}">{name[1:]}</i>'


def draw() -> None:
    """Write the picture."""
    groups = "".join(f"<div>{''.join(map(_tile, row))}</div>" for row in ROWS)
    page_text = f"<style>{STYLE}</style><h1>Okey 101</h1><main>{groups}</main><footer></footer>"
    wanted = (os.environ.get("OKEY101_CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    found = next((path for name in wanted if name and (path := shutil.which(name))), None)
    arguments = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=arguments)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.set_content(page_text)
        page.screenshot(path=CARD, type="jpeg", quality=82)
        drawing = (CARD.parent / "icon.svg").read_text("utf-8")
        for side in ICONS:
            page.set_viewport_size({"width": side, "height": side})
            page.set_content(f"<style>{PLAIN}</style>{drawing}")
            page.screenshot(path=CARD.parent / f"icon-{side}.png")
        browser.close()


if __name__ == "__main__":
    draw()
