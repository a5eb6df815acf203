"""Write what every bot chooses in many positions: ``python scripts/make_bot_vectors.py [--check]``.

The file is how a change of a bot is noticed, on whichever Python: where a choice differs, either it
is a fault, or the bot's version has to be raised and the file written anew. The views are those of
the seat to act, in deals that are given by their seed and their actions.
``--check`` writes nothing and ends with 1 if the file is not what it would be.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from okey101.bots import BOTS, make_bot
from okey101.bots.fallback import FALLBACK_VERSION, fallback_action
from okey101.game import Deal, Options, RuleSet, apply, deal_from_seed, view_of
from okey101.game.fair.rounds import bot_seed

FILE = Path(__file__).resolve().parents[1] / "tests" / "bots" / "choices.json"
ABOUT = (
    "For each deal what each bot and the fallback play for the seat to act after so many actions, "
    "with the seed that the bot has in that deal. docs/en/fairness.md tells how that seed follows."
)
CASES: tuple[tuple[str, dict[str, object]], ...] = (
    ("altinstar", {}),
    ("pagat", {}),
    ("wiki", {}),
    ("altinstar", {"players": 2}),
    ("pagat", {"players": 3, "reclaim_okey": True}),
    ("wiki", {"teams": True, "rising": True}),
)
DEALS = 3
"""Deals of each case."""
LATER: tuple[tuple[str, dict[str, object]], ...] = (("pagat", {"teams": True}),)
"""Cases that came later: their deals follow those of the others, which keep their numbers."""
STEP = 4
"""At one in so many positions with a choice each bot is asked."""
TABLE = "vectors"


def main() -> int:
    """Write the file, or say that it is out of date."""
    text = vectors_text()
    if "--check" in sys.argv[1:]:
        same = FILE.exists() and FILE.read_text(encoding="utf-8") == text
        if not same:
            print(f"{FILE.name} is out of date: raise the bot's version, then write it anew")
        return 0 if same else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


def vectors_text() -> str:
    """The whole file."""
    deals = [_deal(number, *case) for number, case in enumerate([*CASES * DEALS, *LATER * DEALS])]
    bots = [*(info.mark for info in BOTS.values()), f"fallback/{FALLBACK_VERSION}"]
    data = {"about": ABOUT, "table": TABLE, "bots": bots, "deals": deals}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _deal(number: int, preset: str, changes: dict[str, object]) -> dict[str, object]:
    """A deal in which all bots take turns, by chance, so that there are positions of every kind."""
    rules = RuleSet.preset(preset).with_(**changes)
    rng = random.Random(f"{preset} {number}")
    secret, seed = rng.randbytes(32), rng.randbytes(32)
    deal = Deal.start(rules, deal_from_seed(rules, seed, number % rules.players))
    choices: list[dict[str, object]] = []
    while not deal.over:
        view = view_of(deal, deal.turn)
        seat = deal.turn
        own = bot_seed(secret, TABLE, 1, number, 0, seat)
        if len(Options(view).actions()) > 1 and rng.random() < 1 / STEP:
            told = {
                info.mark: str(make_bot(name, own).choose(view, Options(view)))
                for name, info in BOTS.items()
            }
            told[f"fallback/{FALLBACK_VERSION}"] = str(fallback_action(view))
            choices.append({"after": len(deal.public.actions), "seat": seat, **told})
        player = ("steady", "greedy", "steady", "steady", "random")[int(rng.random() * 5)]
        deal = apply(deal, make_bot(player, own).choose(view, Options(view)))
    return {
        "rules": {"preset": preset} | changes,
        "secret": secret.hex(),
        "seed": seed.hex(),
        "dealer": number % rules.players,
        "actions": [f"{seat}: {action}" for seat, action in deal.public.actions],
        "choices": choices,
    }


if __name__ == "__main__":
    sys.exit(main())
