"""Help and usage errors in the language of the user; Typer speaks English alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from okey101.cli.failures import USAGE, Failure
from okey101.i18n import Texts, load

__all__ = ["USAGE_ERROR", "Command", "Group", "localise", "usage_failure"]

USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]
"""What all of Typer's usage errors are; the class itself has no public name."""

_HEADING = re.compile(r"^(Usage|Options|Arguments|Commands):", re.MULTILINE)
_KIND = re.compile(r" <(?:str|int|float)>")
_BRACED = re.compile(r"\{([A-Z]+)\}")


def _spoken(help_text: str, texts: Texts) -> str:
    """The headings and tags of a help text, which Typer writes itself."""

    def heading(found: re.Match[str]) -> str:
        return texts(f"help-{found[1].casefold()}") + ":"

    plain = _BRACED.sub(r"\1", _KIND.sub("", help_text))
    return _HEADING.sub(heading, plain).replace("[required]", texts("help-required"))


def _help(language: str, context: Any, english: Callable[[], str]) -> str:
    texts = load(language)
    localise(context.find_root().command, texts)
    return _spoken(english(), texts)


class Command(TyperCommand):
    """A command whose help speaks the language of the user."""

    def get_help(self, ctx: Any) -> str:
        """The help text."""
        group: Group = ctx.find_root().command
        return _help(group.language, ctx, partial(super().get_help, ctx))


class Group(TyperGroup):
    """The command itself, or one that has commands of its own; its help lists them."""

    language: str = "en"
    """Of the command itself; those below it speak the same."""

    def get_help(self, ctx: Any) -> str:
        """The help text."""
        group: Group = ctx.find_root().command
        return _help(group.language, ctx, partial(super().get_help, ctx))


def localise(group: Any, texts: Texts) -> None:
    """Give every command and every option its help text.

    An option's key is ``opt-<command>-<name>``, or ``opt-<name>`` where all commands share it. Of
    ``okey101 admin ban`` the command is ``admin-ban``.
    """
    group.help = texts("cli-okey101")
    _localise_group(group, "okey101", "", texts)


def _localise_group(group: Any, own: str, prefix: str, texts: Texts) -> None:
    group.subcommand_metavar = texts("help-subcommand")
    group.options_metavar = texts("help-some-options")
    _localise_options(group, own, texts)
    for name, command in group.commands.items():
        full = prefix + name
        command.help = texts(f"cli-{full}")
        command.short_help = texts(f"cli-{full}-short")
        if isinstance(command, Group):
            _localise_group(command, full, f"{full}-", texts)
            continue
        command.options_metavar = texts("help-some-options")
        _localise_options(command, full, texts)


def _localise_options(command: Any, name: str, texts: Texts) -> None:
    for option in command.params:
        word = option.name.replace("_", "-")
        own = f"opt-{name}-{word}"
        option.help = texts(own if texts.has(own) else f"opt-{word}")
    original: Callable[..., Any] = command.get_help_option

    def get_help_option(*args: Any) -> Any:
        option = original(*args)
        if option is not None:
            option.help = texts("opt-help")
        return option

    command.get_help_option = get_help_option


def usage_failure(error: Exception, texts: Texts) -> Failure:
    """The failure behind one of Typer's usage errors."""
    kinds = {kind.__name__ for kind in type(error).__mro__}
    context: Any = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "okey101"
    if "NoArgsIsHelpError" in kinds:
        failure = Failure(USAGE, "no-command", texts("error-no-command"))
        failure.hint = f"\n{context.get_help()}" if context is not None else ""
        return failure
    code, details = _worded(error, kinds)
    failure = Failure(USAGE, code, texts(f"error-{code}", **details), **details)
    failure.hint = texts("failure-hint", command=command)
    return failure


def _worded(error: Exception, kinds: set[str]) -> tuple[str, dict[str, str | int]]:
    reason = str(getattr(error, "message", error))
    parameter = _parameter(error)
    if "NoSuchOption" in kinds:
        return "no-such-option", {"option": str(getattr(error, "option_name", ""))}
    if "MissingParameter" in kinds:
        return "missing-parameter", {"parameter": parameter}
    if "BadParameter" in kinds:
        choices = re.search(r"is not one of (.+?)\.?$", reason)
        if choices:
            words = ", ".join(re.findall(r"'(.+?)'", choices[1]))
            return "bad-choice", {"parameter": parameter, "choices": words}
        return "bad-parameter", {"parameter": parameter} | _wanted(error)
    if "BadOptionUsage" in kinds:
        option = str(getattr(error, "option_name", ""))
        return "missing-value" if "requires" in reason else "bad-option", {"option": option}
    if found := re.search(r"No such command '(.*?)'", reason):
        return "no-such-command", {"command": found[1]}
    if found := re.search(r"unexpected extra arguments?(?:\(s\))? \((.*)\)", reason):
        return "extra-argument", {"argument": found[1]}
    return "usage", {"reason": reason}


def _wanted(error: Exception) -> dict[str, str | int]:
    """What a parameter takes: a number within bounds, or a folder."""
    parameter: Any = getattr(error, "param", None)
    kind: Any = getattr(parameter, "type", None)
    low, high = getattr(kind, "min", None), getattr(kind, "max", None)
    if low is not None and high is not None:
        return {"wanted": "range", "low": f"{low:.12g}", "high": f"{high:.12g}"}
    if low is not None:
        return {"wanted": "least", "low": f"{low:.12g}"}
    folder = getattr(parameter, "callback", None) is not None  # nothing else has one
    return {"wanted": "folder" if folder else "number"}


def _parameter(error: Exception) -> str:
    parameter: Any = getattr(error, "param", None)
    if parameter is None:
        return str(getattr(error, "param_hint", "") or "")
    options = [option for option in parameter.opts if option.startswith("-")]
    return options[0] if options else str(parameter.metavar or parameter.name)
