"""``okey101 audit``: follows a server's transparency log, and finds what it left out or changed."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, NamedTuple

from okey101.cli.output import (
    NO_SERVER,
    Exit,
    Failure,
    Output,
    ending,
    first_bytes,
    printable,
    with_file,
)
from okey101.cli.play.saved import state_folder
from okey101.cli.progress import stopping
from okey101.cli.replay import read_record
from okey101.game.record.verification import public_entries
from okey101.i18n import Texts

if TYPE_CHECKING:
    from okey101.client.heads import Auditor

_LOOK_S: Final = 0.2
FOUND: Final = (
    "log-key-changed", "log-rewritten", "log-shortened", "log-strange-entry", "log-wrong-signature",
)  # fmt: skip
"""What is said of a log that is not what it was, or contradicts itself."""
_ENDS: Final = (
    NO_SERVER
    | dict.fromkeys(("bad-address", "bad-audit-file", "bad-checkpoint"), Exit.USAGE)
    | dict.fromkeys(FOUND, Exit.INVALID)
)


class Held(NamedTuple):
    """A log that has all that it had before, and where that is remembered."""

    auditor: Auditor
    path: Path

    def answer(self) -> dict[str, object]:
        """What ``--json`` prints."""
        auditor, head = self.auditor, self.auditor.head
        return {
            "origin": head.origin, "size": head.head.size, "root": head.head.root.hex(),
            "key": auditor.memory.key, "signed": auditor.signed, "counts": auditor.memory.counts,
        }  # fmt: skip

    def lines(self, texts: Texts) -> Iterator[str]:
        """The same for people."""
        auditor, counts = self.auditor, self.auditor.memory.counts
        yield texts("audit-same", size=auditor.head.head.size)
        kinds = {"matches": "match", "rounds": "commitment", "thrown": "thrown"}
        yield texts("audit-counts", **{name: counts.get(of, 0) for name, of in kinds.items()})
        yield texts("audit-key", key=printable(auditor.memory.key))
        if not auditor.signed:
            yield texts("audit-unsigned")
        yield texts("audit-kept", path=printable(str(self.path)))


def audit(
    output: Output, url: str, files: Sequence[str], memory: str | None, every: int | None
) -> int:
    """Compare a server's log with what it was before; returns the exit code.

    The entries of the records in ``files`` have to be there; ``memory`` names the file in which
    the past is kept. With ``every`` again and again, seconds apart, until Ctrl-C, also while the
    server is away.
    """
    records = {file: public_entries(read_record(file, output.texts)) for file in files}
    with stopping() if every is not None else nullcontext(bool) as stopper:
        while True:
            try:
                found = held(output.texts, url, records, memory)
                code = output.tell(found.answer(), partial(found.lines, output.texts))
            except Failure as failure:
                if every is None or failure.exit_code not in (Exit.FAILED, Exit.UNREACHABLE):
                    raise
                code = output.report(failure)
            if every is None:
                return code
            end = monotonic() + every
            while monotonic() < end:
                if stopper():
                    return code
                sleep(_LOOK_S)


def held(
    texts: Texts, url: str, records: Mapping[str, list[str]], memory: str | None = None
) -> Held:
    """Compare a server's log with what it was before, and look there for the entries of records.

    What was seen is kept in a file, in the user's state directory unless one is named, so that the
    next time goes on from there. Failure ``log-lacks``
    for entries that are missing, and for the codes of
    :meth:`okey101.client.heads.Auditor.follow`.
    """
    from okey101.client.heads import Auditor, Memory, read_seen, write_seen

    name = re.sub(r"[^a-z0-9.-]+", "-", url.lower().partition("//")[2].rstrip("/"))
    usual = state_folder(os.environ) / f"audit-{name[:100]}.json"
    path = Path(memory) if memory else usual

    async def followed() -> Auditor:
        auditor = Auditor(url, read_seen(known, Memory))
        await auditor.follow()
        write_seen(path, auditor.memory)
        for file, entries in records.items():
            if missing := await auditor.missing(entries):
                words = texts("error-log-lacks", count=len(missing), file=printable(file))
                raise Failure(Exit.INVALID, "log-lacks", words, file=file, missing=missing)
        return auditor

    with ending(texts, Exit.FAILED, _ENDS), with_file(str(path), texts):
        known = first_bytes(path) if path.exists() else b"{}"
        return Held(asyncio.run(followed()), path)
