"""What each choice of a position is worth, from what its seat sees alone.

Choices are played out in common worlds: the best found on one half, priced on the other. Whoever
picks the lowest of several noisy means has picked noise too: on the worlds that chose it the best
looks better than it is. So worlds 0 to ``worlds / 2`` choose, and the price is taken from the rest,
which have no hand in the choice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from okey101.bots.base import decision_rng
from okey101.bots.registry import make_bot
from okey101.bots.search import better_choices
from okey101.bots.steady import SteadyBot
from okey101.errors import OkeyError, checked, needs, whole_number
from okey101.game.actions import Action, Discard, Swap, parse_action
from okey101.game.deal import Deal
from okey101.game.duties import duty_met
from okey101.game.legality import rule_on
from okey101.game.options import Options
from okey101.game.view import View
from okey101.review.balance import Spread, spread_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from okey101.kernel.deals import Playouts

LEAST_WORLDS: Final = 8
MOST_WORLDS: Final = 1_000_000
Policy: TypeAlias = Literal["master", "greedy"]
POLICIES: Final[tuple[Policy, ...]] = get_args(Policy)
"""Who may go on after a choice, in every seat; the first where nobody says."""
_FINALISTS: Final = 3
Outcomes: TypeAlias = "Callable[[Sequence[Action], int, int, int], NDArray[np.int64]]"
"""Plays choices out, as :meth:`okey101.kernel.deals.Playouts.outcomes` does."""


def playouts(view: View, policy: str) -> Playouts:
    """Who plays choices out from a view; OkeyError ``unknown-policy`` and ``kernel-cold``.

    Raises ModuleNotFoundError, which begins with ``missing-extra``, without the extra ``sim``.
    """
    if policy not in POLICIES:
        known = ", ".join(POLICIES)
        raise OkeyError(
            "unknown-policy", f"no policy is called {policy!r}; known: {known}",
            name=policy, known=known,
        )  # fmt: skip
    return _kernel()(view, policy)


def hindsight(deal: Deal, policy: str) -> Playouts:
    """The same from the true hands, the stock in any order: what came out afterwards."""
    return _kernel().with_hands(deal, cast("Policy", policy))


def _kernel() -> type[Playouts]:
    with needs("okey101.review", "Numba and NumPy", "sim"):
        from okey101.kernel.deals import Playouts
    return Playouts


class Prices(NamedTuple):
    """The points of each choice in the worlds it was played in.

    ``first`` holds the worlds that choose, ``second`` those that price: int64[W, players] by the
    choice's place, only of choices that came so far.
    """

    own: Callable[[NDArray[np.int64]], NDArray[np.int64]]
    """As :func:`own_points` for the seat: int64[W]."""
    first: dict[int, NDArray[np.int64]]
    second: dict[int, NDArray[np.int64]]
    best: int
    """The choice that scored least in the first half; among equals the first."""

    def worth(self, place: int) -> Spread:
        """The points of a choice over all worlds; for choices that were not picked by them."""
        return spread_over(*(self.own(half[place]) for half in (self.first, self.second)))

    def priced(self, place: int) -> Spread:
        """The points of a choice over the worlds that price."""
        return spread_over(self.own(self.second[place]))

    def behind(self, place: int, other: int) -> Spread:
        """How many points more a choice costs than another, in the same worlds that price."""
        return spread_over(self.own(self.second[place]) - self.own(self.second[other]))

    def apart(self, place: int, other: int) -> Spread:
        """The same over all worlds; for two choices that were not picked by them."""
        halves = (self.first, self.second)
        return spread_over(*(self.own(half[place]) - self.own(half[other]) for half in halves))

    def of_seat(self, place: int, other: int, seat: int) -> Spread:
        """How many points more another seat gets after a choice than after ``other``."""
        return spread_over(self.second[place][:, seat] - self.second[other][:, seat])


def _check_worlds(worlds: int) -> None:
    if not LEAST_WORLDS <= worlds <= MOST_WORLDS:
        raise OkeyError(
            "bad-worlds", f"from {LEAST_WORLDS} to {MOST_WORLDS} worlds, not {worlds}",
            least=LEAST_WORLDS, most=MOST_WORLDS, worlds=worlds,
        )  # fmt: skip


def weigh(
    outcomes: Outcomes,
    view: View,
    choices: Sequence[Action],
    worlds: int,
    seed: int,
    *,
    kept: Sequence[int] = (0,),
    every: bool = False,
) -> Prices:
    """Play choices out in ``worlds`` worlds, an even number.

    Half of the worlds choose by sequential halving: after a quarter of them the worse half of the
    choices is left out, after another all but three. ``kept`` names the choices that never are, and
    ``every`` keeps them all. OkeyError ``bad-worlds``.
    """
    _check_worlds(worlds)
    import numpy as np

    half = worlds // 2
    seat = view.seat
    assert seat is not None
    own = partial(own_points, seat=seat, teams=view.public.rules.teams)
    alive = list(range(len(choices)))
    parts: dict[int, list[NDArray[np.int64]]] = {place: [] for place in alive}
    totals = [0] * len(choices)
    at = 0
    for stage, until in enumerate((half // 4, half // 2, half)):
        found = outcomes([choices[place] for place in alive], seed, at, until - at)
        for place, points in zip(alive, found, strict=True):
            parts[place].append(points)
            totals[place] += int(own(points).sum())
        at = until
        alive.sort(key=lambda place: (totals[place], place))
        if not every and stage < 2:
            most = max(_FINALISTS, (len(alive) + 1) // 2 if stage == 0 else 0)
            alive = [p for n, p in enumerate(alive) if n < most or p in kept]
    best = alive[0]
    found = outcomes([choices[place] for place in alive], seed, half, worlds - half)
    return Prices(
        own,
        {place: np.concatenate(parts[place]) for place in alive},
        dict(zip(alive, found, strict=True)),
        best,
    )


def own_points(points: NDArray[np.int64], seat: int, *, teams: bool) -> NDArray[np.int64]:
    """From the points of all seats, int64[W, players], to those of one, in teams its team's."""
    return points[:, seat] + points[:, seat ^ 2] if teams else points[:, seat]


def spread_over(*points: NDArray[np.int64]) -> Spread:
    """The mean of points in worlds, which may come in parts."""
    total = sum(int(part.sum()) for part in points)
    squares = sum(int((part * part).sum()) for part in points)
    return spread_of(total, squares, sum(map(len, points)))


_MOST: Final = 24
"""So many choices are weighed: late in a deal there may be dozens of ways to lay off.

All discards that look best are among them, and swaps come before other ways to lay something down.
"""


class Weighed(NamedTuple):
    """One choice: its points, and how much more it costs than the best found.

    Both are measured in worlds that had no part in choosing the best. ``behind`` is paired: its
    interval is narrower than those of the points, because the worlds are the same.
    """

    action: Action
    points: Spread
    behind: Spread


class Analysis(NamedTuple):
    """The choices of a position, those that look best first; points are low for good.

    ``best`` was chosen on the first half of the worlds; all figures come from the second half. So
    its cost is as likely too high as too low, and by chance another choice may come out ahead.
    """

    choices: tuple[Weighed, ...]
    best: Action
    policy: str
    worlds: int
    seed: int

    def of(self, action: Action | str) -> Weighed:
        """What a choice, or its notation, is worth; OkeyError ``not-weighed`` if it wasn't weighed.

        NotationError for a text that can't be read.
        """
        action = parse_action(action) if isinstance(action, str) else action
        for weighed in self.choices:
            if weighed.action == action:
                return weighed
        raise OkeyError("not-weighed", f"{action} was not weighed", action=str(action))

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON, actions in their notation."""
        choices = [
            {"action": str(action), "points": asdict(points), "behind": asdict(behind)}
            for action, points, behind in self.choices
        ]
        return {**self._asdict(), "best": str(self.best), "choices": choices}


def analyse(
    view: View,
    worlds: int = 2_000,
    *,
    seed: int = 0,
    policy: str = "master",
    also: Sequence[Action | str] = (),
) -> Analysis:
    """The expected points of each worthwhile choice of the seat to act, with 95 % intervals.

    Every choice is played out in the same ``worlds``, drawn from what the view shows. There
    everybody goes on as ``policy``, seeing only their own tiles. Worthwhile are the seven discards
    that look best, up to 17 other choices (swaps come first), and ``also``: actions or their
    notation. The answer follows from view, worlds, seed and policy, and is the same on any machine.

    OkeyError ``not-to-act`` if it isn't the seat's turn, ``bad-position`` if its hand can't do what
    it has to, ``bad-worlds`` and ``unknown-policy``; ``kernel-cold`` on an event loop;
    ``wrong-type`` for what is no view or no whole number.
    IllegalAction or NotationError if the seat can't do what ``also`` has. Without the extra ``sim``
    it raises ModuleNotFoundError, whose text begins with ``missing-extra``.
    """
    for name, value in (("worlds", worlds), ("seed", seed)):
        whole_number(value, name, -sys.maxsize, sys.maxsize)
    if not checked(view, View).to_act:
        raise OkeyError("not-to-act", "only the seat to act has choices", seat=view.seat)
    hand = view.hand or 0
    if not duty_met(view.public, hand):
        raise OkeyError("bad-position", "a hand cannot use the taken tile, or finish, as it has to")
    also = checked(also, Sequence, "list")
    asked = (parse_action(one) if isinstance(one, str) else one for one in also)
    legal = tuple(rule_on(view.public, hand, action).action for action in asked)
    _check_worlds(worlds)
    outcomes = playouts(view, policy).outcomes
    choices = candidates(view, legal, policy)
    prices = weigh(outcomes, view, choices, worlds, world_seed(seed, view), every=True)
    found = [
        Weighed(choice, prices.priced(place), prices.behind(place, prices.best))
        for place, choice in enumerate(choices)
    ]
    found.sort(key=lambda weighed: weighed.points.tenths)
    return Analysis(tuple(found), choices[prices.best], policy, worlds, seed)


def candidates(view: View, also: tuple[Action, ...], policy: str) -> list[Action]:
    """What is worth weighing: the policy's own choice first, then ``also``, then the rest."""
    options = Options(view)
    base = make_bot(policy).choose(view, options)
    found = [base]
    likely = better_choices(view, options, SteadyBot().choose(view, options))
    for action in (*also, *_first(likely)):
        if action not in found:
            found.append(action)
    return found


def _first(likely: Sequence[Action]) -> list[Action]:
    """At most so many choices in their order: all discards, and of the others swaps first."""
    others = [action for action in likely if not isinstance(action, Discard)]
    room = _MOST - (len(likely) - len(others))
    kept = sorted(others, key=lambda action: not isinstance(action, Swap))[:room]
    return [action for action in likely if isinstance(action, Discard) or action in kept]


def world_seed(seed: int, view: View) -> int:
    """The number that the worlds of a decision come from: by the seed and the view alone."""
    return decision_rng(seed, view).getrandbits(62)
