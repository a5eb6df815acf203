"""Write the test vectors of fair deals: ``python scripts/make_vectors.py [--check]``.

Every vector is a record without actions, so that whatever checks records checks the vectors.
``--check`` writes nothing and ends with 1 if the file is not what it would be.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path

from okey101.game import Deal, RuleSet, deal_seed, record_of
from okey101.game.dealing import first_dealer
from okey101.game.fair import Fair, commitment, deal_seed_of
from okey101.tiles import FALSE_JOKER

FILE = Path(__file__).resolve().parents[1] / "docs" / "fairness-vectors.json"
ABOUT = (
    "Each vector is a record of one deal without actions. docs/en/fairness.md tells how "
    "commitment, seed and tiles follow; docs/fairness-check.mjs checks this file and any record."
)
CASES: tuple[tuple[str, str, dict[str, object], tuple[int, ...], str, int, int], ...] = (
    # what it is, the preset, its changes, the bytes of each seat, table, match, deal
    ("everybody contributes 32 bytes", "altinstar", {}, (32, 32, 32, 32), "salon", 1, 0),
    ("the shortest contributions", "pagat", {}, (16, 16, 16, 16), "salon", 1, 0),
    ("lengths that differ", "wiki", {}, (16, 20, 31, 32), "salon", 1, 0),
    ("one person and three bots", "altinstar", {}, (32, 0, 0, 0), "t-01", 1, 0),
    ("a contribution from the last seat alone", "altinstar", {}, (0, 0, 0, 17), "t-01", 2, 0),
    ("nobody contributes", "pagat", {}, (0, 0, 0, 0), "t-02", 1, 0),
    ("three seats", "altinstar", {"players": 3}, (32, 0, 32), "t-03", 1, 0),
    ("three seats, the preset pagat", "pagat", {"players": 3}, (16, 16, 0), "t-03", 2, 0),
    ("three seats, the preset wiki", "wiki", {"players": 3}, (0, 32, 32), "t-03", 3, 0),
    ("two seats", "altinstar", {"players": 2}, (32, 32), "t-04", 1, 0),
    ("two seats, the preset pagat", "pagat", {"players": 2}, (0, 32), "t-04", 2, 0),
    ("two seats, the preset wiki", "wiki", {"players": 2}, (32, 0), "t-04", 3, 0),
    ("teams", "altinstar", {"teams": True}, (32, 32, 32, 32), "t-05", 1, 0),
    ("a name beyond ASCII", "altinstar", {}, (32, 32, 32, 32), "Şirinköy 🂡", 1, 0),
    ("a later deal", "wiki", {}, (32, 32, 32, 32), "t-06", 7, 4),
    ("large numbers", "pagat", {}, (32, 32, 32, 32), "t-06", 10**9, 10**9),
    ("dealer begins", "altinstar", {"starter": "dealer"}, (32, 0, 32, 0), "t-07", 1, 0),
    (
        "dealer's neighbour begins",
        "altinstar",
        {"starter": "right_of_dealer"},
        (32, 0, 32, 0),
        "t-07",
        2,
        0,
    ),
    (
        "a false joker is thrown and thrown again",
        "altinstar",
        {"false_joker_indicator": "rethrow"},
        (32, 32, 32, 32),
        "t-08",
        1,
        0,
    ),
    (
        "a false joker is the indicator",
        "wiki",
        {"false_joker_indicator": "riziko"},
        (32, 32, 32, 32),
        "t-08",
        2,
        0,
    ),
)


def main() -> int:
    """Write the file, or say that it is out of date."""
    text = vectors_text()
    if "--check" in sys.argv[1:]:
        same = FILE.exists() and FILE.read_text(encoding="utf-8") == text
        if not same:
            print(f"{FILE.name} is out of date: run scripts/make_vectors.py")
        return 0 if same else 1
    FILE.write_text(text, encoding="utf-8")
    return 0


def vectors_text() -> str:
    """The whole file."""
    records = [_vector(*case) for case in CASES]
    return json.dumps({"about": ABOUT, "records": records}, ensure_ascii=False, indent=1) + "\n"


def _vector(
    name: str,
    preset: str,
    changes: dict[str, object],
    sizes: tuple[int, ...],
    table: str,
    match: int,
    deal: int,
) -> dict[str, object]:
    rules = RuleSet.preset(preset).with_(**changes)
    for attempt in count():
        rng = random.Random(f"{name} {attempt}")
        secret = rng.randbytes(32)
        given = [rng.randbytes(size) for size in sizes]
        seed = deal_seed_of(secret, table, match, deal, given)
        dealer = first_dealer(seed, rules.players) if deal == 0 else deal % rules.players
        dealt = deal_seed(rules, seed, dealer)
        wanted = (len(dealt.dice) > 2) if "again" in name else True
        if name.endswith("the indicator"):
            wanted = dealt.indicator == FALSE_JOKER
        if wanted:
            break
    fair = Fair(
        commitment=commitment(secret, table, match, deal),
        table=table,
        match=match,
        deal=deal,
        randomness=tuple(part.hex() for part in given),
        secret=secret.hex(),
    )
    record = record_of(rules, [Deal.start(rules, dealt)])
    told = replace(record.deals[0], fair=fair.to_dict())
    return {"_vector": name, **replace(record, deals=(told,)).to_dict()}


if __name__ == "__main__":
    sys.exit(main())
