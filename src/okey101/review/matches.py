"""A match looked through: its deals, and what they come to together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from time import monotonic
from typing import Final, Literal

from okey101.errors import OkeyError, checked
from okey101.game.deal import Deal
from okey101.game.record.form import RULES_VERSION, Record, parse_record
from okey101.game.record.replay import replay
from okey101.game.ruleset import checked_seat
from okey101.review.balance import Balance, Spread, summed
from okey101.review.deals import DealReview, OnStep, seat_reviewed
from okey101.work import Caller

_Format = Literal["okey101-review/1"]
FORMAT: Final[_Format] = "okey101-review/1"
_EVERY_S: Final = 0.25
"""How often a process says how far its review is."""


@dataclass(frozen=True, slots=True)
class SeatSummary:
    """One seat over all deals that were reviewed."""

    seat: int
    deals: int
    balance: Balance
    lost: Spread
    small: int
    large: int


@dataclass(frozen=True, slots=True)
class MatchReview:
    """The reviewed deals of a match, by seat and in all, and how the review was made.

    Its fields and those of its parts are the review's form in JSON, which servers keep.
    """

    format: _Format
    rules_version: int
    policy: str
    worlds: int
    seed: int
    teams: bool
    players: tuple[str, ...] | None
    summary: tuple[SeatSummary, ...]
    deals: tuple[DealReview, ...]

    def to_dict(self) -> dict[str, object]:
        """What ``okey101 review --json`` prints."""
        return asdict(self)


def _summaries(deals: Sequence[DealReview]) -> tuple[SeatSummary, ...]:
    found = []
    for seat in sorted({one.seat for one in deals}):
        own = [one for one in deals if one.seat == seat]
        balance = reduce(Balance.plus, (one.balance for one in own))
        small, large = sum(one.small for one in own), sum(one.large for one in own)
        lost = summed(one.lost for one in own)
        found.append(SeatSummary(seat, len(own), balance, lost, small, large))
    return tuple(found)


def joined(parts: Sequence[MatchReview]) -> MatchReview:
    """One review of the deals of several parts, which were made of one record in the same way."""
    deals = tuple(deal for part in parts for deal in part.deals)
    return replace(parts[0], summary=_summaries(deals), deals=deals)


def review_deal(
    record: Record,
    number: int,
    seat: int,
    *,
    worlds: int = 1_000,
    seed: int = 0,
    policy: str = "master",
    on_step: OnStep | None = None,
) -> DealReview:
    """Review one seat of one deal of a record; ``number`` counts deals from 0.

    OkeyError ``no-such-deal``, ``bad-seat``, ``deal-unfinished``, and those of
    :func:`okey101.review.analyse`; RecordError as ``replay``.
    """
    found = review_match(
        record, deal=number, seats=(seat,), worlds=worlds, seed=seed, policy=policy, on_step=on_step
    )
    return found.deals[0]


def review_match(
    record: Record,
    *,
    deal: int | None = None,
    seats: Sequence[int] | None = None,
    worlds: int = 1_000,
    seed: int = 0,
    policy: str = "master",
    on_step: OnStep | None = None,
    first: int = 0,
    go_on: Callable[[], bool] | None = None,
) -> MatchReview:
    """Review the finished deals of a record, or one of them, for all seats or for some.

    The record is replayed once, and its claims are compared. ``deal`` counts from 0; ``on_step``
    hears of each decision. You can review a long match in parts, which :func:`joined` puts
    together: begin at the deal ``first``; ``go_on`` is asked before each other deal. A last deal
    that has not ended is left out. OkeyError ``no-deals``, and ``deal-unfinished`` if no deal, or
    not the one asked for, has ended; the rest is as for :func:`okey101.review.review_deal`.
    """
    played: list[list[Deal]] = []
    replay(record, on_deal=played.append)
    if not played:
        raise OkeyError("no-deals", "the record has no deals")
    numbers = [n for n, states in enumerate(played) if states[-1].over]
    if deal is not None:
        checked(deal, int, "whole number")
        if not 0 <= deal < len(played):
            raise OkeyError("no-such-deal", f"there is no deal {deal + 1}", deal=deal + 1)
        numbers = [deal] if deal in numbers else []
    if not numbers:
        number = len(played) if deal is None else deal + 1
        raise OkeyError("deal-unfinished", "only finished deals are reviewed", number=number)
    checked(first, int, "whole number")
    chosen = range(record.rules.players) if seats is None else checked(seats, Sequence, "list")
    for seat in chosen:
        checked_seat(seat, record.rules.players)
    decisions = {
        n: sum(seat in chosen for seat, _ in played[n][-1].public.actions) for n in numbers
    }
    total = sum(decisions.values())
    done = sum(count for n, count in decisions.items() if n < first)
    found: list[DealReview] = []

    def tell() -> None:
        nonlocal done
        done += 1
        if on_step is not None:
            on_step(done, total)

    for number in numbers:
        if number < first:
            continue
        if found and go_on is not None and not go_on():
            break
        actors = record.deals[number].actors
        found += [
            seat_reviewed(played[number], number, seat, actors, worlds, seed, policy, tell)
            for seat in chosen
        ]
    return MatchReview(
        FORMAT, RULES_VERSION, policy, worlds, seed, record.rules.teams, record.players,
        _summaries(found), tuple(found),
    )  # fmt: skip


def reviewed(
    caller: Caller, record: bytes, first: int, seats: Sequence[int], worlds: int, policy: str,
    turn_s: float,
) -> tuple[MatchReview, bool]:  # fmt: skip
    """The review of a record from a deal on, for one turn, and whether that is the rest.

    Says now and then how many decisions of how many are done.
    """
    end = monotonic() + turn_s
    told = float("-inf")
    whole = True

    def tell(done: int, total: int) -> None:
        nonlocal told
        now = monotonic()
        if now - told >= _EVERY_S:
            told = now
            caller.tell((done, total))

    def go_on() -> bool:
        nonlocal whole
        whole = monotonic() < end
        return whole

    found = review_match(
        parse_record(record), seats=seats, worlds=worlds, policy=policy, on_step=tell, first=first,
        go_on=go_on,
    )  # fmt: skip
    return found, whole
