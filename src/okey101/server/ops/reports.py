"""What people report of each other to whoever runs the server."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal, TypeAlias

import msgspec

from okey101.server.ops.journal import Keeper, Lines
from okey101.server.ops.logs import logger

Reason: TypeAlias = Literal["name", "phrases", "stalling", "together", "other"]
"""An offensive name, phrases without end, letting the clock run, playing with another seat."""
_KIND: Final = "reports"

_log = logger(__name__)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """One person's report of another, by their ids alone: names are looked up when it is read.

    ``at`` is in UTC milliseconds; ``match`` and ``deal`` are those of the table then.
    """

    at: int
    by: str
    of: str
    reason: Reason
    table: str
    match: int
    deal: int


def reporters_of(reports: Iterable[Report]) -> dict[str, int]:
    """How many different people reported each of those reported, by id."""
    by: dict[str, set[str]] = {}
    for one in reports:
        by.setdefault(one.of, set()).add(one.by)
    return {of: len(who) for of, who in by.items()}


class Reports:
    """The reports in the server's file: the last ten thousand.

    They are not in the journal of administrators, which no flood of reports may push out.
    """

    def __init__(self, keeper: Keeper) -> None:
        self._lines = Lines(keeper, _KIND, Report)

    async def add(self, report: Report) -> None:
        """Keep a report, and log it; raises what its keeper does."""
        words = msgspec.structs.asdict(report)
        del words["at"]
        _log.warning("person-reported", **words)
        await self._lines.add(report)

    async def last(self, count: int) -> list[Report]:
        """The last reports, the newest first."""
        return await self._lines.last(count)
