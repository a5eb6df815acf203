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
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from page.conftest import PAGE, arguments, chromium  # noqa: E402
from page.hands import Hands, dealt_out, play_until  # noqa: E402
from page.scenes import CROWD, mid_deal, people  # noqa: E402
from page.visitors import Visitor  # noqa: E402
from server.accounts.people import PASSWORD  # noqa: E402
from server.live import LiveServer  # noqa: E402

OUT = ROOT / "docs" / "img"
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
REVIEWED_MS = 600_000
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
    with (
        TemporaryDirectory() as folder,
        LiveServer(bot_delay_ms=50) as server,
        sync_playwright() as running,
    ):
        data = Path(folder) / "data"
        link = people(data)
        browser = running.chromium.launch(executable_path=executable, args=arguments())
        for size in SIZES:
            shots = _shots(browser, server, size, options.language)
            of_people = _shots_of_people(browser, data, link, size, options.language)
            for name, picture in (*of_people, *shots):
                path = options.out / f"page-{name}-{size}.webp"
                path.write_bytes(picture)
                print(f"{len(picture) // 1024:4} kB  {path.relative_to(options.out.parent)}")
        browser.close()
    return 0


def _shots(
    browser: Browser, server: LiveServer, size: str, language: str
) -> Iterator[tuple[str, bytes]]:
    """The name and the picture of each screen."""

    def visitor() -> Visitor:
        return _visitor(browser, server, NAMES[0], size, language)

    picture = _picture
    person = visitor()
    match = ""
    for name, found in _match(server, person):
        match = found
        yield name, picture(person)
    table = person.make(listed=True, bots=[None, None, "greedy", "steady"])
    paths = {
        "start": "/", "create": "/new", "matches": "/matches", "replay": f"/m/{match}",
        "review": f"/m/{match}", "rules": "/rules", "settings": "/settings",
        "account": "/account", "puzzle": "/puzzle", "lesson": "/learn", "room": f"/t/{table}",
    }  # fmt: skip
    for name, path in paths.items():
        person.go(path)
        person.page.wait_for_load_state("networkidle")
        if name == "replay":
            slider = person.page.get_by_role("slider")
            slider.fill(str(int(slider.get_attribute("max") or 0) * 2 // 3))
        elif name == "review":
            person.button("page-review").click()
            person.page.locator(".review p.luck").first.wait_for(timeout=REVIEWED_MS)
        elif name == "room" and size == "desktop":
            person.resize(800, 600)  # a README shows it small
        yield name, picture(person)
    person.close()
    person = visitor()
    mid_deal(server, names=NAMES).show(person)
    yield "table", picture(person)
    person.button("page-more").click()
    yield "panel", picture(person)
    person.close()


def _shots_of_people(
    browser: Browser, data: Path, link: str, size: str, language: str
) -> Iterator[tuple[str, bytes]]:
    """The same of the screens of people, for somebody who is known there."""
    paths = {"day": "/day", "friends": "/friends", "ladder": "/ladder", "profile": "/profile",
             "family": f"/f/{link}"}  # fmt: skip
    with LiveServer(data, daily="on") as server:
        person = _visitor(browser, server, None, size, language)
        person.context.request.post("/api/login", data={"name": CROWD[0], "password": PASSWORD})
        for name, path in paths.items():
            person.go(path)
            person.page.locator("main section :is(tr, li) >> visible=true").first.wait_for()
            yield name, _picture(person)
        person.close()


def _visitor(
    browser: Browser, server: LiveServer, name: str | None, size: str, language: str
) -> Visitor:
    return Visitor(
        browser, server, name, size=SIZES[size], language=language, touch=size == "phone"
    )


def _picture(who: Visitor) -> bytes:
    who.pump(0.5)
    window = who.context.new_cdp_session(who.page)
    taken = window.send("Page.captureScreenshot", {"format": "webp", "quality": 84})
    return base64.b64decode(taken["data"])


def _match(server: LiveServer, person: Visitor) -> Iterator[tuple[str, str]]:
    """Play two deals against bots in this window: the sheets after each, with the match."""
    answer = person.context.request.post("/api/play", data={"clock": 0, "deals": 2})
    table = answer.json()["table"]
    person.go(f"/t/{table}")
    person.wait_table()
    hands = Hands(person)
    play_until([hands], lambda: dealt_out(person))
    person.page.locator(".sheet").wait_for()
    yield "score", ""
    person.page.locator(".sheet button.main").last.click()
    person.until(lambda: not dealt_out(person), "the second deal")
    play_until([hands], lambda: dealt_out(person))
    person.page.locator(".luck > p:not(:empty)").first.wait_for(timeout=REVIEWED_MS)
    yield "over", f"{table}-1"


if __name__ == "__main__":
    sys.exit(main())
