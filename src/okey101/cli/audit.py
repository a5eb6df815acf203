"""``okey101 audit``: follows a server's transparency log, and finds what it left out or changed."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

from okey101.cli.failures import INVALID, UNREACHABLE, USAGE, Failure, game_failure, with_file
from okey101.cli.output import Output, printable
from okey101.cli.progress import Stopper
from okey101.cli.replay import read_record
from okey101.errors import OkeyError
from okey101.game.record.verification import public_entries

if TYPE_CHECKING:
    from okey101.client.audit import Auditor

_LOOK_S: Final = 0.2
_UNREACHABLE: Final = frozenset({"no-server", "not-okey101"})
_USAGE: Final = frozenset({"bad-address", "bad-audit-file", "bad-checkpoint"})


@dataclass(frozen=True, slots=True)
class AuditOptions:
    """What was asked for: records whose entries have to be there, and where the past is kept."""

    url: str
    files: Sequence[str] = ()
    memory: str | None = None
    every: int | None = None


def audit(output: Output, options: AuditOptions) -> int:
    """Compare a server's log with what it was before; returns the exit code.

    With ``every`` again and again, seconds apart, until Ctrl-C. What was seen is kept in a file, so
    that the next audit goes on from there. Failure ``log-lacks`` for entries that are missing, and
    for the codes of :meth:`okey101.client.audit.Auditor.follow`.
    """
    records = {file: public_entries(read_record(file, output.texts)) for file in options.files}
    path = Path(options.memory) if options.memory else _usual_memory(options.url)
    try:
        with with_file(str(path), output.texts), Stopper() as stopper:
            known = path.read_bytes() if path.exists() else b"{}"
            return asyncio.run(_followed(output, options, path, known, records, stopper))
    except OkeyError as error:
        failure = game_failure(error, output.texts)
        failure.exit_code = UNREACHABLE if error.code in _UNREACHABLE else INVALID
        if error.code in _USAGE:
            failure.exit_code = USAGE
        raise failure from None


async def _followed(
    output: Output, options: AuditOptions, path: Path, known: bytes,
    records: dict[str, list[str]], stopper: Stopper,
) -> int:  # fmt: skip
    from okey101.client.audit import Auditor, read_memory

    auditor = Auditor(options.url, read_memory(known))
    while True:
        await auditor.follow()
        _write(path, auditor)
        for file, entries in records.items():
            if missing := await auditor.missing(entries):
                words = output.texts("error-log-lacks", count=len(missing), file=printable(file))
                raise Failure(INVALID, "log-lacks", words, file=file, missing=missing)
        code = output.tell(_answer(auditor), lambda: _lines(output, auditor, path))
        if options.every is None:
            return code
        end = monotonic() + options.every
        while monotonic() < end:
            if stopper():
                return code
            await asyncio.sleep(_LOOK_S)


def _answer(auditor: Auditor) -> dict[str, object]:
    head = auditor.head
    return {
        "origin": head.origin,
        "size": head.head.size,
        "root": head.head.root.hex(),
        "key": auditor.memory.key,
        "signed": auditor.signed,
        "counts": dict(auditor.counts),
    }


def _lines(output: Output, auditor: Auditor, path: Path) -> Iterator[str]:
    texts, counts = output.texts, auditor.counts
    yield texts("audit-same", size=auditor.head.head.size)
    yield texts(
        "audit-counts",
        matches=counts.get("match", 0),
        rounds=counts.get("commitment", 0),
        thrown=counts.get("thrown", 0),
    )
    yield texts("audit-key", key=printable(auditor.memory.key))
    if not auditor.signed:
        yield texts("audit-unsigned")
    yield texts("audit-kept", path=printable(str(path)))


def _usual_memory(url: str) -> Path:
    """Where an audit of a server is kept unless a file is named: the user's state directory."""
    base = os.environ.get("XDG_STATE_HOME", "")
    root = Path(base) if base and Path(base).is_absolute() else Path.home() / ".local" / "state"
    name = re.sub(r"[^a-z0-9.-]+", "-", url.lower().partition("//")[2].rstrip("/"))
    return root / "okey101" / f"audit-{name[:100]}.json"


def _write(path: Path, auditor: Auditor) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(auditor.written)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
