"""What a record tells of a deal's fairness: its round, and those that were abandoned before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, log, log1p
from typing import Any, Final, NamedTuple, TypeAlias

from okey101.game.fair.rounds import (
    NUMBER_MAX,
    TABLE_CHARACTERS,
    VERSION,
    canonical,
    commitment,
    parse_digest,
    parse_randomness,
    round_seed,
    seat_commitment,
    transcript,
)
from okey101.game.strict_json import (
    as_int,
    as_list,
    as_object,
    as_text,
    as_texts,
    bad,
    given,
    named,
    needed,
    parsed,
    plain,
    reading,
)

FAIR_NAMES: Final = (
    "version", "commitment", "context", "terms", "seats", "commitments", "randomness", "secret",
    "abandoned",
)  # fmt: skip
CONTEXT_NAMES: Final = ("table", "match", "deal", "round")
BOT_PREFIX: Final = "bot:"
"""How the name of a seat begins in which a bot sits."""
MAX_ROUNDS: Final = 1000
"""More abandoned rounds of one deal are not read."""
_TERMS_BYTES = 20_000
_REASON = re.compile(r"[a-z][a-z-]{0,31}")
UNOPENED: Final = ("not-revealed", "left")
"""Reasons to throw a round away that hold only where an opening is missing."""
PUT_BACK: Final = ("log-truncated", "restored")
"""Reasons that hold where the server's files were put back, or have lost their end."""
_Where: TypeAlias = tuple[str, int, int, int]


_ROUND_NAMES = ("commitment", "seats", "commitments", "randomness", "secret", "reason")


@dataclass(frozen=True, slots=True)
class AbandonedRound:
    """A round from which nothing was dealt, or whose deal was thrown away; all in hex digits.

    ``seats`` are those who sat there, a bot's name after ``bot:``; ``commitments`` and
    ``randomness`` have a text for each seat, empty where there is none. ``reason`` is one of
    :data:`UNOPENED` or :data:`PUT_BACK` (docs/en/fairness.md).
    """

    commitment: str
    seats: tuple[str, ...]
    commitments: tuple[str, ...]
    randomness: tuple[str, ...]
    secret: str
    reason: str

    @property
    def has_reason(self) -> bool:
        """Whether the reason is one to throw this round away; a complete one is dealt."""
        pairs = zip(self.commitments, self.randomness, strict=True)
        missing = any(shown and not given for shown, given in pairs)
        return self.reason in PUT_BACK or (self.reason in UNOPENED and missing)

    def to_dict(self) -> dict[str, object]:
        """An entry of ``fair.abandoned``."""
        return {name: plain(getattr(self, name)) for name in _ROUND_NAMES}

    @classmethod
    def from_dict(cls, value: object, path: str, players: int | None = None) -> AbandonedRound:
        """Read an entry of ``fair.abandoned``; RecordError with the place of what is wrong."""
        data = as_object(value, path, _ROUND_NAMES)
        reason = needed(data, "reason", path, as_text, 32)
        if not _REASON.fullmatch(reason):
            bad("bad-value", "must be a word of small letters and hyphens", f"{path}.reason")
        told = _round(data, path, players, True)
        return cls(**told, secret=needed(data, "secret", path, _digest), reason=reason)


@dataclass(frozen=True, slots=True)
class Fair:
    """What a record tells of one deal's fairness, all in hex digits.

    ``round`` is the number of the round that was dealt from, ``terms`` are the options of the
    table with its rules, ``seats`` who sat there when the commitments were shown: a bot's name and
    version after ``bot:``, or what names a person at this table alone. ``commitments`` and
    ``randomness`` have a text for each seat, empty where it gave none; ``randomness`` is None
    before it is known, and ``secret`` before the end of the deal. ``abandoned`` are the rounds
    before this one.
    """

    commitment: str
    table: str
    match: int
    deal: int
    round: int
    terms: Mapping[str, object]
    seats: tuple[str, ...]
    commitments: tuple[str, ...]
    randomness: tuple[str, ...] | None = field(default=None, repr=False)
    secret: str | None = field(default=None, repr=False)
    abandoned: tuple[AbandonedRound, ...] = ()

    @property
    def transcript(self) -> str:
        """The digest of what was shown before anything was revealed."""
        return self.transcript_of(None)

    def transcript_of(self, number: int | None) -> str:
        """The same of the abandoned round of that number."""
        told, where = self._round(number)
        return transcript(told.commitment, *where, told.seats, told.commitments, self.terms)

    def _round(self, number: int | None) -> tuple[Fair | AbandonedRound, _Where]:
        """An abandoned round, or with None the one that was dealt from, and its context."""
        if number is None:
            return self, (self.table, self.match, self.deal, self.round)
        return self.abandoned[number], (self.table, self.match, self.deal, number)

    @property
    def seed(self) -> bytes | None:
        """The seed that follows, where secret and contributions are known."""
        if self.secret is None or self.randomness is None:
            return None
        given = [bytes.fromhex(text) for text in self.randomness]
        return round_seed(bytes.fromhex(self.secret), self.transcript, given)

    def commitment_of(self, secret: str, round_: int | None = None) -> str:
        """The commitment that a secret has in this deal; of another round where one is named."""
        number = self.round if round_ is None else round_
        return commitment(bytes.fromhex(secret), self.table, self.match, self.deal, number)

    def unfit(self, number: int | None = None) -> int | None:
        """The first seat whose contribution does not open its commitment; None if all do.

        ``number`` is that of an abandoned round, where an opening may be missing; None for the
        round that was dealt from.
        """
        told, where = self._round(number)
        for seat, text in enumerate(told.randomness or ()):
            fits = number is not None or not told.commitments[seat]
            if text:
                right = seat_commitment(bytes.fromhex(text), told.commitment, *where, seat)
                fits = told.commitments[seat] == right
            if not fits:
                return seat
        return None

    def to_dict(self) -> dict[str, object]:
        """The ``fair`` object of a record, absent fields left out."""
        data = {name: plain(getattr(self, name, None)) for name in FAIR_NAMES} | {
            "version": VERSION,
            "context": {name: getattr(self, name) for name in CONTEXT_NAMES},
            "abandoned": [other.to_dict() for other in self.abandoned] or None,
        }
        return {name: value for name, value in data.items() if value is not None}

    @classmethod
    def from_dict(cls, value: object, path: str = "fair", players: int | None = None) -> Fair:
        """Read the ``fair`` object of a record whose rules have so many seats.

        Names of the user's own are passed over. Raises RecordError with the place of what is wrong.
        """
        data = as_object(value, path, FAIR_NAMES)
        needed(data, "version", path, as_int, 1, VERSION)
        where = f"{path}.context"
        context = as_object(named(data, "context", path), where, CONTEXT_NAMES)
        table = needed(context, "table", where, as_text, TABLE_CHARACTERS)
        if not table:
            bad("bad-value", "must not be empty", f"{where}.table")
        match, deal, round_ = (
            needed(context, name, where, as_int, 0, NUMBER_MAX) for name in CONTEXT_NAMES[1:]
        )
        told = _round(data, path, players, "randomness" in data or "secret" in data)
        listed = as_list(data.get("abandoned", []), f"{path}.abandoned", most=MAX_ROUNDS)
        return cls(
            **told,
            table=table,
            match=match,
            deal=deal,
            round=round_,
            terms=needed(data, "terms", path, _terms),
            secret=given(data, "secret", path, _digest),
            abandoned=tuple(
                AbandonedRound.from_dict(item, f"{path}.abandoned[{i}]", len(told["seats"]))
                for i, item in enumerate(listed)
            ),
        )


def _round(data: dict[str, object], path: str, players: int | None, opened: bool) -> Any:
    """What is shown of a round before anything is revealed, and then what the seats revealed."""
    seats = needed(data, "seats", path, as_texts, as_text, players)
    told = {
        "commitment": needed(data, "commitment", path, _digest),
        "seats": seats,
        "commitments": needed(data, "commitments", path, as_texts, _commitment, len(seats)),
    }
    if opened:
        told["randomness"] = needed(data, "randomness", path, as_texts, _random, len(seats))
    return told


def _terms(value: object, path: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        bad("wrong-type", "must be an object", path, wanted="object")
    with reading(path):
        size = len(canonical(value))
    if size > _TERMS_BYTES:
        bad("too-long", f"has more than {_TERMS_BYTES} bytes", path, limit=_TERMS_BYTES)
    return value


def _digest(value: object, path: str) -> str:
    return parsed(value, path, parse_digest, secret=True)


def _commitment(value: object, path: str) -> str:
    return "" if value == "" else _digest(value, path)


def _random(value: object, path: str) -> str:
    return parsed(value, path, parse_randomness).hex()


# Rounds that were thrown away, counted over many deals, and judged by a test of their number.
#
# A round may fail by itself: a line breaks, a disk dies. Whoever runs a server can let it fail,
# too, and so have the tiles shuffled again. One round tells nothing of that; many do.

UNOPENED_RATE: Final = 1 / 50
"""So many rounds may lack an opening at a server that lets every one through."""
PUT_BACK_RATE: Final = 1 / 500
"""In so many rounds files may be put back, or lose their end, where nobody does it on purpose."""
CHANCE: Final = 1e-4
"""Less likely by chance is too many."""


class Thrown(NamedTuple):
    """How many rounds there were, and how many of them were thrown away."""

    rounds: int = 0
    unopened: int = 0
    put_back: int = 0

    @property
    def too_many(self) -> bool:
        """Whether so many rounds are thrown away by chance once in ten thousand times, or less.

        >>> Thrown(8, put_back=4).too_many, Thrown(100, unopened=3).too_many
        (True, False)
        """
        return (
            at_least(self.unopened, self.rounds, UNOPENED_RATE) < CHANCE
            or at_least(self.put_back, self.rounds, PUT_BACK_RATE) < CHANCE
        )

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {**self._asdict(), "too_many": self.too_many}


def thrown(fairs: Iterable[Fair]) -> Thrown:
    """The count over the deals of any number of matches."""
    rounds = unopened = put_back = 0
    for fair in fairs:
        back = sum(other.reason in PUT_BACK for other in fair.abandoned)
        rounds += 1 + len(fair.abandoned)
        unopened += len(fair.abandoned) - back
        put_back += back
    return Thrown(rounds, unopened, put_back)


def at_least(count: int, rounds: int, rate: float) -> float:
    """How likely ``count`` or more of ``rounds`` are, each with that ``rate`` by itself.

    >>> at_least(0, 10, 0.5), round(at_least(9, 10, 0.5), 6)
    (1.0, 0.010742)
    """
    if count <= rounds * rate:
        return 1.0  # no more than is expected: not worth a sum
    ways = sum(log((rounds - n) / (n + 1)) for n in range(count))
    term = exp(ways + count * log(rate) + (rounds - count) * log1p(-rate))
    total = 0.0
    for n in range(count, rounds + 1):
        total += term
        term *= (rounds - n) / (n + 1) * rate / (1 - rate)
        if term < total * 1e-12:
            break
    return total
