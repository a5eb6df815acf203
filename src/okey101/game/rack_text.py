"""Packed racks as text, quickly: a view has five of them."""

from __future__ import annotations

from itertools import product

from okey101.tiles import TILES, PackedRack

__all__ = ["TILE_TEXTS", "rack_text"]

TILE_TEXTS = tuple(str(tile) for tile in TILES)
"""The notation of each tile, by its code."""
_TOGETHER = 4
"""Tiles whose copies one byte of a packed rack counts."""


def _texts_by_byte() -> tuple[list[str], ...]:
    """For each byte of a packed rack what each of its values reads."""
    found: list[list[str]] = []
    for first in range(0, len(TILE_TEXTS), _TOGETHER):
        names = TILE_TEXTS[first : first + _TOGETHER]
        texts = [""] * 256
        for copies in product(range(3), repeat=len(names)):
            value = sum(count << 2 * place for place, count in enumerate(copies))
            texts[value] = " ".join(
                name for name, count in zip(names, copies, strict=True) for _ in range(count)
            )
        found.append(texts)
    return tuple(found)


_TEXTS = _texts_by_byte()


def rack_text(bits: PackedRack) -> str:
    """A packed rack as ``str(Rack.from_bits(bits))`` has it.

    >>> rack_text(0b10_01)
    'R1 R2 R2'
    """
    counts = bits.to_bytes(len(_TEXTS), "little")
    return " ".join([texts[n] for texts, n in zip(_TEXTS, counts, strict=True) if n])
