"""What a viewer is told about a table: the only way out of this package for its state.

A viewer is a seat, or None for everybody else. The public part is the same for all; the part
``you`` has the seat's own hand, the tile it drew, and options from its
:class:`okey101.game.view.View`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import compress
from operator import attrgetter, ne
from typing import TypeAlias, get_args

import msgspec

from okey101.game import Deal, Options, View, view_of
from okey101.game.deal_parts import Phase
from okey101.game.fair.rounds import commitment
from okey101.game.fair.transcript import AbandonedRound, Fair
from okey101.game.match import places_of, team_totals
from okey101.game.open_side_json import sheet_json
from okey101.game.public import FORM
from okey101.server.protocol.server_messages import What
from okey101.server.protocol.views import Called
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import Played, Round, Seat, TableState
from okey101.tiles import TILE_TEXTS, rack_text

Json: TypeAlias = "dict[str, object]"
CalledBy: TypeAlias = Callable[[str], Called]
"""What a person of an id goes by."""

_ENCODER = msgspec.json.Encoder()


def encode(message: object) -> bytes:
    """A message as it goes over the wire."""
    return _ENCODER.encode(message)


def with_own(public: bytes, own: bytes) -> bytes:
    """An encoded event with the encoded part of one seat."""
    return b'%b,"you":%b}' % (public[:-1], own)


# The table ------------------------------------------------------------------------------------


def table_view(state: TableState, called: CalledBy) -> Json:
    """All that everybody may know of the table itself."""
    told: Json = {"id": state.table}
    told |= {name: make(state, called) for name, (_, make) in _TABLE_DEPENDS.items()}
    if (again := state.again) is not None:
        told["again"] = {
            "match": again.match, "deal": again.deal, "at": len(again.actions),
            "scores": list(again.scores),
        }  # fmt: skip
        return told
    return told if state.day is None else told | {"day": state.day.date}


def table_patch(
    before: TableState, after: TableState, called: CalledBy, entry: log.Entry | None = None
) -> Json:
    """The parts of :func:`table_view` that a row changed; the seats too if a name has changed."""
    same = after.seats is before.seats  # as long as the deal has not ended
    changed: Json = {
        name: make(after, called)
        for name, (depends, make) in (_MOVED if same and type(entry) is log.Acted else _PARTS)
        if depends(before) != depends(after)
    }
    if isinstance(entry, log.Renamed):
        changed["seats"] = _seats(after, called)
    return changed


def _seat_json(number: int, seat: Seat, state: TableState, called: CalledBy) -> Json:
    if seat.user is None:
        shown: Json = {"name": None, "bot": seat.bot}
        comer = state.comer(number)
        return shown if comer is None else shown | {"coming": called(comer).name}
    name, face = called(seat.user)
    return {
        "name": name,
        "bot": None,
        "id": state.id_of(seat.user),
        **({} if face is None else {"face": face}),
        "owner": seat.user == state.owner and not state.options.quick,
        "ready": seat.ready,
        "rematch": seat.rematch,
        "away": seat.away,
        "late": seat.user in state.latecomers,
    }


def _seats(state: TableState, called: CalledBy) -> object:
    return [_seat_json(number, seat, state, called) for number, seat in enumerate(state.seats)]


def _commitment(state: TableState, _: CalledBy) -> object:
    if state.commitment is None or state.day is not None:
        return None
    match, deal, number = state.context[1:]
    return {"value": state.commitment, "match": match, "deal": deal, "round": number}


def _round(state: TableState, _: CalledBy) -> object:
    if state.secret is None or state.day is not None:
        return None
    seats = enumerate(state.seats)
    return {
        "number": len(state.abandoned),
        "shown": state.shown,
        "commitments": list(state.promises),
        "seats": list(state.named(state.sat)) if state.shown else None,
        "transcript": state.transcript,
        "randomness": [cut and cut.hex() for cut in state.cuts],
        "left_out": [number for number, seat in seats if seat.user in state.left_out],
        "abandoned": [other.to_dict() for other in _abandoned(state, state.abandoned)],
    }


def _scores(state: TableState, _: CalledBy) -> object:
    totals = state.totals
    teams = team_totals(state.rules, totals)
    return {
        "counted": state.counted,
        "totals": list(totals),
        "teams": None if teams is None else list(teams),
        "places": list(places_of(state.rules, totals)),
        "deals": [sheet_json(p.deal.result) for p in state.played if p.deal.result is not None],
    }


_Part: TypeAlias = tuple[Callable[[TableState], object], Callable[[TableState, CalledBy], object]]


def _as_it_is(name: str) -> _Part:
    field = attrgetter(name)
    return field, lambda state, _: field(state)


_TABLE_DEPENDS: Mapping[str, _Part] = {
    "stage": _as_it_is("stage"),
    "options": _as_it_is("options"),
    "seats": (attrgetter("seats", "owner", "latecomers", "coming"), _seats),
    "match": _as_it_is("match"),
    "deadline": _as_it_is("deadline"),
    "turn_since": _as_it_is("turn_since"),
    "commitment": (lambda s: (s.secret, len(s.played)), _commitment),
    "round": (
        lambda s: (s.secret, s.promises, s.shown, s.cuts, s.left_out and (s.left_out, s.sitting)),
        _round,
    ),
    "scores": (lambda s: (len(s.played), s.match), _scores),
}
"""For each part: what has to differ for it to be told anew, and how it is made."""
_PARTS = [*_TABLE_DEPENDS.items()]
_MOVED = [part for part in _PARTS if part[0] in ("deadline", "turn_since")]
"""What a move changes that leaves everybody in place and does not end the deal."""


# The deal -------------------------------------------------------------------------------------


def deal_view(state: TableState) -> Json | None:
    """All that lies open in the deal on the table, with every action so far; None before one."""
    deal = state.deal
    if deal is None:
        return None
    return {"number": state.shown_number} | FORM.told(deal.public) | {"end": _end(state)}


def deal_patch(before: TableState, after: TableState) -> Json | None:
    """The parts of :func:`deal_view` that a row changed, but ``actions``; whole for a new deal."""
    old, new = before.deal, after.deal
    if new is old:
        return None
    if new is None:
        return {}
    if old is None or new.layout is not old.layout:
        return deal_view(after)
    changed = FORM.patch(old.public, new.public)
    if new.public.result is not None and old.public.result is None:
        changed["end"] = _end(after)
    return changed


def _end(state: TableState) -> Json | None:
    """After the last action: all hands, and what the deal came from."""
    deal = state.deal
    if deal is None or deal.public.result is None:
        return None
    played = state.played[-1]
    assert played.deal.whole is deal
    told: Json = {"hands": [rack_text(hand) for hand in deal.hands]}
    if state.day is None:  # else it is told once the day is closed
        told["fair"] = fair_json(state, state.number - 1, played)
    return told


def fair_json(state: TableState, number: int, played: Played) -> Json:
    """What a finished deal came from, as the record keeps it."""
    secret, where = played.secret, (state.promising, state.match, number)
    round_ = len(played.abandoned)
    return Fair(
        commitment(secret, *where, round_),
        *where,
        round_,
        terms=state.terms,
        seats=state.named(played.sat),
        commitments=tuple(promise or "" for promise in played.promises),
        randomness=tuple((cut or b"").hex() for cut in played.cuts),
        secret=secret.hex(),
        abandoned=_abandoned(state, played.abandoned, number),
    ).to_dict()


def _abandoned(
    state: TableState, rounds: tuple[Round, ...], deal: int | None = None
) -> tuple[AbandonedRound, ...]:
    where = (state.table, state.match, state.number if deal is None else deal)
    return tuple(
        AbandonedRound(
            commitment=commitment(one.secret, *where, number),
            seats=state.named(one.sat),
            commitments=tuple(promise or "" for promise in one.promises),
            randomness=tuple((cut or b"").hex() for cut in one.cuts),
            secret=one.secret.hex(),
            reason=one.why,
        )
        for number, one in enumerate(rounds)
    )


# One seat -------------------------------------------------------------------------------------


def you(state: TableState, seat: int | None, options: Json | None = None) -> Json | None:
    """What one seat alone may know: its tiles, and its options where they were asked for."""
    if seat is None:
        return None
    shown: Json = {"seat": seat}
    deal = state.deal
    if deal is not None:
        drawn = deal.drawn if seat == deal.public.turn else None
        shown["hand"] = rack_text(deal.hands[seat])
        shown["drawn"] = None if drawn is None else TILE_TEXTS[drawn]
        if options is not None:
            shown["options"] = options
    return shown


def hands_changed(before: TableState, after: TableState) -> Iterable[int]:
    """The seats that have to be told of their hands again."""
    old, new = before.deal, after.deal
    everybody = range(len(after.seats))
    if new is old:
        return ()
    if new is None or old is None or new.layout is not old.layout:
        return everybody
    return compress(everybody, map(ne, old.hands, new.hands))


def options_for(state: TableState, seat: int) -> Json | None:
    """What a seat may do now, without help at a table that isn't assisted; None off its turn."""
    deal: Deal | None = state.deal
    if deal is None or deal.public.turn != seat or deal.public.phase is Phase.OVER:
        return None
    view: View = view_of(deal, seat)
    found = Options(view).to_dict()
    if not state.options.assisted:
        for name in ("melds", "lays", "swaps"):
            found.pop(name)
        opening = found["opening"]
        assert isinstance(opening, dict)
        opening.pop("melds")
        opening.pop("pairs")
    return found


_TOLD = {kind.__struct_config__.tag: kind.__struct_fields__ for kind in get_args(What)}
"""For each kind of entry what everybody is told of it."""


def what_happened(entry: log.Entry, before: TableState) -> Json:
    """A log entry as everybody may read it: seats instead of persons, and no secrets."""
    kind = entry.__struct_config__.tag
    if isinstance(entry, log.Acted):
        actions = tuple(map(str, entry.actions))
        return {"kind": kind, "seat": entry.seat, "actions": actions, "by": entry.by}
    own = None if hasattr(entry, "seat") else before.place_of(getattr(entry, "user", None))
    told: Json = {name: getattr(entry, name, own) for name in _TOLD[kind]}
    if told.get("waits") is False:
        del told["waits"]
    return {"kind": kind} | told
