"""The score sheet of a match: a row a deal, and the sums (C4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from okey101.errors import checked, exactly
from okey101.game.deal_parts import Result
from okey101.game.match import Match, places_of, team_totals, totals_of
from okey101.game.record.form import Record
from okey101.game.record.replay import Replay, replay
from okey101.game.ruleset import RuleSet


class SheetRow(NamedTuple):
    """One deal: its number among those that count, None for a void one, and the scores by seat.

    >>> SheetRow(1, (202, -101, 202, 158)).number
    1
    """

    number: int | None
    scores: tuple[int, ...]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells in columns, the first to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]).rstrip()
        for first, *others in rows
    ]


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """The finished deals of a match; scores are points, and low is good.

    >>> from okey101 import RuleSet, play_deal
    >>> deals = [play_deal("pagat", ["greedy"] * 4, seed=seed) for seed in (4, 5)]
    >>> names = ("Ada", "Banu", "Cem", "Derya")
    >>> sheet = MatchSheet(deals[0].rules, names, tuple(deal.result for deal in deals))
    >>> sheet.totals, sheet.places
    ((-59, 404, 203, -83), (2, 4, 3, 1))
    """

    rules: RuleSet
    players: tuple[str, ...]
    results: tuple[Result, ...]

    @property
    def rows(self) -> tuple[SheetRow, ...]:
        """A row for each finished deal; a void deal may still have fines (O7, E3)."""
        rows: list[SheetRow] = []
        number = 0
        for result in self.results:
            number += result.counts
            rows.append(SheetRow(number if result.counts else None, result.scores))
        return tuple(rows)

    @property
    def totals(self) -> tuple[int, ...]:
        """Every seat's sum."""
        return totals_of(self.rules, self.results)

    @property
    def team_totals(self) -> tuple[int, int] | None:
        """The teams' sums; None where nobody plays in teams (G1)."""
        return team_totals(self.rules, self.totals)

    @property
    def places(self) -> tuple[int, ...]:
        """Every seat's place, equal sums sharing it; partners have their team's."""
        return places_of(self.rules, self.totals)

    def lines(self, *, void: str = "void", total: str = "total") -> list[str]:
        """The sheet as lines of text in columns, under the players' names.

        ``void`` and ``total`` are the words before void deals and the sums.
        """
        void, total = checked(void, str, "text"), checked(total, str, "text")
        cells = [["", *self.players]]
        for row in self.rows:
            label = void if row.number is None else str(row.number)
            cells.append([label, *map(str, row.scores)])
        cells.append([total, *map(str, self.totals)])
        return aligned(cells)

    def __str__(self) -> str:
        return "\n".join(self.lines())


def match_sheet(match: Match | Record | Replay, players: Sequence[str] | None = None) -> MatchSheet:
    """The score sheet of a match between deals, of a record, or of a replayed one.

    ``players`` are names by seat; by default those of the record, else ``seat 0`` and so on. A
    record is replayed, so RecordError says where it is wrong. OkeyError ``wrong-count`` if the
    number of names is another.

    >>> from okey101.game.match import Match
    >>> print(match_sheet(Match.new("pagat", deals=3, seed=7)))
           seat 0  seat 1  seat 2  seat 3
    total       0       0       0       0
    """
    if isinstance(match, Record):
        players = match.players if players is None else players
        match = replay(match)
    if isinstance(match, Match):
        results = match.results
    else:
        deals = checked(match, Replay, "match").deals
        results = tuple(deal.result for deal in deals if deal.result is not None)
    seats = match.rules.players
    given = [f"seat {seat}" for seat in range(seats)] if players is None else players
    exactly(seats, given, "names")
    names = tuple(checked(name, str, "text") for name in given)
    return MatchSheet(match.rules, names, results)
