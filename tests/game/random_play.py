"""Random legal play with every invariant checked on the way, and the tally of a long run of it.

``python -m game.random_play --deals 10000 --write FILE`` (with ``src`` and ``tests`` on the path)
plays that many deals for every preset and number of seats.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import time
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from conftest import unwrap
from okey101.errors import IllegalAction
from okey101.game import (
    PRESETS,
    Deal,
    Options,
    Phase,
    RuleSet,
    apply,
    deal_from_seed,
    options_of,
    parse_record,
    record_of,
    replay,
)
from okey101.game.actions import Action, Back, Discard, Meld
from okey101.game.openings import melds_of, pairs_of
from okey101.tiles import count_bits, distinct_bits, size_of_bits, tiles_of_bits

STYLES = ("uniform", "by-kind", "eager")
"""``uniform`` over the listed actions; ``by-kind`` first draws the kind of action, so that deals
open and finish more often; ``eager`` opens and lays down whatever it can."""
TABLES = ("2", "3", "4", "teams")
"""Numbers of seats; ``teams`` is four seats in two teams."""
_LIMIT = 20_000
"""No deal takes more actions than this."""


def rules_of(preset: str, table: str) -> RuleSet:
    """A preset at a table of :data:`TABLES`."""
    if table == "teams":
        return PRESETS[preset].with_(teams=True)
    return PRESETS[preset].with_(players=int(table))


def random_rules(rng: random.Random) -> RuleSet:
    """A consistent rule set with every choice drawn at random, mostly with low thresholds."""
    changes: dict[str, object] = {}
    for f in dataclasses.fields(RuleSet):
        options = f.metadata.get("options")
        if options is not None:
            changes[f.name] = rng.choice(options)
        elif f.name not in ("open_points", "open_pairs"):
            changes[f.name] = rng.randint(f.metadata["low"], f.metadata["high"])
    changes["open_points"] = rng.choice((51, 51, 60, 75, 101, 151))
    changes["open_pairs"] = rng.choice((4, 4, 5, 6, 7))
    changes["taken_discard_fine"] = rng.choice((0, 1, 10, 101))
    changes["teams"] = changes["players"] == 4 and rng.random() < 0.5
    if not changes["teams"]:
        changes["partner_opens"] = changes["partner_waived"] = False
    if changes["indicator_is_last_tile"]:
        changes["last_discard_takeable"] = False
    return RuleSet().with_(**changes)


def riziko_seed(rules: RuleSet, rng: random.Random) -> bytes:
    """A seed whose indicator is a false joker (D8)."""
    while True:
        seed = rng.randbytes(32)
        if deal_from_seed(rules, seed, 0).okey is None:
            return seed


@dataclass
class Tally:
    ends: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    fines: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    openings: Counter[str] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        self.ends += other.ends
        self.kinds += other.kinds
        self.fines += other.fines
        self.refused += other.refused
        self.openings += other.openings


def choose(options: Options, rng: random.Random, style: str) -> Action:
    """A listed action in the given style; taking tiles back is rare in all of them."""
    actions = options.actions()
    assert actions, (options.view.public.phase, options.view.public.actions[-6:])
    kept: list[Action] = [a for a in actions if not isinstance(a, Back)]
    if not kept or (len(kept) < len(actions) and rng.random() < 0.06):
        kept = [a for a in actions if isinstance(a, Back)]
    if style == "uniform":
        return rng.choice(kept)
    kinds: dict[type, list[Action]] = {}
    for action in kept:
        kinds.setdefault(type(action), []).append(action)
    if style == "eager":
        others = [a for a in kept if not isinstance(a, Discard)]
        if others:
            return rng.choice(kinds.get(Meld) or others)
        plain = [Discard(d.tile) for d in options.discards if not d.points] or kept
        return rng.choice(plain)
    return rng.choice(kinds[rng.choice(list(kinds))])


def short_opening(options: Options, rng: random.Random) -> Meld | None:
    """Some melds or pairs of an unopened hand, most likely too few (O5)."""
    public = options.view.public
    hand = options.view.hand or 0
    if public.phase is not Phase.PLAY or public.opened[public.turn] is not None:
        return None
    found = [*(melds_of if rng.random() < 0.5 else pairs_of)(hand, public.setup.okey)]
    rng.shuffle(found)
    chosen = []
    for group in found[:12]:
        held = distinct_bits(group.bits)
        if all(count_bits(group.bits, t) <= count_bits(hand, t) for t in held):
            chosen.append(group.pieces)
            hand -= group.bits
            if rng.random() < 0.6:
                break
    return Meld(tuple(chosen)) if chosen else None


def check_state(deal: Deal) -> None:
    """Tiles are conserved, sizes agree, and what is known is true (T1, T2)."""
    public = deal.public
    assert public.sizes == tuple(map(size_of_bits, deal.hands))
    tiles: list[int] = list(deal.stock)
    for hand in deal.hands:
        tiles += tiles_of_bits(hand)
    for pile in public.discards:
        tiles += pile
    for group in public.table:
        tiles += group.tiles
    if not public.must_finish:
        tiles.append(public.setup.indicator)
    assert len(tiles) == 106
    dealt = [public.setup.indicator, *deal.layout.stock]
    for hand in deal.layout.hands:
        dealt += tiles_of_bits(hand)
    assert sorted(tiles) == sorted(dealt)
    for known, hand in zip(public.known, deal.hands, strict=True):
        assert all(count_bits(known, t) <= count_bits(hand, t) for t in distinct_bits(known))
    mask = 0
    for group in public.table:
        mask |= group.accepts
    assert public.playable == mask


def check_options(deal: Deal, options: Options) -> None:
    """Every listed action is legal in its normal form, and other seats have none."""
    for action in options.actions():
        assert deal.judge(action).action == action, action
    for seat in range(deal.rules.players):
        if seat != deal.turn or deal.over:
            assert options_of(deal, seat).actions() == ()


def refused(deal: Deal, action: Action, seat: int | None = None) -> IllegalAction:
    """Play an illegal action: it raises, and the deal is what it was."""
    before = (deal.hands, deal.drawn, deal.public, deal.public.actions)
    try:
        apply(deal, action, seat)
    except IllegalAction as error:
        assert (deal.hands, deal.drawn, deal.public, deal.public.actions) == before
        if error.code and error.rule:
            return error
    raise AssertionError(f"{action} by {seat} was played")


def steps(
    deal: Deal, rng: random.Random, style: str, tally: Tally | None = None, *, checked: float = 1.0
) -> Iterator[Deal]:
    """Every state of a deal played at random; the share ``checked`` of them is checked in full."""
    tally = Tally() if tally is None else tally
    while True:
        yield deal
        if deal.over:
            return
        assert len(deal.public.actions) < _LIMIT
        options = options_of(deal)
        full = rng.random() < checked
        if full:
            check_state(deal)
            check_options(deal, options)
        chance = rng.random()
        action = choose(options, rng, style)
        if chance < 0.02:
            seat = (deal.turn + rng.randrange(1, deal.rules.players)) % deal.rules.players
            assert refused(deal, action, seat).code == "not-your-turn"
            tally.refused += 1
        elif chance < 0.04:
            short = short_opening(options, rng)
            if short is not None and short in deal.legal_actions():
                action = short
            elif short is not None:
                refused(deal, short)
                tally.refused += 1
        tally.kinds[type(action).__name__.lower()] += 1
        deal = apply(deal, action, deal.turn)


def states(rules: RuleSet, rng: random.Random, style: str = "uniform") -> list[Deal]:
    deal = Deal.start(rules, seed=rng.randbytes(32), dealer=rng.randrange(rules.players))
    return list(steps(deal, rng, style, checked=0))


def check_end(deal: Deal, tally: Tally) -> None:
    """The deal ended as deals end, and nothing more can be done in it."""
    result = unwrap(deal.result)
    assert (result.winner is None) == (result.end.value != "finish")
    if result.winner is not None:
        assert deal.hands[result.winner] == 0
        assert deal.public.opened[result.winner] is not None
    empty = [seat for seat, hand in enumerate(deal.hands) if not hand]
    assert empty == ([] if result.winner is None else [result.winner])
    for seat, line in enumerate(result.sheet):
        assert line.seat == seat
        assert line.fines == sum(f.points for f in result.fines if f.seat == seat)
        assert line.total == line.base * 2 ** len(line.factors) + line.fines
    assert result.scores == tuple(line.total for line in result.sheet)
    assert refused(deal, deal.public.actions[-1][1]).code == "deal-over"
    tally.ends[result.end.value if result.counts else f"{result.end.value} (void)"] += 1
    tally.fines.update(fine.rule for fine in result.fines)
    tally.openings.update("none" if o is None else o.value for o in deal.public.opened)


def check_record(deal: Deal) -> None:
    """The record of a deal survives writing and reading, and replays to the same deal."""
    record = record_of(deal.rules, [deal])
    text = record.to_json()
    again = parse_record(text)
    assert again == record
    assert again.to_json() == text
    played = replay(again)
    assert played.deals == (deal,)
    assert played.deals[0].result == deal.result
    if deal.result is not None:
        assert played.totals == deal.result.scores


def play_deal(
    rules: RuleSet,
    seed: bytes,
    rng: random.Random,
    *,
    style: str = "by-kind",
    tally: Tally | None = None,
    checked: float = 1.0,
) -> Deal:
    """Play a deal to its end at random, and check it, its end and its record."""
    tally = Tally() if tally is None else tally
    deal = Deal.start(rules, seed=seed, dealer=rng.randrange(rules.players))
    deal = deque(steps(deal, rng, style, tally, checked=checked), maxlen=1).pop()
    check_state(deal)
    check_end(deal, tally)
    check_record(deal)
    return deal


def play_many(preset: str, table: str, first: int, count: int, checked: float = 0.05) -> Tally:
    """Deals ``first`` to ``first + count - 1`` of a preset and table, styles taking turns."""
    tally = Tally()
    rules = rules_of(preset, table)
    for number in range(first, first + count):
        rng = random.Random(f"{preset} {table} {number}")
        style = STYLES[number % len(STYLES)]
        play_deal(rules, rng.randbytes(32), rng, style=style, tally=tally, checked=checked)
    return tally


def main() -> None:
    """Play the long run and write its tally as a page."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    begun = time.monotonic()
    chunk = min(250, args.deals)
    jobs = [(p, t, n) for p in PRESETS for t in TABLES for n in range(0, args.deals, chunk)]
    tallies: dict[tuple[str, str], Tally] = {(p, t): Tally() for p in PRESETS for t in TABLES}
    with ProcessPoolExecutor(args.workers) as pool:
        parts = pool.map(play_many, *zip(*((*j, chunk) for j in jobs), strict=True))
        for (preset, table, _), tally in zip(jobs, parts, strict=True):
            tallies[preset, table].add(tally)
    page = _page(tallies, args.deals, time.monotonic() - begun)
    if args.write:
        args.write.write_text(page, encoding="utf-8")
    else:
        print(page)


def _page(tallies: dict[tuple[str, str], Tally], deals: int, seconds: float) -> str:
    actions = sum(sum(t.kinds.values()) for t in tallies.values())
    lines = [
        "# Random legal play",
        "",
        f"{deals:,} deals for every preset and table, drawn in three styles, {actions:,} actions",
        f"in all ({seconds / 60:.0f} minutes). Tiles, sizes, known tiles and options were checked",
        "at one state in twenty, the end and the replay of its record in every deal. No call",
        "raised anything but the refusals asked for.",
        "Made by `python -m game.random_play`; the tests marked long repeat it.",
        "",
    ]
    for title, pick in (
        ("How the deals ended", "ends"),
        ("Hands, by how they opened", "openings"),
        ("Fines that stood", "fines"),
        ("Actions", "kinds"),
    ):
        names = sorted({name for t in tallies.values() for name in getattr(t, pick)})
        lines += [f"## {title}", ""]
        lines += ["| preset | table | " + " | ".join(names) + " |"]
        lines += ["| --- | --- |" + " ---: |" * len(names)]
        for (preset, table), tally in tallies.items():
            cells = (f"{getattr(tally, pick)[name]:,}" for name in names)
            lines.append(f"| {preset} | {table} | " + " | ".join(cells) + " |")
        lines.append("")
    refusals = sum(t.refused for t in tallies.values())
    lines.append(f"{refusals:,} illegal actions were tried and refused, with nothing changed.")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
