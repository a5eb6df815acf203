"""Section 2: seats and the deal."""

import hashlib
from collections.abc import Iterator
from itertools import chain

import pytest

from conftest import raises_code
from okey101.errors import IllegalAction, OkeyError
from okey101.game import Deal, Match, Phase, RuleSet, apply, deal_from_seed, parse_action
from okey101.tiles import OKEY, Tile, okey_of, tiles_of_bits
from rules.table import idle, play, refuses, rules_of, table

SEEDS = [hashlib.sha256(bytes([i])).digest() for i in range(100)]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_D2_the_turn_goes_round_in_the_order_of_the_seats(players: int) -> None:
    hands = ["R1 R3", "Y1 Y3", "K1 K3", "R5 R7"][:players]
    deal = play(table("altinstar", hands, stock="B2 B4 B6 B8 B1"), "discard R1")
    seen = [0]
    for _ in range(4):
        seen.append(deal.turn)
        deal = idle(deal, 1)
    assert seen == [i % players for i in range(5)]


def test_D2_only_the_seat_to_act_acts() -> None:
    deal = table("altinstar", ["R1 R3", "Y1 Y3"], stock="B2")
    with raises_code("not-your-turn", IllegalAction, rule="D2"):
        apply(deal, parse_action("discard Y1"), seat=1)


def test_D3_the_first_dealer_is_random() -> None:
    for players in (2, 3, 4):
        rules = RuleSet(players=players)
        dealers = [Match.new(rules, deals=3, seed=seed).dealer for seed in SEEDS]
        assert set(dealers) == set(range(players))


def test_D3_after_a_scored_deal_the_deal_passes_to_the_right(preset: str) -> None:
    rules = rules_of(preset, 3)
    match = Match.new(rules, deals=3, seed=bytes(32), dealer=2)
    starter = 2 if preset == "altinstar" else 0
    over = play(table(rules, ["R1", "R2", "R3"], starter=starter), f"discard R{starter + 1}")
    assert over.public.setup.dealer == 2
    after = match.after(over)
    assert (after.dealer, after.played) == (0, 1)
    assert after.deal().public.setup.dealer == 0


def test_D5_the_first_turn_has_no_draw(preset: str) -> None:
    deal = table(preset, ["R1 R3", "Y1 Y3"], stock="B2 B4")
    assert deal.phase is Phase.PLAY
    refuses(deal, "draw", "already-drawn", "D5")
    refuses(deal, "take", "already-drawn", "D5")
    assert play(deal, "discard R1").phase is Phase.DRAW


# D6 once more, written only from its text. The shuffle follows the documented stream.


def words(seed: bytes) -> Iterator[int]:
    """The documented stream: SHA-256 of seed, label and block number, in 32-bit words."""
    block = 0
    while True:
        digest = hashlib.sha256(seed + b"okey101 deal 1" + block.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    while (word := next(stream)) >= 2**32 // n * n:
        pass
    return word % n


def mixed(stream: Iterator[int]) -> list[int]:
    """The 106 tiles, shuffled."""
    tiles = sorted([*range(53), *range(53)])
    for i in range(105, 0, -1):
        j = below(stream, i + 1)
        tiles[i], tiles[j] = tiles[j], tiles[i]
    return tiles


def dealt_by_the_text(
    seed: bytes, dealer: int, players: int, *, starter_is_dealer: bool, riziko: bool
) -> tuple[list[int], int, list[list[int]], list[int]]:
    """The throws, the indicator, the hands and the stock, by true faces; bottom tiles first."""
    stream = words(seed)
    tiles = mixed(stream)
    stacks = [tiles[7 * s : 7 * s + 7] for s in range(15)]
    left_over = tiles[105]
    throws = [below(stream, 6) + 1]
    selected = throws[0] - 1
    stacks[selected] = [*stacks[selected], left_over]
    indicator = None
    while indicator is None:
        throws.append(below(stream, 6) + 1)
        face = stacks[selected][throws[-1] - 1]
        if face < 52 or riziko:
            indicator = face
    stacks[selected].pop(throws[-1] - 1)
    hands: list[list[int]] = [[] for _ in range(players)]
    stack, seat = selected, dealer
    while any(len(hand) < 21 for hand in hands):
        stack, seat = (stack + 1) % 15, (seat + 1) % players
        hands[seat].extend(stacks[stack])
        stacks[stack] = []
    starter = dealer if starter_is_dealer else (dealer + 1) % players
    stack = (stack + 1) % 15
    hands[starter].append(stacks[stack].pop())
    stock = []
    for _ in range(15):
        while stacks[stack]:
            stock.append(stacks[stack].pop())
        stack = (stack + 1) % 15
    return throws, indicator, hands, stock


@pytest.mark.parametrize(("players", "left"), [(2, 62), (3, 41), (4, 20)])
def test_T1_D4_D6_D7_D8_R8_R11_the_deal_at_the_table(preset: str, players: int, left: int) -> None:
    """All tiles, 22 of them to who starts; a false joker is thrown again, or makes it riziko."""
    rules = rules_of(preset, players)
    rethrown = riziko = 0
    for number, seed in enumerate(SEEDS):
        dealer = number % players
        dealt = deal_from_seed(rules, seed, dealer)
        throws, indicator, hands, stock = dealt_by_the_text(
            seed, dealer, players, starter_is_dealer=preset == "altinstar", riziko=preset == "wiki"
        )
        okey = 52 if indicator == 52 else okey_of(indicator)
        assert list(dealt.dice) == throws
        assert all(1 <= throw <= 6 for throw in throws)
        assert (dealt.indicator, dealt.okey) == (indicator, None if indicator == 52 else okey)
        for packed, hand in zip(dealt.hands, hands, strict=True):
            assert tiles_of_bits(packed) == sorted(OKEY if t == okey else t for t in hand)
        assert dealt.stock == tuple(OKEY if t == okey else t for t in stock)
        assert sorted([*chain(*hands), *stock, indicator]) == sorted([*range(53)] * 2)
        starter = dealer if preset == "altinstar" else (dealer + 1) % players
        assert [*map(len, hands)] == [21 + (seat == starter) for seat in range(players)]
        assert dealt.starter == starter == Deal.start(rules, dealt).turn
        assert len(stock) == left
        rethrown += len(throws) > 2
        riziko += indicator == Tile.F
    assert (riziko > 0, rethrown > 0) == (preset == "wiki", preset != "wiki")


def test_D6_the_selected_stack_is_drawn_last_and_its_left_over_tile_first_of_it() -> None:
    throws, _, _, stock = dealt_by_the_text(SEEDS[0], 0, 4, starter_is_dealer=True, riziko=False)
    tiles = mixed(words(SEEDS[0]))
    last = tiles[7 * (throws[0] - 1) : 7 * throws[0]]
    last.pop(throws[1] - 1)
    assert stock[-7:] == [tiles[105], *reversed(last)]


@pytest.mark.parametrize("preset", ["altinstar", "pagat"])
def test_D8_a_false_joker_is_no_indicator_where_it_is_thrown_again(preset: str) -> None:
    with pytest.raises(OkeyError, match="indicator"):
        table(preset, ["R1", "R2"], indicator="F")
    rules = rules_of(preset, 2, false_joker_indicator="riziko")
    assert table(rules, ["R1", "R2"], indicator="F").public.okey is None
