"""``okey101 bots``: the bots there are."""

from __future__ import annotations

from okey101.bots import BOTS
from okey101.cli.output import Console

__all__ = ["show_bots"]


def show_bots(console: Console) -> int:
    """Print every bot's name and what it does; returns the exit code."""
    said = {name: console.texts(info.description) for name, info in BOTS.items()}
    if console.as_json:
        bots = [{"name": name, "description": text} for name, text in said.items()]
        console.answer({"bots": bots})
        return 0
    width = max(map(len, said))
    console.lines(f"{name:<{width}}  {text}" for name, text in said.items())
    return 0
