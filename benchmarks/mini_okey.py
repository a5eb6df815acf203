"""A mini-Okey solved: ``python -m benchmarks.mini_okey --write``.

Two seats, 13 tiles: red, yellow and blue 1 to 4, and an okey. What is one of 101 points in Okey 101
is one of nine here. The payoff is the difference in points. All chance is in it: every deal, every
draw. It writes ``mini_okey.json`` after each piece of work, goes on from it, and ends with the page
``mini_okey.md``. What is kept by another state of the game or the bots is to be deleted first.

In the words of OpenSpiel: NashConv is the sum of what both seats gain by a best response, and
exploitability half of it.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import machine, table
from benchmarks.mini_bots import BOTS, play_of
from benchmarks.mini_game import (
    NO_HOLDING,
    NO_TAKING,
    SIZES,
    UNSEEN,
    WHO,
    MiniRules,
    Solver,
    Tree,
    grow,
    of_seat,
)

RESULTS: Final = Path(__file__).with_suffix(".json")
GAMES: Final = {1: (10, 30, 100), 2: (10, 30, 60)}
"""By tiles in the stock, after how many passes the gap is told."""


def sizes(tree: Tree) -> dict[str, int]:
    """How large the game is, histories alike but for colours counted once below the first move."""
    sets = histories = 0
    for row in tree.nodes:
        unseen, mine = int(row[UNSEEN]).bit_count(), int(row[SIZES + row[WHO]])
        sets += comb(unseen, mine)
        histories += comb(unseen, mine) * comb(unseen - mine, int(row[SIZES + 1 - row[WHO]]))
    return {"nodes": len(tree.nodes), "moves": len(tree.edges), "sets": sets,
            "histories": histories, "numbers": tree.total}  # fmt: skip


_BANS: Final = {"best": 0, "without taking": NO_TAKING, "without holding": NO_HOLDING}


class Record:
    """What is kept of one game, and the work that is still to do."""

    def __init__(self, stock: int, file: Path, folder: Path) -> None:
        self._rules = MiniRules(stock=stock)
        self._file, self._stock = file, str(stock)
        self._state = folder / f"mini_okey_{stock}.npz"
        self._begun = time.process_time()
        self.kept = json.loads(file.read_text("utf-8")) if file.exists() else {}
        self.own = self.kept.setdefault(self._stock, {"gaps": [], "bots": {}, "seconds": 0})

    def _write(self) -> None:
        now = time.process_time()
        self.own["seconds"] += round(now - self._begun)
        self._begun = now
        self.own["machine"] = machine()
        self._file.write_text(json.dumps(self.kept, indent=1) + "\n", "utf-8")

    def play(self) -> None:
        """Do what is missing, and keep each piece."""
        if len(self.own["bots"]) == len(BOTS):
            return
        tree = grow(self._rules)
        self.own["sizes"] = sizes(tree)
        solver = Solver(tree)
        self._learn(solver)
        solved, starter = solver.profile, of_seat(tree, 0)
        plays = {bot: play_of(tree, self._rules, bot) for bot in BOTS}
        self.own["solved"] = {
            "value": solver.value(solved),
            "spread": (solver.value(solved, squared=True) - solver.value(solved) ** 2) ** 0.5,
            **self._answers(solver, solved),
        }
        for bot, play in plays.items():
            against = [
                solver.value(np.where(starter, play, solved)),
                -solver.value(np.where(starter, solved, play)),
            ]
            duels = {
                other: (solver.value(np.where(starter, play, plays[other]))
                        - solver.value(np.where(starter, plays[other], play))) / 2
                for other in BOTS
            }  # fmt: skip
            self.own["bots"][bot] = {
                "against": against, "duels": duels, **self._answers(solver, play)
            }  # fmt: skip
            self._write()
            print(self._stock, bot, against, file=sys.stderr, flush=True)

    def _answers(self, solver: Solver, profile: NDArray[np.float64]) -> dict[str, list[float]]:
        """What best responses gain as starter and second, with all moves and without some."""
        return {
            name: [solver.answer(profile, seat, ban) for seat in (0, 1)]
            for name, ban in _BANS.items()
        }

    def _learn(self, solver: Solver) -> None:
        if self._state.exists():
            solver.load(self._state)
        for passes in GAMES[int(self._stock)]:
            while solver.passes < passes:
                solver.learn(min(10, passes - solver.passes))
                solver.save(self._state)
                print(self._stock, solver.passes, "passes", file=sys.stderr, flush=True)
            if passes not in [row[0] for row in self.own["gaps"]]:
                best = [solver.answer(solver.profile, seat) for seat in (0, 1)]
                self.own["gaps"].append([passes, solver.value(solver.profile), sum(best)])
                self._write()
                print(self._stock, self.own["gaps"][-1], file=sys.stderr, flush=True)


def main() -> int:
    """Go on with the record, and write its page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mini_okey")
    parser.add_argument("--write", action="store_true", help="write the page, too")
    parser.add_argument("--file", type=Path, default=RESULTS)
    parser.add_argument("--kept", type=Path, default=Path(tempfile.gettempdir()),
                        help="folder for the strategies that are being learned")  # fmt: skip
    given = parser.parse_args()
    for stock in GAMES:
        Record(stock, given.file, given.kept).play()
    if given.write:
        given.file.with_suffix(".md").write_text(page(given.file), "utf-8")
    return 0


_SOLVED: Final = """
## The equilibrium

CFR+ with alternating turns and means that weigh each pass by its number. NashConv is what both
seats gain together by best responses, exact over information sets; half of it is the
exploitability. The value lies within NashConv of the true one.

{table}

Between two that play the equilibrium a deal spreads by {spreads} points, one standard deviation.

## The bots

Bots of full weights can't play 13 tiles. These are written anew by the formulas of
`okey101.kernel.choices`, `weighing` and `greedy`, with what the mini game leaves of them:

- `random` takes any public move alike often, laying and discard together.
- `novice` and `greedy` rank discards by the same keys: fine, okey, tiles in use, company, number.
  Put into the same positions, the full ones chose alike in 93 and 89 of 100; they believe in a
  fourth colour and in fives, and of melds that are worth the same they take the first.
- `steady` counts every next draw, as the full one does where one draw is left; here it is never
  more. What opening, harm and a clear difference are worth is multiplied by 9/101. Once it has
  opened it has two tiles at most, so that its forecast of what remains is their points.
- `master` has its own weights (altinstar), with 101/9 points for a point and 21/4 tiles for a tile.
  Its two features for feeding a next player, close to nothing there, and those for pairs are left
  out. The weights were fitted to the full game, so that they are not at their best here.
- `neural`, `search` and `champion` have no mini ones: their networks know full tiles alone.

*Exploitability* is what a best response to the bot gains, on average over both seats. In the last
column the bot plays against the equilibrium, both seats.
"""
_BANNED: Final = """
## What some moves are worth

What best responses gain if they may do all, if they never take a discard, and if they never hold
back an opening that they could make; mean of both seats.

{table}
"""
_FOLLOWS: Final = """
## What follows

With two tiles in the stock, in points of the mini game. It is small and has two seats, so that it
shows which way things go in the full game, not how far.

- **Luck.** A deal spreads by {spread:.0f} points. The bot closest to the equilibrium loses
  {lag:.1f} a deal to it. That is two standard errors after {deals:,} deals, if none is played again
  with seats changed.
- **Seats.** With two tiles in the stock the starter is worth {value:+.1f}. With one, which the
  second draws, it is {short:+.2f}. A turn more at the end weighs as much as what is between bots.
- **Discards.** Taking them is worth {taking:.2f} a deal against the equilibrium, and {given:.2f}
  against `greedy`, which throws without a look at what the other can use. The difference,
  {withheld:.2f}, is what it gives away by its discards; the rest of its play accounts for
  {other:.2f} of its exploitability.
- **Holding back.** Whoever never keeps an opening back gains {held:.2f} less against the
  equilibrium, and {held_greedy:.2f} less against `greedy`.
- **The ceiling.** The least exploitable bot is `{best}`. A best response gains {least:.2f} a deal
  from it, which is about {full:.0f} points of the full game. The equilibrium, which knows nothing
  of whom it plays, has {part:.0f} % of that; the rest is for knowing the bot. With one tile in the
  stock a best response gains {least_short:.2f}: the bots are furthest from the ceiling where more
  is still to come.
"""


def follows(kept: dict[str, Any]) -> str:
    """What follows, with the figures of the game with two tiles in the stock."""
    game, short = kept["2"], kept["1"]
    solved, bots = game["solved"], game["bots"]

    def mean(own: dict[str, list[float]], key: str) -> float:
        return sum(own[key]) / 2

    best = min(bots, key=lambda bot: mean(bots[bot], "best"))
    least, duel = mean(bots[best], "best"), -mean(bots[best], "against")
    lag = min(-mean(own, "against") for own in bots.values())
    taking = mean(solved, "best") - mean(solved, "without taking")
    given = mean(bots["greedy"], "best") - mean(bots["greedy"], "without taking")
    exploited = mean(bots["greedy"], "best")
    return _FOLLOWS.format(
        spread=solved["spread"], lag=lag, withheld=given - taking,
        deals=round((2 * solved["spread"] / lag) ** 2 / 100) * 100,
        other=exploited - given + taking,
        value=solved["value"], short=short["solved"]["value"], taking=taking, given=given,
        held=mean(solved, "best") - mean(solved, "without holding"),
        held_greedy=exploited - mean(bots["greedy"], "without holding"),
        best=best, least=least, full=least * 101 / 9, part=100 * duel / least,
        least_short=mean(short["bots"][best], "best"),
    )  # fmt: skip


_HEAD: Final = """\
# A mini-Okey, solved

`benchmarks/mini_game.py` has the game and who solves it, `mini_bots.py` the bots, and
`mini_okey.json` what they found. Two seats, 13 tiles: red, yellow and blue 1 to 4, one of each, and
an okey. The starter has five tiles, the other four. What is 101 points in Okey 101 is nine here, so
a point is worth about 11 of the full game. A deal pays the difference of the two scores. Figures
are points a deal; high is good for whom they are told of.

    python -m benchmarks.mini_okey --write

It goes on where it stopped. Nothing is sampled and there is no seed: every deal and every draw is
in the sums. It took {seconds} seconds of {machine}.

| rules | in the mini-Okey |
| --- | --- |
| M1, M2, M4, J3, J4, M5 | kept; a set of three has all colours there are, so it never grows |
| O1, O3, U4, E1, E2, E3, P2, P6, R5, R15 | kept, nine for 101: sets of 3 or 4, runs with 4 open |
| U1, U2 | kept; a discard is taken only if it is used at once, as S1 has it (U3) |
| C1, C2, P1, P5, R7, R14 | kept: -9 and 18, twice that with the okey or the whole hand at once |
| T1, D1, D4, D5, D7 | shrunk: 13 tiles, two seats, racks of five and four, a stock of one or two |
| J1 | shrunk: the okey is one tile of its own, without an indicator |
| J3 | shrunk: an okey stands for what is worth most, where there is a choice |
| M3, O2, O5, O6, O7, P3, J2, D8 | left out: pairs, short openings, false jokers |
| U5, U6, U7, P4, D3, D6, C4, E4, G, X | left out: tiles taken back, several deals, teams |

The judge of the full game plays along in `tests/test_benchmark_mini_okey.py`: it allows the same
moves and gives the same scores.

## The game

| | {heads} |
| --- |{rules}
{rows}

Sets and histories count moves alike but for the names of the colours once, at the first move.
"""


def told(values: Sequence[float]) -> str:
    """The mean of what both seats get."""
    return f"{sum(values) / 2:+.2f}"


def page(file: Path) -> str:
    """The page of a record."""
    kept = json.loads(file.read_text("utf-8"))
    games = [kept[str(stock)] for stock in GAMES]
    names = {"sets": "information sets", "histories": "histories between moves",
             "nodes": "public states", "moves": "public moves"}  # fmt: skip
    lines = [(name, *(f"{game['sizes'][key]:,}" for game in games)) for key, name in names.items()]
    lines.insert(0, ("deals, the order of the stock aside", *["90,090"] * len(games)))
    heads = [f"{stock} in the stock" for stock in GAMES]
    text = _HEAD.format(
        seconds=" and ".join(str(game["seconds"]) for game in games), machine=games[-1]["machine"],
        heads=" | ".join(heads), rules=" ---: |" * len(games),
        rows="\n".join("| " + " | ".join(line) + " |" for line in lines),
    )  # fmt: skip
    gaps = [
        (f"{stock} in the stock", passes, f"{value:+.3f}", f"{gap:.3f}")
        for stock, game in zip(GAMES, games, strict=True)
        for passes, value, gap in game["gaps"]
    ]
    text += _SOLVED.format(
        table=table(("game", "passes", "value for the starter", "NashConv"), gaps),
        spreads=" and ".join(f"{game['solved']['spread']:.1f}" for game in games),
    )
    for stock, game in zip(GAMES, games, strict=True):
        bots = game["bots"]
        rows: list[Sequence[object]] = [
            (f"`{bot}`", told(own["best"]), f"{own['best'][0]:+.2f}", f"{own['best'][1]:+.2f}",
             told(own["against"]))
            for bot, own in bots.items()
        ]  # fmt: skip
        solved = game["solved"]
        rows.append(("the equilibrium", told(solved["best"]), f"{solved['best'][0]:+.2f}",
                     f"{solved['best'][1]:+.2f}", "0"))  # fmt: skip
        head = ("bot", "exploitability", "a starter gains", "a second gains", "bot : equilibrium")
        duels = [
            (f"`{bot}`", *(f"{own['duels'][other]:+.2f}" for other in BOTS))
            for bot, own in bots.items()
        ]
        text += (
            f"\n### {stock} in the stock\n\n{table(head, rows)}\n\nTwo bots, both seats:\n\n"
            f"{table(('', *(f'`{bot}`' for bot in BOTS)), duels)}\n"
        )
    banned = [
        (f"{stock} in the stock", who, *(told(own[ban]) for ban in _BANS))
        for stock, game in zip(GAMES, games, strict=True)
        for who, own in (*game["bots"].items(), ("the equilibrium", game["solved"]))
    ]
    text += _BANNED.format(table=table(("game", "against", *_BANS), banned))
    return text + follows(kept)


if __name__ == "__main__":
    sys.exit(main())
