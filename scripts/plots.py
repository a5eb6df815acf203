"""What the pictures of curves have in common: the frame, a scale's lines, and words below."""

from __future__ import annotations

from typing import Final

__all__ = ["LEFT", "RIGHT", "TEXT", "WIDTH", "begun", "ended", "level", "place"]

WIDTH: Final = 640
LEFT: Final = 56
RIGHT: Final = 620
TEXT: Final = "text{fill:#57606a}.g{stroke:#8884}"
"""How words and lines of a scale look, on light pages and on dark ones."""


def begun(title: str, look: str, height: int) -> list[str]:
    """The first lines of a picture, as wide as ``WIDTH``."""
    box = f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="sans-serif" font-size="12"'
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>',
        f"<title>{title}</title>",
        f"<style>{look}</style>",
    ]


def level(y: float, words: str) -> list[str]:
    """A line of the scale, and what it stands for."""
    at = f"{y:.1f}"
    return [
        f'<line class="g" x1="{LEFT}" x2="{RIGHT}" y1="{at}" y2="{at}"/>',
        f'<text x="{LEFT - 8}" y="{at}" text-anchor="end">{words}</text>',
    ]


def place(x: float, y: float, words: str) -> str:
    """Words in the middle below a place."""
    return f'<text x="{x:.1f}" y="{y:.0f}" text-anchor="middle">{words}</text>'


def ended(y: float, words: str) -> list[str]:
    """What is shown, below all else, and the end of the picture."""
    return [place((LEFT + RIGHT) / 2, y, words), "</svg>", ""]
