"""The open side of a deal as JSON: how it is written, and how it is read again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeAlias, cast

from okey101.game.actions import Action, parse_line
from okey101.game.deal_parts import End, Fine, Placed, Result, Score, Setup
from okey101.game.ruleset import RuleSet
from okey101.game.strict_json import as_int, as_list, as_object, as_text, bad, reading
from okey101.melds import Group, parse_group
from okey101.tiles import TILE_TEXTS, Rack, Tile, TileCode, parse_tile


class Begun(Protocol):
    """What the shapes here ask of the open side; while it is read, only its first fields."""

    setup: Setup
    table: tuple[Group, ...]
    owners: tuple[int, ...]
    placed: tuple[Placed, ...]


# Writing --------------------------------------------------------------------------------------


def result_json(result: Result) -> dict[str, object]:
    """A deal's result as the record writes it."""
    return {
        "end": result.end.value,
        "winner": result.winner,
        "scores": list(result.scores),
        "fines": [fine._asdict() for fine in result.fines],
    }


def sheet_json(result: Result) -> dict[str, object]:
    """A deal's result with how each score came about: base, factors, fines, total."""
    sheet = [score._asdict() | {"factors": list(score.factors)} for score in result.sheet]
    return result_json(result) | {"sheet": sheet, "counts": result.counts}


def tile_or_none(tile: TileCode | None) -> str | None:
    """A tile's notation, None for none.

    ``tile`` is its code.
    """
    return None if tile is None else TILE_TEXTS[tile]


def groups(public: Begun) -> list[dict[str, object]]:
    """The groups on the table with their owners."""
    return [
        {"owner": owner, "form": group.form.value, "tiles": str(group)}
        for owner, group in zip(public.owners, public.table, strict=True)
    ]


def placed_at(public: Begun) -> list[dict[str, object]]:
    """Where each tile put down this turn lies."""
    return [
        {
            "group": placed.at + 1,
            "nth": placed.nth,
            "before": str(placed.before),
            "form": cast("Group", placed.before).form.value,
            "swapped": placed.swapped,
        }
        for placed in public.placed
    ]


# Reading --------------------------------------------------------------------------------------

Data: TypeAlias = Mapping[str, Any]
_SHEET = ("end", "winner", "scores", "fines", "sheet", "counts")


def read_tile(value: object, path: str) -> Tile:
    """A tile; like all readers here, RecordError for what it can't read."""
    with reading(path):
        return parse_tile(as_text(value, path, 3))


def read_rack(value: object, path: str) -> int:
    """A packed rack."""
    with reading(path):
        return Rack.parse(as_text(value, path, 400)).bits


def read_group(value: object, form: object, path: str, setup: Setup) -> Group:
    """A group of a form; in a pair the announced twin may stand (O6)."""
    twin = setup.indicator if form == "pair" else None
    with reading(path):
        group = parse_group(as_text(value, path), okey=setup.okey, twin=twin)
    if group.form.value != form:
        bad("bad-value", f"{value!r} is no {form}", path)
    return group


def read_setup(data: Data, _: object) -> Setup:
    """``rules`` may be a RuleSet already: a table tells it once."""
    rules = data["rules"]
    if not isinstance(rules, RuleSet):
        rules = RuleSet.from_dict(
            as_object(rules, "rules", tuple(rules) if isinstance(rules, dict) else ())
        )
    last = rules.players - 1
    indicator = read_tile(data["indicator"], "indicator")
    okey = read_tile(data["okey"], "okey")
    dice = as_list(data["dice"], "dice")
    dealer, starter = (as_int(data[name], name, 0, last) for name in ("dealer", "starter"))
    throws = tuple(as_int(throw, f"dice[{i}]", 1, 6) for i, throw in enumerate(dice))
    return Setup(rules, dealer, starter, indicator, None if okey == Tile.F else okey, throws)


def read_seat(data: Data, name: str, draft: Begun) -> int:
    """A seat of the deal that is being read."""
    return as_int(data[name], name, 0, draft.setup.rules.players - 1)


def read_count(name: str, most: int = 10**6) -> Any:
    """A reader of a count under a name."""
    return lambda data, _: as_int(data[name], name, 0, most)


def by_seat(data: Data, name: str, draft: Begun) -> list[tuple[object, str]]:
    """One value a seat, each with its path."""
    values = as_list(data[name], name, draft.setup.rules.players)
    return [(value, f"{name}[{seat}]") for seat, value in enumerate(values)]


def items(data: Data, name: str, path: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    """The objects of a list with their paths."""
    for i, item in enumerate(as_list(data[name], f"{path}{name}")):
        at = f"{path}{name}[{i}]"
        yield as_object(item, at, tuple(item) if isinstance(item, dict) else ()), at


def number(item: Data, name: str, at: str, low: int, high: int) -> int:
    """A whole number of an object of a list."""
    return as_int(item[name], f"{at}.{name}", low, high)


def one_of(kind: type[Any], value: object, path: str) -> Any:
    """A member of an enumeration."""
    try:
        return kind(value)
    except ValueError:
        bad("bad-value", f"{value!r} is no {kind.__name__.lower()}", path)


def flag(name: str) -> Any:
    """A reader of a truth value under a name."""

    def read(data: Data, _: object) -> bool:
        if type(data[name]) is not bool:
            bad("wrong-type", "must be true or false", name, wanted="boolean")
        return bool(data[name])

    return read


def read_fines(data: Data, name: str, path: str = "") -> tuple[Fine, ...]:
    """Fines."""
    found = []
    for item, at in items(data, name, path):
        seat, rule = number(item, "seat", at, 0, 3), as_text(item["rule"], f"{at}.rule", 4)
        found.append(Fine(seat, rule, number(item, "points", at, 0, 10**6)))
    return tuple(found)


def read_placed(data: Data, draft: Begun) -> tuple[Placed, ...]:
    """Tiles put down this turn, from ``placed`` and ``placed_at``."""
    tiles = as_list(data["placed"], "placed")
    where = [*items(data, "placed_at")]
    if len(tiles) != len(where):
        bad("wrong-count", "placed and placed_at differ in length", "placed_at")
    found: list[Placed] = []
    for i, (item, path) in enumerate(where):
        before = read_group(item["before"], item["form"], f"{path}.before", draft.setup)
        tile, at = read_tile(tiles[i], f"placed[{i}]"), number(item, "group", path, 1, 10**3) - 1
        nth = number(item, "nth", path, -1, 12)
        found.append(Placed(tile, at, before, nth, item["swapped"] is True))
    return tuple(found)


def read_actions(data: Data, draft: Begun) -> tuple[tuple[int, Action], ...]:
    """Actions, each led by its seat."""
    found: list[tuple[int, Action]] = []
    for i, line in enumerate(as_list(data["actions"], "actions")):
        path = f"actions[{i}]"
        with reading(path):
            seat, action = parse_line(as_text(line, path, 1000))
        found.append((as_int(seat, path, 0, draft.setup.rules.players - 1), action))
    return tuple(found)


def read_result(data: Data, draft: Begun) -> Result | None:
    """The end of a deal, None while it runs."""
    if data["result"] is None:
        return None
    players = draft.setup.rules.players
    told = as_object(data["result"], "result", _SHEET)
    winner = told["winner"]
    sheet = []
    for item, at in items(told, "sheet", "result."):
        factors = tuple(as_text(f, f"{at}.factors") for f in as_list(item["factors"], at))
        seat, fines = number(item, "seat", at, 0, players - 1), number(item, "fines", at, 0, 10**6)
        base, total = (number(item, name, at, -(10**6), 10**6) for name in ("base", "total"))
        sheet.append(Score(seat, base, factors, fines, total))
    scores = as_list(told["scores"], "result.scores", players)
    return Result(
        one_of(End, told["end"], "result.end"),
        None if winner is None else as_int(winner, "result.winner", 0, players - 1),
        tuple(as_int(n, "result.scores", -(10**6), 10**6) for n in scores),
        read_fines(told, "fines", "result."),
        tuple(sheet),
        told["counts"] is True,
    )
