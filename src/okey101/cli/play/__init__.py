"""A match at the terminal, line by line, against bots (``okey101 play``)."""

from okey101.cli.play.main import PlaySettings, run

__all__ = ["PlaySettings", "run"]
