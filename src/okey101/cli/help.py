"""Commands whose help is in the language of the user."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import fields
from importlib import import_module
from typing import Any, Final, TypeAlias

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from okey101.cli.output import Exit, Failure, Output, at_home
from okey101.errors import nearest
from okey101.i18n import LANGUAGES, Texts

# What the declarations of all commands share: the language, JSON, the folder, and the output.


class WrongUse(click.UsageError):
    """Wrong usage that Click knows nothing of: a code, and what it tells."""

    def __init__(self, code: str, ctx: click.Context | None, **details: str) -> None:
        super().__init__(code, ctx)
        self.code = code
        self.details = details


def named_folder(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Let the name of a folder through; WrongUse for an empty one, and for the home of nobody.

    Nobody means the current folder by an empty name, nor one of its own by ``~`` and a name.
    """
    if value is not None and (not value.strip() or str(at_home(value)).startswith("~")):
        raise WrongUse("bad-parameter", ctx, parameter=_name(parameter), wanted="folder")
    return value


def unused(*names: str) -> None:
    """Refuse the options of these parameters where they were typed: here they say nothing."""
    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name)
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            raise WrongUse("bad-option", ctx, option=_name(parameter))


class Choice(click.Choice[str]):
    """One of a few words; raises WrongUse, which tells the nearest of them, for another."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word itself."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            told = {"parameter": _name(param), "choices": ", ".join(self.choices)}
            raise WrongUse("bad-choice", ctx, **told, **_meant(str(value), self.choices)) from None


class _File(click.ParamType[str]):
    """A file by its name; shells leave ``~`` as it is after an option's ``=``."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The path, as text."""
        return str(at_home(value))


FILE: Final = _File()


def _meant(word: str, known: Iterable[str]) -> dict[str, str]:
    meant = nearest(word, known)
    return {"meant": meant} if meant else {}


# Both are read from the arguments before any command is chosen, so that its failures heed them.
lang = click.option("--lang", type=Choice(LANGUAGES), metavar="tr|en", expose_value=False)
as_json = click.option("--json", "as_json", is_flag=True, expose_value=False)
data = click.option("--data", metavar="DIR", callback=named_folder)


def output_of(ctx: click.Context) -> Output:
    """The output that the command writes to."""
    output = ctx.obj
    assert isinstance(output, Output)
    return output


Declared: TypeAlias = Callable[[Callable[..., int]], Callable[..., int]]
"""An option or an argument, as ``click.option`` and ``click.argument`` declare it."""


def command(
    group: click.Group, name: str, target: str, *, answers_json: bool = True, **fixed: str
) -> Callable[..., click.Command]:
    """Add a command that runs ``target``, ``module:function`` below ``okey101.cli``.

    What this returns takes its parameters. The function gets the output, what is ``fixed``, and the
    parameters by name, some of them as the object that it takes as ``options`` or ``where``. The
    module loads when the command runs, so that others don't wait for it.
    """

    @click.pass_obj
    def run(output: Output, /, **given: object) -> int:
        module, _, name = target.partition(":")
        loaded = import_module(f"okey101.cli.{module}")
        function = getattr(loaded, name)
        prints = output.as_json and not {"bot", "bots"}.isdisjoint(given)  # a bot, what it likes
        for gathers in {"options", "where"} & function.__annotations__.keys():
            kind = getattr(loaded, function.__annotations__[gathers])
            names = {field.name for field in fields(kind)} & given.keys()
            given[gathers] = kind(**{name: given.pop(name) for name in names})
        with redirect_stdout(sys.stderr if prints else output.out):
            return int(function(output, **given, **fixed))

    def add(*parameters: Declared) -> click.Command:
        shared: tuple[Declared, ...] = (lang, as_json) if answers_json else (lang,)
        declared: Callable[..., int] = run
        for parameter in (*shared, *reversed(parameters)):
            declared = parameter(declared)
        return group.command(name)(declared)

    return add


_ITSELF: Final = "okey101"


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
        """Read the arguments; raises WrongUse where some are left over."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise WrongUse("extra-argument", ctx, argument=" ".join(rest))
        return rest


class LocalizedGroup(_Spoken, click.Group):
    """The command itself, or one that has subcommands; its help lists them."""

    command_class = LocalizedCommand

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which the commands were declared."""
        return list(self.commands)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each option means, and what each command does."""
        _Spoken.format_options(self, ctx, formatter)
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


# Usage errors: the failure behind each of Click's, told by its kind and never by its words.


def need_command(ctx: click.Context) -> None:
    """Failure for a group that is called without a command; people are shown its help."""
    if ctx.invoked_subcommand is None:
        failure = Failure.of(_texts(ctx), Exit.USAGE, "no-command")
        failure.hint = f"\n{ctx.get_help()}"
        raise failure


def usage_failure(error: click.UsageError, texts: Texts) -> Failure:
    """The failure behind one of Click's usage errors."""
    code, details = _worded(error)
    failure = Failure.of(texts, Exit.USAGE, code, **details)
    if "meant" in details:
        failure.message += " " + texts("did-you-mean", name=details["meant"])
    command = error.ctx.command_path if error.ctx is not None else "okey101"
    failure.hint = texts("failure-hint", command=command)
    return failure


def _worded(error: click.UsageError) -> tuple[str, dict[str, str | int]]:
    match error:
        case click.NoSuchOption():
            return "no-such-option", _named("option", error.option_name, error.ctx)
        case click.NoSuchCommand():
            return "no-such-command", _named("command", error.command_name, error.ctx)
        case WrongUse():
            return error.code, {**error.details}
        case click.BadOptionUsage():
            code = "bad-option" if _is_flag(error) else "missing-value"
            return code, {"option": error.option_name}
        case click.MissingParameter():
            return "missing-parameter", {"parameter": _name(error.param)}
        case click.BadParameter():
            return _bad_parameter(error)
        case _:
            return "usage", {"reason": error.format_message()}


def _named(kind: str, word: str, ctx: click.Context | None) -> dict[str, str | int]:
    """A word that is no option or command of a context, and the one that was meant, if any."""
    known: list[str] = []
    if ctx is not None and kind == "option":
        known = [name for p in ctx.command.params for name in (*p.opts, *p.secondary_opts)]
    elif ctx is not None and isinstance(ctx.command, click.Group):
        known = ctx.command.list_commands(ctx)
    return {kind: word, **_meant(word, known)}


def _is_flag(error: click.BadOptionUsage) -> bool:
    """Whether the option takes no value: then it was given one; otherwise it lacks one."""
    options = error.ctx.command.params if error.ctx is not None else []
    named = (o for o in options if error.option_name in (*o.opts, *o.secondary_opts))
    return any(isinstance(option, click.Option) and option.is_flag for option in named)


def _bad_parameter(error: click.BadParameter) -> tuple[str, dict[str, str | int]]:
    kind = None if error.param is None else error.param.type
    details: dict[str, str | int] = {"parameter": _name(error.param)}
    if isinstance(kind, click.IntRange | click.FloatRange) and kind.min is not None:
        details["low"] = f"{kind.min:.12g}"
        if kind.max is None:
            return "bad-parameter", details | {"wanted": "least"}
        return "bad-parameter", details | {"wanted": "range", "high": f"{kind.max:.12g}"}
    return "bad-parameter", details | {"wanted": "number"}


def _name(parameter: click.Parameter | None) -> str:
    if isinstance(parameter, click.Option):
        return parameter.opts[0]
    if parameter is None:
        return ""
    name = parameter.human_readable_name
    return name if parameter.required else name.removeprefix("[").removesuffix("]")
