"""The game record as a value: reading it with every error at its place, and writing it.

Reading checks the form alone, :func:`okey101.game.record.replay.replay` the rest by playing it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from okey101.errors import OkeyError, RuleSetError, checked, exactly, whole_number
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Fine
from okey101.game.dealing import Layout, seed_bytes
from okey101.game.fair.transcript import Fair
from okey101.game.match import team_totals, totals_of
from okey101.game.open_side_json import result_json
from okey101.game.ruleset import RuleSet, rules_of
from okey101.game.strict_json import (
    as_int,
    as_ints,
    as_list,
    as_object,
    as_text,
    as_texts,
    bad,
    given,
    load_json,
    named,
    needed,
    own_names,
    parsed,
    plain,
)
from okey101.tiles import OKEY, TILE_TEXTS, Rack, parse_tile, rack_text

# Who played an action, as a record tells it.

PERSON: Final = "person"
CLOCK: Final = "clock"
"""A person's time was up."""
FALLBACK: Final = "fallback"
"""A bot had no choice: it failed, was late, chose what is illegal, or acted too often in a turn.

With a bot's name and version it is that bot's choice which was played in its place.
"""
BOT: Final = "bot"
"""A bot that can be played again: view and seed decide."""
EXTERNAL: Final = "external"
"""A program or code of others, which nobody can play again."""
_ACTOR = re.compile(
    r"(?P<kind>person)|(?P<played>clock|fallback)(?:/(?P<number>[1-9][0-9]{0,8}))?"
    r"|(?P<bot>bot|fallback):(?P<mark>[^\s/:]{1,60}/[1-9][0-9]{0,8})"
    r"|(?P<external>external):(?P<other>[^\s/:]{1,60}(?:/[1-9][0-9]{0,8})?)"
)


class Actor(NamedTuple):
    """A person, or what played by itself: the kind, and what it takes to play it again."""

    kind: str
    mark: str | None = None
    """A bot's name and version, as ``steady/1``; of what is external a name at least."""
    version: int = 1
    """Of the clock and the fallback."""

    @classmethod
    def parse(cls, text: str) -> Actor:
        """Read an actor: ``person``, ``clock``, ``fallback``, ``bot:NAME/VERSION``,
        ``fallback:NAME/VERSION``, or ``external:NAME``, with a version where one is known.

        A later version of what the clock and the fallback play is ``clock/2``. Raises OkeyError
        ``bad-actor``, which does not repeat the text.

        >>> Actor.parse("bot:steady/1")
        Actor(kind='bot', mark='steady/1', version=1)
        >>> Actor.parse("fallback:master/1")
        Actor(kind='fallback', mark='master/1', version=1)
        """
        found = _ACTOR.fullmatch(text)
        if found is None:
            raise OkeyError("bad-actor", "no actor: person, clock, fallback, bot:NAME/VERSION")
        kind, played, number, bot, mark = found.group("kind", "played", "number", "bot", "mark")
        external, other = found.group("external", "other")
        return cls(kind or played or bot or external, mark or other, int(number or 1))


FORMAT: Final = "okey101/1"
RULES_VERSION: Final = 1
"""Changes only when the outcome of some legal input changes, from the first release on."""
MAX_BYTES: Final = 16 * 1024 * 1024
"""Longer records are not read; a long match takes some 50 kB."""
MAX_ACTIONS: Final = 20_000
"""Longer deals are not read; a deal takes some hundreds, taking tiles back included."""


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal as written: a seed or an arrangement, the actions, and the claimed result.

    Texts are kept as they were written; ``stock`` and ``hands`` are racks in the notation, and
    ``actors`` names who played each action (:class:`okey101.game.record.form.Actor`).
    """

    actions: tuple[str, ...]
    dealer: int | None = None
    seed: str | None = None
    dice: tuple[int, ...] | None = None
    indicator: str | None = None
    hands: tuple[str, ...] | None = None
    stock: str | None = None
    result: Mapping[str, object] | None = field(default=None, hash=False)
    fair: Mapping[str, object] | None = field(default=None, hash=False)
    actors: tuple[str, ...] | None = None
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        return f"<DealRecord dealer={self.dealer} actions={len(self.actions)}>"

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON, absent fields left out."""
        data: dict[str, object] = {name: plain(getattr(self, name)) for name in _DEAL}
        return {k: v for k, v in data.items() if v is not None} | dict(self.extra)


@dataclass(frozen=True, slots=True)
class Record:
    """A match as written: its rules, its deals, and the totals claimed.

    >>> from okey101 import play_deal, record_of
    >>> deal = play_deal("pagat", ["greedy"] * 4, seed=7)
    >>> record = record_of(deal.rules, [deal])
    >>> record
    <Record rules=pagat deals=1 totals=(-101, 26, 202, 202)>
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
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)
    rules_extra: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __repr__(self) -> str:
        rules = self.rules.preset_name
        return f"<Record rules={rules} deals={len(self.deals)} totals={self.totals}>"

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON; the rule set is written in full beside its preset's name."""
        data = {name: plain(getattr(self, name, None)) for name in _TOP} | {
            "format": FORMAT,
            "rules": self.rules.to_dict() | dict(self.rules_extra),
            "deals": [deal.to_dict() for deal in self.deals],
        }
        return {k: v for k, v in data.items() if v is not None} | dict(self.extra)

    def to_json(self) -> str:
        """The record as JSON text, ending in a line feed."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the record to a file, which is never left half written.

        Raises OSError, which names the path that is given here.
        """
        target = Path(checked(path, str | os.PathLike, "path"))
        part = target.parent / f".{target.name}.{secrets.token_hex(4)}.part"
        try:
            with part.open("x", encoding="utf-8", newline="\n") as file:
                file.write(self.to_json())
                file.flush()
                os.fsync(file.fileno())
            part.replace(target)
        except BaseException as error:
            with suppress(OSError):
                part.unlink()
            if isinstance(error, OSError):
                error.filename = os.fspath(path)
                del error.filename2
            raise

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Record:
        """Read a record from a file.

        Raises RecordError for its contents (``too-large`` above 16 MiB) and OSError for the file.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from okey101 import play_deal, record_of
        >>> deal = play_deal("pagat", ["greedy"] * 4, seed=7)
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "match.okey.json")
        ...     record_of(deal.rules, [deal]).write(path)
        ...     Record.read(path).totals
        (-101, 26, 202, 202)
        """
        with Path(checked(path, str | os.PathLike, "path")).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        return parse_record(data)


def record_of(
    rules: RuleSet | str,
    deals: Sequence[Deal],
    *,
    players: Sequence[str] | None = None,
    deals_agreed: int | None = None,
) -> Record:
    """The record of deals played one after the other; the last may be unfinished.

    RuleSetError ``unknown-preset``, and ``bad-value`` if a deal was played by other rules.
    OkeyError ``wrong-count`` unless ``players`` has a name for each seat, ``out-of-range``, and
    ``wrong-type`` or ``too-long`` for a name that no reader takes.

    >>> from okey101 import Deal
    >>> deal = Deal.start("pagat", seed=7).apply("discard R4")
    >>> record_of(deal.rules, [deal]).deals[0].actions
    ('1: discard R4',)
    """
    rules = rules_of(rules)
    played = [checked(deal, Deal) for deal in checked(deals, Sequence, "list")]
    if any(deal.rules != rules for deal in played):
        message = "a deal was played by other rules than those of the record"
        raise RuleSetError("bad-value", message, ("rules",), allowed="those of the deals")
    if players is not None:
        exactly(rules.players, players, "names")
        players = as_texts([*players], "players", as_text)
    if deals_agreed is not None:
        whole_number(deals_agreed, "deals_agreed", 1, 1000)
    results = tuple(deal.result for deal in played if deal.result is not None)
    totals = totals_of(rules, results)
    return Record(
        rules=rules,
        deals=tuple(map(_deal_record, played)),
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
        result=None if deal.result is None else result_json(deal.result),
        **laid_texts(dealt),
    )


def laid_texts(dealt: Layout) -> dict[str, Any]:
    """What a :class:`DealRecord` has of a table."""
    return {
        "dice": dealt.dice or None,
        "indicator": TILE_TEXTS[dealt.indicator],
        "hands": tuple(map(rack_text, dealt.hands)),
        "stock": " ".join(TILE_TEXTS[tile] for tile in dealt.stock),
    }


def parse_record(data: str | bytes) -> Record:
    """Read a record from JSON text; RecordError with a code and a path (``deals[0].hands[2]``).

    >>> from okey101 import Deal, record_of
    >>> deal = Deal.start("pagat", seed=7)
    >>> parse_record(record_of(deal.rules, [deal]).to_json()).rules == deal.rules
    True
    """
    if len(checked(data, str | bytes, "text")) > MAX_BYTES:
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
    "format", "rules_version", "deals_agreed", "rules", "players", "deals", "totals", "team_totals",
)  # fmt: skip
_DEAL = (
    "dealer", "seed", "dice", "indicator", "hands", "stock", "actions", "actors", "result", "fair",
)  # fmt: skip
_RESULT = ("end", "winner", "scores", "fines")


def _record(value: object) -> Record:
    top = as_object(value, "", _TOP)
    _check_format(top)
    version = given(top, "rules_version", "", as_int, 1, 10**6) or RULES_VERSION
    if version > RULES_VERSION:
        message = f"rules version {version} is newer than {RULES_VERSION}"
        bad("newer-rules", message, "rules_version")
    rules, rules_extra = _rules(named(top, "rules"))
    agreed = given(top, "deals_agreed", "", as_int, 1, 1000)
    players = given(top, "players", "", as_texts, as_text, rules.players)
    written = needed(top, "deals", "", as_list)
    deals = tuple(_deal(deal, f"deals[{i}]", rules) for i, deal in enumerate(written))
    totals = given(top, "totals", "", as_ints, rules.players)
    teams = given(top, "team_totals", "", as_ints, 2)
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
    told = name[:40]
    family, _, number = name.partition("/")
    if family == "okey101" and number.isascii() and number.isdecimal() and int(number) > 1:
        bad("newer-format", f"the format {told} is newer than {FORMAT}", "format", format=told)
    bad("bad-format", f"the format is {told!r}, not {FORMAT}", "format", format=told)


def _rules(value: object) -> tuple[RuleSet, dict[str, object]]:
    if not isinstance(value, dict):
        bad("wrong-type", "must be an object", "rules", wanted="object")
    extra = own_names(value)
    try:
        known = {k: v for k, v in value.items() if k not in extra}
        return RuleSet.from_dict(known), extra
    except RuleSetError as error:
        bad(error.code, error.message, f"rules.{error.fields[0]}", **error.details)


def _deal(value: object, path: str, rules: RuleSet) -> DealRecord:
    deal = as_object(value, path, _DEAL)
    players = rules.players
    actions = needed(deal, "actions", path, as_texts, _line, None, MAX_ACTIONS)
    record = DealRecord(
        actions=actions,
        hands=given(deal, "hands", path, as_texts, _rack, players),
        dealer=given(deal, "dealer", path, as_int, 0, players - 1),
        seed=given(deal, "seed", path, _seed),
        dice=given(deal, "dice", path, _dice),
        indicator=given(deal, "indicator", path, _indicator),
        stock=given(deal, "stock", path, parsed, _stock, 1000),
        result=given(deal, "result", path, _result, players),
        fair=given(deal, "fair", path, _fair, players),
        actors=given(deal, "actors", path, _actors, len(actions)),
        extra=own_names(deal),
    )
    if record.seed is None and (record.hands is None or record.indicator is None):
        bad("no-deal", "a deal needs a seed, or hands and an indicator", path)
    return record


def _result(value: object, path: str, players: int) -> Mapping[str, object]:
    result = as_object(value, path, _RESULT)
    told = {name: item for name, item in result.items() if item is not None}
    if "end" in told and told["end"] not in list(End):
        bad("bad-value", "must be finish, stock or all-pairs", f"{path}.end")
    given(told, "winner", path, as_int, 0, players - 1)
    given(told, "scores", path, as_ints, players)
    for i, item in enumerate(as_list(result.get("fines", []), f"{path}.fines")):
        at = f"{path}.fines[{i}]"
        fine = as_object(item, at, Fine._fields)
        needed(fine, "seat", at, as_int, 0, players - 1)
        needed(fine, "rule", at, as_text, 10)
        needed(fine, "points", at, as_int, 0, 10**6)
    return result


def _fair(value: object, path: str, players: int) -> Mapping[str, object]:
    Fair.from_dict(value, path, players)
    assert isinstance(value, dict)
    return value


def _actors(value: object, path: str, count: int) -> tuple[str, ...]:
    """One for each action."""
    items = as_list(value, path)
    if len(items) != count:
        message = f"needs one entry for each of the {count} actions, not {len(items)}"
        bad("actor-count", message, path, wanted=count, got=len(items))
    return as_texts(value, path, _actor)


def _actor(value: object, path: str) -> str:
    parsed(value, path, Actor.parse)
    return as_text(value, path)


def _line(value: object, path: str) -> str:
    return as_text(value, path, 1000)


def _rack(value: object, path: str) -> str:
    return str(parsed(value, path, Rack.parse, 1000))


def _seed(value: object, path: str) -> str:
    return parsed(value, path, seed_bytes, secret=True).hex()


def _stock(text: str) -> str:
    return " ".join(str(parse_tile(word)) for word in text.split())


def _dice(value: object, path: str) -> tuple[int, ...]:
    throws = as_list(value, path)
    if len(throws) < 2:
        bad("wrong-count", "two throws or more are needed", path, wanted=2, got=len(throws))
    return tuple(as_int(throw, f"{path}[{i}]", 1, 6) for i, throw in enumerate(throws))


def _indicator(value: object, path: str) -> str:
    tile = parsed(value, path, parse_tile)
    if tile == OKEY:
        bad("bad-indicator", "an okey can't be the indicator", path, tile=as_text(value, path))
    return str(tile)
