"""People and matches in the server's file: kept once, sealed, exported, deleted."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import inspect, select, update
from structlog.testing import capture_logs

from conftest import raises_code, unwrap
from okey101.server.people.database import carrier_of
from okey101.server.people.day_tries import DayOfDeals
from okey101.server.people.models import Base, DayRow, MatchSeat, UserRow
from okey101.server.people.service import Accounts
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.protocol.views import Called
from okey101.server.store.base import Conn
from okey101.server.store.scrubber import LogScan
from server.accounts.people import DAY, PASSWORD, Clock, account, code_of, save, with_accounts
from server.store.memory import changed, with_store

POINTS_AT_PEOPLE = {
    (table.name, column.name)
    for table in Base.metadata.tables.values()
    for column in table.columns
    for key in column.foreign_keys
    if key.column is UserRow.__table__.c.id
}


DATE = "2026-11-26"
CHALLENGED = "0123456789abcdef"


async def tried(accounts: Accounts, user: str, table: str = "t_day") -> None:
    """A person's finished try of a day."""
    options = checked_options(TableOptions())
    for date, sender in ((DATE, None), (CHALLENGED, user)):
        await accounts.days.keep(
            DayOfDeals(date, 5, 6, 7, 8, ("5e" * 32,), options, "a7" * 32, sender)
        )
    await accounts.days.begin(DATE, user, table, 7, ranked=True)
    await accounts.days.finish(table, [1, -101, 0, 202], 7)


async def test_a_day_that_cannot_be_read_is_told_by_a_code(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    await tried(accounts, user)
    await accounts._run(lambda db: db.execute(update(DayRow).values(options="{")))
    with raises_code("accounts-failed"):
        await accounts.days.day(DATE)


async def test_a_person_has_one_try_of_a_day(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    await tried(accounts, user)
    again = await accounts.days.begin(DATE, user, "t_other", 8, ranked=False)
    assert (again.id, again.ranked) == ("t_day", True)
    await accounts.days.finish("t_day", [0, 0, 0, 0], 9)  # nothing changes what was played
    other = DayOfDeals(DATE, 6, 7, 8, 9, ("a7" * 32,), checked_options(TableOptions()), "5e" * 32)
    kept = await accounts.days.keep(other)
    assert (kept.secrets, kept.made_ms) == (("5e" * 32,), 5)
    await accounts.days.add_bots(DATE, [[1, 2, 3, 4], [5, 6, 7, 8]], 9)
    await accounts.days.add_bots(DATE, [[0, 0, 0, 0]], 9)
    found = await accounts.days.tries(DATE)
    assert [(one.bot, one.points) for one in found] == [
        (1, (1, 2, 3, 4)), (2, (5, 6, 7, 8)), (None, (1, -101, 0, 202))
    ]  # fmt: skip
    assert await accounts.days.finished(DATE, bots=True) == 2
    assert [one.bot for one in await accounts.days.tries(DATE, 8)] == [1, 2]
    assert await accounts.days.over(7) == []
    assert {*await accounts.days.over(8)} == {DATE, CHALLENGED}
    assert await accounts.days.closed([DATE]) == ()
    await accounts.days.close(DATE, {"t_day": 875})
    assert await accounts.days.over(8) == [CHALLENGED]
    assert await accounts.days.closed([DATE, "2026-11-30"]) == (DATE,)
    assert await accounts.days.scores(DATE) == [(user, 875)]
    assert await accounts.days.played(user) == {DATE}


async def test_a_guests_try_becomes_the_accounts_unless_it_has_one(accounts: Accounts) -> None:
    first = ""
    for name, has_one in (("Ali", False), ("Veli", True)):
        user, _ = await account(accounts, name)
        first = first or user
        guest, token = await accounts.guest("Misafir")
        if has_one:
            await tried(accounts, user, f"t_{name}")
        await tried(accounts, guest.id, f"t_{name}_guest")
        await accounts.login(name, PASSWORD, guest=await accounts.session(token))
        own = await accounts.days.of(DATE, user)
        challenge = unwrap(await accounts.days.day(CHALLENGED))
        assert challenge.sender == first
        assert own is not None
        assert own.id == (f"t_{name}" if has_one else f"t_{name}_guest")
        nobodys = [one for one in await accounts.days.tries(DATE) if one.user is None]
        assert own.ranked
        assert [one.ranked for one in nobodys] == [False] * has_one


async def test_a_match_is_kept_once_without_names(accounts: Accounts) -> None:
    user, _ = await accounts.guest("Ayşe")
    key = await save(accounts, 1, MatchSeat(user.id), MatchSeat(bot="steady"), MatchSeat("u_?"))
    assert await save(accounts, 1, MatchSeat(bot="other")) == key
    match = await accounts.match(key, nobody="silinmiş")
    assert match.record()["players"] == ["Ayşe", "bot:steady", "silinmiş"]
    assert list(match.record()) == ["format", "players", "deals"]
    assert (match.summary.totals, match.summary.places) == ((0, 1, 2), (1, 2, 3))
    await accounts.change(user.id, name="Fatma")
    assert (await accounts.match(key)).record()["players"] == ["Fatma", "bot:steady", "-"]
    await accounts.delete(user.id)
    assert (await accounts.match(key)).record()["players"] == ["-", "bot:steady", "-"]
    assert await code_of(accounts.match("t_x-2")) == "no-match"


async def test_a_match_of_a_frozen_table_is_kept_again_with_more_deals(accounts: Accounts) -> None:
    user, _ = await accounts.guest("Ayşe")

    async def kept(deals: int) -> str:
        record = json.dumps({"format": "okey101/1", "deals": [{}] * deals}).encode()
        return await save(accounts, 1, MatchSeat(user.id), at=deals, deals=deals, record=record)

    key = await kept(2)
    assert await kept(1) == key
    assert (await accounts.match(key)).summary.deals == 2
    assert await kept(5) == key
    match = await accounts.match(key)
    assert (match.summary.deals, match.summary.finished_ms) == (5, 5)
    assert match.record()["deals"] == [{}] * 5
    assert [m.id for m in await accounts.matches(user.id)] == [key]


async def test_what_is_exported_covers_every_table_that_knows_people(accounts: Accounts) -> None:
    user, token = await account(accounts, "Ali")
    friend, _ = await account(accounts, "Veli")
    await accounts.set_settings(user, {"theme": "dark"})
    await accounts.mute(user, friend)
    key = await save(accounts, 1, MatchSeat(friend), MatchSeat(user))
    await tried(accounts, user)
    data = await accounts.export(user)
    assert set(data) == {table for table, _ in POINTS_AT_PEOPLE}
    assert {name for name, found in data.items() if not found} == {"invitations"}
    bot, _ = await accounts.bots.add(user, "Robo")
    await accounts.invitations.add(bot.id, "t_1", 2, 5)
    told = (await accounts.export(bot.id))["invitations"]
    assert told == [{"table": "t_1", "seat": 2, "at": 5, "refused": False}]
    text = msgspec.json.encode(data).decode()
    assert "argon2" not in text
    assert token not in text
    assert data["mutes"] == [friend]
    record = (await accounts.match(key)).record()
    kept = json.loads(text)["match_seats"]
    assert kept == [{"id": key, "seats": [1], "record": record}]
    tries = {"date": DATE, "begun_ms": 7, "points": [1, -101, 0, 202], "score": None}
    assert data["day_tries"] == [tries]
    assert data["days"] == [{"name": CHALLENGED, "made_ms": 5}]
    assert await code_of(accounts.export("u_?")) == "no-user"


async def test_deleting_leaves_seats_and_nothing_else(accounts: Accounts) -> None:
    user, token = await account(accounts, "Unmistakable")
    friend, _ = await account(accounts, "Veli")
    assert await accounts.session(token)
    await accounts.set_settings(user, {"theme": "peculiar"})
    await accounts.mute(user, friend)
    await accounts.mute(friend, user)
    key = await save(accounts, 1, MatchSeat(user), MatchSeat(friend))
    await tried(accounts, user)
    await accounts.record_security("admin", user, "conspicuous")
    await accounts.ban(user, 1, "notorious")
    await accounts.change(user, face=17)
    bot, _ = await accounts.bots.add(user, "Mechanical")
    await accounts.invitations.add(bot.id, "t_1", 2, 5)
    await accounts.delete(user)
    assert await accounts.session(token) is None
    assert await code_of(accounts.login("Unmistakable", PASSWORD)) == "bad-login"
    assert await code_of(accounts.delete(user)) == "no-user"
    gone = await accounts.user(user)
    assert (gone.deleted, gone.name, gone.account, gone.face) == (True, None, False, None)
    assert await accounts.names([user]) == {user: Called()}
    assert (await accounts.match(key)).summary.seats[0].user == user

    rows = await accounts._run(
        lambda db: {
            name: [dict(r) for r in db.execute(select(t)).mappings()]
            for name, t in Base.metadata.tables.items()
        }
    )

    def left(table: str, column: str) -> int:
        return sum(row[column] == user for row in rows[table])

    still = {place for place in POINTS_AT_PEOPLE if left(*place)}
    seats = {("match_seats", "user_id"), ("day_tries", "user_id"), ("days", "sender_id")}
    assert still == {*seats, ("events", "user_id")}
    assert rows["invitations"] == []
    for word in ("Unmistakable", "peculiar", "conspicuous", "notorious", "Mechanical"):
        assert word not in str(rows)
    await account(accounts, "Unmistakable")  # the name is free again


async def test_what_is_old_is_removed(accounts: Accounts, clock: Clock) -> None:
    idle, _ = await accounts.guest("Idle")
    player, _ = await accounts.guest("Player")
    owner, _ = await account(accounts, "Owner")
    await accounts.mute(owner, idle.id)
    await accounts.record_security("admin", idle.id, "x")
    await save(accounts, 1, MatchSeat(player.id))
    _, token = await accounts.guest("Guest")
    await accounts.login("Owner", PASSWORD, guest=(await accounts.session(token)))
    assert await accounts.prune() == (0, 0, 0, 0)
    clock.now += 100 * DAY
    assert await accounts.prune() == (0, 3, 0, 0)
    clock.now += 81 * DAY
    await accounts.guest("Fresh")
    assert await accounts.prune() == (4, 0, 2, 0)  # the idle guest, and the one that was merged
    assert {u.name for u in await accounts.users()} == {"Player", "Owner", "Fresh"}
    assert await code_of(accounts.user(idle.id)) == "no-user"
    assert await accounts.muted_by(owner) == frozenset()


async def test_a_challenge_goes_30_days_after_its_close(accounts: Accounts, clock: Clock) -> None:
    """With its tries; a day stays."""
    clock.now = 8 + 30 * DAY
    user, _ = await account(accounts, "Ali")
    await tried(accounts, user)
    await accounts.days.begin(CHALLENGED, user, "t_challenge", 7, ranked=True)
    await accounts.days.close(CHALLENGED, {})
    assert await accounts.prune() == (0, 0, 0, 0)
    clock.now += 1
    assert await accounts.prune() == (0, 0, 0, 1)
    assert await accounts.days.day(CHALLENGED) is None
    assert await accounts.days.of(CHALLENGED, user) is None
    assert await accounts.days.of(DATE, user) is not None


async def test_a_file_has_the_tables_of_the_models(tmp_path: Path) -> None:
    """And has them when it is opened again."""

    def tables(conn: Conn) -> set[str]:
        assert conn.execute("PRAGMA foreign_keys").fetchone() == (1,)
        return {*inspect(carrier_of(conn)).get_table_names()}

    for _ in range(2):
        async with with_accounts(tmp_path) as accounts:
            assert {*Base.metadata.tables} <= await accounts._store.change(tables)


async def test_a_full_disk_changes_nothing_and_passes(tmp_path: Path) -> None:
    with capture_logs() as told:
        clock = Clock()
        async with with_accounts(tmp_path, clock=clock) as accounts:
            _, token = await accounts.guest("Ali")

            async def pages(most: int) -> None:
                await accounts._run(
                    lambda db: db.connection().exec_driver_sql(f"PRAGMA max_page_count = {most}")
                )

            await pages(1)
            codes = [await code_of(accounts.guest(f"Guest {n}")) for n in range(200)]
            assert codes[-1] == "accounts-failed"
            sick = not accounts._store.healthy
            assert sick
            assert await accounts.users(limit=1)
            assert [line["event"] for line in told] == ["store-failing"]  # to be read is not enough
            clock.now += 3_600_000
            assert await accounts.session(token)
            await pages(100_000)
            assert len(await accounts.users(limit=500)) == 1 + codes.count("")
            assert await code_of(accounts.guest("Veli")) == ""
            assert accounts._store.healthy
    assert [line["event"] for line in told] == ["store-failing", "store-works-again"]
    assert {(line["file"], line["reason"]) for line in told} == {("log.sqlite", "SQLITE_FULL")}


# What vanishes or changes is told -------------------------------------------------------------


async def found_in(path: Path) -> tuple[list[str], list[str]]:
    """What a start tells of, and what a check does."""
    async with with_store(path) as store:
        return [one.why for one in store.findings], await store.check()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


async def banned(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    await accounts.ban(user, None, "cheating")
    await save(accounts, 1, MatchSeat(user))


@pytest.mark.parametrize("harm", ["zeros", "deleted", "yesterday"])
async def test_a_change_of_people_that_is_lost_is_told(
    data: Path, tmp_path: Path, harm: str
) -> None:
    """An account, a ban, a match: acknowledged, and gone with the end of the file."""
    killed = tmp_path / "killed"
    async with with_accounts(data) as accounts:
        old = (data / "log.sqlite").read_bytes()
        await banned(accounts)
        await accounts._store.change(lambda _: shutil.copytree(data, killed))
    path = killed / "log.sqlite"
    wal = killed / "log.sqlite-wal"
    if harm == "zeros":
        frames = bytearray(wal.read_bytes())
        at = next(at for at in range(len(frames) * 2 // 3, len(frames)) if frames[at])
        frames[at : at + 64] = bytes(64)
        wal.write_bytes(frames)
    else:
        wal.unlink()
        path.unlink()
        if harm == "yesterday":
            path.write_bytes(old)
    why, problems = await found_in(path)
    assert why == ["log-truncated"]
    assert any("log-truncated" in problem for problem in problems)


async def test_a_start_after_a_kill_tells_nothing(data: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    async with with_accounts(data) as accounts:
        await banned(accounts)
        await accounts._store.change(lambda _: shutil.copytree(data, killed))
    assert await found_in(killed / "log.sqlite") == ([], [])
    async with with_accounts(killed) as accounts:
        assert (await accounts.users("Ali"))[0].banned_until is not None


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE users SET banned_until = NULL",
        "UPDATE matches SET totals = '[9,9,9,9]'",
        "UPDATE match_seats SET sealed = NULL",
        "INSERT INTO mutes (user_id, muted_id) SELECT id, id FROM users",
    ],
)
async def test_a_row_that_is_not_what_was_written_is_found(tmp_path: Path, harm: str) -> None:
    """By whoever looks through the file while the server runs, and by a check."""
    path = tmp_path / "log.sqlite"
    async with with_accounts(tmp_path) as accounts:
        await banned(accounts)
        await accounts.change((await accounts.users("Ali"))[0].id, name="Veli")
    assert await found_in(path) == ([], [])
    assert changed(path, harm) > 0
    walk = LogScan()
    async with with_store(path) as store:
        while not walk.over:
            await store.look(walk)
    assert walk.damaged
    assert ["is not what was written" in problem for problem in walk.problems] == [True]
    assert (await found_in(path))[1] == walk.problems
