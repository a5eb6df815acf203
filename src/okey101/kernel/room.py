"""Where everything lies in the arrays that the kernel works in: one map of all of them.

**The room**, one to a thread, comes with the solver's tables (``tables[1]``). Whoever asks writes
into it, and what is asked writes elsewhere in it, so that each has a region of its own: none begins
before the one above it ends. Searches write on the way; what they hand over is said here.

**Words** (``int64[WORDS]``) are what a bot tells of its choice, **openings** (``int64[WORDS]``)
what comes with a list of legal actions, the **desk** (``int64[DESK]``) what the networks of
``neural`` are told.

Plain Python needs the first :data:`PLAIN` words of the room alone. This module needs neither Numba
nor NumPy.
"""

from __future__ import annotations

from typing import Final

from okey101.tiles import OKEY
from okey101.weights import neural as N

MOST_TILES: Final = 22
"""Tiles of the largest hand, a drawn one included."""
_MOST_GROUPS: Final = 53
"""Groups of the fullest table, as :data:`okey101.kernel.layout.MAX_GROUPS`."""
_NEW_GROUPS: Final = 11
"""The most that a hand could lay anew: pairs."""

# What each discard of ``master`` is weighed by.
UNSEEN: Final = 0
"""Unseen tiles by kind, and at OKEY the okeys among them."""
ALL: Final = UNSEEN + OKEY + 1
"""All of them, 1 at least."""
NOTE: Final = 14
"""Words of a note."""
N_TILE, N_COST, N_VALUE, N_OUTS, N_GAIN, N_NEARLY, N_FARTHER, N_MELDED = range(8)
N_NEAR, N_FED, N_LACKING, N_PAIR_OUTS, N_FINE, N_DONE = range(8, NOTE)
NOTES: Final = ALL + 1
"""A note of each tile that is weighed."""
POOR: Final = NOTES + NOTE * MOST_TILES
"""The notes of those that do not open the hand."""
BATCH: Final = POOR + MOST_TILES
"""What ``values_without`` is asked for: of each tile its code, and the value that it hands over."""
CHOICES_AT: Final = BATCH + 2 * MOST_TILES
"""The notes of the choices that ``neural`` is told of."""
VALUES: Final = CHOICES_AT + N.CHOICES
"""What each of them is worth with some tiles more."""
# The solver of sets and runs.
STEP: Final = 16
"""Words of a level and of a state of its search."""
LEVELS: Final = VALUES + N.CHOICES
"""By number that has sets: its options, and what the levels below can weigh."""
PLAIN: Final = LEVELS
"""Where that ends which plain Python needs."""
V_NUMBER, V_FIRST, V_END, V_BELOW, _, _, V_WEIGH, V_REACH, _, _, V_POWERS = range(11)
"""Of a level: its number, from where to where its options lie, what the levels below can add with
no, one and two okeys, what a tile weighs, what it and those below can add, and what a tile is in
the index of each colour's runs."""
STATES: Final = LEVELS + 13 * STEP
S_WEIGHT, S_RUNS, _, _, S_INDEX, _, _, _, S_OKEYS, S_NEXT, S_TAKEN = range(11)
"""Of a state: the weight of its sets, what the runs of what is left come to with no, one and two
okeys, their indices by colour, okeys left, the next option and the one taken."""
CHOSEN: Final = STATES + 14 * STEP
"""Handed over: the set option chosen for each number from 1 to 13, or -1."""

# The groups of an arrangement.
GROUPS: Final = 32
"""Words for the groups of a hand, more than it can have."""
INFO: Final = 4
"""What is told of an arrangement: its points, its tiles, and the two masks of what it leaves."""
USAGE: Final = CHOSEN + 14
"""By number ``STEP`` words: tiles and okeys in runs by colour, tiles in sets by colour, okeys."""
U_RUNS, U_RUN_OKEYS, U_SETS, U_SET_OKEYS = range(0, STEP, 4)
OPEN: Final = USAGE + 14 * STEP
"""Runs that go on, four words each, or the sets of a number, two words each."""
NEXT: Final = OPEN + 4 * 8
"""The runs that go on behind a number."""
LEFT_INFO: Final = NEXT + 4 * 8
LEFT_GROUPS: Final = LEFT_INFO + INFO
"""An arrangement of which only what it leaves is asked."""
PAIRED: Final = LEFT_GROUPS + GROUPS
"""The kinds that may be paired."""
PAIRED_BEST: Final = PAIRED + MOST_TILES + 1
"""The most that pairs from each of them on come to, by okeys and pairs that are left."""
PAIR_ROW, PAIR_OKEYS = 36, 12
"""Words of ``PAIRED_BEST`` for a kind, and for a number of okeys."""

# What a hand puts down in one turn: what is asked, and what is handed over.
ONE: Final = PAIRED_BEST + PAIR_ROW * (MOST_TILES + 2)
RUNS: Final = ONE + 19
"""Runs, ``RUN`` words each: those of the table, then the new ones."""
TWO, OKEYS, MELDS, PAIRS, MUST, KEEPS, LIMIT, FOUND, N_TABLE, N_SETS = range(ONE + 1, ONE + 11)
"""``MUST`` is a kind, 53 for an okey, -1 for none; ``KEEPS`` is 1 where tiles may stay in the hand.
``LIMIT`` is what a plan has to cost less than, then the cost of the plan found; ``N_TABLE`` says
how many of the runs lie on the table."""
LENGTH, NODES, EPOCH, OKEY_KIND, WEIGH, LEAST, HURRY, GIVES_UP = range(ONE + 11, RUNS)
"""Steps of the plan found; states that the search has met; which search the states remembered
belong to; 1 in ``WEIGH`` where what is laid onto the table counts as a cost, its numbers, and the
points that new groups have to count then. After ``HURRY`` states a search gives up with what it
has, 0 being never, as the rules have it; ``GIVES_UP`` is the same for the search that is set up:
one that has to find how the hand ends never does."""
RUN: Final = 4
RUN_COLOUR, RUN_LOW, RUN_HIGH, RUN_PLACE = range(RUN)
SETS: Final = RUNS + RUN * (_MOST_GROUPS + _NEW_GROUPS)
"""The table's sets of three, ``SET`` words each."""
SET: Final = 3
SET_PLACE, SET_NUMBER, SET_FREE = range(SET)
PATH: Final = SETS + SET * _MOST_GROUPS
"""The steps that led to the state that is looked at: a tile each."""
PLAN: Final = PATH + MOST_TILES
"""Handed over: the steps of the plan found."""
NEW_RUNS: Final = PLAN + MOST_TILES
NEW_SETS: Final = NEW_RUNS + _NEW_GROUPS
"""Where the runs and the sets of three of a plan stand while it is read."""
MEMO_SIZE: Final = 2048
MEMO: Final = NEW_SETS + _NEW_GROUPS
"""States remembered, and what was kept in each."""
FRAME: Final = 17
"""Words of a state of the search: what is left, what was done, and what is tried next."""
F_ONE, F_TWO, F_OKEYS, F_RUNS, F_FILLED, F_SMALL, F_KEPT, F_LAID, F_STEPS = range(9)
F_KIND, F_TWIN, F_STAGE, F_NEXT, F_TURNED, F_CHANGED, F_LOW, F_HIGH = range(9, FRAME)
FRAMES: Final = MEMO + 2 * MEMO_SIZE

# Openings, and how a hand ends.
REACH_INFO: Final = FRAMES + FRAME * (MOST_TILES + 2)
REACH_GROUPS: Final = REACH_INFO + INFO
"""An opening of which only its worth is asked."""
OPENING_INFO: Final = REACH_GROUPS + GROUPS
"""What is told of the opening looked at."""
WITH: Final = OPENING_INFO + INFO
"""The groups of a hand that might hold a tile which has to be laid."""
ENDING: Final = WITH + 4_096
"""An opening that finishes, of which only is asked whether there is one."""
ASIDE: Final = ENDING + GROUPS
"""What can be laid aside for it: at most five pieces on each group, and the pairs."""
TIME: Final = ASIDE + 5 * _MOST_GROUPS + 2 * MOST_TILES + 1
"""Which search the states seen belong to."""
TRIED: Final = TIME + 1
"""How many hands it has tried."""
SEEN: Final = TRIED + 1
"""The states seen."""
SEEN_SIZE: Final = 4_096
ACTIONS: Final = SEEN + SEEN_SIZE
"""A list of legal actions."""
MOST_ACTIONS: Final = 16_384
"""Room for the actions of a state: a full rack with two okeys has some thousands of melds."""

# What is known of a world while its tiles change their places.
POOL: Final = ACTIONS + MOST_ACTIONS
"""The tiles that a seat doesn't see, by their places: those of the stock, then of each hand."""
LIKELY: Final = POOL + 106
"""By seat how likely its hand is."""
BEGIN: Final = LIKELY + 4
"""Where its tiles begin in the pool."""
HIDDEN: Final = BEGIN + 4
"""How many there are."""

# What stays as it is.
FACTS: Final = HIDDEN + 4
"""What holds for a hand that is looked at."""
LOW: Final = FACTS + 4
"""The index of a mask of the numbers 1 to 7 in a plane: 3 to the power of each, added up."""
HIGH: Final = LOW + 128
"""The same for the numbers 8 to 13."""
POWERS: Final = HIGH + 64
"""3 to the power of a number counted from 0."""
MOST: Final = POWERS + 16
"""The largest set of a column with no okey in bits 0-3, with one at most in 4-7, with two in 8-11;
by the okeys there are and the column's counts to the base 3."""
STARTS: Final = MOST + 3 * 81
"""Where the set options of a column begin, by the okeys there are and its counts to the base 3."""
OPTIONS: Final = STARTS + 3 * 81 + 1
"""Set options, lightest first: bits 0-3 their tiles and okeys, 4-5 the okeys, 8-15 two bits for
the tiles of each colour."""

# Words and openings.
WORDS: Final = 64
KEPT: Final = 32
"""Words: an opening while a better one is looked for; before it the groups to lay."""
BY_PAIRS: Final = 32
"""Openings: how many groups the one with pairs has, and these; before it the one with melds."""
WEIGHED: Final = 61
"""Words: how many choices are on the desk."""
FINISHES: Final = 62
"""Words: 1 where the hand can end with what is to be laid."""
COUNT: Final = 63
"""Words: how many groups are to be laid."""

# The desk.
STRIDE: Final = 64
"""From the inputs of one choice to those of the next."""
AT_CHOICES: Final = 64
"""Where the inputs of the choices begin; those of the position are before them."""
AT_TILES: Final = AT_CHOICES + STRIDE * N.CHOICES
"""Where the tile of each choice stands, LAY for laying down or taking, DRAW for drawing."""
LAY: Final = -1
DRAW: Final = -2
AT_SAMPLES: Final = AT_TILES + N.CHOICES
"""The tiles of the samples: DRAWN for each."""
AT_POOL: Final = AT_SAMPLES + N.SAMPLES * N.DRAWN
AT_FIRST: Final = AT_POOL + 106
"""The first layer of a network by the position alone, then that of a choice."""
DESK: Final = AT_FIRST + 2 * N.WIDE.first
