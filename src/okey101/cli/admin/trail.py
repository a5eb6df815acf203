"""What administrators did, from a running server or from the folder of one that has ended."""

from __future__ import annotations

from typing import Any, Final

from okey101.cli.admin.link import Where, folder_of, link_to, running_in
from okey101.cli.admin.work import columns, local_time
from okey101.cli.failures import FAILED, Failure, file_failure
from okey101.cli.output import Output, printable

__all__ = ["show_trail"]

_HEADS: Final = ("time", "deed", "of", "outcome", "who", "address")


def show_trail(output: Output, where: Where, limit: int) -> int:
    """Print the last deeds of administrators, the newest first."""
    deeds = _deeds(output, where, limit)
    if output.as_json:
        output.answer({"trail": deeds})
        return 0
    texts = output.texts
    if not deeds:
        output.lines([texts("admin-no-trail")])
        return 0
    head = [texts(f"admin-head-{name}") for name in _HEADS]
    rows = [
        [
            local_time(deed["at"]),
            *(printable(str(deed[name]) or "-") for name in ("what", "of", "outcome", "who")),
            printable(str(deed["address"]) or "-"),
        ]
        for deed in deeds
    ]
    first, *rest = columns([head, *rows])
    output.lines([output.strong(first), *rest])
    return 0


def _deeds(output: Output, where: Where, limit: int) -> list[dict[str, Any]]:
    if where.url is not None or running_in(folder_of(where), output.texts) is not None:
        found: list[dict[str, Any]] = link_to(output, where).get("/api/admin/trail", limit=limit)
        return found
    folder = folder_of(where)
    if not folder.log.is_file():
        message = output.texts("error-no-server-folder", folder=str(folder.path))
        raise Failure(FAILED, "no-server-folder", message, folder=str(folder.path))
    from okey101.server.trail import Trail

    try:
        deeds = Trail(folder.path).last(limit)
    except OSError as error:
        raise file_failure(error, str(folder.path), output.texts) from None
    return [deed.to_dict() for deed in deeds]
