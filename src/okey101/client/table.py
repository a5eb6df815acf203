"""A table as a program plays at it: what is shown, commands, one's turns, and fair deals."""

from __future__ import annotations

import asyncio
import secrets
import ssl as tls
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from typing import Final, Self, TypeAlias, TypeVar

from okey101.client.errors import CommandRefused, Ended, client_error, ended, refusal
from okey101.client.line import LastingLine, Pace
from okey101.client.model import Json, Moment, ReadMessage, rules_of_table
from okey101.errors import OkeyError
from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.dealing import deal_from_seed, first_dealer
from okey101.game.fair.rounds import seat_commitment, transcript
from okey101.game.fair.transcript import BOT_PREFIX, PUT_BACK, AbandonedRound, Fair
from okey101.game.options import Options
from okey101.game.record.form import Record
from okey101.game.strict_json import plain
from okey101.game.view import View
from okey101.server.protocol import client_messages as ask
from okey101.server.protocol.client_messages import Command
from okey101.server.protocol.server_messages import Ack, AnyEvent
from okey101.tiles import TILE_TEXTS, rack_text

# One's own part in fair deals: promise, look at what all have promised, and only then reveal.

_Round: TypeAlias = tuple[str, int, int, int]
"""Table, match, deal and round."""


@dataclass(slots=True)
class _Shown:
    """What was shown of a round first, and what was given to it."""

    promised: str
    people: set[tuple[int, str]] | None = None
    """Who was seen in which seat; None where all had committed before this program came back."""
    given: bytes | None = None
    transcript: str | None = None
    opened: frozenset[tuple[int, str]] = frozenset()
    """Seats with what they revealed."""


@dataclass(slots=True)
class _Played:
    """What was shown of a deal while it was played; nothing of it may be another thing later."""

    begun: tuple[int, str, int]
    """The dealer, the indicator and the own seat."""
    actions: list[str]
    hands: dict[int, str] = field(repr=False)
    """The own hand after so many actions."""


class FairRounds:
    """The contributions of one person at one table, by round.

    :meth:`step` reveals only what was shown as it was given, and :meth:`check` looks at finished
    deals; both end the line with ``unfair-deal`` for what does not fit.
    """

    def __init__(self, table: str, *, promised: bool = False) -> None:
        """With ``promised`` the table is known to be none of a day, nor one to play again at."""
        self._table = table
        self._due = promised
        self._rounds: dict[_Round, _Shown] = {}
        self._promised: dict[tuple[int, int], str] = {}
        """The promise shown last for each deal: it is dealt from that round; empty for any."""
        self._dealt: dict[str, _Played] = {}
        """By promise."""
        self._dealers: dict[tuple[int, int], int] = {}
        """Who has to deal after a deal that was checked here (D3)."""
        self._checked: set[tuple[int, int, str | None]] = set()
        self._sheets: dict[tuple[int, int], tuple[Json, str]] = {}
        """How each deal was told to have ended, and after which loss."""
        self.losses = ""
        """Which loss of rows the server has told of last, as heads begin."""

    def require_own(self, table: Json) -> None:
        """Ended for what is shown of another table: a promise for that one would be a gift."""
        _require(table["id"] == self._table, "a view of another table")
        free = "day" in table or "again" in table
        _require(not (self._due and free), "the table is said to be one without promises")

    def put_back(self, last: tuple[float, float]) -> None:
        """The server has files of before: the end of that deal, and what followed, comes anew.

        Ended where a later match was shown, which no record would tell of.
        """
        gone = [one for at, one in self._rounds.items() if at[1] > last[0]]
        _require(not any(one.transcript for one in gone), "a later match was shown already")
        self._rounds = {at: one for at, one in self._rounds.items() if at[1:3] <= last}
        self._dealers = {at: seat for at, seat in self._dealers.items() if at <= last}
        self._promised |= dict.fromkeys(self._promised.keys() & {last}, "")

    def away(self) -> None:
        """The line was broken: who came and left meanwhile was not seen."""
        for known in self._rounds.values():
            known.people = None

    def compare(self, table: Json) -> None:
        """Deals with other scores than were shown came anew while this program was away.

        Ended where the server has not told of a loss since.
        """
        for number, sheet in enumerate(table["scores"]["deals"]):
            key = (table["match"], number)
            was, losses = self._sheets.get(key, (sheet, ""))
            if was != sheet:
                told = losses != self.losses
                _require(told, "a deal that is over is told with other scores")
                self.put_back(key)
            self._sheets[key] = (sheet, self.losses)

    def unchecked(self, table: Json) -> list[tuple[int, int]]:
        """The deals that were promised here and are over, and whose end was never shown."""
        now = table["match"], len(table["scores"]["deals"])
        promised = self._promised.items()
        return [at for at, one in promised if at < now and (*at, one) not in self._checked]

    def step(
        self, table: Json, seat: int, rid: Callable[[], str]
    ) -> ask.Commit | ask.Reveal | None:
        """The next command in the round that is shown; None for nothing to do."""
        promise, now = table.get("commitment"), table.get("round")
        if promise is None or now is None or promise["round"] != now["number"]:
            return None
        where = (self._table, promise["match"], promise["deal"], now["number"])
        due = (table["match"], len(table["scores"]["deals"]), len(now["abandoned"]))
        _require(where[1:] == due, "matches, deals and rounds are not counted one by one")
        if any(one["reason"] in PUT_BACK for one in now["abandoned"]):
            self.put_back(where[1:3])
        known = self._rounds.setdefault(where, _Shown(promise["value"]))
        _require(known.promised == promise["value"], "the server has changed its commitment")
        if known.people is None and not now["shown"]:
            known.people = set()
        if known.people is not None:
            known.people |= {(n, one["id"]) for n, one in enumerate(table["seats"]) if "id" in one}
        if not now["shown"]:
            _require(known.transcript is None, "a round that was shown begins again")
            if now["commitments"][seat] is not None or seat in now["left_out"]:
                return None
            known.given = known.given or secrets.token_bytes(32)
            promised = seat_commitment(known.given, known.promised, *where, seat)
            return ask.Commit(rid=rid(), commitment=promised)
        self._look(known, where, table)
        shown = now["commitments"][seat]
        if known.given is None or shown is None or now["randomness"][seat] is not None:
            return None
        own = seat_commitment(known.given, known.promised, *where, seat)
        _require(shown == own, "another commitment is shown for this seat")
        return ask.Reveal(rid=rid(), random=known.given.hex())

    def _look(self, known: _Shown, where: _Round, table: Json) -> None:
        """What is shown to all has to be what its transcript covers, and what was shown before."""
        now = table["round"]
        sat, shown = now["seats"] or (), [text or "" for text in now["commitments"]]
        seats = zip(enumerate(sat), table["seats"], strict=False)
        same = len(sat) == len(shown) and all(_sits(at, one, known.people) for at, one in seats)
        _require(same, "others sit here than the transcript says")
        told = transcript(known.promised, *where, sat, shown, table["options"])
        same = told == now["transcript"] == (known.transcript or told)
        _require(same, "the transcript is not that of what is shown")
        known.transcript = told
        opened = {(n, text) for n, text in enumerate(now["randomness"]) if text}
        known.opened = frozenset(opened | known.opened)

    def check(self, table: Json, deal: Json, you: Json) -> None:
        """Check a finished deal against what was promised, given and dealt here.

        It is finished once its scores are told, whether its end is or not. Until then its actions
        and the own hand are remembered.
        """
        if (promise := table.get("commitment")) is not None:
            self._promised[promise["match"], promise["deal"]] = promise["value"]
        key = (table["match"], deal["number"])
        promised = self._promised.get(key)
        over = len(table["scores"]["deals"]) - deal["number"]
        _require(over == (deal["result"] is not None), "the deals are not counted one by one")
        if not over:
            if promised is not None and "hand" in you:
                self._note(promised, deal, you)
            return
        told = (deal["end"] or {}).get("fair")
        which = (*key, told and told["commitment"])  # a deal may come anew
        if which in self._checked:
            _require(promised != "", "a deal that came anew is told as it was before")
            return
        self._checked.add(which)
        if told is None:
            # Nothing is promised for deals of a day, and for one that is played again.
            free = promised is None and ("day" in table or "again" in table)
            _require(free, "what the deal came from is not told")
            return
        try:
            fair = Fair.from_dict(told, players=len(table["seats"]))
        except OkeyError as error:
            raise ended("unfair-deal", reason=error.message) from error
        same = (fair.table, fair.match, fair.deal) == (self._table, *key)
        _require(same, "the secret is that of another deal")
        same = promised in (None, "", fair.commitment)
        _require(same, "another commitment is told than was shown")
        if any(one.reason in PUT_BACK for one in fair.abandoned):
            self.put_back(key)  # perhaps while this program was away
        self._promised[key] = fair.commitment
        _require(fair.terms == table["options"], "it was played by other rules than were promised")
        self._check_rounds(fair)
        assert fair.seed is not None
        self._check_tiles(table, deal, fair.seed, fair.commitment)

    def check_end(self, table: Json, at: tuple[int, int], record: Record) -> None:
        """The same of a deal whose end was never shown, by the record of its match."""
        match, number = at
        deal = record.deals[number] if number < len(record.deals) else None
        if deal is None or deal.dealer is None:
            raise ended("unfair-deal", reason="the record lacks the deal")
        sheet, _ = self._sheets.get(at, ({"scores": (deal.result or {}).get("scores")}, ""))
        scores: Json = {"deals": [{}] * number + [sheet]}
        end = {"number": number, "result": deal.result, "end": {"fair": deal.fair}}
        told = {name: plain(getattr(deal, name)) for name in ("dealer", "indicator", "actions")}
        here = {"match": match, "scores": scores, "commitment": None}
        self.check(table | here, end | told, {})

    def _note(self, promised: str, deal: Json, you: Json) -> None:
        begun, actions = (deal["dealer"], deal["indicator"], you["seat"]), deal["actions"]
        seen = self._dealt.setdefault(promised, _Played(begun, actions, {}))
        few, more = sorted((seen.actions, actions), key=len)
        hand = seen.hands.setdefault(len(actions), you["hand"])
        same = (seen.begun, few, hand) == (begun, more[: len(few)], you["hand"])
        _require(same, "the deal is not shown as it was before")
        seen.actions = more

    def _check_tiles(self, table: Json, deal: Json, seed: bytes, promised: str) -> None:
        """Whether the deal, played again from the seed, is what was shown of it here, and whether
        the right seat deals (D3).
        """
        number, dealer, sheet = deal["number"], deal["dealer"], table["scores"]["deals"][-1]
        seats, match = len(table["seats"]), table["match"]
        due = self._dealers.get((match, number), dealer) if number else first_dealer(seed, seats)
        _require(dealer == due, "another seat deals than has to")
        rules, actions = rules_of_table(table), deal["actions"]
        again = Deal.start(rules, deal_from_seed(rules, seed, dealer))
        begun = dealer, TILE_TEXTS[again.layout.indicator]
        seen = self._dealt.get(promised, _Played((*begun, 0), [], {}))
        same = begun == seen.begun[:2] == (dealer, deal["indicator"])
        same = same and actions[: len(seen.actions)] == seen.actions
        for done in range(len(actions) + 1):
            hand = rack_text(again.hands[seen.begun[2]])
            same = same and seen.hands.get(done, hand) == hand
            _require(same, "the tiles are not those of the seed")
            if done < len(actions):
                again = _after(again, actions[done])
        result = again.result
        scores, counts = (None, True) if result is None else ([*result.scores], result.counts)
        told = scores == sheet["scores"] and counts == sheet.get("counts", counts)
        _require(told, "the scores are not those of the deal")
        self._dealers[match, number + 1] = (dealer + counts) % seats

    def _check_rounds(self, fair: Fair) -> None:
        """Every round is told as it was shown, opened, and had a reason to be thrown away."""
        rounds: tuple[Fair | AbandonedRound, ...] = (*fair.abandoned, fair)
        _require(fair.round == len(fair.abandoned), "rounds that were thrown away are not told")
        for number, one in enumerate(rounds):
            which = None if one is fair else number
            opens = one.secret and fair.commitment_of(one.secret, number) == one.commitment
            _require(bool(opens), "the secret does not open the server's commitment")
            known = self._rounds.get((fair.table, fair.match, fair.deal, number))
            if known is None:
                continue  # it began before this program came
            same = one.commitment == known.promised
            _require(same, "another commitment is told than was shown")
            same = known.transcript in (None, fair.transcript_of(which))
            _require(same, "another transcript is told than was shown")
            # Files that were put back may have lost what was shown last.
            back = isinstance(one, AbandonedRound) and one.reason in PUT_BACK
            lost = {""} if back else set[str]()
            same = fair.unfit(which) is None and all(
                (one.randomness or ())[n] in {text, *lost} for n, text in known.opened
            )
            _require(same, "another contribution is told than was shown")
            dealt = one.commitment in self._dealt and not back
            due = one is fair or (isinstance(one, AbandonedRound) and one.has_reason and not dealt)
            _require(due, "a round was thrown away without a reason")


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ended("unfair-deal", reason=otherwise)


def _after(deal: Deal, text: str) -> Deal:
    """The deal after an action as views have it, with its seat; Ended where it can't be played."""
    seat, _, action = text.partition(": ")
    try:
        return deal.apply(action, int(seat))
    except ValueError as error:  # OkeyError is one
        reason = "the actions are not those of the deal"
        raise ended("unfair-deal", reason=reason) from error


def _sits(at: tuple[int, str], seat: Json, people: set[tuple[int, str]] | None) -> bool:
    """Whether a seat is shown as the transcript has it, or its person was seen and has left."""
    bot, (_, who) = seat["bot"], at
    if who.startswith(BOT_PREFIX):
        return bool(who[len(BOT_PREFIX) :].partition("/")[0] == bot)
    return bool(seat.get("id") == who) or (bot is not None and (people is None or at in people))


T = TypeVar("T")
_TOO_LATE: Final = frozenset(
    {
        "already-committed", "already-revealed", "left-out", "no-bot", "not-committed",
        "not-committing", "not-playing", "not-ready", "not-revealing", "not-seated",
        "not-waiting", "turn-over",
    }
)  # fmt: skip
"""Refusals of what the table does by itself that only say that it came too late."""


class Turn:
    """A moment in which your seat has to act; ``view`` and ``options`` are of that moment."""

    def __init__(self, table: JoinedTable, moment: Moment, view: View) -> None:
        self.view = view
        self.options = Options(view)
        self.refused: CommandRefused | None = None
        """Why the server refused what was chosen; the moment then comes once more."""
        self._table = table
        self._moment = moment

    @property
    def over(self) -> bool:
        """Whether the table has moved on, so that this turn can't be played any more."""
        return self._table.moment != self._moment

    async def act(self, action: Action | str) -> int:
        """Play an action, and return its row once its outcome is shown.

        If the table has moved on: CommandRefused ``turn-over``, and nothing is sent.
        """
        if self.over:
            raise refusal("turn-over")
        try:
            return await self._table.act(action)
        except CommandRefused as error:
            self.refused = error
            raise


class JoinedTable(LastingLine):
    """A line to one table, open inside ``async with``.

    By itself it commits, checks and reveals for fair deals, is ready for each deal of a running
    match, and takes its seat back from a stand-in. With ``attends`` off all that is left to your
    program. Whatever ends the line for good is raised as Ended wherever your program waits.
    """

    def __init__(
        self,
        url: str,
        table: str,
        headers: Mapping[str, str],
        *,
        attends: bool = True,
        options: bool = False,
        pace: Pace = Pace(),  # noqa: B008  # it never changes
        ssl: tls.SSLContext | None = None,
        first: Callable[[], Awaitable[object]] | None = None,
        promised: bool = False,
    ) -> None:
        super().__init__(
            f"{url.replace('http', 'ws', 1)}/ws/{table}", headers, ssl, options=options, pace=pace
        )
        self.id = table
        self.told: Callable[[], None] | None = None
        """Called at once after every message, when what came of it is shown."""
        self._attends = attends
        self._first = first
        self._rounds = FairRounds(table, promised=promised)
        self._steps: set[tuple[object, ...]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._run: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._queues: set[asyncio.Queue[AnyEvent]] = set()
        self._acting = False
        self._finished: tuple[Json, Json, Json] | None = None
        self._seen_on = 0
        """The line over which all was seen, as :attr:`lines` counts."""

    async def __aenter__(self) -> Self:
        """Connect, and wait for the table; Ended where that is not possible."""
        if self._first is not None:
            await self._first()
        self._run = asyncio.create_task(self._keep_open())
        try:
            await self.until(lambda: self.shown.seq is not None)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the line; the seat stays one's own."""
        await self.close()

    async def close(self) -> None:
        """Close the line for good."""
        tasks = [task for task in (self._run, *self._tasks) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self, why: Ended) -> None:
        super()._end(why)
        self._news.set()

    # What is shown ----------------------------------------------------------------------------

    @property
    def stage(self) -> str:
        """``waiting``, ``dealing``, ``playing``, ``over`` or ``closed``."""
        return self.shown.stage

    @property
    def seat(self) -> int | None:
        """Your seat, counted from 0; None if you only watch."""
        return self.shown.seat

    @property
    def owns(self) -> bool:
        """Whether the table is yours, so that nobody else can start its match."""
        return self.seat is not None and bool(self.shown.table["seats"][self.seat].get("owner"))

    @property
    def match(self) -> int:
        """The number of the match at this table, from 1; 0 before one."""
        return int(self.shown.table["match"])

    @property
    def deal_number(self) -> int:
        """The number of the deal in the match, from 0; -1 before one."""
        return -1 if self.shown.deal is None else int(self.shown.deal["number"])

    @property
    def unchecked(self) -> list[tuple[int, int]]:
        """Match and number of each deal that was over before its end was shown here.

        The line was away then, or the server passed over it: the match's record tells of it.
        """
        return self._rounds.unchecked(self.shown.table) if self.shown.table else []

    def check_end(self, match: int, deal: int, record: Record) -> None:
        """Check one of :attr:`unchecked` by its match's record; Ended as for an unfair deal."""
        self._rounds.check_end(self.shown.table, (match, deal), record)

    @property
    def finished(self) -> View | None:
        """The last deal that was seen to end, as it ended; None before one."""
        if self._finished is None:
            return None
        deal, you, table = self._finished
        return View.from_dict(deal | you, rules_of_table(table))

    @property
    def totals(self) -> tuple[int, ...]:
        """The scores of the match so far, by seat."""
        return tuple(self.shown.table["scores"]["totals"])

    @property
    def places(self) -> tuple[int, ...]:
        """The places in the match so far, by seat."""
        return tuple(self.shown.table["scores"]["places"])

    @property
    def view(self) -> View | None:
        """The deal on the table as your seat sees it; None before one."""
        return self.shown.view

    @property
    def moment(self) -> Moment:
        """Where the deal stands; the value changes whenever the deal does."""
        return self.shown.moment

    async def until(self, holds: Callable[[], T]) -> T:
        """Wait until something holds of what is shown, and return it; Ended if it never can."""
        while True:
            if self._ended is not None:
                raise self._ended
            if found := holds():
                return found
            self._news.clear()
            await self._news.wait()

    async def messages(self) -> AsyncIterator[AnyEvent]:
        """Every message of the table from now on, typed; ends with the line."""
        queue: asyncio.Queue[AnyEvent] = asyncio.Queue()
        self._queues.add(queue)
        try:
            with suppress(Ended):
                while True:
                    while not queue.empty():
                        yield queue.get_nowait()
                    await self.until(lambda: not queue.empty())
        finally:
            self._queues.discard(queue)

    async def turns(self) -> AsyncIterator[Turn]:
        """Your moments to act, each once, until the match is over.

        No moment comes while an action waits for its answer, or before its outcome is shown. A
        moment whose action was refused comes again.
        """
        done: Moment | None = None

        def due() -> str:
            shown = self.shown
            if shown.stage in ("over", "closed"):
                return "over"
            now = shown.to_act and not self._acting and shown.moment != done
            return "turn" if now else ""

        while await self.until(due) == "turn":
            if wait := self.shown.holds_s:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.until(lambda: not self.shown.holds_s), wait)
                continue
            view = self.shown.view
            assert view is not None
            turn = Turn(self, self.moment, view)
            done = self.moment
            yield turn
            if turn.refused is not None:
                done = None

    # Commands ---------------------------------------------------------------------------------

    async def act(self, action: Action | str) -> int:
        """Play an action of the current turn; returns its row once its outcome is shown.

        CommandRefused as the server refuses; OkeyError ``act-pending`` while another one waits.
        """
        if self._acting:
            raise client_error("act-pending")
        self._acting = True
        try:
            deal = self.shown.deal or {}
            act = ask.Act(
                rid=self.rid(), action=str(action), deal=deal.get("number"), turn=deal.get("turns")
            )
            return await self._row(act)
        finally:
            self._acting = False
            self._news.set()

    async def sit(self, seat: int | None = None) -> None:
        """Take a seat, or the first free one, and wait until it is yours or promised to you.

        CommandRefused ``not-seated`` where it was taken back at once.
        """
        if self.seat is None:
            sit = ask.Sit(rid=self.rid(), seat=seat)
            await self.command(sit)
            if not self._has_place():
                with suppress(CommandRefused):  # it was done, and all it led to is here by then
                    await self.command(sit)
            if not self._has_place():
                raise refusal("not-seated")

    def _has_place(self) -> bool:
        return self.seat is not None or self.shown.coming is not None

    async def leave(self) -> None:
        """Give the seat up; in a running match a bot plays on."""
        await self.command(ask.Leave(rid=self.rid()))

    async def ready(self, *, on: bool = True) -> None:
        """Say that you are ready for the match, or no longer."""
        await self._row(ask.Ready(rid=self.rid(), on=on))

    async def set_bot(self, seat: int, bot: str | None) -> None:
        """For the owner: put a bot on a seat, or with None take it away."""
        await self._row(ask.SetBot(rid=self.rid(), seat=seat, bot=bot))

    async def start(self) -> None:
        """For the owner: begin the match."""
        await self._row(ask.Start(rid=self.rid()))

    async def rematch(self, *, on: bool = True) -> None:
        """Ask for another match."""
        await self._row(ask.Rematch(rid=self.rid(), on=on))

    async def say(self, phrase: str, to: int | None = None) -> None:
        """Say one of the phrases, to one seat or to everybody."""
        await self.command(ask.Say(rid=self.rid(), phrase=phrase, to=to))

    async def _row(self, command: Command) -> int:
        done = await self.command(command, ordered=self.seat is not None)
        assert isinstance(done, Ack) and done.seq is not None
        return done.seq

    # By itself --------------------------------------------------------------------------------

    def _heard(self, heard: ReadMessage) -> None:
        for queue in self._queues:
            queue.put_nowait(heard.message)
        try:
            self._look(heard)
        except Ended as over:
            self._end(over)  # at once: what is shown may let the program go on
            raise
        if self.told is not None:
            self.told()
        self._news.set()

    def _look(self, heard: ReadMessage) -> None:
        if self.shown.table:
            self._rounds.require_own(self.shown.table)
        if self._seen_on != self.lines:
            self._seen_on = self.lines
            self._rounds.away()
        self._rounds.losses = (self.shown.head or "").partition(".")[0]
        what = heard.data.get("what") or {}
        if what.get("kind") == "abandon" and what.get("why") in PUT_BACK:
            promise = self.shown.table["commitment"] or {}
            self._rounds.put_back((self.match, promise.get("deal", inf)))
        if self._attends and self.seat is not None:
            self._attend(self.seat)

    def _attend(self, seat: int) -> None:
        """What a seated program owes the table besides its turns; Ended for an unfair deal."""
        shown, table, you = self.shown, self.shown.table, self.shown.you or {}
        self._rounds.compare(table)
        if shown.deal is not None:
            self._rounds.check(table, shown.deal, you)
            if shown.deal["result"] is not None:
                self._finished = shown.deal, you, table
        own = table["seats"][seat]
        place = (shown.era, table["match"])
        if own.get("away"):
            self._once((*place, "resume", shown.seq), ask.Resume(rid=self.rid()))
        if shown.stage == "dealing":
            now = table["round"] or {}
            promised = (table["commitment"] or {}).get("value")
            number = (*place, len(table["scores"]["deals"]), now.get("number"), promised)
            step = self._rounds.step(table, seat, self.rid)
            if step is not None:
                self._once((*number, type(step).__name__), step)
            if not own.get("ready"):
                self._once((*number, "ready"), ask.Ready(rid=self.rid()))
        elif shown.holds_s and shown.deal is not None and not own.get("ready"):
            self._once((*place, shown.deal["number"], "seen"), ask.Ready(rid=self.rid()))

    def _once(self, step: tuple[object, ...], command: Command) -> None:
        if step in self._steps:
            return
        self._steps.add(step)
        task = asyncio.create_task(self._quietly(command))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, command: Command) -> None:
        try:
            await self.command(command, ordered=True)
        except Ended:
            return  # whoever waits for the table is told
        except CommandRefused as error:
            if error.code not in _TOO_LATE:
                self._end(Ended(error.code, error.message, None, **error.details))
