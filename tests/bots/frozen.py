"""What the frozen bots play: a short hash of each of so many deals a preset.

``cd tests && python -m bots.frozen`` writes them anew. That is never right while a bot keeps its
version: released tables of strength name ``greedy-1`` and ``random-1``, and these are they.
"""

import hashlib
import json
import sys
from pathlib import Path

from okey101.bots import BOTS
from okey101.bots.playing import play_deal
from okey101.game import PRESETS, Deal, RuleSet
from okey101.sim.arena import arena_deal

FILE = Path(__file__).with_name("frozen.json")
FROZEN = {"greedy-1": "greedy", "random-1": "random"}
"""Frozen names, and the bots that play so."""
DEALS = 1_000
SEED = 20_001


def played(bot: str, rules: RuleSet, number: int) -> Deal:
    layout = arena_deal(rules, SEED, number)
    return play_deal(rules, [bot] * rules.players, layout, bot_seed=number)


def digest(deal: Deal) -> str:
    """All that was played in a deal, in eight hexadecimal digits."""
    text = "\n".join(f"{seat}: {action}" for seat, action in deal.public.actions)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def main() -> int:
    """Write the file anew."""
    found: dict[str, dict[str, list[str]]] = {}
    for name, bot in FROZEN.items():
        assert name == BOTS[bot].mark.replace("/", "-")
        for preset, rules in PRESETS.items():
            hashes = [digest(played(bot, rules, number)) for number in range(DEALS)]
            lines = [" ".join(hashes[at : at + 10]) for at in range(0, DEALS, 10)]
            found.setdefault(name, {})[preset] = lines
            print(name, preset, file=sys.stderr, flush=True)
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
