"""``okey101 admin restore``: what was revealed is not dealt again, and files have their owner."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from okey101.i18n import load
from server.clients import Client
from server.live import LiveServer, Person, guest

from .conftest import Run


async def dealing(server: LiveServer) -> tuple[Client, Person]:
    """Somebody whose second deal is being prepared."""
    async with server.http() as http:
        person = await guest(http, "Ali")
    async with server.http(person) as http:
        answer = await http.post("/api/play", json={"deals": 3, "bot": "greedy"})
    client = Client(server, answer.json()["table"], person)
    await client.connect()
    await client.play_on(lambda c: c.model.stage == "playing")
    return client, person


def names(folder: str) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


def promise(client: Client) -> object:
    return (client.model.table["commitment"] or {}).get("value")


def test_a_restored_backup_deals_anew_with_words(run: Run, tmp_path: Path) -> None:
    async def story(server: LiveServer) -> None:
        client, _ = await dealing(server)
        first = promise(client)
        folder = ("--data", str(server.data))
        assert run("admin", "backup", str(tmp_path / "copy"), *folder).code == 0
        await client.play_on(lambda c: c.model.table["scores"]["counted"] > 0)
        refused = run("admin", "restore", str(tmp_path / "copy"), *folder, "--json")
        assert refused.error["code"] == "server-runs"
        server.stop()
        await client.close()
        ran = run("admin", "restore", str(tmp_path / "copy"), *folder, "--json").json
        assert (ran["goes_on"], ran["tables"]) == (False, [client.table])
        assert names(ran["kept"]) == [
            "accounts.sqlite", "log.mark", "log.sqlite",
        ]  # fmt: skip
        for path in server.data.rglob("*"):
            assert path.stat().st_mode & 0o077 == 0, path
            assert path.stat().st_uid == server.data.stat().st_uid
        server.start()
        again = Client(server, client.table, client.person)
        await again.connect()
        assert again.model.deal is None
        assert again.model.table["scores"]["counted"] == 0
        assert promise(again) not in (None, first)
        assert "restored" in [event["event"] for event in server.events]
        deeds = run("admin", "trail", *folder, "--json").json["trail"]
        assert ("restore", "done") in [(deed["what"], deed["outcome"]) for deed in deeds]
        await again.play_on(lambda c: c.model.stage == "playing")
        await again.close()

    with LiveServer(tmp_path / "data") as server:
        asyncio.run(story(server))
        server.assert_clean()


def test_a_mirror_brings_all_back_and_play_goes_on(run: Run, tmp_path: Path) -> None:
    async def story(server: LiveServer) -> None:
        client, _ = await dealing(server)
        seq, hand = client.model.seq, client.model.you
        server.kill()
        await client.close()
        for path in server.data.glob("log.*"):
            path.unlink()
        folder = ("--data", str(server.data))
        ran = run("admin", "restore", str(tmp_path / "other-disk"), *folder)
        texts = load("en")
        assert texts("admin-restored-whole") in ran.out
        server.start()
        assert client.model.seq == seq
        await client.resume()
        assert client.messages[-1]["type"] in ("resumed", "event", "view")
        assert client.model.stage == "playing"
        assert hand is not None
        assert client.model.you is not None
        assert client.model.you["hand"] == hand["hand"]
        await client.close()

    with LiveServer(tmp_path / "data", mirror=tmp_path / "other-disk") as server:
        asyncio.run(story(server))
        server.assert_clean()


def test_a_copy_by_hand_deals_anew_too(tmp_path: Path) -> None:
    """Files put into another folder have no mark there."""

    async def story(server: LiveServer) -> tuple[Client, object]:
        client, _ = await dealing(server)
        await client.close()
        return client, promise(client)

    with LiveServer(tmp_path / "data") as server:
        client, first = asyncio.run(story(server))
        server.stop()
    other = tmp_path / "by-hand"
    other.mkdir(mode=0o700)
    for name in ("log.sqlite", "accounts.sqlite"):
        shutil.copyfile(tmp_path / "data" / name, other / name)
        (other / name).chmod(0o600)

    async def look(server: LiveServer) -> None:
        again = Client(server, client.table, client.person)
        await again.connect()
        assert promise(again) not in (None, first)
        assert again.model.deal is None
        await again.close()

    with LiveServer(other) as server:
        asyncio.run(look(server))
