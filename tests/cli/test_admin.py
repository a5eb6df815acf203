"""``okey101 admin`` against a real server, without one, and against what is no server."""

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOSPC
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import Patch, answering, raises_code
from okey101.cli.admin.link import Link
from okey101.cli.output import Failure
from okey101.client.calls import Calls
from okey101.i18n import load
from okey101.server.files.data_dir import open_folder, require_folder
from okey101.server.ops.journal import Journal, JournalEntry, Report, Reports
from okey101.server.people.models import MatchSeat
from okey101.server.people.profile import LEAST_TOLD, found_of
from okey101.server.store.erased import erased_in, erasure_of
from server.accounts import people
from server.accounts.test_profile import balance, reviewed
from server.clients import Client, Refused
from server.live import LiveServer, Person, served
from server.store.memory import changed, row, with_store
from server.web.parties import account, code_of, new_table, newcomer
from server.web.test_bot_accounts import bot_of

from .conftest import Run

server = served()


async def table_of(server: LiveServer, owner: Person) -> str:
    async with server.http() as http:
        return await new_table(http, owner, bots=[None, None, "steady", "steady"])


async def get(server: LiveServer, path: str, token: str) -> httpx.Response:
    async with server.http(headers={"Authorization": f"Bearer {token}"}) as http:
        return await http.get(path)


def where(server: LiveServer) -> tuple[str, str]:
    return "--data", str(server.data)


@contextmanager
def stranger(
    status: int, body: bytes, *, version: bytes | None = None, **headers: str
) -> Iterator[tuple[str, list[str]]]:
    """Something else that answers over HTTP, and the tokens it was shown."""
    shown: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            shown.append(self.headers.get("Authorization", ""))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(version if version and self.path == "/version" else body)

        def log_message(self, *_: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}", shown
        finally:
            http.shutdown()
            thread.join()


async def test_status(run: Run, server: LiveServer) -> None:
    await table_of(server, await newcomer(server, "Ali"))
    found = run("admin", "status", *where(server), "--json").json
    assert run("admin", *where(server), "status", "--json").json["url"] == found["url"]
    assert found["ok"] is found["ready"] is True
    assert found["url"].startswith("http://127.0.0.1:")
    assert (found["tables"], found["frozen"], found["sockets"]) == (1, [], 0)
    text = run("admin", "status", *where(server), "--lang", "tr").out
    assert "hazır" in text
    assert "1  bekliyor" in text


def test_the_status_of_a_server_that_is_not_ready(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("x" * 40)
    table = {"id": "t", "stage": "playing", "frozen": None}
    node = {"name": "", "checks": {"store": False, "log": True}, "tables": 1, "sockets": 0}
    both = json.dumps([table | node]).encode()
    with stranger(200, both, version=b'{"protocol": 1, "version": "1"}') as (url, _):
        at = ("--url", url, "--token-file", str(tmp_path / "t"))
        found = run("admin", "status", *at, "--json").json
        assert (found["ready"], found["checks"]) == (False, node["checks"])
        assert "store" in run("admin", "status", *at).out


async def test_tables_kick_and_close(run: Run, server: LiveServer) -> None:
    table = await table_of(server, await newcomer(server, "Zeynep"))
    listed = run("admin", "tables", *where(server), "--json").json["tables"]
    (line,) = (t for t in listed if t["id"] == table)
    assert [seat["bot"] for seat in line["seats"]] == [None, None, "steady", "steady"]
    text = run("admin", "tables", *where(server)).out
    assert f"{table}  waiting" in text
    assert "0:Zeynep  1:-  2:(steady)  3:(steady)" in text
    assert run("admin", "kick", table, "1", *where(server), "--json").error["code"] == "no-seat"
    assert run("admin", "kick", table, "0", *where(server)).code == 0
    assert "Zeynep" not in run("admin", "tables", *where(server)).out
    assert run("admin", "close", table, *where(server), "--json").json["table"] == table
    assert table not in run("admin", "tables", *where(server)).out
    gone = run("admin", "close", table, *where(server), "--lang", "tr")
    assert (gone.code, gone.out) == (1, "")
    assert gone.err == "okey101: Böyle bir masa yok.\n"


async def test_bots_are_listed_parted_from_their_tokens_and_removed(run: Run) -> None:
    with LiveServer(bot_accounts="on") as server:
        assert run("admin", "bots", *where(server), "--lang", "tr").out == "Hiç bot hesabı yok.\n"
        assert run("admin", "users", *where(server), "--json").json["users"] == []
        async with server.http() as http:
            made = await bot_of(http, await account(http, "Sahip"), "Robo")
        bot, token = made["id"], made["token"]
        assert (await get(server, "/api/me", token)).status_code == 200
        (found,) = run("admin", "bots", "rob", *where(server), "--json").json["bots"]
        assert (found["id"], found["name"], found["token"]) == (bot, "Robo (bot, Sahip)", True)
        assert run("admin", "bots", "nobody", *where(server), "--json").json["bots"] == []
        text = run("admin", "bots", *where(server), "--lang", "en").out
        assert f"{bot}  yes" in text
        assert "Robo (bot, Sahip)" in text
        assert "bot" in run("admin", "users", bot, *where(server), "--lang", "en").out
        done = run("admin", "revoke-bot", bot, *where(server), "--lang", "en")
        assert done.out == f"The token of {bot} has ended.\n"
        assert (await get(server, "/api/me", token)).status_code == 401
        assert f"{bot}  yok" in run("admin", "bots", *where(server), "--lang", "tr").out
        assert run("admin", "remove-bot", bot, *where(server), "--json").json["bot"] == bot
        assert run("admin", "bots", *where(server), "--json").json["bots"] == []
        for command in ("revoke-bot", "remove-bot"):
            assert run("admin", command, bot, *where(server), "--json").refusal == (1, "no-user")


async def test_users_ban_and_unban(run: Run, server: LiveServer) -> None:
    who = await newcomer(server, "Haydut")
    found = run("admin", "users", "hayd", *where(server), "--json").json["users"]
    assert [user["id"] for user in found] == [who.id]
    assert run("admin", "users", "nobody", *where(server), "--json").json["users"] == []
    done = run("admin", "ban", who.id, "--days", "3", "--reason", "kaba", *where(server), "--json")
    assert done.json["until_ms"] > 0
    assert "kaba" in run("admin", "users", "Haydut", *where(server)).out
    assert (await get(server, "/api/me", who.token)).status_code == 403
    assert run("admin", "users", "\udcff", *where(server), "--json").json["users"] == []
    assert run("admin", "unban", who.id, *where(server)).code == 0
    assert (await get(server, "/api/me", who.token)).status_code == 200
    kept = (await get(server, "/api/me/export", who.token)).json()
    assert [event["event"] for event in kept["events"]] == ["ban", "unban"]
    assert "kaba" not in run("admin", "users", "Haydut", *where(server)).out
    for end in ("2040-01-31", "2040-01-31T18:00+03:00"):
        ran = run("admin", "ban", who.id, "--until", end, *where(server), "--json")
        assert abs(ran.json["until_ms"] - 2_211_500_000_000) < 200_000_000
    for words in ((), ("--until", "9999-12-31T12:00Z")):  # elsewhere that is in the year 10000
        ran = run("admin", "ban", who.id, *words, *where(server), "--json")
        assert ran.json["until_ms"] is None
    assert "for good" in run("admin", "users", "Haydut", *where(server)).out
    assert run("admin", "ban", "nobody", *where(server), "--json").error["code"] == "no-user"


async def test_a_moderator_may_do_some_of_it_and_leaves_a_trail(run: Run, tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "mod.token"
    there = ("--data", str(data))
    with LiveServer(data=data) as server:
        async with server.http() as http:
            mod = await account(http, "Gözetmen")
        guest = await newcomer(server, "Gürültücü")
        table = await table_of(server, guest)
        assert run("admin", "appoint", guest.id, *there, "--json").refusal == (1, "not-account")
        own = ("--url", server.url, "--token-file", str(file))
        file.write_text(mod.token)
        assert run("admin", "reports", *own, "--json").refusal == (1, "not-allowed")
        file.write_text(run("admin", "appoint", mod.id, *there, "--json").json["token"])
        assert "moderator" in run("admin", "users", "Gözetmen", *own, "--lang", "en").out
        assert run("admin", "reports", *own, "--json").json["reports"] == []
        for words in (("ban", guest.id), ("close", table), ("journal",), ("erase", guest.id),
                      ("appoint", mod.id), ("backup", str(tmp_path / "copy"))):  # fmt: skip
            assert run("admin", *words, *own, "--json").refusal == (1, "not-allowed"), words
        assert "until 2" in run("admin", "mute", "gurultucu", "--days", "2", *own).out
        assert "for good" in run("admin", "mute", "gurultucu", *own).out
        for restarted in (False, True):
            if restarted:
                server.restart()
            async with Client(server, table, guest) as client:
                with pytest.raises(Refused) as refused:
                    await client.command("say", phrase="hello")
                assert refused.value.code == "muted"
        assert run("admin", "unmute", guest.id, *own).code == 0
        async with Client(server, table, guest) as client:
            await client.command("say", phrase="hello")
        assert run("admin", "settle", guest.id, *own).code == 0
        assert run("admin", "kick", table, "0", *own).code == 0
        assert run("admin", "dismiss", mod.id, *there).code == 0
        assert run("admin", "reports", *own, "--json").refusal == (1, "not-allowed")
        entries = run("admin", "journal", *there, "--json").json["journal"]
        assert [one["what"] for one in entries if one["who"] == mod.id] == [
            "kick", "settle", "unmute", "mute", "mute",
        ]  # fmt: skip


def _deeds(run: Run, *there: str) -> list[tuple[str, str, str]]:
    entries = run("admin", "journal", *there, "--json").json["journal"]
    return [(one["what"], one["of"], one["outcome"]) for one in entries]


TOLD = ("erase", "reset-password", "export", "export")
"""What was done, the last first; whether a file can be written shows afterwards."""


def full(_: Path) -> None:
    """A disk that has no room."""
    raise OSError(ENOSPC, "No space left on device")


@pytest.mark.parametrize("runs", [True, False])
async def test_a_person_is_described_exported_given_a_code_and_erased(
    run: Run, tmp_path: Path, *, runs: bool
) -> None:
    """By a name, of a server that runs or has ended; what is done stands in the journal."""
    data, file = tmp_path / "data", tmp_path / "ali.json"
    there = ("--data", str(data))
    with LiveServer(data=data, bot_accounts="on") as server:
        async with server.http() as http:
            ali = await account(http, "Ali Çelik")
            await bot_of(http, ali, "Robo")
        other = await newcomer(server, "Ali Kaya")
        table = await table_of(server, ali)
        own = (await get(server, "/api/me/export", ali.token)).json()
        if not runs:
            assert server.stop() == 0
        for command in ("reset-password", "erase"):
            told = run("admin", command, "ali celik", *there, "--json").json
            kept = {**told["person"], "user": told["person"]["user"]["id"]}
            assert told["done"] is False
            assert kept == {
                "user": ali.id, "sessions": 1, "ties": 0, "matches": 0, "bots": ["Robo"],
                "tables": [table],
            }  # fmt: skip
            ran = run("admin", command, ali.id, *there, "--lang", "tr")
            assert (ran.code, ran.err) == (0, "")
            assert ran.out.startswith(f"Ali Çelik ({ali.id}), hesap,")
            assert "--yes" in ran.out
            ran = run("admin", command, "Ali Celk", *there, "--json")
            assert ran.refusal == (1, "no-user")
            assert ran.error["meant"] == "Ali Çelik"
        ran = run("admin", "reset-password", other.id, "--yes", *there, "--json")
        assert ran.refusal == (1, "not-account")
        assert "Did you mean Ali Çelik?" in run("admin", "export", "Ali Celk", *there).err
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("okey101.server.files.atomic_files._sync_file", full)
            assert run("admin", "export", ali.id, "--out", str(file), *there).code == 1
        assert not file.exists()
        assert run("admin", "export", "Ali Çelik", "--out", str(file), *there).code == 0
        assert file.stat().st_mode & 0o777 == 0o600
        exported = json.loads(file.read_text("utf-8"))
        assert exported == own
        ran = run("admin", "export", ali.id, "--out", str(file), *there, "--json")
        assert ran.refusal == (1, "file-exists")
        made = run("admin", "reset-password", "Ali Çelik", "--yes", *there, "--json").json
        assert made["done"]
        if not runs:
            server.start()
        assert (await get(server, "/api/me", ali.token)).status_code == 401
        async with server.http() as http:
            body = {"name": "Ali Çelik", "password": made["code"], "bearer": True}
            assert code_of(await http.post("/api/login", json=body), 409) == "new-password-needed"
            answer = await http.post("/api/login", json=body | {"new": "yeni parola 9"})
            token = answer.json()["token"]
        assert (await get(server, "/api/me", token)).json()["id"] == ali.id
        if not runs:
            assert server.stop() == 0
        assert run("admin", "erase", "Ali Çelik", "--yes", *there, "--json").json["done"]
        assert run("admin", "erase", ali.id, "--yes", *there, "--json").refusal == (1, "no-user")
        assert erasure_of(ali.id) in erased_in(data / "log.sqlite")
        if not runs:
            server.start()
        assert (await get(server, "/api/me", token)).status_code == 401
        deeds = [one for one in _deeds(run, *there) if one[0] not in ("start", "drain")]
        assert deeds == [(what, ali.id, "done") for what in TOLD]


def test_strange_words_reach_no_other_address(run: Run, server: LiveServer) -> None:
    for word in ("../../livez", "a/b", "?x", "ç%2F", ".", "..", "", "\udcff"):
        ran = run("admin", "close", word, *where(server), "--json")
        assert ran.code == 1, word
        assert ran.error["code"] == "no-table", word


async def archived(log: Path) -> None:
    """Make a log of closed tables, one of which has left it."""
    async with with_store(log) as store:
        for table in ("old", "last"):
            await store.append(row(table, 1, last=True))
        while await store.archive():
            pass


async def test_backup_and_check_of_a_stopped_server(run: Run, tmp_path: Path) -> None:
    """What was copied is listed, whoever makes the copies."""
    require_folder(tmp_path / "data")
    await archived(tmp_path / "data" / "log.sqlite")
    with LiveServer(tmp_path / "data") as server:
        for name in ("Can", "Ali"):
            await table_of(server, await newcomer(server, name))
        running = run("admin", "backup", str(tmp_path / "first"), *where(server), "--json").json
        assert sorted(running) == ["log", "ok"]
        server.kill()  # its notice stays, and so does what is not yet in the log's one file
        folder = ("--data", str(server.data))
        assert run("admin", "status", *folder).code == 4
        assert run("admin", "check", *folder, "--json").json["tables"] == 2
        done = run("admin", "backup", str(tmp_path / "copy"), *folder, "--json").json
        assert sorted(done) == ["log", "ok"]
        # The copy is a folder that a server, and these commands, go on with.
        copied = ("--data", str(tmp_path / "copy"))
        assert run("admin", "check", *copied).out == load("en")("admin-log-sound", tables=2) + "\n"


async def test_damage_is_told(run: Run, tmp_path: Path) -> None:
    with LiveServer(tmp_path / "data") as server:
        await table_of(server, await newcomer(server, "Can"))
        table = await table_of(server, await newcomer(server, "Ali"))
        server.stop()
    folder = ("--data", str(tmp_path / "data"))
    log = tmp_path / "data" / "log.sqlite"
    changed(log, f"UPDATE log SET state_hash = 'x' WHERE table_id = '{table}'")
    ran = run("admin", "check", *folder, "--json")
    assert ran.refusal == (1, "log-unsound")
    assert ran.error["problems"] == [
        f"table {table}: row 1 does not follow the one before (chain)",
        f"{table}: row 1: state-differs",
    ]
    assert f"  {table}: row 1" in run("admin", "check", *folder).err
    log.write_bytes(b"nonsense" * 1000)
    assert run("admin", "check", *folder, "--json").error["code"] == "store-not-ours"


def test_a_folder_in_use_by_hand(run: Run, server: LiveServer, tmp_path: Path) -> None:
    """A server whose notice is gone is still there: its files are locked."""
    note = server.data / "server.json"
    saved = note.read_text()
    note.unlink()
    try:
        assert run("admin", "check", *where(server), "--json").error["code"] == "store-in-use"
        ran = run("admin", "backup", str(tmp_path / "copy"), *where(server), "--json")
        assert ran.error["code"] == "store-in-use"
        assert run("admin", "tables", *where(server)).code == 4
    finally:
        note.write_text(saved)


def test_by_address_and_token(run: Run, server: LiveServer, tmp_path: Path) -> None:
    token = tmp_path / "token"
    shutil.copy(server.data / "admin.token", token)
    at = ("--url", server.url, "--token-file", str(token))
    assert run("admin", "tables", *at).code == 0
    assert run("admin", "backup", "relative", *at, "--json").refusal == (1, "bad-folder")
    token.write_text("wrong" * 10)
    assert run("admin", "tables", *at, "--json").refusal == (1, "not-allowed")
    token.write_text("çok gizli")
    assert run("admin", "tables", *at, "--json").error["code"] == "bad-token-file"
    for language, word in (("en", "delete"), ("tr", "silin")):  # it is the user's file
        assert word not in run("admin", "tables", *at, "--lang", language).err
    token.unlink()
    assert run("admin", "tables", *at, "--json").error["code"] == "file-not-found"
    elsewhere = ("--url", server.url, "--data", str(tmp_path / "none"))  # where no server was
    ran = run("admin", "tables", *elsewhere, "--json")
    assert ran.refusal == (2, "missing-parameter")
    assert "--token-file" in ran.error["message"]


def test_the_folder_of_the_environment(run: Run, server: LiveServer, monkeypatch: Patch) -> None:
    monkeypatch.setenv("OKEY101_DATA", str(server.data))
    assert run("admin", "status", "--json").json["url"].endswith(str(server.port))
    assert run("admin", "status", "--json", OKEY101_DATA="~no.body/x").code == 4


@pytest.mark.parametrize("command", ["status", "tables", "users"])
def test_no_server(run: Run, tmp_path: Path, command: str) -> None:
    ran = run("admin", command, "--data", str(tmp_path), "--json")
    assert ran.refusal == (4, "server-not-running")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "t").write_text("x" * 40)
    dead = ("--url", "http://127.0.0.1:9", "--token-file", str(tmp_path / "t"))
    ran = run("admin", command, *dead, "--json")
    assert ran.refusal == (4, "no-server")
    assert "Errno" not in ran.error["message"]
    assert run("admin", command, *dead, "--lang", "tr").code == 4


@pytest.mark.parametrize("command", [("check",), ("backup", "copy")])
def test_no_folder(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    words = [str(tmp_path / word) if word == "copy" else word for word in command]
    ran = run("admin", *words, "--data", str(tmp_path / "none"), "--json")
    assert ran.refusal == (1, "no-server-folder")
    assert not (tmp_path / "none").exists()
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"hello"), (500, b"oops"), (404, b"[]"), (302, b""), (200, b"\xff"),
        (200, b'{"version": "1"}'), (404, b'{"message": "no such page"}'), (204, b""),
    ],
)  # fmt: skip
def test_what_is_no_server(run: Run, tmp_path: Path, status: int, body: bytes) -> None:
    token = tmp_path / "t"
    token.write_text("secret-" * 6)
    code = "server-moved" if status == 302 else "not-okey101"
    with stranger(200, b"[]") as (other, seen), stranger(status, body, Location=other) as (url, _):
        for command in ("tables", "status"):
            ran = run("admin", command, "--url", url, "--token-file", str(token), "--json")
            assert ran.refusal == (4, code)
        assert seen == []  # the token goes nowhere else


@pytest.mark.parametrize(
    "said",
    [b"SSH-2.0-other\r\n", b"HTTP/1.1 500 no\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n"],
)
def test_what_speaks_no_http(run: Run, tmp_path: Path, said: bytes) -> None:
    (tmp_path / "t").write_text("x" * 40)
    with answering(said) as url:
        at = ("--url", url, "--token-file", str(tmp_path / "t"))
        assert run("admin", "tables", *at, "--json").refusal == (4, "no-server")


def test_no_proxy_is_shown_the_token(run: Run, tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "t").write_text("x" * 40)
    at = ("--url", "http://okey.invalid", "--token-file", str(tmp_path / "t"))
    monkeypatch.delenv("no_proxy", raising=False)
    with stranger(200, b"[]", version=b'{"protocol": 1}') as (proxy, seen):
        assert run("admin", "tables", *at, "--json", http_proxy=proxy).refusal == (4, "no-server")
        assert seen == []


def test_an_answer_without_end_is_not_read_to_its_end() -> None:
    with stranger(200, b"[%b]" % (b" " * 100)) as (url, _):
        assert Link(Calls(url), "", load("en")).get("/") == []
        with raises_code("not-okey101", Failure):
            Link(Calls(url, most=50), "", load("en")).get("/")


def test_an_answer_that_drips_on_and_on_is_given_up() -> None:
    head = b"HTTP/1.1 200 OK\r\n\r\n"
    with answering(head, drip=b" ") as url, raises_code("no-server", Failure):
        Link(Calls(url), "", load("en")).get("/version", patience=0.1)


def test_answers_of_another_shape(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("x" * 40)
    for body in ({"ok": False, "error": {"code": "odd"}}, {"ok": False, "error": {"details": 1}}):
        with stranger(409, json.dumps(body).encode()) as (url, _):
            ran = run("admin", "tables", "--url", url, "--token-file", str(tmp_path / "t"))
            assert ran.code in (1, 4)
            assert "Traceback" not in ran.err
            assert len(ran.err.splitlines()) == 1


def test_names_cannot_steer_a_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t").write_text("x" * 40)
    seat = {"user": "u", "name": "\x1b[2J\nevil", "bot": None}
    table = {
        "id": "t", "stage": "waiting", "seq": 1, "match": 0, "deal": 0, "seats": [seat],
        "sockets": 0, "frozen": None,
    }  # fmt: skip
    with stranger(200, json.dumps([table]).encode(), version=b'{"protocol": 1}') as (url, _):
        out = run("admin", "tables", "--url", url, "--token-file", str(tmp_path / "t")).out
    assert "\x1b" not in out
    assert len(out.splitlines()) == 2


def test_the_trail_of_a_server_that_runs_or_has_ended(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data"
    there = ("--data", str(data))
    with LiveServer(data=data) as server:
        assert run("admin", "unban", "u_none", *there).code != 0
        ran = run("admin", "journal", *there, "--json")
        assert [(entry["what"], entry["outcome"]) for entry in ran.json["journal"]] == [
            ("unban", "no-user"), ("start", "done"),
        ]  # fmt: skip
        assert server.stop() == 0
    assert run("admin", "backup", str(tmp_path / "copy"), *there).code == 0
    ran = run("admin", "journal", "--limit", "2", *there, "--json")
    first, second = ran.json["journal"]
    assert (first["what"], first["of"], first["address"]) == ("backup", str(tmp_path / "copy"), "")
    assert first["who"].startswith("user")
    assert (second["what"], second["who"]) == ("drain", "server")
    lines = run("admin", "journal", *there, "--lang", "en").out.splitlines()
    assert len(lines) == 5
    assert "no-user" in lines[3]
    assert run("admin", "journal", "--data", str(tmp_path / "none")).code == 1


async def test_reports_with_and_without_a_server(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "data"
    there = ("--data", str(data))
    with LiveServer(data=data) as server:
        assert run("admin", "reports", *there, "--json").json["reports"] == []
        people = [await newcomer(server, name) for name in ("Ali", "Veli")]
        table = await table_of(server, people[0])
        async with server.http(people[1]) as http:
            sit = {"type": "sit", "rid": "1", "seat": 1}
            await http.post(f"/api/tables/{table}/commands", json=sit)
            told = {"seat": 0, "reason": "stalling"}
            assert (await http.post(f"/api/tables/{table}/reports", json=told)).status_code == 204
        (one,) = run("admin", "reports", *there, "--json").json["reports"]
        assert one | {"at": 0} == {
            "at": 0, "by": people[1].id, "of": people[0].id, "reason": "stalling", "table": table,
            "match": 0, "deal": 0, "by_name": "Veli", "of_name": "Ali", "reporters": 1,
            "settled": False, "muted_until": None,
        }  # fmt: skip
        lines = run("admin", "reports", *there, "--lang", "tr").out.splitlines()
        assert len(lines) == 2
        assert "bilerek bekletme" in lines[1]
        assert f"Ali ({people[0].id})" in lines[1]
        assert " evet " not in lines[1]
        assert run("admin", "settle", people[0].id, *there).code == 0
        assert " evet " in run("admin", "reports", *there, "--lang", "tr").out
        assert server.stop() == 0
    (one,) = run("admin", "reports", *there, "--json").json["reports"]
    assert (one["of"], one["of_name"], one["reporters"]) == (people[0].id, "Ali", 1)
    assert (one["settled"], one["muted_until"]) == (True, None)
    assert run("admin", "reports", "--data", str(tmp_path / "none")).code == 1


async def test_without_a_server_too_a_guest_who_has_signed_in_is_the_account(
    run: Run, tmp_path: Path
) -> None:
    path = open_folder(tmp_path).path
    async with people.with_accounts(path) as accounts:
        user, _ = await people.account(accounts, "Ali")
        guest, token = await accounts.guest("Misafir")
        session = await accounts.session(token)
        await accounts.login("Ali", people.PASSWORD, guest=session)
    async with with_store(path / "log.sqlite") as store:
        told: dict[str, Any] = {"by": user, "reason": "name", "table": "t", "match": 1, "deal": 0}
        for at, of in ((1, guest.id), (3, user)):
            await Reports(store).add(Report(at=at, of=of, **told))
        await Journal(store).add(JournalEntry(at=2, who="", address="", what="mute", of=user))
    found = run("admin", "reports", "--data", str(tmp_path), "--json").json["reports"]
    assert [(one["of"], one["of_name"], one["settled"]) for one in found] == [
        (user, "Ali", False), (user, "Ali", True),
    ]  # fmt: skip


async def test_who_plays_too_well_or_wins_with_the_same_one_is_listed(
    run: Run, tmp_path: Path
) -> None:
    async with people.with_accounts(open_folder(tmp_path).path) as accounts:
        ali, veli = [(await people.account(accounts, name))[0] for name in ("Ali", "Veli")]
        of = [(deal, balance(0, 0, -150, 0)) for deal in range(LEAST_TOLD)]
        seats, deeds = [MatchSeat(ali), *people.BOTS[:3]], ['["altinstar 4",[]]'] * 4
        match = await people.save(accounts, 21, *seats, deals=LEAST_TOLD, deeds=deeds)
        await accounts.save_review(match, LEAST_TOLD, b"{}", found_of(reviewed(*of)))
        for number in range(1, 21):
            near = number < 18
            pair = MatchSeat(ali, near=2 * near), MatchSeat(veli, near=1 * near)
            await people.save(accounts, number, *pair, at=1_000, deals=5)
    with LiveServer(data=tmp_path) as server:
        there = ("--data", str(tmp_path))
        (one,) = run("admin", "strength", *there, "--json").json["strong"]
        assert (one["user_name"], one["deals"], one["mean"]) == ("Ali", LEAST_TOLD, -15.0)
        file = tmp_path / "token"
        file.write_text(run("admin", "appoint", veli, *there, "--json").json["token"])
        deputys = ("--url", server.url, "--token-file", str(file))
        assert f"Ali ({ali})" in run("admin", "strength", *deputys).out
        nobody = await newcomer(server, "Can")
        assert (await get(server, "/api/admin/strength", nobody.token)).status_code == 403
        assert run("admin", "ladder", *there, "--json").json["pairs"] == []
        (one,) = run("admin", "ladder", *there, "--season", "1970-1", "--json").json["pairs"]
        assert (one["user_name"], one["other_name"], one["together"]) == ("Ali", "Veli", 20)
        assert (one["same"], one["near"]) == (20, 17)
        shown = run("admin", "ladder", *there, "--season", "1970-1").out.split()
        assert shown[shown.index("20/20") :][:3] == ["20/20", "20", "17"]
        refused = run("admin", "ladder", *there, "--season", "1970-5", "--json")
        assert refused.error["code"] == "no-season"
        assert server.stop() == 0
