"""A list that nobody can shorten: the hash tree of a server's transparency log, and its proofs.

The log is append-only. Its entries are the leaves of a Merkle tree as RFC 9162 (Certificate
Transparency) has it: SHA-256, a byte 0 before an entry and a byte 1 before two hashes. A *head* is
the number of entries and the root. Whoever was shown a head once can ask for proof that a later one
still holds all of its entries (:func:`is_extended`), and that an entry is among those of a head
(:func:`is_included`). A *checkpoint* is a head as text, in the form that witnesses of other logs
read too (C2SP ``tlog-checkpoint``), with signatures after an empty line.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Final, NamedTuple, Self, TypeAlias

from okey101.errors import OkeyError

EMPTY: Final = sha256().digest()
"""The root of a log without entries."""
SIZE_MAX: Final = 2**53 - 1
"""The most entries of a log: the largest whole number that every client's numbers hold."""

Nodes: TypeAlias = Callable[[int, int], bytes]
"""The hash of a whole subtree by its level and its place there: of ``2**level`` entries from
``place << level`` on."""


def entry_hash(entry: bytes) -> bytes:
    """The hash of an entry, which is a leaf of the tree."""
    return sha256(b"\0" + entry).digest()


def _pair(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


def added(size: int, leaf: bytes, nodes: Nodes) -> Iterator[tuple[int, int, bytes]]:
    """The whole subtrees that end with a new leaf at place ``size``: level, place and hash of each.

    The first is the leaf. ``nodes`` has to know those that the earlier ones gave.
    """
    level, place, found = 0, size, leaf
    yield level, place, found
    while place & 1:
        found = _pair(nodes(level, place - 1), found)
        level, place = level + 1, place >> 1
        yield level, place, found


def _split(size: int) -> int:
    """The largest power of two below a size of two or more."""
    return 1 << (size - 1).bit_length() - 1


def _range(begin: int, size: int, nodes: Nodes) -> bytes:
    """The hash over ``size`` entries from ``begin`` on, where a subtree of the tree begins."""
    if size & (size - 1) == 0:
        level = size.bit_length() - 1
        return nodes(level, begin >> level)
    left = _split(size)
    return _pair(_range(begin, left, nodes), _range(begin + left, size - left, nodes))


def root(size: int, nodes: Nodes) -> bytes:
    """The root over the first ``size`` entries.

    >>> root(0, lambda level, place: b"").hex()[:8]
    'e3b0c442'
    """
    return _range(0, size, nodes) if size else EMPTY


def inclusion_proof(place: int, size: int, nodes: Nodes) -> list[bytes]:
    """What proves that an entry is at a place among the first ``size``, counted from 0.

    OkeyError ``no-entry`` where there is none.
    """
    if not 0 <= place < size:
        raise OkeyError("no-entry", f"there is no entry {place} among {size}", place=place)
    begin, proof = 0, list[bytes]()
    while size > 1:
        left = _split(size)
        if place < left:
            proof.append(_range(begin + left, size - left, nodes))
            size = left
        else:
            proof.append(_range(begin, left, nodes))
            begin, place, size = begin + left, place - left, size - left
    return proof[::-1]


def consistency_proof(old: int, size: int, nodes: Nodes) -> list[bytes]:
    """What proves that the first ``old`` of ``size`` entries are those of the earlier head.

    OkeyError ``no-entry`` where the later head is the shorter one.
    """
    if not 0 <= old <= size:
        raise OkeyError("no-entry", f"{size} entries do not extend {old}", place=old)
    if old in (0, size):
        return []
    begin, whole, proof = 0, True, list[bytes]()
    while old < size:
        left = _split(size)
        if old <= left:
            proof.append(_range(begin + left, size - left, nodes))
            size = left
        else:
            proof.append(_range(begin, left, nodes))
            begin, old, size, whole = begin + left, old - left, size - left, False
    if not whole:
        proof.append(_range(begin, size, nodes))
    return proof[::-1]


def is_included(leaf: bytes, place: int, head: Head, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the entry with this hash is at a place of a head's log."""
    if not 0 <= place < head.size:
        return False
    found = _climbed(place, head.size - 1, leaf, proof)
    return found is not None and found[1] == head.root


def _climbed(
    place: int, last: int, start: bytes, proof: Sequence[bytes]
) -> tuple[bytes, bytes] | None:
    """What a proof makes of a node's hash: the root over all up to it, and that over all.

    None where the proof does not end at the root.
    """
    of_old = of_new = start
    for other in proof:
        if last == 0:
            return None
        if place & 1 or place == last:
            of_old, of_new = _pair(other, of_old), _pair(other, of_new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            of_new = _pair(of_new, other)
        place, last = place >> 1, last >> 1
    return (of_old, of_new) if last == 0 else None


def is_extended(old: Head, new: Head, proof: Sequence[bytes]) -> bool:
    """Whether a proof shows that the later head's log begins with all of the earlier one's."""
    if old.size == new.size:
        return old.root == new.root and not proof
    if old.size == 0:
        return old.root == EMPTY and not proof
    if old.size > new.size:
        return False
    place, last = old.size - 1, new.size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    if not place:  # the earlier log is a whole subtree, which needs no telling
        proof = (old.root, *proof)
    return bool(proof) and _climbed(place, last, proof[0], proof[1:]) == (old.root, new.root)


# Heads as texts -----------------------------------------------------------------------------------

_TEXT: Final = re.compile(
    r"(?P<origin>[!-~]{1,200})\n(?P<size>0|[1-9][0-9]{0,15})\n(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"(?:\n(?P<signatures>(?:— [!-*,-~]{1,200} [A-Za-z0-9+/=]{8,400}\n){0,16}))?"
)


class Head(NamedTuple):
    """How many entries a log has, and the root of its tree."""

    size: int
    root: bytes


class Signature(NamedTuple):
    """A line under a checkpoint: whose key, its first four bytes of hash, and what it signed."""

    name: str
    key: bytes
    signature: bytes


class Checkpoint(NamedTuple):
    """A head of the log with this origin, and who signed it."""

    origin: str
    head: Head
    signatures: tuple[Signature, ...] = ()

    @property
    def body(self) -> str:
        """The three lines that are signed."""
        return f"{self.origin}\n{self.head.size}\n{b64encode(self.head.root).decode()}\n"

    @property
    def text(self) -> str:
        """The whole text, which :meth:`parse` reads."""
        lines = (
            f"— {one.name} {b64encode(one.key + one.signature).decode()}\n"
            for one in self.signatures
        )
        return f"{self.body}\n{''.join(lines)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a checkpoint, signed or not; the signatures are not checked.

        OkeyError ``bad-checkpoint``, which does not repeat the text.
        """
        found = _TEXT.fullmatch(text)
        if found is None or int(found["size"]) > SIZE_MAX:
            raise _unreadable()
        signatures = []
        try:
            root = b64decode(found["root"], validate=True)
            for line in (found["signatures"] or "").splitlines():
                _, name, code = line.split(" ")
                told = b64decode(code, validate=True)
                signatures.append(Signature(name, told[:4], told[4:]))
        except NotBase64:
            raise _unreadable() from None
        return cls(found["origin"], Head(int(found["size"]), root), tuple(signatures))


def key_id(name: str, key: bytes) -> bytes:
    """The four bytes by which signatures name an Ed25519 key of 32 bytes."""
    return sha256(name.encode() + b"\n\1" + key).digest()[:4]


def _unreadable() -> OkeyError:
    return OkeyError("bad-checkpoint", "a checkpoint is an origin, a size, a root and signatures")
