"""Names are looked up for many askers at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from okey101.server.people.name_lookups import NameLookups


async def test_who_asks_while_a_question_is_under_way_shares_the_next() -> None:
    asked: list[set[str]] = []

    async def ask(people: Iterable[str]) -> dict[str, str | None]:
        asked.append(set(people))
        await asyncio.sleep(0)
        return {user: user.upper() for user in asked[-1]}

    lookups = NameLookups(ask)
    lookups["a"] = "A"
    await lookups.learn(["a"])
    assert not asked
    gone = asyncio.create_task(lookups.learn(["h"]))
    await asyncio.gather(*(lookups.learn([user, "a"]) for user in "bcd"))
    gone.cancel()
    await asyncio.gather(lookups.learn("e"), lookups.learn("fg"))
    assert asked == [{"h", "b", "c", "d"}, {"e", "f", "g"}]
    assert lookups == {user: user.upper() for user in "abcdefgh"}


async def test_a_question_that_fails_fails_for_all_who_asked_and_is_asked_again() -> None:
    failing = [True]

    async def ask(people: Iterable[str]) -> dict[str, str | None]:
        if failing.pop():
            raise OSError("not now")
        return dict.fromkeys(people)

    failing.insert(0, False)
    lookups = NameLookups(ask)
    found = await asyncio.gather(*map(lookups.learn, "ab"), return_exceptions=True)
    assert [type(one) for one in found] == [OSError, OSError]
    assert not lookups
    await lookups.learn("a")
    assert lookups == {"a": None}
