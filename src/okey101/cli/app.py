"""The commands and their options, as Typer reads them; what they do is in a file each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from okey101.cli.admin import admin
from okey101.cli.common import Data, Json, Lang, console_of, no_empty_folder
from okey101.cli.failures import (
    INTERRUPTED,
    USAGE,
    Failure,
    game_failure,
    interrupted,
    language_of,
    report,
    wants_json,
)
from okey101.cli.help import USAGE_ERROR, Command, Group, localise, usage_failure
from okey101.cli.output import Console
from okey101.errors import OkeyError

__all__ = ["COMPLETING", "Aim", "app", "run"]

COMPLETING = "_OKEY101_COMPLETE"
"""Set by the shell's completion script when it asks for words."""


class Aim(StrEnum):
    """What the solver may be asked for."""

    POINTS = "points"
    TILES = "tiles"
    LEFT = "left"
    PAIRS = "pairs"


app = typer.Typer(
    cls=Group,
    add_completion=True,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

app.add_typer(admin, name="admin")

RackText = Annotated[str, typer.Argument(metavar="RACK")]
Okey = Annotated[str | None, typer.Option("--okey", metavar="B6", show_default=False)]
For = Annotated[Aim, typer.Option("--for", metavar="points|tiles|left|pairs", show_default=False)]
RulesName = Annotated[str, typer.Option("--rules", metavar="NAME", show_default=False)]
Settings = Annotated[
    list[str] | None, typer.Option("--set", metavar="field=value", show_default=False)
]


@app.callback(invoke_without_command=True)
def okey101(
    ctx: typer.Context,
    lang: Lang = None,
    as_json: Json = False,
    version: Annotated[bool, typer.Option("--version")] = False,
) -> int:
    if version:
        from okey101.cli.version import show

        raise typer.Exit(show(as_json=console_of(ctx).as_json))
    if ctx.invoked_subcommand is None:
        raise Failure(USAGE, "no-command", console_of(ctx).texts("error-no-command"))
    return 0


@app.command(cls=Command)
def play(
    ctx: typer.Context,
    rules: RulesName = "altinstar",
    settings: Settings = None,
    deals: Annotated[
        int, typer.Option("--deals", metavar="N", min=1, max=1000, show_default=False)
    ] = 3,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", min=2, max=4, show_default=False)
    ] = None,
    teams: Annotated[bool, typer.Option("--teams", show_default=False)] = False,
    bots: Annotated[str, typer.Option("--bots", metavar="a,b,c", show_default=False)] = "steady",
    seed: Annotated[str | None, typer.Option("--seed", metavar="SEED", show_default=False)] = None,
    record: Annotated[
        str | None, typer.Option("--record", metavar="FILE", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume/--new", show_default=False)] = False,
    name: Annotated[str, typer.Option("--name", metavar="NAME", show_default=False)] = "",
    lang: Lang = None,
) -> int:
    from okey101.cli.play.command import Wishes, play_match

    wishes = Wishes(
        rules=rules,
        settings=tuple(settings or ()),
        deals=deals,
        players=players,
        teams=teams,
        bots=bots,
        seed=seed,
        record=record,
        resume=resume,
        name=name,
    )
    return play_match(console_of(ctx), wishes)


@app.command(cls=Command)
def serve(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option("--host", metavar="HOST", show_default=False)] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="PORT", min=0, max=65535, show_default=False)
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="STORE", show_default=False, callback=no_empty_folder),
    ] = None,
    data: Data = None,
    public_url: Annotated[
        str | None, typer.Option("--public-url", metavar="URL", show_default=False)
    ] = None,
    browse: Annotated[bool, typer.Option("--open", show_default=False)] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.serve import Flags, serve_tables

    flags = Flags(
        host=host, port=port, store=store, data=data, public_url=public_url, browse=browse
    )
    return serve_tables(console_of(ctx), flags)


@app.command(cls=Command)
def solve(
    ctx: typer.Context,
    rack: RackText,
    okey: Okey = None,
    aim: For = Aim.POINTS,
    must: Annotated[str | None, typer.Option("--must", metavar="R5", show_default=False)] = None,
    best: Annotated[
        int | None, typer.Option("--best", metavar="K", min=1, max=1000, show_default=False)
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.solve import solve_rack, solve_stream

    if rack == "-":
        return solve_stream(console_of(ctx), okey, aim.value, must, best)
    return solve_rack(console_of(ctx), rack, okey, aim.value, must, best)


@app.command(cls=Command)
def outs(
    ctx: typer.Context,
    rack: RackText,
    okey: Okey = None,
    aim: For = Aim.POINTS,
    every: Annotated[bool, typer.Option("--all", show_default=False)] = False,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.outs import outs_of_rack, outs_stream

    if rack == "-":
        return outs_stream(console_of(ctx), okey, aim.value, every=every)
    return outs_of_rack(console_of(ctx), rack, okey, aim.value, every=every)


@app.command(cls=Command)
def replay(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE")],
    until: Annotated[
        int | None, typer.Option("--until", metavar="N", min=0, show_default=False)
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.replay import replay_file

    return replay_file(console_of(ctx), file, until)


@app.command(cls=Command)
def verify(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE")],
    commitment: Annotated[
        list[str] | None, typer.Option("--commitment", metavar="[DEAL:]HEX", show_default=False)
    ] = None,
    mine: Annotated[
        list[str] | None, typer.Option("--mine", metavar="[DEAL:]HEX", show_default=False)
    ] = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.verify import verify_file

    return verify_file(console_of(ctx), file, commitment or (), mine or ())


@app.command(cls=Command)
def rules(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="[NAME]", show_default=False)] = "altinstar",
    settings: Settings = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.rules import show_rules

    return show_rules(console_of(ctx), name, tuple(settings or ()))


@app.command(cls=Command)
def bots(ctx: typer.Context, as_json: Json = False, lang: Lang = None) -> int:
    from okey101.cli.bots import show_bots

    return show_bots(console_of(ctx))


@app.command(cls=Command)
def bench(
    ctx: typer.Context,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="S", min=0.01, max=3600, show_default=False),
    ] = 2.0,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.bench import measure

    return measure(console_of(ctx), seconds)


@app.command(cls=Command)
def doctor(ctx: typer.Context, as_json: Json = False, lang: Lang = None) -> int:
    from okey101.cli.doctor import examine

    return examine(console_of(ctx))


@app.command(cls=Command)
def version(ctx: typer.Context, as_json: Json = False, lang: Lang = None) -> int:
    from okey101.cli.version import show

    return show(as_json=console_of(ctx).as_json)


def run(arguments: Sequence[str]) -> int:
    """Read the arguments, run the command they name, and return the exit code."""
    console = Console(language_of(arguments, os.environ), wants_json(arguments))
    command = typer.main.get_command(app)
    assert isinstance(command, Group)
    command.language = console.language
    if COMPLETING in os.environ:
        localise(command, console.texts)
    try:
        code = command.main(
            args=list(arguments), prog_name="okey101", standalone_mode=False, obj=console
        )
    except Failure as failed:
        return report(failed, console.texts, as_json=console.as_json)
    except OkeyError as error:
        failure = game_failure(error, console.texts)
        return report(failure, console.texts, as_json=console.as_json)
    except typer.Abort:
        return interrupted(arguments)
    except USAGE_ERROR as error:
        failure = usage_failure(error, console.texts)
        return report(failure, console.texts, as_json=console.as_json)
    if code == INTERRUPTED:
        return interrupted(arguments)
    return code if isinstance(code, int) else 0
