"""Who is told by push that somebody waits at a family table, and how often."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from conftest import Patch, unwrap
from okey101.server.people import persons
from okey101.server.people.families import TOLD_EVERY_MS, Family
from okey101.server.people.models import PushRow, RegularRow, Session
from okey101.server.people.service import Accounts
from okey101.server.protocol import TableOptions
from server.accounts.people import PASSWORD, Clock, account, code_of, exported_of
from server.push_service import Browser

AWAKE = (0, 0)


@dataclass
class House:
    """A family table with an owner, who sits there, and a regular who is told in one browser."""

    accounts: Accounts
    family: Family
    owner: str
    regular: str
    session: Session
    browser: Browser

    async def told(
        self, by: str = "", sits: tuple[str, ...] = (), family: Family | None = None
    ) -> int:
        """How many browsers are told that somebody waits."""
        by = by or self.owner
        found = await self.accounts.families.to_tell(family or self.family, by, [by, *sits])
        return len(found)


async def house(accounts: Accounts) -> House:
    owner, _ = await account(accounts, "Hatice")
    regular, token = await account(accounts, "Kerem")
    session = unwrap(await accounts.session(token))
    families = accounts.families
    link = await families.make(owner, "Aile", TableOptions())
    family = await families.family(link, owner)
    await families.come(family.id, regular)
    await families.tell(regular, link, told=True)
    browser = Browser("kerem")
    await families.keep_device(session, browser.device, AWAKE, "Europe/Istanbul")
    return House(accounts, family, owner, regular, session, browser)


async def kept(accounts: Accounts) -> int:
    return await accounts._run(lambda db: db.query(PushRow).count())


async def test_a_person_is_told_once_an_hour_at_whichever_table(
    accounts: Accounts, clock: Clock
) -> None:
    home, families = await house(accounts), accounts.families
    other, _ = await account(accounts, "Teyze")
    link = await families.make(other, "Öbürü", TableOptions())
    second = await families.family(link, other)
    await families.come(second.id, home.regular)
    assert await home.told(other, family=second) == 0  # not asked for at that table
    await families.tell(home.regular, link, told=True)
    ((device, _),) = await families.to_tell(home.family, home.owner, [home.owner])
    assert device == home.browser.device
    for _ in range(3):
        assert await home.told() == await home.told(other, family=second) == 0
        clock.now += TOLD_EVERY_MS // 3 - 1
    clock.now += 3
    assert await home.told(other, family=second) == 1
    assert await home.told() == 0


async def test_nobody_is_told_who_sits_there_or_has_not_asked(accounts: Accounts) -> None:
    home = await house(accounts)
    assert await home.told(sits=(home.regular,)) == 0
    assert await home.told(by=home.regular) == 0
    await accounts.families.tell(home.regular, home.family.link, told=False)
    assert await kept(accounts) == 0
    assert await home.told() == 0
    stranger, _ = await account(accounts, "Yabancı")
    told = accounts.families.tell(stranger, home.family.link, told=True)
    assert await code_of(told) == "no-family"


@pytest.mark.parametrize(
    ("who", "whom", "kind"),
    [
        ("regular", "guest", "block"), ("regular", "guest", "mute"), ("guest", "regular", "block"),
        ("owner", "regular", "block"),
    ],
)  # fmt: skip
async def test_a_block_holds_for_pushes_whichever_way(
    accounts: Accounts, who: str, whom: str, kind: str
) -> None:
    home = await house(accounts)
    guest, _ = await accounts.guest("Komşu")
    ids = {"regular": home.regular, "guest": guest.id, "owner": home.owner}
    await accounts.ties.shun(ids[who], ids[whom], kind)  # type: ignore[arg-type]
    assert await home.told(by=guest.id) == 0
    await accounts.ties.unshun(ids[who], ids[whom], kind)  # type: ignore[arg-type]
    # What is wanted of a friend, or not heard by who waits, keeps nobody from being told.
    await accounts.ties.befriend(home.regular, guest.id)
    await accounts.ties.shun(guest.id, home.regular, "mute")
    assert await home.told(by=guest.id) == 1


async def test_a_browser_has_quiet_hours_of_its_own_which_use_nothing_up(
    accounts: Accounts, clock: Clock
) -> None:
    clock.now = 1_795_726_800_000  # 27 November 2026, 00:00 in Istanbul and 21:00 in London
    home = await house(accounts)
    for quiet, zone, told in (
        ((22, 8), "Europe/Istanbul", 0), ((22, 8), "Europe/London", 1), ((21, 22), "?", 1),
        ((23, 1), "../etc", 0), ((23, 1), "Europe", 0),
    ):  # fmt: skip
        clock.now += 24 * TOLD_EVERY_MS
        await accounts.families.keep_device(home.session, home.browser.device, quiet, zone)
        assert await home.told() == told, zone
        assert (await accounts.families.told_here(home.session))[1:] == quiet
    second = unwrap(await accounts.session((await accounts.login("Kerem", PASSWORD))[1]))
    await accounts.families.keep_device(second, Browser("tel").device, AWAKE, "?")
    assert await home.told() == 1  # the other is quiet


async def test_a_browser_is_told_as_long_as_its_session_lasts(
    accounts: Accounts, clock: Clock, monkeypatch: Patch
) -> None:
    home, families = await house(accounts), accounts.families
    user, token = await accounts.login("Kerem", PASSWORD)
    second = unwrap(await accounts.session(token))
    # The same browser of a later session, or of somebody else, is one browser.
    await families.keep_device(second, home.browser.device, AWAKE, "?")
    assert (await families.told_here(home.session))[0] is None
    assert await kept(accounts) == 1
    await accounts.ban(user.id, clock.now + 5, "x")
    assert await home.told() == 0
    await accounts.ban(user.id, None)
    await accounts.logout(second)
    assert await home.told() == 0
    assert await kept(accounts) == 0
    monkeypatch.setattr(persons, "MOST_SESSIONS", 1)  # whoever signs in once more ends the oldest
    for how in ("one", "others", "pushed out", "expired"):
        await families.keep_device(home.session, home.browser.device, AWAKE, "?")
        assert await kept(accounts) == 1
        if how == "one":
            await accounts.end_session(user.id, home.session.id)
        elif how == "others":
            _, token = await accounts.login("Kerem", PASSWORD)
            await accounts.end_other_sessions(unwrap(await accounts.session(token)))
        elif how == "pushed out":
            await accounts.login("Kerem", PASSWORD)
        else:
            await accounts.prune()
        assert await kept(accounts) == 0, how
    _, token = await accounts.guest("Komşu")
    session = unwrap(await accounts.session(token))
    keeping = families.keep_device(session, Browser("a").device, AWAKE, "?")
    assert await code_of(keeping) == "not-account"


@pytest.mark.parametrize("way", ["part", "remove", "gone", "delete", "owner"])
async def test_a_browser_is_forgotten_with_its_last_table(accounts: Accounts, way: str) -> None:
    home, families = await house(accounts), accounts.families
    link = home.family.link
    ways: dict[str, Callable[[], Awaitable[object]]] = {
        "part": lambda: families.part(home.regular, link, home.regular),
        "remove": lambda: families.remove(home.owner, link),
        "gone": lambda: families.drop_device(home.browser.device.endpoint),
        "delete": lambda: accounts.delete(home.regular),
        "owner": lambda: accounts.delete(home.owner),
    }
    await ways[way]()
    assert await kept(accounts) == 0
    if way not in ("remove", "owner"):
        assert await home.told() == 0


async def test_a_browser_stays_while_another_table_wants_it(accounts: Accounts) -> None:
    home, families = await house(accounts), accounts.families
    link = await families.make(home.regular, "Kendi", TableOptions())
    await families.tell(home.regular, link, told=True)
    await families.part(home.regular, home.family.link, home.regular)
    await accounts.prune()
    assert await kept(accounts) == 1
    regulars = await accounts._run(lambda db: [row.told_ms for row in db.query(RegularRow)])
    assert sorted(regulars, key=str) == [0, None]


async def test_what_is_kept_for_pushes_is_exported_without_the_way_there(
    accounts: Accounts, clock: Clock
) -> None:
    home = await house(accounts)
    await home.told()
    data = await exported_of(accounts, home.regular)
    told = {"service": "push.example.com", "session": home.session.id, "made_ms": clock.now}
    hours = {"quiet_from": 0, "quiet_to": 0, "zone": "Europe/Istanbul"}
    assert data["push_devices"] == [told | hours]
    assert data["family_regulars"] == [
        {"name": "Aile", "since_ms": clock.now, "told_ms": clock.now}
    ]
    device = home.browser.device
    assert not any(word in str(data) for word in (home.browser.path, device.key, device.secret))
