"""The documents' site under ``/docs``, where the operator shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from okey101.server.settings import SettingsError, load_settings
from server.live import LiveServer

PAGE = "<!doctype html><title>x</title><style>b{}</style><script>let a = 1;</script><p>Okey"


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    site = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text(PAGE, "utf-8")
    (site / "tr").mkdir()
    (site / "tr" / "a.css").write_text("b {}", "utf-8")
    (site.parent / "secret.txt").write_text("hidden", "utf-8")
    with LiveServer(site=site) as server:
        yield server


def test_the_site_is_shown(live: LiveServer) -> None:
    door = httpx.get(f"{live.url}/docs")
    assert door.status_code in (302, 303, 307, 308)
    assert door.headers["location"].endswith("/docs/index.html")
    page = httpx.get(f"{live.url}/docs/index.html")
    assert page.status_code == 200
    assert page.text == PAGE
    assert page.headers["content-type"].startswith("text/html")
    style = httpx.get(f"{live.url}/docs/tr/a.css")
    assert style.headers["content-type"].startswith("text/css")


def test_what_is_written_inside_a_page_runs_and_nothing_else(live: LiveServer) -> None:
    """The hashes are those that a browser makes of the two texts."""
    policy = httpx.get(f"{live.url}/docs/index.html").headers["content-security-policy"]
    assert "script-src 'self' 'sha256-" in policy
    assert "style-src 'self' 'sha256-" in policy
    assert "script-src 'self' 'unsafe-inline'" not in policy
    elsewhere = httpx.get(f"{live.url}/api/version").headers["content-security-policy"]
    assert "sandbox" in elsewhere


@pytest.mark.parametrize("path", ["none.html", "..%2Fsecret.txt", "%2e%2e/secret.txt", "tr"])
def test_nothing_beside_the_site_is_shown(live: LiveServer, path: str) -> None:
    answer = httpx.get(f"{live.url}/docs/{path}")
    assert answer.status_code == 404
    assert "hidden" not in answer.text


def test_a_folder_without_a_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings({"site": tmp_path})
    assert [problem.details["wanted"] for problem in caught.value.problems] == ["site"]
