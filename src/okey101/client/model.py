"""A table as one program knows it: the last view, and every event since."""

from __future__ import annotations

from functools import lru_cache
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct, inspect

from okey101.game.ruleset import RuleSet
from okey101.game.view import View
from okey101.server.protocol.options import TableOptions
from okey101.server.protocol.server_messages import (
    AnyEvent,
    Coming,
    Event,
    Presence,
    Resumed,
    ViewMessage,
)

# Messages of a server, read so that a newer one may say more than is known here.

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

    Names that are not known are left out, but in the plain data those of a table's options: what is
    promised of a fair deal has them all. msgspec.MsgspecError for what is no message at all.
    """
    try:
        data = _DECODER.decode(text)
    except (UnicodeDecodeError, RecursionError) as error:
        raise msgspec.DecodeError(str(error)) from None
    try:
        return ReadMessage(msgspec.convert(data, AnyEvent), data)
    except msgspec.ValidationError:
        kind = _TYPES.get(data.get("type"))
        if kind is None:
            if isinstance(data.get("type"), str):
                return None
            raise
    known: Json = _known(data, kind) | {"type": data["type"]}
    shown: Json = _known(data, kind, TableOptions) | {"type": data["type"]}
    try:
        return ReadMessage(msgspec.convert(known, AnyEvent), shown)
    except msgspec.ValidationError:
        what = known.get("what")
        if data["type"] != "event" or not isinstance(what, dict):
            raise
    event = msgspec.convert(known | {"what": _NOTHING_ELSE}, Event)
    other: Any = UnknownWhat(str(what.get("kind")))
    return ReadMessage(msgspec.structs.replace(event, what=other), shown)


def _known(value: Any, kind: inspect.Type, whole: type | None = None) -> Any:
    """A value without the names that its type does not have; one of the type ``whole`` stays so."""
    match kind:
        case inspect.Metadata():
            return _known(value, kind.type, whole)
        case inspect.UnionType():
            fitting = next((one for one in kind.types if _fits(value, one)), inspect.AnyType())
            return _known(value, fitting, whole)
        case inspect.StructType() if kind.cls is whole:
            return value
        case inspect.StructType() if isinstance(value, dict):
            fields = {field.encode_name: field.type for field in kind.fields}
            if kind.tag_field is not None:
                fields[kind.tag_field] = inspect.AnyType()
            return {
                name: _known(part, fields[name], whole)
                for name, part in value.items()
                if name in fields
            }
        case inspect.ListType() | inspect.VarTupleType() if isinstance(value, list):
            return [_known(part, kind.item_type, whole) for part in value]
        case _:
            return value


def _fits(value: Any, kind: inspect.Type) -> bool:
    """Whether a list or an object is of a type among several: by its tag, or the only such one."""
    match kind:
        case inspect.Metadata():
            return _fits(value, kind.type)
        case inspect.ListType() | inspect.VarTupleType():
            return isinstance(value, list)
        case inspect.StructType() if isinstance(value, dict):
            return kind.tag_field is None or value.get(kind.tag_field) == kind.tag
        case _:
            return False


Moment: TypeAlias = tuple[int, int, int]
"""A place in a table's log: how often the table was thrown back, the deal, the row."""


class Gap(Exception):
    """An event does not follow the one before: a fresh view is needed."""


class Model:
    """What is shown of a table, as plain data in the names of the protocol."""

    def __init__(self) -> None:
        self.seq: int | None = None
        """The last row that was taken in; None before the first view."""
        self.head: str | None = None
        self.table: Json = {}
        self.deal: Json | None = None
        self.you: Json | None = None
        self.here: list[bool] = []
        self.coming: int | None = None
        self.era = 0
        """Another number as soon as what was shown does not lead on from what came before."""
        self.changed = 0
        """The row that last changed the deal."""
        self._at_ms = 0
        self._heard_at = 0.0

    def take(self, heard: ReadMessage) -> bool:
        """Apply a message, and return whether it changed anything; Gap for one out of order.

        An event that was taken in already is passed over.
        """
        message, data = heard
        match message:
            case ViewMessage():
                if self.seq is not None and (
                    message.seq < self.seq or self._promised_anew(data["table"])
                ):
                    self.era += 1
                self.table, self.deal, self.you = data["table"], data["deal"], data["you"]
                self.here, self.coming = list(message.here), None
                self.changed = message.seq
                self._at(message)
            case Event():
                if self.seq is None or message.seq > self.seq + 1:
                    raise Gap
                if message.seq <= self.seq:
                    return False
                self._event(data)
                self._at(message)
            case Resumed():
                if self.seq is None or message.seq > self.seq:
                    raise Gap
                self.you, self.here, self.coming = data["you"], list(message.here), None
                self._at(message)
            case Coming():
                self.coming = message.seat
            case Presence():
                if message.seat < len(self.here):
                    self.here[message.seat] = message.here
            case _:
                return False
        return True

    def _promised_anew(self, table: Json) -> bool:
        """Whether the running deal was thrown away meanwhile: it has another promise now."""
        was, now = self.table.get("commitment"), table.get("commitment")
        if self.stage != "playing" or not was or not now or was["value"] == now["value"]:
            return False
        return (was["match"], was["deal"]) == (now["match"], now["deal"])

    def _at(self, message: ViewMessage | Event | Resumed) -> None:
        self.seq = message.seq
        self._at_ms, self._heard_at = message.at, monotonic()
        head = message.head
        if head is not msgspec.UNSET:
            self.head = head

    def _event(self, data: Json) -> None:
        self.table = self.table | data.get("table", {})
        what, patch = data["what"], data.get("deal")
        if what["kind"] == "abandon":
            self.era += 1
        if patch is not None:
            self.changed = data["seq"]
            if not patch or "indicator" in patch:
                self.deal = patch or None
            elif self.deal is None:
                raise Gap
            else:
                done = [f"{what['seat']}: {action}" for action in what.get("actions", ())]
                self.deal = self.deal | patch | {"actions": [*self.deal["actions"], *done]}
            if self.you is not None:  # they were for the moment before
                self.you = {name: part for name, part in self.you.items() if name != "options"}
        if "you" in data:
            self.you = data["you"]

    # What it says -----------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        """``waiting``, ``dealing``, ``playing``, ``over`` or ``closed``; empty before a view."""
        return str(self.table.get("stage", ""))

    @property
    def seat(self) -> int | None:
        """One's own seat."""
        return None if self.you is None else int(self.you["seat"])

    @property
    def moment(self) -> Moment:
        """Where the deal stands: what is chosen for one moment is worth nothing in another."""
        return self.era, -1 if self.deal is None else int(self.deal["number"]), self.changed

    @property
    def to_act(self) -> bool:
        """Whether it is one's own turn in a running deal."""
        deal, you = self.deal, self.you
        if deal is None or you is None or self.stage != "playing" or "hand" not in you:
            return False
        return bool(deal["turn"] == you["seat"] and deal["result"] is None)

    @property
    def holds_s(self) -> float:
        """For how many seconds more the dealing is shown, before play begins; 0 for no longer."""
        if self.stage != "playing" or self.deal is None or self.deal["actions"]:
            return 0.0
        told = (int(self.table["turn_since"]) - self._at_ms) / 1000
        return max(0.0, told - (monotonic() - self._heard_at))

    @property
    def view(self) -> View | None:
        """The deal as the library has it; None where there is none.

        RecordError where the server shows something that this version does not know.
        """
        if self.deal is None:
            return None
        return View.from_dict(self.deal | (self.you or {}), rules_of_table(self.table))


def rules_of_table(table: Json) -> RuleSet:
    """The rules that a table as it is shown is played by."""
    return _rules(tuple(table["options"]["rules"].items()))


@lru_cache(8)
def _rules(fields: tuple[tuple[str, object], ...]) -> RuleSet:
    return RuleSet.from_dict(dict(fields))
