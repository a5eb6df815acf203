"""The page in Chromium on loopback, the processor slowed down four times, from start to finish."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measure import median, table

if TYPE_CHECKING:
    from benchmarks.page_frames import Traced

__all__ = ["report"]

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "src" / "okey101" / "_web"
NAMES = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")
SLOWDOWN = 4
ROUNDS = 7
SIZE = {"width": 390, "height": 844}
SLOW_LINE = {
    "offline": False,
    "downloadThroughput": 1.6 * 1024 * 1024 / 8 * 0.9,
    "uploadThroughput": 750 * 1024 / 8 * 0.9,
    "latency": 562.5,
}
"""What Chromium's developer tools call a slow 4G."""
AIMS = {"render": "1,500 ms", "fonts": "30 kB"}

_NOTE_READY = """new MutationObserver((_, watch) => {
    if (!document.querySelector("button.play")) return;
    window.readyAt = performance.now();
    watch.disconnect();
}).observe(document, {childList: true, subtree: true});"""
_PICTURES = (".svg", ".png", ".webp", ".jpg")
_DEALS = (10, 30, 50)
_UNTOUCHED_MS = 3000
"""How long a slow visit is left alone: what a driver runs in the page takes its time from it."""
_QUIET_MS = 8000
"""After so long without a sound the device sleeps."""
_THINKING_S = 10
_PAINT = """() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    bytes: performance.getEntriesByType("resource").map((entry) => new URL(entry.name).pathname)
        .filter((path) => path.startsWith("/assets/")),
})"""


def _chromium() -> str:
    wanted = (os.environ.get("OKEY101_CHROMIUM"), *NAMES)
    found = next((path for name in wanted if name and (path := shutil.which(name))), None)
    if found is None or not (BUILT / "index.html").exists():
        raise SystemExit("the section `page` needs Chromium and the built page (make page)")
    return found


class Browsing:
    """Windows of a slow phone at one server."""

    def __init__(self, browser: Any, url: str) -> None:
        self._browser, self._url = browser, url

    def window(self) -> tuple[Any, Any]:
        """A fresh window, nothing in its cache, and the wire to slow it down."""
        context = self._browser.new_context(
            base_url=self._url, viewport=SIZE, has_touch=True, service_workers="block"
        )
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        return page, wire

    def start(self) -> tuple[float, float, list[str]]:
        """Milliseconds to the first paint and to a button one can press; the files loaded."""
        page, _ = self.window()
        page.goto("/", wait_until="commit")
        page.locator("button.play").first.wait_for()
        ready = page.evaluate("() => performance.now()")
        found = page.evaluate(_PAINT)
        page.context.close()
        return found["paint"], ready, found["bytes"]

    def slow(self) -> tuple[float, float, float, float, float]:
        """A first and a second visit over a slow line: first content and ready of each, in ms.

        The last figure is the kilobytes that came over the wire until one could press play.
        """
        context = self._browser.new_context(base_url=self._url, viewport=SIZE, has_touch=True)
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", SLOW_LINE)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        context.add_init_script(_NOTE_READY)
        seen: list[float] = []
        loaded: list[int] = []
        wire.on("Network.loadingFinished", lambda event: loaded.append(event["encodedDataLength"]))
        bytes_first = 0.0
        for visit in range(2):
            page.goto("/", wait_until="commit")
            page.wait_for_timeout(_UNTOUCHED_MS)
            page.wait_for_function("() => window.readyAt")
            ready = page.evaluate("() => window.readyAt")
            if visit == 0:
                bytes_first = sum(loaded) / 1000
            page.wait_for_function("() => performance.getEntriesByType('paint').length === 2")
            seen += [page.evaluate(_PAINT)["paint"], ready]
            page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
            page.wait_for_timeout(6000)  # what is fetched behind the screen has come
        context.close()
        return seen[0], seen[1], seen[2], seen[3], bytes_first

    def play(self) -> tuple[float, list[str]]:
        """Milliseconds from the tap to a full rack, and the files of the first table."""
        page, _ = self.window()
        page.goto("/")
        page.locator(".ways button").nth(1).click()
        since = page.evaluate("() => performance.now()")
        page.locator("[data-source='slot:20'] .face, [data-source='slot:0'] .face").first.wait_for()
        until = page.evaluate("() => performance.now()")
        page.wait_for_timeout(3000)  # the tiles that fly at the start have landed
        files = page.evaluate(_PAINT)["bytes"]
        page.context.close()
        return until - since, files

    def thinking(self, clock: int) -> float:
        """The share of a core that the browser takes while somebody sits at a table and thinks.

        ``clock`` is the seconds a turn has, 0 for a table without a clock.
        """
        context = self._browser.new_context(base_url=self._url, viewport=SIZE, has_touch=True)
        page, processes = context.new_page(), self._browser.new_browser_cdp_session()

        def spent() -> float:
            found = processes.send("SystemInfo.getProcessInfo")["processInfo"]
            return sum(float(process["cpuTime"]) for process in found)

        context.request.post("/api/guests", data={"name": "Ada"})
        answer = context.request.post("/api/play", data={"clock": clock})
        page.goto(f"/t/{answer.json()['table']}")
        page.locator("[data-source='slot:20'] .face, [data-source='slot:0'] .face").first.wait_for()
        page.wait_for_timeout(_QUIET_MS)
        before = spent()
        page.wait_for_timeout(1000 * _THINKING_S)
        share = (spent() - before) / _THINKING_S
        context.close()
        return share


def _size(paths: list[str]) -> float:
    """Kilobytes of built files, as gzip packs them."""
    names = {path.removeprefix("/") for path in paths}
    return sum(len(gzip.compress((BUILT / name).read_bytes(), 9)) for name in names) / 1000


def _pictures(paths: list[str]) -> float:
    """Kilobytes of pictures among built files, and of those drawn within their styles."""
    names = [path.removeprefix("/") for path in paths]
    drawn = re.compile(r'url\("data:image[^"]*"\)|url\(data:image[^)]*\)')
    sizes = [(BUILT / name).stat().st_size for name in names if name.endswith(_PICTURES)]
    styles = [
        (BUILT / name).read_text("utf-8") for name in names if name.endswith((".css", ".html"))
    ]
    return (sum(sizes) + sum(len(one) for text in styles for one in drawn.findall(text))) / 1000


def report() -> str:
    """The section of results.md."""
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(ROOT / "tests"))
    from benchmarks.page_frames import Moments, heap, taps
    from server.live import LiveServer

    executable = _chromium()
    arguments = ["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []
    with LiveServer(bot_delay_ms=60_000) as server, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=executable, args=arguments)
        browsing = Browsing(browser, server.url)
        browsing.start()
        starts = [browsing.start() for _ in range(ROUNDS)]
        plays = [browsing.play() for _ in range(3)]
        thinking = [median([browsing.thinking(clock) for _ in range(3)]) for clock in (0, 60)]
        slow = [*zip(*(browsing.slow() for _ in range(3)), strict=True)]
        moments = Moments(browser, server, SLOWDOWN)
        seen = {
            "the deal": moments.deal, "an opening": moments.opening, "the finish": moments.finish,
            "three drags": moments.drag,
        }  # fmt: skip
        traces = {name: [show() for _ in range(3)] for name, show in seen.items()}
        version = browser.version
        browser.close()
    with LiveServer(bot_delay_ms=5, deal_pause_s=60) as server, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=executable, args=arguments)
        every, plain = taps(browser, server)
        kept = heap(browser, server, _DEALS)
        browser.close()
    fonts = [path for path in plays[0][1] if path.endswith(".woff2")]
    code = [path for path in plays[0][1] if path not in fonts] + ["/index.html"]
    frames = [
        (f"{name}: longest task, 95 % of frames; painting besides", _frames(found), "50 ms, 16 ms")
        for name, found in traces.items()
    ]
    rows = [
        ("first paint of the start page", _ms([paint for paint, _, _ in starts]), AIMS["render"]),
        ("until one can press play", _ms([ready for _, ready, _ in starts]), AIMS["render"]),
        ("slow 4G, first visit: first content", _ms([*slow[0]]), AIMS["render"]),
        ("slow 4G, first visit: until one can press play", _ms([*slow[1]]), ""),
        ("slow 4G, first visit: over the wire until then", f"{median([*slow[4]]):.1f} kB", ""),
        ("slow 4G, second visit: first content", _ms([*slow[2]]), "500 ms"),
        ("slow 4G, second visit: until one can press play", _ms([*slow[3]]), ""),
        ("from the tap to a full rack", _ms([wait for wait, _ in plays]), ""),
        *frames,
        ("taps a turn, a plain one (draw, choose, throw)", f"{every:.1f}, {plain:.1f}", "3"),
        (
            f"scripts' memory after {', '.join(map(str, _DEALS))} deals",
            " ".join(f"{size:.1f}" for size in kept) + " MB",
            "30 MB, no growth",
        ),
        (
            "processor while somebody at a table thinks; beside a running clock",
            ", ".join(f"{100 * share:.1f} %" for share in thinking) + " of a core",
            "",
        ),
        ("pictures and textures of the first table", f"{_pictures(code):.1f} kB", "60 kB"),
        ("fonts", f"{_size(fonts):.1f} kB", AIMS["fonts"]),
        ("scripts and styles, gzip, with those fetched ahead", f"{_size(code):.1f} kB", ""),
    ]
    words = (
        f"Chromium {version} without a window, {SIZE['width']}x{SIZE['height']}, on the machine of "
        f"the server, the processor slowed down {SLOWDOWN} times through the browser's protocol, "
        f"nothing in the cache; medians of {ROUNDS} starts and 3 tables, the slowest in brackets. "
        "Tasks and frames are script, style and layout in the time of the page's own thread, "
        f"traced at full speed and multiplied by {SLOWDOWN}, medians of three rounds; a frame is "
        "what is seen, also where the compositor moves it on without the thread; painting, which "
        "is done in software here, stands apart. The memory is what is left once all that is "
        "done with was collected; the seat's moves are asked for at the server. "
        "What the first table cannot do without is held to 100 kB (gzip) by `npm run size` in each "
        "run of the tests."
    )
    return f"## The page\n\n{words}\n\n{table(('what', 'measured', 'aim'), rows)}\n"


def _frames(found: list[Traced]) -> str:
    longest = median([one.longest for one in found])
    painting = median([max(one.painting) for one in found])
    return f"{longest:.0f} ms, {median([one.usual for one in found]):.1f} ms; {painting:.0f} ms"


def _ms(times: list[float]) -> str:
    return f"{median(times):,.0f} ms ({max(times):,.0f})"
