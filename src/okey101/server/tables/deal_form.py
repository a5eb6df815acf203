"""A deal with all its hidden tiles as bytes, to be kept for long: no program is in it, only data.

The open side is written and read by its own declaration (:mod:`okey101.game.public`), so that a
field that is added there is added here.
"""

from __future__ import annotations

import msgspec

from okey101.game import Deal, RuleSet
from okey101.game.dealing import Layout
from okey101.game.public import FORM, public_from
from okey101.tiles import PackedRack

__all__ = ["decode_deal", "encode_deal"]


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
