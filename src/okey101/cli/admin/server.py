"""What ``okey101 admin`` asks of a running server or reads in its folder, and how it looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from okey101.cli.admin.files import either, people_of
from okey101.cli.admin.link import Where, link_to, segment
from okey101.cli.output import Exit, Failure, Output, printable
from okey101.i18n import Texts

if TYPE_CHECKING:
    from okey101.server.ops.journal import Keeper
    from okey101.server.store import AnyStore

Line: TypeAlias = dict[str, Any]
_FOREVER_MS: Final = 253_402_214_400_000
"""The last day of the year 9999, which has no end by every clock: until then is for good."""


def show_status(output: Output, where: Where) -> int:
    """Print whether a server is well, and what it has to do."""
    link = link_to(output, where)
    paths = ("/version", "/api/admin/tables", "/api/admin/nodes")
    version, tables, nodes = map(link.get, paths)
    checks = nodes[0]["checks"]  # of the node that was asked
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
        "nodes": nodes,
    }
    return output.tell(data, lambda: _status(data, output.texts))


def _status(data: dict[str, Any], texts: Texts) -> Iterator[str]:
    yield texts("admin-server", version=str(data["version"]), url=data["url"])
    missing = ", ".join(name for name, good in data["checks"].items() if not good)
    yield texts("admin-not-ready", what=missing) if missing else texts("admin-ready")
    yield texts("admin-load", tables=data["tables"], sockets=data["sockets"])
    for stage, count in data["stages"].items():
        yield f"  {count:>5}  {texts(f'stage-{stage}')}"
    yield from (texts("admin-frozen", table=table) for table in data["frozen"])
    for node in data["nodes"] if len(data["nodes"]) > 1 else []:
        bad = ", ".join(name for name, good in node["checks"].items() if not good)
        well = texts("admin-not-ready", what=bad) if bad else texts("admin-ready")
        load = texts("admin-load", tables=node["tables"], sockets=node["sockets"])
        yield f"  {node['name']}: {well}, {load}"


def show_list(output: Output, where: Where, path: str, what: str, **asked: Any) -> int:
    """Print a list that a running server has; what is ``asked`` for is part of the question."""
    given = {one: value for one, value in asked.items() if value is not None}
    return show(output, what, link_to(output, where).get(f"/api/admin/{path}", **given))


def _deal(table: Line) -> str:
    """The deal that is prepared or runs, or the last one of a match that is over."""
    if not table["match"]:
        return "-"
    return str(table["deal"] + (table["stage"] in ("dealing", "playing")))


def _sitter(seat: Line) -> str:
    if seat["bot"] is not None:
        return f"({seat['bot']})"
    if seat["user"] is None:
        return "-"
    return printable(str(seat["name"] or seat["user"]))


def order(output: Output, where: Where, path: str, says: str, **of: str) -> int:
    """Have one thing done to a table, a person or a bot, whose id stands in the path."""
    link_to(output, where).post(path.format(*map(segment, of.values())))
    return done(output, says, **of)


def kick_seat(output: Output, where: Where, table: str, seat: int) -> int:
    """Take the person off a seat."""
    path = f"/api/admin/tables/{segment(table)}/kick"
    link_to(output, where).post(path, {"seat": seat})
    return done(output, "admin-kicked", table=table, seat=seat)


def _kind(user: Line) -> str:
    if user["deleted"]:
        return "deleted"
    if user["owner"] is not None:
        return "bot"
    if user["moderator"]:
        return "moderator"
    return "account" if user["account"] else "guest"


def _banned(user: Line) -> bool:
    return (user["banned_until"] or 0) > datetime.now(UTC).timestamp() * 1000


def _ban(texts: Texts, user: Line) -> str:
    if not _banned(user):
        return ""
    until = user["banned_until"]
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
    return _until(output, "admin-banned-for-good" if end is None else "admin-banned", user, end)


def _until(output: Output, key: str, user: str, end: int | None) -> int:
    words = {"user": user, "until": local_time(end or 0)}
    told = {"user": user, "until_ms": end}
    return output.tell(told, lambda: [printable(output.texts(key, **words))])


def _end(output: Output, until: str | None, days: int | None) -> int | None:
    """The end of a ban in UTC milliseconds, None for good; a date without a zone is in this
    machine's.
    """
    now = datetime.now(UTC)
    if until is not None and days is not None:
        raise Failure.of(output.texts, Exit.USAGE, "two-ends")
    if days is not None:
        return round((now + timedelta(days=days)).timestamp() * 1000)
    if until is None:
        return None
    try:
        end = datetime.fromisoformat(until).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        end = now
    if end <= now:
        raise Failure.of(output.texts, Exit.USAGE, "bad-date", date=until)
    ms = round(end.timestamp() * 1000)
    return ms if ms < _FOREVER_MS else None


def mute_user(output: Output, where: Where, user: str, *, days: int | None) -> int:
    """Let nobody hear a person's phrases, for some days or for good."""
    end = _end(output, None, days)
    link_to(output, where).post(f"/api/admin/users/{segment(user)}/mute", {"until_ms": end})
    return _until(output, "admin-muted-for-good" if end is None else "admin-muted", user, end)


def appoint_user(output: Output, where: Where, user: str) -> int:
    """Make an account a moderator, and print the token for it."""
    answer = link_to(output, where).post(f"/api/admin/users/{segment(user)}/appoint")
    words = {"user": user, "token": str(answer["token"])}
    texts = output.texts
    return output.tell(
        words, lambda: [printable(texts("admin-appointed", user=user)), words["token"]]
    )


def done(output: Output, key: str, **details: str | int) -> int:
    """Say in a sentence, or as JSON, what was done."""
    return output.tell(details, lambda: [printable(output.texts(key, **details))])


def local_time(ms: int) -> str:
    """A time in UTC milliseconds as this machine's local time."""
    return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


def columns(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Rows as lines in columns of equal width, except the last column."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()


def show(output: Output, name: str, found: Sequence[Line]) -> int:
    """Print what was found in columns under their heads, or as JSON by its name."""

    def lines() -> list[str]:
        if not found:
            return [output.texts(f"admin-no-{name}")]
        rows = [_ROWS[name](output.texts, one) for one in found]
        head = [output.texts(f"admin-head-{column}") for column in rows[0]]
        first, *rest = columns([head, *(list(row.values()) for row in rows)])
        return [output.strong(first), *rest]

    return output.tell({name: found}, lines)


# What a server keeps in lines: of one that runs, or from the folder of one that has ended.


def show_journal(output: Output, where: Where, limit: int) -> int:
    """Print what administrators did last, the newest first."""

    async def read(keeper: Keeper) -> list[Line]:
        from msgspec.structs import asdict

        from okey101.server.ops.journal import Journal

        return [asdict(entry) for entry in await Journal(keeper).last(limit)]

    path = "/api/admin/journal"
    entries = either(output, where, lambda link: link.get(path, limit=limit), read, reads=True)
    return show(output, "journal", entries)


def show_reports(output: Output, where: Where, limit: int) -> int:
    """Print the last reports, the newest first."""

    async def read(store: AnyStore) -> list[Line]:
        from msgspec.structs import asdict

        from okey101.server.ops.journal import Journal, Reports
        from okey101.server.web.response_schemas import reported

        async with people_of(store) as accounts:
            found = await reported(accounts, Reports(store), Journal(store), limit)
        return [asdict(one) for one in found]

    path = "/api/admin/reports"
    reports = either(output, where, lambda link: link.get(path, limit=limit), read, reads=True)
    return show(output, "reports", reports)


def _token(bot: Line) -> str:
    return "banned" if _banned(bot) else "there" if bot["token"] else "none"


def _person(name: str | None, user: str) -> str:
    return printable(user if name is None else f"{name} ({user})")


_NOTED: Final = ("what", "of", "outcome", "who", "address")
_ROWS: Final[Mapping[str, Callable[[Texts, Line], dict[str, str]]]] = {
    "tables": lambda texts, one: {
        "table": one["id"],
        "stage": texts("admin-stage-frozen" if one["frozen"] else f"stage-{one['stage']}"),
        "deal": _deal(one),
        "sockets": str(one["sockets"]),
        "seats": "  ".join(f"{n}:{_sitter(seat)}" for n, seat in enumerate(one["seats"])),
    },
    "users": lambda texts, one: {
        "user": one["id"],
        "kind": texts(f"admin-kind-{_kind(one)}"),
        "seen": local_time(one["seen_ms"]),
        "name": printable(one["name"] or "-"),
        "ban": _ban(texts, one),
    },
    "bots": lambda texts, one: {
        "bot": one["id"],
        "token": texts(f"admin-token-{_token(one)}"),
        "seen": local_time(one["seen_ms"]),
        "name": printable(one["name"] or "-"),
        "tables": " ".join(one["tables"]),
    },
    "journal": lambda _, one: {
        "time": local_time(one["at"]),
        **{word: printable(one[word] or "-") for word in _NOTED},
    },
    "reports": lambda texts, one: {
        "time": local_time(one["at"]),
        "reason": texts(f"admin-reason-{one['reason']}"),
        "reported": _person(one["of_name"], one["of"]),
        "reporters": str(one["reporters"]),
        "settled": texts("field-value-yes") if one["settled"] else "-",
        "by": _person(one["by_name"], one["by"]),
        "table": printable(one["table"]),
        "deal": f"{one['match']}.{one['deal'] + 1}",
    },
    "pairs": lambda _, one: {
        "player": _person(one["user_name"], one["user"]),
        "with": _person(one["other_name"], one["other"]),
        "together": f"{one['together']}/{one['matches']}",
        "same": str(one["same"]),
        "near": str(one["near"]),
        "won": f"{one['won']:+.0f}",
        "others": f"{one['others']:+.0f}",
    },
    "strong": lambda _, one: {
        "player": _person(one["user_name"], one["user"]),
        "deals": str(one["deals"]),
        "points": f"{one['mean']:+.1f}",
        "interval": f"{one['low']:+.1f} .. {one['high']:+.1f}",
        "scale": f"{one['rules']}, {one['reference']}",
    },
}
"""A line of each list by its columns: who plays better than people do is in ``strong``, and who
wins points with the same one again and again in ``pairs``."""
