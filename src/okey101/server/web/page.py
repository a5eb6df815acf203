"""The page: the built files, and one entry for every address that is a screen of it."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any, Literal

import msgspec
from litestar import Request, Response, get

from okey101.game import PRESETS, RuleSet
from okey101.i18n import load
from okey101.render.rules_text import ScoringTable, rules_text
from okey101.server.hub import Hub
from okey101.server.web.invite_card import dressed
from okey101.server.web.page_files import answer_file, answer_page, read
from okey101.server.web.response_schemas import (
    RuleField,
    RulesAnswer,
    RulesSection,
    RulesTable,
)

__all__ = ["asset", "nowhere", "rules", "screen", "table_screen", "top_file"]

_SCREENS = ["/", "/new", "/matches", "/rules", "/settings", "/account", "/learn", "/m/{_:str}"]
_PICTURES = ["/card.jpg", "/icon-180.png", "/icon-192.png", "/icon-512.png"]
_FOR_EVER = "public, max-age=31536000, immutable"
_MISSING = (
    "<!doctype html><title>okey101</title><p>The page is not built. Run "
    "<code>make page</code> and start the server again; the API is up meanwhile.</p>"
)


@get(_SCREENS, sync_to_thread=False, include_in_schema=False)
def screen(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page itself, whatever screen it will show."""
    return _page(request, None) if request.scope["path"] == "/" else _plain(request, 200)


@get("/t/{table_id:str}", sync_to_thread=False, include_in_schema=False)
def table_screen(request: Request[Any, Any, Any], table_id: str) -> Response[bytes]:
    """The page, with what messengers show of a table."""
    return _page(request, table_id)


def nowhere(request: Request[Any, Any, Any]) -> Response[bytes] | None:
    """The page with 404, for a browser that asks for an address that is no screen."""
    path: str = request.scope["path"]
    wanted = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    of_programs = path.startswith(("/api/", "/ws/", "/assets/"))
    return _plain(request, 404) if wanted and not of_programs and read("index.html") else None


def _plain(request: Request[Any, Any, Any], status: int) -> Response[bytes]:
    asked = request.headers
    answer = answer_page(status, asked.get("accept-encoding", ""), asked.get("accept-language", ""))
    return _unbuilt() if answer is None else answer


def _page(request: Request[Any, Any, Any], table_id: str | None) -> Response[bytes]:
    hub: Hub = request.app.state.hub
    asked = request.headers
    answer = answer_page(
        200,
        asked.get("accept-encoding", ""),
        asked.get("accept-language", ""),
        lambda page: dressed(page, request, hub, table_id),
    )
    return _unbuilt() if answer is None else answer


def _unbuilt() -> Response[bytes]:
    return Response(_MISSING.encode(), media_type="text/html", status_code=503)


@get("/assets/{name:str}", sync_to_thread=False, include_in_schema=False)
def asset(request: Request[Any, Any, Any], name: str) -> Response[bytes]:
    """A file whose name tells its contents."""
    return answer_file(f"assets/{name}", request.headers.get("accept-encoding", ""), _FOR_EVER)


@get(
    ["/sw.js", "/icon.svg", *_PICTURES, "/manifest.webmanifest"],
    sync_to_thread=False,
    include_in_schema=False,
)
def top_file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file at the top of the page."""
    name: str = request.scope["path"].lstrip("/")
    return answer_file(name, request.headers.get("accept-encoding", ""), "no-cache")


@get("/api/rules/{preset:str}", sync_to_thread=False, tags=["tables"])
def rules(preset: str, language: Literal["tr", "en"] = "tr") -> RulesAnswer:
    """The rules of a preset: its fields with their choices, and as text, section by section."""
    if preset not in PRESETS:
        RuleSet.preset(preset)
    return _rules(preset, language)


def _table(table: ScoringTable) -> RulesTable:
    return RulesTable([*table.head], [[*row] for row in table.rows])


@cache
def _rules(preset: str, language: str) -> RulesAnswer:
    """What is told about an existing preset: the same for everybody, and made only once."""
    chosen = PRESETS[preset]
    sections = rules_text(chosen, load(language))
    return RulesAnswer(
        preset=preset,
        fields={
            field.name: msgspec.convert(
                {**field.metadata, "value": getattr(chosen, field.name)}, RuleField
            )
            for field in fields(chosen)
        },
        sections=[
            RulesSection(
                title=section.title,
                lines=[f"{line.rule}: {line.text}" for line in section.paragraphs],
                table=None if section.table is None else _table(section.table),
            )
            for section in sections
        ],
    )
