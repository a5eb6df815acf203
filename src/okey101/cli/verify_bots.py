"""``okey101 verify --bots``: what of the bots' play can be proved, and a bar meanwhile."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Final

import click

from okey101.cli.output import Output
from okey101.game.record import Record
from okey101.i18n import Texts, error_text
from okey101.sim.bot_proofs import BotsChecked, verify_bots

__all__ = ["MOST_TOLD", "bots_checked", "bots_lines"]

MOST_TOLD: Final = 5
"""So many differences of a deal are told; JSON has their number."""


def bots_checked(output: Output, record: Record) -> tuple[BotsChecked, ...]:
    """Play the bots' choices again; on a terminal a bar on stderr shows how far it is."""
    shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not output.as_json
    if not shown:
        return verify_bots(record)
    total = sum(len(deal.actions) for deal in record.deals)
    label = output.texts("verify-bots-now")
    with click.progressbar(length=total, label=label, file=sys.stderr) as bar:
        return verify_bots(record, lambda done, _: bar.update(done - bar.pos))


def bots_lines(texts: Texts, checked: BotsChecked, mark: str) -> Iterator[str]:
    """What came of one deal's bots, for people; ``mark`` leads the first line."""
    yield f"{mark} {texts('verify-bots', state=checked.state.value, count=checked.proved)}"
    for why in checked.why:
        bots, count = ", ".join(checked.unknown), checked.needless
        yield f"    {texts(f'verify-bots-{why}', bots=bots, count=count)}"
    if checked.fallbacks:
        yield f"    {texts('verify-bots-fallbacks', count=checked.fallbacks)}"
    for seat, actors in enumerate(checked.actors):
        played = ", ".join(f"{actor} {count}" for actor, count in sorted(actors.items()))
        if played:
            yield f"    {texts('replay-seat', seat=seat)}: {played}"
    for error in checked.errors[:MOST_TOLD]:
        yield f"    {error_text(texts, error)}"
    if len(checked.errors) > MOST_TOLD:
        yield f"    {texts('verify-bots-more', count=len(checked.errors) - MOST_TOLD)}"
