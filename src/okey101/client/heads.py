"""Heads of servers' transparency logs: what was shown once is held against what is shown later.

Whoever keeps heads from table to table finds a server that shows two people two logs, or that has
taken something out of its own. Proofs need the standard library alone; a signature is checked where
``cryptography`` is there (``okey101[server]`` has it).
"""

from __future__ import annotations

import os
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from okey101.client.calls import Calls
from okey101.client.errors import CommandRefused, client_error
from okey101.game.fair.transparency import EMPTY, Checkpoint, Head, is_extended, key_id

T = TypeVar("T")


class Seen(Struct):
    """The newest checkpoint that was shown of a log, and the key of its signature; empty at first.

    It is what ``GET /api/log/`` answers.
    """

    checkpoint: str = ""
    key: str = ""


class _Consistency(Struct):
    proof: list[str]


class Newest(NamedTuple):
    """The newest head of a log, which holds all of the one ``before``."""

    seen: Seen
    before: Head
    checkpoint: Checkpoint
    signed: bool
    """Whether the signature was checked: nothing here can where ``cryptography`` is absent."""


class Heads:
    """The newest head of each server, with a path in a file that the next program goes on with.

    A head is never told to another server than its own.
    """

    def __init__(self, path: Path | str | None = None) -> None:
        self._path = None if path is None else Path(path)
        self._seen: dict[str, Seen] = {}

    def of(self, url: str) -> Seen:
        """What was seen of the log of the server at an address; OkeyError ``bad-audit-file``."""
        if self._path is not None and self._path.exists():
            self._seen |= read_seen(self._path.read_bytes(), dict[str, Seen])
        return self._seen.get(url, Seen())

    def keep(self, url: str, seen: Seen) -> None:
        """Keep a newer one; OSError where the file can't be written."""
        self._seen[url] = seen
        if self._path is not None:
            write_whole(self._path, msgspec.json.encode(self._seen))


async def newest(calls: Calls, known: Seen, *, again: bool = True) -> Newest:
    """The newest head of a server's log, held against the one that was known.

    OkeyError ``log-key-changed``, ``log-wrong-signature``, ``log-shortened`` where entries that
    were shown are gone, ``log-rewritten`` where others stand in their place, ``bad-checkpoint``,
    and what server and line say. Without ``again`` a server that does not answer is asked once.
    """
    told = await calls.call("GET", "/api/log/", Seen, again=again)
    found = Checkpoint.parse(told.checkpoint)
    old = Checkpoint.parse(known.checkpoint) if known.checkpoint else None
    before = Head(0, EMPTY) if old is None else old.head
    if known.key and told.key != known.key:
        raise client_error("log-key-changed", before=known.key, now=told.key)
    signed = signed_by(found, told.key)
    if signed is False:
        raise client_error("log-wrong-signature")
    if found.head.size < before.size:
        raise client_error("log-shortened", size=before.size, now=found.head.size)
    proof = list[bytes]()
    if 0 < before.size < found.head.size:
        path = f"/api/log/consistency?old={before.size}&size={found.head.size}"
        try:
            proof = hashes((await calls.call("GET", path, _Consistency, again=again)).proof)
        except CommandRefused as error:
            if error.code != "no-entry":
                raise
    same_log = old is None or old.origin == found.origin
    if not (same_log and is_extended(before, found.head, proof)):
        raise client_error("log-rewritten", size=before.size)
    return Newest(told, before, found, signed is True)


def signed_by(checkpoint: Checkpoint, verifier: str) -> bool | None:
    """Whether the key of a verifier's text has signed a checkpoint; None where nothing can tell.

    That takes the package ``cryptography`` (``okey101[server]`` has it).
    """
    name, _, rest = verifier.partition("+")
    told, _, code = rest.partition("+")
    try:
        key = b64decode(code, validate=True)
    except NotBase64:
        return False
    if len(key) != 33 or key[0] != 1 or key_id(name, key[1:]).hex() != told:
        return False
    if name != checkpoint.origin:
        return False
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return None
    public = Ed25519PublicKey.from_public_bytes(key[1:])
    for one in checkpoint.signatures:
        if (one.name, one.key) == (name, key_id(name, key[1:])):
            try:
                public.verify(one.signature, checkpoint.body.encode())
            except InvalidSignature:
                return False
            return True
    return False


def hashes(texts: Iterable[str]) -> list[bytes]:
    """The hashes of a proof; one that proves nothing for texts that are none."""
    try:
        return [bytes.fromhex(text) for text in texts]
    except ValueError:
        return [b""]


def read_seen(data: bytes, kind: type[T]) -> T:
    """What was written down of logs; OkeyError ``bad-audit-file`` for anything else."""
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError:
        raise client_error("bad-audit-file") from None


def write_whole(path: Path, data: bytes) -> None:
    """Put a whole file in the place of what is there, its folder made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
