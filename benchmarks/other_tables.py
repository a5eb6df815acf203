"""How bots do in teams and with two and three seats: ``python -m benchmarks.other_tables master``.

Duplicate deals of the arena against ``steady``, on development seeds; what came of each command is
kept in ``other_tables.json``, from which benchmarks/strength.md is made.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Final, TypedDict

from okey101.bots.registry import SEARCHERS

__all__ = ["RESULTS", "VARIANTS", "Found"]

RESULTS: Final = Path(__file__).with_name("other_tables.json")
VARIANTS: Final = ("teams=on", "players=3", "players=2")
_SEED: Final = 404


class Found(TypedDict):
    """A bot against ``steady``."""

    bot: str
    rules: str
    variant: str
    deals: int
    difference: float
    error: float
    command: str


def play(bot: str, rules: str, variant: str, deals: int) -> Found:
    """Play one of them."""
    words = ["arena", bot, "steady", "--rules", rules, "--set", variant, "--deals", str(deals)]
    words += ["--seed", str(_SEED), *([] if bot in SEARCHERS else ["--compiled"])]
    ran = subprocess.run(
        [sys.executable, "-m", "okey101", *words, "--workers", "1", "--json"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ran.returncode:
        sys.exit(ran.stderr)
    (row,) = json.loads(ran.stdout)["rows"]
    return Found(
        bot=bot, rules=rules, variant=variant, deals=deals,
        difference=round(row["difference"], 2), error=round(row["error"], 3),
        command=f"okey101 {' '.join(words)}",
    )  # fmt: skip


def _name(row: Found) -> str:
    """The bot of a row, which may name a version before today's."""
    return row["bot"].partition("/")[0]


def main() -> int:
    """Play what is asked for, and keep it in place of what was there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.other_tables")
    parser.add_argument("bot")
    parser.add_argument("--rules", nargs="+", default=["altinstar", "pagat", "wiki"])
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--file", type=Path, default=RESULTS)
    given = parser.parse_args()
    for rules in given.rules:
        for variant in VARIANTS:
            row = play(given.bot, rules, variant, given.deals)
            print(json.dumps(row), flush=True)
            kept: list[Found] = []
            if given.file.exists():
                kept = json.loads(given.file.read_text(encoding="utf-8"))
            key = given.bot, rules, variant
            kept = [r for r in kept if (_name(r), r["rules"], r["variant"]) != key] + [row]
            lines = ",\n".join(f" {json.dumps(one)}" for one in kept)
            given.file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
