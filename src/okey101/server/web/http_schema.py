"""The JSON Schema of what the page sends and is answered over HTTP, from the handlers' structs."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from okey101.server.match_reviews import ReviewAnswer
from okey101.server.protocol import TableOptions
from okey101.server.protocol.over_http import Applied, PlayBody, TableLine
from okey101.server.protocol.schema import plain_schema
from okey101.server.web.bot_accounts import BotAccount, BotsHere, InvitationBody, InvitedBot
from okey101.server.web.lobby import ReportBody
from okey101.server.web.matches import MatchLine
from okey101.server.web.people import SessionView, Whoami
from okey101.server.web.response_schemas import (
    DealAnswer,
    ErrorAnswer,
    RulesAnswer,
    TableAnswer,
    VersionAnswer,
)

__all__ = ["http_schema"]

_TYPES: Final = (
    TableOptions, PlayBody, Applied, DealAnswer, ErrorAnswer, MatchLine, ReportBody,
    ReviewAnswer, RulesAnswer, SessionView, TableAnswer, TableLine, VersionAnswer, Whoami,
    BotAccount, BotsHere, InvitationBody, InvitedBot,
)  # fmt: skip


def http_schema() -> dict[str, Any]:
    """The schema, in the dialect of 2020-12; ``$defs`` has every type by its name."""
    tops, parts = msgspec.json.schema_components(_TYPES, ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "okey101: what is asked and answered over HTTP",
        "anyOf": [plain_schema(top) for top in tops],
        "$defs": {name: plain_schema(part) for name, part in sorted(parts.items())},
    }
