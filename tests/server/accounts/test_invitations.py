"""Seats that are offered to bots: bounded, durable, and gone with their tables."""

from __future__ import annotations

from okey101.server.people import Accounts
from okey101.server.people.invitations import MOST_AT_A_TABLE, MOST_OF_A_BOT
from server.accounts.people import account, code_of


async def _bots(accounts: Accounts, count: int) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        owner, _ = await account(accounts, f"Owner {'abcdefghij'[len(found) // 10]}")
        for number in range(min(10, count - len(found))):
            found.append((await accounts.bots.add(owner, f"Robo {number}"))[0].id)
    return found


async def _reread(accounts: Accounts) -> None:
    """Forget what is in memory, and know again what the file has."""
    accounts.invitations = type(accounts.invitations)(accounts._run)
    await accounts.invitations.load()


async def test_the_latest_of_a_bot_are_kept(accounts: Accounts) -> None:
    (bot,) = await _bots(accounts, 1)
    for number in range(MOST_OF_A_BOT + 3):
        await accounts.invitations.add(bot, f"t_{number}", 1, number)
    await accounts.invitations.add(bot, "t_5", 2, 100)  # in place of the one before
    expected = ["t_5", *(f"t_{n}" for n in range(MOST_OF_A_BOT + 2, 2, -1) if n != 5)]
    for _ in range(2):
        found = accounts.invitations.of(bot)
        assert [one.table for one in found] == expected
        assert found[0].seat == 2
        assert accounts.invitations.to(bot, "t_0") is None
        await _reread(accounts)


async def test_a_table_has_so_many(accounts: Accounts) -> None:
    bots = await _bots(accounts, MOST_AT_A_TABLE + 1)
    for number, bot in enumerate(bots[:-1]):
        await accounts.invitations.add(bot, "t", 1, number)
    late = accounts.invitations.add(bots[-1], "t", 1, 50)
    assert await code_of(late) == "too-many-invitations"
    await accounts.invitations.add(bots[0], "t", 2, 51)  # who is asked again takes no more room
    assert await accounts.invitations.withdraw(bots[1], "t")
    await accounts.invitations.add(bots[-1], "t", 1, 52)
    await _reread(accounts)
    assert [one.bot for one in accounts.invitations.at("t")] == [*bots[2:-1], bots[0], bots[-1]]


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
    assert found.tables == {"t_2"}
    await accounts.bots.remove(second)
    found.forget_bot(second)
    assert await code_of(found.add(second, "t_2", 1, 3)) == "no-user"
    for _ in range(2):
        (one,) = accounts.invitations.at("t_2")
        assert (one.bot, one.refused) == (first, True)
        assert accounts.invitations.of(first) == []
        await _reread(accounts)
