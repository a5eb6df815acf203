"""What a viewer is told about a table: the only way out of this package for its state.

A viewer is a seat, or None for everybody else. The public part is the same for all; the part
``you`` is made from the seat's :class:`okey101.game.view.View`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import compress
from operator import attrgetter, is_not, ne
from typing import TypeAlias

import msgspec

from okey101.game import Deal, Options, View, view_of
from okey101.game.deal import Phase
from okey101.game.fair_record import BOT_PREFIX, AbandonedRound, Fair
from okey101.game.fairness import commitment
from okey101.game.match import places, team_totals
from okey101.game.open_side_json import sheet_json, tile_or_none
from okey101.game.public import FORM
from okey101.game.rack_text import rack_text
from okey101.server.protocol.options import written_rules
from okey101.server.tables import log_entries as log
from okey101.server.tables.state import Played, Round, Seat, TableState

__all__ = [
    "Json",
    "NameOf",
    "deal_patch",
    "deal_view",
    "encode",
    "fair_json",
    "hands_changed",
    "options_for",
    "splice",
    "table_patch",
    "table_view",
    "what_happened",
    "you",
]

Json: TypeAlias = "dict[str, object]"
NameOf: TypeAlias = Callable[[str], str | None]
"""The name of a person by id; None for one who deleted the account."""

_ENCODER = msgspec.json.Encoder()


def _nameless(_: str) -> str | None:
    return None


def encode(message: object) -> bytes:
    """A message as it goes over the wire."""
    return _ENCODER.encode(message)


def splice(public: bytes, name: str, part: object) -> bytes:
    """An encoded object with one more name."""
    return b'%s,"%s":%s}' % (public[:-1], name.encode(), _ENCODER.encode(part))


# The table ------------------------------------------------------------------------------------


def table_view(state: TableState, name_of: NameOf) -> Json:
    """All that everybody may know of the table itself."""
    return {name: make(state, name_of) for name, make in _TABLE.items()}


def table_patch(
    before: TableState, after: TableState, name_of: NameOf, *, renamed: bool = False
) -> Json:
    """The parts of :func:`table_view` that a row changed; the seats too if a name has changed."""
    changed: Json = {}
    # Most values are the same objects, row after row.
    for names in compress(_TABLE_NAMES, map(is_not, _table_slots(before), _table_slots(after))):
        for name in names:
            _, depends, make = _TABLE_DEPENDS[name]
            if name not in changed and depends(before) != depends(after):
                changed[name] = make(after, name_of)
    if renamed:
        changed["seats"] = _seats(after, name_of)
    return changed


def _seat_json(number: int, seat: Seat, state: TableState, name_of: NameOf) -> Json:
    if seat.user is None:
        shown: Json = {"name": None, "bot": seat.bot}
        comer = state.comer(number)
        return shown if comer is None else shown | {"coming": name_of(comer)}
    return {
        "name": name_of(seat.user),
        "bot": None,
        "owner": seat.user == state.owner and not state.options.quick,
        "ready": seat.ready,
        "rematch": seat.rematch,
        "away": seat.away,
        "late": seat.user in state.latecomers,
    }


def _seats(state: TableState, name_of: NameOf) -> object:
    return [_seat_json(number, seat, state, name_of) for number, seat in enumerate(state.seats)]


def _options(state: TableState, _: NameOf) -> object:
    """With what the table plays where its options are older than a field of the rules."""
    written = written_rules(state.rules) | state.options.rules
    return msgspec.structs.replace(state.options, rules=written)


def _stage(state: TableState, _: NameOf) -> object:
    return state.stage.value


def _match(state: TableState, _: NameOf) -> object:
    return state.match


def _deadline(state: TableState, _: NameOf) -> object:
    return state.deadline


def _turn_since(state: TableState, _: NameOf) -> object:
    return state.turn_since


def _commitment(state: TableState, _: NameOf) -> object:
    if state.commitment is None:
        return None
    round_ = state.context[-1]
    deal = state.number
    return {"value": state.commitment, "match": state.match, "deal": deal, "round": round_}


def _round(state: TableState, _: NameOf) -> object:
    if state.secret is None or state.fair == 1:
        return None
    seats = enumerate(state.seats)
    return {
        "number": len(state.abandoned),
        "shown": state.shown,
        "commitments": list(state.promises),
        "bots": [who.startswith(BOT_PREFIX) for who in state.sat] if state.shown else None,
        "transcript": state.transcript,
        "randomness": [cut and cut.hex() for cut in state.cuts],
        "left_out": [number for number, seat in seats if seat.user in state.left_out],
        "abandoned": [other.to_dict() for other in _abandoned(state, state.abandoned)],
    }


def _scores(state: TableState, _: NameOf) -> object:
    totals = state.totals
    teams = team_totals(state.rules, totals)
    return {
        "counted": state.counted,
        "totals": list(totals),
        "teams": None if teams is None else list(teams),
        "places": list(places(totals) if teams is None else places(teams) * 2),
        "deals": [sheet_json(p.deal.result) for p in state.played if p.deal.result is not None],
    }


_TABLE_DEPENDS: Mapping[
    str,
    tuple[
        tuple[str, ...],
        Callable[[TableState], object],
        Callable[[TableState, NameOf], object],
    ],
] = {
    "stage": (("stage",), lambda s: s.stage, _stage),
    "options": (("options",), lambda s: s.options, _options),
    "seats": (
        ("seats", "owner", "latecomers", "coming"),
        lambda s: (s.seats, s.owner, s.latecomers, s.coming),
        _seats,
    ),
    "match": (("match",), lambda s: s.match, _match),
    "deadline": (("deadline",), lambda s: s.deadline, _deadline),
    "turn_since": (("turn_since",), lambda s: s.turn_since, _turn_since),
    "commitment": (("secret", "played"), lambda s: (s.secret, len(s.played)), _commitment),
    "round": (
        ("secret", "promises", "shown", "cuts", "left_out", "seats"),
        lambda s: (s.secret, s.promises, s.shown, s.cuts, s.left_out and (s.left_out, s.sitting)),
        _round,
    ),
    "scores": (("played", "match"), lambda s: (len(s.played), s.match), _scores),
}
"""For each part: the fields it is made of, how they have to differ, and how it is made."""
_TABLE_SLOTS = tuple(dict.fromkeys(s for slots, _, _ in _TABLE_DEPENDS.values() for s in slots))
_TABLE_NAMES = tuple(
    tuple(name for name, (slots, _, _) in _TABLE_DEPENDS.items() if slot in slots)
    for slot in _TABLE_SLOTS
)
"""For each of the fields the parts that are made of it."""
_table_slots: Callable[[TableState], tuple[object, ...]] = attrgetter(*_TABLE_SLOTS)
_TABLE: Mapping[str, Callable[[TableState, NameOf], object]] = {
    "id": lambda s, _: s.table,
    **{name: make for name, (_, _, make) in _TABLE_DEPENDS.items()},
}


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
    assert played.deal is deal
    return {
        "hands": [rack_text(hand) for hand in deal.hands],
        "fair": fair_json(state, state.number - 1, played),
    }


def fair_json(state: TableState, number: int, played: Played, name_of: NameOf = _nameless) -> Json:
    """What a finished deal came from, as the record keeps it."""
    return _fair(state, number, played, name_of).to_dict()


def _fair(state: TableState, number: int, played: Played, name_of: NameOf) -> Fair:
    secret, where = played.secret, (state.table, state.match, number)
    randomness = tuple((cut or b"").hex() for cut in played.cuts)
    if played.fair == 1:
        promised = commitment(secret, *where)
        return Fair(promised, *where, randomness=randomness, secret=secret.hex())
    round_ = len(played.abandoned)
    return Fair(
        commitment(secret, *where, round_),
        *where,
        randomness=randomness,
        secret=secret.hex(),
        version=played.fair,
        round=round_,
        seats=_sat(played.sat, name_of),
        commitments=tuple(promise or "" for promise in played.promises),
        abandoned=_abandoned(state, played.abandoned, number, name_of),
    )


def _abandoned(
    state: TableState,
    rounds: tuple[Round, ...],
    deal: int | None = None,
    name_of: NameOf = _nameless,
) -> tuple[AbandonedRound, ...]:
    where = (state.table, state.match, state.number if deal is None else deal)
    return tuple(
        AbandonedRound(
            commitment=commitment(one.secret, *where, None if one.fair == 1 else number),
            seats=_sat(one.sat, name_of),
            commitments=tuple(promise or "" for promise in one.promises or (None,) * len(one.sat)),
            randomness=tuple((cut or b"").hex() for cut in one.cuts),
            secret=one.secret.hex(),
            reason=one.why,
            version=one.fair,
        )
        for number, one in enumerate(rounds)
    )


def _sat(sat: tuple[str, ...], name_of: NameOf) -> tuple[str, ...]:
    return tuple(who if who.startswith(BOT_PREFIX) else name_of(who) or "-" for who in sat)


# One seat -------------------------------------------------------------------------------------


def you(state: TableState, seat: int | None, options: Json | None = None) -> Json | None:
    """What one seat alone may know: its tiles, and its options where they were asked for."""
    if seat is None:
        return None
    shown: Json = {"seat": seat}
    if state.deal is not None:
        view = view_of(state.deal, seat)
        shown["hand"] = rack_text(view.hand or 0)
        shown["drawn"] = tile_or_none(view.drawn)
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


def what_happened(entry: log.Entry, before: TableState) -> Json:
    """A log entry as everybody may read it: seats instead of persons, and no secrets."""
    what: Json = {"kind": entry.__struct_config__.tag}
    match entry:
        case log.Acted():
            what |= {"seat": entry.seat, "actions": tuple(map(str, entry.actions)), "by": entry.by}
        case log.Sat():
            what |= {"seat": entry.seat} | ({"waits": True} if entry.waits else {})
        case log.Kicked():
            what |= {"seat": entry.seat}
        case log.BotSet():
            what |= {"seat": entry.seat, "bot": entry.bot}
        case log.Away():
            what |= {"seat": entry.seat, "on": entry.on, "why": entry.why}
        case log.ReadySet() | log.RematchSet():
            what |= {"seat": before.seat_of(entry.user), "on": entry.on}
        case log.Revealed():
            what |= {"seat": before.place_of(entry.user), "random": entry.random}
        case log.Abandoned():
            what |= {"why": entry.why}
        case log.Left() | log.CutGiven() | log.Committed() | log.Renamed():
            what |= {"seat": before.place_of(entry.user)}
        case log.Paused():
            what |= {"ms": entry.ms}
        case log.Closed():
            what |= {"why": entry.why}
        case _:
            pass
    return what
