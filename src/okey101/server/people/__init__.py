"""The people of a server: guests and accounts, their sessions, names and finished matches."""

from __future__ import annotations

from okey101.server.errors import ACCOUNT_CODES
from okey101.server.people.history import match_id
from okey101.server.people.models import (
    FOREVER,
    MatchSeat,
    MatchSummary,
    MatchUser,
    Pruned,
    Session,
    SessionInfo,
    StoredMatch,
    Traces,
    User,
)
from okey101.server.people.passwords import Passwords
from okey101.server.people.service import Accounts

__all__ = [
    "ACCOUNT_CODES",
    "FOREVER",
    "Accounts",
    "MatchSeat",
    "MatchSummary",
    "MatchUser",
    "Passwords",
    "Pruned",
    "Session",
    "SessionInfo",
    "StoredMatch",
    "Traces",
    "User",
    "match_id",
]
