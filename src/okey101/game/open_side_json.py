"""The open side of a deal as JSON: how it is written, and how it is read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, TypeAlias

from okey101.game.actions import Action, parse_line
from okey101.game.deal_parts import End, Fine, Placed, Result, Score, Setup
from okey101.game.dealing import indicator_of, wild_of
from okey101.game.ruleset import RuleSet
from okey101.game.strict_json import as_int, as_list, as_object, as_text, bad, parsed, reading
from okey101.melds import Group, parse_group
from okey101.tiles import (
    BITS_OF,
    OKEY,
    TILE_TEXTS,
    PackedRack,
    Rack,
    Tile,
    TileCode,
    bits_of_tiles,
    parse_tile,
)


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
    """The notation of a tile given by its code, None for none."""
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
            "form": placed.before.form.value,
            "swapped": placed.swapped,
        }
        for placed in public.placed
    ]


# Reading --------------------------------------------------------------------------------------

Reader: TypeAlias = Callable[[Any, str, Begun], Any]
"""Reads what is shown, by its path and the fields before; RecordError for what it can't read."""
_SHEET = ("end", "winner", "scores", "fines", "sheet", "counts")


def read_tile(value: object, path: str, _: object = None) -> Tile:
    """A tile."""
    return parsed(value, path, parse_tile, 3)


def read_rack(value: object, path: str, _: object = None) -> int:
    """A packed rack."""
    return parsed(value, path, Rack.parse, 400).bits


def read_group(value: object, form: object, path: str, setup: Setup) -> Group:
    """A group of a form; in a pair the announced twin may stand (O6)."""
    twin = setup.indicator if form == "pair" else None
    group = parsed(value, path, lambda text: parse_group(text, okey=setup.okey, twin=twin))
    if group.form.value != form:
        bad("bad-value", f"{value!r} is no {form}", path)
    return group


def read_setup(data: Mapping[str, Any], _path: str, _: object) -> Setup:
    """``rules`` may be a RuleSet already: a table tells it once."""
    rules = data["rules"]
    if not isinstance(rules, RuleSet):
        rules = RuleSet.from_dict(_any_object(rules, "rules"))
    last = rules.players - 1
    with reading("indicator"):
        indicator = indicator_of(rules, read_tile(data["indicator"], "indicator"))
    if (okey := read_tile(data["okey"], "okey")) != wild_of(indicator):
        bad("bad-value", f"{okey} is not the okey of {indicator} (J1)", "okey")
    dice = as_list(data["dice"], "dice")
    dealer, starter = (as_int(data[name], name, 0, last) for name in ("dealer", "starter"))
    throws = tuple(as_int(throw, f"dice[{i}]", 1, 6) for i, throw in enumerate(dice))
    return Setup(rules, dealer, starter, indicator, None if okey == Tile.F else okey, throws)


def read_seat(value: object, path: str, draft: Begun) -> int:
    """A seat of the deal that is being read."""
    return as_int(value, path, 0, draft.setup.rules.players - 1)


def read_count(value: object, path: str, _: object) -> int:
    """A count."""
    return as_int(value, path, 0, 10**6)


def read_flag(value: object, path: str, _: object) -> bool:
    """A truth value."""
    if type(value) is not bool:
        bad("wrong-type", "must be true or false", path, wanted="boolean")
    return value


def or_none(read: Reader) -> Reader:
    """The same, or None."""
    return lambda value, path, draft: None if value is None else read(value, path, draft)


def by_seat(read: Reader) -> Reader:
    """One value a seat."""
    return lambda value, path, draft: tuple(
        read(item, f"{path}[{seat}]", draft)
        for seat, item in enumerate(as_list(value, path, draft.setup.rules.players))
    )


def one_of(kind: type[Any]) -> Reader:
    """A member of an enumeration."""

    def read(value: object, path: str, _: object) -> Any:
        try:
            return kind(value)
        except ValueError:
            bad("bad-value", f"{value!r} is no {kind.__name__.lower()}", path)

    return read


def _any_object(value: object, path: str) -> dict[str, Any]:
    """An object whose names are looked up by whoever reads it."""
    return as_object(value, path, tuple(value) if isinstance(value, dict) else ())


def items(value: object, path: str) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects of a list with their paths."""
    for i, item in enumerate(as_list(value, path)):
        yield _any_object(item, f"{path}[{i}]"), f"{path}[{i}]"


def _number(item: Mapping[str, Any], name: str, at: str, low: int, high: int) -> int:
    """A whole number of an object of a list."""
    return as_int(item[name], f"{at}.{name}", low, high)


def read_fines(value: object, path: str, _: object = None) -> tuple[Fine, ...]:
    """Fines."""
    found = []
    for item, at in items(value, path):
        seat, rule = _number(item, "seat", at, 0, 3), as_text(item["rule"], f"{at}.rule", 4)
        found.append(Fine(seat, rule, _number(item, "points", at, 0, 10**6)))
    return tuple(found)


def read_placed(data: Mapping[str, Any], _: str, draft: Begun) -> tuple[Placed, ...]:
    """Tiles put down this turn, from ``placed`` and ``placed_at``."""
    tiles = as_list(data["placed"], "placed")
    where = [*items(data["placed_at"], "placed_at")]
    if len(tiles) != len(where):
        bad("wrong-count", "placed and placed_at differ in length", "placed_at")
    found: list[Placed] = []
    for i, (item, path) in enumerate(where):
        before = read_group(item["before"], item["form"], f"{path}.before", draft.setup)
        tile = read_tile(tiles[i], f"placed[{i}]")
        at = _number(item, "group", path, 1, len(draft.table)) - 1
        nth = _number(item, "nth", path, -1, len(before) - 1)
        found.append(Placed(tile, at, before, nth, item["swapped"] is True))
    _check_placed(found, [group.bits for group in draft.table])
    return tuple(found)


def _check_placed(placed: list[Placed], lying: list[PackedRack]) -> None:
    """Refuse what can't be taken back tile by tile; ``lying`` are the groups, as packed racks."""
    for i, (tile, at, before, nth, swapped) in reversed([*enumerate(placed)]):
        left = before.bits if nth < 0 else bits_of_tiles(before.tiles[:nth])
        if at >= len(lying) or lying[at] != left + BITS_OF[tile] - BITS_OF[OKEY] * swapped:
            bad("bad-value", f"{TILE_TEXTS[tile]} was not put down there", f"placed_at[{i}]")
        lying[at : at + 1] = [left] if left else []


def read_actions(value: object, path: str, draft: Begun) -> tuple[tuple[int, Action], ...]:
    """Actions, each led by its seat."""
    found: list[tuple[int, Action]] = []
    for i, line in enumerate(as_list(value, path)):
        at = f"{path}[{i}]"
        seat, action = parsed(line, at, parse_line, 1000)
        found.append((read_seat(seat, at, draft), action))
    return tuple(found)


def read_result(value: object, path: str, draft: Begun) -> Result:
    """The end of a deal."""
    told = as_object(value, path, _SHEET)
    sheet = []
    for item, at in items(told["sheet"], f"{path}.sheet"):
        factors = tuple(as_text(f, f"{at}.factors") for f in as_list(item["factors"], at))
        seat = read_seat(item["seat"], f"{at}.seat", draft)
        base, total = (_number(item, name, at, -(10**6), 10**6) for name in ("base", "total"))
        sheet.append(Score(seat, base, factors, _number(item, "fines", at, 0, 10**6), total))
    scores = as_list(told["scores"], f"{path}.scores", draft.setup.rules.players)
    return Result(
        one_of(End)(told["end"], f"{path}.end", draft),
        or_none(read_seat)(told["winner"], f"{path}.winner", draft),
        tuple(as_int(n, f"{path}.scores", -(10**6), 10**6) for n in scores),
        read_fines(told["fines"], f"{path}.fines"),
        tuple(sheet),
        told["counts"] is True,
    )
