"""A match looked through: its deals, and what they come to together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from okey101.errors import OkeyError
from okey101.game.record import RULES_VERSION, Record
from okey101.game.record_replay import replay
from okey101.review.balance import Balance
from okey101.review.deals import DealReview, Mark, OnStep, review_deal
from okey101.review.spread import Spread, summed

__all__ = ["FORMAT", "MatchReview", "SeatSummary", "review_match"]

FORMAT: Final = "okey101-review/1"


class SeatSummary(NamedTuple):
    """One seat over all deals that were reviewed."""

    seat: int
    deals: int
    balance: Balance
    lost: Spread
    small: int
    large: int

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "seat": self.seat,
            "deals": self.deals,
            "balance": self.balance.to_dict(),
            "lost": self.lost.to_dict(),
            "small": self.small,
            "large": self.large,
        }


class MatchReview(NamedTuple):
    """The deals of a match, each seat by itself, and how the figures were made."""

    deals: tuple[DealReview, ...]
    players: tuple[str, ...] | None
    teams: bool
    policy: str
    worlds: int
    seed: int

    def summaries(self) -> tuple[SeatSummary, ...]:
        """Each seat over all deals, by its number."""
        seats = sorted({deal.seat for deal in self.deals})
        return tuple(_summary([d for d in self.deals if d.seat == seat]) for seat in seats)

    def to_dict(self) -> dict[str, object]:
        """What ``okey101 review --json`` prints, and servers keep."""
        return {
            "format": FORMAT,
            "rules_version": RULES_VERSION,
            "policy": self.policy,
            "worlds": self.worlds,
            "seed": self.seed,
            "teams": self.teams,
            "players": None if self.players is None else list(self.players),
            "summary": [summary.to_dict() for summary in self.summaries()],
            "deals": [deal.to_dict() for deal in self.deals],
        }


def _summary(deals: Sequence[DealReview]) -> SeatSummary:
    balance = deals[0].balance
    for deal in deals[1:]:
        balance = balance.plus(deal.balance)
    small, large = (sum(deal.marked(mark) for deal in deals) for mark in _MARKS)
    lost = summed(deal.lost for deal in deals)
    return SeatSummary(deals[0].seat, len(deals), balance, lost, small, large)


_MARKS: Final[tuple[Mark, Mark]] = ("small", "large")


def review_match(
    record: Record,
    *,
    deal: int | None = None,
    seats: Sequence[int] | None = None,
    worlds: int = 1_000,
    seed: int = 0,
    policy: str = "master",
    on_step: OnStep | None = None,
) -> MatchReview:
    """Look through the finished deals of a record, or one of them, for all seats or for some.

    The record is played and its claims compared first. ``deal`` is counted from 0; ``on_step``
    hears of each decision. A last deal that has not ended is left out. OkeyError ``no-deals``, and
    ``deal-unfinished`` where none has ended, or the one that was asked for has not; the rest is as
    for :func:`okey101.review.review_deal`.
    """
    played = replay(record)
    if not played.deals:
        raise OkeyError("no-deals", "the record has no deals")
    numbers = [n for n, one in enumerate(played.deals) if one.over]
    if deal is not None:
        if not 0 <= deal < len(played.deals):
            raise OkeyError("no-such-deal", f"there is no deal {deal + 1}", deal=deal + 1)
        numbers = [deal] if deal in numbers else []
    if not numbers:
        number = len(played.deals) if deal is None else deal + 1
        raise OkeyError("deal-unfinished", "only finished deals are reviewed", number=number)
    chosen = range(record.rules.players) if seats is None else seats
    for seat in chosen:
        if not 0 <= seat < record.rules.players:
            raise OkeyError("bad-seat", f"there is no seat {seat}", seat=seat)
    total = sum(seat in chosen for n in numbers for seat, _ in played.deals[n].public.actions)
    found: list[DealReview] = []
    done = 0

    def tell(one: int, _of: int) -> None:
        if on_step is not None:
            on_step(done + one, total)

    for number in numbers:
        dealer = played.deals[number].public.setup.dealer
        for seat in chosen:
            review = review_deal(
                record, number, seat, worlds=worlds, seed=seed, policy=policy, dealer=dealer,
                on_step=tell,
            )  # fmt: skip
            done += len(review.decisions)
            found.append(review)
    return MatchReview(tuple(found), record.players, record.rules.teams, policy, worlds, seed)
