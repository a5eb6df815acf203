"""What the declarations of all commands share: the language, JSON, the folder, and the output."""

from __future__ import annotations

import click

from okey101.cli.output import Output
from okey101.i18n import LANGUAGES

__all__ = ["EmptyFolder", "as_json", "data", "lang", "no_empty_folder", "output_of"]


class EmptyFolder(click.BadParameter):
    """A folder without a name: it would be the current one, which nobody meant."""


def no_empty_folder(
    ctx: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    """Let the name of a folder through; raises EmptyFolder for an empty one."""
    if value is not None and not value.strip():
        raise EmptyFolder("empty", ctx, parameter)
    return value


# Both are read from the arguments before any command is chosen, so that its failures heed them.
lang = click.option("--lang", type=click.Choice(LANGUAGES), metavar="tr|en", expose_value=False)
as_json = click.option("--json", "as_json", is_flag=True, expose_value=False)
data = click.option("--data", metavar="DIR", callback=no_empty_folder)


def output_of(ctx: click.Context) -> Output:
    """The output that the command writes to."""
    output = ctx.obj
    assert isinstance(output, Output)
    return output
