"""Chromium with its fonts, the built page and a server of their own for the tests of the page."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Literal
from xml.sax.saxutils import escape
from zlib import crc32

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from conftest import missing
from page.visitors import Visitor
from server.fronts import clustered
from server.live import LiveServer, changed

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "src" / "okey101" / "_web" / "index.html"
LANGUAGES = ("tr", "en")
CALM = changed("calm")
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The browser of this machine: ``OKEY101_CHROMIUM``, or the first one on the PATH."""
    wanted = (os.environ.get("OKEY101_CHROMIUM"), *NAMES)
    return next((found for name in wanted if name and (found := shutil.which(name))), None)


def arguments() -> list[str]:
    """How Chromium is started: with a host of this machine that is no secure context."""
    found = ["--host-resolver-rules=MAP okey.test 127.0.0.1"]
    if hasattr(os, "getuid") and os.getuid() == 0:
        found.append("--no-sandbox")
    return found


@pytest.fixture(scope="session")
def executable() -> str:
    """Where Chromium is; without it the tests of the page are skipped, but fail where CI is set."""
    found = chromium()
    if found is None:
        names = ", ".join(NAMES)
        missing(f"CHROMIUM IS MISSING: none of {names} on PATH, OKEY101_CHROMIUM unset")
    if not PAGE.exists():
        pytest.fail(f"the page is not built: run `make page` (looked for {PAGE})")
    return found


@pytest.fixture(scope="session")
def server(executable: str, request: pytest.FixtureRequest) -> Iterator[LiveServer]:
    """A generous server with quick bots, or so many nodes; its log must not have a traceback."""
    settings: dict[str, Any] = {
        "allowed_hosts": "okey.test", "program": CALM, "faulty": True,
    }  # fmt: skip
    started: AbstractContextManager[LiveServer] = LiveServer(**settings)
    if (nodes := request.config.option.nodes) > 1:
        started = clustered(request.getfixturevalue("postgres").database(), nodes, **settings)
    with started as running:
        yield running
        assert "Traceback" not in running.log, running.log


def served(scope: Literal["function", "module"] = "module", **settings: Any) -> Any:
    """A fixture: a server of a module's own."""

    @pytest.fixture(scope=scope)
    def own(executable: str) -> Iterator[LiveServer]:
        with LiveServer(program=CALM, **settings) as running:
            yield running

    return own


class Browsers:
    """Chromium, once for each choice of fonts: every window has a context of its own.

    Playwright keeps a loop running in this thread, which tests elsewhere would stumble over: it
    ends when a test of another folder is next.
    """

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._stack = ExitStack()
        self._playwright: Playwright | None = None
        self._browsers: dict[str, Browser] = {}

    def get(self, executable: str, fonts: str) -> Browser:
        """The browser that shows the page in these fonts."""
        if self._playwright is None:
            self._playwright = self._stack.enter_context(sync_playwright())
        if fonts not in self._browsers or not self._browsers[fonts].is_connected():
            found = fontconfig(fonts, self._folders.mktemp("fonts"))
            self._browsers[fonts] = self._playwright.chromium.launch(
                executable_path=executable,
                args=arguments(),
                env={**os.environ, "FONTCONFIG_FILE": str(found)},
            )
            self._stack.callback(self._browsers[fonts].close)
        return self._browsers[fonts]

    def end(self) -> None:
        self._browsers.clear()
        self._playwright = None
        self._stack.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """In the long form, what depends on the fonts is also shown in a desktop's."""
    config = metafunc.config
    if metafunc.definition.get_closest_marker("fonts") is None or config.getoption("--fonts"):
        return
    if config.getoption("--long") and "fonts" in metafunc.fixturenames:
        metafunc.parametrize("fonts", FONTS, indirect=True, scope="module")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In the short form a test that is there in both languages runs in one, by the test's name."""
    if config.getoption("--long"):
        return
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        if HERE in item.path.parents and isinstance(item, pytest.Function):
            given = getattr(item, "callspec", None)
            if given is not None and given.params.get("language") in LANGUAGES:
                rest = [str(value) for key, value in given.params.items() if key != "language"]
                found.setdefault(f"{item.path.name} {item.originalname} {rest}", []).append(item)
    for name, twins in found.items():
        if len(twins) == len(LANGUAGES) and not any(t.get_closest_marker("long") for t in twins):
            twins[crc32(name.encode()) % len(LANGUAGES)].add_marker(pytest.mark.long)


@pytest.fixture(scope="module")
def fonts(request: pytest.FixtureRequest) -> str:
    """The fonts that the page is shown in: DejaVu alone unless others are asked for."""
    return str(getattr(request, "param", request.config.getoption("--fonts") or FONTS[0]))


_BROWSERS = pytest.StashKey[Browsers]()


@pytest.fixture(scope="module")
def browser(
    executable: str, fonts: str, request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
) -> Browser:  # fmt: skip
    stash = request.config.stash
    if _BROWSERS not in stash:
        stash[_BROWSERS] = Browsers(tmp_path_factory)
    return stash[_BROWSERS].get(executable, fonts)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    try:
        return (yield)
    finally:
        browsers = item.config.stash.get(_BROWSERS, None)
        stays = nextitem is not None and HERE in nextitem.path.parents
        if browsers is not None and not stays:
            browsers.end()


Visit = Callable[..., Visitor]
"""Opens a window: ``visit(name="Ayşe", language="tr", size=(1280, 800), touch=False)``.

``at`` is another server than the usual one.
"""


@pytest.fixture
def visit(browser: Browser, server: LiveServer, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Windows of people; what their consoles complain of fails the test.

    The page's worker is there in the long form, and where tests open their windows themselves.
    """
    visitors: list[Visitor] = []
    worker = bool(request.config.getoption("--long"))

    def opened(name: str | None = None, at: LiveServer = server, **options: Any) -> Visitor:
        visitor = Visitor(browser, at, name, **{"worker": worker} | options)
        visitors.append(visitor)
        return visitor

    yield opened
    complaints = [f"{visitor.name}: {line}" for visitor in visitors for line in visitor.complaints]
    for visitor in visitors:
        visitor.close()
    assert not complaints, "\n".join(complaints)


FONTS = ("dejavu", "desktop")
"""DejaVu as ``fonts-dejavu-core`` has it, and whatever else the machine has."""

_FAMILY = "DejaVu Sans"
_DEJAVU = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
_DESKTOP = ("Noto Sans", "Liberation Sans")
_KINDS = (".ttf", ".otf", ".ttc")


def font_files() -> list[Path]:
    """Every font of the machine, and of whoever runs the tests."""
    home = Path.home()
    own = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    folders = ("/usr/share/fonts", "/usr/local/share/fonts", own / "fonts", home / ".fonts")
    found = (path for folder in folders for path in Path(folder).rglob("*"))
    return sorted(path for path in found if path.suffix.lower() in _KINDS)


def fontconfig(wanted: str, folder: Path) -> Path:
    """Write a configuration in which Chromium finds the wanted fonts, and no others.

    DejaVu's condensed fonts are not in each of its packages, so they are hidden too. Where there is
    no such font the test is skipped aloud, or fails where CI is set.
    """
    fonts = font_files()
    if wanted == "dejavu":
        rules = _dejavu_alone(fonts, folder / "fonts")
        rules += f"<cachedir>{escape(str(folder))}</cachedir>"
    else:
        rules = _all_but_dejavu(fonts)
    path = folder / "fonts.conf"
    path.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n'
        f"<fontconfig>{rules}</fontconfig>\n",
        "utf-8",
    )
    return path


def _dejavu_alone(fonts: list[Path], folder: Path) -> str:
    known = {path.name: path for path in fonts}
    lacking = [name for name in _DEJAVU if name not in known]
    if lacking:
        missing(f"DEJAVU IS MISSING: no {', '.join(lacking)} (Debian: fonts-dejavu-core)")
    folder.mkdir()
    for name in _DEJAVU:
        (folder / name).symlink_to(known[name])
    return f"<dir>{escape(str(folder))}</dir>{_last_wish(_FAMILY)}"


def _all_but_dejavu(fonts: list[Path]) -> str:
    if all("DejaVu" in path.name or "Emoji" in path.name for path in fonts):
        missing("FONTS ARE MISSING: none but DejaVu (Debian: fonts-liberation, fonts-noto-core)")
    usual = os.environ.get("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    return (
        f'<include ignore_missing="yes">{escape(usual)}</include>'
        "<selectfont><rejectfont><glob>*/DejaVu*</glob></rejectfont></selectfont>"
        f"{_last_wish(*_DESKTOP)}"
    )


def _last_wish(*families: str) -> str:
    """What to prefer over an arbitrary font, which may be one for code, where no wish is met."""
    names = "".join(f"<string>{family}</string>" for family in families)
    return f'<match><edit name="family" mode="append_last" binding="weak">{names}</edit></match>'
