"""The judge of one person at one table: it sees what the client sees, and all that it sends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from time import monotonic
from typing import Final, NamedTuple

import msgspec

from okey101.client.model import Gap, Json, Model, Moment, read_known
from okey101.server.protocol.server_messages import Ack, Answer, Error, Event

# What a client can do wrong, and what it was put through.

FAULTS: Final = (
    "ack-not-awaited", "back-after-replaced", "bad-message", "hello-missing", "move-sent-twice",
    "no-back-off", "not-back", "not-resent", "rate-limited", "refused-action", "rid-reused",
    "seq-invented", "seq-not-resumed", "stale-options", "token-in-address", "turn-lost",
    "turn-not-played", "unknown-not-ignored",
)  # fmt: skip
"""What is wrong, by code; docs/en/client.md says what to do."""
ADVICE: Final = ("act-without-turn", "head-not-returned", "line-dropped")
"""What could be better."""
TRIALS: Final = (
    "action-lost", "ack-lost", "ack-late", "event-late", "event-again", "message-halved",
    "unknown-message", "unknown-name", "fresh-view", "handshakes-refused", "replaced",
)  # fmt: skip
"""What a client is put through; ``replaced`` comes last, as it ends the line."""


class CheckFinding(NamedTuple):
    """What was found: how often, and the first time; ``advice`` where it is no fault."""

    code: str
    times: int
    first: str
    advice: bool


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
            "found": [found._asdict() for found in self.found],
        }


_EXPECTED: Final = frozenset({"turn-over", "bot-plays", "store-failed", "draining"})
"""Refusals that are no fault of a client whose line was tampered with."""
_UNKNOWN: Final = ("unknown-message", "unknown-name")
_WRONG: Final = {
    "bad-message": "bad-message", "binary": "bad-message", "hello-first": "hello-missing",
    "rate-limited": "rate-limited", "rid-used": "rid-reused",
}  # fmt: skip
"""Of what a refusal convicts a client."""


@dataclass(frozen=True, slots=True)
class Patience:
    """For how many seconds a client may be silent before that is a fault; and how long trials take.

    ``hold`` is how long an acknowledgement or an event is held back, ``replaced`` how long nobody
    may come back after the last trial.
    """

    back: float = 20.0
    resent: float = 10.0
    turn: float = 20.0
    hold: float = 0.4
    replaced: float = 3.0


@dataclass(slots=True)
class Sent:
    """A command that the client has sent, and what it knows of it."""

    rid: str
    body: Json
    moment: Moment
    turn: object
    """The deal and the turn that were shown when it was sent."""
    cut: bool = False
    """Whether the line was cut before its answer."""
    seen: bool = False
    """Whether the client was shown what came of it."""
    told: bool = False

    @property
    def is_act(self) -> bool:
        """Whether it is an action of the game."""
        return bool(self.body.get("type") == "act")

    def __str__(self) -> str:
        return f"{self.body.get('type')} {self.body.get('action', '')} ({self.rid})"


class Watch:
    """What one client does at one table, from one line to the next."""

    def __init__(self, report: CheckReport, patience: Patience) -> None:
        self.model = Model()
        self.report = report
        self.acts = 0
        self.last_trial = ""
        """The last thing it was put through, and what it may have stopped at."""
        self._patience = patience
        self._rids: dict[str, bytes] = {}
        self._open: dict[str, Sent] = {}
        self._awaited: tuple[int, Sent] | None = None
        """An acknowledged action whose event was not passed on yet, and its row."""
        self._silent_since = self._back_since = monotonic()
        self._gone_since: float | None = None
        self._said_hello = False
        self._on_turn = False
        self._fell: set[str] = set()

    # Lines ------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the match is over, as far as the client was told."""
        return self.model.stage in ("over", "closed")

    @property
    def waiting(self) -> list[Sent]:
        """The actions without an answer."""
        return [sent for sent in self._open.values() if sent.is_act]

    def opened(self) -> None:
        """The client has come, or come back."""
        self.report.lines += 1
        self._gone_since = None
        self._back_since = self._silent_since = monotonic()
        self._said_hello = False

    def knocked(self) -> None:
        """The client has tried to come back, and was not let in."""
        if self._gone_since is not None:
            self._gone_since = monotonic()

    def cut(self) -> None:
        """The line was cut, and not by the client."""
        self._gone_since = monotonic()
        self._awaited = None
        for sent in self._open.values():
            sent.cut = True

    def dropped(self) -> None:
        """The client itself has closed the line."""
        self.cut()
        self._gone_since = None
        if self.last_trial in _UNKNOWN:
            self.report.add("unknown-not-ignored", self.last_trial)
        elif not self.over and self.model.seat is not None and self.last_trial != "event-again":
            self.report.add("line-dropped", self.last_trial)
        self.last_trial = ""

    # What the client says ---------------------------------------------------------------------

    def said(self, text: str | bytes) -> Sent | None:
        """The client sends a message; returns a command that it sends for the first time."""
        try:
            body = msgspec.json.decode(text, type=Json)
        except ValueError:
            return None  # the server says what is wrong
        if not self._said_hello:
            self._said_hello = True
            self._hello(body)
            return None
        self._silent_since = monotonic()
        rid = body.get("rid")
        if not isinstance(rid, str):
            return None
        normal = msgspec.json.encode(body, order="deterministic")
        known = self._rids.get(rid)
        if known is not None:
            if known != normal:
                self.report.add("rid-reused", f"{rid}: {known.decode()} / {normal.decode()}")
            if (sent := self._open.get(rid)) is not None:
                sent.cut = False
            return None
        self._rids[rid] = normal
        deal = self.model.deal or {}
        sent = Sent(rid, body, self.model.moment, (deal.get("number"), deal.get("turns")))
        if sent.is_act:
            self._acts(sent)
        self._open[rid] = sent
        return sent

    def _hello(self, body: Json) -> None:
        if body.get("type") != "hello":
            self.report.add("hello-missing", str(body.get("type")))
            return
        known, seq = self.model.seq, body.get("seq")
        if known is None:
            return
        if seq is None:
            self.report.add("seq-not-resumed", f"row {known} was shown")
        elif isinstance(seq, int) and seq > known:
            self.report.add("seq-invented", f"{seq}, where {known} was the last")
        elif self.model.head is not None and "head" not in body:
            self.report.add("head-not-returned", f"row {seq}")

    def _acts(self, sent: Sent) -> None:
        self.acts += 1
        self.report.actions += 1
        if "deal" not in sent.body or "turn" not in sent.body:
            self.report.add("act-without-turn", str(sent))
        for other in list(self._open.values()):
            if not other.is_act or other.told:
                continue
            same = other.body.get("action") == sent.body.get("action")
            if other.cut and (same or not other.seen) and other.turn == sent.turn:
                self.report.add("move-sent-twice", f"{other}, then {sent}")
                other.told = True
                return
            if not other.cut and not other.seen:
                self.report.add("ack-not-awaited", f"{sent} after {other}")
                return
        if self._awaited is not None:
            seq, other = self._awaited
            self.report.add("stale-options", f"{sent} before row {seq} of {other} was shown")
        elif not self.model.to_act and self.model.seq is not None:
            self.report.add("stale-options", f"{sent} when it is not its turn")

    # What the client is told ------------------------------------------------------------------

    def told(self, text: str | bytes) -> None:
        """A message is passed on to the client."""
        try:
            heard = read_known(text)
            new = heard is not None and self.model.take(heard)
        except (msgspec.MsgspecError, Gap):
            return
        if heard is None:
            return
        message = heard.message
        match message:
            case Ack() | Answer():
                self._answered(message)
            case Error():
                self._refused(message)
            case Event() if new:
                self._happened(heard.data)
            case _:
                pass
        if self._awaited is not None and self.model.seq is not None:
            if self.model.seq >= self._awaited[0]:
                self._awaited = None
        if self.model.to_act != self._on_turn:
            self._on_turn = self.model.to_act
            self._silent_since = monotonic()

    def _answered(self, message: Ack | Answer) -> None:
        sent = self._open.pop(message.rid, None)
        if sent is None or not isinstance(message, Ack) or message.seq is None:
            return
        if sent.is_act and (self.model.seq is None or message.seq > self.model.seq):
            self._awaited = message.seq, sent

    def _refused(self, message: Error) -> None:
        sent = None if message.rid is None else self._open.pop(message.rid, None)
        self._silent_since = monotonic()
        code = message.code
        if code in _WRONG:
            self.report.add(_WRONG[code], message.message)
        elif sent is not None and sent.is_act and code not in _EXPECTED:
            if sent.moment == self.model.moment and self.model.to_act:
                self.report.add("refused-action", f"{sent}: {code}, {message.message}")

    def _happened(self, data: Json) -> None:
        what, seat = data["what"], self.model.seat
        if what.get("seat") != seat or seat is None:
            return
        if what["kind"] == "act":
            if what["by"] == "user":
                if unseen := [sent for sent in self.waiting if not sent.seen]:
                    unseen[0].seen = True
            elif what["by"] == "clock":
                self.report.add("turn-lost", f"row {data['seq']}: {', '.join(what['actions'])}")
        elif what["kind"] == "away" and what.get("on"):
            self.report.add("turn-lost", f"row {data['seq']}: a bot plays on")

    # Time -------------------------------------------------------------------------------------

    def look(self) -> None:
        """See whether something did not come in time."""
        now, patience = monotonic(), self._patience
        if self.over:
            return
        if self._gone_since is not None:
            if now - self._gone_since > patience.back:
                self._once("not-back", self.last_trial)
            return
        if now - self._back_since > patience.resent:
            for sent in self.waiting:
                new = sent.cut and not sent.seen and not sent.told
                if new and sent.moment == self.model.moment:
                    sent.told = True
                    self.report.add("not-resent", str(sent))
        if self._on_turn and not self.model.holds_s and now - self._silent_since > patience.turn:
            code = "unknown-not-ignored" if self.last_trial in _UNKNOWN else "turn-not-played"
            self._once(code, f"after {self.last_trial or 'nothing'}, row {self.model.seq}")

    def _once(self, code: str, example: str) -> None:
        key = f"{code} {self.model.seq}"
        if key not in self._fell:
            self._fell.add(key)
            self.report.add(code, example)
