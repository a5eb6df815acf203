"""What a slow phone does in a frame of the page's moments, and what the page keeps in memory."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks.measure import quantile
from conftest import unwrap
from page.hands import Plain, dealt_out, play_by_requests
from page.scenes import Scene, before_opening, finished, mid_deal, opening
from page.visitors import Visitor
from server.live import LiveServer

__all__ = ["Moments", "Traced", "heap", "taps"]

_CATEGORIES = [
    "devtools.timeline", "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
]  # fmt: skip
_PAINTING = {"PrePaint", "Paint", "Layerize", "Commit", "UpdateLayer", "CompositeLayers"}
"""A machine without a graphics card paints in software."""
_FRAME = "DrawFrame"
"""A frame is seen: often one that the compositor moves on by itself, for which no script runs."""
_PHONE = (390, 844)
_MEGA = 1_000_000
_PLAIN = 5
"""At least so many plain turns are counted."""


@dataclass(frozen=True)
class Traced:
    """Milliseconds of the page's thread: tasks and frames without their painting, and that."""

    tasks: Sequence[float]
    frames: Sequence[float]
    painting: Sequence[float]

    @property
    def longest(self) -> float:
        """The longest task of script, style and layout."""
        return max(self.tasks)

    @property
    def usual(self) -> float:
        """What 95 % of the frames do not exceed."""
        return quantile(self.frames, 0.95)


class Moments:
    """The deal, an opening, a finish and drags, as on a processor so many times slower.

    They are traced at full speed and multiplied: a processor that the browser slows down counts
    what other programs take as well.
    """

    def __init__(self, browser: Any, server: LiveServer, slowdown: int) -> None:
        self._browser, self._server, self._slowdown = browser, server, slowdown

    def _visitor(self) -> Visitor:
        return Visitor(
            self._browser, self._server, "Ayşe", size=_PHONE, touch=True, moving=True,
            worker=False,
        )  # fmt: skip

    def _traced(self, visitor: Visitor, act: Callable[[], object], seconds: float) -> Traced:
        """Trace what follows an act, from outside: what is asked of the page takes its time."""
        self._browser.start_tracing(page=visitor.page, categories=_CATEGORIES)
        act()
        visitor.pump(seconds)
        events = json.loads(self._browser.stop_tracing())["traceEvents"]
        visitor.close()
        return traced(events, self._slowdown)

    def deal(self) -> Traced:
        """From the press of the owner until the tiles are sorted."""
        visitor = self._visitor()
        bots = [None, "greedy", "greedy", "greedy"]
        visitor.go(f"/t/{visitor.make(clock=0, deals=1, bots=bots)}")
        start = visitor.button("page-start")
        start.wait_for()
        box = unwrap(start.bounding_box())
        # Where it is has been asked before: a search for a button runs in the page's own thread.
        return self._traced(
            visitor, lambda: visitor.page.mouse.click(box["x"] + 9, box["y"] + 9), 5
        )

    def opening(self) -> Traced:
        """The left player lays three melds, one after the other."""
        visitor = self._visitor()
        view = before_opening(mid_deal(self._server).view)
        stage = Scene(view).show(visitor)
        visitor.pump(1)
        return self._traced(visitor, lambda: stage.tell(**opening(view)), 3)

    def finish(self) -> Traced:
        """The left player finishes, and wins the match."""
        visitor = self._visitor()
        view = mid_deal(self._server).view
        stage = Scene(view).show(visitor)
        visitor.pump(1)
        return self._traced(visitor, lambda: stage.tell(**finished(view)), 6)

    def drag(self) -> Traced:
        """Three tiles go round over the table and into another slot."""
        visitor = self._visitor()
        mid_deal(self._server).show(visitor)
        visitor.pump(1)
        corners = [
            (box["x"] + 9, box["y"] + 9)
            for slot in visitor.page.locator("[data-source^='slot:']:has(.face)").all()
            if (box := slot.bounding_box())
        ]
        fingers = visitor.context.new_cdp_session(visitor.page)

        def finger(kind: str, *points: tuple[float, float]) -> None:
            touches = [{"x": x, "y": y} for x, y in points]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        def drags() -> None:
            for start, end in zip(corners[:3], reversed(corners[-3:]), strict=True):
                finger("touchStart", start)
                for step in range(1, 26):
                    middle = _PHONE[0] / 2, _PHONE[1] / 3
                    finger("touchMove", _between(start, middle, step / 25))
                for step in range(1, 26):
                    finger("touchMove", _between(middle, end, step / 25))
                finger("touchEnd")

        return self._traced(visitor, drags, 1)


def _between(
    one: tuple[float, float], other: tuple[float, float], share: float
) -> tuple[float, float]:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share


def traced(events: Sequence[dict[str, Any]], slowdown: int) -> Traced:
    """Tasks, frames and painting of the page's own thread, by its own clock where it has one."""
    threads = [(e["pid"], e["tid"]) for e in events if e["name"] == "Paint"]
    thread = max(set(threads), key=threads.count)
    mine = sorted(
        (e for e in events if (e["pid"], e["tid"]) == thread), key=lambda event: event["ts"]
    )
    spent = [
        (e["ts"], e["ts"] + e["dur"], e["tdur"] * slowdown / 1000, e["name"])
        for e in mine
        if "tdur" in e
    ]
    paints = [one for one in spent if one[3] in _PAINTING]
    tasks = [one for one in spent if one[3] == "RunTask"]
    work = [
        (begun, took - sum(p for at, _, p, _ in paints if begun <= at < ended))
        for begun, ended, took, _ in tasks
    ]
    starts = sorted(e["ts"] for e in events if e["name"] == _FRAME and e["pid"] == thread[0])
    frames = [
        sum(took for at, took in work if begun <= at < ended) for begun, ended in pairwise(starts)
    ]
    return Traced([took for _, took in work], frames, [took for _, _, took, _ in paints])


def taps(browser: Any, server: LiveServer) -> tuple[float, float]:
    """Taps a turn over whole deals, and a plain one: draw, choose, throw."""
    turns: list[tuple[int, bool]] = []
    while sum(is_plain for _, is_plain in turns) < _PLAIN:
        visitor = Visitor(browser, server, "Umut", size=_PHONE, touch=True, worker=False)
        visitor.play_bots()
        hands = Plain(visitor)
        while not dealt_out(visitor):
            turns.append(hands.turn())
        visitor.close()
    plain = [count for count, is_plain in turns if is_plain]
    return sum(count for count, _ in turns) / len(turns), sum(plain) / len(plain)


def heap(browser: Any, server: LiveServer, deals: Sequence[int]) -> list[float]:
    """Megabytes of scripts' memory in the deal after so many, what is done with collected."""
    visitor = Visitor(browser, server, "Ayşe", size=_PHONE, touch=True, worker=False)
    bots = [None, "greedy", "greedy", "greedy"]
    visitor.begin(visitor.make(clock=0, deals=max(deals) + 1, bots=bots))
    wire = visitor.context.new_cdp_session(visitor.page)
    found = []
    for number in range(1, max(deals) + 1):
        play_by_requests(visitor, lambda: dealt_out(visitor))
        visitor.button_like("page-next-deal").click()
        visitor.until(lambda: not dealt_out(visitor), "the next deal")
        if number in deals:
            wire.send("HeapProfiler.collectGarbage")
            found.append(wire.send("Runtime.getHeapUsage")["usedSize"] / _MEGA)
    visitor.close()
    return found
