"""Expensive work is done off the event loop, once, or only for those who are allowed it."""

from __future__ import annotations

import asyncio
import threading
import warnings
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from okey101.game import PRESETS, Deal, parse_record, position_of, view_of
from okey101.server.hub import Hub
from okey101.server.ops.logs import utc_ms
from okey101.server.people import MatchSeat
from okey101.server.protocol.options import checked_options
from okey101.server.settings import load_settings
from okey101.server.web import lobby, page
from okey101.server.web.app import create_app
from server.live import GENEROUS, Http, guest
from server.server_stories import table_options
from server.web.parties import code_of
from server.web.test_limits_live import RECORD

AT_ONCE = 40
"""How many deals and records one address may ask for at once."""
REPLAYS = "okey101-replays"


@asynccontextmanager
async def served(data: Path) -> AsyncGenerator[tuple[Hub, Http]]:
    """A whole server in this process, and a client of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the framework's, for its next version
        app = create_app(load_settings({"data": data, **GENEROUS}))
    async with app.lifespan():
        way = httpx.ASGITransport(app=cast("Any", app))
        async with httpx.AsyncClient(transport=way, base_url="http://127.0.0.1") as http:
            yield app.state.hub, http


class Watched:
    """What a function did: how often it was called, and on which threads."""

    def __init__(self, patch: pytest.MonkeyPatch, where: Any, name: str) -> None:
        self.threads: list[str] = []
        self._real: Callable[..., object] = getattr(where, name)
        patch.setattr(where, name, self._called)

    def _called(self, *args: object, **options: object) -> object:
        self.threads.append(threading.current_thread().name)
        return self._real(*args, **options)


async def kept_match(hub: Hub, *, shown_ms: int = 0) -> str:
    """The address of a match that bots have played."""
    key = await hub.accounts.save_match(
        table_id=f"kept{shown_ms}", number=1, finished_ms=1, rules=PRESETS["altinstar"], deals=3,
        seats=[MatchSeat(bot="random")] * 4, totals=[0] * 4, record=RECORD.read_bytes(),
        shown_ms=shown_ms,
    )  # fmt: skip
    return f"/api/matches/{key}"


async def statuses(http: Http, path: str, count: int) -> Counter[int]:
    answers = await asyncio.gather(*(http.get(path) for _ in range(count)))
    return Counter(answer.status_code for answer in answers)


async def test_the_record_at_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written off the event loop, and only so often for each address."""
    written = Watched(monkeypatch, lobby, "match_record")
    async with served(tmp_path) as (hub, http):
        who = await guest(http)
        table = await hub.tables.create(who.id, checked_options(table_options(people=2, players=2)))
        path = f"/api/tables/{table.state.table}/record"
        answer = await http.get(path)
        assert answer.headers["content-type"] == "application/json"
        assert parse_record(answer.text).players is not None
        assert all(name.startswith(REPLAYS) for name in written.threads)
        found = await statuses(http, path, 2 * AT_ONCE)
        assert set(found) == {200, 429}
        assert 0 < found[429] <= AT_ONCE + 2
        assert len(written.threads) == 1 + found[200]


async def test_whose_record_is_refused_costs_no_allowance(tmp_path: Path) -> None:
    async with served(tmp_path) as (hub, http):
        who = await guest(http)
        options = checked_options(table_options(spectators="off", late=False))
        table = await hub.tables.create(who.id, options)
        path = f"/api/tables/{table.state.table}/record"
        assert set(await statuses(http, path, 2 * AT_ONCE)) == {403}
        assert code_of(await http.get(path)) == "spectators-off"
        assert (await http.get(path, headers=who.headers)).status_code == 200


async def test_the_rules_are_told_from_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each preset in each language is put into words once."""
    told = Watched(monkeypatch, page, "rules_text")
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


async def test_a_position_is_answered_as_far_as_it_tells(tmp_path: Path) -> None:
    deal = Deal.start("pagat", seed=7).apply("discard K8")
    async with served(tmp_path) as (_, http):

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


async def test_a_match_is_looked_up_without_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
async def test_a_record_beyond_the_allowance_is_not_even_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str
) -> None:
    """And ``no-match`` as an answer takes nothing from the allowance."""
    async with served(tmp_path) as (hub, http):
        path, hidden = await kept_match(hub), await kept_match(hub, shown_ms=utc_ms() * 2)
        for none in (hidden, "/api/matches/none"):
            assert set(await statuses(http, none + rest, AT_ONCE)) == {404}
        unpacked = Watched(monkeypatch, zlib, "decompress")
        found = await statuses(http, path + rest, 2 * AT_ONCE)
        assert found[200] >= AT_ONCE
        assert found[429] > 0
        assert len(unpacked.threads) == found[200]
