"""Draw web/public/card.jpg, which messengers show beside an address of the page, and its icons.

    .venv/bin/python scripts/make_card.py

It needs Chromium, as the tests of the page do.
"""

from __future__ import annotations

import base64
import os
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

CARD = Path(__file__).resolve().parents[1] / "web" / "public" / "card.jpg"
SIZE = (1200, 630)
"""What messengers ask for."""
ICONS = (180, 192, 512)
"""What home screens ask for, in pixels."""
PLAIN = "body { margin: 0; background: #14522f } svg { display: block; width: 100vw }"
MASKED = (
    "body { margin: 0; background: radial-gradient(circle at 50% 34%, #2c8a55, #14522f 55%, #08291a"
    " 95%) } svg { display: block; width: 100vw; overflow: visible } svg > rect { display: none }"
    " svg > g { transform: translate(32px, 32px) scale(0.76) translate(-32px, -31.5px) }"
)
"""The mark alone on the felt, within what any mask leaves."""
INKS = {"R": "#c8102e", "Y": "#b07a00", "B": "#0b5cd5", "K": "#111"}
SHAPES = {
    "R": "M10 3a7 7 0 1 0 .01 0Z", "Y": "M10 1.5 18.5 10 10 18.5 1.5 10Z",
    "B": "M10 2 18.5 17.5H1.5Z", "K": "M3 3h14v14H3Z",
}  # fmt: skip
ROWS = (("R9", "R10", "R11", "R12"), ("K1", "B1", "Y1"))

STYLE = """
@font-face { font-family: numerals; src: url(data:font/woff2;base64,NUMERALS) }
@font-face { font-family: words; src: url(data:font/woff2;base64,WORDS) }
* { box-sizing: border-box }
body { margin: 0; width: 1200px; height: 630px; overflow: hidden; font-family: words;
  background: WOOD, linear-gradient(90deg, #4a2a10, #6b4019 12%, #5d3613 50%, #4a2a10) }
main { position: absolute; inset: 26px 26px 0; border-radius: 34px 34px 0 0;
  background: radial-gradient(58% 62% at 50% 36%, rgb(255 214 140 / 26%), transparent), NAP,
    radial-gradient(110% 100% at 50% 34%, #1d6b41, #10472b 58%, #061f13);
  box-shadow: 0 0 0 2px #1d0e03, 0 0 0 5px #b98a3c, 0 0 0 7px #1d0e03,
    inset 0 8px 30px rgb(0 0 0 / 60%) }
svg.mark { position: absolute; top: 44px; left: 50%; width: 250px; margin-left: -125px;
  filter: drop-shadow(0 10px 16px rgb(0 0 0 / 50%)) }
svg.mark > rect { display: none }
h1 { position: absolute; inset: 292px 0 auto; margin: 0; text-align: center; font-size: 78px;
  line-height: 1; color: #f2d28c; text-shadow: 0 4px 10px rgb(0 0 0 / 60%) }
div { position: absolute; bottom: 44px; display: flex }
div:first-of-type { left: 70px }
div:last-of-type { right: 70px }
i { display: flex; flex-direction: column; align-items: center; justify-content: space-evenly;
  width: 102px; height: 138px; padding-bottom: 9px; border-radius: 10px; font-style: normal;
  background: linear-gradient(#fffef9, #fff9ec 55%, #f3e9cf);
  box-shadow: inset 0 2px 0 #fff, inset 0 -9px 0 #bda365, inset 0 -10px 0 #fffdf4,
    inset 0 0 0 1px #cdbb8d, 0 4px 10px rgb(0 0 0 / 50%) }
i b { font: 700 76px/0.86 numerals; letter-spacing: -0.02em }
i svg { width: 32px; fill: none; stroke: currentcolor; stroke-width: 3.6 }
"""


def _tile(name: str, at: int) -> str:
    ink, shape = INKS[name[0]], SHAPES[name[0]]
    askew = (at * 5 % 7 - 3) * 0.4
    return (
        f'<i style="color:{ink};rotate:{askew}deg"><b>{name[1:]}</b>'
        f'<svg viewBox="0 0 20 20"><path d="{shape}"/></svg></i>'
    )


def _page(drawing: str) -> str:
    """The card: the mark and tiles as the table shows them, in its textures and fonts."""
    sources = CARD.parents[1] / "src"
    css = (sources / "app.css").read_text("utf-8")
    style = STYLE
    for name, file in (("NUMERALS", "numerals"), ("WORDS", "text")):
        font = (sources / "fonts" / f"{file}.woff2").read_bytes()
        style = style.replace(name, base64.b64encode(font).decode())
    for name in ("WOOD", "NAP"):
        style = style.replace(name, css.split(f"--{name.lower()}: ")[1].split(";\n")[0])
    rows = "".join(
        f"<div>{''.join(_tile(tile, at) for at, tile in enumerate(row))}</div>" for row in ROWS
    )
    mark = drawing.replace("<svg ", '<svg class="mark" ', 1)
    return f"<style>{style}</style><main>{mark}<h1>Okey 101</h1>{rows}</main>"


def draw() -> None:
    """Write the picture."""
    drawing = (CARD.parent / "icon.svg").read_text("utf-8")
    wanted = (
        os.environ.get("OKEY101_CHROMIUM"),
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    )
    found = next((path for name in wanted if name and (path := shutil.which(name))), None)
    arguments = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=found, args=arguments)
        page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
        page.set_content(_page(drawing))
        page.evaluate("() => document.fonts.ready.then(() => true)")
        page.screenshot(path=CARD, type="jpeg", quality=82)
        icons = [(str(side), side, PLAIN) for side in ICONS] + [("maskable", ICONS[-1], MASKED)]
        for name, side, style in icons:
            page.set_viewport_size({"width": side, "height": side})
            page.set_content(f"<style>{style}</style>{drawing}")
            page.screenshot(path=CARD.parent / f"icon-{name}.png")
        browser.close()


if __name__ == "__main__":
    draw()
