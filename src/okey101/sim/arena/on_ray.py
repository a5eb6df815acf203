"""Chunks on a Ray cluster (extra ``ray``): the same chunks, on as many machines as there are."""

# pyright: reportMissingImports=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import ray
from ray.exceptions import RayError

from okey101.errors import OkeyError
from okey101.sim.arena.chunks import Chunk, Job, play_chunk
from okey101.sim.arena.running import Backend


class RayCluster(Backend):
    """Plays on the cluster at an address; what a dead worker or node had is played again.

    A chunk that is stopped is lost, so the first Ctrl-C waits for those that run: some seconds.
    """

    most_deaths = 100

    def __init__(self, address: str) -> None:
        """OkeyError ``ray-unreachable`` where there is no cluster."""
        super().__init__()
        try:
            ray.init(address=address, logging_level="ERROR", log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            words = f"there is no Ray cluster at {address}"
            raise OkeyError("ray-unreachable", words, address=address) from error
        self.slots = max(1, int(ray.cluster_resources().get("CPU", 1)))
        task = cast("Callable[..., Any]", ray.remote(max_retries=0)(play_chunk))
        self._play = cast("Any", task).remote

    def _begun(self, job: Job, numbers: range) -> object:
        return self._play(job, numbers)

    def finished(self, wait_s: float) -> list[Chunk | range]:
        """What has been played; see :meth:`Backend.finished`."""
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
                self._died(error)
                found.append(numbers)
        return found

    def stop(self) -> None:
        """What runs is still played: it takes some seconds."""

    def close(self) -> None:
        """Leave the cluster."""
        ray.shutdown()
