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
VALUES: Final = ROOT / "src" / "okey101" / "weights" / "value.bin"
_PLAYERS: Final = 4

_COLUMNS: Final = (
    "on the same deals", "arena seed", "`neural` - `greedy`", "`master` - `greedy`",
    "`neural` - `master`", "by way of `master`",
)  # fmt: skip
_ABOUT: Final = """\
## How `neural` was made

Its turn goes as `greedy`'s does. Where it could lay down or throw a tile instead, and where it has
a choice of tiles, a small network foretells what each choice will cost more than the others, and it
takes the least: to lay down what `greedy` would, and the five discards that cost `master` least.
There are two networks for each preset, one for before the opening and one for after it. Each has
{position} inputs of the position and {choice} of the choice (`okey101/weights/neural.py` names
them all; `master`'s cost is one of them, and goes straight to the end, too), two layers of {first}
and {second} units, and weights in whole numbers. Among the inputs is what {samples} draws of three
and of six unseen tiles would make of the rest, the same ones for all choices. Nothing is floating
point, the bot needs nothing but Python, and its compiled twin (`okey101.kernel.play_bots`)
chooses alike (`tests/kernel/test_kernel_bots.py`).

What the networks were trained on: one seat played `master` and the others `greedy`; at its
decisions each choice was played out to the end of the true deal, once with the stock as it lay and
once in another order, the same for all choices, the seat going on as `master`. What a choice scored
more than the mean of its decision is what the network learns, by least squares.

| network | deals | decisions | gain of its choice over `master`'s, in points, on deals left out |
| --- | ---: | ---: | ---: |
{training}

A decision before the opening comes up 2.6 times for a player in a deal, one after it 4.7 times.

{learning}
What it reached on {deals:,} deals of release seeds that no other bot has used, `master` beside it
on the same deals; {seconds:,} seconds on a shared core:

| {columns} |
| --- | ---: | ---: | ---: | ---: | ---: |
{released}

The last column adds the lead over `master` to what `master` reached on its own 5,000 release deals,
as these deals are others. The aim was -11 points under altinstar; better than `master`, interval
included, it is under each preset. `neural/2` has new networks for altinstar alone, from four times
the deals; `neural/1` reached {former} there (seed {former_seed:,}). Under pagat and wiki its
choices are those of `neural/1`, whose release stands.

    python scripts/neural_data.py altinstar neural/altinstar --deals 400000
    python scripts/train_neural.py fit altinstar neural/altinstar
    python scripts/train_neural.py fit altinstar neural/altinstar --value      # for `champion`
    python scripts/train_neural.py write --presets altinstar
    python scripts/train_neural.py write --presets altinstar --value
    python scripts/neural_strength.py try altinstar --deals 2000
    python scripts/neural_strength.py release        # once a version

{tried}
### Model card

- What it is: {weights:,} weights (`src/okey101/weights/neural.bin`, {kilobytes} kB, 32-bit
  integers) of six networks that rank choices of a player of Okey 101. Licence: MIT, as the program;
  the data were made by the program itself, with nobody's games, and `scripts/neural_data.py` makes
  them again. The six networks by which `champion` foretells points
  (`src/okey101/weights/value.bin`, {values_kilobytes} kB) are of the same form, data and licence.
{data}
{use}
- Limits: it was made among three `greedy`, four players, no teams; for other rules it takes the
  networks of the preset that is most like them, untested. What it foretells is a difference between
  choices of one decision, not a score. It takes a discard, opens and lays off as `greedy` does, or
  not at all.
"""


_DATA: Final = (
    "Data: development seed {seed} (`benchmarks/seeds.json`). Time for altinstar, on 2026-11-24: "
    "400,000 deals at 3.1 ms, 20 minutes of one core; training with JAX on a processor, 2 minutes "
    "on two cores for each of two networks of `neural` and two of `champion`: half an hour in all, "
    "on a day on which the machine was slow up to three times as much. Both scripts go on where "
    "they were stopped. The training names no device, so it takes a GPU where JAX finds one; "
    "there was none to try it on. {sources}"
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


def _rows(rules: dict[str, Any]) -> tuple[list[float], list[float], list[float]]:
    neural = [row / _PLAYERS for row in rules["neural"]]
    master = [row / _PLAYERS for row in rules["master"]]
    return neural, master, [a - b for a, b in zip(neural, master, strict=True)]


def league_cells(presets: Sequence[str]) -> list[str]:
    """What stands in the league table, by preset."""
    rules = _released()["rules"]
    rows = (_rows(rules[preset])[0] for preset in presets)
    return [f"{cell(row)} ({len(row):,} deals)" for row in rows]


def reached(preset: str) -> tuple[float, float, int]:
    """What it scored more than ``greedy``, half of the interval, and in how many deals."""
    rows = _rows(_released()["rules"][preset])[0]
    return (*interval(rows), len(rows))


def section() -> list[str]:
    """The lines of the section."""
    from okey101.weights.neural import CHOICE_SIZE, FIRST, NET, POSITION_SIZE, SAMPLES, SECOND

    former = json.loads(RELEASED.read_text(encoding="utf-8"))["neural/1"]["rules"]["altinstar"]
    kept, trained = _released(), json.loads(TRAINED.read_text(encoding="utf-8"))
    training = [
        f"| {preset}, {stage} | {net['deals']:,} | {net['decisions']:,} "
        f"| {net['gain']:.2f} ± {net['error']:.2f} |"
        for preset, nets in trained["networks"].items()
        for stage, net in nets.items()
    ]
    released = []
    for preset, rules in kept["rules"].items():
        found = _rows(rules)
        cells = [f"{rules['seed']:,}", *map(cell, found), _by_way_of_master(preset, found[2])]
        released.append(f"| {preset} | " + " | ".join(cells) + " |")
    text = _ABOUT.format(
        position=POSITION_SIZE, choice=CHOICE_SIZE, first=FIRST, second=SECOND,
        samples=SAMPLES, training="\n".join(training), released="\n".join(released),
        deals=len(kept["rules"]["altinstar"]["neural"]),
        former=cell(_rows(former)[0]), former_seed=former["seed"],
        seconds=sum(rules["seconds"] for rules in kept["rules"].values()),
        weights=6 * NET, kilobytes=6 * NET * 4 // 1000,
        values_kilobytes=VALUES.stat().st_size // 1000,
        data=_item(_DATA.format(seed=trained["seed"], sources=trained["sources"])),
        use=_item("Use: a player among bots or people. " + trained["time"]),
        tried=trained["tried"], columns=" | ".join(_COLUMNS),
        learning="\n".join(strength_learning.section()),
    )  # fmt: skip
    return text.splitlines()
