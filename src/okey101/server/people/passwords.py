"""Passwords: Argon2id in threads of its own, and the same work where there is nothing to check."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from secrets import choice
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from okey101.errors import OkeyError
from okey101.server.errors import refuse
from okey101.server.work.tasks import Worker

SHORTEST: Final = 8
LONGEST: Final = 128
_LONGEST_INPUT: Final = 1024
_COMMON: Final = Path(__file__).with_name("common_passwords.txt")
_MOST_WAITING: Final = 16
"""A crowd that tries passwords is told to come back, rather than let everybody wait for seconds."""


def checked_password(password: str) -> str:
    """A password in the form that is hashed (NFKC), the same whatever keyboard typed it.

    Raises OkeyError ``password-too-short``, ``password-too-long`` and ``password-bad-character``.
    """
    if len(password) > _LONGEST_INPUT:
        refuse("password-too-long", limit=LONGEST)
    password = unicodedata.normalize("NFKC", password)
    if any("\ud800" <= c <= "\udfff" for c in password):
        refuse("password-bad-character")
    if len(password) < SHORTEST:
        refuse("password-too-short", limit=SHORTEST)
    if len(password) > LONGEST:
        refuse("password-too-long", limit=LONGEST)
    return password


def tried_password(password: str) -> str:
    """The form of a password that somebody tries; empty for what none can be, which is no match."""
    try:
        return checked_password(password)
    except OkeyError:
        return ""


def new_password(password: str) -> str:
    """A password that somebody chooses now, checked; those chosen before stay as they are.

    OkeyError of :func:`checked_password`, and ``password-common`` for one that everybody tries.
    """
    checked = checked_password(password)
    if checked.casefold() in _common():
        refuse("password-common")
    return checked


@cache
def _common() -> frozenset[str]:
    return frozenset(_COMMON.read_text("ascii").partition("\n----\n")[2].split())


# A code in place of a forgotten password: 60 random bits that can be told over a telephone.

CODE_LASTS_MS: Final = 7 * 86_400_000
_CODE_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_READ_AS: Final = str.maketrans("oil", "011", " -")


def new_code() -> str:
    """A code that works once, in three groups of four."""
    return "-".join("".join(choice(_CODE_LETTERS) for _ in range(4)) for _ in range(3))


def tried_code(text: str) -> str:
    """A code in the form that is hashed, however it was written down."""
    return tried_password(text).lower().translate(_READ_AS)


class Passwords:
    """Hashes and checks passwords; ``hasher`` sets the cost (argon2-cffi's default: 64 MiB)."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self._worker = Worker("okey101-passwords", 2, _MOST_WAITING)
        self._known = Worker("okey101-passwords-known", 1, _MOST_WAITING)

    async def hash(self, password: str) -> str:
        """The hash of a checked password."""
        return await self._worker.run(lambda: self._hasher.hash(password))

    async def verify(self, stored: str | None, password: str, *, known: bool = False) -> str | None:
        """The hash to keep of a right password, another one where the stored one is too weak; None
        for a wrong one, and after the same work where there is none stored.

        Somebody at a device that is ``known`` does not wait behind those who are not.
        """
        worker = self._known if known else self._worker
        return await worker.run(lambda: self._verify(stored, password))

    async def close(self) -> None:
        """Finish waiting work and end the threads."""
        await self._worker.close()
        await self._known.close()

    def _verify(self, stored: str | None, password: str) -> str | None:
        if stored is None:
            self._hasher.hash(password)  # or the time would tell which names there are
            return None
        try:
            self._hasher.verify(stored, password)
        except (VerificationError, InvalidHashError):
            return None
        return self._hasher.hash(password) if self._hasher.check_needs_rehash(stored) else stored
