"""``okey101 evaluate``: a bot on the frozen deals of the benchmark."""

from __future__ import annotations

import hashlib
import json
import math
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from okey101.bots.registry import check_bot_starts
from okey101.cli.arena.command import ArenaOptions, played, write_json
from okey101.cli.arena.report import number
from okey101.cli.output import Failure, Output, ending, file_for, with_file
from okey101.cli.progress import ready
from okey101.errors import plain_data
from okey101.game.record.sheet import aligned
from okey101.game.ruleset import RuleSet
from okey101.i18n import Texts
from okey101.sim.arena.chunks import Job, play_chunk
from okey101.sim.arena.manifest import bot_entry, engine_hash, machine
from okey101.sim.arena.results import results_of

SUITE: Final = "okey101-1"
"""The name of the benchmark: other rule sets, opponents or deals are another one."""
PRESETS: Final = ("altinstar", "pagat", "wiki")
OPPONENTS: Final = ("novice", "greedy", "steady", "neural")
"""Three of one kind sit with the bot, which takes each seat of every deal in turn."""
DEALS: Final = 500
"""For each rule set and opponent."""
_SEED: Final = 2_500_000
_FAULTS: Final = ("illegal", "crashed", "late", "endless")


def evaluate(
    output: Output,
    bot: str,
    deals: int | None,
    workers: int,
    limit: int,
    compiled: bool,
    resume: str | None,
    out: str | None,
) -> int:
    """Play the benchmark, print its table and write its file; returns the exit code 0.

    With fewer deals than it has the result is a trial; ``limit`` is in milliseconds for each
    choice. Raises Failure.
    """
    texts, played_deals = output.texts, deals or DEALS
    with ending(texts):
        check_bot_starts(bot)
    ready(output, None if compiled else (bot,))
    if resume is not None:
        with with_file(resume, texts):
            Path(resume).mkdir(parents=True, exist_ok=True)

    def row_of(at: int, preset: str, opponent: str) -> dict[str, Any]:
        """Points a deal that the bot scores less than the opponent would in its place."""
        kept = None if resume is None else str(Path(resume, f"{preset}-{opponent}.jsonl"))
        if not output.as_json:
            output.note(f"{at + 1}/{len(pairs)} {preset}, {opponent}")
        arena = ArenaOptions(bots=(bot, opponent), rules=preset, workers=workers, resume=kept)
        rules = RuleSet.preset(preset)
        job = Job(rules, arena.bots, _SEED + at, limit_ms=limit, compiled=compiled)
        # A resumed file may hold more deals than are asked for, some in one chunk with these.
        chunks = [
            play_chunk(job, range(chunk.first, played_deals))
            if chunk.first < played_deals < chunk.first + chunk.deals
            else chunk
            for chunk in played(output, arena, job, played_deals, grain=DEALS)
        ]
        (row,) = results_of(job, chunks, deals=range(played_deals)).rows
        return {
            "rules": preset, "against": opponent, "difference": round(row.estimate.mean, 6),
            "error": round(row.estimate.error, 6),
            "faults": sum(row.tally[name] for name in _FAULTS),
        }  # fmt: skip

    pairs = [(preset, opponent) for preset in PRESETS for opponent in OPPONENTS]
    try:
        with file_for(out, texts):
            rows = [row_of(at, *pair) for at, pair in enumerate(pairs)]
    except Failure as failure:
        again = ["okey101", "evaluate", bot, "--workers", str(workers)]
        again += [] if deals is None else ["--deals", str(deals)]
        again += ["--limit", str(limit), *["--compiled"] * compiled]
        again += [] if out is None else ["--out", out]
        failure.hint = "" if resume is None else shlex.join([*again, "--resume", resume])
        raise
    found = {
        "suite": SUITE if played_deals == DEALS else None, "deals": played_deals,
        "bot": bot_entry(bot), "engine_sha256": engine_hash(), "rows": rows, **mean(rows),
    }  # fmt: skip
    text = json.dumps(plain_data(found), sort_keys=True, separators=(",", ":"))
    answer = found | {"sha256": hashlib.sha256(text.encode()).hexdigest(), "machine": machine()}
    if out is not None:
        write_json(out, answer, texts)
    return output.tell(answer, lambda: _report(answer, texts))


def mean(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The mean of some rows, whose deals are different ones, its standard error and all faults."""
    return {
        "difference": round(math.fsum(row["difference"] for row in rows) / len(rows), 6),
        "error": round(math.hypot(*(row["error"] for row in rows)) / len(rows), 6),
        "faults": sum(row["faults"] for row in rows),
    }


def _report(answer: dict[str, Any], texts: Texts) -> Iterator[str]:
    bot = answer["bot"]
    complete = "yes" if answer["suite"] else "no"
    told = {"suite": SUITE, "deals": answer["deals"], "complete": complete}
    yield texts("evaluate-head", bot=f"{bot['name']}/{bot['version']}", **told)
    yield ""
    rows = answer["rows"]
    table = [["", *OPPONENTS, texts("evaluate-mean")]]
    for preset in PRESETS:
        own = [row for row in rows if row["rules"] == preset]
        table.append([preset, *(_cell(row, texts) for row in [*own, mean(own)])])
    yield from aligned(table)
    yield ""
    yield texts("evaluate-all", mean=_cell(answer, texts), faults=answer["faults"])
    yield f"SHA-256 {answer['sha256']}"


def _cell(row: dict[str, Any], texts: Texts) -> str:
    """A difference and half its 95 % interval."""
    reach = number(texts, 1.96 * row["error"], digits=1)
    return f"{number(texts, row['difference'], signed=True, digits=1)} ± {reach}"
