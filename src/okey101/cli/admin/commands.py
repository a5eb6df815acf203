"""The commands of ``okey101 admin`` and their options; what they do is in the files beside."""

from __future__ import annotations

from typing import Annotated

import typer

from okey101.cli.common import Data, Json, Lang, console_of
from okey101.cli.failures import USAGE, Failure
from okey101.cli.help import Command, Group

__all__ = ["admin"]

admin = typer.Typer(
    cls=Group,
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Url = Annotated[str | None, typer.Option("--url", metavar="URL", show_default=False)]
TokenFile = Annotated[str | None, typer.Option("--token-file", metavar="FILE", show_default=False)]
TableId = Annotated[str, typer.Argument(metavar="TABLE")]
UserId = Annotated[str, typer.Argument(metavar="USER")]


@admin.callback(invoke_without_command=True)
def without_command(ctx: typer.Context, as_json: Json = False, lang: Lang = None) -> int:
    if ctx.invoked_subcommand is None:
        failure = Failure(USAGE, "no-command", console_of(ctx).texts("error-no-command"))
        failure.hint = f"\n{ctx.get_help()}"
        raise failure
    return 0


@admin.command(cls=Command)
def status(
    ctx: typer.Context,
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import show_status

    return show_status(console_of(ctx), Where(data, url, token_file))


@admin.command(cls=Command)
def tables(
    ctx: typer.Context,
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import show_tables

    return show_tables(console_of(ctx), Where(data, url, token_file))


@admin.command(cls=Command)
def close(
    ctx: typer.Context,
    table: TableId,
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import close_table

    return close_table(console_of(ctx), Where(data, url, token_file), table)


@admin.command(cls=Command)
def kick(
    ctx: typer.Context,
    table: TableId,
    seat: Annotated[int, typer.Argument(metavar="SEAT", min=0, max=3)],
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import kick_seat

    return kick_seat(console_of(ctx), Where(data, url, token_file), table, seat)


@admin.command(cls=Command)
def users(
    ctx: typer.Context,
    search: Annotated[str, typer.Argument(metavar="[SEARCH]", show_default=False)] = "",
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, max=200, show_default=False)
    ] = 50,
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import show_users

    return show_users(console_of(ctx), Where(data, url, token_file), search, limit)


@admin.command(cls=Command)
def ban(
    ctx: typer.Context,
    user: UserId,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", show_default=False)
    ] = None,
    days: Annotated[
        int | None, typer.Option("--days", metavar="N", min=1, max=36_500, show_default=False)
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", show_default=False)] = "",
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import ban_user

    where = Where(data, url, token_file)
    return ban_user(console_of(ctx), where, user, until=until, days=days, reason=reason)


@admin.command(cls=Command)
def unban(
    ctx: typer.Context,
    user: UserId,
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import unban_user

    return unban_user(console_of(ctx), Where(data, url, token_file), user)


@admin.command(cls=Command)
def backup(
    ctx: typer.Context,
    folder: Annotated[str, typer.Argument(metavar="FOLDER")],
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.files import make_backup
    from okey101.cli.admin.link import Where

    return make_backup(console_of(ctx), Where(data, url, token_file), folder)


@admin.command(cls=Command)
def check(
    ctx: typer.Context,
    data: Data = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
    lang: Lang = None,
) -> int:
    from okey101.cli.admin.files import check_log
    from okey101.cli.admin.link import Where

    return check_log(console_of(ctx), Where(data, url, token_file))
