"""Requests made from the OpenAPI document, fitting and not: every answer is one that it has."""

import asyncio
import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.errors import Unsatisfiable
from jsonschema import Draft202012Validator
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from conftest import Size, every_other
from okey101.server.web.response_schemas import SHAPES
from server.clients import Client
from server.live import Json, LiveServer, Person, guest

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_headers_conformance, response_schema_conformance,
]  # fmt: skip
ENDING = {("POST", "/api/logout"), ("DELETE", "/api/me"), ("POST", "/api/me/account")}
"""What ends the session of whoever asks."""
ELSEWHERE = {("POST", "/api/admin/backup")}
"""What would write to any folder of this machine."""
SECURITY = (
    "content-security-policy", "referrer-policy",
    "x-content-type-options", "x-frame-options",
)  # fmt: skip
ERROR = Draft202012Validator(
    {
        "type": "object",
        "required": ["ok", "error"],
        "additionalProperties": False,
        "properties": {
            "ok": {"const": False},
            "error": {
                "type": "object",
                "required": ["code", "message", "rule", "details"],
                "additionalProperties": False,
                "properties": {
                    "code": {"type": "string", "pattern": "^[a-z0-9-]+$"},
                    "message": {"type": "string", "minLength": 1},
                    "rule": {"type": ["string", "null"]},
                    "details": {"type": "object"},
                },
            },
        },
    }
)


@dataclass
class World:
    """A server with people, tables and a finished match, and the document of its HTTP side."""

    server: LiveServer
    document: dict[str, Any] = field(default_factory=dict)
    real: dict[str, list[str]] = field(default_factory=dict)
    owner: Person | None = None

    async def prepare(self) -> None:
        async with self.server.http() as http:
            self.document = (await http.get("/api/schema/openapi.json")).json()
            self.owner = owner = await guest(http, "Ece")
            victim = await guest(http, "Can")
            tables = [
                (await http.post("/api/tables", json=body, headers=owner.headers)).json()["id"]
                for body in ({"listed": True}, {"spectators": "off"})
            ]
            short = {"deals": 1, "rules": {"preset": "altinstar"}}
            play = await http.post("/api/play", json=short, headers=owner.headers)
            tables.append(play.json()["table"])
            async with Client(self.server, tables[-1], owner) as client:
                await client.play_on()
            matches: list[dict[str, Any]] = []
            while not matches:
                matches = (await http.get("/api/matches", headers=owner.headers)).json()
            self.real = {
                "table_id": tables,
                "match_id": [match["id"] for match in matches],
                "user_id": [victim.id],
                "session_id": ["x"],
            }

    def headers(self, who: str) -> dict[str, str]:
        if who == "admin":
            return {"Authorization": f"Bearer {self.server.admin_token}"}
        return asyncio.run(self._somebody()).headers if who == "guest" else {}

    async def _somebody(self) -> Person:
        async with self.server.http() as http:
            person = await guest(http)
            await http.post("/api/tables", json={}, headers=person.headers)
            return person


@pytest.fixture(scope="module")
def world(server: LiveServer) -> World:
    made = World(server)
    asyncio.run(made.prepare())
    return made


@pytest.fixture
def document(world: World) -> Json:
    return world.document


def look(case: Case[Any], response: schemathesis.Response) -> None:
    """Compare an answer with the document and with our own idea of an error."""
    for name in SECURITY:
        assert name in response.headers, name
    if response.status_code >= 400:
        assert response.status_code < 500, response.text
        assert not [*ERROR.iter_errors(response.json())], response.text
    case.validate_response(response, checks=CHECKS)


def nothing_can_be_wrong(operation: Any) -> bool:
    """Whether all there is to a request is its path, and any text fits in that.

    To find that nothing else fits takes the library more than a second for each operation.
    """
    raw = operation.definition.raw
    texts = [
        part["in"] == "path"
        and part["schema"].get("type") == "string"
        and "enum" not in part["schema"]
        for part in raw.get("parameters", [])
    ]
    return all(texts) and "requestBody" not in raw


class Attack:
    """One kind of caller, and the requests that were made as such."""

    def __init__(self, world: World, who: str, examples: int) -> None:
        self.world = world
        self.who = who
        self.headers = world.headers(who)
        self.statuses: Counter[int] = Counter()
        self._fuzz = settings(
            max_examples=examples,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        )

    def one(self, operation: Any, mode: GenerationMode) -> None:
        """Try an operation, mostly with ids that exist."""
        ask = (operation.method.upper(), operation.path)

        def attack(case: Case[Any], which: int) -> None:
            for name in case.path_parameters or {}:
                if which % 10 < 7 and name in self.world.real:
                    ids = self.world.real[name]
                    case.path_parameters[name] = ids[which % len(ids)]
            response = case.call(headers=self.headers)
            self.statuses[response.status_code] += 1
            look(case, response)
            if ask in ENDING and self.who == "guest":
                self.headers = self.world.headers(self.who)

        cases = operation.as_strategy(mode)
        with contextlib.suppress(Unsatisfiable):  # without parts nothing can be wrong
            self._fuzz(given(case=cases, which=st.integers(0, 99))(attack))()


@pytest.mark.parametrize(("who", "mode"), every_other(["nobody", "guest", "admin"], GenerationMode))
def test_each_answer_is_documented(
    world: World, who: str, mode: GenerationMode, size: Size
) -> None:
    schema = schemathesis.openapi.from_dict(world.document)
    schema.config.update(base_url=world.server.url)
    attack = Attack(world, who, size(2, long=150))
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        admins = operation.path.startswith("/api/admin")
        if (operation.method.upper(), operation.path) in ELSEWHERE or admins != (who == "admin"):
            continue
        if mode is GenerationMode.NEGATIVE and nothing_can_be_wrong(operation) and size(1, long=0):
            continue
        attack.one(operation, mode)
    assert attack.statuses[200] or mode is GenerationMode.NEGATIVE or who == "nobody"


# Shapes -----------------------------------------------------------------------------------------

LOOKED_UP = (
    *SHAPES, "/api/me/export", "/api/tables/{table_id}", "/api/matches/{match_id}/deals/{number}",
    "/api/admin/users",
)  # fmt: skip


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
    assert {*re.findall(r'"\$ref": "([^"]+)"', json.dumps(document))} <= names


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


def test_readyz_may_answer_that_something_is_missing(document: Json) -> None:
    found = {status: schema for status in ("200", "503")
             for _, path, schema in answers(document, status) if path == "/readyz"}  # fmt: skip
    assert found["503"] == found["200"] != {}


async def test_the_answers_have_their_shapes(world: World, document: Json) -> None:
    match = world.real["match_id"][0]
    values = {"table_id": world.real["table_id"][-1], "match_id": match, "number": 0}
    async with world.server.http(world.owner) as http, world.server.admin() as admin:
        for method, path, schema in answers(document, "200"):
            if path in LOOKED_UP and method != "put":
                client = admin if path.startswith("/api/admin") else http
                answer = await client.request(method, path.format(**values))
                assert answer.status_code == 200, answer.text
                whole = {**schema, "components": document["components"]}
                Draft202012Validator(whole).validate(answer.json())
