"""Reviews of finished matches: asked for once, made beside the server, and kept with the match.

Each is made in a process of its own, a few at a time, and so many may wait: in a fair queue by
person, in which those who sat at the table go first. A long match is looked through a turn at a
time. What comes of it names nobody and looks the same to all who may see the match.

Matches that nobody asks about are weighed in fewer worlds, for Gücüm alone, behind all of these
and with as much of a core as the host allows.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import sleep
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from time import monotonic
from typing import Final, Protocol

import msgspec

from okey101.errors import OkeyError
from okey101.review.matches import MatchReview, joined, reviewed
from okey101.review.strength import REFERENCE, WORLDS
from okey101.server.errors import refuse
from okey101.server.ops.logs import logger
from okey101.server.people.profile import found_of
from okey101.server.people.service import Accounts
from okey101.server.protocol.views import ReviewAnswer, ReviewState, Weighing
from okey101.server.work.tasks import Tasks
from okey101.work import Workers

_WAITING: Final = 64
"""How many matches may wait for their review; half as many for those who did not play them."""
_WAITING_EACH: Final = 4
"""How many one person may have waiting."""
_TURN_S: Final = 30.0
"""After so long, and the deal that is looked at then, others have their turn."""
_LONGEST_S: Final = 1_800.0
"""So long a review may take in all its turns."""
_NICE: Final = 10
"""The server and its bots come first."""
_REMEMBERED: Final = 64
"""Of so many reviews that failed it is still known that they did."""
_LOOK_S: Final = 300.0
"""How often it is looked whether a match is to be weighed."""
_AT_A_LOOK: Final = 8
_GIVES_WAY_S: Final = 5.0
"""The turn of what nobody has asked for."""
_WEIGHS: Final = "strength"
"""What a server claims that weighs matches; no match is called so."""

_FOR_STRENGTH: Final = WORLDS, REFERENCE.name, _GIVES_WAY_S

_log = logger(__name__)


@dataclass(slots=True)
class _Wanted:
    """A review that waits or is being made, and who asked for it.

    Nobody has asked for the one of ``seats``: it is for their strength alone.
    """

    match: str
    by: str
    played: bool
    how: tuple[int, str, float]
    seats: Sequence[int] = ()
    over: asyncio.Event = field(default_factory=asyncio.Event)
    turn: int = 0
    spent_s: float = 0.0
    parts: list[MatchReview] = field(default_factory=list)
    state: ReviewState = "waiting"
    done: int = 0
    total: int = 0
    code: str | None = None

    def order(self) -> tuple[bool, bool, int]:
        """The least is made first."""
        return bool(self.seats), not self.played, self.turn

    def heard(self, progress: tuple[int, int]) -> None:
        self.done, self.total = progress


class Claims(Protocol):
    """What several servers of the same people ask before one of them makes a review."""

    async def claim(self, match: str, person: str, most: int | None) -> bool:
        """Begin one for a person; False for somebody who has as many others as ``most``.

        OkeyError ``draining`` where another server makes it.
        """
        ...

    async def let_go(self, match: str, *, failed: bool = False) -> None:
        """It is made, or forgotten; one that has ``failed`` is asked for here again."""
        ...


class Reviews:
    """The reviews of a server's matches."""

    def __init__(
        self, accounts: Accounts, tasks: Tasks, processes: int, worlds: int, policy: str,
        claims: Claims | None = None, *, share: int = 0,
    ) -> None:  # fmt: skip
        """At most so many ``processes`` at a time, 0 for no reviews at all.

        ``claims``: what keeps other servers of the same people from making them too; ``share``: how
        many per cent of a core :meth:`weigh` may take.
        """
        self._claims = claims
        self._accounts = accounts
        self._tasks = tasks
        self._how = worlds, policy, _TURN_S
        self._share = share
        self._free = processes
        self.weighing: Weighing = "shared" if share else "asked"
        if not all(find_spec(name) for name in ("numba", "numpy")):
            self.weighing = "numba"
        elif not processes:
            self.weighing = "off"
        self.possible = self.weighing in ("shared", "asked")
        """Whether this server can make reviews."""
        self._jobs: dict[str, _Wanted] = {}
        self._queue: list[_Wanted] = []
        self._turn = 0

    async def look(self, match: str) -> ReviewAnswer:
        """What there is of a match's review."""
        job = self._running(match)
        if job is not None:
            return self._answer(job)
        job = self._jobs.get(match)
        kept = await self._accounts.review(match)
        if kept is not None:
            with contextlib.suppress(ValueError):  # one of another form is made anew
                return ReviewAnswer("done", review=_read_kept(kept))
        return ReviewAnswer("none") if job is None else self._answer(job)

    async def ask(self, match: str, by: str, *, played: bool) -> ReviewAnswer:
        """The same, and have the review made where there is none; ``played``: they sat there.

        OkeyError ``no-reviews`` where this server makes none, ``reviews-busy`` where too many wait.
        """
        found = await self.look(match)
        if found.state == "done":
            return found
        if self._running(match) is None:
            if not self.possible:
                refuse("no-reviews", why=self.weighing)
            if not self._free and self._full(by, played=played):
                refuse("reviews-busy")
            if self._claims is not None:
                if not await self._claims.claim(match, by, _WAITING_EACH + 1):
                    refuse("reviews-busy")
                found = await self.look(match)  # another server may have made it meanwhile
                if found.state == "done":
                    await self._let_go(match)
                    return found
        running = self._running(match)
        if running is not None:  # perhaps somebody else asked
            running.played |= played
            return self._answer(running)
        self._jobs.pop(match, None)
        job = self._jobs[match] = _Wanted(match, by, played, self._how)
        self._enqueue(job)
        await self._forget_old()
        self._begin()
        return self._answer(job)

    async def weigh(self) -> None:
        """Weigh the matches of accounts that no review has looked at, one after the other.

        The newest come first: the last deals count most in a strength, and who has just played
        looks for it. After each one nothing is weighed for as long as keeps it within the share;
        what was found is kept, and what is left is seen anew after a start. One server of the same
        people does it at a time.
        """
        left = set[str]()
        while True:
            await sleep(_LOOK_S)
            with contextlib.suppress(OkeyError):  # another server does it, or the store fails
                while found := await self._accounts.unweighed(_AT_A_LOOK, left):
                    for match, seats in found.items():
                        job = await self._weighed(match, seats)
                        left.add(match)  # also where nothing was found
                        if job is not None:
                            await sleep(job.spent_s * (100 / self._share - 1))

    async def _weighed(self, match: str, seats: Sequence[int]) -> _Wanted | None:
        """Weigh a match; None where somebody has asked for its review meanwhile."""
        if match in self._jobs or await self._accounts.review(match) is not None:
            return None
        if self._claims is not None:
            await self._claims.claim(_WEIGHS, "", None)
        job = _Wanted(match, "", False, _FOR_STRENGTH, seats)
        self._enqueue(job)
        self._begin()
        await job.over.wait()
        return job

    def _begin(self) -> None:
        """Have what waits made, unless as many are being made as may be."""
        if self._free:
            self._free -= 1
            self._tasks.spawn(self._work())

    def _running(self, match: str) -> _Wanted | None:
        job = self._jobs.get(match)
        return None if job is None or job.state == "failed" else job

    def _answer(self, job: _Wanted) -> ReviewAnswer:
        ahead = 0
        if job in self._queue:
            working = sum(other.state == "working" for other in self._jobs.values())
            ahead = working + sorted(self._queue, key=_Wanted.order).index(job)
        return ReviewAnswer(job.state, job.done, job.total, ahead, job.code)

    def _full(self, by: str, *, played: bool) -> bool:
        mine = sum(job.by == by for job in self._queue)
        return mine >= _WAITING_EACH or len(self._queue) >= _WAITING // (1 if played else 2)

    def _enqueue(self, job: _Wanted) -> None:
        """Let it wait for the turn after those that its person waits for already."""
        turns = (other.turn for other in self._queue if other.by == job.by)
        job.state, job.turn = "waiting", max(turns, default=self._turn) + 1
        self._queue.append(job)

    def _next(self) -> _Wanted:
        job = min(self._queue, key=_Wanted.order)
        self._queue.remove(job)
        self._turn = max(self._turn, job.turn)
        return job

    async def _forget_old(self) -> None:
        failed = [match for match, job in self._jobs.items() if job.state == "failed"]
        for match in failed[: max(0, len(failed) - _REMEMBERED)]:
            del self._jobs[match]
            await self._let_go(match)

    async def _let_go(self, match: str, *, failed: bool = False) -> None:
        if self._claims is not None:
            await self._claims.let_go(match, failed=failed)

    async def _work(self) -> None:
        """Make the reviews that wait, one after the other, until none does."""
        try:
            while self._queue:
                job = self._next()
                job.state = "working"
                try:
                    async with asyncio.timeout(_LONGEST_S - job.spent_s):
                        made = await self._make(job)
                except TimeoutError:
                    await self._failed(job, "review-late")
                except OkeyError as error:
                    await self._failed(job, error.code)
                except Exception as error:  # noqa: BLE001  # whoever waits for it is told
                    await self._failed(job, "review-failed", why=type(error).__name__)
                else:
                    if made:
                        await self._over(job)
                    else:
                        self._enqueue(job)
        finally:
            self._free += 1

    async def _failed(self, job: _Wanted, code: str, **why: str) -> None:
        job.state, job.code = "failed", code
        _log.warning("review-failed", match=job.match, code=code, **why)
        await self._over(job, failed=True)

    async def _over(self, job: _Wanted, *, failed: bool = False) -> None:
        job.over.set()
        if not job.seats:
            if not failed:
                del self._jobs[job.match]
            await self._let_go(job.match, failed=failed)

    async def _make(self, job: _Wanted) -> bool:
        """Make a review, or part of it where others wait: whether it is whole."""
        match = await self._accounts.match(job.match)
        everybody = range(len(match.summary.seats))
        people = [seat for seat in everybody if match.summary.seats[seat].bot is None]
        seats, began = job.seats or people or everybody, monotonic()
        workers = Workers(1, nice=_NICE, on_progress=job.heard)
        try:
            while True:
                first = job.parts[-1].deals[-1].number + 1 if job.parts else 0
                made = workers.submit(reviewed, match.data, first, seats, *job.how)
                part, whole = await asyncio.wrap_future(made)
                job.parts.append(part)
                if whole or self._queue:
                    break
        finally:
            await asyncio.to_thread(workers.close)
            job.spent_s += monotonic() - began
        if whole:
            review = joined(job.parts)
            data = None if job.seats else msgspec.json.encode(review)
            await self._accounts.save_review(job.match, match.summary.deals, data, found_of(review))
        return whole


_read_kept = msgspec.json.Decoder(MatchReview).decode
