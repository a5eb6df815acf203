"""The bot ``search``: it plays each of its better choices out in many worlds that could be.

A flat Monte Carlo search with sequential halving: the worlds are drawn from the view, all choices
are played in the same ones, everybody goes on as ``greedy``, and after each round the worse half
of the choices is left out. It needs Numba and NumPy (``pip install "okey101[sim]"``). What it
chooses follows from whole numbers alone, so it is the same on any machine, compiled or not.

The arena seats it as ``okey101.bots.search:Search600``, with 600 playouts a choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from okey101.bots.base import decision_rng
from okey101.bots.meld_potential import near_melds, number_of
from okey101.bots.steady import SteadyBot
from okey101.game.actions import Action, Back, Discard
from okey101.game.options import Options
from okey101.game.view import View
from okey101.tiles import OKEY

if TYPE_CHECKING:
    from okey101.kernel.playouts import Playouts

__all__ = ["Search200", "Search600", "Search2000", "SearchBot", "better_choices"]

_DISCARDS: Final = 7
"""How many discards are weighed."""
_HEAD_START: Final = 150
"""Points, over all worlds, by which another choice has to be better than ``steady``'s.

Two choices differ by 3 points a deal, give or take 8, and by 60 in one world: the best guess after
n worlds leans on what was known before as if ``3 * 60**2 / 8**2`` points had been seen.
"""


class SearchBot:
    """Weighs ``steady``'s choice and others by playing them out; a budget of playouts a choice."""

    name = "search"
    version = 1
    replayable = True
    playouts: ClassVar[int] = 600
    """Deals played to their end for one choice, about."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._base = SteadyBot(seed)

    def choose(self, view: View, options: Options) -> Action:
        """The choice that scores least over the worlds; OkeyError ``kernel-cold`` as the kernel."""
        base = self._base.choose(view, options)
        choices = better_choices(view, options, base)
        if len(choices) == 1:
            return choices[0]
        seed = decision_rng(self._seed, view).getrandbits(62)
        alive = list(range(len(choices)))
        totals = [-_HEAD_START, *[0] * (len(choices) - 1)]
        rounds = (len(choices) - 1).bit_length()
        first = 0
        play = _playouts_of(view).totals
        for _ in range(rounds):
            worlds = max(1, self.playouts // (rounds * len(alive)))
            scores = play([choices[at] for at in alive], seed, first, worlds)
            first += worlds
            for at, points in zip(alive, scores, strict=True):
                totals[at] += points
            alive.sort(key=lambda at: (totals[at], at))
            del alive[(len(alive) + 1) // 2 :]
        return choices[alive[0]]


class Search200(SearchBot):
    """The same with 200 playouts a choice."""

    name = "search-200"
    playouts = 200


class Search600(SearchBot):
    """The same with 600 playouts a choice."""

    name = "search-600"
    playouts = 600


class Search2000(SearchBot):
    """The same with 2,000 playouts a choice."""

    name = "search-2000"
    playouts = 2_000


def better_choices(view: View, options: Options, base: Action) -> list[Action]:
    """What is worth a search: ``base``, all that is no discard, and the discards that look best."""
    hand, okey = view.hand or 0, view.public.setup.okey
    fines = {int(d.tile): d.points for d in options.discards}

    def rank(tile: int) -> tuple[bool, int, int]:
        near = near_melds(tile, hand, view.unseen, okey)
        return tile == OKEY, fines[tile] * 10 + near, -number_of(tile, okey)

    likely = sorted(fines, key=rank)[:_DISCARDS]
    found = [base]
    for action in options.actions():
        if isinstance(action, Back) or action == base:
            continue
        if not isinstance(action, Discard) or int(action.tile) in likely:
            found.append(action)
    return found


def _playouts_of(view: View) -> Playouts:
    from okey101.kernel.playouts import Playouts

    return Playouts(view)
