"""The page at several nodes: whoever it is answered by, people play on, a node less too."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect

from page.conftest import CALM, Visit
from page.hands import Hands, dealt_out, play_until
from postgres import Postgres
from server.fronts import Front, clustered

A_NODE_LESS = (
    r"WebSocket connection to .* failed", r"status of 50[0-9]", r"net::ERR_",
)  # fmt: skip


@pytest.fixture(scope="module")
def front(executable: str, postgres: Postgres) -> Iterator[Front]:
    with clustered(postgres.database(), 2, program=CALM) as running:
        yield running


def _keeps_tables(url: str, token: str) -> bool:
    answer = httpx.get(f"{url}/api/admin/nodes", headers={"Authorization": f"Bearer {token}"})
    return bool(answer.json()[0]["tables"])


def test_a_deal_goes_on_when_the_node_that_keeps_it_is_killed(visit: Visit, front: Front) -> None:
    host, friend = visit("Ayşe", front), visit("Barış", front, language="en")
    for visitor in (host, friend):
        visitor.tolerate(*A_NODE_LESS)
    table = host.make(deals=1, clock=0, bots=[None, None, "greedy", "greedy"])
    friend.sit(table)
    host.begin(table)
    friend.wait_table()
    players: list[Hands] = [Hands(host), Hands(friend)]
    play_until(players, lambda: all(hands.done for hands in players))
    (keeper,) = [node for node in front.nodes if _keeps_tables(node.url, front.admin_token)]
    keeper.kill()
    lost = [one.text("page-lost") for one in (host, friend)]
    for words in lost:
        expect(words.first).to_be_hidden()
    before = [len(hands.done) for hands in players]
    play_until(
        players,
        lambda: (
            dealt_out(host) or all(len(p.done) > n for p, n in zip(players, before, strict=True))
        ),
    )
    host.until(lambda: host.model.deal == friend.model.deal, "what the friend sees")
    keeper.start()
