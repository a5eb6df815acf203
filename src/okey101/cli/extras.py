"""What to say when an extra is not installed; this module itself needs none."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Final

from okey101.cli.failures import USAGE, Failure, error_object, language_of, wants_json
from okey101.cli.output import json_text
from okey101.i18n import LANGUAGES, plain_sentence

__all__ = ["BROUGHT", "extra_of", "tell_missing"]

BROUGHT: Final = {
    "data": frozenset({"pyarrow"}),
    "ray": frozenset({"ray"}),
    "cli": frozenset({"click", "fluent"}),
    "client": frozenset({"msgspec", "websockets"}),
    "server": frozenset(
        {
            "alembic",
            "argon2",
            "httptools",
            "litestar",
            "msgspec",
            "prometheus_client",
            "pydantic",
            "pydantic_settings",
            "sqlalchemy",
            "structlog",
            "uvicorn",
            "uvloop",
            "websockets",
        }
    ),
    "sim": frozenset({"numba", "numpy"}),
}
"""The modules that each extra brings, by the names they are imported by."""
_OF_THE_SERVER: Final = ("serve", "admin")


def extra_of(error: ModuleNotFoundError, arguments: Sequence[str]) -> str | None:
    """The extra whose absence an error tells, if it is one's; the server's brings the other one."""
    module = (error.name or "").partition(".")[0]
    found = next((extra for extra, modules in BROUGHT.items() if module in modules), None)
    words = [word for word in arguments if not word.startswith("-") and word not in LANGUAGES]
    return "server" if found and words[:1] and words[0] in _OF_THE_SERVER else found


def tell_missing(extra: str, arguments: Sequence[str]) -> int:
    """Say which extra is missing and how to install it; returns the exit code of wrong usage."""
    language = language_of(arguments, os.environ)
    message = plain_sentence(language, "error-missing-extra", extra=extra)
    failure = Failure(USAGE, "missing-extra", message, extra=extra)
    if wants_json(arguments):
        sys.stdout.write(json_text(error_object(failure), sys.stdout) + "\n")
    else:
        sys.stderr.write(f"okey101: {message}\n")
    return failure.exit_code
