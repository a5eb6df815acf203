"""The game ``python_okey101`` of OpenSpiel; importing this module registers it.

``pyspiel.load_game("python_okey101(rules=pagat,players=2)")``: ``rules`` names a preset, and
``players`` and ``teams`` are those of the rule set. Four chance nodes draw the bytes of a number,
and that number as a seed deals the table: so the history of a state says all of it, and any of
2**32 deals comes about. What is drawn from the stock later is no further chance. Actions are the
numbers of :mod:`okey101.envs.actions`, and returns minus the points, in teams the team's.

An information state is what a seat sees and all that was done, with the tiles that it drew itself.
``resample_from_infostate`` deals the tiles that a seat doesn't see anew; which of them the others
drew when is not told in such a state.
"""

# pyright: reportMissingImports=false

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, cast

from okey101.errors import needs

with needs("okey101.envs.openspiel", "OpenSpiel", "openspiel"):
    import numpy as np
    import pyspiel

from okey101.envs.actions import N_ACTIONS, meaning
from okey101.envs.episodes import Position, points_of
from okey101.envs.observations import OBSERVATION_SIZE, Observer, pieces_of
from okey101.game.deal import Deal
from okey101.game.determinization import determinize
from okey101.game.ruleset import RuleSet
from okey101.game.transition import apply
from okey101.game.view import view_of

GAME_NAME = "python_okey101"
_BYTES = 4
_LENGTH = 2_000
_UNTOLD = -1
_PARAMETERS: dict[str, Any] = {"rules": "altinstar", "players": 4, "teams": False}
_TYPE = pyspiel.GameType(
    short_name=GAME_NAME,
    long_name="Python Okey 101",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


class OkeyGame(pyspiel.Game):  # type: ignore[misc]  # untyped there
    """Okey 101, a deal long."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = _PARAMETERS | (params or {})
        self.rules = RuleSet.preset(given["rules"]).with_(
            players=int(given["players"]), teams=bool(given["teams"])
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=N_ACTIONS, max_chance_outcomes=256, num_players=self.rules.players,
            min_utility=-100_000.0, max_utility=10_000.0, utility_sum=None, max_game_length=_LENGTH,
        )  # fmt: skip
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> OkeyState:
        """The state before the deal."""
        return OkeyState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> OkeyObserver:
        """What a player sees, as the tensor of :mod:`okey101.envs.observations`.

        With perfect recall also what was done before.
        """
        return OkeyObserver(self.rules, recalls=bool(iig_obs_type and iig_obs_type.perfect_recall))


class OkeyState(pyspiel.State):  # type: ignore[misc]  # untyped there
    """A deal, or the bytes of its number while chance draws them."""

    def __init__(self, game: OkeyGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._drawn: list[int] = []
        self.position: Position | None = None
        """The deal with all its hidden tiles; None before it is dealt."""
        self.past: list[tuple[int, int, int]] = []
        """Who did what by its number, and which tile it drew, as far as that is told."""

    def current_player(self) -> int:
        """The seat to act, or one of OpenSpiel's marks for chance and the end."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        deal = self.position.deal
        return int(pyspiel.PlayerId.TERMINAL) if deal.over else deal.turn

    def _legal_actions(self, player: int) -> list[int]:
        """The legal numbers in ascending order."""
        assert self.position is not None
        return sorted(self.position.legal) if player == self.position.deal.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """A byte of the deal's number, each as likely as any other."""
        return [(byte, 1 / 256) for byte in range(256)]

    def _apply_action(self, action: int) -> None:
        if self.position is not None:
            before = self.position.deal
            deal = apply(before, self.position.legal[action])
            drawn = _UNTOLD if action or deal.drawn is None else int(deal.drawn)
            self.past.append((before.turn, action, drawn))
            self.position = Position(deal)
            return
        self._drawn.append(action)
        if len(self._drawn) == _BYTES:
            number = int.from_bytes(bytes(self._drawn), "big")
            dealer = number % self._rules.players
            self.position = Position(Deal.start(self._rules, seed=number, dealer=dealer))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"byte {action}" if player < 0 else meaning(action)

    def resample_from_infostate(self, player: int, rng: Callable[[], float]) -> OkeyState:
        """A state that the player can't tell from this one, with other hands and another stock."""
        other = cast("OkeyState", self.clone())
        if self.position is not None and not self.position.deal.over:
            view = view_of(self.position.deal, player)
            world = determinize(view, random.Random(int(rng() * 2**53)))
            other.position = Position(world)
            other.past = [
                (seat, number, drawn if seat == player else _UNTOLD)
                for seat, number, drawn in self.past
            ]
        return other

    def is_terminal(self) -> bool:
        """Whether the deal has ended."""
        return self.position is not None and self.position.deal.over

    def returns(self) -> list[float]:
        """Minus the points of each seat, in teams of its team; 0 while the deal runs."""
        if self.position is None or not self.position.deal.over:
            return [0.0] * self._rules.players
        return [-float(points) for points in points_of(self.position.deal)]

    def __str__(self) -> str:
        if self.position is None:
            return f"bytes {self._drawn}"
        deal = self.position.deal
        return deal.text(secrets=True)


class OkeyObserver:
    """What a player sees: ``tensor`` whole, and its pieces by name in ``dict``.

    What it ``recalls`` is a piece of its own, ``past``: for each action its number and the tile
    that the player drew by it, both counted from 1; 0 is none.
    """

    def __init__(self, rules: RuleSet, *, recalls: bool = False) -> None:
        self._observer = Observer(rules)
        self._recalls = recalls
        more = 2 * _LENGTH if recalls else 0
        self.tensor = np.zeros(OBSERVATION_SIZE + more, dtype=np.float32)
        self._seen = self.tensor[:OBSERVATION_SIZE]
        self.dict = pieces_of(self._seen)
        if recalls:
            self.dict["past"] = self.tensor[OBSERVATION_SIZE:].reshape(_LENGTH, 2)

    def set_from(self, state: OkeyState, player: int) -> None:
        """Observe a state; before the deal there is nothing to see."""
        self.tensor.fill(0)
        if state.position is None:
            return
        self._seen[:] = self._observer(view_of(state.position.deal, player))
        if self._recalls:
            for at, (seat, number, drawn) in enumerate(state.past):
                self.dict["past"][at] = number + 1, drawn + 1 if seat == player else 0

    def string_from(self, state: OkeyState, player: int) -> str:
        """The table as a text, as the player sees it."""
        if state.position is None:
            return "before the deal"
        text = view_of(state.position.deal, player).text()
        if not self._recalls:
            return text
        told = (
            f"{seat}:{number}:{drawn}" if seat == player and drawn >= 0 else f"{seat}:{number}"
            for seat, number, drawn in state.past
        )
        return f"{text}\n{' '.join(told)}"


pyspiel.register_game(_TYPE, OkeyGame)
