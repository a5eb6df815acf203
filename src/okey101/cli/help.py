"""Commands whose help is in the language of the user."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import CompletionItem

from okey101.cli.common import output_of
from okey101.i18n import Texts

__all__ = ["ExtraArguments", "LocalizedCommand", "LocalizedGroup"]

_ITSELF: Final = "okey101"


class ExtraArguments(click.UsageError):
    """More arguments than the command takes."""

    def __init__(self, arguments: list[str], ctx: click.Context) -> None:
        super().__init__("extra arguments", ctx)
        self.arguments = arguments


class _Spoken(click.Command):
    """What commands and groups have in common: every text comes from the catalogue.

    The key of a command is ``cli-<command>``; of ``okey101 admin ban`` the command is
    ``admin-ban``. An option's is ``opt-<command>-<name>``, or ``opt-<name>`` where all commands
    share it.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; a usage error says by its context which command was meant."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the whole help."""
        self._take_words(ctx)
        super().format_help(ctx, formatter)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the line that shows how the command is called."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, f"{_texts(ctx)('help-usage')}: ")

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each argument means."""
        texts = _texts(ctx)
        rows: list[tuple[str, str]] = []
        for parameter in self.params:
            if isinstance(parameter, click.Argument):
                tag = f"  {texts('help-required')}" if parameter.required else ""
                rows.append((parameter.make_metavar(ctx), f"{parameter.help}{tag}"))
        _write_section(formatter, texts("help-arguments"), rows)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each option means."""
        options = (p for p in self.get_params(ctx) if not isinstance(p, click.Argument))
        rows = [row for option in options if (row := option.get_help_record(ctx)) is not None]
        _write_section(formatter, _texts(ctx)("help-options"), rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Propose words; some shells show what each of them means."""
        self._take_words(ctx)
        return super().shell_complete(ctx, incomplete)

    def _take_words(self, ctx: click.Context) -> None:
        texts = _texts(ctx)
        name = _key(ctx)
        self.help = texts(f"cli-{name}")
        self.options_metavar = texts("help-some-options")
        for parameter in self.params:
            word = parameter.name.replace("_", "-")
            own = f"opt-{name}-{word}"
            parameter.help = texts(own if texts.has(own) else f"opt-{word}")
        help_option = self.get_help_option(ctx)
        if help_option is not None:
            help_option.help = texts("opt-help")


class LocalizedCommand(_Spoken):
    """A command that does something."""

    allow_extra_args = True  # they are refused here, where they can be named

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; raises ExtraArguments where some are left over."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise ExtraArguments(rest, ctx)
        return rest


class LocalizedGroup(_Spoken, click.Group):
    """The command itself, or one that has subcommands; its help lists them."""

    command_class = LocalizedCommand

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which the commands were declared."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each option and each command means."""
        _Spoken.format_options(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does."""
        rows = [(name, command.short_help or "") for name, command in self.commands.items()]
        _write_section(formatter, _texts(ctx)("help-commands"), rows)

    def _take_words(self, ctx: click.Context) -> None:
        super()._take_words(ctx)
        texts = _texts(ctx)
        self.subcommand_metavar = texts("help-subcommand")
        prefix = "" if ctx.parent is None else f"{_key(ctx)}-"
        for name, command in self.commands.items():
            command.short_help = texts(f"cli-{prefix}{name}-short")


def _texts(ctx: click.Context) -> Texts:
    return output_of(ctx).texts


def _key(ctx: click.Context) -> str:
    """The command's part of its key: the words after the program's name."""
    return "-".join(ctx.command_path.split()[1:]) or _ITSELF


def _write_section(
    formatter: click.HelpFormatter, heading: str, rows: list[tuple[str, str]]
) -> None:
    if rows:
        with formatter.section(heading):
            formatter.write_dl(rows)
