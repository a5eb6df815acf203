"""What people reported of each other: from a running server, or from a server's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from okey101.cli.admin.kept_lines import Line, kept_lines
from okey101.cli.admin.link import Where
from okey101.cli.admin.work import local_time, print_table
from okey101.cli.output import Output, printable

__all__ = ["show_reports"]

_HEADS: Final = ("time", "reason", "reported", "reporters", "by", "table", "deal")


def show_reports(output: Output, where: Where, limit: int) -> int:
    """Print the last reports, the newest first; without a server people have no names."""
    reports = _reports(output, where, limit)
    if output.as_json:
        output.answer({"reports": reports})
        return 0
    texts = output.texts
    if not reports:
        output.lines([texts("admin-no-reports")])
        return 0
    rows = [
        [
            local_time(one["at"]),
            texts(f"admin-reason-{one['reason']}"),
            printable(_person(one["of_name"], one["of"])),
            str(one["reporters"]),
            printable(_person(one["by_name"], one["by"])),
            printable(one["table"]),
            f"{one['match']}.{one['deal'] + 1}",
        ]
        for one in reports
    ]
    print_table(output, _HEADS, rows)
    return 0


def _person(name: str | None, user: str) -> str:
    return user if name is None else f"{name} ({user})"


def _reports(output: Output, where: Where, limit: int) -> list[Line]:
    def read(folder: Path) -> list[Line]:
        from okey101.server.reports import Reports, reporters_of

        reports = Reports(folder).last(limit)
        reporters = reporters_of(reports)
        nameless = {"by_name": None, "of_name": None}
        return [one.to_dict() | nameless | {"reporters": reporters[one.of]} for one in reports]

    return kept_lines(output, where, "/api/admin/reports", limit, read)
