"""Finished matches: kept, listed, shown, and reviewed."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from sqlalchemy import and_, select, tuple_, update
from sqlalchemy.orm import Session as Db

from okey101.game.match import places_of
from okey101.game.ruleset import RuleSet
from okey101.server.errors import refuse
from okey101.server.people.database import InStore, in_transaction, remove
from okey101.server.people.models import (
    MatchRow,
    MatchSeat,
    MatchSummary,
    MatchUser,
    ReviewRow,
    SeatRow,
    StoredMatch,
    UserRow,
)
from okey101.server.people.persons import OF_A_MATCH, names_of
from okey101.server.protocol.views import Called
from okey101.server.store.base import Conn
from okey101.server.store.sealed import seal_of

_MOST: Final = 100
_SUMMARY: Final = [getattr(MatchRow, name) for name in MatchSummary._fields if name != "seats"]


def match_id(table_id: str, number: int) -> str:
    """The id of a table's match; matches of a table are numbered."""
    return f"{table_id}-{number}"


def sound_matches(conn: Conn, table_id: str) -> set[str]:
    """The ids of a table's matches that are kept, with their seats, as they were written."""
    sql = (
        f"SELECT id FROM matches WHERE id > ? AND id < ? AND {seal_of(conn, 'matches')} "
        "AND NOT EXISTS (SELECT 1 FROM match_seats "
        f"WHERE match_id = matches.id AND NOT ({seal_of(conn, 'match_seats')}))"
    )
    return {key for (key,) in conn.execute(sql, (f"{table_id}-", f"{table_id}."))}


class History(InStore):
    """The finished matches of people, and what their reviews found."""

    @in_transaction
    def save_match(
        self,
        db: Db,
        *,
        table_id: str,
        number: int,
        finished_ms: int,
        rules: RuleSet,
        deals: int,
        seats: Sequence[MatchSeat],
        totals: Sequence[int],
        record: bytes,
        deeds: Sequence[str] = (),
        shown_ms: int = 0,
    ) -> str:
        """Keep a match and give its id; once it is kept with all its deals, nothing changes it.

        ``record`` is the JSON of the record without names, which are filled in when it is read,
        ``deeds`` what each seat did; those who did not play the match may see it from ``shown_ms``
        on.
        """
        key, by_seat = match_id(table_id, number), tuple(totals)
        kept = db.get(MatchRow, key)
        if kept is not None:
            if kept.deals >= deals:
                return key
            # Its table was frozen in the middle, and could be played to the end later.
            remove(db, [key], *OF_A_MATCH)
            db.expunge(kept)
        db.add(
            MatchRow(
                id=key, table_id=table_id, number=number, finished_ms=finished_ms,
                preset=rules.preset_name, deals=deals, totals=by_seat,
                places=places_of(rules, by_seat), record=zlib.compress(record), shown_ms=shown_ms,
            )
        )  # fmt: skip
        db.flush()
        for seat, who in enumerate(seats):
            user = None if who.user is None else db.get(UserRow, who.user)
            # The guest may have signed in during the match, or be gone.
            known = None if user is None else user.merged_into or user.id
            row = {"match_id": key, "user_id": known, "bot": who.bot, "finished_ms": finished_ms}
            told = deeds[seat] if deeds else None
            db.add(SeatRow(seat=seat, deeds=told, near=who.near, **row))
        return key

    @in_transaction
    def forget_match(self, db: Db, match: str) -> None:
        """Remove what is kept of a match, if anything, before it is kept anew."""
        remove(db, [match], *OF_A_MATCH)

    @in_transaction
    def matches(
        self, db: Db, user: str, before: str | None = None, limit: int = 20
    ) -> list[MatchSummary]:
        """A person's matches, the latest first, at most 100; ``before``: those that follow it.

        OkeyError ``no-match`` for an unknown ``before``.
        """
        order = SeatRow.finished_ms, SeatRow.match_id
        query = select(*order).distinct().where(SeatRow.user_id == user)
        if before is not None:
            last = db.get(MatchRow, before)
            if last is None:
                refuse("no-match")
            query = query.where(tuple_(*order) < tuple_(last.finished_ms, last.id))
        query = query.order_by(*(column.desc() for column in order))
        ids = [key for _, key in db.execute(query.limit(max(1, min(limit, _MOST))))]
        found = {one.id: one for one in _summaries(db, ids)}
        return [found[key] for key in ids]

    @in_transaction
    def match_summary(self, db: Db, match: str) -> MatchSummary:
        """A match without its record, which is not even read; OkeyError ``no-match``."""
        return _summary(db, match)

    @in_transaction
    def match(self, db: Db, match: str) -> StoredMatch:
        """A match with its record and names, ``-`` for the deleted; OkeyError ``no-match``."""
        summary = _summary(db, match)
        packed = db.scalars(select(MatchRow.record).where(MatchRow.id == match)).one()
        players = [s.name or (f"bot:{s.bot}" if s.bot else "-") for s in summary.seats]
        return StoredMatch(summary, zlib.decompress(packed), players)

    @in_transaction
    def save_review(
        self, db: Db, match: str, deals: int, data: bytes | None, found: Mapping[int, str]
    ) -> None:
        """Keep the review of a match, the JSON of it and what it ``found`` of each seat, unless the
        match has other deals by now.

        Without ``data`` only what was found is kept, of seats of which there is nothing yet.
        """
        row = db.get(MatchRow, match)
        if row is None or row.deals != deals:
            return
        if data is not None:
            db.merge(ReviewRow(match_id=match, made_ms=self._now(), data=zlib.compress(data)))
        for seat, text in found.items():
            mine = [SeatRow.match_id == match, SeatRow.seat == seat]
            if data is None:
                mine.append(SeatRow.found.is_(None))
            db.execute(update(SeatRow).where(*mine).values(found=text))

    async def unweighed(self, most: int, without: Collection[str]) -> dict[str, list[int]]:
        """Of the latest matches by rules that have a scale of strength, about so many: the seats
        of accounts of which no review has found anything, by the matches' ids.

        Left out are a match that is not for everybody yet, and who wants no strength.
        """
        key = SeatRow.finished_ms, SeatRow.match_id, SeatRow.seat
        wants = and_(UserRow.password_hash.is_not(None), UserRow.unweighed == 0)
        scaled = SeatRow.deeds.startswith('["')
        shown = MatchRow.shown_ms <= self._now()
        query = (
            select(*key, and_(wants, scaled, shown))
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .join(UserRow, UserRow.id == SeatRow.user_id)
            .where(SeatRow.found.is_(None))
        )
        found = dict[str, list[int]]()
        async for rows in self._in_parts(query, *key, last_first=True):
            for _, match, seat, weighs in rows:
                if weighs and match not in without:
                    found.setdefault(match, []).append(seat)
            if len(found) >= most:
                break
        return found

    @in_transaction
    def review(self, db: Db, match: str) -> bytes | None:
        """The JSON of a match's review; None where it has none."""
        packed = db.scalars(select(ReviewRow.data).where(ReviewRow.match_id == match)).first()
        return None if packed is None else zlib.decompress(packed)


def _summary(db: Db, key: str) -> MatchSummary:
    return next(_summaries(db, [key]), None) or refuse("no-match")


def _summaries(db: Db, ids: Sequence[str]) -> Iterator[MatchSummary]:
    seats = _seats(db, ids)
    for row in db.execute(select(*_SUMMARY).where(MatchRow.id.in_(ids))):
        yield MatchSummary._make((*row, seats[row.id]))


def _seats(db: Db, keys: Sequence[str]) -> dict[str, tuple[MatchUser, ...]]:
    query = select(SeatRow).where(SeatRow.match_id.in_(keys)).order_by(SeatRow.seat)
    rows = db.scalars(query).all()
    names = names_of(db, (row.user_id for row in rows if row.user_id is not None))
    found: dict[str, list[MatchUser]] = {key: [] for key in keys}
    for row in rows:
        found[row.match_id].append(
            MatchUser(row.user_id, row.bot, *names.get(row.user_id or "", Called()))
        )
    return {key: tuple(seats) for key, seats in found.items()}
