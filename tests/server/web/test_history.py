"""Matches over real sockets, and finished ones: the list, the record, each step, the review."""

import asyncio
import time
from pathlib import Path

import msgspec
import pytest

import okey101.client
from conftest import Size, unwrap
from okey101.game import Deal, Opened, parse_record, record_of, replay
from okey101.game.fair.transcript import Fair
from okey101.game.open_side_json import sheet_json
from okey101.game.public import FORM
from okey101.game.record.replay import steps_of
from okey101.game.record.verification import Check, State, verify_record
from okey101.server.files.data_dir import open_folder
from okey101.server.people.models import MatchSeat
from okey101.tiles import Rack
from review.test_analysis import deal_with, played_on
from server.accounts.people import save, with_accounts
from server.clients import Client, all_play, over
from server.live import PATIENCE_S, Http, Json, LiveServer
from server.web import parties


async def test_pages_of_matches(server: LiveServer, size: Size, http: Http) -> None:
    """The latest first, page by page without gap or repeat; one's own only."""
    count = size(5, long=40)

    who, other = await parties.guests(http, 2)
    rules = parties.short_rules()
    deals = 0
    for _ in range(count):
        async with parties.against_bots(
            server, http, who, rules=rules, deals=1, bot="greedy"
        ) as client:
            await client.play_on()
            deals = len(client.model.table["scores"]["deals"])  # one may not count
    found = await parties.listed_when_saved(http, who, lambda lines: len(lines) == count)
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
    assert line["places"] == [1 + sum(b < a for b in line["totals"]) for a in line["totals"]]
    assert (line["preset"], line["deals"], line["number"], line["seat"]) == (
        "altinstar", deals, 1, 0,
    )  # fmt: skip
    assert line["seats"] == ["Oyuncu 0", "bot:greedy"]
    assert (await http.get("/api/matches/", headers=other.headers)).json() == []
    # Whoever has the id may see the match, but has no seat in it.
    shown = (await http.get(f"/api/matches/{line['id']}", headers=other.headers)).json()
    assert shown == line | {"seat": None}
    assert parties.code_of(await http.get("/api/matches/"), 401) == "unauthorised"
    assert parties.code_of(await http.get("/api/matches/m_nothing"), 404) == "no-match"
    gone = await http.get("/api/matches/", params={"before": "t_x-9"}, headers=who.headers)
    assert parties.code_of(gone, 404) == "no-match"
    for params in ({"limit": 0}, {"limit": 101}, {"limit": "x"}, {"before": "y" * 65}):
        answer = await http.get("/api/matches/", params=params, headers=who.headers)
        assert parties.code_of(answer, 400) == "bad-request"


async def test_a_deal_step_by_step(server: LiveServer, http: Http) -> None:
    """The steps' patches lead through the states that replaying the record goes through."""
    people = await parties.guests(http, 3)
    rules = parties.rule_choice("pagat", 3, **parties.KEEN)
    async with parties.started(server, people, rules=rules, deals=2, clock=0) as clients:
        await all_play(clients)
        deals = len(clients[0].model.table["scores"]["deals"])
    (line,) = await parties.listed_when_saved(http, people[0])
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
        assert parties.code_of(await http.get(f"{address}/deals/{beyond}"), 404) == "no-deal-number"
    assert (await http.get(f"{address}/deals/x")).status_code == 404
    assert parties.code_of(await http.get("/api/matches/m_no/deals/0"), 404) == "no-match"


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
        groups = [[group.split() for group in f" {hand} ".split(" / ")[:-1]] for hand in hands]
        assert [Rack.parse(hand.replace("/", "")) for hand in hands] == [
            Rack.from_bits(hand) for hand in state.hands
        ]
        for seat, found in enumerate(groups):
            pairs = state.public.opened[seat] is Opened.PAIRS
            assert all(len(group) == 2 if pairs else len(group) > 2 for group in found)
    result = unwrap(states[-1].result)
    assert shown["result"] == sheet_json(result)
    assert shown["fair"]["secret"]


async def test_the_record_of_a_running_match(server: LiveServer, http: Http) -> None:
    """The finished deals alone, and nothing of the one on the table."""
    rules = parties.short_rules()
    async with parties.duel(server, rules=rules, deals=3) as clients:
        await all_play(
            clients, lambda c: bool(c.model.table["scores"]["deals"]) and parties.playing(c)
        )
        address = f"/api/tables/{clients[0].table}/record"
        answer = await http.get(address, headers=parties.person_of(clients[0]).headers)
        record = parse_record(answer.text)
        assert [deal.result is not None for deal in record.deals] == [True]
        assert unwrap(clients[0].model.you)["hand"] not in answer.text


async def test_a_delayed_match_is_held_back_after_the_table_and_the_server(tmp_path: Path) -> None:
    """The table is closed and the server started anew: nothing of it is shown any sooner."""
    with LiveServer(tmp_path) as live:
        choices: Json = {"spectators": "delayed", "delay": 300, "deals": 1}
        choices["rules"] = parties.short_rules()
        async with parties.duel(live, **choices) as clients:
            who, table = parties.person_of(clients[0]), clients[0].table
            await all_play(clients)
            async with live.http() as http:
                (line,) = await parties.listed_when_saved(http, who)
        async with live.admin() as admin:
            assert (await admin.post(f"/api/admin/tables/{table}/close")).status_code < 300
        live.restart()
        async with live.http() as http:
            (stranger,) = await parties.guests(http, 1)
            for rest in ("", "/record", "/deals/0"):
                path = f"/api/matches/{line['id']}{rest}"
                for headers in ({}, stranger.headers):
                    assert parties.code_of(await http.get(path, headers=headers), 404) == "no-match"
                assert (await http.get(path, headers=who.headers)).status_code == 200


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
    async with with_accounts(folder.path) as accounts:
        deal = played_on(deal_with(THROWN, 1), first="discard *")
        record = record_of(deal.rules, [deal]).to_json().encode()
        player, _ = await accounts.guest("Ayşe")
        seats = [MatchSeat(player.id), *[MatchSeat(bot="greedy")] * 3]
        for number, shown in ((1, 0), (2, LATER)):
            await save(accounts, number, *seats, record=record, shown_ms=shown)


async def test_it_is_asked_for_and_served_again(reviewing: LiveServer) -> None:
    with reviewing:
        async with reviewing.http() as http:
            (who,) = await parties.guests(http, 1)
            path = "/api/matches/t_x-1/review"
            assert (await http.get(path)).json()["state"] == "none"
            assert parties.code_of(await http.post(path), 401) == "unauthorised"
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
            client = okey101.client.Client(reviewing.url, who.token)
            for shown in (client.review("t_x-1"), client.ask_review("t_x-1")):
                assert msgspec.json.decode(msgspec.json.encode(await shown)) == answer
            # Who may not see the match may not see its review, nor have it made.
            hidden = "/api/matches/t_x-2/review"
            for ask in (http.get(hidden), http.post(hidden, headers=who.headers)):
                assert parties.code_of(await ask, 404) == "no-match"
            # A table's running match has no id yet.
            assert parties.code_of(await http.get("/api/matches/t_x-3/review"), 404) == "no-match"
        reviewing.restart()
        async with reviewing.http() as http:
            assert (await http.get("/api/matches/t_x-1/review")).json()["state"] == "done"


COUNTED = {"empty_stock": "count_hands"}
"""Without it these players, who seldom finish, would play void deals for long."""
KINDS = [
    ("altinstar", 4, False, {}),
    ("altinstar", 3, False, parties.KEEN),
    ("altinstar", 4, True, parties.KEEN),
    ("pagat", 4, False, parties.KEEN | COUNTED),
    ("pagat", 4, True, COUNTED),
    ("pagat", 2, False, parties.KEEN),
    ("wiki", 4, False, {}),
    ("wiki", 4, True, parties.KEEN),
    ("wiki", 3, False, parties.KEEN),
]


async def play_whole(client: Client) -> None:
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
    rules = parties.rule_choice(preset, players, teams=teams, **changes)
    async with server.http() as http:
        people = await parties.guests(http, players)
        async with (
            parties.started(server, people, rules=rules, deals=deals, clock=0) as clients,
            Client(server, clients[0].table) as spectator,
        ):
            await asyncio.gather(*(play_whole(client) for client in clients))
            await spectator.until(over)
            for client in (*clients, spectator):
                await same_as_fresh(client)
                assert client.model.deal == spectator.model.deal
                assert client.model.table == spectator.model.table
        ended = clients[0].model
        (found,) = await parties.listed_when_saved(http, people[0])
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


async def test_a_deal_of_ones_own_is_played_again_from_any_move_on(
    server: LiveServer, http: Http
) -> None:
    """With the tiles it had, the stock's order too, and nothing of it is kept or counted."""
    who, other = await parties.guests(http, 2)
    rules = parties.short_rules(4)
    async with parties.against_bots(
        server, http, who, deals=1, bot="greedy", rules=rules
    ) as client:
        await client.play_on()
    (line,) = await parties.listed_when_saved(http, who)
    address = f"/api/matches/{line['id']}/deals/0"
    told = (await http.get(address)).json()
    states = list(steps_of(parse_record((await http.get(f"{address[:-8]}/record")).text), 0))
    steps = told["steps"]
    at = max(n for n, step in enumerate(steps) if (step["seat"], step["action"]) == (0, "draw"))
    for person, wanted, code in (
        (other, {"at": at}, "not-seated"),
        (who, {"at": len(steps)}, "out-of-range"),
        (who, {"at": at, "bot": "nobody"}, "unknown-bot"),
    ):
        answer = await http.post(f"{address}/again", json=wanted, headers=person.headers)
        assert parties.code_of(answer) == code
    answer = await http.post(
        f"{address}/again", json={"at": at, "bot": "greedy"}, headers=who.headers
    )
    table = answer.json()["table"]
    async with Client(server, table, who) as client:
        await client.until(lambda c: c.model.deal is not None)
        shown = client.model
        assert unwrap(shown.deal)["actions"][:at] == [
            f"{step['seat']}: {step['action']}" for step in steps[:at]
        ]
        assert (shown.table["round"], shown.table["commitment"]) == (None, None)
        assert shown.table["again"] == {
            "match": line["id"], "deal": 0, "at": at, "scores": told["result"]["scores"],
        }  # fmt: skip
        assert [seat["bot"] for seat in shown.table["seats"]] == [None, *["greedy"] * 3]
        assert Rack.parse(unwrap(shown.you)["hand"]).bits == states[at].hands[0]
        await client.do("act", action="draw")
        await client.until(lambda c: len(unwrap(c.model.deal)["actions"]) > at)
        assert Rack.parse(unwrap(client.model.you)["hand"]).bits == states[at + 1].hands[0]
        await client.play_on()
        assert list(unwrap(client.model.deal)["end"]) == ["hands"]
        assert len(client.model.table["scores"]["deals"]) == 1
    answer = await http.get(f"/api/tables/{table}/record", headers=who.headers)
    assert parties.code_of(answer) == "day-table"
    assert len(await parties.listed_when_saved(http, who)) == 1
    assert parties.code_of(await http.get(f"/api/matches/{table}-1"), 404) == "no-match"
    # Whoever has seen enough may go in the middle of it.
    answer = await http.post(f"{address}/again", json={"at": 0}, headers=who.headers)
    async with Client(server, answer.json()["table"], who) as client:
        await client.until(lambda c: c.model.deal is not None)
        await client.do("leave")
