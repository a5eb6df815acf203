"""Starting a match at the terminal: a new one or a saved one, and the exit code it ends with."""

from __future__ import annotations

from typing import TextIO

from okey101.cli.play.settings import PlaySettings

__all__ = ["run"]


def run(
    settings: PlaySettings,
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
) -> int:
    """Play a match and return the exit code: 0 ended or left, 3 a damaged save, 130 interrupted.

    Streams default to the standard ones. 1 where the file can't be written or is taken, 2 for
    an unknown bot or a refused number of deals.
    """
    raise NotImplementedError
