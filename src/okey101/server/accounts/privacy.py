"""What is kept of a person: handed out, removed on request, and removed when it is old."""

from __future__ import annotations

import json
from typing import Final

from sqlalchemy import delete, exists, or_, select, update
from sqlalchemy.orm import Session as Db

from okey101.server.accounts.models import (
    EventRow,
    InvitationRow,
    MuteRow,
    SeatRow,
    SessionRow,
    UserRow,
)
from okey101.server.accounts.people import LIFETIME_MS, user_of, user_row
from okey101.server.accounts.types import Pruned

__all__ = ["EVENTS_KEPT_MS", "erase", "export_of", "prune_some"]

EVENTS_KEPT_MS: Final = 90 * 86_400_000
_AT_ONCE: Final = 500


def export_of(db: Db, user: str) -> dict[str, object]:
    """Everything kept of a person except the matches: no token, no hash, nothing of others."""
    row = user_row(db, user)
    sessions = db.scalars(select(SessionRow).where(SessionRow.user_id == user))
    events = db.scalars(select(EventRow).where(EventRow.user_id == user).order_by(EventRow.id))
    mutes = select(MuteRow.muted_id).where(MuteRow.user_id == user).order_by(MuteRow.muted_id)
    merged = select(UserRow.id).where(UserRow.merged_into == user)
    bots = select(UserRow.id).where(UserRow.owner_id == user)
    offers = select(InvitationRow).where(InvitationRow.bot_id == user).order_by(InvitationRow.at_ms)
    return {
        "users": user_of(row)._asdict()
        | {
            "settings": json.loads(row.settings),
            "guests": list(db.scalars(merged)),
            "bots": list(db.scalars(bots)),
        },
        "sessions": [
            {
                "id": s.id,
                "created_ms": s.created_ms,
                "seen_ms": s.seen_ms,
                "expires_ms": s.expires_ms,
                "agent": s.agent,
            }
            for s in sessions
        ],
        "mutes": list(db.scalars(mutes)),
        "invitations": [
            {"table": i.table_id, "seat": i.seat, "at": i.at_ms, "refused": bool(i.refused)}
            for i in db.scalars(offers)
        ],
        "events": [{"at_ms": e.at_ms, "event": e.event, "detail": e.detail} for e in events],
    }


def erase(db: Db, user: str, now: int) -> None:
    """Remove a person and their bots; the seats of matches keep an id without a name."""
    row = user_row(db, user)
    mine = select(UserRow.id).where(UserRow.owner_id == user, UserRow.deleted_ms.is_(None))
    for bot in db.scalars(mine).all():
        erase(db, bot, now)
    db.execute(delete(SessionRow).where(SessionRow.user_id == user))
    db.execute(delete(MuteRow).where(or_(MuteRow.user_id == user, MuteRow.muted_id == user)))
    db.execute(delete(InvitationRow).where(InvitationRow.bot_id == user))
    db.execute(update(EventRow).where(EventRow.user_id == user).values(detail=""))
    row.name = row.name_key = row.password_hash = row.ban_reason = row.banned_until = None
    row.settings, row.language = "{}", ""
    row.deleted_ms = now
    db.flush()


def prune_some(db: Db, now: int) -> Pruned:
    """Remove some of what is too old: ended sessions, old events, and people without a trace.

    Those are guests and deleted people who have no match and were not seen for 180 days.
    """
    old = select(SessionRow.id).where(SessionRow.expires_ms <= now).limit(_AT_ONCE)
    sessions = db.scalars(old).all()
    db.execute(delete(SessionRow).where(SessionRow.id.in_(sessions)))
    early = select(EventRow.id).where(EventRow.at_ms < now - EVENTS_KEPT_MS).limit(_AT_ONCE)
    events = db.scalars(early).all()
    db.execute(delete(EventRow).where(EventRow.id.in_(events)))
    gone = select(UserRow.id).where(
        UserRow.seen_ms < now - LIFETIME_MS,
        UserRow.password_hash.is_(None),
        ~exists().where(SeatRow.user_id == UserRow.id),
    )
    guests = db.scalars(gone.limit(_AT_ONCE)).all()
    db.execute(delete(SessionRow).where(SessionRow.user_id.in_(guests)))
    either = or_(MuteRow.user_id.in_(guests), MuteRow.muted_id.in_(guests))
    db.execute(delete(MuteRow).where(either))
    db.execute(delete(InvitationRow).where(InvitationRow.bot_id.in_(guests)))
    db.execute(update(EventRow).where(EventRow.user_id.in_(guests)).values(user_id=None))
    db.execute(update(UserRow).where(UserRow.merged_into.in_(guests)).values(merged_into=None))
    db.execute(delete(UserRow).where(UserRow.id.in_(guests)))
    return Pruned(len(sessions), len(events), len(guests))
