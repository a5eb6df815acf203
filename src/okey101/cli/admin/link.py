"""The way to a running server: where it listens, the administrator's token, its answers."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from socket import create_connection
from threading import Thread
from typing import Any, Final, NamedTuple
from urllib.error import URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, Request

from okey101.cli.output import Exit, Failure, Output, at_home, token_in, with_file
from okey101.errors import OkeyError
from okey101.i18n import Texts, error_text
from okey101.server.files.data_dir import Folder, Running, default_folder

_PATIENCE_S: Final = 15.0
_DRIPPING: Final = 4
"""How many times longer the whole of an answer may take than a part of it."""
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

    def __init__(self, url: str, token: str, texts: Texts) -> None:
        self.url = url.rstrip("/")
        self._token = token
        self._texts = texts
        # Nothing that follows a redirect or asks a proxy, for they would be shown the token.
        self._opener = OpenerDirector()
        self._opener.add_handler(HTTPHandler())
        self._opener.add_handler(HTTPSHandler())

    def get(self, path: str, patience: float = _PATIENCE_S, **query: object) -> Any:
        """What is found at an address; ``patience`` is in seconds."""
        asked = f"{path}?{urlencode(query, errors='replace')}" if query else path
        return self._ask(Request(self.url + asked, method="GET"), patience)

    def post(
        self, path: str, body: Mapping[str, object] | None = None, patience: float = _PATIENCE_S
    ) -> Any:
        """Ask for something to be done."""
        request = Request(self.url + path, method="POST")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        return self._ask(request, patience)

    def _ask(self, request: Request, patience: float) -> Any:
        request.add_header("Authorization", f"Bearer {self._token}")
        answered = Future[tuple[bytes, bool]]()
        Thread(target=self._listen, args=(request, patience, answered), daemon=True).start()
        try:
            data, refused = answered.result(_DRIPPING * patience)
        except (URLError, HTTPException, OSError, ValueError) as error:
            why = getattr(error, "reason", error)
            reason = str(getattr(why, "strerror", None) or why) or "timed out"
            raise self.failure("server-unreachable", url=self.url, reason=reason) from None
        if refused:
            return self._refused(data)
        return self._read(data) if data else None

    def _listen(
        self, request: Request, patience: float, answered: Future[tuple[bytes, bool]]
    ) -> None:
        """Hear the whole answer, and whether it is a refusal."""
        try:
            with self._opener.open(request, timeout=patience) as answer:
                answered.set_result((answer.read(_MOST), not 200 <= answer.status < 300))
        except Exception as error:  # noqa: BLE001  # whoever waits for the answer is told
            answered.set_exception(error)

    def _refused(self, data: bytes) -> Any:
        found = self._read(data)
        if not isinstance(found, dict):
            raise self.failure("not-a-server", url=self.url)
        error = found.get("error")
        if not isinstance(error, dict):
            return found  # /readyz tells what is missing with the status of an error
        details = {str(name): value for name, value in (error.get("details") or {}).items()}
        code, message = str(error.get("code", "internal")), str(error.get("message", ""))
        refusal = OkeyError(code, message, **details)
        raise Failure(
            Exit.FAILED, refusal.code, error_text(self._texts, refusal), **refusal.details
        )

    def _read(self, data: bytes) -> Any:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise self.failure("not-a-server", url=self.url) from None

    def failure(self, code: str, **details: str) -> Failure:
        """Why there is no answer."""
        return Failure.of(self._texts, Exit.UNREACHABLE, code, **details)


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
    texts = output.texts
    folder = folder_of(where)
    url = where.url
    if url is None:
        running = running_in(folder, texts)
        if running is None:
            raise Failure.of(texts, Exit.UNREACHABLE, "server-not-running", folder=str(folder.path))
        url = running.url
    elif not _is_address(url):
        raise Failure.of(texts, Exit.USAGE, "bad-url", url=url)
    elif where.token_file is None and not folder.token_file.is_file():
        raise Failure.of(texts, Exit.USAGE, "missing-parameter", parameter="--token-file")
    # The server's own file is made anew when it is gone; another one is the user's.
    path, code = folder.token_file, "bad-admin-token"
    if where.token_file is not None:
        path, code = Path(where.token_file), "bad-token-file"
    link = Link(url, token_in(str(path), texts, code), texts)
    version = link.get("/version")
    if not isinstance(version, dict) or "protocol" not in version:
        raise link.failure("not-a-server", url=url)
    return link


def _is_address(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def segment(text: str) -> str:
    """A word as one part of an address; one that is no id and no name is nobody's there."""
    return "-" if "/" in text else quote(text, safe="", errors="replace") or "-"
