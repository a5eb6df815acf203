"""Requests whose bodies are JSON and nothing else."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.exceptions import SerializationException

from okey101.server.errors import refuse

__all__ = ["MOST_BODY", "BoundedRequest"]

MOST_BODY = 16 * 1024
"""The most bytes a request's body may have."""


class BoundedRequest(Request[Any, Any, Any]):
    """A request that refuses with a code whatever can't be read."""

    async def json(self) -> Any:
        """The body; OkeyError ``body-not-json``, ``bad-request`` if it is not UTF-8 or too deep.

        Nobody else's page can send this content type without asking first.
        """
        kind = self.headers.get("content-type", "").partition(";")[0].strip().casefold()
        if kind != "application/json":
            refuse("body-not-json")
        try:
            return await super().json()
        except UnicodeDecodeError:
            refuse("bad-request", reason="the body is not UTF-8")
        except SerializationException as error:
            refuse("bad-request", reason=f"the body is no JSON: {error.detail or error}")
        except RecursionError:
            refuse("bad-request", reason="the body is nested too deeply")
