"""What every store promises, tested on each."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from okey101.server.store import Conflict, Row, SqliteStore, Store, StoreError
from okey101.server.store.postgres import PostgresStore
from server.store.memory import MemoryStore, row


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> AbstractAsyncContextManager[Store]:
    """A fresh store of each kind."""
    url = request.getfixturevalue("postgres").database() if request.param == "postgresql" else ""
    return opened(request.param, url, tmp_path / "log")


@asynccontextmanager
async def opened(kind: str, url: str, path: Path) -> AsyncIterator[Store]:
    if url:
        made: Store = await PostgresStore.open(url, path)
    else:
        made = MemoryStore() if kind == "memory" else SqliteStore.open(path)
    yield made
    await made.close()


async def test_rows_come_back_as_they_went_in(store: Store) -> None:
    rows = [
        Row("c", 1, 1_700_000_000_000, b'{"x":"\xc3\xa7"}', 3, "h1"),
        Row("c", 2, -5, b"\x00\xff", -1, "h2", last=True),
    ]
    for one in rows:
        await store.append(one)
    got = await store.read("c")
    assert got == rows
    assert [one.last for one in got] == [False, True]
    assert all(type(one) is Row and type(one.last) is bool for one in got)
    # What is above a number, where one is given.
    for seq in range(1, 6):
        await store.append(row("a", seq))
        await store.append(row("b", seq))
    assert [one.seq for one in await store.read("a", 3)] == [4, 5]
    assert [one.seq for one in await store.read("a", -7)] == [1, 2, 3, 4, 5]
    assert await store.read("a", 5) == []
    assert await store.read("a", 2**70) == []
    assert await store.read("nobody") == []
    assert await store.read("half a pair \ud800") == []


async def test_a_row_that_is_not_the_next_is_a_conflict(store: Store) -> None:
    for number, (held, closed, seq, reason) in enumerate((
        (1, False, 1, "taken"), (3, False, 2, "taken"), (0, False, 2, "gap"), (2, False, 4, "gap"),
        (2, True, 3, "closed"), (2, True, 2, "taken"),
    )):  # fmt: skip
        table = f"t{number}"
        for one in range(1, held + 1):
            await store.append(row(table, one, last=closed and one == held))
        before = await store.read(table)
        with pytest.raises(Conflict) as caught:
            await store.append(row(table, seq))
        assert caught.value.reason == reason
        assert str(caught.value) == f"row {seq} of table {table} isn't the next: {reason}"
        assert await store.read(table) == before


async def test_of_many_for_one_place_one_wins(store: Store) -> None:
    for seq in range(1, 11):
        offers = [row("a", seq)._replace(state_hash=f"{seq}-{n}") for n in range(20)]
        ends = await asyncio.gather(*map(store.append, offers), return_exceptions=True)
        won = [offer for offer, end in zip(offers, ends, strict=True) if end is None]
        assert len(won) == 1
        assert sum(isinstance(end, Conflict) for end in ends) == 19
        assert await store.read("a", seq - 1) == won


async def test_running_names_open_tables_the_oldest_first(store: Store) -> None:
    assert await store.running() == []
    for table, at_ms in (("c", 30), ("a", 20), ("d", 10), ("b", 20)):
        await store.append(row(table, 1)._replace(at_ms=at_ms))
    await store.append(row("c", 2)._replace(at_ms=1))
    await store.append(row("e", 1, last=True))
    assert await store.running() == ["d", "a", "b", "c"]
    assert not await store.closed("a")
    await store.append(row("a", 2, last=True))
    assert await store.running() == ["d", "b", "c"]
    assert await store.closed("a")
    for none in ("nobody", "half a pair \ud800"):
        assert not await store.closed(none)


async def test_a_closed_store_says_so(store: Store) -> None:
    await store.append(row("a", 1))
    await store.close()
    await store.close()
    for call in (store.append(row("a", 2)), store.read("a"), store.running()):
        with pytest.raises(StoreError):
            await call
