"""A table as a client knows it, by what the server sends alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]


@dataclass
class Model:
    seq: int = -1
    at: int = 0
    head: str | None = None
    table: Json = field(default_factory=dict)
    deal: Json | None = None
    you: Json | None = None
    here: list[bool] = field(default_factory=list)
    coming: int | None = None
    """The seat from the next deal on."""

    def take(self, message: Json) -> None:
        """Apply a message of the server; AssertionError for an event that does not follow."""
        if message["type"] in ("view", "event", "resumed"):
            self.head = message.get("head")
        match message["type"]:
            case "view":
                self.seq, self.at = message["seq"], message["at"]
                self.table, self.deal = message["table"], message["deal"]
                self.you, self.here = message["you"], message["here"]
                self.coming = None
            case "event":
                assert message["seq"] == self.seq + 1, f"event {message['seq']} after {self.seq}"
                self.seq, self.at = message["seq"], message["at"]
                self.table = self.table | message.get("table", {})
                self._deal(message)
            case "resumed":
                assert message["seq"] == self.seq, f"resumed {message['seq']} at {self.seq}"
                self.at = message["at"]
                self.you, self.here = message["you"], message["here"]
            case "coming":
                self.coming = message["seat"]
            case "presence":
                self.here[message["seat"]] = message["here"]
            case _:
                pass

    def _deal(self, message: Json) -> None:
        patch = message.get("deal")
        if patch is not None:
            if not patch or "indicator" in patch:
                self.deal = patch or None
            else:
                assert self.deal is not None
                what = message["what"]
                done = [f"{what['seat']}: {action}" for action in what["actions"]]
                self.deal = self.deal | patch | {"actions": self.deal["actions"] + done}
            if self.you is not None:  # they were for the moment before
                self.you = {name: part for name, part in self.you.items() if name != "options"}
        if "you" in message:
            self.you = message["you"]

    @property
    def stage(self) -> str:
        """The stage of the table, empty before the first view."""
        return str(self.table.get("stage", ""))

    @property
    def seat(self) -> int | None:
        return None if self.you is None else int(self.you["seat"])

    @property
    def options(self) -> Json | None:
        found: Json | None = None if self.you is None else self.you.get("options")
        return found

    @property
    def deal_actions(self) -> list[str]:
        """The actions of the deal on the table, as in a record."""
        return [] if self.deal is None else list(self.deal["actions"])

    @property
    def deal_turn(self) -> int | None:
        return None if self.deal is None else self.deal["turn"]

    @property
    def totals(self) -> list[int]:
        return list(self.table["scores"]["totals"])

    def same(self, other: Model) -> bool:
        """Whether both show the same, but for presence and the options of a moment."""
        mine, others = ((self.you or {}) | {"options": None}, (other.you or {}) | {"options": None})
        known = (self.seq, self.table, self.deal, mine)
        return known == (other.seq, other.table, other.deal, others)
