"""Usage errors: the failure behind each of Click's, told by its kind and never by its words."""

from __future__ import annotations

import click

from okey101.cli.common import EmptyFolder
from okey101.cli.failures import USAGE, Failure
from okey101.cli.help import ExtraArguments
from okey101.i18n import Texts

__all__ = ["no_command", "usage_failure"]


def no_command(ctx: click.Context, texts: Texts) -> Failure:
    """The failure of a group that is called without a command; people are shown its help."""
    failure = Failure(USAGE, "no-command", texts("error-no-command"))
    failure.hint = f"\n{ctx.get_help()}"
    return failure


def usage_failure(error: click.UsageError, texts: Texts) -> Failure:
    """The failure behind one of Click's usage errors."""
    code, details = _worded(error)
    failure = Failure(USAGE, code, texts(f"error-{code}", **details), **details)
    command = error.ctx.command_path if error.ctx is not None else "okey101"
    failure.hint = texts("failure-hint", command=command)
    return failure


def _worded(error: click.UsageError) -> tuple[str, dict[str, str | int]]:
    match error:
        case click.NoSuchOption():
            return "no-such-option", {"option": error.option_name}
        case click.NoSuchCommand():
            return "no-such-command", {"command": error.command_name}
        case ExtraArguments():
            return "extra-argument", {"argument": " ".join(error.arguments)}
        case click.BadOptionUsage():
            code = "bad-option" if _is_flag(error) else "missing-value"
            return code, {"option": error.option_name}
        case click.MissingParameter():
            return "missing-parameter", {"parameter": _parameter(error)}
        case click.BadParameter():
            return _bad_parameter(error)
        case _:
            return "usage", {"reason": error.format_message()}


def _is_flag(error: click.BadOptionUsage) -> bool:
    """Whether the option takes no value: then it was given one; otherwise it lacks one."""
    options = error.ctx.command.params if error.ctx is not None else []
    named = (o for o in options if error.option_name in (*o.opts, *o.secondary_opts))
    return any(isinstance(option, click.Option) and option.is_flag for option in named)


def _bad_parameter(error: click.BadParameter) -> tuple[str, dict[str, str | int]]:
    kind = None if error.param is None else error.param.type
    details: dict[str, str | int] = {"parameter": _parameter(error)}
    if isinstance(kind, click.Choice):
        return "bad-choice", details | {"choices": ", ".join(map(str, kind.choices))}
    if isinstance(error, EmptyFolder):
        return "bad-parameter", details | {"wanted": "folder"}
    if isinstance(kind, click.IntRange | click.FloatRange) and kind.min is not None:
        details["low"] = f"{kind.min:.12g}"
        if kind.max is None:
            return "bad-parameter", details | {"wanted": "least"}
        return "bad-parameter", details | {"wanted": "range", "high": f"{kind.max:.12g}"}
    return "bad-parameter", details | {"wanted": "number"}


def _parameter(error: click.BadParameter) -> str:
    parameter = error.param
    if parameter is None:
        return str(error.param_hint or "")
    return (
        parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name
    )
