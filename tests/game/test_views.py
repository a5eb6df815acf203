"""Views and options tell nothing hidden; worlds agree with the view they come from (T2)."""

import json
import random
from collections import Counter
from functools import cache, partial
from itertools import permutations
from typing import Any, TypeAlias

import pytest

from conftest import Size, strangeness
from game import random_play
from game.brute import plain_actions
from game.hidden import other_deal, replayed
from game.random_play import STYLES, TABLES, choose, random_rules, rules_of
from game.test_perft import start_of
from okey101.errors import IllegalAction
from okey101.game import (
    PRESETS,
    Deal,
    Opened,
    Options,
    RuleSet,
    View,
    apply,
    deal_from_hands,
    determinize,
    options_of,
    parse_action,
    view_of,
)
from okey101.game.actions import Action, Meld
from okey101.game.dealing import deck_bits
from okey101.game.duties import can_finish, can_use, duty_met, owes
from okey101.game.openings import melds_of
from okey101.game.public import Draft
from okey101.melds import parse_group
from okey101.tiles import (
    BITS_OF,
    Rack,
    Tile,
    bits_of_tiles,
    parse_tile,
    size_of_bits,
    tiles_of_bits,
)


def text(data: dict[str, object]) -> bytes:
    return json.dumps(data).encode()


def tables(size: int, name: str) -> list[tuple[RuleSet, random.Random, str]]:
    """Presets, tables and mixed rule sets in turn, with a generator and a style each."""
    found = []
    for number in range(size):
        rng = random.Random(f"{name} {number}")
        preset = list(PRESETS)[number % 3]
        rules = rules_of(preset, TABLES[number // 3 % 4]) if number % 2 else random_rules(rng)
        found.append((rules, rng, STYLES[number % len(STYLES)]))
    return found


def attempts(deal: Deal, rng: random.Random) -> list[Action]:
    """Actions of all kinds, most of them illegal."""
    tried = list(plain_actions(deal))
    rng.shuffle(tried)
    hand = deal.hands[deal.turn]
    groups = [g.pieces for g in melds_of(hand, deal.public.okey)[:5]]
    junk = [tuple(rng.choices(range(53), k=3)) for _ in range(3)]
    melds = [Meld((pieces,)) for pieces in (*groups, *junk)]
    return [*tried[:60], *melds]


def answer(deal: Deal, action: Action, seat: int) -> tuple[object, ...]:
    """What the seat hears when it tries an action."""
    try:
        after = apply(deal, action, seat)
    except IllegalAction as error:
        return (error.code, error.rule, error.message, sorted(map(str, error.details.items())))
    drew = after.public.stock_count < deal.public.stock_count
    return () if drew or after.over else (text(view_of(after, seat).to_dict()),)


def compare(deal: Deal, other: Deal, seat: int | None, rng: random.Random) -> None:
    mine, theirs = view_of(deal, seat), view_of(other, seat)
    assert text(mine.to_dict()) == text(theirs.to_dict())
    assert text(Options(mine).to_dict()) == text(Options(theirs).to_dict())
    assert Options(mine).actions() == Options(theirs).actions()
    if seat is not None:
        for action in attempts(deal, rng) if seat == deal.turn else ():
            assert answer(deal, action, seat) == answer(other, action, seat), action
        if seat != deal.turn:
            action = rng.choice(options_of(deal).actions())
            assert answer(deal, action, seat) == answer(other, action, seat)


@pytest.mark.parametrize("part", range(3))
def test_T2_hidden_tiles_make_no_difference(part: int, size: Size) -> None:
    compared, told_apart = 0, Counter[str]()
    for rules, rng, style in tables(size(14, long=700), f"hidden {part}"):
        states = random_play.states(rules, rng, style)
        for seat in (None, *range(rules.players)):
            seen = states[: rng.randrange(1, len(states))]
            try:
                others = replayed(other_deal(seen, seat, rng), seen)
            except IllegalAction as error:
                # Somebody else's duty: by taking a tile he showed that he can use it.
                told_apart[error.code] += 1
                continue
            compare(seen[-1], others[-1], seat, rng)
            early = rng.randrange(len(seen))
            assert text(view_of(seen[early], seat).to_dict()) == text(
                view_of(others[early], seat).to_dict()
            )
            compared += 1
    assert compared > 5 * sum(told_apart.values())
    assert set(told_apart) <= {"taken-useless", "taken-not-used", "indicator-no-finish"}


def check_world(view: View, world: Deal) -> None:
    """A world drawn from a view looks like it, and holds every tile once."""
    again = view_of(world, view.seat)
    assert again == view
    assert text(again.to_dict()) == text(view.to_dict())
    assert text(Options(again).to_dict()) == text(Options(view).to_dict())
    public = world.public
    assert tuple(map(size_of_bits, world.hands)) == public.sizes
    assert len(world.stock) == public.stock_count
    tiles = [t for hand in world.hands for t in tiles_of_bits(hand)]
    tiles += [*world.stock]
    tiles += [t for pile in public.discards for t in pile]
    tiles += [t for group in public.table for t in group.tiles]
    if not public.must_finish:
        tiles.append(public.setup.indicator)
    assert len(tiles) == 106
    assert max(Counter(tiles).values()) == 2


def play_out(deal: Deal, rng: random.Random) -> None:
    """Play a deal at random to its end."""
    for _ in range(5000):
        if deal.over:
            return
        deal = apply(deal, choose(options_of(deal), rng, "by-kind"), deal.turn)
    raise AssertionError("no end")


@pytest.mark.parametrize("part", range(3))
def test_determinize_agrees_with_its_view(part: int, size: Size) -> None:
    for rules, rng, style in tables(size(10, long=500), f"worlds {part}"):
        states = random_play.states(rules, rng, style)
        for seat in (None, *range(rules.players)):
            view = view_of(rng.choice(states[:-1]), seat)
            world = determinize(view, rng)
            check_world(view, world)
            if seat is not None:
                play_out(world, rng)


def test_determinize_of_an_ended_deal(size: Size) -> None:
    for rules, rng, style in tables(size(10, long=200), "ended"):
        view = view_of(random_play.states(rules, rng, style)[-1], rng.randrange(rules.players))
        check_world(view, determinize(view, rng))


def test_U2_E4_worlds_let_the_seat_do_its_duty(size: Size) -> None:
    """While another seat owes something, every world drawn lets it pay."""
    met: Counter[bool] = Counter()
    for rules, rng, style in tables(size(90, long=4000), "duties"):
        for deal in random_play.states(rules, rng, style)[:-1]:
            if not owes(deal.public) or rng.random() < 0.5:
                continue
            assert duty_met(deal.public, deal.hands[deal.turn])
            for seat in {None, (deal.turn + 1) % rules.players}:
                view = view_of(deal, seat)
                world = determinize(view, rng)
                check_world(view, world)
                met[duty_met(world.public, world.hands[world.turn])] += 1
                if met[True] and duty_met(world.public, world.hands[world.turn]):
                    play_out(world, rng)
    assert met[True] > 25
    assert not met[False], met


def test_E4_worlds_let_the_seat_finish_with_the_indicator() -> None:
    deal, _ = start_of("indicator")
    line = (
        "meld R13 Y13 B13 K13", "discard R9", "draw", "discard Y10", "indicator",
    )  # fmt: skip
    for text_ in line:
        deal = apply(deal, parse_action(text_))
    assert deal.public.must_finish
    rng = random.Random(1)
    for seat in (None, 1) * 10:
        world = determinize(view_of(deal, seat), rng)
        assert duty_met(world.public, world.hands[0])
        play_out(world, rng)


PLAIN = "R5 R6 R8 R9 R11 R12 Y5 Y6 Y8 Y9 Y11 Y12 K4 K7 K10 B4 B7 B10"
"""Tiles of which no three are a meld."""
FULL = "R13 Y13 K13 B13"
"""A set that takes no tile more."""


def owing(
    hand: str,
    others: str,
    *laid: str,
    opened: Opened | None = None,
    taken: str = "",
    **changes: Any,
) -> Deal:
    """Seat 0 has drawn the indicator, a blue 1, and has to finish, or has taken a discard.

    Seat 1 sees all but the hand and these others.
    """
    rules = RuleSet.preset("pagat").with_(players=2, **changes)
    groups = tuple(parse_group(text, okey=Tile.B2) for text in laid)
    mine, stock = Rack.parse(hand).bits, Rack.parse(others).bits
    seen = deck_bits(Tile.B1) - mine - stock - sum(group.bits for group in groups)
    dealt = deal_from_hands(
        rules, indicator=Tile.B1, hands=(mine, seen), stock=tuple(tiles_of_bits(stock)), dealer=1
    )
    draft = Draft.of(Deal.start(rules, dealt).public)
    draft.table, draft.owners = groups, (0,) * len(groups)
    draft.opened = (opened, None)
    assert draft.turn == 0
    if taken:
        draft.taken = int(parse_tile(taken))
        draft.known = (BITS_OF[draft.taken], 0)
        return Deal(dealt, draft.seal(), dealt.hands)
    draft.must_finish = True
    draft.known = (BITS_OF[Tile.B1], 0)
    draft.sizes = (size_of_bits(mine) + 1, size_of_bits(seen))
    return Deal(dealt, draft.seal(), (mine + BITS_OF[Tile.B1], seen))


def pays(deal: Deal) -> None:
    """Worlds of seat 1 let seat 0 do what it owes, though next to no hand does."""
    view, taken = view_of(deal, 1), deal.public.taken
    for seed in range(3):
        world = determinize(view, random.Random(seed))
        assert view_of(world, 1) == view
        dealt = world.hands[0] + bits_of_tiles(world.stock)
        assert dealt == deal.hands[0] + bits_of_tiles(deal.stock)
        if taken is None:
            assert can_finish(world.public, world.hands[0])
        else:
            assert can_use(world.public, world.hands[0], taken)


def test_E4_the_only_meld_there_is_goes_to_the_hand_that_has_to_finish() -> None:
    pays(owing("R1 R2 R3", f"{PLAIN} {PLAIN}", FULL, opened=Opened.MELDS))


@pytest.mark.parametrize(
    ("hand", "taken", "run"),
    [
        ("R6 R7 R8 R9 R10", "R10", "R3 R4 R5"),
        ("R1 R2 R3 R4 R5", "R1", "R6 R7 R8"),
        ("R6 R7 R8 R9 R10", "R6", "R11 R12 R13"),
        ("B1 F B3 B4 B5", "B1", "B6 B7 B8"),
        ("F B3 B4 B5 B6", "F", "B7 B8 B9"),
        ("K1 K2 K3 K4", "K4", "K5 K6 K7"),
    ],
)
def test_U2_M4_a_hand_that_took_a_tile_gets_the_bridge_to_it(
    hand: str, taken: str, run: str
) -> None:
    others = "Y5 Y6 Y8 Y9 Y11 Y12 Y13 Y1 Y2"
    others = f"{others} {others}"
    pays(owing(f"{hand} Y3", others, run, opened=Opened.PAIRS, taken=taken))


def test_O2_U2_an_unopened_hand_that_took_a_tile_gets_the_pairs_to_open() -> None:
    singles = PLAIN.replace("Y9 ", "")
    pays(owing("R2 R2 Y3 Y3 K2 K2 B3 B3 Y9 Y9 K13", singles, FULL, taken="Y9"))


@pytest.mark.parametrize("pairs_lay_off", ["all", "none"])
def test_E4_O3_X6_an_unopened_hand_that_has_to_finish_gets_the_lay_offs_too(
    pairs_lay_off: str,
) -> None:
    hand = "R11 R12 R13 Y11 Y12 Y13 K11 K12 K13 R4 Y6 K8"
    laid = ("R1 R2 R3", "Y3 Y4 Y5", "K5 K6 K7")
    others = "R7 R9 Y1 Y9 B3 B4 B6 B8 B10 K3"
    pays(owing(hand, others, *laid, pairs_lay_off=pairs_lay_off))


# Worlds are drawn as often as they should be: small positions, all enumerated ---------------------

World: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""All hands, and the stock in its order."""


def _every(view: View) -> dict[World, float]:
    """Each world of a view with its chance: every order of the unseen tiles is as likely.

    The other way round than `determinize`: tiles are given to places, and what contradicts the
    view is thrown away.
    """
    public = view.public
    known = public.known[0]
    pool = tiles_of_bits(view.unseen - known)
    missing = public.sizes[0] - size_of_bits(known)
    worlds: Counter[World] = Counter()
    pays = cache(partial(duty_met, public))
    for order in permutations(pool):
        hand = known + bits_of_tiles(order[:missing])
        if not pays(hand):
            continue
        stock = order[missing : missing + public.stock_count]
        worlds[(hand, view.hand or 0), stock] += 1
    total = sum(worlds.values())
    return {world: count / total for world, count in worlds.items()}


def _position(name: str) -> Deal:
    """A position of two seats in which seat 1 sees all but seven tiles."""
    laid = {"opened": Opened.MELDS}
    match name:
        case "free":  # seat 0 may put back what it took, so it owes nothing
            return owing("R2 R3 K9", "R3 B7 B7", taken="R2", return_discard=True)
        case "taken":  # what it took has to be used with tiles of its own
            hand, stock = "R3 R4 R5 K9", "B7 B7 Y9"
            return owing(hand, stock, FULL, taken="R3", return_discard=False, **laid)
        case _:  # it drew the indicator, a blue 1, and has to finish with it
            return owing("Y1 K1 K9", "R1 B7 Y9", FULL, **laid)


@pytest.mark.parametrize("name", ["free", "taken", "indicator"])
def test_every_consistent_world_comes_as_often_as_it_should(name: str, size: Size) -> None:
    view = view_of(_position(name), 1)
    chances = _every(view)
    assert owes(view.public) == (name != "free")
    assert len(chances) > 10
    rng = random.Random(name)
    draws = size(1_500, long=100_000)
    seen: Counter[World] = Counter()
    for _ in range(draws):
        world = determinize(view, rng)
        seen[world.hands, world.layout.stock] += 1
    assert strangeness(seen, chances) < 4, name
    assert draws < 50_000 or set(seen) == set(chances)


def test_a_world_that_comes_too_often_is_told() -> None:
    """The comparison above sees a bias: seat 0 as a rule given the first of the unseen tiles."""
    view = view_of(_position("free"), 1)
    chances = _every(view)
    rng = random.Random(1)
    first = tiles_of_bits(view.unseen - view.public.known[0])[0]
    seen: Counter[World] = Counter()
    for _ in range(3_000):
        world = determinize(view, rng)
        while rng.random() < 0.4 and not world.hands[0] >> 2 * first & 3:
            world = determinize(view, rng)
        seen[world.hands, world.layout.stock] += 1
    assert strangeness(seen, chances) > 4
