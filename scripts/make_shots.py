"""Write docs/img/page-*.webp: every screen of the page, at phone and desktop size.

``make shots``. The page has to be built, and Chromium has to be there. Which tiles are dealt
differs from run to run.
"""

from __future__ import annotations

import argparse
import base64
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from page.conftest import PAGE, arguments, chromium  # noqa: E402
from page.scenes import Scene, dealing, finished_match, mid_deal, over  # noqa: E402
from page.visitors import Visitor  # noqa: E402
from server.live import LiveServer  # noqa: E402

OUT = ROOT / "docs" / "img"
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
NAMES = ("Ayşe", "Barış", "Cem", "Deniz")


def main() -> int:
    """Take the pictures, and say how large each is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default="tr", choices=("tr", "en"))
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    executable = chromium()
    if executable is None or not PAGE.exists():
        print("needs Chromium, and the built page: make page", file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    with LiveServer(bot_delay_ms=50) as server:
        scenes = {
            "table": mid_deal(server, names=NAMES),
            "score": dealing(server, names=NAMES),
            "over": over(server, names=NAMES),
        }
        with sync_playwright() as running:
            browser = running.chromium.launch(executable_path=executable, args=arguments())
            for size in SIZES:
                for name, picture in _shots(browser, server, scenes, size, options.language):
                    path = options.out / f"page-{name}-{size}.webp"
                    path.write_bytes(picture)
                    print(f"{len(picture) // 1024:4} kB  {path.relative_to(options.out.parent)}")
            browser.close()
    return 0


def _shots(
    browser: Browser, server: LiveServer, scenes: dict[str, Scene], size: str, language: str
) -> Iterator[tuple[str, bytes]]:
    """The name and the picture of each screen."""

    def visitor() -> Visitor:
        return Visitor(
            browser, server.url, NAMES[0], size=SIZES[size], language=language,
            touch=size == "phone",
        )  # fmt: skip

    def picture(who: Visitor) -> bytes:
        who.pump(0.5)
        window = who.context.new_cdp_session(who.page)
        taken = window.send("Page.captureScreenshot", {"format": "webp", "quality": 84})
        return base64.b64decode(taken["data"])

    person = visitor()
    match = finished_match(server, person, deals=1)
    table = person.make(listed=True, bots=[None, None, "greedy", "steady"])
    paths = {
        "start": "/", "create": "/new", "matches": "/matches", "replay": f"/m/{match}",
        "rules": "/rules", "settings": "/settings", "account": "/account", "room": f"/t/{table}",
    }  # fmt: skip
    for name, path in paths.items():
        person.go(path)
        person.page.wait_for_load_state("networkidle")
        if name == "replay":
            slider = person.page.get_by_role("slider")
            slider.fill(str(int(slider.get_attribute("max") or 0) * 2 // 3))
        yield name, picture(person)
    person.close()
    for name, moment in scenes.items():
        person = visitor()
        moment.show(person)
        person.page.get_by_role("grid").wait_for()
        yield name, picture(person)
        if name == "table":
            person.button("page-more").click()
            yield "panel", picture(person)
        person.close()


if __name__ == "__main__":
    sys.exit(main())
