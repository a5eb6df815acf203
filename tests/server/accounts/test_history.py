from __future__ import annotations

import json

import msgspec
from sqlalchemy import select

from okey101.game import PRESETS
from okey101.server.people import Accounts, MatchSeat
from okey101.server.people.models import Base, UserRow
from okey101.server.protocol.views import Called
from server.accounts.people import DAY, PASSWORD, Clock, account, code_of, save

POINTS_AT_PEOPLE = {
    (table.name, column.name)
    for table in Base.metadata.tables.values()
    for column in table.columns
    for key in column.foreign_keys
    if key.column is UserRow.__table__.c.id
}


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
        return await accounts.save_match(
            table_id="t_x", number=1, finished_ms=deals, rules=PRESETS["wiki"], deals=deals,
            seats=[MatchSeat(user.id)], totals=[deals], record=record,
        )  # fmt: skip

    key = await kept(2)
    assert await kept(1) == key
    assert (await accounts.match(key)).summary.deals == 2
    assert await kept(5) == key
    match = await accounts.match(key)
    assert (match.summary.deals, match.summary.totals) == (5, (5,))
    assert match.record()["deals"] == [{}] * 5
    assert [m.id for m in await accounts.matches(user.id)] == [key]


async def test_what_is_exported_covers_every_table_that_knows_people(accounts: Accounts) -> None:
    user, token = await account(accounts, "Ali")
    friend, _ = await account(accounts, "Veli")
    await accounts.set_settings(user, {"theme": "dark"})
    await accounts.mute(user, friend)
    key = await save(accounts, 1, MatchSeat(friend), MatchSeat(user))
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
    assert await code_of(accounts.export("u_?")) == "no-user"


async def test_deleting_leaves_seats_and_nothing_else(accounts: Accounts) -> None:
    user, token = await account(accounts, "Unmistakable")
    friend, _ = await account(accounts, "Veli")
    assert await accounts.session(token)
    await accounts.set_settings(user, {"theme": "peculiar"})
    await accounts.mute(user, friend)
    await accounts.mute(friend, user)
    key = await save(accounts, 1, MatchSeat(user), MatchSeat(friend))
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
    assert gone.deleted
    assert gone.name is None
    assert not gone.account
    assert gone.face is None
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
    assert still == {("match_seats", "user_id"), ("events", "user_id")}
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
    assert await accounts.prune() == (0, 0, 0)
    clock.now += 100 * DAY
    assert await accounts.prune() == (0, 3, 0)
    clock.now += 81 * DAY
    await accounts.guest("Fresh")
    assert await accounts.prune() == (4, 0, 2)  # the idle guest, and the one that was merged
    assert {u.name for u in await accounts.users()} == {"Player", "Owner", "Fresh"}
    assert await code_of(accounts.user(idle.id)) == "no-user"
    assert await accounts.muted_by(owner) == frozenset()
