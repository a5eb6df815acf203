"""Follows the transparency log of a server, and holds it to what it has shown before.

An auditor keeps the newest head and a few hashes of the tree, never the entries. It reads each
entry once, makes the root itself, and checks the signature where ``cryptography`` is there.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NotBase64
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec import Struct

from okey101.client.errors import client_error
from okey101.client.server import Calls
from okey101.game.fair.transparency import (
    EMPTY,
    Checkpoint,
    Head,
    added,
    entry_hash,
    is_extended,
    is_included,
    key_id,
    root,
)

_AT_ONCE: Final = 1_000
KINDS: Final = ("commitment", "thrown", "match")
"""What an entry may begin with."""


class _LogHead(Struct):
    checkpoint: str
    key: str


class _Inclusion(Struct):
    place: int | None
    proof: list[str]


class _Consistency(Struct):
    proof: list[str]


class Memory(Struct):
    """What an auditor knows of a log: its newest checkpoint, the key, and hashes of the tree.

    ``tree`` has the last whole subtree of each level; ``counts`` how many entries of each kind.
    """

    checkpoint: str = ""
    key: str = ""
    tree: dict[int, str] = {}
    counts: dict[str, int] = {}


class Auditor:
    """One log and what is remembered of it."""

    def __init__(self, url: str, memory: Memory | None = None) -> None:
        """OkeyError ``bad-address``, and ``bad-checkpoint`` for a memory that makes no sense."""
        self._calls = Calls(url)
        self.memory = Memory() if memory is None else memory
        before = self.memory.checkpoint
        self._before = Checkpoint.parse(before) if before else None
        self.signed = False
        """Whether the signature of the newest head was checked; it needs ``cryptography``."""

    @property
    def head(self) -> Checkpoint:
        """The newest head that was followed; ``RuntimeError`` before the first."""
        if self._before is None:
            raise RuntimeError("no head was followed yet")
        return self._before

    @property
    def written(self) -> bytes:
        """The memory as :func:`read_memory` reads it."""
        return msgspec.json.encode(self.memory)

    @property
    def counts(self) -> Mapping[str, int]:
        """How many entries of each kind there are."""
        return self.memory.counts

    async def follow(self) -> Checkpoint:
        """The newest head, once all entries up to there were read and found to lead to it.

        OkeyError ``log-key-changed``, ``log-wrong-signature``, ``log-shortened`` where entries that
        were shown are gone, ``log-rewritten`` where others stand in their place,
        ``log-strange-entry``, and what server and line say. Then the memory stays as it was.
        """
        told = await self._calls.call("GET", "/api/log/", _LogHead)
        found = Checkpoint.parse(told.checkpoint)
        if self.memory.key and told.key != self.memory.key:
            raise client_error("log-key-changed", before=self.memory.key, now=told.key)
        signed = signed_by(found, told.key)
        if signed is False:
            raise client_error("log-wrong-signature")
        before = Head(0, EMPTY) if self._before is None else self._before.head
        if self._before is not None and found.origin != self._before.origin:
            raise client_error("log-rewritten", size=before.size)
        if found.head.size < before.size:
            raise client_error("log-shortened", size=before.size, now=found.head.size)
        path = f"/api/log/consistency?old={before.size}&size={found.head.size}"
        proof = _hashes((await self._calls.call("GET", path, _Consistency)).proof)
        if not is_extended(before, found.head, proof):
            raise client_error("log-rewritten", size=before.size)
        tree, counts = await self._read(before.size, found.head)
        self.memory = Memory(told.checkpoint, told.key, tree, counts)
        self._before, self.signed = found, signed is True
        return found

    async def _read(self, size: int, head: Head) -> tuple[dict[int, str], dict[str, int]]:
        """The tree and the counts after the entries up to a head; OkeyError where it is another."""
        tree = {level: bytes.fromhex(text) for level, text in self.memory.tree.items()}
        counts = Counter(self.memory.counts)

        def node(level: int, _: int) -> bytes:
            return tree.get(level, EMPTY)

        while size < head.size:
            path = f"/api/log/entries?first={size}&count={min(_AT_ONCE, head.size - size)}"
            entries = await self._calls.call("GET", path, list[str])
            if not entries:
                raise client_error("log-shortened", size=head.size, now=size)
            for entry in entries[: head.size - size]:
                kind, _, digest = entry.partition(" ")
                if kind not in KINDS or len(digest) != 64:
                    raise client_error("log-strange-entry", place=size)
                counts[kind] += 1
                made = [*added(size, entry_hash(entry.encode()), node)]
                tree |= {level: found for level, _, found in made}
                size += 1
        if root(size, node) != head.root:
            raise client_error("log-rewritten", size=size)
        return {level: made.hex() for level, made in tree.items()}, dict(counts)

    async def missing(self, entries: Iterable[str]) -> list[str]:
        """Those of some entries that the newest head does not have, or not by proof."""
        head, absent = self.head.head, list[str]()
        for entry in entries:
            path = f"/api/log/inclusion?entry={quote(entry)}&size={head.size}"
            found = await self._calls.call("GET", path, _Inclusion)
            leaf, place = entry_hash(entry.encode()), found.place
            if place is None or not is_included(leaf, place, head, _hashes(found.proof)):
                absent.append(entry)
        return absent


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


def read_memory(data: bytes) -> Memory:
    """What an auditor has written down; OkeyError ``bad-audit-file`` for anything else."""
    try:
        return msgspec.json.decode(data, type=Memory)
    except msgspec.MsgspecError:
        raise client_error("bad-audit-file") from None


def _hashes(texts: Iterable[str]) -> list[bytes]:
    try:
        return [bytes.fromhex(text) for text in texts]
    except ValueError:
        return [b""]
