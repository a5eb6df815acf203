"""``okey101 bots``: a list of the bots."""

from __future__ import annotations

from importlib.metadata import EntryPoint

from okey101.bots import BOTS, SEARCHERS
from okey101.bots.specs import installed
from okey101.cli.output import Output, printable

__all__ = ["show_bots"]


def show_bots(output: Output) -> int:
    """Print every bot's name and what it does; returns the exit code."""
    ours = {**BOTS, **SEARCHERS}
    said = {name: output.texts(info.description) for name, info in ours.items()}
    brought = {name: _package(point) for name, point in installed().items()}
    said |= {name: output.texts("bot-installed", package=p) for name, p in brought.items()}
    if output.as_json:
        bots = [
            {"name": name, "description": text, "package": brought.get(name)}
            for name, text in said.items()
        ]
        output.answer({"bots": bots})
        return 0
    width = max(map(len, said))
    output.lines(f"{name:<{width}}  {text}" for name, text in said.items())
    return 0


def _package(point: EntryPoint) -> str:
    """Who brings a bot: the package's name and version."""
    dist = point.dist
    return printable(f"{dist.name} {dist.version}" if dist is not None else point.value)
