"""The people of a server: guests, accounts, sessions, finished matches."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Collection, Container, Iterable
from itertools import groupby
from operator import attrgetter
from typing import Final, NoReturn, Self, TypeVar

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, Engine, bindparam, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session as Db

from okey101.errors import OkeyError
from okey101.review.puzzles import Puzzle, Rating, rated
from okey101.server.errors import refuse, server_error
from okey101.server.ops.logs import logger, utc_ms
from okey101.server.people import models, persons
from okey101.server.people.database import (
    CHANGED,
    carrier_of,
    changed,
    count,
    in_transaction,
    make_tables,
)
from okey101.server.people.day_tries import DayTries
from okey101.server.people.families import Families
from okey101.server.people.history import History, sound_matches
from okey101.server.people.ladder import Ladder
from okey101.server.people.names import Name, checked_language, checked_name, name_key, reads_as
from okey101.server.people.owned_bots import Invitations, OwnedBots, bots_of, storable
from okey101.server.people.passwords import (
    CODE_LASTS_MS,
    Passwords,
    new_code,
    new_password,
    tried_code,
    tried_password,
)
from okey101.server.people.persons import LIFETIME_MS, new_token, token_hash
from okey101.server.people.profile import Profiles
from okey101.server.people.ties import Ties
from okey101.server.protocol.views import Called
from okey101.server.store import AnyStore, StoreError
from okey101.server.store.base import Conn
from okey101.server.store.erased import erasure_of, note_erased
from okey101.server.tables.table import Table
from okey101.server.work.tasks import Gathered

# Sessions kept in memory, so that a request need not ask the database.


class SessionCache:
    """The sessions used most recently, by the hash of their token.

    Only the store's thread puts and forgets, in the same job that reads or changes the rows: so
    nothing that has ended can come back, and a caller that is cancelled skips no forgetting.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._sessions: OrderedDict[bytes, tuple[int, models.Session]] = OrderedDict()
        self._forgotten: Counter[str] = Counter()
        """How often each person was forgotten: a session that was kept before counts no more."""

    def get(self, hashed: bytes) -> models.Session | None:
        """The session, if it is kept."""
        with self._lock:
            before, found = self._sessions.get(hashed, (0, None))
            if found is None or self._forgotten[found.user.id] != before:
                return None
            self._sessions.move_to_end(hashed)
            return found

    def put(self, hashed: bytes, session: models.Session) -> None:
        """Keep a session; the least recently used one makes room."""
        with self._lock:
            self._sessions[hashed] = self._forgotten[session.user.id], session
            self._sessions.move_to_end(hashed)
            while len(self._sessions) > self._most:
                self._sessions.popitem(last=False)

    def forget(self, *users: str) -> None:
        """Forget every session of some people."""
        with self._lock:
            self._forgotten.update(users)
            if len(self._forgotten) > _MOST_FORGOTTEN:
                self._sessions.clear()
                self._forgotten.clear()


"""Bytes of JSON."""
_MOST_CACHED: Final = 20_000
_MOST_FORGOTTEN: Final = 100_000
_TOUCH_MS: Final = 3_600_000

_DAMAGED: Final = (msgspec.MsgspecError, UnicodeError, json.JSONDecodeError)
"""What reading a row can come to of which a bit has flipped."""
T = TypeVar("T")
_PRUNE_S: Final = 6 * 3600.0

_SESSIONS: Final = (
    select(models.SessionRow, models.UserRow)
    .join(models.UserRow, models.UserRow.id == models.SessionRow.user_id)
    .where(models.SessionRow.token_hash.in_(bindparam("hashes", expanding=True)))
)

_log = logger(__name__)


def _require_face(face: int | None) -> None:
    if face is not None and face not in models.FACES:
        refuse("bad-face", first=models.FACES[0], last=models.FACES[-1])


class Accounts(History):
    """Everything about people, in the store's file; made by :meth:`open`.

    Calls come from one event loop. All of them raise OkeyError ``accounts-failed`` (the file can't
    be read or written, or too much waits) and ``accounts-closed``; a call that raises has changed
    nothing.
    """

    def __init__(
        self,
        store: AnyStore,
        passwords: Passwords,
        now_ms: Callable[[], int],
        refused: frozenset[str],
        most_cached: int,
    ) -> None:
        super().__init__(self._transact, now_ms)
        self.now_ms = now_ms
        self._refused = refused
        self._store = store
        self._conn: Conn | None = None
        self._carried: Connection | Engine
        self._closed = False
        self.came_back = 0
        """How many of the erased a backup had brought back, and were erased again when opened."""
        self._passwords = passwords
        self._cache = SessionCache(most_cached)
        self._sessions = Gathered(self._look_up)
        self.bots = OwnedBots(self._run, now_ms, self._name, self._erased)
        self.invitations = Invitations(self._run)
        self.days = DayTries(self._run)
        self.ties = Ties(self._run, now_ms)
        self.families = Families(self._run, now_ms, self._name)
        self.ladder = Ladder(self._run, now_ms)
        self.profiles = Profiles(self._run, now_ms)

    @classmethod
    async def open(
        cls,
        store: AnyStore,
        *,
        passwords: Passwords | None = None,
        now_ms: Callable[[], int] = utc_ms,
        refused: frozenset[str] = frozenset(),
        alone: bool = True,
    ) -> Self:
        """The people in a store's database, whose tables are made where there are none.

        Names that read as a ``refused`` word are taken from nobody who has one already. Unless this
        server is ``alone`` there, each session is asked for anew. OkeyError ``accounts-failed``.
        """
        most = _MOST_CACHED if alone else 0
        made = cls(store, passwords or Passwords(), now_ms, refused, most)
        await made._change(make_tables)
        row = models.UserRow  # a guest who became an account is erased with that one alone
        gone = select(row.id).where(row.deleted_ms.is_not(None), ~row.into.has(deleted_ms=None))
        erased = await made._run(lambda db: db.scalars(gone).all())
        if known := await made._erased(*erased):  # a file may be damaged
            made.came_back = await made._erase_again(known)
        return made

    async def close(self) -> None:
        """Take no more calls; the store is left to whoever opened it."""
        self._closed = True
        await self._passwords.close()

    # People and their sessions

    def _name(self, text: str) -> Name:
        """A name that may be had here; OkeyError of the name, and ``name-refused``."""
        name = checked_name(text)
        if self._refused and reads_as(name.text, self._refused):
            refuse("name-refused")
        return name

    @in_transaction
    def guest(
        self, db: Db, name: str, language: str = "", agent: str = "", *, face: int | None = None
    ) -> tuple[models.User, str]:
        """A new guest and the token of its session.

        OkeyError of the name, ``name-taken`` (with a ``suggestion``), ``bad-language`` and
        ``bad-face``.
        """
        checked, token, now = self._name(name), new_token(), self._now()
        language = checked_language(language)
        _require_face(face)
        row = persons.add_user(db, checked, language, now)
        row.face = face
        persons.add_session(db, row, token, agent, now)
        return persons.user_of(row), token

    async def session(self, token: str, *, even_banned: bool = False) -> models.Session | None:
        """The running session of a token; None where there is none.

        OkeyError ``banned`` (``until``, ``reason``) for a banned person, unless ``even_banned``.
        """
        hashed, now = token_hash(token), self._now()

        found = self._cache.get(hashed)
        if found is None or found.expires_ms <= now:
            found = (await self._sessions.of(hashed)).get(hashed)
        if found is not None and now - found.seen_ms >= _TOUCH_MS:
            try:
                found = (await self._look_up([hashed], touch=True)).get(hashed)
            except OkeyError as error:
                if error.code not in ("accounts-busy", "accounts-failed"):
                    raise  # when somebody was here is no reason to send him away
        if found is not None and not even_banned:
            persons.refuse_banned(found.user, now)
        return found

    @in_transaction
    def _look_up(
        self, db: Db, hashes: list[bytes], *, touch: bool = False
    ) -> dict[bytes, models.Session]:
        """``touch`` notes that they and their owners are here, which lengthens the sessions."""
        found, now = dict[bytes, models.Session](), self._now()
        for row, user in db.execute(_SESSIONS, {"hashes": hashes}):
            if row.expires_ms > now:
                if touch:
                    row.seen_ms, row.expires_ms, user.seen_ms = now, now + LIFETIME_MS, now
                info = msgspec.convert(row, models.SessionInfo, from_attributes=True)
                session = models.Session(**asdict(info), user=persons.user_of(user))
                found[row.token_hash] = session
        db.flush()
        for hashed, session in found.items():
            self._cache.put(hashed, session)
        return found

    @in_transaction
    def change(
        self, db: Db, user: str, *,
        name: str | None = None, language: str | None = None, face: int | None = None,
        shown: bool | None = None, listed: bool | None = None, public: bool | None = None,
        weighed: bool | None = None,
    ) -> models.User:  # fmt: skip
        """Change a name, a language, a face, whether friends are told that one is here, whether
        others see one in the ladder and one's profile, and whether a strength is worked out: all or
        nothing; None leaves it as it is.

        OkeyError of the name, ``name-taken``, ``bad-language``, ``bad-face`` and ``no-user``.
        """
        row = persons.changed_row(db, user)
        if name is not None:
            persons.set_name(db, row, self._name(name))
            changed(db, *(bot.id for bot in bots_of(db, user)))  # their names say whose they are
        if language is not None:
            row.language = checked_language(language)
        _require_face(face)
        given = {
            "face": face, "shown": shown, "unlisted": None if listed is None else not listed,
            "public": public, "unweighed": None if weighed is None else not weighed,
        }  # fmt: skip
        for column, value in given.items():
            if value is not None:
                setattr(row, column, int(value))
        return persons.user_of(row)

    async def upgrade(self, session: models.Session, name: str, password: str) -> str:
        """Make a guest an account, which keeps its matches; the token of its new session.

        Every older session ends. OkeyError of name and password, ``name-taken``,
        ``already-account``, ``no-session`` and ``banned``.
        """
        checked, password, token = self._name(name), new_password(password), new_token()
        user = session.user.id

        def row_of(db: Db) -> models.UserRow:
            if db.get(models.SessionRow, session.id) is None:
                refuse("no-session")
            row = persons.user_row(db, user)
            persons.refuse_banned(persons.user_of(row), self._now())
            if row.password_hash is not None:
                refuse("already-account")
            return row

        def check(db: Db) -> None:
            row_of(db)
            persons.require_free(db, checked)

        await self._run(check)  # before the expensive work
        hashed = await self._passwords.hash(password)

        def work(db: Db) -> None:
            row, now = row_of(db), self._now()
            persons.set_name(db, row, checked, hashed)
            persons.end_sessions(db, user)
            persons.add_session(db, row, token, session.agent, now)
            persons.add_event(db, "upgrade", user, "", now)

        await self._run(work)
        return token

    async def login(
        self,
        name: str,
        password: str,
        agent: str = "",
        guest: models.Session | None = None,
        *,
        fresh: str | None = None,
        known: bool = False,
        when_right: Callable[[str], Awaitable[None]] | None = None,
    ) -> tuple[models.User, str]:
        """Sign in to an account: the person and a new token; a ``guest``'s games move to it.

        Where the password is a code of :meth:`reset_password`, ``fresh`` takes its place, and
        the code has worked for once; nobody else needs it.

        At a device that is ``known`` one does not wait behind those who try passwords elsewhere.
        ``when_right`` is awaited, with who signs in, once nothing speaks against it, before
        anything is changed; what it raises ends the attempt. OkeyError ``bad-login``, which never
        says which half was wrong and takes the same work for an unknown name, and, said only where
        the password is right, ``banned``, ``new-password-needed`` for a code without ``fresh``, and
        what is wrong with that.
        """
        key, code = name_key(name), tried_code(password)
        password = tried_password(password)

        found = await self._run(lambda db: persons.account_of_key(db, key))
        user, stored = ("", None) if found is None else (found.id, found.password_hash)
        once = found is not None and found.code_until is not None
        tried = code if once else password
        hashed = await self._passwords.verify(stored, tried, known=known) or await self._fail(user)
        token = new_token()

        def may(db: Db) -> models.UserRow | None:
            row, now = db.get(models.UserRow, user), self._now()
            if row is None or row.password_hash != stored:
                return None  # changed during the check
            if row.code_until is not None and row.code_until <= now:
                return None
            persons.refuse_banned(persons.user_of(row), now)
            if (other := persons.guest_row(db, guest)) is not None:
                persons.refuse_banned(persons.user_of(other), now)
            return row

        if once or when_right is not None:
            if not await self._run(lambda db: may(db) is not None):
                await self._fail(user)
            if once:
                if fresh is None:
                    refuse("new-password-needed")
                hashed = await self._passwords.hash(new_password(fresh))
            if when_right is not None:
                await when_right(user)

        def work(db: Db) -> models.User | None:
            row, now = may(db), self._now()
            if row is None:
                return None
            changed(db, user)
            row.password_hash, row.code_until = hashed, None
            if (other := persons.guest_row(db, guest)) is not None:
                persons.merge_guest(db, other, row, now)
            persons.add_session(db, row, token, agent, now)
            persons.add_event(db, "login", user, "", now)
            return persons.user_of(row)

        return await self._run(work) or await self._fail(user), token

    @in_transaction
    def logout(self, db: Db, session: models.Session) -> None:
        """End a session; one that has ended already is left alone."""
        persons.end_sessions(db, session.user.id, models.SessionRow.id == session.id)

    @in_transaction
    def sessions(self, db: Db, user: str) -> list[models.SessionInfo]:
        """A person's running sessions, the one used last first."""
        row = models.SessionRow
        query = select(row).where(row.user_id == user, row.expires_ms > self._now())
        rows = db.scalars(query.order_by(row.seen_ms.desc(), row.id)).all()
        return msgspec.convert(rows, list[models.SessionInfo], from_attributes=True)

    @in_transaction
    def end_session(self, db: Db, user: str, session: str) -> None:
        """End one of a person's sessions; OkeyError ``no-session`` where it isn't his."""
        row = db.get(models.SessionRow, session)
        if row is None or row.user_id != user:
            refuse("no-session")
        persons.end_sessions(db, user, models.SessionRow.id == session)

    @in_transaction
    def end_other_sessions(self, db: Db, session: models.Session) -> None:
        """End all sessions of a person but this one."""
        persons.end_sessions(db, session.user.id, models.SessionRow.id != session.id)

    async def change_password(self, session: models.Session, old: str, new: str) -> None:
        """Change a password, which ends the person's other sessions.

        OkeyError of the new password, ``wrong-password`` for the old one, ``not-account``
        and ``no-session``.
        """
        new, user = new_password(new), session.user.id
        stored = await self._run(lambda db: persons.account_row(db, user).password_hash)
        if await self._passwords.verify(stored, tried_password(old)) is None:
            await self._fail(user, "wrong-password")
        hashed = await self._passwords.hash(new)

        def work(db: Db) -> None:
            row = persons.user_row(db, user)
            if db.get(models.SessionRow, session.id) is None:
                refuse("no-session")
            if row.password_hash != stored:
                refuse("wrong-password")
            row.password_hash, row.code_until = hashed, None
            persons.end_sessions(db, user, models.SessionRow.id != session.id)
            persons.add_event(db, "password", user, "", self._now())

        await self._run(work)

    async def reset_password(self, user: str) -> tuple[str, int]:
        """End an account's password and sessions; the code in its place, and until when.

        The code is for one sign-in. OkeyError ``no-user``, and ``not-account`` for a guest.
        """
        code = new_code()
        hashed = await self._passwords.hash(tried_code(code))

        def work(db: Db) -> int:
            row, now = persons.account_row(db, user), self._now()
            until = now + CODE_LASTS_MS
            row.password_hash, row.code_until = hashed, until
            persons.end_sessions(db, user)
            persons.add_event(db, "password-reset", user, "", now)
            return until

        return code, await self._run(work)

    @in_transaction
    def traces(self, db: Db, text: str) -> models.Traces:
        """How much is kept of the person whom an id or a name means.

        OkeyError ``no-user``, perhaps with who was ``meant``, and ``several-people``.
        """
        row = persons.found(db, storable(text))
        theirs = models.UserRow.owner_id == row.id, models.UserRow.deleted_ms.is_(None)
        bots = select(models.UserRow.name).where(*theirs).order_by(models.UserRow.created_ms)
        ties = models.TieRow.user_id == row.id, models.TieRow.other_id == row.id
        return models.Traces(
            persons.user_of(row),
            sessions=count(db, models.SessionRow.user_id == row.id),
            ties=count(db, or_(*ties)),
            matches=count(db, models.SeatRow.user_id == row.id),
            bots=[name or "" for name in db.scalars(bots)],
        )

    @in_transaction
    def user(self, db: Db, user: str) -> models.User:
        """A person, deleted ones included; OkeyError ``no-user``."""
        return persons.user_of(db.get(models.UserRow, user) or refuse("no-user"))

    async def unseen(self, user: str | None, tables: Iterable[Table]) -> set[str]:
        """The tables among some that are not there for a person: their hosts have blocked that one,
        who does not sit there.
        """
        found = [one.state for one in tables if one.state.place_of(user) is None]
        if user is None or not found:
            return set()
        by = (await self.ties.shunned(user)).by
        if not by:
            return set()
        owners = await self.families.owners([state.table for state in found])
        return {
            state.table for state in found
            if not by.isdisjoint({*state.hosts, owners.get(state.table, "")})
        }  # fmt: skip

    async def require_let_in(self, user: str | None, table: Table) -> None:
        """OkeyError ``no-table`` for whom a table is not there."""
        if table.state.table in await self.unseen(user, [table]):
            refuse("no-table")

    async def names(self, ids: Iterable[str]) -> dict[str, Called]:
        """What people go by; nothing for the deleted and the unknown."""
        wanted = list(ids)
        return await self._run(lambda db: persons.names_of(db, wanted))

    @in_transaction
    def merged(self, db: Db, ids: Collection[str]) -> dict[str, str]:
        """Who some people are by now: a guest that became an account by signing in is that one."""
        into = models.UserRow.merged_into
        known = select(models.UserRow.id, into).where(models.UserRow.id.in_(ids))
        found = db.execute(known.where(into.is_not(None)))
        return {one: one for one in ids} | {guest: user or guest for guest, user in found}

    # Their data

    async def export(self, user: str) -> dict[str, object]:
        """Everything kept of a person, as of :func:`persons.export_of`; OkeyError ``no-user``.

        The records of matches stay JSON (``Raw`` of msgspec), as there may be thousands.
        """
        data = await self._run(lambda db: persons.export_of(db, user))
        row = models.SeatRow
        key = row.finished_ms, row.match_id, row.seat
        mine = select(*key, row.deeds, row.found, row.near).where(row.user_id == user)
        seats = [one async for some in self._in_parts(mine, *key, last_first=True) for one in some]
        matches: list[dict[str, object]] = []
        for match, group in groupby(seats, key=attrgetter("match_id")):
            own = [*group][::-1]
            matches.append({
                "id": match, "record": (await self.match(match)).json(),
                "seats": [one.seat for one in own],
                "deeds": [json.loads(one.deeds or "null") for one in own],
                "found": [json.loads(one.found or "null") for one in own],
                "near": [one.near > 0 for one in own],
            })  # fmt: skip
        return data | {"match_seats": matches}

    async def delete(self, user: str) -> list[str]:
        """Remove a person and their bots, but the seats of matches; the ids of all, and of guests
        that became this account. OkeyError ``no-user``.
        """

        def work(db: Db) -> list[str]:
            erased = persons.erase(db, user, self._now())
            persons.add_event(db, "delete", user, "", self._now())
            return erased

        erased = await self._run(work)
        await self._erased(*erased)
        return erased

    async def _erased(self, *ids: str) -> set[str]:
        """Keep that people were erased where no backup brings them back; the hashes of all."""
        hashes = [*map(erasure_of, ids)]
        try:
            return await asyncio.to_thread(note_erased, self._store.path, hashes)
        except OSError as error:
            _log.error("erasure-not-noted", reason=type(error).__name__)
            return set()

    @in_transaction
    def _erase_again(self, db: Db, hashes: Container[str]) -> int:
        """Erase those of whom there is such a hash, whom a backup brought back; how many."""
        living = select(models.UserRow.id).where(models.UserRow.deleted_ms.is_(None))
        found = [user for user in db.scalars(living).all() if erasure_of(user) in hashes]
        for user in found:
            if db.get_one(models.UserRow, user).deleted_ms is None:  # else with an owner before
                persons.erase(db, user, self._now())
        return len(found)

    # Order

    @in_transaction
    def ban(self, db: Db, user: str, until: int | None, reason: str | None = None) -> list[str]:
        """Ban a person and their bots until a time, or end that (None); returns their ids.

        OkeyError ``no-user``.
        """
        ids = [user, *(bot.id for bot in bots_of(db, user))]
        reason = None if reason is None else storable(reason)
        for one in ids:
            row = persons.changed_row(db, one)
            row.banned_until, row.ban_reason = until, reason
        event = "unban" if until is None else "ban"
        persons.add_event(db, event, user, reason or "", self._now())
        return ids

    @in_transaction
    def silence(self, db: Db, user: str, until: int | None) -> None:
        """Let nobody hear a person's phrases until a time, or end that (None); ``no-user``."""
        persons.changed_row(db, user).muted_until = until
        event = "unmute" if until is None else "mute"
        persons.add_event(db, event, user, "", self._now())

    @in_transaction
    def muted(self, db: Db) -> dict[str, int | None]:
        """Until when nobody hears the phrases of whom, by id; a time that has passed is no mute."""
        until = models.UserRow.muted_until
        query = select(models.UserRow.id, until).where(until.is_not(None))
        return dict(db.execute(query).all())

    @in_transaction
    def require_heard(self, db: Db, user: str) -> None:
        """Raise OkeyError ``muted`` while a person's phrases are heard by nobody."""
        row = db.get(models.UserRow, user)
        if row is not None and (row.muted_until or 0) > self._now():
            refuse("muted", until=row.muted_until)

    @in_transaction
    def appoint(self, db: Db, user: str, token: str | None) -> None:
        """Make an account a moderator, with a token that ends the one before, or end that (None).

        OkeyError ``no-user``, and ``not-account`` for a guest.
        """
        row = persons.account_row(db, user)
        row.moderator = int(token is not None)
        persons.end_sessions(db, user, models.SessionRow.agent == persons.MODERATOR)
        if token is not None:
            persons.add_session(db, row, token, persons.MODERATOR, self._now())
        event = "dismissed" if token is None else "appointed"
        persons.add_event(db, event, user, "", self._now())

    @in_transaction
    def users(
        self, db: Db, search: str = "", limit: int = 50, offset: int = 0
    ) -> list[models.User]:
        """People by id or part of a name, the latest seen first; at most 500."""
        text, row = storable(search), models.UserRow
        query = select(row).where(row.merged_into.is_(None))
        if text:
            key = name_key(text)
            like = row.name_key.contains(key, autoescape=True) if key else row.name == text
            query = query.where(or_(row.id == text, like))
        query = query.order_by(row.seen_ms.desc(), row.id).limit(max(1, min(limit, 500)))
        shown = db.scalars(query.offset(min(max(0, offset), 2**53)))
        return [persons.user_of(one) for one in shown]

    # Matches

    async def sound_matches(self, table_id: str) -> set[str]:
        """The ids of a table's matches that are kept as they were written."""
        return await self._change(lambda conn: sound_matches(conn, table_id))

    # Ne atarsın?

    @in_transaction
    def answer(self, db: Db, user: str, puzzle: Puzzle, *, right: bool) -> tuple[Rating, Rating]:
        """Rate a person's answer to a position, the first alone: what both are rated after it."""
        row = db.get(models.PuzzleRow, puzzle.key)
        position = puzzle.start if row is None else row.rating
        mine = select(models.AnswerRow).where(models.AnswerRow.user_id == user)
        last = db.scalar(mine.order_by(models.AnswerRow.at_ms.desc()).limit(1))
        own = Rating() if last is None else last.rating
        if db.get(models.AnswerRow, (user, puzzle.key)) is not None:
            return own, position
        after = rated(own, [(position, right)]), rated(position, [(own, not right)])
        if row is None:
            row = models.PuzzleRow(position=puzzle.key)
            db.add(row)
        row.rating = after[1]
        db.flush()
        at_ms = self._now() if last is None else max(self._now(), last.at_ms + 1)
        answer = models.AnswerRow(
            user_id=user, position=puzzle.key, at_ms=at_ms, solved=int(right),
            against=position, rating=after[0],
        )  # fmt: skip
        db.add(answer)
        return after

    # Housekeeping

    async def prune(self) -> None:
        """Remove what is too old, bit by bit so that others get their turn."""
        while await self._run(lambda db: persons.prune_some(db, self._now())):
            pass

    async def prune_often(self, then: Callable[[], None]) -> None:
        """Tell who was erased again, and prune every six hours, with ``then``, until cancelled."""
        if self.came_back:
            _log.warning("erased-again", people=self.came_back)
        while True:
            await asyncio.sleep(_PRUNE_S)
            try:
                await self.prune()
            except OkeyError as error:
                _log.warning("prune-failed", code=error.code)
            then()

    async def _transact(self, work: Callable[[Db], T]) -> T:
        """Do work in a transaction of the store, and forget the people whom it has changed."""

        def job(conn: Conn) -> T:
            people = set[str]()
            try:
                info = {CHANGED: people}
                if conn is not self._conn:  # a file has one, until another takes over
                    self._conn, self._carried = conn, carrier_of(conn)
                with Db(self._carried, expire_on_commit=False, info=info) as db:
                    result = work(db)
                    db.flush()
                    return result
            except SQLAlchemyError as error:
                if isinstance(conn, sqlite3.Connection):
                    raise getattr(error, "orig", None) or error from error
                raise
            finally:
                self._cache.forget(*people)

        return await self._change(job)

    async def _change(self, job: Callable[[Conn], T]) -> T:
        if self._closed:
            refuse("accounts-closed")
        try:
            return await self._store.change(job)
        except (StoreError, SQLAlchemyError, *_DAMAGED) as error:
            raise server_error("accounts-failed") from error

    async def _fail(self, user: str, code: str = "bad-login") -> NoReturn:
        event = "login-failed", user or None, "", self._now()
        await self._run(lambda db: persons.add_event(db, *event))
        refuse(code)
