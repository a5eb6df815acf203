"""The page: the built files, and one entry for every address that is a screen of it."""

from __future__ import annotations

import secrets
from dataclasses import fields
from functools import cache
from html import escape
from typing import Final, Literal

import msgspec
from litestar import Response, get

from okey101.game import PRESETS, RuleSet
from okey101.i18n import LANGUAGES, load, load_part
from okey101.render.rules_text import rules_text
from okey101.server.hub import Hub
from okey101.server.tables.broadcast import may_watch
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from okey101.server.web.auth import WebRequest, client_from
from okey101.server.web.page_files import answer_file, answer_page, languages_asked, read
from okey101.server.web.response_schemas import RuleField, RulesAnswer, RulesSection, RulesTable

# What messengers show of an address: for a table who sits there and how many seats are free.


_PLACE: Final = '<meta name="description" content="Okey 101" />'
"""Where the built page has room for the card."""
_LOCALES: Final = {"tr": "tr_TR", "en": "en_GB"}


def prepare() -> None:
    """Read the words beforehand: the first reader would hold up everybody."""
    for language in LANGUAGES:
        load_part(language, "card")


def proposed_name(language: str) -> str:
    """A name for a guest who has not chosen one; others may have the same."""
    return load_part(language, "card")("card-guest", number=100 + secrets.randbelow(9900))


def dressed(page: bytes, request: WebRequest, hub: Hub, table_id: str | None) -> bytes:
    """The page with the card of a table in its head, or of the place itself."""
    wanted = request.query_params.get("l", "")
    asked = languages_asked(request.headers.get("accept-language", ""))
    language = wanted if wanted in LANGUAGES else asked
    title, words = _words(hub, None if table_id is None else hub.tables.loaded(table_id), language)
    here = _origin(request, hub)
    tags = [
        ("name", "description", words),
        ("property", "og:site_name", "Okey 101"),
        ("property", "og:type", "website"),
        ("property", "og:title", title),
        ("property", "og:description", words),
        ("property", "og:url", f"{here}{request.url.path}"),
        ("property", "og:locale", _LOCALES[language]),
        ("property", "og:image", f"{here}/card.jpg"),
        ("property", "og:image:width", "1200"),
        ("property", "og:image:height", "630"),
        ("name", "twitter:card", "summary_large_image"),
    ]
    lines = (f'<meta {kind}="{name}" content="{escape(text)}" />' for kind, name, text in tags)
    return page.replace(_PLACE.encode(), "\n    ".join(lines).encode(), 1)


def _words(hub: Hub, table: Table | None, language: str) -> tuple[str, str]:
    """Title and description; of a table only what a spectator may know by now."""
    texts = load_part(language, "card")
    shown = None if table is None else table.audience.feed.shown
    if table is None or shown is None or not may_watch(table.state) or shown.stage is Stage.CLOSED:
        return "Okey 101", texts("card-place")
    owner = hub.names.called(shown.owner).name if shown.owner in shown.people else None
    named = [hub.names.called(seat.user).name for seat in shown.seats if seat.user is not None]
    people = ", ".join(name for name in named if name)
    waiting = shown.stage is Stage.WAITING
    free = sum(seat.free or (seat.bot is not None and not waiting) for seat in shown.seats)
    if not waiting and not shown.options.late:
        free = 0
    title = texts("card-invites", name=owner) if owner else texts("card-table")
    if not people:
        return title, texts("card-free", free=free)
    return title, texts("card-people", people=people, free=free)


def _origin(request: WebRequest, hub: Hub) -> str:
    """The address of this server as the reader wrote it, or as the operator did."""
    if hub.settings.public_url is not None:
        return hub.settings.public_url
    scheme = "https" if client_from(request, hub).https else "http"
    return f"{scheme}://{request.headers.get('host', '')}"


_PLAIN = ("new", "matches", "rules", "settings", "account", "learn", "position")
_SCREENS = ["/", *(f"/{name}" for name in _PLAIN), "/m/{_:str}"]
_PICTURES = ["/card.jpg", *(f"/icon-{kind}.png" for kind in ("180", "192", "512", "maskable"))]
_FOR_EVER = "public, max-age=31536000, immutable"
_MISSING = (
    "<!doctype html><title>okey101</title><p>The page is not built. Run "
    "<code>make page</code> and start the server again; the API is up meanwhile.</p>"
)


@get(_SCREENS, sync_to_thread=False, include_in_schema=False)
def screen(request: WebRequest) -> Response[bytes]:
    """The page itself, whatever screen it will show."""
    return _page(request, card=request.scope["path"] == "/")


@get("/t/{table_id:str}", sync_to_thread=False, include_in_schema=False)
def table_screen(request: WebRequest, table_id: str) -> Response[bytes]:
    """The page, with what messengers show of a table."""
    return _page(request, card=True, table_id=table_id)


def nowhere(request: WebRequest) -> Response[bytes] | None:
    """The page with 404, for a browser that asks for an address that is no screen."""
    path: str = request.scope["path"]
    wanted = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    of_programs = path.startswith(("/api/", "/ws/", "/assets/"))
    return _page(request, status=404) if wanted and not of_programs and read("index.html") else None


def _page(
    request: WebRequest, *, status: int = 200, card: bool = False, table_id: str | None = None
) -> Response[bytes]:
    """The page; with a ``card`` what messengers show of the place, or of a table."""
    hub: Hub = request.app.state.hub
    asked = request.headers
    answer = answer_page(
        status,
        asked.get("accept-encoding", ""),
        asked.get("accept-language", ""),
        (lambda page: dressed(page, request, hub, table_id)) if card else None,
    )
    return answer or Response(_MISSING.encode(), media_type="text/html", status_code=503)


@get("/assets/{name:str}", sync_to_thread=False, include_in_schema=False)
def asset(request: WebRequest, name: str) -> Response[bytes]:
    """A file whose name tells its contents."""
    return answer_file(f"assets/{name}", request.headers.get("accept-encoding", ""), _FOR_EVER)


@get(
    ["/sw.js", "/icon.svg", *_PICTURES, "/manifest.webmanifest", "/page.sha256"],
    sync_to_thread=False,
    include_in_schema=False,
)
def top_file(request: WebRequest) -> Response[bytes]:
    """A file at the top of the page."""
    name: str = request.scope["path"].lstrip("/")
    return answer_file(name, request.headers.get("accept-encoding", ""), "no-cache")


@get("/api/rules/{preset:str}", sync_to_thread=False, tags=["tables"])
def rules(preset: str, language: Literal["tr", "en"] = "tr") -> RulesAnswer:
    """The rules of a preset: its fields with their choices, and as text, section by section."""
    if preset not in PRESETS:
        RuleSet.preset(preset)
    return _rules(preset, language)


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
                table=None
                if section.table is None
                else RulesTable([*section.table.head], [[*row] for row in section.table.rows]),
            )
            for section in sections
        ],
    )
