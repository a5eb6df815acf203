"""A table of bots of any origin: it is played to its end, and each bot's faults are counted.

A bot that raises, is late, chooses what is illegal or does not end its turn has the default move
played for it, the one that clock and fallback play (:mod:`okey101.bots.fallback`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from reprlib import repr as shown
from time import perf_counter_ns
from typing import NamedTuple

from okey101.bots.base import Bot, BotFault, asked, tell_end
from okey101.bots.fallback import fallback_action
from okey101.bots.playing import TURN_LIMIT
from okey101.bots.process_bot import ProcessBot
from okey101.errors import OkeyError
from okey101.game.actions import Discard, Pass
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Fine, Opened
from okey101.game.options import Options
from okey101.game.transition import apply
from okey101.game.view import View, view_of
from okey101.sim.oracle import OracleBot


@dataclass(slots=True)
class Conduct:
    """How a seat's bot behaved at one table: its choices, its faults, and its time."""

    choices: int = 0
    illegal: int = 0
    """Choices that the rules refuse, or that are none."""
    crashed: int = 0
    """Exceptions, of the choices and of what it does at the end of a deal."""
    late: int = 0
    endless: int = 0
    """Default moves that ended a turn."""
    spent_ns: int = 0
    slowest_ns: int = 0
    overrun_ns: int = 0
    """Time beyond the limit, summed over the choices."""
    reason: str = ""
    """What was said of the first fault."""
    refusal: tuple[str, OkeyError] | None = None
    """The choice, and what the rules say of it, where that was the first fault."""

    @property
    def defaults(self) -> int:
        """Default moves that were played for it."""
        return self.illegal + self.crashed + self.late + self.endless

    def fault(self, kind: str, reason: str, refusal: tuple[str, OkeyError] | None = None) -> None:
        """Note a fault: ``illegal``, ``crashed`` or ``late``."""
        setattr(self, kind, getattr(self, kind) + 1)
        if not self.reason:
            self.reason, self.refusal = reason, refusal


@dataclass(slots=True)
class PlayedTable:
    """A finished table."""

    deal: Deal
    conducts: tuple[Conduct, ...]
    opened: list[int | None]
    """For each seat the turn of its own, from 1, in which it opened."""
    defaults: set[int] = field(default_factory=set)
    """The numbers of the actions that are default moves."""


class Outcome(NamedTuple):
    """What an arena counts of a finished table, by seat where there is one for each."""

    end: End
    winner: int | None
    scores: tuple[int, ...]
    fines: tuple[Fine, ...]
    counts: bool
    opened: tuple[Opened | None, ...]
    turns: tuple[int | None, ...]
    """In which turn of its own a seat opened, from 1."""
    conducts: tuple[Conduct, ...]

    @classmethod
    def of(cls, table: PlayedTable) -> Outcome:
        """Of a table that was played to its end."""
        result = table.deal.result
        assert result is not None
        opened = table.deal.public.opened
        return cls(*result[:4], result.counts, opened, tuple(table.opened), table.conducts)


def play_table(deal: Deal, bots: Sequence[Bot], limit_ns: int) -> PlayedTable:
    """Let bots, one a seat, play a deal to its end, whatever they do.

    ``limit_ns`` is the time for each choice, in nanoseconds: a bot in this process that needs more
    plays all the same, and what it took too long is counted. The oracle alone is shown the deal.
    """
    players = deal.rules.players
    for bot in bots:
        if isinstance(bot, ProcessBot):
            bot.limit_s = limit_ns / 1e9
    table = PlayedTable(deal, tuple(Conduct() for _ in range(players)), [None] * players)
    turns = [1] * players
    streak = 0
    while not deal.over:
        seat = deal.public.turn
        view = view_of(deal, seat)
        conduct = table.conducts[seat]
        after = None
        if streak < TURN_LIMIT:
            bot = bots[seat]
            if isinstance(bot, OracleBot):
                bot.show(deal)
            after = _played(deal, bot, view, conduct, limit_ns)
        else:
            conduct.endless += 1
        if after is None:
            table.defaults.add(len(deal.public.actions))
            after = apply(deal, fallback_action(view))
        ended = after.over or isinstance(after.public.actions[-1][1], Discard | Pass)
        if ended:
            if table.opened[seat] is None and after.public.opened[seat] is not None:
                table.opened[seat] = turns[seat]
            turns[seat] += 1
        streak = 0 if ended else streak + 1
        deal = after
    table.deal = deal
    for seat, bot in enumerate(bots):
        try:
            tell_end(bot, view_of(deal, seat))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # it must not stop the arena
            table.conducts[seat].fault("crashed", f"{type(error).__name__}: {error}")
    return table


def _played(deal: Deal, bot: Bot, view: View, conduct: Conduct, limit_ns: int) -> Deal | None:
    """The deal after what the bot chose; None where it chose nothing that is legal."""
    conduct.choices += 1
    began = perf_counter_ns()
    try:
        action = asked(bot, view, Options(view))
    except BotFault as fault:
        conduct.fault(fault.kind, str(fault))
        return None
    finally:
        spent = perf_counter_ns() - began
        conduct.spent_ns += spent
        conduct.slowest_ns = max(conduct.slowest_ns, spent)
        conduct.overrun_ns += max(0, spent - limit_ns)
    try:
        return apply(deal, action)
    except Exception as error:  # noqa: BLE001  # what a bot gives need not be an action
        refusal = (shown(action), error) if isinstance(error, OkeyError) else None
        conduct.fault("illegal", f"{shown(action)}: {error}", refusal)
        return None
