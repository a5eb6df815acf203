"""The people of a server: guests and accounts, their sessions, names and finished matches."""

from __future__ import annotations

from okey101.server.account_errors import ACCOUNT_CODES
from okey101.server.accounts.history import match_id
from okey101.server.accounts.passwords import Passwords
from okey101.server.accounts.service import Accounts
from okey101.server.accounts.types import (
    FOREVER,
    MatchHead,
    MatchSeat,
    MatchSummary,
    MatchUser,
    Pruned,
    Session,
    SessionInfo,
    StoredMatch,
    User,
)

__all__ = [
    "ACCOUNT_CODES",
    "FOREVER",
    "Accounts",
    "MatchHead",
    "MatchSeat",
    "MatchSummary",
    "MatchUser",
    "Passwords",
    "Pruned",
    "Session",
    "SessionInfo",
    "StoredMatch",
    "User",
    "match_id",
]
