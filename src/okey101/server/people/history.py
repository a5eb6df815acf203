"""Finished matches, inside a transaction that the caller opened."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, select, tuple_
from sqlalchemy.orm import Session as Db

from okey101.server.errors import refuse_account
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
from okey101.server.people.persons import names_of
from okey101.server.protocol.views import Called
from okey101.server.store.base import Conn
from okey101.server.store.sealed import seal_of

_MOST: Final = 100
_SUMMARY: Final = (
    MatchRow.id, MatchRow.table_id, MatchRow.number, MatchRow.finished_ms, MatchRow.preset,
    MatchRow.deals, MatchRow.totals, MatchRow.places, MatchRow.shown_ms,
)  # fmt: skip


def match_id(table_id: str, number: int) -> str:
    """The id of a table's match; matches of a table are numbered."""
    return f"{table_id}-{number}"


def packed_record(record: bytes) -> bytes:
    """A record as it is kept: without names, which are filled in when it is read.

    ValueError for one that is no JSON object.
    """
    data = json.loads(record)
    if not isinstance(data, dict):
        raise ValueError("a record is a JSON object")
    data.pop("players", None)
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode())


def sound_matches(conn: Conn, table_id: str) -> set[str]:
    """The ids of a table's matches that are kept, with their seats, as they were written."""
    sql = (
        f"SELECT id FROM matches WHERE id > ? AND id < ? AND {seal_of(conn, 'matches')} "
        "AND NOT EXISTS (SELECT 1 FROM match_seats "
        f"WHERE match_id = matches.id AND NOT ({seal_of(conn, 'match_seats')}))"
    )
    return {key for (key,) in conn.execute(sql, (f"{table_id}-", f"{table_id}."))}


def forget_match(db: Db, key: str) -> None:
    """Remove what is kept of a match, if anything, before it is kept anew."""
    for row, column in ((SeatRow, SeatRow.match_id), (ReviewRow, ReviewRow.match_id)):
        db.execute(delete(row).where(column == key))
    db.execute(delete(MatchRow).where(MatchRow.id == key))


def add_match(db: Db, match: MatchRow, seats: Sequence[MatchSeat]) -> str:
    """Keep a match and give its id; one that is kept already, with as many deals, stays."""
    key = match.id
    kept = db.get(MatchRow, key)
    if kept is not None:
        if kept.deals >= match.deals:
            return key
        # Its table was frozen in the middle, and could be played to the end later.
        forget_match(db, key)
        db.expunge(kept)
    db.add(match)
    db.flush()
    for seat, who in enumerate(seats):
        user = None if who.user is None else db.get(UserRow, who.user)
        # The guest may have signed in during the match, or be gone.
        known = None if user is None else user.merged_into or user.id
        at = match.finished_ms
        db.add(SeatRow(match_id=key, seat=seat, user_id=known, bot=who.bot, finished_ms=at))
    db.flush()
    return key


def matches_of(db: Db, user: str, before: str | None, limit: int) -> list[MatchSummary]:
    """A person's matches, the latest first, those after the match ``before`` in that order.

    Raises OkeyError ``no-match`` for an unknown ``before``.
    """
    order = SeatRow.finished_ms, SeatRow.match_id
    query = select(*order).distinct().where(SeatRow.user_id == user)
    if before is not None:
        last = db.get(MatchRow, before)
        if last is None:
            refuse_account("no-match")
        query = query.where(tuple_(*order) < tuple_(last.finished_ms, last.id))
    query = query.order_by(*(column.desc() for column in order))
    ids = [key for _, key in db.execute(query.limit(max(1, min(limit, _MOST))))]
    seats = _seats(db, ids)
    rows = db.execute(select(*_SUMMARY).where(MatchRow.id.in_(ids)))
    found = {row.id: _summary(seats, row) for row in rows}
    return [found[key] for key in ids]


def _summary(seats: Mapping[str, tuple[MatchUser, ...]], columns: Sequence[Any]) -> MatchSummary:
    """A row of the columns that a summary has."""
    *first, totals, places, shown_ms = columns
    by_seat = tuple(json.loads(totals)), tuple(json.loads(places))
    return MatchSummary._make((*first, *by_seat, shown_ms, seats[columns[0]]))


def summary_of(db: Db, key: str) -> MatchSummary:
    """A match without its record, which is not even read; raises OkeyError ``no-match``."""
    row = db.execute(select(*_SUMMARY).where(MatchRow.id == key)).first()
    if row is None:
        refuse_account("no-match")
    return _summary(_seats(db, [key]), row)


def match_of(db: Db, key: str, nobody: str) -> StoredMatch:
    """A match with its record; ``nobody`` stands for people who are deleted.

    Raises OkeyError ``no-match``.
    """
    summary = summary_of(db, key)
    packed = db.scalars(select(MatchRow.record).where(MatchRow.id == key)).one()
    players = [s.name or (f"bot:{s.bot}" if s.bot else nobody) for s in summary.seats]
    return StoredMatch(summary, zlib.decompress(packed), players)


def add_review(db: Db, key: str, deals: int, data: bytes, now: int) -> None:
    """Keep the review of a match of so many deals; that of any other is of no use any more."""
    row = db.get(MatchRow, key)
    if row is not None and row.deals == deals:
        db.merge(ReviewRow(match_id=key, made_ms=now, data=zlib.compress(data)))


def review_of(db: Db, key: str) -> bytes | None:
    """The JSON of a match's review; None where there is none."""
    packed = db.scalars(select(ReviewRow.data).where(ReviewRow.match_id == key)).first()
    return None if packed is None else zlib.decompress(packed)


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
