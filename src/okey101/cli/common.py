"""What the declarations of all commands share: the language, JSON, and the console."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from okey101.cli.output import Console

__all__ = ["Data", "Json", "Lang", "Language", "console_of", "no_empty_folder"]


class Language(StrEnum):
    """The languages to choose from."""

    TR = "tr"
    EN = "en"


def no_empty_folder(value: str | None) -> str | None:
    """Refuse an empty name for a folder: it would be the current one, which nobody meant."""
    if value is not None and not value.strip():
        raise typer.BadParameter("empty")
    return value


Lang = Annotated[Language | None, typer.Option("--lang", metavar="tr|en", show_default=False)]
Json = Annotated[bool, typer.Option("--json")]
Data = Annotated[
    str | None,
    typer.Option("--data", metavar="DIR", show_default=False, callback=no_empty_folder),
]


def console_of(ctx: typer.Context) -> Console:
    """The console the command speaks through."""
    console = ctx.obj
    assert isinstance(console, Console)
    return console
