"""What a record tells of a deal's fairness: its round, and those that were abandoned before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn, TypeVar

from okey101.errors import OkeyError, RecordError
from okey101.game.fairness import (
    NUMBER_MAX,
    TABLE_CHARACTERS,
    VERSION,
    commitment,
    deal_seed_of,
    parse_digest,
    parse_randomness,
    round_seed,
    seat_commitment,
    transcript,
)
from okey101.game.strict_json import as_int, as_list, as_object, as_text, bad

__all__ = [
    "ABANDONED_NAMES",
    "BOT_PREFIX",
    "CONTEXT_NAMES",
    "FAIR_NAMES",
    "MAX_ROUNDS",
    "AbandonedRound",
    "Fair",
]

FAIR_NAMES: Final = (
    "version",
    "commitment",
    "context",
    "seats",
    "commitments",
    "randomness",
    "secret",
    "abandoned",
)
CONTEXT_NAMES: Final = ("table", "match", "deal", "round")
ABANDONED_NAMES: Final = (
    "version",
    "commitment",
    "seats",
    "commitments",
    "randomness",
    "secret",
    "reason",
)
BOT_PREFIX: Final = "bot:"
"""How the name of a seat begins in which a bot sits."""
MAX_ROUNDS: Final = 1000
"""More abandoned rounds of one deal are not read."""
_NAME_CHARACTERS = 200
_REASON = re.compile(r"[a-z][a-z-]{0,31}")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class AbandonedRound:
    """A round from which nothing was dealt, or whose deal was thrown away; all in hex digits.

    ``seats`` are those who sat there, a bot's name after ``bot:``; ``commitments`` and
    ``randomness`` have a text for each seat, empty where there is none. ``reason`` is a word:
    ``not-revealed``, ``left``, ``restart`` and others (docs/en/fairness.md). ``version`` is 1
    for a round that was begun before there were commitments of seats.
    """

    commitment: str
    seats: tuple[str, ...]
    commitments: tuple[str, ...]
    randomness: tuple[str, ...]
    secret: str
    reason: str
    version: int = VERSION

    def to_dict(self) -> dict[str, object]:
        """An entry of ``fair.abandoned``."""
        data: dict[str, object] = {} if self.version == VERSION else {"version": self.version}
        return data | {
            "commitment": self.commitment,
            "seats": list(self.seats),
            "commitments": list(self.commitments),
            "randomness": list(self.randomness),
            "secret": self.secret,
            "reason": self.reason,
        }

    @classmethod
    def from_dict(cls, value: object, path: str, players: int | None = None) -> AbandonedRound:
        """Read an entry of ``fair.abandoned``; RecordError with the place of what is wrong."""
        data = as_object(value, path, ABANDONED_NAMES)
        reason = as_text(_named(data, "reason", path), f"{path}.reason", 32)
        if not _REASON.fullmatch(reason):
            bad("bad-value", "must be a word of small letters and hyphens", f"{path}.reason")
        return cls(
            commitment=_digest(_named(data, "commitment", path), f"{path}.commitment"),
            seats=_texts(data, "seats", path, players, _seat),
            commitments=_texts(data, "commitments", path, players, _commitment),
            randomness=_texts(data, "randomness", path, players, _random),
            secret=_digest(_named(data, "secret", path), f"{path}.secret"),
            reason=reason,
            version=_version(data, path, VERSION),
        )


@dataclass(frozen=True, slots=True)
class Fair:
    """What a record tells of one deal's fairness, all in hex digits.

    ``randomness`` has a text for each seat, empty where it gave none, and is None before it is
    known; ``secret`` is None before the end of the deal. The rest is empty in version 1: the
    number of the round, who sat when the commitments were shown (a bot's name after ``bot:``), the
    seats' commitments, and the rounds before this one.
    """

    commitment: str
    table: str
    match: int
    deal: int
    randomness: tuple[str, ...] | None = None
    secret: str | None = None
    version: int = 1
    round: int = 0
    seats: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    abandoned: tuple[AbandonedRound, ...] = ()

    @property
    def bots(self) -> tuple[bool, ...]:
        """For each seat whether a bot sat there when the commitments were shown."""
        return tuple(name.startswith(BOT_PREFIX) for name in self.seats)

    @property
    def transcript(self) -> str | None:
        """The digest of what was shown before anything was revealed; None in version 1."""
        if self.version == 1:
            return None
        where = (self.table, self.match, self.deal, self.round)
        return transcript(self.commitment, *where, self.bots, self.commitments)

    @property
    def seed(self) -> bytes | None:
        """The seed that follows, where secret and contributions are known."""
        if self.secret is None or self.randomness is None:
            return None
        secret, given = bytes.fromhex(self.secret), [bytes.fromhex(t) for t in self.randomness]
        shown = self.transcript
        if shown is None:
            return deal_seed_of(secret, self.table, self.match, self.deal, given)
        return round_seed(secret, shown, given)

    def commitment_of(self, secret: str, round_: int | None = None, version: int = 0) -> str:
        """The commitment that a secret has in this deal; of another round where one is named."""
        number = self.round if round_ is None else round_
        versioned = None if (version or self.version) == 1 else number
        return commitment(bytes.fromhex(secret), self.table, self.match, self.deal, versioned)

    def unfit(
        self, commitments: Sequence[str], randomness: Sequence[str], round_: int
    ) -> int | None:
        """The first seat whose contribution does not open its commitment; None if all do."""
        for seat, (shown, text) in enumerate(zip(commitments, randomness, strict=True)):
            where = (self.table, self.match, self.deal, round_, seat)
            if text and shown != seat_commitment(bytes.fromhex(text), *where):
                return seat
        return None

    def to_dict(self) -> dict[str, object]:
        """The ``fair`` object of a record, absent fields left out."""
        context: dict[str, object] = {"table": self.table, "match": self.match, "deal": self.deal}
        data: dict[str, object] = {} if self.version == 1 else {"version": self.version}
        if self.version != 1:
            context["round"] = self.round
        data |= {"commitment": self.commitment, "context": context}
        if self.version != 1:
            data |= {"seats": list(self.seats), "commitments": list(self.commitments)}
        if self.randomness is not None:
            data["randomness"] = list(self.randomness)
        if self.secret is not None:
            data["secret"] = self.secret
        if self.abandoned:
            data["abandoned"] = [other.to_dict() for other in self.abandoned]
        return data

    @classmethod
    def from_dict(cls, value: object, path: str = "fair", players: int | None = None) -> Fair:
        """Read the ``fair`` object of a record whose rules have so many seats.

        Names of the user's own are passed over. Raises RecordError with the place of what is wrong.
        """
        data = as_object(value, path, FAIR_NAMES)
        version = _version(data, path, 1)
        where = f"{path}.context"
        given = as_object(_named(data, "context", path), where, CONTEXT_NAMES)
        table = as_text(_named(given, "table", where), f"{where}.table", TABLE_CHARACTERS)
        if not table:
            bad("bad-value", "must not be empty", f"{where}.table")
        match, deal = (
            as_int(_named(given, name, where), f"{where}.{name}", 0, NUMBER_MAX)
            for name in ("match", "deal")
        )
        randomness = None
        if "randomness" in data or "secret" in data:
            randomness = _texts(data, "randomness", path, players, _random)
        found = cls(
            commitment=_digest(_named(data, "commitment", path), f"{path}.commitment"),
            table=table,
            match=match,
            deal=deal,
            randomness=randomness,
            secret=_digest(data["secret"], f"{path}.secret") if "secret" in data else None,
        )
        if version == 1:
            for name in ("seats", "commitments", "abandoned"):
                if name in data:
                    _not_in_version_1(f"{path}.{name}")
            if "round" in given:
                _not_in_version_1(f"{where}.round")
            return found
        return _of_version_2(found, data, given, path, players)


def _of_version_2(
    found: Fair, data: dict[str, object], given: dict[str, object], path: str, players: int | None
) -> Fair:
    where = f"{path}.context"
    number = as_int(_named(given, "round", where), f"{where}.round", 0, NUMBER_MAX)
    seats = _texts(data, "seats", path, players, _seat)
    commitments = _texts(data, "commitments", path, len(seats), _commitment)
    randomness = found.randomness
    if randomness is not None and len(randomness) != len(seats):
        where = f"{path}.randomness"
        wanted, got = len(seats), len(randomness)
        bad("wrong-count", f"{wanted} entries are needed", where, wanted=wanted, got=got)
    listed = as_list(data.get("abandoned", []), f"{path}.abandoned")
    if len(listed) > MAX_ROUNDS:
        bad(
            "too-long", f"has more than {MAX_ROUNDS} entries", f"{path}.abandoned", limit=MAX_ROUNDS
        )
    return Fair(
        commitment=found.commitment,
        table=found.table,
        match=found.match,
        deal=found.deal,
        randomness=randomness,
        secret=found.secret,
        version=VERSION,
        round=number,
        seats=seats,
        commitments=commitments,
        abandoned=tuple(
            AbandonedRound.from_dict(item, f"{path}.abandoned[{i}]", len(seats))
            for i, item in enumerate(listed)
        ),
    )


def _version(data: dict[str, object], path: str, default: int) -> int:
    return as_int(data["version"], f"{path}.version", 1, VERSION) if "version" in data else default


def _not_in_version_1(path: str) -> NoReturn:
    bad("unexpected", "version 1 has no such thing", path)


def _named(data: dict[str, object], name: str, path: str) -> object:
    if name not in data:
        bad("missing", f"{name} is missing", f"{path}.{name}", name=name)
    return data[name]


def _texts(
    data: dict[str, object],
    name: str,
    path: str,
    players: int | None,
    read: Callable[[object, str], _T],
) -> tuple[_T, ...]:
    items = as_list(_named(data, name, path), f"{path}.{name}", players)
    return tuple(read(item, f"{path}.{name}[{i}]") for i, item in enumerate(items))


def _seat(value: object, path: str) -> str:
    return as_text(value, path, _NAME_CHARACTERS)


def _digest(value: object, path: str) -> str:
    try:
        return parse_digest(as_text(value, path))
    except RecordError:
        raise
    except OkeyError as error:
        bad(error.code, error.message, path)


def _commitment(value: object, path: str) -> str:
    return "" if value == "" else _digest(value, path)


def _random(value: object, path: str) -> str:
    try:
        return parse_randomness(as_text(value, path)).hex()
    except RecordError:
        raise
    except OkeyError as error:
        bad(error.code, error.message, path, **error.details)
