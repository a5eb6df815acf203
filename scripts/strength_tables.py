"""What the pages of strength have of other tables, from benchmarks/other_tables.json."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from strength_search import table

__all__ = ["of_one", "section"]

KEPT: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "other_tables.json"
_WORDS: Final = {"teams=on": "in teams", "players=3": "three seats", "players=2": "two seats"}


def of_one(bot: str, presets: Sequence[str]) -> list[str]:
    """The table of one bot, or of a version of it before today's."""
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    its = [row for row in found if row["bot"].partition("/")[0] == bot]
    cells = {(row["variant"], row["rules"]): _points(row) for row in its}
    rows = [(word, *(cells[kind, preset] for preset in presets)) for kind, word in _WORDS.items()]
    return table((f"`{its[-1]['bot']}`", *presets), rows)


def _points(row: dict[str, Any]) -> str:
    return f"{row['difference']:+.1f} ± {1.96 * row['error']:.1f}"


def section() -> list[str]:
    """The lines of the section."""
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    bots = list(dict.fromkeys(row["bot"] for row in found))
    tables = list(dict.fromkeys((row["rules"], row["variant"]) for row in found))
    cells = {
        (row["bot"], row["rules"], row["variant"]): f"{_points(row)} ({row['deals']:,} deals)"
        for row in found
    }
    rows = [
        (f"{rules}, {_WORDS[variant]}", *(cells.get((bot, rules, variant), "-") for bot in bots))
        for rules, variant in tables
    ]
    return [
        "## In teams, and with two or three seats",
        "",
        "Points a deal (of a team, for its two) beside what `steady` has in the same seats of the",
        "same deals, `steady` in all other seats; low is good; development deals:",
        "",
        *table(("", *(f"`{bot}`" for bot in bots)), rows),
        "",
        "`python -m benchmarks.other_tables BOT` plays them again;",
        "`benchmarks/other_tables.json` has the commands.",
        "",
        "Where a deal that nobody finishes is void (pagat, E3), a finish brings a team 101 points",
        "and costs it 202 if the partner has not opened. `master` and `neural` put it off where",
        "both opponents have opened, until the partner does or the stock ends; before they did,",
        "`master` was no better than `steady` (-0.1 ± 2.0, 4,000 deals). Where an opponent has not",
        "opened either, he pays the 202 as well, and they finish.",
        "",
    ]
