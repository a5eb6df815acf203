"""From a command to the log entry it asks for, checked against the state but not yet applied."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from okey101.bots import STAND_IN
from okey101.game import Action, Deal, apply, parse_action
from okey101.game.actions import Back, Meld
from okey101.server.errors import refuse
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.reduce import Secrets, new_secret
from okey101.server.tables.state import Stage, TableState
from okey101.server.work.served_bots import OURS, ServedBots

MAX_FINES: Final = 20
"""Fines a seat may have in a deal; beyond them it can add one only by ending the turn."""


_SAME: Final[Mapping[type[ask.Logged], Callable[..., log.Entry]]] = {
    ask.Leave: log.Left, ask.Ready: log.ReadySet, ask.SetBot: log.BotSet, ask.Kick: log.Kicked,
    ask.Commit: log.Committed, ask.Reveal: log.Revealed,
}  # fmt: skip
"""What is kept of a command with its own fields, and who gave it."""


def entry_for(
    state: TableState,
    user: str,
    command: ask.Logged,
    digest: int = 0,
    secret: Secrets = new_secret,
    served: ServedBots = OURS,
) -> log.Entry:
    """The entry a person's command asks for; OkeyError where it isn't clear what is meant.

    ``served`` are the bots that may play.
    """
    if state.stage is Stage.CLOSED:
        refuse("table-closed")
    if isinstance(command, ask.Act):
        return _act(state, user, command, digest)
    if isinstance(command, ask.SetBot) and command.bot is not None:
        served.check(command.bot)
    return msgspec.structs.replace(_entry_for(state, user, command, secret), digest=digest)


def _entry_for(state: TableState, user: str, command: ask.Logged, secret: Secrets) -> log.Entry:
    rid = command.rid
    if state.day is not None and not _at_a_day(state, command):
        refuse("day-table")
    match command:
        case ask.Sit():
            return _sit(state, user, command)
        case ask.Start():
            if state.options.quick:
                refuse("not-owner")
            order = _drawn_order(state, secret)
            return log.Started(user=user, rid=rid, secret=secret(), order=order)
        case ask.Resume():
            own = state.seated(user)
            return log.Away(seat=own, on=False, why="back", user=user, rid=rid)
        case ask.Rematch():
            return _rematch(state, user, command, secret)
        case ask.Reveal() if len(command.random) % 2:
            return refuse("bad-message", reason="random has an odd number of digits")
        case _:
            return _SAME[type(command)](user=user, **msgspec.structs.asdict(command))


def _at_a_day(state: TableState, command: ask.Logged) -> bool:
    """Whether a command may be given at a table of the day's deals: nothing undoes a try.

    Whoever plays a deal again may go.
    """
    if isinstance(command, ask.Leave):
        return state.stage is Stage.OVER or state.again is not None
    return isinstance(command, ask.Start | ask.Ready | ask.Resume)


def _sit(state: TableState, user: str, command: ask.Sit) -> log.Sat:
    """Whoever sits down sees everything, so nobody may after a match hidden from others.

    In a deal only who had the seat in it may have its hand; others wait for the next, if any.
    """
    hidden = state.options.spectators in ("delayed", "off")
    if state.stage is Stage.OVER and hidden and state.seat_of(user) is None:
        refuse("match-ended")
    seat = _free_seat(state, user) if command.seat is None else command.seat
    waits = state.dealing and not state.comes_back(user, seat)
    if waits and state.last_deal and state.place_of(user) is None:
        refuse("match-ended")
    return log.Sat(user=user, rid=command.rid, seat=seat, late=state.running, waits=waits)


def _rematch(state: TableState, user: str, command: ask.Rematch, secret: Secrets) -> log.RematchSet:
    """Another match is asked for; whoever asks last begins it, unless a seat is empty."""
    wish = log.RematchSet(user=user, rid=command.rid, on=command.on)
    if not command.on or state.stage is not Stage.OVER or state.seat_of(user) is None:
        return wish
    quick = state.options.quick
    for seat in state.seats:
        wants = seat.bot is not None or seat.rematch or seat.user == user
        if not (quick if seat.free else wants):
            return wish
    order, fill = _drawn_order(state, secret), STAND_IN if quick else None
    return msgspec.structs.replace(wish, secret=secret(), order=order, fill=fill)


def _drawn_order(state: TableState, secret: Secrets) -> tuple[int, ...] | None:
    """The seats in random order, if the host wants that."""
    if state.options.seats != "random":
        return None
    count = len(state.seats)
    return tuple(random.Random(secret()).sample(range(count), count))


def _act(state: TableState, user: str, command: ask.Act, digest: int) -> log.Acted:
    seat = state.seated(user)
    if state.seats[seat].away:
        refuse("bot-plays")
    _require_turn(state, command)
    action = parse_action(command.action)
    if state.deal is not None and isinstance(action, Meld | Back):
        _require_few_fines(state.deal, seat, action)
    return log.Acted(seat=seat, actions=(action,), user=user, rid=command.rid, digest=digest)


def _require_turn(state: TableState, command: ask.Act) -> None:
    """Refuse what was meant for an earlier turn: it may have waited for the line to come back."""
    deal = state.deal
    if deal is not None and (
        (command.turn is not None and command.turn != deal.public.turns)
        or (command.deal is not None and command.deal != state.shown_number)
    ):
        refuse("turn-over")


def _require_few_fines(deal: Deal, seat: int, action: Action) -> None:
    """Refuse a further fine (P3, P4) to a seat that has enough: everybody is told each one."""
    fines = deal.public.fines
    if sum(fine.seat == seat for fine in fines) < MAX_FINES:
        return
    if len(apply(deal, action, seat).public.fines) > len(fines):
        refuse("too-many-fines", limit=MAX_FINES)


def _free_seat(state: TableState, user: str) -> int:
    """The first empty seat, or else the first one of a bot that may be taken over.

    Somebody's own of the running deal comes before others.
    """
    if state.stage in (Stage.WAITING, Stage.OVER):
        for number, seat in enumerate(state.seats):
            if seat.free:
                return number
    if state.stage is Stage.WAITING or state.options.late:
        bots = [n for n, seat in enumerate(state.seats) if seat.bot is not None]
        found = [number for number in bots if state.comer(number) is None]
        if found:
            return next((n for n in found if state.comes_back(user, n)), found[0])
    return refuse("table-full")
