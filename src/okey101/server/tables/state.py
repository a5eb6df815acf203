"""The state of a table, as a value: its seats, its match, and the running deal.

Only :func:`okey101.server.tables.reduce.reduce` makes the next one.
"""

from __future__ import annotations

import hmac
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

import msgspec

from okey101.game import Deal, RuleSet
from okey101.game.fair import rounds as fair
from okey101.game.fair.transcript import BOT_PREFIX
from okey101.game.match import totals_of
from okey101.game.record.form import BOT, CLOCK, EXTERNAL, FALLBACK, PERSON
from okey101.server.errors import refuse
from okey101.server.protocol.bot_labels import is_bot_account
from okey101.server.protocol.options import TableOptions
from okey101.server.tables import log_entries as log
from okey101.server.tables.finished_deals import FinishedDeal


class Stage(StrEnum):
    """Where a table is in its life."""

    WAITING = "waiting"
    """People come and go."""
    DEALING = "dealing"
    """The secret of the next deal is fixed; the seats commit themselves, then they reveal."""
    PLAYING = "playing"
    OVER = "over"
    """The match is finished."""
    CLOSED = "closed"


class Seat(NamedTuple):
    """Who sits in a seat: a person, a bot, or nobody."""

    user: str | None = None
    bot: str | None = None
    ready: bool = False
    rematch: bool = False
    away: bool = False
    """Whether a bot plays for the person."""
    missed: int = 0
    """Turns in a row that the clock ended."""

    @property
    def free(self) -> bool:
        """Whether nobody sits here."""
        return self.user is None and self.bot is None

    @property
    def human(self) -> bool:
        """Whether a person plays this seat now."""
        return self.user is not None and not self.away


class Round(NamedTuple):
    """A round that was abandoned: nothing was dealt from it, or the deal was thrown away."""

    secret: bytes
    sat: tuple[str, ...]
    promises: tuple[str | None, ...]
    cuts: tuple[bytes | None, ...]
    why: str

    def __repr__(self) -> str:
        return f"<Round {self.why}>"


class Played(NamedTuple):
    """A finished deal with what makes it verifiable."""

    deal: FinishedDeal
    secret: bytes
    cuts: tuple[bytes | None, ...]
    sat: tuple[str, ...]
    promises: tuple[str | None, ...]
    abandoned: tuple[Round, ...]
    actors: tuple[str, ...]
    """Who played each action, as records tell it."""

    def packed(self) -> Played:
        """The same in little memory, for when another deal has ended."""
        return self._replace(deal=self.deal.packed())

    def __repr__(self) -> str:
        return f"<Played {self.deal!r}>"


class Heard(NamedTuple):
    """The last commands of one person: the mark of each, where it was applied, and a digest of it.

    They stand in one text, a line each, oldest first. As objects of their own they would be most of
    what a table keeps in memory, and every command would touch them all.
    """

    lines: str = "\n"
    kept: int = 0
    rid: str = ""
    """The mark of the last one."""
    seq: int = 0
    """Where that one was applied."""

    def known(self, rid: str) -> tuple[int, int] | None:
        """Where a command was applied, and its digest; None for one that is not known."""
        at = self.lines.find(f"\n{rid} ")
        if at < 0:
            return None
        _, seq, digest, *_ = self.lines[at:].split()
        return int(seq), int(digest)

    def after(self, rid: str, seq: int, digest: int) -> Heard:
        """With one more command, and no more than 32 in all."""
        lines, kept = self.lines, self.kept
        if kept == _REMEMBERED:
            lines = lines[lines.index("\n", 1) :]
            kept -= 1
        return Heard(f"{lines}{rid} {seq} {digest}\n", kept + 1, rid, seq)


_REMEMBERED = 32


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a table is, hidden tiles included; times are UTC milliseconds.

    ``promises`` holds the seats' commitments to their randomness, ``cuts`` the randomness itself.
    Once the commitments are ``shown``, ``sat`` tells who sat there, a bot's name and version after
    ``bot:``, and nobody commits any more. ``abandoned`` are the rounds before for the same deal,
    and ``left_out`` those who broke one. ``deadline`` is when the running turn, or the pause before
    a deal, ends; None for never. ``first_wait_ms`` is how long the first deal of a match waits for
    the commitments of the seats, and every deal for what they reveal; ``pause_ms`` how long every
    other one waits for people who read the score sheet. ``actors`` tells who played each action of
    the deal on the table, ``seen`` who left which seat during the running deal, and ``latecomers``
    who sat down since the match began. ``coming`` are the bots' seats that are promised to people
    from the next deal on, in the order of the promises. ``quits`` tells who left a running match of
    a quick table, and when; a quick table that waits begins at the ``deadline``. ``heard`` keeps
    each person's last commands with their seq. ``salt`` is drawn for each table: by it people are
    told apart in transcripts, and nobody is known again elsewhere. ``day`` is there at a table of
    the day's deals.
    """

    table: str
    options: TableOptions
    rules: RuleSet
    owner: str
    seats: tuple[Seat, ...]
    salt: str
    seq: int = 1
    at_ms: int
    first_wait_ms: int
    pause_ms: int
    stage: Stage = Stage.WAITING
    match: int = 0
    dealer: int | None = None
    played: tuple[Played, ...] = ()
    deal: Deal | None = None
    secret: bytes | None = None
    cuts: tuple[bytes | None, ...] = ()
    promises: tuple[str | None, ...] = ()
    shown: bool = False
    sat: tuple[str, ...] = ()
    abandoned: tuple[Round, ...] = ()
    left_out: frozenset[str] = frozenset()
    deadline: int | None = None
    turn_since: int = 0
    turn_actions: int = 0
    actors: tuple[str, ...] = ()
    seen: tuple[tuple[str, int], ...] = ()
    sent_away: frozenset[str] = frozenset()
    latecomers: frozenset[str] = frozenset()
    coming: tuple[tuple[int, str], ...] = ()
    quits: tuple[tuple[str, int], ...] = ()
    heard: Mapping[str, Heard] = msgspec.field(default_factory=dict[str, Heard])
    day: log.Day | None = None

    def __repr__(self) -> str:
        """Without anything that is hidden."""
        return f"<TableState {self.table} seq={self.seq} stage={self.stage.value}>"

    @property
    def number(self) -> int:
        """The number of the deal that is prepared or runs, from 0 and void ones included."""
        return len(self.played)

    @property
    def running(self) -> bool:
        """Whether a match is being played, between its deals as well."""
        return self.stage in (Stage.DEALING, Stage.PLAYING)

    @property
    def holds(self) -> bool:
        """Whether the tiles are still being dealt on the players' screens: play has not begun."""
        deal = self.deal
        return (
            self.stage is Stage.PLAYING
            and self.turn_since > self.at_ms
            and deal is not None
            and not deal.public.actions
        )

    @property
    def shown_number(self) -> int:
        """The number of the deal on the table, which stays there when it is over."""
        over = self.deal is not None and self.deal.public.result is not None
        return self.number - over

    @property
    def commitment(self) -> str | None:
        """What the table has promised about the deal that is prepared or runs."""
        if self.secret is None:
            return None
        return _commitment(self.secret, *self.context)

    @property
    def thrown(self) -> list[str]:
        """The commitments of the rounds for this deal that were thrown away."""
        where = self.context[:3]
        return [fair.commitment(one.secret, *where, n) for n, one in enumerate(self.abandoned)]

    @property
    def context(self) -> tuple[str, int, int, int]:
        """Table, match, deal and round, of which all promises are."""
        return self.promising, self.match, self.number, len(self.abandoned)

    @property
    def promising(self) -> str:
        """What all promises call the table: those of a day's deals are the same at all of them."""
        return self.table if self.day is None else fair.day_context(self.day.date)

    @property
    def again(self) -> log.Again | None:
        """The deal of a finished match that is played again here, if it is one."""
        return None if self.day is None else self.day.again

    @property
    def sitting(self) -> tuple[str, ...]:
        """Who sits in each seat, a bot's name after ``bot:``."""
        return tuple(seat.user or f"{BOT_PREFIX}{seat.bot}" for seat in self.seats)

    def named(self, sat: tuple[str, ...]) -> tuple[str, ...]:
        """Who sat in each seat, as transcripts tell it: people by what is theirs at this table."""
        return tuple(who if who.startswith(BOT_PREFIX) else self.id_of(who) for who in sat)

    def id_of(self, user: str) -> str:
        """What names a person at this table, and nowhere else: 16 hex digits."""
        if self.day is not None:
            return fair.DAY_PLAYER
        return _id_at(self.salt, user)

    @property
    def terms(self) -> dict[str, object]:
        """The options with the rules, as plain data."""
        return _plain(msgspec.json.encode(self.options))

    @property
    def transcript(self) -> str | None:
        """The digest of all that was shown before anything was revealed; None before."""
        if self.secret is None or not self.shown:
            return None
        promised = _commitment(self.secret, *self.context)
        shown = tuple(promise or "" for promise in self.promises)
        options = msgspec.json.encode(self.options)
        return _transcript(promised, self.context, self.named(self.sat), shown, options)

    @property
    def seed(self) -> bytes:
        """The seed that follows from the secret and the randomness of the seats."""
        assert self.secret is not None
        shown = self.transcript
        assert shown is not None
        return fair.round_seed(self.secret, shown, [cut or b"" for cut in self.cuts])

    @property
    def dealing(self) -> bool:
        """Whether commitments are shown, so that who sits where is fixed until the deal is over."""
        return self.stage is Stage.PLAYING or (self.stage is Stage.DEALING and self.shown)

    @property
    def last_deal(self) -> bool:
        """Whether the match may end with the deal, so that nobody can wait for the next."""
        return self.dealing and self.counted + 1 >= self.options.deals

    def bot_seed(self, seat: int) -> int:
        """What a bot in a seat decides by in the running deal."""
        assert self.secret is not None
        return fair.bot_seed(self.secret, *self.context, seat)

    @property
    def counted(self) -> int:
        """Deals played that count toward the agreed number (O7, E3)."""
        return sum(p.deal.result.counts for p in self.played if p.deal.result is not None)

    @property
    def totals(self) -> tuple[int, ...]:
        """Every seat's points in this match so far."""
        results = tuple(p.deal.result for p in self.played if p.deal.result is not None)
        return totals_of(self.rules, results)

    @property
    def people(self) -> tuple[str, ...]:
        """The ids of the people who sit here."""
        return tuple(seat.user for seat in self.seats if seat.user is not None)

    @property
    def expected(self) -> tuple[str, ...]:
        """Who sits there, and who will from the next deal on."""
        return (*self.people, *(user for _, user in self.coming))

    @property
    def vacant(self) -> int:
        """How many seats somebody may have, now or from the next deal on: bots give way."""
        bots = self.stage is Stage.WAITING or (self.options.late and not self.last_deal)
        return sum(
            seat.free or (bots and seat.bot is not None and self.comer(number) is None)
            for number, seat in enumerate(self.seats)
        )

    @property
    def offered(self) -> int:
        """How many seats strangers are told of: empty ones, and those that bots of a running match
        give up before its last deal.
        """
        return self.vacant if self.running else sum(seat.free for seat in self.seats)

    @property
    def hosts(self) -> frozenset[str]:
        """Whose table it is: the owner's, a quick one that of all who sit here or are to."""
        if not self.options.quick:
            return frozenset({self.owner})
        return frozenset(self.expected)

    def seat_of(self, user: str | None) -> int | None:
        """The seat a person sits in."""
        if user is None:
            return None
        for number, seat in enumerate(self.seats):
            if seat.user == user:
                return number
        return None

    def seated(self, user: str) -> int:
        """The number of a person's seat; OkeyError ``not-seated``."""
        number = self.seat_of(user)
        if number is None:
            refuse("not-seated")
        return number

    def coming_to(self, user: str | None) -> int | None:
        """The seat that a person has from the next deal on."""
        return next((seat for seat, who in self.coming if who == user), None)

    def comer(self, seat: int) -> str | None:
        """Who has a bot's seat from the next deal on."""
        return next((who for number, who in self.coming if number == seat), None)

    def place_of(self, user: str | None) -> int | None:
        """The seat a person sits in, or has from the next deal on."""
        seat = self.seat_of(user)
        return self.coming_to(user) if seat is None else seat

    def comes_back(self, user: str, seat: int) -> bool:
        """Whether a seat's hand in the running deal was this person's, who knows no other."""
        playing = self.stage is Stage.PLAYING
        return playing and (user, seat) in self.seen and not self.saw_another(user, seat)

    def saw_another(self, user: str, seat: int) -> bool:
        """Whether a person knows the hand of another seat in the running deal."""
        return self.stage is Stage.PLAYING and any(
            who == user and where != seat for who, where in self.seen
        )

    def known(self, user: str, rid: str) -> tuple[int, int] | None:
        """Where a person's command has already been applied, and its digest."""
        heard = self.heard.get(user)
        return None if heard is None else heard.known(rid)

    # Who owns a table: people before bot accounts, since a program waits for somebody to start it.
    #
    # Where only bot accounts are left at a table it stays with the owner who is gone, until a
    # person sits down; if nobody does, it closes as an idle one.

    def inherited(self) -> TableState:
        """The table with an owner who is there, if a person is: the first, latecomers last."""
        people = [user for user in self.people if not is_bot_account(user)]
        if self.owner in self.people or not people:
            return self
        return changed(self, owner=min(people, key=lambda user: user in self.latecomers))

    @property
    def orphaned(self) -> bool:
        """Whether bot accounts sit at a table whose owner is gone."""
        return bool(self.people) and self.owner not in self.people

    def put(self, number: int, seat: Seat) -> TableState:
        """The state with another seat."""
        seats = self.seats
        return changed(self, seats=(*seats[:number], seat, *seats[number + 1 :]))

    def seats_taken(self) -> TableState:
        """The table once those who waited for the end of a deal have their seats."""
        state = self
        for number, user in self.coming:
            orphaned = state.orphaned and not is_bot_account(user)
            owner = user if orphaned or not state.people else state.owner
            late = state.latecomers | {user}
            quits = tuple(quit_ for quit_ in state.quits if quit_[0] != user)
            state = changed(state, owner=owner, latecomers=late, quits=quits)
            state = state.put(number, Seat(user=user))
        return changed(state, coming=())


def _plain(options: bytes) -> dict[str, object]:
    return msgspec.json.decode(options, type=dict[str, object])


@lru_cache(maxsize=16_384)
def _id_at(salt: str, user: str) -> str:
    """Asked of every seat for all that is told of a round."""
    return hmac.digest(salt.encode(), user.encode(), "sha256")[:8].hex()


_commitment = lru_cache(maxsize=4096)(fair.commitment)
"""Asked again and again until the deal."""


@lru_cache(maxsize=4096)
def _transcript(
    promised: str, context: tuple[str, int, int, int], sat: Sequence[str], shown: Sequence[str],
    options: bytes,
) -> str:  # fmt: skip
    """Everybody who comes to a table is shown the same one."""
    return fair.transcript(promised, *context, sat, shown, _canonical(options))


@lru_cache(maxsize=1024)  # nearly all tables have options that others have, too
def _canonical(options: bytes) -> bytes:
    return fair.canonical(_plain(options))


changed = msgspec.structs.replace
"""A state with some fields changed."""


# Who played an action of the log, in the words of records.

_ACTORS = {"user": PERSON, "clock": CLOCK, "fallback": FALLBACK}


def actor_of(entry: log.Acted) -> str:
    """The actor of an entry."""
    if entry.by == "bot":
        assert entry.bot is not None
        external = entry.bot.startswith(f"{EXTERNAL}:")
        return sys.intern(entry.bot if external else f"{BOT}:{entry.bot}")
    if entry.by == "fallback" and entry.bot is not None:
        return sys.intern(f"{FALLBACK}:{entry.bot}")
    return _ACTORS[entry.by]
