"""A finished deal looked through: every own decision weighed by what the seat saw then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Final, Literal, TypeAlias

from okey101.game.actions import Action, Discard, Draw, Indicator, Take
from okey101.game.deal import Deal
from okey101.game.match import deal_score
from okey101.game.record.form import PERSON
from okey101.game.view import view_of
from okey101.review.analysis import (
    Prices,
    candidates,
    hindsight,
    own_points,
    playouts,
    spread_over,
    weigh,
    world_seed,
)
from okey101.review.balance import NOTHING, Balance, Spread, Way, balance_of, par_of, summed
from okey101.review.wording import Cause, Move, move_of, reason

Mark: TypeAlias = Literal["", "small", "large"]
OnStep: TypeAlias = Callable[[int, int], object]
"""Hears how many decisions are done, and of how many; what it raises ends the work."""
LARGE: Final = 100
"""Tenths of a point: a loss that is larger even at the lower end of its interval is a large one."""
_HINDSIGHT_WORLDS: Final = 200


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What only the open tiles tell; nobody at the table could have known it.

    ``taken`` says that the next player took the tile. ``fed`` is how many points it saved that
    player with the true hands, against ``other``; ``loss`` what the choice cost with these.
    """

    taken: bool
    other: str
    fed: Spread
    loss: Spread


@dataclass(frozen=True, slots=True)
class WeighedMove(Move):
    """A choice that was priced, and how much more it costs than the best found."""

    loss: Spread


@dataclass(frozen=True, slots=True)
class Decision:
    """One own decision; ``action`` is its place among the deal's actions, from 0.

    ``value`` is what the seat could expect with the policy's choice, ``skill`` how the choice
    played changed that, and ``loss`` what it cost against the best found. ``mark`` is set if the
    loss exceeds its interval. ``actor`` is who chose, if the record says so.
    """

    action: int
    played: Move
    best: Move
    value: Spread
    skill: Spread
    loss: Spread
    mark: Mark
    why: Cause | None
    weighed: tuple[WeighedMove, ...]
    hindsight: Hindsight | None
    actor: str | None


@dataclass(frozen=True, slots=True)
class Moment:
    """What a seat was to expect after so many actions."""

    actions: int
    points: float


@dataclass(frozen=True, slots=True)
class DealReview:
    """What a review says of one seat in one deal; in teams its points are the team's.

    ``small`` and ``large`` say how many decisions have these marks, and ``curve`` what the seat
    could expect at each moment.
    """

    number: int
    seat: int
    balance: Balance
    lost: Spread
    small: int
    large: int
    curve: tuple[Moment, ...]
    decisions: tuple[Decision, ...]

    @property
    def by_others(self) -> int:
        """How many decisions a bot or the clock made, according to the record."""
        return sum(decision.actor not in (None, PERSON) for decision in self.decisions)


def seat_reviewed(
    states: Sequence[Deal], number: int, seat: int, actors: Sequence[str] | None,
    worlds: int, seed: int, policy: str, tell: Callable[[], object],
) -> DealReview:  # fmt: skip
    """What is said of a seat in a finished deal, whose states are there already."""
    own = [at for at, state in enumerate(states[:-1]) if state.turn == seat]
    start, dealt = view_of(states[0], seat), None
    if not start.to_act:  # what its tiles are worth before anybody has acted
        outcomes = playouts(start, policy).outcomes
        points = outcomes([None], world_seed(seed, start), 0, worlds)[0]
        dealt = spread_over(own_points(points, seat, teams=states[0].rules.teams))
    decisions: list[Decision] = []
    for at in own:
        actor = None if actors is None else actors[at]
        decisions.append(looked_at(states, at, worlds, seed, policy, actor))
        tell()
    after = (_after(states[at], states[at + 1]) for at in own)
    steps = [Way(one.value, one.skill, why) for one, why in zip(decisions, after, strict=True)]
    score = deal_score(states[-1], seat)
    first = dealt or (decisions[0].value if decisions else Spread.of(10 * score, 0))
    par = par_of(states[0].rules, seat, states[0].public.setup.starter, policy)
    balance, lost = balance_of(par, first, steps, score), summed(one.loss for one in decisions)
    small, large = (sum(one.mark == mark for one in decisions) for mark in ("small", "large"))
    curve = _curve(first, decisions, len(states) - 1, score)
    return DealReview(number, seat, balance, lost, small, large, curve, tuple(decisions))


def looked_at(
    states: Sequence[Deal], at: int, worlds: int, seed: int, policy: str, actor: str | None = None
) -> Decision:
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
        playouts(view, policy).outcomes, view, choices, worlds, world_seed(seed, view),
        kept=(0, mine),
    )  # fmt: skip
    best = choices[prices.best]
    loss = prices.behind(mine, prices.best)
    mark: Mark = ""
    if loss.low > 0:
        mark = "large" if loss.tenths - loss.reach > LARGE else "small"
    why = None
    if best != played and loss.tenths > 0:
        fed = prices.of_seat(prices.best, mine, (seat + 1) % deal.rules.players)
        why = reason(played, best, view, loss, fed)
    order = sorted(prices.second, key=lambda p: (prices.priced(p).tenths, p))
    moves = {place: asdict(move_of(choices[place], view)) for place in order}
    weighed = (WeighedMove(**moves[p], loss=prices.behind(p, prices.best)) for p in order)
    return Decision(
        at, move_of(played, view), move_of(best, view), prices.worth(0), prices.apart(mine, 0),
        loss, mark, why, tuple(weighed),
        _seen_later(states, at, best, choices, prices, mark, policy), actor,
    )  # fmt: skip


def _seen_later(
    states: Sequence[Deal], at: int, best: Action, choices: Sequence[Action], prices: Prices,
    mark: Mark, policy: str,
) -> Hindsight | None:  # fmt: skip
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
    return Hindsight(
        taken,
        move_of(other, view).tile,
        spread_over(-apart[:, following]) if taken else NOTHING,
        spread_over(own_points(apart, seat, teams=deal.rules.teams)),
    )


def _after(before: Deal, after: Deal) -> str:
    """The term that the way from an own choice to the next own decision belongs to."""
    action = after.public.actions[-1][1]
    if after.over:  # of a team the partner's tiles come to light then
        return "others" if after.rules.teams else "residual"
    if isinstance(action, Draw | Indicator):
        return "draws"
    return "residual" if after.turn == before.turn else "others"


def _curve(
    first: Spread, decisions: Sequence[Decision], actions: int, score: int
) -> tuple[Moment, ...]:
    points = [(0, first.mean)]
    for decision in decisions:
        value, after = decision.value, decision.value.tenths + decision.skill.tenths
        points += [(decision.action, value.mean), (decision.action + 1, after / 10)]
    points.append((actions, float(score)))
    return tuple(Moment(at, value) for at, value in dict(points).items())
