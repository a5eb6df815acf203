"""Heads of servers' transparency logs: what was shown once is held against what is shown later.

Whoever keeps heads from table to table finds a server that shows two people two logs, or that has
taken something out of its own. Proofs need the standard library alone; a signature is checked where
``cryptography`` is there (``okey101[server]`` has it).
"""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import time
from typing import Final, NamedTuple, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct, field

from okey101.client.calls import Calls
from okey101.client.errors import CommandRefused, client_error
from okey101.errors import OkeyError
from okey101.game.fair.transparency import (
    EMPTY,
    Checkpoint,
    Head,
    Nodes,
    added,
    entry_hash,
    is_extended,
    is_included,
    key_id,
    root,
)
from okey101.server.files.atomic_files import replace
from okey101.server.protocol.views import ConsistencyProof, InclusionProof

T = TypeVar("T")
_DAY_S: Final = 86_400
_TRIES: Final = 4
"""A server may have no time for its log, but not for a day, and more often than this."""


class Seen(Struct, omit_defaults=True):
    """The newest checkpoint that was shown of a log, and the key of its signature; empty at first.

    It is what ``GET /api/log/`` answers.
    """

    checkpoint: str = ""
    key: str = ""
    unproved_s: float = 0.0
    """Since when no newer head was told with a proof that it holds this one; 0: one was."""
    tries: int = 0
    """How often that was so, one after the other."""


class Newest(NamedTuple):
    """The newest head of a log, which holds all of the one ``before``."""

    seen: Seen
    before: Head
    checkpoint: Checkpoint
    signed: bool
    """Whether the signature was checked: nothing here can where ``cryptography`` is absent."""


class Heads:
    """The newest head of each server; with a path, in a file that the next program goes on with.

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
        """Keep a newer head; OSError if the file can't be written."""
        self._seen[url] = seen
        if self._path is not None:
            write_seen(self._path, self._seen)

    def unproved(self, url: str) -> bool:
        """Note that no newer head came with a proof, as :meth:`keep` does: was it so for long?"""
        seen, now = self.of(url), time()
        since = min(seen.unproved_s or now, now)
        self.keep(url, Seen(seen.checkpoint, seen.key, since, seen.tries + 1))
        return now - since >= _DAY_S and seen.tries >= _TRIES


async def newest(calls: Calls, known: Seen, *, again: bool = True) -> Newest:
    """The newest head of a server's log, held against the one that was known.

    OkeyError ``log-key-changed``, ``log-wrong-signature``, ``log-shortened`` where entries that
    were shown are gone, ``log-rewritten`` where others stand in their place, ``bad-checkpoint``,
    ``log-unproved`` where the server tells a newer head and nothing more, and what server and line
    say; ``bad-audit-file`` where the known head is not that of its key.
    Without ``again`` a server that does not answer is asked once.
    """
    old = Checkpoint.parse(known.checkpoint) if known.checkpoint else None
    if old is not None and known.key and signed_by(old, known.key) is False:
        raise client_error("bad-audit-file")
    told = await calls.call("GET", "/api/log/", Seen, again=again)
    if not told.checkpoint:
        raise client_error("not-okey101", address=calls.url)
    found = Checkpoint.parse(told.checkpoint)
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
            proof = hashes((await calls.call("GET", path, ConsistencyProof, again=again)).proof)
        except OkeyError as error:
            if not isinstance(error, CommandRefused) and error.code != "no-server":
                raise
            if error.code != "no-entry":
                raise client_error("log-unproved", reason=error.code) from error
    same_log = old is None or old.origin == found.origin
    if not (same_log and is_extended(before, found.head, proof)):
        raise client_error("log-rewritten", size=before.size)
    return Newest(Seen(told.checkpoint, told.key), before, found, signed is True)


def signed_by(checkpoint: Checkpoint, verifier: str) -> bool | None:
    """Whether the key of a verifier's text has signed a checkpoint; None where nothing can tell.

    That takes the package ``cryptography`` (``okey101[server]`` has it).
    """
    name, _, rest = verifier.partition("+")
    told, _, code = rest.partition("+")
    try:
        key = b64decode(code, validate=True)
    except ValueError:  # what is not Base64, or not ASCII
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
    public, by = Ed25519PublicKey.from_public_bytes(key[1:]), (name, key_id(name, key[1:]))
    own = (one.signature for one in checkpoint.signatures if (one.name, one.key) == by)
    try:
        public.verify(next(own, b""), checkpoint.body.encode())
    except InvalidSignature:
        return False
    return True


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
    except (ValueError, RecursionError):
        raise client_error("bad-audit-file") from None


def write_seen(path: Path, seen: object) -> None:
    """Put it in the place of what is there, its folder made where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, msgspec.json.encode(seen))


# Follows the whole log, and holds it to what it has shown before.
#
# An auditor keeps the newest head and a few hashes of the tree, never the entries. It reads each
# entry once, makes the root itself, and checks the signature where ``cryptography`` is there.

_AT_ONCE: Final = 1_000
KINDS: Final = ("commitment", "thrown", "match", "day", "mixed", "challenge")
"""What an entry may begin with."""


class Memory(Seen):
    """What an auditor knows of a log: its newest head, and hashes of the tree.

    ``tree`` has the last whole subtree of each level; ``counts`` how many entries of each kind.
    """

    tree: dict[int, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


class Auditor:
    """One log and what is remembered of it."""

    def __init__(self, url: str, memory: Memory | None = None) -> None:
        """OkeyError ``bad-address``, and ``bad-checkpoint`` and ``bad-audit-file`` for a memory
        that makes no sense: what is wrong with that is no fault of the server.
        """
        self._calls = Calls(url)
        self.memory = Memory() if memory is None else memory
        if any(len(node) != len(EMPTY) for node in hashes(self.memory.tree.values())):
            raise client_error("bad-audit-file")
        if self.memory.checkpoint:
            head = Checkpoint.parse(self.memory.checkpoint).head
            if root(head.size, _nodes(_tree(self.memory))) != head.root:
                raise client_error("bad-audit-file")
        self.signed = False
        """Whether the signature of the newest head was checked; it needs ``cryptography``."""
        self.watched: str | None = None
        """The date of a day: what the log says of it is noted while it is read."""
        self.noted: list[tuple[int, str]] = []
        """Their places, and they themselves."""

    @property
    def head(self) -> Checkpoint:
        """The newest head that was followed; OkeyError ``bad-checkpoint`` before the first."""
        return Checkpoint.parse(self.memory.checkpoint)

    async def follow(self) -> Checkpoint:
        """The newest head, once all entries up to there were read and found to lead to it.

        OkeyError ``log-strange-entry``, and as :func:`okey101.client.heads.newest` tells. Then the
        memory stays as it was.
        """
        found = await newest(self._calls, self.memory)
        head = found.checkpoint.head
        tree, counts = await self._read(found.before.size, head)
        self.memory = Memory(found.seen.checkpoint, found.seen.key, tree=tree, counts=counts)
        self.signed = found.signed
        return found.checkpoint

    async def _read(self, size: int, head: Head) -> tuple[dict[int, str], dict[str, int]]:
        """The tree and the counts after the entries up to a head; OkeyError where it is another."""
        tree, counts = _tree(self.memory), Counter(self.memory.counts)
        node = _nodes(tree)
        while size < head.size:
            path = f"/api/log/entries?first={size}&count={min(_AT_ONCE, head.size - size)}"
            entries = await self._calls.call("GET", path, list[str])
            if not entries:
                raise client_error("log-shortened", size=head.size, now=size)
            for entry in entries[: head.size - size]:
                about, _, digest = entry.rpartition(" ")
                kind = about.partition(" ")[0]
                if kind not in KINDS or len(digest) != 64:
                    raise client_error("log-strange-entry", place=size)
                counts[kind] += 1
                if self.watched and about.endswith(f" {self.watched}"):
                    self.noted.append((size, entry))
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
            found = await self._calls.call("GET", path, InclusionProof)
            leaf, place = entry_hash(entry.encode()), found.place
            if place is None or not is_included(leaf, place, head, hashes(found.proof)):
                absent.append(entry)
        return absent


def _tree(memory: Memory) -> dict[int, bytes]:
    return dict(zip(memory.tree, hashes(memory.tree.values()), strict=False))


def _nodes(tree: Mapping[int, bytes]) -> Nodes:
    return lambda level, _: tree.get(level, EMPTY)
