"""``okey101 serve``: the flags, where the server is found, and why it did not start."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from okey101.cli.output import Exit, Failure, Output
from okey101.errors import OkeyError
from okey101.i18n import Texts, error_text

if TYPE_CHECKING:
    from okey101.server.net.binding import Listening
    from okey101.server.serve import Service
    from okey101.server.settings import Settings

_WRONG_USE = ("bad-refused-names", "bad-server-setting", "store-unsupported", "two-stores")


def serve_tables(
    output: Output, store: str | None = None, browse: bool = False, verbose: bool = False,
    **told: Any,
) -> int:  # fmt: skip
    """Run a server until it is told to stop; returns the exit code.

    ``told`` are settings, None or empty where the command line says nothing; with ``browse`` the
    page is opened in a browser. A terminal gets the log from warnings on, unless ``verbose`` or the
    environment asks for more. Raises Failure where it can't start.
    """
    if not verbose and sys.stderr.isatty() and not os.environ.get("OKEY101_LOG_LEVEL"):
        told["log_level"] = "warning"
    try:
        settings = _settings(store, told)

        def announce(at: Listening) -> None:
            _announce(output, settings, at)
            if browse:
                browser = threading.Thread(target=webbrowser.open, args=(at.url,), daemon=True)
                browser.start()  # some browsers only return when they are closed

        from okey101.server.serve import run

        if not output.as_json and _on_terminal():
            _ = output.texts  # read now: while tables load nothing should hold them up
        return run(settings, _whole_server, announce)
    except OkeyError as error:
        raise _failure(error, output.texts) from None


def _whole_server(settings: Settings) -> Service:
    from okey101.server.web.app import create_app

    return create_app(settings)


def _settings(store: str | None, told: dict[str, Any]) -> Settings:
    from okey101.server.settings import load_settings, store_folder

    told["allowed_hosts"] = told.get("allowed_hosts") or None
    if (store or "").startswith(("postgres:", "postgresql:")):
        told["database"] = store
    elif store is not None:
        folder, data = store_folder(store), told.get("data")
        if data is not None and Path(data).absolute() != folder.absolute():
            raise OkeyError("two-stores", "--store and --data name different folders")
        told["data"] = folder
        return load_settings(told).model_copy(update={"database": None})  # whatever a variable says
    return load_settings(told)


def _announce(output: Output, settings: Settings, at: Listening) -> None:
    """Say where the server is: one object on stdout, or text for people on a terminal.

    Elsewhere the log has it: its lines are for programs, and no other words come between them.
    """
    if output.as_json:
        data = str(settings.data)
        output.answer({"url": at.url, "others": list(at.others), "pid": os.getpid(), "data": data})
        sys.stdout.flush()
        return
    if not _on_terminal():
        return
    texts = output.texts
    words = [texts("serve-open", url=at.url)]
    words += [texts("serve-other", url=url) for url in at.others]
    words.append(texts("serve-stop"))
    if sys.stderr.isatty():
        for line in words:
            output.note(line)
    else:
        output.lines(words)
        sys.stdout.flush()


def _on_terminal() -> bool:
    return sys.stderr.isatty() or sys.stdout.isatty()


def _failure(error: OkeyError, texts: Texts) -> Failure:
    """The failure for an error; invalid settings are wrong usage, one line each."""
    problems = getattr(error, "problems", (error,))
    sentences = [error_text(texts, problem) for problem in problems]
    code = Exit.USAGE if error.code in _WRONG_USE else Exit.FAILED
    failure = Failure(code, error.code, sentences[0], **error.details)
    if len(sentences) > 1:
        failure.details["others"] = sentences[1:]
    failure.hint = "\n".join(texts("failure", message=text) for text in sentences[1:])
    return failure
