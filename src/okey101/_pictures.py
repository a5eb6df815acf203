"""Pictures of values in notebooks: the core asks here, and the public face says who draws them.

So the values of the core can show themselves without knowing the code that draws.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["drawn_by", "html_of", "svg_of"]

_drawers: list[Callable[[object], str | None]] = []


def drawn_by(draw: Callable[[object], str | None]) -> None:
    """Name the function that draws a value as SVG, None where it can't; it replaces the last."""
    _drawers[:] = [draw]


def svg_of(value: object) -> str | None:
    """The picture of a value; None, which shows as text, where nobody draws."""
    return _drawers[0](value) if _drawers else None


def html_of(value: object) -> str | None:
    """The picture in an element that never grows wider than its column."""
    svg = svg_of(value)
    if svg is None:
        return None
    return f'<div style="max-width:100%;overflow-x:auto">{svg}</div>'
