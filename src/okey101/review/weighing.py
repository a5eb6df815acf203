"""Choices played out in common worlds: the best found on one half, priced on the other.

Whoever picks the lowest of several noisy means has picked noise too: on the worlds that chose it
the best looks better than it is. So worlds 0 to ``worlds / 2`` choose, and the price is taken from
the rest, which have no hand in the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol

from okey101.errors import OkeyError
from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.view import View
from okey101.review.balance import Spread, spread_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LEAST_WORLDS: Final = 8
MOST_WORLDS: Final = 1_000_000
POLICIES: Final = ("master", "greedy")
"""Who may go on after a choice, in every seat; the first where nobody says."""
_FINALISTS: Final = 3


class Player(Protocol):
    """Plays choices out; :class:`okey101.kernel.playouts.Playouts` is one."""

    def outcomes(
        self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """The points of all seats after each choice: int64[C, W, players]."""
        ...


def playouts(view: View, policy: str) -> Player:
    """Who plays choices out from a view; OkeyError ``unknown-policy`` and ``kernel-cold``.

    Raises ModuleNotFoundError, which begins with ``missing-extra``, without the extra ``sim``.
    """
    checked = _checked(policy)
    from okey101.kernel.playouts import Playouts

    return Playouts(view, checked)


def hindsight(deal: Deal, policy: str) -> Player:
    """The same from the true hands, the stock in any order: what came out afterwards."""
    checked = _checked(policy)
    from okey101.kernel.playouts import Playouts

    return Playouts.with_hands(deal, checked)


def _checked(policy: str) -> Literal["greedy", "master"]:
    if policy == "greedy":
        return "greedy"
    if policy == "master":
        return "master"
    known = ", ".join(POLICIES)
    raise OkeyError(
        "unknown-policy", f"no policy is called {policy!r}; known: {known}",
        name=policy, known=known,
    )  # fmt: skip


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


def weigh(
    player: Player,
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
    if not LEAST_WORLDS <= worlds <= MOST_WORLDS:
        raise OkeyError(
            "bad-worlds", f"from {LEAST_WORLDS} to {MOST_WORLDS} worlds, not {worlds}",
            least=LEAST_WORLDS, most=MOST_WORLDS, worlds=worlds,
        )  # fmt: skip
    half = worlds // 2
    seat = view.seat
    assert seat is not None
    own = partial(own_points, seat=seat, teams=view.public.rules.teams)
    alive = list(range(len(choices)))
    parts: dict[int, list[NDArray[np.int64]]] = {place: [] for place in alive}
    totals = [0] * len(choices)
    at = 0
    for stage, until in enumerate((half // 4, half // 2, half)):
        found = player.outcomes([choices[place] for place in alive], seed, at, until - at)
        for place, points in zip(alive, found, strict=True):
            parts[place].append(points)
            totals[place] += int(own(points).sum())
        at = until
        alive.sort(key=lambda place: (totals[place], place))
        if not every and stage < 2:
            most = max(_FINALISTS, (len(alive) + 1) // 2 if stage == 0 else 0)
            alive = [p for n, p in enumerate(alive) if n < most or p in kept]
    best = alive[0]
    found = player.outcomes([choices[place] for place in alive], seed, half, worlds - half)
    return Prices(
        own,
        {place: _joined(parts[place]) for place in alive},
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


def _joined(parts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    import numpy as np

    return np.concatenate(parts)
