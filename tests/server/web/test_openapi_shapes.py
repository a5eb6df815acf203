"""The OpenAPI document: every reference resolves, and every answer has a shape and keeps to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from okey101.server.web.response_schemas import SHAPES
from server.clients import Client
from server.live import Http, LiveServer, guest

Json = dict[str, Any]
LOOKED_UP = (
    *SHAPES, "/api/me/export", "/api/tables/{table_id}", "/api/matches/{match_id}/deals/{number}",
    "/api/admin/users",
)  # fmt: skip


@pytest.fixture(scope="module")
def live() -> Iterator[LiveServer]:
    with LiveServer() as running:
        yield running


@pytest.fixture(scope="module")
def document(live: LiveServer) -> Json:
    found: Json = httpx.get(f"{live.url}/api/schema/openapi.json").json()
    return found


def refs(part: object) -> Iterator[str]:
    """Every reference within a part of the document."""
    if isinstance(part, list):
        for item in part:
            yield from refs(item)
    elif isinstance(part, dict):
        for name, value in part.items():
            if name == "$ref":
                yield str(value)
            else:
                yield from refs(value)


def answers(document: Json, status: str) -> Iterator[tuple[str, str, Json]]:
    """The answers of a status: method, address, and the schema, empty where there is none."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if isinstance(operation, dict) and status in operation.get("responses", {}):
                contents = operation["responses"][status].get("content") or {"": {}}
                for content in contents.values():
                    yield method, path, content.get("schema", {})


def test_every_reference_leads_somewhere(document: Json) -> None:
    names = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert "#/components/schemas/ErrorAnswer" in names
    assert sorted({*refs(document)} - names) == []


@pytest.mark.parametrize("status", ["200", "201"])
def test_every_answer_has_a_shape(document: Json, status: str) -> None:
    schemas = document["components"]["schemas"]
    vague = []
    for method, path, schema in answers(document, status):
        top = schema.get("items", schema)
        top = schemas[top["$ref"].rpartition("/")[2]] if "$ref" in top else top
        named = top.get("properties") or top.get("additionalProperties") or top.get("description")
        if top.get("type") not in ("string", "integer") and not named:
            vague.append((method, path))
    assert vague == []


def test_only_what_has_no_struct_is_described_by_hand() -> None:
    """All other answers are structs, which the document, the page's types and mypy follow."""
    of_records = {path for path in SHAPES if path.endswith("/record")}
    assert set(SHAPES) == of_records | {"/api/me/settings"}


def test_readyz_may_answer_that_something_is_missing(document: Json) -> None:
    found = {status: schema for status in ("200", "503")
             for _, path, schema in answers(document, status) if path == "/readyz"}  # fmt: skip
    assert found["503"] == found["200"] != {}


async def looked_up(live: LiveServer) -> dict[str, object]:
    """What each address with a shape of its own answers, after a match and a table more."""
    async with live.http() as http:
        me = await guest(http, "Ece")
        await http.post("/api/tables", json={"listed": True}, headers=me.headers)
        short = {"deals": 1, "rules": {"preset": "pagat"}}
        table = (await http.post("/api/play", json=short, headers=me.headers)).json()["table"]
        async with Client(live, table, me) as client:
            await client.play_on()
        matches: list[Json] = []
        while not matches:
            matches = (await http.get("/api/matches", headers=me.headers)).json()
        values = {"table_id": table, "match_id": matches[0]["id"], "number": 0, "preset": "wiki"}
        return {path: await asked(http, live, path, values, me.headers) for path in LOOKED_UP}


async def asked(
    http: Http, live: LiveServer, path: str, values: Json, headers: dict[str, str]
) -> object:
    if path.startswith("/api/admin"):
        headers = {"Authorization": f"Bearer {live.admin_token}"}
    method = "POST" if path.endswith("/check") else "GET"
    answer = await http.request(method, path.format(**values), headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_answers_have_their_shapes(live: LiveServer, document: Json) -> None:
    found = asyncio.run(looked_up(live))
    for method, path, schema in answers(document, "200"):
        if path in found and method != "put":
            whole = {**schema, "components": document["components"]}
            Draft202012Validator(whole).validate(found[path])
