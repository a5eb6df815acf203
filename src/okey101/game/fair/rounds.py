"""Deals that anyone can check: everybody promises first, then all is opened, and gives one seed.

Before a deal the dealing side draws a secret of 32 bytes and publishes its commitment. Each
person's seat draws a contribution of 16 to 32 bytes and publishes a commitment of its own. Once all
commitments have been shown to all, with who sits where and by which rules, nothing is left to
choose: the contributions are revealed, and with the secret they give the seed, from which
:mod:`okey101.game.dealing` deals. After the deal the secret is published too. Where a contribution
is not revealed, the round is abandoned, and another one begins with a new secret.
docs/en/fairness.md tells why.

The computation is meant to be rebuilt in any language. A number is eight bytes, the most
significant first, and a sized text its length in bytes and the text itself. The context of a round
is the table's name in UTF-8, sized, and three numbers: of the match at the table, counted from 1,
of the deal in the match, counted from 0 with deals that were dealt again, and of the round for this
deal, counted from 0. All labels are in ASCII and have no length.

- The commitment is SHA-256 of ``okey101 fair commitment 1``, the context and the secret.
- A seat's commitment is SHA-256 of ``okey101 fair contribution 1``, the context, the 32 bytes of
  the commitment, the number of the seat and the contribution.
- The transcript is SHA-256 of ``okey101 fair transcript 1``, the context, the 32 bytes of the
  commitment, the terms (:func:`canonical`), sized, the number of seats, and for each seat who sits
  there, sized, and its commitment, sized; a seat without one has length 0.
- The seed is HMAC-SHA256 with the secret as the key, over ``okey101 fair seed 1``, the 32 bytes of
  the transcript, the number of seats, and each seat's contribution, sized.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from okey101.errors import OkeyError, exactly

VERSION: Final = 1
"""The version by which deals are made fair, which ends every label."""
COMMITMENT_LABEL: Final = "okey101 fair commitment 1"
CONTRIBUTION_LABEL: Final = "okey101 fair contribution 1"
TRANSCRIPT_LABEL: Final = "okey101 fair transcript 1"
SEED_LABEL: Final = "okey101 fair seed 1"
SECRET_BYTES: Final = 32
RANDOM_MIN: Final = 16
RANDOM_MAX: Final = 32
TABLE_CHARACTERS: Final = 200
"""The longest name of a table."""
NUMBER_MAX: Final = 10**9
"""The highest number of a match, a deal or a round."""
_RANDOM = re.compile(r"(?:[0-9a-fA-F]{2}){16,32}|")
_DIGEST = re.compile(r"[0-9a-fA-F]{64}")


def commitment(secret: bytes, table: str, match: int, deal: int, round_: int) -> str:
    """What is published of a secret before the deal: 64 hex digits.

    Raises OkeyError: ``bad-secret``, ``bad-context``.

    >>> commitment(bytes(range(32)), "salon", 1, 0, 0)[:16]
    '40f3f5adf3b29d0a'
    """
    _check_secret(secret)
    return _sha(COMMITMENT_LABEL, round_context(table, match, deal, round_), secret).hex()


def seat_commitment(
    contribution: bytes, promised: str, table: str, match: int, deal: int, round_: int, seat: int
) -> str:
    """What a seat publishes of its contribution before anything is revealed: 64 hex digits.

    ``promised`` is the commitment of the secret. Raises OkeyError: ``bad-randomness``,
    ``bad-context``, ``bad-hex``.
    """
    if not RANDOM_MIN <= len(contribution) <= RANDOM_MAX:
        raise _bad_randomness()
    context = round_context(table, match, deal, round_)
    fixed = bytes.fromhex(parse_digest(promised))
    return _sha(CONTRIBUTION_LABEL, context, fixed, _number(seat), contribution).hex()


def transcript(
    promised: str,
    table: str,
    match: int,
    deal: int,
    round_: int,
    seats: Sequence[str],
    commitments: Sequence[str],
    terms: object,
) -> str:
    """A digest of all that was shown before anything was revealed: 64 hex digits.

    ``promised`` is the commitment of the secret; for each seat ``seats`` says who sits there, and
    ``commitments`` has its commitment, or an empty text. ``terms`` are the options of the table,
    its rules among them, or their :func:`canonical` form. Raises OkeyError: ``bad-context``,
    ``bad-hex``, ``bad-terms``, ``wrong-count``.
    """
    exactly(len(seats), commitments, "commitments")
    parts = [round_context(table, match, deal, round_), bytes.fromhex(parse_digest(promised))]
    told = terms if isinstance(terms, bytes) else canonical(terms)
    parts += [_sized(told), _number(len(seats))]
    for seat, who in enumerate(seats):
        text = commitments[seat]
        parts += [_sized(_utf8(who)), _sized(bytes.fromhex(parse_digest(text)) if text else b"")]
    return _sha(TRANSCRIPT_LABEL, *parts).hex()


def canonical(terms: object) -> bytes:
    """JSON of plain data in one form: names in order, no blanks, UTF-8, and no fractions.

    Raises OkeyError ``bad-terms``.

    >>> canonical({"deals": 3, "bots": [None, "steady"], "assisted": True})
    b'{"assisted":true,"bots":[null,"steady"],"deals":3}'
    >>> canonical({"host": "Ö"}).decode()
    '{"host":"Ö"}'
    """
    _check_terms(terms)
    return _utf8(json.dumps(terms, ensure_ascii=False, separators=(",", ":"), sort_keys=True))


def _check_terms(value: object) -> None:
    if isinstance(value, Mapping):
        if not all(isinstance(name, str) and name.isascii() for name in value):
            raise _bad_terms()
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            _check_terms(part)
    elif not (value is None or isinstance(value, str | int)) or (
        isinstance(value, int) and abs(value) > NUMBER_MAX
    ):
        raise _bad_terms()


def _bad_terms() -> OkeyError:
    return OkeyError("bad-terms", "the terms are texts, whole numbers, lists and named values")


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise OkeyError("bad-context", "a text contains a broken character") from None


def round_seed(secret: bytes, shown: str, randomness: Sequence[bytes]) -> bytes:
    """The 32 bytes of seed that follow from a secret, a transcript and all contributions.

    ``b""`` stands for a seat without a contribution. Raises OkeyError: ``bad-secret``,
    ``bad-hex``, ``bad-randomness``.
    """
    _check_secret(secret)
    parts = [SEED_LABEL.encode("ascii"), bytes.fromhex(parse_digest(shown))]
    parts.append(_number(len(randomness)))
    for given in randomness:
        if given and not RANDOM_MIN <= len(given) <= RANDOM_MAX:
            raise _bad_randomness()
        parts.append(_sized(given))
    return hmac.digest(secret, b"".join(parts), "sha256")


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


def _check_secret(secret: bytes) -> None:
    if len(secret) != SECRET_BYTES:
        raise OkeyError("bad-secret", f"a secret is {SECRET_BYTES} bytes")


def _bad_randomness() -> OkeyError:
    low, high = RANDOM_MIN, RANDOM_MAX
    message = f"a contribution is {low} to {high} bytes in hexadecimal digits, or nothing"
    return OkeyError("bad-randomness", message, low=low, high=high)


def _number(n: int) -> bytes:
    return int(n).to_bytes(8, "big")


def _sized(text: bytes) -> bytes:
    return _number(len(text)) + text


def _sha(label: str, *parts: bytes) -> bytes:
    return hashlib.sha256(label.encode("ascii") + b"".join(parts)).digest()


def round_context(table: str, match: int, deal: int, round_: int) -> bytes:
    """The bytes that tie a promise to one round; OkeyError ``bad-context``."""
    numbers = (match, deal, round_)
    if not (0 < len(table) <= TABLE_CHARACTERS and all(0 <= n <= NUMBER_MAX for n in numbers)):
        raise OkeyError("bad-context", "a table's name or a number is out of range")
    return _sized(_utf8(table)) + b"".join(map(_number, numbers))


# The deals of a day, the same for everybody: what stands in the place of the table's name, and what
# the transparency log has of the day as a whole.

DAY_LABEL: Final = "okey101 day 1"
DAY_MIX_LABEL: Final = "okey101 day mix 1"
DAY_INSTANCE_LABEL: Final = "okey101 day instance 1"
DAY_PREFIX: Final = "day-"
DAY_PLAYER: Final = "player"
"""Who sits in the seat of whoever plays a day."""


def day_context(date: str) -> str:
    """The name of the table in the context of a day's deals.

    >>> day_context("2026-11-27")
    'day-2026-11-27'
    """
    return f"{DAY_PREFIX}{date}"


def day_digest(date: str, transcripts: Sequence[str]) -> str:
    """The digest of a day, 64 hex digits, by its deals' transcripts; OkeyError ``bad-hex``.

    The transcripts are those of before anything is mixed in: nobody has committed.
    """
    parts = [bytes.fromhex(parse_digest(one)) for one in transcripts]
    return _sha(DAY_LABEL, _sized(_utf8(date)), _number(len(parts)), *parts).hex()


def day_mix(date: str, digest: str, shares: Sequence[str]) -> str:
    """What the contributions to a day come to, 64 hex digits, whatever their order.

    ``digest`` is the day's. Where there are contributions, this is what the player's seat
    contributes to each deal. OkeyError ``bad-hex``.
    """
    given = sorted(bytes.fromhex(parse_digest(share)) for share in shares)
    fixed = bytes.fromhex(parse_digest(digest))
    return _sha(DAY_MIX_LABEL, _sized(_utf8(date)), fixed, _number(len(given)), *given).hex()


def day_instance(date: str, account: str, count: int) -> int:
    """Which of the instances of a day an account is given, counted from 0.

    >>> [day_instance("2026-11-27", "u0123", count) for count in (1, 2, 3)]
    [0, 1, 2]
    """
    digest = _sha(DAY_INSTANCE_LABEL, _sized(_utf8(date)), _sized(_utf8(account)))
    return int.from_bytes(digest, "big") % count


# What a bot at a fair table decides by: a seed of its own for each deal and seat, from the secret.
#
# The secret of a deal (:mod:`okey101.game.fair.rounds`) is fixed before its tiles are known and is
# published after it, so nobody can pick a seed that suits the tiles, nobody else knows it while the
# deal runs, and anybody can play the bot's choices again afterwards.
#
# The seed is HMAC-SHA256 with the secret as the key, over ``okey101 bot seed 1``, the context of
# the round and the number of the seat, read as one number of 32 bytes, the most significant first.

BOT_SEED_LABEL: Final = "okey101 bot seed 1"


def bot_seed(secret: bytes, table: str, match: int, deal: int, round_: int, seat: int) -> int:
    """The seed of the bot that plays a seat in a deal: a number below 2**256.

    ``match`` counts from 1, ``deal``, ``round_`` and ``seat`` from 0. Raises OkeyError:
    ``bad-secret``, ``bad-context``.

    >>> hex(bot_seed(bytes(range(32)), "salon", 1, 0, 0, 2))[:18]
    '0xa0f0beefca1ebab0'
    """
    _check_secret(secret)
    if not 0 <= seat <= NUMBER_MAX:
        raise OkeyError("bad-context", "the number of a seat is out of range")
    context = round_context(table, match, deal, round_)
    whole = BOT_SEED_LABEL.encode("ascii") + context + _number(seat)
    return int.from_bytes(hmac.digest(secret, whole, "sha256"), "big")
