"""The journal of administrators: who did what to whom, when, and what came of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from okey101.errors import OkeyError
from okey101.server.files.line_file import LineFile
from okey101.server.ops.logs import logger
from okey101.server.ops.utc import utc_ms

DONE: Final = "done"
SERVER: Final = "server"
"""Who starts and drains a server: whoever can send it a signal."""
_FILE: Final = "admin-journal"
_FAILED: Final = "failed"
_WORDS: Final = ("who", "address", "what", "of", "details", "outcome")

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


class Journal:
    """The journal's file in a server's folder, for its owner alone.

    Each is ``logged`` as well, unless by a command, whose output has no lines of a log in it.
    """

    def __init__(self, folder: Path, *, logged: bool = True) -> None:
        self._logged = logged
        self._file = LineFile(folder, _FILE, JournalEntry)
        self.path = self._file.path

    def add(self, entry: JournalEntry) -> None:
        """Write an entry, through to the disk; one that can't be written is in the log at least."""
        if self._logged:
            words = msgspec.structs.asdict(entry)
            _log.info("admin-action", **{name: words[name] for name in _WORDS})
        try:
            self._file.add(entry)
        except OSError as error:
            if self._logged:
                _log.error("journal-failed", what=entry.what, reason=type(error).__name__)

    @asynccontextmanager
    async def noted(
        self, what: str, *, who: str, address: str = "", of: str = "", **details: str | int | None
    ) -> AsyncGenerator[None]:
        """Note what is done within, with its outcome, when it ends."""
        outcome = _FAILED
        try:
            yield
            outcome = DONE
        except OkeyError as error:
            outcome = error.code
            raise
        finally:
            entry = JournalEntry(
                at=utc_ms(), who=who, address=address, what=what, of=of, details=details,
                outcome=outcome,
            )  # fmt: skip
            await asyncio.to_thread(self.add, entry)

    def last(self, count: int) -> list[JournalEntry]:
        """The last entries, the newest first; lines that can't be read are left out."""
        return self._file.last(count)
