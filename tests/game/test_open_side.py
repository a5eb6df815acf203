"""The open side of a deal is declared once: a field added to the table is everywhere at once."""

import json
import random
from typing import Any

import pytest

from conftest import raises_code
from game.random_play import choose
from okey101.errors import RecordError
from okey101.game import Deal, Match, Options, RuleSet, View, apply, options_of, view_of
from okey101.game.declared import JsonForm, closed, drafts, field, fields_of
from okey101.game.public import FORM, Draft, OpenSide, Public
from okey101.game.record.position import parse_position, position_of
from rules.table import MELDS, play, table


class Wider(OpenSide):
    """A copy of the table with one field more."""

    __slots__ = ()

    teas: tuple[int, ...] = field(
        "Glasses of tea by seat.",
        start=lambda rules, _: (0,) * rules.players,
        write=lambda p: list(p.teas),
        read=lambda teas, _path, _draft: tuple(teas),
        hashed=sum,
    )


@closed
class WiderPublic(Wider, tuple[object, ...]):
    """The copy's values."""

    __slots__ = ()
    _fields: tuple[str, ...]


class WiderDraft(Wider):
    """The copy's drafts."""

    __slots__ = WiderPublic._fields


WIDER: JsonForm[Wider] = JsonForm(Wider)


def starting(players: int = 4) -> WiderPublic:
    rules = RuleSet().with_(players=players)
    layout = Match.new(rules, deals=1, seed=bytes(32)).dealt()
    return WiderPublic([item.begun(rules, layout) for item in WIDER.fields])


def test_a_field_added_is_in_values_drafts_views_and_patches() -> None:
    opened, sealed = drafts(WiderDraft, WiderPublic)
    first = starting()
    assert first.teas == (0, 0, 0, 0)
    draft = opened(first)
    draft.teas = (0, 2, 0, 0)
    second = sealed(draft)
    assert (first.teas, second.teas) == ((0, 0, 0, 0), (0, 2, 0, 0))
    with pytest.raises(AttributeError):
        second.teas = ()
    assert WIDER.view(second)["teas"] == [0, 2, 0, 0]
    assert WIDER.told(second)["teas"] == [0, 2, 0, 0]
    assert WIDER.patch(first, second) == {"teas": [0, 2, 0, 0]}
    assert WIDER.patch(first, first) == {}
    assert fields_of(Wider)[-1].again(WIDER.view(second), draft) == (0, 2, 0, 0)
    assert [*fields_of(Wider)][:-1] == [*fields_of(OpenSide)]


def test_the_table_tells_each_name_once_and_every_meaning() -> None:
    assert Public._fields == Draft.__slots__ == tuple(item.name for item in FORM.fields)
    for item in FORM.fields:
        assert item.meaning.endswith((".", ")")), item.name
    untold = {item.name for item in FORM.fields if not item.shown}
    assert untold == {"playable"}  # it follows from the groups


def test_a_draft_leaves_the_values_it_was_made_of() -> None:
    public = Match.new(RuleSet(), deals=1, seed=bytes(32)).deal().public
    draft = Draft.of(public)
    draft.turns = 7
    assert Draft.of(draft).turns == 7  # a draft of a draft, for the judge that looks ahead
    assert public.turns == 0


def test_a_view_reads_what_it_wrote(preset: str) -> None:
    """From every seat, through whole deals; with and without the rules beside it."""
    rng = random.Random(f"views {preset}")
    for reclaim in (False, True):
        rules = RuleSet.preset(preset).with_(reclaim_okey=reclaim)
        deal = Match.new(rules, deals=1, seed=rng.randbytes(32)).deal()
        while True:
            for seat in (None, rng.randrange(4)):
                view = view_of(deal, seat)
                told = json.loads(json.dumps(view.to_dict()))
                assert View.from_dict(told) == view
                del told["rules"]
                assert View.from_dict(told, rules) == view
            if deal.over:
                break
            deal = apply(deal, choose(options_of(deal), rng, "eager"), deal.turn)


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("turn", 9, "out-of-range"),
        ("turn", "0", "wrong-type"),
        ("phase", "sleep", "bad-value"),
        ("sizes", [1, 2], "wrong-count"),
        ("groups", [{"owner": 0, "form": "run", "tiles": "R7 R8"}], "not-a-pair"),
        ("groups", [{"owner": 0, "form": "set", "tiles": "R7 R8 R9"}], "bad-value"),
        ("groups", [{"owner": 0}], "bad-value"),
        ("discards", ["X1", "", "", ""], "bad-tile"),
        ("known", ["R1 R1 R1", "", "", ""], "too-many-copies"),
        ("taken", "Z", "bad-tile"),
        ("placed", ["R1"], "wrong-count"),
        ("actions", ["0: sing"], "unknown-action"),
        ("actions", ["0: sing".ljust(1000)], "unknown-action"),
        ("actions", ["0: sing".ljust(1001)], "too-long"),
        ("new_opening", 1, "wrong-type"),
        ("result", {}, "bad-value"),
        ("highest", 3, "bad-value"),
        ("hand", 5, "wrong-type"),
        ("seat", 4, "out-of-range"),
        ("rules", 3, "wrong-type"),
    ],
)
def test_what_is_no_view_is_refused_with_its_place(name: str, value: object, code: str) -> None:
    deal = Match.new(RuleSet(), deals=1, seed=bytes(32)).deal()
    told = view_of(deal, 0).to_dict() | {name: value}
    with raises_code(code, RecordError) as caught:
        View.from_dict(told)
    assert caught.value.path.startswith(name) or name == "placed"


RUNS = "R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 K1 K2"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"stock": 21}, "too-many-tiles"),
        ({"hand": RUNS.replace("K1 K2", "B9 B9")}, "too-many-tiles"),
        ({"hand": f"{RUNS} K3", "sizes": [21, 23, 21, 21]}, "too-many-tiles"),
        ({"hand": RUNS, "known": ["R1", "", "R1", ""]}, "too-many-tiles"),
        ({"hand": RUNS, "known": [f"{RUNS} K3", "", "", ""]}, "bad-value"),
        ({"hand": f"{RUNS} K3"}, "bad-value"),
        ({"hand": RUNS, "known": ["", "K3", "", ""]}, "bad-value"),
    ],
)
def test_a_view_of_more_tiles_than_there_are_is_refused(more: dict[str, Any], code: str) -> None:
    told = view_of(Deal.start("pagat", seed=7), 1).to_dict()
    with raises_code(code, RecordError, path="hand"):
        View.from_dict(told | more)


@pytest.mark.parametrize("phase", ["draw", "must-draw"])
def test_nobody_draws_from_an_empty_stock_or_has_taken_before(phase: str) -> None:
    told = view_of(Deal.start("pagat", seed=7), 1).to_dict()
    view = View.from_dict(told | {"phase": phase, "stock": 1})
    for more in ({"stock": 0}, {"taken": "K3"}, {"must_finish": True}):
        with raises_code("bad-value", RecordError, path="phase"):
            View.from_dict(told | {"phase": phase, "stock": 1} | more)
    text = position_of(view)
    assert parse_position(text).public.stock_count == 1
    with raises_code("bad-position", match="empty stock"):
        parse_position(text.replace("; ?1; ", "; -; "))
    with raises_code("bad-position", match="phase play"):
        parse_position(f'{text} taken="K3"')


def test_D8_a_position_has_an_indicator_that_its_rules_allow() -> None:
    text = position_of(view_of(Deal.start("pagat", seed=7), None)).replace("B9 0", "F 0")
    assert parse_position(text.replace("pagat", "wiki")).public.okey is None
    with raises_code("bad-indicator"):
        parse_position(text)


def test_U2_E4_a_duty_that_cannot_be_done_is_refused() -> None:
    told = view_of(Deal.start("altinstar", seed=7), 0).to_dict()
    told |= {"taken": "R1", "known": ["R1", "", "", ""]}
    view = View.from_dict(told)
    assert [*map(str, Options(view).actions())] == ["return"]
    for path, more in (
        ("phase", {"taken": "K1"}),
        ("hand", {"stock": 0}),
        ("hand", {"must_finish": True}),
    ):
        with raises_code("bad-value", RecordError, path=path):
            View.from_dict(told | more)
    deal = Deal.start("altinstar", seed=7)
    for text in (position_of(view), position_of(deal).replace("R1", "!R1", 1) + ' taken="R1"'):
        assert parse_position(text)
        stock = text.split("; ")[7]
        for other in (text.replace(stock, "-"), f"{text} must_finish=true"):
            with raises_code("bad-position", match="as it has to"):
                parse_position(other)
    with raises_code("bad-position", match="known to be in the hand"):
        parse_position(position_of(view).replace('taken="R1"', 'taken="K1"'))


def test_a_view_that_lacks_a_name_is_refused() -> None:
    deal = Match.new(RuleSet(), deals=1, seed=bytes(32)).deal()
    for name in FORM.shown:
        told = view_of(deal, None).to_dict()
        del told[name]
        with raises_code("missing", RecordError, path=name):
            View.from_dict(told)


@pytest.mark.parametrize(
    ("path", "low", "high"),
    [
        (("dice", 0), 1, 6),
        (("turns",), 0, 10**6),
        (("backs",), 0, 10**6),
        (("stock",), 0, 106),
        (("sizes", 0), 0, 106),
        (("groups", 0, "owner"), 0, 1),
        (("highest", "points"), 0, 10**4),
        (("highest", "pairs"), 0, 53),
        (("fines", 0, "seat"), 0, 3),
        (("fines", 0, "points"), 0, 10**6),
        (("result", "winner"), 0, 1),
        (("result", "scores", 0), -(10**6), 10**6),
        (("result", "fines", 0, "points"), 0, 10**6),
        (("result", "sheet", 1, "seat"), 0, 1),
        (("result", "sheet", 1, "base"), -(10**6), 10**6),
        (("result", "sheet", 1, "fines"), 0, 10**6),
        (("result", "sheet", 1, "total"), -(10**6), 10**6),
    ],
)
def test_every_number_of_a_view_has_its_bounds(
    path: tuple[str | int, ...], low: int, high: int
) -> None:
    deal = table("altinstar", [f"{MELDS} R10 B3", "Y9"])
    deal = play(deal, "meld R11 R12 R13", f"meld {MELDS}", "lay R10 > 1")
    deal = play(deal, "discard B3")
    told = json.loads(json.dumps(view_of(deal, None).to_dict())) | {"dice": [3, 4]}
    place: Any = told
    for step in path[:-1]:
        place = place[step]
    for value in (low, high):
        place[path[-1]] = value
        View.from_dict(told)
    for value in (low - 1, high + 1):
        place[path[-1]] = value
        with raises_code("out-of-range", RecordError):
            View.from_dict(told)


@pytest.mark.parametrize(
    "wrong",
    [
        {"group": 0}, {"group": 2}, {"group": 9}, {"nth": -2}, {"nth": 0}, {"nth": 2}, {"nth": 3},
        {"before": "R12 R13 *R11"}, {"before": "K11 K12 K13"}, {"swapped": True},
    ],
)  # fmt: skip
def test_U5_what_was_not_put_down_there_is_refused(wrong: dict[str, Any]) -> None:
    """Taking it back would find no group, or bring tiles that nobody has laid."""
    deal = play(table("altinstar", [f"{MELDS} R10 B3", "Y9"]), f"meld {MELDS}", "lay R10 > 1")
    told: dict[str, Any] = view_of(deal, 0).to_dict()
    assert View.from_dict(told).public.placed == deal.public.placed
    (at,) = told["placed_at"]
    with pytest.raises(RecordError) as caught:
        View.from_dict(told | {"placed_at": [at | wrong]})
    assert caught.value.path.startswith("placed_at[0]")
    with pytest.raises(RecordError):
        View.from_dict(told | {"placed": ["R9"]})


@pytest.mark.parametrize(("name", "tile"), [("okey", "*"), ("okey", "R3"), ("indicator", "F")])
def test_J1_the_okey_is_the_one_above_the_indicator(name: str, tile: str) -> None:
    told = view_of(Deal.start("pagat", seed=7), 1).to_dict()
    with pytest.raises(RecordError) as caught:
        View.from_dict(told | {name: tile})
    assert caught.value.path == name
