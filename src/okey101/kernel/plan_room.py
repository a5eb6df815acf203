"""Where a search for what to put down is kept in the room of the tables, and how it is set up."""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from okey101.kernel.compiling import Row, apart, inner
from okey101.kernel.groups import accepts, copies, natural, tile_kind
from okey101.kernel.layout import MUST_FINISH, N_GROUPS, OKEY_KIND, RUN, SET, TABLE
from okey101.kernel.tables import Tables
from okey101.tiles import OKEY

__all__ = [
    "DISCARD",
    "R_CHANGED",
    "R_EPOCH",
    "R_FOUND",
    "R_FRAME",
    "R_FRAMES",
    "R_GIVES_UP",
    "R_HIGH",
    "R_HURRY",
    "R_KEEPS",
    "R_KIND",
    "R_LEAST",
    "R_LENGTH",
    "R_LIMIT",
    "R_LOW",
    "R_MELDS",
    "R_MEMO",
    "R_MEMO_SIZE",
    "R_MUST",
    "R_NEW",
    "R_NEXT",
    "R_NODES",
    "R_N_SETS",
    "R_N_TABLE",
    "R_OKEY",
    "R_OKEYS",
    "R_OKEY_COST",
    "R_ONE",
    "R_PAIRS",
    "R_PATH",
    "R_PATIENCE",
    "R_PLAN",
    "R_RUNS",
    "R_SETS",
    "R_STAGE",
    "R_STEP_LAY",
    "R_STEP_MORE",
    "R_STEP_NEW",
    "R_STEP_PAIR",
    "R_STEP_RUN",
    "R_STEP_SET",
    "R_TILE",
    "R_TURNED",
    "R_TWIN",
    "R_TWO",
    "R_WEIGH",
    "enter",
    "set_up",
    "step_code",
]

R_BASE = 1100
R_ONE = R_BASE
R_TWO = R_BASE + 1
R_OKEYS = R_BASE + 2
R_MELDS = R_BASE + 3
R_PAIRS = R_BASE + 4
R_MUST = R_BASE + 5
"""A kind, 53 for an okey, -1 for none."""
R_KEEPS = R_BASE + 6
R_LIMIT = R_BASE + 7
R_FOUND = R_BASE + 8
R_N_TABLE = R_BASE + 9
R_N_SETS = R_BASE + 10
R_LENGTH = R_BASE + 11
"""Steps of the plan found."""
DISCARD = R_BASE + 12
"""What :func:`lay_all` leaves: a tile's code."""
R_NODES = R_BASE + 13
R_EPOCH = R_BASE + 14
R_OKEY = R_BASE + 15
R_WEIGH = R_BASE + 16
"""1 where what is laid onto the table counts as a cost: its numbers."""
R_LEAST = R_BASE + 17
"""Points that new groups have to count then."""
R_HURRY = R_BASE + 18
"""States after which a search gives up with what it has; 0 for never, as the rules have it."""
R_GIVES_UP = R_BASE + 19
"""The same for the search that is set up: one that has to find how the hand ends never does."""
R_RUNS = 1120
"""Runs: colour, lowest, highest number, and the place on the table; then the new ones."""
R_SETS = 1400
"""The table's sets of three: place, number, free colours."""
R_PATH = 1600
R_PLAN = 1700
R_NEW = 1800
"""Runs and small sets of a plan while it is read."""
R_MEMO = 2048
R_MEMO_SIZE = 2048
R_PATIENCE = 64
"""Nodes after which states seen before are remembered."""
R_TILE = 128
R_OKEY_COST = 101 * R_TILE + 1

R_FRAMES = 9200
R_FRAME = 20
"""A state of the search: tiles left, okeys, runs, filled sets, new sets of three, what is kept,
whether ``must`` is laid, and steps; then what is tried with its first tile."""
R_KIND = 9
R_TWIN = 10
R_STAGE = 11
R_NEXT = 12
R_TURNED = 13
R_CHANGED = 14
R_LOW = 15
R_HIGH = 16

R_STEP_RUN = 0
R_STEP_NEW = 1
R_STEP_LAY = 2
R_STEP_SET = 3
R_STEP_PAIR = 4
R_STEP_MORE = 5


@inner
def step_code(what: int, first: int, second: int, third: int) -> int:
    """A step of a plan as one number: what is done, and with what."""
    return what | first << 4 | second << 12 | third << 20


@apart
def set_up(
    tables: Tables,
    row: Row,
    one: int,
    two: int,
    lays_off: bool,
    melds: bool,
    pairs: bool,
    must: int,
) -> None:
    """Make a search ready: a hand before the table of a row; ``must`` is a tile or -1."""
    room = tables[1]
    okey = row[OKEY_KIND]
    room[R_ONE], room[R_TWO] = natural(one, two, okey)
    room[R_OKEYS] = copies(one, two, OKEY)
    room[R_MELDS] = 1 if melds else 0
    room[R_PAIRS] = 1 if pairs else 0
    room[R_MUST] = must if must < 0 or must == OKEY else tile_kind(must, okey)
    room[R_OKEY] = okey
    room[R_WEIGH] = 0
    room[R_GIVES_UP] = 0 if row[MUST_FINISH] else room[R_HURRY]
    runs = sets = 0
    if lays_off:
        for place in range(row[N_GROUPS]):
            word = row[TABLE + place]
            if word & 3 == RUN:
                at = R_RUNS + 4 * runs
                room[at] = word >> 2 & 3
                room[at + 1] = word >> 4 & 15
                room[at + 2] = word >> 8 & 15
                room[at + 3] = place
                runs += 1
            elif word & 3 == SET and accepts(word):
                at = R_SETS + 3 * sets
                room[at] = place
                room[at + 1] = word >> 2 & 15
                room[at + 2] = 15 & ~(word >> 6 & 15 | word >> 10 & 15)
                sets += 1
    room[R_N_TABLE] = runs
    room[R_N_SETS] = sets


@inner
def enter(
    room: Row,
    depth: int,
    one: int,
    two: int,
    okeys: int,
    runs: int,
    filled: int,
    small: int,
    kept: int,
    laid: int,
    steps: int,
) -> int:
    """Note a state on the stack of the search; returns its depth."""
    at = R_FRAMES + depth * R_FRAME
    room[at] = one
    room[at + 1] = two
    room[at + 2] = okeys
    room[at + 3] = runs
    room[at + 4] = filled
    room[at + 5] = small
    room[at + 6] = kept
    room[at + 7] = laid
    room[at + 8] = steps
    room[at + R_STAGE] = -1
    room[at + R_CHANGED] = -1
    return depth
