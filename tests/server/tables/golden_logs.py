"""Golden logs: ``python -m server.tables.golden_logs`` writes them."""

import json
from pathlib import Path

import msgspec

from okey101.game import PRESETS
from okey101.server.store.base import Row
from okey101.server.tables import log_entries as log
from server.tables.table_stories import TABLE, Story, rows_of, table_options

GOLDEN = Path(__file__).parent / "golden"
"""A match for each preset, written anew with the form of the log until the first release."""


def as_line(row: Row) -> str:
    data = {
        "seq": row.seq,
        "at": row.at_ms,
        "rules": row.rules_version,
        "hash": row.state_hash,
        "entry": json.loads(row.entry),
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def from_line(line: str) -> Row:
    data = json.loads(line)
    entry = msgspec.json.encode(data["entry"])
    return Row(TABLE, data["seq"], data["at"], entry, data["rules"], data["hash"])


def golden_lines(preset: str, seed: str) -> str:
    """A match of four, with bots, people who leave, and one who is away for a while."""
    made = Story(table_options(preset, "4", bots=(None, None, None, "steady"), clock=20), seed)
    made.fill()
    made.add(log.Started(user="u0", secret=made.secret(), order=(1, 0, 3, 2)))
    made.commit()
    made.deal()
    made.move("eager")
    made.add(log.Away(seat=0, on=True, why="absent"))
    made.move("eager")
    made.add(log.Away(seat=0, on=False, why="back"))
    made.add(log.Restarted())
    made.add(log.Left(user="u2"))
    made.play_out(commit=True)
    return "".join(as_line(row) + "\n" for row in rows_of(made.steps))


def main() -> None:
    for preset in PRESETS:
        found = (golden_lines(preset, f"{preset} {number}") for number in range(25))
        best = min((text for text in found if text.count("\n") > 110), key=len)
        (GOLDEN / f"{preset}.jsonl").write_text(best, encoding="utf-8")


if __name__ == "__main__":
    main()
