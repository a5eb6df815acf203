"""Make the positions of "Ne atarsın?" from deals of our bots, and write them to the package.

    nice -n 19 .venv/bin/python scripts/make_puzzles.py --jobs 2

A position is kept where one of the plainer bots chooses otherwise than what is best, where every
other choice costs at least three points more beyond its interval, and where other and twice as many
worlds find the same choice best among those that come near. What is worth pricing is seen from
forecasts as ``champion`` makes them, in a tenth of the time. The file says how many deals of each
rule set were looked through, and the next run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from multiprocessing import Pool
from time import monotonic
from typing import Any, Final

import okey101.review.puzzles as home
from okey101.bots import make_bot
from okey101.bots.champion import ROUNDS
from okey101.bots.playing import play_deal
from okey101.bots.search import STEPS
from okey101.game import (
    PRESETS,
    Deal,
    Opened,
    Options,
    Phase,
    View,
    apply,
    parse_position,
    position_of,
    view_of,
)  # fmt: skip
from okey101.game.actions import Action
from okey101.game.record.form import RULES_VERSION
from okey101.kernel.deals import Playouts
from okey101.melds import tile_of_piece
from okey101.review.analysis import Prices, candidates, playouts, weigh, world_seed
from okey101.review.strength import REFERENCE
from okey101.review.wording import move_of, reason
from okey101.solver import Objective, arrange_bits
from okey101.tiles import TILES

_PLAIN: Final = ("greedy", "novice", "steady")
"""Whose mistakes make a position, those of the first before those of the next."""
_SEATED: Final = ("novice", "greedy", "steady", "master")
_ASKED: Final = {"draw", "take", "open", "open-pairs", "meld", "lay", "discard", "swap"}
_BEGUN, _PRICED, _DOUBLED = 240, 1_000, 2_000
_AHEAD: Final = 30
"""Tenths of a point by which the best is ahead, at the lower end of its interval."""
_LIKELY: Final = {10: 0, 30: 3, 80: 6}
"""By how many points the mean of so many forecasts must put the best ahead to be worth pricing."""
_BATCH: Final = 16
"""Deals of a rule set that are looked through before the file is written."""
_NEAR: Final = 100
"""A choice further behind than that is no answer in twice as many worlds either."""


def weighed(view: View, choices: list[Action], worlds: int, seed: int) -> Prices:
    """The choices of a view, played out."""
    outcomes = playouts(view, REFERENCE.name).outcomes
    return weigh(outcomes, view, choices, worlds, world_seed(seed, view), every=True)


def best_by_far(view: View, choices: list[Action], played: set[Action]) -> Action | None:
    """The choice that forecasts put ahead; None where it is not worth pricing."""
    playing, seed = Playouts(view, "own", steps=STEPS, rounds=ROUNDS), world_seed(0, view)
    total, before, best = 0, 0, 0
    for worlds, ahead in _LIKELY.items():
        total = total + playing.scores(choices, seed, before, worlds - before).sum(axis=1)
        best, before = int(total.argmin()), worlds
        if played == {choices[best]} or sorted(total)[1] < total[best] + ahead * worlds:
            return None
    return choices[best]


def puzzle_of(view: View, known: set[str]) -> tuple[dict[str, Any], bool] | None:
    """A position to ask for and whether doubled worlds keep its answer.

    None where it is none, or about a theme that its seat is known for.
    """
    options = Options(view)
    # That the novice takes no discard is its rule and no mistake to learn from.
    plain = [name for name in _PLAIN if name != "novice" or view.public.phase is not Phase.DRAW]
    played = {name: make_bot(name).choose(view, options) for name in plain}
    choices = candidates(view, tuple(played.values()), REFERENCE.name)
    likely = best_by_far(view, choices, {*played.values()}) if len(choices) > 1 else None
    if likely is None or theme_of(view, likely, options) in known:
        return None
    first = weighed(view, choices, _BEGUN, 3)
    second = (first.behind(n, first.best) for n in first.second if n != first.best)
    if any(one.tenths - one.reach // 2 < _AHEAD for one in second):
        return None  # with four times the worlds the interval is half as wide
    prices = weighed(view, choices, _PRICED, 1)
    best = choices[prices.best]
    wrong = next((action for action in played.values() if action != best), None)
    if wrong is None or move_of(best, view).verb not in _ASKED:
        return None
    behind = {n: prices.behind(n, prices.best) for n in prices.second if n != prices.best}
    if any(one.tenths - one.reach < _AHEAD for one in behind.values()):
        return None
    mine = choices.index(wrong)
    fed = prices.of_seat(prices.best, mine, (view.public.turn + 1) % view.public.players)
    found = {
        "theme": theme_of(view, best, options),
        "position": position_of(view),
        "hand": arranged(view),
        "best": str(best),
        "played": str(wrong),
        "why": asdict(reason(wrong, best, view, behind[mine], fed)),
        "costs": {
            str(choices[n]): [one.tenths, one.reach]
            for n, one in sorted(behind.items(), key=lambda item: item[1].tenths)
        },
        "found": found_by(view, best),
    }
    near = [choices[n] for n, one in behind.items() if one.tenths - one.reach < _NEAR]
    again = weighed(view, [best, *near], _DOUBLED, 2)
    return found, not near or again.best == 0


def found_by(view: View, best: Action) -> int:
    """How many bots find the best choice."""
    options = Options(view)
    return sum(make_bot(name).choose(view, options) == best for name in home.ASKED)


def theme_of(view: View, best: Action, options: Options) -> str:
    """What a position is about."""
    verb, public = move_of(best, view).verb, view.public
    opened = public.opened[public.turn]
    if verb == "open-pairs" or opened is Opened.PAIRS:
        return "pairs"
    if verb == "open":
        return "opening"
    if opened is None and (options.opening or options.opening_pairs) and verb == "discard":
        return "holding"
    if public.stock_count < 2 * public.players:
        return "end"
    if verb in ("meld", "lay", "swap"):
        return "laying"
    return "taking" if verb in ("draw", "take") else "discards"


def arranged(view: View) -> str:
    """The hand as its rack would be sorted, each group ended by a slash."""
    public = view.public
    aim = Objective.PAIRS if public.opened[public.turn] is Opened.PAIRS else Objective.POINTS
    found = arrange_bits(view.hand or 0, public.okey, aim)
    assert found is not None
    groups = (" ".join(str(TILES[tile_of_piece(one)]) for one in group) for group in found.pieces)
    return " ".join([*(f"{group} /" for group in groups), str(found.left)]).rstrip()


def of_deal(number: int) -> Iterator[tuple[dict[str, Any], bool]]:
    """The positions of a deal, one a seat and theme; rule set and seats go by its number."""
    preset = list(PRESETS)[number % len(PRESETS)]
    bots = [_SEATED[(seat + number) % 4] for seat in range(4)]
    played = play_deal(preset, bots, seed=f"okey101 puzzles {number}", bot_seed=number)
    state = Deal.start(preset, played.layout)
    themes: list[set[str]] = [set() for _ in bots]
    for seat, action in played.public.actions:
        view = parse_position(position_of(view_of(state, seat)))
        assert isinstance(view, View)
        found = puzzle_of(view, themes[seat])
        if found is not None and found[0]["theme"] not in themes[seat]:
            themes[seat].add(found[0]["theme"])
            yield found
        state = apply(state, action, seat)


def of_number(number: int) -> list[tuple[dict[str, Any], bool]]:
    """What a deal gives."""
    return list(of_deal(number))


def main() -> int:
    """Look through deals until each rule set has its positions, and add them to the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=2_000, help="positions of a rule set")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9, help="end after so many")
    given = parser.parse_args()
    head: dict[str, Any] = {
        "format": home.FORMAT, "rules_version": RULES_VERSION, "reference": REFERENCE.mark,
        "worlds": _PRICED,
    }  # fmt: skip
    deals, priced, kept = dict.fromkeys(PRESETS, 0), 0, []
    if home.FILE.exists():
        told, *every = map(json.loads, home.FILE.read_text(encoding="utf-8").splitlines())
        if head.items() <= told.items():
            deals, priced, kept = told["deals"], told["priced"], every
    until = monotonic() + 60 * given.minutes
    with Pool(given.jobs) as pool:
        while monotonic() < until:
            under = Counter(home.rules_of(one["position"]) for one in kept)
            lacking = [preset for preset in PRESETS if under[preset] < given.each]
            if not lacking:
                break
            numbers = [
                number * len(PRESETS) + [*PRESETS].index(preset)
                for preset in lacking
                for number in range(deals[preset], deals[preset] + _BATCH)
            ]
            found = [pair for pairs in pool.map(of_number, numbers, 1) for pair in pairs]
            deals |= {preset: deals[preset] + _BATCH for preset in lacking}
            priced += len(found)
            kept += [puzzle for puzzle, same in found if same]
            lines = [head | {"deals": deals, "priced": priced}, *kept]
            text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines)
            home.FILE.write_text(text, encoding="utf-8")
            print(f"{deals} deals, {dict(under)} before", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
