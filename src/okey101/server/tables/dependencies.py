"""What a table needs from its server, given to it from outside: time, store, names, limits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from okey101.server.net.heartbeat import Heartbeat
from okey101.server.protocol.views import Called
from okey101.server.store.lost import Loss
from okey101.server.store.statements import Store
from okey101.server.tables.broadcast import ResumeTokens
from okey101.server.tables.reduce import Secrets, new_secret
from okey101.server.tables.snapshots import Snapshots
from okey101.server.tables.state import TableState
from okey101.server.work.bot_thoughts import BotTurns


def _nothing(*_: object, **__: object) -> None:
    return None


async def _yes(*_: str) -> bool:
    return True


async def _no(_: str) -> bool:
    return False


async def _done(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    """What a table needs from its server; times are seconds, but ``now_ms`` UTC milliseconds."""

    store: Store
    now_ms: Callable[[], int]
    called: Callable[[str], Called] = lambda _: Called()
    bot_delay: float = 0.8
    dealing: float = 0.0
    """How long the dealing is shown at most before play begins."""
    absence: float = 90.0
    idle_close: float = 1800.0
    grace: float = 0.5
    """Extra time after a deadline for a command that is on its way."""
    secret: Secrets = new_secret
    on_match: Callable[[TableState], None] = _nothing
    """Called once a match is over, or its table frozen; perhaps again after a restart."""
    on_round: Callable[[TableState], None] = _nothing
    """Called once a round before a deal has its commitment; perhaps again after a restart."""
    on_sat: Callable[[TableState, str], None] = _nothing
    """Told of who has made a table or sat down there; of nobody again after a restart."""
    on_closed: Callable[[str], None] = _nothing
    may_close: Callable[[str], bool] = lambda _: True
    """Whether an idle table may be closed yet."""
    sure: Callable[[], bool] = lambda: True
    """Whether no other node can have taken this one's tables, by what it knows itself."""
    claim: Callable[[str, str], Awaitable[bool]] = _yes
    """Asked before a person makes a table: whether no other node keeps one of that id. One that
    counts for nobody is nobody's.

    OkeyError ``too-many-tables`` by those of all nodes, StoreError."""
    unmade: Callable[[str], Awaitable[None]] = _done
    """Told of a table that was asked for and perhaps not made."""
    owns: Callable[[str], Awaitable[bool]] = _yes
    """Whether this node still keeps a table; asked where another may have. StoreError."""
    kept: Callable[[str], Awaitable[bool]] = _no
    """Whether any node keeps a table that this one does not know. StoreError."""
    on_person: Callable[..., None] = _nothing
    """Told of what concerns all tables of a person: ``renamed`` or ``left``, and the id.

    Whoever has ``left`` may have an ``heir``."""
    on_moved: Callable[[str], None] = _nothing
    """Told of a table that another node keeps."""
    bots: BotTurns = field(default_factory=BotTurns)
    """Where bots wait for their turn, and think."""
    on_events: Callable[[int], None] = _nothing
    on_round_over: Callable[[str], None] = _nothing
    """Told of each round that ends: ``dealt``, or why it was thrown away."""
    on_step: Callable[[], None] = _nothing
    """Called whenever a table begins to do something."""
    heart: Heartbeat = field(default_factory=Heartbeat)
    """Tells the time that the process ran from the time it did not."""
    snapshots: Snapshots | None = None
    """What writes and finds snapshots of tables; None for none."""
    replaying: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(8))
    """So many tables replay rows in turns; others wait, so that the loop goes on."""
    resume_tokens: ResumeTokens | None = None
    """What marks the rows that clients are told of; None for no marks."""
    lost: Mapping[str, Loss] = field(default_factory=dict[str, Loss])
    """Tables whose logs lack rows, as far as known at the start."""
    on_lost: Callable[[str, int, int], None] = _nothing
    """Told of a table, the last row of its log, and the row beyond it that a client has seen."""

    def loss_of(self, table: str, seq: int, head: str) -> int | None:
        """The ``loss_ms`` of a head that a server with this one's key made for a row; else None."""
        tokens = self.resume_tokens
        return None if tokens is None else tokens.loss_of(table, seq, head)
