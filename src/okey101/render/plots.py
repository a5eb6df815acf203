"""Plots as SVG for reports: bars, histograms, intervals, curves, in the page's own colours.

They use the CSS classes ``axis``, ``grid``, ``label`` and ``s0`` to ``s11`` (a series each), so
that a page shows them light or dark. Each has a title and a description for those who don't see it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

from okey101.i18n import Texts

SERIES: Final = 12
"""So many series have a colour of their own."""

_WIDTH = 720
_LINE = 26
_LETTER = 7.2


class Interval(NamedTuple):
    """A value with the two ends of its interval."""

    label: str
    mean: float
    low: float
    high: float


class Series(NamedTuple):
    """A row of values, one for each group of bars."""

    label: str
    values: Sequence[float]


class Dot(NamedTuple):
    """A place on a curve that is marked, in the colour of a series."""

    x: float
    y: float
    series: int
    label: str


_STYLE: Final = """
:root{color-scheme:light dark;--page:#faf7f0;--ink:#1d2421;--quiet:#5b6660;--line:#d9d4c7;
--s0:#1f6f50;--s1:#b5651d;--s2:#2b5fa8;--s3:#a32c3f;--s4:#6b4fa0;--s5:#7a7a1f;--s6:#26828e;--s7:#8c5a6b;
--s8:#4d4d4d;--s9:#d06bb0;--s10:#5a9bd4;--s11:#9acd4b;
--good:31,111,80;--bad:163,44,63}
@media (prefers-color-scheme:dark){:root{--page:#12201a;--ink:#ece7da;--quiet:#a9b3ac;
--line:#33453c;
--s0:#58c295;--s1:#e5a055;--s2:#7fb0ee;--s3:#ef8391;--s4:#b8a1ec;--s5:#d0cf6a;--s6:#6ccdd8;--s7:#d9a5b7;
--s8:#c4c4c4;--s9:#b8559a;--s10:#4f86b8;--s11:#6f9a2f;
--good:88,194,149;--bad:239,131,145}}
*{box-sizing:border-box}
body{margin:0 auto;padding:2rem 1rem 4rem;max-width:60rem;background:var(--page);color:var(--ink);
font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 .5rem}
p{margin:.4rem 0}.quiet{color:var(--quiet)}.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem}
svg{width:100%;height:auto;max-width:720px;display:block}
.label{font:12px system-ui,sans-serif;fill:var(--quiet)}
.grid{stroke:var(--line);stroke-width:1}.axis{stroke:var(--ink);stroke-width:1.2}
"""


def page(language: str, title: str, style: str, parts: Iterable[str]) -> str:
    """A report as one page that needs nothing else, light or dark as its reader's system is."""
    body = "\n".join(parts)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n{body}\n"
        "</body>\n</html>\n"
    )


def _written(texts: Texts, value: float) -> str:
    return texts.written(f"{value:.4g}")


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers that cover a range.

    >>> ticks(-3.2, 9.1)
    [-4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    >>> ticks(0, 0)
    [0.0, 0.2]
    """
    spread = high - low if high - low > 1e-9 else 1.0
    raw = spread / most
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * n for n in (1, 2, 5, 10) if unit * n >= raw)
    first = math.floor(low / step)
    last = max(math.ceil(high / step), first + 1)
    return [number * step for number in range(first, last + 1)]


def _scale(marks: Sequence[float], start: float, end: float) -> Callable[[float], float]:
    """Where a value stands on an axis whose outer marks lie at these places."""
    return lambda value: start + (value - marks[0]) / (marks[-1] - marks[0]) * (end - start)


def intervals(texts: Texts, rows: Sequence[Interval], title: str, description: str) -> str:
    """A dot with its interval for each row, and a line at zero."""
    left = 16 + _LETTER * max((len(row.label) for row in rows), default=0)
    right, top = _WIDTH - 24, 12
    height = top + _LINE * len(rows) + 34
    marks = ticks(min([0.0, *(r.low for r in rows)]), max([0.0, *(r.high for r in rows)]))
    x = _scale(marks, left, right)
    parts = [_across(texts, x(m), top, height - 26, m) for m in marks]
    for number, row in enumerate(rows):
        y = top + _LINE * (number + 0.5)
        parts.append(_label(left - 10, y + 4, row.label, "end"))
        parts.append(
            _mark("line", "s0 stroke", x1=x(row.low), x2=x(row.high), y1=y, y2=y)
            + _mark("circle", "s0", cx=x(row.mean), cy=y, r="5")
        )
    return _svg(height, title, description, parts)


def histogram(
    texts: Texts, bins: Sequence[tuple[float, float]], width: float, title: str, description: str
) -> str:
    """Bars beside each other: the lower end of each and how many there are."""
    low = min((start for start, _ in bins), default=0.0)
    high = max((start + width for start, _ in bins), default=width)
    top, bottom, left, right = 12.0, 232.0, 56.0, _WIDTH - 16.0
    most = max([1.0, *(count for _, count in bins)])
    marks, counts = ticks(low, high, 9), ticks(0.0, most, 4)
    x, y = _scale(marks, left, right), _scale(counts, bottom, top)
    parts = [_along(texts, left, right, y(m), m) for m in counts]
    parts += [_across(texts, x(m), top, bottom, m) for m in marks]
    for start, count in bins:
        wide, high = max(1.0, x(start + width) - x(start) - 1), bottom - y(count)
        parts.append(_mark("rect", "s0", x=x(start) + 0.5, y=y(count), width=wide, height=high))
    return _svg(bottom + 28, title, description, parts)


def bars(
    texts: Texts, groups: Sequence[str], series: Sequence[Series], title: str, description: str
) -> str:
    """For each group a bar of each series, with a key above where there are several."""
    parts, lines = _key(series)
    top, left, right = 12.0 + 22 * lines, 56.0, _WIDTH - 16.0
    bottom = top + 200
    marks = ticks(0.0, max([0.001, *(value for one in series for value in one.values)]), 4)
    room = (right - left) / max(1, len(groups))
    wide = min(44.0, room * 0.8 / max(1, len(series)))
    y = _scale(marks, bottom, top)
    parts += [_along(texts, left, right, y(m), m) for m in marks]
    for at, group in enumerate(groups):
        middle = left + room * (at + 0.5)
        parts.append(_label(middle, bottom + 18, group, "middle"))
        for number, one in enumerate(series):
            x = middle + wide * (number - len(series) / 2)
            value = one.values[at]
            words = f"{one.label}, {group}: {_written(texts, value)}"
            told = f"<title>{escape(words)}</title>"
            kind, high = f"s{number % SERIES}", bottom - y(value)
            parts.append(
                _mark("rect", kind, told, x=x + 0.5, y=y(value), width=wide - 1, height=high)
            )
    return _svg(bottom + 28, title, description, parts)


def curve(
    texts: Texts, points: Sequence[tuple[float, float]], dots: Sequence[Dot], title: str,
    description: str,
) -> str:  # fmt: skip
    """A line through points, from left to right, with some places marked and a line at zero.

    It uses the class ``path`` besides.
    """
    top, bottom, left, right = 12.0, 232.0, 56.0, _WIDTH - 16.0
    marks = ticks(min([0.0, *(y for _, y in points)]), max([1.0, *(y for _, y in points)]), 5)
    last = max([1.0, *(x for x, _ in points)])
    x, y = _scale((0.0, last), left, right), _scale(marks, bottom, top)
    parts = [_along(texts, left, right, y(m), m) for m in marks]
    parts.append(_mark("line", "axis", x1=left, x2=right, y1=y(0), y2=y(0)))
    way = " ".join(f"{x(at):.1f},{y(value):.1f}" for at, value in points)
    parts.append(_mark("polyline", "path", points=way))
    for dot in dots:
        told = f"<title>{escape(dot.label)}: {_written(texts, dot.y)}</title>"
        parts.append(_mark("circle", f"s{dot.series}", told, cx=x(dot.x), cy=y(dot.y), r="5"))
    return _svg(bottom + 12, title, description, parts)


def _key(series: Sequence[Series]) -> tuple[list[str], int]:
    """A key in as many lines as it takes, and their number; one series alone needs none."""
    parts: list[str] = []
    lines, used = min(1, len(series) - 1), 0.0
    for number, one in enumerate(series if lines else ()):
        width = 30 + _LETTER * len(one.label)
        if used and used + width > _WIDTH - 80:
            lines, used = lines + 1, 0.0
        x, y = 56.0 + used, 22.0 * lines - 6
        kind = f"s{number % SERIES}"
        parts.append(_mark("rect", kind, x=x, y=y - 10, width="12", height="12", rx="2"))
        parts.append(_label(x + 18, y, one.label, "start"))
        used += width
    return parts, lines


def _across(texts: Texts, x: float, top: float, bottom: float, value: float) -> str:
    kind = "axis" if abs(value) < 1e-12 else "grid"
    line = _mark("line", kind, x1=x, x2=x, y1=top, y2=bottom)
    return line + _label(x, bottom + 18, _written(texts, value), "middle")


def _along(texts: Texts, left: float, right: float, y: float, value: float) -> str:
    line = _mark("line", "grid", x1=left, x2=right, y1=y, y2=y)
    return line + _label(left - 8, y + 4, _written(texts, value), "end")


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return _mark("text", "label", escape(text), x=x, y=y, text_anchor=anchor)


def _mark(name: str, kind: str, within: str | None = None, **attributes: float | str) -> str:
    """An element of a class, which may hold others."""
    told = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else f"{value:.1f}"}"'
        for key, value in attributes.items()
    )
    return f'<{name} class="{kind}"{told}' + ("/>" if within is None else f">{within}</{name}>")


def _svg(height: float, title: str, description: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{''.join(parts)}</svg>"
    )
