"""AIVAT: the luck of a table's draws, which a difference is freed from without a bias.

When a seat draws, every tile that still lies in the stock is as likely as any other, whatever was
played before. So the value of the position with the tile that came, less the mean of the values
with each tile that could have come, is 0 on average, for any value that is fixed beforehand. Here
it is what the networks of ``champion`` foretell for the seat that draws (`values_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.transition import apply
from okey101.kernel import conversion, groups as G, layout as L, room as R
from okey101.kernel.codes import codes_of, twin_of
from okey101.kernel.compiling import Row, compiled
from okey101.kernel.seats import Minds, minds_of, play_to_value
from okey101.kernel.solver import Tables, tables
from okey101.kernel.steps import play
from okey101.kernel.warming import need_warm
from okey101.kernel.worlds import play_codes


@compiled
def luck_of_draw(tables: Tables, rules: Row, row: Row, minds: Minds) -> int:
    """What the draw that comes next is worth to the seat to act: in points, times the stock.

    It is the value with the tile that comes, as often as the stock has tiles, less the sum of the
    values with each of them. ``minds`` are those of `play_to_value`.
    """
    own, count = row[L.TURN], row[L.STOCK_COUNT]
    at = row[L.STOCK_LEN] - count
    first = G.pile_tile(row, L.STOCK, at)
    log = np.empty(0, dtype=np.int64)
    trial = np.empty(L.SIZE, dtype=np.int64)
    known = np.zeros(64, dtype=np.int64)
    values = np.zeros(64, dtype=np.int64)
    came, total = 0, 0
    for place in range(at, at + count):
        tile = G.pile_tile(row, L.STOCK, place)
        if not known[tile]:
            G.copy_row(row, trial)
            G.put_on_pile(trial, L.STOCK, at, tile)
            if place > at:
                G.put_on_pile(trial, L.STOCK, place, first)
            play(rules, trial, L.A_DRAW)
            # What is played out hangs on the order of the stock, and is not known for its like.
            known[tile] = play_to_value(tables, rules, trial, log, minds, 0, own, 0)
            values[tile] = trial[L.SCORES + own]
        if place == at:
            came = values[tile]
        total += values[tile]
    return came * count - total  # type: ignore[no-any-return]


class DrawLuck:
    """The luck of the draws at the tables of one deal; OkeyError ``kernel-cold``."""

    def __init__(self, deal: Deal) -> None:
        need_warm()
        self._deal = deal
        self._start = conversion.row_of_deal(deal)
        self._rules = conversion.rules_vector(deal.rules)
        self.minds = minds_of(deal.rules)

    def of(self, codes: Iterable[int], row: Row | None = None) -> list[float]:
        """Points that luck cost each seat: at a table that was played so, from ``row`` on."""
        row = self._start.copy() if row is None else row
        found = [0.0] * int(row[L.PLAYERS])
        words = np.zeros(R.WORDS, dtype=np.int64)
        together: list[int] = []
        for code in codes:
            together.append(code)
            if code & L.OP == L.A_MELD and code & L.MORE:
                continue
            if code & L.OP == L.A_DRAW:
                many = luck_of_draw(tables(), self._rules, row, self.minds)
                found[int(row[L.TURN])] += many / int(row[L.STOCK_COUNT])
            play_codes(self._rules, row, np.array(together, dtype=np.int64), words)
            together.clear()
        return found

    def of_deal(self, played: Deal) -> list[float]:
        """The same at a table that was played to its end."""
        return self.of(codes_played(self._deal, played.public.actions))


def codes_played(deal: Deal, actions: Sequence[tuple[int, Action]]) -> list[int]:
    """The codes of what was played in a deal from its start on."""
    codes: list[int] = []
    for _, action in actions:
        codes += codes_of(action, deal.public.setup.okey, twin_of(deal.public))
        deal = apply(deal, action)
    return codes
