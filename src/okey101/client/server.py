"""A server, and who one is there: guests, tokens, lists, and tables to join."""

from __future__ import annotations

import secrets
import ssl as tls
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, Self, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct

from okey101.client.calls import Calls
from okey101.client.errors import CommandRefused, client_error
from okey101.client.heads import Heads, newest
from okey101.client.line import Pace
from okey101.client.table import JoinedTable
from okey101.errors import OkeyError, checked
from okey101.game.record.form import Record, parse_record
from okey101.game.ruleset import RuleSet
from okey101.game.view import View
from okey101.review.deals import Decision
from okey101.review.puzzles import Theme
from okey101.server.protocol import views
from okey101.server.protocol.options import Applied, PlayBody, TableLine, TableOptions

T = TypeVar("T")

_UNTOLD: Final = ("no-server", "log-unproved")
_AWAY: Final = ("no-server", "not-okey101")
PROTOCOL: Final = 1
"""The version of the protocol that this client speaks."""


class _Version(Struct):
    protocol: int


class _Me(Struct):
    token: str | None = None
    __repr__ = object.__repr__


class PuzzleAnswer(Struct):
    """A position to solve, as its seat sees it, with its answer: ``decision``.

    ``rules``, ``deal`` and ``hand`` are plain data in the names of the protocol.
    """

    number: int
    theme: Theme
    rules: dict[str, str | int | bool]
    deal: dict[str, Any]
    hand: str
    decision: Decision

    @property
    def view(self) -> View:
        """The position as the library has it; RecordError for what this version doesn't know."""
        own = {"seat": self.deal["turn"], "hand": self.hand.replace("/", "")}
        return View.from_dict(self.deal | own, RuleSet.from_dict(self.rules))


def _quoted(word: str) -> str:
    return quote(checked(word, str, "text"), safe="")


def _path(*words: str) -> str:
    """An address from its parts, each quoted; OkeyError ``wrong-type`` for what is no text."""
    return "/".join(("/api", *map(_quoted, words)))


class Client:
    """A person at a server, known by a token; without a token only a watcher.

    The token is never part of an address or a ``repr``. ``heads`` is what was seen of servers'
    logs; with a path it is kept from run to run.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        ssl: tls.SSLContext | None = None,
        heads: Heads | None = None,
    ) -> None:
        """OkeyError ``bad-address``."""
        self._calls = Calls(url, ssl)
        self._ssl = ssl
        self.url = self._calls.url
        self.token = token
        self._heads = Heads() if heads is None else heads
        self._promised: set[str] = set()
        """Tables whose deals have to be promised, since they were made for that."""

    def __repr__(self) -> str:
        return f"<Client of {self.url}{'' if self.token is None else ' with a token'}>"

    @classmethod
    async def as_guest(
        cls, url: str, name: str, *, ssl: tls.SSLContext | None = None, heads: Heads | None = None
    ) -> Self:
        """Become a guest with a name of 2 to 20 characters; ``token`` lets you come back as it."""
        client = cls(url, ssl=ssl, heads=heads)
        await client.check_version()
        body = {"name": name, "bearer": True}
        me = await client._calls.call("POST", "/api/guests", _Me, body)
        client.token = me.token
        return client

    @property
    def headers(self) -> Mapping[str, str]:
        """What says who one is."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}

    async def check_version(self, *, again: bool = True) -> None:
        """OkeyError ``other-protocol`` for a server that speaks another version.

        Without ``again`` a server that does not answer is asked once.
        """
        theirs = (await self._calls.call("GET", "/version", _Version, again=again)).protocol
        if theirs != PROTOCOL:
            raise client_error("other-protocol", theirs=theirs, ours=PROTOCOL)

    async def compare_heads(self) -> bool | None:
        """Check the server's log against what was seen of it, and keep its newest head.

        True if the signature was checked as well, False without ``cryptography``. None if no
        server answers or nothing is known of its log, or if for less than a day or five tries it
        answers all but its head, or tells heads without proof. OkeyError as
        :func:`okey101.client.heads.newest` tells.
        """
        known = self._heads.of(self.url)
        try:
            found = await newest(self._calls, known, again=False)
        except OkeyError as error:
            if not isinstance(error, CommandRefused) and error.code not in _UNTOLD:
                raise
            away = error.code in _AWAY and not await self._answers()
            if away or not known.checkpoint or not self._heads.unproved(self.url):
                return None
            raise client_error("log-unproved", reason=error.code) from error
        self._heads.keep(self.url, found.seen)
        return found.signed

    async def _answers(self) -> bool:
        """Whether the server answers at all."""
        try:
            await self.check_version(again=False)
        except OkeyError as error:
            return error.code not in _AWAY
        return True

    async def tables(self) -> list[TableLine]:
        """The tables that are open to everybody."""
        return await self._ask("GET", "/api/tables", list[TableLine])

    async def create(self, options: TableOptions | None = None, **fields: object) -> str:
        """Open a table with these options, or fields of them; returns its id.

        The fields are those of :class:`okey101.client.TableOptions`, each with a default.
        """
        return self._known((await self._made("/api/tables", TableLine, options or fields)).id)

    async def against_bots(self, body: PlayBody | None = None, **fields: object) -> str:
        """Begin a match against bots at once; returns the table's id.

        The fields are those of :class:`okey101.client.PlayBody`, each with a default.
        """
        return self._known((await self._made("/api/play", Applied, body or fields)).table)

    def _known(self, table: str) -> str:
        self._promised.add(table)
        return table

    async def _made(self, path: str, answer: type[T], body: object) -> T:
        key = {"Idempotency-Key": secrets.token_hex(16)}
        return await self._ask("POST", path, answer, body, key)

    async def _ask(
        self, method: str, path: str, answer: type[T], body: object = None,
        more: Mapping[str, str] = MappingProxyType({}), *, once: bool = False,
    ) -> T:  # fmt: skip
        """What the server answers to whoever one is."""
        headers = {**self.headers, **more}
        return await self._calls.call(method, path, answer, body, headers=headers, once=once)

    async def quick(self) -> str:
        """Sit down at a quick table; returns its id."""
        return self._known((await self._ask("POST", "/api/quick", Applied)).table)

    async def days(self) -> list[views.DayAnswer]:
        """The days whose deals are played now, today's first."""
        return await self._ask("GET", "/api/days/", list[views.DayAnswer])

    async def challenge(self, bot: str = "neural") -> views.DayAnswer:
        """Make a challenge: four deals for whoever knows its ``date``, for three days."""
        return await self._ask("POST", "/api/days/", views.DayAnswer, {"bot": bot}, once=True)

    async def day(self, date: str) -> views.DayAnswer:
        """A day by its date, as ``2026-11-27``, one's own instance; CommandRefused ``no-day``."""
        return await self._ask("GET", _path("days", date), views.DayAnswer)

    async def play_day(self, date: str) -> str:
        """Begin one's try of a day, or go on with it; returns the table's id."""
        return (await self._ask("POST", _path("days", date, "play"), Applied)).table

    async def begin_day(self, day: views.DayAnswer) -> tuple[str, views.Share | None]:
        """The same with a contribution to the day after, where one is taken; None where not."""
        share = None
        if day.next is not None and day.own is None:
            share = views.Share(day.next.digest, secrets.token_hex(32))
        begun = await self._ask("POST", _path("days", day.date, "play"), views.DayBegun, share)
        return begun.table, share if begun.shared else None

    async def day_record(self, date: str) -> Record | None:
        """The best run of a closed day's instance, of those among the first hundred of the day that
        the server has, with what its deals came from; None where there is none.
        """
        for line in (await self.day_table(date)).lines:
            if line.date != date or line.match is None:
                continue
            path = f"/api/matches/{line.match}"
            try:
                await self._ask("GET", path, dict[str, object])  # it is made now
            except CommandRefused as error:
                if error.code != "no-match":
                    raise
                continue  # a try's comes a moment later, a bot's of another version never
            told = await self._ask("GET", f"{path}/record", dict[str, object])
            return parse_record(msgspec.json.encode(told))
        return None

    async def day_mix(self, date: str) -> views.DayMix:
        """What was contributed to a day; CommandRefused ``no-day`` before it begins."""
        return await self._ask("GET", _path("days", date, "mix"), views.DayMix)

    async def day_table(self, date: str, first: int = 0) -> views.DayTable:
        """The table of a day, a hundred lines from ``first`` on, which counts from 0.

        CommandRefused ``day-unplayed`` before one has played it.
        """
        path = _path("days", date, "table")
        return await self._ask("GET", f"{path}?first={first}", views.DayTable)

    async def day_totals(
        self, date: str, over: Literal["week", "month"] = "week"
    ) -> views.DayTotals:
        """The table of the week or the month around a day."""
        path = _path("days", date, "totals")
        return await self._ask("GET", f"{path}?over={over}", views.DayTotals)

    async def ladder(self, season: str | None = None) -> views.Ladder:
        """The ladder of a season, as ``2026-4``, or of the one that runs; CommandRefused
        ``no-season``.
        """
        path = "/api/ladder" if season is None else f"/api/ladder?season={_quoted(season)}"
        return await self._ask("GET", path, views.Ladder)

    async def profile(self, name: str | None = None) -> views.Profile:
        """One's own profile, or that of an account by its name; CommandRefused ``not-account`` for
        a guest's, and ``no-profile`` where there is none to be seen.
        """
        path = "/api/me/profile" if name is None else _path("profiles", name)
        return await self._ask("GET", path, views.Profile)

    async def luck(self) -> views.LuckTable:
        """The unluckiest of the week, among those whose profile one may see."""
        return await self._ask("GET", "/api/luck", views.LuckTable)

    async def puzzles(self, rules: str | None = None) -> dict[Theme, list[int]]:
        """The numbers of the positions to solve by what they are about, all or under a rule set.

        CommandRefused ``unknown-preset``.
        """
        path = "/api/puzzles" if rules is None else f"/api/puzzles?rules={_quoted(rules)}"
        return (await self._ask("GET", path, views.PuzzlesAnswer)).themes

    async def puzzle(self, number: int) -> PuzzleAnswer:
        """A position to solve, with its answer; CommandRefused ``no-such-puzzle``."""
        return await self._ask("GET", _path("puzzles", str(number)), PuzzleAnswer)

    async def answer_puzzle(self, number: int, action: str) -> views.PuzzleRated:
        """Answer a position with an action, as ``discard R5``: what it and oneself are rated then.

        One's first answer to each is rated. CommandRefused ``no-such-puzzle``, and those of
        :func:`okey101.game.actions.parse_action`.
        """
        path, body = _path("puzzles", str(number), "answer"), {"action": action}
        return await self._ask("POST", path, views.PuzzleRated, body)

    async def again(self, match: str, deal: int, at: int = 0, bot: str = "greedy") -> str:
        """Play a deal of one's own match again, from the action ``at`` on; returns the table's id.

        Both count from 0. CommandRefused ``not-seated``, ``no-deal-number``, ``out-of-range``,
        ``unknown-bot``.
        """
        path, body = _path("matches", match, "deals", str(deal), "again"), {"at": at, "bot": bot}
        return (await self._ask("POST", path, Applied, body, once=True)).table

    async def review(self, match: str) -> views.ReviewAnswer:
        """What there is of a finished match's review; CommandRefused ``no-match``."""
        return await self._ask("GET", _path("matches", match, "review"), views.ReviewAnswer)

    async def ask_review(self, match: str) -> views.ReviewAnswer:
        """Have a finished match reviewed, unless it was; :meth:`review` tells what comes of it.

        CommandRefused ``no-match``, ``no-reviews``, ``reviews-busy``.
        """
        return await self._ask("POST", _path("matches", match, "review"), views.ReviewAnswer)

    async def friends(self) -> views.Friends:
        """One's friends, who asks to be one, who is asked, who was met, and who is blocked."""
        return await self._ask("GET", "/api/friends", views.Friends)

    async def befriend(self, user: str | None = None, *, name: str | None = None) -> None:
        """Ask a person by id, or an account by name, to be a friend, or agree to who has asked.

        CommandRefused ``no-user``, ``friend-self``, ``too-many-friends``.
        """
        await self._ask("POST", "/api/friends", type(None), {"user": user, "name": name})

    async def part(self, user: str) -> None:
        """Be no friends any more, withdraw what one has asked, or refuse who has asked."""
        await self._ask("DELETE", _path("friends", user), type(None))

    async def block(self, user: str) -> None:
        """Keep apart from a person, who is not told; CommandRefused ``no-user``, ``mute-self``,
        ``too-many-mutes``.
        """
        await self._ask("POST", "/api/blocks", type(None), {"user": user})

    async def unblock(self, user: str) -> None:
        """Block a person no more."""
        await self._ask("DELETE", _path("blocks", user), type(None))

    async def call(self, table: str, user: str) -> None:
        """Call a friend to a table where one sits, for as long as one sits there.

        CommandRefused ``not-friend``, ``not-seated``, ``too-many-invitations``.
        """
        await self._ask("PUT", _path("tables", table, "invitations", user), type(None))

    async def waiting(self) -> list[views.Waiting]:
        """The tables where somebody waits for oneself: friends who call, families that sit."""
        return await self._ask("GET", "/api/me/waiting", list[views.Waiting])

    async def families(self) -> list[views.FamilyLine]:
        """The family tables where one is a regular."""
        return await self._ask("GET", "/api/families", list[views.FamilyLine])

    async def make_family(
        self, name: str, options: TableOptions | None = None
    ) -> views.FamilyAnswer:
        """A family table of one's own; CommandRefused ``not-account``, ``too-many-families``."""
        body = {"name": name, "options": options or TableOptions()}
        return await self._ask("POST", "/api/families", views.FamilyAnswer, body, once=True)

    async def family(self, link: str) -> views.FamilyAnswer:
        """The family table of a link; CommandRefused ``no-family``."""
        return await self._ask("GET", _path("families", link), views.FamilyAnswer)

    async def change_family(
        self, link: str, *,
        name: str | None = None, options: TableOptions | None = None, fresh: bool = False,
    ) -> views.FamilyAnswer:  # fmt: skip
        """Change the name or the rules of one's family table, or with ``fresh`` its link."""
        body = {"name": name, "options": options, "fresh": fresh}
        return await self._ask("PATCH", _path("families", link), views.FamilyAnswer, body)

    async def end_family(self, link: str) -> None:
        """End one's family table; matches stay."""
        await self._ask("DELETE", _path("families", link), type(None))

    async def leave_family(self, link: str, user: str) -> None:
        """Have a person be no regular any more: oneself, or of one's own family table another."""
        await self._ask("DELETE", _path("families", link, "regulars", user), type(None))

    async def sit_with_family(self, link: str) -> str:
        """Sit down at a family's table, opened where there is none; returns the table's id."""
        return self._known((await self._ask("POST", _path("families", link, "sit"), Applied)).table)

    async def check_ends(self, table: JoinedTable) -> None:
        """Check the deals that a table has ``unchecked``, by the records of their matches.

        Ended ``unfair-deal`` as at the table; CommandRefused ``no-match`` before the match is over.
        """
        for match, deal in table.unchecked:
            path = _path("matches", f"{table.id}-{match}", "record")
            told = await self._ask("GET", path, dict[str, object])
            table.check_end(match, deal, parse_record(msgspec.json.encode(told)))

    async def invitations(self) -> list[views.Invited]:
        """For a bot account: the seats that wait for it, the latest first."""
        return await self._ask("GET", "/api/me/invitations", list[views.Invited])

    async def decline(self, table: str) -> None:
        """Decline a table's invitation or a friend's call; CommandRefused if there is none."""
        await self._ask("DELETE", _path("me", "invitations", table), type(None))

    def join(
        self,
        table: str,
        *,
        attends: bool = True,
        options: bool = False,
        pace: Pace = Pace(),  # noqa: B008  # it never changes
    ) -> JoinedTable:
        """A line to a table, opened by ``async with``; call ``sit`` to get a seat there.

        First comes :meth:`compare_heads`: a log that was changed opens no line.
        With ``options`` the server sends what may be done as well; a :class:`Turn` needs it not.
        """
        return JoinedTable(
            self.url, _quoted(table), self.headers, attends=attends, options=options,
            pace=pace, ssl=self._ssl, first=self.compare_heads, promised=table in self._promised,
        )  # fmt: skip
