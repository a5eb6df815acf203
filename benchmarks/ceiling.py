"""What is left to be gained by knowing more: ``python -m benchmarks.ceiling --deals 500``.

``champion`` and two ceilings, each alone among three ``greedy`` in every seat of the same deals.
The first is the same search in worlds that have the true hands: the order of the stock alone is
drawn anew. It goes on to where ``champion``'s forecast stands, or to the end of the deal, for the
forecast knows no hands. The second is ``oracle-1``, which knows the order of the stock besides.

It plays on from ``ceiling.json``, a deal at a time, until so many are kept or ``--minutes`` have
passed; what another version of a bot began is not played on. ``--write`` writes ``ceiling.md``.

The bots of this file see what no player may. They live here alone: the package that is installed
and served neither has nor imports them (``tests/bots/test_ceiling.py``).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypedDict

from benchmarks.measure import kept, save, table
from benchmarks.search_strength import mark_of_networks
from okey101.bots import Bot
from okey101.bots.champion import ROUNDS, ChampionBot
from okey101.bots.greedy import GreedyBot
from okey101.bots.registry import SEARCHERS
from okey101.game import PRESETS, Deal, Options, View, apply, view_of
from okey101.sim.arena.chunks import arena_deal, bot_seed
from okey101.sim.arena.compiled import CompiledTables
from okey101.sim.oracle import OracleBot
from okey101.sim.stats import Estimate, cluster_mean

if TYPE_CHECKING:
    from okey101.kernel.deals import Playouts

__all__ = ["RESULTS", "Kept", "apart", "kept"]

RESULTS: Final = Path(__file__).with_name("ceiling.json")
PAGE: Final = RESULTS.with_suffix(".md")
_SEED: Final = 330_000
_EVERY_S: Final = 20
_FEWEST: Final = 20
"""Fewer deals say nothing, and are on no page."""


class Seeing(ChampionBot):
    """``champion``, all of whose worlds have the true hands of the deal that it was shown."""

    rounds: ClassVar[int] = ROUNDS

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._deal: Deal | None = None

    def show(self, deal: Deal) -> None:
        """Let it see the deal; of the stock it will know the tiles, and no order."""
        self._deal = deal

    def _playouts(self, view: View) -> Playouts:
        from okey101.kernel.deals import Playouts

        assert self._deal is not None
        assert view_of(self._deal, view.seat) == view
        return Playouts.with_hands(self._deal, "own", rounds=self.rounds)


class SeeingToTheEnd(Seeing):
    """The same without a forecast: the hands are known for the whole deal."""

    rounds = 0


SEARCHES: Final[dict[str, type[ChampionBot]]] = {
    "champion": ChampionBot, "hands": Seeing, "hands_to_end": SeeingToTheEnd,
}  # fmt: skip


class Kept(TypedDict):
    """Scores by way, deal and seat; ``greedy`` is the anchor in the same seats."""

    rules: str
    seed: int
    worlds: int
    version: int
    networks: str
    numba: str
    seconds: dict[str, float]
    """Processor time by way, whole deals."""
    scores: dict[str, list[list[int]]]


def play_on(arena: Kept) -> None:
    """Play one more deal, in every way."""
    rules, number = PRESETS[arena["rules"]], len(arena["scores"]["greedy"])
    layout = arena_deal(rules, arena["seed"], number)
    assert layout.seed is not None
    start = Deal.start(rules, layout)
    seats = range(rules.players)
    seeds = [bot_seed(layout.seed, seat) for seat in seats]
    tables = CompiledTables(start)

    def compiled(oracle: int | None) -> tuple[int, ...]:
        makers = [OracleBot if seat == oracle else GreedyBot for seat in seats]
        played = tables.play(makers, seeds)
        assert played is not None
        return played.scores

    def searched(bot: type[ChampionBot]) -> list[int]:
        bot = type("Searching", (bot,), {"worlds": arena["worlds"]})
        return [play_among_greedy(start, bot(seeds[seat]), seat)[seat] for seat in seats]

    ways: dict[str, Callable[[], list[int]]] = {
        "greedy": lambda: [*compiled(None)],
        "oracle": lambda: [compiled(seat)[seat] for seat in seats],
        **{way: partial(searched, bot) for way, bot in SEARCHES.items()},
    }
    found = {}
    for way, play in ways.items():
        begun = time.process_time()
        found[way] = play()
        spent = arena["seconds"].get(way, 0.0) + time.process_time() - begun
        arena["seconds"][way] = round(spent, 3)
    for way, scores in found.items():
        arena["scores"].setdefault(way, []).append(scores)


def play_among_greedy(deal: Deal, bot: Bot, seat: int) -> tuple[int, ...]:
    """The scores of a deal that a bot plays in one seat; it is shown the deal if it looks."""
    others = GreedyBot()
    while not deal.over:
        own = deal.turn == seat
        if own and isinstance(bot, Seeing):
            bot.show(deal)
        view = view_of(deal, deal.turn)
        deal = apply(deal, (bot if own else others).choose(view, Options(view)))
    assert deal.result is not None
    return deal.result.scores


def apart(arena: Kept, one: str, other: str) -> Estimate:
    """What one way scores more than another in the same seats of the same deals; low is good."""
    rows = zip(arena["scores"][one], arena["scores"][other], strict=True)
    return cluster_mean([[a - b for a, b in zip(*pair, strict=True)] for pair in rows])


_PAIRS: Final = (
    ("champion", "greedy"), ("hands", "greedy"), ("hands_to_end", "greedy"), ("oracle", "greedy"),
    ("hands", "champion"), ("hands_to_end", "champion"), ("oracle", "champion"),
)  # fmt: skip
_WORDS: Final = {
    "champion": "`champion`",
    "hands": "it sees the hands, to the forecast",
    "hands_to_end": "it sees the hands, to the end",
    "oracle": "`oracle-1`, which knows the stock too",
}


def told(found: Estimate) -> str:
    """A mean with half of its interval."""
    return f"{found.mean:+.1f} ± {(found.high - found.low) / 2:.1f}"


def stands(arena: Kept) -> str:
    """All differences so far, and the seconds that a deal took."""
    deals = len(arena["scores"]["greedy"])
    words = [f"{one}-{other} {told(apart(arena, one, other))}" for one, other in _PAIRS]
    return f"{deals} deals: {'; '.join(words)}; {sum(arena['seconds'].values()) / deals:.1f} s each"


def page(found: dict[str, Kept]) -> str:
    """What ceiling.md says."""
    found = {
        name: arena for name, arena in found.items() if len(arena["scores"]["greedy"]) >= _FEWEST
    }
    usual = [arena for arena in found.values() if arena["worlds"] == ChampionBot.worlds]
    rows = [
        (
            arena["rules"], f"{len(arena['scores']['greedy']):,}", way,
            told(apart(arena, one, "greedy")),
            "" if one == "champion" else told(apart(arena, one, "champion")),
            f"{arena['seconds'][one] / len(arena['scores'][one]):.1f}",
        )
        for arena in usual
        for one, way in _WORDS.items()
    ]  # fmt: skip
    lines = [
        "# What is left to be gained by knowing more",
        "",
        "Points a deal of one player among three `greedy`, less those of `greedy` (and of",
        "`champion`) in the same seat of the same deals; low is good; ± 95 %, over deals. Each way",
        f"plays every seat of every deal of arena seed {_SEED:,} (development deals that nothing",
        "else has played). The last column has the seconds of a processor for a deal, four seats.",
        "",
        "- `champion` searches as ever: 400 worlds that fit what it sees.",
        "- *It sees the hands*: the same search of the same choices in as many worlds; but each",
        "  world has the true hands, and the order of the stock alone is drawn anew. To the",
        "  forecast a playout goes as `champion`'s, and what comes after is foretold without the",
        "  hands; to the end of the deal the hands count throughout. Either way all go on by what",
        "  each of them sees: what it gains is what perfect beliefs are worth to such a search.",
        "  `search` goes to the end with beliefs, and is about as strong as `champion`",
        "  ([strength.md](strength.md)): so the end makes no difference where nobody sees hands.",
        "- `oracle-1` tries every action on the true deal, the stock in its order.",
        "",
        table(
            ("rules", "deals", "who", "less `greedy`", "less `champion`", "s a deal"), rows
        ),
        "",
    ]  # fmt: skip
    for arena in found.values():
        base = found.get(arena["rules"])
        if arena in usual or base is None:
            continue
        deals = len(arena["scores"]["greedy"])
        cells = []
        for way in SEARCHES:
            rows_of = zip(arena["scores"][way], base["scores"][way], strict=False)
            more = cluster_mean([[a - b for a, b in zip(*pair, strict=True)] for pair in rows_of])
            cells.append((_WORDS[way], told(more)))
        lines += [
            f"With {arena['worlds']} worlds instead, on {deals} of these deals ({arena['rules']}):",
            "",
            table(("who", "less with 400 worlds"), cells),
            "",
        ]
    lines += [
        "    python -m benchmarks.ceiling --rules altinstar pagat wiki --deals 500 --write",
        "",
        "plays on from `ceiling.json`, which has the scores of every deal, and writes this page.",
        "The bots that see hands are in `benchmarks/ceiling.py` alone: no package, table or server",
        "has them (`tests/bots/test_ceiling.py`).",
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Play on, tell how it stands, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ceiling")
    parser.add_argument("--rules", nargs="+", choices=list(PRESETS), default=["altinstar"])
    parser.add_argument("--deals", type=int, default=0, help="keep so many deals in all")
    parser.add_argument("--worlds", type=int, default=ChampionBot.worlds)
    parser.add_argument("--minutes", type=float, default=1e9, help="play no longer than that")
    parser.add_argument("--file", type=Path, default=RESULTS)
    parser.add_argument("--write", action="store_true", help="write ceiling.md")
    given = parser.parse_args()
    found: dict[str, Kept] = kept(given.file)
    until = said = time.monotonic()
    until += 60 * given.minutes
    marks = SEARCHERS["champion"].version, mark_of_networks()
    for rules in given.rules if given.deals else ():
        name = rules if given.worlds == ChampionBot.worlds else f"{rules}, {given.worlds} worlds"
        arena = found.setdefault(
            name,
            Kept(
                rules=rules, seed=_SEED, worlds=given.worlds, version=marks[0], networks=marks[1],
                numba=version("numba"), seconds={}, scores={"greedy": []},
            ),
        )  # fmt: skip
        if (arena["version"], arena["networks"]) != marks:
            parser.error(f"{name} was begun by another version, or with other networks")
        while len(arena["scores"]["greedy"]) < given.deals and time.monotonic() < until:
            play_on(arena)
            if time.monotonic() - said > _EVERY_S and len(arena["scores"]["greedy"]) > 1:
                save(given.file, found)
                print(name, stands(arena), file=sys.stderr, flush=True)
                said = time.monotonic()
        save(given.file, found)
        print(name, stands(arena), flush=True)
    if given.write:
        PAGE.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
