"""Deals that are over, kept small: a match has up to 130, and next to nobody looks at them again.

As objects a deal of 60 turns takes some 25 kB for its groups, piles and actions; packed it takes 1.
"""

from __future__ import annotations

import zlib
from functools import cached_property

import msgspec

from okey101.game import Deal, Result, RuleSet
from okey101.game.dealing import Layout
from okey101.game.public import FORM, public_from
from okey101.server.store.snapshots import part_name
from okey101.tiles import PackedRack

# A deal with all its hidden tiles as bytes, to be kept for long: no program is in it, only data.
#
# The open side is written and read by its own declaration (:mod:`okey101.game.public`), so that a
# field that is added there is added here.


class _Form(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What is hidden, and the open side as it is told; racks have more bits than a number here."""

    dealer: int
    starter: int
    indicator: int
    okey: int | None
    dealt: tuple[bytes, ...]
    stock: bytes
    dice: bytes
    seed: bytes | None
    hands: tuple[bytes, ...]
    drawn: int | None
    open_side: dict[str, object]
    __repr__ = object.__repr__


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Form)
_RACK_BYTES = 16


def _packed(racks: tuple[PackedRack, ...]) -> tuple[bytes, ...]:
    return tuple(rack.to_bytes(_RACK_BYTES, "big") for rack in racks)


def _racks(packed: tuple[bytes, ...]) -> tuple[PackedRack, ...]:
    return tuple(int.from_bytes(rack, "big") for rack in packed)


def encode_deal(deal: Deal) -> bytes:
    """The deal but for its rules."""
    layout = deal.layout
    form = _Form(
        dealer=layout.dealer,
        starter=layout.starter,
        indicator=layout.indicator,
        okey=layout.okey,
        dealt=_packed(layout.hands),
        stock=bytes(layout.stock),
        dice=bytes(layout.dice),
        seed=layout.seed,
        hands=_packed(deal.hands),
        drawn=deal.drawn,
        open_side=FORM.told(deal.public),
    )
    return _ENCODER.encode(form)


def decode_deal(data: bytes, rules: RuleSet) -> Deal:
    """The deal again; msgspec.DecodeError and RecordError for bytes that are none."""
    form = _DECODER.decode(data)
    layout = Layout(
        dealer=form.dealer,
        starter=form.starter,
        indicator=form.indicator,
        okey=form.okey,
        hands=_racks(form.dealt),
        stock=tuple(form.stock),
        dice=tuple(form.dice),
        seed=form.seed,
    )
    public = public_from({**form.open_side, "rules": rules})
    return Deal(layout, public, _racks(form.hands), form.drawn)


class FinishedDeal:
    """A deal that is over: its result is at hand, the rest whole or packed."""

    def __init__(
        self, rules: RuleSet, result: Result | None, *, deal: Deal | None = None, data: bytes = b""
    ) -> None:
        """``data`` is what an equal deal was packed into; it is not looked at before it is asked
        for.
        """
        self.result = result
        self._rules = rules
        self._deal = deal
        self._data = data

    @classmethod
    def of(cls, deal: Deal) -> FinishedDeal:
        """A deal that stays whole until it is :meth:`packed`."""
        return cls(deal.rules, deal.result, deal=deal)

    @property
    def whole(self) -> Deal:
        """The deal; one that is packed is made anew each time.

        zlib.error, msgspec.DecodeError and RecordError where it was kept outside this process and
        is damaged.
        """
        if self._deal is not None:
            return self._deal
        return decode_deal(zlib.decompress(self._data), self._rules)

    @cached_property
    def data(self) -> bytes:
        """The deal in little memory."""
        return self._data or zlib.compress(encode_deal(self.whole), 1)

    def packed(self) -> FinishedDeal:
        """The same, packed."""
        return (
            self if self._deal is None else FinishedDeal(self._rules, self.result, data=self.data)
        )

    @cached_property
    def name(self) -> bytes:
        """What its bytes are called where they are kept."""
        return part_name(self.data)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FinishedDeal):
            return NotImplemented
        same = self.data == other.data or self.whole == other.whole
        return same and self.result == other.result

    def __hash__(self) -> int:
        return hash(self.result)

    def __repr__(self) -> str:
        """Without the tiles."""
        return f"<FinishedDeal {self.result!r}>"
