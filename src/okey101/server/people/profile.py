"""Profil: what a person's finished matches and their reviews say together.

Each seat keeps with its match what it did in each deal, and what a review found of it: to play
thousands of deals again whenever somebody asks would be too dear. All else follows from that.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import or_, select, true
from sqlalchemy.orm import Session as Db, aliased

from okey101.game import Deal, RuleSet
from okey101.game.actions import Discard
from okey101.game.deal_parts import Opened
from okey101.game.record.form import PERSON
from okey101.review.balance import TERMS, name_of
from okey101.review.matches import MatchReview
from okey101.review.strength import LEAST_DEALS, REFERENCE, strength_of
from okey101.server.errors import refuse
from okey101.server.people.database import InStore, Run, in_transaction
from okey101.server.people.models import MatchRow, SeatRow, TieRow, UserRow
from okey101.server.people.names import name_key
from okey101.server.protocol.views import (
    DealAt,
    Figure,
    FigureKind,
    Ledger,
    LuckOfDeal,
    Profile,
    StrengthCurve,
    StrengthPoint,
)

_MOST_DEALS: Final = 20
"""So many of a figure's deals are named, the latest."""
_MOST_POINTS: Final = 40
_Counted: TypeAlias = tuple[FigureKind, str]


class Opening(NamedTuple):
    """How a seat opened, or ``none``, in which of its turns, and with how many points or pairs."""

    how: str
    turn: int
    worth: int


_UNOPENED: Final = Opening("none", 0, 0)


class Deed(Struct, frozen=True, array_like=True):
    """What a seat did in a deal: the doublings of its finish, None without one, its opening, and
    the rules of its fines.
    """

    finish: tuple[str, ...] | None
    opening: Opening
    fines: tuple[str, ...]


class Deeds(Struct, frozen=True, array_like=True):
    """What a seat did in a match, whose ``rules`` are those of the pars of that name, if any."""

    rules: str | None
    deals: tuple[Deed, ...]


class Weighed(Struct, frozen=True, array_like=True):
    """What a review found of a deal: its terms in tenths of a point, and its score.

    ``alone``: the person played all of it.
    """

    deal: int
    alone: bool
    terms: tuple[int, int, int, int, int, int]
    score: int


class Found(Struct, frozen=True, array_like=True):
    """What a review found of a seat, and against whose play."""

    policy: str
    deals: tuple[Weighed, ...]


_DEEDS: Final = msgspec.json.Decoder(Deeds)
_FOUND: Final = msgspec.json.Decoder(Found)


def deeds_of(rules: RuleSet, deals: Iterable[Deal]) -> list[str]:
    """What each seat did in the finished deals of a match, as it is kept."""
    by_deal = [_deeds(deal) for deal in deals]
    name = name_of(rules)
    seats = [Deeds(name, tuple(deal[seat] for deal in by_deal)) for seat in range(rules.players)]
    return [msgspec.json.encode(one).decode() for one in seats]


def _deeds(deal: Deal) -> list[Deed]:
    """Each seat's; the deal is played again, as only that shows what an opening was worth."""
    result = deal.result
    assert result is not None
    state = Deal.start(deal.rules, deal.layout)
    turns, openings = Counter[int](), dict[int, Opening]()
    for seat, action in deal.public.actions:
        after = state.apply(action, seat)
        kind = after.public.opened[seat]
        if kind is not None and state.public.opened[seat] is None:
            laid = after.public.table[len(state.public.table) :]
            worth = len(laid) if kind is Opened.PAIRS else sum(group.points for group in laid)
            openings[seat] = Opening(kind.value, turns[seat] + 1, worth)
        turns[seat] += isinstance(action, Discard)
        state = after
    return [
        Deed(
            result.sheet[seat].factors if seat == result.winner else None,
            openings.get(seat, _UNOPENED),
            tuple(fine.rule for fine in result.fines if fine.seat == seat),
        )
        for seat in range(deal.rules.players)
    ]


def found_of(review: MatchReview) -> dict[int, str]:
    """What a review found of each seat that it looked at, as it is kept."""
    by_seat: dict[int, list[Weighed]] = {}
    for deal in review.deals:
        balance = deal.balance
        alone = {decision.actor for decision in deal.decisions} == {PERSON}
        terms: Any = tuple(term.tenths for term in balance.terms)
        weighed = Weighed(deal.number, alone, terms, balance.score)
        by_seat.setdefault(deal.seat, []).append(weighed)
    return {
        seat: msgspec.json.encode(Found(review.policy, tuple(deals))).decode()
        for seat, deals in by_seat.items()
    }


class Sat(NamedTuple):
    """A seat of a finished match; without ``linked`` whoever asks isn't led to its deals."""

    match: str
    at_ms: int
    place: int
    deals: int
    deeds: str | None
    found: str | None
    linked: bool = True


def profile_of(seats: Sequence[Sat]) -> Profile:
    """What a person's seats, in the order of their matches, say together."""
    counts, deals = Counter[_Counted](), defaultdict[_Counted, list[DealAt]](list)
    best: dict[str, tuple[int, DealAt | None]] = {}
    weighed: list[tuple[Weighed, DealAt | None]] = []
    own: dict[str, list[tuple[int, DealAt | None]]] = {}

    def at(sat: Sat, deal: int) -> DealAt | None:
        return DealAt(sat.match, deal, sat.at_ms) if sat.linked else None

    def count(kind: FigureKind, of: object, where: DealAt | None) -> None:
        key = kind, str(of)
        counts[key] += 1
        if where is not None:
            deals[key].append(where)

    for sat in seats:
        count("place", sat.place, at(sat, 0))
        kept = None if sat.deeds is None else _DEEDS.decode(sat.deeds)
        for number, deed in enumerate(() if kept is None else kept.deals):
            where = at(sat, number)
            if deed.finish is not None:
                for factor in deed.finish or ("plain",):
                    count("finish", factor, where)
            how, turn, worth = deed.opening
            count("opening", how, where)
            if turn:
                count("turn", turn, where)
                if worth > best.get(how, (0, None))[0]:
                    best[how] = worth, where
            for rule in deed.fines:
                count("fine", rule, where)
        if sat.found is not None:
            found = _FOUND.decode(sat.found)
            weighed += [(one, at(sat, one.deal)) for one in found.deals]
            scale = None if kept is None else kept.rules
            if scale is not None and found.policy == REFERENCE.name:
                alone = [(one.terms[4], at(sat, one.deal)) for one in found.deals if one.alone]
                own.setdefault(scale, []).extend(alone)
    figures = [
        Figure(kind, of, number, deals[kind, of][: -_MOST_DEALS - 1 : -1])
        for (kind, of), number in sorted(counts.items(), key=_in_order)
    ]
    figures += [
        Figure("best", of, worth, [] if where is None else [where])
        for of, (worth, where) in sorted(best.items())
    ]
    return Profile(
        matches=len(seats),
        deals=sum(sat.deals for sat in seats),
        figures=figures,
        ledger=_ledger(weighed),
        strength=_curve(own),
    )


def _in_order(counted: tuple[_Counted, int]) -> tuple[str, int, str]:
    (kind, of), _ = counted
    return kind, int(of) if of.isdecimal() else 0, of


def _ledger(weighed: Sequence[tuple[Weighed, DealAt | None]]) -> Ledger | None:
    if not weighed:
        return None
    sums = map(sum, zip(*(one.terms for one, _ in weighed), strict=True))
    lucks = [LuckOfDeal(one.terms[1] + one.terms[2], where) for one, where in weighed]
    return Ledger(
        deals=len(weighed),
        terms=dict(zip(TERMS, sums, strict=True)),
        score=sum(one.score for one, _ in weighed),
        luckiest=min(lucks, key=lambda one: one.tenths),
        unluckiest=max(lucks, key=lambda one: one.tenths),
    )


def _curve(own: Mapping[str, Sequence[tuple[int, DealAt | None]]]) -> StrengthCurve | None:
    """Of the rules of which most was reviewed, as each has a scale of its own."""
    if not own:
        return None
    rules = max(own, key=lambda name: len(own[name]))
    played = own[rules]
    tenths = [one for one, _ in played]
    steps = max(1, -(-(len(played) - LEAST_DEALS + 1) // _MOST_POINTS))
    ends = range(len(played), LEAST_DEALS - 1, -steps)
    points = []
    for end in reversed(ends):
        now = strength_of(tenths[:end])
        points.append(StrengthPoint(end, now.mean, now.low, now.high, played[end - 1][1]))
    return StrengthCurve(rules, REFERENCE.mark, len(played), LEAST_DEALS, points)


class Profiles(InStore):
    """The profiles of a server's accounts; OkeyError as for :class:`Accounts`."""

    def __init__(self, run: Run, now_ms: Callable[[], int]) -> None:
        """``run`` does work in a transaction of the store."""
        self._run = run
        self._now = now_ms

    async def of(self, user: str, to: str | None) -> Profile:
        """An account's profile, as somebody may see it; ``to`` is None for nobody known."""
        seats = await self._seats(user, to)
        return await asyncio.to_thread(profile_of, seats)

    @in_transaction
    def named(self, db: Db, name: str, to: str | None) -> str:
        """The account of a name, whose profile somebody may see; OkeyError ``no-profile``."""
        query = select(UserRow.id).where(
            UserRow.name_key == name_key(name), UserRow.password_hash.is_not(None)
        )
        user = db.scalar(query)
        if user is None or user not in _open(db, [user], to):
            refuse("no-profile")
        return user

    @in_transaction
    def open_to(self, db: Db, users: Collection[str], to: str | None) -> set[str]:
        """Those of some people whose profile somebody may see."""
        return _open(db, users, to)

    @in_transaction
    def _seats(self, db: Db, user: str, to: str | None) -> list[Sat]:
        """A match that isn't shown yet is left out for others, who are led to none but their own,
        and those in which nobody else sat: what other people did is not this one's to show.
        """
        other = aliased(SeatRow)
        in_match = select(other.seat).where(other.match_id == SeatRow.match_id)
        linked = or_(
            in_match.where(other.user_id == (to or "")).exists(),
            ~in_match.where(other.user_id.is_not(None), other.user_id != user).exists(),
        )
        columns = SeatRow.match_id, SeatRow.finished_ms, MatchRow.places, SeatRow.seat
        query = (
            select(*columns, MatchRow.deals, SeatRow.deeds, SeatRow.found, linked)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(
                SeatRow.user_id == user, true() if user == to else MatchRow.shown_ms <= self._now()
            )
            .order_by(SeatRow.finished_ms, SeatRow.match_id, SeatRow.seat)
        )
        rows = {
            match: Sat(match, at_ms, json.loads(places)[seat], deals, deeds, found, bool(led))
            for match, at_ms, places, seat, deals, deeds, found, led in db.execute(query)
        }
        return [*rows.values()]  # who had two seats had the last


def _open(db: Db, users: Collection[str], to: str | None) -> set[str]:
    shunning = select(TieRow.user_id).where(TieRow.other_id == (to or ""), TieRow.kind != "friend")
    query = select(UserRow.id).where(
        UserRow.id.in_(users),
        UserRow.password_hash.is_not(None),
        or_(UserRow.public == 1, UserRow.id == to),
        or_(UserRow.id == to, UserRow.id.not_in(shunning)),
    )
    return {*db.scalars(query)}
