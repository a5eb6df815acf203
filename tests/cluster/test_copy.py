"""``okey101 store copy``: everything arrives, whoever is killed, or nothing is changed."""

import asyncio
import os
import shutil
import sys
from pathlib import Path
from signal import SIGKILL
from typing import Any

import asyncpg
import pytest

from cli.conftest import Ran, Run
from cluster.conftest import connected
from conftest import raises_code
from faults.simulated_days import Day
from okey101.server.files.data_dir import Folder
from okey101.server.store import AnyStore, SqliteStore
from okey101.server.store.erased import erased_in
from okey101.server.store.postgres import PostgresStore
from okey101.server.store.public_log import LogKey, PublicLog
from postgres import Postgres
from server.accounts.people import PASSWORD, account, exported_of, people_of
from server.forks import begin
from server.live import LiveServer
from server.store.memory import changed, with_store

CHILD = Path(__file__).with_name("copy_child.py")


async def _history(data: Path) -> None:
    """What a day does not bring: people who mute, have bots, are erased, or were guests before."""
    store = SqliteStore.open(Folder(data).log)
    async with people_of(store) as accounts:
        ali, _ = await account(accounts, "Ali Çelik")
        veli, token = await accounts.guest("Veli")
        await accounts.login("Ali Çelik", PASSWORD, guest=await accounts.session(token))
        zeki, _ = await accounts.guest("Zeki")
        await accounts.ties.shun(ali, zeki.id, "mute")
        await accounts.ban(zeki.id, 2**50, "loud")
        bot, _ = await accounts.bots.add(ali, "Robot")
        await accounts.invitations.add(bot.id, (await store.running())[0], 1, 5)
        await accounts.delete((await accounts.guest("Gone"))[0].id)
        while await store.archive():
            pass
        await store.note("report", b"{}", 100)
        assert veli.id != ali


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was killed, with people, bans, matches, an archive, and a log."""
    root = tmp_path_factory.mktemp("day")
    day = Day(1_000_011, root, short=True)
    day.grow(root / "yesterday", lives=(20.0, 25.0))
    assert not day.problems
    asyncio.run(_history(root / "data"))
    return root / "data"


@pytest.fixture
def data(kept: Path, tmp_path: Path) -> Path:
    return shutil.copytree(kept, tmp_path / "data")


async def _answers(store: AnyStore, key: Folder) -> dict[str, Any]:
    """What a server would answer from a store: tables, people, matches, lines, a signed head."""
    async with people_of(store) as accounts:
        public = PublicLog(store, LogKey(*key.keys().log), lambda: 0)
        await public.publish()
        tables = await store.tables()
        people = await accounts.users(limit=500)
        return {
            "running": await store.running(),
            "tables": {table: await store.history(table) for table in tables},
            "closed": [table for table in tables if await store.closed(table)],
            "snapshots": [await store.snapshots(table) for table in tables],
            "people": people,
            "exports": [await exported_of(accounts, one.id) for one in people if not one.deleted],
            "bots": await accounts.bots.all("", 50, 0),
            "matches": [
                await accounts.match(match)
                for table in tables
                for match in sorted(await accounts.sound_matches(table))
            ],
            "reports": await store.noted("report", 100),
            "journal": [one for one in await store.noted("journal", 100) if b'"copy"' not in one],
            "head": (await public.newest()).text,
            "entries": await public.entries(0, 1000),
            "problems": await store.check(),
        }


async def _answers_of(place: Path | str, key: Folder, beside: Path) -> dict[str, Any]:
    if isinstance(place, str):
        return await _answers(await PostgresStore.open(place, beside / "log"), key)
    return await _answers(SqliteStore.open(Folder(place).log), key)


async def _turkish(postgres: Postgres) -> str:
    """The address of an empty database that orders words as Turkish does, where it can."""
    url = postgres.database()
    async with connected(url) as conn:
        if conn.get_server_version().major >= 15:
            await conn.execute(
                "CREATE DATABASE turkish TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr'"
            )
            url = f"{url.rpartition('/')[0]}/turkish"
    return url


def killed(page: int, source: object, target: object, said: Path) -> None:
    """A copy that is killed before it commits so many pages, or before (0) or after (-1) the log
    lies where a server finds it.
    """
    words = [sys.executable, str(CHILD), str(page), str(source), str(target)]
    with said.open("wb") as out:
        child = begin(words, os.environ, out, out)
        assert child.wait(60) == -SIGKILL, said.read_text()


def test_everything_goes_to_a_database_and_back(
    run: Run, data: Path, tmp_path: Path, postgres: Postgres
) -> None:
    url, back = asyncio.run(_turkish(postgres)), tmp_path / "back"
    folder = Folder(data)
    before = asyncio.run(_answers_of(data, folder, tmp_path))
    assert before["matches"]
    assert before["closed"]
    assert before["problems"] == []
    trip: list[tuple[Path | str, Path | str, tuple[int, ...]]] = [
        (data, url, (25,)),
        (url, back, (30, 0)),
    ]
    for source, target, pages in trip:
        for page in pages:
            killed(page, source, target, tmp_path / "said")
        done = run("store", "copy", str(source), str(target), "--json").json
        assert done["rows"]["users"] > 5
        assert asyncio.run(_answers_of(target, folder, tmp_path)) == before
    assert sorted(path.name for path in back.iterdir()) == ["log.erased", "log.mark", "log.sqlite"]
    assert done["keys"] == ["admin.token", "heads.key", "push.key", "public-log.key"]
    words = run("store", "copy", str(back), str(tmp_path / "third"), "--lang", "tr").out
    assert "Kopyalandı" in words
    for name in ("admin.token", "heads.key", "push.key", "public-log.key"):
        shutil.copyfile(data / name, back / name)
        (back / name).chmod(0o600)
    assert run("admin", "check", "--data", str(back)).code == 0
    with LiveServer(back):  # nothing is missing, and nothing was put there by hand
        assert not (back / "log.lost").exists()


def test_a_folder_whose_deals_are_void_is_refused(run: Run, data: Path, url: str) -> None:
    """Put there by hand, it would play on what its next start throws away."""
    (data / "log.mark").unlink()
    assert refused(run, data, url) == "copy-of-backup"
    assert run("admin", "backup", str(data / "copy"), "--data", str(data)).code == 0  # it is opened
    assert refused(run, data, url) == "log-unsound"


def refused(run: Run, source: object, target: object) -> str:
    ran: Ran = run("store", "copy", str(source), str(target), "--json")
    return str(ran.error["code"])


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE log SET entry = CAST(entry || ' ' AS BLOB) WHERE table_id <> '' AND seq = 2",
        "DELETE FROM log WHERE table_id = '' AND seq = 1",
        "UPDATE users SET name = 'Another' WHERE name IS NOT NULL",
        "DELETE FROM archive WHERE seq = 1",
    ],
)
def test_a_damaged_folder_is_refused(
    run: Run, data: Path, url: str, tmp_path: Path, statement: str
) -> None:
    changed(data / "log.sqlite", statement)
    assert refused(run, data, url) == "log-unsound"
    assert refused(run, url, tmp_path / "back") == "no-server-folder"  # and it is empty still
    assert not (tmp_path / "back").exists()


async def test_a_target_that_is_not_empty_is_refused(
    run: Run, data: Path, kept: Path, url: str, conn: asyncpg.Connection, tmp_path: Path
) -> None:
    await conn.execute("CREATE TABLE somebody (n int)")
    assert refused(run, data, url) == "store-not-empty"
    await conn.execute("DROP TABLE somebody")
    assert refused(run, data, kept) == "store-not-empty"
    back = tmp_path / "back"
    for target in (url, str(back)):
        killed(9, data, target, tmp_path / "said")
        assert refused(run, kept, target) == "store-not-empty"  # the copy of another folder
    with raises_code("store-unfinished"):
        await PostgresStore.open(url, tmp_path / "log")
    assert refused(run, url, tmp_path / "third") == "store-unfinished"
    await conn.execute("UPDATE log SET at_ms = at_ms + 1 WHERE seq = 1")
    assert refused(run, data, url) == "copy-differs"


async def test_places_in_use_are_refused(run: Run, data: Path, url: str, tmp_path: Path) -> None:
    back = tmp_path / "back"
    async with with_store(Folder(data).log):
        assert refused(run, data, back) == "store-in-use"
    assert refused(run, tmp_path / "nowhere", back) == "no-server-folder"
    assert refused(run, "mysql://host/name", back) == "store-unsupported"
    assert not back.exists()
    assert run("store", "copy", str(data), url).code == 0
    store = await PostgresStore.open(url, tmp_path / "log")
    assert refused(run, url, back) == "store-in-use"
    assert refused(run, data, url) == "store-in-use"
    await store.close()
    assert refused(run, data, url) == "store-not-empty"


def test_a_folder_is_copied_with_its_keys(run: Run, data: Path, tmp_path: Path) -> None:
    back = tmp_path / "back"
    for page in (9, 0, -1):
        killed(page, data, back, tmp_path / "said")
        with raises_code("store-unfinished"):
            SqliteStore.open(Folder(back).log)
    done = run("store", "copy", f"sqlite://{data}", str(back), "--json").json
    assert done["keys"] == []
    assert run("admin", "check", "--data", str(back)).code == 0
    assert not [*back.glob("copying-*"), *back.glob("log.lost")]
    assert erased_in(back / "log.sqlite") == erased_in(data / "log.sqlite")
    for name in ("admin.token", "heads.key", "push.key", "public-log.key"):
        assert (back / name).read_bytes() == (data / name).read_bytes()
    assert all(path.stat().st_mode & 0o077 == 0 for path in (back, *back.iterdir()))
