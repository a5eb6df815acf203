"""A finished deal looked through: every own decision weighed by what the seat saw then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from okey101.errors import OkeyError
from okey101.game.actions import Action, Discard, Draw, Indicator, Take
from okey101.game.actors import PERSON
from okey101.game.deal import Deal
from okey101.game.record import Record
from okey101.game.record_replay import steps_of
from okey101.game.view import view_of
from okey101.review.analysis import candidates, world_seed
from okey101.review.balance import Balance, Way, balance_of
from okey101.review.par import par_of
from okey101.review.spread import NOTHING, Spread, spread_of, summed
from okey101.review.weighing import Prices, hindsight, playouts, weigh
from okey101.review.wording import Cause, Told, reason, told

__all__ = [
    "LARGE",
    "DealReview",
    "Decision",
    "Hindsight",
    "Mark",
    "OnStep",
    "looked_at",
    "review_deal",
]

Mark: TypeAlias = Literal["", "small", "large"]
OnStep: TypeAlias = Callable[[int, int], object]
"""Hears how many decisions are done, and of how many; what it raises ends the work."""
LARGE: Final = 100
"""Tenths of a point: a loss that is larger even at the lower end of its interval is a large one."""
_HINDSIGHT_WORLDS: Final = 200


class Hindsight(NamedTuple):
    """What only the open tiles tell; nobody at the table could have known it.

    ``taken`` says that the next player took the tile. ``fed`` is how many points it saved that
    player with the true hands, against ``other``; ``loss`` what the choice cost with these.
    """

    taken: bool
    other: str
    fed: Spread
    loss: Spread

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "taken": self.taken, "other": self.other,
            "fed": self.fed.to_dict(), "loss": self.loss.to_dict(),
        }  # fmt: skip


class Decision(NamedTuple):
    """One own decision; ``action`` is its place among the deal's actions, from 0.

    ``value`` is what the seat was to expect with the policy's choice, ``skill`` what the choice
    played changed of that, and ``loss`` what it cost against the best found. ``mark`` is set where
    the loss exceeds its interval. ``weighed`` are the choices that were priced, with their loss.
    """

    action: int
    played: Told
    best: Told
    value: Spread
    skill: Spread
    loss: Spread
    mark: Mark
    why: Cause | None
    weighed: tuple[tuple[Told, Spread], ...]
    hindsight: Hindsight | None
    actor: str | None = None

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "action": self.action,
            "played": self.played.to_dict(),
            "best": self.best.to_dict(),
            "value": self.value.to_dict(),
            "skill": self.skill.to_dict(),
            "loss": self.loss.to_dict(),
            "mark": self.mark,
            "why": None if self.why is None else self.why._asdict(),
            "weighed": [
                {**choice.to_dict(), "loss": loss.to_dict()} for choice, loss in self.weighed
            ],
            "hindsight": None if self.hindsight is None else self.hindsight.to_dict(),
            "actor": self.actor,
        }


class DealReview(NamedTuple):
    """What a review says of one seat in one deal; in teams its points are the team's.

    ``curve`` is what the seat was to expect at each moment: after so many actions, so many points.
    """

    number: int
    seat: int
    balance: Balance
    lost: Spread
    decisions: tuple[Decision, ...]
    curve: tuple[tuple[int, float], ...]

    def marked(self, mark: Mark) -> int:
        """How many decisions have a mark."""
        return sum(decision.mark == mark for decision in self.decisions)

    @property
    def by_others(self) -> int:
        """How many decisions a bot or the clock made, by what the record says."""
        return sum(decision.actor not in (None, PERSON) for decision in self.decisions)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return {
            "number": self.number,
            "seat": self.seat,
            "balance": self.balance.to_dict(),
            "lost": self.lost.to_dict(),
            "small": self.marked("small"),
            "large": self.marked("large"),
            "curve": [{"actions": at, "points": points} for at, points in self.curve],
            "decisions": [decision.to_dict() for decision in self.decisions],
        }


def review_deal(
    record: Record,
    number: int,
    seat: int,
    *,
    worlds: int = 1_000,
    seed: int = 0,
    policy: str = "master",
    dealer: int = 0,
    on_step: OnStep | None = None,
) -> DealReview:
    """Look through one seat of one deal of a record, ``number`` counted from 0.

    ``dealer`` serves where the record names none. OkeyError ``no-such-deal``, ``bad-seat``,
    ``deal-unfinished``, and those of :func:`okey101.review.analyse`; RecordError as ``replay``.
    """
    if not 0 <= number < len(record.deals):
        raise OkeyError("no-such-deal", f"there is no deal {number + 1}", deal=number + 1)
    if not 0 <= seat < record.rules.players:
        raise OkeyError("bad-seat", f"there is no seat {seat}", seat=seat)
    states = list(steps_of(record, number, dealer))
    if not states[-1].over:
        raise OkeyError("deal-unfinished", "only finished deals are reviewed", number=number + 1)
    actors = record.deals[number].actors
    own = [at for at, state in enumerate(states[:-1]) if state.turn == seat]
    start = view_of(states[0], seat)
    dealt = _value_at_start(states[0], seat, worlds, seed, policy) if not start.to_act else None
    decisions: list[Decision] = []
    steps: list[Way] = []
    for done, at in enumerate(own):
        decision = looked_at(states, at, worlds, seed, policy)
        if actors is not None:
            decision = decision._replace(actor=actors[at])
        decisions.append(decision)
        steps.append(Way(decision.value, decision.skill, _after(states[at], states[at + 1])))
        if on_step is not None:
            on_step(done + 1, len(own))
    score = _score(states[-1], seat)
    first = dealt or (decisions[0].value if decisions else Spread(10 * score, 0))
    par = par_of(record.rules, seat, states[0].public.setup.starter, policy)
    return DealReview(
        number,
        seat,
        balance_of(par, first, steps, score),
        summed(decision.loss for decision in decisions),
        tuple(decisions),
        _curve(first, decisions, len(states) - 1, score),
    )


def _value_at_start(deal: Deal, seat: int, worlds: int, seed: int, policy: str) -> Spread:
    """What a seat's tiles are worth before anybody has acted."""
    view = view_of(deal, seat)
    points = playouts(view, policy).outcomes([None], world_seed(seed, view), 0, worlds)[0]
    own = points[:, seat] + points[:, seat ^ 2] if deal.rules.teams else points[:, seat]
    return spread_of(int(own.sum()), int((own * own).sum()), worlds)


def looked_at(states: Sequence[Deal], at: int, worlds: int, seed: int, policy: str) -> Decision:
    """The decision that led from state ``at`` of a deal to the next one.

    All but the hindsight follows from what the seat saw in that state.
    """
    deal = states[at]
    seat = deal.turn
    view = view_of(deal, seat)
    played = states[at + 1].public.actions[-1][1]
    choices = candidates(view, (played,), policy)
    mine = choices.index(played)
    prices = weigh(
        playouts(view, policy), view, choices, worlds, world_seed(seed, view), kept=(0, mine)
    )
    best = choices[prices.best]
    loss = prices.behind(mine, prices.best)
    mark: Mark = ""
    if loss.low > 0:
        mark = "large" if loss.tenths - loss.reach > LARGE else "small"
    why = None
    if best != played and loss.tenths > 0:
        after = (seat + 1) % deal.rules.players
        fed = prices.of_seat(prices.best, mine, after)
        why = reason(played, best, view, loss, fed)
    return Decision(
        at,
        told(played, view),
        told(best, view),
        prices.worth(0),
        prices.apart(mine, 0),
        loss,
        mark,
        why,
        tuple(
            (told(choices[place], view), prices.behind(place, prices.best))
            for place in sorted(prices.second, key=lambda p: (prices.priced(p).tenths, p))
        ),
        _seen_later(states, at, best, choices, prices, mark, policy),
    )


def _seen_later(
    states: Sequence[Deal],
    at: int,
    best: Action,
    choices: Sequence[Action],
    prices: Prices,
    mark: Mark,
    policy: str,
) -> Hindsight | None:
    """What the true hands tell of a marked choice, or of a tile that the next player took."""
    deal, after = states[at], states[at + 1]
    played = after.public.actions[-1][1]
    taken = (
        isinstance(played, Discard)
        and at + 2 < len(states)
        and isinstance(states[at + 2].public.actions[-1][1], Take)
    )
    others = [best, *(choices[place] for place in sorted(prices.second))]
    other = next((a for a in others if a != played and (mark or isinstance(a, Discard))), None)
    if other is None or not (mark or taken):
        return None
    view = view_of(deal, deal.turn)
    player = hindsight(deal, policy)
    points = player.outcomes([played, other], 0, 0, _HINDSIGHT_WORLDS)
    apart = points[0] - points[1]
    seat, following = deal.turn, (deal.turn + 1) % deal.rules.players
    own = apart[:, seat] + apart[:, seat ^ 2] if deal.rules.teams else apart[:, seat]
    fed = -apart[:, following]
    count = len(apart)
    return Hindsight(
        taken,
        told(other, view).tile,
        spread_of(int(fed.sum()), int((fed * fed).sum()), count) if taken else NOTHING,
        spread_of(int(own.sum()), int((own * own).sum()), count),
    )


def _after(before: Deal, after: Deal) -> str:
    """The term that the way from an own choice to the next own decision belongs to."""
    action = after.public.actions[-1][1]
    if after.over:  # of a team the partner's tiles come to light then
        return "others" if after.rules.teams else "residual"
    if isinstance(action, Draw | Indicator):
        return "draws"
    return "residual" if after.turn == before.turn else "others"


def _score(deal: Deal, seat: int) -> int:
    result = deal.result
    assert result is not None
    return sum(result.scores[seat % 2 :: 2]) if deal.rules.teams else result.scores[seat]


def _curve(
    first: Spread, decisions: Sequence[Decision], actions: int, score: int
) -> tuple[tuple[int, float], ...]:
    points = [(0, first.mean)]
    for decision in decisions:
        value, after = decision.value, decision.value.tenths + decision.skill.tenths
        points += [(decision.action, value.mean), (decision.action + 1, after / 10)]
    points.append((actions, float(score)))
    return tuple(dict(points).items())
