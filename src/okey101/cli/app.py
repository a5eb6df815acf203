"""The commands and their options, as Click reads them; what they do is in a file each."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

import click
from click.shell_completion import get_completion_class, shell_complete

from okey101.cli.admin import admin
from okey101.cli.common import as_json, data, lang, no_empty_folder, output_of
from okey101.cli.failures import (
    INTERRUPTED,
    Failure,
    game_failure,
    interrupted,
    language_of,
    report,
    wants_json,
)
from okey101.cli.help import LocalizedGroup
from okey101.cli.output import Output
from okey101.cli.usage import no_command, usage_failure
from okey101.errors import OkeyError

__all__ = ["AIMS", "POLICIES", "app", "run"]

POLICIES: Final = ("master", "greedy")
"""Who may play on in the worlds of a review, the usual one first: ``okey101.review.POLICIES``."""

AIMS: Final = ("points", "tiles", "left", "pairs")
"""What the solver may be asked for."""
_NAME: Final = "okey101"
_COMPLETING: Final = "_OKEY101_COMPLETE"
"""Set by the shell's completion script when it asks for words."""
_SHELLS: Final = ("bash", "zsh", "fish", "powershell")

rack = click.argument("rack", metavar="RACK")
okey = click.option("--okey", metavar="B6")
aim = click.option("--for", "aim", type=click.Choice(AIMS), metavar="|".join(AIMS), default=AIMS[0])
settings = click.option("--set", "settings", metavar="field=value", multiple=True)
record_file = click.argument("file", metavar="FILE")


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from okey101.cli.version import show

        ctx.exit(show(as_json=output_of(ctx).as_json))


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
    type=click.Choice(_SHELLS),
    metavar="SHELL",
    is_eager=True,
    expose_value=False,
    callback=_show_completion,
)
@click.pass_context
def app(ctx: click.Context) -> None:
    """The command itself."""
    if ctx.invoked_subcommand is None:
        raise no_command(ctx, output_of(ctx).texts)


@app.command()
@click.option("--rules", metavar="NAME", default="altinstar")
@settings
@click.option("--deals", metavar="N", type=click.IntRange(1, 1000), default=3)
@click.option("--players", metavar="N", type=click.IntRange(2, 4))
@click.option("--teams", is_flag=True)
@click.option("--bots", metavar="a,b,c", default="steady")
@click.option("--seed", metavar="SEED")
@click.option("--record", metavar="FILE")
@click.option("--resume/--new", default=False)
@click.option("--name", metavar="NAME", default="")
@lang
@click.pass_obj
def play(
    output: Output,
    rules: str,
    settings: tuple[str, ...],
    deals: int,
    players: int | None,
    teams: bool,
    bots: str,
    seed: str | None,
    record: str | None,
    resume: bool,
    name: str,
) -> int:
    from okey101.cli.play.command import Wishes, play_match

    wishes = Wishes(
        rules=rules,
        settings=settings,
        deals=deals,
        players=players,
        teams=teams,
        bots=bots,
        seed=seed,
        record=record,
        resume=resume,
        name=name,
    )
    return play_match(output, wishes)


@app.command()
@click.option("--host", metavar="HOST")
@click.option("--port", metavar="PORT", type=click.IntRange(0, 65535))
@click.option("--store", metavar="STORE", callback=no_empty_folder)
@data
@click.option("--public-url", metavar="URL")
@click.option("--mirror", metavar="FILE")
@click.option("--refused-names", metavar="FILE")
@click.option("--allowed-host", "allowed_hosts", metavar="NAME", multiple=True)
@click.option("--open", "browse", is_flag=True)
@as_json
@lang
@click.pass_obj
def serve(
    output: Output,
    host: str | None,
    port: int | None,
    store: str | None,
    data: str | None,
    public_url: str | None,
    mirror: str | None,
    refused_names: str | None,
    allowed_hosts: tuple[str, ...],
    browse: bool,
) -> int:
    from okey101.cli.serve import Flags, serve_tables

    flags = Flags(
        host=host,
        port=port,
        store=store,
        data=data,
        public_url=public_url,
        mirror=mirror,
        refused_names=refused_names,
        allowed_hosts=allowed_hosts,
        browse=browse,
    )
    return serve_tables(output, flags)


@app.command()
@rack
@okey
@aim
@click.option("--must", metavar="R5")
@click.option("--best", metavar="K", type=click.IntRange(1, 1000))
@as_json
@lang
@click.pass_obj
def solve(
    output: Output, rack: str, okey: str | None, aim: str, must: str | None, best: int | None
) -> int:
    from okey101.cli.solve import solve_rack, solve_stream

    if rack == "-":
        return solve_stream(output, okey, aim, must, best)
    return solve_rack(output, rack, okey, aim, must, best)


@app.command()
@rack
@okey
@aim
@click.option("--all", "every", is_flag=True)
@as_json
@lang
@click.pass_obj
def outs(output: Output, rack: str, okey: str | None, aim: str, every: bool) -> int:
    from okey101.cli.outs import outs_of_rack, outs_stream

    if rack == "-":
        return outs_stream(output, okey, aim, every=every)
    return outs_of_rack(output, rack, okey, aim, every=every)


@app.command()
@record_file
@click.option("--until", metavar="N", type=click.IntRange(min=0))
@as_json
@lang
@click.pass_obj
def replay(output: Output, file: str, until: int | None) -> int:
    from okey101.cli.replay import replay_file

    return replay_file(output, file, until)


@app.command()
@record_file
@click.option("--commitment", metavar="[DEAL:]HEX", multiple=True)
@click.option("--mine", metavar="[DEAL:]HEX", multiple=True)
@click.option("--bots", is_flag=True)
@as_json
@lang
@click.pass_obj
def verify(
    output: Output, file: str, commitment: tuple[str, ...], mine: tuple[str, ...], bots: bool
) -> int:
    from okey101.cli.verify import verify_file

    return verify_file(output, file, commitment, mine, bots=bots)


@app.command()
@record_file
@click.option("--deal", metavar="N", type=click.IntRange(1, 1000))
@click.option("--seat", "seats", metavar="S", type=click.IntRange(0, 3), multiple=True)
@click.option("--worlds", metavar="N", type=click.IntRange(8, 1_000_000), default=1_000)
@click.option(
    "--policy",
    type=click.Choice(POLICIES),
    metavar="|".join(POLICIES),
    default=POLICIES[0],
)
@click.option("--seed", metavar="N", type=click.IntRange(0, 2**31 - 1), default=0)
@click.option("--html", metavar="FILE")
@as_json
@lang
@click.pass_obj
def review(
    output: Output,
    file: str,
    deal: int | None,
    seats: tuple[int, ...],
    worlds: int,
    policy: str,
    seed: int,
    html: str | None,
) -> int:
    from okey101.cli.review.command import ReviewWishes, review_file

    wishes = ReviewWishes(
        file=file, deal=deal, seats=seats, worlds=worlds, policy=policy, seed=seed, html=html
    )
    return review_file(output, wishes)


@app.command()
@click.argument("name", metavar="[NAME]", default="altinstar")
@settings
@as_json
@lang
@click.pass_obj
def rules(output: Output, name: str, settings: tuple[str, ...]) -> int:
    from okey101.cli.rules import show_rules

    return show_rules(output, name, settings)


@app.group(cls=LocalizedGroup, invoke_without_command=True)
@as_json
@lang
@click.pass_context
def bots(ctx: click.Context) -> int:
    from okey101.cli.bots import show_bots

    return 0 if ctx.invoked_subcommand else show_bots(output_of(ctx))


@bots.command()
@click.argument("bot", metavar="BOT")
@click.option("--deals", metavar="N", type=click.IntRange(1, 10_000), default=3)
@click.option("--limit", metavar="MS", type=click.IntRange(1, 3_600_000), default=5_000)
@as_json
@lang
@click.pass_obj
def check(output: Output, bot: str, deals: int, limit: int) -> int:
    from okey101.cli.bots_check import check

    return check(output, bot, deals, limit)


@app.command()
@click.argument("url", metavar="URL")
@click.option("--bot", metavar="BOT")
@click.option("--port", metavar="PORT", type=click.IntRange(0, 65535), default=0)
@click.option("--rounds", metavar="N", type=click.IntRange(1, 100), default=2)
@click.option("--seed", metavar="N", type=click.IntRange(0, 999_999), default=0)
@click.option("--seconds", metavar="S", type=click.IntRange(1, 86_400), default=900)
@as_json
@lang
@click.pass_obj
def client_check(
    output: Output, url: str, bot: str | None, port: int, rounds: int, seed: int, seconds: int
) -> int:
    from okey101.cli.client_check import CheckWishes, check_client

    wishes = CheckWishes(url=url, port=port, rounds=rounds, seed=seed, seconds=seconds, bot=bot)
    return check_client(output, wishes)


@app.command()
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option("--deals", metavar="N", type=click.IntRange(2, 10_000_000))
@click.option("--rules", metavar="NAME", default="altinstar")
@settings
@click.option("--seed", metavar="N", type=click.IntRange(0, 2_999_999))
@click.option("--workers", metavar="N", type=click.IntRange(1, 1024), default=1)
@click.option("--league", is_flag=True)
@click.option("--gate", is_flag=True)
@click.option("--oracle", is_flag=True)
@click.option("--compiled", is_flag=True)
@click.option("--release", metavar="DIR", callback=no_empty_folder)
@click.option("--limit", metavar="MS", type=click.IntRange(1, 3_600_000), default=5_000)
@click.option("--html", metavar="FILE")
@click.option("--resume", metavar="FILE")
@click.option("--ray", metavar="ADDRESS")
@as_json
@lang
@click.pass_obj
def arena(
    output: Output,
    bots: tuple[str, ...],
    deals: int | None,
    rules: str,
    settings: tuple[str, ...],
    seed: int | None,
    workers: int,
    league: bool,
    gate: bool,
    oracle: bool,
    compiled: bool,
    release: str | None,
    limit: int,
    html: str | None,
    resume: str | None,
    ray: str | None,
) -> int:
    from okey101.cli.arena.command import ArenaWishes, run_arena

    wishes = ArenaWishes(
        bots=bots,
        rules=rules,
        settings=settings,
        deals=deals,
        seed=seed,
        workers=workers,
        league=league,
        gate=gate,
        oracle=oracle,
        compiled=compiled,
        release=release,
        limit_ms=limit,
        html=html,
        resume=resume,
        ray=ray,
    )
    return run_arena(output, wishes)


@app.command()
@click.argument("bots", metavar="BOT...", nargs=-1, required=True)
@click.option("--deals", metavar="N", type=click.IntRange(1, 10_000_000), default=100)
@click.option("--out", metavar="FILE", required=True)
@click.option("--rules", metavar="NAME", default="altinstar")
@settings
@click.option("--seed", metavar="N", type=click.IntRange(0, 999_999))
@click.option("--workers", metavar="N", type=click.IntRange(1, 1024), default=1)
@click.option("--compiled", is_flag=True)
@click.option("--limit", metavar="MS", type=click.IntRange(1, 3_600_000), default=5_000)
@as_json
@lang
@click.pass_obj
def simulate(
    output: Output,
    bots: tuple[str, ...],
    deals: int,
    out: str,
    rules: str,
    settings: tuple[str, ...],
    seed: int | None,
    workers: int,
    compiled: bool,
    limit: int,
) -> int:
    from okey101.cli.data_sets import DataWishes, make_data

    wishes = DataWishes(
        bots=bots,
        out=out,
        deals=deals,
        rules=rules,
        settings=settings,
        seed=seed,
        workers=workers,
        limit_ms=limit,
        compiled=compiled,
    )
    return make_data(output, wishes)


@app.command()
@click.argument("file", metavar="FILE")
@as_json
@lang
@click.pass_obj
def stats(output: Output, file: str) -> int:
    from okey101.cli.data_sets import show_data

    return show_data(output, file)


@app.command()
@click.option("--seconds", metavar="S", type=click.FloatRange(0.01, 3600), default=2.0)
@as_json
@lang
@click.pass_obj
def bench(output: Output, seconds: float) -> int:
    from okey101.cli.bench import measure

    return measure(output, seconds)


@app.command()
@as_json
@lang
@click.pass_obj
def doctor(output: Output) -> int:
    from okey101.cli.doctor import examine

    return examine(output)


@app.command()
@as_json
@lang
@click.pass_obj
def version(output: Output) -> int:
    from okey101.cli.version import show

    return show(as_json=output.as_json)


app.add_command(admin)


def run(arguments: Sequence[str]) -> int:
    """Read the arguments, run the command they name, and return the exit code."""
    output = Output(language_of(arguments, os.environ), wants_json(arguments))
    try:
        if asked := os.environ.get(_COMPLETING):
            return shell_complete(app, {"obj": output}, _NAME, _COMPLETING, asked)
        with app.make_context(_NAME, list(arguments), obj=output) as ctx:
            code = app.invoke(ctx)
    except click.exceptions.Exit as done:
        return done.exit_code
    except Failure as failed:
        return report(failed, output.texts, as_json=output.as_json)
    except OkeyError as error:
        failure = game_failure(error, output.texts)
        return report(failure, output.texts, as_json=output.as_json)
    except click.UsageError as error:
        failure = usage_failure(error, output.texts)
        return report(failure, output.texts, as_json=output.as_json)
    except (click.Abort, EOFError):
        return interrupted(arguments)
    if code == INTERRUPTED:
        return interrupted(arguments)
    return code if isinstance(code, int) else 0
