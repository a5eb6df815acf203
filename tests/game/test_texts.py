"""Everything that has a text form comes back from it, and deals are values."""

import copy
import json
import pickle
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from conftest import raises_code, unwrap
from game.random_play import STYLES, rules_of, steps
from game.test_golden import digest
from okey101 import (
    Action,
    NotationError,
    OkeyError,
    Record,
    View,
    parse_position,
    position_of,
    testing as strategies,
)
from okey101.game import (
    PRESETS,
    Deal,
    Match,
    Public,
    RuleSet,
    apply,
    options_of,
    parse_action,
    parse_line,
    parse_record,
    record_of,
    view_of,
)
from okey101.game.public import FORM
from okey101.melds import (
    Group,
    groups_text,
    make_group,
    parse_group,
    parse_groups,
    parse_piece,
    piece_text,
)
from okey101.tiles import Rack, Tile, parse_tile


@given(strategies.tiles)
def test_tiles(tile: Tile) -> None:
    assert parse_tile(str(tile)) is tile
    assert parse_tile(str(tile).lower()) is tile
    assert eval(repr(tile)) is tile


@given(strategies.racks(), strategies.rngs())
def test_racks(rack: Rack, rng: random.Random) -> None:
    assert Rack.parse(str(rack)) == rack
    assert eval(repr(rack)) == rack
    words = str(rack).split()
    rng.shuffle(words)
    assert Rack.parse("  ".join(words).lower()) == rack
    assert str(Rack(rack)) == str(rack)
    assert len(rack) == len(words)


@given(strategies.pieces())
def test_pieces(piece: int) -> None:
    assert parse_piece(piece_text(piece)) == piece


@given(st.data())
def test_groups(data: st.DataObject) -> None:
    okey = data.draw(strategies.okeys)
    group = data.draw(strategies.groups(okey))
    words = data.draw(st.permutations(str(group).split()))
    assert parse_group(" ".join(words).lower(), okey=okey) == group
    assert str(parse_group(str(group), okey=okey)) == str(group)
    assert parse_groups(groups_text((group.pieces,))) == (group.pieces,)
    scope: dict[str, object] = {"parse_group": parse_group, "Tile": Tile}
    assert eval(repr(group), scope) == group


@pytest.mark.parametrize("other", [8, 19, 52])
def test_O6_a_pair_of_the_twin_prints_as_the_code_that_makes_it(other: int) -> None:
    group = make_group((6, other), 31, 6)
    assert eval(repr(group), {"parse_group": parse_group, "Tile": Tile}) == group


@given(st.data())
def test_groups_have_one_normal_form(data: st.DataObject) -> None:
    okey = data.draw(strategies.okeys)
    group: Group = data.draw(strategies.groups(okey))
    again = make_group(tuple(data.draw(st.permutations(group.pieces))), okey)
    assert again == group
    assert hash(again) == hash(group)
    assert make_group(group.pieces, okey).pieces == group.pieces
    # A tile that the group accepts makes it one longer; no other does.
    for kind in range(52):
        natural = Tile.F if kind == okey else kind
        assert group.takes(natural) == bool(group.accepts >> kind & 1)
        if group.takes(natural):
            assert len(group.extended(natural)) == len(group) + 1


@given(strategies.actions())
def test_actions(action: Action) -> None:
    text = str(action)
    assert parse_action(text) == action
    assert parse_action(f"  {text.lower()} ") == action
    assert parse_line(text) == (None, action)
    assert parse_line(f"3: {text}") == (3, action)
    assert eval(repr(action), vars(__import__("okey101.game.actions").game.actions)) == action


@pytest.mark.parametrize("text", ["*0", "*14", "*05", "*²", "*" + "9" * 5_000, None, 5, b"*5"])
def test_an_okey_of_no_number_is_no_piece(text: object) -> None:
    with raises_code("bad-tile", NotationError):
        parse_piece(text)


def refusal(read: Callable[[str], object], text: str) -> NotationError | None:
    """The error of a text that can't be read; any other exception goes through."""
    try:
        read(text)
    except NotationError as error:
        return error
    return None


@given(st.text())
def test_other_texts_are_refused_in_one_way(text: str) -> None:
    for read in (parse_tile, parse_piece, parse_action, parse_line, Rack.parse, parse_groups):
        error = refusal(read, text)
        assert error is None or 0 <= error.position <= len(text)


# fmt: off
WORDS = st.sampled_from((
    "meld", "lay", "discard", "swap", "back", "draw", "R7", "K13", "*", "*5", "*R8", "**", "F",
    "/", ">", ":", "0", "1", "99999", "-1", "r7", "ı", "İ", "²", "٣",
))
# fmt: on


@given(st.lists(WORDS).map(" ".join))
def test_near_texts_are_refused_in_one_way(text: str) -> None:
    for read in (parse_action, parse_line, parse_groups, Rack.parse):
        error = refusal(read, text)
        assert error is None or 0 <= error.position <= len(text)
        if error is None and read is parse_action:
            action = parse_action(text)
            assert parse_action(str(action)) == action


@given(strategies.rule_sets())
def test_rule_sets(rules: RuleSet) -> None:
    data = json.loads(json.dumps(rules.to_dict()))
    assert RuleSet.from_dict(data) == rules
    assert eval(repr(rules)) == rules
    # A record may name a preset and only what differs from it.
    for preset in ("altinstar", "pagat", "wiki"):
        short = {name: ours for name, (_, ours) in rules.differences(preset).items()}
        assert RuleSet.from_dict({"preset": preset} | short) == rules
    assert hash(RuleSet.from_dict(data)) == hash(rules)


@given(strategies.deals(), st.lists(st.text(st.characters(codec="utf-8"), max_size=20)))
def test_records(deal: Deal, names: list[str]) -> None:
    seats = deal.rules.players
    record = record_of(deal.rules, [deal], players=(names + [""] * 4)[:seats], deals_agreed=7)
    read = parse_record(record.to_json())
    assert isinstance(read, Record)
    assert read == record
    assert parse_record(record.to_json().encode()) == record
    assert read.to_json() == record.to_json()


def test_what_is_no_group_is_shown_where_it_stands() -> None:
    for text in ("lay R5 > x", "swap R5>x"):
        assert unwrap(refusal(parse_action, text)).position == text.index(">") + 1


# A position as a line of text ---------------------------------------------------------------------


def without_play(position: Deal | View) -> dict[str, object]:
    return FORM.view(position.public) | {"actions": []}


@settings(max_examples=60)
@given(strategies.states(), st.data())
def test_a_position_is_read_again(deal: Deal, data: st.DataObject) -> None:
    line = position_of(deal)
    assert "\n" not in line
    again = parse_position(line)
    assert isinstance(again, Deal)
    assert position_of(again) == line
    assert (again.hands, again.stock, again.drawn) == (deal.hands, deal.stock, deal.drawn)
    assert without_play(again) == without_play(deal)
    assert options_of(again).to_dict() == options_of(deal).to_dict()
    view = view_of(deal, data.draw(st.sampled_from([None, *range(deal.rules.players)])))
    seen = parse_position(position_of(view))
    assert isinstance(seen, View)
    assert (seen.seat, seen.hand, seen.drawn) == (view.seat, view.hand, view.drawn)
    assert without_play(seen) == without_play(view)
    if not deal.over:
        action = next(iter(deal.legal_actions()))
        assert position_of(again.apply(action)) == position_of(deal.apply(action))


def test_a_view_tells_no_more_than_is_seen() -> None:
    deal = Deal.start("pagat", seed=7)
    line = position_of(view_of(deal, 1))
    assert str(deal.rack(1)) in line
    for hidden in (str(deal.rack(0)), " ".join(map(str, deal.stock))):
        assert hidden not in line
    assert position_of(view_of(deal, None)).count("?") == 5


LINE = position_of(Deal.start("pagat", seed=7))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("deal;", "dael;", "bad-position"),
        ("deal;", "seat 7;", "bad-seat"),
        ("pagat", "paget", "unknown-preset"),
        ("pagat", "pagat player=3", "unknown-field"),
        ("B9 0;", "B99 0;", "bad-tile"),
        ("B9 0;", "B9;", "bad-position"),
        ("1 play", "1 plya", "bad-value"),
        ("1 play", "4 play", "bad-seat"),
        ("R1 R1 R2", "R1 R1 R1", "too-many-copies"),
        ("F F * /", "F ?2 /", "bad-position"),
        ("; -; ", "; 0 R1 R5 R9; ", "not-a-run"),
        ("; -; ", "; 0 B1 B2 B3; ", "too-many-tiles"),
        ("dice=", "dize=", "bad-position"),
        ("dice=[", "dice=(", "bad-position"),
        ("dice=", "dice=" + "[" * 99_999, "bad-position"),
        ("pagat", "pagat players=" + "[" * 99_999, "bad-value"),
        ("pagat", "", "unknown-preset"),
        ("1 play", "9" * 5_000 + " play", "bad-seat"),
        ("; -; ", "", "bad-position"),
    ],
)
def test_a_line_that_is_no_position(old: str, new: str, code: str) -> None:
    assert old in LINE
    with raises_code(code):
        parse_position(LINE.replace(old, new, 1))


def test_a_positions_last_part_may_be_left_out() -> None:
    position, _, _ = LINE.rpartition(";")
    assert parse_position(position).public.sizes == parse_position(LINE).public.sizes


VIEW = position_of(view_of(Deal.start("pagat", seed=7), 1))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("?21 /", "?22 /", "too-many-tiles"),
        ("?20;", "?21;", "too-many-tiles"),
        ("?21 /", "- /", "empty-hand"),
        ("1 play", "1 over", "bad-position"),
    ],
)
def test_a_line_that_no_deal_can_have(old: str, new: str, code: str) -> None:
    assert old in VIEW
    with raises_code(code):
        parse_position(VIEW.replace(old, new, 1))


# Deals are values: they don't change, and survive comparing, hashing and pickling -----------------


def states(number: int) -> list[Deal]:
    rng = random.Random(number)
    rules = rules_of(list(PRESETS)[number % 3], "234"[number % 3])
    deal = Deal.start(rules, seed=rng.randbytes(32))
    return list(steps(deal, rng, STYLES[number % 3], checked=0))


STATES = [state for number in range(3) for state in states(number)[::7]]


def test_nothing_can_be_set() -> None:
    deal = STATES[20]
    rack = deal.rack(0)
    values: tuple[object, ...] = (
        deal, deal.public, deal.layout, rack, deal.rules, view_of(deal, 0), deal.public.setup,
        Match.new(RuleSet(), deals=3, seed=bytes(32)), record_of(deal.rules, [deal]),
        parse_group("R7 R8 R9"),
    )  # fmt: skip
    for value in values:
        slots = [s for c in type(value).__mro__ for s in getattr(c, "__slots__", ())]
        slots += getattr(value, "_fields", ())
        assert slots
        for name in (*slots, "other"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, 1)
            with pytest.raises((AttributeError, TypeError)):
                delattr(value, name)


def test_apply_leaves_the_old_deal_as_it_was() -> None:
    for deal in STATES:
        if deal.over:
            continue
        before = pickle.dumps((deal.hands, deal.drawn, deal.public, deal.layout))
        for action in options_of(deal).actions():
            after = apply(deal, action)
            assert after != deal
            assert after.public.actions[:-1] == deal.public.actions
        assert pickle.dumps((deal.hands, deal.drawn, deal.public, deal.layout)) == before


def test_pickles_copies_equality_and_hashes() -> None:
    for deal in STATES:
        for again in (pickle.loads(pickle.dumps(deal)), copy.copy(deal), copy.deepcopy(deal)):
            assert again == deal
            assert hash(again) == hash(deal)
            assert again.public == deal.public
            assert type(again.public) is Public
            assert options_of(again).to_dict() == options_of(deal).to_dict()
        view = view_of(deal, 0)
        assert pickle.loads(pickle.dumps(view)) == view
    assert len(set(STATES)) == len(STATES)
    assert STATES[0] != STATES[1]
    assert STATES[0].public != object()


def test_racks_are_values() -> None:
    rack = Rack.parse("R1 R1 F *")
    assert pickle.loads(pickle.dumps(rack)) == rack == copy.deepcopy(rack)
    assert {rack: 1}[Rack.parse("* F R1 R1")] == 1
    with pytest.raises(OkeyError, match="R2 is not in the rack"):
        rack - Rack.parse("R2")


def test_equal_play_gives_equal_deals() -> None:
    first, second = states(2), states(2)
    assert first == second
    assert list(map(hash, first)) == list(map(hash, second))
    record = record_of(first[-1].rules, [first[-1]])
    assert digest(record) == digest(record_of(second[-1].rules, [second[-1]]))
