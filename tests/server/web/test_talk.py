"""Phrases and mutes, and what spectators hear and see."""

from __future__ import annotations

from server.clients import Client
from server.live import Http, LiveServer
from server.web.parties import guests, refused, rule_choice, seated


async def heard(client: Client, count: int) -> list[tuple[int, str]]:
    """What a client has heard so far, once it is that much."""
    await client.until(lambda c: len(c.seen("said")) >= count)
    return [(said["seat"], said["phrase"]) for said in client.seen("said")]


async def silence(client: Client) -> None:
    """Wait until everything sent so far has come."""
    count = len(client.seen("pong"))
    await client.send({"type": "ping", "n": count})
    await client.until(lambda c: len(c.seen("pong")) > count)


async def test_phrases_and_mutes(server: LiveServer, http: Http) -> None:
    """Everybody hears them who wants to; a mute outlasts the connection."""
    people = await guests(http, 2)
    async with (
        seated(server, people, rules=rule_choice("altinstar", 2)) as (first, second),
        Client(server, first.table) as watcher,
    ):
        await first.command("say", phrase="hello")
        for client in (first, second, watcher):
            assert await heard(client, 1) == [(0, "hello")]
        await second.command("mute", seat=0)
        assert muted(second) == [[0]]
        await first.command("say", phrase="emoji-tea")
        await second.command("say", phrase="thanks")
        assert await heard(first, 3) == [(0, "hello"), (0, "emoji-tea"), (1, "thanks")]
        assert await heard(second, 2) == [(0, "hello"), (1, "thanks")]
        await second.connect()
        await first.command("say", phrase="hurry")
        assert muted(second) == [[0]]
        assert muted(first) == muted(watcher) == []
        await silence(second)
        assert second.seen("said") == []
        await second.command("mute", seat=0, on=False)
        assert muted(second) == [[0], []]
        await first.command("say", phrase="emoji-nazar", to=1)
        assert await heard(second, 1) == [(0, "emoji-nazar")]
        assert second.seen("said")[0]["to"] == 1
        assert await refused(second.command("say", phrase="emoji-tea", to=2)) == "no-seat"
        assert await refused(first.command("say", phrase="rude words")) == "no-phrase"
        assert await refused(first.command("mute", seat=0)) == "mute-self"
        assert await refused(first.command("mute", seat=3)) == "no-seat"
        assert await refused(watcher.command("say", phrase="hello")) == "unauthorised"
        assert await refused(watcher.command("mute", seat=0)) == "unauthorised"
    async with (
        seated(server, people[:1]) as (first,),
        Client(server, first.table, people[1]) as visitor,
    ):
        assert await refused(visitor.command("say", phrase="hello")) == "not-seated"


def muted(client: Client) -> list[list[int]]:
    """The seats it was told that it does not hear, each time."""
    return [message["seats"] for message in client.seen("muted")]


async def test_mutes_follow_the_person(server: LiveServer, http: Http) -> None:
    """Whoever is muted and sits down, or moves, is shown as muted there."""
    people = await guests(http, 2)
    async with seated(server, people) as (first, second):
        await first.command("mute", seat=1)
        await second.command("leave")
        await first.until(lambda c: muted(c) == [[1], []])
        await second.command("sit", seat=2)
        await first.until(lambda c: muted(c) == [[1], [], [2]])
        assert muted(second) == []


async def test_phrases_are_rationed_and_can_be_off(server: LiveServer, http: Http) -> None:
    """A handful at once; then one has to wait, and nobody hears what was refused."""
    people = await guests(http, 2)
    rules = rule_choice("altinstar", 2)
    async with seated(server, people, rules=rules) as (first, second):
        for _ in range(4):
            await first.command("say", phrase="hello")
        assert await refused(first.command("say", phrase="hello")) == "rate-limited"
        assert len(await heard(second, 4)) == 4
        await silence(second)
        assert len(second.seen("said")) == 4
        await second.command("say", phrase="sorry")
    people = await guests(http, 2)  # the allowance is a person's, at all tables
    async with seated(server, people, rules=rules, phrases=False) as (first, _):
        assert await refused(first.command("say", phrase="hello")) == "phrases-off"


async def test_hints_are_rationed(server: LiveServer, http: Http) -> None:
    """Each may cost a bot's whole thought: a person has an allowance of them at all tables."""
    people = await guests(http, 2)
    async with seated(server, people, rules=rule_choice("altinstar", 2)) as (first, other):
        codes = [await refused(first.ask("hint")) for _ in range(7)]
        assert codes == ["not-playing"] * 6 + ["rate-limited"]
        assert await refused(other.ask("hint")) == "not-playing"
