"""The commands of ``okey101 admin`` and their options; what they do is in the files beside."""

from __future__ import annotations

from functools import partial

import click

from okey101.cli.help import (
    FILE,
    Declared,
    LocalizedGroup,
    as_json,
    command,
    data,
    lang,
    named_folder,
    need_command,
)

table = click.argument("table", metavar="TABLE")
user = click.argument("user", metavar="PERSON")
person = click.argument("person", metavar="PERSON")
yes = click.option("--yes", is_flag=True)
bot = click.argument("bot", metavar="BOT")
search = click.argument("search", metavar="[SEARCH]", default="")
server = (data, click.option("--url", metavar="URL"), click.option("--token-file", type=FILE))


@click.group(cls=LocalizedGroup, invoke_without_command=True)
@as_json
@lang
@data
@click.pass_context
def admin(ctx: click.Context, data: str | None) -> None:
    """The commands for whoever runs a server; the folder may stand before or after them."""
    ctx.default_map = {name: {"data": data} for name in admin.commands}
    need_command(ctx)


_add = partial(command, admin)


def _order(name: str, of: Declared, kind: str, says: str) -> None:
    """A command that has one thing done to a table, a person or a bot."""
    path = f"/api/admin/{kind}/{{}}/{name.removesuffix('-bot')}"
    _add(name, "admin.server:order", path=path, says=says)(of, *server)


def _listed(name: str, *parameters: Declared, what: str = "") -> None:
    """A command that shows a list of a running server."""
    _add(name, "admin.server:show_list", path=name, what=what or name)(*parameters, *server)


_people = click.option("--limit", metavar="N", type=click.IntRange(1, 200), default=50)
_lines = click.option("--limit", metavar="N", type=click.IntRange(1, 1000), default=50)
_add("status", "admin.server:show_status")(*server)
_listed("tables")
_order("close", table, "tables", "admin-closed")
_add("kick", "admin.server:kick_seat")(
    table, click.argument("seat", metavar="SEAT", type=click.IntRange(0, 3)), *server
)
_listed("users", search, _people)
_add("ban", "admin.server:ban_user")(
    user,
    click.option("--until", metavar="DATE"),
    click.option("--days", metavar="N", type=click.IntRange(1, 36_500)),
    click.option("--reason", metavar="TEXT", default=""),
    *server,
)
_order("unban", user, "users", "admin-unbanned")
_add("mute", "admin.server:mute_user")(
    user, click.option("--days", metavar="N", type=click.IntRange(1, 36_500)), *server
)
_order("unmute", user, "users", "admin-unmuted")
_order("settle", user, "users", "admin-settled")
_add("appoint", "admin.server:appoint_user")(user, *server)
_order("dismiss", user, "users", "admin-dismissed")
_add("reset-password", "admin.people:reset_password")(person, yes, *server)
_add("export", "admin.people:export_person")(person, click.option("--out", type=FILE), *server)
_add("erase", "admin.people:erase_person")(person, yes, *server)
_add("backup", "admin.files:make_backup")(
    click.argument("folder", metavar="FOLDER", callback=named_folder), *server
)
_add("restore", "admin.files:restore_from")(
    click.argument("source", metavar="SOURCE", callback=named_folder), data
)
_add("check", "admin.files:check_log")(*server)
_add("journal", "admin.server:show_journal")(_lines, *server)
_add("reports", "admin.server:show_reports")(_lines, *server)
_listed("ladder", click.option("--season", metavar="SEASON"), _lines, what="pairs")
_listed("strength", _lines, what="strong")
_listed("bots", search, _people)
_order("revoke-bot", bot, "bots", "admin-bot-revoked")
_order("remove-bot", bot, "bots", "admin-bot-removed")
