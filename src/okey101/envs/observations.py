"""What a seat sees, as named pieces of one flat array of 32-bit floats.

It is made from a :class:`okey101.game.View`, which holds no hidden tile. Seats are counted from
one's own: place 0 is oneself, place 1 plays next; places that nobody has are 0. Tiles have their
codes (52 a false joker, 53 an okey), kinds are 0 to 51. The order of what was played is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from okey101.game.deal_parts import Opened, Phase
from okey101.game.openings import needed_pairs, needed_points
from okey101.game.ruleset import RuleSet
from okey101.game.view import View
from okey101.kernel import envs as E
from okey101.kernel.conversion import rules_vector
from okey101.kernel.envs import PIECE_AT, PIECES, WIDTH
from okey101.melds import ANY, AS, Form, Group
from okey101.tiles import PackedRack, TileCode, bits_of_tiles

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

_QUADS: Final = np.array(
    [[byte >> shift & 3 for shift in (0, 2, 4, 6)] for byte in range(256)], dtype=np.float32
)
_BYTES: Final = 14
_PHASES: Final = {
    Phase.DRAW: 0, Phase.MUST_DRAW: 1, Phase.PLAY: 2, Phase.LAST_DISCARD: 3,
    Phase.LAST_INDICATOR: 4,
}  # fmt: skip


def bounds() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and the greatest value of each number of an observation."""
    low = np.zeros(WIDTH, dtype=np.float32)
    high = np.zeros(WIDTH, dtype=np.float32)
    for piece in OBSERVATION_PIECES.values():
        end = piece.at + int(np.prod(piece.shape))
        low[piece.at : end], high[piece.at : end] = piece.low, piece.high
    return low, high


def pieces_of(observation: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """The pieces of an observation by name, in their shapes; they are views of it.

    A batch ``float32[..., OBSERVATION_SIZE]`` gives batches of pieces.
    """
    before = observation.shape[:-1]
    return {
        piece.name: observation[..., piece.at : piece.at + int(np.prod(piece.shape))].reshape(
            before + piece.shape
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
    """Makes observations of deals under one rule set.

    What lies on the table is kept from one call to the next, as it changes seldom.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._blank = np.zeros(WIDTH, dtype=np.float32)
        self._blank[E.AT_RULES :] = scaled_rules(rules)
        self._table: tuple[Group, ...] | None = None
        self._of_table = np.zeros(0, dtype=np.float32)

    def __call__(self, view: View) -> NDArray[np.float32]:
        """What the seat of a view sees; of a spectator's view ValueError."""
        seat, hand = view.seat, view.hand
        if seat is None or hand is None:
            raise ValueError("a spectator has no seat to observe from")
        public = view.public
        setup = public.setup
        players = len(public.sizes)
        out = self._blank.copy()
        if setup.okey is not None:
            out[E.AT_OKEY + setup.okey] = 1
        if public.taken is not None:
            out[E.AT_TAKEN + public.taken] = 1
        order = [(seat + place) % players for place in range(players)]
        last = public.discards[order[-1]]
        if last:
            out[E.AT_OFFER + last[-1]] = 1
        piles = [_pile_bits(public.discards[other]) for other in order]
        nobody = [0] * (4 - players)
        known = [public.known[other] for other in order]
        counts = _counts([hand, *piles, *nobody, *known, *nobody])
        out[E.AT_HAND : E.AT_HAND + 54] = counts[0]
        out[E.AT_DISCARDS : E.AT_DISCARDS + 432] = counts[1:].ravel()
        if public.table is not self._table:
            self._table, self._of_table = public.table, _of_table(public.table)
        out[E.AT_TABLE : E.AT_TABLE + len(self._of_table)] = self._of_table
        if public.phase is not Phase.OVER:
            out[E.AT_PHASE + _PHASES[public.phase]] = 1
        out[E.AT_TURN + (public.turn - seat) % players] = 1
        fines = [0] * players
        for fine in public.result.fines if public.result else public.fines:
            fines[fine.seat] += fine.points
        numbers: list[float] = []
        for other in order:
            opened = public.opened[other]
            numbers += (
                1,
                public.sizes[other] / 22,
                opened is Opened.MELDS,
                opened is Opened.PAIRS,
                min(fines[other], 1010) / 101,
                setup.dealer == other,
                public.announced == other,
            )
        numbers += [0] * (7 * (4 - players))
        numbers += (
            public.stock_count / 64,
            min(public.turns, 128) / 64,
            public.must_finish,
            public.new_opening,
            needed_points(public) / 101,
            needed_pairs(public) / 5,
        )
        out[E.AT_SEATS : E.AT_SEATS + 34] = numbers
        return out


def _counts(racks: list[PackedRack]) -> NDArray[np.float32]:
    """How many of each tile so many packed racks hold: float32[len(racks), 54]."""
    packed = b"".join([rack.to_bytes(_BYTES, "little") for rack in racks])
    quads = _QUADS[np.frombuffer(packed, dtype=np.uint8)]
    return quads.reshape(len(racks), 4 * _BYTES)[:, :54]


@lru_cache(maxsize=1 << 12)
def _pile_bits(pile: tuple[TileCode, ...]) -> PackedRack:
    return bits_of_tiles(pile)


def _of_table(table: tuple[Group, ...]) -> NDArray[np.float32]:
    """The pieces ``table`` to ``okeys_as``, which follow each other."""
    out = np.zeros(54 + 4 * 52, dtype=np.float32)
    out[:54] = _counts([sum(group.bits for group in table)])[0]
    runs_from, runs_to, sets_take, okeys_as = out[54:].reshape(4, 52)
    for group in table:
        if group.form is Form.RUN:
            base = 13 * group.colour - 1
            runs_from[base + group.low] += 1
            runs_to[base + group.high] += 1
        elif group.form is Form.SET:
            for colour in range(4):
                kind = 13 * colour + group.low - 1
                sets_take[kind] += group.accepts >> kind & 1
        for piece in group.pieces:
            if AS <= piece < ANY:
                okeys_as[piece - AS] += 1
    return out
