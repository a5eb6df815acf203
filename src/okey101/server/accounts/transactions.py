"""How the parts of the accounts get their work done, each piece in a transaction of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from sqlalchemy.orm import Session as Db

__all__ = ["Run"]

T = TypeVar("T")


class Run(Protocol):
    """Does work on the database's thread; ``changed`` are the people whom it concerns.

    OkeyError ``accounts-busy``, ``accounts-failed`` and ``accounts-closed``.
    """

    def __call__(self, work: Callable[[Db], T], *changed: str) -> Awaitable[T]:
        """What the work returns."""
        ...
