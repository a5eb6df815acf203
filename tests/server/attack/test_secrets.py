"""Nothing hidden leaves by HTTP, sockets, figures or logs: twins of a table answer the same."""

import contextlib
import io
import json
import random
import re
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from litestar import Litestar

from conftest import Size, only_long, unwrap
from okey101.server.hub import Hub
from okey101.server.net.limits import Limiter
from okey101.server.protocol.views import Called
from okey101.server.store import Row
from okey101.server.tables.state import Stage, TableState
from okey101.server.tables.table import Table
from server.clients import Client
from server.live import Json, LiveServer, asking, guest, in_process, over_a_socket
from server.tables.table_stories import TABLE, story
from server.tables.twins import Unchecked, dependencies, hidden_words, twins
from server.web.parties import short_rules

COMMITMENT = re.compile(rb'("value":|"commitment":|"transcript":)"[0-9a-f]{64}"')
TILES = re.compile(r"\b[RYBK](?:1[0-3]|[1-9])\b")
AT = re.compile(rb'"at":\d+|admin:[0-9a-f]+')
"""The time of an administrator's entry, and the fingerprint of the token."""
CHANCE = re.compile(rb"^(?!okey101_)|_seconds|_created|lag|build|log_looked", re.MULTILINE)
"""How far the look through the log has come is chance as well."""


@contextlib.asynccontextmanager
async def running(data: Path) -> AsyncIterator[Litestar]:
    """The application in this process; a bearer token is the name of whoever sends it."""
    bursts = dict.fromkeys(("request_burst", "message_burst", "handshake_burst"), 1_000_000)
    async with in_process(data, **bursts) as app:
        hub: Hub = app.state.hub
        hub.allowances.replay_requests = Limiter("", 1.0, 1_000_000)

        async def session(token: str | None, *, even_banned: bool = False) -> Any:
            user = SimpleNamespace(
                id=token, called=Called(str(token).upper()), owner=None, moderator=False
            )
            return None if not token else SimpleNamespace(id="s", user=user)

        hub.accounts.session = session  # type: ignore[method-assign]
        hub.names.update({f"u{n}": Called(f"U{n}") for n in range(4)})
        yield app


PAGES = (
    f"/api/tables/{TABLE}", f"/api/tables/{TABLE}/record", "/api/tables", "/api/matches/",
    f"/api/matches/{TABLE}-1", f"/api/matches/{TABLE}-1/record", f"/api/matches/{TABLE}-1/deals/0",
    "/readyz", "/version",
)  # fmt: skip
OF_ADMINISTRATORS = (
    "/api/admin/tables", "/api/admin/journal?limit=1", "/api/admin/users", "/api/admin/bots",
)  # fmt: skip
ACTIONS = ("draw", "take", "pass", "discard R1", "meld R1 R2 R3", "lay R5 > 1", "announce", "?")


async def of_operators(app: Litestar, http: httpx.AsyncClient) -> list[bytes]:
    """What those who run the server are told."""
    admin = {"Authorization": f"Bearer {app.state.hub.admin_token}"}
    answers = [await http.get(path, headers=admin) for path in OF_ADMINISTRATORS]
    assert all(answer.is_success for answer in answers)
    lines = (await http.get("/metrics")).content.splitlines()
    figures = [line for line in lines if not CHANCE.search(line)]
    return [AT.sub(b"", answer.content) for answer in answers] + figures


async def everything(app: Litestar, state: TableState, seat: int | None, seed: int) -> list[bytes]:
    """Everything a viewer can get while nobody plays; somebody away is back by looking."""
    hub: Hub = app.state.hub
    table = Table(state, dependencies(Unchecked(), state.at_ms, seed))
    hub.tables._tables[TABLE] = table
    user = None if seat is None else f"u{seat}"
    headers = {} if user is None else {"Authorization": f"Bearer {user}"}
    found: list[bytes] = []
    async with asking(app) as http:
        for path in PAGES:
            answer = await http.get(path, headers=headers)
            assert answer.status_code < 500, (path, answer.text)
            found.append(answer.content)
        own = state.deal is not None and state.deal.turn == seat
        for n, action in enumerate(() if own else ACTIONS):  # on one's own turn allowed
            body = {"type": "act", "rid": f"a{n}", "action": action}
            address = f"/api/tables/{TABLE}/commands"
            answer = await http.post(address, json=body, headers=headers)
            assert answer.status_code >= 400
            found.append(answer.content)
        admin = {"Authorization": f"Bearer {hub.admin_token}"}
        nobody = "/api/admin/tables/none/kick"  # which leaves a line in the journal
        assert (await http.post(nobody, json={"seat": 0}, headers=admin)).status_code == 404
        asks: list[Json] = [{"type": "ask", "rid": f"q{n}", "what": "check", "action": action}
                for n, action in enumerate(ACTIONS)]  # fmt: skip
        asks += [{"type": "ask", "rid": "options", "what": "options"}]
        asks += [{"type": "ask", "rid": aim, "what": "arrange", "aim": aim}
                 for aim in ("points", "tiles", "left", "pairs")]  # fmt: skip
        asks += [{"type": "ask", "rid": f"p{tile}{group}", "what": "places", "tile": tile,
                  "group": group}
                 for tile in ("R1", "B13", "*", "F") for group in (1, 2)]  # fmt: skip
        if not own:
            asks += [{"type": "act", "rid": f"x{n}", "action": a} for n, a in enumerate(ACTIONS)]
        found += await over_a_socket(app, TABLE, user, [json.dumps(one) for one in asks])
        for seq in (state.seq - 1, state.seq, state.seq + 9):  # behind, not, and said to be ahead
            found += await over_a_socket(
                app, TABLE, user, [], seq=max(seq, 0), head=f"0.{'0' * 32}"
            )
        found += await of_operators(app, http)
    await table.stop()
    assert table.state.deal is state.deal
    del hub.tables._tables[TABLE]
    return [COMMITMENT.sub(rb"\1_", one) for one in found]


@pytest.mark.parametrize("preset", ["wiki", *only_long("altinstar", "pagat")])
async def test_twins_can_not_be_told_apart_over_the_network(
    preset: str, size: Size, tmp_path: Path, details: io.StringIO
) -> None:
    hidden: list[set[bytes]] = []
    async with running(tmp_path / "a") as one, running(tmp_path / "b") as other:
        for seed in range(size(2, long=20)):
            rng = random.Random(f"twin {preset} {seed}")
            steps = story(preset, "4", f"{preset} {seed}").steps
            for at in rng.sample(range(len(steps)), min(len(steps), size(8, long=40))):
                state = steps[at].state
                if state.stage is not Stage.PLAYING:  # what is prepared is dealt by itself
                    continue
                seat = rng.choice([None, 0, 1, 2, 3])
                twin = twins(steps, seat, at, at, rng)
                if twin is None:
                    continue
                mine = await everything(one, state, seat, seed)
                others = await everything(other, twin, seat, seed)
                for said, said_there in zip(mine, others, strict=True):
                    assert said == said_there
                hidden.append(hidden_words(state, seat) | hidden_words(twin, seat))
                for word in hidden[-1]:
                    assert not [said for said in mine if word in said], (word, at, state.stage)
    assert len(hidden) >= 3
    for line in details.getvalue().splitlines():
        assert not TILES.search(line), line
        assert not [word for words in hidden for word in words if word.decode() in line]


async def of_the_archive(app: Litestar, hidden: str) -> list[bytes]:
    """What anybody gets of a table that was closed in a deal and has left the log."""
    hub: Hub = app.state.hub
    entry = json.dumps({"secret": hidden, "random": hidden}).encode()
    for table, seq, last in ((TABLE, 1, False), (TABLE, 2, True), ("goes-on", 1, False)):
        await hub.store.append(Row(table, seq, seq, entry, 1, f"hash of {hidden}", last))
    while await hub.store.archive(None):
        pass
    assert not await hub.store.read(TABLE)
    found: list[bytes] = []
    async with asking(app) as http:
        for user in (None, "u0"):
            headers = {} if user is None else {"Authorization": f"Bearer {user}"}
            for path in PAGES:
                answer = await http.get(path, headers=headers)
                assert answer.status_code < 500
                assert not (TABLE in path and answer.is_success), (path, answer.text)
                found.append(answer.content)
            for known in ({}, {"seq": 1, "head": f"0.{'0' * 32}"}):
                found += await over_a_socket(app, TABLE, user, [], **known)
        found += await of_operators(app, http)
    return found


async def test_twins_in_the_archive_can_not_be_told_apart(tmp_path: Path) -> None:
    """A table that is closed in a deal keeps its secret for good."""
    said: list[list[bytes]] = []
    for name, secret in (("a", "5e" * 32), ("b", "7f" * 32)):
        async with running(tmp_path / name) as app:
            said.append(await of_the_archive(app, secret))
        assert not [one for one in said[-1] if secret.encode() in one]
    assert said[0] == said[1]


async def test_the_log_of_a_played_match_holds_no_tile_and_no_token() -> None:
    """At its most talkative, with refused commands and unreadable ones in between."""
    with LiveServer(
        log_level="debug", deal_pause_s=0, first_deal_wait_s=5, metrics_token="figures-of-all"
    ) as server:
        async with server.http() as http:
            me = await guest(http, "Ece")
            body = {"deals": 2, "rules": short_rules()}
            made = await http.post("/api/play", json=body, headers=me.headers)
            table = made.json()["table"]
            await http.get(f"/api/tables/{table}?token={me.token}")
        async with Client(server, table, me) as client:
            for text in ("{", '{"type":"act","rid":"1","action":"discard R1"}', "[]"):
                await client.send(text)
            await client.play_on()
            secret: str = unwrap(client.model.deal)["end"]["fair"]["secret"]
            words = [me.token, secret, server.admin_token, "figures-of-all"]
            words += client.contributions.given.values()
        server.stop()
        for line in server.log.splitlines():
            assert not TILES.search(line), line
            for word in words:
                assert word not in line
