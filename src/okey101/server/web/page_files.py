"""The built files of the page, each packed as the browser asks for it."""

from __future__ import annotations

import base64
import errno
import gzip
import hashlib
import mimetypes
import re
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Any, Final

from litestar import Response, get
from litestar.file_system import BaseLocalFileSystem
from litestar.response import Redirect
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler
from litestar.types.file_types import FileInfo

from okey101.server.errors import refuse

PAGE = Path(__file__).parents[2] / "_web"
"""Where the build puts the page; absent in a checkout that was never built."""
_HTML: Final = "text/html"
"""The framework adds the charset."""
_PACKINGS: Final = (("br", ".br"), ("gzip", ".gz"))
"""The ones the build makes, the smaller first."""
_STYLE: Final = re.compile(rb"<style>(.*?)</style>", re.DOTALL)
_CATALOGUE: Final = re.compile(r"(texts\.\w\w-[\w-]{8}\.js)(\.gz)?")

_files: dict[str, tuple[int, bytes]] = {}
"""The files that were asked for, each with the time it was written."""
_hashes: dict[bytes, tuple[bytes, ...]] = {}


def read(name: str) -> bytes | None:
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


def _weights(header: str) -> list[tuple[float, str]]:
    """What a header such as Accept-Encoding lists, weighted; what can't be read is left out."""
    found: list[tuple[float, str]] = []
    for part in header.split(",")[:20]:
        word, _, weight = part.strip().partition(";")
        try:
            found.append((float(weight.strip().removeprefix("q=") or 1), word.strip().lower()))
        except ValueError:
            continue
    return found


def _taken(accepted: str) -> Iterable[tuple[str, str]]:
    """The packings that a browser takes."""
    wanted = {word for weight, word in _weights(accepted) if weight > 0}
    return (packing for packing in _PACKINGS if packing[0] in wanted)


def answer_file(name: str, accepted: str, cache: str) -> Response[bytes]:
    """A built file, packed where ``Accept-Encoding`` allows it; OkeyError ``not-found``."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if name.endswith(".webmanifest"):
        kind = "application/manifest+json"
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding"}
    if not name.endswith((".br", ".gz")):
        for coding, suffix in _taken(accepted):
            data = read(name + suffix)
            if data is not None:
                headers["Content-Encoding"] = coding
                return Response(data, media_type=kind, headers=headers)
    data = read(name)
    if data is None and (packed := read(f"{name}.gz")) is not None:
        data = gzip.decompress(packed)  # an installed page has nothing twice
    if data is None:
        refuse("not-found")
    return Response(data, media_type=kind, headers=headers)


def answer_page(
    status: int, accepted: str, languages: str, dress: Callable[[bytes], bytes] | None = None
) -> Response[bytes] | None:
    """``index.html``, where it was built; ``dress`` changes it for this one answer.

    The catalogue of the reader's language is named beside it, as the page asks for it first.
    """
    data = read("index.html")
    if data is None:
        return None
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
    language = languages_asked(languages)
    if (catalogue := _catalogue(language)) is not None:
        headers["Link"] = f"</assets/{catalogue}>; rel=modulepreload"
    if dress is not None:
        data = dress(data)
        if any(coding == "gzip" for coding, _ in _taken(accepted)):
            headers["Content-Encoding"] = "gzip"
            data = gzip.compress(data, 6)
    else:
        for coding, suffix in _taken(accepted):
            if (packed := read("index.html" + suffix)) is not None:
                headers["Content-Encoding"], data = coding, packed
                break
    return Response(data, media_type=_HTML, headers=headers, status_code=status)


def languages_asked(header: str) -> str:
    """The page's language for an ``Accept-Language``: Turkish where it names neither.

    >>> languages_asked("de-DE,de;q=0.9,en;q=0.8"), languages_asked("")
    ('en', 'tr')
    """
    known = [(weight, word[:2]) for weight, word in _weights(header) if word[:2] in ("tr", "en")]
    return max(known, key=lambda one: one[0])[1] if known else "tr"


def _catalogue(language: str) -> str | None:
    """The file with all that the page says in a language."""
    try:
        names = [path.name for path in (PAGE / "assets").glob(f"texts.{language}-*.js*")]
    except OSError:
        return None
    found = {built[1] for name in names if (built := _CATALOGUE.fullmatch(name))}
    return found.pop() if len(found) == 1 else None


def style_hashes() -> tuple[bytes, ...]:
    """What the page's policy calls the styles inside it."""
    data = read("index.html") or b""
    found = _hashes.get(data)
    if found is None:
        digests = (hashlib.sha256(style).digest() for style in _STYLE.findall(data))
        found = tuple(b"'sha256-%s'" % base64.b64encode(digest) for digest in digests)
        _hashes.clear()
        _hashes[data] = found
    return found


# The documents under ``/docs``, where the operator shows the site that ``make docs`` built.


DOCS: Final = "/docs"
"""Where the site stands."""
_INLINE: Final = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)
_REST: Final = (
    b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    b"frame-ancestors 'none'; form-action 'self'"
)


_NO_PATH: Final = frozenset({errno.ENAMETOOLONG, errno.ENOTDIR, errno.ELOOP})


@get(DOCS, sync_to_thread=False, include_in_schema=False)
def front_door() -> Redirect:
    """To the first page, whose address its links count from."""
    return Redirect(f"{DOCS}/index.html")


class _Site(BaseLocalFileSystem):
    """The files of a site."""

    async def info(self, path: Any, **kwargs: Any) -> FileInfo:
        """What is known of a file; FileNotFoundError too where no file can have that path."""
        try:
            return await super().info(path, **kwargs)
        except (ValueError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in _NO_PATH:
                raise
            raise FileNotFoundError from None


def docs_routes(folder: Path) -> list[ControllerRouterHandler]:
    """The routes of a site in a folder."""
    files = create_static_files_router(
        path=DOCS, directories=[folder], file_system=_Site(), name="docs"
    )
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
