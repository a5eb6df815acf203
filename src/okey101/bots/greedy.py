"""The bot ``greedy``: it plays for the next moment alone, but plays it exactly.

What it chooses is written once, for plain Python and for the kernel
(:mod:`okey101.kernel.greedy`); here is the seat's turn as that reads it.
"""

from __future__ import annotations

from functools import lru_cache

from okey101.game import Action, Meld, Options, View
from okey101.kernel import greedy, layout as L, room as R, weighing
from okey101.kernel.asked import Asked, lay_all, left_tiles
from okey101.kernel.codes import action_told, masks_of_bits, open_row, rule_numbers
from okey101.kernel.groups import taken_waits
from okey101.kernel.plain import Best, Row, Tables
from okey101.tiles import KINDS, OKEY, natural_bits, natural_kind


class Turn:
    """What the seat to act sees, as rules, row, hand and words, with room to work in."""

    def __init__(self, view: View, options: Options | None = None) -> None:
        public = view.public
        self.options = options or Options(view)
        self.rules = [*rule_numbers(public.rules)]
        self.row = open_row(public)
        self.one, self.two = masks_of_bits(view.hand or 0)
        self.row[L.HANDS + 2 * public.turn : L.HANDS + 2 * public.turn + 2] = self.one, self.two
        self.words = [0] * R.WORDS
        self.tables = Asked(self.options), [0] * R.PLAIN

    def action(self, code: int) -> Action:
        """The action that a choice tells, as :mod:`okey101.kernel.greedy` has it."""
        return action_told(code, self.words, self.options)

    def lay(self) -> int:
        """What ``greedy`` would put down after its opening, -1 for nothing."""
        return greedy.lay_more(self.tables, self.rules, self.row, self.one, self.two, self.words)

    def opening_to_finish(self) -> Meld | None:
        """An opening after which all the rest but one tile can be laid off; None for none.

        Under E4 and in an ordinary turn alike; a taken discard is among the groups (U2).
        """
        self.words[R.COUNT] = greedy.opening_to_finish(
            self.tables, self.rules, self.row, self.one, self.two, self.words
        )
        found = self.action(L.A_MELD) if self.words[R.COUNT] else None
        return found if isinstance(found, Meld) else None

    def can_finish(self) -> bool:
        """Whether all tiles but one can go down in this turn, swaps left aside."""
        if not self.row[L.OPENED + self.row[L.TURN]]:
            return self.opening_to_finish() is not None
        must = self.row[L.TAKEN] if taken_waits(self.row) else -1
        return self.ends(self.one, self.two, must)

    def ends(self, one: int, two: int, must: int = -1) -> bool:
        """Whether all tiles of a hand but one can be laid; unopened as if with melds."""
        greedy.look(self.tables, self.rules, self.row, one, two, must)
        return lay_all(self.tables) >= 0

    def spares_partner(self) -> bool:
        """Whether the seat had better not finish, if it could (G1, E3, X9)."""
        return weighing.spares_partner(self.rules, self.row)

    def loose(self) -> tuple[int, int]:
        """The tiles outside the best arrangement, as masks: of pairs where these are nearer."""
        return greedy.loose_tiles(*self._left())

    def useless(self) -> int:
        """The highest tile of several that costs no fine and is of no use."""
        return greedy.throw_useless(*self._left())

    def _left(self) -> tuple[Tables, Row, Row, int, int, Best]:
        best = left_tiles(self.tables, self.one, self.two, self.row[L.OKEY_KIND])
        return self.tables, self.rules, self.row, self.one, self.two, best


class GreedyBot:
    """Plays for the next moment alone, but plays it exactly; it has no randomness."""

    name = "greedy"

    def __init__(self, seed: int = 0) -> None:
        pass

    def choose(self, view: View, options: Options) -> Action:
        """Finish, open, lay down, put back or throw: the first that can be done."""
        turn = Turn(view, options)
        return turn.action(greedy.greedy_choice(turn.tables, turn.rules, turn.row, turn.words))


# What a loose tile is good for: the melds it could still become part of.


def number_of(tile: int, okey: int | None) -> int:
    """The number of a tile that is no okey; 0 for an okey."""
    return 0 if tile == OKEY else natural_kind(tile, okey) % 13 + 1


def near_melds(tile: int, loose: int, unseen: int, okey: int | None) -> int:
    """How many unseen tiles would make a meld of this loose tile and another loose one.

    ``loose`` (this tile among them) and ``unseen`` are packed racks; okeys aren't counted.
    """
    kind = natural_kind(tile, okey)
    if kind >= KINDS:
        return 0
    one, two = _masks(unseen, okey)
    return weighing.near(kind, _masks(loose, okey)[0], ~one, ~two)


@lru_cache(maxsize=64)
def _masks(bits: int, okey: int | None) -> tuple[int, int]:
    return masks_of_bits(natural_bits(bits, okey))
