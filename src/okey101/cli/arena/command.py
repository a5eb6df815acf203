"""``okey101 arena``: from the words of the command line to a played arena and its report."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from okey101.bots.specs import check_bot_starts
from okey101.cli.arena.page import html_report
from okey101.cli.arena.text import text_report
from okey101.cli.failures import FAILED, INTERRUPTED, USAGE, Failure, file_failure, game_failure
from okey101.cli.output import Output, plain_data
from okey101.cli.progress import Bar, Stopper
from okey101.cli.rules import rules_of
from okey101.errors import OkeyError, RuleSetError
from okey101.i18n import Texts
from okey101.sim.arena.chunks import Chunk, Job, info_for
from okey101.sim.arena.ledger import Ledger
from okey101.sim.arena.manifest import identity, kernel_hash, machine
from okey101.sim.arena.plan import Kind
from okey101.sim.arena.results import results_of
from okey101.sim.arena.running import Backend, gaps, run_job
from okey101.sim.arena.seeds import RELEASE_DEALS, Purpose, checked_seed
from okey101.sim.arena.sequential import LOOK_EVERY, Gate, GateVerdict, gate

__all__ = ["ArenaWishes", "run_arena"]

_USAGE_CODES = ("unknown-bot", "bot-unloadable", "arena-bots", "seed-range")
_LEAST = 2
"""Fewer deals have no interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaWishes:
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
    release: str | None = None
    limit_ms: int = 5_000
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
        if self.limit_ms != ArenaWishes.__dataclass_fields__["limit_ms"].default:
            words += ["--limit", str(self.limit_ms)]
        return shlex.join(words)


def run_arena(output: Output, wishes: ArenaWishes) -> int:
    """Play, print the report and write the files that were asked for; returns the exit code.

    Raises Failure, with exit code 1 also for a gate that is not passed.
    """
    texts = output.texts
    job, deals = _job(wishes, texts)
    if wishes.compiled:
        import_module("okey101.kernel")  # says what is missing, before anything is played
    release = _release_file(wishes, job, texts)
    began = datetime.now(UTC)
    ledger = _ledger(wishes.resume, job, texts)
    try:
        chunks = _played(output, wishes, job, deals, ledger)
    finally:
        if ledger is not None:
            ledger.close()
    verdict = _verdict(job, chunks, deals) if wishes.gate else None
    used = verdict.deals if verdict is not None else deals
    result = results_of(job, chunks, deals=range(used), gate=verdict)
    manifest = {
        "command": wishes.command(job.seed, deals),
        "purpose": wishes.purpose.value,
        "job": identity(job),
        "kernel": kernel_hash() if wishes.compiled else None,
        "machine": machine(),
        "workers": wishes.workers,
        "began": began.isoformat(timespec="seconds"),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    answer = result.to_dict() | {"manifest": manifest}
    if wishes.html is not None:
        _write(wishes.html, html_report(result, manifest, texts), texts)
    if release is not None:
        _write(str(release), f"{_release_text(answer)}\n", texts)
    if output.as_json:
        output.answer(answer)
    else:
        output.lines(text_report(result, manifest, texts))
    if verdict is not None and verdict.verdict is not GateVerdict.BETTER and not output.as_json:
        output.note(texts("arena-gate-not-passed"))
    return FAILED if verdict is not None and verdict.verdict is not GateVerdict.BETTER else 0


def _job(wishes: ArenaWishes, texts: Texts) -> tuple[Job, int]:
    if wishes.release is not None and (wishes.deals is not None or wishes.gate):
        raise Failure(USAGE, "release-fixed", texts("error-release-fixed", deals=RELEASE_DEALS))
    try:
        job = Job(
            rules_of(wishes.rules, wishes.settings, texts),
            wishes.bots,
            checked_seed(wishes.seed, wishes.purpose),
            wishes.league,
            wishes.limit_ms,
            wishes.oracle,
            wishes.compiled,
        )
        for bot in wishes.bots:
            check_bot_starts(bot)
        kind = job.plan.kind
    except RuleSetError:
        raise
    except OkeyError as error:
        failure = game_failure(error, texts)
        failure.exit_code = USAGE
        raise failure from None
    if wishes.gate and (kind is not Kind.DUEL or wishes.oracle):
        raise Failure(USAGE, "gate-duel", texts("error-gate-duel"))
    default = 10_000 if wishes.gate else RELEASE_DEALS if wishes.release is not None else 100
    return job, wishes.deals or default


def _release_file(wishes: ArenaWishes, job: Job, texts: Texts) -> Path | None:
    """Where a released number goes; it is made once for each version of its bots."""
    if wishes.release is None:
        return None
    marks = [info_for(player).mark.replace("/", "-") for player in job.everybody]
    kind = job.plan.kind.value
    name = "-".join([wishes.rules, *sorted(wishes.settings), kind, *marks]) + ".json"
    path = Path(wishes.release) / name.replace("/", "_")
    if path.exists():
        message = texts("error-release-made", file=str(path))
        raise Failure(USAGE, "release-made", message, file=str(path))
    return path


def _ledger(file: str | None, job: Job, texts: Texts) -> Ledger | None:
    if file is None:
        return None
    try:
        return Ledger(Path(file), identity(job), job.plan)
    except OSError as error:
        raise file_failure(error, file, texts) from None


def _played(
    output: Output, wishes: ArenaWishes, job: Job, deals: int, ledger: Ledger | None
) -> tuple[Chunk, ...]:
    texts = output.texts
    done = [] if ledger is None else list(ledger.chunks)
    have = deals - sum(map(len, gaps(range(deals), done)))
    if have and not output.as_json:
        output.note(texts("arena-resumed", deals=have))

    def enough(chunks: Sequence[Chunk]) -> bool:
        verdict = _verdict(job, chunks, deals)
        return verdict.verdict is not GateVerdict.UNDECIDED

    backend = None if wishes.ray is None else _cluster(wishes.ray)
    with (
        closing(backend) if backend is not None else nullcontext(),
        Stopper() as stopper,
        closing(Bar(output, texts("arena-playing"), deals, have)) as bar,
    ):

        def on_chunk(chunk: Chunk) -> None:
            if ledger is not None:
                ledger.append(chunk)
            bar.add(chunk.deals)

        chunks = run_job(
            job,
            range(deals),
            backend=backend,
            workers=wishes.workers,
            done=done,
            on_chunk=on_chunk,
            enough=enough if wishes.gate else lambda _: False,
            stopped=stopper,
            grain=LOOK_EVERY if wishes.gate else None,
        )
    left = sum(map(len, gaps(range(deals), chunks)))
    undecided = not wishes.gate or not enough(chunks)
    if stopper() and left and undecided:
        raise _stopped(wishes, job, deals, deals - left, texts)
    return chunks


def _cluster(address: str) -> Backend:
    from okey101.sim.arena.on_ray import RayCluster

    return RayCluster(address)


def _stopped(wishes: ArenaWishes, job: Job, deals: int, done: int, texts: Texts) -> Failure:
    kept = wishes.resume is not None
    words = texts("arena-stopped", done=done, deals=deals, kept="yes" if kept else "no")
    failure = Failure(INTERRUPTED, "interrupted", words, done=done, deals=deals)
    if kept:
        command = wishes.command(job.seed, deals)
        failure.hint = f"{command} --resume {shlex.quote(wishes.resume or '')}"
    return failure


def _verdict(job: Job, chunks: Sequence[Chunk], deals: int) -> Gate:
    """The gate's verdict on the deals from the first on without a gap."""
    plan = job.plan
    ordered = sorted(chunks, key=lambda chunk: chunk.first)
    differences: list[float] = []
    for chunk in ordered:
        if chunk.first != len(differences):
            break
        size = 2 * plan.width
        for at in range(0, len(chunk.scores), size):
            row = chunk.scores[at : at + size]
            differences.append((sum(row[plan.width :]) - sum(row[: plan.width])) / plan.width)
    return gate(differences[:deals])


def _write(file: str, text: str, texts: Texts) -> None:
    try:
        path = Path(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise file_failure(error, file, texts) from None


def _release_text(answer: dict[str, object]) -> str:

    return json.dumps(plain_data(answer), indent=1, ensure_ascii=False)
