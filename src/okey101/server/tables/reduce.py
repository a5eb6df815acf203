"""reduce(state, entry): the table after a row of its log, or an error and nothing has changed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from okey101.bots import STAND_IN
from okey101.game import Action, Deal, Result, apply, deal_from_seed, parse_action
from okey101.game.actions import Back, Discard, Meld, Pass
from okey101.game.dealing import first_dealer
from okey101.game.match import next_dealer
from okey101.game.record.form import PERSON
from okey101.server.errors import refuse
from okey101.server.protocol.options import rules_of
from okey101.server.tables import log_entries as log, rounds
from okey101.server.tables.finished_deals import FinishedDeal
from okey101.server.tables.state import Heard, Played, Seat, Stage, TableState, actor_of, changed

MAX_VOID_DEALS: Final = 30
"""How many deals of a match may end without counting (O7, E3), so that the match does end."""
MAX_TURN_ACTIONS: Final = 100
"""Then tiles can't be taken back nor short openings made; what ends the turn still can."""
_BACK_MS = 30_000
"""How long people have after a restart to come back and reveal."""
_PEOPLE_REMEMBERED = 64
_QUITS_REMEMBERED = 64


Secrets: TypeAlias = Callable[[], str]
"""Makes the secret of a deal: 64 hex digits."""


def new_secret() -> str:
    """A secret from the system's source of randomness."""
    return secrets.token_hex(32)


def no_secret() -> str:
    """For rows that are read: each brings the secret that it needs. ValueError."""
    raise ValueError("a row that ends a deal lacks the secret of the next")


def create(table: str, entry: log.Created, at_ms: int) -> TableState:
    """The table after its first row: the owner in the first seat without a bot."""
    options = entry.options
    rules = rules_of(options)
    wait = 1000 * options.quick
    seats = [Seat(bot=bot) for bot in options.bots]
    if None in options.bots:
        seats[options.bots.index(None)] = Seat(user=entry.user, ready=True)
    return TableState(
        table=table,
        options=options,
        rules=rules,
        owner=entry.user,
        seats=tuple(seats),
        salt=entry.salt,
        at_ms=at_ms,
        first_wait_ms=entry.first_wait_ms,
        pause_ms=entry.pause_ms,
        deadline=at_ms + wait if wait else None,
        day=entry.day,
    )


def reduce(state: TableState, entry: log.Entry, at_ms: int) -> TableState:
    """The state after one more row, written at ``at_ms``.

    Raises OkeyError with a code of the table or of the game; the state given is never changed.
    """
    return applied(state, entry, at_ms, no_secret)[1]


def applied(
    state: TableState, entry: log.Entry, at_ms: int, secret: Secrets = new_secret
) -> tuple[log.Entry, TableState]:
    """The entry as it is kept, and the state after it.

    Actions are as the deal keeps them; one that ends a deal brings the secret of the next.

    Raises OkeyError where the table or the rules refuse it.
    """
    fields = _begun(state, entry, at_ms)
    if not isinstance(entry, log.Acted):
        return entry, _STEPS[type(entry)](changed(state, **fields), entry)
    deal, actions, fields["turn_actions"] = _played(state, entry)
    result = deal.public.result
    wanted = result is not None and entry.secret is None and not _match_ends(state, result)
    if wanted or actions != entry.actions:
        entry = msgspec.structs.replace(
            entry, actions=actions, secret=secret() if wanted else entry.secret
        )
    return entry, _settled(state, entry, deal, fields)


def _begun(state: TableState, entry: log.Entry, at_ms: int) -> dict[str, Any]:
    """What every row changes: it is counted, and its command remembered.

    OkeyError ``table-closed``.
    """
    if state.stage is Stage.CLOSED:
        refuse("table-closed")
    seq = state.seq + 1
    fields: dict[str, Any] = {"seq": seq, "at_ms": max(at_ms, state.at_ms)}
    rid = getattr(entry, "rid", None)
    user = getattr(entry, "user", None)
    if rid is not None and user is not None:
        fields["heard"] = _heard(state, user, rid, seq, getattr(entry, "digest", 0))
    return fields


def _heard(state: TableState, user: str, rid: str, seq: int, digest: int) -> Mapping[str, Heard]:
    """Remember a command, for the people who sit here and those heard last."""
    rest = dict(state.heard)
    last = rest.pop(user, _SILENT)
    if len(rest) >= _PEOPLE_REMEMBERED:
        people = state.people
        del rest[next((other for other in rest if other not in people), next(iter(rest)))]
    rest[user] = last.after(rid, seq, digest)
    return rest


_SILENT = Heard()


def _owned(state: TableState, user: str | None) -> None:
    if user != state.owner or state.options.quick:
        refuse("not-owner")


def _waiting(state: TableState) -> None:
    if state.stage is not Stage.WAITING:
        refuse("not-waiting")


def _at(state: TableState, number: int) -> Seat:
    if not 0 <= number < len(state.seats):
        refuse("no-seat", seat=number)
    return state.seats[number]


# Seats ---------------------------------------------------------------------------------------


def _sat(state: TableState, entry: log.Sat) -> TableState:
    seat = _at(state, entry.seat)
    if state.place_of(entry.user) is not None:
        refuse("already-seated")
    if entry.user in state.sent_away:
        refuse("kicked")
    if seat.user is not None or state.comer(entry.seat) is not None:
        refuse("seat-taken", seat=entry.seat)
    if state.running and not (state.options.late and seat.bot is not None):
        refuse("seat-taken", seat=entry.seat)
    if entry.waits:
        if not state.dealing:
            refuse("not-playing")
        return changed(state, coming=(*state.coming, (entry.seat, entry.user)))
    if state.stage is Stage.DEALING and state.shown:
        refuse("seat-taken", seat=entry.seat)  # who sits here is fixed
    if state.saw_another(entry.user, entry.seat):
        refuse("other-hand")
    late = {entry.user} if entry.late and state.running else set[str]()
    quits = tuple(quit_ for quit_ in state.quits if quit_[0] != entry.user)
    state = changed(state, latecomers=state.latecomers | late, quits=quits)
    # Who sits down before the match wants to play it.
    ready = state.stage is Stage.WAITING
    return state.put(entry.seat, Seat(user=entry.user, ready=ready)).inherited()


def _uncoming(state: TableState, number: int) -> TableState:
    """The table without the promise of a seat."""
    return changed(state, coming=tuple(at for at in state.coming if at[0] != number))


def _left(state: TableState, entry: log.Left) -> TableState:
    waits = state.coming_to(entry.user)
    if waits is not None:
        return _uncoming(state, waits)
    number = state.seated(entry.user)
    if state.options.quick and state.running:
        quits = (*state.quits, (entry.user, state.at_ms))
        state = changed(state, quits=quits[-_QUITS_REMEMBERED:])
    return _vacated(state, number)


def _vacated(state: TableState, number: int) -> TableState:
    """The table without a person: a bot stays in the seat while a match runs.

    Perhaps all who are left want another match now.
    """
    user = state.seats[number].user
    if state.stage is Stage.PLAYING and user is not None:
        state = changed(state, seen=tuple(dict.fromkeys((*state.seen, (user, number)))))
    bot = state.options.bots[number] or (STAND_IN if state.running else None)
    state = rounds.withdrawn(state.put(number, Seat(bot=bot)), number)
    state = changed(state, latecomers=state.latecomers - {user})
    return (_again_if_all(state) if state.stage is Stage.OVER else state).inherited()


def _kicked(state: TableState, entry: log.Kicked) -> TableState:
    comer = state.comer(entry.seat)
    if entry.by == "owner":
        _owned(state, entry.user)
        began = comer is None and _at(state, entry.seat).user not in state.latecomers
        if began and state.running:
            refuse("not-waiting")
    if comer is not None and comer != entry.user:
        return changed(_uncoming(state, entry.seat), sent_away=state.sent_away | {comer})
    seat = _at(state, entry.seat)
    if seat.user is None or seat.user == entry.user:
        refuse("no-seat", seat=entry.seat)
    return _vacated(changed(state, sent_away=state.sent_away | {seat.user}), entry.seat)


def _bot_set(state: TableState, entry: log.BotSet) -> TableState:
    _owned(state, entry.user)
    _waiting(state)
    if _at(state, entry.seat).user is not None:
        refuse("seat-taken", seat=entry.seat)
    bots = state.options.bots
    bots = (*bots[: entry.seat], entry.bot, *bots[entry.seat + 1 :])
    state = changed(state, options=msgspec.structs.replace(state.options, bots=bots))
    return state.put(entry.seat, Seat(bot=entry.bot))


def _renamed(state: TableState, entry: log.Renamed) -> TableState:
    if state.place_of(entry.user) is None:
        refuse("not-seated")
    if entry.to is None:
        return state
    number = state.seated(entry.user)
    state = state.put(number, state.seats[number]._replace(user=entry.to))
    return changed(state, owner=entry.to)


def _ready_set(state: TableState, entry: log.ReadySet) -> TableState:
    number = state.seated(entry.user)
    if state.stage is Stage.DEALING:
        if not entry.on:
            refuse("not-waiting")
    elif state.holds and entry.on:
        return _seen_dealing(state, number)
    else:
        _waiting(state)
    return state.put(number, state.seats[number]._replace(ready=entry.on))


def _seen_dealing(state: TableState, number: int) -> TableState:
    """A seat has seen the dealing: once all people have, play begins."""
    state = state.put(number, state.seats[number]._replace(ready=True))
    waited_for = (seat for seat in state.seats if seat.human and seat.user is not None)
    return _turn(state) if all(seat.ready for seat in waited_for) else state


def _rematch_set(state: TableState, entry: log.RematchSet) -> TableState:
    """Somebody asks for another match, which is prepared once all people at the table have."""
    if state.stage is not Stage.OVER:
        refuse("no-rematch")
    number = state.seated(entry.user)
    state = _again_if_all(state.put(number, state.seats[number]._replace(rematch=entry.on)))
    if entry.secret is None:
        return state
    if state.stage is not Stage.WAITING:
        raise ValueError("a row that begins a match comes before everybody wants it")
    return _begin(_filled(state, entry.fill), entry)


def _again_if_all(state: TableState) -> TableState:
    """Back to waiting once everybody who is left wants another match."""
    if not state.people or not all(s.rematch for s in state.seats if s.user is not None):
        return state
    quick = state.options.quick
    # Whoever looks for people is not to find bots in all their seats.
    seats = tuple(
        Seat(user=s.user, bot=None if quick else s.bot, ready=s.user is not None)
        for s in state.seats
    )
    state = changed(rounds.forgotten(state), seats=seats, latecomers=frozenset(), played=())
    deadline = state.at_ms + 1000 * quick if quick else None
    return changed(state, stage=Stage.WAITING, deal=None, deadline=deadline)


# A match -------------------------------------------------------------------------------------


def _started(state: TableState, entry: log.Started) -> TableState:
    quick = state.options.quick
    if not quick:
        _owned(state, entry.user)
    _waiting(state)
    state = _filled(state, entry.fill)
    if not quick and not all(s.ready for s in state.seats if s.user not in (None, state.owner)):
        refuse("not-ready")
    return _begin(state, entry)


def _filled(state: TableState, bot: str | None) -> TableState:
    """The table with somebody in every seat; OkeyError ``seats-empty``."""
    if bot is not None and state.options.quick:
        seats = tuple(Seat(bot=bot) if seat.free else seat for seat in state.seats)
        state = changed(state, seats=seats)
    if any(seat.free for seat in state.seats):
        refuse("seats-empty")
    return state


def _begin(state: TableState, entry: log.Started | log.RematchSet) -> TableState:
    """A match begins, with the secret of its first deal and perhaps the seats in a new order."""
    assert entry.secret is not None
    if entry.order is not None:
        assert sorted(entry.order) == list(range(len(state.seats)))
        bots = tuple(state.options.bots[old] for old in entry.order)
        state = changed(
            state,
            options=msgspec.structs.replace(state.options, bots=bots),
            seats=tuple(state.seats[old] for old in entry.order),
        )
    # Whoever begins a match together is ready for its first deal.
    seats = tuple(Seat(user=s.user, bot=s.bot, ready=s.user is not None) for s in state.seats)
    state = changed(state, seats=seats, match=state.match + 1, played=(), dealer=None, deal=None)
    return rounds.prepared(state, entry.secret, state.first_wait_ms)


def _dealt(state: TableState, entry: log.Dealt) -> TableState:
    if state.stage is not Stage.DEALING:
        refuse("not-committing")
    if not state.shown or rounds.unrevealed(state):
        refuse("not-revealing")
    seed, again = state.seed, state.again
    dealer = first_dealer(seed, len(state.seats)) if state.dealer is None else state.dealer
    if again is not None:
        seed, dealer = bytes.fromhex(again.seed), again.dealer
    deal = Deal.start(state.rules, deal_from_seed(state.rules, seed, dealer))
    for text in () if again is None else again.actions:
        seat, _, action = text.partition(" ")
        deal = apply(deal, parse_action(action), int(seat))
    seats = tuple(seat._replace(ready=False) for seat in state.seats)
    state = changed(state, stage=Stage.PLAYING, dealer=dealer, deal=deal, seats=seats, seen=())
    return _turn(changed(state, actors=(PERSON,) * len(deal.public.actions)), entry.hold_ms)


def _turn(state: TableState, hold_ms: int = 0) -> TableState:
    """A new turn begins, perhaps a moment later: its clock, and its count of actions."""
    return changed(state, **_new_turn(state, state.at_ms + hold_ms))


def _new_turn(state: TableState, since: int) -> dict[str, Any]:
    clock = state.options.clock
    deadline = since + 1000 * clock if clock else None
    return {"turn_since": since, "turn_actions": 0, "deadline": deadline}


def _played(state: TableState, entry: log.Acted) -> tuple[Deal, tuple[Action, ...], int]:
    """Play the actions of an entry; OkeyError where the rules or the table refuse one.

    With the actions as the deal keeps them, so that events and views agree, and how many the
    running turn has.
    """
    if state.deal is None or state.stage is not Stage.PLAYING:
        refuse("not-playing")
    deal = state.deal
    count = state.turn_actions
    for action in entry.actions:
        turn, hands = deal.public.turn, deal.hands
        deal = apply(deal, action, entry.seat)
        for_ever = isinstance(action, Back) or (isinstance(action, Meld) and deal.hands == hands)
        if count >= MAX_TURN_ACTIONS and for_ever and entry.by == "user":
            refuse("too-many-actions", limit=MAX_TURN_ACTIONS)
        count += 1
        if deal.public.turn != turn or isinstance(action, Discard | Pass):
            count = 0
    actions = tuple([action for _, action in deal.public.actions[-len(entry.actions) :]])
    return deal, actions if entry.actions else (), count


def _match_ends(state: TableState, result: Result) -> bool:
    if state.day is not None:
        return len(state.played) + 1 >= state.options.deals
    counted = state.counted + result.counts
    void = len(state.played) + 1 - counted
    return counted >= state.options.deals or void >= MAX_VOID_DEALS


def _settled(state: TableState, entry: log.Acted, deal: Deal, fields: dict[str, Any]) -> TableState:
    """The state after an entry whose actions have been played; ``fields`` are those of the row."""
    before = state.deal
    assert before is not None
    seat = state.seats[entry.seat]
    missed = seat.missed + 1 if entry.by == "clock" else 0 if entry.by == "user" else seat.missed
    if missed != seat.missed:
        state = state.put(entry.seat, seat._replace(missed=missed))
    new, old = deal.public, before.public
    actor = PERSON if entry.by == "user" else actor_of(entry)
    fields["deal"] = deal
    fields["actors"] = (*state.actors, *[actor] * len(entry.actions))
    if new.result is not None:
        return _deal_over(changed(state, **fields), deal, new.result, entry)
    if new.turns != old.turns:
        fields |= _new_turn(state, fields["at_ms"])
    return changed(state, **fields)


def _deal_over(state: TableState, deal: Deal, result: Result, entry: log.Acted) -> TableState:
    assert state.secret is not None
    over = _match_ends(state, result)
    seats = tuple(seat._replace(ready=False, rematch=False) for seat in state.seats)
    dealer = next_dealer(state.rules, deal.public.setup.dealer, result)
    if state.day is not None:
        dealer = (deal.public.setup.dealer + 1) % len(seats)
    fair = (state.cuts, state.sat, state.promises, state.abandoned)
    last = Played(FinishedDeal.of(deal), state.secret, *fair, state.actors)
    # The deal before it is not shown any more.
    played = (*state.played[:-1], *(p.packed() for p in state.played[-1:]), last)
    state = changed(state, played=played, seats=seats, dealer=dealer)
    if over:
        # Whoever came for a deal that is never dealt has not played in this match.
        return changed(rounds.forgotten(state), stage=Stage.OVER, deadline=None, coming=())
    assert entry.secret is not None
    return rounds.prepared(state.seats_taken(), entry.secret, state.pause_ms)


def _away(state: TableState, entry: log.Away) -> TableState:
    if not state.running:
        refuse("not-playing")
    seat = _at(state, entry.seat)
    if seat.user is None or seat.away == entry.on:
        refuse("no-bot")
    if entry.user is not None and seat.user != entry.user:
        refuse("not-seated")
    state = state.put(entry.seat, seat._replace(away=entry.on, missed=0))
    deal = state.deal if state.stage is Stage.PLAYING else None
    if deal is None or deal.turn != entry.seat or entry.on:
        return state
    # Whoever comes back has the whole turn, but only once: coming and going gains no time.
    whole = 1000 * state.options.clock
    if state.deadline is None or state.deadline > state.turn_since + whole:
        return state
    begins = max(state.at_ms, state.turn_since)
    return changed(state, deadline=begins + whole, turn_actions=0)


def _restarted(state: TableState, _entry: log.Restarted) -> TableState:
    if state.stage is Stage.PLAYING:
        return _turn(state)
    if state.stage is Stage.DEALING:
        # The round goes on: of one that is complete the tiles are dealt.
        wait_ms = min(state.pause_ms, _BACK_MS) if state.shown else state.pause_ms
        return changed(state, deadline=state.at_ms + wait_ms)
    if state.stage is Stage.WAITING and state.options.quick:
        return changed(state, deadline=state.at_ms + 1000 * state.options.quick)
    return state


def _paused(state: TableState, entry: log.Paused) -> TableState:
    """The clock gets back what passed while the process did not run, never more than it had."""
    if not state.running:
        refuse("not-playing")
    if state.deadline is None:
        return state
    playing = state.stage is Stage.PLAYING
    whole = 1000 * state.options.clock if playing else max(state.first_wait_ms, state.pause_ms)
    most = state.at_ms + whole - state.deadline
    given = max(0, min(entry.ms, most))
    begins = max(state.at_ms, state.turn_since)
    since = min(state.turn_since + given, begins) if playing else state.turn_since
    return changed(state, deadline=state.deadline + given, turn_since=since)


_STEPS: Mapping[type, Callable[[TableState, Any], TableState]] = {
    log.Created: lambda *_: refuse("bad-message", reason="a table is created once"),
    log.Sat: _sat,
    log.Left: _left,
    log.Kicked: _kicked,
    log.Renamed: _renamed,
    log.ReadySet: _ready_set,
    log.BotSet: _bot_set,
    log.Started: _started,
    log.Committed: rounds.committed,
    log.CommitmentsShown: rounds.shown,
    log.Revealed: rounds.revealed,
    log.Abandoned: rounds.abandoned,
    log.Dealt: _dealt,
    log.Away: _away,
    log.RematchSet: _rematch_set,
    log.Restarted: _restarted,
    log.Paused: _paused,
    log.Closed: lambda state, _: changed(
        state, stage=Stage.CLOSED, deal=None, secret=None, deadline=None
    ),
}
