"""The bot ``champion``: it searches as ``search`` does, with what networks have learned.

It begins with ``neural``'s choice, and plays others out beside it in the same worlds, but not to
the end of the deal: at the seat's next turn but one a network foretells from what the seat holds
there what the deal will come to. That network was trained on what came of millions of playouts,
and so is much less a matter of luck than a single end. The worlds are likely by all that the others
threw, left and kept, of which another network has learned what it tells of their hands. It needs
Numba and NumPy (``pip install "okey101[sim]"``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from okey101.bots.search import SearchBot
from okey101.game import RuleSet, View

if TYPE_CHECKING:
    from okey101.kernel.deals import Playouts

ROUNDS: Final = 2
"""Own turns until the network is asked."""
STEPS: Final = 24
"""Exchanges of two tiles on the way from one world to the next."""


def knows(rules: RuleSet) -> bool:
    """Whether the networks of the value were trained at such tables."""
    return rules.players == 4 and not rules.teams


class ChampionBot(SearchBot):
    """Weighs ``neural``'s choice and others by playouts that end in a network's forecast.

    The network knows four players, each for himself: at other tables playouts go to the end.
    """

    name = "champion"
    version = 3
    begins = "neural"
    worlds: ClassVar[int] = 400

    def _playouts(self, view: View) -> Playouts:
        from okey101.kernel.deals import Playouts

        rounds = ROUNDS if knows(view.public.rules) else 0
        return Playouts(view, "own", steps=STEPS, rounds=rounds, beliefs=True)
