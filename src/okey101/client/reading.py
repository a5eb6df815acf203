"""Messages of a server, read so that a newer one may say more than is known here."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct, inspect

from okey101.server.protocol.server_messages import AnyEvent, Event

__all__ = ["Json", "ReadMessage", "UnknownWhat", "read_known"]

Json: TypeAlias = dict[str, Any]


class UnknownWhat(Struct, frozen=True):
    """What happened, in a word that is not known here."""

    kind: str


class ReadMessage(NamedTuple):
    """A message: by its struct, and as plain data.

    In an :class:`Event` of a newer server ``what`` may be an :class:`UnknownWhat`.
    """

    message: AnyEvent
    data: Json


_DECODER: Final = msgspec.json.Decoder(Json)
_ANY: Final = inspect.type_info(AnyEvent)
assert isinstance(_ANY, inspect.UnionType)
_TYPES: Final = {kind.tag: kind for kind in _ANY.types if isinstance(kind, inspect.StructType)}
_NOTHING_ELSE: Final = {"kind": "restart"}


def read_known(text: str | bytes) -> ReadMessage | None:
    """Read a message; None for a type that is not known here.

    Names that are not known are left out. msgspec.MsgspecError for what is no message at all.
    """
    data = _DECODER.decode(text)
    try:
        return ReadMessage(msgspec.convert(data, AnyEvent), data)
    except msgspec.ValidationError:
        kind = _TYPES.get(data.get("type"))
        if kind is None:
            if isinstance(data.get("type"), str):
                return None
            raise
    known: Json = _known(data, kind) | {"type": data["type"]}
    try:
        return ReadMessage(msgspec.convert(known, AnyEvent), known)
    except msgspec.ValidationError:
        what = known.get("what")
        if data["type"] != "event" or not isinstance(what, dict):
            raise
    event = msgspec.convert(known | {"what": _NOTHING_ELSE}, Event)
    other: Any = UnknownWhat(str(what.get("kind")))
    return ReadMessage(msgspec.structs.replace(event, what=other), known)


def _known(value: Any, kind: inspect.Type) -> Any:
    """A value without the names that its type does not have."""
    match kind:
        case inspect.Metadata():
            return _known(value, kind.type)
        case inspect.StructType() if isinstance(value, dict):
            fields = {field.encode_name: field.type for field in kind.fields}
            if kind.tag_field is not None:
                fields[kind.tag_field] = inspect.AnyType()
            return {
                name: _known(part, fields[name]) for name, part in value.items() if name in fields
            }
        case inspect.UnionType():
            return _known_of_one(value, kind)
        case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list):
            return [_known(part, kind.item_type) for part in value]
        case _:
            return value


def _known_of_one(value: Any, union: inspect.UnionType) -> Any:
    """The same for a value of one of several types: by its tag, or the only one that fits."""
    if isinstance(value, list):
        lists = (inspect.ListType, inspect.VarTupleType)
        found = next((kind for kind in union.types if isinstance(_bare(kind), lists)), None)
        return value if found is None else _known(value, found)
    if not isinstance(value, dict):
        return value
    for kind in union.types:
        bare = _bare(kind)
        if isinstance(bare, inspect.StructType) and (
            bare.tag_field is None or value.get(bare.tag_field) == bare.tag
        ):
            return _known(value, bare)
    return value


def _bare(kind: inspect.Type) -> inspect.Type:
    return _bare(kind.type) if isinstance(kind, inspect.Metadata) else kind
