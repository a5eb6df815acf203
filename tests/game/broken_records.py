"""A small good record to break, and what may come of a broken one."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, TypeAlias

import jsonschema

from conftest import unwrap
from game.random_play import play_deal
from okey101.errors import RecordError
from okey101.game import PRESETS, parse_record, record_of, replay
from okey101.game.record.form import Record, schema

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Path_: TypeAlias = "tuple[str | int, ...]"

VALIDATOR = jsonschema.Draft202012Validator(schema())


def make_record(preset: str = "altinstar", deals: int = 2, **changes: object) -> Record:
    """A short match of random deals."""
    rules = PRESETS[preset].with_(**changes)
    rng = random.Random(f"{preset} {deals}")
    played = [
        play_deal(rules, rng.randbytes(32), rng, style="eager", checked=0) for _ in range(deals)
    ]
    return record_of(rules, played, players=("Ayşe", *("bot:greedy",) * (rules.players - 1)))


RECORD = make_record(teams=True)
TEXT = RECORD.to_json()
SMALL: Json = {
    "format": "okey101/1",
    "rules_version": 1,
    "deals_agreed": 3,
    "rules": {"preset": "wiki", "players": 2, "open_points": 51, "_why": [1]},
    "players": ["a", "b"],
    "deals": [
        {
            "dealer": 1,
            "dice": [4, 2],
            "indicator": "B5",
            "hands": ["R1 R13 Y13 B13 K13", "R2 R3"],
            "stock": "K1 K2 *",
            "actions": ["0: meld R13 Y13 B13 K13", "0: discard R1"],
            "actors": ["bot:steady/1", "person"],
            "result": {
                "end": "finish",
                "winner": 0,
                "scores": [-202, 404],
                "fines": [],
                "_note": None,
            },
            "fair": {
                "version": 1,
                "commitment": "c0" * 32,
                "context": {"table": "salon", "match": 1, "deal": 0, "round": 0},
                "terms": {"rules": {"preset": "wiki"}, "bots": [None, "greedy"]},
                "seats": ["3f", "bot:greedy/1"],
                "commitments": ["c1" * 32, ""],
                "randomness": ["5e" * 16, ""],
                "secret": "5C" * 32,
            },
        }
    ],
    "totals": [-202, 404],
    "_mine": {"deep": [1.5, None, {"x": "y"}]},
}


def check(data: str | bytes) -> RecordError | None:
    """Read and replay; the one error allowed is a RecordError with a code.

    What can be read can be written again.
    """
    try:
        record = parse_record(data)
        assert parse_record(record.to_json().encode()) == record
        replay(record)
    except RecordError as error:
        found = error
    else:
        return None
    assert found.code
    assert 0 < len(found.message) < 2000
    assert isinstance(found.path, str)
    return found


def refusal(data: object) -> RecordError:
    text = data if isinstance(data, (str, bytes)) else json.dumps(data)
    return unwrap(check(text))


def changed(*place: str | int, to: object) -> dict[str, object]:
    """The small record with one value changed or added."""
    data = copy.deepcopy(SMALL)
    node_at(data, place[:-1])[place[-1]] = to
    assert isinstance(data, dict)
    return data  # type: ignore[return-value]


def node_at(data: Any, place: Path_) -> Any:
    for step in place:
        data = data[step]
    return data


def nodes(value: object, place: Path_ = ()) -> Iterator[tuple[Path_, object]]:
    yield place, value
    if isinstance(value, dict):
        for name, item in value.items():
            yield from nodes(item, (*place, name))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from nodes(item, (*place, i))


def path_text(place: Path_) -> str:
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
