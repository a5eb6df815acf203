"""What people reported of each other: from a running server, or from a server's folder."""

from __future__ import annotations

from typing import Any, Final

from okey101.cli.admin.link import Where, folder_of, link_to, running_in
from okey101.cli.admin.work import columns, local_time
from okey101.cli.failures import FAILED, Failure, file_failure
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
    head = [texts(f"admin-head-{name}") for name in _HEADS]
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
    first, *rest = columns([head, *rows])
    output.lines([output.strong(first), *rest])
    return 0


def _person(name: str | None, user: str) -> str:
    return user if name is None else f"{name} ({user})"


def _reports(output: Output, where: Where, limit: int) -> list[dict[str, Any]]:
    if where.url is not None or running_in(folder_of(where), output.texts) is not None:
        found: list[dict[str, Any]] = link_to(output, where).get("/api/admin/reports", limit=limit)
        return found
    folder = folder_of(where)
    if not folder.log.is_file():
        message = output.texts("error-no-server-folder", folder=str(folder.path))
        raise Failure(FAILED, "no-server-folder", message, folder=str(folder.path))
    from okey101.server.reports import Reports, reporters_of

    try:
        reports = Reports(folder.path).last(limit)
    except OSError as error:
        raise file_failure(error, str(folder.path), output.texts) from None
    reporters = reporters_of(reports)
    nameless = {"by_name": None, "of_name": None}
    return [one.to_dict() | nameless | {"reporters": reporters[one.of]} for one in reports]
