"""Chromium, the built page and a server of their own for the tests of the page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from conftest import missing
from page.fonts import FONTS, fontconfig
from page.visitors import Visitor
from server.live import LiveServer

PAGE = Path(__file__).resolve().parents[2] / "src" / "okey101" / "_web" / "index.html"
NAMES = ("chromium", "chromium-browser", "google-chrome")


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
def server(executable: str) -> Iterator[LiveServer]:
    """A generous server with quick bots; its log must not have a traceback."""
    with LiveServer(bot_delay_ms=20, allowed_hosts="okey.test") as running:
        yield running
        text = running.log
    assert "Traceback" not in text, text


# Playwright keeps a loop running in this thread, which tests elsewhere would stumble over: it ends
# with each module.
@pytest.fixture(scope="module")
def playwright(executable: str) -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """In the long form, what depends on the fonts is also shown in a desktop's."""
    config = metafunc.config
    if metafunc.definition.get_closest_marker("fonts") is None or config.getoption("--fonts"):
        return
    if config.getoption("--long") and "fonts" in metafunc.fixturenames:
        metafunc.parametrize("fonts", FONTS, indirect=True, scope="module")


@pytest.fixture(scope="module")
def fonts(request: pytest.FixtureRequest) -> str:
    """The fonts that the page is shown in: DejaVu alone unless others are asked for."""
    return str(getattr(request, "param", request.config.getoption("--fonts") or FONTS[0]))


@pytest.fixture(scope="module")
def browser(
    playwright: Playwright, executable: str, fonts: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    found = fontconfig(fonts, tmp_path_factory.mktemp("fonts"))
    browser = playwright.chromium.launch(
        executable_path=executable,
        args=arguments(),
        env={**os.environ, "FONTCONFIG_FILE": str(found)},
    )
    yield browser
    browser.close()


Visit = Callable[..., Visitor]
"""Opens a window: ``visit(name="Ayşe", language="tr", size=(1280, 800), touch=False)``."""


@pytest.fixture
def visit(browser: Browser, server: LiveServer) -> Iterator[Visit]:
    """Windows of people; what their consoles complain of fails the test."""
    visitors: list[Visitor] = []

    def opened(name: str | None = None, **options: Any) -> Visitor:
        visitor = Visitor(browser, server.url, name, **options)
        visitors.append(visitor)
        return visitor

    yield opened
    complaints = [f"{visitor.name}: {line}" for visitor in visitors for line in visitor.complaints]
    for visitor in visitors:
        visitor.close()
    assert not complaints, "\n".join(complaints)
