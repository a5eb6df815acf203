"""What a bot at a fair table decides by: a seed of its own for each deal and seat, from the secret.

The secret of a deal (:mod:`okey101.game.fairness`) is fixed before its tiles are known and is
published after it, so nobody can pick a seed that suits the tiles, nobody else knows it while the
deal runs, and anybody can play the bot's choices again afterwards.

The seed is HMAC-SHA256 with the secret as the key, over the ASCII bytes of ``okey101 bot seed 2``,
the context of the deal and the seat, read as one number of 32 bytes. The context is the length of
the table's name in bytes, that name in UTF-8, and the numbers of the match, of the deal and of the
round. A number is eight bytes, and the most significant byte comes first everywhere.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from okey101.errors import OkeyError
from okey101.game.fairness import NUMBER_MAX, SECRET_BYTES, TABLE_CHARACTERS

__all__ = ["BOT_SEED_LABEL", "bot_seed"]

BOT_SEED_LABEL: Final = "okey101 bot seed 2"


def bot_seed(secret: bytes, table: str, match: int, deal: int, round_: int, seat: int) -> int:
    """The seed of the bot that plays a seat in a deal: a number below 2**256.

    ``match`` counts from 1, ``deal``, ``round_`` and ``seat`` from 0; a deal that knows no rounds
    is of round 0. Raises OkeyError: ``bad-secret``, ``bad-context``.

    >>> hex(bot_seed(bytes(range(32)), "salon", 1, 0, 0, 2))[:18]
    '0xdbc965f571360659'
    """
    if len(secret) != SECRET_BYTES:
        raise OkeyError("bad-secret", f"a secret is {SECRET_BYTES} bytes")
    numbers = (match, deal, round_, seat)
    if not 0 < len(table) <= TABLE_CHARACTERS or not all(0 <= n <= NUMBER_MAX for n in numbers):
        raise OkeyError("bad-context", "a table's name or a number is out of range")
    try:
        name = table.encode("utf-8")
    except UnicodeEncodeError:
        raise OkeyError("bad-context", "a table's name contains a broken character") from None
    parts = [BOT_SEED_LABEL.encode("ascii"), _number(len(name)), name, *map(_number, numbers)]
    return int.from_bytes(hmac.new(secret, b"".join(parts), hashlib.sha256).digest(), "big")


def _number(n: int) -> bytes:
    return n.to_bytes(8, "big")
