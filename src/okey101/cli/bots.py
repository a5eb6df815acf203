"""``okey101 bots``: a list of the bots."""

from __future__ import annotations

from okey101.bots import BOTS
from okey101.cli.output import Output

__all__ = ["show_bots"]


def show_bots(output: Output) -> int:
    """Print every bot's name and what it does; returns the exit code."""
    said = {name: output.texts(info.description) for name, info in BOTS.items()}
    if output.as_json:
        bots = [{"name": name, "description": text} for name, text in said.items()]
        output.answer({"bots": bots})
        return 0
    width = max(map(len, said))
    output.lines(f"{name:<{width}}  {text}" for name, text in said.items())
    return 0
