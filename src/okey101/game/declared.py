"""State declared once: a table of fields from which classes, dictionaries and patches are made.

A table is a class whose attributes are made by :func:`field`. :func:`closed` makes a subclass of it
a value that never changes, :func:`drafts` another one the open copy in which the next value is
written, and :class:`JsonForm` knows how the fields are shown and read again.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import compress
from operator import is_not
from typing import Any, Generic, TypeVar

C = TypeVar("C", bound=type)
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Shown:
    """One name under which everybody sees something of the state, as plain data for JSON."""

    name: str
    write: Callable[[Any], object]
    """Makes it from the state."""
    told: bool = True
    """Whether a message that shows a whole deal has it; the rules are sent separately."""
    patched: bool = True
    """Whether a message that shows a change has it; an action is told as what happened."""
    meaning: str = ""
    """What it means, if not the same as its field."""


@dataclass(frozen=True, slots=True)
class Field:
    """One part of the state: what it means, how it begins, and how it is shown."""

    meaning: str
    start: Callable[[Any, Any], object]
    """Its value at the start of a deal, from the rules and the layout."""
    shown: tuple[Shown, ...]
    """The names it is shown under; some are made of several fields."""
    read: Callable[[Mapping[str, Any], Any], object]
    """Its value again, from what was shown and from the fields read before."""
    hashed: Callable[[Any], object] | None
    """What the hash covers of it; None: the value as it is."""
    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)


def field(
    meaning: str,
    *,
    start: object = None,
    shown: Shown | tuple[Shown, ...] = (),
    read: Callable[[Mapping[str, Any], Any], object],
    hashed: Callable[[Any], object] | None = None,
) -> Any:
    """Declare a field; ``start`` is a value, or makes one from the rules and the layout."""
    begin: Callable[[Any, Any], object] = (
        start if callable(start) else lambda _rules, _layout: start
    )
    names = shown if isinstance(shown, tuple) else (shown,)
    return Field(meaning, begin, names, read, hashed)


def fields_of(table: type) -> tuple[Field, ...]:
    """The fields of a table in the order declared, those of the tables it extends first."""
    found: dict[str, Field] = {}
    for base in reversed(table.__mro__):
        found |= {name: item for name, item in vars(base).items() if isinstance(item, Field)}
    return tuple(found.values())


def closed(cls: C) -> C:
    """Make a subclass of a table and of ``tuple`` hold the fields, in order, unchangeably."""
    names = [item.name for item in fields_of(cls)]
    getters = namedtuple("getters", names)  # type: ignore[misc]  # noqa: PYI024
    for name in names:
        setattr(cls, name, vars(getters)[name])
    cls._fields = tuple(names)  # type: ignore[attr-defined]
    return cls


def drafts(draft: type[S], value: type[Any]) -> tuple[Callable[[Any], S], Callable[[S], Any]]:
    """Two functions: one opens a value of a table for writing, the other closes it again.

    Written out field by field, as ``dataclasses`` writes its methods: each runs once per action.
    """
    names = value._fields
    slots = ", ".join(f"draft.{name}" for name in names)
    source = (
        f"def opened(value):\n draft = new(Draft)\n {slots}, = value\n return draft\n"
        f"def sealed(draft):\n return make(Value, ({slots},))\n"
    )
    room: dict[str, Any] = {
        "new": object.__new__, "make": tuple.__new__, "Draft": draft, "Value": value
    }  # fmt: skip
    exec(source, room)  # from the table's own names
    return room["opened"], room["sealed"]


class JsonForm(Generic[S]):
    """How the values of a table are shown to everybody, whole and in parts, and read again."""

    def __init__(self, table: type) -> None:
        self.fields = fields_of(table)
        self.shown: Mapping[str, Shown] = {
            shown.name: shown for item in self.fields for shown in item.shown
        }
        """By name, in the order in which a view has them."""
        self._told = [(s.name, s.write) for s in self.shown.values() if s.told]
        self._patched = [
            tuple((s.name, s.write) for s in item.shown if s.patched) for item in self.fields
        ]

    def view(self, value: S) -> dict[str, object]:
        """Everything that is shown, by name, as plain data for JSON."""
        return {name: shown.write(value) for name, shown in self.shown.items()}

    def told(self, value: S) -> dict[str, object]:
        """What a message shows of a whole deal."""
        return {name: write(value) for name, write in self._told}

    def patch(self, old: Iterable[object], new: Any) -> dict[str, object]:
        """What a message shows of a change: the names whose fields are no longer the same."""
        changed: dict[str, object] = {}
        for names in compress(self._patched, map(is_not, old, new)):
            for name, write in names:
                if name not in changed:
                    changed[name] = write(new)
        return changed
