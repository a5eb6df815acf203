"""The commands of ``okey101 admin`` and their options; what they do is in the files beside."""

from __future__ import annotations

import click

from okey101.cli.common import as_json, data, lang, output_of
from okey101.cli.help import LocalizedGroup
from okey101.cli.output import Output
from okey101.cli.usage import no_command

__all__ = ["admin"]

url = click.option("--url", metavar="URL")
token_file = click.option("--token-file", metavar="FILE")
table = click.argument("table", metavar="TABLE")
user = click.argument("user", metavar="USER")
bot = click.argument("bot", metavar="BOT")


@click.group(cls=LocalizedGroup, invoke_without_command=True)
@as_json
@lang
@click.pass_context
def admin(ctx: click.Context) -> None:
    """The commands for whoever runs a server."""
    if ctx.invoked_subcommand is None:
        raise no_command(ctx, output_of(ctx).texts)


@admin.command()
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def status(output: Output, data: str | None, url: str | None, token_file: str | None) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import show_status

    return show_status(output, Where(data, url, token_file))


@admin.command()
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def tables(output: Output, data: str | None, url: str | None, token_file: str | None) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import show_tables

    return show_tables(output, Where(data, url, token_file))


@admin.command()
@table
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def close(
    output: Output, table: str, data: str | None, url: str | None, token_file: str | None
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import close_table

    return close_table(output, Where(data, url, token_file), table)


@admin.command()
@table
@click.argument("seat", metavar="SEAT", type=click.IntRange(0, 3))
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def kick(
    output: Output,
    table: str,
    seat: int,
    data: str | None,
    url: str | None,
    token_file: str | None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import kick_seat

    return kick_seat(output, Where(data, url, token_file), table, seat)


@admin.command()
@click.argument("search", metavar="[SEARCH]", default="")
@click.option("--limit", metavar="N", type=click.IntRange(1, 200), default=50)
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def users(
    output: Output,
    search: str,
    limit: int,
    data: str | None,
    url: str | None,
    token_file: str | None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import show_users

    return show_users(output, Where(data, url, token_file), search, limit)


@admin.command()
@user
@click.option("--until", metavar="DATE")
@click.option("--days", metavar="N", type=click.IntRange(1, 36_500))
@click.option("--reason", metavar="TEXT", default="")
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def ban(
    output: Output,
    user: str,
    until: str | None,
    days: int | None,
    reason: str,
    data: str | None,
    url: str | None,
    token_file: str | None,
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import ban_user

    where = Where(data, url, token_file)
    return ban_user(output, where, user, until=until, days=days, reason=reason)


@admin.command()
@user
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def unban(
    output: Output, user: str, data: str | None, url: str | None, token_file: str | None
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.work import unban_user

    return unban_user(output, Where(data, url, token_file), user)


@admin.command()
@click.argument("folder", metavar="FOLDER")
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def backup(
    output: Output, folder: str, data: str | None, url: str | None, token_file: str | None
) -> int:
    from okey101.cli.admin.files import make_backup
    from okey101.cli.admin.link import Where

    return make_backup(output, Where(data, url, token_file), folder)


@admin.command()
@click.argument("source", metavar="SOURCE")
@data
@as_json
@lang
@click.pass_obj
def restore(output: Output, source: str, data: str | None) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.restoring import restore_from

    return restore_from(output, Where(data), source)


@admin.command()
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def check(output: Output, data: str | None, url: str | None, token_file: str | None) -> int:
    from okey101.cli.admin.files import check_log
    from okey101.cli.admin.link import Where

    return check_log(output, Where(data, url, token_file))


@admin.command()
@click.option("--limit", metavar="N", type=click.IntRange(1, 1000), default=50)
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def trail(
    output: Output, limit: int, data: str | None, url: str | None, token_file: str | None
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.trail import show_trail

    return show_trail(output, Where(data, url, token_file), limit)


@admin.command()
@click.option("--limit", metavar="N", type=click.IntRange(1, 1000), default=50)
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def reports(
    output: Output, limit: int, data: str | None, url: str | None, token_file: str | None
) -> int:
    from okey101.cli.admin.link import Where
    from okey101.cli.admin.reports import show_reports

    return show_reports(output, Where(data, url, token_file), limit)


@admin.command()
@click.argument("search", metavar="[SEARCH]", default="")
@click.option("--limit", metavar="N", type=click.IntRange(1, 200), default=50)
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def bots(
    output: Output,
    search: str,
    limit: int,
    data: str | None,
    url: str | None,
    token_file: str | None,
) -> int:
    from okey101.cli.admin.bots import show_bots
    from okey101.cli.admin.link import Where

    return show_bots(output, Where(data, url, token_file), search, limit)


@admin.command("revoke-bot")
@bot
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def revoke(
    output: Output, bot: str, data: str | None, url: str | None, token_file: str | None
) -> int:
    from okey101.cli.admin.bots import revoke_bot
    from okey101.cli.admin.link import Where

    return revoke_bot(output, Where(data, url, token_file), bot)


@admin.command("remove-bot")
@bot
@data
@url
@token_file
@as_json
@lang
@click.pass_obj
def remove(
    output: Output, bot: str, data: str | None, url: str | None, token_file: str | None
) -> int:
    from okey101.cli.admin.bots import remove_bot
    from okey101.cli.admin.link import Where

    return remove_bot(output, Where(data, url, token_file), bot)
