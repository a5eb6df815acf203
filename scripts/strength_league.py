"""The part of docs/en/strength.md that is about the league, from the results kept.

benchmarks/league/PRESET.json is what ``okey101 arena ... --league --oracle --json`` answered, and
master-PRESET.json the same of ``master`` as the challenger of ``greedy``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

__all__ = ["section"]

KEPT: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "league"
_ABOUT: Final = """\
Each bot alone among three of another, less what that one scores in the same seat of the same deal;
± 95 %. The last line is the mean score of four of a kind. `oracle-1` sees all tiles: it tries every
elementary action on the true deal, lets all seats go on as `greedy`, and takes what is best for it;
among others than `greedy` it reckons with the wrong ones, and need not be the best.
"""


def _named(mark: str) -> str:
    return mark.partition("/")[0]


def _kept(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    return found


def _cell(row: dict[str, Any]) -> str:
    return f"{row['difference']:+.1f} ± {1.96 * row['error']:.1f}"


def _matrix(preset: str) -> list[str]:
    result = _kept(preset)
    anchors = [base["bot"] for base in result["alone"]]
    rows = {(row["bot"], row["against"]): row for row in result["rows"]}
    lines = [
        f"{preset}, {result['deals']:,} deals ({result['tables']:,} tables):",
        "",
        "| one of | " + " | ".join(f"among `{_named(anchor)}`" for anchor in anchors) + " |",
        "| --- |" + " ---: |" * len(anchors),
    ]
    for bot in result["names"]:
        cells = [_cell(rows[bot, anchor]) if (bot, anchor) in rows else "0" for anchor in anchors]
        lines.append(f"| `{_named(bot)}` | " + " | ".join(cells) + " |")
    scores = " | ".join(f"{base['score']:.1f}" for base in result["alone"])
    return [*lines, f"| four of it | {scores} |", ""]


def _share(name: str, bot: str) -> str:
    result = _kept(name)
    row = next(r for r in result["rows"] if _named(r["bot"]) == bot and r["oracle_share"])
    share, low, high = row["oracle_share"]
    percent, least, most = (round(100 * part) for part in (share, low, high))
    return f"{percent} % ({least} to {most}; {result['deals']:,} deals)"


def section(presets: Sequence[str]) -> list[str]:
    """The lines of the section."""
    lines = ["## The league", "", *_ABOUT.splitlines(), ""]
    for preset in presets:
        lines += _matrix(preset)
    lines += [
        "How far a bot goes on the way from `greedy` (0 %) to `oracle-1` (100 %), with its 95 %",
        "interval:",
        "",
        "| bot | " + " | ".join(presets) + " |",
        "| --- |" + " ---: |" * len(presets),
        "| `random` | " + " | ".join(_share(preset, "random") for preset in presets) + " |",
        "| `steady` | " + " | ".join(_share(preset, "steady") for preset in presets) + " |",
        "| `master` | "
        + " | ".join(_share(f"master-{preset}", "master") for preset in presets)
        + " |",
        "",
        "Kept in `benchmarks/league/`; the readable bots play the same without `--compiled`, many",
        "times as long:",
        "",
    ]
    commands = [_kept(preset)["manifest"]["command"] for preset in presets]
    commands += [_kept(f"master-{preset}")["manifest"]["command"] for preset in presets]
    return [*lines, *(f"    {command}" for command in commands), "", *_short(presets)]


def _short(presets: Sequence[str]) -> list[str]:
    """What the numbers of deals are, said plainly."""
    least = min(_kept(preset)["deals"] for preset in presets)
    if least >= 5_000:
        return []
    return [
        "These are development deals, and fewer than the 5,000 that a release has: time decided.",
        "With `--resume FILE` and more `--deals` the same command goes on.",
        "",
    ]
