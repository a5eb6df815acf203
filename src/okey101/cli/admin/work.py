"""What ``okey101 admin`` asks of a running server, and how the answers look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from okey101.cli.admin.link import Where, link_to, segment
from okey101.cli.failures import USAGE, Failure
from okey101.cli.output import Output, printable

__all__ = [
    "ban_user",
    "close_table",
    "columns",
    "done",
    "kick_seat",
    "print_table",
    "show",
    "show_status",
    "show_tables",
    "show_users",
    "unban_user",
]

_FOREVER_MS: Final = 253_402_300_799_000


def show_status(output: Output, where: Where) -> int:
    """Print whether a server is well, and what it has to do."""
    link = link_to(output, where)
    version, checks, tables = link.get("/version"), link.get("/readyz"), _tables(link)
    stages = Counter(str(table["stage"]) for table in tables)
    data: dict[str, Any] = {
        "url": link.url,
        "version": version["version"],
        "ready": all(checks.values()),
        "checks": checks,
        "tables": len(tables),
        "stages": dict(stages),
        "frozen": [table["id"] for table in tables if table["frozen"] is not None],
        "sockets": sum(table["sockets"] for table in tables),
    }
    if output.as_json:
        output.answer(data)
        return 0
    texts = output.texts
    lines = [texts("admin-server", version=str(data["version"]), url=link.url)]
    missing = ", ".join(name for name, good in checks.items() if not good)
    lines.append(texts("admin-not-ready", what=missing) if missing else texts("admin-ready"))
    lines.append(texts("admin-load", tables=len(tables), sockets=data["sockets"]))
    lines += [f"  {stages[name]:>5}  {texts(f'stage-{name}')}" for name in stages]
    lines += [texts("admin-frozen", table=table) for table in data["frozen"]]
    output.lines(lines)
    return 0


def _tables(link: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = link.get("/api/admin/tables")
    return found


def show_tables(output: Output, where: Where) -> int:
    """Print every table, with who sits there."""
    tables = _tables(link_to(output, where))
    texts = output.texts

    def row(table: dict[str, Any]) -> list[str]:
        return [
            table["id"],
            texts("admin-stage-frozen" if table["frozen"] else f"stage-{table['stage']}"),
            _deal(table),
            str(table["sockets"]),
            "  ".join(f"{n}:{_sitter(seat)}" for n, seat in enumerate(table["seats"])),
        ]

    return show(output, "tables", tables, ("table", "stage", "deal", "sockets", "seats"), row)


def _deal(table: dict[str, Any]) -> str:
    """The deal that is prepared or runs, or the last one of a match that is over."""
    if not table["match"]:
        return "-"
    return str(table["deal"] + (table["stage"] in ("dealing", "playing")))


def _sitter(seat: dict[str, Any]) -> str:
    if seat["bot"] is not None:
        return f"({seat['bot']})"
    if seat["user"] is None:
        return "-"
    return printable(str(seat["name"] or seat["user"]))


def close_table(output: Output, where: Where, table: str) -> int:
    """Close a table for good."""
    link_to(output, where).post(f"/api/admin/tables/{segment(table)}/close")
    return done(output, "admin-closed", table=table)


def kick_seat(output: Output, where: Where, table: str, seat: int) -> int:
    """Take the person off a seat."""
    path = f"/api/admin/tables/{segment(table)}/kick"
    link_to(output, where).post(path, {"seat": seat})
    return done(output, "admin-kicked", table=table, seat=seat)


def show_users(output: Output, where: Where, search: str, limit: int) -> int:
    """Print people by name."""
    users: list[dict[str, Any]] = link_to(output, where).get(
        "/api/admin/users", search=search, limit=limit
    )

    def row(user: dict[str, Any]) -> list[str]:
        return [
            user["id"],
            output.texts(f"admin-kind-{_kind(user)}"),
            local_time(user["seen_ms"]),
            printable(str(user["name"] or "-")),
            _ban(output, user),
        ]

    return show(output, "users", users, ("user", "kind", "seen", "name", "ban"), row)


def _kind(user: dict[str, Any]) -> str:
    if user["deleted"]:
        return "deleted"
    if user["owner"] is not None:
        return "bot"
    return "account" if user["account"] else "guest"


def _ban(output: Output, user: dict[str, Any]) -> str:
    until = user["banned_until"]
    if until is None or until < datetime.now(UTC).timestamp() * 1000:
        return ""
    texts = output.texts
    end = texts("admin-for-good") if until >= _FOREVER_MS else local_time(until)
    reason = printable(user["ban_reason"] or "")
    return f"{end}: {reason}" if reason else end


def ban_user(
    output: Output, where: Where, user: str, *, until: str | None, days: int | None, reason: str
) -> int:
    """Shut a person out until a date, for some days, or for good."""
    end = _end(output, until, days)
    body = {"until_ms": end, "reason": reason}
    link_to(output, where).post(f"/api/admin/users/{segment(user)}/ban", body)
    if output.as_json:
        output.answer({"user": user, "until_ms": end})
        return 0
    if end is None:
        return done(output, "admin-banned-for-good", user=user)
    return done(output, "admin-banned", user=user, until=local_time(end))


def _end(output: Output, until: str | None, days: int | None) -> int | None:
    """The end of a ban in UTC milliseconds; a date without a zone is in this machine's."""
    now = datetime.now(UTC)
    if until is not None and days is not None:
        raise Failure(USAGE, "two-ends", output.texts("error-two-ends"))
    if days is not None:
        return round((now + timedelta(days=days)).timestamp() * 1000)
    if until is None:
        return None
    try:
        end = datetime.fromisoformat(until).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        end = now
    if end <= now:
        raise Failure(USAGE, "bad-date", output.texts("error-bad-date", date=until), date=until)
    return round(end.timestamp() * 1000)


def unban_user(output: Output, where: Where, user: str) -> int:
    """Let a person in again."""
    link_to(output, where).post(f"/api/admin/users/{segment(user)}/unban")
    return done(output, "admin-unbanned", user=user)


def done(output: Output, key: str, **details: str | int) -> int:
    """Say in a sentence, or as JSON, what was done."""
    if output.as_json:
        output.answer(details)
    else:
        output.lines([printable(output.texts(key, **details))])
    return 0


def local_time(ms: int) -> str:
    """A time in UTC milliseconds as this machine's local time."""
    return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


def columns(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Rows as lines in columns of equal width, except the last column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()


def show(
    output: Output,
    name: str,
    found: Sequence[dict[str, Any]],
    heads: Iterable[str],
    row: Callable[[dict[str, Any]], list[str]],
) -> int:
    """Print what was found in columns under their heads, or as JSON by its name."""
    if output.as_json:
        output.answer({name: found})
    elif not found:
        output.lines([output.texts(f"admin-no-{name}")])
    else:
        print_table(output, heads, [*map(row, found)])
    return 0


def print_table(output: Output, heads: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows beneath the words of their columns."""
    head = [output.texts(f"admin-head-{name}") for name in heads]
    first, *rest = columns([head, *rows])
    output.lines([output.strong(first), *rest])
