"""Write docs/img/deal.webp: a deal on the page as a short moving picture.

``make shots`` makes it together with the pictures. What Chromium shows while somebody plays against
three bots is recorded and thinned out; which tiles are dealt differs from run to run.
"""

from __future__ import annotations

import argparse
import base64
import io
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from page.conftest import PAGE, arguments, chromium  # noqa: E402
from page.hands import Tapping, dealt_out  # noqa: E402
from page.visitors import Visitor  # noqa: E402
from server.live import LiveServer  # noqa: E402

OUT: Final = ROOT / "docs" / "img" / "deal.webp"
SIZE: Final = (1200, 720)
SHOWN: Final = (840, 504)
LENGTH_S: Final = 26
LEAST_S: Final = 0.2
"""Frames that follow each other faster are left out."""
LAST_S: Final = 3


def main() -> int:
    """Record, and say how large it became."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default="tr", choices=("tr", "en"))
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--tries", type=int, default=6, help="deals to begin until one opens")
    options = parser.parse_args()
    executable = chromium()
    if executable is None or not PAGE.exists():
        print("needs Chromium, and the built page: make page", file=sys.stderr)
        return 1
    with LiveServer(bot_delay_ms=450) as server, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=executable, args=arguments())
        best: list[tuple[float, bytes]] = []
        for _ in range(options.tries):
            visitor = Visitor(
                browser, server.url, "Ayşe", size=SIZE, language=options.language, moving=True
            )
            frames, opened = _record(visitor)
            visitor.close()
            if not best or opened:
                best = frames
            if opened:
                break
        browser.close()
    _write(options.out, best)
    print(f"{options.out.stat().st_size // 1024:4} kB  {options.out.name}, {len(best)} frames")
    return 0


def _record(visitor: Visitor) -> tuple[list[tuple[float, bytes]], bool]:
    """What was shown and when, in seconds; and whether the person opened."""
    frames: list[tuple[float, bytes]] = []
    window = visitor.context.new_cdp_session(visitor.page)

    def take(frame: dict[str, Any]) -> None:
        at = float(frame["metadata"]["timestamp"])
        if not frames or at - frames[-1][0] >= LEAST_S:
            frames.append((at, base64.b64decode(frame["data"])))
        window.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    window.on("Page.screencastFrame", take)
    table = visitor.make(clock=0, deals=1, bots=[None, "greedy", "steady", "greedy"])
    visitor.go(f"/t/{table}")
    hands = Tapping(visitor)
    visitor.button("page-start").click()
    visitor.wait_table()
    window.send("Page.startScreencast", {"format": "jpeg", "quality": 92})
    while not dealt_out(visitor):
        visitor.pump(0.1)
        if frames and frames[-1][0] - frames[0][0] > LENGTH_S:
            break
        if hands.step():
            visitor.pump(0.5)
    visitor.pump(1)
    window.send("Page.stopScreencast")
    return frames, any(word.startswith("open") for word in hands.done)


def _write(path: Path, frames: list[tuple[float, bytes]]) -> None:
    pictures = [
        Image.open(io.BytesIO(data)).convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS)
        for _, data in frames
    ]
    times = [at for at, _ in frames]
    lasts = [round(1000 * (b - a)) for a, b in pairwise(times)]
    pictures[0].save(
        path,
        save_all=True,
        append_images=pictures[1:],
        duration=[*(min(last, 1500) for last in lasts), LAST_S * 1000],
        loop=0,
        quality=58,
        method=4,
        minimize_size=True,
    )


if __name__ == "__main__":
    sys.exit(main())
