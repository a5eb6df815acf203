"""``okey101 arena``: from the words of the command line to a played arena and its report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path

from okey101.bots.registry import check_bot_starts
from okey101.cli.arena.report import html_report, text_report
from okey101.cli.output import Exit, Failure, Output, ending, file_for, with_file, write_file
from okey101.cli.progress import Bar, ready, stopping
from okey101.cli.rules import rules_of
from okey101.errors import plain_data
from okey101.i18n import Texts
from okey101.sim.arena.chunks import (
    RELEASE_DEALS,
    Chunk,
    Job,
    Kind,
    Purpose,
    checked_seed,
    info_for,
)
from okey101.sim.arena.ledger import Ledger
from okey101.sim.arena.manifest import identity, kernel_hash, machine
from okey101.sim.arena.results import means, results_of, scores_of
from okey101.sim.arena.running import gaps, run_job
from okey101.sim.stats import LOOK_EVERY, Gate, GateVerdict, gate


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaOptions:
    """The options of ``okey101 arena`` as they were typed."""

    bots: tuple[str, ...]
    rules: str = "altinstar"
    settings: tuple[str, ...] = ()
    deals: int | None = None
    seed: int | None = None
    workers: int = 1
    league: bool = False
    gate: bool = False
    oracle: bool = False
    compiled: bool = False
    aivat: bool = False
    release: str | None = None
    limit: int = 5_000
    """Milliseconds for each choice."""
    html: str | None = None
    resume: str | None = None
    ray: str | None = None

    @property
    def purpose(self) -> Purpose:
        """What the deals are played for."""
        if self.release is not None:
            return Purpose.RELEASE
        return Purpose.GATE if self.gate else Purpose.DEVELOPMENT

    def command(self, seed: int, deals: int) -> str:
        """What to type to have the same numbers again."""
        words = ["okey101", "arena", *self.bots, "--rules", self.rules]
        words += [word for setting in self.settings for word in ("--set", setting)]
        words += ["--deals", str(deals)] if self.release is None else ["--release", self.release]
        words += ["--seed", str(seed)]
        words += ["--league"] * self.league + ["--gate"] * self.gate
        words += ["--oracle"] * self.oracle + ["--compiled"] * self.compiled
        words += ["--aivat"] * self.aivat
        if self.limit != ArenaOptions.__dataclass_fields__["limit"].default:
            words += ["--limit", str(self.limit)]
        return shlex.join(words)


def run_arena(output: Output, options: ArenaOptions) -> int:
    """Play, print the report and write the files that were asked for; returns the exit code.

    Raises Failure, with exit code 1 also for a gate that is not passed.
    """
    texts = output.texts
    job, deals = _job(options, texts)
    ready(output, None if options.compiled else options.bots)
    release = _release_file(options, job, texts)
    began = datetime.now(UTC)
    with file_for(options.html, texts, options.resume), file_for(release, texts):
        chunks = played(output, options, job, deals)
    verdict = _verdict(job, chunks, deals) if options.gate else None
    used = verdict.deals if verdict is not None else deals
    result = results_of(job, chunks, deals=range(used), gate=verdict)
    manifest = {
        "command": options.command(job.seed, deals),
        "purpose": options.purpose.value,
        "job": identity(job),
        "kernel": kernel_hash() if options.compiled else None,
        "machine": machine(),
        "workers": options.workers,
        "began": began.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    answer = result.to_dict() | {"manifest": manifest}
    if options.html is not None:
        write_file(options.html, html_report(result, manifest, texts), texts)
    if release is not None:
        write_json(release, answer, texts)
    output.tell(answer, lambda: text_report(result, manifest, texts))
    if verdict is None or verdict.verdict is GateVerdict.BETTER:
        return 0
    if not output.as_json:
        output.note(texts("arena-gate-not-passed"))
    return Exit.FAILED


def _job(options: ArenaOptions, texts: Texts) -> tuple[Job, int]:
    if options.release is not None and (options.deals is not None or options.gate):
        raise Failure(
            Exit.USAGE, "release-fixed", texts("error-release-fixed", deals=RELEASE_DEALS)
        )
    with ending(texts):
        rules = rules_of(options.rules, options.settings, texts)
        seed = checked_seed(options.seed, options.purpose)
        how = (options.league, options.limit, options.oracle, options.compiled, options.aivat)
        job = Job(rules, options.bots, seed, *how)
        for bot in options.bots:
            check_bot_starts(bot)
        kind = job.plan.kind
    if options.gate and (kind is not Kind.DUEL or options.oracle):
        raise Failure.of(texts, Exit.USAGE, "gate-duel")
    default = 10_000 if options.gate else RELEASE_DEALS if options.release is not None else 100
    return job, options.deals or default


def _release_file(options: ArenaOptions, job: Job, texts: Texts) -> str | None:
    """Where a released number goes; it is made once for each version of its bots."""
    if options.release is None:
        return None
    marks = [info_for(player).mark.replace("/", "-") for player in job.everybody]
    kind = job.plan.kind.value
    name = "-".join([options.rules, *sorted(options.settings), kind, *marks]) + ".json"
    path = Path(options.release) / name.replace("/", "_")
    if path.exists() and path.stat().st_size:  # an empty one is of a run that was killed
        raise Failure.of(texts, Exit.USAGE, "release-made", file=str(path))
    return str(path)


def played(
    output: Output, options: ArenaOptions, job: Job, deals: int, *, grain: int | None = None
) -> tuple[Chunk, ...]:
    """Play a job's deals but those in the file to resume from; Failure where it is stopped.

    That file may hold deals beyond those. No chunk that is played crosses a multiple of ``grain``.
    """
    texts = output.texts

    def enough(chunks: Sequence[Chunk]) -> bool:
        return _verdict(job, chunks, deals).verdict is not GateVerdict.UNDECIDED

    with ExitStack() as closed:
        ledger = backend = None
        if options.resume is not None:
            with with_file(options.resume, texts):
                ledger = Ledger(Path(options.resume), identity(job), job.plan)
            closed.callback(ledger.close)
        done = [] if ledger is None else list(ledger.chunks)
        have = deals - sum(map(len, gaps(range(deals), done)))
        if have and not output.as_json:
            output.note(texts("arena-resumed", deals=have))
        if options.ray is not None:
            from okey101.sim.arena.on_ray import RayCluster

            backend = closed.enter_context(closing(RayCluster(options.ray)))
        stopper = closed.enter_context(stopping())
        bar = closed.enter_context(Bar(output, texts("arena-playing"), deals, have))

        def on_chunk(chunk: Chunk) -> None:
            if ledger is not None:
                ledger.append(chunk)
            bar.add(chunk.deals)

        chunks = run_job(
            job, range(deals), backend=backend, workers=options.workers, done=done,
            on_chunk=on_chunk, enough=enough if options.gate else lambda _: False,
            stopped=stopper, grain=LOOK_EVERY if options.gate else grain,
        )  # fmt: skip
    left = sum(map(len, gaps(range(deals), chunks)))
    undecided = not options.gate or not enough(chunks)
    if stopper() and left and undecided:
        kept, told = options.resume, deals - left
        words = texts("arena-stopped", done=told, deals=deals, kept="no" if kept is None else "yes")
        failure = Failure(Exit.INTERRUPTED, "interrupted", words, done=told, deals=deals)
        if kept is not None:
            failure.hint = f"{options.command(job.seed, deals)} --resume {shlex.quote(kept)}"
        raise failure
    return chunks


def _verdict(job: Job, chunks: Sequence[Chunk], deals: int) -> Gate:
    """The gate's verdict on the deals from the first on without a gap."""
    scores = scores_of(job.plan, chunks)
    numbers = [*takewhile(scores.__contains__, range(deals))]
    return gate(means(job.plan, 1, numbers, scores))


def write_json(file: str, data: Mapping[str, object], texts: Texts) -> None:
    """Write data as JSON, in lines."""
    write_file(file, json.dumps(plain_data(data), indent=1, ensure_ascii=False) + "\n", texts)
