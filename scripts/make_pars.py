"""Measure the par of every preset, seat for seat, and write it to the package.

    .venv/bin/python scripts/make_pars.py [POLICY...]

Without a policy it measures all of them; with some, the pars of the others stay. It takes some
minutes, and is done again when a policy or the rules of a preset change.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import okey101.review.balance
from okey101.game.ruleset import PRESETS
from okey101.review.analysis import POLICIES
from okey101.review.balance import measured, name_of

_DEALS = {"greedy": 100_000, "master": 20_000}
_TABLES = ((4, False), (4, True), (3, False), (2, False))
_TARGET = Path(okey101.review.balance.__file__).with_name("pars.json")


def main() -> int:
    """Play the deals and write the file."""
    wanted = sys.argv[1:] or list(POLICIES)
    if unknown := set(wanted) - set(POLICIES):
        print(f"no policy is called {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    kept = json.loads(_TARGET.read_text(encoding="utf-8"))["pars"] if _TARGET.exists() else {}
    pars = {}
    for policy in POLICIES:
        for preset in PRESETS.values():
            for players, teams in _TABLES:
                rules = preset.with_(players=players, teams=teams)
                name = f"{policy} {name_of(rules)}"
                if policy in wanted:
                    pars[name] = [
                        [spread.tenths, spread.reach]
                        for spread in measured(rules, policy, _DEALS[policy])
                    ]
                    print(name, pars[name], flush=True)
                elif name in kept:
                    pars[name] = kept[name]
    body = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(places)}" for name, places in pars.items()
    )
    head = f'{{\n "deals": {json.dumps(_DEALS)},\n "pars": {{\n'
    _TARGET.write_text(f"{head}{body}\n }}\n}}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
