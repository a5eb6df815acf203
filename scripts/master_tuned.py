"""Where the scripts that find the weights of ``master`` write them: a module of the package."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from okey101.weights.master import FEATURES

OUT: Final = Path(__file__).parents[1] / "src" / "okey101" / "master_tuned.py"


def write(tuned: dict[str, dict[str, tuple[int, ...]]]) -> None:
    """Write the weights of all presets as a module."""
    lines = [
        '"""The weights of ``master`` by preset, as ``okey101.weights.master`` names them."""',
        "", "from __future__ import annotations", "", "from typing import Final", "",
        '__all__ = ["TUNED"]', "", "TUNED: Final[dict[str, dict[str, tuple[int, ...]]]] = {",
    ]  # fmt: skip
    for preset, weights in tuned.items():
        lines.append(f'    "{preset}": {{')
        lines += [f'        "{name}": {values},' for name, values in weights.items()]
        lines.append("    },")
    OUT.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


def by_feature(weights: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """A vector of weights by the names of the features."""
    found, place = {}, 0
    for name, count in FEATURES._asdict().items():
        found[name] = tuple(weights[place : place + count])
        place += count
    return found
