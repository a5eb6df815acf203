"""What the tests of the accounts share: a quick hasher, a clock that can be set, an open file."""

from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from argon2 import PasswordHasher

from conftest import unwrap
from okey101.errors import OkeyError
from okey101.game import PRESETS
from okey101.server.people.models import MatchSeat
from okey101.server.people.passwords import Passwords
from okey101.server.people.service import Accounts
from okey101.server.store import AnyStore, SqliteStore
from okey101.server.store.postgres import PostgresStore
from okey101.server.web.response_schemas import exported
from postgres import Postgres

DAY = 86_400_000
PASSWORD = "correct horse"


class Clock:
    def __init__(self, now: int = 1_000_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


def quick() -> Passwords:
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


_databases: dict[Path, str] = {}
_postgres: list[Postgres] = []
"""Where people are kept while a test is told to do without a file."""


def in_database(postgres: Postgres | None) -> None:
    """Have the accounts that are opened from now on in PostgreSQL, or in files again."""
    _databases.clear()
    _postgres[:] = [] if postgres is None else [postgres]


async def opened_store(path: Path) -> AnyStore:
    """The store of a folder, the same whenever it is opened."""
    if not _postgres:
        return SqliteStore.open(path)
    if path not in _databases:
        _databases[path] = _postgres[0].database()
    return await PostgresStore.open(_databases[path], path)


@asynccontextmanager
async def people_of(store: AnyStore, **how: Any) -> AsyncIterator[Accounts]:
    """The accounts of a store, both closed whatever happens."""
    try:
        accounts = await Accounts.open(store, **{"passwords": quick(), **how})
        yield accounts
        await accounts.close()
    finally:
        await store.close()


@asynccontextmanager
async def with_accounts(
    folder: Path, passwords: Passwords | None = None, clock: Clock | None = None
) -> AsyncIterator[Accounts]:
    store, how = await opened_store(folder / "log.sqlite"), {"now_ms": clock or Clock()}
    async with people_of(store, passwords=passwords or quick(), **how) as accounts:
        yield accounts


class NoReports:
    """Reports where nobody has made any."""

    async def last(self, _: int) -> list[Any]:
        return []


async def exported_of(accounts: Accounts, user: str) -> Any:
    reports: Any = NoReports()
    answer = await exported(accounts, reports, user, [])
    return msgspec.json.decode(msgspec.json.encode(answer))


async def code_of(call: Awaitable[object]) -> str:
    """The code a call is refused with, or nothing."""
    try:
        await call
    except OkeyError as error:
        return error.code
    return ""


async def account(accounts: Accounts, name: str, password: str = PASSWORD) -> tuple[str, str]:
    user, token = await accounts.guest(name)
    session = unwrap(await accounts.session(token))
    return user.id, await accounts.upgrade(session, name, password)


async def save(
    accounts: Accounts, number: int, *seats: MatchSeat, at: int = 1, **other: Any
) -> str:
    record = b'{"format": "okey101/1", "deals": []}'
    given: dict[str, Any] = {"table_id": "t_x", "rules": PRESETS["altinstar"], "deals": 1}
    given |= {"record": record, "totals": range(len(seats))} | other
    return await accounts.save_match(number=number, finished_ms=at, seats=seats, **given)


BOTS = [MatchSeat(bot="random")] * 4
