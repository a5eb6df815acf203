"""The server's transparency log over HTTP: for everybody, without a session."""

from __future__ import annotations

from typing import Annotated

from litestar import Controller, get
from litestar.params import Parameter
from msgspec import Struct

from okey101.game.fair.transparency import SIZE_MAX
from okey101.server.hub import Hub
from okey101.server.protocol.views import ConsistencyProof, InclusionProof
from okey101.server.store.public_log import MOST_ENTRIES
from okey101.server.web.auth import Asked

_Size = Annotated[int, Parameter(ge=0, le=SIZE_MAX)]


class LogHead(Struct):
    """The newest signed head, and the key that signatures are checked by.

    Both are texts in the forms of C2SP: ``tlog-checkpoint`` and the verifier key of signed notes.
    """

    checkpoint: str
    key: str


class PublicLogs(Controller):
    """What the server can't leave out or change later."""

    path = "/api/log"
    tags = ["log"]  # noqa: RUF012  # Litestar's own form

    @get("/")
    async def head(self, hub: Hub) -> LogHead:
        """The newest head; there is one a minute, the same for everybody."""
        newest = await hub.public_log.newest()
        return LogHead(newest.text, hub.public_log.key.verifier)

    @get("/entries")
    async def entries(
        self, request: Asked, hub: Hub, first: _Size = 0,
        count: Annotated[int, Parameter(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES,
    ) -> list[str]:  # fmt: skip
        """Entries of the newest head from a place on."""
        request.limit(hub.allowances.replay_requests)
        return await hub.public_log.entries(first, count)

    @get("/inclusion")
    async def inclusion(
        self, request: Asked, hub: Hub, size: _Size,
        entry: Annotated[str, Parameter(max_length=100)],
    ) -> InclusionProof:  # fmt: skip
        """Where an entry is among the first so many, with its proof."""
        request.limit(hub.allowances.replay_requests)
        found = await hub.public_log.inclusion(entry, size)
        place, proof = (None, []) if found is None else found
        return InclusionProof(place, [one.hex() for one in proof])

    @get("/consistency")
    async def consistency(
        self, request: Asked, hub: Hub, old: _Size, size: _Size
    ) -> ConsistencyProof:
        """The proof that a head of some size extends an earlier one."""
        request.limit(hub.allowances.replay_requests)
        proof = await hub.public_log.consistency(old, size)
        return ConsistencyProof([one.hex() for one in proof])
