"""``okey101 profile``, ``friends``, ``families`` and ``ladder``: people on a server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from itertools import groupby
from typing import Any, Final, TypeVar

import msgspec

from okey101.cli.daily import ENDS, answered, client_of
from okey101.cli.output import Exit, Output, ending, printable
from okey101.cli.review.command import number, spread
from okey101.client import Client
from okey101.errors import nearest
from okey101.i18n import Texts
from okey101.review.balance import Spread
from okey101.server.errors import refuse
from okey101.server.protocol import views

T = TypeVar("T")
GROUPS: Final = ("asks", "friends", "asked", "met", "blocked")
"""The people around somebody, in the order in which they are shown."""


def show_profile(output: Output, name: str | None, **of: Any) -> int:
    """Show one's own profile, or that of an account by its name.

    ``of`` is which server is asked and by whom, here and below: ``url`` and ``token_file``. Failure
    as the server refuses, ``no-profile`` among them.
    """
    return _tell(output, lambda client: client.profile(name), _profile, **of)


def show_friends(output: Output, url: str, token_file: str | None, **named: str | None) -> int:
    """Show the people around oneself, after what is asked for was done.

    ``ask``, ``part``, ``block`` and ``unblock`` name somebody each. Failure as the server refuses,
    ``no-user`` and ``several-people`` among them.
    """

    async def changed(client: Client) -> views.Friends:
        if (new := named["ask"]) is not None:
            await client.befriend(name=new)
        around = await client.friends()
        changes = {"part": client.part, "block": client.block, "unblock": client.unblock}
        for what, change in changes.items():
            if (name := named[what]) is not None:
                await change(_id_of(name, around))
                around = await client.friends()
        return around

    return _tell(output, changed, _friends, url=url, token_file=token_file)


def show_families(output: Output, name: str | None, **of: Any) -> int:
    """Show one's family tables, or the one of a link; Failure as the server refuses."""
    if name is None:
        return _tell(output, lambda client: client.families(), _families, "families", **of)
    last = name.rstrip("/").rpartition("/")[2]
    return _tell(output, lambda client: client.family(last), _family, **of)


def show_ladder(output: Output, name: str | None, **of: Any) -> int:
    """Show the ladder of a season, today's unless one is named.

    Failure as the server refuses, ``no-season`` among them.
    """
    return _tell(output, lambda client: client.ladder(name), _ladder, **of)


def _tell(
    output: Output, ask: Callable[[Client], Awaitable[T]],
    lines: Callable[[Output, T], Iterator[str]], named: str = "",
    *, url: str, token_file: str | None,
) -> int:  # fmt: skip
    with ending(output.texts, Exit.FAILED, ENDS):
        client = client_of(url, token_file, output.texts)
        found = asyncio.run(answered(client, ask))
        told: Any = msgspec.to_builtins(found)
        return output.tell({named: told} if named else told, lambda: lines(output, found))


def _id_of(name: str, around: views.Friends) -> str:
    """The id of one of the people around oneself, by name or id."""
    people: list[views.Person] = [one for group in GROUPS for one in getattr(around, group)]
    found = {one.user for one in people if name in (one.user, one.name)}
    if len(found) > 1:
        refuse("several-people", ids=", ".join(sorted(found)))
    if not found:
        others = {(one.name or "").lower(): one.name for one in people}
        meant = others.get(nearest(name, others))
        refuse("no-user", **({"meant": meant} if meant else {}))
    return found.pop()


def _friends(output: Output, found: views.Friends) -> Iterator[str]:
    texts = output.texts
    for group in GROUPS:
        people: list[views.Person] = getattr(found, group)
        if people:
            yield output.strong(texts(f"friends-{group}"))
        for one in people:
            here = f", {texts('friends-here')}" if one.here else ""
            yield f"  {printable(one.name or '-')}{here}  ({printable(one.user)})"
    if not any(getattr(found, group) for group in GROUPS):
        yield texts("friends-none")


def _families(output: Output, found: list[views.FamilyLine]) -> Iterator[str]:
    texts = output.texts
    yield output.strong(texts("family-mine"))
    for one in found:
        yield f"  {printable(one.link)}  {printable(one.name)}"
    if not found:
        yield texts("family-none")


def _family(output: Output, found: views.FamilyAnswer) -> Iterator[str]:
    texts = output.texts
    yield output.strong(printable(found.name))
    names = ", ".join(printable(name or "-") for name in found.sits)
    yield texts("family-sits", names=names) if names else texts("family-empty")
    yield output.strong(texts("family-regulars"))
    for one in found.regulars:
        yield f"  {printable(one.name or '-')}"
    for over in ("week", "year"):
        lines = found.week if over == "week" else found.year
        yield output.strong(texts(f"family-{over}"))
        if not lines:
            yield texts("family-no-matches")
            continue
        head = (f"family-{one}" for one in ("matches", "won", "points", "who"))
        yield _row(" ", *map(texts, head))
        for line in lines:
            own = "*" if line.own else " "
            yield _row(own, line.matches, line.won, line.points, line.name)


def _ladder(output: Output, found: views.Ladder) -> Iterator[str]:
    texts = output.texts
    yield output.strong(printable(f"{texts('page-ladder')} {found.season}"))
    if not found.lines:
        yield texts("ladder-none")
        return
    head = (f"ladder-head-{one}" for one in ("points", "matches", "won", "rank"))
    yield _row("     ", *map(texts, head), texts("family-who"))
    lines: list[views.LadderLine] = [*found.lines]
    if found.own is not None and not any(one.own for one in lines):
        lines.append(found.own)
    for one in lines:
        place = f"{'*' if one.own else ' '}{one.place:>4}"
        rank = texts("ladder-rank", rank=one.rank)
        yield _row(place, one.points, one.matches, one.won, rank, one.name)


def _row(first: str, *columns: object) -> str:
    *numbers, name = columns
    return f"{first}{''.join(f'{one!s:>13}' for one in numbers)}   {printable(str(name or '-'))}"


def _profile(output: Output, found: views.Profile) -> Iterator[str]:
    texts = output.texts
    yield output.strong(printable(found.name or "-"))
    yield texts("profile-played", matches=found.matches, deals=found.deals)
    for kind, figures in groupby(found.figures, key=lambda one: one.kind):
        yield output.strong(texts(f"profile-{kind}"))
        for one in figures:
            yield f"  {one.count:>8}  {_named(texts, one)}"
    if found.ledger is not None:
        terms = found.ledger.terms | {"score": 10 * found.ledger.score}
        yield output.strong(texts("profile-ledger"))
        yield texts("profile-ledger-how", deals=found.ledger.deals)
        for term, tenths in terms.items():
            yield f"  {number(texts, tenths, signed=True):>8}  {_word(texts, 'review-term', term)}"
    if found.strength is not None and found.strength.points:
        last = found.strength.points[-1]
        told = spread(texts, Spread(last.mean, last.low, last.high), signed=True)
        yield output.strong(texts("profile-strength"))
        yield "  " + texts("strength-figure", deals=last.deals, **told)
        if found.strength.like:
            yield "  " + texts("strength-like", bot=printable(found.strength.like))
    if found.own and found.waiting:
        yield texts("profile-waiting", deals=found.waiting)
    if found.beside:
        yield output.strong(texts("profile-beside"))
    for other in found.beside:
        percent = texts("profile-percent", percent=other.percent)
        yield f"  {percent:>8}  {texts(f'profile-beside-{other.of}')} ({other.people})"


def _named(texts: Texts, one: views.Figure) -> str:
    of = printable(one.of)
    if one.kind == "fine":
        return _word(texts, "fine", of)
    return texts(f"profile-{one.kind}-of", of=int(of) if of in set("1234") else of)


def _word(texts: Texts, of: str, name: str) -> str:
    """What a name means; a newer server's is shown as it is."""
    key = f"{of}-{name}"
    return texts(key) if texts.has(key) else printable(name)
