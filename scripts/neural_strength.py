"""How strong ``neural`` is: against ``greedy``, beside the version before and ``master``.

    python scripts/neural_strength.py try altinstar --deals 1000 --nets neural/nets
    python scripts/neural_strength.py curve altinstar --deals 5000 --nets neural/nets
    python scripts/neural_strength.py release --before old/neural.bin

``try`` plays development deals (benchmarks/seeds.json) with the networks of a folder of
scripts/train_neural.py, or with the shipped ones. ``curve`` does so with those that were trained
on shares of the decisions, too, and keeps what they reached in benchmarks/neural_learning.json.
``release`` plays the arena's release deals with the shipped ones, once for a version, and keeps
what each deal gained in benchmarks/neural.json. ``--before`` is the file of the version before, as
it was released; without it the shipped networks stand for that one. All is played in the kernel,
whose choices are those of the readable bots.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np

from make_strength import arena_root, interval
from okey101.bots import BOTS
from okey101.game import PRESETS
from okey101.kernel import play_bots
from okey101.sim.arena.chunks import RELEASE_DEALS, Purpose, purpose_of
from okey101.weights.neural import NET, NETS, nets_of

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = ROOT / "benchmarks" / "neural.json"
SEED: Final = 2_000_106
"""The release seed of ``neural/3``: no other bot has seen its deals. Those of /1 and /2 were
2,000,101 and 2,000,102."""


BEFORE: Final = f"neural/{BOTS['neural'].version - 1}"
"""The version before."""


def mark_of_nets(preset: str) -> str:
    """A short name of the networks that are shipped for a preset."""
    nets = np.array(nets_of(PRESETS[preset]), dtype="<i4")
    return hashlib.sha256(nets.tobytes()).hexdigest()[:12]


def nets_before(path: Path | None, preset: str) -> Any:
    """The networks of the version before, from its neural.bin; None, which are those shipped."""
    if path is None:
        return None
    nets = np.frombuffer(zlib.decompress(path.read_bytes()), "<i4").astype(np.int64)
    return nets.reshape(len(PRESETS), NETS * NET)[[*PRESETS].index(preset)]


def nets_in(folder: Path, preset: str, share: str = "1") -> Any:
    """The networks of a preset in a folder of scripts/train_neural.py."""
    from train_neural import STAGES, load_state, whole

    part = "" if share == "1" else f"-{share}"
    states = (load_state(folder / f"{preset}-{stage}{part}.npz") for stage in STAGES)
    return np.concatenate([whole(state) for state in states])


def gains(
    preset: str, seed: int, first: int, deals: int, nets: Any = None, before: Any = None
) -> dict[str, Any]:
    """By deal what the bots score more than ``greedy``, the seats together."""
    root = arena_root(seed)
    anchor = play_bots(preset, deals, seed=root, first=first).scores
    ways = {
        "neural": ("neural", nets), BEFORE: ("neural", before), "master": ("master", None),
    }  # fmt: skip
    found = dict.fromkeys(ways, 0 * anchor[:, 0])
    for seat in range(PRESETS[preset].players):
        for name, (bot, given) in ways.items():
            played = play_bots(preset, deals, {seat: bot}, seed=root, first=first, nets=given)
            found[name] = found[name] + played.scores[:, seat] - anchor[:, seat]
    return found


def told(rows: dict[str, Any], players: int) -> str:
    """What was reached, in words."""
    neural = rows["neural"]
    leads = {f"neural - {name}": neural - rows[name] for name in (BEFORE, "master")}
    found = []
    for name, row in {**rows, **leads}.items():
        mean, error = interval([float(points) / players for points in row])
        found.append(f"{name} {mean:+.2f} +- {error:.2f}")
    return f"{len(neural)} deals: " + ", ".join(found)


def _development(given: argparse.Namespace, nets: Any) -> dict[str, Any]:
    """Play development deals, and say how it stands."""
    if purpose_of(given.seed) is not Purpose.DEVELOPMENT:
        sys.exit(f"{given.seed} is no development seed")
    rows: dict[str, Any] = {}
    for first in range(given.first, given.first + given.deals, 500):
        count = min(500, given.first + given.deals - first)
        played = gains(given.preset, given.seed, first, count, nets)
        rows = {
            name: np.concatenate([rows.get(name, row[:0]), row]) for name, row in played.items()
        }
        print(f"{given.preset}, {told(rows, PRESETS[given.preset].players)}", flush=True)
    return rows


def attempt(given: argparse.Namespace) -> int:
    """Play development deals."""
    _development(given, None if given.nets is None else nets_in(given.nets, given.preset))
    return 0


def curve(given: argparse.Namespace) -> int:
    """Play development deals with the networks of each share of the decisions."""
    from train_neural import LEARNED, STAGES

    shares = sorted(
        {path.stem.rpartition("-")[2] for path in given.nets.glob(f"{given.preset}-*-0.*.npz")},
        key=float,
    )
    players, found = PRESETS[given.preset].players, []
    for share in [*shares, "1"]:
        facts = [
            json.loads((given.nets / f"{given.preset}-{stage}.json").read_text(encoding="utf-8"))
            for stage in STAGES
        ]
        rows = _development(given, nets_in(given.nets, given.preset, share))
        decisions = round(float(share) * sum(fact["decisions"] for fact in facts))
        lead = [float(a - b) / players for a, b in zip(rows["neural"], rows[BEFORE], strict=True)]
        own = [float(row) / players for row in rows["neural"]]
        found.append({
            "share": share, "decisions": decisions, "deals": len(own),
            "neural": [round(part, 2) for part in interval(own)],
            "lead": [round(part, 2) for part in interval(lead)],
        })  # fmt: skip
    kept = json.loads(LEARNED.read_text(encoding="utf-8"))
    kept["strength"] = {**kept["strength"], given.preset: found}
    LEARNED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


def release(given: argparse.Namespace) -> int:
    """Play the release of this version, once under each preset."""
    if unknown := set(given.presets) - set(PRESETS):
        sys.exit(f"no preset: {', '.join(sorted(unknown))}")
    mark = BOTS["neural"].mark
    kept: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    others = {"anchor": BOTS["greedy"].mark, "beside": BOTS["master"].mark}
    found: dict[str, Any] = kept.setdefault(mark, {**others, "rules": {}})["rules"]
    wanted = [preset for preset in given.presets or PRESETS if preset not in found]
    if not wanted:
        print(f"{mark} has been released: raise its version first")
        return 1
    for preset in wanted:
        begun = time.monotonic()
        before = nets_before(given.before, preset)
        rows = gains(preset, SEED, 0, RELEASE_DEALS, before=before)
        print(f"{preset}, {told(rows, PRESETS[preset].players)}", flush=True)
        found[preset] = {
            "seed": SEED,
            "networks": mark_of_nets(preset),
            "seconds": round(time.monotonic() - begun),
            **{name: [int(points) for points in row] for name, row in rows.items()},
        }
        kept[mark]["rules"] = {name: found[name] for name in PRESETS if name in found}
        KEPT.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    return 0


def main() -> int:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    for name, run in (("try", attempt), ("curve", curve)):
        command = commands.add_parser(name)
        command.add_argument("preset", choices=[*PRESETS])
        command.add_argument("--deals", type=int, default=1000)
        command.add_argument("--first", type=int, default=0)
        command.add_argument("--seed", type=int, default=41)
        command.add_argument("--nets", type=Path, required=run is curve)
        command.add_argument("--before", type=Path)
        command.set_defaults(run=run)
    command = commands.add_parser("release")
    command.add_argument("presets", nargs="*", metavar="PRESET")
    command.add_argument("--before", type=Path, required=True)
    command.set_defaults(run=release)
    given = parser.parse_args()
    return int(given.run(given))


if __name__ == "__main__":
    raise SystemExit(main())
