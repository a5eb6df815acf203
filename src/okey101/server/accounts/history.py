"""Finished matches, inside a transaction that the caller opened."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Final, cast

from sqlalchemy import delete, select, tuple_
from sqlalchemy.orm import Session as Db

from okey101.server.account_errors import refuse_account
from okey101.server.accounts.models import MatchRow, ReviewRow, SeatRow, UserRow
from okey101.server.accounts.people import names_of
from okey101.server.accounts.types import MatchHead, MatchSeat, MatchSummary, MatchUser, StoredMatch

__all__ = [
    "add_match", "add_review", "head_of", "match_id", "match_of", "matches_of", "review_of",
]  # fmt: skip

_MOST: Final = 100
_SUMMARY: Final = (
    MatchRow.id, MatchRow.table_id, MatchRow.number, MatchRow.finished_ms, MatchRow.preset,
    MatchRow.deals, MatchRow.totals,
)  # fmt: skip


def match_id(table_id: str, number: int) -> str:
    """The id of a table's match; matches of a table are numbered."""
    return f"{table_id}-{number}"


def add_match(
    db: Db,
    table_id: str,
    number: int,
    finished_ms: int,
    preset: str,
    deals: int,
    seats: Sequence[MatchSeat],
    totals: Sequence[int],
    record: bytes,
    shown_ms: int,
) -> str:
    """Keep a match and give its id; one that is kept already, with as many deals, stays as it is.

    Names in the record are left out: they are filled in when it is read. ValueError for a record
    that is no JSON object.
    """
    key = match_id(table_id, number)
    kept = db.get(MatchRow, key)
    if kept is not None:
        if kept.deals >= deals:
            return key
        # Its table was frozen in the middle, and could be played to the end later.
        db.execute(delete(SeatRow).where(SeatRow.match_id == key))
        db.execute(delete(ReviewRow).where(ReviewRow.match_id == key))
        db.delete(kept)
        db.flush()
    data = json.loads(record)
    if not isinstance(data, dict):
        raise ValueError("a record is a JSON object")
    data.pop("players", None)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    db.add(
        MatchRow(
            id=key,
            table_id=table_id,
            number=number,
            finished_ms=finished_ms,
            preset=preset,
            deals=deals,
            totals=json.dumps(list(totals)),
            record=zlib.compress(text.encode()),
            shown_ms=shown_ms,
        )
    )
    db.flush()
    for seat, who in enumerate(seats):
        user = None if who.user is None else db.get(UserRow, who.user)
        # The guest may have signed in during the match, or be gone.
        known = None if user is None else user.merged_into or user.id
        db.add(
            SeatRow(match_id=key, seat=seat, user_id=known, bot=who.bot, finished_ms=finished_ms)
        )
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
    found = {
        key: MatchSummary(
            key, table, number, finished, preset, deals, tuple(json.loads(totals)), seats[key]
        )
        for key, table, number, finished, preset, deals, totals in db.execute(
            select(*_SUMMARY).where(MatchRow.id.in_(ids))
        )
    }
    return [found[key] for key in ids]


def head_of(db: Db, key: str) -> MatchHead:
    """A match without its record, which is not even read; raises OkeyError ``no-match``."""
    row = db.execute(select(*_SUMMARY, MatchRow.shown_ms).where(MatchRow.id == key)).first()
    if row is None:
        refuse_account("no-match")
    _, table, number, finished, preset, deals, totals, shown_ms = row
    seats = _seats(db, [key])[key]
    summary = MatchSummary(
        key, table, number, finished, preset, deals, tuple(json.loads(totals)), seats
    )
    return MatchHead(summary, shown_ms)


def match_of(db: Db, key: str, nobody: str) -> StoredMatch:
    """A match with its record; ``nobody`` stands for people who are deleted.

    Raises OkeyError ``no-match``.
    """
    summary = head_of(db, key).summary
    packed = db.scalars(select(MatchRow.record).where(MatchRow.id == key)).one()
    data = cast("dict[str, object]", json.loads(zlib.decompress(packed)))
    deals = data.pop("deals", None)
    data["players"] = [s.name or (f"bot:{s.bot}" if s.bot else nobody) for s in summary.seats]
    if deals is not None:
        data["deals"] = deals
    return StoredMatch(summary, data)


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
        name = None if row.user_id is None else names[row.user_id]
        found[row.match_id].append(MatchUser(row.user_id, name, row.bot))
    return {key: tuple(seats) for key, seats in found.items()}
