"""The documents under ``/docs``, where the operator shows the site that ``make docs`` built."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Final

from litestar import get
from litestar.response import Redirect
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

__all__ = ["DOCS", "docs_policy", "docs_routes"]

DOCS: Final = "/docs"
"""Where the site stands."""
_INLINE: Final = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)
_REST: Final = (
    b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    b"frame-ancestors 'none'; form-action 'self'"
)


@get(DOCS, sync_to_thread=False, include_in_schema=False)
def front_door() -> Redirect:
    """To the first page, whose address its links count from."""
    return Redirect(f"{DOCS}/index.html")


def docs_routes(folder: Path) -> list[ControllerRouterHandler]:
    """The routes of a site in a folder."""
    files = create_static_files_router(path=DOCS, directories=[folder], name="docs")
    return [front_door, files]


def docs_policy(folder: Path) -> tuple[bytes, bytes]:
    """The header that says what pages of a site may load and run: what is in the folder now.

    The site has a few small scripts and styles within its pages; each is allowed by its hash, so
    that anything else in a page is inert. Attributes with styles are for the look alone.
    """
    found: dict[bytes, set[bytes]] = {b"script": set(), b"style": set()}
    for page in sorted(folder.rglob("*.html")):
        for kind, text in _INLINE.findall(page.read_bytes()):
            digest = base64.b64encode(hashlib.sha256(text).digest())
            found[kind].add(b"'sha256-%s'" % digest)
    scripts, styles = (b" ".join(sorted(found[kind])) for kind in (b"script", b"style"))
    return b"content-security-policy", (
        b"%s; script-src 'self' %s; style-src 'self' %s; style-src-attr 'unsafe-inline'"
        % (_REST, scripts, styles)
    )
