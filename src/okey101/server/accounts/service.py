"""The people of a server: guests, accounts, sessions, finished matches."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Self, TypeVar

from sqlalchemy import Engine, delete, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session as Db

from okey101.errors import OkeyError
from okey101.server.account_errors import account_error, refuse_account
from okey101.server.accounts import history, people, privacy
from okey101.server.accounts.cache import SessionCache
from okey101.server.accounts.copies import Copies
from okey101.server.accounts.database import open_database, raw_of
from okey101.server.accounts.invitations import Invitations
from okey101.server.accounts.models import MuteRow, SessionRow, UserRow
from okey101.server.accounts.names import Name, checked_language, checked_name, name_key
from okey101.server.accounts.owned_bots import OwnedBots
from okey101.server.accounts.passwords import Passwords, checked_password, new_password
from okey101.server.accounts.refused_names import RefusedNames
from okey101.server.accounts.tokens import new_token, token_hash
from okey101.server.accounts.types import (
    FOREVER,
    MatchHead,
    MatchSeat,
    MatchSummary,
    Pruned,
    Session,
    SessionInfo,
    StoredMatch,
    User,
)
from okey101.server.accounts.walk import AccountsWalk
from okey101.server.clock import utc_ms
from okey101.server.outage import Outage
from okey101.server.worker import Worker

__all__ = ["MOST_MUTES", "MOST_SETTINGS", "Accounts"]


MOST_MUTES: Final = 500
MOST_SETTINGS: Final = 8_192
"""Bytes of JSON."""
_MOST_WAITING: Final = 10_000
_MOST_CACHED: Final = 20_000
_TOUCH_MS: Final = 3_600_000

T = TypeVar("T")


def _as_it_is(record: Mapping[str, object]) -> object:
    return record


class Accounts:
    """Everything about people, over one database file; made by :meth:`open`.

    Calls come from one event loop. All of them raise OkeyError ``accounts-busy`` (too much waits),
    ``accounts-failed`` (the file can't be read or written) and ``accounts-closed``; a call that
    raises has changed nothing.
    """

    def __init__(
        self,
        engine: Engine,
        copies: Copies,
        worker: Worker,
        passwords: Passwords,
        now_ms: Callable[[], int],
        refused: RefusedNames,
    ) -> None:
        self._refused = refused
        self._engine = engine
        self._copies = copies
        self._worker = worker
        self._passwords = passwords
        self._now = now_ms
        self._cache = SessionCache(_MOST_CACHED)
        self._healthy = True
        self._outage = Outage("accounts.sqlite")
        self.bots = OwnedBots(self._run, self._name, now_ms)
        self.invitations = Invitations(self._run)

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        passwords: Passwords | None = None,
        now_ms: Callable[[], int] = utc_ms,
        refused: RefusedNames | None = None,
    ) -> Self:
        """Open the accounts' file, or make it, and bring it to the present version.

        Names that are ``refused`` are taken from nobody who has one already.

        OkeyError ``accounts-in-use``, ``accounts-not-ours``, ``accounts-newer``,
        ``accounts-corrupt`` and ``accounts-unwritable``.
        """
        worker = Worker("okey101-accounts", 1, _MOST_WAITING)
        try:
            engine = await worker.run(lambda: open_database(path))
        except BaseException:
            await worker.close()
            raise
        copies = Copies(path, lambda: raw_of(engine), worker)
        refused = refused or RefusedNames()
        return cls(engine, copies, worker, passwords or Passwords(), now_ms, refused)

    async def close(self) -> None:
        """Finish waiting work and let go of the file; calling it again does nothing."""
        await self._passwords.close()
        await self._worker.close(self._engine.dispose)

    @property
    def healthy(self) -> bool:
        """Whether the last call found a database that works."""
        return self._healthy

    @property
    def age(self) -> float:
        """For how many seconds the oldest call that isn't answered has waited for the database."""
        return self._worker.age

    # People and their sessions

    def _name(self, text: str) -> Name:
        """A name that may be had here; OkeyError of the name, and ``name-refused``."""
        return self._refused.require(checked_name(text))

    async def guest(self, name: str, language: str = "", agent: str = "") -> tuple[User, str]:
        """A new guest and the token of its session.

        OkeyError of the name, ``name-taken`` (with a ``suggestion``) and ``bad-language``.
        """
        checked, token, now = self._name(name), new_token(), self._now()
        language = checked_language(language)

        def work(db: Db) -> User:
            row = people.add_user(db, checked, language, now)
            people.add_session(db, row, token, agent, now)
            return people.user_of(row)

        return await self._run(work), token

    async def session(self, token: str, *, even_banned: bool = False) -> Session | None:
        """The running session of a token; None where there is none.

        OkeyError ``banned`` (``until``, ``reason``) for a banned person, unless ``even_banned``.
        """
        hashed, now = token_hash(token), self._now()
        found = self._cache.get(hashed)
        if found is None or found.expires_ms <= now:
            found = await self._run(
                lambda db: self._load(people.find_session(db, hashed, now), hashed)
            )
        if found is not None and now - found.seen_ms >= _TOUCH_MS:
            try:
                found = await self._run(
                    lambda db: self._load(people.touch(db, hashed, now), hashed)
                )
            except OkeyError as error:
                if error.code not in ("accounts-busy", "accounts-failed"):
                    raise  # when somebody was here is no reason to send him away
        if found is not None and not even_banned:
            people.refuse_banned(found.user, now)
        return found

    async def rename(self, user: str, name: str) -> User:
        """Give a person another name; OkeyError of the name, ``name-taken`` and ``no-user``."""
        return await self.change(user, name=name)

    async def set_language(self, user: str, language: str) -> None:
        """Note the language a person reads; OkeyError ``bad-language`` and ``no-user``."""
        await self.change(user, language=language)

    async def change(
        self, user: str, *, name: str | None = None, language: str | None = None
    ) -> User:
        """Change a name, a language, or both: all or nothing; None leaves it as it is.

        OkeyError of the name, ``name-taken``, ``bad-language`` and ``no-user``.
        """
        checked = None if name is None else self._name(name)
        reads = None if language is None else checked_language(language)

        def work(db: Db) -> User:
            row = people.user_row(db, user)
            if checked is not None:
                people.set_name(db, row, checked)
            if reads is not None:
                row.language = reads
            return people.user_of(row)

        return await self._run(work, user)

    async def settings(self, user: str) -> dict[str, object]:
        """What a person's page has stored; OkeyError ``no-user``."""
        return await self._run(lambda db: people.settings_of(db, user))

    async def set_settings(self, user: str, settings: Mapping[str, object]) -> None:
        """Store what a person's page wants kept, as a whole.

        OkeyError ``settings-too-large`` above 8 KiB of JSON, and ``no-user``.
        """
        text = json.dumps(dict(settings), ensure_ascii=True, separators=(",", ":"))
        if len(text) > MOST_SETTINGS:
            refuse_account("settings-too-large", limit=MOST_SETTINGS)

        def work(db: Db) -> None:
            people.user_row(db, user).settings = text

        await self._run(work)

    async def upgrade(self, session: Session, name: str, password: str) -> str:
        """Make a guest an account, which keeps its matches; the token of its new session.

        Every older session ends. OkeyError of name and password, ``name-taken``,
        ``already-account``, ``no-session`` and ``banned``.
        """
        checked, password, token = self._name(name), new_password(password), new_token()
        user = session.user.id

        def row_of(db: Db) -> UserRow:
            if db.get(SessionRow, session.id) is None:
                refuse_account("no-session")
            row = people.user_row(db, user)
            people.refuse_banned(people.user_of(row), self._now())
            if row.password_hash is not None:
                refuse_account("already-account")
            return row

        def check(db: Db) -> None:
            row_of(db)
            people.require_free(db, checked)

        await self._run(check)  # before the expensive work
        hashed = await self._passwords.hash(password)

        def work(db: Db) -> None:
            row, now = row_of(db), self._now()
            people.set_name(db, row, checked, hashed)
            db.execute(delete(SessionRow).where(SessionRow.user_id == user))
            people.add_session(db, row, token, session.agent, now)
            people.add_event(db, "upgrade", user, "", now)

        await self._run(work, user)
        return token

    async def login(
        self,
        name: str,
        password: str,
        agent: str = "",
        guest: Session | None = None,
        *,
        known: bool = False,
        when_right: Callable[[], Awaitable[None]] | None = None,
    ) -> tuple[User, str]:
        """Sign in to an account: the person and a new token; a ``guest``'s games move to it.

        At a device that is ``known`` one does not wait behind those who try passwords elsewhere.
        ``when_right`` is awaited once nothing speaks against it, before anything is changed; what
        it raises ends the attempt. OkeyError ``bad-login``, which never says which half was wrong
        and takes the same work for an unknown name, and ``banned``, said only where the password
        is right.
        """
        key = name_key(name[:200])
        try:
            password = checked_password(password)
        except OkeyError:
            password = ""  # no such account, but the work is done all the same

        def find(db: Db) -> tuple[str, str | None]:
            row = people.account_of_key(db, key)
            return ("", None) if row is None else (row.id, row.password_hash)

        user, stored = await self._run(find)
        verdict = await self._passwords.verify(stored, password, known=known)
        if not verdict.right:
            await self._fail(user)
        token = new_token()

        def may(db: Db) -> UserRow | None:
            row, now = db.get(UserRow, user), self._now()
            if row is None or row.password_hash is None or row.password_hash != stored:
                return None  # changed during the check
            people.refuse_banned(people.user_of(row), now)
            if (other := people.guest_row(db, guest)) is not None:
                people.refuse_banned(people.user_of(other), now)
            return row

        if when_right is not None:
            if not await self._run(lambda db: may(db) is not None):
                await self._fail(user)
            await when_right()

        def work(db: Db) -> User | None:
            row, now = may(db), self._now()
            if row is None:
                return None
            if verdict.stronger is not None:
                row.password_hash = verdict.stronger
            if (other := people.guest_row(db, guest)) is not None:
                people.merge_guest(db, other, row, now)
            people.add_session(db, row, token, agent, now)
            people.add_event(db, "login", user, "", now)
            return people.user_of(row)

        changed = (user,) if guest is None else (user, guest.user.id)
        found = await self._run(work, *changed)
        return (found, token) if found is not None else await self._fail(user)

    async def logout(self, session: Session) -> None:
        """End a session; one that has ended already is left alone."""
        by_id = delete(SessionRow).where(SessionRow.id == session.id)
        await self._run(lambda db: db.execute(by_id), session.user.id)

    async def sessions(self, user: str) -> list[SessionInfo]:
        """A person's running sessions, the one used last first."""
        query = select(SessionRow).where(SessionRow.user_id == user)
        query = query.where(SessionRow.expires_ms > self._now())
        query = query.order_by(SessionRow.seen_ms.desc(), SessionRow.id)

        def work(db: Db) -> list[SessionInfo]:
            return [
                SessionInfo(s.id, s.created_ms, s.seen_ms, s.expires_ms, s.agent)
                for s in db.scalars(query)
            ]

        return await self._run(work)

    async def end_session(self, user: str, session: str) -> None:
        """End one of a person's sessions; OkeyError ``no-session`` where it isn't his."""

        def work(db: Db) -> None:
            row = db.get(SessionRow, session)
            if row is None or row.user_id != user:
                refuse_account("no-session")
            db.delete(row)

        await self._run(work, user)

    async def end_other_sessions(self, session: Session) -> int:
        """End all sessions of a person but this one; returns how many."""
        return await self._run(lambda db: people.end_others(db, session), session.user.id)

    async def change_password(self, session: Session, old: str, new: str) -> None:
        """Change a password, which ends the person's other sessions.

        OkeyError of the new password, ``wrong-password`` for the old one, ``not-account``
        and ``no-session``.
        """
        new, user = new_password(new), session.user.id
        stored = await self._run(lambda db: people.user_row(db, user).password_hash)
        if stored is None:
            refuse_account("not-account")
        try:
            old = checked_password(old)
        except OkeyError:
            old = ""
        if not (await self._passwords.verify(stored, old)).right:
            await self._fail(user, "wrong-password")
        hashed = await self._passwords.hash(new)

        def work(db: Db) -> None:
            row = people.user_row(db, user)
            if db.get(SessionRow, session.id) is None:
                refuse_account("no-session")
            if row.password_hash != stored:
                refuse_account("wrong-password")
            row.password_hash = hashed
            people.end_others(db, session)
            people.add_event(db, "password", user, "", self._now())

        await self._run(work, user)

    async def user(self, user: str) -> User:
        """A person, deleted ones included; OkeyError ``no-user``."""

        def work(db: Db) -> User:
            row = db.get(UserRow, user)
            if row is None:
                refuse_account("no-user")
            return people.user_of(row)

        return await self._run(work)

    async def names(self, ids: Iterable[str]) -> dict[str, str | None]:
        """The names of people; None for the deleted and the unknown."""
        wanted = list(ids)
        return await self._run(lambda db: people.names_of(db, wanted))

    # Their data

    async def export(
        self, user: str, pack: Callable[[Mapping[str, object]], object] = _as_it_is
    ) -> dict[str, object]:
        """Everything kept of a person, as plain data; OkeyError ``no-user``.

        ``pack`` turns each match's record into something smaller, as there may be thousands.
        """
        data = await self._run(lambda db: privacy.export_of(db, user))
        found: list[dict[str, object]] = []
        before: str | None = None
        while True:
            some = await self.matches(user, before, 50)
            if not some:
                return data | {"match_seats": found}
            before = some[-1].id
            for summary in some:
                match = await self.match(summary.id)
                seats = [n for n, s in enumerate(summary.seats) if s.user == user]
                found.append({"id": summary.id, "seats": seats, "record": pack(match.record)})

    async def delete(self, user: str) -> None:
        """Remove a person and their bots, but the seats of matches; OkeyError ``no-user``."""

        def work(db: Db) -> None:
            privacy.erase(db, user, self._now())
            people.add_event(db, "delete", user, "", self._now())

        await self._run(work, *await self._with_bots(user))

    # Order

    async def ban(self, user: str, until: int | None, reason: str) -> list[str]:
        """Ban a person and their bots until a time, or for good (None); returns their ids.

        OkeyError ``no-user``.
        """
        ids = await self._with_bots(user)
        end = FOREVER if until is None else min(until, FOREVER)
        await self._run(lambda db: people.set_ban(db, ids, end, reason, self._now()), *ids)
        return ids

    async def unban(self, user: str) -> None:
        """End the ban of a person, and those of their bots; OkeyError ``no-user``."""
        ids = await self._with_bots(user)
        await self._run(lambda db: people.set_ban(db, ids, None, "", self._now()), *ids)

    async def _with_bots(self, user: str) -> list[str]:
        return [user, *(bot.id for bot in await self.bots.of(user))]

    async def users(self, search: str = "", limit: int = 50, offset: int = 0) -> list[User]:
        """People by id or part of a name, the latest seen first; at most 500."""
        limit, offset = max(1, min(limit, 500)), min(max(0, offset), 2**53)
        # Text from outside may hold a lone surrogate, which no database takes.
        text = search[:200].encode("utf-8", "replace").decode()
        return await self._run(lambda db: people.search(db, text, limit, offset))

    async def mute(self, user: str, other: str) -> None:
        """Hide what somebody says; OkeyError ``mute-self``, ``no-user``, ``too-many-mutes``."""
        if user == other:
            refuse_account("mute-self")

        def work(db: Db) -> None:
            people.user_row(db, user)
            people.user_row(db, other)
            if db.get(MuteRow, (user, other)) is not None:
                return
            mine = select(func.count()).select_from(MuteRow).where(MuteRow.user_id == user)
            if (db.scalar(mine) or 0) >= MOST_MUTES:
                refuse_account("too-many-mutes", limit=MOST_MUTES)
            db.add(MuteRow(user_id=user, muted_id=other))

        await self._run(work)

    async def unmute(self, user: str, other: str) -> None:
        """Hear somebody again, whether muted or not."""
        pair = delete(MuteRow).where(MuteRow.user_id == user, MuteRow.muted_id == other)
        await self._run(lambda db: db.execute(pair))

    async def muted_by(self, user: str) -> frozenset[str]:
        """The ids of those whom a person has muted."""
        query = select(MuteRow.muted_id).where(MuteRow.user_id == user)
        return await self._run(lambda db: frozenset(db.scalars(query)))

    # Matches

    async def save_match(
        self,
        *,
        table_id: str,
        number: int,
        finished_ms: int,
        preset: str,
        deals: int,
        seats: Sequence[MatchSeat],
        totals: Sequence[int],
        record: bytes,
        shown_ms: int = 0,
    ) -> str:
        """Keep a match and give its id; once it is kept with all its deals, nothing changes it.

        ``record`` is the JSON of the record; those who did not play the match may see it from
        ``shown_ms`` on. ValueError where the record is no JSON object.
        """
        return await self._run(
            lambda db: history.add_match(
                db, table_id, number, finished_ms, preset, deals, seats, totals, record, shown_ms
            )
        )

    async def matches(
        self, user: str, before: str | None = None, limit: int = 20
    ) -> list[MatchSummary]:
        """A person's matches, the latest first, at most 100; ``before``: those that follow it.

        OkeyError ``no-match`` for an unknown ``before``.
        """
        return await self._run(lambda db: history.matches_of(db, user, before, limit))

    async def match_head(self, match: str) -> MatchHead:
        """A match without its record, at little cost; OkeyError ``no-match``."""
        return await self._run(lambda db: history.head_of(db, match))

    async def match(self, match: str, nobody: str = "-") -> StoredMatch:
        """A match with its record and names, ``nobody`` for the deleted; OkeyError ``no-match``."""
        return await self._run(lambda db: history.match_of(db, match, nobody))

    async def save_review(self, match: str, deals: int, data: bytes) -> None:
        """Keep the review of a match, the JSON of it, unless the match has other deals by now."""
        await self._run(lambda db: history.add_review(db, match, deals, data, self._now()))

    async def review(self, match: str) -> bytes | None:
        """The JSON of a match's review; None where it has none."""
        return await self._run(lambda db: history.review_of(db, match))

    # Housekeeping

    async def record_security(self, event: str, user: str | None, detail: str = "") -> None:
        """Add a line to the security log; never pass an address or anything typed."""
        await self._run(lambda db: people.add_event(db, event, user, detail, self._now()))

    async def prune(self) -> Pruned:
        """Remove what is too old, bit by bit so that others get their turn; returns how much."""
        total = Pruned(0, 0, 0)
        while True:
            some = await self._run(lambda db: privacy.prune_some(db, self._now()))
            if not any(some):
                return total
            total = Pruned(*(a + b for a, b in zip(total, some, strict=True)))

    async def backup(self, path: Path) -> None:
        """Copy the database while it is in use, as it is at the end; nobody waits for that.

        OkeyError ``backup-exists``, ``backup-running``, ``store-no-space`` and ``backup-failed``.
        """
        await self._copies.backup(path)

    async def look(self, walk: AccountsWalk) -> None:
        """Take the next step through the file; OkeyError ``accounts-busy``."""
        await self._worker.run(lambda: walk.step(raw_of(self._engine)))

    async def check(self) -> list[str]:
        """What is wrong with the database, in English, while it is in use; needs room for a copy.

        OkeyError ``backup-running`` and ``store-no-space``.
        """
        return await self._copies.check()

    async def _run(self, work: Callable[[Db], T], *changed: str) -> T:
        """Do work in a transaction on the database's thread, and forget the changed people."""

        def job() -> T:
            written = raw_of(self._engine).total_changes
            try:
                with Db(self._engine, expire_on_commit=False) as db, db.begin():
                    result = work(db)
            except SQLAlchemyError as error:
                self._healthy = False
                self._outage.failed(getattr(error, "orig", None) or error)
                raise account_error("accounts-failed") from error
            else:
                self._healthy = True
                if raw_of(self._engine).total_changes != written:
                    self._outage.ended()
                return result
            finally:
                self._cache.forget(*changed)

        return await self._worker.run(job)

    async def _fail(self, user: str, code: str = "bad-login") -> tuple[User, str]:
        await self.record_security("login-failed", user or None)
        refuse_account(code)

    def _load(self, session: Session | None, hashed: bytes) -> Session | None:
        if session is not None:
            self._cache.put(hashed, session)
        return session
