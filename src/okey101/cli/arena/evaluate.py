"""``okey101 evaluate``: a bot on the frozen deals of the benchmark."""

from __future__ import annotations

import hashlib
import json
import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from okey101.bots.registry import check_bot_starts
from okey101.cli.arena.command import ArenaOptions, played, write_json
from okey101.cli.arena.report import number
from okey101.cli.output import Failure, Output, ending, with_file
from okey101.cli.progress import ready
from okey101.errors import plain_data
from okey101.game.record.sheet import aligned
from okey101.game.ruleset import RuleSet
from okey101.i18n import Texts
from okey101.sim.arena.chunks import Job
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The options of ``okey101 evaluate`` as they were typed."""

    bot: str
    deals: int | None = None
    workers: int = 1
    limit: int = 5_000
    """Milliseconds for each choice."""
    compiled: bool = False
    resume: str | None = None
    out: str | None = None

    def command(self) -> str:
        """What to type to go on."""
        words = ["okey101", "evaluate", self.bot, "--workers", str(self.workers)]
        words += [] if self.deals is None else ["--deals", str(self.deals)]
        words += ["--limit", str(self.limit), *["--compiled"] * self.compiled]
        words += [] if self.out is None else ["--out", self.out]
        return shlex.join([*words, "--resume", self.resume or "DIR"])


def evaluate(output: Output, options: Evaluation) -> int:
    """Play the benchmark, print its table and write its file; returns the exit code 0.

    With fewer deals than it has the result is a trial. Raises Failure.
    """
    texts, deals = output.texts, options.deals or DEALS
    with ending(texts):
        check_bot_starts(options.bot)
    ready(output, None if options.compiled else (options.bot,))
    pairs = [(preset, opponent) for preset in PRESETS for opponent in OPPONENTS]
    rows = [_row(output, options, at, *pair, deals) for at, pair in enumerate(pairs)]
    found = {
        "suite": SUITE if deals == DEALS else None, "deals": deals, "bot": bot_entry(options.bot),
        "engine_sha256": engine_hash(), "rows": rows, **mean(rows),
    }  # fmt: skip
    text = json.dumps(plain_data(found), sort_keys=True, separators=(",", ":"))
    answer = found | {"sha256": hashlib.sha256(text.encode()).hexdigest(), "machine": machine()}
    if options.out is not None:
        write_json(options.out, answer, texts)
    return output.tell(answer, lambda: _report(answer, texts))


def _row(
    output: Output, options: Evaluation, at: int, preset: str, opponent: str, deals: int
) -> dict[str, Any]:
    """Points a deal that the bot scores less than the opponent would in its place."""
    kept = None
    if options.resume is not None:
        with with_file(options.resume, output.texts):
            Path(options.resume).mkdir(parents=True, exist_ok=True)
        kept = str(Path(options.resume, f"{preset}-{opponent}.jsonl"))
    if not output.as_json:
        output.note(f"{at + 1}/{len(PRESETS) * len(OPPONENTS)} {preset}, {opponent}")
    arena = ArenaOptions(
        bots=(options.bot, opponent), rules=preset, workers=options.workers, resume=kept
    )
    how: dict[str, Any] = {"limit_ms": options.limit, "compiled": options.compiled}
    job = Job(RuleSet.preset(preset), arena.bots, _SEED + at, **how)
    try:
        (row,) = results_of(job, played(output, arena, job, deals)).rows
    except Failure as failure:
        failure.hint = options.command() if options.resume is not None else ""
        raise
    return {
        "rules": preset, "against": opponent, "difference": round(row.estimate.mean, 6),
        "error": round(row.estimate.error, 6), "faults": sum(row.tally[name] for name in _FAULTS),
    }  # fmt: skip


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
