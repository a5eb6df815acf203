"""What is shut out leaves nothing behind, and what costs much is done apart from the loop."""

import asyncio
import json
import threading
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import Patch, unwrap
from okey101.game import Deal, parse_record, position_of, view_of
from okey101.review.puzzles import puzzle, puzzles_about
from okey101.server.hub import Hub
from okey101.server.net.close_codes import CLOSE_SIGNED_OUT
from okey101.server.ops.logs import utc_ms
from okey101.server.protocol.options import checked_options
from okey101.server.protocol.views import Called
from okey101.server.web import lobby, page
from okey101.server.web.auth import session_of
from server.accounts.people import BOTS, save
from server.live import GENEROUS, Http, Json, Person, asking, guest, in_process, over_a_socket
from server.server_stories import table_options
from server.test_hub import Player
from server.web.parties import PASSWORD, account, code_of, new_table
from server.web.test_limits_live import RECORD, statuses


async def tables_of(http: Http, who: Person) -> list[str]:
    found: list[str] = (await http.get("/api/me", headers=who.headers)).json()["tables"]
    return found


async def login_of(http: Http, name: str) -> Json:
    await account(http, name)
    return {"name": name, "password": PASSWORD, "bearer": True}


async def test_a_wrong_password_costs_no_seat(http: Http, admin: Http) -> None:
    who = await guest(http, "Şifresiz")
    body = await login_of(http, "Şifreli")
    table = await new_table(http, who)
    wrong = body | {"password": "yanlış parola"}
    answer = await http.post("/api/login", json=wrong, headers=who.headers)
    assert code_of(answer, 401) == "bad-login"
    assert await tables_of(http, who) == [table]
    mine = Person("", "", (await http.post("/api/login", json=body)).json()["token"])
    user = (await http.get("/api/me", headers=mine.headers)).json()["id"]
    await admin.post(f"/api/admin/users/{user}/ban", json={})
    assert code_of(await http.post("/api/login", json=body, headers=who.headers), 403) == "banned"
    assert await tables_of(http, who) == [table]
    await admin.post(f"/api/admin/users/{user}/unban", json={})
    assert (await http.post("/api/login", json=body, headers=who.headers)).status_code == 200
    shown = (await http.get(f"/api/tables/{table}", headers=mine.headers)).json()
    assert [seat["name"] for seat in shown["table"]["seats"]] == [None] * 4


async def test_a_guest_who_signs_in_begins_nothing_meanwhile(http: Http) -> None:
    """Either the match is there first and the login is refused, or there is no match."""
    body = await login_of(http, "Giren")
    for number in range(6):
        who = await guest(http, f"Aceleci {number}")

        async def late(who: Person = who, wait: float = number * 0.01) -> httpx.Response:
            await asyncio.sleep(wait)
            return await http.post("/api/play", json={"deals": 1}, headers=who.headers)

        login, play = await asyncio.gather(
            http.post("/api/login", json=body, headers=who.headers), late()
        )
        if play.status_code == 201:
            assert code_of(login, 409) == "in-match"
            table = play.json()["table"]
            assert await tables_of(http, who) == [table]
        else:
            assert login.status_code == 200
            assert play.json()["error"]["code"] in ("accounts-busy", "unauthorised")


async def test_nobody_is_left_at_a_table_who_is_deleted_or_banned(http: Http, admin: Http) -> None:
    for number in range(16):
        who = await guest(http, f"Giden {number}")

        async def make(who: Person = who, wait: float = number * 0.001) -> httpx.Response:
            await asyncio.sleep(wait)
            return await http.post("/api/tables", json={}, headers=who.headers)

        if number % 2:
            ends = http.delete("/api/me", headers=who.headers)
        else:
            ends = admin.post(f"/api/admin/users/{who.id}/ban", json={})
        ended, made = await asyncio.gather(ends, make())
        assert ended.status_code == 204
        codes = ("accounts-busy", "unauthorised", "banned")
        assert made.status_code == 201 or made.json()["error"]["code"] in codes
        for table in (await admin.get("/api/admin/tables")).json():
            assert who.id not in [seat["user"] for seat in table["seats"]]


async def test_with_an_account_go_its_guest_s_name_and_a_bot_that_comes_back_at_once(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    async with in_process(tmp_path, **GENEROUS, bot_accounts="on") as app, asking(app) as http:
        hub: Hub = app.state.hub
        who = await guest(http, "Eski")
        body = await login_of(http, "Giren")
        token = (await http.post("/api/login", json=body, headers=who.headers)).json()["token"]
        assert hub.names.name(who.id) == "Giren"
        await http.delete("/api/me", headers={"Authorization": f"Bearer {token}"})
        assert hub.names[who.id] == Called()
        who = await account(http, "Sahip")
        bot = (await http.post("/api/me/bots", json={"name": "Inat"}, headers=who.headers)).json()
        real = hub.accounts.delete

        async def delete(user: str) -> list[str]:
            async with asking(app, bot["token"]) as again:
                assert (await again.post("/api/play", json={})).status_code == 201
            return await real(user)

        monkeypatch.setattr(hub.accounts, "delete", delete)
        assert (await http.delete("/api/me", headers=who.headers)).status_code == 204
        assert hub.tables.of(bot["id"]) == []


@pytest.mark.parametrize("late", ["shunned", "get"])
async def test_who_is_shut_out_takes_no_seat(tmp_path: Path, monkeypatch: Patch, late: str) -> None:
    """The seat stays with the socket of the session that goes on."""
    async with in_process(tmp_path, **GENEROUS) as app, asking(app) as http:
        hub: Hub = app.state.hub
        body = await login_of(http, "Ali")
        token = (await http.post("/api/login", json=body)).json()["token"]
        ended = unwrap(await session_of(hub, token))
        user = ended.user.id
        table = await hub.tables.create(user, checked_options(table_options()))
        good = Player(user)
        table.attach(good)
        where: Any = {"shunned": hub.accounts.ties, "get": hub.tables}[late]
        real = getattr(where, late)

        async def slow(asked: str) -> object:
            await hub.accounts.end_session(user, ended.id)
            hub.connections.close(user, "signed-out", only=ended.id)
            return await real(asked)

        monkeypatch.setattr(where, late, slow)
        bye, closed = await over_a_socket(app, table.state.table, token, [])
        assert table.audience.seated[user] is good
        assert json.loads(bye) == {"type": "bye", "code": "signed-out"}
        assert closed == repr((CLOSE_SIGNED_OUT, "signed-out")).encode()


AT_ONCE = 40
"""How many deals and records one address may ask for at once."""
REPLAYS = "okey101-replays"


@asynccontextmanager
async def served(data: Path) -> AsyncGenerator[tuple[Hub, Http]]:
    async with in_process(data, **GENEROUS) as app, asking(app) as http:
        yield app.state.hub, http


class Watched:
    """What a function did: how often it was called, and on which threads."""

    def __init__(self, patch: Patch, where: Any, name: str) -> None:
        self.threads: list[str] = []
        self._real: Callable[..., object] = getattr(where, name)
        patch.setattr(where, name, self._called)

    def _called(self, *args: object, **options: object) -> object:
        self.threads.append(threading.current_thread().name)
        return self._real(*args, **options)


async def kept_match(hub: Hub, *, shown_ms: int = 0) -> str:
    """The address of a match that bots have played."""
    kept = RECORD.read_bytes()
    key = await save(
        hub.accounts, 1, *BOTS, table_id=f"kept{shown_ms}", deals=3, record=kept, shown_ms=shown_ms
    )
    return f"/api/matches/{key}"


async def test_the_record_at_a_table(tmp_path: Path, monkeypatch: Patch) -> None:
    """Written off the event loop, and only so often for each address; a refusal costs nothing."""
    written = Watched(monkeypatch, lobby, "match_record")
    async with served(tmp_path) as (hub, http):
        who = await guest(http)
        options = checked_options(table_options(spectators="off", late=False))
        hidden = await hub.tables.create(who.id, options)
        path = f"/api/tables/{hidden.state.table}/record"
        assert set(await statuses(http, path, 2 * AT_ONCE)) == {403}
        assert code_of(await http.get(path)) == "spectators-off"
        assert (await http.get(path, headers=who.headers)).status_code == 200
        written.threads.clear()
        table = await hub.tables.create(who.id, checked_options(table_options(people=2, players=2)))
        path = f"/api/tables/{table.state.table}/record"
        answer = await http.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert parse_record(answer.text).players is not None
        assert all(name.startswith(REPLAYS) for name in written.threads)
        found = Counter(await statuses(http, path, 2 * AT_ONCE))
        assert set(found) == {200, 429}
        assert 0 < found[429] <= AT_ONCE + 2
        assert len(written.threads) == 1 + found[200]


async def test_what_is_told_of_rules_and_positions(tmp_path: Path, monkeypatch: Patch) -> None:
    """Each preset in each language is put into words once; a position as far as it tells."""
    told = Watched(monkeypatch, page, "rules_text")
    deal = Deal.start("pagat", seed=7).apply("discard K8")
    async with served(tmp_path) as (_, http):
        texts: set[str] = set()
        for _ in range(3):
            for preset in ("pagat", "wiki"):
                for language in ("tr", "en"):
                    answer = await http.get(f"/api/rules/{preset}?language={language}")
                    assert answer.status_code == 200
                    assert answer.json()["preset"] == preset
                    texts.add(answer.text)
        assert len(texts) == 4
        assert len(told.threads) <= 4
        code_of(await http.get("/api/rules/none"), 400)

        async def ask(text: str) -> httpx.Response:
            return await http.post("/api/position", json={"text": text})

        shown: list[list[str | None]] = []
        for position in (deal, view_of(deal, 1), view_of(deal, None)):
            answer = (await ask(position_of(position))).json()
            assert answer["deal"]["discards"] == ["", "K8", "", ""]
            assert answer["deal"]["turn"] == 2
            shown.append(answer["hands"])
        everything = [str(deal.rack(seat)) for seat in range(4)]
        assert shown == [everything, [None, everything[1], None, None], [None] * 4]
        assert code_of(await ask("deal; paget"), 400) == "bad-position"
        assert code_of(await ask("d" * 4_001), 400) == "bad-request"


async def test_a_match_is_looked_up_without_its_record(tmp_path: Path, monkeypatch: Patch) -> None:
    async with served(tmp_path) as (hub, http):
        path, hidden = await kept_match(hub), await kept_match(hub, shown_ms=utc_ms() * 2)
        unpacked = Watched(monkeypatch, zlib, "decompress")
        assert (await http.get(path)).json()["deals"] == 3
        missing = await http.get("/api/matches/none/record")
        for rest in ("", "/record", "/deals/0"):
            answer = await http.get(hidden + rest)
            assert code_of(answer, 404) == "no-match"
            assert answer.json() == missing.json()
        assert code_of(await http.get(f"{path}/deals/3"), 404) == "no-deal-number"
        assert unpacked.threads == []


@pytest.mark.parametrize("rest", ["/record", "/deals/0"])
async def test_a_record_too_many_is_not_unpacked(
    tmp_path: Path, monkeypatch: Patch, rest: str
) -> None:
    """And ``no-match`` as an answer takes nothing from the allowance."""
    async with served(tmp_path) as (hub, http):
        path, hidden = await kept_match(hub), await kept_match(hub, shown_ms=utc_ms() * 2)
        for none in (hidden, "/api/matches/none"):
            assert set(await statuses(http, none + rest, AT_ONCE)) == {404}
        unpacked = Watched(monkeypatch, zlib, "decompress")
        found = Counter(await statuses(http, path + rest, 2 * AT_ONCE))
        assert found[200] >= AT_ONCE
        assert found[429] > 0
        assert len(unpacked.threads) == found[200]


async def test_positions_to_solve_come_with_their_answers(tmp_path: Path) -> None:
    async with served(tmp_path) as (_, http):
        themes = (await http.get("/api/puzzles")).json()["themes"]
        numbers = [number for found in themes.values() for number in found]
        assert sorted(numbers) == puzzles_about()
        found = (await http.get("/api/puzzles", params={"rules": "pagat"})).json()["themes"]
        assert found["end"] == puzzles_about("end", "pagat") != puzzles_about("end")
        unknown = await http.get("/api/puzzles", params={"rules": "x"})
        assert code_of(unknown, 400) == "unknown-preset"
        answer = (await http.get("/api/puzzles/1")).json()
        one = puzzle(1)
        assert (answer["number"], answer["hand"], answer["theme"]) == (1, one.hand, one.theme)
        assert answer["deal"]["turn"] == one.view.seat
        decision = answer["decision"]
        assert decision["best"]["action"] == one.best
        free = [move["action"] for move in decision["weighed"] if move["loss"]["mean"] == 0]
        assert free == [one.best]
        for number in (0, len(numbers) + 1):
            assert code_of(await http.get(f"/api/puzzles/{number}"), 400) == "no-such-puzzle"
        path = "/api/puzzles/1/answer"
        assert code_of(await http.post(path, json={"action": one.best}), 401) == "unauthorised"
        who = await guest(http, "Şule")
        for action, right in ((one.played, False), (one.best, True), ("draw", False)):
            told = await http.post(path, json={"action": action}, headers=who.headers)
            found = told.json()
            assert found["right"] is right
            assert found["own"]["rating"] < 1500 < found["position"]["rating"], "the first counts"
            assert found["own"]["provisional"]
        bad = await http.post(path, json={"action": "win"}, headers=who.headers)
        assert code_of(bad, 400) == "unknown-action"
