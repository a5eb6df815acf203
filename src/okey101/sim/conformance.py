"""Whether a bot keeps to what is asked of bots: it loads, is in time, and plays by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter_ns
from typing import Final

from okey101.bots.base import Bot, tell_end
from okey101.bots.process_bot import ProcessBot
from okey101.bots.registry import bot_info, check_bot_starts
from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.options import Options
from okey101.game.ruleset import PRESETS
from okey101.game.view import View
from okey101.sim.arena.chunks import arena_deal, bot_seed
from okey101.sim.conduct import play_table

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

    @property
    def conforms(self) -> bool:
        """Whether nothing had to be played for it, and it keeps its word on replays."""
        faults = self.illegal + self.crashed + self.late + self.endless
        return not faults and not (self.replayable and self.again)

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        times = {"slowest_ms": round(self.slowest_ms, 3), "mean_ms": round(self.mean_ms, 3)}
        return {**asdict(self), **times, "conforms": self.conforms}


class _Timed:
    """A bot whose choices are timed, and some kept to be asked for again."""

    def __init__(
        self, bot: Bot, seed: int, limit_ms: int, kept: list[tuple[int, View, Action]]
    ) -> None:
        if isinstance(bot, ProcessBot):
            bot.limit_s = limit_ms / 1000
        self.name = getattr(bot, "name", "")
        self.slowest = 0
        self.reason = ""
        self._bot = bot
        self._seed = seed
        self._kept = kept

    def choose(self, view: View, options: Options) -> Action:
        began = perf_counter_ns()
        try:
            action = self._bot.choose(view, options)
        except (Exception, SystemExit) as error:
            self.reason = self.reason or f"{type(error).__name__}: {error}"
            raise
        finally:
            self.slowest = max(self.slowest, perf_counter_ns() - began)
        if len(self._kept) < _ASKED_AGAIN:
            self._kept.append((self._seed, view, action))
        return action

    def ended(self, view: View) -> None:
        try:
            tell_end(self._bot, view)
        except Exception as error:
            self.reason = self.reason or f"{type(error).__name__}: {error}"
            raise


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
    kept: list[tuple[int, View, Action]] = []
    slowest = 0
    tables = 0
    reason = ""
    for rules in PRESETS.values():
        for number in range(deals):
            if stopped():
                break
            layout = arena_deal(rules, _SEED, number)
            assert layout.seed is not None
            seeds = [bot_seed(layout.seed, seat) for seat in range(rules.players)]
            seats = [
                greedy(seed) if seat % 2 else _Timed(info.factory(seed), seed, limit_ms, kept)
                for seat, seed in enumerate(seeds)
            ]
            played = play_table(Deal.start(rules, layout), seats, limit_ms * 1_000_000)
            tables += 1
            for timed, conduct in zip(seats[::2], played.conducts[::2], strict=True):
                counts = asdict(conduct)
                refused = counts.pop("reason")
                total.update(counts)
                # A bot of this process plays on; that it took too long is a fault all the same.
                assert isinstance(timed, _Timed)
                slowest = max(slowest, timed.slowest)
                reason = reason or timed.reason or refused
                total["late"] += conduct.overrun_ns > 0 and not conduct.late
            progress(1)
    asked = [(seed, view, action) for seed, view, action in kept if not stopped()]
    again = sum(_differs(spec, seed, view, action) for seed, view, action in asked)
    return Conformance(
        info.name, info.version, tables, total["choices"], total["illegal"], total["crashed"],
        total["late"], total["endless"], len(asked), again, slowest / 1e6,
        total["spent_ns"] / max(1, total["choices"]) / 1e6, info.replayable, reason[:300],
    )  # fmt: skip


def _differs(spec: str, seed: int, view: View, action: Action) -> bool:
    """Whether a new bot of the same seed chooses something else."""
    try:
        return bot_info(spec).factory(seed).choose(view, Options(view)) != action
    except Exception:  # noqa: BLE001  # whatever it does, it is another answer
        return True
