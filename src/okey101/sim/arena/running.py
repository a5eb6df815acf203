"""Running a job: its deals are cut into chunks of some seconds and played side by side.

What comes out is the same however it was cut, by how many it was played and in what order it came.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from functools import partial
from typing import Any, Final

from okey101.errors import OkeyError
from okey101.sim.arena.chunks import Chunk, Job, check_players, play_chunk
from okey101.work import Caller, WorkerEnded, Workers

CHUNK_S: Final = 3.0
"""How long a chunk is meant to take, in seconds of its worker."""
_LOOK_S: Final = 0.2


class Backend(ABC):
    """Where chunks are played."""

    slots = 1
    """How many chunks it plays at once."""
    most_deaths = 10
    """So many times workers may die before an arena gives up."""

    def __init__(self) -> None:
        self._running: dict[Any, range] = {}
        """By what stands for a chunk: its deals."""
        self._deaths = 0

    @property
    def pending(self) -> int:
        """How many chunks it has taken and not handed out."""
        return len(self._running)

    def submit(self, job: Job, numbers: range) -> None:
        """Take some deals."""
        self._running[self._begun(job, numbers)] = numbers

    @abstractmethod
    def _begun(self, job: Job, numbers: range) -> object:
        """Have a chunk played; what stands for it."""

    @abstractmethod
    def finished(self, wait_s: float) -> list[Chunk | range]:
        """What has been played since it was last asked; a range is of deals that got lost.

        OkeyError ``arena-workers`` where workers die again and again.
        """

    def _died(self, error: Exception) -> None:
        self._deaths += 1
        if self._deaths >= self.most_deaths:
            words = "the arena's processes die again and again"
            raise OkeyError("arena-workers", words) from error

    @abstractmethod
    def stop(self) -> None:
        """Have what runs end after its present deal; it is still handed out."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything at once."""


class Here(Backend):
    """Plays in this process."""

    def __init__(self, stopped: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self._stopped = stopped

    def _begun(self, job: Job, numbers: range) -> object:
        return partial(play_chunk, job, numbers, self._stopped)

    def finished(self, wait_s: float) -> list[Chunk | range]:
        """Play the next chunk."""
        for play in self._running:
            del self._running[play]
            return [play()]
        return []

    def stop(self) -> None:
        """Nothing runs meanwhile; what waits is given up."""
        self._running.clear()

    close = stop


class Processes(Backend):
    """Plays in processes of this machine; one that dies is replaced."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        self.slots = workers
        self._workers = Workers(workers, stderr=None)

    def _begun(self, job: Job, numbers: range) -> object:
        return self._workers.submit(_work, job, numbers)

    def finished(self, wait_s: float) -> list[Chunk | range]:
        """What has been played; see :meth:`Backend.finished`."""
        done, _ = wait(self._running, wait_s, FIRST_COMPLETED)
        found: list[Chunk | range] = []
        died = None
        for future in done:
            numbers = self._running.pop(future)
            try:
                found.append(future.result())
            except WorkerEnded as error:
                died = error
                found.append(numbers)
        if died is not None:
            self._died(died)
        return found

    def stop(self) -> None:
        """Have what runs end after its present deal."""
        self._workers.stop()
        self._running = {f: numbers for f, numbers in self._running.items() if not f.cancel()}

    def close(self) -> None:
        """End the processes."""
        self._workers.close()


def _work(caller: Caller, job: Job, numbers: range) -> Chunk:
    return play_chunk(job, numbers, caller.stopping.is_set)


def gaps(wanted: range, chunks: Iterable[Chunk]) -> Iterator[range]:
    """The deals that no chunk has."""
    at = wanted.start
    for chunk in sorted(chunks, key=lambda c: c.first):
        if chunk.first > at:
            yield range(at, min(chunk.first, wanted.stop))
        at = max(at, chunk.first + chunk.deals)
    if at < wanted.stop:
        yield range(at, wanted.stop)


def run_job(
    job: Job,
    wanted: range,
    *,
    workers: int = 1,
    done: Sequence[Chunk] = (),
    backend: Backend | None = None,
    on_chunk: Callable[[Chunk], object] = lambda _: None,
    enough: Callable[[Sequence[Chunk]], bool] = lambda _: False,
    stopped: Callable[[], bool] = lambda: False,
    grain: int | None = None,
) -> tuple[Chunk, ...]:
    """Play what ``done`` lacks of the wanted deals, and return all chunks in the deals' order.

    ``on_chunk`` has each new chunk as soon as it is there. It ends early once there is ``enough``,
    and where it is ``stopped``: then some deals are missing. With a ``grain`` no chunk crosses a
    multiple of it. OkeyError ``unknown-bot``,
    ``bot-unloadable``, ``arena-bots`` or ``arena-workers``.
    """
    check_players(job.players)
    job.plan  # noqa: B018  # refused before anything is played
    own = backend is None
    back: Backend = backend or (Processes(workers) if workers > 1 else Here(stopped))
    chunks = list(done)
    waiting = deque(gaps(wanted, chunks))
    size = 1
    try:
        while True:
            ending = stopped() or enough(chunks)
            if ending:
                back.stop()
            while waiting and not ending and back.pending <= back.slots:
                numbers = waiting.popleft()
                left = sum(map(len, waiting)) + len(numbers)
                size = max(1, min(size, left // (2 * back.slots)))
                cut = size if grain is None else min(size, grain - numbers.start % grain)
                if len(numbers) > cut:
                    waiting.appendleft(numbers[cut:])
                back.submit(job, numbers[:cut])
            if not back.pending:
                break
            for found in back.finished(_LOOK_S):
                if isinstance(found, range):
                    waiting.appendleft(found)
                    continue
                chunks.append(found)
                on_chunk(found)
                size = max(1, int(CHUNK_S * found.deals / max(found.seconds, 1e-6)))
    finally:
        if own:
            back.close()
    return tuple(sorted(chunks, key=lambda c: c.first))
