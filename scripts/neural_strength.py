"""How strong ``neural`` is: against ``greedy``, and against ``master`` on the same deals.

    python scripts/neural_strength.py try altinstar --deals 1000 --nets neural/nets
    python scripts/neural_strength.py release

``try`` plays development deals (benchmarks/seeds.json) with the networks of a folder of
scripts/train_neural.py, or with the shipped ones. ``release`` plays the arena's release deals with
the shipped ones, once for a version, and keeps what each deal gained in benchmarks/neural.json.
Where a version has the networks of the one before for a preset, what that one reached stands. All
is played in the kernel, whose choices are those of the readable bots.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from make_strength import arena_root, interval
from okey101.bots import BOTS
from okey101.game import PRESETS
from okey101.kernel import play_bots
from okey101.sim.arena.chunks import RELEASE_DEALS, Purpose, purpose_of
from okey101.weights.neural import nets_of

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = ROOT / "benchmarks" / "neural.json"
SEED: Final = 2_000_102
"""The release seed of ``neural/2``: no other bot has seen its deals. That of /1 was 2,000,101."""


def mark_of_nets(preset: str) -> str:
    """A short name of the networks that are shipped for a preset."""
    nets = np.array(nets_of(PRESETS[preset]), dtype="<i4")
    return hashlib.sha256(nets.tobytes()).hexdigest()[:12]


def gains(preset: str, seed: int, first: int, deals: int, nets: Any = None) -> tuple[Any, Any]:
    """By deal what ``neural`` and ``master`` score more than ``greedy``, the seats together."""
    root = arena_root(seed)
    anchor = play_bots(preset, deals, seed=root, first=first).scores
    neural = master = 0 * anchor[:, 0]
    for seat in range(PRESETS[preset].players):
        played = play_bots(preset, deals, {seat: "neural"}, seed=root, first=first, nets=nets)
        neural = neural + played.scores[:, seat] - anchor[:, seat]
        played = play_bots(preset, deals, {seat: "master"}, seed=root, first=first)
        master = master + played.scores[:, seat] - anchor[:, seat]
    return neural, master


def told(neural: Any, master: Any, players: int) -> str:
    """What was reached, in words."""
    parts = {"neural": neural, "master": master, "neural - master": neural - master}
    found = []
    for name, rows in parts.items():
        mean, error = interval([float(row) / players for row in rows])
        found.append(f"{name} {mean:+.2f} +- {error:.2f}")
    return f"{len(neural)} deals: " + ", ".join(found)


def attempt(given: argparse.Namespace) -> int:
    """Play development deals."""
    if purpose_of(given.seed) is not Purpose.DEVELOPMENT:
        sys.exit(f"{given.seed} is no development seed")
    nets = None
    if given.nets is not None:
        from train_neural import STAGES, load_state, whole

        states = (load_state(given.nets / f"{given.preset}-{stage}.npz") for stage in STAGES)
        nets = np.concatenate([whole(state) for state in states])
    parts: list[tuple[Any, Any]] = []
    for first in range(given.first, given.first + given.deals, 500):
        count = min(500, given.first + given.deals - first)
        parts.append(gains(given.preset, given.seed, first, count, nets))
        neural, master = (np.concatenate([part[n] for part in parts]) for n in range(2))
        print(f"{given.preset}, {told(neural, master, PRESETS[given.preset].players)}", flush=True)
    return 0


def release(given: argparse.Namespace) -> int:
    """Play the release of this version, once under each preset."""
    if unknown := set(given.presets) - set(PRESETS):
        sys.exit(f"no preset: {', '.join(sorted(unknown))}")
    mark = BOTS["neural"].mark
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    others = {"anchor": BOTS["greedy"].mark, "beside": BOTS["master"].mark}
    before = list(kept.values())[-1]["rules"] if kept else {}
    found: dict[str, Any] = kept.setdefault(mark, {**others, "rules": {}})["rules"]
    for preset, rules in before.items():
        if rules["networks"] == mark_of_nets(preset):
            found.setdefault(preset, rules)
    wanted = [preset for preset in given.presets or PRESETS if preset not in found]
    if not wanted:
        print(f"{mark} has been released: raise its version first")
        return 1
    for preset in wanted:
        begun = time.monotonic()
        neural, master = gains(preset, SEED, 0, RELEASE_DEALS)
        print(f"{preset}, {told(neural, master, PRESETS[preset].players)}", flush=True)
        found[preset] = {
            "seed": SEED,
            "networks": mark_of_nets(preset),
            "seconds": round(time.monotonic() - begun),
            "neural": [int(row) for row in neural],
            "master": [int(row) for row in master],
        }
        kept[mark]["rules"] = {name: found[name] for name in PRESETS if name in found}
        KEPT.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    return 0


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("try")
    command.add_argument("preset", choices=[*PRESETS])
    command.add_argument("--deals", type=int, default=1000)
    command.add_argument("--first", type=int, default=0)
    command.add_argument("--seed", type=int, default=41)
    command.add_argument("--nets", type=Path)
    command.set_defaults(run=attempt)
    command = commands.add_parser("release")
    command.add_argument("presets", nargs="*", metavar="PRESET")
    command.set_defaults(run=release)
    given = parser.parse_args()
    return int(given.run(given))


if __name__ == "__main__":
    raise SystemExit(main())
