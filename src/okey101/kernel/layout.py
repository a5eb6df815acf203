"""Where everything of a deal lies in its row of 64-bit integers, and what the numbers mean.

One deal is one row, ``int64[SIZE]``; a batch is ``int64[B, SIZE]``. The names in capitals are
offsets into the row, plain integers, which the compiler folds into the code. This module needs
neither Numba nor NumPy.

**Tiles** have the codes of :mod:`okey101.tiles`: 0 to 51 the numbered kinds, 52 a false joker, 53
an okey. **A rack** is two masks, ``ONE`` and ``TWO``: bit ``t`` of the first says that the rack
holds tile ``t``, of the second that it holds both copies.

**A group** of the table is one word. Its lowest two bits are the form (:data:`RUN`, :data:`SET`,
:data:`PAIR`, :data:`ODD`), and the rest says all that its pieces in normal order say:

===== ========================================================================================
form  bits
===== ========================================================================================
RUN   2-3 colour, 4-7 lowest number, 8-11 highest number, 12-15 and 16-19 the numbers at which
      its okeys lie, the lower first, 0 for none
SET   2-5 number, 6-9 mask of the colours of natural tiles, 10-13 mask of the colours that okeys
      are named for, 14-15 okeys without a colour
PAIR  2-7 kind, 8-9 its okeys (0 to 2), 10 whether they are without a colour (two okeys alone)
ODD   2-7 the indicator's twin, 8-13 the tile paired with it (O6)
===== ========================================================================================

A false joker is the natural tile of the okey's kind, so kinds say everything. On the table bits
24-25 are the owner's seat (:data:`OWNER_SHIFT`); in actions these bits are 0.

**An action** is one integer that means the same in every deal: its lowest four bits are the
operation, and the rest what it is done with:

========= ==================================================================================
operation rest
========= ==================================================================================
A_DRAW, A_TAKE, A_RETURN, A_ANNOUNCE, A_PASS, A_INDICATOR: nothing
A_DISCARD bits 4-9 the tile
A_MELD    bits 4-27 the group's word; bit 28 says that the next action belongs to the same meld
A_LAY     bits 4-9 the tile, bits 10-15 the group's place on the table from 0; for an okey
          bits 16-21 the kind it stands for, or with bit 22 any kind of that one's number: an okey
          that joins a set names no colour, and the kind is the red one
A_SWAP    bits 4-9 the tile, bits 10-15 the group's place
A_BACK    bits 4-10 the number of tiles
A_OPEN    the opening with sets and runs that the options name (O1, O4, E4)
A_PAIRS   the opening with pairs that the options name (O2, O6)
========= ==================================================================================
"""

from __future__ import annotations

from typing import Final

NO_TILE: Final = -1

# Phases, as okey101.game.deal_parts.Phase has them.
P_DRAW, P_MUST_DRAW, P_PLAY, P_LAST_DISCARD, P_LAST_INDICATOR, P_OVER = range(6)

# Ways to open; 0 is a seat that has not opened.
MELDS: Final = 1
PAIRS: Final = 2

# Ends of a deal; 0 while it runs.
END_NONE, END_FINISH, END_STOCK, END_ALL_PAIRS = range(4)

# Forms of a group's word.
RUN, SET, PAIR, ODD = range(4)
WORD: Final = (1 << 24) - 1
"""Mask of a group's word without its owner."""
OWNER_SHIFT: Final = 24

# Operations of an action.
OP: Final = 15
"""Mask of an action's operation."""
A_DRAW, A_TAKE, A_RETURN, A_ANNOUNCE, A_PASS, A_INDICATOR, A_DISCARD = range(7)
A_MELD, A_LAY, A_SWAP, A_BACK, A_OPEN, A_PAIRS = range(7, 13)
MORE: Final = 1 << 28
"""In an action A_MELD: the next one is part of the same meld."""

MAX_GROUPS: Final = 53
MAX_PLACED: Final = 212
MAX_FINES: Final = 128
PILE_WORDS: Final = 14
"""Words of a pile of tiles: eight tiles a word, eight bits a tile, the first in the lowest."""

# What is fixed from the deal on.
PLAYERS: Final = 0
DEALER: Final = 1
STARTER: Final = 2
INDICATOR: Final = 3
OKEY_KIND: Final = 4
"""The okey's kind; -1 in a riziko deal (D8)."""
STOCK_LEN: Final = 5
"""Tiles in the stock as dealt; the next to be drawn is number ``STOCK_LEN - STOCK_COUNT``."""

# The course of the deal.
PHASE: Final = 6
TURN: Final = 7
TURNS: Final = 8
"""Turns ended by a discard so far."""
STOCK_COUNT: Final = 9
"""Tiles still in the stock."""
TAKEN: Final = 10
"""The discard taken this turn, -1 for none (U2)."""
DRAWN: Final = 11
"""The tile drawn this turn, -1 for none."""
BACKS: Final = 12
"""Tiles taken back this turn in a row; from two on they stand until its end (R18)."""
NEW_OPENING: Final = 13
"""1 if the seat to act opened in this turn."""
MUST_FINISH: Final = 14
"""1 if the seat to act drew the indicator (E4)."""
ANNOUNCED: Final = 15
"""The seat that announced the indicator's twin, -1 for none (O6)."""
HIGH_POINTS: Final = 16
HIGH_PAIRS: Final = 17
PLAYABLE: Final = 18
"""Mask of the kinds that fit a set or run on the table (P2)."""
N_GROUPS: Final = 19
N_PLACED: Final = 20
N_FINES: Final = 21
N_ACTIONS: Final = 22
"""Actions played so far; a meld of several groups is one."""
END: Final = 23
WINNER: Final = 24
"""The seat that finished, -1 for none."""
COUNTS: Final = 25
"""1 if the ended deal counts toward the agreed number (O7, E3)."""
FACTORS: Final = 26
"""The finish: 1 okey, 2 pairs, 4 whole hand, 8 riziko, added up."""
NOTED: Final = 27
"""Entries written to the log of this deal, where one is kept."""

RANDOM: Final = 28
"""The state of the generator that random play draws from."""

DICE: Final = 29
"""The throws of the die (D6): their number in the lowest five bits, then three bits each."""
MAX_THROWS: Final = 19

# By seat.
HANDS: Final = 32
"""``HANDS + 2 * seat`` is ONE, the next word TWO."""
KNOWN: Final = 40
"""Tiles that the hand is known to hold, as two masks like HANDS (R3)."""
SIZES: Final = 48
OPENED: Final = 52
FINES: Final = 56
"""Sum of the fines so far, those for kept okeys included once the deal is over."""
SCORES: Final = 60
PILES: Final = 64
"""Tiles in each seat's pile of discards."""
THROWN: Final = 68
"""Masks ONE and TWO of all tiles that lie open: on the table and in the piles."""

STOCK: Final = 72
"""The stock as dealt, packed like a pile, next tile first."""
DISCARDS: Final = STOCK + PILE_WORDS
"""Each seat's discards, ``PILE_WORDS`` words a seat, oldest first."""
TABLE: Final = DISCARDS + 4 * PILE_WORDS
"""A word for each group, in the order laid."""
PLACED: Final = TABLE + MAX_GROUPS
"""Tiles put down this turn outside an opening (U5), a word each: bits 0-5 the tile, 6-11 the
group's place, 12-35 the group's word before (of a new group: the group whole), 36-40 its place in
a new group plus 1 (0 for a lay-off or a swap), 41 whether an okey came to the hand instead (X2)."""
FINE_LIST: Final = PLACED + MAX_PLACED
"""A word for each fine: bits 0-1 the seat, 2-4 the rule (1 to 5 for P1 to P5, 6 U7, 7 X4), 5- the
points. At most ``MAX_FINES`` are listed; ``FINES`` has the sums of all."""
SIZE: Final = FINE_LIST + MAX_FINES
"""Words of a row."""

# The rule set as a vector, ``int64[R_SIZE]``: a number as it is, a choice between yes and no as 1
# or 0, a choice of words as the place of the word among the field's options.
(
    R_PLAYERS, R_TEAMS, R_STARTER, R_FALSE_JOKER_INDICATOR, R_RIZIKO_LOSERS, R_OPEN_POINTS,
    R_OPEN_PAIRS, R_WHOLE_HAND_OPENS, R_SHORT_OPENING, R_SHORT_OPENING_FINE, R_INDICATOR_PAIRS,
    R_ALL_PAIRS, R_RETURN_DISCARD, R_PAIRS_DISCARD_PROTECTED, R_TAKEN_DISCARD_FINE,
    R_TAKEN_TO_OPEN_FINE, R_TEAM_TAKEN_TO_OPEN_FINE, R_LAST_DISCARD_TAKEABLE, R_EMPTY_STOCK,
    R_STOCK_PAIRS_DOUBLED, R_INDICATOR_IS_LAST_TILE, R_OKEY_IN_HAND, R_OKEY_IN_HAND_FINE,
    R_UNOPENED_PAIRS_OKEY, R_OKEY_DISCARD_FINE, R_PLAYABLE_DISCARD_FINE, R_TAKE_BACK_FINE, R_RISING,
    R_PARTNER_OPENS, R_MELDS_LAY_PAIRS, R_PAIRS_LAY_OFF, R_LAY_OFF_WHEN_OPENING, R_RECLAIM_OKEY,
    R_PARTNER_WAIVED,
) = range(34)  # fmt: skip
R_SIZE: Final = 34
