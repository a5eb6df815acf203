"""One deal in the kernel, stepped action by action."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from okey101.errors import OkeyError
from okey101.game.actions import Action, parse_action
from okey101.game.deal_parts import End, Fine
from okey101.game.dealing import Layout, deal_from_seed, seed_of
from okey101.game.record import DealRecord
from okey101.game.ruleset import RuleSet
from okey101.kernel.compiling import Row
from okey101.kernel.exporting import actions_of, bits_of_masks
from okey101.kernel.layout import (
    A_MELD,
    A_OPEN,
    A_PAIRS,
    END,
    HANDS,
    MORE,
    OKEY_KIND,
    OP,
    P_OVER,
    PHASE,
    SCORES,
    TURN,
    WINNER,
)
from okey101.kernel.legal import MOST_ACTIONS
from okey101.kernel.playing import run, step
from okey101.kernel.records import ENDS, deal_record, fines_of, row_of_layout
from okey101.kernel.rules import rules_vector
from okey101.kernel.tables import tables
from okey101.kernel.warming import need_warm
from okey101.tiles import Rack

__all__ = ["KernelDeal"]

_NOTHING = np.zeros((1, 0), dtype=np.int64)


class KernelDeal:
    """One deal in the kernel, changed by each action; the twin of :class:`okey101.game.Deal`.

    It starts from a seed and a dealer's seat, or from a layout, as ``Deal.start`` does, and raises
    the same errors, OkeyError ``kernel-cold`` besides (see ``okey101.kernel.warm``).
    """

    def __init__(
        self,
        rules: RuleSet | str,
        layout: Layout | None = None,
        *,
        seed: bytes | int | str | None = None,
        dealer: int | None = None,
    ) -> None:
        if isinstance(rules, str):
            rules = RuleSet.preset(rules)
        if layout is None:
            if seed is None:
                raise TypeError("a deal starts from a seed or from a layout")
            layout = deal_from_seed(rules, seed_of(seed), 0 if dealer is None else dealer)
        elif seed is not None or dealer is not None:
            raise TypeError("a layout has its seed and its dealer already")
        need_warm()
        self.rules = rules
        self.layout = layout
        self._rows = row_of_layout(rules, layout).reshape(1, -1)
        self.row: Row = self._rows[0]
        """The state: int64[SIZE], by the offsets of :mod:`okey101.kernel.layout`."""
        self._rules = rules_vector(rules)
        self._log: list[int] = []
        self._actions = np.zeros(MOST_ACTIONS, dtype=np.int64)
        self._openings = np.zeros((1, 64), dtype=np.int64)
        self._starts = np.zeros(2, dtype=np.int64)
        self._listed: NDArray[np.int64] | None = None

    @property
    def turn(self) -> int:
        """The seat to act, 0 to 3."""
        return int(self.row[TURN])

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self.row[PHASE] == P_OVER)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points by seat, low is good; None while the deal runs."""
        if not self.over:
            return None
        return tuple(int(n) for n in self.row[SCORES : SCORES + self.rules.players])

    @property
    def end(self) -> End | None:
        """How the deal ended; None while it runs."""
        return ENDS[int(self.row[END])]

    @property
    def winner(self) -> int | None:
        """The seat that finished; None for nobody."""
        winner = int(self.row[WINNER])
        return None if winner < 0 else winner

    @property
    def fines(self) -> tuple[Fine, ...]:
        """The fines so far, at most 128."""
        return fines_of(self.row)

    def rack(self, seat: int) -> Rack:
        """A seat's hand."""
        at = HANDS + 2 * seat
        return Rack.from_bits(bits_of_masks(int(self.row[at]), int(self.row[at + 1])))

    def legal(self) -> NDArray[np.int64]:
        """The codes of the legal micro-actions, as Options lists the actions; empty once over.

        :mod:`okey101.kernel.layout` tells what a code is made of.
        """
        if self._listed is None:
            n = run(
                tables(), self._rules, self._rows, _NOTHING[0], 0, 1, _NOTHING, self._actions,
                self._starts, self._openings, 0,
            )  # fmt: skip
            self._listed = self._actions[:n].copy()
        return self._listed

    def actions(self) -> tuple[Action, ...]:
        """The legal micro-actions as the game's own, in the order of :meth:`legal`."""
        return tuple(self.action_of(int(code)) for code in self.legal())

    def action_of(self, code: int) -> Action:
        """What a legal code means here; the code of an opening is the meld that it lays."""
        self.legal()
        okey = int(self.row[OKEY_KIND])
        return next(actions_of(self._laid(code), None if okey < 0 else okey))

    def apply(self, action: int | Action | str) -> None:
        """Play a legal micro-action: its code, the action, or its notation.

        Raises OkeyError ``not-a-micro-action`` for any other, be it legal in the game.
        """
        legal = self.legal()
        if isinstance(action, int | np.integer):
            found = int(action) if action in legal else None
        else:
            wanted = parse_action(action) if isinstance(action, str) else action
            found = next((int(c) for c in legal if self.action_of(int(c)) == wanted), None)
        if found is None:
            raise OkeyError("not-a-micro-action", f"{action} is no legal micro-action here")
        codes = self._laid(found)
        step(self._rules, self.row, found, self._openings[0])
        self._listed = None
        self._log += codes

    def _laid(self, code: int) -> list[int]:
        """A legal code, that of an opening as the groups it lays."""
        if code & OP not in (A_OPEN, A_PAIRS):
            return [code]
        at = 0 if code & OP == A_OPEN else 32
        words = self._openings[0, at + 1 : at + 1 + int(self._openings[0, at])]
        codes = [A_MELD | int(word) << 4 | MORE for word in words]
        return [*codes[:-1], codes[-1] & ~MORE]

    @property
    def played(self) -> tuple[Action, ...]:
        """All actions so far."""
        okey = int(self.row[OKEY_KIND])
        return tuple(actions_of(self._log, None if okey < 0 else okey))

    def record(self) -> DealRecord:
        """The record of the deal so far, which ``okey101.replay`` plays to the same result."""
        return deal_record(self.rules, self.row, self._log, self.layout, self.layout.seed)
