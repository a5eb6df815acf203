"""``okey101 bots check``: whether a bot of one's own keeps to what is asked of bots."""

from __future__ import annotations

from contextlib import closing

from okey101.cli.failures import FAILED, INTERRUPTED, USAGE, Failure, game_failure
from okey101.cli.output import Output, printable
from okey101.cli.progress import Bar, Stopper
from okey101.errors import OkeyError
from okey101.game.ruleset import PRESETS
from okey101.sim.conformance import Conformance, check_bot

__all__ = ["check"]


def check(output: Output, spec: str, deals: int, limit_ms: int) -> int:
    """Play, and print what was found; Failure ``bot-not-conforming`` where that is a fault."""
    texts = output.texts
    total = deals * len(PRESETS)
    with Stopper() as stopper, closing(Bar(output, texts("arena-playing"), total)) as bar:
        try:
            found = check_bot(
                spec, deals=deals, limit_ms=limit_ms, progress=bar.add, stopped=stopper
            )
        except OkeyError as error:
            failure = game_failure(error, texts)
            failure.exit_code = USAGE
            raise failure from None
    if stopper() and found.tables < total:
        raise Failure(INTERRUPTED, "interrupted", texts("error-interrupted"))
    if not output.as_json:
        output.lines(_lines(output, found))
    if not found.conforms:
        words = texts("error-bot-not-conforming", name=printable(found.name))
        raise Failure(FAILED, "bot-not-conforming", words, **found.to_dict())
    if output.as_json:
        output.answer(found.to_dict())
    return 0


def _lines(output: Output, found: Conformance) -> list[str]:
    texts = output.texts
    faults = {name: getattr(found, name) for name in ("illegal", "crashed", "late", "endless")}
    lines = [
        texts(
            "bots-check-head",
            name=printable(found.name),
            version=found.version,
            tables=found.tables,
            choices=found.choices,
        )
    ]
    lines += [
        f"{'!' if count else '+'} {texts(f'bots-check-{name}', count=count)}"
        for name, count in faults.items()
    ]
    mark = "+" if not found.again else "!" if found.replayable else "?"
    lines.append(f"{mark} {texts('bots-check-again', count=found.again, of=found.asked_again)}")
    times = {"mean": f"{found.mean_ms:.2f}", "slowest": f"{found.slowest_ms:.0f}"}
    lines.append(f"  {texts('bots-check-times', **times)}")
    if found.reason:
        lines.append(f"  {texts('bots-check-reason', reason=printable(found.reason))}")
    return lines
