"""The part of benchmarks/strength.md that is about ``neural``: how it was made, and its model card.

What it gained in each release deal is in benchmarks/neural.json (scripts/neural_strength.py), what
its networks were trained on and gained is in benchmarks/neural_training.json.
"""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import strength_learning

__all__ = ["league_cells", "reached", "section"]

ROOT: Final = Path(__file__).resolve().parents[1]
RELEASED: Final = ROOT / "benchmarks" / "neural.json"
MASTER: Final = ROOT / "benchmarks" / "master.json"
TRAINED: Final = ROOT / "benchmarks" / "neural_training.json"
SMALLER: Final = ROOT / "src" / "okey101" / "weights" / "champion.bin"
_PLAYERS: Final = 4

_COLUMNS: Final = (
    "on the same deals", "arena seed", "`neural` - `greedy`", "`neural/2` - `greedy`",
    "`master` - `greedy`", "`neural` - `neural/2`", "`neural` - `master`", "by way of `master`",
)  # fmt: skip
_ABOUT: Final = """\
## How `neural` was made

Its turn goes as `greedy`'s does. Where it could lay down or throw a tile instead, where it has a
choice of tiles, and where `greedy` would take the discard, a network foretells what each choice
will cost more than the others, and it takes the least: to lay down what `greedy` would, and the
five discards that cost `master` least; or to take and to draw. There are four networks for each
preset: for before the opening and for after it, and two more for taking or drawing. Each has
{position} inputs of the position and {choice} of the choice (`okey101/weights/neural.py` names
them all; `master`'s cost is one of them, and goes straight to the end, too), two layers of {first}
and {second} units, and weights in whole numbers. Among the inputs is what {samples} draws of three
and of six unseen tiles would make of the rest, the same ones for all choices. Nothing is floating
point, the bot needs nothing but Python, and its compiled twin (`okey101.kernel.play_bots`)
chooses alike (`tests/kernel/test_kernel_bots.py`).

What the networks were trained on is what `champion` thinks: one seat played `neural/2` and the
others `greedy`; at its decisions each choice was played in 12 worlds that the seat can't tell from
the true one (24 where it may take the discard alone), the same for all choices, as in a search of
`champion`: two turns on, and then its network of the value foretells the rest. What a choice scored
more than the mean of its decision is what the network learns, by least squares. That difference has
a standard deviation of 24.5 points in a world before the opening, and of 13.9 after it; to the end
of the true deal, as `neural/2` was taught, of 38.5 and 18.9 (altinstar), for about the same time.
The networks began as those of `neural/2`.

| network | deals | decisions | gain of its choice over `neural/2`'s, in points, on deals left out |
| --- | ---: | ---: | ---: |
{training}

A decision before the opening comes up 2.6 times for a player in a deal, one after it 4.7 times, and
0.6 times and 0.2 times the discard could be taken before and after it.

{learning}
What it reached on {deals:,} deals of release seeds that no other bot has used, with `neural/2` and
`master` on the same deals; {seconds:,} seconds on a shared core:

| {columns} |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{released}

The last column adds the lead over `master` to what `master` reached on its own 5,000 release deals,
as these deals are others. {aim}

    python scripts/neural_data.py altinstar neural/all --deals 360000 --worlds 12 --learned
    python scripts/neural_data.py altinstar neural/taking --worlds 24 --learned --taking
    python scripts/train_neural.py fit altinstar neural/all neural/taking
    python scripts/train_neural.py write --presets altinstar
    python scripts/neural_strength.py try altinstar --deals 2000
    python scripts/neural_strength.py release        # once a version

{tried}
### Model card

- What it is: {weights:,} weights (`src/okey101/weights/neural.bin`, {kilobytes:,} kB, 32-bit
  integers) of twelve networks that rank choices of a player of Okey 101. Licence: MIT, as the
  program; the data were made by the program itself, with nobody's games, and
  `scripts/neural_data.py` makes them again. The networks of `champion`
  (`src/okey101/weights/champion.bin`, {smaller_kilobytes} kB) have the same licence, and data made
  alike: six of the same form, smaller, foretell points, and three tell where tiles are.
{data}
{use}
- Limits: it was made among three `greedy`, four players, no teams; for other rules it takes the
  networks of the preset that is most like them, untested. What it foretells is a difference between
  choices of one decision, not a score. It opens and lays off as `greedy` does, or not at all, and
  takes no discard that `greedy` would leave.
"""


_DATA: Final = (
    "Data: development seed {seed} (`benchmarks/seeds.json`). {spent} Both scripts go on where "
    "they were stopped. {sources}"
)


def _item(text: str) -> str:
    """An item of a list, in lines."""
    return textwrap.fill(
        f"- {text}", 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def interval(rows: Sequence[float]) -> tuple[float, float]:
    """A mean, and half of its 95 % interval."""
    mean = math.fsum(rows) / len(rows)
    spread = math.fsum((row - mean) ** 2 for row in rows) / (len(rows) - 1)
    return mean, 1.96 * math.sqrt(spread / len(rows))


def cell(rows: Sequence[float]) -> str:
    """Both as a table's cell."""
    mean, error = interval(rows)
    return f"{mean:+.1f} ± {error:.1f}"


def _by_way_of_master(preset: str, lead: Sequence[float]) -> str:
    """The lead over ``master`` and what ``master`` reached when it was released."""
    kept = list(json.loads(MASTER.read_text(encoding="utf-8")).values())[-1]
    own = interval([row / _PLAYERS for row in kept["rules"][preset]["gains"]])
    mean, error = interval(lead)
    return f"{own[0] + mean:+.1f} ± {math.hypot(own[1], error):.1f}"


def _released() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(RELEASED.read_text(encoding="utf-8"))
    found: dict[str, Any] = list(kept.values())[-1]
    return found


def _rows(rules: dict[str, Any], one: str, other: str | None = None) -> list[float]:
    """What a bot scores a deal less than ``greedy``, or than another bot."""
    points = rules[other] if other else [0] * len(rules[one])
    return [(a - b) / _PLAYERS for a, b in zip(rules[one], points, strict=True)]


def league_cells(presets: Sequence[str]) -> list[str]:
    """What stands in the league table, by preset."""
    rules = _released()["rules"]
    rows = (_rows(rules[preset], "neural") for preset in presets)
    return [f"{cell(row)} ({len(row):,} deals)" for row in rows]


def reached(preset: str) -> tuple[float, float, int]:
    """What it scored more than ``greedy``, half of the interval, and in how many deals."""
    rows = _rows(_released()["rules"][preset], "neural")
    return (*interval(rows), len(rows))


def section() -> list[str]:
    """The lines of the section."""
    from okey101.weights.neural import CHOICE_SIZE, NET, NETS, POSITION_SIZE, SAMPLES, WIDE

    kept, trained = _released(), json.loads(TRAINED.read_text(encoding="utf-8"))
    training = [
        f"| {preset}, {stage.replace('-', ', ')} | {net['deals']:,} | {net['decisions']:,} "
        f"| {net['gain']:.2f} ± {net['error']:.2f} |"
        for preset, nets in trained["networks"].items()
        for stage, net in nets.items()
    ]
    released = []
    for preset, rules in kept["rules"].items():
        pairs = (
            ("neural", None), ("neural/2", None), ("master", None), ("neural", "neural/2"),
            ("neural", "master"),
        )  # fmt: skip
        found = [_rows(rules, *pair) for pair in pairs]
        cells = [f"{rules['seed']:,}", *map(cell, found), _by_way_of_master(preset, found[-1])]
        released.append(f"| {preset} | " + " | ".join(cells) + " |")
    text = _ABOUT.format(
        position=POSITION_SIZE, choice=CHOICE_SIZE, first=WIDE.first, second=WIDE.second,
        samples=SAMPLES, training="\n".join(training), released="\n".join(released),
        deals=len(kept["rules"]["altinstar"]["neural"]),
        aim=trained["aim"],
        seconds=sum(rules["seconds"] for rules in kept["rules"].values()),
        weights=3 * NETS * NET, kilobytes=3 * NETS * NET * 4 // 1000,
        smaller_kilobytes=SMALLER.stat().st_size // 1000,
        data=_item(
            _DATA.format(seed=trained["seed"], spent=trained["spent"], sources=trained["sources"])
        ),
        use=_item("Use: a player among bots or people. " + trained["time"]),
        tried=trained["tried"], columns=" | ".join(_COLUMNS),
        learning="\n".join(strength_learning.section()),
    )  # fmt: skip
    return text.splitlines()
