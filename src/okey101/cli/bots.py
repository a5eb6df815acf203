"""``okey101 bots``: a list of the bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import EntryPoint
from typing import Final

from okey101.bots import BOTS, SEARCHERS
from okey101.bots.measured import Measured, measured_strength
from okey101.bots.specs import installed
from okey101.cli.output import Output, printable
from okey101.i18n import Texts

__all__ = ["show_bots"]

_SHOWN: Final = "altinstar"
"""The preset whose figures people are shown."""


def show_bots(output: Output) -> int:
    """Print every bot's name, strength and what it does; returns the exit code."""
    ours = {**BOTS, **SEARCHERS}
    said = {name: output.texts(info.description) for name, info in ours.items()}
    brought = {name: _package(point) for name, point in installed().items()}
    said |= {name: output.texts("bot-installed", package=p) for name, p in brought.items()}
    measured = measured_strength()
    if output.as_json:
        bots = [
            {
                "name": name,
                "description": text,
                "package": brought.get(name),
                "strength": {
                    preset: {"mean": mean, "reach": reach}
                    for preset, (mean, reach) in measured.get(name, {}).items()
                },
            }
            for name, text in said.items()
        ]
        output.answer({"bots": bots})
        return 0
    output.lines(_lines(said, measured, output.texts))
    return 0


def _lines(
    said: Mapping[str, str], measured: Mapping[str, Measured], texts: Texts
) -> Iterator[str]:
    """A line for each bot, and what the figures are."""
    points = {name: _points(found.get(_SHOWN), texts) for name, found in measured.items()}
    points["greedy"] = "0"
    widths = max(map(len, said)), max(map(len, points.values()))
    for name, text in said.items():
        yield f"{name:<{widths[0]}}  {points.get(name, '-'):>{widths[1]}}  {text}"
    yield ""
    yield texts("bots-strength", preset=_SHOWN)


def _points(found: Sequence[float] | None, texts: Texts) -> str:
    if found is None:
        return "-"
    told = f"{found[0]:+.1f} ± {found[1]:.1f}"
    return told.replace(".", ",") if texts.language == "tr" else told


def _package(point: EntryPoint) -> str:
    """Who brings a bot: the package's name and version."""
    dist = point.dist
    return printable(f"{dist.name} {dist.version}" if dist is not None else point.value)
