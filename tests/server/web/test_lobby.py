"""Before and between matches: lists, seats, bots, kicks, rematches; and one call to play."""

from __future__ import annotations

import httpx

from server.clients import Client, all_play, over
from server.live import Json, LiveServer, guest
from server.web.parties import (
    code_of,
    duel,
    guests,
    listed_when_saved,
    new_table,
    person_of,
    playing,
    post,
    refused,
    rule_choice,
    seated,
    solo,
    started,
)


async def listing(server: LiveServer) -> dict[str, Json]:
    """The open tables by id."""
    async with server.http() as http:
        answer = await http.get("/api/tables")
    assert answer.status_code == 200
    return {line["id"]: line for line in answer.json()}


def names(client: Client) -> list[str | None]:
    """Who sits where, as a client knows."""
    return [seat["bot"] or seat["name"] for seat in client.model.table["seats"]]


async def test_listed_and_private_tables(server: LiveServer, http: httpx.AsyncClient) -> None:
    """Only listed ones are in the list, those that wait first; who knows the id sees both."""
    people = await guests(http, 2)
    rules = rule_choice("pagat", 2)
    async with (
        started(server, people, rules=rules, listed=True) as running,
        seated(server, people[:1], listed=True, bots=[None, "steady"]) as waiting,
    ):
        hidden = await new_table(http, people[0])
        found = await listing(server)
        assert hidden not in found
        ids = list(found)
        assert ids.index(waiting[0].table) < ids.index(running[0].table)
        line = found[waiting[0].table]
        assert line["seats"] == ["Oyuncu 0", "bot:steady", None, None]
        assert (line["free"], line["stage"], line["counted"]) == (2, "waiting", 0)
        assert found[running[0].table]["options"]["rules"]["preset"] == "pagat"
        shown = (await http.get(f"/api/tables/{hidden}")).json()
        assert shown["seat"] is None
        assert shown["table"]["id"] == hidden
        mine = await http.get(f"/api/tables/{hidden}", headers=people[0].headers)
        assert mine.json()["seat"] == 0
        me = (await http.get("/api/me", headers=people[0].headers)).json()
        assert {hidden, waiting[0].table, running[0].table} <= set(me["tables"])
    assert code_of(await http.get("/api/tables/nothere"), 404) == "no-table"


async def test_random_seats(server: LiveServer) -> None:
    """They are drawn at the start, bots included; everybody's hand is at the right seat."""
    orders: set[tuple[str | None, ...]] = set()
    async with server.http() as http:
        people = await guests(http, 2)
        for _ in range(8):
            bots = [None, None, "greedy", "steady"]
            async with started(server, people, bots=bots, seats="random") as clients:
                orders.add(tuple(names(clients[0])))
                assert sorted(map(str, names(clients[0]))) == [
                    "Oyuncu 0", "Oyuncu 1", "greedy", "steady",
                ]  # fmt: skip
                await all_play(clients, playing)
                for client, who in zip(clients, people, strict=True):
                    assert client.model.seat is not None
                    assert names(client)[client.model.seat] == who.name
    assert len(orders) > 1


async def test_kick(server: LiveServer, http: httpx.AsyncClient) -> None:
    """Before the match, by the owner alone, and for good."""
    people = await guests(http, 3)
    rules = rule_choice("altinstar", 3)
    async with seated(server, people, rules=rules) as clients:
        first, second, third = clients
        assert await refused(second.command("kick", seat=2)) == "not-owner"
        assert await refused(first.command("kick", seat=0)) == "no-seat"
        await first.do("kick", seat=1)
        await second.until(lambda c: c.closed)
        assert second.close_code == 4003
        assert second.messages[-1] == {"type": "bye", "code": "kicked"}
        await second.connect()
        await second.until(lambda c: c.closed)
        assert second.close_code == 4003
        assert [m.get("code") for m in second.messages] == ["kicked", "kicked"]
        assert code_of(await post(http, second, "sit", "1", seat=1), 403) == "kicked"
        await first.do("bot", seat=1, bot="steady")
        await first.do("start")
        assert await refused(first.command("kick", seat=2)) == "not-waiting"
        await third.until(lambda c: c.model.stage == "dealing")


async def test_rematch(server: LiveServer, http: httpx.AsyncClient) -> None:
    """When all people want it; the next match is a new one, with its own record."""
    people = await guests(http, 2)
    rules = rule_choice("altinstar", 3)
    bots = [None, None, "greedy"]
    async with started(server, people, rules=rules, deals=1, bots=bots, clock=0) as clients:
        first, second = clients
        await all_play(clients)
        await first.do("rematch")
        await first.do("rematch", on=False)
        await second.do("rematch")
        assert second.model.stage == "over"
        assert [s.get("rematch") for s in second.model.table["seats"]] == [
            False,
            True,
            None,
        ]
        await first.do("rematch")
        assert first.model.stage == "dealing"  # nobody has to begin it
        assert first.model.deal is None
        await second.until(lambda c: c.model.stage != "over")  # it hears of it by itself
        await all_play(clients)
        assert first.model.table["match"] == 2
        for client in clients:
            assert set(client.promises) >= {(1, 0, 0), (2, 0, 0)}  # one may not count
    for who in people:
        found = await listed_when_saved(http, who, lambda lines: len(lines) == 2)
        assert [line["number"] for line in found] == [2, 1]
        assert len({line["id"] for line in found}) == 2


async def test_one_call_to_play(server: LiveServer, http: httpx.AsyncClient) -> None:
    """Seated, the bots there, and the match begun; every option is looked at."""
    rules = rule_choice("pagat", 3)
    # Two deals, as a bot may end one before anybody else has had a turn.
    async with solo(server, rules=rules, deals=2, bot="greedy", assisted=False) as client:
        assert client.model.stage == "dealing"
        assert names(client) == ["Ali", "greedy", "greedy"]
        options = client.model.table["options"]
        assert options["clock"] == 0
        assert options["listed"] is False
        await client.play_on(lambda c: c.model.options is not None)
        assert client.model.options is not None
        assert "melds" not in client.model.options
        assert "melds" not in client.model.options["opening"]
        await client.play_on()
    bad: list[tuple[Json, str]] = [
        ({"bot": "deep-thought"}, "unknown-bot"),
        ({"rules": {"preset": "nope"}}, "unknown-preset"),
        ({"rules": {"open_points": "x"}}, "bad-value"),
        ({"clock": 3}, "bad-options"),
        ({"deals": 0}, "bad-request"),
        ({"deal": 3}, "bad-request"),
    ]
    for body, code in bad:
        headers = person_of(client).headers
        answer = await http.post("/api/play", json=body, headers=headers)
        assert code_of(answer, 400) == code
    answer = await http.post("/api/play", json={})
    assert code_of(answer, 401) == "unauthorised"


async def test_bots_alone(server: LiveServer, http: httpx.AsyncClient) -> None:
    """An owner who gives every seat to a bot starts the match and watches it."""
    who = await guest(http)
    rules = rule_choice("altinstar", 2)
    bots = ["greedy"] * 2
    table = await new_table(http, who, bots=bots, rules=rules, spectators="live", deals=1)
    async with Client(server, table, who) as watcher:
        assert watcher.model.you is None
        await watcher.command("start")
        await watcher.until(over)
        assert len(watcher.model.totals) == 2


async def test_refused_actions_name_the_rule(server: LiveServer, http: httpx.AsyncClient) -> None:
    """An illegal action has code and rule id, over the socket and over HTTP; nothing changes."""
    async with duel(server) as clients:
        await all_play(clients, playing)
        turn = clients[0].model.deal_turn
        assert turn is not None
        mover, other = clients[turn], clients[1 - turn]
        seq = mover.model.seq
        cases = [
            (other, "draw", "not-your-turn", "rule"),
            (mover, "discard", "", None),
            (mover, "fly R9", "", None),
            (mover, "draw", "", "rule"),
        ]
        for number, (client, action, code, rule) in enumerate(cases):
            answer = await post(http, client, "act", f"r{number}", action=action)
            found = code_of(answer, 409 if rule else 400)
            assert found == code or not code
            assert bool(answer.json()["error"]["rule"]) == bool(rule)
            assert await refused(client.command("act", action=action)) == found
        view = (
            await http.get(f"/api/tables/{mover.table}", headers=person_of(clients[0]).headers)
        ).json()
        assert view["seq"] == seq
