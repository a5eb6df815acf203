"""Deals that anyone can check: a secret fixed beforehand, randomness of every seat, one seed.

Before a deal the dealing side draws a secret of 32 bytes and publishes its commitment. Then each
seat may add 16 to 32 random bytes. Secret and contributions together give the seed, from which
:mod:`okey101.game.dealing` deals. After the deal the secret is published too.

The computation is meant to be rebuilt in any language. A number is eight bytes, the most
significant first. The context of a deal is the length of the table's name in bytes, that name in
UTF-8, the number of the match at the table, counted from 1, and the number of the deal in the
match, counted from 0 with deals that were dealt again.

The commitment is SHA-256 of the ASCII bytes of ``okey101 fair commitment 1``, the context and the
secret. The seed is HMAC-SHA256 with the secret as the key, over the ASCII bytes of ``okey101 fair
seed 1``, the context, the number of seats, and for each seat from 0 on the length of its
contribution in bytes and the contribution itself; a seat that gave none has length 0.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from okey101.errors import OkeyError, RecordError
from okey101.game.strict_json import as_int, as_list, as_object, as_text, bad

__all__ = [
    "COMMITMENT_LABEL",
    "CONTEXT_NAMES",
    "FAIR_NAMES",
    "NUMBER_MAX",
    "RANDOM_MAX",
    "RANDOM_MIN",
    "SECRET_BYTES",
    "SEED_LABEL",
    "TABLE_CHARACTERS",
    "Fair",
    "commitment",
    "deal_seed_of",
    "parse_digest",
    "parse_randomness",
]

COMMITMENT_LABEL: Final = "okey101 fair commitment 1"
SEED_LABEL: Final = "okey101 fair seed 1"
SECRET_BYTES: Final = 32
RANDOM_MIN: Final = 16
RANDOM_MAX: Final = 32
TABLE_CHARACTERS: Final = 200
"""The longest name of a table."""
NUMBER_MAX: Final = 10**9
"""The highest number of a match or a deal."""
FAIR_NAMES: Final = ("commitment", "context", "randomness", "secret")
CONTEXT_NAMES: Final = ("table", "match", "deal")
_RANDOM = re.compile(r"(?:[0-9a-fA-F]{2}){16,32}|")
_DIGEST = re.compile(r"[0-9a-fA-F]{64}")


def commitment(secret: bytes, table: str, match: int, deal: int) -> str:
    """What is published of a secret before the deal: 64 hex digits.

    Raises OkeyError: ``bad-secret``, ``bad-context``.

    >>> commitment(bytes(range(32)), "salon", 1, 0)[:16]
    'fab9f0c89b22c8d6'
    """
    _check_secret(secret)
    text = COMMITMENT_LABEL.encode("ascii") + _context(table, match, deal) + secret
    return hashlib.sha256(text).hexdigest()


def deal_seed_of(
    secret: bytes, table: str, match: int, deal: int, randomness: Sequence[bytes]
) -> bytes:
    """The 32 bytes of seed that secret and contributions give; ``b""`` for a seat without one.

    Raises OkeyError: ``bad-secret``, ``bad-context``, ``bad-randomness``.
    """
    _check_secret(secret)
    parts = [SEED_LABEL.encode("ascii"), _context(table, match, deal), _number(len(randomness))]
    for given in randomness:
        if given and not RANDOM_MIN <= len(given) <= RANDOM_MAX:
            raise _bad_randomness()
        parts += [_number(len(given)), given]
    return hmac.new(secret, b"".join(parts), hashlib.sha256).digest()


def parse_randomness(text: str) -> bytes:
    """Read a seat's contribution: hex digits of 16 to 32 bytes, or nothing.

    Raises OkeyError ``bad-randomness``, which does not repeat the text.
    """
    if not _RANDOM.fullmatch(text):
        raise _bad_randomness()
    return bytes.fromhex(text)


def parse_digest(text: str) -> str:
    """Read a commitment or a secret: 64 hex digits, given back in lower case.

    Raises OkeyError ``bad-hex``, which does not repeat the text.
    """
    if not _DIGEST.fullmatch(text):
        raise OkeyError("bad-hex", "64 hexadecimal digits are needed")
    return text.lower()


@dataclass(frozen=True, slots=True)
class Fair:
    """What a record tells of one deal's fairness, all in hex digits.

    ``randomness`` has a text for each seat, empty where it gave none, and is None before it is
    known; ``secret`` is None before the end of the deal.
    """

    commitment: str
    table: str
    match: int
    deal: int
    randomness: tuple[str, ...] | None = None
    secret: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The ``fair`` object of a record, absent fields left out."""
        context = {"table": self.table, "match": self.match, "deal": self.deal}
        data: dict[str, object] = {"commitment": self.commitment, "context": context}
        if self.randomness is not None:
            data["randomness"] = list(self.randomness)
        if self.secret is not None:
            data["secret"] = self.secret
        return data

    @classmethod
    def from_dict(cls, value: object, path: str = "fair", players: int | None = None) -> Fair:
        """Read the ``fair`` object of a record whose rules have so many seats.

        Names of the user's own are passed over. Raises RecordError with the place of what is wrong.
        """
        data = as_object(value, path, FAIR_NAMES)
        given = as_object(_named(data, "context", path), f"{path}.context", CONTEXT_NAMES)
        where = f"{path}.context"
        table = as_text(_named(given, "table", where), f"{where}.table", TABLE_CHARACTERS)
        if not table:
            bad("bad-value", "must not be empty", f"{where}.table")
        match, deal = (
            as_int(_named(given, name, where), f"{where}.{name}", 0, NUMBER_MAX)
            for name in ("match", "deal")
        )
        randomness = None
        if "randomness" in data or "secret" in data:
            items = as_list(_named(data, "randomness", path), f"{path}.randomness", players)
            randomness = tuple(
                _random(item, f"{path}.randomness[{i}]") for i, item in enumerate(items)
            )
        return cls(
            commitment=_digest(_named(data, "commitment", path), f"{path}.commitment"),
            table=table,
            match=match,
            deal=deal,
            randomness=randomness,
            secret=_digest(data["secret"], f"{path}.secret") if "secret" in data else None,
        )


def _named(data: dict[str, object], name: str, path: str) -> object:
    if name not in data:
        bad("missing", f"{name} is missing", f"{path}.{name}", name=name)
    return data[name]


def _digest(value: object, path: str) -> str:
    try:
        return parse_digest(as_text(value, path))
    except RecordError:
        raise
    except OkeyError as error:
        bad(error.code, error.message, path)


def _random(value: object, path: str) -> str:
    try:
        return parse_randomness(as_text(value, path)).hex()
    except RecordError:
        raise
    except OkeyError as error:
        bad(error.code, error.message, path, **error.details)


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise OkeyError("bad-secret", f"a secret is {SECRET_BYTES} bytes")


def _bad_randomness() -> OkeyError:
    return OkeyError(
        "bad-randomness",
        f"a contribution is {RANDOM_MIN} to {RANDOM_MAX} bytes in hexadecimal digits, or nothing",
        low=RANDOM_MIN,
        high=RANDOM_MAX,
    )


def _number(n: int) -> bytes:
    return n.to_bytes(8, "big")


def _context(table: str, match: int, deal: int) -> bytes:
    """What ties a commitment to one deal."""
    known = 0 < len(table) <= TABLE_CHARACTERS
    if not (known and 0 <= match <= NUMBER_MAX and 0 <= deal <= NUMBER_MAX):
        raise OkeyError("bad-context", "a table's name or a number is out of range")
    try:
        name = table.encode("utf-8")
    except UnicodeEncodeError:
        raise OkeyError("bad-context", "a table's name contains a broken character") from None
    return _number(len(name)) + name + _number(match) + _number(deal)
