"""Follows the transparency log of a server, and holds it to what it has shown before.

An auditor keeps the newest head and a few hashes of the tree, never the entries. It reads each
entry once, makes the root itself, and checks the signature where ``cryptography`` is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import quote

import msgspec
from msgspec import Struct, field

from okey101.client.calls import Calls
from okey101.client.errors import client_error
from okey101.client.heads import Seen, hashes, newest, read_seen
from okey101.game.fair.transparency import (
    EMPTY,
    Checkpoint,
    Head,
    added,
    entry_hash,
    is_included,
    root,
)

_AT_ONCE: Final = 1_000
KINDS: Final = ("commitment", "thrown", "match")
"""What an entry may begin with."""


class _Inclusion(Struct):
    place: int | None
    proof: list[str]


class Memory(Seen):
    """What an auditor knows of a log: its newest head, and hashes of the tree.

    ``tree`` has the last whole subtree of each level; ``counts`` how many entries of each kind.
    """

    tree: dict[int, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


class Auditor:
    """One log and what is remembered of it."""

    def __init__(self, url: str, memory: Memory | None = None) -> None:
        """OkeyError ``bad-address``, and ``bad-checkpoint`` for a memory that makes no sense."""
        self._calls = Calls(url)
        self.memory = Memory() if memory is None else memory
        before = self.memory.checkpoint
        self._head = Checkpoint.parse(before) if before else None
        self.signed = False
        """Whether the signature of the newest head was checked; it needs ``cryptography``."""

    @property
    def head(self) -> Checkpoint:
        """The newest head that was followed; ``RuntimeError`` before the first."""
        if self._head is None:
            raise RuntimeError("no head was followed yet")
        return self._head

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

        OkeyError ``log-strange-entry``, and as :func:`okey101.client.heads.newest` tells. Then the
        memory stays as it was.
        """
        found = await newest(self._calls, self.memory)
        head = found.checkpoint.head
        tree, counts = await self._read(found.before.size, head)
        self.memory = Memory(found.seen.checkpoint, found.seen.key, tree, counts)
        self._head, self.signed = found.checkpoint, found.signed
        return found.checkpoint

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
            if place is None or not is_included(leaf, place, head, hashes(found.proof)):
                absent.append(entry)
        return absent


def read_memory(data: bytes) -> Memory:
    """What an auditor has written down; OkeyError ``bad-audit-file`` for anything else."""
    return read_seen(data, Memory)
