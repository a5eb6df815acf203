"""Finished matches: the list page by page, the record, and a deal step by step."""

from __future__ import annotations

from pathlib import Path

import httpx

from conftest import Size
from okey101.game import Deal, parse_record
from okey101.game.open_side_json import sheet_json
from okey101.game.public import FORM
from okey101.game.record.replay import steps_of
from okey101.tiles import Rack
from server.clients import all_play
from server.live import Json, LiveServer
from server.web.parties import (
    KEEN,
    against_bots,
    code_of,
    duel,
    guests,
    listed_when_saved,
    person_of,
    playing,
    rule_choice,
    started,
)


async def test_pages_of_matches(server: LiveServer, size: Size, http: httpx.AsyncClient) -> None:
    """The latest first, page by page without gap or repeat; one's own only."""
    count = size(5, long=40)

    who, other = await guests(http, 2)
    rules = rule_choice("altinstar", 2, **KEEN)
    deals = 0
    for _ in range(count):
        async with against_bots(server, http, who, rules=rules, deals=1, bot="greedy") as client:
            await client.play_on()
            deals = len(client.model.table["scores"]["deals"])  # one may not count
    found = await listed_when_saved(http, who, lambda lines: len(lines) == count)
    assert [line["finished_ms"] for line in found] == sorted(
        (line["finished_ms"] for line in found), reverse=True
    )
    paged: list[Json] = []
    before: dict[str, str | int] = {"limit": 2}
    while True:
        answer = await http.get("/api/matches/", params=before, headers=who.headers)
        page: list[Json] = answer.json()
        assert len(page) <= 2
        if not page:
            break
        paged += page
        before["before"] = page[-1]["id"]
    assert paged == found
    line = found[0]
    assert (line["preset"], line["deals"], line["number"], line["seat"]) == (
        "altinstar", deals, 1, 0,
    )  # fmt: skip
    assert line["seats"] == ["Oyuncu 0", "bot:greedy"]
    assert (await http.get("/api/matches/", headers=other.headers)).json() == []
    # Whoever has the id may see the match, but has no seat in it.
    shown = (await http.get(f"/api/matches/{line['id']}", headers=other.headers)).json()
    assert shown == line | {"seat": None}
    assert code_of(await http.get("/api/matches/"), 401) == "unauthorised"
    assert code_of(await http.get("/api/matches/m_nothing"), 404) == "no-match"
    for params in ({"limit": 0}, {"limit": 101}, {"limit": "x"}, {"before": "y" * 65}):
        answer = await http.get("/api/matches/", params=params, headers=who.headers)
        assert code_of(answer, 400) == "bad-request"


async def test_a_deal_step_by_step(server: LiveServer, http: httpx.AsyncClient) -> None:
    """The steps' patches lead through the states that replaying the record goes through."""
    people = await guests(http, 3)
    rules = rule_choice("pagat", 3, **KEEN)
    async with started(server, people, rules=rules, deals=2, clock=0) as clients:
        await all_play(clients)
        deals = len(clients[0].model.table["scores"]["deals"])
    (line,) = await listed_when_saved(http, people[0])
    address = f"/api/matches/{line['id']}"
    answer = await http.get(f"{address}/record")
    assert answer.headers["content-type"].startswith("application/vnd.okey101+json")
    assert f'{line["id"]}.okey.json"' in answer.headers["content-disposition"]
    record = parse_record(answer.text)
    assert record.players == ("Oyuncu 0", "Oyuncu 1", "Oyuncu 2")
    assert len(record.deals) == deals
    for number in range(deals):
        answer = await http.get(f"{address}/deals/{number}")
        check_steps(answer.json(), list(steps_of(record, number)))
    for beyond in (str(deals), "99999"):
        answer = await http.get(f"{address}/deals/{beyond}")
        assert code_of(answer, 404) == "no-deal-number"
    assert (await http.get(f"{address}/deals/x")).status_code == 404
    assert code_of(await http.get("/api/matches/m_no/deals/0"), 404) == "no-match"


def check_steps(shown: Json, states: list[Deal]) -> None:
    """What a client makes of the steps is what lies open, and in the hands, after each."""
    assert len(shown["steps"]) == len(states) - 1
    deal, hands = shown["deal"], shown["hands"]
    for number, state in enumerate(states):
        if number:
            step = shown["steps"][number - 1]
            seat, action = state.public.actions[-1]
            assert (step["seat"], step["action"]) == (seat, str(action))
            told = [*deal["actions"], f"{seat}: {action}"]
            deal = deal | step["deal"] | {"actions": told}
            hands = [step["hands"].get(str(n), hand) for n, hand in enumerate(hands)]
        assert deal == {"number": shown["number"], **FORM.told(state.public), "end": None}
        assert hands == [str(Rack.from_bits(hand)) for hand in state.hands]
    result = states[-1].result
    assert result is not None
    assert shown["result"] == sheet_json(result)
    assert shown["fair"]["secret"]


async def test_the_record_of_a_running_match(server: LiveServer, http: httpx.AsyncClient) -> None:
    """The finished deals alone, and nothing of the one on the table."""
    rules = rule_choice("altinstar", 2, **KEEN)
    async with duel(server, rules=rules, deals=3) as clients:
        await all_play(clients, lambda c: bool(c.model.table["scores"]["deals"]) and playing(c))
        address = f"/api/tables/{clients[0].table}/record"
        answer = await http.get(address, headers=person_of(clients[0]).headers)
        record = parse_record(answer.text)
        assert [deal.result is not None for deal in record.deals] == [True]
        assert clients[0].model.you is not None
        assert clients[0].model.you["hand"] not in answer.text


async def test_a_delayed_match_is_held_back_after_the_table_and_the_server(tmp_path: Path) -> None:
    """The table is closed and the server started anew: nothing of it is shown any sooner."""
    with LiveServer(tmp_path) as live:
        choices: Json = {"spectators": "delayed", "delay": 300, "deals": 1}
        choices["rules"] = rule_choice("altinstar", 2, **KEEN)
        async with duel(live, **choices) as clients:
            who, table = person_of(clients[0]), clients[0].table
            await all_play(clients)
            async with live.http() as http:
                (line,) = await listed_when_saved(http, who)
        async with live.admin() as admin:
            assert (await admin.post(f"/api/admin/tables/{table}/close")).status_code < 300
        live.restart()
        async with live.http() as http:
            (stranger,) = await guests(http, 1)
            for rest in ("", "/record", "/deals/0"):
                path = f"/api/matches/{line['id']}{rest}"
                for headers in ({}, stranger.headers):
                    assert code_of(await http.get(path, headers=headers), 404) == "no-match"
                assert (await http.get(path, headers=who.headers)).status_code == 200
