"""What a seat sees, as named pieces of one flat array of 32-bit floats.

It is made from a :class:`okey101.game.View`, which holds no hidden tile. Seats are counted from
one's own: place 0 is oneself, place 1 plays next; places that nobody has are 0. Tiles have their
codes (52 a false joker, 53 an okey), kinds are 0 to 51. The order of what was played is left out.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from okey101.errors import OkeyError, checked, exactly
from okey101.game.ruleset import RuleSet, rules_of
from okey101.game.view import View
from okey101.kernel import envs as E, layout as L
from okey101.kernel.codes import masks_of_bits, public_row, rule_numbers
from okey101.kernel.conversion import rules_vector
from okey101.kernel.envs import PIECE_AT, PIECES, WIDTH
from okey101.kernel.plain import Row

OBSERVATION_SIZE: Final = WIDTH
"""Numbers in an observation, whatever the rules."""


class Piece(NamedTuple):
    """A piece of an observation: where it begins, its shape, its range, and what it tells."""

    name: str
    at: int
    shape: tuple[int, ...]
    low: float
    high: float
    meaning: str


_MEANINGS: dict[str, tuple[float, str]] = {
    "hand": (2, "own tiles, how many of each"),
    "okey": (1, "the okey's kind; all 0 in a riziko deal (D8)"),
    "taken": (1, "the discard that was taken in this turn (U2)"),
    "offer": (1, "the last discard of the seat before one's own"),
    "discards": (2, "by seat: the tiles that lie in its pile"),
    "known": (2, "by seat: tiles that its hand is known to hold, one's own as others see it (R3)"),
    "table": (2, "the tiles of all groups on the table"),
    "runs_from": (4, "runs whose lowest tile stands for the kind"),
    "runs_to": (4, "runs whose highest tile stands for the kind"),
    "sets_take": (4, "sets of three that the kind may join (M4)"),
    "okeys_as": (2, "okeys on the table that stand for the kind beyond doubt (X2)"),
    "phase": (1, "draw, must draw, play, last discard, last indicator; all 0 once it is over"),
    "turn": (1, "by seat: whether it is its turn"),
    "seats": (
        10,
        (
            "by seat: 1 if there is one, tiles / 22, opened with melds, opened with pairs, "
            "fines / 101 (10 at most), dealer, has announced the twin (O6)"
        ),
    ),
    "course": (
        10,
        (
            "stock / 64, turns / 64 (2 at most), whether the indicator was drawn (E4), whether the "
            "seat to act opened in this turn, points it needs to open / 101, pairs it needs / 5"
        ),
    ),
    "rules": (
        1,
        (
            "the fields of the rule set in their order: a number by its range, yes 1, a word by "
            "its place among the options"
        ),
    ),
}  # fmt: skip
OBSERVATION_PIECES: Final[Mapping[str, Piece]] = MappingProxyType(
    {
        name: Piece(name, PIECE_AT[name], shape, 0, *_MEANINGS[name])
        for name, shape in PIECES.items()
    }
)
"""All pieces by name, in the order in which they lie in the array."""


def bounds() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and the greatest value of each number of an observation."""
    low = np.zeros(WIDTH, dtype=np.float32)
    high = np.zeros(WIDTH, dtype=np.float32)
    for piece in OBSERVATION_PIECES.values():
        end = piece.at + int(np.prod(piece.shape))
        low[piece.at : end], high[piece.at : end] = piece.low, piece.high
    return low, high


def seat_space() -> Any:
    """The space of what a seat sees and may do, for Gymnasium and PettingZoo."""
    from gymnasium.spaces import Box, Dict

    seen, mask = Box(*bounds(), dtype=np.float32), Box(0, 1, (E.NUMBERS,), dtype=np.int8)
    return Dict({"observation": seen, "action_mask": mask})


def pieces_of(observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """The pieces of an observation by name, in their shapes; they are views of it.

    A batch ``float32[..., OBSERVATION_SIZE]`` gives batches of pieces. OkeyError ``wrong-type``
    for what is no array, ``wrong-count`` for one of another size.
    """
    *before, size = checked(observation, np.ndarray, "array").shape or (1,)
    exactly(WIDTH, range(size), "numbers")
    return {
        piece.name: observation[..., piece.at : piece.at + int(np.prod(piece.shape))].reshape(
            (*before, *piece.shape)
        )
        for piece in OBSERVATION_PIECES.values()
    }


@lru_cache(maxsize=64)
def scaled_rules(rules: RuleSet) -> NDArray[np.float32]:
    """The piece ``rules``: each field from 0 for its least to 1 for its greatest value."""
    found = rules_vector(rules).astype(np.float32)
    for place, f in enumerate(fields(RuleSet)):
        low, high = f.metadata.get("low"), f.metadata.get("high")
        if low is None or high is None:
            options = f.metadata["options"]
            low, high = 0, len(options) - 1
            found[place] = options.index(getattr(rules, f.name))
        found[place] = (found[place] - low) / (high - low)
    found.flags.writeable = False
    return found


class Observer:
    """Makes observations of deals under one rule set."""

    def __init__(self, rules: RuleSet | str) -> None:
        rules = rules_of(rules)
        self._rules = [*rule_numbers(rules)]
        self._blank = array("f", [0] * WIDTH)
        self._blank[E.AT_RULES :] = array("f", scaled_rules(rules))

    def __call__(self, view: View) -> NDArray[np.float32]:
        """What the seat of a view sees; OkeyError ``bad-seat`` for a spectator's view."""
        checked(view, View)
        if view.seat is None or view.hand is None:
            message = "a spectator has no seat to observe from"
            raise OkeyError("bad-seat", message, seat=view.seat)
        out, row, at = self._blank[:], public_row(view.public), L.HANDS + 2 * view.seat
        row[at : at + 2] = masks_of_bits(view.hand)
        E.see(self._rules, row, view.seat, cast("Row", out))
        return np.frombuffer(out, dtype=np.float32)
