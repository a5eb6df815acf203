"""Whole lives of tables as rows, played at random by the reducer alone."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from conftest import unwrap
from game.random_play import choose, rules_of, short_opening
from okey101.game import Action, Deal, options_of
from okey101.game.dealing import deal_from_seed, first_dealer
from okey101.game.fair.rounds import commitment, round_seed, transcript
from okey101.server.protocol import TableOptions, checked_options
from okey101.server.store.base import Row
from okey101.server.tables import log_entries as log
from okey101.server.tables.clocks import all_shown
from okey101.server.tables.reduce import applied, create
from okey101.server.tables.rounds import may_commit, unrevealed
from okey101.server.tables.rows import SteadyTexts, row_of
from okey101.server.tables.state import Seat, Stage, TableState, changed
from server.contributions import promise_of
from server.store.memory import MemoryStore

TABLE = "masa-1"
EPOCH_MS = 1_800_000_000_000
"""When the life of a table begins."""


class Step(NamedTuple):
    """An accepted entry, and the state after it."""

    entry: log.Entry
    state: TableState


def table_options(preset: str, seats: str, **changes: object) -> TableOptions:
    """Options of a table by a preset, without a clock, for two deals."""
    rules = rules_of(preset, seats)
    written: dict[str, str | int | bool] = {
        "preset": preset, "players": rules.players, "teams": rules.teams
    }  # fmt: skip
    plain = TableOptions(rules=written, clock=0, deals=2)
    return checked_options(msgspec.structs.replace(plain, **changes))


class Story:
    """A table that plays itself: every method adds rows."""

    def __init__(
        self, options: TableOptions, seed: str, *, riziko: bool = False, still: bool = False
    ) -> None:
        """With ``still`` time stands still, and no row has the mark of a command."""
        self.rng = random.Random(seed)
        self.given: dict[str, bytes] = {}
        """What the people have committed themselves to."""
        self.riziko = riziko
        self.steps: list[Step] = []
        self._still = still
        self._at = EPOCH_MS
        self._rid = 0
        first = log.Created(user="u0", options=options)
        self.steps.append(Step(first, create(TABLE, first, self._at)))

    @property
    def state(self) -> TableState:
        return self.steps[-1].state

    def add(self, entry: log.Entry) -> TableState:
        """One more row, made by someone's command where it names a person."""
        self._at += 0 if self._still else self.rng.randrange(5_000)
        if not self._still and getattr(entry, "user", None) is not None:
            self._rid += 1
            entry = msgspec.structs.replace(entry, rid=f"r{self._rid}")
        self.steps.append(Step(*applied(self.state, entry, self._at, self.secret)))
        return self.state

    def secret(self) -> str:
        while True:
            secret = self.rng.randbytes(32)
            if not self.riziko:
                return secret.hex()
            state = self.state
            seats = len(state.seats)
            match = state.match + (state.stage is Stage.WAITING)
            where = (TABLE, match, (state.number + (state.stage is Stage.PLAYING)), 0)
            sat, promised = state.named(state.sitting), commitment(secret, *where)
            shown = transcript(promised, *where, sat, [""] * seats, state.terms)
            seed = round_seed(secret, shown, [b""] * seats)
            dealer = first_dealer(seed, seats) if match > state.match else 0
            if deal_from_seed(state.rules, seed, dealer).okey is None:
                return secret.hex()

    def fill(self) -> None:
        """People in every seat without a bot, all of them ready."""
        for number, seat in enumerate(self.state.seats):
            if seat.free:
                self.add(log.Sat(user=f"u{number}", seat=number))
                self.add(log.ReadySet(user=f"u{number}"))

    def begin(self, *, commit: bool = False) -> TableState:
        """People in every seat, and the tiles of the first deal on the table."""
        self.fill()
        self.add(log.Started(user=self.state.owner, secret=self.secret()))
        if commit:
            self.commit()
        return self.deal()

    def commit(self) -> None:
        """Most people commit for the next deal; nobody where the secret alone decides."""
        for user in self.state.people:
            if not self.riziko and self.rng.random() < 0.8 and may_commit(self.state, user):
                self.given[user] = self.rng.randbytes(self.rng.randrange(16, 33))
                self.add(self.committed(user, self.given[user]))
            self.add(log.ReadySet(user=user))

    def committed(self, user: str, given: bytes) -> log.Committed:
        """The row by which somebody commits to a contribution."""
        state, seat = self.state, self.state.seat_of(user)
        return log.Committed(user=user, commitment=promise_of(state, given, unwrap(seat)))

    def reveal(self) -> None:
        """All commitments are shown, and everybody reveals."""
        if not self.state.shown:
            self.add(all_shown(self.state))
        for seat, user in enumerate(self.state.sat):
            if seat in unrevealed(self.state):
                self.add(log.Revealed(user=user, random=self.given[user].hex()))

    def deal(self) -> TableState:
        """What was committed to is revealed, and the tiles are dealt."""
        self.reveal()
        return self.add(log.Dealt())

    def play(self, style: str = "by-kind") -> None:
        """The running deal to its end, short openings and tiles taken back included."""
        while self.state.stage is Stage.PLAYING:
            self.move(style)

    def move(self, style: str = "by-kind") -> None:
        deal = unwrap(self.state.deal)
        options = options_of(deal)
        action = choose(options, self.rng, style)
        if self.rng.random() < 0.1:
            short = short_opening(options, self.rng)
            if short is not None and short in deal.legal_actions():
                action = short
        user = self.state.seats[deal.turn].user
        by = "user" if user is not None else "bot"
        if self.rng.random() < 0.05:
            by = "clock"
        self.add(_acted(deal.turn, action, by, user))

    def play_out(self, style: str = "eager", *, commit: bool = False) -> None:
        while self.state.stage is not Stage.OVER:
            if self.state.stage is Stage.DEALING:
                if commit:
                    self.commit()
                self.deal()
            self.play(style)

    def match(self, style: str = "by-kind") -> None:
        self.add(log.Started(user=self.state.owner, secret=self.secret()))
        self.play_out(style, commit=True)

    def rematch(self) -> None:
        for user in self.state.people:
            self.add(log.RematchSet(user=user))


def _acted(seat: int, action: Action, by: str, user: str | None) -> log.Acted:
    if by == "bot":
        return log.Acted(seat=seat, actions=(action,), by="bot", bot="steady/1")
    if by == "clock":
        return log.Acted(seat=seat, actions=(action,), by="clock")
    return log.Acted(seat=seat, actions=(action,), user=user)


def at_table(deal: Deal) -> TableState:
    """A table with this deal on it; ``un`` sits in seat n."""
    rules = deal.public.rules
    first = log.Created(user="u0", options=table_options("altinstar", str(rules.players)))
    seats = tuple(Seat(user=f"u{n}") for n in range(rules.players))
    state = create(TABLE, first, 0)
    options = msgspec.structs.replace(state.options, rules=rules.to_dict())
    return changed(state, options=options, rules=rules, seats=seats, stage=Stage.PLAYING, deal=deal)


def story(
    preset: str, seats: str, seed: str, *, riziko: bool = False, style: str = "by-kind",
    **changes: object,
) -> Story:  # fmt: skip
    """A table with people in all seats and one match played."""
    told = Story(table_options(preset, seats, **changes), seed, riziko=riziko)
    told.fill()
    told.match(style)
    return told


def rows_of(steps: list[Step]) -> Iterator[Row]:
    for step in steps:
        yield row_of(step.state, step.entry, SteadyTexts())


async def filled(rows: list[Row]) -> MemoryStore:
    """A store that holds these rows."""
    store = MemoryStore()
    for row in rows:
        await store.append(row)
    return store
