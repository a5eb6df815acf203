"""Tables of the API reference that autodoc can't make: fields, their types and what they mean.

They are made from the declarations, so a field that is added is described, or ``make_docs`` fails.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec.inspect
from msgspec import NODEFAULT, Struct
from msgspec.inspect import Field

from okey101.game.declared import fields_of
from okey101.game.options import DiscardOption, Options
from okey101.game.public import OpenSide
from okey101.server.protocol.options import PlayBody, TableOptions

__all__ = ["client_tables", "views_tables"]

_MEANINGS: Final = {
    "rules": "a preset's name under `preset` and the fields that differ, as in a record: "
    '`{"preset": "pagat", "players": 3}`; what is left out is as in altinstar',
    "deals": "deals of a match",
    "clock": "seconds a turn; 0 for none, else at least 5",
    "assisted": "whether the server lists openings, groups and lay-offs",
    "bots": "for each seat from 0 a bot's name, or None for a person; the owner has the first "
    "that is free",
    "listed": "whether the table is in the list that everybody sees",
    "spectators": "when those without a seat see the open side: never, live, when a turn is over, "
    "`delay` seconds later, when the deal is over",
    "delay": "seconds, where `spectators` is `delayed`",
    "seats": "whether people choose their seats, or all are drawn at the start",
    "phrases": "whether the ready-made phrases may be said",
    "late": "whether people may take over the seats of bots during the match",
    "quick": "leave it at 0: only the server opens quick tables",
    "hints": "whether people may ask what to do",
    "bot": "the bot on all other seats, of those in `GET /api/bots`",
}
"""What the fields of tables mean."""


def client_tables() -> dict[str, str]:
    """The tables of ``docs/api/client.md``."""
    return {
        "table-options": _struct_table(TableOptions),
        "play-body": _struct_table(PlayBody),
    }


def views_tables() -> dict[str, str]:
    """The tables of ``docs/api/views.md``."""
    annotations = OpenSide.__annotations__
    public = [(f.name, annotations[f.name], f.meaning) for f in fields_of(OpenSide)]
    public += _answers(OpenSide)
    told = ("The tile.", "The rule that fines it, as an id, or None.", "The fine in points.")
    return {
        "public": _table("field", public),
        "options": _table("answer", _answers(Options)),
        "discard-option": _table(
            "field", zip(DiscardOption._fields, ("Tile", "str | None", "int"), told, strict=True)
        ),
    }


def _answers(owner: type) -> list[tuple[str, str, str]]:
    """The properties of a class and its lists made when asked: name, type and first sentence."""
    found = []
    for name, value in vars(owner).items():
        make = getattr(value, "fget", None) or getattr(value, "_function", None)
        if make is not None and not name.startswith("_"):
            meaning = (inspect.getdoc(make) or "").split("\n\n")[0].replace("\n", " ")
            found.append((name, str(make.__annotations__["return"]), meaning))
    return found


def _struct_table(struct: type[Struct]) -> str:
    """Name, type with limits, default and meaning of each field."""
    rows = ["| field | type | default | meaning |", "| --- | --- | --- | --- |"]
    told = msgspec.inspect.type_info(struct)
    assert isinstance(told, msgspec.inspect.StructType)
    for field in told.fields:
        default = f"`{_default(field)!r}`".replace("'", '"')
        rows.append(
            f"| `{field.name}` | {_kind(field.type)} | {default} | {_MEANINGS[field.name]} |"
        )
    return "\n".join(rows)


def _default(field: Field) -> object:
    return field.default_factory() if field.default is NODEFAULT else field.default


def _kind(kind: msgspec.inspect.Type) -> str:
    """A type in words."""
    match kind:
        case msgspec.inspect.BoolType():
            return "yes or no"
        case msgspec.inspect.IntType(ge=low, le=high):
            return f"{low} to {high}"
        case msgspec.inspect.StrType():
            return "a bot's name"
        case msgspec.inspect.LiteralType(values=values):
            return ", ".join(f"`{value}`" for value in values)
        case msgspec.inspect.DictType():
            return "a dictionary"
        case msgspec.inspect.VarTupleType(max_length=most):
            return f"up to {most} names or None"
        case _:
            raise TypeError(f"no words for {kind}")


def _table(head: str, rows: Iterable[tuple[str, str, str]]) -> str:
    return "\n".join(_lines(head, rows))


def _lines(head: str, rows: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    yield f"| {head} | type | meaning |"
    yield "| --- | --- | --- |"
    for name, kind, meaning in rows:
        shown = kind.replace("A.", "").replace("|", "\\|")  # as the package exports them
        yield f"| `{name}` | `{shown}` | {meaning} |"
