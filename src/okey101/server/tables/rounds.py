"""Rounds of commitments before a deal: what is promised, shown, revealed, and thrown away.

First the server's secret is fixed, then the seats commit themselves to their randomness, then all
commitments are shown, and only then is anything revealed. A round in which a seat does not reveal
is abandoned, since whoever passes the messages on could else choose whom to leave out.
"""

from __future__ import annotations

from okey101.game.fair.rounds import commitment, seat_commitment
from okey101.game.fair.transcript import BOT_PREFIX, PUT_BACK, UNOPENED
from okey101.server.errors import refuse
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import Round, Stage, TableState, changed

MAX_ROUNDS = 12
"""So many rounds may be broken by anybody; then late guests don't commit any more."""


def prepared(state: TableState, secret: str, wait_ms: int) -> TableState:
    """A deal is prepared: its secret is fixed, and the seats have ``wait_ms``."""
    state = changed(state, abandoned=(), left_out=frozenset())
    return _round(state, secret, state.at_ms + wait_ms)


def _round(state: TableState, secret: str, deadline: int) -> TableState:
    cuts: list[bytes | None] = [None] * len(state.seats)
    promises: list[str | None] = [None] * len(state.seats)
    if state.day is not None:
        secret = state.day.secrets[state.number]
        if mix := bytes.fromhex(state.day.mix):
            where, seat = state.context, state.options.bots.index(None)
            cuts[seat] = mix
            fixed = commitment(bytes.fromhex(secret), *where)
            promises[seat] = seat_commitment(mix, fixed, *where, seat)
    return changed(
        state,
        stage=Stage.DEALING,
        secret=bytes.fromhex(secret),
        cuts=(*cuts,),
        promises=(*promises,),
        shown=False,
        sat=(),
        actors=(),
        deadline=deadline,
    )


def forgotten(state: TableState) -> TableState:
    """The state without a deal that is prepared or runs."""
    return changed(
        state, secret=None, cuts=(), promises=(), shown=False, sat=(), abandoned=(),
        left_out=frozenset(),
    )  # fmt: skip


def may_commit(state: TableState, user: str) -> bool:
    """Whether a person may take part in this round: who broke one for this deal may not.

    Nobody does in the deals of a day, which are the same for all: what was contributed the day
    before stands for the player.
    """
    if state.day is not None:
        return False
    worn = len(state.abandoned) >= MAX_ROUNDS and user in state.latecomers
    return user not in state.left_out and not worn


def committed(state: TableState, entry: log.Committed) -> TableState:
    """A seat commits itself."""
    number = state.seated(entry.user)
    if state.stage is not Stage.DEALING or state.shown:
        refuse("not-committing")
    if not may_commit(state, entry.user):
        refuse("left-out")
    if state.promises[number] is not None:
        refuse("already-committed")
    return _promised(state, number, entry.commitment)


def _promised(state: TableState, number: int, promise: str | None) -> TableState:
    promises = state.promises
    return changed(state, promises=(*promises[:number], promise, *promises[number + 1 :]))


def withdrawn(state: TableState, number: int) -> TableState:
    """Whoever leaves before the commitments are shown takes the own one along."""
    open_ = state.stage is Stage.DEALING and not state.shown
    return _promised(state, number, None) if open_ else state


def shown(state: TableState, entry: log.CommitmentsShown) -> TableState:
    """All commitments are shown, and who sits where is fixed."""
    if state.stage is not Stage.DEALING or state.shown:
        refuse("not-committing")
    sat = tuple(
        seat.user or f"{BOT_PREFIX}{entry.marks.get(seat.bot or '', seat.bot)}"
        for seat in state.seats
    )
    return changed(state, shown=True, sat=sat, deadline=state.at_ms + state.first_wait_ms)


def unrevealed(state: TableState) -> list[int]:
    """The seats that have committed themselves and not revealed."""
    pairs = zip(state.promises, state.cuts, strict=True)
    return [seat for seat, (promise, cut) in enumerate(pairs) if promise and cut is None]


def gone(state: TableState) -> list[int]:
    """The seats that have not revealed and never will: who committed there sits there no more."""
    return [seat for seat in unrevealed(state) if state.seats[seat].user != state.sat[seat]]


def revealed(state: TableState, entry: log.Revealed) -> TableState:
    """A seat reveals what it committed itself to."""
    number = state.seated(entry.user)
    if state.stage is not Stage.DEALING or not state.shown:
        refuse("not-revealing")
    promise = state.promises[number]
    if promise is None or state.sat[number] != entry.user:
        refuse("not-committed")
    if state.cuts[number] is not None:
        refuse("already-revealed")
    given = bytes.fromhex(entry.random)
    assert state.commitment is not None
    if seat_commitment(given, state.commitment, *state.context, number) != promise:
        refuse("wrong-opening")
    return changed(state, cuts=(*state.cuts[:number], given, *state.cuts[number + 1 :]))


def abandoned(state: TableState, entry: log.Abandoned) -> TableState:
    """Another round begins, without those who broke this one; a complete one is dealt instead.

    Lost rows are told where nothing is played as well. A deal of a day goes on: there is no other.
    """
    running = state.running and state.day is None
    if entry.why in PUT_BACK:
        if not running:
            return state  # told all the same, so that nobody tells it again
    elif not running:
        refuse("not-playing")
    broke: set[str] = set()
    if entry.why in UNOPENED:
        of = unrevealed if entry.why == "not-revealed" else gone
        seats = of(state) if state.shown and state.stage is Stage.DEALING else []
        if not seats:
            refuse("not-revealing")
        broke = {state.sat[seat] for seat in seats}
    wait_ms = state.first_wait_ms if state.stage is Stage.DEALING else state.pause_ms
    assert state.secret is not None
    sat = state.sat or state.sitting
    before = Round(state.secret, sat, state.promises, state.cuts, entry.why)
    # Who deals first follows from the seed, and so did the deal that is thrown away.
    dealer = state.dealer if state.played else None
    state = changed(
        state.seats_taken(),
        deal=None,
        dealer=dealer,
        abandoned=(*state.abandoned, before),
        left_out=state.left_out | broke,
    )
    return _round(state, entry.secret, state.at_ms + wait_ms)
