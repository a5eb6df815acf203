"""``okey101 simulate`` and ``okey101 stats``: data sets of bots' deals, and what they hold."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import okey101
from okey101.bots.registry import check_bot_starts
from okey101.cli.output import (
    Exit,
    Failure,
    Output,
    ending,
    first_bytes,
    printable,
    with_file,
    write_file,
)
from okey101.cli.progress import Bar, ready, stopping
from okey101.cli.rules import rules_of
from okey101.i18n import Texts
from okey101.sim.arena.chunks import Purpose, checked_seed
from okey101.sim.arena.manifest import bot_entry, engine_hash, rules_hash
from okey101.sim.data import DataJob, read_summary, simulate


def make_data(
    output: Output,
    bots: tuple[str, ...],
    out: str,
    transitions: str | None,
    deals: int,
    rules: str,
    settings: tuple[str, ...],
    seed: int | None,
    workers: int,
    limit: int,
    compiled: bool,
) -> int:
    """Play and write a new file, and its summary beside it; returns the exit code.

    The options are as they were typed; ``limit`` is in milliseconds for each choice.
    """
    texts = output.texts
    path, more = Path(out), None if transitions is None else Path(transitions)
    with with_file(out, texts):
        there = [asked for asked in (path, more) if asked is not None and asked.exists()]
    if there:
        raise Failure.of(texts, Exit.FAILED, "file-exists", file=str(there[0]))
    again = ["okey101", "simulate", *bots, "--rules", rules]
    again += [word for setting in settings for word in ("--set", setting)]
    again += ["--deals", str(deals), "--seed", str(seed or 0), *["--compiled"] * compiled]
    again += (
        [] if limit == DataJob.__dataclass_fields__["limit_ms"].default else ["--limit", str(limit)]
    )
    with with_file(out, texts), ending(texts):
        played_by = rules_of(rules, settings, texts)
        job = DataJob(played_by, bots, checked_seed(seed, Purpose.DEVELOPMENT), limit, compiled)
        for bot in bots:
            check_bot_starts(bot)
        ready(output, None if compiled else bots)
        bar = Bar(output, texts("arena-playing"), deals)
        with stopping() as stopper, bar:
            found = simulate(
                job, path, deals, workers=workers, progress=bar.add, stopped=stopper,
                transitions=more,
            )  # fmt: skip
        if found is None:
            raise Failure(Exit.INTERRUPTED, "interrupted", texts("data-stopped"))
        summary = found.to_dict() | {
            "format": "okey101-data/1", "command": shlex.join([*again, "--out", path.name]),
            "bytes": path.stat().st_size, "engine": okey101.__version__,
            "engine_sha256": engine_hash(), "rules_sha256": rules_hash(played_by),
            "makers": [bot_entry(bot) for bot in bots],
        }  # fmt: skip
        note = path.with_name(f"{path.name}.summary.json")
        write_file(str(note), f"{json.dumps(summary, indent=1, ensure_ascii=False)}\n", texts)
    if output.as_json:
        output.answer(summary)
    else:
        output.lines(_lines(summary, texts))
        output.lines([texts("data-written", file=out, summary=note.name)])
        if transitions is not None:
            output.lines([texts("data-transitions", file=transitions)])
    return 0


def show_data(output: Output, file: str) -> int:
    """Print what a file holds; Failure ``data-differs`` where its summary says something else."""
    texts = output.texts
    path = Path(file)
    note = path.parent / f"{path.name}.summary.json"
    differs = Failure.of(texts, Exit.INVALID, "data-differs", file=note.name)
    with with_file(file, texts):
        try:
            told = json.loads(first_bytes(note)) if note.is_file() else None
        except (ValueError, RecursionError):
            raise differs from None
        if note.is_file() and not isinstance(told, dict):
            raise differs
        total = told.get("deals", 0) if told else 0
        total = total if type(total) is int else 0
        with stopping() as stopper, Bar(output, texts("data-reading"), total) as bar:
            found = read_summary(path, bar.add, stopper)
    if found is None:
        raise Failure.of(texts, Exit.INTERRUPTED, "interrupted")
    answer = found.to_dict()
    if told is not None and any(told.get(name) != value for name, value in answer.items()):
        raise differs
    answer |= {"checked": None if told is None else note.name}
    return output.tell(answer, lambda: _lines(answer, texts))


def _lines(summary: Mapping[str, Any], texts: Texts) -> Iterator[str]:
    yield texts("data-head", deals=summary["deals"], actions=summary["actions"])
    yield f"sha256 {summary['sha256']}"
    for end, count in summary["ends"].items():
        yield f"  {texts(f'arena-end-{end}')}: {count}"
    for name, bot in summary["bots"].items():
        fines = ", ".join(f"{rule} {count}" for rule, count in bot["fines"].items())
        told = {one: bot[one] for one in ("seats", "won", "defaults")}
        told |= {one: f"{bot[f'{one}_score']:.1f}" for one in ("mean", "sd")}
        yield texts("data-bot", bot=printable(name), fines=printable(fines) or "-", **told)
