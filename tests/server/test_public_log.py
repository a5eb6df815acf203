"""The transparency log of a live server, followed by those who trust nobody."""

import asyncio
import json
import shutil
import sqlite3
import time
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import msgspec
import pytest

from conftest import Patch, raises_code
from okey101.cli import daily, main
from okey101.client import Client, CommandRefused
from okey101.client.calls import Calls
from okey101.client.errors import client_error
from okey101.client.heads import Auditor, Memory, Seen, newest, read_seen, signed_by
from okey101.errors import OkeyError
from okey101.game import parse_record
from okey101.game.fair.transparency import EMPTY, Checkpoint, Head, entry_hash
from okey101.game.record.verification import public_entries
from okey101.i18n import load
from okey101.server.protocol.views import DayMix
from okey101.server.store.public_log import LogKey
from server.live import LiveServer, changed, served
from server.web.parties import against_bots, guests, listed_when_saved, rule_choice

PATIENCE_S = 60.0


server = served(program=changed("heads"))
"""A server that makes a head as often as somebody could ask."""


async def followed(auditor: Auditor, size: int) -> Checkpoint:
    """The first head with so many entries at least, also of a server that has just started."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                if (found := await auditor.follow()).head.size >= size:
                    return found
            except CommandRefused as refused:
                assert refused.code == "log-not-ready"  # noqa: PT017
            await asyncio.sleep(0.05)


async def a_match(server: LiveServer) -> str:
    async with server.http() as http:
        (who,) = await guests(http, 1)
        rules = rule_choice("altinstar", 2)
        async with against_bots(server, http, who, rules=rules, deals=1, bot="greedy") as client:
            await client.play_on()
        (line,) = await listed_when_saved(http, who, lambda lines: len(lines) == 1)
        return (await http.get(f"/api/matches/{line['id']}/record", headers=who.headers)).text


async def test_a_match_and_its_rounds_are_in_the_log(server: LiveServer) -> None:
    auditor = Auditor(server.url)
    first = await followed(auditor, 0)
    entries = public_entries(parse_record(await a_match(server)))
    found = await followed(auditor, first.head.size + len(entries))
    assert signed_by(found, auditor.memory.key) is True
    assert await auditor.missing(entries) == []
    other = f"match {'0' * 64}"
    assert await auditor.missing([*entries, other]) == [other]
    assert sum(auditor.memory.counts.values()) == found.head.size
    # What was written down is enough to go on with.
    again = Auditor(server.url, read_seen(msgspec.json.encode(auditor.memory), Memory))
    assert (await again.follow()).head.size >= found.head.size


async def test_a_restart_goes_on_with_the_same_log(server: LiveServer) -> None:
    auditor = Auditor(server.url)
    before = await followed(auditor, 0)
    server.stop()
    server.start()
    after = await followed(auditor, 0)
    assert (after.origin, after.head.size >= before.head.size) == (before.origin, True)


@pytest.mark.parametrize("code", ["log-shortened", "log-rewritten", "log-key-changed"])
async def test_a_server_that_changes_its_past_is_found(
    tmp_path: Path, code: str, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By an auditor, and by who only checks a match there once more."""
    program = changed("heads")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    record = tmp_path / "match.okey.json"

    async def verified(url: str) -> tuple[int, Any]:
        words = ["verify", str(record), "--log", url, "--json"]
        ended = await asyncio.to_thread(main, words)
        return ended, json.loads(capsys.readouterr().out)

    with LiveServer(tmp_path / "data", program=program) as server:
        server.stop()
        shutil.copytree(server.data, tmp_path / "before")
        server.start()
        record.write_text(await a_match(server), "utf-8")
        auditor = Auditor(server.url)
        entries = public_entries(parse_record(record.read_text("utf-8")))
        await followed(auditor, len(entries))
        ended, answer = await verified(server.url)
        assert (ended, answer["log"]["signed"]) == (0, True)
        server.stop()
        if code == "log-key-changed":
            (server.data / "public-log.key").unlink()
        else:  # nothing is left that a start would tell the log again
            shutil.rmtree(server.data)
            shutil.copytree(tmp_path / "before", server.data)
        if code == "log-rewritten":
            with sqlite3.connect(server.data / "log.sqlite") as conn:
                other = f"match {'0' * 64}"
                conn.execute("INSERT INTO public_entries VALUES (0, ?, 0)", (other,))
                leaf = entry_hash(other.encode())
                conn.execute("INSERT INTO public_nodes VALUES (0, 0, ?)", (leaf,))
            conn.close()
        server.start()
        if code == "log-rewritten":
            await a_match(server)
        await followed(Auditor(server.url), 3 if code == "log-rewritten" else 0)
        with raises_code(code):
            await auditor.follow()
        ended, answer = await verified(server.url)
        assert (ended, answer["error"]["code"]) == (3, code)
        assert answer["error"]["deals"][0]["tiles"] == "proved"


async def test_who_has_no_log_is_no_okey101(monkeypatch: Patch) -> None:
    calls = Calls("http://127.0.0.1")
    monkeypatch.setattr(calls, "call", AsyncMock(return_value=Seen()))
    with raises_code("not-okey101"):
        await newest(calls, Seen())


def test_what_no_audit_has_written_is_refused() -> None:
    for data in (b"", b"[]", b'{"tree": 3}', b'{"tree": {"1": "\xa2"}}'):
        with raises_code("bad-audit-file"):
            read_seen(data, Memory)
    with raises_code("bad-checkpoint"):
        Auditor("http://127.0.0.1", Memory("what"))
    for node in ("no hash", "ab"):
        with raises_code("bad-audit-file"):
            Auditor("http://127.0.0.1", Memory(tree={0: node}))


@pytest.mark.parametrize("key", ["", "a+b", "okey.example+00000000+é", "é+00000000+AAAA"])
def test_what_is_no_key_has_signed_nothing(key: str) -> None:
    head = Checkpoint("okey.example", Head(0, EMPTY))
    assert signed_by(head, key) is False


def test_a_memory_that_a_disk_has_changed_accuses_no_server() -> None:
    """It has to lead to its own head."""
    leaves = [entry_hash(b"commitment %d" % number) for number in range(2)]
    tree = {0: leaves[1].hex(), 1: sha256(b"\1" + leaves[0] + leaves[1]).hexdigest()}
    head = Checkpoint("log", Head(2, bytes.fromhex(tree[1]))).text
    assert Auditor("http://127.0.0.1", Memory(head, tree=tree)).head.head.size == 2
    for damaged in ("zz", tree[1][:-1] + "z", tree[1][::-1], ""):
        with raises_code("bad-audit-file"):
            Auditor("http://127.0.0.1", Memory(head, tree={**tree, 1: damaged}))


async def test_a_key_that_a_disk_has_changed_accuses_no_server() -> None:
    """Nor does a head that its key has not signed: the server is not even asked."""
    one, other = LogKey("log", bytes(32)), LogKey("log", bytes([1]) * 32)
    head, key = one.sign(Head(0, EMPTY)).text, one.verifier
    damaged = key[:-6] + ("A" if key[-6] != "A" else "B") + key[-5:]
    for known in (Seen(head, damaged), Seen(other.sign(Head(0, EMPTY)).text, key)):
        with raises_code("bad-audit-file"):
            await newest(Calls("http://127.0.0.1:9"), known, again=False)
    with raises_code("no-server"):
        await newest(Calls("http://127.0.0.1:9"), Seen(head, key), again=False)


@pytest.mark.parametrize("code", ["log-not-ready", "draining", "rate-limited"])
def test_a_server_that_has_no_time_is_not_accused(
    tmp_path: Path, code: str, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 3 is for a log that is not what it was."""
    refused = CommandRefused(code, "not now")
    monkeypatch.setattr(Auditor, "follow", AsyncMock(side_effect=refused))
    words = ["audit", "http://127.0.0.1", "--memory", str(tmp_path / "seen.json"), "--json"]
    assert main(words) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_every_goes_on_where_the_server_was_away(
    tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = ["no-server", "draining", "log-rewritten"]
    refused = [OkeyError(code, "told by the code") for code in codes]
    monkeypatch.setattr(Auditor, "follow", AsyncMock(side_effect=refused))
    monkeypatch.setattr("okey101.cli.audit.monotonic", count().__next__)
    memory = str(tmp_path / "seen.json")
    assert main(["audit", "http://127.0.0.1", "--memory", memory, "--every", "1", "--json"]) == 3
    told = [json.loads(line)["error"]["code"] for line in capsys.readouterr().out.splitlines()]
    assert told == codes


def test_a_day_whose_log_is_none_ends_as_an_audit_of_it(
    monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    error = client_error("log-rewritten", size=3)
    monkeypatch.setattr(daily, "_evidence", AsyncMock(side_effect=error))
    assert main(["daily", "verify", "http://127.0.0.1", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "log-rewritten"


async def test_a_days_record_that_cant_be_read_is_not_as_promised(monkeypatch: Patch) -> None:
    told: dict[str, Any] = {
        "_day": SimpleNamespace(date="2026-11-27", challenge=False, commitments=[], secrets=[]),
        "follow": None, "missing": [], "day_mix": DayMix("2026-11-27", "", [], ""), "_ask": {},
        "day_table": SimpleNamespace(lines=[SimpleNamespace(date="2026-11-27", match="m-1")]),
    }  # fmt: skip

    async def answer(name: str, *_: object) -> Any:
        return told[name]

    for name in told:
        at = next(one for one in (daily, Auditor, Client) if hasattr(one, name))
        monkeypatch.setattr(at, name, partial(answer, name))
    found = await daily._evidence(load("en"), Client("http://127.0.0.1"), None, None)
    assert found._deals() is False


def test_the_command_finds_what_a_record_should_have_there(
    server: LiveServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, memory = tmp_path / "match.okey.json", tmp_path / "seen" / "audit.json"
    record.write_text(asyncio.run(a_match(server)), "utf-8")
    words = ["audit", server.url, "--memory", str(memory), "--json"]
    until = time.monotonic() + PATIENCE_S
    while (code := main([*words, str(record)])) == 3 and time.monotonic() < until:
        capsys.readouterr()  # the next head is on its way
        time.sleep(0.1)
    answer = json.loads(capsys.readouterr().out)
    assert (code, answer["signed"], answer["counts"]["match"] > 0) == (0, True, True)
    strange = tmp_path / "strange.okey.json"
    strange.write_text(json.dumps(json.loads(record.read_text("utf-8")) | {"totals": [1, 2]}))
    assert main([*words, str(strange)]) == 3
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], len(error["missing"])) == ("log-lacks", 1)
    assert main(["audit", server.url, "--memory", str(memory), "--lang", "tr"]) == 0
    assert "İmzalayan" in capsys.readouterr().out
    memory.write_text("no", "utf-8")
    assert main(words) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "bad-audit-file"
