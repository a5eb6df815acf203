"""``okey101 client-check``: it finds what was planted, and lets a good client through."""

import asyncio
from collections.abc import Sequence

import httpx
import pytest

from cli.conftest import Run, started
from client.faulty import FOUND, Natural
from okey101.client import Client, Ended, Pace, play
from okey101.client.check import CheckingProxy
from okey101.client.check.watch import TRIALS, CheckReport, Patience, Watch
from server.live import LiveServer, guest

PATIENCE = Patience(back=12, resent=1.5, turn=2.5, hold=0.15, replaced=1.2)
PACE = Pace(first=0.35, longest=0.4)
"""Two pauses, each a quarter shorter at most, take longer than the half second asked for."""


async def natural(url: str, fault: str) -> Natural:
    """A client by hand at a table against bots."""
    async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
        person = await guest(http, "My client")
        body = {"deals": 9, "bot": "random"}
        made = await http.post("/api/play", json=body, headers=person.headers)
    return Natural(url, made.json()["table"], person, fault)


async def checked(server: LiveServer, fault: str, trials: Sequence[str] = TRIALS) -> CheckingProxy:
    how = {"seed": 1, "rounds": 1}
    async with CheckingProxy(server.url, **how, patience=PATIENCE, trials=trials) as proxy:
        player = asyncio.create_task((await natural(proxy.url, fault)).play())
        try:
            await asyncio.wait_for(proxy.done.wait(), 60)
        finally:
            player.cancel()
            await asyncio.gather(player, return_exceptions=True)
        return proxy


async def test_a_good_client_passes_everything(server: LiveServer) -> None:
    async def ours() -> CheckingProxy:
        async with CheckingProxy(server.url, seed=2, rounds=1, patience=PATIENCE) as proxy:
            with pytest.raises(Ended) as caught:
                await play(proxy.url, "greedy", deals=6, against="random", pace=PACE)
            assert caught.value.code == "replaced"
            await proxy.done.wait()
            return proxy

    for proxy in (await ours(), await checked(server, "")):
        assert proxy.report.untried == []
        assert proxy.report.found == []
        assert proxy.made == proxy.total == len(TRIALS)


@pytest.mark.parametrize("fault", FOUND)
async def test_a_planted_fault_is_found(server: LiveServer, fault: str) -> None:
    code, *trials = FOUND[fault]
    report = (await checked(server, fault, trials)).report
    assert code in {found.code for found in report.faults}, report.to_dict()


async def test_a_server_that_is_away_is_no_fault_of_the_client() -> None:
    async with CheckingProxy("http://127.0.0.1:1", patience=PATIENCE) as proxy:
        with pytest.raises(ValueError, match="not as okey101"):
            await Client(proxy.url).tables()
        assert proxy.report.found == []


# The command --------------------------------------------------------------------------------------


def test_a_faulty_bot_is_told_of(run: Run, server: LiveServer) -> None:
    bot = "client.test_client:Failing"
    found = run("client-check", server.url, "--bot", bot, "--rounds", "1", "--json")
    assert found.refusal == (1, "client-faulty")
    assert found.error["bot_faults"]["crashed"] > 0
    assert found.error["untried"] == []


@pytest.mark.parametrize(
    ("words", "exit_code", "code"),
    [
        (["http://127.0.0.1:1"], 4, "no-server"),
        (["ftp://there"], 2, "bad-address"),
        (["{url}", "--bot", "nobody"], 2, "unknown-bot"),
        (["{url}", "--seconds", "1"], 1, "client-not-tested"),
    ],
)
def test_what_can_not_be_checked(
    run: Run, server: LiveServer, words: list[str], exit_code: int, code: str
) -> None:
    given = [word.format(url=server.url) for word in words]
    ran = run("client-check", *given, "--json")
    assert (ran.code, ran.json["error"]["code"]) == (exit_code, code)


async def test_a_faulty_client_of_somebody_elses(server: LiveServer) -> None:
    words = ("client-check", server.url, "--rounds", "1", "--lang", "en")
    with started(*words) as (running, _, _, told):
        url = told.readline().decode().split(" at ")[1].split(" instead")[0]
        await (await natural(url, "new-rid")).play()
        out, _ = running.communicate(timeout=60)
    assert running.returncode == 1
    assert b"! move-sent-twice (" in out
    assert b"Wait for" not in out


def test_what_is_no_message_is_passed_on_unread() -> None:
    watch = Watch(CheckReport(), Patience())
    for text in ("", "{", b'{"type": "\xa2"}'):
        assert watch.said(text) is None
        watch.told(text)
    assert watch.report.faults == []
