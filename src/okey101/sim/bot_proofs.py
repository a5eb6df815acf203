"""Whether the bots of a record played what they had to: every choice made again from its view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise, starmap

from okey101.bots import BOTS, SEARCHERS, bot_of_mark
from okey101.bots.fallback import FALLBACK_VERSION, fallback_action
from okey101.bots.playing import TURN_LIMIT
from okey101.errors import OkeyError, RecordError
from okey101.game.actions import Action, Discard, Pass
from okey101.game.deal import Deal
from okey101.game.fair.rounds import bot_seed
from okey101.game.fair.transcript import BOT_PREFIX, Fair
from okey101.game.options import Options
from okey101.game.record.form import BOT, EXTERNAL, FALLBACK, PERSON, Actor, Record
from okey101.game.record.replay import replay
from okey101.game.record.verification import State
from okey101.game.view import view_of

Progress = Callable[[int, int], object]
"""Called with the number of actions looked at, and of all."""


class Why(StrEnum):
    """Why something can't be told of the bots of a deal."""

    ACTORS = "actors"
    """The record does not say who played."""
    SECRET = "secret"
    """The secret that the bots' seeds follow from is not revealed."""
    EXTERNAL = "external"
    """A program or code of others played, which is not checked."""
    BOT = "bot"
    """A bot played that this program does not have, or has in another version."""
    VERSION = "version"
    """A bot played in another version than sat there: the server was upgraded, or says so."""
    FALLBACK = "fallback"
    """Another version of what clock and fallback play."""
    NEEDLESS = "needless"
    """The fallback was played where the bot has a choice: whoever let it play could pick."""


@dataclass(frozen=True, slots=True)
class BotsChecked:
    """What came of one deal's actions that no person chose.

    ``errors`` has a RecordError ``fair-bot-choice`` for each action that differs from what follows
    from the seat's view, and ``fair-actor`` for each that somebody else than the seat's bot is said
    to have played. ``actors`` counts for each seat the actions by the texts of the record.
    """

    deal: int
    state: State
    errors: tuple[RecordError, ...] = ()
    why: tuple[Why, ...] = ()
    unknown: tuple[str, ...] = ()
    """The actors that can't be told of."""
    actors: tuple[Mapping[str, int], ...] = ()
    seats: tuple[str | None, ...] = ()
    """For each seat ``replayable`` or ``external`` where a bot played, ``person``, or None."""
    proved: int = 0
    """Actions that are as they have to be."""
    fallbacks: int = 0
    needless: int = 0
    """Fallbacks where the bot of the seat, asked again, has a choice."""

    def to_dict(self) -> dict[str, object]:
        """What ``okey101 verify --bots --json`` adds to a deal."""
        return {
            "bots": self.state.value, "bots_why": [why.value for why in self.why],
            "bots_unknown": list(self.unknown), "bots_proved": self.proved,
            "bots_differ": len(self.errors), "fallbacks": self.fallbacks,
            "fallbacks_needless": self.needless, "actors": [dict(seat) for seat in self.actors],
            "seats": list(self.seats),
        }  # fmt: skip


def verify_bots(record: Record, progress: Progress | None = None) -> tuple[BotsChecked, ...]:
    """Play every action again that no person chose, from what its seat saw then.

    For a record that replays. Nothing but the view decides: whoever fed a bot hidden tiles is told,
    unless the bot would have played the same without them. Raises RecordError as a replay does.

    >>> from okey101.game import record_of
    >>> from okey101.bots.playing import play_deal
    >>> deal = play_deal("pagat", ["greedy"] * 4, seed=7)
    >>> verify_bots(record_of(deal.rules, [deal]))[0].why
    (<Why.ACTORS: 'actors'>,)
    """
    total = sum(len(deal.actions) for deal in record.deals)
    done = 0
    found: list[BotsChecked] = []

    def look(states: list[Deal]) -> None:
        nonlocal done
        checking = _DealOfBots(record, len(found))
        for at, (before, after) in enumerate(pairwise(states)):
            checking.look(before, at, after)
            done += 1
            if progress is not None:
                progress(done, total)
        found.append(checking.outcome())

    replay(record, on_deal=look)
    return tuple(found)


class _DealOfBots:
    """The actions of one deal, one after the other."""

    def __init__(self, record: Record, number: int) -> None:
        written = record.deals[number]
        self.number = number
        self.path = f"deals[{number}]"
        self.texts = written.actors
        self.actions = written.actions
        self.fair: Fair | None = None
        if written.fair is not None:
            self.fair = Fair.from_dict(written.fair, f"{self.path}.fair", record.rules.players)
        self.errors: list[RecordError] = []
        self.why: dict[Why, None] = {} if self.texts is not None else {Why.ACTORS: None}
        self.unknown: dict[str, None] = {}
        sat = [""] * record.rules.players if self.fair is None else self.fair.seats
        self.bots = [w.removeprefix(BOT_PREFIX) if w.startswith(BOT_PREFIX) else None for w in sat]
        """The bots that sat in the seats, where the record says so."""
        for name in self.bots:
            if name is not None and "/" not in name:  # nobody knows which one it is
                self.why[Why.EXTERNAL] = None
                self.unknown[f"{BOT_PREFIX}{name}"] = None
        self.counts: list[Counter[str]] = [Counter() for _ in range(record.rules.players)]
        self.proved = 0
        self.fallbacks: list[tuple[Deal, int, str | None]] = []
        """Where a fallback was played, and the bot that had played before it in its seat."""
        self.marks: dict[int, str] = {}
        """The bot that played last in each seat."""
        self.first: dict[int, str] = {}
        self.streak = 0
        """Actions of the running turn."""

    def look(self, before: Deal, at: int, after: Deal) -> None:
        """Judge one action; ``at`` is its number in the deal."""
        seat, played = after.public.actions[-1]
        if self.texts is not None:
            text = self.texts[at]
            actor = Actor.parse(text)
            self.counts[seat][text] += 1
            self._sits(actor, at, seat, text)
            if actor.kind != PERSON:
                self._replayed(before, actor, at, seat, played)
        same = after.public.turn == before.public.turn
        self.streak = self.streak + 1 if same and not isinstance(played, Discard | Pass) else 0

    def _sits(self, actor: Actor, at: int, seat: int, text: str) -> None:
        """Where it is known that a bot sat in a seat, nobody else plays there."""
        name = self.bots[seat]
        if name is None or actor.kind == FALLBACK:
            return
        if actor.mark is not None and actor.mark.partition("/")[0] == name.partition("/")[0]:
            if actor.mark != name and actor.kind != EXTERNAL:
                self.why[Why.VERSION] = None
                self.unknown[text] = None
            return
        who = f"{BOT_PREFIX}{name}"
        message = f"{who} sat in seat {seat}, and the action is said to be of: {text}"
        self._differs("fair-actor", message, "actors", at, seat, claimed=text, actual=who)

    def _differs(
        self, code: str, message: str, part: str, at: int, seat: int, **details: object
    ) -> None:
        path = f"{self.path}.{part}[{at}]"
        details |= {"deal": self.number, "action": at, "number": at + 1, "seat": seat}
        details["text"] = self.actions[at]
        self.errors.append(RecordError(code, f"{path}: {message}", path, **details))

    def _replayed(self, before: Deal, actor: Actor, at: int, seat: int, played: Action) -> None:
        why = self._hidden(actor)
        if why is not None:
            self.why[why] = None
            self.unknown[self.texts[at] if self.texts else ""] = None
            return
        chosen = self._chosen(before, seat, actor.mark)
        if actor.kind == BOT and actor.mark is not None:
            self.marks[seat] = actor.mark
            self.first.setdefault(seat, actor.mark)
        elif actor.kind == FALLBACK and self.streak < TURN_LIMIT:
            self.fallbacks.append((before, seat, self.marks.get(seat)))
        actual = _normal(before, chosen)
        if actual == played:
            self.proved += 1
            return
        name = actor.mark or actor.kind
        told = "none" if actual is None else str(actual)
        message = f"{played} was played; from what the seat saw, {name} plays {told}"
        self._differs(
            "fair-bot-choice", message, "actions", at, seat,
            actor=name, claimed=str(played), actual=told,
        )  # fmt: skip

    def _hidden(self, actor: Actor) -> Why | None:
        """Why an actor can't be played again here."""
        if actor.kind == EXTERNAL:
            return Why.EXTERNAL
        if actor.mark is None:
            return None if actor.version == FALLBACK_VERSION else Why.FALLBACK
        if bot_of_mark(actor.mark) is None:
            return Why.BOT
        return Why.SECRET if self.fair is None or self.fair.secret is None else None

    def _chosen(self, deal: Deal, seat: int, mark: str | None) -> Action | None:
        """What a bot that is known plays, without a mark the fallback; None where it fails."""
        view = view_of(deal, seat)
        if mark is None:
            return fallback_action(view)
        info, fair = bot_of_mark(mark), self.fair
        assert info is not None and fair is not None and fair.secret is not None
        secret = bytes.fromhex(fair.secret)
        seed = bot_seed(secret, fair.table, fair.match, fair.deal, fair.round, seat)
        try:
            return info.factory(seed).choose(view, Options(view))
        except Exception:  # noqa: BLE001  # the record may be anything, and so may the view
            return None

    def _needless(self, deal: Deal, seat: int, mark: str | None) -> bool:
        """Whether the bot of its seat had a legal choice after all, where a fallback was played."""
        name = self.bots[seat] or ""
        info = BOTS.get(name) or SEARCHERS.get(name)  # if it never played itself: as known here
        mark = mark or self.first.get(seat) or (info.mark if info is not None else None)
        if mark is None or self._hidden(Actor(BOT, mark)) is not None:
            return False
        return _normal(deal, self._chosen(deal, seat, mark)) is not None

    def outcome(self) -> BotsChecked:
        """What came of the deal, once all its actions were looked at."""
        needless = sum(starmap(self._needless, self.fallbacks))
        if needless:
            self.why[Why.NEEDLESS] = None
        state = State.UNKNOWN if self.why else State.PROVED
        told = [one for count in self.counts for one in count.items()]
        fallbacks = sum(count for text, count in told if Actor.parse(text).kind == FALLBACK)
        return BotsChecked(
            deal=self.number, state=State.DIFFERS if self.errors else state,
            errors=tuple(self.errors), why=tuple(self.why), unknown=tuple(self.unknown),
            actors=tuple(map(dict, self.counts)), seats=tuple(map(_sort, self.counts)),
            proved=self.proved, fallbacks=fallbacks, needless=needless,
        )  # fmt: skip


def _sort(counts: Mapping[str, int]) -> str | None:
    """What sat in a seat, by the actors of its actions: one external choice makes it external."""
    kinds = {Actor.parse(text).kind for text in counts}
    if EXTERNAL in kinds:
        return "external"
    return "replayable" if BOT in kinds else PERSON if PERSON in kinds else None


def _normal(deal: Deal, action: Action | None) -> Action | None:
    """An action as the deal keeps it; None for one that is illegal, or none."""
    try:
        return None if action is None else deal.judge(action).action
    except OkeyError:
        return None
