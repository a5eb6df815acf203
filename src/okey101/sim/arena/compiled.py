"""Tables played by the kernel, wherever all bots of a table have a twin there.

What comes of a table is what :func:`okey101.sim.conduct.play_table` makes of it, choice by choice:
``greedy``, ``master``, ``neural`` and the oracle choose in the kernel, ``random`` from its list of
legal actions, and ``steady`` looks at the readable deal, which follows.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter_ns
from typing import Final

import numpy as np

from okey101.bots.base import BotFactory
from okey101.bots.greedy import GreedyBot
from okey101.bots.lay_plans import opening_to_finish
from okey101.bots.master import MasterBot
from okey101.bots.neural import NeuralBot
from okey101.bots.novice import RandomBot
from okey101.bots.steady import Outlook, SteadyBot
from okey101.bots.tile_worth import kind_of
from okey101.game.actions import Meld
from okey101.game.deal import Deal
from okey101.game.deal_parts import Opened
from okey101.game.options import Options
from okey101.game.public import Public
from okey101.game.transition import apply
from okey101.game.view import view_of
from okey101.kernel import conversion
from okey101.kernel import layout as L
from okey101.kernel.codes import actions_of, bits_of_masks, codes_of, masks_of_bits
from okey101.kernel.compiling import Rows
from okey101.kernel.legal import MOST_ACTIONS
from okey101.kernel.playing import note, run, step
from okey101.kernel.seats import oracle_code, play_plainly, play_until
from okey101.kernel.solver import tables
from okey101.kernel.steady import draw_futures, opening_gains, remains
from okey101.kernel.warming import need_warm
from okey101.kernel.worlds import MOST_CODES, play_codes
from okey101.sim.conduct import TURN_LIMIT, Conduct, Outcome
from okey101.sim.oracle import OracleBot
from okey101.tiles import tiles_of_bits
from okey101.weights.master import weights_of
from okey101.weights.neural import nets_of

# ``steady`` with the kernel's help: what it counts is counted there, its choices are the same.


_NONE: Final = -1
_NEVER: Final = 1 << 20


def _drawn(rng: random.Random, tiles: Sequence[int], draws: int, count: int) -> Rows:
    """``rng.sample(tiles, draws)`` so many times: int64[count, draws]; it leaves ``rng`` behind."""
    drawn = np.zeros((count, draws), dtype=np.int64)
    if draws:
        state = np.array(rng.getstate()[1], dtype=np.int64)
        from_ = np.array(tiles, dtype=np.int64)
        draw_futures(state, from_, from_.copy(), drawn)
    return drawn


class _CompiledOutlook(Outlook):
    """Draws that may come, drawn and weighed by the kernel."""

    def futures(self, count: int) -> list[tuple[tuple[int, ...], float]]:
        tiles = tiles_of_bits(self._unseen)
        draws = min(self._draws, len(tiles))
        if draws < 2:
            return super().futures(count)
        drawn = _drawn(self._rng, tiles, draws, count).tolist()
        return [(tuple(future), 1 / count) for future in drawn]

    def opens(self, hand: int, count: int) -> float:
        futures = self.futures(count)
        reached = self._reached(hand, (_NONE,), (self._need[0], _NEVER), (1, 0, 0), futures)
        return math.fsum(
            weight for (_, weight), row in zip(futures, reached, strict=True) if row[0]
        )

    def _reached(
        self,
        hand: int,
        discards: Sequence[int],
        need: tuple[int, int],
        worth: tuple[int, int, int],
        futures: Sequence[tuple[tuple[int, ...], float]],
    ) -> list[list[int]]:
        if not futures:
            return []
        gains = np.zeros((len(futures), len(discards)), dtype=np.int64)
        opening_gains(
            tables(),
            np.array(masks_of_bits(hand), dtype=np.int64),
            -1 if self._okey is None else self._okey,
            np.array(discards, dtype=np.int64),
            np.array([tiles for tiles, _ in futures], dtype=np.int64),
            np.array(need, dtype=np.int64),
            np.array(worth, dtype=np.int64),
            gains,
        )
        return gains.tolist()

    def _gains(
        self,
        hand: int,
        base: int,
        others: Sequence[int],
        futures: Sequence[tuple[tuple[int, ...], float]],
    ) -> Iterator[tuple[float, float, Sequence[float]]]:
        melds, pairs, delay = self._worth
        if not all(float(points).is_integer() for points in self._worth):
            yield from super()._gains(hand, base, others, futures)
            return
        worth = int(melds), int(pairs), int(delay)
        found = self._reached(hand, (base, *others), self._need, worth, futures)
        for (_, weight), row in zip(futures, found, strict=True):
            if any(row):
                yield weight, row[0], row[1:]


def _remains(
    hand: int,
    discards: Sequence[int],
    unseen: int,
    playable: int,
    draws: int,
    okey: int | None,
    *,
    pairs: bool,
    rng: random.Random,
    futures: int = 24,
) -> dict[int, float]:
    """The twin of :func:`okey101.bots.steady.expected_remains`."""
    tiles = tiles_of_bits(unseen)
    draws = min(draws, len(tiles))
    count = futures if draws else 1
    kinds = [kind_of(t, okey) for t in tiles]
    mine = [kind_of(t, okey) for t in tiles_of_bits(hand)]
    totals = np.zeros(len(discards), dtype=np.int64)
    remains(
        np.array(mine, dtype=np.int64),
        np.array([kind_of(t, okey) for t in discards], dtype=np.int64),
        _drawn(rng, kinds, draws, count),
        playable,
        int(pairs),  # type: ignore[arg-type]  # a truth value would be compiled for anew
        np.zeros(len(mine) + draws + 1, dtype=np.int64),
        totals,
    )
    return {tile: total / count for tile, total in zip(discards, totals.tolist(), strict=True)}


class CompiledSteady(SteadyBot):
    """``steady``, several times as fast.

    ``may_finish`` says of its turn whether ``greedy`` in its place would end the deal in it, which
    it does wherever an opening lets it.
    """

    _sees = _CompiledOutlook
    _remains = staticmethod(_remains)

    def __init__(self, seed: int, may_finish: Callable[[], bool]) -> None:
        super().__init__(seed)
        self._may_finish = may_finish

    def _finishing(self, public: Public, hand: int) -> Meld | None:
        return opening_to_finish(public, hand) if self._may_finish() else None


_LOG: Final = 1024
_NOTHING: Final = np.zeros((1, 0), dtype=np.int64)
_WHOLE: Final[tuple[BotFactory, ...]] = (GreedyBot, MasterBot, NeuralBot)
"""Those whose every choice the kernel makes by itself."""
_TWINS: Final[tuple[BotFactory, ...]] = (*_WHOLE, RandomBot, SteadyBot, OracleBot)
_OPENED: Final = {0: None, L.MELDS: Opened.MELDS, L.PAIRS: Opened.PAIRS}


class CompiledTables:
    """Plays the tables of one deal; OkeyError ``kernel-cold`` on a cold event loop."""

    def __init__(self, deal: Deal) -> None:
        need_warm()
        self._deal = deal
        self._start = conversion.row_of_deal(deal)
        self._rules = conversion.rules_vector(deal.rules)
        self._weights = np.array(weights_of(deal.rules), dtype=np.int64)
        self._nets = np.array(nets_of(deal.rules), dtype=np.int64)
        self._words = np.zeros(64, dtype=np.int64)
        self._codes = np.zeros(MOST_ACTIONS, dtype=np.int64)
        self._openings = np.zeros((1, 64), dtype=np.int64)
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
        turned: list[list[bool]] = [[] for _ in seats]
        row, streak = self._row, 0
        while row[L.PHASE] != L.P_OVER:
            play_until(
                tables(), self._rules, row, self._words, self._log, self._weights, self._nets,
                who, waits,
            )  # fmt: skip
            if row[L.PHASE] == L.P_OVER:
                break
            seat, began, before = int(row[L.TURN]), perf_counter_ns(), int(row[L.N_ACTIONS])
            if makers[seat] is SteadyBot:
                count = play_plainly(tables(), self._rules, row, self._words, self._log)
                if not count:
                    self._play_steady(seat)
            elif makers[seat] is OracleBot:
                self._play(oracle_code(
                    tables(), self._rules, row, self._codes, self._openings[0]
                ))  # fmt: skip
            else:
                self._play(self._random(seat, seeds[seat]))
            conducts[seat].spent_ns += perf_counter_ns() - began
            if row[L.NOTED] > _LOG:
                return None
            ended = (
                self._log[row[L.NOTED] - 1] & L.OP in (L.A_DISCARD, L.A_PASS)
                or row[L.PHASE] == L.P_OVER
            )
            if ended:
                turned[seat].append(bool(row[L.OPENED + seat]))
            streak = 0 if ended else streak + int(row[L.N_ACTIONS]) - before
            if streak >= TURN_LIMIT:
                return None
        if row[L.NOTED] > _LOG or row[L.N_FINES] > L.MAX_FINES:
            return None
        return self._outcome(conducts, turned, waits)

    def finished(self) -> Deal:
        """The table that was played last, as a deal of the game."""
        deal = self._readable
        noted = int(self._row[L.NOTED])
        for action in actions_of(self._log[self._read : noted], deal.public.setup.okey):
            deal = apply(deal, action)
        return deal

    def _play(self, code: int) -> None:
        openings = self._openings[0]
        step(self._rules, self._row, code, openings)
        note(self._row, self._log, code, openings)

    def _random(self, seat: int, seed: int) -> int:
        """What :class:`RandomBot` draws from the legal actions, taking back once a turn."""
        row = self._row
        count = run(
            tables(), self._rules, row.reshape(1, -1), _NOTHING[0], 0, 1, _NOTHING, self._codes,
            self._starts, self._openings, 0,
        )  # fmt: skip
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
        play_until(
            tables(), self._rules, trial, self._words, _NOTHING[0], self._weights, self._nets,
            0, 15 & ~(1 << seat),
        )  # fmt: skip
        return bool(trial[L.PHASE] == L.P_OVER and trial[L.WINNER] == seat)

    def _play_steady(self, seat: int) -> None:
        row, bot = self._row, self._steady[seat]
        assert bot is not None
        noted, deal = int(row[L.NOTED]), self.finished()
        view = view_of(deal, seat)
        action = bot.choose(view, Options(view))
        public = deal.public
        twin = int(public.setup.indicator) if public.announced == public.turn else None
        codes = codes_of(action, public.setup.okey, twin)
        self._choice[: len(codes)] = codes
        play_codes(self._rules, row, self._choice, self._words)
        end = min(noted + len(codes), _LOG)
        self._log[noted:end] = codes[: end - noted]
        row[L.NOTED] = noted + len(codes)
        self._readable, self._read = apply(deal, action), noted + len(codes)

    def _outcome(
        self, conducts: tuple[Conduct, ...], turned: list[list[bool]], waits: int
    ) -> Outcome:
        """What came of it, read from the row and from the log."""
        row, players = self._row, len(conducts)
        first: list[int | None] = [
            ended.index(True) + 1 if True in ended else None for ended in turned
        ]
        seat, turns = int(self._start[L.TURN]), [1] * players
        for code in self._log[: int(row[L.NOTED])].tolist():
            operation = code & L.OP
            if operation == L.A_MELD and code & L.MORE:
                continue
            conducts[seat].choices += 1
            if operation == L.A_MELD and first[seat] is None and not waits >> seat & 1:
                first[seat] = turns[seat]
            if operation in (L.A_DISCARD, L.A_PASS):
                turns[seat] += 1
            if operation == L.A_DISCARD:
                seat = (seat + 1) % players
        end, winner = conversion.ENDS[int(row[L.END])], int(row[L.WINNER])
        assert end is not None
        return Outcome(
            end,
            None if winner < 0 else winner,
            tuple(int(score) for score in row[L.SCORES : L.SCORES + players]),
            conversion.fines_of(row),
            bool(row[L.COUNTS]),
            tuple(_OPENED[int(o)] for o in row[L.OPENED : L.OPENED + players]),
            tuple(first),
            conducts,
        )
