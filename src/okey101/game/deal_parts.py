"""The values that the open side of a deal is made of: phases, fines, scores, what was put down."""

from __future__ import annotations

from typing import NamedTuple

from okey101.errors import Word
from okey101.game.ruleset import RuleSet
from okey101.melds import Group
from okey101.tiles import Kind, TileCode


class Phase(Word):
    """What the seat whose turn it is has to do.

    >>> from okey101 import Deal
    >>> deal = Deal.start("pagat", seed=7)
    >>> deal.phase, deal.phase == "play"
    (<Phase.PLAY: 'play'>, True)
    """

    DRAW = "draw"
    """Draw from the stock or take the discard (U1)."""
    MUST_DRAW = "must-draw"
    """Draw from the stock, having put the discard back (R1)."""
    PLAY = "play"
    """Meld, lay off, and end the turn with a discard."""
    LAST_DISCARD = "last-discard"
    """Take the last discard or pass (E2)."""
    LAST_INDICATOR = "last-indicator"
    """Draw the indicator to finish, or pass (E4)."""
    OVER = "over"
    """The deal has ended."""


class Opened(Word):
    """The two ways to open, which don't mix (M5).

    >>> Opened("melds"), list(Opened)
    (<Opened.MELDS: 'melds'>, [<Opened.MELDS: 'melds'>, <Opened.PAIRS: 'pairs'>])
    """

    MELDS = "melds"
    PAIRS = "pairs"


class End(Word):
    """How a deal ended.

    >>> [str(end) for end in End]
    ['finish', 'stock', 'all-pairs']
    """

    FINISH = "finish"
    STOCK = "stock"
    ALL_PAIRS = "all-pairs"


class Fine(NamedTuple):
    """A fine charged to a seat; ``rule`` is P1 to P5, U7 or X4 (R10).

    >>> Fine(seat=2, rule="P1", points=101)
    Fine(seat=2, rule='P1', points=101)
    """

    seat: int
    rule: str
    points: int


class Score(NamedTuple):
    """How one seat's score of a deal came about (section 8).

    ``total`` is ``base`` times the product of the factors, plus ``fines``. The factors name what
    doubles: ``okey``, ``pairs``, ``whole-hand``, ``riziko`` and ``own-pairs``.

    >>> Score(seat=0, base=30, factors=("pairs",), fines=101, total=161).total
    161
    """

    seat: int
    base: int
    factors: tuple[str, ...]
    fines: int
    total: int


class Result(NamedTuple):
    """The end of a deal: who won (None: nobody), every seat's score, and all fines that stand.

    >>> from okey101 import play_deal
    >>> result = play_deal("pagat", ["greedy"] * 4, seed=7).result
    >>> str(result.end), result.winner, result.scores
    ('finish', 0, (-101, 26, 202, 202))
    """

    end: End
    winner: int | None
    scores: tuple[int, ...]
    fines: tuple[Fine, ...]
    sheet: tuple[Score, ...]
    counts: bool
    """Whether the deal counts toward the agreed number, or is dealt again (O7, E3)."""


class Placed(NamedTuple):
    """One tile put down in the running turn, outside an opening, for taking back (U5)."""

    tile: TileCode
    at: int
    """The index of the group on the table, from 0."""
    before: Group
    """The group the tile came to; for a tile of a new group, that group whole."""
    nth: int
    """Its place in a new group, -1 for a lay-off or a swap."""
    swapped: bool = False
    """Whether an okey came to the hand in its place (X2)."""

    def restored(self) -> Group | None:
        """What is left of a new group before this tile, not its first; None if no legal group."""
        return self.before.shortened(self.nth)


class Setup(NamedTuple):
    """What is known and fixed from the deal on."""

    rules: RuleSet
    dealer: int
    starter: int
    indicator: TileCode
    okey: Kind | None
    """The okey's kind; None in a riziko deal (D8)."""
    dice: tuple[int, ...]
