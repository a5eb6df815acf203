"""Chunks on a Ray cluster (extra ``ray``): the same chunks, on as many machines as there are."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import ray
from ray.exceptions import RayError

from okey101.errors import OkeyError
from okey101.sim.arena.chunks import Chunk, Job, play_chunk

_DEATHS = 100


class RayCluster:
    """Plays on the cluster at an address; what a dead worker or node had is played again.

    A chunk that is stopped is lost, so the first Ctrl-C waits for those that run: some seconds.
    """

    def __init__(self, address: str) -> None:
        """OkeyError ``ray-unreachable`` where there is no cluster."""
        try:
            ray.init(address=address, logging_level="ERROR", log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            words = f"there is no Ray cluster at {address}"
            raise OkeyError("ray-unreachable", words, address=address) from error
        self.slots = max(1, int(ray.cluster_resources().get("CPU", 1)))
        task = cast("Callable[..., Any]", ray.remote(max_retries=0)(play_chunk))
        self._play = cast("Any", task).remote
        self._running: dict[Any, range] = {}
        self._deaths = 0

    @property
    def pending(self) -> int:
        """How many chunks run or wait."""
        return len(self._running)

    def submit(self, job: Job, numbers: range) -> None:
        """Take some deals."""
        self._running[self._play(job, numbers)] = numbers

    def finished(self, wait_s: float) -> list[Chunk | range]:
        """What has been played; OkeyError ``arena-workers`` where they die again and again."""
        if not self._running:
            return []
        done, _ = ray.wait(list(self._running), num_returns=1, timeout=wait_s)
        found: list[Chunk | range] = []
        for reference in done:
            numbers = self._running.pop(reference)
            try:
                found.append(cast("Chunk", ray.get(reference)))
            except RayError as error:
                if isinstance(getattr(error, "cause", None), OkeyError):
                    raise
                self._deaths += 1
                if self._deaths >= _DEATHS:
                    words = "the arena's processes die again and again"
                    raise OkeyError("arena-workers", words) from error
                found.append(numbers)
        return found

    def stop(self) -> None:
        """What runs is still played: it takes some seconds."""

    def close(self) -> None:
        """Leave the cluster."""
        ray.shutdown()
