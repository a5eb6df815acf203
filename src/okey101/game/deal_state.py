"""A deal with all its hidden tiles, as the rules work on it.

:class:`okey101.game.public.Public` holds all that lies open on the table (T2); this adds the hands
and the stock.
"""

from __future__ import annotations

from okey101.game.dealing import Layout
from okey101.game.public import Public
from okey101.tiles import PackedRack, TileCode


class DealState:
    """What a :class:`okey101.game.deal.Deal` consists of: a value that never changes."""

    __slots__ = ("drawn", "hands", "layout", "public")

    layout: Layout
    """The table as dealt, stock and seed included."""
    public: Public
    hands: tuple[PackedRack, ...]
    """Packed racks by seat."""
    drawn: TileCode | None
    """The code of the tile the seat to act drew this turn."""

    def __init__(
        self,
        layout: Layout,
        public: Public,
        hands: tuple[PackedRack, ...],
        drawn: TileCode | None = None,
    ) -> None:
        set_ = object.__setattr__
        set_(self, "layout", layout)
        set_(self, "public", public)
        set_(self, "hands", hands)
        set_(self, "drawn", drawn)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.layout, self.public, self.hands, self.drawn))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DealState):
            return NotImplemented
        return (
            self.hands == other.hands
            and self.drawn == other.drawn
            and self.layout == other.layout
            and self.public == other.public
        )

    def __hash__(self) -> int:
        return hash((self.layout, self.hands, self.public))
