"""Moments of real matches, kept so that they can be shown to a page as often as needed."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import WebSocketRoute

from conftest import aside, unwrap
from okey101 import play_deal
from okey101.errors import IllegalAction
from okey101.game import Deal, record_of
from okey101.server.files.data_dir import open_folder
from okey101.server.net.close_codes import CLOSE_RESTART
from okey101.server.ops.logs import utc_ms
from okey101.server.people import days
from okey101.server.people.day_tries import DayOfDeals, begins_ms, date_at
from okey101.server.people.families import family_options
from okey101.server.people.models import MatchSeat
from okey101.server.people.profile import deeds_of, found_of
from okey101.server.protocol import TableOptions
from okey101.server.protocol.client_messages import Ask, Hello, Logged, read_message
from okey101.server.protocol.views import Called
from okey101.server.tables import serialise
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.queries import answer
from okey101.server.tables.reduce import applied
from okey101.server.tables.state import changed
from page.visitors import Visitor
from server.accounts.people import DAY, account, save, with_accounts
from server.accounts.test_profile import balance, reviewed
from server.clients import Client
from server.live import Json, LiveServer, guest
from server.model import Model
from server.tables.table_stories import at_table
from server.web.parties import started

LONG_NAMES = (
    "Şahmeran Gülbahçelii",
    "Wilhelmina Oğuzkağan",
    "Mükerrem Demirağaçlı",
    "WWWWWWWWWWWWWWWWWWWW",
)
"""Names as long as allowed, one of them as wide as possible."""
CROWD = (
    "Ayşe Yılmaz", "Barış Demir", "Cem Kaya", "Deniz Öztürk", "Elif Şahin", "Fikret Bey",
    "Gülbahçe Teyze", "Hüseyin Usta", "Wilhelmina Oğuzkağan",
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """What a server told one seat at one moment: a view, and what followed until then."""

    view: Json

    def show(self, visitor: Visitor) -> Stage:
        """Open the table in a window whose socket tells this and nothing else.

        Who sits there while a deal runs sees the rack when this returns.
        """
        view = self.view | {"at": int(time.time() * 1000)}
        if view["table"]["deadline"] is not None:
            view = view | {"table": view["table"] | {"deadline": view["at"] + 25_000}}
        stage = Stage(view)
        visitor.page.route_web_socket(re.compile(r"/ws/"), stage.take)
        visitor.go(f"/t/{view['table']['id']}")
        visitor.until(lambda: stage.socket is not None, "the socket")
        if view["you"] and not view["deal"].get("end"):
            visitor.page.get_by_role("grid").wait_for()
        return stage


class Stage:
    """The server's end of a socket that a test speaks through."""

    def __init__(self, view: Json) -> None:
        self.view = view
        self.socket: WebSocketRoute | None = None
        self.heard: list[Json] = []
        self.silent = False

    def take(self, socket: WebSocketRoute) -> None:
        def answer(text: str | bytes) -> None:
            message = json.loads(text)
            self.heard.append(message)
            if self.silent:
                return
            if message["type"] == "hello":
                self.socket = socket
                socket.send(json.dumps(self.view))
            elif message["type"] == "ping":
                pong = {"type": "pong", "n": message.get("n", 0), "at": int(time.time() * 1000)}
                socket.send(json.dumps(pong))
            elif message["type"] == "ask" and message["what"] == "options":
                socket.send(json.dumps(self._options(message["rid"])))
            elif message["type"] == "ask" and message["what"] == "hint":
                socket.send(json.dumps(self._hint(message["rid"])))

        socket.on_message(answer)

    def _options(self, rid: str) -> Json:
        """What may be laid: a page that gets no answer says so, which takes room."""
        you = self.view["you"]
        options = (you and you.get("options")) or {}
        opening = options.get("opening") or {}
        needs = {name: opening[name] for name in ("need_points", "need_pairs") if name in opening}
        return {
            "type": "answer", "rid": rid, "what": "options", "opening": needs or None,
            "kinds": ["melds", "pairs"],
        }  # fmt: skip

    def _hint(self, rid: str) -> Json:
        """What is advised, with as many words as there ever are."""
        tile = self.view["you"]["hand"].split()[-1]
        reason = {"code": "too-late", "tile": tile, "points": 101, "need": 101, "safe": True}
        action = f"discard {tile}"
        return {"type": "answer", "rid": rid, "what": "hint", "action": action, "reason": reason}

    def tell(self, **message: Any) -> None:
        unwrap(self.socket).send(json.dumps(message))

    def leave(self, code: int = CLOSE_RESTART, reason: str = "") -> None:
        """End the connection, and answer no other."""
        self.silent = True
        unwrap(self.socket).close(code=code, reason=reason)


class Laid(Stage):
    """A deal laid out by hand: seat 0 asks and plays, and the server's own code answers.

    ``assisted`` false: at a table where the server lists no lay-offs.
    """

    def __init__(self, deal: Deal, *, assisted: bool = True) -> None:
        state = at_table(deal)
        self.state = changed(state, options=replace(state.options, assisted=assisted))
        self.model: Model | None = None
        super().__init__({})

    def show(self, visitor: Visitor) -> Laid:
        """Open the table in a window whose socket ends here."""
        visitor.page.route_web_socket(re.compile(r"/ws/"), self.take)
        self.model = visitor.model
        visitor.go(f"/t/{self.state.table}")
        visitor.page.get_by_role("grid").wait_for()
        return self

    def take(self, socket: WebSocketRoute) -> None:
        self.socket = socket

        def heard(text: str | bytes) -> None:
            message = read_message(text)
            self.heard.append(json.loads(text))
            if isinstance(message, Hello):
                self._view()
            elif isinstance(message, Ask):
                found = answer(self.state, "u0", message)
                self._send({"type": "answer", "rid": message.rid, "what": message.what} | found)
            elif isinstance(message, Logged):
                self._do(message)

        socket.on_message(heard)

    def show_deal(self, deal: Deal) -> None:
        """Go on with another moment of the deal."""
        self.state = changed(self.state, deal=deal, seq=self.state.seq + 1)
        self._view()

    def _do(self, message: Logged) -> None:
        if self.state.known("u0", message.rid) is None:
            try:
                entry = entry_for(self.state, "u0", message)
                self.state = applied(self.state, entry, self.state.at_ms)[1]
            except IllegalAction as error:
                self._send(
                    {
                        "type": "error", "rid": message.rid, "code": error.code,
                        "rule": error.rule, "message": error.message, "details": error.details,
                    }
                )  # fmt: skip
                return
            self._view()
        self._send({"type": "ack", "rid": message.rid, "seq": self.state.seq})

    def _view(self) -> None:
        state = self.state
        view: Json = {
            "type": "view", "seq": state.seq, "at": int(time.time() * 1000),
            "table": serialise.table_view(state, lambda user: Called(user.upper())),
            "deal": serialise.deal_view(state),
            "you": serialise.you(state, 0, serialise.options_for(state, 0)),
            "here": [True] * len(state.seats),
        }  # fmt: skip
        self._send(view)
        if self.model is not None:  # what passes here is not seen on the window's own sockets
            self.model.take(json.loads(serialise.encode(view)))

    def _send(self, message: object) -> None:
        unwrap(self.socket).send(serialise.encode(message).decode())


def _many_melds(client: Client) -> bool:
    deal, options = client.model.deal, client.model.options
    if client.model.stage != "playing" or deal is None or options is None:
        return False
    return len(deal["groups"]) >= 7 and not options["draw"] and bool(options["discards"])


def _deal_over(client: Client) -> bool:
    deal = client.model.deal
    return (
        deal is not None
        and bool(deal.get("end"))
        and len(client.model.table["scores"]["deals"]) > 1
    )


def _over(client: Client) -> bool:
    return client.model.stage == "over"


async def _found(
    server: LiveServer, wanted: Callable[[Client], bool], names: tuple[str, ...], options: Json
) -> Json:
    async with server.http() as http:
        people = [await guest(http, name) for name in names]
    async with started(server, people, seed=3, **options) as clients:
        first, *others = clients
        playing = [asyncio.create_task(client.play_on()) for client in others]
        try:
            await first.play_on(wanted)
            assert wanted(first), "the match ended before"
            model = first.model
            return {
                "type": "view", "seq": model.seq, "at": model.at, "table": model.table,
                "deal": model.deal, "you": model.you, "here": [True] * len(names),
            }  # fmt: skip
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


@cache
def scene(
    server: LiveServer,
    wanted: Callable[[Client], bool],
    names: tuple[str, ...] = LONG_NAMES,
    deals: int = 50,
    teams: bool = False,
) -> Scene:
    """Play until the first person sees what is wanted; the sockets run in a thread of their own."""
    rules = {
        "preset": "altinstar", "players": len(names), "open_points": 51, "open_pairs": 4,
        "teams": teams,
    }  # fmt: skip
    options: Json = {"deals": deals, "clock": 30, "rules": rules}
    return Scene(aside(asyncio.run, _found(server, wanted, names, options)))


def mid_deal(
    server: LiveServer,
    players: int = 4,
    *,
    teams: bool = False,
    names: tuple[str, ...] = LONG_NAMES,
) -> Scene:
    """One's own turn with many melds on the table, the tile drawn."""
    return scene(server, _many_melds, names[:players], teams=teams)


def dealing(server: LiveServer, names: tuple[str, ...] = LONG_NAMES) -> Scene:
    """Between two deals, the score sheet shown."""
    return scene(server, _deal_over, names)


def over(server: LiveServer, names: tuple[str, ...] = LONG_NAMES) -> Scene:
    return scene(server, _over, names, deals=1)


def before_opening(view: Json) -> Json:
    """The same moment on a felt without melds, where nobody has opened."""
    deal = view["deal"]
    actions = [line for line in deal["actions"] if line[3:].split()[0] not in ("meld", "lay")]
    return view | {"deal": deal | {"groups": [], "opened": [None] * 4, "actions": actions}}


def opening(view: Json) -> Json:
    """What is told when the left player opens with three melds."""
    seat = (view["you"]["seat"] + 3) % 4
    melds = ("R11 R12 R13", "Y11 Y12 Y13", "B10 B11 B12 B13")
    groups = [{"form": "run", "tiles": tiles, "owner": seat} for tiles in melds]
    opened = ["melds" if n == seat else None for n in range(4)]
    return {
        "type": "event", "seq": view["seq"] + 1, "at": int(time.time() * 1000),
        "what": {
            "kind": "act", "seat": seat, "actions": [f"meld {' / '.join(melds)}"], "by": "person",
        },
        "deal": {"groups": groups, "opened": opened},
    }  # fmt: skip


def finished(view: Json, end: str = "finish") -> Json:
    """What is told when the left player finishes, which ends the match; or by its last discard."""
    seat = (view["you"]["seat"] + 3) % 4
    winner = seat if end == "finish" else None
    sheet: list[Json] = [
        {"seat": n, "base": 20, "factors": [], "fines": 0, "total": -101 if n == seat else 20}
        for n in range(4)
    ]
    result = {
        "end": end, "winner": winner, "scores": [line["total"] for line in sheet],
        "fines": [], "sheet": sheet, "counts": True,
    }  # fmt: skip
    deals = [{"winner": winner, "sheet": sheet, "fines": []}]
    scores = view["table"]["scores"] | {
        "deals": deals, "counted": 1, "totals": result["scores"],
        "places": [1 if n == seat else 2 for n in range(4)],
    }  # fmt: skip
    hands = ["" if n == seat else view["you"]["hand"] for n in range(4)]
    return {
        "type": "event", "seq": view["seq"] + 1, "at": int(time.time() * 1000),
        "what": {"kind": "act", "seat": seat, "actions": ["discard Y9"], "by": "person"},
        "deal": {"result": result, "end": {"hands": hands}},
        "table": {"stage": "over", "scores": scores},
    }  # fmt: skip


def played_out(visitor: Visitor, table: str) -> None:
    """Play a match in the visitor's name to its end, while the page looks on."""
    person = visitor.person

    async def play() -> None:
        async with Client(visitor.server, table, person) as client:
            await client.play_on()

    aside(asyncio.run, play())


def finished_match(visitor: Visitor, deals: int = 2) -> str:
    """Play a match in the visitor's name, without the page; returns the match's id."""
    person = visitor.person

    async def play() -> str:
        async with visitor.server.http(person) as http:
            body = {"deals": deals, "clock": 0, "bot": "greedy"}
            table = (await http.post("/api/play", json=body)).json()["table"]
            async with Client(visitor.server, table, person) as client:
                await client.play_on()
            for _ in range(200):
                found = (await http.get("/api/matches/")).json()
                if found:
                    return str(found[0]["id"])
                await asyncio.sleep(0.05)
        raise AssertionError("the match is not in the list")

    return aside(asyncio.run, play())


async def _people(data: Path) -> str:
    now, rng = utc_ms(), random.Random(1)
    deals = [play_deal("altinstar", ["steady", "greedy", "novice", "novice"], seed=n)
             for n in range(3)]  # fmt: skip
    rules, deeds = deals[0].rules, deeds_of(deals[0].rules, deals)
    scores = [unwrap(deal.result).scores for deal in deals]
    totals = [sum(each) for each in zip(*scores, strict=True)]
    record = record_of(rules, deals, deals_agreed=3).to_json().encode()
    async with with_accounts(open_folder(data).path) as accounts:
        ties = accounts.ties
        ids = [(await account(accounts, name))[0] for name in CROWD]
        for user in ids:
            await accounts.change(user, public=True, shown=True)
        mine, *others = ids
        for one, other in [(mine, user) for user in others[:5]] + [
            (user, mine) for user in others[2:6]
        ]:
            await ties.befriend(one, other)
        await ties.shun(mine, others[6], "block")
        for number in range(14):
            pair = [others[number % 4], others[4 + number % 3]]
            seats = [MatchSeat(mine), *map(MatchSeat, pair), MatchSeat(bot="steady")]
            shift = number % 3
            match = await save(
                accounts, number, *seats, at=now - (14 - number) * 3_600_000, deals=3,
                totals=totals[shift:] + totals[:shift], record=record, deeds=deeds,
            )  # fmt: skip
            luck = rng.sample(range(-300, 300), 6)
            reviews = [
                (n, balance(luck[n], luck[-n], rng.randrange(-60, 160), rng.randrange(-101, 200)))
                for n in range(3)
            ]
            await accounts.save_review(match, 3, b"{}", found_of(reviewed(*reviews)))
        options = TableOptions(rules={"preset": "altinstar"}, bots=(None, *["greedy"] * 3))
        link = await accounts.families.make(mine, "Bizim Aile", family_options(options))
        family = await accounts.families.family(link, mine)
        await accounts.families.open(family.id, 1, "t_x")
        for user in others[:3]:
            await accounts.families.come(family.id, user)
        date = date_at(now)
        begins, day = begins_ms(date), days.day_options()
        secrets = tuple(rng.randbytes(32).hex() for _ in range(4))
        times = begins, begins + DAY, begins + DAY * 3 // 2
        made = DayOfDeals(date, begins - DAY, *times, secrets, day, "")
        await accounts.days.keep([made._replace(digest=days.Promised(made).digest)])

        def points() -> list[int]:
            return [rng.randrange(-101, 300) for _ in range(4)]

        await accounts.days.add_bots(date, [points() for _ in range(16)], now)
        for user in ids[:6]:
            await accounts.days.begin(date, user, f"t_{user}", now, ranked=True)
            await accounts.days.finish(f"t_{user}", points(), now)
    return link


def people(data: Path) -> str:
    """Fill a server's folder with somebody who has friends, matches, a family and today's deals
    behind, all under the password ``PASSWORD``; the link of the family.
    """
    return aside(asyncio.run, _people(data))
