"""What the public names take and show: nonsense gets a coded error, and no repr a secret."""

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

import okey101
import okey101 as ok
from conftest import raises_code
from okey101 import (
    Deal,
    Group,
    Lay,
    Match,
    Meld,
    OkeyError,
    Options,
    Rack,
    RuleSet,
    Tile,
    bots,
    record_of,
    replay,
    solver,
    view_of,
)
from okey101.bots.greedy import Turn
from okey101.cli.play.main import PlaySettings
from okey101.envs.observations import Observer, pieces_of
from okey101.game import parse_line
from okey101.melds import make_group
from okey101.server.work.bot_thoughts import Thought
from okey101.sim.arena import Job, arena_deal, plan_of

DEAL: Deal = Deal.start("pagat", seed=7)
MATCH = Match.new("pagat", deals=2, seed=7)
GROUP = ok.parse_group("R7 R8 *R9", okey="B6")
RACK = Rack("R7 R8 R9 B6 K1")
ASKED: dict[str, Any] = {"bits": RACK.bits, "okey": 36, "objective": ok.Objective.POINTS}
LAYS: dict[str, Any] = {"bits": RACK.bits, "okey": 36, "table": [("run", 0, 1, 5)], "must": 6}
HANDS = "R1 R2", Rack("Y1"), [Tile.B1], ["K1"]
JUNK: tuple[Any, ...] = (None, 7.5, "", "?", "R14", [], [None], {}, object(), -1, 10**30, b"x", "7")
"""What nobody means, in the place of each argument; some of it is fine somewhere."""

Call = Callable[..., object]
SAME: dict[str, tuple[object, ...]] = {
    "tiles": (Tile("R7"), Tile(6), ok.parse_tile("r7"), Tile.R7, Tile(Tile.R7)),
    "colours": (ok.Colour.BLUE, ok.Colour("B"), ok.Colour("b"), ok.Colour(2)),
    "okey": (ok.okey_of("B5"), ok.okey_of(30), ok.okey_of(Tile.B5)),
    "racks": (
        Rack("R7 R8"),
        Rack(["R8", 6]),
        Rack(Rack("R7 R8")),
        Rack("R8") + "R7",
        Rack.parse("r7 r8"),
    ),
    "minus": (RACK - "K1", RACK - Rack("K1"), RACK - [Tile.K1]),
    "count": (RACK.count("R7"), RACK.count(6), RACK.count(Tile.R7)),
    "held": ("r7" in RACK, Tile.R7 in RACK, 6 in RACK, "R13" not in RACK, "R14" not in RACK),
    "seen": (RACK.seen("B6"), RACK.seen(Tile.B6), RACK.seen(31)),
    "points": (RACK.points("B6"), RACK.points(Tile.B6)),
    "groups": (
        GROUP,
        Group("run", ("R7", 7, "*R9"), "B6", 24, GROUP.accepts),  # type: ignore[arg-type]
        ok.parse_group(["R7", Tile.R8, "*R9"], okey=31),
        ok.parse_group(GROUP, okey="B6"),
    ),
    "takes": (GROUP.takes("R10"), GROUP.takes(Tile.R10), GROUP.takes(9), not GROUP.takes("R11")),
    "extended": (GROUP.extended("R10"), GROUP.extended(Tile.R10)),
    "reclaimed": (GROUP.reclaimed("R9"), GROUP.reclaimed(Tile.R9)),
    "melds": (Meld("R7 R8 R9"), Meld(["R7 R8 R9"]), Meld([(6, 7, 8)]), Meld([[Tile.R7, "R8", 8]])),
    "lays": (Lay("K5", 3), Lay(Tile.K5, 3), Lay(43, 3)),
    "swaps": (ok.Swap("K5", 3), ok.Swap(Tile.K5, 3), ok.Swap(43, 3)),
    "best": (ok.best_value("R7 R8 R9", "B6"), ok.best_value([6, 7, 8], Tile.B6, "points")),
    "arranged": (
        ok.arrange("R7 R8 R9 K1", "B6", "tiles", must="R8"),
        ok.arrange(Rack("R7 R8 R9 K1"), Tile.B6, ok.Objective.TILES, must=Tile.R8),
    ),
    "outs": (tuple(ok.outs("R7 R8", "B6")), tuple(ok.outs(Rack("R7 R8"), 31))),
    "pairs": (ok.count_pairs("R7 R7", None), 1),
    "layouts": (
        ok.deal_from_hands(RuleSet(), indicator=Tile.K8, hands=HANDS, stock=(Tile.R9, Tile.B2)),
        ok.deal_from_hands(
            "altinstar", indicator="K8", hands=["R1 R2", "Y1", "B1", "K1"], stock="R9 B2"
        ),
    ),
    "dealt": (ok.deal_from_seed("pagat", 7, 0), DEAL.layout),
    "redealt": (
        ok.determinize(ok.view_of(DEAL, 1), 1),
        ok.determinize(ok.view_of(DEAL, 1), Random(1)),
    ),
    "played": (
        ok.play_deal("pagat", "greedy", seed=7),
        ok.play_deal("pagat", ["greedy"] * 4, seed=7),
    ),
    "recorded": (ok.record_of("pagat", [DEAL]), ok.record_of(DEAL.rules, (DEAL,))),
}


@pytest.mark.parametrize("values", SAME.values(), ids=SAME)
def test_what_means_the_same_is_the_same(values: tuple[object, ...]) -> None:
    assert all(value == values[0] for value in values)
    assert isinstance(values[0], list) or len({*map(hash, values)}) == 1


CALLS: dict[str, tuple[Call, dict[str, Any]]] = {
    "Tile": (Tile, {"value": "R7"}),
    "Colour": (ok.Colour, {"value": 0}),
    "Form": (ok.Form, {"value": "run"}),
    "Phase": (ok.Phase, {"value": "draw"}),
    "Opened": (ok.Opened, {"value": "melds"}),
    "End": (ok.End, {"value": "finish"}),
    "Objective": (ok.Objective, {"value": "points"}),
    "Rack": (Rack, {"tiles": "R7"}),
    "Rack.parse": (Rack.parse, {"text": "R7", "okey": "B6"}),
    "Rack.count": (RACK.count, {"tile": "R7"}),
    "Rack.seen": (RACK.seen, {"okey": "B6"}),
    "Rack.points": (Rack("R7 *").points, {"okey": "B6", "okey_points": 101}),
    "Rack.__add__": (RACK.__add__, {"other": "R1"}),
    "Rack.__sub__": (RACK.__sub__, {"other": "R7"}),
    "parse_tile": (ok.parse_tile, {"text": "R7"}),
    "okey_of": (ok.okey_of, {"indicator": "B5"}),
    "parse_group": (ok.parse_group, {"text": "R7 R8 R9", "okey": "B6", "twin": "R1"}),
    "make_group": (make_group, {"pieces": (6, 7, 8), "okey": 31, "twin": 6}),
    "Group.takes": (GROUP.takes, {"piece": "R10"}),
    "Group.extended": (GROUP.extended, {"piece": "R10"}),
    "Group.reclaimed": (GROUP.reclaimed, {"tile": "R9"}),
    "arrange": (
        ok.arrange,
        {"rack": RACK, "okey": "B6", "objective": "points", "must": "R7", "keep": 1},
    ),
    "arrangements": (
        ok.arrangements,
        {"rack": RACK, "okey": "B6", "objective": "points", "best": 2, "must": "R7", "keep": 1},
    ),
    "best_value": (ok.best_value, {"rack": RACK, "okey": "B6", "objective": "points"}),
    "count_pairs": (ok.count_pairs, {"rack": RACK, "okey": "B6"}),
    "outs": (ok.outs, {"rack": RACK, "okey": "B6", "objective": "points"}),
    "Meld": (Meld, {"groups": "R7 R8 R9"}),
    "Lay": (Lay, {"piece": "K5", "group": 1}),
    "Swap": (ok.Swap, {"tile": "K5", "group": 1}),
    "Discard": (ok.Discard, {"tile": "K5"}),
    "Back": (ok.Back, {"count": 1}),
    "parse_action": (ok.parse_action, {"text": "draw"}),
    "RuleSet": (RuleSet, {"players": 4, "open_points": 101, "starter": "dealer"}),
    "RuleSet.preset": (RuleSet.preset, {"name": "wiki"}),
    "RuleSet.with_": (RuleSet().with_, {"players": 4, "open_pairs": 5}),
    "RuleSet.differences": (RuleSet().differences, {"other": "wiki"}),
    "RuleSet.from_dict": (RuleSet.from_dict, {"data": {"preset": "wiki"}}),
    "deal_from_seed": (ok.deal_from_seed, {"rules": "wiki", "seed": 7, "dealer": 1}),
    "deal_from_hands": (
        ok.deal_from_hands,
        {"rules": "wiki", "indicator": "K8", "hands": HANDS, "stock": "R9", "dealer": 1}
        | {"dice": (1, 2), "seed": bytes(32)},
    ),
    "Deal.start": (Deal.start, {"rules": "wiki", "layout": None, "seed": 7, "dealer": 1}),
    "Deal.rack": (DEAL.rack, {"seat": 1}),
    "Deal.apply": (DEAL.apply, {"action": "discard R4", "seat": 1}),
    "apply": (ok.apply, {"deal": DEAL, "action": "discard R4", "seat": 1}),
    "Match.new": (Match.new, {"rules": "wiki", "deals": 2, "seed": 7, "dealer": 1}),
    "Match.after": (MATCH.after, {"deal": ok.play_deal("pagat", "random", seed=7)}),
    "view_of": (ok.view_of, {"deal": DEAL, "seat": 1}),
    "options_of": (ok.options_of, {"deal": DEAL, "seat": 1}),
    "Options": (Options, {"view": ok.view_of(DEAL, 1)}),
    "View.from_dict": (ok.View.from_dict, {"data": ok.view_of(DEAL, 1).to_dict(), "rules": None}),
    "parse_line": (parse_line, {"line": "1: draw"}),
    "determinize": (ok.determinize, {"view": ok.view_of(DEAL, 1), "rng": 1}),
    "record_of": (ok.record_of, {"rules": "pagat", "deals": [DEAL]}),
    "position_of": (ok.position_of, {"position": DEAL}),
    "parse_position": (ok.parse_position, {"text": ok.position_of(DEAL)}),
    "parse_record": (ok.parse_record, {"data": ok.record_of("pagat", [DEAL]).to_json()}),
    "replay": (ok.replay, {"record": ok.record_of("pagat", [DEAL]), "until": 1}),
    "match_sheet": (ok.match_sheet, {"match": MATCH, "players": ["a", "b", "c", "d"]}),
    "MatchSheet.lines": (ok.match_sheet(MATCH).lines, {"void": "void", "total": "total"}),
    "choose": (ok.choose, {"position": DEAL, "bot": "greedy"}),
    "svg": (ok.svg, {"value": RACK}),
    "play_deal": (
        ok.play_deal,
        {"rules": "pagat", "bots": "random", "seed": 7, "dealer": 1, "bot_seed": 1},
    ),
    "plan_of": (plan_of, {"rules": "pagat", "bots": 2}),
    "arena_deal": (arena_deal, {"rules": "pagat", "seed": 1, "number": 2}),
    "Job": (Job, {"rules": RuleSet(), "players": ("greedy", "random")}),
    "make_bot": (bots.make_bot, {"name": "greedy"}),
    "bot_of": (bots.bot_of, {"spec": "greedy"}),
    "bot_of_mark": (bots.bot_of_mark, {"mark": "steady/1"}),
    "Group": (
        Group,
        {"form": "run", "pieces": (6, 7, 8), "okey": "B6", "points": 24, "accepts": 0},
    ),
    "Deal.amid": (
        Deal.amid,
        {"public": DEAL.public, "hands": DEAL.hands, "stock": DEAL.layout.stock, "drawn": None},
    ),
    "pieces_of": (pieces_of, {"observation": Observer("pagat")(ok.view_of(DEAL, 1))}),
    "arrange_bits": (solver.arrange_bits, ASKED | {"must": 6, "keep": 1}),
    "arrangement_of_bits": (
        solver.arrangement_of_bits,
        {"bits": RACK.bits, "okey": 36, "groups": [(6, 7, 8)]},
    ),
    "arrangements_bits": (solver.arrangements_bits, ASKED | {"best": 1, "must": 6, "keep": 1}),
    "best_value_bits": (solver.best_value_bits, ASKED),
    "reaches_bits": (partial(solver.reaches_bits, need=1), ASKED),
    "outs_bits": (solver.outs_bits, ASKED),
    "count_pairs_bits": (solver.count_pairs_bits, {"bits": RACK.bits, "okey": 36}),
    "values_without_bits": (partial(solver.values_without_bits, tiles=[6], floors=[0]), ASKED),
    "max_laid_bits": (solver.max_laid_bits, LAYS),
    "can_lay_all_but_one_bits": (solver.can_lay_all_but_one_bits, LAYS),
    "analyse": (
        ok.analyse,
        {"view": ok.view_of(DEAL, 1), "worlds": 8, "seed": 1, "policy": "greedy"},
    ),
}
MADE = {
    "Action", "Analysis", "Arrangement", "DealRecord", "DiscardOption", "Fine", "Layout",
    "LegalActions", "MatchSheet", "Out", "Public", "Record", "Replay", "Result", "Ruling", "Score",
    "SheetRow", "View",
}  # fmt: skip
"""Values that only the package itself makes."""
PLAIN = {"Announce", "Draw", "Indicator", "Pass", "Return", "Take", "PRESETS", "RULES_VERSION"}
"""What takes nothing."""


def test_every_public_name_is_tried() -> None:
    tried = {name.partition(".")[0] for name in CALLS} | MADE | PLAIN
    left = {name for name in ok.__all__ if name not in tried and name != "__version__"}
    errors = {name for name in left if inspect.isclass(getattr(ok, name))}
    assert all(issubclass(getattr(ok, name), OkeyError) for name in errors)
    assert left == errors


@pytest.mark.parametrize("name", CALLS)
def test_nonsense_gets_a_coded_error(name: str) -> None:
    call, good = CALLS[name]
    by_place = isinstance(call, type(Tile)) or "__" in name
    if name != "analyse":
        call(*good.values()) if by_place else call(**good)
    refused = 0
    for argument in good:
        for junk in JUNK:
            given = good | {argument: junk}
            try:
                call(*given.values()) if by_place else call(**given)
            except OkeyError as error:
                refused += bool(error.code)
    assert refused


def test_a_group_alone_is_asked_for() -> None:
    for form, okey in (("row", None), ("run", "x"), ("run", 99)):
        with pytest.raises(OkeyError):
            Group(form, (6, 7, 8), okey, 24, 0)  # type: ignore[arg-type]
    with pytest.raises(OkeyError, match="K2 is not in the rack"):
        solver.arrangement_of_bits(RACK.bits, 36, [(39, 40, 41)])
    with pytest.raises(OkeyError) as error:
        ok.parse_group("R7 R8 R9 / K1 K2 K3")
    assert (error.value.code, error.value.details["tile"]) == ("bad-tile", "/")
    with raises_code("bad-tile"):
        make_group((60, 6), None)
    assert isinstance(ok.parse_group("R7 R8 R9"), Group)


@pytest.mark.parametrize(
    ("call", "meant"),
    [
        (lambda: Tile("7R"), "R7"),
        (lambda: RuleSet.preset("paget"), "pagat"),
        (lambda: RuleSet(open_point=51), "open_points"),  # type: ignore[call-arg]
        (lambda: RuleSet().with_(riseing=True), "rising"),
        (lambda: RuleSet.from_dict({"player": 3}), "players"),
        (lambda: RuleSet().with_(starter="deler"), "dealer"),
        (lambda: ok.parse_action("discrd R4"), "discard"),
        (lambda: ok.arrange("R7", "B6", "tile"), "tiles"),
        (lambda: ok.play_deal("pagat", "stedy", seed=7), "steady"),
    ],
)
def test_a_name_that_is_nearly_right_is_asked_for(call: Call, meant: str) -> None:
    with pytest.raises(OkeyError, match=f"did you mean {meant}\\?") as error:
        call()
    assert error.value.details["meant"] == meant


# A repr goes into logs and tracebacks, so none shows what is hidden (ADR 3) -----------------------

HIDDEN = {
    "cuts", "dealt", "drawn", "hand", "hands", "layout", "old", "password", "rack", "random",
    "randomness", "secret", "seed", "stock", "token",
}  # fmt: skip
OPEN = {
    "AbandonedRound": "opened because nothing was dealt from it",
    "AbandonedView": "the same, as it is told",
    "DealAnswer": "a finished deal",
    "DealStep": "a finished deal",
    "DealPatch": "how many tiles are in the stock",
    "DealView": "how many tiles are in the stock",
    "EndView": "a finished deal",
    "FairPart": "a finished deal",
    "FairView": "a finished deal",
    "Felt": "how many tiles are in the stock",
    "PositionAnswer": "a position that the asker sent",
    "Puzzle": "a deal of bots alone",
    "PuzzleAnswer": "a deal of bots alone",
    "Question": "a rack that somebody typed",
    "RoundView": "what was revealed to all",
    "Dependencies": "what makes secrets, not one of them",
    "WasRevealed": "told to all",
}
"""Classes whose fields of these names are no secret, and why."""
UNLOADED = {"okey101.__main__", "okey101.envs.openspiel", "okey101.sim.arena.on_ray"}


def classes() -> Iterator[type]:
    """Every class of the package."""
    for module in pkgutil.walk_packages(okey101.__path__, "okey101."):
        if module.name not in UNLOADED:
            for value in vars(importlib.import_module(module.name)).values():
                if inspect.isclass(value) and value.__module__ == module.name:
                    yield value


def shown(kind: type) -> dict[str, object]:
    """The fields that a ``repr`` written by Python shows, with their types."""
    if dataclasses.is_dataclass(kind):
        if not hasattr(kind.__repr__, "__wrapped__"):
            return {}
        return {field.name: field.type for field in dataclasses.fields(kind) if field.repr}
    types = {n: t for one in kind.__mro__[::-1] for n, t in inspect.get_annotations(one).items()}
    if issubclass(kind, tuple) and kind.__repr__.__module__ == "collections":
        return {name: types.get(name) for name in vars(kind)["_fields"]}
    if issubclass(kind, msgspec.Struct) and kind.__repr__ is msgspec.Struct.__repr__:
        return {name: types.get(name) for name in kind.__struct_fields__}
    return {}


def test_no_class_prints_what_is_hidden() -> None:
    found = [
        f"{kind.__module__}.{kind.__name__}.{name}"
        for kind in classes()
        if kind.__name__ not in OPEN
        for name, type_ in shown(kind).items()
        # The seed of an experiment is a number that its reader types again.
        if name in HIDDEN and not (name == "seed" and "int" in str(type_))
        if "bool" not in str(type_)
    ]
    assert not found


def holders(match: Match, deal: Deal) -> Iterator[object]:
    """One of everything in the core that holds hidden tiles or a seed."""
    view = view_of(deal, deal.turn)
    record = record_of(deal.rules, [deal])
    yield from (match, deal, deal.layout, deal.public, deal.legal_actions(), view, Options(view))
    yield from (record, record.deals[0], replay(record), PlaySettings(seed=match.seed))
    yield from (Thought("greedy", 7, view), Turn(view))


@pytest.mark.parametrize("actions", [0, 2])
def test_what_holds_hidden_tiles_does_not_print_them(actions: int) -> None:
    match = Match.new("pagat", deals=1, seed=7)
    deal = match.deal()
    for text in ("discard R1", "draw")[:actions]:
        deal = deal.apply(text)
    assert deal.layout.seed is not None
    words = [str(deal.rack(seat)) for seat in range(4)] + [str(hand) for hand in deal.hands]
    words += [str(hand) for hand in deal.layout.hands] + [repr(deal.layout.stock)]
    words += [" ".join(map(str, deal.stock)), repr(match.seed), match.seed.hex()]
    words += [repr(deal.layout.seed), deal.layout.seed.hex()]
    for thing in holders(match, deal):
        told = repr(thing)
        assert not [word for word in words if word in told], told
        assert not any(f"R{n}" in told.replace("discard R1", "") for n in range(1, 14)), told
