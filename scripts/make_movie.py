"""Write docs/img/deal.webp: a finish, the next deal and an opening on the page, moving.

``make shots`` makes it together with the pictures. What Chromium shows of three moments is recorded
and thinned out; which tiles are dealt differs from run to run.
"""

from __future__ import annotations

import argparse
import base64
import io
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from page.conftest import PAGE, arguments, chromium  # noqa: E402
from page.scenes import Scene, before_opening, finished, mid_deal, opening  # noqa: E402
from page.visitors import Visitor  # noqa: E402
from server.live import LiveServer  # noqa: E402

OUT: Final = ROOT / "docs" / "img" / "deal.webp"
SIZE: Final = (1200, 720)
SHOWN: Final = (840, 504)
NAMES: Final = ("Ayşe", "Barış", "Cem", "Deniz")
BUILT_S: Final = 1.5
"""Until a table is put up."""
BEFORE_S: Final = 0.8
DEAL_S: Final = 5.5
OPENING_S: Final = 3.5
FINISH_S: Final = 7.0
"""With the sheet that follows it."""
LEAST_S: Final = 0.11
"""Frames that follow each other faster are left out."""
LAST_S: Final = 3


def main() -> int:
    """Record, and say how large it became."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", default="tr", choices=("tr", "en"))
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    executable = chromium()
    if executable is None or not PAGE.exists():
        print("needs Chromium, and the built page: make page", file=sys.stderr)
        return 1
    with LiveServer(bot_delay_ms=6_000) as server, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=executable, args=arguments())
        frames: list[tuple[float, bytes]] = []
        for moment in (_finish, _deal, _opening):
            visitor = Visitor(
                browser, server, NAMES[0], size=SIZE, language=options.language, moving=True
            )
            act, seconds = moment(visitor, server)
            follow = frames[-1][0] + 1 if frames else 0.0
            frames += _record(visitor, act, seconds, follow)
            visitor.close()
        browser.close()
    _write(options.out, frames)
    print(f"{options.out.stat().st_size // 1024:4} kB  {options.out.name}, {len(frames)} frames")
    return 0


Moment = tuple[Callable[[], object], float]
"""What begins it, and how many seconds it lasts."""


def _deal(visitor: Visitor, _: LiveServer) -> Moment:
    made = visitor.make(clock=0, deals=1, bots=[None, "greedy", "steady", "greedy"])
    visitor.go(f"/t/{made}")
    start = visitor.button("page-start")
    start.wait_for()
    return start.click, DEAL_S


def _opening(visitor: Visitor, server: LiveServer) -> Moment:
    view = before_opening(mid_deal(server, names=NAMES).view)
    stage = Scene(view).show(visitor)
    return lambda: stage.tell(**opening(view)), OPENING_S


def _finish(visitor: Visitor, server: LiveServer) -> Moment:
    view = mid_deal(server, names=NAMES).view
    stage = Scene(view).show(visitor)
    return lambda: stage.tell(**finished(view)), FINISH_S


def _record(
    visitor: Visitor, act: Callable[[], object], seconds: float, follow: float
) -> list[tuple[float, bytes]]:
    """What was shown, and when in seconds; the first at ``follow``."""
    frames: list[tuple[float, bytes]] = []
    window = visitor.context.new_cdp_session(visitor.page)

    def take(frame: dict[str, Any]) -> None:
        at = float(frame["metadata"]["timestamp"])
        if not frames or at - frames[-1][0] >= LEAST_S:
            frames.append((at, base64.b64decode(frame["data"])))
        window.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    visitor.pump(BUILT_S)
    window.on("Page.screencastFrame", take)
    window.send("Page.startScreencast", {"format": "jpeg", "quality": 92})
    while not frames:
        visitor.pump(0.1)
    visitor.pump(BEFORE_S)
    act()
    visitor.pump(seconds)
    window.send("Page.stopScreencast")
    return [(at - frames[0][0] + follow, data) for at, data in frames]


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
