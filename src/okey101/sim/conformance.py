"""Whether a bot keeps to what is asked of bots: it loads, is in time, and plays by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Final

from okey101.bots.process_bot import ProcessBot
from okey101.bots.registry import bot_info, check_bot_starts
from okey101.errors import OkeyError
from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.options import Options
from okey101.game.ruleset import PRESETS
from okey101.game.view import view_of
from okey101.sim.arena.chunks import arena_deal, bot_seed
from okey101.sim.conduct import PlayedTable, play_table

_SEED: Final = 7
_ASKED_AGAIN: Final = 25
"""So many choices are asked for a second time."""


@dataclass(frozen=True, slots=True)
class Conformance:
    """What came of it. ``again`` are choices that were another one when asked for again."""

    name: str
    version: int
    tables: int
    choices: int
    illegal: int
    crashed: int
    late: int
    endless: int
    asked_again: int
    again: int
    slowest_ms: float
    mean_ms: float
    replayable: bool
    reason: str
    """What the first exception or fault said; empty without one."""
    refusal: tuple[str, OkeyError] | None
    """The choice, and what the rules say of it, where that was the first fault."""

    @property
    def conforms(self) -> bool:
        """Whether nothing had to be played for it, and it keeps its word on replays."""
        faults = self.illegal + self.crashed + self.late + self.endless
        return not faults and not (self.replayable and self.again)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        times = {"slowest_ms": round(self.slowest_ms, 3), "mean_ms": round(self.mean_ms, 3)}
        told: dict[str, object] = {**asdict(self), **times, "conforms": self.conforms}
        del told["refusal"]  # ``reason`` says it
        return told


def check_bot(
    spec: str,
    *,
    deals: int = 3,
    limit_ms: int = 5_000,
    progress: Callable[[int], object] = lambda _: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Conformance:
    """Let a bot play some deals of each preset against ``greedy``, in two seats of four.

    OkeyError ``unknown-bot`` or ``bot-unloadable``, also where a program does not start.
    """
    info = check_bot_starts(spec, quiet=False)
    greedy = bot_info("greedy").factory
    total: Counter[str] = Counter()
    kept: list[tuple[int, Deal, Action]] = []
    slowest = tables = 0
    reason, refusal = "", None
    for rules in PRESETS.values():
        for number in range(deals):
            if stopped():
                break
            layout = arena_deal(rules, _SEED, number)
            assert layout.seed is not None
            seeds = [bot_seed(layout.seed, seat) for seat in range(rules.players)]
            makers = [greedy if seat % 2 else info.factory for seat in range(rules.players)]
            seats = [make(seed) for make, seed in zip(makers, seeds, strict=True)]
            played = play_table(Deal.start(rules, layout), seats, limit_ms * 1_000_000)
            tables += 1
            for conduct in played.conducts[::2]:
                if not reason:
                    reason, refusal = conduct.reason, conduct.refusal
                slowest = max(slowest, conduct.slowest_ns)
                for name in ("choices", "illegal", "crashed", "late", "endless", "spent_ns"):
                    total[name] += getattr(conduct, name)
                # A bot of this process plays on; that it took too long is a fault all the same.
                # A program says itself when it is late, and may have more time for its start.
                if not isinstance(seats[0], ProcessBot):
                    total["late"] += conduct.overrun_ns > 0 and not conduct.late
            if len(kept) < _ASKED_AGAIN:
                kept += _chosen(played, seeds)
            progress(1)
    asked = [one for one in kept[:_ASKED_AGAIN] if not stopped()]
    again = sum(_differs(spec, *one) for one in asked)
    return Conformance(
        info.name, info.version, tables, total["choices"], total["illegal"], total["crashed"],
        total["late"], total["endless"], len(asked), again, slowest / 1e6,
        total["spent_ns"] / max(1, total["choices"]) / 1e6, info.replayable, reason[:300],
        refusal,
    )  # fmt: skip


def _chosen(table: PlayedTable, seeds: Sequence[int]) -> Iterator[tuple[int, Deal, Action]]:
    """The choices of the seats of the bot: its seed, the deal before, and what it chose."""
    for at, (before, after) in enumerate(pairwise(table.deal.steps())):
        seat, action = after.public.actions[-1]
        if not seat % 2 and at not in table.defaults:
            yield seeds[seat], before, action


def _differs(spec: str, seed: int, deal: Deal, action: Action) -> bool:
    """Whether a new bot of the same seed chooses something else."""
    view = view_of(deal, deal.turn)
    try:
        chosen = bot_info(spec).factory(seed).choose(view, Options(view))
        return deal.judge(chosen).action != action
    except (Exception, SystemExit):  # noqa: BLE001  # whatever it does, it is another answer
        return True
