"""``okey101 version``: which version this is."""

from __future__ import annotations

import sys

from okey101 import __version__


def show(*, as_json: bool) -> int:
    """Print the version, and under ``as_json`` Python's as well; returns the exit code 0."""
    if as_json:
        import json

        python = ".".join(map(str, sys.version_info[:3]))
        data = {"ok": True, "version": __version__, "python": python}
        print(json.dumps(data))
    else:
        print(f"okey101 {__version__}")
    return 0
