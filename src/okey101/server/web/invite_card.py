"""What messengers show of an address: for a table who sits there and how many seats are free."""

from __future__ import annotations

import secrets
from html import escape
from typing import Any, Final

from litestar import Request

from okey101.i18n import LANGUAGES, load_part
from okey101.server.hub import Hub
from okey101.server.tables.broadcast import may_watch
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from okey101.server.web.auth import client_from
from okey101.server.web.page_files import languages_asked

__all__ = ["dressed", "prepare", "proposed_name"]

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


def dressed(page: bytes, request: Request[Any, Any, Any], hub: Hub, table_id: str | None) -> bytes:
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
    if table is None or not may_watch(table.state) or table.feed.shown.stage is Stage.CLOSED:
        return "Okey 101", texts("card-place")
    shown = table.feed.shown
    owner = hub.names.get(shown.owner) if shown.owner in shown.people else None
    named = [hub.names.get(seat.user) for seat in shown.seats if seat.user is not None]
    people = ", ".join(name for name in named if name)
    waiting = shown.stage is Stage.WAITING
    free = sum(seat.free or (seat.bot is not None and not waiting) for seat in shown.seats)
    if not waiting and not shown.options.late:
        free = 0
    title = texts("card-invites", name=owner) if owner else texts("card-table")
    if not people:
        return title, texts("card-free", free=free)
    return title, texts("card-people", people=people, free=free)


def _origin(request: Request[Any, Any, Any], hub: Hub) -> str:
    """The address of this server as the reader wrote it, or as the operator did."""
    if hub.settings.public_url is not None:
        return hub.settings.public_url
    scheme = "https" if client_from(request, hub).https else "http"
    return f"{scheme}://{request.headers.get('host', '')}"
