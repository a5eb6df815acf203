"""The way to a running server: where it listens, the administrator's token, its answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

from okey101.cli.output import Exit, Failure, Output, at_home, ending, token_in, with_file
from okey101.i18n import Texts
from okey101.server.files.data_dir import Folder, Running, default_folder

if TYPE_CHECKING:
    from okey101.client.calls import Calls

_PATIENCE_S: Final = 15.0
_KNOCK_S: Final = 2.0
_MOST: Final = 2**30
"""Bytes of an answer: of somebody with thousands of matches an export is long."""


@dataclass(frozen=True, slots=True)
class Where:
    """Which server is meant, as the command line says it."""

    data: str | None = None
    url: str | None = None
    token_file: str | None = None


class Link:
    """Questions to one server; raises Failure for its refusals and for silence."""

    def __init__(self, calls: Calls, token: str, texts: Texts) -> None:
        self.url = calls.url
        self._calls = calls
        self._headers = {"Authorization": f"Bearer {token}"}
        self._texts = texts

    def get(self, path: str, patience: float = _PATIENCE_S, **query: object) -> Any:
        """What is found at an address; ``patience`` is in seconds."""
        asked = f"{path}?{urlencode(query, errors='replace')}" if query else path
        return self._ask("GET", asked, None, patience)

    def post(
        self, path: str, body: Mapping[str, object] | None = None, patience: float = _PATIENCE_S
    ) -> Any:
        """Ask for something to be done."""
        return self._ask("POST", path, body, patience)

    def _ask(self, method: str, path: str, body: object, patience: float) -> Any:
        asked = self._calls.call(
            method, path, object, body, headers=self._headers, again=False, patience=patience
        )
        with ending(self._texts, Exit.FAILED):
            return asyncio.run(asked)


def folder_of(where: Where) -> Folder:
    """The server's folder: the one named, that of the environment, or the default."""
    named = where.data or os.environ.get("OKEY101_DATA", "")
    path = at_home(named) if named else default_folder(os.environ)
    return Folder(path.absolute())


class Kept(NamedTuple):
    """Where a server that does not run keeps everything: in its folder, or in a database too."""

    folder: Folder
    database: str = ""


def kept_by(output: Output, where: Where) -> Kept:
    """Where a server that does not run keeps everything; Failure where there is no log."""
    folder, database = folder_of(where), os.environ.get("OKEY101_DATABASE", "")
    if not database and not folder.log.is_file():
        raise Failure.of(output.texts, Exit.FAILED, "no-server-folder", folder=str(folder.path))
    return Kept(folder, database)


def running_in(folder: Folder, texts: Texts) -> Running | None:
    """Who serves a folder; Failure where that is not for us to know."""
    with with_file(str(folder.path), texts):
        running = folder.running()
    if running is None:
        return None
    try:
        at = urlsplit(running.url)
        create_connection((at.hostname, at.port), _KNOCK_S).close()
    except ConnectionRefusedError:  # another program has the number of one that was killed
        return None
    except (OSError, ValueError):
        pass
    return running


def link_to(output: Output, where: Where) -> Link:
    """The way to the server that is meant; Failure where none runs, or something else answers."""
    from okey101.client.calls import Calls

    texts = output.texts
    folder = folder_of(where)
    url = where.url
    if url is None:
        running = running_in(folder, texts)
        if running is None:
            raise Failure.of(texts, Exit.UNREACHABLE, "server-not-running", folder=str(folder.path))
        url = running.url
    with ending(texts):
        calls = Calls(url, proxies=False, most=_MOST)  # a proxy would be shown the token
    if where.url and where.token_file is None and not folder.token_file.is_file():
        raise Failure.of(texts, Exit.USAGE, "missing-parameter", parameter="--token-file")
    # The server's own file is made anew when it is gone; another one is the user's.
    path, code = folder.token_file, "bad-admin-token"
    if where.token_file is not None:
        path, code = Path(where.token_file), "bad-token-file"
    link = Link(calls, token_in(str(path), texts, code), texts)
    version = link.get("/version")
    if not isinstance(version, dict) or "protocol" not in version:
        raise Failure.of(texts, Exit.UNREACHABLE, "not-okey101", address=link.url)
    return link


def segment(text: str) -> str:
    """A word as one part of an address; one that is no id and no name is nobody's there."""
    return "-" if "/" in text else quote(text, safe="", errors="replace") or "-"
