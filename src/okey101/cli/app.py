"""The commands and their options, as Click reads them; what they do is in a file each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import click
from click.shell_completion import get_completion_class, shell_complete

from okey101.cli import show_version
from okey101.cli.admin import admin
from okey101.cli.help import (
    FILE,
    Choice,
    LocalizedGroup,
    as_json,
    command,
    data,
    lang,
    named_folder,
    need_command,
    output_of,
    usage_failure,
)
from okey101.cli.output import Exit, Failure, Output
from okey101.errors import OkeyError

POLICIES: Final = ("master", "greedy")
"""Who may play on in the worlds of a review, the usual one first: ``okey101.review.POLICIES``."""

THEMES: Final = ("discards", "opening", "holding", "laying", "pairs", "taking", "end")
"""What positions to solve are about: ``okey101.review.puzzles.THEMES``."""

AIMS: Final = ("points", "tiles", "left", "pairs")
"""What the solver may be asked for."""
_NAME: Final = "okey101"
_COMPLETING: Final = "_OKEY101_COMPLETE"
"""Set by the shell's completion script when it asks for words."""
_SHELLS: Final = ("bash", "zsh", "fish", "powershell")

rack = click.argument("rack", metavar="RACK")
okey = click.option("--okey", metavar="B6")
aim = click.option("--for", "aim", type=Choice(AIMS), metavar="|".join(AIMS), default=AIMS[0])
settings = click.option("--set", "settings", metavar="field=value", multiple=True)
record_file = click.argument("file", metavar="FILE")


def tell_version(output: Output) -> int:
    """Print which version this is; returns the exit code."""
    return show_version(as_json=output.as_json)


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.exit(tell_version(output_of(ctx)))


def _show_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.command, {}, _NAME, _COMPLETING).source()
    output_of(ctx).lines([script])
    ctx.exit()


@click.group(cls=LocalizedGroup, invoke_without_command=True)
@lang
@as_json
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version)
@click.option(
    "--show-completion",
    type=Choice(_SHELLS),
    metavar="SHELL",
    is_eager=True,
    expose_value=False,
    callback=_show_completion,
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """The command itself."""
    need_command(ctx)


bot_list = click.argument("bots", metavar="BOT...", nargs=-1, required=True)
workers = click.option("--workers", metavar="N", type=click.IntRange(1, 1024), default=1)
compiled = click.option("--compiled", is_flag=True)
limit = click.option("--limit", metavar="MS", type=click.IntRange(1, 3_600_000), default=5_000)
preset = click.option("--rules", metavar="NAME", default="altinstar")

command(app, "play", "play.main:play_match", answers_json=False)(
    preset,
    settings,
    click.option("--deals", metavar="N", type=click.IntRange(1, 1000), default=3),
    click.option("--players", metavar="N", type=click.IntRange(2, 4)),
    click.option("--teams", is_flag=True),
    click.option("--bots", metavar="a,b,c", default="steady"),
    click.option("--seed", metavar="SEED"),
    click.option("--record", type=FILE),
    click.option("--resume/--new", default=None),
    click.option("--name", metavar="NAME", default=""),
)
command(app, "serve", "serve:serve_tables")(
    click.option("--host", metavar="HOST"),
    click.option("--port", metavar="PORT", type=click.IntRange(0, 65535)),
    click.option("--store", metavar="STORE", callback=named_folder),
    data,
    click.option("--public-url", metavar="URL"),
    click.option("--refused-names", type=FILE),
    click.option("--allowed-host", "allowed_hosts", metavar="NAME", multiple=True),
    click.option("--open", "browse", is_flag=True),
    click.option("--verbose", is_flag=True),
)
command(app, "solve", "solve:solve")(
    rack,
    okey,
    aim,
    click.option("--must", metavar="R5"),
    click.option("--best", metavar="K", type=click.IntRange(1, 1000)),
)
command(app, "outs", "solve:show_outs")(
    rack, okey, aim, click.option("--all", "every", is_flag=True)
)
command(app, "replay", "replay:replay_file")(
    record_file, click.option("--until", metavar="N", type=click.IntRange(min=0))
)
command(app, "verify", "verify:verify_files")(
    click.argument("files", metavar="FILE...", nargs=-1, required=True),
    click.option("--commitment", metavar="[DEAL:]HEX", multiple=True),
    click.option("--mine", metavar="[DEAL:]HEX", multiple=True),
    click.option("--bots", is_flag=True),
    click.option("--strict", is_flag=True),
    click.option("--log", metavar="URL"),
)
command(app, "audit", "audit:audit")(
    click.argument("url", metavar="URL"),
    click.argument("files", metavar="[FILE]...", nargs=-1),
    click.option("--memory", type=FILE),
    click.option("--every", metavar="S", type=click.IntRange(1, 86_400)),
)
review = command(app, "review", "review.command:review_file")(
    record_file,
    click.option("--deal", metavar="N", type=click.IntRange(1, 1000)),
    click.option("--seat", "seats", metavar="S", type=click.IntRange(0, 3), multiple=True),
    click.option("--worlds", metavar="N", type=click.IntRange(8, 1_000_000), default=1_000),
    click.option(
        "--policy", type=Choice(POLICIES), metavar="|".join(POLICIES), default=POLICIES[0]
    ),
    click.option("--seed", metavar="N", type=click.IntRange(0, 2**31 - 1), default=0),
    click.option("--html", type=FILE),
)
command(app, "strength", "review.strength:show_strength")(
    click.argument("files", metavar="[verify FILE] RECORD...", nargs=-1, required=True),
    click.option("--player", metavar="NAME"),
    click.option("--seat", metavar="S", type=click.IntRange(0, 3)),
    click.option("--worlds", metavar="N", type=click.IntRange(8, 1_000_000), default=100),
    click.option("--seed", metavar="N", type=click.IntRange(0, 2**31 - 1), default=0),
)
command(app, "puzzle", "review.puzzle:ask")(
    click.argument("which", metavar="[NUMBER]", type=click.IntRange(1, 1_000_000), required=False),
    click.option("--theme", type=Choice(THEMES), metavar="|".join(THEMES)),
    click.option("--rules", metavar="NAME"),
    click.option("--answer", metavar="CHOICE"),
)
command(app, "daily", "daily:show_day")(
    click.argument(
        "words", metavar="[play|verify|challenge|again] URL [DATE|MATCH]", nargs=-1, required=True
    ),
    click.option("--over", type=Choice(("week", "month")), metavar="week|month"),
    click.option("--token-file", type=FILE),
    click.option("--bot", metavar="BOT"),
    click.option("--deal", metavar="N", type=click.IntRange(1, 1000)),
    click.option("--from", "at", metavar="N", type=click.IntRange(0, 10_000)),
)
of_server = (
    click.argument("url", metavar="URL"), click.option("--token-file", type=FILE)
)  # fmt: skip
command(app, "profile", "people:show_profile")(
    *of_server, click.argument("name", metavar="[NAME]", required=False)
)
command(app, "friends", "people:show_friends")(
    *of_server,
    *(click.option(f"--{one}", metavar="NAME") for one in ("ask", "part", "block", "unblock")),
)
command(app, "families", "people:show_families")(
    *of_server, click.argument("name", metavar="[LINK]", required=False)
)
command(app, "ladder", "people:show_ladder")(
    *of_server, click.argument("name", metavar="[SEASON]", required=False)
)
command(app, "rules", "rules:show_rules")(
    click.argument("name", metavar="[NAME]", default="altinstar"), settings
)


@app.group(cls=LocalizedGroup, invoke_without_command=True)
@as_json
@lang
@click.pass_context
def bots(ctx: click.Context) -> int:
    """The list of bots, and what is asked of one's own."""
    from okey101.cli.bots import show_bots

    return 0 if ctx.invoked_subcommand else show_bots(output_of(ctx))


command(bots, "check", "bots:check")(
    click.argument("bot", metavar="BOT"),
    click.option("--deals", metavar="N", type=click.IntRange(1, 10_000), default=3),
    limit,
)
command(app, "client-check", "client_check:check_client")(
    click.argument("url", metavar="URL"),
    click.option("--bot", metavar="BOT"),
    click.option("--port", metavar="PORT", type=click.IntRange(0, 65535), default=0),
    click.option("--rounds", metavar="N", type=click.IntRange(1, 100), default=2),
    click.option("--seed", metavar="N", type=click.IntRange(0, 999_999), default=0),
    click.option("--seconds", metavar="S", type=click.IntRange(1, 86_400), default=900),
)
command(app, "arena", "arena.command:run_arena")(
    bot_list,
    click.option("--deals", metavar="N", type=click.IntRange(2, 10_000_000)),
    preset,
    settings,
    click.option("--seed", metavar="N", type=click.IntRange(0, 2_999_999)),
    workers,
    click.option("--league", is_flag=True),
    click.option("--gate", is_flag=True),
    click.option("--oracle", is_flag=True),
    compiled,
    click.option("--aivat", is_flag=True),
    click.option("--release", metavar="DIR", callback=named_folder),
    limit,
    click.option("--html", type=FILE),
    click.option("--resume", type=FILE),
    click.option("--ray", metavar="ADDRESS"),
)
command(app, "evaluate", "arena.evaluate:evaluate")(
    click.argument("bot", metavar="BOT"),
    click.option("--deals", metavar="N", type=click.IntRange(2, 10_000)),
    workers,
    compiled,
    limit,
    click.option("--resume", metavar="DIR", callback=named_folder),
    click.option("--out", type=FILE),
)
command(app, "simulate", "data_sets:make_data")(
    bot_list,
    click.option("--deals", metavar="N", type=click.IntRange(1, 10_000_000), default=100),
    click.option("--out", type=FILE, required=True),
    preset,
    settings,
    click.option("--seed", metavar="N", type=click.IntRange(0, 999_999)),
    workers,
    compiled,
    limit,
    click.option("--transitions", type=FILE),
)
command(app, "stats", "data_sets:show_data")(record_file)
command(app, "bench", "bench:measure")(
    click.option("--seconds", metavar="S", type=click.FloatRange(0.01, 3600), default=2.0)
)
command(app, "doctor", "doctor:examine")()
command(app, "warm", "progress:warm_up")()
command(app, "version", "app:tell_version")()


app.add_command(admin)


store = app.group("store", cls=LocalizedGroup, invoke_without_command=True)(
    as_json(lang(click.pass_context(need_command)))
)
command(store, "copy", "admin.files:copy_store")(
    click.argument("source", metavar="FROM", callback=named_folder),
    click.argument("target", metavar="TO", callback=named_folder),
)


def run(arguments: Sequence[str]) -> int:
    """Read the arguments, run the command they name, and return the exit code."""
    output = Output.asked_for(arguments)
    try:
        if asked := os.environ.get(_COMPLETING):
            return shell_complete(app, {"obj": output}, _NAME, _COMPLETING, asked)
        with app.make_context(_NAME, list(arguments), obj=output) as ctx:
            code = app.invoke(ctx)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.UsageError as error:
        return output.report(usage_failure(error, output.texts))
    except (Failure, OkeyError) as error:
        return output.report(error)
    except (click.Abort, EOFError):
        return output.interrupted()
    if code == Exit.INTERRUPTED:
        return output.interrupted()
    return code if isinstance(code, int) else 0
