"""Damage done to the files of a server that is down: to rows, and to any byte of the folder."""

import contextlib
import random
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Final

from faults.simulated_days import Day, folder
from faults.tally import Outcome, Tally, asked, go_on, in_order
from okey101.solver.tables import load_tables

_COLUMNS = ("at_ms", "entry", "rules_version", "state_hash")


def row_of(data: Path, table: str, seq: int) -> bytes:
    with contextlib.closing(sqlite3.connect(data / "log.sqlite")) as conn:
        found = conn.execute("SELECT entry FROM log WHERE table_id = ? AND seq = ?", (table, seq))
        (entry,) = found.fetchone()
    return bytes(entry)


def alter(data: Path, table: str, seq: int, column: str, value: object) -> None:
    """Put something else in a row, even nothing at all, as only a damaged page has it."""
    assert column in _COLUMNS
    with contextlib.closing(sqlite3.connect(data / "log.sqlite")) as conn, conn:
        conn.execute("PRAGMA writable_schema = ON")
        lax = "UPDATE sqlite_schema SET sql = replace(sql, 'BLOB NOT NULL', 'BLOB')"
        conn.execute(f"{lax} WHERE name = 'log'")
    with contextlib.closing(sqlite3.connect(data / "log.sqlite")) as conn, conn:
        statement = f"UPDATE log SET {column} = ? WHERE table_id = ? AND seq = ?"
        assert conn.execute(statement, (value, table, seq)).rowcount == 1


# Any byte of any file -----------------------------------------------------------------------------

_KINDS: Final = ("a bit", "64 zeros", "a cut", "the file gone", "the file of yesterday")


@cache
def _base(number: int) -> tuple[Day, Path]:
    """A folder whose server was killed, what is in it, and the folder of yesterday beside it."""
    root = Path(tempfile.mkdtemp(prefix="okey101-base-", dir=_memory()))
    day = Day(1_000_000 + number, root)
    day.grow(root / "yesterday")
    assert not day.problems, day.problems
    return day, root


@cache
def _memory() -> str:
    """Where all bases lie; removed with the process."""
    stack = contextlib.ExitStack()
    made = stack.enter_context(folder())
    import atexit

    atexit.register(stack.close)
    return str(made)


def _damaged(rng: random.Random, data: Path, yesterday: Path) -> tuple[str, str]:
    """Do one damage to a folder; the file and the kind."""
    files = sorted(path for path in data.iterdir() if path.stat().st_size)
    path, kind = rng.choice(files), rng.choice(_KINDS)
    content = bytearray(path.read_bytes())
    at = rng.randrange(len(content))
    match kind:
        case "a bit":
            content[at] ^= 1 << rng.randrange(8)
        case "64 zeros":
            content[at : at + 64] = bytes(len(content[at : at + 64]))
        case "a cut":
            del content[at:]
        case "the file gone":
            path.unlink()
            return path.name, kind
        case _:
            old = yesterday / path.name
            if not old.exists():
                path.unlink()
                return path.name, "the file gone"
            content = bytearray(old.read_bytes())
    path.write_bytes(content)
    return path.name, kind


def _outcome(number: int, bases: int) -> Outcome:
    base, root = _base(number % bases)
    rng = random.Random(number)
    with folder() as copy:
        shutil.copytree(root / "data", copy / "data")
        name, kind = _damaged(rng, copy / "data", root / "yesterday")
        day = Day(number, copy, short=True)
        day.follow(base)
    if day.problems:
        came = "**wrong**"
    elif day.refused_start:
        came = f"no start: `{day.refused_start}`"
    elif day.lacking:
        came = "something missing, and told"
    else:
        came = "nothing missing, damage told" if day.noticed else "nothing missing"
    return Outcome({f"{name}|{kind}|{came}": 1}, [f"{name}, {kind}: {one}" for one in day.problems])


def _page(tally: Tally) -> str:
    files = sorted({key.split("|")[0] for key in tally.counts})
    outcomes = sorted({key.split("|")[2] for key in tally.counts})
    lines = [
        f"| file | damage | {' | '.join(outcomes)} |",
        "| --- | --- |" + " ---: |" * len(outcomes),
    ]
    for name in files:
        for kind in _KINDS:
            cells = [tally.counts.get(f"{name}|{kind}|{came}", 0) for came in outcomes]
            if any(cells):
                lines.append(
                    f"| {name} | {kind} | {' | '.join(f'{n:,}' if n else '' for n in cells)} |"
                )
    sums = Counter[str]()
    for key, count in tally.counts.items():
        sums[key.split("|")[2]] += count
    lines.append(f"| **all** | | {' | '.join(f'**{sums[came]:,}**' for came in outcomes)} |")
    return _PAGE.format(
        done=tally.done, table="\n".join(lines), made=", ".join(tally.revisions),
        hours=tally.seconds / 3600, problems=len(tally.problems), lines=tally.told("damage"),
    )  # fmt: skip


_PAGE: Final = """\
# Every byte

{done:,} single damages, each to a copy of one of four folders that a killed server has left, at a
random place of a random file. Each is followed by a start of the server. What was acknowledged
before (commands, people, bans, closed tables, records of matches) is compared with what is there:
what is missing has to be told, a start that is refused has to say why by a code, and no fault of
the server itself may stand in its log.

Made by `cd tests && ../.venv/bin/python -m faults.damage --many 10000 --write
../benchmarks/damage.md`, which goes on where it stopped, in {hours:.1f} hours of processor, at
{made}. Lost in silence, or otherwise wrong: **{problems}**.

{table}

{lines}"""


def main() -> int:
    """Damage folders one byte at a time, and start; 1 where something was lost in silence."""
    parser = asked(main.__doc__)
    parser.add_argument("--bases", type=int, default=4, help="how many folders there are to damage")
    args = parser.parse_args()
    load_tables()
    return go_on(partial(_outcome, bases=args.bases), args, _page)


if __name__ == "__main__":
    in_order()
    sys.exit(main())
