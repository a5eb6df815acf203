"""``okey101 profile``: what somebody's finished matches on a server say together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import msgspec

from okey101.cli.daily import token_in
from okey101.cli.output import FAILED, Output, ending, printable
from okey101.cli.review.command import number
from okey101.client import Client
from okey101.i18n import Texts
from okey101.review.balance import Spread
from okey101.server.protocol.views import Figure, Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileOptions:
    """What ``okey101 profile`` was asked: whose, by the name of an account; None for one's own."""

    url: str
    name: str | None
    token_file: str | None


def show_profile(output: Output, options: ProfileOptions) -> int:
    """Show a profile; Failure as the server refuses, ``no-profile`` among them."""
    with ending(output.texts, FAILED, {}):
        client = Client(options.url, token_in(options.token_file, output.texts))
        found = asyncio.run(_asked(client, options.name))
        return output.tell(msgspec.to_builtins(found), lambda: _lines(output, found))


async def _asked(client: Client, name: str | None) -> Profile:
    await client.check_version()
    return await client.profile(name)


def _lines(output: Output, found: Profile) -> Iterator[str]:
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
            yield f"  {number(texts, tenths, signed=True):>8}  {texts(f'review-term-{term}')}"
    if found.strength is not None and found.strength.points:
        last = found.strength.points[-1]
        own = Spread(last.mean, last.low, last.high)
        points, reach = number(texts, own.tenths, signed=True), number(texts, own.reach)
        yield output.strong(texts("profile-strength"))
        yield "  " + texts("strength-figure", deals=last.deals, points=points, reach=reach)
    if found.beside:
        yield output.strong(texts("profile-beside"))
    for other in found.beside:
        percent = texts("profile-percent", percent=other.percent)
        yield f"  {percent:>8}  {texts(f'profile-beside-{other.of}')} ({other.people})"


def _named(texts: Texts, one: Figure) -> str:
    if one.kind == "fine":
        return texts(f"fine-{one.of}")
    return texts(f"profile-{one.kind}-of", of=int(one.of) if one.kind == "place" else one.of)
