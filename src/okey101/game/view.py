"""What one seat may see: the only way out of this package for hidden tiles (T2)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from okey101.errors import checked
from okey101.game.dealing import deck_bits
from okey101.game.duties import duty_met
from okey101.game.open_side_json import read_rack, read_tile, tile_or_none
from okey101.game.public import (
    FORM,
    DealState,
    Public,
    check_room,
    impossible,
    public_from,
    table_text,
)
from okey101.game.ruleset import RuleSet, checked_seat
from okey101.game.strict_json import as_int, bad, reading
from okey101.tiles import (
    BITS_OF,
    PackedRack,
    Rack,
    TileCode,
    bits_of_tiles,
    holds_bits,
    html_of,
    rack_text,
    size_of_bits,
    svg_of,
    tiles_of_bits,
)


class View(NamedTuple):
    """A deal as one seat sees it; ``seat`` and ``hand`` are None for a spectator.

    ``drawn`` is the tile the seat drew in the running turn, and ``hand`` a packed rack.

    >>> from okey101 import Deal
    >>> view = view_of(Deal.start("pagat", seed=7), seat=1)
    >>> len(view.rack), view.to_act
    (22, True)
    >>> View.from_dict(view.to_dict()) == view
    True
    """

    public: Public
    seat: int | None
    hand: PackedRack | None
    drawn: TileCode | None = None

    def __repr__(self) -> str:
        seat = "spectator" if self.seat is None else f"seat {self.seat}"
        return f"<View of {seat}: {self.public!r}>"

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """What the seat sees, in notation: see :func:`table_text`; ``str(view)`` is the same.

        >>> from okey101 import Deal
        >>> print(view_of(Deal.start("pagat", seed=7), 1).text().splitlines()[2])
        >1 22 R4 R7 R8 R9 Y2 Y3 Y5 Y6 Y11 Y12 Y12 B2 B5 B6 B7 B7 B8 K2 K3 K8 K11 K12
        """
        seat = self.seat
        return table_text(self.public, {} if seat is None else {seat: self.hand or 0})

    @property
    def rack(self) -> Rack:
        """The seat's own tiles; empty for a spectator."""
        return Rack.from_bits(self.hand or 0)

    @property
    def to_act(self) -> bool:
        """Whether it is this seat's turn in a running deal."""
        return self.seat == self.public.turn and self.public.result is None

    @property
    def unseen(self) -> PackedRack:
        """The tiles this seat doesn't see, as a packed rack: other hands and the stock."""
        public = self.public
        bits = deck_bits(public.setup.indicator) - (self.hand or 0)
        for group in public.table:
            bits -= group.bits
        for pile in public.discards:
            bits -= bits_of_tiles(pile)
        return bits + BITS_OF[public.setup.indicator] if public.must_finish else bits

    def _repr_svg_(self) -> str | None:
        return svg_of(self)

    def _repr_html_(self) -> str | None:
        return html_of(self)

    def to_dict(self) -> dict[str, object]:
        """Everything the seat sees, as plain data for JSON."""
        seen: dict[str, object] = {"seat": self.seat}
        if self.hand is not None:
            seen["hand"] = rack_text(self.hand)
            seen["drawn"] = tile_or_none(self.drawn)
        return seen | FORM.view(self.public)

    @classmethod
    def from_dict(cls, data: Mapping[str, object], rules: RuleSet | None = None) -> View:
        """A view from what :meth:`to_dict` wrote, or from a table's message with its ``rules``.

        Raises RecordError, whose path says where, for anything else.
        """
        with reading(""):
            checked(data, Mapping, "object")
        seen = dict(data) if rules is None else dict(data) | {"rules": rules}
        public = public_from(seen)
        seat, hand, drawn = (seen.get(name) for name in ("seat", "hand", "drawn"))
        if seat is None:
            return cls(public, None, None)
        seat = as_int(seat, "seat", 0, public.players - 1)
        drawn = None if drawn is None else read_tile(drawn, "drawn")
        held = read_rack(hand, "hand")
        racks = [held if at == seat else known for at, known in enumerate(public.known)]
        hidden = [n - size_of_bits(rack) for n, rack in zip(public.sizes, racks, strict=True)]
        if min(hidden) < 0 or hidden[seat]:
            bad("bad-value", "a hand has another size", "hand")
        if not holds_bits(held, public.known[seat]):
            bad("bad-value", "a hand lacks a tile that it is known to hold", "hand")
        with reading("hand"):
            tiles = chain(*map(tiles_of_bits, racks))
            check_room(public, tiles, public.stock_count + sum(hidden))
        if why := impossible(public):
            bad("bad-value", why, "phase")
        if seat == public.turn and not duty_met(public, held):
            bad("bad-value", "a hand cannot use the taken tile, or finish, as it has to", "hand")
        return cls(public, seat, held, drawn)


def view_of(deal: DealState, seat: int | None) -> View:
    """The view of a seat, or of a spectator; OkeyError ``bad-seat`` for any other.

    >>> from okey101 import Deal
    >>> deal = Deal.start("pagat", seed=7)
    >>> view_of(deal, deal.turn).rack == deal.rack(deal.turn)
    True
    >>> view_of(deal, None).rack
    Rack.parse('')
    """
    try:
        public, hands = deal.public, deal.hands
    except AttributeError:
        checked(deal, DealState, "Deal")
        raise
    if seat is None:
        return View(public, None, None)
    if type(seat) is not int or not 0 <= seat < len(hands):
        checked_seat(seat, len(hands))
    return View(public, seat, hands[seat], deal.drawn if seat == public.turn else None)
