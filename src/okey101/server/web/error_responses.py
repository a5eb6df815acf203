"""Errors as the network sees them: a status, a code, a sentence, and never a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from litestar import MediaType, Response, exceptions
from litestar.types import ExceptionHandlersMap

from okey101.errors import IllegalAction, OkeyError
from okey101.server.errors import error_body, server_error, status_of
from okey101.server.ops.logs import logger, trace_of
from okey101.server.web.page import nowhere

MOST_BODY = 16 * 1024
"""The most bytes a request's body may have."""


_INTERNAL = "something went wrong; it is in the server's log"
_log = logger(__name__)
_BACKUP_STATUS = {"backup-exists": 409, "backup-running": 409, "store-no-space": 507}


def http_status(error: OkeyError) -> int:
    """The status of an error; 409 for an action the rules refuse, 400 for what can't be read."""
    known = status_of(error.code) or _BACKUP_STATUS.get(error.code)
    if known is not None:
        return known
    if error.code.startswith("backup-"):
        return 500
    return 409 if isinstance(error, IllegalAction) else 400


def _answer(
    status: int, error: OkeyError, headers: dict[str, str] | None = None
) -> Response[dict[str, object]]:
    told: dict[str, object] = {"ok": False, "error": error_body(error)}
    return Response(told, status_code=status, media_type=MediaType.JSON, headers=headers)


def error_headers(error: OkeyError) -> dict[str, str]:
    """The headers beside the body of an error: when to try again."""
    if error.code == "rate-limited":
        return {"Retry-After": str(error.details.get("seconds", 1))}
    again = {"overloaded": "10", "draining": "2", "store-failed": "2"}.get(error.code)
    return {} if again is None else {"Retry-After": again}


def _of_okey101(_: object, error: Exception) -> Response[dict[str, object]]:
    assert isinstance(error, OkeyError)
    return _answer(http_status(error), error, error_headers(error))


def _of_http(request: Any, error: Exception) -> Response[Any]:
    assert isinstance(error, exceptions.HTTPException)
    told = OkeyError("bad-request", error.detail)
    if isinstance(error, exceptions.NotFoundException):
        if (page := nowhere(request)) is not None:
            return page
        told = server_error("not-found")
    elif isinstance(error, exceptions.MethodNotAllowedException):
        told = server_error("method-not-allowed")
    elif isinstance(error, exceptions.ValidationException):
        problems = _problems(error.extra)
        reason = "; ".join(f"{one.get('key', '')}: {one.get('message', '')}" for one in problems)
        message = server_error("bad-request", reason=reason or _FORM).message
        told = OkeyError("bad-request", message, reason=reason, problems=problems)
    elif error.status_code == 413:
        told = server_error("too-large", limit=MOST_BODY)
    elif error.status_code >= 500:
        told = OkeyError("internal", _INTERNAL)
    return _answer(error.status_code, told, dict(error.headers or {}))


def _problems(extra: object) -> list[dict[str, str]]:
    if not isinstance(extra, list):
        return []
    found = [
        {name: str(item[name])[:200] for name in ("key", "message") if name in item}
        for item in extra[:20]
        if isinstance(item, Mapping)
    ]
    for problem in found:
        if _PATTERN in problem.get("message", ""):  # which says nothing to people
            problem["message"] = _FORM
    return [_NO_BODY if problem == _WITHOUT else problem for problem in found]


_PATTERN = "matching regex"
_FORM = "it has not the form it should have"

_WITHOUT = {"key": "data", "message": "'data'"}
"""What the framework says where there is no body."""
_NO_BODY = {"key": "body", "message": "there is none"}


def _of_anything(_: object, error: Exception) -> Response[dict[str, object]]:
    _log.error("request-failed", trace=trace_of(error))
    return _answer(500, OkeyError("internal", _INTERNAL))


EXCEPTION_HANDLERS: ExceptionHandlersMap = {
    OkeyError: _of_okey101,
    exceptions.HTTPException: _of_http,
    Exception: _of_anything,
}
