"""The collector: short rounds whatever is replaced, and a full one only while it is quiet."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Iterator

import pytest

from okey101.server.ops.gc_tuning import THRESHOLDS, Rounds, freeze, sweep, tune

_THINGS = 20_000


@pytest.fixture
def tuned() -> Iterator[None]:
    """The collector as a server has it, with nothing of the tests in its way."""
    before = gc.get_threshold()
    try:
        tune()
        freeze()
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


@pytest.fixture
def rounds() -> Iterator[list[int]]:
    """The rounds that begin, by generation."""
    begun: list[int] = []

    def seen(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            begun.append(info["generation"])

    gc.callbacks.append(seen)
    try:
        yield begun
    finally:
        gc.callbacks.remove(seen)


@pytest.mark.usefixtures("tuned")
def test_it_is_tuned() -> None:
    assert gc.get_threshold() == THRESHOLDS
    assert gc.get_freeze_count() > 0


@pytest.mark.usefixtures("tuned")
def test_what_is_replaced_is_looked_at_in_small_pieces() -> None:
    """Sockets and tables replace what they have: the interpreter counts that as nothing new."""

    def youngest(step: Rounds | None) -> int:
        most = 0
        things: list[object] = [[] for _ in range(_THINGS)]
        gc.collect()
        for number in range(_THINGS):
            things[number] = []
            if step is not None:
                step.step()
            if number % 1_000 == 999:
                most = max(most, len(gc.get_objects(0)))
        return most

    assert youngest(None) > _THINGS / 2
    assert youngest(Rounds()) < 2_000


@pytest.mark.usefixtures("tuned")
def test_every_other_round_is_of_the_second_kind(rounds: list[int]) -> None:
    steps = Rounds()
    gc.disable()
    try:
        for _ in range(3_199):
            steps.step()
        assert rounds == [0, 1, 0, 1, 0, 1, 0]
        steps.step()
        assert rounds[7:] == [1]
    finally:
        gc.enable()


def _swept(sockets: int) -> None:
    async def scenario() -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.1):
                await sweep(lambda: sockets, 0.01)

    asyncio.run(scenario())


@pytest.mark.usefixtures("tuned")
def test_a_full_round_waits_until_it_is_quiet_and_worth_it(rounds: list[int]) -> None:
    gc.collect()
    del rounds[:]
    _swept(0)
    assert 2 not in rounds  # nothing has happened since the last
    for _ in range(500):
        gc.collect(1)
    _swept(201)
    assert 2 not in rounds
    _swept(200)
    assert rounds.count(2) == 1
