"""What a best response gains against each bot: ``python -m benchmarks.best_response novice 150``.

One seat searches among three of a bot whose play it knows: in its playouts the others go on as that
bot does, or as the one of the kernel's that is most like it. It is paid what it scores less than
that bot would in the same seat of the same deals. In the literature that is a local best response
(Lisý and Bowling, 2017): at least so much can be gained against the bot, and maybe more. What
``champion`` gains against ``greedy``, which its playouts know, is in ``search_strength.json``.

It plays on from ``best_response.json`` until so many deals are kept for the bot; what was begun by
another version of either is not played on.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

from benchmarks.measure import kept, save
from okey101.bots import Bot, bot_info, make_bot
from okey101.bots.champion import ChampionBot
from okey101.bots.playing import play_out
from okey101.bots.search import STEPS, SearchBot
from okey101.game import Deal, RuleSet, View
from okey101.sim.arena.chunks import arena_deal, bot_seed

if TYPE_CHECKING:
    from okey101.kernel.deals import Playouts

__all__ = ["RESULTS", "Kept"]

RESULTS: Final = Path(__file__).with_name("best_response.json")
_SEED: Final = 303
_EVERY_S: Final = 20


class AmongMasters(SearchBot):
    """It knows that all others play ``master``."""

    worlds = 400

    def _playouts(self, view: View) -> Playouts:
        from okey101.kernel.deals import Playouts

        return Playouts(view, "master", steps=STEPS)


RESPONSES: Final[dict[str, type[SearchBot]]] = {
    "novice": ChampionBot, "steady": ChampionBot, "master": AmongMasters, "neural": AmongMasters,
    "search": AmongMasters, "champion": AmongMasters,
}  # fmt: skip
"""Who answers each bot: ``champion`` takes all others for ``greedy``."""


class Kept(TypedDict):
    """Scores by deal and seat: of the bot among its like, and of the response in its place."""

    rules: str
    seed: int
    worlds: int
    response: str
    marks: list[str]
    """Name and version of the bot, and of the one whose way to search the response has."""
    bot: list[list[int]]
    best: list[list[int]]


def play_on(arena: Kept, name: str) -> None:
    """Play one more deal."""
    rules = RuleSet.preset(arena["rules"])
    number = len(arena["bot"])
    layout = arena_deal(rules, arena["seed"], number)
    assert layout.seed is not None
    seeds = [bot_seed(layout.seed, seat) for seat in range(rules.players)]
    usual: list[Bot] = [make_bot(name, seed) for seed in seeds]
    result = play_out(Deal.start(rules, layout), usual).result
    assert result is not None
    found = []
    for seat in range(rules.players):
        bots: list[Bot] = [make_bot(name, seed) for seed in seeds]
        bots[seat] = RESPONSES[name](seeds[seat])
        played = play_out(Deal.start(rules, layout), bots).result
        assert played is not None
        found.append(played.scores[seat])
    arena["bot"].append(list(result.scores))
    arena["best"].append(found)


def told(arena: Kept) -> str:
    """The mean gain so far."""
    from okey101.sim.stats import cluster_mean

    rows = zip(arena["best"], arena["bot"], strict=True)
    found = cluster_mean([tuple(a - b for a, b in zip(*pair, strict=True)) for pair in rows])
    return f"{len(arena['bot'])} deals: {found.mean:+.2f} +- {(found.high - found.low) / 2:.2f}"


def main() -> int:
    """Play on, and tell how it stands."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.best_response")
    parser.add_argument("bot", choices=RESPONSES)
    parser.add_argument("deals", type=int, help="keep so many deals in all")
    parser.add_argument("--rules", default="altinstar")
    parser.add_argument("--file", type=Path, default=RESULTS)
    given = parser.parse_args()
    found: dict[str, Kept] = kept(given.file)
    response = RESPONSES[given.bot]
    marks = [bot_info(name).mark for name in (given.bot, response.name)]
    arena = found.setdefault(
        given.bot,
        Kept(
            rules=given.rules, seed=_SEED, worlds=response.worlds, response=response.__name__,
            marks=marks, bot=[], best=[],
        ),
    )  # fmt: skip
    if arena["marks"] != marks:
        parser.error(f"begun by {' and '.join(arena['marks'])}; now {' and '.join(marks)}")
    said = 0.0
    while len(arena["bot"]) < given.deals:
        play_on(arena, given.bot)
        if time.monotonic() - said > _EVERY_S or len(arena["bot"]) == given.deals:
            save(given.file, found)
            if len(arena["bot"]) > 1:
                print(given.bot, told(arena), file=sys.stderr, flush=True)
            said = time.monotonic()
    return 0


if __name__ == "__main__":
    sys.exit(main())
