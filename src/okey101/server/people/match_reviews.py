"""Reviews of finished matches: asked for once, made beside the server, and kept with the match.

Each is made in a process of its own, a few at a time, and so many may wait. What comes of it names
nobody and looks the same to all who may see the match.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from time import monotonic
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from okey101.errors import OkeyError
from okey101.game.record.form import parse_record
from okey101.review.matches import MatchReview, review_match
from okey101.server.errors import refuse
from okey101.server.ops.logs import logger
from okey101.server.ops.tasks import Tasks
from okey101.server.people.service import Accounts
from okey101.work import Caller, Workers

_WAITING: Final = 8
"""How many matches may wait for their review."""
_LONGEST_S: Final = 1_800.0
_NICE: Final = 10
"""The server and its bots come first."""
_EVERY_S: Final = 0.25
"""How often a review says how far it is."""
_REMEMBERED: Final = 64
"""Of so many reviews that failed it is still known that they did."""

_log = logger(__name__)

_State: TypeAlias = Literal["none", "waiting", "working", "done", "failed"]


class ReviewAnswer(Struct):
    """The review of a match: asked for or not, how many decisions are done, and what was found.

    ``code`` says why it failed.
    """

    state: _State
    done: int = 0
    total: int = 0
    code: str | None = None
    review: MatchReview | None = None


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

    def heard(self, progress: tuple[int, int]) -> None:
        self.done, self.total = progress


class Reviews:
    """The reviews of a server's matches."""

    def __init__(
        self, accounts: Accounts, tasks: Tasks, processes: int, worlds: int, policy: str
    ) -> None:
        """At most so many ``processes`` at a time, 0 for no reviews at all."""
        self._accounts = accounts
        self._tasks = tasks
        self._how = worlds, policy
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
        everybody = range(len(match.summary.seats))
        people = [seat for seat in everybody if match.summary.seats[seat].bot is None]
        workers = Workers(1, nice=_NICE, on_progress=job.heard)
        try:
            made = workers.submit(_reviewed, match.data, people or everybody, *self._how)
            review = await asyncio.wrap_future(made)
        finally:
            await asyncio.to_thread(workers.close)
        await self._accounts.save_review(job.match, match.summary.deals, review)


def _reviewed(
    caller: Caller, record: bytes, seats: Sequence[int], worlds: int, policy: str
) -> bytes:
    """The review of a record as JSON; says now and then how many decisions of how many are done."""
    told = float("-inf")

    def tell(done: int, total: int) -> None:
        nonlocal told
        now = monotonic()
        if now - told >= _EVERY_S:
            told = now
            caller.tell((done, total))

    found = review_match(
        parse_record(record), seats=seats, worlds=worlds, policy=policy, on_step=tell
    )
    return msgspec.json.encode(found)


_read_kept = msgspec.json.Decoder(MatchReview).decode
