"""Reviews of finished matches: asked for once, made beside the server, and kept with the match.

Each is made in a process of its own (:mod:`okey101.server.review_process`), a few at a time, and so
many may wait. What comes of it names nobody and looks the same to all who may see the match.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from okey101.errors import OkeyError
from okey101.server.accounts import Accounts, StoredMatch
from okey101.server.errors import refuse
from okey101.server.logs import logger
from okey101.server.review_shapes import KeptReview
from okey101.server.tasks import Tasks

__all__ = ["ReviewAnswer", "ReviewProgress", "Reviews"]

_WAITING: Final = 8
"""How many matches may wait for their review."""
_LONGEST_S: Final = 1_800.0
_LINE: Final = 64 * 1024 * 1024
"""A review of a long match has some megabytes, on one line."""
_REMEMBERED: Final = 64
"""Of so many reviews that failed it is still known that they did."""

_log = logger(__name__)

_State: TypeAlias = Literal["none", "waiting", "working", "done", "failed"]


class ReviewProgress(Struct, omit_defaults=True):
    """What a review's process says, a line each: how far it is, what it found, or why it can't."""

    done: int = 0
    total: int = 0
    review: msgspec.Raw = msgspec.Raw(b"")
    error: str = ""


class ReviewAnswer(Struct):
    """The review of a match: asked for or not, how many decisions are done, and what was found.

    ``code`` says why it failed.
    """

    state: _State
    done: int = 0
    total: int = 0
    code: str | None = None
    review: KeptReview | None = None


@dataclass(slots=True)
class _Wanted:
    """A review that waits or is being made."""

    match: str
    state: _State = "waiting"
    done: int = 0
    total: int = 0
    code: str | None = None

    def answer(self) -> ReviewAnswer:
        return ReviewAnswer(self.state, self.done, self.total, self.code)


class Reviews:
    """The reviews of a server's matches."""

    def __init__(
        self, accounts: Accounts, tasks: Tasks, processes: int, worlds: int, policy: str
    ) -> None:
        """At most so many ``processes`` at a time, 0 for no reviews at all."""
        self._accounts = accounts
        self._tasks = tasks
        self._how = {"worlds": worlds, "policy": policy}
        self._free = processes
        self.possible = processes > 0 and all(find_spec(name) for name in ("numba", "numpy"))
        """Whether this server can make reviews: it needs the extra ``sim``."""
        self._jobs: dict[str, _Wanted] = {}
        self._queue: deque[_Wanted] = deque()

    async def look(self, match: str) -> ReviewAnswer:
        """What there is of a match's review."""
        job = self._jobs.get(match)
        if job is not None and job.state != "failed":
            return job.answer()
        kept = await self._accounts.review(match)
        if kept is not None:
            with contextlib.suppress(msgspec.ValidationError):  # one of another form is made anew
                return ReviewAnswer("done", review=_read_kept(kept))
        return ReviewAnswer("none") if job is None else job.answer()

    async def ask(self, match: str) -> ReviewAnswer:
        """The same, and have the review made where there is none.

        OkeyError ``no-reviews`` where this server makes none, ``reviews-busy`` where too many wait.
        """
        found = await self.look(match)
        if found.state in ("waiting", "working", "done"):
            return found
        if not self.possible:
            refuse("no-reviews")
        running = self._jobs.get(match)
        if running is not None and running.state != "failed":  # somebody asked meanwhile
            return running.answer()
        if not self._free and len(self._queue) >= _WAITING:
            refuse("reviews-busy")
        self._jobs.pop(match, None)
        job = self._jobs[match] = _Wanted(match)
        self._queue.append(job)
        self._forget_old()
        if self._free:
            self._free -= 1
            self._tasks.spawn(self._work())
        return job.answer()

    def _forget_old(self) -> None:
        failed = [match for match, job in self._jobs.items() if job.state == "failed"]
        for match in failed[: max(0, len(failed) - _REMEMBERED)]:
            del self._jobs[match]

    async def _work(self) -> None:
        """Make the reviews that wait, one after the other, until none does."""
        try:
            while self._queue:
                job = self._queue.popleft()
                job.state = "working"
                try:
                    async with asyncio.timeout(_LONGEST_S):
                        await self._make(job)
                except TimeoutError:
                    self._failed(job, "review-late")
                except OkeyError as error:
                    self._failed(job, error.code)
                except Exception as error:  # noqa: BLE001  # whoever waits for it is told
                    self._failed(job, "review-failed", why=type(error).__name__)
                else:
                    del self._jobs[job.match]
        finally:
            self._free += 1

    def _failed(self, job: _Wanted, code: str, **why: str) -> None:
        job.state, job.code = "failed", code
        _log.warning("review-failed", match=job.match, code=code, **why)

    async def _make(self, job: _Wanted) -> None:
        match = await self._accounts.match(job.match)
        request = await asyncio.to_thread(_request, match, self._how)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "okey101.server.review_process",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, limit=_LINE,
        )  # fmt: skip
        try:
            review = await _hear(process, request, job)
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        await self._accounts.save_review(job.match, match.summary.deals, review)


async def _hear(process: asyncio.subprocess.Process, request: bytes, job: _Wanted) -> bytes:
    """Give the process its work and listen to it until it has the review."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(ConnectionError):
        process.stdin.write(request)
        await process.stdin.drain()
        process.stdin.close()
    while line := await process.stdout.readline():
        said = _read(line)
        if said.error:
            raise OkeyError(said.error, "the review can't be made")
        if said.review:
            return bytes(said.review)
        job.done, job.total = said.done, said.total
    raise OkeyError("review-failed", "the review's process has ended")


_read_kept = msgspec.json.Decoder(KeptReview).decode
_read = msgspec.json.Decoder(ReviewProgress).decode


def _request(match: StoredMatch, how: Mapping[str, object]) -> bytes:
    """What the process is to look through: people's seats, or all where only bots played."""
    record: Mapping[str, object] = match.record
    people = [seat for seat, who in enumerate(match.summary.seats) if who.bot is None]
    seats = people or list(range(len(match.summary.seats)))
    # Who they are has nothing to do with it.
    nameless = {name: value for name, value in record.items() if name != "players"}
    return json.dumps({"record": nameless, "seats": seats, **how}).encode()
