"""The people of a server: rows, tokens and privacy."""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from msgspec.structs import asdict
from sqlalchemy import ColumnElement, delete, exists, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session as Db

from okey101.errors import OkeyError, nearest
from okey101.review.puzzles import Rating, rated
from okey101.server.errors import refuse
from okey101.server.people.database import Column, changed, remove, table_of
from okey101.server.people.day_tries import CHALLENGE, RUNS, date_of, run_match
from okey101.server.people.models import (
    AnswerRow,
    DayRow,
    EventRow,
    FamilyRow,
    FamilyTableRow,
    InvitationRow,
    MatchRow,
    PushRow,
    RegularRow,
    ReviewRow,
    SeatRow,
    Session,
    SessionRow,
    TieRow,
    TryRow,
    User,
    UserRow,
)
from okey101.server.people.names import Name, alike_keys, checked_name, name_key, variants
from okey101.server.protocol.bot_labels import BOT_KIND
from okey101.server.protocol.views import Called
from okey101.server.work.tasks import Gathered

# Random ids and session tokens; of a token only the hash is ever stored.


def new_id(kind: str) -> str:
    """A random id of 128 bits: ``u_`` and 26 small letters and digits."""
    return f"{kind}_{base64.b32encode(secrets.token_bytes(16)).decode().rstrip('=').lower()}"


def new_token() -> str:
    """A session token of 256 random bits."""
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    """The SHA-256 of a token: enough for 256 random bits, which nobody can try out."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


LIFETIME_MS: Final = 180 * 86_400_000
"""How long a session lasts from its last use."""
MOST_SESSIONS: Final = 20
"""The most that a person has; the least recently used one ends."""
MODERATOR: Final = "moderator"
"""What the session of a moderator's token is called; no other session pushes it out."""
_LONGEST_AGENT: Final = 80
_LONGEST_DETAIL: Final = 200
_MOST_IDS: Final = 500
_MOST_VARIANTS: Final = 50
_MOST_NAMED: Final = 5
_MOST_COMPARED: Final = 5_000


def user_of(row: UserRow) -> User:
    """A row as a value."""
    return User(
        id=row.id,
        name=row.shown_name,
        face=row.face,
        account=row.password_hash is not None,
        language=row.language,
        created_ms=row.created_ms,
        seen_ms=row.seen_ms,
        banned_until=row.banned_until,
        ban_reason=row.ban_reason,
        muted_until=row.muted_until,
        moderator=bool(row.moderator),
        shown=bool(row.shown),
        listed=not row.unlisted,
        public=bool(row.public),
        weighed=not row.unweighed,
        deleted=row.deleted_ms is not None,
        owner=row.owner_id,
    )


def user_row(db: Db, user: str) -> UserRow:
    """The row of a person who is there; OkeyError ``no-user`` otherwise."""
    row = db.get(UserRow, user)
    if row is None or row.deleted_ms is not None:
        refuse("no-user")
    return row


def account_row(db: Db, user: str) -> UserRow:
    """The same of an account; OkeyError ``not-account`` for a guest."""
    row = user_row(db, user)
    if row.password_hash is None:
        refuse("not-account")
    return row


def changed_row(db: Db, user: str) -> UserRow:
    """The same of one whom this transaction changes."""
    changed(db, user)
    return user_row(db, user)


def found(db: Db, text: str) -> UserRow:
    """The row of the person whom an id or a name means.

    OkeyError ``no-user``, where a name is like it with that as ``meant``, and ``several-people``
    with their ``ids`` where more than one is called so: guests may share a name.
    """
    row, key = db.get(UserRow, text), name_key(text)
    if row is not None and row.deleted_ms is None:
        return row
    named = select(UserRow).where(UserRow.owner_id.is_(None), UserRow.deleted_ms.is_(None))
    latest = named.order_by(UserRow.seen_ms.desc(), UserRow.id)
    rows = db.scalars(latest.where(UserRow.name_key == key).limit(_MOST_NAMED)).all()
    if len(rows) > 1:
        refuse("several-people", ids=", ".join(row.id for row in rows))
    if not rows:
        others = {one.name_key or "": one.name for one in db.scalars(latest.limit(_MOST_COMPARED))}
        meant = others.get(nearest(key, others))
        refuse("no-user", **({"meant": meant} if meant else {}))
    return rows[0]


def account_of_key(db: Db, key: str) -> UserRow | None:
    """The account whose name has this key."""
    mine = UserRow.name_key == key, UserRow.password_hash.is_not(None)
    return db.scalar(select(UserRow).where(*mine))


def require_free(db: Db, name: Name, but: str | None = None) -> None:
    """Raise ``name-taken``, with a free one as ``suggestion``, where an account has the name.

    Or one that looks like it, as ``Cern`` does like ``Cem``; whoever has such a name keeps it.
    """
    owners = _owners(db, name)
    if {*owners.values()} - {but} and owners.get(name.key, "") != but:
        _refuse_taken(db, name)


def _owners(db: Db, name: Name) -> dict[str | None, str]:
    """The accounts that have this name, or one that looks like it, by the key of theirs."""
    keys = [name.key, *alike_keys(name.key)]
    owners = select(UserRow.name_key, UserRow.id).where(
        UserRow.name_key.in_(keys), UserRow.password_hash.is_not(None)
    )
    return dict(db.execute(owners).all())


def add_user(db: Db, name: Name, language: str, now: int, owner: UserRow | None = None) -> UserRow:
    """A new guest, or with an owner a bot of his."""
    require_free(db, name)
    row = UserRow(
        id=new_id("u" if owner is None else BOT_KIND),
        owner_id=None if owner is None else owner.id,
        name=name.text,
        name_key=name.key,
        created_ms=now,
        seen_ms=now,
        language=language,
    )
    db.add(row)
    db.flush()
    return row


def set_name(db: Db, row: UserRow, name: Name, password_hash: str | None = None) -> None:
    """Give a person a name, and a guest the password that makes it an account."""
    require_free(db, name, but=row.id)
    row.name, row.name_key = name
    if password_hash is not None:
        row.password_hash = password_hash
    try:
        with db.begin_nested():
            db.flush()
    except IntegrityError:
        _refuse_taken(db, name)


def add_session(db: Db, user: UserRow, token: str, agent: str, now: int) -> SessionRow:
    """A new session of a person; where there are too many, the oldest end."""
    row = SessionRow(
        id=new_id("s"),
        user_id=user.id,
        token_hash=token_hash(token),
        created_ms=now,
        seen_ms=now,
        expires_ms=now + LIFETIME_MS,
        agent="".join(c for c in agent if c.isprintable())[:_LONGEST_AGENT],
    )
    user.seen_ms = now
    db.add(row)
    first = (SessionRow.id == row.id).desc(), (SessionRow.agent == MODERATOR).desc()
    newest = *first, SessionRow.seen_ms.desc(), SessionRow.id
    kept = select(SessionRow.id).where(SessionRow.user_id == user.id).order_by(*newest)
    ids = db.scalars(kept).all()
    if len(ids) > MOST_SESSIONS:
        remove(db, ids[MOST_SESSIONS:], SessionRow.id)
        forget_devices(db, [user.id])
    return row


def merge_guest(db: Db, guest: UserRow, account: UserRow, now: int) -> None:
    """Give an account what a guest has: matches, answers, mutes, friends; the guest ends."""
    tried = select(TryRow.date).where(TryRow.user_id == account.id)
    played = {*map(date_of, db.scalars(tried))}
    for row in db.scalars(select(TryRow).where(TryRow.user_id == guest.id)).all():
        twice = date_of(row.date) in played
        row.user_id, row.ranked = (None, 0) if twice else (account.id, row.ranked)
    for column in (SeatRow.user_id, EventRow.user_id, DayRow.sender_id):
        db.execute(update(table_of(column)).where(column == guest.id).values({column: account.id}))
    touched = or_(TieRow.user_id == guest.id, TieRow.other_id == guest.id)
    for tie in db.scalars(select(TieRow).where(touched)).all():
        pair = tuple(account.id if p == guest.id else p for p in (tie.user_id, tie.other_id))
        db.delete(tie)
        db.flush()
        if pair[0] != pair[1] and db.get(TieRow, (*pair, tie.kind)) is None:
            db.add(TieRow(user_id=pair[0], other_id=pair[1], kind=tie.kind, at_ms=tie.at_ms))
    _merge_answers(db, guest.id, account.id)
    changed(db, guest.id)
    remove(db, [guest.id], *_OF_A_PERSON)
    account.face = guest.face if account.face is None else account.face
    account.muted_until = max(account.muted_until or 0, guest.muted_until or 0) or None
    guest.name = guest.name_key = guest.face = None
    guest.deleted_ms, guest.merged_into = now, account.id


def _merge_answers(db: Db, guest: str, account: str) -> None:
    """Give an account a guest's answers to positions that it has not answered itself.

    What it is rated is worked out again from all of them, in their order.
    """
    mine, theirs = AnswerRow.user_id == account, AnswerRow.user_id == guest
    known = select(AnswerRow.position).where(mine)
    db.execute(delete(AnswerRow).where(theirs, AnswerRow.position.in_(known)))
    db.execute(update(AnswerRow).where(theirs).values(user_id=account))
    own = Rating()
    for row in db.scalars(select(AnswerRow).where(mine).order_by(AnswerRow.at_ms)).all():
        own = row.rating = rated(own, [(row.against, row.solved)])


def names_of(db: Db, ids: Iterable[str]) -> dict[str, Called]:
    """What people go by, a merged guest as the account; nothing for one without a name."""
    wanted = list(dict.fromkeys(ids))
    found = dict.fromkeys(wanted, Called())
    for start in range(0, len(wanted), _MOST_IDS):
        some = UserRow.id.in_(wanted[start : start + _MOST_IDS])
        found |= {row.id: row.called for row in db.scalars(select(UserRow).where(some))}
    return found


def add_event(db: Db, event: str, user: str | None, detail: str, now: int) -> None:
    """A line of the security log."""
    known = user if user is not None and db.get(UserRow, user) is not None else None
    db.add(EventRow(at_ms=now, event=event, user_id=known, detail=detail[:_LONGEST_DETAIL]))


def refuse_banned(user: User, now: int) -> None:
    """Raise OkeyError ``banned`` while a ban lasts."""
    if user.banned_until is not None and user.banned_until > now:
        refuse("banned", until=user.banned_until, reason=user.ban_reason or "")


def _refuse_taken(db: Db, name: Name) -> None:
    for text in islice(variants(name.text), _MOST_VARIANTS):
        try:
            other = checked_name(text)
        except OkeyError:
            continue  # cut short, a name may become a reserved one
        if not _owners(db, other):
            refuse("name-taken", suggestion=other.text)
    refuse("name-taken")


def guest_row(db: Db, guest: Session | None) -> UserRow | None:
    """The row of a guest whose session still runs, and who is still one."""
    if guest is None or db.get(SessionRow, guest.id) is None:
        return None
    row = db.get(UserRow, guest.user.id)
    if row is None or row.owner_id is not None:
        return None
    return None if row.password_hash is not None or row.deleted_ms else row


def end_sessions(db: Db, user: str, *which: ColumnElement[bool]) -> None:
    """End a person's sessions, all or those that are so."""
    changed(db, user)
    db.execute(delete(SessionRow).where(SessionRow.user_id == user, *which))
    forget_devices(db, [user])


# What is kept of a person: handed out, removed on request, and removed when it is old.

EVENTS_KEPT_MS: Final = 90 * 86_400_000
CHALLENGES_KEPT_MS: Final = 30 * 86_400_000
"""From the moment on that one is closed."""
_AT_ONCE: Final = 500

_OF_A_PERSON: Final[Sequence[Column]] = (
    SessionRow.user_id, TieRow.user_id, TieRow.other_id, InvitationRow.user_id,
    InvitationRow.sender_id, RegularRow.user_id, PushRow.user_id, AnswerRow.user_id,
)  # fmt: skip
"""Where a row names a person without whom it is nothing."""
_WITH_NOBODY: Final[Sequence[Column]] = (
    EventRow.user_id, TryRow.user_id, DayRow.sender_id, UserRow.merged_into,
)  # fmt: skip
"""Where a row stays without the person whom it names."""
OF_A_MATCH: Final[Sequence[Column]] = (SeatRow.match_id, ReviewRow.match_id, MatchRow.id)
"""Where rows name a match, and the match itself."""


def export_of(db: Db, user: str) -> dict[str, object]:
    """Everything kept of a person except the matches, as plain data or as rows, of which only some
    columns may be told.
    """

    def own(column: Column, *order: Column) -> Sequence[Any]:
        return db.scalars(select(table_of(column)).where(column == user).order_by(*order)).all()

    either = or_(InvitationRow.user_id == user, InvitationRow.sender_id == user)
    offers = select(InvitationRow).where(either).order_by(InvitationRow.at_ms)
    mine = FamilyRow.id == RegularRow.family_id, RegularRow.user_id == user
    regular = select(FamilyRow.name, RegularRow.at_ms, RegularRow.told_ms).where(*mine)
    row = user_row(db, user)
    return {
        "users": asdict(user_of(row))
        | {
            "guests": [one.id for one in own(UserRow.merged_into, UserRow.id)],
            "bots": [one.id for one in own(UserRow.owner_id, UserRow.id)],
        },
        "sessions": own(SessionRow.user_id, SessionRow.id),
        "ties": own(TieRow.user_id, TieRow.kind, TieRow.other_id),
        "invitations": [
            {"table": i.table_id, "seat": i.seat, "at": i.at_ms, "sent": i.sender_id == user}
            | {"refused": bool(i.refused) and i.user_id == user}
            for i in db.scalars(offers)
        ],
        "families": own(FamilyRow.owner_id, FamilyRow.made_ms),
        "family_regulars": db.execute(regular.order_by(RegularRow.at_ms)).all(),
        "push_devices": own(PushRow.user_id, PushRow.made_ms),
        "day_tries": own(TryRow.user_id, TryRow.date),
        "puzzle_answers": own(AnswerRow.user_id, AnswerRow.at_ms),
        "days": own(DayRow.sender_id, DayRow.made_ms),
        "events": own(EventRow.user_id, EventRow.id),
    }


def erase(db: Db, user: str, now: int) -> list[str]:
    """Remove a person and their bots, and give their ids, which seats of matches keep; and those of
    the guests that became this account, whom a backup may have as they were.
    """
    row = user_row(db, user)
    erased = [user, *db.scalars(select(UserRow.id).where(UserRow.merged_into == user))]
    mine = select(UserRow.id).where(UserRow.owner_id == user, UserRow.deleted_ms.is_(None))
    for bot in db.scalars(mine).all():
        erased += erase(db, bot, now)
    changed(db, user)
    remove(db, [user], *_OF_A_PERSON)
    forget_families(db, db.scalars(select(FamilyRow.id).where(FamilyRow.owner_id == user)).all())
    db.execute(update(EventRow).where(EventRow.user_id == user).values(detail=""))
    row.unlisted = int(row.password_hash is not None)
    row.name = row.name_key = row.face = row.password_hash = row.code_until = None
    row.ban_reason = row.banned_until = row.muted_until = None
    row.moderator = row.shown = row.public = row.unweighed = 0
    row.language = ""
    row.deleted_ms = now
    return erased


def forget_families(db: Db, families: Sequence[str]) -> None:
    """Remove family tables with all that is kept of them."""
    regulars = select(RegularRow.user_id).where(RegularRow.family_id.in_(families))
    gone = db.scalars(regulars).all()
    remove(db, families, FamilyTableRow.family_id, RegularRow.family_id, FamilyRow.id)
    forget_devices(db, gone)


def forget_devices(db: Db, people: Sequence[str] | None = None) -> None:
    """Remove the browsers of some people, or of all, whose session has ended, or who want to be
    told of no table.
    """
    running = exists().where(SessionRow.id == PushRow.session_id)
    told = exists().where(RegularRow.user_id == PushRow.user_id, RegularRow.told_ms.is_not(None))
    gone = delete(PushRow).where(~running | ~told)
    db.execute(gone if people is None else gone.where(PushRow.user_id.in_(people)))


def prune_some(db: Db, now: int) -> bool:
    """Remove some of what is too old: ended sessions, old events and challenges, and people without
    a trace; whether there was any.

    Those are guests and deleted people who have no match and no score of a day, and were not seen
    for 180 days.
    """
    sessions = _delete_some(db, SessionRow.id, SessionRow.expires_ms <= now)
    forget_devices(db)
    events = _delete_some(db, EventRow.id, EventRow.at_ms < now - EVENTS_KEPT_MS)
    over = select(DayRow.date).where(
        func.length(DayRow.date) == CHALLENGE,
        DayRow.closed == 1,
        DayRow.closes_ms < now - CHALLENGES_KEPT_MS,
    )
    challenges = db.scalars(over.limit(_AT_ONCE)).all()
    runs = [run_match(date, bot) for date in challenges for bot in range(1, RUNS + 1)]
    remove(db, challenges, TryRow.date, DayRow.date)
    remove(db, runs, *OF_A_MATCH)
    idle = select(UserRow.id).where(
        UserRow.seen_ms < now - LIFETIME_MS,
        UserRow.password_hash.is_(None),
        or_(UserRow.owner_id.is_(None), UserRow.deleted_ms.is_not(None)),  # a bot is an account's
        ~exists().where(SeatRow.user_id == UserRow.id),
        ~exists().where(TryRow.user_id == UserRow.id, TryRow.score.is_not(None)),
    )
    guests = db.scalars(idle.limit(_AT_ONCE)).all()
    remove(db, guests, *_OF_A_PERSON)
    for column in _WITH_NOBODY:
        db.execute(update(table_of(column)).where(column.in_(guests)).values({column: None}))
    remove(db, guests, UserRow.id)
    return bool(sessions or events or guests or challenges)


def _delete_some(db: Db, key: Column, old: ColumnElement[bool]) -> bool:
    """Remove some rows by their key; whether there were any."""
    keys = db.scalars(select(key).where(old).limit(_AT_ONCE)).all()
    remove(db, keys, key)
    return bool(keys)


class NameLookups(dict[str, Called]):
    """The names of everybody seen, by id, with their faces; none for a person who is deleted."""

    def __init__(self, ask: Callable[[Iterable[str]], Awaitable[Mapping[str, Called]]]) -> None:
        """``ask`` answers with the names of people."""
        super().__init__()
        self._ask = ask
        self._unknown = Gathered(self._look)

    async def learn(self, people: Iterable[str]) -> None:
        """Have these names among the known ones; raises what the question raised."""
        if unknown := [user for user in people if user not in self]:
            await self._unknown.of(*unknown)

    def know(self, user: User) -> None:
        """Have a person's name at hand; whoever was deleted since it was looked up has none."""
        if self.get(user.id) != Called():
            self[user.id] = user.called

    def called(self, user: str) -> Called:
        """What a person goes by; nothing where that is not known."""
        return self.get(user, Called())

    def name(self, user: str) -> str | None:
        """The name of a person alone."""
        return self.called(user).name

    def forget_all_but(self, people: Container[str]) -> None:
        """Let go of the names of all others."""
        for user in [user for user in self if user not in people]:
            del self[user]

    async def _look(self, people: Iterable[str]) -> None:
        self.update(await self._ask(people))
