"""The bot ``champion``: it searches as ``search`` does, with what networks have learned.

It begins with ``neural``'s choice, and plays others out beside it in the same worlds, but not to
the end of the deal: at the seat's next turn but one a network foretells from what the seat holds
there what the deal will come to. That network was trained on what came of millions of playouts,
and so is much less a matter of luck than a single end. It needs Numba and NumPy (``pip install
"okey101[sim]"``).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

from okey101.bots.base import Bot
from okey101.bots.neural import Network, NeuralBot, NeuralInputs
from okey101.bots.search import STEPS, SearchBot
from okey101.game import Discard, Options, RuleSet, View
from okey101.weights.neural import NET, values_of

if TYPE_CHECKING:
    from okey101.kernel.playouts import Playouts

_ROUNDS: Final = 2
"""Own turns until the network is asked."""
_SCALE: Final = 20
_HALF: Final = 1 << _SCALE - 1


class ChampionBot(SearchBot):
    """Weighs ``neural``'s choice and others by playouts that end in a network's forecast.

    The network knows four players, each for himself: at other tables playouts go to the end.
    """

    name = "champion"
    version = 2
    worlds: ClassVar[int] = 400

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._base: Bot = NeuralBot(seed)

    def _playouts(self, view: View) -> Playouts:
        from okey101.kernel.playouts import Playouts

        rules = view.public.rules
        known = rules.players == 4 and not rules.teams
        return Playouts(view, "own", steps=STEPS, rounds=_ROUNDS if known else 0)


def foretold_points(view: View, options: Options) -> int | None:
    """What the seat to act will have in the end, as the network foretells it; low is good.

    None where it has one thing to do, and no choice. Of what it may do, what ``greedy`` would lay
    down and the discard that costs ``master`` least are looked at. Its fines so far are counted.
    The kernel's twin is ``okey101.kernel.seats.play_to_value``.
    """
    inputs = NeuralBot().weighed(view, options)
    if not isinstance(inputs, NeuralInputs):
        return None
    public = view.public
    most = 1 if isinstance(inputs.choices[0].action, Discard) else 2
    net, begin = _values(public.rules)[public.opened[public.turn] is not None]
    costs = net.costs(inputs.position, (choice.inputs for choice in inputs.choices[:most]))
    fines = sum(fine.points for fine in public.fines if fine.seat == public.turn)
    return begin + (min(costs) + _HALF >> _SCALE) + fines


@lru_cache(16)
def _values(rules: RuleSet) -> tuple[tuple[Network, int], tuple[Network, int]]:
    """The networks of the value and what they count from: before the opening, and after it."""
    found = values_of(rules)
    return (Network(found[:NET]), found[-2]), (Network(found[NET : 2 * NET]), found[-1])
