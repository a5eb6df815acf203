"""The JSON Schema of every message in both directions, made from the structs."""

from __future__ import annotations

from typing import Any

import msgspec

from okey101.server.protocol.client_messages import PHRASES, AnyMessage
from okey101.server.protocol.server_messages import AnyEvent

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def protocol_schema() -> dict[str, Any]:
    """The schema, in the dialect of 2020-12.

    ``$defs`` has ``ClientMessage`` and ``ServerMessage``, and every part of them by name.
    """
    tops, parts = msgspec.json.schema_components(
        (AnyMessage, AnyEvent), ref_template="#/$defs/{name}"
    )
    client, server = (plain_schema(top) for top in tops)
    names = {"ClientMessage": client, "ServerMessage": server}
    defs = {name: plain_schema(part) for name, part in sorted(parts.items())}
    assert not names.keys() & defs.keys()
    defs["Say"]["properties"]["phrase"]["enum"] = list(PHRASES)
    return {
        "$schema": _DIALECT,
        "title": "okey101: messages between a client and a table",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in names],
        "$defs": names | defs,
    }


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
