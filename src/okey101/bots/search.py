"""The bot ``search``: it plays each of its better choices out in many worlds that could be.

A flat Monte Carlo search with sequential halving: the worlds are drawn from the view, all choices
are played in the same ones, everybody goes on as ``greedy``, and after each round the worse half
of the choices is left out. It needs Numba and NumPy (``pip install "okey101[sim]"``). What it
chooses follows from whole numbers alone, so it is the same on any machine, compiled or not.

The arena seats it as ``okey101.bots.search:Search600``, with 600 playouts a choice.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from okey101.bots.base import decision_rng
from okey101.bots.meld_potential import near_melds, number_of
from okey101.bots.steady import SteadyBot
from okey101.game.actions import Action, Back, Discard
from okey101.game.options import Options
from okey101.game.view import View
from okey101.tiles import OKEY, tiles_of_bits

__all__ = ["Search200", "Search600", "Search2000", "SearchBot", "better_choices", "playouts_of"]

_DISCARDS: Final = 7
"""How many discards are weighed."""
_HEAD_START: Final = 150
"""Points, over all worlds, by which another choice has to be better than ``steady``'s.

Two choices differ by 3 points a deal, give or take 8, and by 60 in one world: the best guess after
n worlds leans on what was known before as if ``3 * 60**2 / 8**2`` points had been seen.
"""
_DOUBT: Final = 10
"""Of a hundred worlds in which somebody could have opened, so many are kept."""


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
        play = playouts_of(view)
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


class _Playouts:
    """Playouts from one view, by the kernel."""

    def __init__(self, view: View) -> None:
        import numpy as np

        from okey101.kernel import positions, rules, tables, warming
        from okey101.kernel.exporting import masks_of_bits
        from okey101.kernel.layout import DRAWN, HANDS

        warming.need_warm()
        public = view.public
        self._okey, self._twin = public.okey, None
        if public.announced == view.seat:
            self._twin = int(public.setup.indicator)
        self._rules = rules.rules_vector(public.rules)
        self._tables = tables.tables()
        self._row = positions.row_of_public(public)
        assert view.seat is not None
        at = HANDS + 2 * view.seat
        self._row[at], self._row[at + 1] = masks_of_bits(view.hand or 0)
        if view.drawn is not None:
            self._row[DRAWN] = view.drawn
        others = (known for seat, known in enumerate(public.known) if seat != view.seat)
        self._pool = np.array(tiles_of_bits(view.unseen - sum(others)), dtype=np.int64)

    def __call__(self, choices: list[Action], seed: int, first: int, worlds: int) -> list[int]:
        """The points of each choice, added up over the worlds; the team's points in teams."""
        return [int(total) for total in self.scores(choices, seed, first, worlds).sum(axis=1)]

    def scores(self, choices: list[Action], seed: int, first: int, worlds: int) -> Any:
        """The points of each choice in each world: int64[C, W]."""
        import numpy as np

        from okey101.kernel.exporting import codes_of
        from okey101.kernel.worlds import MOST_CODES, play_worlds

        codes = np.zeros((len(choices), MOST_CODES), dtype=np.int64)
        for place, action in enumerate(choices):
            found = codes_of(action, self._okey, self._twin)
            codes[place, : len(found)] = found
        scores = np.zeros((len(choices), worlds), dtype=np.int64)
        play_worlds(
            self._tables, self._rules, self._row, self._pool, codes, seed, first, _DOUBT, scores
        )
        return scores


def playouts_of(view: View) -> _Playouts:
    """Playouts from a view of the seat to act; ModuleNotFoundError without the extra."""
    return _Playouts(view)
