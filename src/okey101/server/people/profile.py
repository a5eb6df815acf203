"""Profil: what a person's finished matches and their reviews say together.

Each seat keeps with its match what it did in each deal, and what a review found of it: to play
thousands of deals again whenever somebody asks would be too dear. All else follows from that.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct
from sqlalchemy import or_, select, true
from sqlalchemy.orm import Session as Db, aliased

from okey101.bots import BOTS
from okey101.game import Deal, RuleSet
from okey101.game.actions import Discard
from okey101.game.deal_parts import Opened
from okey101.game.record.form import PERSON
from okey101.review.balance import TERMS, name_of
from okey101.review.matches import MatchReview
from okey101.review.strength import LEAST_DEALS, REFERENCE, level_like, strength_of
from okey101.server.errors import refuse
from okey101.server.people.database import InStore, Run, in_transaction
from okey101.server.people.models import MatchRow, SeatRow, UserRow
from okey101.server.people.names import name_key
from okey101.server.people.persons import account_of_key
from okey101.server.people.ties import tied_to
from okey101.server.protocol.views import (
    Beside,
    BesideKind,
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
LEAST_PEOPLE: Final = 20
"""With fewer nobody is told a place beside the others."""
LEAST_TOLD: Final = 100
"""From so many deals on, who plays too well is told to administrators."""
_TOO_GOOD: Final = -2.0
"""And where the whole interval of the strength is below this.

Nobody comes so far by luck: of 200 simulated careers at the strength of ``master`` none does, and
half of those at that of ``champion``, which computes 400 worlds for each choice and is 8.7 ± 1.7
points a deal better (benchmarks/strength.md).
"""
_WEEK_FRESH_MS: Final = 60_000
_OTHERS_FRESH_MS: Final = 3_600_000
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
    """What a review found of a seat, and against whose play: a bot's name and version."""

    reference: str
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
    steps = zip(deal.public.actions, pairwise(deal.steps()), strict=True)
    turns, openings = Counter[int](), dict[int, Opening]()
    for (seat, action), (before, after) in steps:
        kind = after.public.opened[seat]
        if kind is not None and before.public.opened[seat] is None:
            laid = after.public.table[len(before.public.table) :]
            worth = len(laid) if kind is Opened.PAIRS else sum(group.points for group in laid)
            openings[seat] = Opening(kind.value, turns[seat] + 1, worth)
        turns[seat] += isinstance(action, Discard)
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
    reference = BOTS[review.policy].mark
    for deal in review.deals:
        balance = deal.balance
        alone = {decision.actor for decision in deal.decisions} == {PERSON}
        terms: Any = tuple(term.tenths for term in balance.terms)
        weighed = Weighed(deal.number, alone, terms, balance.score)
        by_seat.setdefault(deal.seat, []).append(weighed)
    return {
        seat: msgspec.json.encode(Found(reference, tuple(deals))).decode()
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


def profile_of(seats: Sequence[Sat], others: Iterable[Counter[str]] = ()) -> Profile:
    """What a person's seats, in the order of their matches, say together, and beside others."""
    happened = defaultdict[_Counted, list[DealAt | None]](list)
    best: dict[str, tuple[int, DealAt | None]] = {}
    weighed: list[tuple[Weighed, DealAt | None]] = []
    own: dict[str, list[tuple[int, DealAt | None]]] = {}
    waiting = 0

    def at(sat: Sat, deal: int) -> DealAt | None:
        return DealAt(sat.match, deal, sat.at_ms) if sat.linked else None

    def count(kind: FigureKind, of: object, where: DealAt | None) -> None:
        happened[kind, str(of)].append(where)

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
        elif kept is not None and kept.rules is not None:
            waiting += sat.deals
        scale, alone = _own_play(sat)
        own.setdefault(scale, []).extend((one.terms[4], at(sat, one.deal)) for one in alone)
    figures = [
        Figure(kind, of, len(each), [*filter(None, reversed(each))][:_MOST_DEALS])
        for (kind, of), each in sorted(happened.items(), key=_in_order)
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
        beside=beside(tally_of(seats), others),
        waiting=waiting,
    )


def _own_play(sat: Sat) -> tuple[str, list[Weighed]]:
    """The deals of a seat that count for a strength, and the rules whose scale that is."""
    kept = None if sat.deeds is None else _DEEDS.decode(sat.deeds)
    found = None if sat.found is None else _FOUND.decode(sat.found)
    if kept is None or kept.rules is None or found is None or found.reference != REFERENCE.mark:
        return "", []
    return kept.rules, [one for one in found.deals if one.alone]


def _in_order(happened: tuple[_Counted, object]) -> tuple[str, int, str]:
    (kind, of), _ = happened
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
    rules = max(own, key=lambda name: len(own[name]), default="")
    if not rules:
        return None
    played = own[rules]
    tenths = [one for one, _ in played]
    steps = max(1, -(-(len(played) - LEAST_DEALS + 1) // _MOST_POINTS))
    ends = range(len(played), LEAST_DEALS - 1, -steps)
    points, like = [], ""
    for end in reversed(ends):
        now = strength_of(tenths[:end])
        points.append(StrengthPoint(end, now.mean, now.low, now.high, played[end - 1][1]))
        like = level_like(now, rules)
    return StrengthCurve(rules, REFERENCE.mark, len(played), LEAST_DEALS, points, like)


def tally_of(seats: Iterable[Sat]) -> Counter[str]:
    """What somebody's seats count for a comparison with others."""
    found = Counter[str]()
    for sat in seats:
        found.update(matches=1, played=sat.deals, won=sat.place == 1)
        for deed in () if sat.deeds is None else _DEEDS.decode(sat.deeds).deals:
            opened, finished = deed.opening.turn > 0, deed.finish is not None
            found.update(deals=1, opened=opened, finished=finished, fines=len(deed.fines))
        kept = None if sat.found is None else _FOUND.decode(sat.found)
        if kept is not None and kept.reference == REFERENCE.mark:
            for one in kept.deals:
                found.update(weighed=1, skill=one.terms[4], luck=one.terms[1] + one.terms[2])
    return found


_BETTER: Final[Mapping[BesideKind, tuple[str, str, int]]] = {
    "won": ("won", "matches", 1),
    "opened": ("opened", "deals", 1),
    "finished": ("finished", "deals", 1),
    "fines": ("fines", "deals", -1),
    "skill": ("skill", "weighed", -1),
    "luck": ("luck", "weighed", -1),
}
"""What is counted, over what, and whether more of it is better."""


def beside(own: Counter[str], others: Iterable[Counter[str]]) -> list[Beside]:
    """How many of the others in per cent one is ahead of, equals counting half, where enough
    people have enough deals.
    """
    found, everybody = [], [*others]
    for of, (what, over, sign) in _BETTER.items():
        least = {"matches": "played"}.get(over, over)
        rates = [
            sign * one[what] / one[over]
            for one in (own, *everybody)
            if one[least] >= LEAST_DEALS and one[over]
        ]
        if own[least] >= LEAST_DEALS and len(rates) >= LEAST_PEOPLE:
            mine, *rest = rates
            ahead = sum((mine > rate) + (mine >= rate) for rate in rest)
            found.append(Beside(of, 100 * ahead // (2 * len(rest)), len(rates)))
    return found


class Luck(NamedTuple):
    """What the luck of somebody's reviewed deals comes to in tenths of a point."""

    user: str
    deals: int
    tenths: int


class Strong(Struct, frozen=True):
    """An account that plays better than the reference by more than people do: its strength in
    points a deal by some rules, less being better, with the 95 % interval.
    """

    user: str
    rules: str
    reference: str
    deals: int
    mean: float
    low: float
    high: float


def _too_good(own: Mapping[str, Mapping[str, Sequence[int]]]) -> list[Strong]:
    found = []
    for user, scales in own.items():
        for rules, tenths in scales.items():
            now = strength_of(tenths)
            if len(tenths) >= LEAST_TOLD and now.high < _TOO_GOOD:
                known = REFERENCE.mark, len(tenths), now.mean, now.low, now.high
                found.append(Strong(user, rules, *known))
    return found


class Profiles(InStore):
    """The profiles of a server's accounts; OkeyError as for :class:`Accounts`."""

    def __init__(self, run: Run, now_ms: Callable[[], int]) -> None:
        super().__init__(run, now_ms)
        self._comparing, self._summing = asyncio.Lock(), asyncio.Lock()
        self._others: tuple[int, dict[str, Counter[str]]] = -_OTHERS_FRESH_MS, {}
        self._week: tuple[int, int, list[Luck]] = 0, -_WEEK_FRESH_MS, []

    async def of(self, user: str, to: str | None) -> Profile:
        """An account's profile, as somebody may see it; ``to`` is None for nobody known."""
        seats = await self._seats(user, to)
        others = await self._everybody()
        rest = [tally for one, tally in others.items() if one != user]
        return await asyncio.to_thread(profile_of, seats, rest)

    async def _everybody(self) -> dict[str, Counter[str]]:
        """What the accounts count, read in small parts once an hour; the last meanwhile."""
        if self._comparing.locked():
            return self._others[1]
        async with self._comparing:
            at, found = self._others
            if self._now() - at >= _OTHERS_FRESH_MS:
                found = {}
                async for some in self._sat():
                    await asyncio.to_thread(_tally, found, some)
                self._others = self._now(), found
            return found

    async def _sat(self) -> AsyncGenerator[list[tuple[str, Sat]]]:
        """The seats of all accounts in small parts, one account's after the other's."""
        key = SeatRow.user_id, SeatRow.finished_ms, SeatRow.match_id, SeatRow.seat
        query = (
            select(*key, MatchRow.places, MatchRow.deals, SeatRow.deeds, SeatRow.found)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .join(UserRow, UserRow.id == SeatRow.user_id)
            .where(UserRow.password_hash.is_not(None))
        )
        async for rows in self._in_parts(query, *key):
            yield [
                (str(user), Sat(match, at_ms, places[seat], deals, deeds, found))
                for user, at_ms, match, seat, places, deals, deeds, found in rows
            ]

    async def too_good(self) -> list[Strong]:
        """Who plays better than people do, for administrators alone; the best first.

        There may be a good reason: it is a person who judges.
        """
        found = list[Strong]()
        own = defaultdict[str, dict[str, list[int]]](dict)
        async for some in self._sat():
            for user, sat in some:
                rules, alone = _own_play(sat)
                own[user].setdefault(rules, []).extend(one.terms[4] for one in alone)
            last, _ = some[-1]  # may go on
            more = own.pop(last)
            found += await asyncio.to_thread(_too_good, own)
            own.clear()
            own[last] = more
        return sorted([*found, *_too_good(own)], key=lambda one: one.high)

    async def luck_since(self, begins_ms: int, to: str | None) -> list[Luck]:
        """The luck of those whose profile somebody may see in matches since a time, a minute old at
        the most; the unluckiest first.
        """
        async with self._summing:
            begun, at, found = self._week
            if begun != begins_ms or self._now() - at >= _WEEK_FRESH_MS:
                rows = await self._found_since(begins_ms)
                found = await asyncio.to_thread(_lucks, rows)
                self._week = begins_ms, self._now(), found
        seen = await self.open_to([one.user for one in found], to)
        return [one for one in found if one.user in seen]

    @in_transaction
    def _found_since(self, db: Db, begins_ms: int) -> list[tuple[str, str]]:
        query = (
            select(SeatRow.user_id, SeatRow.found)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .join(UserRow, UserRow.id == SeatRow.user_id)
            .where(
                UserRow.public == 1, UserRow.password_hash.is_not(None),
                SeatRow.finished_ms >= begins_ms, MatchRow.shown_ms <= self._now(),
                SeatRow.found.is_not(None),
            )
        )  # fmt: skip
        return [(str(user), str(found)) for user, found in db.execute(query)]

    @in_transaction
    def named(self, db: Db, name: str, to: str | None) -> str:
        """The account of a name, whose profile somebody may see; OkeyError ``no-profile``."""
        row = account_of_key(db, name_key(name))
        if row is None or row.id not in _open(db, [row.id], to):
            refuse("no-profile")
        return row.id

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
            match: Sat(match, at_ms, places[seat], deals, deeds, found, bool(led))
            for match, at_ms, places, seat, deals, deeds, found, led in db.execute(query)
        }
        return [*rows.values()]  # who had two seats had the last


def _tally(found: dict[str, Counter[str]], some: Iterable[tuple[str, Sat]]) -> None:
    for user, sat in some:
        found.setdefault(user, Counter()).update(tally_of([sat]))


def _lucks(rows: Iterable[tuple[str, str]]) -> list[Luck]:
    sums: dict[str, list[int]] = {}
    for user, found in rows:
        lucks = [one.terms[1] + one.terms[2] for one in _FOUND.decode(found).deals]
        sums.setdefault(user, []).extend(lucks)
    lucks_of = [Luck(user, len(lucks), sum(lucks)) for user, lucks in sums.items()]
    return sorted(lucks_of, key=lambda one: (-one.tenths, one.user))


def _open(db: Db, users: Collection[str], to: str | None) -> set[str]:
    query = select(UserRow.id).where(
        UserRow.id.in_(users),
        UserRow.password_hash.is_not(None),
        or_(UserRow.public == 1, UserRow.id == to),
        or_(UserRow.id == to, UserRow.id.not_in(tied_to(to or "", "mute", "block"))),
    )
    return {*db.scalars(query)}
