"""Whole matches over real sockets: what clients see, what is kept, and that both agree."""

from __future__ import annotations

import asyncio

import pytest

from conftest import Size, unwrap
from okey101.game import parse_record, replay
from okey101.game.fair.transcript import Fair
from okey101.game.record.verification import Check, State, verify_record
from server.clients import Client, over
from server.live import Json, LiveServer
from server.web.parties import (
    KEEN,
    guests,
    listed_when_saved,
    rule_choice,
    started,
)

COUNTED = {"empty_stock": "count_hands"}
"""Without it these players, who seldom finish, would play void deals for long."""
KINDS = [
    ("altinstar", 4, False, {}),
    ("altinstar", 3, False, KEEN),
    ("altinstar", 4, True, KEEN),
    ("pagat", 4, False, KEEN | COUNTED),
    ("pagat", 4, True, COUNTED),
    ("pagat", 2, False, KEEN),
    ("wiki", 4, False, {}),
    ("wiki", 4, True, KEEN),
    ("wiki", 3, False, KEEN),
]


async def play_whole(client: Client) -> None:
    """Play the match, and compare one's own picture with a fresh view after each deal."""
    while not over(client):
        ended = len(client.model.table["scores"]["deals"])

        def another(c: Client, ended: int = ended) -> bool:
            return over(c) or len(c.model.table["scores"]["deals"]) > ended

        await client.play_on(another)
        if not over(client):
            await same_as_fresh(client)


async def same_as_fresh(client: Client) -> None:
    """What a client has patched together is what one who asks now is shown.

    The newcomer takes the seat, so the old one comes back with its own picture after that.
    """
    async with Client(client.server, client.table, client.person) as newcomer:
        assert newcomer.seen("view")
        at = newcomer.model.seq
        if client.person is not None:
            await client.until(lambda c: c.closed)
            assert client.close_code == 4001
            await client.resume()
            assert client.seen("resumed")
            assert not client.seen("view")
            await newcomer.until(lambda c: c.closed)
        await client.until(lambda c: c.model.seq >= at)
        for event in client.seen("event"):
            if newcomer.closed and event["seq"] > newcomer.model.seq:
                newcomer.model.take(event)
        await newcomer.until(lambda c: c.model.seq >= client.model.seq)
        assert client.model.same(newcomer.model)


@pytest.mark.parametrize(
    ("preset", "players", "teams", "changes"),
    [
        pytest.param(*kind, marks=pytest.mark.long if number % 2 else ())
        for number, kind in enumerate(KINDS)
    ],
    ids=[f"{p}-{n}{'-teams' * t}{'-keen' * bool(c)}" for p, n, t, c in KINDS],
)  # fmt: skip
async def test_whole_matches(
    server: LiveServer, size: Size, preset: str, players: int, teams: bool, changes: Json
) -> None:
    """Every preset, by two to four people; the record proves itself and says what they saw."""
    deals = size(1, long=12)
    rules = rule_choice(preset, players, teams=teams, **changes)
    async with server.http() as http:
        people = await guests(http, players)
        async with (
            started(server, people, rules=rules, deals=deals, clock=0) as clients,
            Client(server, clients[0].table) as spectator,
        ):
            await asyncio.gather(*(play_whole(client) for client in clients))
            await spectator.until(over)
            for client in (*clients, spectator):
                await same_as_fresh(client)
                assert client.model.deal == spectator.model.deal
                assert client.model.table == spectator.model.table
        ended = clients[0].model
        (found,) = await listed_when_saved(http, people[0])
        assert found["totals"] == ended.totals
        assert found["seats"] == [seat["name"] for seat in ended.table["seats"]]
        record = (await http.get(f"/api/matches/{found['id']}/record")).text
    check_record(record, clients)


def check_record(text: str, clients: list[Client]) -> None:
    """A record proves itself, and holds what each client saw and gave."""
    record = parse_record(text)
    checked = verify_record(record)
    assert checked.errors == ()
    assert all(deal.verified for deal in checked.deals)
    for deal in checked.deals:
        assert deal.states[Check.SHARES] is State.PROVED
        assert deal.given == tuple(range(len(clients)))
    shown = clients[0].model.table["scores"]
    played = replay(record)
    assert list(played.totals) == shown["totals"]
    assert played.team_totals is None or list(played.team_totals) == shown["teams"]
    assert [d.result.scores for d in played.deals if d.result] == [
        tuple(deal["scores"]) for deal in shown["deals"]
    ]
    for number, written in enumerate(record.deals):
        fair = Fair.from_dict(unwrap(written.fair), "", len(clients))
        where = (fair.table, 1, number, fair.round)
        assert fair.randomness == tuple(c.contributions.given[where] for c in clients)
        for client in clients:
            assert client.promises[1, number, fair.round] == fair.commitment
            assert client.contributions.transcripts[where] == fair.transcript
    assert [client.model.seat for client in clients] == list(range(len(clients)))
    assert list(record.deals[-1].actions) == clients[0].model.deal_actions
