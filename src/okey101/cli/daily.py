"""``okey101 daily``: the day's deals of a server, played here too, and who has played them how."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast

import msgspec

from okey101.bots.reasons import Reason
from okey101.cli.audit import FOUND
from okey101.cli.help import unused
from okey101.cli.output import (
    NO_SERVER,
    Exit,
    Failure,
    Output,
    ending,
    printable,
    token_in,
    with_file,
)
from okey101.cli.play.console import Console, PlayerLeft
from okey101.cli.play.saved import Saved
from okey101.cli.play.session import TerminalSeat, error_line
from okey101.cli.verify import MARKS
from okey101.client import Client, CommandRefused, Ended, JoinedTable
from okey101.client.heads import Auditor, read_seen, write_seen
from okey101.client.model import Json, rules_of_table
from okey101.errors import OkeyError, RecordError
from okey101.game import Deal, End, Match, Result
from okey101.game.actions import Action
from okey101.game.dealing import Layout
from okey101.game.fair.rounds import commitment, day_context, day_digest, day_mix
from okey101.game.fair.transcript import Fair
from okey101.game.record.form import Record
from okey101.game.record.verification import State, verify_record
from okey101.i18n import Texts
from okey101.server.files.atomic_files import create
from okey101.server.people.day_tries import NAMES, deal_points
from okey101.server.protocol import views
from okey101.tiles import Rack

ENDS: Final = NO_SERVER | {"bad-address": Exit.USAGE} | dict.fromkeys(FOUND, Exit.INVALID)
"""Exit codes of what is no refusal of a server."""
_PAUSE_S: Final = 0.5
_UNPLAYED = "day-unplayed"
T = TypeVar("T")


_Over: TypeAlias = Literal["week", "month"] | None


def show_day(
    output: Output, words: tuple[str, ...], over: _Over, token_file: str | None, **more: Any
) -> int:
    """Show a day, today's unless one is named, and its table where that may be seen.

    ``words`` are the address and perhaps a date. With ``over`` the table of the week or month
    around it. The token in a file says who one is. After ``play`` the day is played first; after
    ``verify`` its deals are checked instead. ``challenge`` makes a challenge, with a ``bot``; after
    ``again`` a match is named, of which a ``deal``, counted from 1, is played again from the action
    ``at`` on. Failure as the server refuses, ``no-day`` among them.
    """
    first, texts = words[0], output.texts
    named = list(words[1:] if first in ("play", "verify", "challenge", "again") else words)
    if len(named) < 1 + (first == "again"):
        raise Failure.of(
            texts, Exit.USAGE, "missing-parameter", parameter="MATCH" if named else "URL"
        )
    if len(named) > 1 + (first != "challenge"):
        raise Failure.of(texts, Exit.USAGE, "extra-argument", argument=named[-1])
    more = {name: value for name, value in more.items() if value is not None}
    taken = {"again": {"bot", "deal", "at"}, "challenge": {"bot"}, "verify": set[str]()}
    unused(*{"over", "bot", "deal", "at"} - taken.get(first, {"over"}))
    if output.as_json and first in ("play", "again"):
        raise Failure.of(texts, Exit.USAGE, "no-such-option", option="--json")
    url, date = named[0], named[1] if len(named) > 1 else None
    if date is not None and first != "again" and not re.fullmatch(NAMES, date, re.ASCII):
        raise Failure.of(texts, Exit.USAGE, "bad-day", day=date)
    with ending(texts, Exit.FAILED, ENDS):
        if first == "play":
            return _play(output, url, date, over, token_file)
        client = client_of(url, token_file, texts)
        if first == "verify":
            return _verify(output, client, date, token_file)
        if first == "challenge":
            return _challenge(output, client, **more)
        if first == "again":
            return _again(output, client, named[1], **more)
        return _show(output, client, date, over)


def client_of(url: str, token_file: str | None, texts: Texts) -> Client:
    """Whoever the token in a file names, at a server; nobody where no file is named."""
    return Client(url, None if token_file is None else token_in(token_file, texts))


async def answered(client: Client, ask: Callable[[Client], Awaitable[T]]) -> T:
    """What a server answers that speaks the client's version of the protocol."""
    await client.check_version()
    return await ask(client)


def _show(output: Output, client: Client, date: str | None, over: _Over) -> int:
    day, table = asyncio.run(_asked(output.texts, client, date, over))
    part = "totals" if isinstance(table, views.DayTotals) else "table"
    told = {"day": msgspec.to_builtins(day), part: msgspec.to_builtins(table)}
    return output.tell(told, lambda: _lines(output, day, table))


async def _day(texts: Texts, client: Client, date: str | None) -> views.DayAnswer:
    await client.check_version()
    days = [await client.day(date)] if date else await client.days()
    if not days:
        raise Failure.of(texts, Exit.FAILED, "no-day")
    return days[0]


async def _asked(
    texts: Texts, client: Client, date: str | None, over: _Over
) -> tuple[views.DayAnswer, views.DayTable | views.DayTotals | None]:
    day = await _day(texts, client, date)
    if over:
        return day, await client.day_totals(day.date, over)
    try:
        return day, await client.day_table(day.date)
    except CommandRefused as error:
        if error.code != _UNPLAYED:
            raise
        return day, None


def _challenge(output: Output, client: Client, bot: str = "neural") -> int:
    day = asyncio.run(answered(client, lambda who: who.challenge(bot)))
    link = printable(f"{client.url}/c/{day.date}")
    told = {"day": msgspec.to_builtins(day), "link": link}
    texts = printable(output.texts("daily-challenge", name=day.date)), output.strong(link)
    return output.tell(told, lambda: texts)


def _lines(
    output: Output, day: views.DayAnswer, table: views.DayTable | views.DayTotals | None
) -> Iterator[str]:
    texts = output.texts
    if isinstance(table, views.DayTotals):
        title = texts("daily-totals", begins=table.begins, ends=table.ends, days=table.days)
        yield output.strong(printable(title))
    else:
        yield output.strong(printable(texts("daily-title", date=day.date, state=day.state)))
        bots = ", ".join(filter(None, day.bots[1:]))
        yield printable(texts("daily-players", count=day.players, bots=bots))
        mixed = str(day.mixed).lower()
        yield printable(texts("daily-promise", digest=day.digest, mixed=mixed))
    if table is None:
        yield texts(f"error-{_UNPLAYED}")
        return
    if isinstance(table, views.DayTable) and table.friends:
        yield texts("daily-friends")
        yield from (_told(texts, line) for line in table.friends)
        yield texts("daily-everybody")
    for line in table.lines:
        yield _told(texts, line)
    if table.own is not None and not any(line.own for line in table.lines):
        yield _told(texts, table.own)
    if isinstance(table, views.DayTotals) and table.streak > 1:
        yield texts("daily-streak", count=table.streak)


def _told(texts: Texts, line: views.DayLine | views.TotalLine) -> str:
    name = "-" if line.name is None else printable(line.name)
    place = f"{'*' if line.own else ' '}{line.place:>4}"
    if isinstance(line, views.TotalLine):
        return f"{place}  {line.total:>6.1f}  {line.days:>3}  {line.average:>5.1f} %   {name}"
    if line.bot is not None:
        name = texts("daily-bot", number=line.bot)
    points = " ".join(f"{point:>5}" for point in line.points)
    return f"{place}  {line.percent:>5.1f} %  {line.total:>5}  {points}   {name}"


# Played at the terminal: the try is a table of the server, followed on a thread of its own, while
# the player's own thread waits for what is typed.


class _Seen(NamedTuple):
    """What a message left: the table, and the deal with no tiles but those that one sees."""

    table: Json
    number: int
    deal: Deal | None


def _seen(at: JoinedTable) -> _Seen:
    view, shown = at.view, at.shown
    if view is None or view.seat is None:
        return _Seen(shown.table, at.deal_number, None)
    end = (shown.deal or {}).get("end") or {}
    hands = [Rack.parse(text).bits for text in end.get("hands", [""] * view.public.players)]
    hands[view.seat] = view.hand or 0
    layout = cast("Layout", None)  # nobody but the server has it
    return _Seen(shown.table, at.deal_number, Deal(layout, view.public, tuple(hands), view.drawn))


class _Line:
    """A table of a server, whose messages come one after another; OkeyError as its line ends."""

    def __init__(self, client: Client, table: str) -> None:
        self._came: SimpleQueue[_Seen | OkeyError] = SimpleQueue()
        self._open = Event()
        self._thread = Thread(target=self._run, args=(client, table), daemon=True)
        self._thread.start()

    def _run(self, client: Client, table: str) -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(self._follow(client, table))

    async def _follow(self, client: Client, table: str) -> None:
        self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
        self._open.set()
        try:
            async with client.join(table) as self._at:
                self._at.told = self._tell
                self._tell()
                await self._at.until(lambda: False)
        except OkeyError as error:
            self._came.put(error)
            await asyncio.Event().wait()  # until it is closed: what is typed hears of the end too

    def _tell(self) -> None:
        try:
            self._came.put(_seen(self._at))
        except OkeyError as error:  # it shows what this version doesn't know
            self._came.put(error)

    def next(self) -> _Seen:
        """The next of what came; it is waited for."""
        while True:
            with suppress(Empty):  # an interrupt is heard where a pause ends
                came = self._came.get(timeout=_PAUSE_S)
                if isinstance(came, OkeyError):
                    raise came
                return came

    def act(self, action: Action) -> None:
        """Play an action; CommandRefused."""
        asyncio.run_coroutine_threadsafe(self._at.act(action), self._loop).result()

    def leave(self) -> None:
        """Give the seat up; OkeyError where the line has ended."""
        asyncio.run_coroutine_threadsafe(self._at.leave(), self._loop).result()

    def close(self) -> None:
        """Follow it no longer."""
        self._open.wait()
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(cast("asyncio.Task[None]", self._task).cancel)
        self._thread.join()


class ServedSeat(TerminalSeat):
    """One's seat at a table of the day's deals, or of a deal that is played again.

    The server keeps and judges it.
    """

    def __init__(self, line: _Line, console: Console, texts: Texts, *, color: bool) -> None:
        """Waits until the table is there."""
        self._line, first = line, line.next()
        self._came = chain([first], iter(line.next, None))
        table = first.table
        self._again: Json | None = table.get("again")
        bots = tuple(seat["bot"] or "" for seat in table["seats"])
        saved = Saved(_match_at(table), (), bots.index(""), "", bots)
        super().__init__(saved, console, texts, color=color)
        self._number = saved.match.played - 1

    def _advice(self) -> tuple[Action, Reason]:
        raise OkeyError("no-hints", "there are no hints at this table")

    def _save_as(self, name: str) -> None:
        self._console.say(self._texts("daily-kept" if self._again is None else "daily-unkept"))

    def _start_deal(self) -> None:
        number = self._number
        while self._number == number:
            self._others()

    def _others(self) -> None:
        self._take(next(self._came))

    def _take(self, seen: _Seen) -> None:
        """Show what came; a new deal too, where the line missed how the last one ended."""
        after = seen.deal
        if after is None:
            return
        deals = self._saved.deals
        if seen.number > self._number:
            self._number, match = seen.number, _match_at(seen.table)
            self._keep(match=match, deals=(*deals, after))
            self._begin_history()
            self._console.say("", *self._screen.deal_intro(match, after.public))
        elif deals and not self._deal.over:
            before = self._deal
            if len(after.public.actions) == len(before.public.actions) + 1:
                self._history.note(before, after)
            self._keep(deals=(*deals[:-1], after))

    def _act(self, action: Action, seat: int | None = None) -> None:
        done = len(self._deal.public.actions)
        self._deal.judge(action, seat)
        try:
            self._line.act(action)
        except Ended as ended:
            self._console.complain(error_line(self._texts, ended))
            raise PlayerLeft from None
        while len(self._deal.public.actions) <= done:
            self._others()

    def _after(self, deal: Deal) -> Match:
        """A deal of a day is not dealt again: one that doesn't count scores 0 for all."""
        assert deal.result is not None
        match = self._saved.match
        return replace(match, results=(*match.results, _counted(deal.result)))

    def _end_match(self) -> None:
        super()._end_match()
        if self._again is not None:
            then, now = self._again["scores"][self.me], self._saved.match.results[0].scores[self.me]
            way = "better" if now < then else "worse" if now > then else "same"
            told = {"then": then, "now": now, "way": way, "by": abs(then - now)}
            self._console.say(self._texts("page-again-result", **told))


def _match_at(table: Json) -> Match:
    """The match so far, without the tiles of its deals."""
    results = [
        Result(End(sheet["end"]), sheet["winner"], tuple(sheet["scores"]), (), (), sheet["counts"])
        for sheet in table["scores"]["deals"]
    ]
    rules, deals = rules_of_table(table), table["options"]["deals"]
    return Match(rules, deals, b"", 0, tuple(map(_counted, results)))


def _counted(result: Result) -> Result:
    scores = tuple(deal_points(result, seat) for seat in range(len(result.scores)))
    return result._replace(scores=scores, counts=True)


def _play(output: Output, url: str, date: str | None, over: _Over, token_file: str | None) -> int:
    """Play a day to its end, or to where the player leaves it, and show its table then."""
    texts, console = output.texts, Console()
    if token_file is None:
        raise Failure.of(texts, Exit.USAGE, "missing-parameter", parameter="--token-file")
    table = ""
    try:
        if not (path := Path(token_file)).exists():
            name = console.ask(f"{texts('page-your-name')} > ").strip()
            guest = asyncio.run(Client.as_guest(url, name))
            with with_file(token_file, texts):
                create(path, (guest.token or "").encode())
        client = client_of(url, token_file, texts)
        day = asyncio.run(_day(texts, client, date))
        if day.own is None or not day.own.finished:
            table, share = asyncio.run(client.begin_day(day))
            if share is not None:
                kept, before = _shares(token_file, texts)
                with with_file(str(kept), texts):
                    given = _Given(cast("views.NextDay", day.next).date, share)
                    write_seen(kept, [*before, given][-_KEPT:])
                console.say(texts("daily-shared"))
            with closing(_Line(client, table)) as line:
                ServedSeat(line, console, texts, color=output.colour).play()
    except PlayerLeft:
        if not table:
            return Exit.FAILED
        console.say(texts("daily-left"))
        return 0
    except KeyboardInterrupt:
        console.say("", *[texts("daily-left")] * bool(table))
        return Exit.INTERRUPTED
    return _show(output, client, day.date, over)


def _again(
    output: Output, client: Client, match: str, deal: int = 1, at: int = 0, bot: str = "greedy"
) -> int:
    """Play a deal again, to its end or to where the player leaves it: nothing of it is kept."""
    try:
        table = asyncio.run(answered(client, lambda who: who.again(match, deal - 1, at, bot)))
    except CommandRefused as error:
        if "number" in error.details:
            error.details["number"] = deal  # the server counts from 0
        raise
    with closing(_Line(client, table)) as line:
        seat = ServedSeat(line, Console(), output.texts, color=output.colour)
        try:
            with suppress(PlayerLeft):
                seat.play()
        finally:
            with suppress(OkeyError):  # the line has ended
                line.leave()
    return 0


_KEPT: Final = 100


class _Given(msgspec.Struct):
    """What was contributed from here, and to which day, whatever its digest is said to be later."""

    date: str
    share: views.Share


def _shares(token_file: str, texts: Texts) -> tuple[Path, list[_Given]]:
    """What was contributed from here to the days of a server, and the file beside the token."""
    path = Path(f"{token_file}.shares")
    with with_file(str(path), texts):
        return path, read_seen(path.read_bytes(), list[_Given]) if path.exists() else []


# Whether a day's deals are what was promised and mixed: by the server's log, the list of what was
# contributed, the secrets, and a record.


class _Evidence(NamedTuple):
    """What a server tells of a day; ``lines`` are those of its log about it, with their places."""

    day: views.DayAnswer
    mix: views.DayMix
    lines: list[tuple[int, str]]
    absent: list[str]
    record: Record | Literal[False] | None
    mine: list[views.Share]

    def checks(self) -> dict[str, State]:
        """What came of each check."""
        closed = self.day.secrets is not None
        deals = _holds(self._deals)
        given = [views.Share(self.mix.digest, share) for share in self.mix.shares]
        return {
            "promised": _state(self._told("day", self.day.digest) and not self.absent),
            "mixed": _state(_holds(self._mixed)),
            "mine": _state(all(s in given for s in self.mine)) if self.mine else State.UNKNOWN,
            "secrets": _state(_holds(self._opened)) if closed else State.UNKNOWN,
            "deals": State.UNKNOWN if deals is None else _state(deals),
        }

    def _told(self, word: str, digest: str) -> bool:
        """Whether the log says it of the day, and nothing else in its place."""
        begin = f"{word} {self.day.date} "
        return [line for _, line in self.lines if line.startswith(begin)] == [begin + digest]

    def _mixed(self) -> bool:
        given, date = self.mix.shares, self.day.date
        places = [place for place, _ in self.lines]
        return (
            self.mix.digest == self.day.digest
            and given == sorted({*given})
            and self.day.mixed == bool(given)
            and day_mix(date, self.day.digest, given) == self.mix.mix
            and self._told("mixed", self.mix.mix)
            and [line.partition(" ")[0] for _, line in self.lines] == ["day", "mixed"]
            and places == sorted(places)
        )

    def _opened(self) -> bool:
        where = day_context(self.day.date)
        found = [
            commitment(bytes.fromhex(secret), where, 1, number, 0)
            for number, secret in enumerate(self.day.secrets or ())
        ]
        return found == self.day.commitments

    def _deals(self) -> bool | None:
        """Whether the deals of the record are those that were promised and mixed."""
        if self.record is None or self.day.secrets is None:
            return None
        if not self.record:
            return False
        told = [deal.fair for deal in self.record.deals]
        fairs = [Fair.from_dict(dict(one)) for one in told if one is not None]
        nothing = ("",) * len(self.day.bots)
        bare = [replace(fair, commitments=nothing).transcript for fair in fairs]
        mix = self.mix.mix if self.mix.shares else ""
        given = tuple(mix if bot is None else "" for bot in self.day.bots)
        return (
            all(deal.verified for deal in verify_record(self.record).deals)
            and day_digest(self.day.date, bare) == self.day.digest
            and [fair.secret for fair in fairs] == self.day.secrets
            and all(fair.randomness == given for fair in fairs)
        )


def _holds(check: Callable[[], T]) -> T | Literal[False]:
    """What comes of a check; what can't even be read is not what was promised."""
    try:
        return check()
    except ValueError:  # OkeyError is one
        return False


def _state(holds: bool) -> State:
    return State.PROVED if holds else State.DIFFERS


async def _record(client: Client, date: str) -> Record | Literal[False] | None:
    """The record that a server gives of a closed day; False for one that can't even be read."""
    try:
        return await client.day_record(date)
    except RecordError:
        return False


async def _evidence(
    texts: Texts, client: Client, date: str | None, token_file: str | None
) -> _Evidence:
    day = await _day(texts, client, date)
    if day.challenge:
        raise Failure.of(texts, Exit.FAILED, "no-day")
    auditor = Auditor(client.url)
    auditor.watched = day.date
    await auditor.follow()
    absent = await auditor.missing(f"commitment {one}" for one in day.commitments)
    mine = [] if token_file is None else _shares(token_file, texts)[1]
    return _Evidence(
        day, await client.day_mix(day.date), auditor.noted, absent,
        None if day.secrets is None else await _record(client, day.date),
        [given.share for given in mine if given.date == day.date],
    )  # fmt: skip


def _verify(output: Output, client: Client, date: str | None, token_file: str | None) -> int:
    texts = output.texts
    found = asyncio.run(_evidence(texts, client, date, token_file))
    checks, count = found.checks(), len(found.mix.shares)
    answer = {"date": found.day.date, "shares": count}
    answer |= {name: state.value for name, state in checks.items()}
    if not output.as_json:
        title = printable(texts("daily-verify", date=found.day.date, count=count))
        output.lines([output.strong(title)])
        output.lines(
            f"{MARKS[state]} {texts(f'daily-verify-{name}', state=state.value)}"
            for name, state in checks.items()
        )
    wrong = [name for name, state in checks.items() if state is State.DIFFERS]
    if wrong:
        message = texts("error-day-differs", date=found.day.date)
        raise Failure(Exit.INVALID, "day-differs", message, checks=wrong)
    return output.tell(answer, list)
