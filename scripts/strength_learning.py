"""The learning curves of ``neural``'s networks in benchmarks/strength.md, and their picture.

What they gained pass by pass, and with shares of the deals, is in benchmarks/neural_learning.json
(``python scripts/train_neural.py curves``).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from plots import LEFT, RIGHT, TEXT, begun, ended, level, place
from strength_search import table

__all__ = ["PICTURE", "picture", "section"]

ROOT: Final = Path(__file__).resolve().parents[1]
LEARNED: Final = ROOT / "benchmarks" / "neural_learning.json"
PICTURE: Final = ROOT / "docs" / "img" / "neural.svg"
_HEIGHT, _TOP, _BOTTOM = 340, 44, 280
_LOOK: Final = TEXT + ".l{fill:none;stroke-width:2}"
_COLOURS: Final = {"altinstar": "#2a7f62", "pagat": "#b35900", "wiki": "#3b6fb6"}
_STEP: Final = 0.1
_TOLD: Final = """\
What the networks gain while they learn, on decisions left out: pass by pass through the decisions,
and after as many passes through some of them.

![Points that a network's choice gains over neural/2's, by passes](../docs/img/neural.svg)
"""
_STRENGTH: Final = """\
What bots with those networks score in development deals (seed 41; `python
scripts/neural_strength.py curve`), by how many decisions all four networks were trained on:
"""


def _learned() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(LEARNED.read_text(encoding="utf-8"))["networks"]
    return found


def _strength() -> list[str]:
    """The lines of the table of strength by decisions."""
    found = json.loads(LEARNED.read_text(encoding="utf-8"))["strength"]
    rows = [
        (
            preset,
            f"{one['decisions']:,}",
            f"{one['deals']:,}",
            *("{:+.1f} ± {:.1f}".format(*one[name]) for name in ("neural", "lead")),
        )
        for preset, parts in found.items()
        for one in parts
    ]
    head = ("preset", "decisions", "deals", "`neural` - `greedy`", "`neural` - `neural/2`")
    return [*_STRENGTH.splitlines(), "", *table(head, rows), ""]


def section() -> list[str]:
    """The lines of the curves."""
    learned = _learned()
    shares = sorted({float(share) for net in learned.values() for share in net["shares"]})
    rows = [
        (
            name.replace("-", ", "),
            f"{net['decisions']:,}",
            *(_gain(net["shares"].get(f"{share:g}")) for share in shares),
        )
        for name, net in learned.items()
    ]
    words = [f"{'all' if share == 1 else f'1 of {1 / share:.0f}'}" for share in shares]
    head = ("network", "decisions", *(f"{word} of them" for word in words))
    return [*_TOLD.splitlines(), "", *table(head, rows), "", *_strength()]


def _gain(found: list[float] | None) -> str:
    if found is None:
        return "-"
    mean, error = found
    return f"{mean:.2f} ± {error:.2f}"


def picture() -> str:
    """The curves: points that a choice gains, by passes; dashed after the opening."""
    learned = {name: net for name, net in _learned().items() if "taking" not in name}
    points = [point for net in learned.values() for point in net["curve"]]
    most: float = _STEP * (max(gain for _, gain, _ in points) // _STEP + 1)
    least: float = min(0.0, _STEP * (min(gain for _, gain, _ in points) // _STEP))
    last: float = max(part for part, _, _ in points)

    def x(part: float) -> float:
        return LEFT + part / last * (RIGHT - LEFT)

    def y(gain: float) -> float:
        return _BOTTOM - (gain - least) / (most - least) * (_BOTTOM - _TOP)

    lines = begun("What the networks of neural gain, by passes", _LOOK, _HEIGHT)
    for step in range(round((most - least) / _STEP) + 1):
        gain = least + _STEP * step
        lines += level(y(gain), f"{gain:.2f}")
    lines += [place(x(part), _BOTTOM + 18, str(part)) for part in range(1, round(last) + 1)]
    for nth, (name, net) in enumerate(learned.items()):
        preset, stage = name.split("-")
        look = f'stroke="{_COLOURS[preset]}"'
        look += ' stroke-dasharray="5 4"' if stage == "opened" else ""
        path = " ".join(f"{x(part):.1f},{y(gain):.1f}" for part, gain, _ in net["curve"])
        lines.append(f'<polyline class="l" {look} points="{path}"/>')
        left, top = LEFT + 190 * (nth // 2), 14 + 16 * (nth % 2)
        lines.append(
            f'<line class="l" {look} x1="{left}" x2="{left + 28}" y1="{top - 4}" y2="{top - 4}"/>'
        )
        lines.append(f'<text x="{left + 34}" y="{top}">{preset}, {stage}</text>')
    words = "passes through the decisions; points a decision better than neural/2's choice"
    return "\n".join([*lines, *ended(_BOTTOM + 42, words)])
