"""Everything that has a text form comes back from it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from okey101 import testing as strategies
from okey101.errors import NotationError
from okey101.game import Deal, RuleSet, parse_action, parse_line, parse_record, record_of
from okey101.game.actions import Action
from okey101.game.record import Record
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


@given(st.data())
def test_groups_have_one_normal_form(data: st.DataObject) -> None:
    okey = data.draw(strategies.okeys)
    group: Group = data.draw(strategies.groups(okey))
    shuffled = data.draw(st.permutations(group.pieces))
    again = make_group(tuple(shuffled), okey)
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
