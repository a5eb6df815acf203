"""Measure the par of every preset, seat for seat, and write it to the package.

    .venv/bin/python scripts/make_pars.py

It takes some minutes, and is done again when a policy or the rules of a preset change.
"""

from __future__ import annotations

import json
from pathlib import Path

import okey101.review.par
from okey101.game.ruleset import PRESETS
from okey101.review.par import measured, name_of
from okey101.review.weighing import POLICIES

_DEALS = 100_000
_TABLES = ((4, False), (4, True), (3, False), (2, False))
_TARGET = Path(okey101.review.par.__file__).with_name("pars.json")


def main() -> None:
    """Play the deals and write the file."""
    lines = []
    for policy in POLICIES:
        for preset in PRESETS.values():
            for players, teams in _TABLES:
                rules = preset.with_(players=players, teams=teams)
                places = [list(spread) for spread in measured(rules, policy, _DEALS)]
                lines.append(f'  "{policy} {name_of(rules)}": {json.dumps(places)}')
                print(lines[-1].strip(), flush=True)
    body = ",\n".join(lines)
    _TARGET.write_text(f'{{\n "deals": {_DEALS},\n "pars": {{\n{body}\n }}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
