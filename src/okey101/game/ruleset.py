"""Rules as data: one frozen value with a field for every choice of the sources, and the presets.

The field names and the rule ids in their notes are those of the catalogue of rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from operator import attrgetter
from reprlib import repr as shown
from types import MappingProxyType
from typing import Any, Literal

from okey101.errors import OkeyError, RuleSetError, checked, nearest


def _choice(rule: str, *options: object, default: object = None, **more: object) -> Any:
    """A choice among options, the first by default; no or yes where none are named."""
    options = options or (False, True)
    chosen = options[0] if default is None else default
    return field(default=chosen, metadata={"rule": rule, "options": options, **more})


def _range(rule: str, default: int, low: int, high: int) -> Any:
    return field(default=default, metadata={"rule": rule, "low": low, "high": high})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Every choice a table can make; the defaults are the preset ``altinstar``.

    Raises RuleSetError on a value out of range or on fields that contradict each other.

    >>> RuleSet(players=3).with_(rising=True).differences()
    {'players': (4, 3), 'rising': (False, True)}
    """

    players: int = _range("D1", 4, 2, 4)
    """Seats at the table."""
    teams: bool = _choice("G1")
    """Seats 0 and 2 play against 1 and 3."""
    starter: Literal["dealer", "right_of_dealer"] = _choice("D4", "dealer", "right_of_dealer")
    """Who gets 22 tiles and begins."""
    false_joker_indicator: Literal["rethrow", "riziko"] = _choice("D8", "rethrow", "riziko")
    """What a false joker turned up as indicator means."""
    riziko_losers: Literal["flat", "hand"] = _choice("R8", "flat", "hand")
    """What the others score when the false joker finishes a riziko deal."""
    open_points: int = _range("O1", 101, 51, 151)
    """Points an opening with sets and runs needs."""
    open_pairs: int = _range("O2", 5, 4, 7)
    """Pairs an opening with pairs needs."""
    whole_hand_opens: bool = _choice("O4")
    """Laying the whole hand but the last discard in sets and runs opens without the points."""
    short_opening: Literal["fine", "refuse"] = _choice("O5", "fine", "refuse")
    """An opening that falls short is fined, or refused."""
    short_opening_fine: int = _range("X7", 101, 0, 1010)
    """Fine for an opening that falls short (P3); 0 switches it off."""
    indicator_pairs: bool = _choice("O6")
    """The announced twin of the indicator may be paired with any tile in an opening."""
    all_pairs: Literal["void", "void_but_okeys"] = _choice("O7", "void", "void_but_okeys")
    """What a deal is worth in which everybody opened with pairs."""
    return_discard: bool = _choice("U3", default=True)
    """A taken discard may be put back before anything is laid."""
    pairs_discard_protected: bool = _choice("U6")
    """Nobody takes the discard of a player who opened with pairs."""
    taken_discard_fine: int = _range("U7", 0, 0, 101)
    """How many times its number a used discard costs the player who threw it."""
    taken_to_open_fine: int = _range("X4", 0, 0, 202)
    """What a discard costs the player who threw it if the next one opens with it."""
    team_taken_to_open_fine: int = _range("X4", 0, 0, 202)
    """The same in the team game, where the larger of the two is charged; no matter elsewhere."""
    last_discard_takeable: bool = _choice("E2")
    """With the stock empty the next player may still take the discard."""
    empty_stock: Literal["void_but_okeys", "count_hands"] = _choice(
        "E3", "void_but_okeys", "count_hands", default="count_hands"
    )
    """How a deal is scored that nobody finished."""
    stock_pairs_doubled: bool = _choice("R13", default=True)
    """In a deal that nobody finished the hands of pairs openers count twice."""
    indicator_is_last_tile: bool = _choice("E4")
    """With the stock empty the next player may finish with the indicator."""
    okey_in_hand: Literal["tile_101", "fine_101"] = _choice(
        "C2", "tile_101", "fine_101", default="fine_101"
    )
    """An okey left in hand is a tile of 101 points, or a flat fine."""
    okey_in_hand_fine: int = _range("X7", 101, 0, 1010)
    """The fine for an okey left in hand (P5), where it is one; 0 switches it off."""
    unopened_pairs_okey: Literal[404, 808] = _choice("C1", 404, 808, default=808)
    """What an unopened hand costs when pairs finish with the okey."""
    okey_discard_fine: int = _range("P1", 101, 0, 1010)
    """Fine for discarding an okey; 0 switches it off."""
    playable_discard_fine: int = _range("P2", 101, 0, 1010)
    """Fine for discarding a tile that fits a set or run on the table; 0 switches it off."""
    take_back_fine: int = _range("X7", 101, 0, 1010)
    """Fine for taking back more than one tile (P4); 0 switches it off."""
    rising: bool = _choice("X1")
    """An opening must beat the highest opening of the deal."""
    partner_opens: bool = _choice("X5", needs="teams")
    """Once a player has opened his partner opens without a threshold."""
    melds_lay_pairs: bool = _choice("X8")
    """A player who opened with melds may lay pairs once pairs lie on the table."""
    pairs_lay_off: Literal["all", "none"] = _choice("X6", "all", "none")
    """Where a player who opened with pairs may lay off."""
    lay_off_when_opening: bool = _choice("X6", default=True)
    """Tiles may be laid off in the turn of one's opening."""
    reclaim_okey: bool = _choice("X2")
    """A laid okey may be swapped for the real tile."""
    partner_waived: bool = _choice("X9", needs="teams")
    """The winner's partner pays nothing but his fines."""

    def __new__(cls, *_unnamed: object, **fields: object) -> RuleSet:  # noqa: D102, PYI034
        _check_names(fields)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        kinds = tuple(map(type, _VALUES(self)))  # True is not 1 here
        try:
            _check(self, kinds)
        except TypeError:  # a value that can't be hashed is refused like any other
            _check.__wrapped__(self, kinds)

    @classmethod
    def preset(cls, name: str) -> RuleSet:
        """The preset of that name; RuleSetError ``unknown-preset`` otherwise."""
        found = PRESETS.get(str(name))
        if found is None:
            told: dict[str, object] = {"name": shown(name), "known": ", ".join(PRESETS)}
            message = f"no rule set is called {told['name']}; known: {told['known']}"
            told["meant"] = nearest(name, PRESETS)
            raise RuleSetError("unknown-preset", message, ("preset",), **told)
        return found

    def with_(self, **changes: object) -> RuleSet:
        """A copy with some fields changed, checked anew."""
        return replace(self, **changes)  # type: ignore[arg-type]

    @property
    def opened_with_fine(self) -> int:
        """What a discard costs if the next player opens with it, at this table (X4, R16)."""
        team = self.team_taken_to_open_fine if self.teams else 0
        return max(self.taken_to_open_fine, team)

    @property
    def preset_name(self) -> str:
        """The preset this rule set differs least from (the first such one)."""
        return min(PRESETS, key=lambda name: len(self.differences(name)))

    def differences(self, other: RuleSet | str | None = None) -> dict[str, tuple[object, object]]:
        """Fields that differ from another rule set: its value and this one's.

        The other is given as such or as the name of a preset, RuleSetError ``unknown-preset``
        otherwise; by default it is the nearest preset.
        """
        if other is None:
            other = self.preset_name
        base = rules_of(other)
        pairs = ((name, getattr(base, name), getattr(self, name)) for name in _FIELDS)
        return {name: (theirs, ours) for name, theirs, ours in pairs if theirs != ours}

    def __repr__(self) -> str:
        """Only the fields that are not the default: read again, it is this rule set."""
        told = self.differences("altinstar").items()
        return f"RuleSet({', '.join(f'{name}={ours!r}' for name, (_, ours) in told)})"

    def to_dict(self) -> dict[str, object]:
        """Every field, beside the name of the nearest preset."""
        data: dict[str, object] = {"preset": self.preset_name}
        return data | {name: getattr(self, name) for name in _FIELDS}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> RuleSet:
        """A preset (default ``altinstar``) with the given fields changed.

        Raises RuleSetError; the inverse of :meth:`to_dict`.
        """
        changes = {**checked(data, Mapping, "object")}
        name = changes.pop("preset", "altinstar")
        if not isinstance(name, str):
            raise RuleSetError("bad-value", "preset must be a text", ("preset",))
        _check_names(changes)
        return cls.preset(name).with_(**changes)


def rules_of(rules: RuleSet | str) -> RuleSet:
    """A rule set, or the preset of that name; RuleSetError ``unknown-preset``."""
    return rules if isinstance(rules, RuleSet) else RuleSet.preset(rules)


def checked_seat(seat: object, players: int) -> int:
    """The number of a seat; OkeyError ``bad-seat`` where there is none of it."""
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < players:
        raise OkeyError("bad-seat", f"there is no seat {seat}", seat=seat)
    return seat


def _check_names(names: Mapping[str, object]) -> None:
    """Refuse what is no field."""
    unknown = tuple(shown(name)[1:-1] for name in names if name not in _FIELDS)
    if unknown:
        message = f"a rule set has no field {unknown[0]!r}"
        raise RuleSetError("unknown-field", message, unknown, meant=nearest(unknown[0], _FIELDS))


@lru_cache(1_000)  # a server reads the same few for each of its tables
def _check(rules: RuleSet, _: tuple[type, ...]) -> None:
    for f in fields(rules):
        _check_field(f.name, getattr(rules, f.name), f.metadata)
    if rules.teams and rules.players != 4:
        raise RuleSetError("teams-need-four", "teams needs players = 4 (G1)", ("teams", "players"))
    for f in fields(rules):
        if f.metadata.get("needs") == "teams" and getattr(rules, f.name) and not rules.teams:
            name, rule = f.name, f.metadata["rule"]
            message = f"{name} needs teams ({rule})"
            raise RuleSetError("needs-teams", message, (name, "teams"), name=name, rule=rule)
    if rules.indicator_is_last_tile and rules.last_discard_takeable:
        both = "indicator_is_last_tile", "last_discard_takeable"
        message = f"{' and '.join(both)} exclude each other (E2, E4)"
        raise RuleSetError("two-last-tiles", message, both)


def _check_field(name: str, value: object, metadata: Mapping[str, Any]) -> None:
    rule = metadata["rule"]
    if "options" in metadata:
        options = metadata["options"]
        if not any(type(value) is type(o) and value == o for o in options):
            message = (
                f"{name} must be {' or '.join(map(repr, options))}, not {shown(value)} ({rule})"
            )
            meant = nearest(value, [o for o in options if isinstance(o, str)])
            allowed = ", ".join(map(str, options))
            raise RuleSetError("bad-value", message, (name,), allowed=allowed, meant=meant)
        return
    low, high = metadata["low"], metadata["high"]
    if type(value) is not int or not low <= value <= high:
        wanted = f"a whole number from {low} to {high}"
        message = f"{name} must be {wanted}, not {shown(value)} ({rule})"
        raise RuleSetError("bad-value", message, (name,), allowed=f"{low}-{high}")


_FIELDS: tuple[str, ...] = tuple(f.name for f in fields(RuleSet))
_VALUES = attrgetter(*_FIELDS)


def rule_of_field(name: str) -> str:
    """The id of the rule that a field of RuleSet chooses."""
    return next(str(f.metadata["rule"]) for f in fields(RuleSet) if f.name == name)


ALTINSTAR = RuleSet()
"""Altinstar's official rules (S0, S4)."""
PAGAT = RuleSet(
    starter="right_of_dealer", whole_hand_opens=True, all_pairs="void_but_okeys",
    return_discard=False, last_discard_takeable=True, empty_stock="void_but_okeys",
    okey_in_hand="tile_101", unopened_pairs_okey=404,
)  # fmt: skip
"""Pagat's page (S1, S3)."""
WIKI = RuleSet(
    starter="right_of_dealer", false_joker_indicator="riziko", indicator_pairs=True,
    pairs_discard_protected=True, taken_discard_fine=10, team_taken_to_open_fine=101,
    stock_pairs_doubled=False, indicator_is_last_tile=True,
)  # fmt: skip
"""An encyclopedic page with pairs announcements and riziko deals (S2)."""
PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {"altinstar": ALTINSTAR, "pagat": PAGAT, "wiki": WIKI}
)
"""The presets by name, the default first."""
