"""The page: the built files, and one entry for every address that is a screen of it."""

from __future__ import annotations

import mimetypes
from dataclasses import fields
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal

import msgspec
from litestar import Request, Response, get

from okey101.game import PRESETS, RuleSet
from okey101.i18n import load
from okey101.render.rules_text import ScoringTable, rules_text
from okey101.server.errors import refuse
from okey101.server.web.response_schemas import (
    RuleField,
    RulesAnswer,
    RulesSection,
    RulesTable,
)

__all__ = ["PAGE", "asset", "nowhere", "rules", "screen", "top_file"]

PAGE = Path(__file__).parents[2] / "_web"
"""Where the build puts the page; absent in a checkout that was never built."""
_SCREENS = ["/", "/new", "/matches", "/rules", "/settings", "/account", "/t/{_:str}", "/m/{_:str}"]
_HTML = "text/html"
"""The framework adds the charset."""
_FOR_EVER = "public, max-age=31536000, immutable"
_MISSING = (
    "<!doctype html><title>okey101</title><p>The page is not built. Run "
    "<code>make page</code> and start the server again; the API is up meanwhile.</p>"
)
_files: dict[str, tuple[int, bytes]] = {}
"""The files that were asked for, each with the time it was written."""


def _read(name: str) -> bytes | None:
    """A built file by its path within the page, as it is now; None for anything else."""
    within = PurePosixPath(name)
    if within.is_absolute() or ".." in within.parts:
        return None
    path = PAGE / within
    try:
        written = path.stat().st_mtime_ns
        kept = _files.get(name)
        if kept is None or kept[0] != written:
            kept = _files[name] = (written, path.read_bytes())
    except (OSError, ValueError):
        _files.pop(name, None)
        return None
    return kept[1]


def _answer(name: str, cache: str) -> Response[bytes]:
    data = _read(name)
    if data is None:
        refuse("not-found")
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.endswith(".webmanifest"):
        kind = "application/manifest+json"
    return Response(data, media_type=kind, headers={"Cache-Control": cache})


@get(_SCREENS, sync_to_thread=False, include_in_schema=False)
def screen() -> Response[bytes]:
    """The page itself, whatever screen it will show."""
    return _page(200)


def nowhere(request: Request[Any, Any, Any]) -> Response[bytes] | None:
    """The page with 404, for a browser that asks for an address that is no screen."""
    path: str = request.scope["path"]
    wanted = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    of_programs = path.startswith(("/api/", "/ws/", "/assets/"))
    return _page(404) if wanted and not of_programs and _read("index.html") else None


def _page(status: int) -> Response[bytes]:
    data = _read("index.html")
    if data is None:
        return Response(_MISSING.encode(), media_type=_HTML, status_code=503)
    headers = {"Cache-Control": "no-cache"}
    return Response(data, media_type=_HTML, headers=headers, status_code=status)


@get("/assets/{name:str}", sync_to_thread=False, include_in_schema=False)
def asset(name: str) -> Response[bytes]:
    """A file whose name tells its contents."""
    return _answer(f"assets/{name}", _FOR_EVER)


@get(
    ["/sw.js", "/icon.svg", "/manifest.webmanifest"],
    sync_to_thread=False,
    include_in_schema=False,
)
def top_file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A file at the top of the page."""
    return _answer(request.scope["path"].lstrip("/"), "no-cache")


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
