"""How messages show a deal's open side, made from its one table (:mod:`okey101.game.public`)."""

from __future__ import annotations

from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from okey101.game import open_side_json as shapes
from okey101.game.declared import JsonForm, Limits

__all__ = [
    "Count",
    "FineView",
    "FormText",
    "GroupView",
    "SeatNumber",
    "Sheet",
    "TileText",
    "TilesText",
    "deal_structs",
    "wire_type",
]


def wire_type(shape: Any) -> Any:
    """A type of the open side as msgspec reads it: limits as ``Meta``, objects as structs."""
    origin, args = get_origin(shape), get_args(shape)
    if origin is Annotated:
        limits = [_meta(item) for item in args[1:] if isinstance(item, Limits)]
        return Annotated[(wire_type(args[0]), *limits)]
    if origin in (Union, UnionType):
        return reduce(or_, (wire_type(arg) for arg in args))
    if origin in (tuple, dict, list):
        generic: Any = origin
        return generic[tuple(arg if arg is Ellipsis else wire_type(arg) for arg in args)]
    return _struct(shape) if is_typeddict(shape) else shape


def _meta(limits: Limits) -> Meta:
    given = {name: getattr(limits, name) for name in limits.__slots__}
    return Meta(**{name: value for name, value in given.items() if value is not None})


@cache
def _struct(shape: type) -> type[Struct]:
    hints = get_type_hints(shape, include_extras=True)
    return _shown(
        shape.__name__, {name: wire_type(hint) for name, hint in hints.items()}, shape.__doc__
    )


def _shown(name: str, fields: dict[str, Any], doc: str | None) -> type[Struct]:
    """A part of a message; a field of a type that may be left out is left out by default."""
    return defstruct(
        name,
        [
            (field, kind, UNSET) if UnsetType in get_args(kind) else (field, kind)
            for field, kind in fields.items()
        ],
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        namespace={"__doc__": doc},
        module=__name__,
    )


def deal_structs(form: JsonForm[Any], end: Any) -> tuple[type[Struct], type[Struct]]:
    """The shapes of a whole deal in a message, and of the parts of it that changed.

    ``end`` is the type of what the end adds to the declared names.
    """
    fields: dict[str, Any] = {"number": Count}
    for item in form.fields:
        for shown in item.shown:
            if shown.told:
                meaning = Meta(description=shown.meaning or item.meaning)
                fields[shown.name] = Annotated[wire_type(shown.type), meaning]
    fields["end"] = end | None
    view = _shown(
        "DealView", fields, "All that lies open in a deal; ``end`` is null until the end."
    )
    parts = {name: _or_unset(kind) for name, kind in fields.items()}
    doc = "The parts of a deal that changed; with ``indicator`` it is a whole new deal."
    return view, _shown("DealPatch", parts, doc)


def _or_unset(kind: Any) -> Any:
    return Union[(kind, UnsetType)]  # noqa: UP007  # of values


if TYPE_CHECKING:
    Count: TypeAlias = int
    SeatNumber: TypeAlias = int
    TileText: TypeAlias = str
    TilesText: TypeAlias = str
    FormText: TypeAlias = str

    class FineView(Struct):
        """A fine and the rule it is charged by."""

    class GroupView(Struct):
        """A meld on the table."""

    class Sheet(Struct):
        """The result of a deal."""

else:
    Count, SeatNumber = wire_type(shapes.Count), wire_type(shapes.SeatNumber)
    TileText, TilesText = wire_type(shapes.TileText), wire_type(shapes.TilesText)
    FineView, GroupView = wire_type(shapes.FineView), wire_type(shapes.GroupView)
    FormText, Sheet = shapes.FormText, wire_type(shapes.Sheet)
