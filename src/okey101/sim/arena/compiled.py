"""Tables played by the kernel, wherever all bots of a table have a twin there.

What comes of a table is what :func:`okey101.sim.conduct.play_table` makes of it, choice by choice:
``novice``, ``greedy``, ``master``, ``neural`` and the oracle choose in the kernel, ``random`` from
its list of legal actions, and ``steady`` looks at the readable deal, which follows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Final

import numpy as np

from okey101.bots.base import BotFactory
from okey101.bots.greedy import GreedyBot
from okey101.bots.master import MasterBot
from okey101.bots.neural import NeuralBot
from okey101.bots.novice import NoviceBot, RandomBot
from okey101.bots.playing import TURN_LIMIT
from okey101.bots.steady import Draws, Found, SteadyBot
from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.deal_parts import Opened
from okey101.game.options import Options
from okey101.game.transition import apply
from okey101.game.view import View, view_of
from okey101.kernel import conversion, layout as L, room as R
from okey101.kernel.codes import actions_of, bits_of_masks, codes_of, twin_of
from okey101.kernel.compiling import made_of
from okey101.kernel.playing import list_many, note, step
from okey101.kernel.seats import minds_of, oracle_code, play_turn, play_until
from okey101.kernel.solver import tables
from okey101.kernel.warming import need_warm
from okey101.kernel.worlds import MOST_CODES, play_codes
from okey101.sim.conduct import Conduct, Outcome
from okey101.sim.oracle import OracleBot

# ``steady`` with the kernel's help: what it counts is counted there, its choices are the same.


class _CompiledDraws(Draws):
    """Draws that the kernel samples and counts."""

    def __init__(self) -> None:
        self.tables = tables()

    def ask(self, question: Callable[..., None], *given: object, out: Found) -> Found:
        if not out:
            return out
        rows = (np.array(g, dtype=np.int64) if isinstance(g, list) else g for g in given)
        found = np.array(out, dtype=np.int64)
        made_of(question)(*rows, found)
        return found.tolist()  # type: ignore[no-any-return]


class CompiledSteady(SteadyBot):
    """``steady``, several times as fast.

    ``may_finish`` says of its turn whether ``greedy`` in its place would end the deal in it, which
    it does wherever an opening lets it.
    """

    def __init__(self, seed: int, may_finish: Callable[[], bool]) -> None:
        super().__init__(seed)
        self._may_finish = may_finish
        self._draws = _CompiledDraws()

    def _finishing(self, view: View, options: Options) -> Action | None:
        return super()._finishing(view, options) if self._may_finish() else None


_LOG: Final = 1024
_NOTHING: Final = np.zeros((1, 0), dtype=np.int64)
_WHOLE: Final[tuple[BotFactory, ...]] = (GreedyBot, MasterBot, NeuralBot)
"""Those whose every choice the kernel makes by itself."""
_TWINS: Final[tuple[BotFactory, ...]] = (*_WHOLE, NoviceBot, RandomBot, SteadyBot, OracleBot)
_OPENED: Final = {0: None, L.MELDS: Opened.MELDS, L.PAIRS: Opened.PAIRS}


class CompiledTables:
    """Plays the tables of one deal; OkeyError ``kernel-cold`` on a cold event loop."""

    def __init__(self, deal: Deal) -> None:
        need_warm()
        self._deal = deal
        self._start = conversion.row_of_deal(deal)
        self._rules = conversion.rules_vector(deal.rules)
        self._minds = minds_of(deal.rules)
        self._codes = np.zeros(R.MOST_ACTIONS, dtype=np.int64)
        self._openings = np.zeros((1, R.WORDS), dtype=np.int64)
        self._starts = np.zeros(2, dtype=np.int64)
        self._choice = np.zeros(MOST_CODES, dtype=np.int64)

    def play(self, makers: Sequence[BotFactory], seeds: Sequence[int]) -> Outcome | None:
        """A table with a bot for each seat; None where it has to be played the readable way."""
        if any(maker not in _TWINS for maker in makers):
            return None
        self._row = self._start.copy()
        self._log = np.zeros(_LOG, dtype=np.int64)
        self._readable, self._read = self._deal, 0
        self._steady = [
            CompiledSteady(seed, self._may_finish) if maker is SteadyBot else None
            for maker, seed in zip(makers, seeds, strict=True)
        ]
        seats = range(len(makers))
        waits = sum(1 << s for s in seats if makers[s] not in _WHOLE)
        who = sum(1 << s for s in seats if makers[s] is NeuralBot)
        who |= sum(16 << s for s in seats if makers[s] is MasterBot)
        conducts = tuple(Conduct() for _ in seats)
        row, streak = self._row, 0
        while row[L.PHASE] != L.P_OVER:
            play_until(tables(), self._rules, row, self._log, self._minds, who, waits)
            if row[L.PHASE] == L.P_OVER:
                break
            seat, began, before = int(row[L.TURN]), perf_counter_ns(), int(row[L.N_ACTIONS])
            if makers[seat] in (NoviceBot, SteadyBot):
                words, novice = self._minds[0], int(makers[seat] is NoviceBot)
                if not play_turn(tables(), self._rules, row, words, self._log, novice):
                    self._play_steady(seat)
            elif makers[seat] is OracleBot:
                openings = self._openings[0]
                self._play(oracle_code(tables(), self._rules, row, self._codes, openings))
            else:
                self._play(self._random(seat, seeds[seat]))
            conducts[seat].spent_ns += perf_counter_ns() - began
            if row[L.NOTED] > _LOG:
                return None
            ended = (
                self._log[row[L.NOTED] - 1] & L.OP in (L.A_DISCARD, L.A_PASS)
                or row[L.PHASE] == L.P_OVER
            )
            streak = 0 if ended else streak + int(row[L.N_ACTIONS]) - before
            if streak >= TURN_LIMIT:
                return None
        if row[L.NOTED] > _LOG or row[L.N_FINES] > L.MAX_FINES:
            return None
        return self._outcome(conducts)

    def finished(self) -> Deal:
        """The table that was played last, as a deal of the game."""
        deal = self._readable
        noted = int(self._row[L.NOTED])
        for action in actions_of(self._log[self._read : noted], deal.public.setup.okey):
            deal = apply(deal, action)
        return deal

    def codes(self) -> list[int]:
        """What was played at that table, as the kernel notes it."""
        return [int(code) for code in self._log[: int(self._row[L.NOTED])]]

    def _play(self, code: int) -> None:
        openings = self._openings[0]
        step(self._rules, self._row, code, openings)
        note(self._row, self._log, code, openings)

    def _random(self, seat: int, seed: int) -> int:
        """What :class:`RandomBot` draws from the legal actions, taking back once a turn."""
        row = self._row
        out = self._codes, self._starts, self._openings
        count = list_many(tables(), self._rules, row.reshape(1, -1), 1, *out)
        codes = self._codes[:count].tolist()
        if row[L.BACKS]:
            codes = [code for code in codes if code & L.OP != L.A_BACK] or codes
        at = L.HANDS + 2 * seat
        hand = bits_of_masks(int(row[at]), int(row[at + 1]))
        rng = random.Random(f"{seed} {seat} {int(row[L.N_ACTIONS])} {hand}")
        return int(rng.choice(codes))

    def _may_finish(self) -> bool:
        """Whether ``greedy`` would end the deal in this turn."""
        trial = self._row.copy()
        seat = int(trial[L.TURN])
        others = 15 & ~(1 << seat)
        play_until(tables(), self._rules, trial, _NOTHING[0], self._minds, 0, others)
        return bool(trial[L.PHASE] == L.P_OVER and trial[L.WINNER] == seat)

    def _play_steady(self, seat: int) -> None:
        row, bot = self._row, self._steady[seat]
        assert bot is not None
        noted, deal = int(row[L.NOTED]), self.finished()
        view = view_of(deal, seat)
        action = bot.choose(view, Options(view))
        codes = codes_of(action, deal.public.setup.okey, twin_of(deal.public))
        self._choice[: len(codes)] = codes
        play_codes(self._rules, row, self._choice, self._minds[0])
        end = min(noted + len(codes), _LOG)
        self._log[noted:end] = codes[: end - noted]
        row[L.NOTED] = noted + len(codes)
        self._readable, self._read = apply(deal, action), noted + len(codes)

    def _outcome(self, conducts: tuple[Conduct, ...]) -> Outcome:
        """What came of it, read from the row and from the log."""
        row, players = self._row, len(conducts)
        first: list[int | None] = [None] * players
        seat, turns = int(self._start[L.TURN]), [1] * players
        for code in self._log[: int(row[L.NOTED])].tolist():
            operation = code & L.OP
            if operation == L.A_MELD and code & L.MORE:
                continue
            conducts[seat].choices += 1
            if operation == L.A_MELD and first[seat] is None:  # none of them lays too little
                first[seat] = turns[seat]
            if operation in (L.A_DISCARD, L.A_PASS):
                turns[seat] += 1
            if operation == L.A_DISCARD:
                seat = (seat + 1) % players
        result = conversion.result_of(row)
        assert result is not None
        opened = tuple(_OPENED[int(o)] for o in row[L.OPENED : L.OPENED + players])
        return Outcome(*result[:4], result.counts, opened, tuple(first), conducts)
