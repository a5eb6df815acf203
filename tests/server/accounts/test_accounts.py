"""Accounts: names, passwords, sessions and bots, and what the server's file keeps of people."""

import ast
import asyncio
import json
import operator
import shutil
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest
from argon2 import PasswordHasher
from sqlalchemy import inspect, select, text as sql
from sqlalchemy.orm import Session as Db
from structlog.testing import capture_logs

from conftest import Patch, Size, raises_code, unwrap
from okey101.review.puzzles import puzzle
from okey101.server.net.web_push import Device
from okey101.server.people import persons
from okey101.server.people.database import carrier_of
from okey101.server.people.day_tries import DayOfDeals
from okey101.server.people.models import Base, DayRow, EventRow, MatchSeat, SessionRow, UserRow
from okey101.server.people.owned_bots import MOST_AT_A_TABLE, MOST_OF_A_BOT
from okey101.server.people.passwords import (
    LONGEST,
    SHORTEST,
    Passwords,
    checked_password,
    new_password,
)
from okey101.server.people.persons import MOST_SESSIONS, add_event
from okey101.server.people.service import Accounts
from okey101.server.protocol.options import TableOptions, checked_options
from okey101.server.protocol.views import Called
from okey101.server.store.base import Conn
from okey101.server.store.erased import erased_in, erased_path, erasure_of, mend_erased, note_erased
from okey101.server.store.lost import findings_in
from okey101.server.store.scrubber import LogScan
from server.accounts.people import (
    DAY,
    PASSWORD,
    Clock,
    account,
    code_of,
    exported_of,
    save,
    with_accounts,
)
from server.store.memory import changed, with_store


async def test_a_session_knows_its_browser_and_ends_once(accounts: Accounts) -> None:
    _, token = await accounts.guest("Ayşe K", "tr", "Firefox\n" + "x" * 200)
    session = unwrap(await accounts.session(token))
    assert session.agent.startswith("Firefoxx")
    assert len(session.agent) == 80
    assert await accounts.session("\ud800") is None
    for _ in range(2):
        await accounts.logout(session)
        assert await accounts.session(token) is None


async def test_an_account_s_name_is_its_own(accounts: Accounts) -> None:
    await account(accounts, "Işıl")
    await account(accounts, "isil2")
    with raises_code("name-taken", details={"suggestion": "ISIL3"}):
        await accounts.guest("ISIL")
    user, _ = await accounts.guest("Other")
    assert await code_of(accounts.change(user.id, name="IŞIL")) == "name-taken"
    assert (await accounts.change(user.id, name="Ada")).name == "Ada"
    before = await accounts.user(user.id)
    for name, language, face, code in (
        ("Eda", "tr", 99, "bad-face"), ("Eda", "!!!", 9, "bad-language"),
        ("", "tr", 9, "name-empty"),
    ):  # fmt: skip
        changing = accounts.change(user.id, name=name, language=language, face=face)
        assert await code_of(changing) == code
        assert await accounts.user(user.id) == before, "all or nothing"
    await account(accounts, "Cem Er")
    await account(accounts, "Arno2")
    assert await code_of(accounts.guest("Cern Er")) == "name-taken"
    with raises_code("name-taken", details={"suggestion": "Amo2-2"}):
        await accounts.change(user.id, name="Amo2")
    mine, token = await account(accounts, "Deniz")
    assert await code_of(accounts.change(mine, name="İşıl")) == "name-taken"
    assert (await accounts.change(mine, name="DENİZ")).name == "DENİZ"
    assert unwrap(await accounts.session(token)).user.name == "DENİZ"


async def test_of_many_who_want_a_name_one_gets_it(accounts: Accounts) -> None:
    """As many as may wait at once; any more are told to come back, if the machine is slow."""
    tokens = [(await accounts.guest(f"Guest {n}"))[1] for n in range(16)]
    sessions = [await accounts.session(token) for token in tokens]
    calls = [
        code_of(accounts.upgrade(s, name, PASSWORD))
        for s, name in zip(sessions, ["Ali", "ALİ", "alı", "A1i"] * 4, strict=True)
        if s is not None
    ]
    assert sorted(await asyncio.gather(*calls)) == [""] + ["name-taken"] * 15


def test_passwords_that_everybody_tries() -> None:
    """The 3,000 commonest that are long enough, in any capitals; whoever has one still gets in."""
    listed = files("okey101.server.people").joinpath("common_passwords.txt").read_text("ascii")
    common = listed.partition("\n----\n")[2].splitlines()
    assert len(set(common)) == 3_000
    assert common[:2] == ["password", "12345678"]
    for password in common:
        assert SHORTEST <= len(password) <= LONGEST
        assert checked_password(password) == password
        with raises_code("password-common"):
            new_password(password.title())
    assert new_password("password of mine") == "password of mine"


async def test_an_unknown_name_takes_the_same_work(tmp_path: Path) -> None:
    """To hash a password costs what it costs to check it."""
    seen: list[str] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
            seen.append("verify")
            return super().verify(hash, password)

        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            seen.append("hash")
            return super().hash(password, salt=salt)

    async with with_accounts(tmp_path, Passwords(Counting(1, 8, 1))) as accounts:
        await account(accounts, "Ali")
        seen.clear()
        for name, password in (("Ali", "wrong horse"), ("Veli", "wrong horse"), ("Veli", "x")):
            with raises_code("bad-login", details={}):  # and what is wrong is not told
                await accounts.login(name, password)
        assert seen == ["verify", "hash", "hash"]


async def test_a_weak_hash_is_made_anew_at_login(tmp_path: Path) -> None:
    async with with_accounts(tmp_path) as accounts:
        await account(accounts, "Ali")
    async with with_accounts(tmp_path, Passwords(PasswordHasher(2, 8, 1))) as accounts:
        await accounts.login("Ali", PASSWORD)
        await accounts.login("Ali", PASSWORD)
    assert b"t=2,p=1" in (tmp_path / "log.sqlite").read_bytes()
    async with with_accounts(tmp_path) as accounts:
        await accounts.login("Ali", PASSWORD)


async def test_a_guest_s_games_come_along(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    friend, _ = await account(accounts, "Veli")
    guest, token = await accounts.guest("Guest")
    session = await accounts.session(token)
    await accounts.change(guest.id, face=9)
    first = await save(accounts, 1, MatchSeat(guest.id), MatchSeat(friend), at=1)
    await accounts.ties.shun(guest.id, friend, "mute")
    await accounts.ties.shun(friend, guest.id, "mute")
    await accounts.ties.shun(user, guest.id, "mute")
    await accounts.login("Ali", PASSWORD, guest=session)
    assert await accounts.session(token) is None
    late = await save(accounts, 2, MatchSeat(guest.id), MatchSeat(friend), at=2)
    assert [m.id for m in await accounts.matches(user)] == [late, first]
    assert await accounts.names([guest.id, friend, "u_?"]) == {
        guest.id: Called("Ali", 9), friend: Called("Veli"), "u_?": Called(),
    }  # fmt: skip
    assert (await accounts.ties.shunned(user)).muted == {friend}
    assert (await accounts.ties.shunned(friend)).muted == {user}
    again, _ = await accounts.login("Ali", PASSWORD, guest=session)
    assert again.id == user
    other, token = await accounts.guest("Guest 2")
    await accounts.change(other.id, face=10)
    kept, _ = await accounts.login("Ali", PASSWORD, guest=await accounts.session(token))
    assert kept.face == 9, "an account keeps the face that it has chosen"


async def test_a_guest_who_is_heard_by_nobody_is_not_as_an_account_either(
    accounts: Accounts, clock: Clock
) -> None:
    user, _ = await account(accounts, "Ali")
    for name, days, left in ("One", 2, 2), ("Two", 1, 2):
        guest, token = await accounts.guest(name)
        await accounts.silence(guest.id, clock.now + days * DAY)
        await accounts.login("Ali", PASSWORD, guest=await accounts.session(token))
        assert (await accounts.muted())[user] == clock.now + left * DAY
    with raises_code("muted"):
        await accounts.require_heard(user)


async def test_sessions_slide_end_and_are_bounded(accounts: Accounts, clock: Clock) -> None:
    _, token = await accounts.guest("Ali")
    for _ in range(3):
        clock.now += 179 * DAY
        assert await accounts.session(token)
    clock.now += 181 * DAY
    assert await accounts.session(token) is None
    user, first = await account(accounts, "Veli")
    await accounts.appoint(user, moderator := persons.new_token())
    tokens = [first]
    for _ in range(MOST_SESSIONS + 2):
        clock.now += 1
        tokens.append((await accounts.login("Veli", PASSWORD))[1])
    alive = [token for token in tokens if await accounts.session(token)]
    assert alive == tokens[1 - MOST_SESSIONS :]
    assert await accounts.session(moderator), "it waits in a file until it is needed"
    mine = unwrap(await accounts.session(tokens[-1]))
    listed = await accounts.sessions(user)
    assert len(listed) == MOST_SESSIONS
    assert listed[0].id == mine.id
    other, _ = await accounts.guest("Guest")
    assert await code_of(accounts.end_session(other.id, mine.id)) == "no-session"
    await accounts.end_session(user, listed[1].id)
    before = len(await accounts.sessions(user))
    await accounts.end_other_sessions(mine)
    assert before - len(await accounts.sessions(user)) == MOST_SESSIONS - 2
    assert [token for token in tokens if await accounts.session(token)] == [tokens[-1]]


async def test_being_here_is_noted_once_an_hour(accounts: Accounts, clock: Clock) -> None:
    user, token = await accounts.guest("Ali")
    start = clock.now
    for minutes, seen in ((59, start), (60, start + 3_600_000), (61, start + 3_600_000)):
        clock.now = start + minutes * 60_000
        assert await accounts.session(token)
        assert (await accounts.user(user.id)).seen_ms == seen


async def test_all_who_come_at_once_are_looked_up_at_once(
    accounts: Accounts, monkeypatch: Patch
) -> None:
    accounts._cache._sessions.clear()
    accounts._cache._most = 0  # as where other nodes end sessions too
    people = [await accounts.guest(f"Ali {number}") for number in range(9)]
    await accounts.ties.shun(people[0][0].id, people[1][0].id, "mute")
    ran: list[object] = []
    run = accounts._store.change

    async def counted(work: Any) -> Any:
        ran.append(work)
        return await run(work)

    monkeypatch.setattr(accounts._store, "change", counted)
    found = await asyncio.gather(accounts.session("none"), *(
        accounts.session(token) for _, token in people
    ))  # fmt: skip
    assert [None if one is None else one.user.id for one in found] == [
        None, *(user.id for user, _ in people)
    ]  # fmt: skip
    muted = await asyncio.gather(*(accounts.ties.shunned(user.id) for user, _ in people))
    assert [one.muted for one in muted] == [{people[1][0].id}, *[frozenset()] * 8]
    assert len(ran) == 2


async def test_a_new_password_ends_the_other_sessions(accounts: Accounts) -> None:
    _, first = await account(accounts, "Ali")
    _, second = await accounts.login("Ali", PASSWORD)
    session = unwrap(await accounts.session(second))
    for old, new, code in (
        ("wrong horse", "another horse", "wrong-password"),
        ("x", "another horse", "wrong-password"),
        (PASSWORD, "short", "password-too-short"), (PASSWORD, "x" * 129, "password-too-long"),
        (PASSWORD, "\ud800" * 9, "password-bad-character"),
        (PASSWORD, "iloveyou", "password-common"), (PASSWORD, "QWERTYUIOP", "password-common"),
    ):  # fmt: skip
        assert await code_of(accounts.change_password(session, old, new)) == code
    await accounts.change_password(session, PASSWORD, "ﬁne horses")
    assert await accounts.session(first) is None
    assert await accounts.session(second)
    assert await code_of(accounts.login("Ali", PASSWORD)) == "bad-login"
    await accounts.login("Ali", "fine horses")  # NFKC: typed differently, yet the same
    guest = unwrap(await accounts.session((await accounts.guest("Veli"))[1]))
    assert await code_of(accounts.change_password(guest, "", PASSWORD)) == "not-account"


async def test_a_code_stands_in_for_a_forgotten_password(accounts: Accounts, clock: Clock) -> None:
    user, token = await account(accounts, "Ali")
    code, until = await accounts.reset_password(user)
    assert until == clock.now + 7 * DAY
    assert await accounts.session(token) is None
    assert await code_of(accounts.login("Ali", PASSWORD)) == "bad-login"
    assert await code_of(accounts.login("Ali", code[:-1], fresh="new horses")) == "bad-login"
    assert await code_of(accounts.login("Ali", code)) == "new-password-needed"
    for fresh, refused in (("short", "password-too-short"), ("iloveyou", "password-common")):
        assert await code_of(accounts.login("Ali", code, fresh=fresh)) == refused
    written = code.upper().replace("-", " ").replace("0", "O").replace("1", "I")
    found, token = await accounts.login("Ali", written, fresh="new horses")
    assert (found.id, found.account) == (user, True)
    assert await accounts.session(token)
    assert await code_of(accounts.login("Ali", code, fresh="newer horses")) == "bad-login"
    await accounts.login("Ali", "new horses", fresh="not asked for")
    assert await code_of(accounts.login("Ali", "not asked for")) == "bad-login"
    code, until = await accounts.reset_password(user)
    clock.now = until
    assert await code_of(accounts.login("Ali", code, fresh="too late 1")) == "bad-login"
    # With a moderator's token one is here without a password, and may change the code for one.
    await accounts.appoint(user, token := persons.new_token())
    here = unwrap(await accounts.session(token))
    clock.now = until - 7 * DAY
    await accounts.change_password(here, code.replace("-", ""), "newest horses")
    clock.now = until
    await accounts.login("Ali", "newest horses")
    guest, _ = await accounts.guest("Veli")
    assert await code_of(accounts.reset_password(guest.id)) == "not-account"
    assert await code_of(accounts.reset_password("u_none")) == "no-user"


async def test_people_are_found_by_id_or_name(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ayşe Çelik")
    await accounts.bots.add(user, "Robot")
    for text in (user, "Ayşe Çelik", "  ayse celik"):
        found = await accounts.traces(text)
        assert (found.user.id, found.sessions, found.ties, found.matches) == (user, 1, 0, 0)
        assert found.bots == ["Robot"]
    with raises_code("no-user", details={"meant": "Ayşe Çelik"}):
        await accounts.traces("Ayşe Çelk")
    with raises_code("no-user", details={}):
        await accounts.traces("\ud800 nobody of that kind")
    twins = [(await accounts.guest("Veli"))[0].id for _ in range(2)]
    with raises_code("several-people") as refused:
        await accounts.traces("Veli")
    assert sorted(str(refused.value.details["ids"]).split(", ")) == sorted(twins)
    await accounts.delete(twins[0])
    assert (await accounts.traces("Veli")).user.id == twins[1]
    assert await code_of(accounts.traces(twins[0])) == "no-user"


async def test_tokens_and_passwords_are_nowhere_open(tmp_path: Path, accounts: Accounts) -> None:
    secrets: list[str] = [PASSWORD]
    secrets.append((await accounts.guest("Ali"))[1])
    secrets.append((await account(accounts, "Veli"))[1])
    secrets.append((await accounts.login("Veli", PASSWORD))[1])
    assert await code_of(accounts.login("hunter2 typed here", PASSWORD)) == "bad-login"
    files = [file.read_bytes() for file in tmp_path.iterdir()]
    assert b"Veli" in b"".join(files)
    for secret in (*secrets, "hunter2"):
        assert not any(secret.encode() in file for file in files)


async def test_a_caller_that_goes_away_leaves_no_ended_session_behind(accounts: Accounts) -> None:
    for _ in range(20):
        user, token = await accounts.guest("Ali")
        assert await accounts.session(token)
        call = asyncio.create_task(accounts.delete(user.id))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        deleted = (await accounts.user(user.id)).deleted
        assert (await accounts.session(token) is None) == deleted


async def test_after_closing_nothing_is_answered(tmp_path: Path) -> None:
    async with with_accounts(tmp_path) as accounts:
        await accounts.close()
        await accounts.close()
        assert await code_of(accounts.guest("Ali")) == "accounts-closed"


# Hashes and tokens -----------------------------------------------------------------------------


def test_tokens_can_not_be_guessed() -> None:
    """256 bits of a token, 128 of an id, and never the same twice."""
    tokens = {persons.new_token() for _ in range(200)}
    ids = {persons.new_id("u") for _ in range(200)}
    assert (len(tokens), len(ids)) == (200, 200)
    assert {len(token) for token in tokens} == {43}  # 256 bits in base64
    assert {len(name) for name in ids} == {28}  # 128 bits in base32
    source = ast.parse(Path(persons.__file__).read_text("utf-8"))
    made = {ast.unparse(node.func) for node in ast.walk(source) if isinstance(node, ast.Call)}
    assert {"secrets.token_bytes", "secrets.token_urlsafe"} <= made
    assert not any(name.startswith("random.") for name in made)


async def test_a_list_of_the_erased_that_is_damaged_is_made_whole(tmp_path: Path) -> None:
    async with with_accounts(tmp_path) as accounts:
        user, _ = await accounts.guest("Ali")
        await accounts.delete(user.id)
    kept = erased_in(tmp_path / "log.sqlite")
    assert kept == {erasure_of(user.id)}
    noted = erased_path(tmp_path / "log.sqlite")
    noted.write_text("\n0f")
    async with with_accounts(tmp_path):
        assert kept == erased_in(tmp_path / "log.sqlite")
    assert not findings_in(tmp_path / "log.sqlite"), "a power cut may tear a line"
    line = noted.read_text().split()[-1]
    noted.write_text(f"{'f' if line[0] == 'e' else 'e'}{line[1:]}\n")
    assert not erased_in(tmp_path / "log.sqlite")
    async with with_accounts(tmp_path):
        assert kept == erased_in(tmp_path / "log.sqlite")
    (found,) = findings_in(tmp_path / "log.sqlite")
    assert str(found).startswith("erasures-damaged: ")


async def test_no_backup_brings_the_guest_back_who_became_an_erased_account(
    tmp_path: Path,
) -> None:
    """Who became one that is there is not erased: a start notes neither of the two."""
    log = tmp_path / "log.sqlite"
    async with with_accounts(tmp_path) as accounts:
        user, _ = await account(accounts, "Ali")
        guest, token = await accounts.guest("Misafir")
        await accounts.login("Ali", PASSWORD, guest=await accounts.session(token))
    async with with_accounts(tmp_path) as accounts:
        assert not erased_in(log)
        await accounts.delete(user)
        assert {*map(erasure_of, (user, guest.id))} == erased_in(log)
    erased_path(log).unlink()
    async with with_accounts(tmp_path):
        assert {*map(erasure_of, (user, guest.id))} == erased_in(log)


def test_no_bit_of_the_list_of_the_erased_flips_in_silence(tmp_path: Path, size: Size) -> None:
    log = tmp_path / "log.sqlite"
    everybody = {erasure_of(user) for user in ("u_ali", "u_veli")}
    note_erased(log, everybody)
    sound = erased_path(log).read_bytes()
    for bit in range(0, 8 * len(sound), size(7, long=1)):
        changed = bytearray(sound)
        changed[bit // 8] ^= 1 << bit % 8
        erased_path(log).write_bytes(changed)
        told: list[int] = []
        mend_erased(log, lambda bit=bit, told=told: told.append(bit))  # type: ignore[misc]
        assert told or erased_in(log) == everybody, (bit, bytes(changed))


async def _bots(accounts: Accounts, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        owner, _ = await account(accounts, f"Owner {'abcdefghij'[len(found) // 10]}")
        for number in range(min(10, count - len(found))):
            found.append((await accounts.bots.add(owner, f"Robo {number}"))[0].id)
    return found


async def test_the_latest_of_a_bot_are_kept_and_a_table_has_so_many(accounts: Accounts) -> None:
    bots = await _bots(accounts, MOST_AT_A_TABLE + 1)
    bot = bots[0]
    for number in range(MOST_OF_A_BOT + 3):
        await accounts.invitations.add(bot, f"t_{number}", 1, number)
    await accounts.invitations.add(bot, "t_5", 2, 100)  # in place of the one before
    expected = ["t_5", *(f"t_{n}" for n in range(MOST_OF_A_BOT + 2, 2, -1) if n != 5)]
    found = await accounts.invitations.of(bot)
    assert [one.table_id for one in found] == expected
    assert found[0].seat == 2
    for number, bot in enumerate(bots[:-1]):
        await accounts.invitations.add(bot, "t", 1, number)
    late = accounts.invitations.add(bots[-1], "t", 1, 50)
    assert await code_of(late) == "too-many-invitations"
    await accounts.invitations.add(bots[0], "t", 2, 51)  # who is asked again takes no more room
    assert await accounts.invitations.withdraw(bots[1], "t")
    await accounts.invitations.add(bots[-1], "t", 1, 52)
    found = await accounts.invitations.at("t")
    assert [one.user_id for one in found] == [*bots[2:-1], bots[0], bots[-1]]


async def test_they_end_with_their_table_and_with_their_bot(accounts: Accounts) -> None:
    first, second = await _bots(accounts, 2)
    found = accounts.invitations
    for bot in (first, second):
        await found.add(bot, "t_1", 1, 1)
        await found.add(bot, "t_2", 1, 2)
    assert await found.refuse(first, "t_2")
    assert await found.refuse(first, "t_2")
    assert not await found.refuse(first, "t_3")
    await found.forget_tables(["t_1", "t_3"])
    assert await found.tables() == {"t_2"}
    await accounts.bots.remove(second)
    assert await code_of(found.add(second, "t_2", 1, 3)) == "no-user"
    (one,) = await found.at("t_2")
    assert (one.user_id, one.refused) == (first, 1)
    assert await found.of(first) == []


# What is kept of people -------------------------------------------------------------------------


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
    options = checked_options(TableOptions())
    for date, sender in ((DATE, None), (CHALLENGED, user)):
        await accounts.days.keep(
            [DayOfDeals(date, 5, 6, 7, 8, ("5e" * 32,), options, "a7" * 32, sender)]
        )
    await accounts.days.begin(DATE, user, table, 7, ranked=True)
    await accounts.days.finish(table, [1, -101, 0, 202], 7)


async def test_a_person_has_one_try_of_a_day(accounts: Accounts) -> None:
    user, _ = await account(accounts, "Ali")
    await tried(accounts, user)
    await accounts.days.begin(DATE, user, "t_other", 8, ranked=False)
    again = unwrap(await accounts.days.of([DATE], user))
    assert (again.id, again.ranked) == ("t_day", True)
    await accounts.days.finish("t_day", [0, 0, 0, 0], 9)  # nothing changes what was played
    other = DayOfDeals(DATE, 6, 7, 8, 9, ("a7" * 32,), checked_options(TableOptions()), "5e" * 32)
    (kept,) = await accounts.days.keep([other])
    assert (kept.secrets, kept.made_ms) == (("5e" * 32,), 5)
    await accounts.days.add_bots(DATE, [[1, 2, 3, 4], [5, 6, 7, 8]], 9)
    await accounts.days.add_bots(DATE, [[0, 0, 0, 0]], 9)
    found = await accounts.days.tries(DATE)
    assert [(one.bot, one.points) for one in found] == [
        (1, (1, 2, 3, 4)), (2, (5, 6, 7, 8)), (None, (1, -101, 0, 202))
    ]  # fmt: skip
    assert await accounts.days.finished([DATE], bots=True) == 2
    assert [one.bot for one in await accounts.days.tries(DATE, 8)] == [1, 2]
    assert await accounts.days.over(7) == []
    assert {*await accounts.days.over(8)} == {DATE, CHALLENGED}
    assert await accounts.days.closed([DATE]) == ()
    await accounts.days.close(DATE, {"t_day": 875})
    assert await accounts.days.over(8) == [CHALLENGED]
    assert await accounts.days.closed([DATE, "2026-11-30"]) == (DATE,)
    assert await accounts.days.scores(DATE) == [(user, 875)]
    assert await accounts.days.played(user) == {DATE}
    # A day that cannot be read is told by a code.
    for broken in ("secrets = '[\"'", "options = '{'"):
        statement = sql(f"UPDATE days SET {broken}")
        await accounts._run(partial(Db.execute, statement=statement))
        with raises_code("accounts-failed"):
            await accounts.days.day(DATE)
    with raises_code("accounts-failed"):
        await accounts._run(lambda _: b"\xa2".decode())


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
        own = await accounts.days.of([DATE], user)
        challenge = unwrap(await accounts.days.day(CHALLENGED))
        assert challenge.sender_id == first
        assert own is not None
        assert own.id == (f"t_{name}" if has_one else f"t_{name}_guest")
        nobodys = [one for one in await accounts.days.tries(DATE) if one.user is None]
        assert own.ranked
        assert [one.ranked for one in nobodys] == [False] * has_one


async def test_a_match_is_kept_once_without_names(accounts: Accounts) -> None:
    user, _ = await accounts.guest("Ayşe")
    key = await save(accounts, 1, MatchSeat(user.id), MatchSeat(bot="steady"), MatchSeat("u_?"))
    assert await save(accounts, 1, MatchSeat(bot="other")) == key
    match = await accounts.match(key)
    assert match.record()["players"] == ["Ayşe", "bot:steady", "-"]
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


async def test_a_family_that_ends_while_somebody_sits_down_is_not_there(accounts: Accounts) -> None:
    owner, friend = [(await account(accounts, name))[0] for name in ("Ali", "Veli")]
    families = accounts.families
    family = await families.family(await families.make(owner, "Aile", TableOptions()), friend)
    await families.remove(owner, family.link)
    assert await code_of(families.open(family.id, 1, "t_1")) == "no-family"
    await families.come(family.id, friend)
    assert await families.of(friend) == []


async def test_what_is_exported_covers_every_table_that_knows_people(
    accounts: Accounts, clock: Clock
) -> None:
    user, token = await account(accounts, "Ali")
    friend, _ = await account(accounts, "Veli")
    await accounts.ties.shun(user, friend, "mute")
    key = await save(accounts, 1, MatchSeat(friend), MatchSeat(user))
    await tried(accounts, user)
    await accounts.answer(user, puzzle(1), right=True)
    await accounts.families.make(user, "Aile", TableOptions())
    here = unwrap(await accounts.session(token))
    await accounts.families.keep_device(here, Device("https://x/y", "k", "s"), (22, 8), "UTC")
    data = await exported_of(accounts, user)
    assert set(data) == {table for table, _ in POINTS_AT_PEOPLE} | {"reports", "tables"}
    empty = {name for name, found in data.items() if not found}
    assert empty == {"invitations", "reports", "tables"}
    bot, _ = await accounts.bots.add(user, "Robo")
    await accounts.invitations.add(bot.id, "t_1", 2, 5)
    told = (await exported_of(accounts, bot.id))["invitations"]
    assert told == [{"table": "t_1", "seat": 2, "at": 5, "sent": False, "refused": False}]
    assert "argon2" not in str(data)
    assert token not in str(data)
    assert data["ties"] == [{"kind": "mute", "to": friend, "at_ms": clock.now}]
    record = (await accounts.match(key)).record()
    kept = data["match_seats"]
    told = {"deeds": [None], "found": [None], "near": [False]}
    assert kept == [{"id": key, "seats": [1], "record": record} | told]
    tries = {"date": DATE, "begun_ms": 7, "points": [1, -101, 0, 202], "score": None}
    assert data["day_tries"] == [tries]
    (answer,) = data["puzzle_answers"]
    assert (answer["at_ms"], answer["right"]) == (clock.now, True)
    assert answer["rating"][0] > 1500
    assert data["days"] == [{"name": CHALLENGED, "made_ms": 5}]
    assert await code_of(exported_of(accounts, "u_?")) == "no-user"


async def test_deleting_leaves_seats_and_nothing_else(accounts: Accounts) -> None:
    user, token = await account(accounts, "Unmistakable")
    friend, _ = await account(accounts, "Veli")
    assert await accounts.session(token)
    await accounts.ties.shun(user, friend, "mute")
    await accounts.ties.befriend(friend, user)
    key = await save(accounts, 1, MatchSeat(user), MatchSeat(friend))
    await tried(accounts, user)
    await accounts._run(lambda db: add_event(db, "admin", user, "conspicuous", 1))
    await accounts.ban(user, 1, "notorious")
    await accounts.change(user, face=17)
    bot, _ = await accounts.bots.add(user, "Mechanical")
    await accounts.invitations.add(bot.id, "t_1", 2, 5)
    await accounts.invitations.add(friend, "t_2", None, 5, user)
    await accounts.answer(user, puzzle(1), right=True)
    own = await accounts.families.make(user, "Peculiar", TableOptions())
    await accounts.families.open((await accounts.families.family(own, friend)).id, 1, "t_3")
    other = await accounts.families.make(friend, "Veliler", TableOptions())
    await accounts.families.come((await accounts.families.family(other, user)).id, user)
    here = unwrap(await accounts.session(token))
    await accounts.families.keep_device(here, Device("https://x/y", "k", "s"), (22, 8), "UTC")
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
    assert rows["invitations"] == rows["family_tables"] == []
    assert len(rows["families"]) == len(rows["family_regulars"]) == 1
    for word in ("Unmistakable", "Peculiar", "conspicuous", "notorious", "Mechanical"):
        assert word not in str(rows)
    await account(accounts, "Unmistakable")  # the name is free again


async def pruned(accounts: Accounts) -> list[int]:
    tables = SessionRow, EventRow, UserRow, DayRow

    def kept(db: Db) -> list[int]:
        return [db.query(table).count() for table in tables]

    before = await accounts._run(kept)
    await accounts.prune()
    after = await accounts._run(kept)
    return [*map(operator.sub, before, after)]


async def test_what_is_old_is_removed(accounts: Accounts, clock: Clock) -> None:
    idle, _ = await accounts.guest("Idle")
    player, _ = await accounts.guest("Player")
    owner, _ = await account(accounts, "Owner")
    await accounts.ties.shun(owner, idle.id, "mute")
    await accounts._run(lambda db: add_event(db, "admin", idle.id, "x", clock.now))
    await save(accounts, 1, MatchSeat(player.id))
    await accounts.bots.add(owner, "Robot")
    _, token = await accounts.guest("Guest")
    await accounts.login("Owner", PASSWORD, guest=(await accounts.session(token)))
    assert await pruned(accounts) == [0, 0, 0, 0]
    clock.now += 100 * DAY
    assert await pruned(accounts) == [0, 4, 0, 0]
    clock.now += 81 * DAY
    await accounts.guest("Fresh")
    assert await pruned(accounts) == [5, 0, 2, 0]  # the idle guest, and the one that was merged
    names = {"Player", "Owner", "Robot (bot, Owner)", "Fresh"}
    assert {u.name for u in await accounts.users()} == names
    assert await code_of(accounts.user(idle.id)) == "no-user"
    assert (await accounts.ties.shunned(owner)).muted == frozenset()


async def test_a_challenge_goes_30_days_after_its_close(accounts: Accounts, clock: Clock) -> None:
    """With its tries; a day stays."""
    clock.now = 8 + 30 * DAY
    user, _ = await account(accounts, "Ali")
    await tried(accounts, user)
    await accounts.days.begin(CHALLENGED, user, "t_challenge", 7, ranked=True)
    await accounts.days.close(CHALLENGED, {})
    assert await pruned(accounts) == [0, 0, 0, 0]
    clock.now += 1
    assert await pruned(accounts) == [0, 0, 0, 1]
    assert await accounts.days.day(CHALLENGED) is None
    assert await accounts.days.of([CHALLENGED], user) is None
    assert await accounts.days.of([DATE], user) is not None


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
    await accounts.ban(user, 2**50, "cheating")
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


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE users SET banned_until = NULL",
        "UPDATE matches SET totals = '[9,9,9,9]'",
        "UPDATE match_seats SET sealed = NULL",
        "INSERT INTO ties (user_id, other_id, kind, at_ms) SELECT id, id, 'mute', 0 FROM users",
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


async def test_a_file_of_a_build_between_two_releases_is_refused(tmp_path: Path) -> None:
    async with with_accounts(tmp_path):
        pass
    changed(tmp_path / "log.sqlite", "ALTER TABLE match_seats RENAME COLUMN found TO lost")
    with raises_code("store-other-build", match="match_seats of the people lacks found"):
        async with with_accounts(tmp_path):
            pass
    changed(tmp_path / "log.sqlite", "ALTER TABLE match_seats RENAME COLUMN lost TO found")
    async with with_accounts(tmp_path):
        pass
