"""Twins where rounds were thrown away, where bots sit, and before clients that know more rows."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from conftest import Size
from okey101.server.tables import log_entries as log
from okey101.server.tables.broadcast import ResumeTokens
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table
from server.tables.table_stories import TABLE, Step, Story, table_options
from server.tables.test_secrets import STYLES, compare
from server.tables.twins import Screen, Unchecked, dependencies, hidden_words, twins

HEAD = re.compile(rb'"head":"[^"]*"')
SHOWN = re.compile(rb'("(?:secret|commitment|transcript|value)":)"[0-9a-f]{64}"')


def with_bots(seed: str, bots: Sequence[str | None], style: str) -> Story:
    """A match in which every first round of a deal is thrown away, for one reason or another."""
    told = Story(
        table_options("altinstar", "4", bots=tuple(bots), spectators="live", late=False), seed
    )
    told.fill()
    told.add(log.Started(user=told.state.owner, secret=told.secret()))
    whys: Iterator[str] = iter(("not-revealed", "left", "restored", "log-truncated") * 10)
    while told.state.stage is not Stage.OVER:
        told.commit()
        told.add(log.CommitmentsShown())
        told.add(log.Abandoned(why=next(whys), secret=told.secret()))  # type: ignore[arg-type]
        told.commit()
        told.deal()
        told.play(style)
    return told


@pytest.mark.parametrize(
    "bots", [(None, None, "greedy", "steady"), (None, "random", None, None)], ids=["two", "one"]
)
def test_viewers_hear_the_same_where_bots_sit_and_rounds_are_thrown_away(
    bots: tuple[str | None, ...], size: Size
) -> None:
    seen: Counter[str] = Counter()
    for number in range(size(1, long=30)):
        told = with_bots(f"bots {bots} {number}", bots, STYLES[number % 3])
        kinds = {getattr(step.entry, "by", None) for step in told.steps}
        assert kinds >= {"bot", "user"}
        for part in range(4):
            seen += compare(told.steps, 10 * number + part)
    assert seen["hands differ"] > seen["none"]
    assert seen["commitments"] > 0


async def claimed(
    state: TableState, seat: int | None, seed: int, *, truly: bool
) -> tuple[list[bytes], TableState]:
    """What somebody hears who claims to have seen rows that the log does not have."""
    resume_tokens = ResumeTokens(bytes(range(32)))
    deps = dataclasses.replace(
        dependencies(Unchecked(), state.at_ms, seed), resume_tokens=resume_tokens
    )
    table = Table(state, deps)
    others = [Screen(None), *(Screen(f"u{n}") for n in range(len(state.seats)))]
    for one in others:
        table.attach(one)
    own = others[0 if seat is None else seat + 1]
    ahead = state.seq + 3
    head = resume_tokens.of(TABLE, ahead, 0, "a row") if truly else f"0.{'0' * 32}"
    again = Screen(own.user)
    table.attach(again, ahead, head)
    for _ in range(200):
        if not truly or table.state.stage is not state.stage:
            break
        await asyncio.sleep(0.001)
    after = table.state
    await table.stop()
    return [*own.got, *again.got], after


@pytest.mark.parametrize("truly", [False, True], ids=["made up", "truly"])
def test_who_knows_more_rows_than_the_log_learns_nothing_hidden(truly: bool, size: Size) -> None:
    """A head that is this server's own has the deal thrown away, and its secret shown: no more."""
    rng = random.Random(f"ahead {truly}")
    compared = 0
    for number in range(size(2, long=40)):
        steps: list[Step] = with_bots(f"ahead {number}", (None,) * 4, STYLES[number % 3]).steps
        playing = [n for n, step in enumerate(steps) if step.state.stage is Stage.PLAYING]
        for at in rng.sample(playing, 4):
            seat, state = rng.choice([None, 0, 1, 2, 3]), steps[at].state
            twin = twins(steps, seat, at, at, rng)
            if twin is None:
                continue
            one, after = asyncio.run(claimed(state, seat, at, truly=truly))
            other, _ = asyncio.run(claimed(twin, seat, at, truly=truly))
            assert (after.stage is Stage.DEALING) == truly
            assert any(b'"log-truncated"' in said for said in one) == truly
            assert [SHOWN.sub(rb"\1_", HEAD.sub(b"", said)) for said in one] == [
                SHOWN.sub(rb"\1_", HEAD.sub(b"", said)) for said in other
            ]
            words = hidden_words(after, seat)
            if not truly:
                words |= hidden_words(state, seat)
            assert not [word for word in words for said in one if word in said]
            compared += 1
    assert compared >= 4
