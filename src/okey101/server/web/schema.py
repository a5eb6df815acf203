"""The OpenAPI document and the JSON Schemas: of what goes over HTTP, and of every message."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any, Final, cast

import msgspec
from litestar import Litestar, get
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig, spec
from litestar.serialization import encode_json
from litestar.types import ControllerRouterHandler

from okey101 import __version__
from okey101.server.protocol import TableOptions, views
from okey101.server.protocol.client_messages import PHRASES, AnyMessage
from okey101.server.protocol.options import Applied, PlayBody, TableLine
from okey101.server.protocol.server_messages import AnyEvent
from okey101.server.web import response_schemas as shapes
from okey101.server.web.auth import DEPENDENCIES
from okey101.server.web.bot_accounts import BotAccount, BotsHere, InvitationBody, InvitedBot
from okey101.server.web.lobby import ReportBody
from okey101.server.web.matches import MatchLine
from okey101.server.web.people import SessionView, Whoami
from okey101.server.web.public_log import LogHead

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_COMPONENTS: Final = spec.Components(
    security_schemes={
        "bearer": spec.SecurityScheme(
            type="http", scheme="bearer", description="A session's token."
        ),
        "cookie": spec.SecurityScheme(
            type="apiKey", name="okey101", security_scheme_in="cookie",
            description="A session over http.",
        ),
        "secureCookie": spec.SecurityScheme(
            type="apiKey", name="__Host-okey101", security_scheme_in="cookie",
            description="A session over https.",
        ),
        "admin": spec.SecurityScheme(
            type="http", scheme="bearer", description="The token in the server's folder."
        ),
    },
)  # fmt: skip

_MEANINGS: Final = {
    400: "The request can't be read, or asks for what can't be.",
    401: "This needs a session, or the password is wrong.",
    403: "This origin, or this person, may not.",
    404: "There is no such thing.",
    409: "Not now: the table, the rules or the account refuse it.",
    410: "The table is closed.",
    413: "The request is too long.",
    415: "The body has to be JSON.",
    429: "Too often, or too many; Retry-After says when.",
    500: "It could not be done; nothing that was there is lost.",
    503: "The server is about to restart, or could not store this; send it again.",
    507: "There is no room on the disk.",
}


_making: Final = Lock()


@get(
    "/api/schema/openapi.json",
    media_type="application/vnd.oai.openapi+json",
    include_in_schema=False,
    sync_to_thread=True,
)
def openapi(state: State) -> bytes:
    """The OpenAPI document of this server."""
    with _making:
        text: bytes = state.document()
    return text


@cache
def document(handlers: tuple[ControllerRouterHandler, ...]) -> bytes:
    """The document of some handlers as JSON, made when it is first asked for.

    To make it takes a third of what all else of a server's start does, and few ask for it.
    """
    # Every operation is given the errors it may answer with, and what is derived wrongly corrected.
    # An application of its own has the handlers for that, as the framework wants one.
    config = OpenAPIConfig(
        title="okey101",
        version=__version__,
        description="Okey 101 for people and bots: tables, matches, people.",
        path="/api/schema",
        use_handler_docstrings=True,
        components=_COMPONENTS,
    )
    app = Litestar(
        [*handlers], dependencies=DEPENDENCIES, openapi_config=config, logging_config=None
    )
    found = app.openapi_schema
    for path, item in (found.paths or {}).items():
        for method in ("get", "put", "post", "patch", "delete"):
            operation: spec.Operation | None = getattr(item, method)
            if operation is not None:
                _answers(path, operation)
    schemas = found.components.schemas
    for schema in schemas.values():
        for part in (schema.properties or {}).values():
            if isinstance(part, spec.Schema):
                _mend(part)
    # Not among _COMPONENTS: the framework makes the schemas anew, from the handlers alone.
    for name, shape in shapes.components().items():
        schemas.setdefault(name, _plain(shape))
    return encode_json(found.to_schema())


def _answers(path: str, operation: spec.Operation) -> None:
    answers = operation.responses
    assert answers is not None
    if "204" in answers:
        answers["204"] = spec.OpenAPIResponse(description="Done.")
    error = spec.Reference(ref="#/components/schemas/ErrorAnswer")
    told = {"application/json": spec.OpenAPIMediaType(schema=error)}
    for status in _statuses(path, operation):
        answers[str(status)] = spec.OpenAPIResponse(_MEANINGS[status], content=told)
    good = answers.get("200")
    contents = good.content if isinstance(good, spec.OpenAPIResponse) else None
    if path in shapes.SHAPES:
        for content in (contents or {}).values():
            content.schema = _plain(shapes.SHAPES[path])
    if path == "/readyz":
        answers["503"] = spec.OpenAPIResponse(description="Something is missing.", content=contents)


def _plain(shape: dict[str, Any]) -> spec.Schema:
    """A schema that is already data: the framework writes it out unchanged."""
    return cast("spec.Schema", shape)


def _mend(part: spec.Schema) -> None:
    """Items of a list of any length have their one type, not "that type or anything"."""
    items = part.items
    if (
        isinstance(items, spec.Schema)
        and items.one_of is not None
        and spec.Schema() in items.one_of
    ):
        (part.items,) = (one for one in items.one_of if one != spec.Schema())


def _statuses(path: str, operation: spec.Operation) -> list[int]:
    """The errors of an operation, without success and without answers that have their own body."""
    if path == "/metrics":
        return [403]
    if not path.startswith("/api/"):
        return []
    found = [400, 401, 403, 409, 429, 503]
    if "{" in path or path in ("/api/matches", "/api/privacy") or path.startswith("/api/log/"):
        found += [404, 410]
    if operation.request_body is not None:
        found += [404, 413, 415]
    if path == "/api/admin/backup":
        found += [500, 507]
    return found


# The JSON Schema of what the page sends and is answered over HTTP, from the handlers' structs.

_TYPES: Final = (
    TableOptions, PlayBody, Applied, shapes.DealAnswer, shapes.ErrorAnswer, MatchLine,
    shapes.PositionAnswer, shapes.PuzzleAnswer, views.PuzzlesAnswer, shapes.PositionBody,
    ReportBody, views.ReviewAnswer, shapes.RulesAnswer, SessionView, shapes.TableAnswer, TableLine,
    shapes.VersionAnswer, Whoami, BotAccount, BotsHere, InvitationBody, InvitedBot, LogHead,
    views.InclusionProof, views.ConsistencyProof, shapes.NoticeAnswer, views.DayAnswer,
    views.DayBegun, views.DayMix, views.DayTable, views.DayTotals, shapes.AdminPair,
    shapes.AdminReport, shapes.AdminStrong, shapes.AdminTable, views.Friends, views.Ladder,
    views.LuckTable, views.Profile, views.FamilyAnswer, views.FamilyLine, views.PushAnswer,
    views.PuzzleRated, views.Waiting,
)  # fmt: skip


def http_schema() -> dict[str, Any]:
    """The schema, in the dialect of 2020-12; ``$defs`` has every type by its name."""
    tops, parts = _schemas(_TYPES)
    return _titled("what is asked and answered over HTTP", tops, parts)


def protocol_schema() -> dict[str, Any]:
    """The schema, in the dialect of 2020-12.

    ``$defs`` has ``ClientMessage`` and ``ServerMessage``, and every part of them by name.
    """
    tops, defs = _schemas((AnyMessage, AnyEvent))
    names = dict(zip(("ClientMessage", "ServerMessage"), tops, strict=True))
    assert not names.keys() & defs.keys()
    defs["Say"]["properties"]["phrase"]["enum"] = list(PHRASES)
    refs = [{"$ref": f"#/$defs/{name}"} for name in names]
    return _titled("messages between a client and a table", refs, names | defs)


def _schemas(types: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    tops, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    named = {name: plain_schema(part) for name, part in sorted(parts.items())}
    return [plain_schema(top) for top in tops], named


def _titled(about: str, tops: list[Any], defs: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": _DIALECT, "title": f"okey101: {about}", "anyOf": tops, "$defs": defs}


def plain_schema(part: Any) -> Any:
    """A part without OpenAPI's ``discriminator``, and with docstrings on one line."""
    if isinstance(part, list | tuple):
        return [plain_schema(item) for item in part]
    if not isinstance(part, dict):
        return part
    plain = {name: plain_schema(value) for name, value in part.items() if name != "discriminator"}
    if isinstance(plain.get("description"), str):
        plain["description"] = " ".join(plain["description"].split())
    return plain
