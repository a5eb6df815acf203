"""What each choice of a position is worth, from what its seat sees alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final, NamedTuple

from okey101.bots.base import decision_rng
from okey101.bots.registry import make_bot
from okey101.bots.search import better_choices
from okey101.bots.steady import SteadyBot
from okey101.errors import OkeyError, checked, whole_number
from okey101.game.actions import Action, Discard, Swap, parse_action
from okey101.game.legality import rule_on
from okey101.game.options import Options
from okey101.game.view import View
from okey101.review.balance import Spread
from okey101.review.weighing import playouts, weigh

_MOST: Final = 24
"""So many choices are weighed: late in a deal there may be dozens of ways to lay off.

All discards that look best are among them, and swaps come before other ways to lay something down.
"""


class Weighed(NamedTuple):
    """One choice: its points, and how much more it costs than the best found.

    Both are priced on worlds that had no hand in choosing the best. ``behind`` is paired: its
    interval is narrower than those of the points, for the worlds are the same.
    """

    action: Action
    points: Spread
    behind: Spread


class Analysis(NamedTuple):
    """The choices of a position, those that look best first; points are low for good.

    ``best`` was chosen on the first half of the worlds, all figures come from the second: so its
    cost is as likely over- as underrated, and another choice may come out ahead of it by chance.
    """

    choices: tuple[Weighed, ...]
    best: Action
    policy: str
    worlds: int
    seed: int

    def of(self, action: Action | str) -> Weighed:
        """What a choice, or its notation, is worth; OkeyError ``not-weighed`` for one that was not.

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

    Every choice is played out in the same ``worlds``, which are drawn from what the view shows and
    in which everybody goes on as ``policy``, each on its own tiles alone. What is worthwhile: the
    seven discards that look best, all that is no discard (of more than 17 such choices those that
    come first, swaps before others), and ``also``, which are actions or their notation. The answer
    follows from view, worlds, seed and policy: it is the same on any machine.

    OkeyError ``not-to-act`` where it isn't the seat's turn, ``bad-worlds`` and ``unknown-policy``;
    ``kernel-cold`` on an event loop; ``wrong-type`` for what is no view and no whole number;
    IllegalAction or NotationError for what ``also`` has and the seat can't do. Raises
    ModuleNotFoundError, which begins with ``missing-extra``, without the extra ``sim``.
    """
    for name, value in (("worlds", worlds), ("seed", seed)):
        whole_number(value, name, -sys.maxsize, sys.maxsize)
    if not checked(view, View).to_act:
        raise OkeyError("not-to-act", "only the seat to act has choices", seat=view.seat)
    hand = view.hand or 0
    asked = (parse_action(one) if isinstance(one, str) else one for one in also)
    legal = tuple(rule_on(view.public, hand, action).action for action in asked)
    player = playouts(view, policy)
    choices = candidates(view, legal, policy)
    prices = weigh(player, view, choices, worlds, world_seed(seed, view), every=True)
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
