"""Who left quick tables that are closed by now: kept, so that it outlives a restart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import msgspec

from okey101.server.ops.lines import Keeper
from okey101.server.ops.logs import logger
from okey101.server.ops.tasks import Tasks

Times: TypeAlias = Mapping[str, list[int]]
"""When people left, in UTC milliseconds, by the ids of the people."""
_KIND: Final = "quick-left"

_log = logger(__name__)


class Leavers:
    """The one line of them; without it somebody waits less, and no more."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper

    async def read(self) -> dict[str, list[int]]:
        """What is kept; nothing where there is none, or none that can be read."""
        found = await self._keeper.noted(_KIND, 1)
        try:
            return msgspec.json.decode(found[0], type=dict[str, list[int]]) if found else {}
        except msgspec.DecodeError as error:
            _log.warning("leavers-unread", reason=type(error).__name__)
            return {}

    def keep(self, times: Times, tasks: Tasks) -> None:
        """Keep it in place of what was kept, beside the loop."""
        tasks.spawn(self._keep(msgspec.json.encode(times)))

    async def _keep(self, line: bytes) -> None:
        try:
            await self._keeper.note(_KIND, line, 1)
        except Exception as error:  # noqa: BLE001  # whatever the keeper raises
            _log.warning("leavers-unwritten", reason=type(error).__name__)
