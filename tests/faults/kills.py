"""The long storm, and what came of it as the page ``benchmarks/kills.md``."""

from __future__ import annotations

import argparse
from pathlib import Path

from faults.storm import Tally, ride

_HEAD = """\
# Kills during play

One server with {tables} tables at a time, of bots and of people who play by script over real
sockets, killed (SIGKILL) over and over ({minutes:.0f} minutes). Between two lives the log is read
from a copy and played through: every acknowledged command is in it once, in the row that was
acknowledged, no tile is lost or doubled, and every client knows what the log says at the row it
has reached. Clients come back with their last `seq`, and send once more what was not answered.
In the end every match is over and in the history, and its record replays and verifies.
Made by `cd tests && ../.venv/bin/python -m faults.kills --write ../benchmarks/kills.md`; the test
marked long repeats it.

| what | how many |
| --- | ---: |
"""
_FOOT = "\nThe slowest start took {start:.1f} s, on two cores that had other work to do.\n"


def page(tally: Tally, tables: int) -> str:
    """What a storm came to, as a page."""
    counts, kills = tally.notes.counts, tally.kills
    lines = [
        ("kills at some moment of play", kills["play"]),
        ("kills within 0.2 s after the server was back", kills["early"]),
        ("kills while it drained", kills["drain"]),
        ("kills before it listened", kills["start"]),
        ("ends by draining", tally.stops),
        ("pauses (SIGSTOP, SIGCONT)", tally.pauses),
        ("tables", tally.tables),
        ("matches over", tally.matches),
        ("rows in the log", sum(tally.rows.values())),
        ("commands of people", counts["commands"]),
        ("commands acknowledged", len(tally.notes.acknowledged)),
        ("commands sent again after a loss", counts["commands sent again"]),
        ("commands sent twice at once", counts["commands sent twice"]),
        ("connections", counts["connections"]),
        ("resumed by seq", counts["resumed"]),
        ("events received", counts["events"]),
        ("fresh views compared with what was known", counts["fresh views compared"]),
        ("clients compared with the log while it was down", tally.compared),
        ("problems", len(tally.problems)),
    ]
    rows = "".join(f"| {what} | {count:,} |\n" for what, count in lines)
    head = _HEAD.format(tables=tables, minutes=tally.seconds / 60)
    return head + rows + _FOOT.format(start=tally.slowest_start)


def main() -> None:
    """Ride the long storm and write what came of it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seed", type=int, default=101)
    parser.add_argument("--minutes", type=float, default=0.0, help="kill no more after so many")
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    tally = ride(
        tables=args.tables, kills=args.kills, pauses=10, seed=args.seed, minutes=args.minutes,
    )  # fmt: skip
    for problem in tally.problems:
        print(problem)
    text = page(tally, args.tables)
    if args.write:
        args.write.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
