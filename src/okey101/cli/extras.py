"""What to say when an extra is not installed; this module itself needs none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from okey101.cli.output import Exit, Failure, Output
from okey101.i18n import LANGUAGES, plain_sentence

BROUGHT: Final = {
    "data": frozenset({"pyarrow"}),
    "ray": frozenset({"ray"}),
    "cli": frozenset({"click", "fluent"}),
    "client": frozenset({"msgspec", "websockets"}),
    "server": frozenset({
        "argon2", "cryptography", "httptools", "litestar", "msgspec", "prometheus_client",
        "pydantic", "pydantic_settings", "sqlalchemy", "structlog", "uvicorn", "uvloop",
        "websockets",
    }),
    "postgres": frozenset({"asyncpg", "greenlet"}),
    "sim": frozenset({"numba", "numpy"}),
}  # fmt: skip
"""The modules that each extra brings, by the names they are imported by."""
_OF_THE_SERVER: Final = ("serve", "admin", "store")


def extra_of(error: ModuleNotFoundError, arguments: Sequence[str]) -> str | None:
    """The extra whose absence an error tells, if it is one's; the server's brings the other one."""
    module = (error.name or "").partition(".")[0]
    found = next((extra for extra, modules in BROUGHT.items() if module in modules), None)
    words = [word for word in arguments if not word.startswith("-") and word not in LANGUAGES]
    server = found not in (None, "postgres") and words[:1] and words[0] in _OF_THE_SERVER
    return "server" if server else found


def tell_missing(extra: str, arguments: Sequence[str]) -> int:
    """Say which extra is missing and how to install it; returns the exit code of wrong usage."""
    output = Output.asked_for(arguments)
    message = plain_sentence(output.language, "error-missing-extra", extra=extra)
    if output.as_json:
        return output.report(Failure(Exit.USAGE, "missing-extra", message, extra=extra))
    output.note(f"okey101: {message}")
    return Exit.USAGE


# ``uvx okey101 play`` brings the core alone: the same command once more, with its extra.
#
# uvx installs what it was asked for and nothing else, and the core needs no other package. Whoever
# runs a command by it wants that command, and uvx itself fetches what is missing: only in an
# environment that uvx made for this one run.

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
