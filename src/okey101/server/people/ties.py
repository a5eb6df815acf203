"""What people are to each other: whom somebody doesn't want to hear, or to meet, and who is whose
friend.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import BindParameter, Select, bindparam, delete, or_, select
from sqlalchemy.orm import Session as Db

from okey101.server.errors import refuse
from okey101.server.people.database import InStore, Run, count, in_transaction
from okey101.server.people.models import SeatRow, TieRow, UserRow
from okey101.server.people.names import name_key
from okey101.server.people.persons import account_of_key, user_row
from okey101.server.work.tasks import Gathered

MOST_MUTES: Final = 500
MOST_FRIENDS: Final = 200
"""With those who are asked."""
_MOST_ASKS: Final = 50
"""The latest are shown."""
_MOST_MET: Final = 12
_MATCHES: Final = 20
"""How many matches are looked at for whom one has met."""
_USERS: Final[BindParameter[str]] = bindparam("users", expanding=True)
_SHUNNED: Final = select(TieRow.user_id, TieRow.other_id, TieRow.kind).where(
    or_(
        TieRow.user_id.in_(_USERS) & TieRow.kind.in_(("mute", "block")),
        TieRow.other_id.in_(_USERS) & (TieRow.kind == "block"),
    )
)


class Shunned(NamedTuple):
    """Whom somebody doesn't hear, whom of these that one has blocked, and who has blocked that one,
    by id.
    """

    muted: frozenset[str]
    blocked: frozenset[str]
    by: frozenset[str]

    @property
    def apart(self) -> frozenset[str]:
        """Whom that one is not to be brought together with."""
        return self.blocked | self.by


class Circle(NamedTuple):
    """The people around somebody, by id: friends, who asks to be one, who is asked, who was met in
    the last matches and is none of these, and who is blocked, who is none of them.
    """

    friends: list[str]
    asks: list[str]
    asked: list[str]
    met: list[str]
    blocked: list[str]


class Ties(InStore):
    """Mutes, blocks and friends in people's database; OkeyError as for :class:`Accounts`."""

    def __init__(self, run: Run, now_ms: Callable[[], int]) -> None:
        super().__init__(run, now_ms)
        self._shunned = Gathered(self._shunned_of)

    @in_transaction
    def shun(self, db: Db, user: str, other: str, kind: Literal["mute", "block"]) -> None:
        """Hide what somebody says, or keep apart from somebody, who is told of neither.

        OkeyError ``mute-self``, ``no-user``, ``too-many-mutes``.
        """
        if user == other:
            refuse("mute-self")
        self._tie(db, user, other, kind, MOST_MUTES, "too-many-mutes")

    @in_transaction
    def unshun(self, db: Db, user: str, other: str, kind: Literal["mute", "block"]) -> None:
        """Take that back, whether it was there or not."""
        _untie(db, user, other, kind)

    async def shunned(self, user: str) -> Shunned:
        """Whom a person doesn't hear or meet, and who doesn't want to meet that person."""
        found = (await self._shunned.of(user)).get(user, [])
        mine = [(other, kind) for one, other, kind in found if one == user]
        return Shunned(
            frozenset(other for other, _ in mine),
            frozenset(other for other, kind in mine if kind == "block"),
            frozenset(one for one, other, _ in found if other == user),
        )

    async def _shunned_of(self, users: list[str]) -> dict[str, list[tuple[str, str, str]]]:
        found: dict[str, list[tuple[str, str, str]]] = {}
        rows = await self._run(lambda db: db.execute(_SHUNNED, {"users": users}).all())
        for user, other, kind in rows:
            for one in (user, other):
                found.setdefault(one, []).append((user, other, kind))
        return found

    @in_transaction
    def befriend(self, db: Db, user: str, other: str) -> None:
        """Ask somebody to be a friend, or agree to who has asked.

        OkeyError ``friend-self``, ``no-user``, also for a bot, and ``too-many-friends``.
        """
        if user == other:
            refuse("friend-self")
        if user_row(db, other).owner_id is not None:
            refuse("no-user")
        self._tie(db, user, other, "friend", MOST_FRIENDS, "too-many-friends")

    @in_transaction
    def account_named(self, db: Db, name: str) -> str:
        """The id of the account of a name; OkeyError ``no-user``: the names of guests are not
        theirs alone.
        """
        return (account_of_key(db, name_key(name)) or refuse("no-user")).id

    @in_transaction
    def part(self, db: Db, user: str, other: str) -> None:
        """Be no friends any more, withdraw what one has asked, or refuse who has asked."""
        _untie(db, user, other, "friend")
        _untie(db, other, user, "friend")

    @in_transaction
    def circle(self, db: Db, user: str) -> Circle:
        """The people around somebody, the latest first.

        Who asks and is muted is not told: neither of the two hears of the other. Who is blocked is
        a friend again once that is taken back.
        """
        blocked = _latest(db, _of(user, "block"))
        wants = [one for one in _latest(db, _of(user, "friend")) if one not in blocked]
        wanted = [one for one in _latest(db, tied_to(user, "friend")) if one not in blocked]
        muted = {*db.scalars(_of(user, "mute"))}
        known = {user, *wants, *wanted, *muted, *blocked}
        return Circle(
            [one for one in wants if one in wanted],
            [one for one in wanted if one not in wants and one not in muted][:_MOST_ASKS],
            [one for one in wants if one not in wanted],
            [one for one in _met(db, user) if one not in known][:_MOST_MET],
            blocked,
        )

    @in_transaction
    def friends(self, db: Db, user: str) -> Collection[str]:
        """The ids of a person's friends, without those who are blocked."""
        wants, wanted, blocked = (
            {*db.scalars(query)}
            for query in (_of(user, "friend"), tied_to(user, "friend"), _of(user, "block"))
        )
        return (wants & wanted) - blocked

    @in_transaction
    def shown(self, db: Db, users: Collection[str], to: str) -> set[str]:
        """Those of some friends of a person who tell when they are here, and have neither muted nor
        blocked that person.
        """
        query = select(UserRow.id).where(UserRow.id.in_(users), UserRow.shown == 1)
        return {*db.scalars(query.where(UserRow.id.not_in(tied_to(to, "mute", "block"))))}

    def _tie(
        self, db: Db, user: str, other: str, kind: Literal["mute", "block", "friend"],
        most: int, code: str,
    ) -> None:  # fmt: skip
        user_row(db, user)
        user_row(db, other)
        if db.get(TieRow, (user, other, kind)) is None:
            if count(db, TieRow.user_id == user, TieRow.kind == kind) >= most:
                refuse(code, limit=most)
            db.add(TieRow(user_id=user, other_id=other, kind=kind, at_ms=self._now()))


def tied_to(user: str, *kinds: str) -> Select[str]:
    """Who has muted or blocked a person, or wants that one as a friend."""
    return select(TieRow.user_id).where(TieRow.other_id == user, TieRow.kind.in_(kinds))


def _of(user: str, kind: str) -> Select[Any]:
    return select(TieRow.other_id).where(TieRow.user_id == user, TieRow.kind == kind)


def _latest(db: Db, ties: Select[Any]) -> list[str]:
    return [*db.scalars(ties.order_by(TieRow.at_ms.desc()))]


def _untie(db: Db, user: str, other: str, kind: str) -> None:
    db.execute(
        delete(TieRow).where(TieRow.user_id == user, TieRow.other_id == other, TieRow.kind == kind)
    )


def _met(db: Db, user: str) -> list[str]:
    """The people of a person's last matches, the latest first, each once."""
    mine = select(SeatRow.match_id).where(SeatRow.user_id == user)
    last = mine.order_by(SeatRow.finished_ms.desc()).limit(_MATCHES).subquery()
    query = (
        select(SeatRow.user_id)
        .join(last, last.c.match_id == SeatRow.match_id)
        .join(UserRow, UserRow.id == SeatRow.user_id)
        .where(UserRow.deleted_ms.is_(None), UserRow.owner_id.is_(None))
        .order_by(SeatRow.finished_ms.desc(), SeatRow.match_id, SeatRow.seat)
    )
    return [*dict.fromkeys(found for found in db.scalars(query) if found is not None)]
