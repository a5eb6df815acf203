"""``okey101 bots``: a list of the bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from typing import Final

from okey101.bots import BOTS, SEARCHERS
from okey101.bots.registry import Measured, installed, measured_strength
from okey101.cli.output import Exit, Failure, Output, ending, printable
from okey101.cli.progress import Bar, ready, stopping
from okey101.game.ruleset import PRESETS
from okey101.i18n import Texts, error_text
from okey101.sim.conformance import Conformance, check_bot

_SHOWN: Final = "altinstar"
"""The preset whose figures people are shown."""


def show_bots(output: Output) -> int:
    """Print every bot's name, strength and what it does; returns the exit code."""
    ours = {**BOTS, **SEARCHERS}
    said = {name: output.texts(info.description) for name, info in ours.items()}
    brought = {name: _package(point) for name, point in installed().items()}
    said |= {name: output.texts("bot-installed", package=p) for name, p in brought.items()}
    measured = measured_strength()
    strength = {
        name: {preset: {"mean": mean, "reach": reach} for preset, (mean, reach) in found.items()}
        for name, found in measured.items()
    }
    bots = [
        {"name": name, "description": text, "package": brought.get(name),
         "strength": strength.get(name, {})}
        for name, text in said.items()
    ]  # fmt: skip
    return output.tell({"bots": bots}, lambda: _lines(said, measured, output.texts))


def _lines(
    said: Mapping[str, str], measured: Mapping[str, Measured], texts: Texts
) -> Iterator[str]:
    """A line for each bot, and what the figures are."""
    points = {
        name: texts.written(f"{found[_SHOWN][0]:+.1f} ± {found[_SHOWN][1]:.1f}")
        for name, found in measured.items()
        if _SHOWN in found
    } | {"greedy": "0"}
    widths = max(map(len, said)), max(map(len, points.values()))
    for name, text in said.items():
        yield f"{name:<{widths[0]}}  {points.get(name, '-'):>{widths[1]}}  {text}"
    yield ""
    yield texts("bots-strength", preset=_SHOWN)


def _package(point: EntryPoint) -> str:
    """Who brings a bot: the package's name and version."""
    dist = point.dist
    return printable(f"{dist.name} {dist.version}" if dist is not None else point.value)


# ``okey101 bots check``: whether a bot of one's own keeps to what is asked of bots.


def check(output: Output, bot: str, deals: int, limit: int) -> int:
    """Play, and print what was found; Failure ``bot-not-conforming`` where that is a fault.

    ``limit`` is in milliseconds for each choice.
    """
    texts = output.texts
    total = deals * len(PRESETS)
    ready(output, [bot])
    bar = Bar(output, texts("arena-playing"), total)
    with stopping() as stopper, bar, ending(texts):
        found = check_bot(bot, deals=deals, limit_ms=limit, progress=bar.add, stopped=stopper)
    if stopper() and found.tables < total:
        raise Failure.of(texts, Exit.INTERRUPTED, "interrupted")
    if not output.as_json:
        output.lines(_check_lines(texts, found))
    if not found.conforms:
        words = texts("error-bot-not-conforming", name=printable(found.name))
        raise Failure(Exit.FAILED, "bot-not-conforming", words, **found.to_dict())
    return output.tell(found.to_dict(), list)


def _check_lines(texts: Texts, found: Conformance) -> Iterator[str]:
    counts = {name: getattr(found, name) for name in ("version", "tables", "choices")}
    yield texts("bots-check-head", name=printable(found.name), **counts)
    for name in ("illegal", "crashed", "late", "endless"):
        count = getattr(found, name)
        yield f"{'!' if count else '+'} {texts(f'bots-check-{name}', count=count)}"
    mark = "+" if not found.again else "!" if found.replayable else "?"
    yield f"{mark} {texts('bots-check-again', count=found.again, of=found.asked_again)}"
    times = {"mean": f"{found.mean_ms:.2f}", "slowest": f"{found.slowest_ms:.0f}"}
    yield f"  {texts('bots-check-times', **times)}"
    reason = found.reason
    if found.refusal is not None:
        choice, error = found.refusal
        reason = f"{choice}: {error_text(texts, error)}"
    if reason:
        yield f"  {texts('bots-check-reason', reason=printable(reason))}"
