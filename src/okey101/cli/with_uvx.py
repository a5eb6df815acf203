"""``uvx okey101 play`` brings the core alone: the same command once more, with its extra.

uvx installs what it was asked for and nothing else, and the core needs no other package. Whoever
runs a command by it wants that command, and uvx itself fetches what is missing: only in an
environment that uvx made for this one run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

__all__ = ["run_with_extra"]

_AGAIN: Final = "OKEY101_UVX_AGAIN"
"""Set for the second run, so that there is no third."""


def run_with_extra(extra: str, arguments: Sequence[str]) -> int | None:
    """The exit code of the command, run with its extra; None where no uvx runs this program."""
    uv = os.environ.get("UV")  # uv tells its path to what it starts
    if not uv or _AGAIN in os.environ:
        return None
    try:
        cache = subprocess.run([uv, "cache", "dir"], capture_output=True, text=True, check=True)
        if not Path(sys.prefix).resolve().is_relative_to(Path(cache.stdout.strip()).resolve()):
            return None  # `uv run`, or a tool that was installed
        python = ".".join(map(str, sys.version_info[:2]))
        words = [uv, "tool", "run", "--quiet", "--python", python, "--from", _wanted(extra)]
        environ = os.environ | {_AGAIN: "1"}
        return subprocess.call([*words, "okey101", *arguments], env=environ)
    except (OSError, subprocess.SubprocessError, PackageNotFoundError):
        return None


def _wanted(extra: str) -> str:
    """The same version with an extra: from the file that it came from, or from the index."""
    own = distribution("okey101")
    origin = json.loads(own.read_text("direct_url.json") or "{}")
    place = f" @ {origin['url']}" if "url" in origin else f"=={own.version}"
    return f"okey101[{extra}]{place}"
