"""The people of a server: guests and accounts, their sessions, names and finished matches."""

from __future__ import annotations

from okey101.server.account_errors import ACCOUNT_CODES
from okey101.server.accounts.history import match_id
from okey101.server.accounts.passwords import Passwords
from okey101.server.accounts.service import Accounts
from okey101.server.accounts.types import (
    FOREVER,
    Match,
    MatchHead,
    MatchSummary,
    MatchUser,
    Pruned,
    Seat,
    Session,
    SessionInfo,
    User,
)

__all__ = [
    "ACCOUNT_CODES",
    "FOREVER",
    "Accounts",
    "Match",
    "MatchHead",
    "MatchSummary",
    "MatchUser",
    "Passwords",
    "Pruned",
    "Seat",
    "Session",
    "SessionInfo",
    "User",
    "match_id",
]
