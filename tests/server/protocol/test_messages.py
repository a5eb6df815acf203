"""The structs describe what the server sends, field by field, and the page tells of them."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import jsonschema
import msgspec
import pytest

from conftest import raises_code, ran_python
from okey101.game import End, Opened, Phase
from okey101.game.public import FORM
from okey101.melds import Form
from okey101.server.protocol import client_messages, server_messages, views
from okey101.server.protocol.client_messages import PHRASES, read_message
from okey101.server.protocol.server_messages import AnyEvent, read_event
from okey101.server.tables import log_entries as log, serialise
from okey101.server.tables.state import Stage
from okey101.server.web.schema import protocol_schema
from server.clients import Client, Refused, all_play
from server.live import LiveServer, guest

DOCS = Path(__file__).resolve().parents[3] / "docs"
VALIDATOR = jsonschema.Draft202012Validator(protocol_schema())
KINDS = {kind.__struct_config__.tag for kind in get_args(AnyEvent)}
HAPPENINGS = {kind.__struct_config__.tag for kind in get_args(server_messages.What)}


def checked(message: bytes) -> Any:
    """The message as its struct; nothing is lost, so nothing in it is unknown."""
    found = read_event(message)
    assert json.loads(msgspec.json.encode(found)) == json.loads(message)
    if isinstance(found, server_messages.Event) and isinstance(found.deal, views.DealPatch):
        told = msgspec.to_builtins(found.deal)
        if "indicator" in told:
            msgspec.convert(told, views.DealView)
        else:
            assert not told.keys() & {"number", "dealer", "actions"}
    return found


def test_what_the_server_names_has_a_struct() -> None:
    table = {f.encode_name for f in msgspec.structs.fields(views.TableView)}
    assert table == {*serialise._TABLE_DEPENDS, "id", "day", "again"}
    deal = {f.encode_name for f in msgspec.structs.fields(views.DealView)}
    assert {shown.name for shown in FORM.shown.values() if shown.told} == deal - {"number", "end"}
    kinds = {entry.__struct_config__.tag for entry in get_args(log.Entry)} - {"create"}
    assert kinds == HAPPENINGS


def test_words_are_those_of_the_game() -> None:
    assert set(get_args(views.PhaseText)) == set(Phase)
    assert set(get_args(views.Stage)) == set(Stage)
    assert set(get_args(views.FormText)) == set(Form)
    assert set(get_args(get_type_hints(views.Sheet)["end"])) == set(End)
    assert set(get_args(get_args(views.OpenedText)[0])) == set(Opened)


async def test_every_message_over_sockets() -> None:
    with LiveServer() as server:
        async with server.http() as http:
            ali, can, ece = [await guest(http, name) for name in ("Ali", "Can", "Ece")]
            # Two deals, as a bot may end one before anybody else has had a turn.
            body = {"bots": [None, None, "greedy", "greedy"], "deals": 2, "clock": 0}
            made = await http.post("/api/tables", json=body, headers=ali.headers)
            table = made.json()["id"]
        got: list[dict[str, Any]] = []
        async with Client(server, table, ali) as one, Client(server, table, can, seed=1) as two:
            async with Client(server, table) as nobody:
                with pytest.raises(Refused, match="unauthorised"):
                    await nobody.command("sit")
                got += nobody.messages
            await two.command("sit", seat=1)
            await two.command("ready")
            await one.command("start")
            # Nobody can sit down in the last deal, so it is done before anybody has played.
            await all_play([one, two], lambda c: c.model.stage == "playing")
            async with Client(server, table, ece) as late:
                await late.command("sit", seat=2)
                await late.until(lambda c: c.model.coming == 2)
                await late.command("leave")
                got += late.messages
            other = asyncio.create_task(two.play_on())
            await one.play_on(lambda c: c.model.options is not None)
            asked = [await one.ask("options"), await one.ask("check", action="draw")]
            asked += [await one.ask("arrange", aim=aim) for aim in ("points", "pairs")]
            asked.append(await one.ask("check", action="meld R7 R8 R9 / K1 K1"))
            for kind in ({"phrase": "hello"}, {"phrase": "emoji-tea"}):
                await one.command("say", **kind)
            await one.command("mute", seat=1)
            with pytest.raises(Refused, match=r"^(bad|not|must)-"):
                await one.command("act", action="meld R1 B5 K9")
            await one.send({"type": "ping", "n": 7})
            await one.send("nonsense")
            await one.until(lambda c: bool(c.seen("pong")) and c.seen("error")[-1]["rid"] is None)
            got += [*one.messages]
            await one.connect(one.model.seq)
            await one.play_on()
            await other
            await asyncio.to_thread(server.stop)
            await one.until(lambda c: c.closed)
            assert one.close_code == 1012
            messages = [*got, *asked, *one.messages, *two.messages]
    kinds = set()
    for message in messages:
        kinds.add(message["type"])
        checked(json.dumps(message).encode())
        VALIDATOR.validate(message)
    assert kinds == KINDS - {"frozen", "notice"}


def test_the_schema_is_checked_in() -> None:
    """It is one, and has all commands and phrases."""
    jsonschema.Draft202012Validator.check_schema(protocol_schema())
    assert json.loads((DOCS / "protocol.schema.json").read_text("utf-8")) == protocol_schema()
    defs = protocol_schema()["$defs"]
    assert defs.keys() >= {"ClientMessage", "ServerMessage", "Act"}
    assert defs["Say"]["properties"]["phrase"]["enum"] == list(PHRASES)
    tags = {kind.__struct_config__.tag for kind in get_args(client_messages.AnyMessage)}
    named = {ref["$ref"].rpartition("/")[2] for ref in defs["ClientMessage"]["anyOf"]}
    assert {defs[name]["properties"]["type"]["enum"][0] for name in named} == tags


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"hello"}',
        '{"type":"hello","seq":17,"options":true}',
        '{"type":"act","rid":"a-1","action":"discard R9"}',
        '{"type":"commit","rid":"1","commitment":"%s"}' % ("5e" * 32),
        '{"type":"reveal","rid":"1","random":"00112233445566778899aabbccddeeff"}',
        '{"type":"say","rid":"1","phrase":"emoji-tea"}',
        '{"type":"bot","rid":"1","seat":3,"bot":null}',
        '{"type":"ping"}',
    ],
)
def test_the_schema_takes_what_the_reader_takes(text: str) -> None:
    read_message(text)
    VALIDATOR.validate(json.loads(text))


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"type": "dance", "rid": "1"},
        {"type": "act", "rid": "1"},
        {"type": "act", "rid": "1", "action": "draw", "seat": 1},
        {"type": "act", "rid": "a b", "action": "draw"},
        {"type": "say", "rid": "1", "phrase": "anything"},
        {"type": "ack", "rid": "1"},
        {"type": "bye", "code": "Not A Code"},
    ],
)
def test_the_schema_refuses_the_rest(message: dict[str, object]) -> None:
    assert not VALIDATOR.is_valid(message)


@pytest.mark.parametrize(
    "message",
    [
        {"type": "leave", "rid": "a-1\n"},
        {"type": "commit", "rid": "1", "commitment": "a" * 63 + "\n"},
        {"type": "commit", "rid": "1", "commitment": "a" * 64 + "\n"},
        {"type": "reveal", "rid": "1", "random": "a" * 33 + "\n"},
        {"type": "reveal", "rid": "1", "random": "a" * 32 + "\n"},
    ],
)
def test_a_newline_at_the_end_is_refused(message: dict[str, Any]) -> None:
    with raises_code("bad-message"):
        read_message(json.dumps(message))
    assert not VALIDATOR.is_valid(message)


def patterns(part: object) -> Iterator[str]:
    """The patterns anywhere in a schema."""
    if isinstance(part, dict):
        for name, value in part.items():
            if name == "pattern" and isinstance(value, str):
                yield value
            else:
                yield from patterns(value)
    elif isinstance(part, list):
        for value in part:
            yield from patterns(value)


def test_no_pattern_ends_before_a_newline() -> None:
    """``$`` alone would, in Python; what stands for it here is the same in ECMAScript."""
    found = {*patterns(protocol_schema())}
    assert len(found) >= 4
    for pattern in found:
        assert pattern.endswith(r"$(?!\n)")
        assert "$" not in pattern[:-7]
        re.compile(pattern)


PAGE = (DOCS / "en" / "protocol.md").read_text("utf-8")

AGAIN = """
token = post("/api/guests", {"name": "My bot", "bearer": True})["token"]
table = post("/api/play", {"deals": 1, "bot": "random"}, token)["table"]
usual, calls = choose, count()

def choose(options):
    if next(calls) == 2:
        raise EOFError
    return usual(options)

try:
    asyncio.run(play(table, token))
except EOFError:
    print(asyncio.run(asyncio.wait_for(play(table, token), 40)))
"""
"""What follows the definitions of the bot: it breaks off in the middle, and is started again."""


def test_the_bot_of_the_document_plays_and_plays_on(tmp_path: Path) -> None:
    """Started again for the same seat it is heard: no earlier `rid` comes back."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len([line for line in program.splitlines() if line.strip()]) <= 60
    definitions, begin, rest = program.partition("token = post(")
    assert begin
    assert "play(table, token)" in rest
    path = tmp_path / "bot.py"
    with LiveServer(deal_pause_s=5) as live:
        for text in (program, definitions + AGAIN):
            path.write_text(text, encoding="utf-8")
            assert len(json.loads(ran_python(path, live.url, timeout=60).stdout)) == 4
