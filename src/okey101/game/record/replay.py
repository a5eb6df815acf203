"""Playing a record again: every action judged, every claim compared."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, NoReturn

from okey101.errors import IllegalAction, NotationError, OkeyError, checked, whole_number
from okey101.game.actions import parse_line
from okey101.game.deal import Deal
from okey101.game.dealing import Layout, deal_from_hands, deal_from_seed
from okey101.game.match import next_dealer, team_totals, totals_of
from okey101.game.open_side_json import result_json
from okey101.game.record.form import RULES_VERSION, DealRecord, Record
from okey101.game.ruleset import RuleSet
from okey101.game.strict_json import bad, reading
from okey101.game.transition import apply


@dataclass(frozen=True, slots=True)
class Replay:
    """The deals of a record after their last action, and the totals.

    >>> from okey101 import play_deal, record_of, replay
    >>> deal = play_deal("pagat", ["greedy"] * 4, seed=7)
    >>> played = replay(record_of(deal.rules, [deal]))
    >>> played.totals == deal.result.scores, played.deals[0] == deal
    (True, True)
    """

    rules: RuleSet
    deals: tuple[Deal, ...]
    totals: tuple[int, ...]
    team_totals: tuple[int, int] | None

    def to_dict(self) -> dict[str, object]:
        """What ``okey101 replay --json`` prints."""
        data: dict[str, object] = {
            "rules_version": RULES_VERSION,
            "deals": [_outcome(deal) for deal in self.deals],
            "totals": list(self.totals),
        }
        if self.team_totals is not None:
            data["team_totals"] = list(self.team_totals)
        return data


def _outcome(deal: Deal) -> dict[str, object]:
    opened = [None if o is None else o.value for o in deal.public.opened]
    return _claims(deal) | {"opened": opened}


def _claims(deal: Deal) -> dict[str, object]:
    """End, winner, scores and fines of a deal; of a running one, its fines so far."""
    if deal.result is not None:
        return result_json(deal.result)
    fines = [fine._asdict() for fine in deal.public.fines]
    return {"end": None, "winner": None, "scores": None, "fines": fines}


def replay(
    record: Record,
    *,
    until: int | None = None,
    on_deal: Callable[[list[Deal]], object] = lambda _: None,
) -> Replay:
    """Play a record and compare every result and total it claims.

    ``until`` stops after that many actions, counted over the whole record, and then compares
    nothing that was not reached. ``on_deal`` has the states of each deal, as dealt and after every
    action. Raises RecordError: its path says where, and its details hold
    ``deal``, ``action``, ``text`` and ``rule`` for an action that is refused.

    >>> from okey101 import play_deal, record_of
    >>> deal = play_deal("pagat", ["greedy"] * 4, seed=7)
    >>> replay(record_of(deal.rules, [deal]), until=3).deals[0].phase
    <Phase.DRAW: 'draw'>
    """
    deals: list[Deal] = []
    dealer = 0
    left = until if until is None else whole_number(until, "until", 0, sys.maxsize)
    for number, written in enumerate(checked(record, Record).deals):
        if left is not None and left <= 0 and deals:
            break
        _check_agreed(record, deals, number)
        dealer = dealer if written.dealer is None else written.dealer
        steps = steps_of(record, number, dealer)
        states = list(islice(steps, None if left is None else left + 1))
        on_deal(states)
        deal = states[-1]
        if _complete(deal, written):
            _compare_result(deal, written, f"deals[{number}].result")
        deals.append(deal)
        if left is not None:
            left -= len(deal.public.actions)
        if deal.result is not None:
            dealer = next_dealer(record.rules, dealer, deal.result)
    totals = totals_of(record.rules, tuple(d.result for d in deals if d.result is not None))
    teams = team_totals(record.rules, totals)
    if len(deals) == len(record.deals) and all(map(_complete, deals, record.deals)):
        for name, actual in (("totals", totals), ("team_totals", teams)):
            if (claimed := getattr(record, name)) is not None:
                _compare("totals-differ", claimed, actual, name)
    return Replay(record.rules, tuple(deals), totals, teams)


def _complete(deal: Deal, written: DealRecord) -> bool:
    """Whether a deal was played to the last action written."""
    return len(deal.public.actions) == len(written.actions)


def _check_agreed(record: Record, deals: list[Deal], number: int) -> None:
    """Refuse deals beyond the agreed number (C4)."""
    counted = sum(1 for d in deals if d.result is not None and d.result.counts)
    if record.deals_agreed is not None and counted >= record.deals_agreed:
        message = f"the match was over after {counted} deals"
        bad("too-many-deals", message, f"deals[{number}]")


def steps_of(record: Record, number: int, dealer: int = 0) -> Iterator[Deal]:
    """The states of one deal of a record: as dealt, then after each action.

    ``dealer`` serves where the record names none. Raises RecordError.
    """
    written = record.deals[number]
    deal = Deal.start(record.rules, dealt_of(record.rules, written, dealer, f"deals[{number}]"))
    yield deal
    for index, text in enumerate(written.actions):
        try:
            seat, action = parse_line(text)
            deal = apply(deal, action, seat)
        except OkeyError as error:
            _refused(error, number, index, text)
        yield deal


def _refused(error: OkeyError, deal: int, action: int, text: str) -> NoReturn:
    path = f"deals[{deal}].actions[{action}]"
    details = error.details | {"deal": deal, "action": action, "text": text}
    if isinstance(error, IllegalAction):
        details["rule"] = error.rule
    if isinstance(error, NotationError):
        details["position"] = error.position
    bad(error.code, f"{text[:100]!r}: {error.message}", path, **details)


def dealt_of(rules: RuleSet, written: DealRecord, dealer: int, path: str = "") -> Layout:
    """The table a deal begins with: its seed's, changed by what is written out.

    Raises RecordError.
    """
    given = dealer if written.dealer is None else written.dealer
    names = ("indicator", "hands", "stock", "dice")
    told: dict[str, Any] = {n: v for n in names if (v := getattr(written, n)) is not None}
    if written.seed is not None:
        seeded = deal_from_seed(rules, bytes.fromhex(written.seed), given)
        if not told:
            return seeded
        told = {name: getattr(seeded, name) for name in (*names, "seed")} | told
    with reading(path):
        return deal_from_hands(rules, dealer=given, **told)


def _compare_result(deal: Deal, written: DealRecord, path: str) -> None:
    played = _claims(deal)
    for name, claimed in (written.result or {}).items():
        if name.startswith("_"):
            continue
        actual = played[name]
        if name == "fines":
            claimed, actual = _sorted_fines(claimed), _sorted_fines(actual)
        _compare("result-differs", claimed, actual, f"{path}.{name}")


def _sorted_fines(fines: object) -> list[tuple[object, ...]]:
    assert isinstance(fines, list)
    return sorted((f["seat"], f["rule"], f["points"]) for f in fines)


def _compare(code: str, claimed: object, actual: object, path: str) -> None:
    """RecordError where a claim is not what the play gives."""
    if claimed != actual:
        message = f"the record says {json.dumps(claimed)}, the play gives {json.dumps(actual)}"
        bad(code, message, path, claimed=claimed, actual=actual)
