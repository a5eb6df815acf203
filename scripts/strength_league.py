"""What docs/en/strength.md and benchmarks/strength.md have of the league, from the results kept.

benchmarks/league/PRESET.json is what ``okey101 arena ... --league --json`` answered, and
oracle-PRESET.json the same with ``--oracle``, of fewer deals.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

__all__ = ["Reached", "section", "shares"]

Reached: TypeAlias = Mapping[str, Mapping[str, tuple[float, float, int]]]
"""By bot and preset what it scores more than ``greedy``, half of its interval, and the deals."""

KEPT: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "league"
_ABOUT: Final = """\
Each bot alone among three of another, less what that one scores in the same seat of the same deal;
± 95 %. The last line is the mean score of four of a kind. `oracle-1` sees all tiles: it tries every
elementary action on the true deal, lets all seats go on as `greedy`, and takes what is best for it;
among others than `greedy` it reckons with the wrong ones, and need not be the best. Its line is of
{fewer:,} of these deals.
"""
_SHARES: Final = """\
How far a bot goes on the way from `greedy` (0 %) to `oracle-1` (100 %), with its 95 % interval.
`random` and `steady` from the deals of `oracle-1`; of the others what they reached in their own
release (`search` and `champion` by way of `master`) over what `oracle-1` gains in its deals:
"""


def _named(mark: str) -> str:
    return mark.partition("/")[0]


def _kept(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    return found


def _cell(row: dict[str, Any]) -> str:
    return f"{row['difference']:+.1f} ± {1.96 * row['error']:.1f}"


def _matrix(preset: str) -> list[str]:
    result, oracle = _kept(preset), _kept(f"oracle-{preset}")
    anchors = [base["bot"] for base in result["alone"]]
    rows = {(row["bot"], row["against"]): row for row in (*oracle["rows"], *result["rows"])}
    lines = [
        f"{preset}, {result['deals']:,} deals ({result['tables']:,} tables):",
        "",
        "| one of | " + " | ".join(f"among `{_named(anchor)}`" for anchor in anchors) + " |",
        "| --- |" + " ---: |" * len(anchors),
    ]
    for bot in oracle["names"]:
        cells = [_cell(rows[bot, anchor]) if (bot, anchor) in rows else "0" for anchor in anchors]
        lines.append(f"| `{_named(bot)}` | " + " | ".join(cells) + " |")
    scores = " | ".join(f"{base['score']:.1f}" for base in result["alone"])
    return [*lines, f"| four of it | {scores} |", ""]


def _paired(preset: str, bot: str) -> str:
    """The share of a bot that played the same deals as the oracle."""
    rows = _kept(f"oracle-{preset}")["rows"]
    row = next(r for r in rows if _named(r["bot"]) == bot and r["oracle_share"])
    share, low, high = row["oracle_share"]
    return _percent(share, low, high)


def _apart(preset: str, reached: tuple[float, float, int]) -> str:
    """The share of a bot that played other deals: the error of a ratio of two means."""
    rows = _kept(f"oracle-{preset}")["rows"]
    row = next(r for r in rows if r["bot"] == "oracle-1/1" and r["against"] == "greedy/1")
    lead, error, _ = reached
    share = lead / row["difference"]
    spread = math.hypot(error, share * 1.96 * row["error"]) / abs(row["difference"])
    return _percent(share, share - spread, share + spread)


def _percent(*parts: float) -> str:
    share, least, most = (round(100 * part) for part in parts)
    return f"{share} % ({least} to {most})"


def shares(presets: Sequence[str], reached: Reached) -> list[str]:
    """The table of how far each bot goes on the way from ``greedy`` to the oracle."""
    found = {bot: [_paired(preset, bot) for preset in presets] for bot in ("random", "steady")} | {
        bot: [_apart(name, rows[name]) if name in rows else "-" for name in presets]
        for bot, rows in reached.items()
    }
    return [
        "| bot | " + " | ".join(presets) + " |",
        "| --- |" + " ---: |" * len(presets),
        *(f"| `{bot}` | " + " | ".join(cells) + " |" for bot, cells in found.items()),
    ]


def section(presets: Sequence[str], reached: Reached) -> list[str]:
    """The lines of the section."""
    fewer = _kept(f"oracle-{presets[0]}")["deals"]
    lines = ["## The league", "", *_ABOUT.format(fewer=fewer).splitlines(), ""]
    for preset in presets:
        lines += _matrix(preset)
    commands = [
        _kept(name)["manifest"]["command"]
        for name in (*presets, *(f"oracle-{preset}" for preset in presets))
    ]
    return [
        *lines,
        *_SHARES.splitlines(),
        "",
        *shares(presets, reached),
        "",
        "Kept in `benchmarks/league/`: development deals, compiled, on one shared core. The first",
        "three took 20 to 26 minutes each, the others 9 to 16. The readable bots play the same",
        "without `--compiled`, many times as long:",
        "",
        *(f"    {command}" for command in commands),
        "",
    ]
