"""A person has one allowance, by whatever road a command comes."""

from __future__ import annotations

from server.clients import Client
from server.live import LiveServer, guest
from server.web.parties import code_of, new_table, run

BURST = 8


def test_commands_over_http_and_over_sockets_count_together() -> None:
    """It was 50 rows a second over HTTP, as long as one liked."""

    async def story() -> None:
        with LiveServer(message_burst=BURST, messages_per_second=0.01) as server:
            async with server.http() as http:
                who, other = await guest(http, "Ali"), await guest(http, "Can")
                table = await new_table(http, who)  # the first of them
                url = f"/api/tables/{table}/commands"

                async def ready(n: int) -> int:
                    body = {"type": "ready", "rid": f"r{n}", "on": n % 2 == 0}
                    answer = await http.post(url, json=body, headers=who.headers)
                    if answer.status_code != 200:
                        assert code_of(answer, 429) == "rate-limited"
                    return answer.status_code

                codes = [await ready(n) for n in range(BURST + 4)]
                assert codes == [200] * (BURST - 1) + [429] * 5
                async with Client(server, table, who) as client:
                    await client.send({"type": "ready", "rid": "s1"})
                    await client.until(lambda c: bool(c.seen("error")))
                    assert client.seen("error")[0]["code"] == "rate-limited"
                answer = await http.post("/api/play", json={}, headers=who.headers)
                assert code_of(answer, 429) == "rate-limited"
                async with Client(server, table, other) as client:
                    await client.do("sit")
                seen = (await http.get(f"/api/tables/{table}", headers=other.headers)).json()
                assert seen["seq"] <= BURST + 2

    run(story())
