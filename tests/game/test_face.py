"""What a newcomer tries on a deal: start it, ask what is legal, play on, read what came out."""

import json
from html import unescape
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from conftest import raises_code, unwrap
from game.brute import ruling
from okey101 import (
    IllegalAction,
    NotationError,
    OkeyError,
    RecordError,
    RuleSetError,
    parse_group,
    svg,
    testing,
)
from okey101.bots.playing import play_deal
from okey101.game import (
    PRESETS,
    Action,
    Deal,
    Discard,
    Lay,
    Match,
    MatchSheet,
    Meld,
    RuleSet,
    Swap,
    apply,
    deal_from_hands,
    deal_from_seed,
    determinize,
    match_sheet,
    options_of,
    parse_position,
    parse_record,
    position_of,
    record_of,
    replay,
    view_of,
)
from okey101.game.dealing import seed_of
from okey101.solver import arrange
from okey101.tiles import Rack, Tile


def test_a_deal_starts_from_a_preset_and_a_seed() -> None:
    rules = RuleSet.preset("pagat")
    seed = bytes(range(32))
    told = Deal.start(rules, deal_from_seed(rules, seed, 0))
    assert Deal.start("pagat", seed=seed) == told
    assert Deal.start(rules, seed=seed.hex()) == told
    assert Deal.start(rules, seed=seed, dealer=2).public.setup.dealer == 2
    assert Deal.start(rules, seed=7) == Deal.start(rules, seed="7")
    assert Deal.start(rules, seed=7).layout.seed == seed_of(7)
    assert Match.new("pagat", deals=2, seed=7) == Match.new(rules, deals=2, seed=seed_of("7"))


def test_a_deal_starts_from_one_thing() -> None:
    layout = deal_from_seed(RuleSet(), bytes(32), 0)
    with pytest.raises(OkeyError, match="needs a seed, such as seed=7"):
        Deal.start("pagat")
    with pytest.raises(OkeyError, match="already"):
        Deal.start(RuleSet(), layout, seed=7)
    with pytest.raises(OkeyError, match="already"):
        Deal.start(RuleSet(), layout, dealer=1)
    with pytest.raises(RuleSetError, match="no rule set"):
        Deal.start("chess", seed=7)
    for seed, dealer, code in ((b"short", 0, "bad-seed"), (7, 4, "bad-seat")):
        with raises_code(code):
            Deal.start("pagat", seed=seed, dealer=dealer)
    with raises_code("wrong-count", match="2 hands"):
        Deal.start(RuleSet(players=2), layout)


def test_apply_takes_notation() -> None:
    deal = Deal.start("pagat", seed=7)
    after = apply(deal, Discard("R4"))
    assert deal.apply("discard R4") == deal.apply("1: discard R4") == after
    assert deal.apply(Discard(Tile.R4), seat=1) == apply(deal, "discard R4", 1) == after
    assert deal.judge("discard r4").action == Discard("R4")
    assert after.public.actions == ((1, Discard("R4")),)
    for text, seat in (("2: discard R4", None), ("1: discard R4", 0), ("2: discard R4", 1)):
        with raises_code("not-your-turn", IllegalAction):
            deal.apply(text, seat)
    with pytest.raises(NotationError):
        deal.apply("move R4")
    with pytest.raises(NotationError, match="7 is no action"):
        deal.apply(7)  # type: ignore[arg-type]


def test_a_record_is_played_again_line_by_line() -> None:
    deal = play_deal("wiki", ["random"] * 4, seed=3)
    again = Deal.start(deal.rules, deal.layout)
    for line in record_of(deal.rules, [deal]).deals[0].actions:
        assert line in again.legal_actions()
        again = again.apply(line)
    assert again == deal


def test_legal_actions_are_a_view() -> None:
    deal = Deal.start("pagat", seed=7)
    view = deal.legal_actions()
    assert list(view) == list(view) == list(options_of(deal).actions())
    assert view.count() == len(list(view)) > 0
    assert view
    assert Discard("R4") in view
    assert "discard R4" in view
    assert "1: discard R4" in view
    for other in ("0: discard R4", "draw", "discard R1", "no action", 7, None, Tile.R4):
        assert other not in view
    assert repr(view) == "<LegalActions of seat 1>"
    assert str(view).startswith("discard R4, ")
    over = play_deal("pagat", ["random"] * 4, seed=7).legal_actions()
    assert not over
    assert (over.count(), list(over), "draw" in over) == (0, [], False)
    assert str(over) == ""


@settings(max_examples=40)
@given(testing.states(), st.lists(testing.actions(), max_size=10))
def test_legal_actions_agree_with_the_judge(deal: Deal, actions: list[Action]) -> None:
    view = deal.legal_actions()
    assert bool(view) == (not deal.over) == (view.count() > 0)
    listed = list(view)
    assert listed == list(options_of(deal).actions())
    assert len(set(listed)) == len(listed)
    for action in listed:
        assert deal.judge(action).action == action
        assert not deal.judge(action).short
        assert action in view
        assert str(action) in view
    for action in actions:
        assert (action in view) == (str(action) in view) == (action in deal.legal_actions())
        assert (action in view) == (ruling(deal, action) is not None)


def test_actions_are_made_from_notation_and_from_values() -> None:
    assert Meld("R7 R8 R9 / K11 Y11 *B11").pieces == ((6, 7, 8), (49, 23, 64 + 36))
    assert Meld([parse_group("R9 R8 R7")]) == Meld("R7 R8 R9")
    assert Meld([("R7", "R8", "R9")]) == Meld([["R7", Tile.R8, 8]]) == Meld("R7 R8 R9")
    with raises_code("bare-okey", NotationError):
        Meld([(Tile.R2, Tile.Y2, Tile.OKEY)])
    assert Discard("k5") == Discard(43)
    tiles = (Tile.R7, Tile.R8, Tile.R9), (Tile.K11, Tile.Y11, Tile.OKEY)
    assert Meld("R7 R8 R9 / K11 Y11 *B11").groups == tiles
    assert Lay("*R8", 3) == Lay(64 + 7, 3)
    assert Discard(43).tile is Tile.K5
    assert Swap(7, 3).tile is Tile.R8
    assert [str(a) for a in (Meld("R7 R8 R9"), Lay("K5", 1))] == ["meld R7 R8 R9", "lay K5 > 1"]
    for wrong in (lambda: Discard("R14"), lambda: Discard(54), lambda: Swap(-1, 2)):
        with raises_code("bad-tile", NotationError):
            wrong()
    odd: tuple[Any, ...] = (6.0, 7, 8), ([],)
    for group in odd:
        with raises_code("bad-tile", NotationError):
            Meld([group])
    for empty in ("R7 R8 / ", [], [()]):
        with raises_code("empty-group", NotationError):
            Meld(empty)
    for place in (-1, 10_000):
        with raises_code("out-of-range"):
            Lay("K5", place)


def test_the_best_arrangement_opens() -> None:
    rack = Rack.parse("R10 R11 R12 R13 K10 K11 K12 K13 Y13 Y12 Y11 B1 B3 B5 B7 R1 R3 R5 K1 K3 K5")
    layout = deal_from_seed(PRESETS["altinstar"], bytes(32), 0)
    found = unwrap(arrange(rack, okey=unwrap(layout.okey)))
    assert Meld(found.groups) == Meld(found.pieces)
    assert repr(Meld(found.groups)) == f"Meld({str(found)!r})"


def test_options_give_tiles() -> None:
    options = options_of(Deal.start("pagat", seed=7))
    assert all(isinstance(option.tile, Tile) for option in options.discards)
    assert repr(options.discards[0]) == "DiscardOption(tile=Tile.R4, rule=None, points=0)"


def test_a_score_sheet() -> None:
    match = Match.new("pagat", deals=2, seed=7)
    deals: list[Deal] = []
    while not match.over and len(deals) < 6:
        deals.append(play_deal(match.rules, ["random", "greedy"] * 2, match.dealt()))
        match = match.after(deals[-1])
    record = record_of(match.rules, deals, players=["Ayşe", "Can", "Deniz", "Ece"])
    sheet = match_sheet(record)
    assert sheet == match_sheet(match, record.players)
    assert sheet == match_sheet(replay(parse_record(record.to_json())), record.players)
    assert isinstance(sheet, MatchSheet)
    assert [row.scores for row in sheet.rows] == [result.scores for result in match.results]
    counting = [row.number for row in sheet.rows if row.number is not None]
    assert counting == list(range(1, match.played + 1))
    assert (sheet.totals, sheet.places) == (match.totals, match.places)
    lines = str(sheet).splitlines()
    assert lines[0].split() == ["Ayşe", "Can", "Deniz", "Ece"]
    assert lines[-1].split() == ["total", *map(str, match.totals)]
    assert len({len(line) for line in lines}) == 1
    with raises_code("wrong-count"):
        match_sheet(match, ["one"])
    for code, rules, wrong in (
        ("bad-value", "wiki", {}),
        ("wrong-count", "pagat", {"players": ["one"]}),
        ("out-of-range", "pagat", {"deals_agreed": 0}),
    ):
        with raises_code(code):
            record_of(rules, deals, **wrong)


def test_a_match_steps_through_in_a_notebook() -> None:
    match = Match.new("pagat", deals=2, seed=7)
    assert match._repr_html_() is None
    match = match.after(play_deal(match.rules, "greedy", match.dealt()))
    match = match.after(play_deal(match.rules, "greedy", match.dealt()))
    shown = unwrap(match._repr_html_())
    assert "http" not in shown.replace("http://www.w3.org/2000/svg", "")  # the name of SVG
    steps = list(match.steps())
    assert steps == [step for deal in match.finished for step in deal.steps()]
    assert steps[-1] == match.finished[-1]
    read = parse_position(position_of(steps[5]))
    assert isinstance(read, Deal)
    redealt = determinize(view_of(steps[5], 0), Random(7))
    assert (read.steps(), redealt.steps()) == ([read], [redealt])
    assert len(steps) == sum(1 + len(deal.public.actions) for deal in match.finished)
    data = json.loads(unescape(shown.split('data-steps="')[1].split('"')[0]))
    told, pictures = zip(*data["frames"], strict=True)
    assert len(told) == len(steps)
    assert f'max="{len(steps) - 1}"' in shown
    assert unescape(shown.split("<pre>")[1]).startswith(told[-1])
    assert told[0] == steps[0].text(secrets=True)
    assert told[1].startswith(f"{steps[0].turn}: {steps[1].public.actions[-1][1]}\n")
    assert told[1].endswith(steps[1].text(secrets=True))
    assert told[2].startswith(f"{steps[1].turn}: {steps[2].public.actions[-1][1]}\n")
    for place in (0, 1, len(steps) - 1):
        drawn = "\n".join(data["lines"][line] for line in pictures[place]) + "\n"
        assert drawn == svg(view_of(steps[place], 0))
    assert len(shown) < 2_000_000
    assert drawn in shown


def test_a_match_takes_no_deal_of_other_rules() -> None:
    with raises_code("other-rules"):
        Match.new("pagat", deals=1, seed=1).after(play_deal("wiki", "greedy", seed=1))


def test_C4_a_match_takes_no_deal_beyond_those_agreed() -> None:
    """Its record could not be replayed."""
    deal = play_deal("altinstar", "greedy", seed=1)
    match = Match.new("altinstar", deals=1, seed=1).after(deal)
    assert match.over
    with raises_code("match-over"):
        match.after(deal)


def test_D4_D8_a_deal_takes_no_layout_of_other_rules() -> None:
    """Its record could not be replayed: another seat would start there, or nobody."""
    with raises_code("bad-value", RuleSetError):
        Deal.start("altinstar", deal_from_seed("pagat", 7, 0))
    hands = ["R1 R2", "Y1", "B1", "K1"]
    riziko = deal_from_hands("wiki", indicator="F", hands=hands)
    assert Deal.start("wiki", riziko).public.okey is None
    with raises_code("bad-indicator"):
        Deal.start("pagat", riziko)


@pytest.mark.parametrize(("name", "code"), [(4, "wrong-type"), ("x" * 201, "too-long")])
def test_a_record_takes_no_name_that_its_reader_refuses(name: Any, code: str) -> None:
    with raises_code(code, RecordError):
        record_of("pagat", [], players=["Ada", "Banu", "Cem", name])


def test_a_piece_of_a_group_may_be_told_in_notation() -> None:
    group = parse_group("R7 *R8 R9")
    assert [group.kind_of(piece) for piece in ("R7", "*R8", Tile.R9)] == [6, 7, 8]
    for code, call in (
        ("bad-tile", lambda: group.kind_of("R14")),
        ("wrong-type", lambda: group.shortened("2")),  # type: ignore[arg-type]
        ("out-of-range", lambda: group.shortened(4)),
    ):
        with raises_code(code):
            call()


def test_what_stands_for_another_tile_has_no_colour_and_no_number() -> None:
    for tile in (Tile.F, Tile.OKEY):
        for asked in ("colour", "number"):
            with raises_code("no-kind"):
                getattr(tile, asked)


def test_G1_a_score_sheet_of_teams() -> None:
    rules = RuleSet(teams=True)
    match = Match.new(rules, deals=1, seed=1)
    match = match.after(play_deal(rules, ["greedy"] * 4, match.dealt()))
    sheet = match_sheet(match)
    assert sum(unwrap(sheet.team_totals)) == sum(sheet.totals)
    assert sheet.places == match.places


def test_G1_a_record_has_the_totals_of_teams_once_a_deal_is_over() -> None:
    rules = RuleSet(teams=True)
    begun = Match.new(rules, deals=1, seed=1).deal()
    assert record_of(rules, [begun]).team_totals is None
    record = record_of(rules, [play_deal(rules, ["random"] * 4, seed=1)])
    first, second, third, fourth = unwrap(record.totals)
    assert record.team_totals == (first + third, second + fourth)


def test_the_text_of_a_deal_says_how_each_seat_has_opened() -> None:
    line = (
        "deal; altinstar; B9 0; 2 play; R1 Y1 / Y3 Y5 / R4 R6 R8 R11 Y4 / K9 K11;"
        " K13 / R4 / Y13 R7 / -; 0 R1 R2 R3 / 1 B5 B6 B7 / 1 K11 K12 K13; -;"
        ' opened=["melds","pairs",null,null]'
    )
    shown = parse_position(line).text().splitlines()
    assert shown[1:5] == [" 0  2 melds | K13", " 1  2 pairs | R4", ">2  5 | Y13 R7", " 3  2"]
