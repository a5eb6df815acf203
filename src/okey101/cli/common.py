"""What the declarations of all commands share: the language, JSON, and the console."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from okey101.cli.output import Console

__all__ = ["Json", "Lang", "Language", "console_of"]


class Language(StrEnum):
    """The languages to choose from."""

    TR = "tr"
    EN = "en"


Lang = Annotated[Language | None, typer.Option("--lang", metavar="tr|en", show_default=False)]
Json = Annotated[bool, typer.Option("--json")]


def console_of(ctx: typer.Context) -> Console:
    """The console the command speaks through."""
    console = ctx.obj
    assert isinstance(console, Console)
    return console
