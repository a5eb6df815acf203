"""The bot ``search``: it plays each of its choices out in many worlds that could be.

A flat Monte Carlo search. The worlds are drawn from the view, and made likely by what the others
threw and did not lay down (:mod:`okey101.kernel.beliefs`); all choices are played in the same ones.
There the seat goes on as ``master`` and the others as ``greedy``, each on its own tiles alone: what
nobody could know praises no choice. After each round the choices that are surely worse are left
out, and the search ends when one is left or the budget is spent. It needs Numba and NumPy (``pip
install "okey101[sim]"``). What it chooses follows from whole numbers alone, so it is the same on
any machine, compiled or not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal

from okey101.bots.base import decision_rng
from okey101.bots.greedy import near_melds, number_of
from okey101.game import Action, Back, Discard, Options, View
from okey101.tiles import OKEY

if TYPE_CHECKING:
    from okey101.kernel.deals import Playouts, Points

DISCARDS: Final = 7
"""How many discards are weighed."""
_OTHERS: Final = 6
"""How many other ways to lay something down than ``master``'s are weighed."""
STEPS: Final = 30
"""Exchanges of two tiles on the way to a world."""
ROUND: Final = 40
"""Worlds of the first round; each further one has as many as all before it."""


class SearchBot:
    """Weighs ``master``'s choice and others by playing them out; a budget of worlds a choice."""

    name = "search"
    version = 2
    replayable = True
    begins: ClassVar[Literal["master", "neural"]] = "master"
    """The bot whose choice the others have to be better than."""
    worlds: ClassVar[int] = 600
    """Worlds in which the last choices are played."""
    discards: ClassVar[int] = DISCARDS
    head_start: ClassVar[int] = 300
    """Points, over all worlds, by which another has to be better than the choice to begin with."""
    sure: ClassVar[int] = 6
    """The square of how many standard errors a choice is behind before it is left out."""

    def __init__(self, seed: int = 0) -> None:
        """Compile the kernel, or load it, so that no choice waits for that.

        Raises OkeyError ``kernel-cold`` on an event loop where nothing was warmed, and
        ModuleNotFoundError, which begins with ``missing-extra``, without the extra ``sim``.
        """
        from okey101.kernel.warming import need_warm

        need_warm()
        self._seed = seed

    def choose(self, view: View, options: Options) -> Action:
        """The choice that scores least over the worlds; OkeyError ``rack-too-large``."""
        playouts = self._playouts(view)
        first = playouts.choice(self.begins, options)
        choices = worth_trying(view, options, first, self.discards)
        if len(choices) == 1:
            return first
        draws = decision_rng(self._seed, view).getrandbits(62)
        return choices[self._best(playouts, choices, draws)]

    def _playouts(self, view: View) -> Playouts:
        """The worlds of a view, and how they are played out."""
        from okey101.kernel.deals import Playouts

        return Playouts(view, "own", steps=STEPS)

    def _more(self, played: int) -> int:
        """In how many worlds the next round is played, after so many; 0 where none is."""
        return min(max(ROUND, played), self.worlds - played)

    def _best(self, playouts: Playouts, choices: list[Action], seed: int) -> int:
        """The place of the choice that scores least in common worlds, the first with a head start.

        After each round the choices are left out that are surely worse.
        """
        alive, worlds = list(range(len(choices))), 0
        rounds: list[list[Points]] = [[] for _ in choices]
        totals = [-self.head_start, *[0] * (len(choices) - 1)]
        best = 0
        while len(alive) > 1 and (many := self._more(worlds)) > 0:
            found = playouts.scores([choices[at] for at in alive], seed, worlds, many)
            worlds += many
            for at, points in zip(alive, found, strict=True):
                rounds[at].append(points)
                totals[at] += int(points.sum())
            best = min(alive, key=lambda at: (totals[at], at))

            def behind(at: int, best: int = best, n: int = worlds) -> bool:
                """Whether a choice is behind by more than chance, by whole numbers."""
                total = totals[at] - totals[best]
                apart = (mine - its for mine, its in zip(rounds[at], rounds[best], strict=True))
                squares = sum(int((by * by).sum()) for by in apart)
                return total * total * (n - 1) >= self.sure * (n * squares - total * total)

            alive = [at for at in alive if at == best or not behind(at)]
        return best


class Search200(SearchBot):
    """The same with 200 worlds a choice."""

    name = "search-200"
    worlds = 200


class Search2000(SearchBot):
    """The same with 2,000 worlds a choice."""

    name = "search-2000"
    worlds = 2_000


def worth_trying(
    view: View, options: Options, base: Action, discards: int = DISCARDS
) -> list[Action]:
    """What is worth playing out: ``base``, the discards that look best, and others not too many."""
    found = better_choices(view, options, base, discards)
    others = [a for a in found[1:] if not isinstance(a, Discard)][:_OTHERS]
    return [base, *others, *(a for a in found[1:] if isinstance(a, Discard))]


def better_choices(
    view: View, options: Options, base: Action, discards: int = DISCARDS
) -> list[Action]:
    """What is worth a search: ``base``, all that is no discard, and the discards that look best."""
    hand, okey = view.hand or 0, view.public.setup.okey
    fines = {int(d.tile): d.points for d in options.discards}

    def rank(tile: int) -> tuple[bool, int, int]:
        near = near_melds(tile, hand, view.unseen, okey)
        return tile == OKEY, fines[tile] * 10 + near, -number_of(tile, okey)

    likely = sorted(fines, key=rank)[:discards]
    others = (a for a in options.actions() if not isinstance(a, Back) and a != base)
    return [base, *(a for a in others if not isinstance(a, Discard) or int(a.tile) in likely)]
