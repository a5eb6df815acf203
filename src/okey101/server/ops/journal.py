"""What is kept for operators: the journal of administrators, and what people report."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar

import msgspec

from okey101.errors import OkeyError
from okey101.server.ops.logs import logger, utc_ms

T = TypeVar("T")


class Keeper(Protocol):
    """Where lines are kept; what can't be done raises."""

    async def note(self, kind: str, data: bytes, most: int) -> None:
        """Keep a line, durable when this returns, and no more than ``most`` of its kind."""
        ...

    async def noted(self, kind: str, count: int) -> list[bytes]:
        """The last lines of a kind, the newest first."""
        ...


class Lines(Generic[T]):
    """The lines of one kind, each of one type."""

    def __init__(self, keeper: Keeper, kind: str, form: type[T], most: int = 10_000) -> None:
        self._keeper = keeper
        self._kind = kind
        self._form = form
        self._most = most

    async def add(self, entry: T) -> None:
        """Keep a line; raises what its keeper does."""
        await self._keeper.note(self._kind, msgspec.json.encode(entry), self._most)

    async def last(self, count: int) -> list[T]:
        """The last lines, the newest first; one that makes no sense is left out."""
        found: list[T] = []
        for line in await self._keeper.noted(self._kind, count):
            with suppress(ValueError):
                found.append(msgspec.json.decode(line, type=self._form))
        return found


DONE: Final = "done"
SERVER: Final = "server"
"""Who starts and drains a server: whoever can send it a signal."""

_log = logger(__name__)


class JournalEntry(msgspec.Struct, frozen=True, kw_only=True):
    """Something an administrator did, or tried to.

    ``at`` is in UTC milliseconds; ``who`` is the fingerprint of a token, a user of this machine, or
    the server itself; ``address`` is where it came from, empty for this machine's own commands;
    ``of`` is the table, person or folder concerned; ``outcome`` is ``done`` or an error's code.
    """

    at: int
    who: str
    address: str
    what: str
    of: str = ""
    details: Mapping[str, str | int | None] = {}
    outcome: str = DONE


def token_holder(token: str) -> str:
    """Whoever has a token, by a fingerprint that tells nothing of it."""
    return f"admin:{sha256(b'okey101 journal' + token.encode()).hexdigest()[:8]}"


def local_user() -> str:
    """The user of this machine that runs a command."""
    return f"user:{os.geteuid()}" if os.name == "posix" else "user"


class Journal(Lines[JournalEntry]):
    """The journal's lines in the server's file.

    Each is ``logged`` as well, unless by a command, whose output has no lines of a log in it.
    """

    def __init__(self, keeper: Keeper, *, logged: bool = True) -> None:
        super().__init__(keeper, "admin-journal", JournalEntry)
        self._logged = logged
        self._adding: set[asyncio.Task[None]] = set()

    async def add(self, entry: JournalEntry) -> None:
        """Keep an entry; one that can't be kept is in the log at least."""
        try:
            await super().add(entry)
        except Exception as error:  # noqa: BLE001  # whatever the keeper raises
            if self._logged:
                _log.error("journal-failed", what=entry.what, reason=type(error).__name__)

    @asynccontextmanager
    async def noted(
        self, what: str, *, who: str, address: str = "", of: str = "", **details: str | int | None
    ) -> AsyncGenerator[None]:
        """Note what is done within, with its outcome, when it ends."""
        outcome, waits = "failed", True
        try:
            yield
            outcome = DONE
        except asyncio.CancelledError:
            waits = False  # nobody does any more, and the disk may not answer
            raise
        except OkeyError as error:
            outcome = error.code
            raise
        finally:
            entry = JournalEntry(
                at=utc_ms(), who=who, address=address, what=what, of=of, details=details,
                outcome=outcome,
            )  # fmt: skip
            if self._logged:
                words = msgspec.structs.asdict(entry)
                del words["at"]
                _log.info("admin-action", **words)
            adding = asyncio.create_task(self.add(entry))
            self._adding.add(adding)
            adding.add_done_callback(self._adding.discard)
            if waits:
                await adding


Reason: TypeAlias = Literal["name", "phrases", "stalling", "together", "other"]
"""An offensive name, phrases without end, letting the clock run, playing with another seat."""
MOST_REPORTS: Final = 10_000


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


def settled(journal: Iterable[JournalEntry]) -> dict[str, int]:
    """When something was last done about those reported, by id, as the journal tells."""
    found: dict[str, int] = {}
    for one in journal:
        if one.what in ("mute", "ban", "settle") and one.outcome == DONE:
            found[one.of] = max(one.at, found.get(one.of, 0))
    return found


class Reports(Lines[Report]):
    """The reports in the server's file: the last :data:`MOST_REPORTS`.

    They are not in the journal of administrators, which no flood of reports may push out.
    """

    def __init__(self, keeper: Keeper) -> None:
        super().__init__(keeper, "reports", Report, MOST_REPORTS)

    async def add(self, entry: Report) -> None:
        """Keep a report, and log it; raises what its keeper does."""
        words = msgspec.structs.asdict(entry)
        del words["at"]
        _log.warning("person-reported", **words)
        await super().add(entry)
