"""The game record as a value: reading it with every error at its place, and writing it.

Reading checks the form alone; :func:`okey101.game.record_replay.replay` plays it and checks
the rest.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from okey101.errors import OkeyError, RuleSetError
from okey101.game.actors import Actor
from okey101.game.deal import Deal
from okey101.game.dealing import seed_bytes
from okey101.game.fair_record import Fair
from okey101.game.match import team_totals
from okey101.game.open_side_json import result_json
from okey101.game.ruleset import RuleSet
from okey101.game.strict_json import (
    as_int,
    as_ints,
    as_list,
    as_object,
    as_text,
    bad,
    load_json,
    own_names,
)
from okey101.tiles import OKEY, TILES, Rack, parse_tile

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "RULES_VERSION",
    "DealRecord",
    "Record",
    "parse_record",
    "read_record",
    "record_of",
    "schema",
    "write_record",
]

FORMAT: Final = "okey101/1"
RULES_VERSION: Final = 2
"""Changes only when the outcome of some legal input changes.

Version 2 added the fields of R8, R13 and X4 to X9; before it the presets read R8 and R13
differently.
"""
MAX_BYTES: Final = 16 * 1024 * 1024
"""Longer records are not read; a long match takes some 50 kB."""
MAX_ACTIONS: Final = 20_000
"""Longer deals are not read; a deal takes some hundreds, taking tiles back included."""


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal as written: a seed or an arrangement, the actions, and what is claimed of it.

    Texts are kept as they were written; ``stock`` and ``hands`` are racks in the notation, and
    ``actors`` tells who played each action (:class:`okey101.game.actors.Actor`).
    """

    actions: tuple[str, ...]
    dealer: int | None = None
    seed: str | None = None
    dice: tuple[int, ...] | None = None
    indicator: str | None = None
    hands: tuple[str, ...] | None = None
    stock: str | None = None
    result: Mapping[str, object] | None = None
    fair: Mapping[str, object] | None = None
    actors: tuple[str, ...] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON, absent fields left out."""
        data: dict[str, object] = {
            "dealer": self.dealer,
            "seed": self.seed,
            "dice": None if self.dice is None else list(self.dice),
            "indicator": self.indicator,
            "hands": None if self.hands is None else list(self.hands),
            "stock": self.stock,
            "actions": list(self.actions),
            "actors": None if self.actors is None else list(self.actors),
            "result": None if self.result is None else dict(self.result),
            "fair": None if self.fair is None else dict(self.fair),
        }
        return {k: v for k, v in data.items() if v is not None} | dict(self.extra)


@dataclass(frozen=True, slots=True)
class Record:
    """A match as written: its rules, its deals, and the totals claimed.

    >>> from okey101 import play_deal, record_of
    >>> deal = play_deal("pagat", ["greedy"] * 4, seed=7)
    >>> record = record_of(deal.rules, [deal])
    >>> record.totals == deal.result.scores, len(record.deals[0].actions)
    (True, 56)
    """

    rules: RuleSet
    deals: tuple[DealRecord, ...]
    rules_version: int = RULES_VERSION
    deals_agreed: int | None = None
    players: tuple[str, ...] | None = None
    totals: tuple[int, ...] | None = None
    team_totals: tuple[int, ...] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)
    rules_extra: Mapping[str, object] = field(default_factory=dict)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON; the rule set is written in full beside its preset's name."""
        data: dict[str, object] = {
            "format": FORMAT,
            "rules_version": self.rules_version,
            "deals_agreed": self.deals_agreed,
            "rules": self.rules.to_dict() | dict(self.rules_extra),
            "players": None if self.players is None else list(self.players),
            "deals": [deal.to_dict() for deal in self.deals],
            "totals": None if self.totals is None else list(self.totals),
            "team_totals": None if self.team_totals is None else list(self.team_totals),
        }
        return {k: v for k, v in data.items() if v is not None} | dict(self.extra)

    def to_json(self) -> str:
        """The record as JSON text, ending in a line feed."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n"


def record_of(
    rules: RuleSet,
    deals: Sequence[Deal],
    *,
    players: Sequence[str] | None = None,
    deals_agreed: int | None = None,
) -> Record:
    """The record of deals that were played one after the other, the last perhaps unfinished.

    >>> from okey101 import Deal
    >>> deal = Deal.start("pagat", seed=7).apply("discard R4")
    >>> record_of(deal.rules, [deal]).deals[0].actions
    ('1: discard R4',)
    """
    results = [deal.result for deal in deals if deal.result is not None]
    totals = tuple(sum(r.scores[seat] for r in results) for seat in range(rules.players))
    return Record(
        rules=rules,
        deals=tuple(_deal_record(deal) for deal in deals),
        deals_agreed=deals_agreed,
        players=None if players is None else tuple(players),
        totals=totals if results else None,
        team_totals=team_totals(rules, totals) if results else None,
    )


def _deal_record(deal: Deal) -> DealRecord:
    dealt = deal.layout
    return DealRecord(
        actions=tuple(f"{seat}: {action}" for seat, action in deal.public.actions),
        dealer=dealt.dealer,
        seed=None if dealt.seed is None else dealt.seed.hex(),
        dice=dealt.dice or None,
        indicator=str(TILES[dealt.indicator]),
        hands=tuple(str(Rack.from_bits(hand)) for hand in dealt.hands),
        stock=" ".join(str(TILES[t]) for t in dealt.stock),
        result=None if deal.result is None else result_json(deal.result),
    )


def write_record(path: str | os.PathLike[str], record: Record) -> None:
    """Write a record so that the file is either the old one or the whole new one.

    Raises OSError.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from okey101 import Deal, record_of
    >>> deal = Deal.start("pagat", seed=7)
    >>> with TemporaryDirectory() as folder:
    ...     write_record(Path(folder, "match.okey.json"), record_of(deal.rules, [deal]))
    ...     print([path.name for path in Path(folder).iterdir()])
    ['match.okey.json']
    """
    target = Path(path)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as file:
            file.write(record.to_json())
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read_record(path: str | os.PathLike[str]) -> Record:
    """Read a record from a file.

    Raises RecordError for its contents (``too-large`` above 16 MiB) and OSError for the file.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from okey101 import play_deal, record_of
    >>> deal = play_deal("pagat", ["greedy"] * 4, seed=7)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "match.okey.json")
    ...     write_record(path, record_of(deal.rules, [deal]))
    ...     read_record(path).totals
    (-101, 26, 202, 202)
    """
    with Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return parse_record(data)


def parse_record(data: str | bytes) -> Record:
    """Read a record from JSON text; RecordError with a code and a path (``deals[0].hands[2]``).

    >>> from okey101 import Deal, record_of
    >>> deal = Deal.start("pagat", seed=7)
    >>> parse_record(record_of(deal.rules, [deal]).to_json()).rules == deal.rules
    True
    """
    if len(data) > MAX_BYTES:
        bad("too-large", f"a record has at most {MAX_BYTES} bytes", "", limit=MAX_BYTES)
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
    except UnicodeDecodeError as error:
        bad("not-utf8", f"byte {error.start} is not UTF-8", "", position=error.start)
    return _record(load_json(text))


def schema() -> dict[str, object]:
    """The published JSON Schema (2020-12) of the record; a fresh copy at each call."""
    from importlib.resources import files

    text = files("okey101.game").joinpath("record.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, object] = json.loads(text)
    return loaded


_TOP = (
    "format",
    "rules_version",
    "deals_agreed",
    "rules",
    "players",
    "deals",
    "totals",
    "team_totals",
)
_DEAL = (
    "dealer", "seed", "dice", "indicator", "hands", "stock", "actions", "actors", "result", "fair",
)  # fmt: skip
_RESULT = ("end", "winner", "scores", "fines")


def _record(value: object) -> Record:
    top = as_object(value, "", _TOP)
    _check_format(top)
    # A record that doesn't say is of the first version: its meaning must not change when ours does.
    version = as_int(top.get("rules_version", 1), "rules_version", 1, 10**6)
    if version > RULES_VERSION:
        bad(
            "newer-rules", f"rules version {version} is newer than {RULES_VERSION}", "rules_version"
        )
    rules, rules_extra = _rules(top.get("rules"), version)
    agreed = as_int(top["deals_agreed"], "deals_agreed", 1, 1000) if "deals_agreed" in top else None
    players = _players(top["players"], rules) if "players" in top else None
    if "deals" not in top:
        bad("missing", "deals is missing", "deals", name="deals")
    deals = tuple(
        _deal(deal, f"deals[{i}]", rules) for i, deal in enumerate(as_list(top["deals"], "deals"))
    )
    totals = as_ints(top["totals"], "totals", rules.players) if "totals" in top else None
    teams = as_ints(top["team_totals"], "team_totals", 2) if "team_totals" in top else None
    if teams is not None and not rules.teams:
        bad("unexpected", "team_totals needs a rule set with teams", "team_totals")
    return Record(
        rules, deals, version, agreed, players, totals, teams, own_names(top), rules_extra
    )


def _check_format(top: Mapping[str, object]) -> None:
    if "format" not in top:
        bad("missing", "format is missing: this is no record", "format", name="format")
    name = as_text(top["format"], "format")
    if name == FORMAT:
        return
    family, _, number = name.partition("/")
    if family == "okey101" and number.isascii() and number.isdecimal() and int(number[:9]) > 1:
        bad(
            "newer-format",
            f"the format {name[:40]} is newer than {FORMAT}",
            "format",
            format=name[:40],
        )
    bad("bad-format", f"the format is {name[:40]!r}, not {FORMAT}", "format", format=name[:40])


def _rules(value: object, version: int) -> tuple[RuleSet, dict[str, object]]:
    if value is None:
        bad("missing", "rules is missing", "rules", name="rules")
    if not isinstance(value, dict):
        bad("wrong-type", "must be an object", "rules", wanted="object")
    extra = own_names(value)
    try:
        known = {k: v for k, v in value.items() if k not in extra}
        return RuleSet.from_dict(known, version=version), extra
    except RuleSetError as error:
        bad(error.code, error.message, f"rules.{error.fields[0]}", **error.details)


def _players(value: object, rules: RuleSet) -> tuple[str, ...]:
    names = as_list(value, "players", rules.players)
    return tuple(as_text(name, f"players[{i}]", 200) for i, name in enumerate(names))


def _deal(value: object, path: str, rules: RuleSet) -> DealRecord:
    deal = as_object(value, path, _DEAL)
    if "actions" not in deal:
        bad("missing", "actions is missing", f"{path}.actions", name="actions")
    actions = tuple(
        as_text(a, f"{path}.actions[{i}]", 1000)
        for i, a in enumerate(as_list(deal["actions"], f"{path}.actions"))
    )
    if len(actions) > MAX_ACTIONS:
        bad(
            "too-long", f"has more than {MAX_ACTIONS} entries", f"{path}.actions", limit=MAX_ACTIONS
        )
    hands = None
    if "hands" in deal:
        items = as_list(deal["hands"], f"{path}.hands", rules.players)
        hands = tuple(_rack(h, f"{path}.hands[{i}]") for i, h in enumerate(items))
    record = DealRecord(
        actions=actions,
        dealer=as_int(deal["dealer"], f"{path}.dealer", 0, rules.players - 1)
        if "dealer" in deal
        else None,
        seed=_seed(deal["seed"], f"{path}.seed") if "seed" in deal else None,
        dice=_dice(deal["dice"], f"{path}.dice") if "dice" in deal else None,
        indicator=_indicator(deal["indicator"], f"{path}.indicator")
        if "indicator" in deal
        else None,
        hands=hands,
        stock=_stock(deal["stock"], f"{path}.stock") if "stock" in deal else None,
        result=_result(deal["result"], f"{path}.result", rules) if "result" in deal else None,
        fair=_fair(deal["fair"], f"{path}.fair", rules) if "fair" in deal else None,
        actors=_actors(deal["actors"], f"{path}.actors", len(actions))
        if "actors" in deal
        else None,
        extra=own_names(deal),
    )
    if record.seed is None and (record.hands is None or record.indicator is None):
        bad("no-deal", "a deal needs a seed, or hands and an indicator", path)
    return record


def _result(value: object, path: str, rules: RuleSet) -> Mapping[str, object]:
    result = as_object(value, path, _RESULT)
    if result.get("end") is not None and result["end"] not in ("finish", "stock", "all-pairs"):
        bad("bad-value", "must be finish, stock or all-pairs", f"{path}.end")
    if result.get("winner") is not None:
        as_int(result["winner"], f"{path}.winner", 0, rules.players - 1)
    if result.get("scores") is not None:
        as_ints(result["scores"], f"{path}.scores", rules.players)
    for i, item in enumerate(as_list(result.get("fines", []), f"{path}.fines")):
        at = f"{path}.fines[{i}]"
        fine = as_object(item, at, ("seat", "rule", "points"))
        for name in ("seat", "rule", "points"):
            if name not in fine:
                bad("missing", f"{name} is missing", f"{at}.{name}", name=name)
        as_int(fine["seat"], f"{at}.seat", 0, rules.players - 1)
        as_text(fine["rule"], f"{at}.rule", 10)
        as_int(fine["points"], f"{at}.points", 0, 10**6)
    return result


def _fair(value: object, path: str, rules: RuleSet) -> Mapping[str, object]:
    Fair.from_dict(value, path, rules.players)
    assert isinstance(value, dict)
    return value


def _actors(value: object, path: str, count: int) -> tuple[str, ...]:
    """One for each action."""
    items = as_list(value, path)
    if len(items) != count:
        message = f"needs one entry for each of the {count} actions, not {len(items)}"
        bad("actor-count", message, path, wanted=count, got=len(items))
    return tuple(_actor(item, f"{path}[{i}]") for i, item in enumerate(items))


def _actor(value: object, path: str) -> str:
    text = as_text(value, path)
    try:
        Actor.parse(text)
    except OkeyError as error:
        bad(error.code, error.message, path)
    return text


def _seed(value: object, path: str) -> str:
    text = as_text(value, path)
    try:
        return seed_bytes(text).hex()
    except OkeyError as error:
        bad(error.code, error.message, path)


def _dice(value: object, path: str) -> tuple[int, ...]:
    throws = as_list(value, path)
    if len(throws) < 2:
        bad("wrong-count", "two throws or more are needed", path, wanted=2, got=len(throws))
    return tuple(as_int(throw, f"{path}[{i}]", 1, 6) for i, throw in enumerate(throws))


def _indicator(value: object, path: str) -> str:
    text = as_text(value, path)
    try:
        tile = parse_tile(text)
    except OkeyError as error:
        bad(error.code, error.message, path, **error.details)
    if tile == OKEY:
        bad("bad-indicator", "an okey can't be the indicator", path, tile=text)
    return str(tile)


def _rack(value: object, path: str) -> str:
    text = as_text(value, path, 1000)
    try:
        return str(Rack.parse(text))
    except OkeyError as error:
        bad(error.code, error.message, path, **error.details)


def _stock(value: object, path: str) -> str:
    text = as_text(value, path, 1000)
    try:
        return " ".join(str(parse_tile(word)) for word in text.split())
    except OkeyError as error:
        bad(error.code, error.message, path, **error.details)
