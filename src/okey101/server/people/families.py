"""Family tables: one lasting link, its rules, its regulars, and what their matches come to."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, tzinfo
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from sqlalchemy import delete, exists, or_, select, update
from sqlalchemy.orm import Session as Db, aliased

from okey101.errors import OkeyError
from okey101.i18n import LANGUAGES, load
from okey101.server.errors import refuse
from okey101.server.net.web_push import Device, PushService
from okey101.server.people.database import InStore, Run, count, in_transaction
from okey101.server.people.day_tries import ISTANBUL
from okey101.server.people.models import (
    FamilyRow,
    FamilyTableRow,
    MatchRow,
    PushRow,
    RegularRow,
    SeatRow,
    Session,
    SessionRow,
    TieRow,
    UserRow,
)
from okey101.server.people.names import Name
from okey101.server.people.persons import (
    NameLookups,
    account_row,
    forget_devices,
    forget_families,
    new_id,
)
from okey101.server.people.ties import tied_to
from okey101.server.protocol.bot_labels import is_bot_account
from okey101.server.protocol.options import TableOptions
from okey101.server.tables.state import TableState
from okey101.server.work.tasks import Tasks

MOST_FAMILIES: Final = 5
"""The most that an account owns."""
MOST_REGULARS: Final = 30
BOT: Final = "steady"
"""Who plays where somebody is missing, unless the owner names another bot."""
TOLD_EVERY_MS: Final = 3_600_000
"""How often a person is told by push that somebody waits, at whichever tables."""
QUIET: Final = (22, 8)
"""Between which hours a browser is told nothing, unless its owner names others."""
_LINK_BYTES: Final = 12


class Family(NamedTuple):
    """A family table, by its id; ``link`` is the last part of its address, ``table`` its latest
    table, the ``number``-th.
    """

    id: str
    owner: str
    name: str
    link: str
    options: TableOptions
    number: int
    table: str


class FamilyTotal(NamedTuple):
    """What a person has in some matches of a family table: how many, those won, and the points."""

    user: str
    matches: int
    won: int
    points: int


def is_quiet(now_ms: int, quiet: tuple[int, int], zone: str) -> bool:
    """Whether it is between two hours somewhere: in Istanbul where that time zone isn't known.

    >>> [is_quiet(1_795_683_600_000, (22, 8), zone) for zone in ("Europe/Istanbul", "Asia/Tokyo")]
    [False, False]
    >>> is_quiet(1_795_683_600_000, (10, 14), "?"), is_quiet(1_795_683_600_000, (9, 9), "?")
    (True, False)
    """
    where: tzinfo
    try:
        where = ZoneInfo(zone)
    except (LookupError, ValueError, OSError):
        where = ISTANBUL
    hour, (begin, end) = datetime.fromtimestamp(now_ms / 1000, where).hour, quiet
    return begin <= hour < end if begin <= end else not end <= hour < begin


def family_options(options: TableOptions) -> TableOptions:
    """The options of a family's tables: bots wait for people in every seat but one."""
    _, *others = options.bots
    bots = (None, *(bot or BOT for bot in others))
    return msgspec.structs.replace(options, bots=bots, listed=False, late=True)


class Families(InStore):
    """The family tables in people's database; OkeyError as for :class:`Accounts`.

    Whom the owner has blocked finds none: ``no-family``.
    """

    def __init__(self, run: Run, now_ms: Callable[[], int], named: Callable[[str], Name]) -> None:
        """``named`` checks a name."""
        super().__init__(run, now_ms)
        self._named = named

    @in_transaction
    def make(self, db: Db, user: str, name: str, options: TableOptions) -> str:
        """A family table of an account; its link.

        OkeyError of the name, ``not-account``, ``too-many-families``.
        """
        checked = self._named(name)
        account_row(db, user)
        if count(db, FamilyRow.owner_id == user) >= MOST_FAMILIES:
            refuse("too-many-families", limit=MOST_FAMILIES)
        row = FamilyRow(
            id=new_id("f"), owner_id=user, name=checked.text,
            link=secrets.token_urlsafe(_LINK_BYTES), options=options, made_ms=self._now(),
        )  # fmt: skip
        db.add(row)
        db.flush()
        db.add(RegularRow(family_id=row.id, user_id=user, at_ms=self._now()))
        return row.link

    @in_transaction
    def change(
        self, db: Db, user: str, link: str, *,
        name: str | None = None, options: TableOptions | None = None, fresh: bool = False,
    ) -> str:  # fmt: skip
        """Change the name, the rules, or with ``fresh`` the link, of one's family table; its link.

        OkeyError of the name, ``no-family``, ``not-family-owner``.
        """
        checked, row = None if name is None else self._named(name), _own(db, user, link)
        if checked is not None:
            row.name = checked.text
        if options is not None:
            row.options = options
        if fresh:
            row.link = secrets.token_urlsafe(_LINK_BYTES)
        return row.link

    @in_transaction
    def remove(self, db: Db, user: str, link: str) -> None:
        """End one's family table; matches stay. OkeyError as :meth:`change`."""
        forget_families(db, [_own(db, user, link).id])

    @in_transaction
    def part(self, db: Db, user: str, link: str, other: str) -> None:
        """Have somebody be no regular any more: oneself, or of one's own family table another.

        OkeyError as :meth:`change`; the owner stays one.
        """
        row = _found(db, link, user) if user == other else _own(db, user, link)
        regular = db.get(RegularRow, (row.id, other))
        if regular is not None and other != row.owner_id:
            db.delete(regular)
            forget_devices(db, [other])

    @in_transaction
    def come(self, db: Db, family: str, user: str) -> None:
        """Have an account that sat down there be a regular, as long as there is room, and the
        family.
        """
        if db.get(FamilyRow, family) is None or db.get(RegularRow, (family, user)) is not None:
            return
        if count(db, RegularRow.family_id == family) < MOST_REGULARS:
            db.add(RegularRow(family_id=family, user_id=user, at_ms=self._now()))

    @in_transaction
    def family(self, db: Db, link: str, user: str | None) -> Family:
        """The family table of a link; OkeyError ``no-family``."""
        return _family(db, _found(db, link, user))

    @in_transaction
    def at(self, db: Db, table: str) -> Family | None:
        """The family whose latest table this is."""
        query = select(FamilyRow).join(FamilyTableRow, FamilyTableRow.family_id == FamilyRow.id)
        row = db.scalar(query.where(FamilyTableRow.table_id == table))
        family = None if row is None else _family(db, row)
        return family if family is not None and family.table == table else None

    @in_transaction
    def of(self, db: Db, user: str) -> list[Family]:
        """The family tables where somebody is a regular, the newest first."""
        query = select(FamilyRow).join(RegularRow, RegularRow.family_id == FamilyRow.id)
        query = query.where(
            RegularRow.user_id == user, FamilyRow.owner_id.not_in(tied_to(user, "block"))
        )
        return [_family(db, row) for row in db.scalars(query.order_by(FamilyRow.made_ms.desc()))]

    @in_transaction
    def regulars(self, db: Db, family: str) -> Mapping[str, bool]:
        """The regulars by their ids, the first one first, and who is told that somebody waits."""
        query = select(RegularRow).where(RegularRow.family_id == family)
        found = db.scalars(query.order_by(RegularRow.at_ms, RegularRow.user_id))
        return {row.user_id: row.told_ms is not None for row in found}

    # Telling by push that somebody waits ------------------------------------------------------

    @in_transaction
    def tell(self, db: Db, user: str, link: str, *, told: bool) -> None:
        """Have a regular be told by push that somebody waits at a family table, or no more.

        Whoever is told of no table has no browser kept. OkeyError ``no-family``.
        """
        regular = db.get(RegularRow, (_found(db, link, user).id, user)) or refuse("no-family")
        if told != (regular.told_ms is not None):
            regular.told_ms = 0 if told else None
            forget_devices(db, [user])

    @in_transaction
    def told_here(self, db: Db, session: Session) -> tuple[str | None, int, int]:
        """Where the browser of a session is reached by push, if it is, and between which hours it
        is not.
        """
        row = db.get(PushRow, session.id)
        return (None, *QUIET) if row is None else (row.endpoint, row.quiet_from, row.quiet_to)

    @in_transaction
    def keep_device(
        self, db: Db, session: Session, device: Device, quiet: tuple[int, int], zone: str
    ) -> None:
        """Tell the browser of an account's session by push; OkeyError ``not-account``."""
        account_row(db, session.user.id)
        before = or_(PushRow.session_id == session.id, PushRow.endpoint == device.endpoint)
        db.execute(delete(PushRow).where(before))
        row = PushRow(
            session_id=session.id, user_id=session.user.id, endpoint=device.endpoint,
            key=device.key, secret=device.secret, quiet_from=quiet[0], quiet_to=quiet[1],
            zone=zone, made_ms=self._now(),
        )  # fmt: skip
        db.add(row)

    @in_transaction
    def drop_device(self, db: Db, endpoint: str) -> None:
        """Forget a browser that takes no messages any more."""
        db.execute(delete(PushRow).where(PushRow.endpoint == endpoint))

    @in_transaction
    def to_tell(
        self, db: Db, family: Family, by: str, sits: Collection[str]
    ) -> list[tuple[Device, str]]:
        """The browsers to tell that a person waits at a family table, each with the language of
        its owner, who has been told from now on: once an hour, wherever it was.

        Not of those who sit there, nor of whom that person or the owner has blocked, nor of who
        doesn't hear or meet that person.
        """
        now = self._now()
        anywhere = aliased(RegularRow)
        lately = exists().where(
            anywhere.user_id == RegularRow.user_id, anywhere.told_ms > now - TOLD_EVERY_MS
        )
        blocked = select(TieRow.other_id)
        blocked = blocked.where(TieRow.user_id.in_((by, family.owner)), TieRow.kind == "block")
        query = (
            select(PushRow, UserRow.language)
            .join(RegularRow, RegularRow.user_id == PushRow.user_id)
            .join(UserRow, UserRow.id == PushRow.user_id)
            .join(SessionRow, SessionRow.id == PushRow.session_id)
            .where(
                RegularRow.family_id == family.id, RegularRow.told_ms.is_not(None), ~lately,
                RegularRow.user_id.not_in({*sits, by}), RegularRow.user_id.not_in(blocked),
                RegularRow.user_id.not_in(tied_to(by, "mute", "block")),
                SessionRow.expires_ms > now,
                or_(UserRow.banned_until.is_(None), UserRow.banned_until <= now),
            )
        )  # fmt: skip
        awake = [
            (row, language)
            for row, language in db.execute(query)
            if not is_quiet(now, (row.quiet_from, row.quiet_to), row.zone)
        ]
        due = RegularRow.user_id.in_({row.user_id for row, _ in awake})
        here = update(RegularRow).where(RegularRow.family_id == family.id, due)
        db.execute(here.values(told_ms=now))
        return [(Device(row.endpoint, row.key, row.secret), language) for row, language in awake]

    # What was played ----------------------------------------------------------------------------

    @in_transaction
    def open(self, db: Db, family: str, number: int, table: str) -> None:
        """Note that a table is this family's ``number``-th; OkeyError ``no-family``."""
        if db.get(FamilyRow, family) is None:
            refuse("no-family")
        if db.get(FamilyTableRow, (family, number)) is None:
            db.add(FamilyTableRow(family_id=family, number=number, table_id=table))

    @in_transaction
    def owners(self, db: Db, tables: Collection[str]) -> dict[str, str]:
        """Whose family tables some tables are, by the ids of the tables."""
        query = select(FamilyTableRow.table_id, FamilyRow.owner_id).join(
            FamilyRow, FamilyRow.id == FamilyTableRow.family_id
        )
        return dict(db.execute(query.where(FamilyTableRow.table_id.in_(tables))).all())

    @in_transaction
    def totals(self, db: Db, family: str, since: int) -> list[FamilyTotal]:
        """What people have in the matches that ended since a moment, the most won first.

        The records of others may not be shown yet; then those matches don't count either.
        """
        query = (
            select(SeatRow.user_id, SeatRow.seat, MatchRow.totals, MatchRow.places)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .join(FamilyTableRow, FamilyTableRow.table_id == MatchRow.table_id)
            .where(
                FamilyTableRow.family_id == family,
                MatchRow.finished_ms >= since,
                MatchRow.shown_ms <= self._now(),
            )
        )
        return added((row.user_id, row.seat, row.totals, row.places) for row in db.execute(query))


def added(
    rows: Iterable[tuple[str | None, int, Sequence[int], Sequence[int]]],
) -> list[FamilyTotal]:
    """What people have, of each seat's person and seat, and the match's totals and places.

    >>> match = (5, 9), (1, 2)
    >>> [tuple(one) for one in added([("b", 1, *match), ("a", 0, *match), (None, 0, *match)])]
    [('a', 1, 1, 5), ('b', 1, 0, 9)]
    """
    found: dict[str, FamilyTotal] = {}
    for user, seat, totals, places in rows:
        if user is not None:
            one = found.get(user, FamilyTotal(user, 0, 0, 0))
            won, points = one.won + (places[seat] == 1), one.points + totals[seat]
            found[user] = FamilyTotal(user, one.matches + 1, won, points)
    return sorted(found.values(), key=lambda one: (-one.won, one.points, one.user))


def _found(db: Db, link: str, user: str | None) -> FamilyRow:
    query = select(FamilyRow).where(FamilyRow.link == link)
    if user is not None:
        query = query.where(FamilyRow.owner_id.not_in(tied_to(user, "block")))
    return db.scalar(query) or refuse("no-family")


def _own(db: Db, user: str, link: str) -> FamilyRow:
    row = _found(db, link, user)
    if row.owner_id != user:
        refuse("not-family-owner")
    return row


def _family(db: Db, row: FamilyRow) -> Family:
    tables = select(FamilyTableRow.number, FamilyTableRow.table_id)
    of = tables.where(FamilyTableRow.family_id == row.id).order_by(FamilyTableRow.number.desc())
    last = db.execute(of.limit(1)).first()
    number, table = (0, "") if last is None else (last.number, last.table_id)
    return Family(row.id, row.owner_id, row.name, row.link, row.options, number, table)


class Waiting:
    """Tells by push who wants it that somebody has sat down at a family's table and waits."""

    def __init__(
        self, families: Families, names: NameLookups, tasks: Tasks, service: PushService | None
    ) -> None:
        """Without a ``service`` nobody is told."""
        self._families = families
        self._names = names
        self._tasks = tasks
        self._service = service

    def sat(self, state: TableState, user: str) -> None:
        """Somebody has sat down at a table; nobody is told while people can't be asked."""
        family = not (state.options.quick or state.options.listed) and state.day is None
        if self._service is not None and family and state.vacant and not is_bot_account(user):
            self._tasks.spawn(self._tell(self._service, state, user))

    async def _tell(self, service: PushService, state: TableState, by: str) -> None:
        try:
            family = await self._families.at(state.table)
            if family is None:
                return
            await self._names.learn([by])
            told = await self._families.to_tell(family, by, state.expected)
        except OkeyError:
            return
        name = self._names.name(by) or "?"
        for device, wanted in told:
            language = wanted if wanted in LANGUAGES else LANGUAGES[0]
            words = load(language, "account")("waits-family", name=name)
            message = {"text": words, "language": language, "link": family.link}
            self._tasks.spawn(self._push(service, device, message))

    async def _push(self, service: PushService, to: Device, message: dict[str, str]) -> None:
        if not await service.deliver(to, message):
            with suppress(OkeyError):  # it is asked again the next time
                await self._families.drop_device(to.endpoint)
