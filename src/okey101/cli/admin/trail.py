"""What administrators did, from a running server or from the folder of one that has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from okey101.cli.admin.kept_lines import Line, kept_lines
from okey101.cli.admin.link import Where
from okey101.cli.admin.work import local_time, print_table
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
    rows = [
        [
            local_time(deed["at"]),
            *(printable(str(deed[name]) or "-") for name in ("what", "of", "outcome", "who")),
            printable(str(deed["address"]) or "-"),
        ]
        for deed in deeds
    ]
    print_table(output, _HEADS, rows)
    return 0


def _deeds(output: Output, where: Where, limit: int) -> list[Line]:
    def read(folder: Path) -> list[Line]:
        from okey101.server.trail import Trail

        return [deed.to_dict() for deed in Trail(folder).last(limit)]

    return kept_lines(output, where, "/api/admin/trail", limit, read)
