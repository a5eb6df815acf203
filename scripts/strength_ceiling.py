"""What docs/en/strength.md and benchmarks/strength.md have of ceilings, from the scores kept.

``python -m benchmarks.ceiling`` plays them, and writes benchmarks/ceiling.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from okey101.bots.champion import ChampionBot
from strength_search import apart, interval, table, told

__all__ = ["section", "sentence"]

KEPT: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "ceiling.json"
_ABOUT: Final = """\
## What is left to be gained by knowing more

`champion` searches worlds that fit what it sees. Here the same search, of the same choices and in
as many worlds, has the true hands in each; the order of the stock alone is drawn anew. To the
forecast it knows the hands for two turns, to the end of the deal for all of it. In points a deal,
development deals of their own ([ceiling.md](ceiling.md) has the rest):
"""
_LEFT: Final = """\
So much would beliefs without a mistake be worth to a search that goes on as this one does; what
can be told from what others throw and leave is a part of it. The rest of the way to `oracle-1` is
above all the order of the stock, which nobody can know, so no player goes all of the way in the
table above. None of it bounds play itself, for in the playouts all go on by what each one sees.

    python -m benchmarks.ceiling --rules altinstar pagat wiki --deals 500 --write
"""
_FEWEST: Final = 20
"""Fewer deals say nothing; as benchmarks/ceiling.py has it."""
_WAYS: Final = ("hands", "hands_to_end", "oracle")


def _scores(preset: str) -> dict[str, Any]:
    """The scores of a preset by way, deal and seat, as far as they are kept."""
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    found: dict[str, Any] = kept[preset]["scores"] if preset in kept else {"greedy": []}
    return found


def _champion() -> str:
    """Which ``champion`` that was, by its version where it is not today's."""
    version = next(iter(json.loads(KEPT.read_text(encoding="utf-8")).values()))["version"]
    return "champion" if version == ChampionBot.version else f"champion/{version}"


def section(presets: Iterable[str]) -> list[str]:
    """The lines of the section in the laboratory's book."""
    found = {preset: _scores(preset) for preset in presets}
    rows = [
        (preset, f"{len(scores['greedy']):,}", told(apart(scores, "champion", "greedy")),
         *(told(apart(scores, way, "champion")) for way in _WAYS))
        for preset, scores in found.items() if len(scores["greedy"]) >= _FEWEST
    ]  # fmt: skip
    bot = _champion()
    head = (
        "on the same deals", "deals", f"`{bot}` - `greedy`",
        f"hands, to the forecast - `{bot}`", f"hands, to the end - `{bot}`",
        f"`oracle-1` - `{bot}`",
    )  # fmt: skip
    return [*_ABOUT.splitlines(), "", *table(head, rows), "", *_LEFT.splitlines(), ""]


def sentence() -> str:
    """What the page for readers says."""
    more, error = interval(apart(_scores("altinstar"), "hands_to_end", "champion"))
    return (
        f"A `{_champion()}` that saw all hands, but not the stock, would have another\n"
        f"{-more:.1f} ± {error:.1f} points less ([altinstar](../../benchmarks/ceiling.md))."
    )
