"""What a client can do wrong, and what it was put through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

__all__ = ["ADVICE", "FAULTS", "TRIALS", "CheckFinding", "CheckReport"]

FAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ack-not-awaited": "an action was sent while the one before had no answer yet",
        "back-after-replaced": "it came back after 4001: two lines of a person shut each other out",
        "bad-message": "the server could not read a message",
        "hello-missing": "the first message was not hello",
        "move-sent-twice": "a move without an answer was made again under another rid",
        "no-back-off": "it came back again and again without a pause",
        "not-back": "it did not come back after the line was cut",
        "not-resent": "a command that got no answer was not sent again under its rid",
        "rate-limited": "it sent more than a person may",
        "refused-action": "the rules refused an action",
        "rid-reused": "one rid was used for two commands",
        "seq-invented": "hello named a row that it was never shown",
        "seq-not-resumed": "it came back without the seq that it had seen",
        "stale-options": "an action was chosen from options that no longer held",
        "token-in-address": "the token was part of an address, which logs keep",
        "turn-lost": "its turn was ended by the clock, or a bot had to play it",
        "turn-not-played": "it was its turn, and it sent nothing",
        "unknown-not-ignored": "it stopped at a message or a name that it does not know",
    }
)
"""What is wrong, by code; docs/en/client.md says what to do."""
ADVICE: Final[Mapping[str, str]] = MappingProxyType(
    {
        "act-without-turn": "an act without deal and turn: it could be done in a later turn",
        "head-not-returned": "hello had a seq without the head of that row",
        "line-dropped": "it closed the line in the middle of a match",
    }
)
"""What could be better."""
TRIALS: Final = (
    "action-lost",
    "ack-lost",
    "ack-late",
    "event-late",
    "event-again",
    "message-halved",
    "unknown-message",
    "unknown-name",
    "fresh-view",
    "handshakes-refused",
    "replaced",
)
"""What a client is put through; ``replaced`` comes last, as it ends the line."""


class CheckFinding(NamedTuple):
    """What was found: how often, and the first time; ``advice`` where it is no fault."""

    code: str
    times: int
    first: str
    advice: bool

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return dict(self._asdict())


class CheckReport:
    """All that was found so far, of all clients that came through."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        """How often each of :data:`TRIALS` was made."""
        self.actions = 0
        self.lines = 0
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, code: str, example: str = "") -> None:
        """Note a fault or an advice."""
        assert code in FAULTS or code in ADVICE
        self._counts[code] += 1
        self._first.setdefault(code, example[:200])

    @property
    def found(self) -> list[CheckFinding]:
        """What was found, faults first."""
        return [
            CheckFinding(code, self._counts[code], self._first[code], code in ADVICE)
            for code in (*FAULTS, *ADVICE)
            if self._counts[code]
        ]

    @property
    def faults(self) -> list[CheckFinding]:
        """The faults alone."""
        return [found for found in self.found if not found.advice]

    @property
    def untried(self) -> list[str]:
        """What there was no occasion for."""
        return [trial for trial in TRIALS if not self.tried[trial]]

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "actions": self.actions,
            "lines": self.lines,
            "tried": {trial: self.tried[trial] for trial in TRIALS},
            "untried": self.untried,
            "found": [found.to_dict() for found in self.found],
        }
