"""Tables at which some seats are played by others: the kernel plays up to their turn.

And what it knows of those: the choice of ``oracle-1``, for which each micro-action is tried on the
true deal, the turn of ``novice``, and of ``steady`` the choices that are those of ``greedy``.
"""

# pyright: reportArgumentType=false, reportAssignmentType=false, reportReturnType=false

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from okey101.game.ruleset import RuleSet
from okey101.kernel import groups as G, layout as L, room as R
from okey101.kernel.choices import choices_of, master_choice, novice_choice
from okey101.kernel.compiling import Row, Rows, adopt, apart, compiled
from okey101.kernel.greedy import begin_turn, greedy_choice, lay_more
from okey101.kernel.legal import legal_actions
from okey101.kernel.players import foretold, neural_choice, play_noted
from okey101.kernel.playing import deal_many, step
from okey101.kernel.solver import Tables
from okey101.tiles import OKEY
from okey101.weights.master import weights_of
from okey101.weights.neural import NARROW_NET, NET, NETS, nets_of, values_of

# Deals whose seats are played by ``greedy``, ``master`` and ``neural``, each on its own tiles.
#
# They are played to the end, or to where somebody else has to act, or to where a network foretells
# what the deal will come to for a seat. Who plays a seat is said by *who*: the lowest four bits
# have the seats of ``neural``, the next four those of ``master``; ``greedy`` has the others.

Minds: TypeAlias = tuple[Row, Row, Row, Row]
"""What bots choose with: int64[WORDS] for what they tell, the weights of ``master``, the networks
of ``neural``, and int64[DESK] for what these are told."""

_POINT = 1 << 20


def minds_of(
    rules: RuleSet, weights: Sequence[int] | None = None, nets: Sequence[int] | None = None
) -> Minds:
    """The weights and networks of rules, or others in their place, with room to work in.

    Nobody writes into the networks, which are those of ``neural`` and of the value.
    """
    return (
        np.zeros(R.WORDS, dtype=np.int64),
        np.array(weights_of(rules) if weights is None else weights, dtype=np.int64),
        _networks_of(rules) if nets is None else np.array(nets, dtype=np.int64),
        np.zeros(R.DESK, dtype=np.int64),
    )


@lru_cache(16)
def _networks_of(rules: RuleSet) -> Row:
    return np.array([*nets_of(rules), *values_of(rules)], dtype=np.int64)


def _choice(tables: Tables, rules: Row, row: Row, minds: Minds, who: int) -> int:
    """The action of the seat to act, told as ``greedy_choice`` tells it."""
    words, weights, nets, desk = minds
    if who >> row[L.TURN] & 1:
        return neural_choice(tables, rules, row, words, weights, nets, desk)
    if who >> 4 + row[L.TURN] & 1:
        return master_choice(tables, rules, row, words, weights)
    return greedy_choice(tables, rules, row, words)


def _play(tables: Tables, rules: Row, row: Row, words: Row, log: Row, action: int) -> None:
    """Play what was chosen, and note it."""
    if action < 0:
        actions = tables[1][R.ACTIONS : R.POOL]
        legal_actions(tables, rules, row, actions, words, False)
        action = actions[0]
    play_noted(rules, row, words, log, action)


@apart
def play_mixture(
    tables: Tables, rules: Row, row: Row, log: Row, minds: Minds, who: int, waits: int
) -> int:
    """Play a deal to its end, or to the turn of a seat whose bit ``waits`` has.

    ``log`` receives what was played, if it has room. A table of four ``greedy`` needs no more of
    ``minds`` than its words. Returns the number of actions.
    """
    decisions = 0
    while row[L.PHASE] != L.P_OVER and not waits >> row[L.TURN] & 1:
        action = _choice(tables, rules, row, minds, who)
        decisions += 1
        _play(tables, rules, row, minds[0], log, action)
    return decisions


@apart
def play_to_value(
    tables: Tables, rules: Row, row: Row, log: Row, minds: Minds, who: int, own: int, until: int
) -> int:
    """Play to the first choice of ``own`` from turn ``until`` on, or to the end of the deal.

    As `play_mixture`, but the nets are int64[NET * NETS + NARROW_NET * 2 + 2]: those of
    ``neural``, the two of the value, and the points that these are counted from. What the second
    kind foretells, the fines so far included, is written to the score of ``own``. Returns 1 where
    it was, 0 where the deal was played out.
    """
    words, weights, nets, desk = minds
    while row[L.PHASE] != L.P_OVER:
        if row[L.TURN] == own and row[L.PHASE] == L.P_PLAY and row[L.TURNS] >= until:
            action = choices_of(tables, rules, row, words, weights, desk, 1)
            count = words[R.WEIGHED]
            if count > 0:
                opened = 1 if row[L.OPENED + own] else 0
                cost = foretold(nets, NET * NETS + NARROW_NET * opened, desk, count)
                rest = cost + (_POINT >> 1) >> 20
                from_here = nets[NET * NETS + NARROW_NET * 2 + opened]
                row[L.SCORES + own] = from_here + rest + row[L.FINES + own]
                return 1
        else:
            action = _choice(tables, rules, row, minds, who)
        _play(tables, rules, row, words, log, action)
    return 0


@compiled
def play_mixtures(
    tables: Tables, rules: Row, rows: Rows, root: Row, first: int, logs: Rows, minds: Minds,
    who: int,
) -> int:  # fmt: skip
    """Deal a batch and play it as :func:`play_mixture` does; returns the number of actions.

    Row ``b`` is deal ``first + b`` of the root seed. ``logs`` is int64[B, L], L being 0 where none
    is wanted.
    """
    deal_many(rules, rows, root, first)
    decisions = 0
    for b in range(rows.shape[0]):
        decisions += play_mixture(tables, rules, rows[b], logs[b], minds, who, 0)
    return decisions


_HELD_BACK = 3
"""Of so many tiles, an okey among them, ``steady`` may hold back what it could lay."""


@compiled
def play_until(
    tables: Tables, rules: Row, row: Row, log: Row, minds: Minds, who: int, waits: int
) -> int:
    """:func:`play_mixture` for Python."""
    return play_mixture(tables, rules, row, log, minds, who, waits)


@compiled
def choice_of(tables: Tables, rules: Row, row: Row, minds: Minds, who: int) -> int:
    """The action of the seat to act, told as ``greedy_choice`` tells it, for Python.

    It reads of the row what lies open and the seat's own hand.
    """
    return _choice(tables, rules, row, minds, who)


@compiled
def play_rows(tables: Tables, rules: Row, rows: Rows, minds: Minds, who: Row, waits: Row) -> None:
    """Play each row as :func:`play_until` does, row ``b`` with ``who[b]`` and ``waits[b]``."""
    log = np.empty(0, dtype=np.int64)
    for b in range(rows.shape[0]):
        play_mixture(tables, rules, rows[b], log, minds, who[b], waits[b])


@compiled
def oracle_code(tables: Tables, rules: Row, row: Row, codes: Row, openings: Row) -> int:
    """The code of the choice of ``oracle-1`` for the seat to act; the deal is not over.

    ``codes`` (int64[R.MOST_ACTIONS]) and ``openings`` (int64[64]) are those of ``legal_actions``,
    which is asked for backs only where there is nothing else. The best own score is taken, in teams
    the team's, and of equal ones the first.
    """
    count = legal_actions(tables, rules, row, codes, openings, False)
    if count == 0:
        count = legal_actions(tables, rules, row, codes, openings, True)
    if count == 1:
        return codes[0]  # type: ignore[no-any-return]
    trial = np.empty(L.SIZE, dtype=np.int64)
    laid = np.empty(R.WORDS, dtype=np.int64)
    none = np.empty(0, dtype=np.int64)
    minds = np.empty(R.WORDS, dtype=np.int64), none, none, none
    seat, best, chosen = row[L.TURN], 0, -1
    for i in range(count):
        G.copy_row(row, trial)
        G.copy_row(openings, laid)
        step(rules, trial, codes[i], laid)
        if trial[L.PHASE] != L.P_OVER:
            play_mixture(tables, rules, trial, none, minds, 0, 0)
        score = trial[L.SCORES + seat]
        if rules[L.R_TEAMS]:
            score += trial[L.SCORES + (seat ^ 2)]
        if chosen < 0 or score < best:
            best, chosen = score, codes[i]
    return chosen


def _plain_choice(tables: Tables, rules: Row, row: Row, words: Row) -> int:
    """What ``steady`` chooses as ``greedy`` does, -1 where it weighs."""
    seat = row[L.TURN]
    opened = row[L.OPENED + seat]
    if row[L.PHASE] != L.P_PLAY:
        action = begin_turn(tables, rules, row)
        return -1 if action == L.A_TAKE and opened == 0 else action
    if G.may_announce(rules, row):
        return L.A_ANNOUNCE
    if opened == 0:
        return -1
    one, two = G.hand(row, seat)
    if G.copies(one, two, OKEY) == 1 and G.rack_size(one, two) == _HELD_BACK:
        if not row[L.MUST_FINISH]:
            return -1
    laid = lay_more(tables, rules, row, one, two, words)
    if laid >= 0:
        return laid
    return L.A_RETURN if G.may_return(rules, row) else -1


@compiled
def play_turn(tables: Tables, rules: Row, row: Row, words: Row, log: Row, novice: int) -> int:
    """Play the turn of ``novice``, or for ``steady`` what it chooses in its turn as ``greedy``.

    It stops after a pass, which is the end of a turn. Returns how many actions there were.
    """
    seat = row[L.TURN]
    played = 0
    while row[L.PHASE] != L.P_OVER and row[L.TURN] == seat:
        if novice:
            action = novice_choice(tables, rules, row, words)
        else:
            action = _plain_choice(tables, rules, row, words)
            if action < 0:
                break
        played += 1
        _play(tables, rules, row, words, log, action)
        if action == L.A_PASS:
            break
    return played


adopt(__name__)
