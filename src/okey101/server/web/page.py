"""The page: its built files, packed as asked for, and one entry for each screen of it."""

from __future__ import annotations

import base64
import errno
import gzip
import hashlib
import mimetypes
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields
from functools import cache, lru_cache, partial
from html import escape
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal, TypeAlias

import msgspec
from litestar import Response, get
from litestar.file_system import BaseLocalFileSystem
from litestar.response import Redirect
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler
from litestar.types.file_types import FileInfo

from okey101.errors import OkeyError
from okey101.game import RuleSet
from okey101.i18n import LANGUAGES, Texts, load
from okey101.render.rules_text import rules_text
from okey101.server.errors import refuse
from okey101.server.hub import Hub
from okey101.server.ops.logs import logger
from okey101.server.protocol.views import Called
from okey101.server.tables.broadcast import may_watch
from okey101.server.tables.state import Stage
from okey101.server.tables.table import Table
from okey101.server.web import response_schemas as shapes
from okey101.server.web.auth import Asked

PAGE = Path(__file__).parents[2] / "_web"
"""Where the build puts the page; absent in a checkout that was never built."""
_HTML: Final = "text/html"
"""The framework adds the charset."""
_PACKINGS: Final = (("br", ".br"), ("gzip", ".gz"))
"""The ones the build makes, the smaller first."""
_INLINE: Final = re.compile(rb"<(script|style)>(.*?)</\1>", re.DOTALL)
_CATALOGUE: Final = re.compile(r"(texts\.\w\w-[\w-]{8}\.js)(\.gz)?")


def read(name: str) -> bytes | None:
    """A built file by its path within the page, as it is now; None for anything else."""
    within = PurePosixPath(name)
    if within.is_absolute() or ".." in within.parts:
        return None
    path = PAGE / within
    try:
        return _contents(path, path.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None


@lru_cache(1024)
def _contents(path: Path, _written: int) -> bytes:
    return path.read_bytes()


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
    data = _packed(name, "" if name.endswith((".br", ".gz")) else accepted, headers)
    if data is None and (packed := read(f"{name}.gz")) is not None:
        data = gzip.decompress(packed)  # an installed page has nothing twice
    if data is None:
        refuse("not-found")
    return Response(data, media_type=kind, headers=headers)


def _packed(name: str, accepted: str, headers: dict[str, str]) -> bytes | None:
    """A built file, packed as the headers then say."""
    for coding, suffix in _taken(accepted):
        if (data := read(name + suffix)) is not None:
            headers["Content-Encoding"] = coding
            return data
    return read(name)


def answer_page(request: Asked, *, status: int = 200, card: Card | None = None) -> Response[bytes]:
    """``index.html``, where it was built, as a request's headers ask for it; with a ``card`` what
    messengers show of it.

    The catalogue of the reader's language is named beside it, as the page asks for it first.
    """
    data = read("index.html")
    if data is None:
        return Response(_MISSING.encode(), media_type=_HTML, status_code=503)
    accepted = request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
    language = languages_asked(request.headers.get("accept-language", ""))
    if (catalogue := _catalogue(language)) is not None:
        headers["Link"] = f"</assets/{catalogue}>; rel=modulepreload"
    if card is None:
        data = _packed("index.html", accepted, headers)
    else:
        data = _dressed(data, request, card)
        if any(coding == "gzip" for coding, _ in _taken(accepted)):
            headers["Content-Encoding"] = "gzip"
            data = gzip.compress(data, 6)
    return Response(data or b"", media_type=_HTML, headers=headers, status_code=status)


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


def page_policy() -> tuple[bytes, bytes]:
    """The page's header, with the styles that the build put inside it and no others."""
    rest, styles = _REST.replace(b"data:", b"data: blob:"), _styles(read("index.html") or b"")
    return b"content-security-policy", b"%s; style-src 'self' %s" % (rest, styles)


def _hashed(kind: bytes, *pages: bytes) -> bytes:
    """What a policy calls the scripts, or the styles, within pages: each by its hash."""
    texts = {text for page in pages for one, text in _INLINE.findall(page) if one == kind}
    digests = sorted(base64.b64encode(hashlib.sha256(text).digest()) for text in texts)
    return b" ".join(b"'sha256-%s'" % digest for digest in digests)


_styles = lru_cache(1)(partial(_hashed, b"style"))


# The documents under ``/docs``, where the operator shows the site that ``make docs`` built.

DOCS: Final = "/docs"
"""Where the site stands."""
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
    pages = [page.read_bytes() for page in folder.rglob("*.html")]
    return b"content-security-policy", (
        b"%s; script-src 'self' %s; style-src 'self' %s; style-src-attr 'unsafe-inline'"
        % (_REST, _hashed(b"script", *pages), _hashed(b"style", *pages))
    )


_log = logger(__name__)

# What messengers show of an address: for a table who sits there and how many seats are free, for a
# challenge who sends it.

Card: TypeAlias = Callable[[Texts], tuple[str, str]]
"""Title and description, from the words of a language."""

_PLACE: Final = '<meta name="description" content="Okey 101" />'
"""Where the built page has room for the card."""
_LOCALES: Final = {"tr": "tr_TR", "en": "en_GB"}


def prepare() -> None:
    """Read the words beforehand: the first reader would hold up everybody."""
    for language in LANGUAGES:
        load(language, "card")


def proposed_name(language: str) -> str:
    """A name for a guest who has not chosen one; others may have the same."""
    return load(language, "card")("card-guest", number=100 + secrets.randbelow(9900))


def _dressed(page: bytes, request: Asked, card: Card) -> bytes:
    """The page with a card in its head."""
    wanted = request.query_params.get("l", "")
    asked = languages_asked(request.headers.get("accept-language", ""))
    language = wanted if wanted in LANGUAGES else asked
    title, words = card(load(language, "card"))
    scheme = "https" if request.caller.https else "http"
    here = request.hub.settings.public_url or f"{scheme}://{request.headers.get('host', '')}"
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


def _of_place(texts: Texts) -> tuple[str, str]:
    return "Okey 101", texts("card-place")


def _of_table(hub: Hub, table: Table | None, texts: Texts) -> tuple[str, str]:
    """Only what a spectator may know by now."""
    shown = None if table is None else table.audience.feed.shown
    if table is None or shown is None or not may_watch(table.state) or shown.stage is Stage.CLOSED:
        return _of_place(texts)
    owner = hub.names.called(shown.owner).name if shown.owner in shown.people else None
    named = [hub.names.called(seat.user).name for seat in shown.seats if seat.user is not None]
    people = ", ".join(name for name in named if name)
    title = texts("card-invites", name=owner) if owner else texts("card-table")
    if not people:
        return title, texts("card-free", free=shown.offered)
    return title, texts("card-people", people=people, free=shown.offered)


_PLAIN = (
    "new", "matches", "day", "rules", "settings", "account", "learn", "position", "privacy",
    "puzzle", "friends", "family", "ladder", "profile",
)  # fmt: skip
_SCREENS = [
    "/", *(f"/{name}" for name in _PLAIN),
    "/m/{_:str}", "/day/{_:str}", "/u/{_:str}", "/f/{_:str}",
]  # fmt: skip
_PICTURES = ["/card.jpg", *(f"/icon-{kind}.png" for kind in ("180", "192", "512", "maskable"))]
_FOR_EVER = "public, max-age=31536000, immutable"
_MISSING = (
    "<!doctype html><title>okey101</title><p>The page is not built. Run "
    "<code>make page</code> and start the server again; the API is up meanwhile.</p>"
)


@get(_SCREENS, sync_to_thread=False, include_in_schema=False)
def screen(request: Asked) -> Response[bytes]:
    """The page itself, whatever screen it will show."""
    return answer_page(request, card=_of_place if request.scope["path"] == "/" else None)


@get("/t/{table_id:str}", include_in_schema=False)
async def table_screen(request: Asked, table_id: str) -> Response[bytes]:
    """The page, with what messengers show of a table."""
    hub = request.hub
    table = hub.tables.loaded(table_id)
    with suppress(OkeyError):
        user = await request.asker()
        if table is not None and await hub.accounts.unseen(user, [table]):
            table = None
    return answer_page(request, card=partial(_of_table, hub, table))


@get("/c/{name:str}", include_in_schema=False)
async def challenge_screen(request: Asked, name: str) -> Response[bytes]:
    """The page, with who sends a challenge."""
    hub = request.hub
    called = Called()
    with suppress(OkeyError):
        request.limit(hub.allowances.replay_requests)
        called = await hub.days.sender(await hub.days.day(name, await request.asker()))

    def card(texts: Texts) -> tuple[str, str]:
        title = texts("card-challenge")
        if called.name:
            title = texts("card-challenges", name=called.name)
        return title, texts("card-deals")

    return answer_page(request, card=card)


def nowhere(request: Asked) -> Response[bytes] | None:
    """The page with 404, for a browser that asks for an address that is no screen."""
    path: str = request.scope["path"]
    wanted = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    of_programs = path.startswith(("/api/", "/ws/", "/assets/"))
    if not wanted or of_programs or not read("index.html"):
        return None
    return answer_page(request, status=404)


@get("/assets/{name:str}", sync_to_thread=False, include_in_schema=False)
def asset(request: Asked, name: str) -> Response[bytes]:
    """A file whose name tells its contents."""
    return answer_file(f"assets/{name}", request.headers.get("accept-encoding", ""), _FOR_EVER)


@get(
    ["/sw.js", "/icon.svg", *_PICTURES, "/manifest.webmanifest", "/page.sha256"],
    sync_to_thread=False,
    include_in_schema=False,
)
def top_file(request: Asked) -> Response[bytes]:
    """A file at the top of the page."""
    name: str = request.scope["path"].lstrip("/")
    return answer_file(name, request.headers.get("accept-encoding", ""), "no-cache")


# What whoever runs the server says of people's data, in files of the server's folder.

_MOST_NOTICE: Final = 64 * 1024
_BLANK: Final = re.compile(r"\[[^\]\n]+\](?!\()")
"""What the template leaves to be filled in: words in square brackets."""


def read_notices(folder: Path) -> dict[str, shapes.NoticeAnswer]:
    """The privacy notices of a folder by language, ``privacy.tr.md`` and ``privacy.en.md``.

    One that can't be read is told in the log, and so is one with a blank left in it.
    """
    found: dict[str, shapes.NoticeAnswer] = {}
    languages: tuple[Literal["tr"], Literal["en"]] = ("tr", "en")
    for language in languages:
        path = folder / f"privacy.{language}.md"
        try:
            data = path.read_bytes()
            text = data.decode("utf-8-sig")
        except FileNotFoundError:
            continue
        except (OSError, UnicodeError) as error:
            _log.warning("notice-unread", file=path.name, reason=type(error).__name__)
            continue
        if len(data) > _MOST_NOTICE:
            _log.warning("notice-unread", file=path.name, reason="too-large")
            continue
        if blanks := _BLANK.findall(text):
            _log.warning("notice-unfinished", file=path.name, blanks=len(blanks), first=blanks[0])
        if sections := notice_sections(text):
            found[language] = shapes.NoticeAnswer(language, sections)
    return found


def notice_sections(text: str) -> list[shapes.NoticeSection]:
    r"""A notice in Markdown as sections: headings, paragraphs over several lines, and lists.

    >>> notice_sections("# Who\n\nI\nam.\n- a")
    [NoticeSection(title='Who', lines=['I am.', '- a'])]
    """
    found: list[shapes.NoticeSection] = []
    goes_on = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("#"):
            found.append(shapes.NoticeSection(line.lstrip("#").strip(), []))
        elif line:
            found = found or [shapes.NoticeSection("", [])]
            lines = found[-1].lines
            if goes_on and lines and not line.startswith("- "):
                lines[-1] += f" {line}"
            else:
                lines.append(line)
        goes_on = bool(line) and not line.startswith("#")
    return found


@get("/api/privacy", sync_to_thread=False, tags=["people"])
def notice(request: Asked, language: Literal["tr", "en"] = "tr") -> shapes.NoticeAnswer:
    """The host's privacy notice, in the other language where it is not there in this one."""
    notices: dict[str, shapes.NoticeAnswer] = request.app.state.notices
    found = notices.get(language) or next(iter(notices.values()), None)
    return found or refuse("no-notice")


@get("/api/rules/{preset:str}", sync_to_thread=False, tags=["tables"])
def rules(preset: str, language: Literal["tr", "en"] = "tr") -> shapes.RulesAnswer:
    """The rules of a preset: its fields with their choices, and as text, section by section."""
    return _rules(preset, language)


@cache
def _rules(preset: str, language: str) -> shapes.RulesAnswer:
    """What is told about a preset: the same for everybody, and made only once."""
    chosen = RuleSet.preset(preset)
    sections = rules_text(chosen, load(language))
    return shapes.RulesAnswer(
        preset=preset,
        fields={
            field.name: msgspec.convert(
                {**field.metadata, "value": getattr(chosen, field.name)}, shapes.RuleField
            )
            for field in fields(chosen)
        },
        sections=[
            shapes.RulesSection(
                title=section.title,
                lines=[f"{line.rule}: {line.text}" for line in section.paragraphs],
                table=section.table,
            )
            for section in sections
        ],
    )
