"""Plots for reports: they hold what they are given, inside their frame, and say it in words."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from okey101.render.plots import Interval, Series, bars, histogram, intervals, ticks

SVG = ET.fromstring


def test_ticks_cover_the_range_with_round_numbers() -> None:
    for low, high in ((-0.02, 0.05), (0, 1), (-400, 37), (5, 5)):
        found = ticks(low, high)
        assert found[0] <= low
        assert found[-1] >= high
        assert len(found) <= 10


def test_intervals_stand_where_their_values_are() -> None:
    rows = [Interval("a & b", -5, -7, -3), Interval("<c>", 2, 1, 4)]
    root = SVG(intervals(rows, "T", "D"))
    assert [root[0].text, root[1].text] == ["T", "D"]
    dots = [float(c.get("cx", "")) for c in root.iter("circle")]
    zero = next(float(e.get("x1", "")) for e in root.iter("line") if e.get("class") == "axis")
    assert dots[0] < zero < dots[1]
    assert {"a & b", "<c>"} <= {e.text for e in root.iter("text")}


def test_bars_are_as_high_as_their_values() -> None:
    root = SVG(bars(["x", "y"], [Series("one", [1, 2]), Series("two", [0, 4])], "T", "D"))
    heights = [float(e.get("height", "")) for e in root.iter("rect") if e.find("title") is not None]
    assert heights[0] > 0 == heights[2 - 1]
    assert heights[3] == 2 * heights[2] == 4 * heights[0]
    box = [float(n) for n in root.get("viewBox", "").split()]
    for part in root.iter("rect"):
        x, wide = float(part.get("x", "")), float(part.get("width", ""))
        assert 0 <= x < x + wide <= box[2]


def test_a_histogram_has_a_bar_for_each_bin() -> None:
    root = SVG(histogram([(-20, 3), (-10, 0), (0, 9)], 10, "T", "D"))
    heights = [float(e.get("height", "")) for e in root.iter("rect")]
    assert len(heights) == 3
    assert heights[2] == 3 * heights[0]
