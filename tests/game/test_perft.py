"""Counts of action sequences and positions from nine small deals, depth by depth.

X4 and X9 have no deal of their own: they change points alone, and no action that may be done.

``OKEY101_WRITE=1`` writes the counts anew; every change of them is a change of the rules.
"""

import json
import os
from itertools import takewhile
from pathlib import Path
from typing import TypedDict

import pytest

from okey101.game import Deal, apply, options_of, parse_record
from okey101.game.public import FORM
from okey101.game.record.replay import steps_of

FOLDER = Path(__file__).with_name("perft")
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
_FIELDS = [field.name for field in FORM.fields if field.name != "actions"]
_MOST_POSITIONS = 20_000


class Row(TypedDict):
    """The counts after so many actions."""

    depth: int
    sequences: int
    positions: int
    ended: int


def key(deal: Deal) -> object:
    """A position: all of the deal except how it came about."""
    return (deal.hands, deal.drawn, *(getattr(deal.public, name) for name in _FIELDS))


def perft(start: Deal, depth: int, most: int = _MOST_POSITIONS) -> list[Row]:
    """Sequences of listed actions and different positions after 1 to ``depth`` actions.

    ``ended`` counts the sequences that end the deal at just that depth; none goes on from there.
    Stops early once a depth has ``most`` positions, or none.
    """
    level: dict[object, tuple[Deal, int]] = {key(start): (start, 1)}
    rows: list[Row] = []
    while level and len(level) < most and len(rows) < depth:
        following: dict[object, tuple[Deal, int]] = {}
        for deal, ways in level.values():
            for action in () if deal.over else options_of(deal).actions():
                after = apply(deal, action)
                position = key(after)
                known = following.get(position)
                following[position] = (after, ways + (known[1] if known else 0))
        level = following
        ended = sum(ways for deal, ways in level.values() if deal.over)
        total = sum(ways for _, ways in level.values())
        rows.append(Row(depth=len(rows) + 1, sequences=total, positions=len(level), ended=ended))
    return rows


def start_of(name: str) -> tuple[Deal, list[Row]]:
    """A fixed deal and its counts; the deal is written as a record."""
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    record = parse_record(json.dumps(data["record"]))
    return next(iter(steps_of(record, 0))), data["counts"]


def check(name: str, positions: int) -> None:
    """Count as deep as there are at most that many positions at a depth."""
    start, counts = start_of(name)
    if os.environ.get("OKEY101_WRITE"):
        counts = write(name, start)
    depth = len(list(takewhile(lambda row: row["positions"] <= positions, counts)))
    assert perft(start, depth) == counts[:depth]
    assert depth >= 4


def write(name: str, start: Deal) -> list[Row]:
    """Write the counts anew, as deep as is worthwhile."""
    path = FOLDER / f"{name}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    rows = perft(start, 12, _MOST_POSITIONS // 2)
    del data["counts"]
    body = json.dumps(data, indent=1, ensure_ascii=False).removesuffix("\n}")
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    path.write_text(f'{body},\n "counts": [\n  {lines}\n ]\n}}\n', encoding="utf-8")
    return rows


@pytest.mark.parametrize("name", NAMES)
def test_counts(name: str) -> None:
    check(name, 2_500)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_deeper_counts(name: str) -> None:
    check(name, 100 * _MOST_POSITIONS)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("lay_off_later", "lay_off_when_opening"),
        ("pairs_beside", "melds_lay_pairs"),
        ("pairs_beside", "pairs_lay_off"),
        ("partners", "partner_opens"),
    ],
)
def test_X5_X6_X8_the_counts_depend_on_the_field(name: str, field: str) -> None:
    """Without the field there are other sequences, within the counts that are always tried."""
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    del data["record"]["rules"][field]
    start = next(iter(steps_of(parse_record(json.dumps(data["record"])), 0)))
    assert perft(start, 7) != data["counts"][:7]


def test_there_are_nine() -> None:
    assert len(NAMES) == 9
