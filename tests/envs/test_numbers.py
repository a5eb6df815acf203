"""The numbers of micro-actions: one for each, by content, and the same in the kernel."""

import random

import numpy as np
import pytest

from conftest import Size
from game.random_play import random_rules
from okey101.envs.actions import N_ACTIONS, meaning, melds_in_order, numbered
from okey101.envs.observations import Observer, bounds, scaled_rules
from okey101.game import PRESETS, Deal, Options, Public, View, options_of, view_of
from okey101.game.actions import Action, Back, Lay, Meld, Swap
from okey101.kernel import KernelDeal, layout as at
from okey101.kernel.codes import codes_of, group_word
from okey101.kernel.conversion import rules_vector
from okey101.kernel.envs import MELD_RUN_FROM, NUMBERS, WIDTH, meld_number, number_of, observe
from okey101.melds import tile_of_piece


def content(action: Action, public: Public) -> object:
    """What an action does, told without places on the table."""
    if isinstance(action, Lay):
        return "lay", action.piece, public.table[action.group - 1]
    if isinstance(action, Swap):
        return "swap", action.tile, public.table[action.group - 1]
    return action


def check_numbers(options: Options) -> dict[int, Action]:
    """One number for each action, and the same only for what is the same tile by tile."""
    public = options.view.public
    found = numbered(options)
    actions = [a for a in options.actions() if not isinstance(a, Back)]
    assert {content(a, public) for a in found.values()} == {content(a, public) for a in actions}
    assert len({content(a, public) for a in actions}) == len(found)
    assert all(0 <= number < N_ACTIONS for number in found)
    for number, action in found.items():
        words = meaning(number)
        if isinstance(action, Lay | Swap):
            form = public.table[action.group - 1].form.value
            verb = "lay" if isinstance(action, Lay) else "swap"
            assert words.startswith(verb)
            assert f"> {form}" in words
        elif isinstance(action, Meld) and number < MELD_RUN_FROM:
            assert action == (options.opening if words == "open" else options.opening_pairs)
        elif isinstance(action, Meld):
            assert words.count("*") == sum(tile_of_piece(p) == 53 for p in action.pieces[0])
            assert len(words.split()) == 1 + len(action.pieces[0])
        else:
            assert words == str(action)
    return found


def walk(deal: Deal, rng: random.Random) -> set[str]:
    """Play a deal by numbers, in the game and in the kernel, and compare what both say."""
    twin = KernelDeal(deal.rules, deal.layout)
    rules, scaled = rules_vector(deal.rules), scaled_rules(deal.rules)
    observer = Observer(deal.rules)
    low, high = bounds()
    out = np.zeros(WIDTH, dtype=np.float32)
    met: set[str] = set()
    while True:
        for seat in range(deal.rules.players):
            seen = observer(view_of(deal, seat))
            observe(rules, scaled, twin.row, seat, out)
            np.testing.assert_array_equal(seen, out)
            assert ((low <= seen) & (seen <= high)).all()
        options = options_of(deal)
        found = check_numbers(options)
        codes = [c for c in map(int, twin.legal()) if c & at.OP != at.A_BACK]
        numbers = [int(number_of(twin.row, code)) for code in codes]
        assert list(dict.fromkeys(numbers)) == list(found)
        if deal.over:
            return met
        rare = [n for n in found if not 8 <= n < 62 and n != 2]
        number = rng.choice(rare if rare and rng.random() < 0.4 else list(found))
        met.add(meaning(number).split()[0] + (" > " if ">" in meaning(number) else ""))
        assert found[number] == twin.action_of(codes[numbers.index(number)])
        twin.apply(codes[numbers.index(number)])
        deal = deal.apply(found[number])


def test_melds_are_numbered_in_the_order_that_the_page_says() -> None:
    words = list(melds_in_order())
    assert [int(meld_number(word)) for word in words] == list(range(MELD_RUN_FROM, NUMBERS))
    assert len({meaning(n) for n in range(MELD_RUN_FROM, NUMBERS)}) == len(words) == 8_246


def test_no_two_numbers_mean_the_same() -> None:
    words = [meaning(number) for number in range(N_ACTIONS)]
    told = [word for word in words if word != "nothing"]
    assert len(set(told)) == len(told)
    with pytest.raises(ValueError, match="10874"):
        meaning(N_ACTIONS)


def test_every_position_of_the_presets(preset: str, size: Size) -> None:
    rng = random.Random(f"numbers {preset}")
    for _ in range(size(2, long=300)):
        walk(Deal.start(preset, seed=rng.randbytes(32), dealer=rng.randrange(4)), rng)


def test_every_position_under_rule_sets_drawn_at_random(size: Size) -> None:
    rng = random.Random("numbers of any rules")
    met: set[str] = set()
    for _ in range(size(6, long=1_000)):
        rules = random_rules(rng)
        met |= walk(
            Deal.start(rules, seed=rng.randbytes(32), dealer=rng.randrange(rules.players)), rng
        )
    assert {"meld", "lay > ", "draw", "discard", "open"} <= met


ALIKE = "R5 R6 R7 / R5 *R6 R7 / B1 Y1 K1 / B1 Y1 *R1"


def test_groups_that_differ_in_their_okeys_alone_have_a_number_each() -> None:
    """Two runs over the same numbers: whoever lays off has to say on which, not where it lies."""
    both = positions_with(ALIKE, "R8 R1 R2")
    swapped = positions_with("R5 *R6 R7 / B1 Y1 *R1 / R5 R6 R7 / B1 Y1 K1", "R8 R1 R2")
    for options in (both, swapped):
        found = check_numbers(options)
        public = options.view.public
        lays = {
            meaning(n): str(public.table[a.group - 1])
            for n, a in found.items()
            if isinstance(a, Lay) and "R8" in meaning(n)
        }
        assert lays == {
            "lay R8 > run R5-R7": "R5 R6 R7",
            "lay R8 > run R5-R7 (second)": "R5 *R6 R7",
        }


def test_equal_groups_share_a_number_that_means_the_first() -> None:
    options = positions_with("R5 R6 R7 / R5 R6 R7", "R8 R1 R2")
    found = numbered(options)
    assert [str(a) for a in found.values() if isinstance(a, Lay)] == ["lay R8 > 1"]
    assert sum(isinstance(a, Lay) for a in options.actions()) == 2


def positions_with(table: str, hand: str) -> Options:
    """An opened seat before these groups, with this hand to play; the okey is B10."""
    rules = PRESETS["pagat"].with_(reclaim_okey=True)
    seen = view_of(Deal.start(rules, seed=7), 1).to_dict()
    assert seen["okey"] == "B10"
    groups = [
        {"owner": 0, "form": "run" if text.split()[0][0] == text.split()[2][-2] else "set",
         "tiles": text}
        for text in table.split(" / ")
    ]  # fmt: skip
    seen |= {
        "hand": hand,
        "groups": groups,
        "opened": ["melds", "melds", None, None],
        "sizes": [22, len(hand.split()), 21, 21],
    }
    options = Options(View.from_dict(seen))
    compare_with_the_kernel(options)
    return options


def compare_with_the_kernel(options: Options) -> None:
    """The same numbers in the kernel for a table of groups that is laid out by hand."""
    public = options.view.public
    assert public.okey is not None
    row = np.zeros(at.SIZE, dtype=np.int64)
    row[at.OKEY_KIND] = public.okey
    row[at.N_GROUPS] = len(public.table)
    row[at.TABLE : at.TABLE + len(public.table)] = [group_word(g) for g in public.table]
    actions = [a for a in options.actions() if not isinstance(a, Back)]
    codes = [codes_of(action, public.okey)[0] for action in actions]
    numbers = [int(number_of(row, code)) for code in codes]
    assert list(dict.fromkeys(numbers)) == list(numbered(options))


def test_three_sets_of_a_number_and_two_swaps_of_a_tile() -> None:
    sets = positions_with("R1 Y1 B1 / R1 Y1 K1 / B1 K1 *1", "* R9 B11")
    assert [meaning(n) for n in check_numbers(sets) if "set" in meaning(n)] == [
        "lay * > set of 1", "lay * > set of 1 (second)", "lay * > set of 1 (third)",
    ]  # fmt: skip
    swaps = positions_with("R5 *R6 R7 / R4 R5 *R6", "R6 R9 B11")
    assert [meaning(n) for n in check_numbers(swaps) if "swap" in meaning(n)] == [
        "swap R6 > run (second)", "swap R6 > run",
    ]  # fmt: skip
