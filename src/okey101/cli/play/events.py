"""What has happened in a deal, told in short lines: a line for every turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from okey101.game.actions import Action, Back, Discard, Draw, Lay, Meld, Swap
from okey101.game.deal import Deal, Public
from okey101.melds import Form
from okey101.render.text import Ink

__all__ = ["Entry", "History"]


@dataclass(slots=True)
class Entry:
    """What one seat did in one turn."""

    seat: int
    turns: int
    done: list[str] = field(default_factory=list)


class History:
    """The deal's log; what the player hasn't heard yet is told once."""

    def __init__(self, me: int, names: Sequence[str], ink: Ink) -> None:
        self.me = me
        self.names = names
        self.ink = ink
        self._entries: list[Entry] = []
        self._told = (0, 0)

    def note(self, before: Deal, after: Deal) -> None:
        """Take down the last action of ``after``."""
        texts = self.ink.texts
        seat, action = after.public.actions[-1]
        turns = before.public.turns
        drawn = after.drawn if seat == self.me else None
        self._add(seat, turns, self._phrase(seat, action, before.public, after.public, drawn))
        for fine in after.public.fines[len(before.public.fines) :]:
            key = f"play-{self._who(fine.seat)}-fined"
            reason = texts(f"fine-{fine.rule}")
            text = texts(key, points=fine.points, rule=fine.rule, reason=reason)
            self._add(fine.seat, turns, text)
        result = after.public.result
        if result is not None and result.winner == seat:
            self._add(seat, turns, texts(f"play-{self._who(seat)}-finish"))

    def _who(self, seat: int) -> str:
        return "you" if seat == self.me else "did"

    def _add(self, seat: int, turns: int, text: str) -> None:
        last = self._entries[-1] if self._entries else None
        if last is None or last.seat != seat or last.turns != turns:
            last = Entry(seat, turns)
            self._entries.append(last)
        last.done.append(text)

    def _phrase(
        self, seat: int, action: Action, before: Public, after: Public, drawn: int | None
    ) -> str:
        texts, ink = self.ink.texts, self.ink
        key = f"play-{self._who(seat)}-"
        match action:
            case Draw() if drawn is not None:
                return texts(f"{key}draw", tile=ink.tile(drawn))
            case Meld():
                return self._melded(key, action, before, after)
            case Lay():
                group = ink.row(after.table[action.group - 1].pieces)
                return texts(
                    f"{key}lay", piece=ink.piece(action.piece), group=action.group, tiles=group
                )
            case Back():
                return texts(f"{key}back", count=action.count)
            case Discard():
                return texts(f"{key}discard", tile=ink.tile(action.tile))
            case Swap():
                return texts(f"{key}swap", tile=ink.tile(action.tile), group=action.group)
            case _:
                name = str(action)
                tile = after.taken if name == "take" else before.taken
                value = "" if tile is None else ink.tile(tile)
                return texts(f"{key}{name}", tile=value)

    def _melded(self, key: str, action: Meld, before: Public, after: Public) -> str:
        texts = self.ink.texts
        groups = self.ink.groups(action.groups)
        seat = before.turn
        if before.opened[seat] is not None:
            return texts(f"{key}meld", groups=groups)
        if after.opened[seat] is None:
            return texts(f"{key}short", groups=groups)
        laid = after.table[len(before.table) :]
        if laid[0].form is Form.PAIR:
            return texts(f"{key}open-pairs", count=len(laid), groups=groups)
        points = sum(group.points for group in laid)
        return texts(f"{key}open-melds", points=points, groups=groups)

    def news(self) -> list[str]:
        """Lines about what has happened since the last call."""
        index, done = self._told
        lines = []
        for at in range(index, len(self._entries)):
            entry = self._entries[at]
            fresh = entry.done[done if at == index else 0 :]
            if fresh:
                lines.append(self._line(entry.seat, fresh))
        if self._entries:
            self._told = len(self._entries) - 1, len(self._entries[-1].done)
        return lines

    def all_lines(self) -> list[str]:
        """The whole deal so far."""
        return [self._line(entry.seat, entry.done) for entry in self._entries]

    def _line(self, seat: int, done: Sequence[str]) -> str:
        name = self.ink.texts("play-you") if seat == self.me else self.names[seat]
        return f"{name} {'; '.join(done)}."
