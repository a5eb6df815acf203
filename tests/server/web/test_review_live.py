"""The review of a match over HTTP: who may ask for it, and who sees it."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from okey101.game import record_of
from okey101.server.files.data_dir import open_folder
from okey101.server.people import Accounts, MatchSeat
from review.positions import deal_with, played_on
from server.live import PATIENCE_S, LiveServer
from server.web.parties import code_of, guests

THROWN = "R1 R2 R7 R9 Y1 Y4 Y6 Y9 Y11 B2 *"
LATER = 4_000_000_000_000


@pytest.fixture(scope="module")
def reviewing(tmp_path_factory: pytest.TempPathFactory) -> LiveServer:
    """A server not started yet, with a match for everybody and one that is still delayed."""
    data = tmp_path_factory.mktemp("reviewing") / "data"
    asyncio.run(_fill(data))
    return LiveServer(data)


async def _fill(data: Path) -> None:
    folder = open_folder(data)
    accounts = await Accounts.open(folder.accounts)
    deal = played_on(deal_with(THROWN, 1), first="discard *")
    record = record_of(deal.rules, [deal]).to_json().encode()
    player, _ = await accounts.guest("Ayşe")
    seats = [MatchSeat(player.id), *[MatchSeat(bot="greedy")] * 3]
    for number, shown in ((1, 0), (2, LATER)):
        await accounts.save_match(
            table_id="t_x", number=number, finished_ms=number, preset="altinstar", deals=1,
            seats=seats, totals=[0] * 4, record=record, shown_ms=shown,
        )  # fmt: skip
    await accounts.close()


async def test_it_is_asked_for_and_served_again(reviewing: LiveServer) -> None:
    with reviewing:
        async with reviewing.http() as http:
            (who,) = await guests(http, 1)
            path = "/api/matches/t_x-1/review"
            assert (await http.get(path)).json()["state"] == "none"
            assert code_of(await http.post(path), 401) == "unauthorised"
            asked = (await http.post(path, headers=who.headers)).json()
            assert asked["state"] in ("waiting", "working")
            deadline = time.monotonic() + 5 * PATIENCE_S  # its process stands behind all others
            while (answer := (await http.get(path)).json())["state"] != "done":
                assert answer["state"] in ("waiting", "working"), answer
                assert time.monotonic() < deadline
                await asyncio.sleep(0.5)  # a client may look five times a second, not more
            review = answer["review"]
            assert review["format"] == "okey101-review/1"
            assert review["deals"][0]["decisions"][0]["why"]["code"] == "okey-thrown"
            assert (await http.post(path, headers=who.headers)).json() == answer
            # Who may not see the match may not see its review, nor have it made.
            hidden = "/api/matches/t_x-2/review"
            for ask in (http.get(hidden), http.post(hidden, headers=who.headers)):
                assert code_of(await ask, 404) == "no-match"
            # A table's running match has no id yet.
            assert code_of(await http.get("/api/matches/t_x-3/review"), 404) == "no-match"
        reviewing.restart()
        async with reviewing.http() as http:
            assert (await http.get("/api/matches/t_x-1/review")).json()["state"] == "done"
        reviewing.assert_clean()


async def test_a_server_may_make_none(tmp_path: Path) -> None:
    data = tmp_path / "data"
    await _fill(data)
    with LiveServer(data, review_processes=0) as server:
        async with server.http() as http:
            (who,) = await guests(http, 1)
            answer = await http.post("/api/matches/t_x-1/review", headers=who.headers)
            assert code_of(answer, 403) == "no-reviews"
