"""Racks, groups, tables and score sheets as plain lines of text, readable aloud.

Colour is an extra for those who see it: every tile carries its letter, so nothing is lost without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from okey101.game.actions import Back, Discard, Draw, Lay, Meld, Swap
from okey101.game.deal_parts import Fine, Opened, Result, Score
from okey101.game.match import places, team_totals
from okey101.game.public import Public
from okey101.game.record.sheet import MatchSheet
from okey101.game.ruleset import RuleSet
from okey101.i18n import Texts
from okey101.melds import ANY, AS, Pieces, piece_text, tile_of_piece
from okey101.solver import Objective, arrange_bits
from okey101.tiles import FALSE_JOKER, KINDS, OKEY, TILES, TileCode, tiles_of_bits

_ANSI = ("31", "33", "34", "1")
_ANSI_JOKER, _ANSI_OKEY = "35", "1;35"
_RESET = "\x1b[0m"


@lru_cache(512)
def _words(texts: Texts, piece: int) -> str:
    """A piece in words, kept: a picture of a table names fifty, and a match has hundreds."""
    if piece >= ANY:
        return texts("piece-okey-as-number", number=piece - ANY)
    if piece >= AS:
        return texts("piece-okey-as", tile=_words(texts, piece - AS))
    if piece in (OKEY, FALSE_JOKER):
        return texts("tile-okey" if piece == OKEY else "tile-false-joker")
    return texts("tile", colour=TILES[piece].colour.letter, number=piece % 13 + 1)


@dataclass(frozen=True, slots=True)
class Ink:
    """How tiles are written: in the notation or in words, with ANSI colours or without.

    >>> from okey101.i18n import load
    >>> Ink(load("en")).tile(6), Ink(load("en"), words=True).tile(6)
    ('R7', 'red 7')
    """

    texts: Texts
    color: bool = False
    words: bool = False

    def piece(self, piece: int) -> str:
        """One piece of a group; an okey with what it stands for."""
        text = _words(self.texts, piece) if self.words else piece_text(piece)
        if not self.color:
            return text
        tile = tile_of_piece(piece)
        code = _ANSI[tile // 13] if tile < KINDS else _ANSI_OKEY
        return f"\x1b[{_ANSI_JOKER if tile == FALSE_JOKER else code}m{text}{_RESET}"

    tile = piece
    """One tile."""

    def row(self, pieces: Iterable[int]) -> str:
        """Tiles or pieces one after another."""
        return (", " if self.words else " ").join(map(self.piece, pieces))

    def groups(self, groups: Iterable[Sequence[int]]) -> str:
        """Groups of pieces, separated as in the notation."""
        return " / ".join(map(self.row, groups))


class Order(StrEnum):
    """The ways a rack can be sorted."""

    MELDS = "melds"
    """Sets and runs worth most, as an opening wants them (O1)."""
    LEFT = "left"
    """Sets and runs that leave least in the hand, once open."""
    PAIRS = "pairs"
    """As many pairs as can be (O2)."""
    COLOURS = "colours"
    """By colour and number."""


_OBJECTIVES = {
    Order.MELDS: Objective.POINTS,
    Order.LEFT: Objective.LEFT,
    Order.PAIRS: Objective.PAIRS,
}


def shelves(
    bits: int, okey: int | None, order: Order
) -> tuple[tuple[Pieces, ...], tuple[TileCode, ...]]:
    """Sort a packed rack: groups for the upper shelf, and the other tiles for the lower.

    ``okey`` is the okey's kind, None in a riziko deal.
    """
    found = arrange_bits(bits, okey, _OBJECTIVES[order]) if order in _OBJECTIVES else None
    if found is None:
        return (), tuple(tiles_of_bits(bits))
    return found.pieces, tuple(tiles_of_bits(found.left_bits))


def rack_lines(bits: int, okey: int | None, order: Order, ink: Ink) -> list[str]:
    """A packed rack on its two shelves."""
    texts = ink.texts
    groups, rest = shelves(bits, okey, order)
    if order is Order.COLOURS:
        return [f"  {line}" for line in _colour_lines(rest, ink)]
    upper = " | ".join(map(ink.row, groups)) or texts("text-none")
    lower = ink.row(rest) or texts("text-none")
    label = "text-shelf-pairs" if order is Order.PAIRS else "text-shelf-melds"
    return [f"  {texts(label)}: {upper}", f"  {texts('text-shelf-rest')}: {lower}"]


def _colour_lines(tiles: Sequence[int], ink: Ink) -> list[str]:
    """Red and yellow on the upper shelf, blue, black and the jokers on the lower."""
    rows = [ink.row(tile for tile in tiles if tile // 13 == colour) for colour in range(5)]
    return [" | ".join(filter(None, shelf)) for shelf in (rows[:2], rows[2:]) if any(shelf)]


def table_lines(public: Public, names: Sequence[str], ink: Ink) -> list[str]:
    """The groups on the table, a line each: number, tiles, form, owner, what fits (M4).

    ``names`` are by seat.
    """
    if not public.table:
        return [ink.texts("text-table-empty")]
    lines, okey = [ink.texts("text-table")], public.setup.okey
    for index, group in enumerate(public.table):
        fits = [FALSE_JOKER if k == okey else k for k in range(KINDS) if group.accepts >> k & 1]
        line = ink.texts(
            "text-group-fits" if fits else "text-group", number=index + 1,
            tiles=ink.row(group.pieces), form=ink.texts("form", form=group.form.value),
            owner=names[public.owners[index]], fits=ink.row(fits),
        )  # fmt: skip
        lines.append(f"  {line}")
    return lines


def action_told(
    before: Public, after: Public, drawn: int | None, ink: Ink
) -> tuple[str, dict[str, str | int]]:
    """The last action of ``after``: the end of its texts' keys, and all that they may name.

    ``drawn`` is the tile that was drawn, where that may be told.
    """
    action = after.actions[-1][1]
    word = str(action).partition(" ")[0]
    match action:
        case Meld():
            word, worth = _meld_told(before, after)
            return word, {"groups": ink.groups(action.pieces), "count": worth, "points": worth}
        case Lay():
            group = ink.row(after.table[action.group - 1].pieces)
            return word, {"piece": ink.piece(action.piece), "group": action.group, "tiles": group}
        case Swap():
            return word, {"tile": ink.tile(action.tile), "group": action.group}
        case Back():
            return word, {"count": action.count}
        case Discard():
            tile: int | None = action.tile
        case Draw():
            tile = drawn
        case _:
            tile = after.taken if word == "take" else before.taken
    return word, {"tile": "" if tile is None else ink.tile(tile)}


def _meld_told(before: Public, after: Public) -> tuple[str, int]:
    """What laying groups was, as the end of a text's key, and the pairs or points of an opening."""
    seat = before.turn
    if before.opened[seat] is not None:
        return "meld", 0
    if after.opened[seat] is None:
        return "short-opening", 0
    laid = after.table[len(before.table) :]
    if after.opened[seat] is Opened.PAIRS:
        return "open-pairs", len(laid)
    return "open-melds", sum(group.points for group in laid)


def fine_text(fine: Fine, texts: Texts) -> str:
    """A fine's points, rule and reason (P1-P5, U7, X4)."""
    return texts("text-fine", points=fine.points, rule=fine.rule, reason=texts(f"fine-{fine.rule}"))


def deal_sheet_lines(
    result: Result, names: Sequence[str], totals: Sequence[int], texts: Texts
) -> list[str]:
    """The score sheet of one deal, every doubling and fine spelled out (section 8).

    ``totals`` are the sums after the deal, by seat.
    """
    lines = [texts("text-sheet-heading")]
    for score in result.sheet:
        line = f"  {names[score.seat]}: {_sum(score, result, texts)}"
        lines.append(f"{line}; {texts('text-total', points=totals[score.seat])}")
    return lines


def _sum(score: Score, result: Result, texts: Texts) -> str:
    parts = [f"x 2 ({texts(f'factor-{name}')})" for name in score.factors]
    parts += [f"+ {fine_text(fine, texts)}" for fine in result.fines if fine.seat == score.seat]
    return " ".join([str(score.base), *parts, f"= {score.total}"]) if parts else str(score.base)


def match_sheet_lines(
    rules: RuleSet, results: Sequence[Result], names: Sequence[str], texts: Texts
) -> list[str]:
    """The score sheet of a match: a row a deal, void deals marked, the totals last (C4)."""
    sheet = MatchSheet(rules, tuple(names), tuple(results))
    lines = sheet.lines(void=texts("text-void"), total=texts("text-totals"))
    return [f"  {line}" for line in lines]


def place_lines(
    rules: RuleSet, totals: tuple[int, ...], names: Sequence[str], texts: Texts
) -> list[str]:
    """Who came in where, best first; the team's sum in the team game (C4, G1)."""
    teams = team_totals(rules, totals)
    if teams is not None:
        totals = teams
        names = [texts("text-team", first=names[t], second=names[t + 2]) for t in range(2)]
    rows = sorted(zip(places(totals), names, totals, strict=True), key=lambda row: row[0])
    return [
        "  " + texts("text-place", place=place, player=name, points=points)
        for place, name, points in rows
    ]
