"""State declared once: a table of fields from which classes, dictionaries and patches are made.

A table is a class whose attributes are made by :func:`field`. :func:`closed` makes a subclass of it
a value that never changes, :func:`drafts` another one the open copy in which the next value is
written, and :class:`JsonForm` knows how the fields are shown and read again.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, Generic, TypeVar

C = TypeVar("C", bound=type)
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Shown:
    """One name under which everybody sees something of the state, as plain data for JSON."""

    name: str
    write: Callable[[Any], object]
    """Makes it from the state."""
    meaning: str = ""
    """What it means, if not the same as its field."""
    told: bool = True
    """Whether a message that shows a whole deal has it; the rules are sent separately."""
    patched: bool = True
    """Whether a message that shows a change has it; an action is told as what happened."""


@dataclass(slots=True)
class Field:
    """One part of the state: what it means, how it begins, and how it is shown."""

    meaning: str
    _: KW_ONLY
    start: object = None
    """Its value at the start of a deal, or what makes it from the rules and the layout."""
    read: Callable[[Any, str, Any], object]
    """Its value again: from what is shown under its one name, or else from all that is shown; then
    come the path that errors tell, and the fields read before."""
    write: Callable[[Any], object] | None = None
    """What is shown under its own name, made from the state; None: the value as it is."""
    names: tuple[Shown, ...] | None = None
    """The names it is shown under, if not its own; some are made of several fields."""
    hashed: Callable[[Any], object] | None = None
    """What the hash covers of it; None: the value as it is."""
    name: str = ""

    shown: tuple[Shown, ...] = ()
    """Everything that is shown of it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        own = Shown(name, self.write or attrgetter(name))
        self.shown = (own,) if self.names is None else self.names

    def begun(self, rules: object, layout: object) -> object:
        """Its value at the start of a deal."""
        return self.start(rules, layout) if callable(self.start) else self.start

    def again(self, data: Mapping[str, Any], draft: Any) -> object:
        """Its value from what was shown."""
        shown = self.shown
        name = shown[-1].name if shown else self.name
        return self.read(data[name] if len(shown) == 1 else data, name, draft)


field: Any = Field
"""Declares a field where its value's type stands."""


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
