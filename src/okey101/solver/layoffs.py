"""What a hand can put on the table at once: new melds or pairs together with lay-offs (O3, M5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from okey101.melds import AS, Pieces
from okey101.solver.arrangement import arrangement_of_bits
from okey101.solver.lay_search import LaySearch, Place, Unit, lay_all, least_left
from okey101.solver.search import checked_natural_bits
from okey101.tiles import (
    BITS_OF,
    FALSE_JOKER,
    OKEY,
    Kind,
    PackedRack,
    Piece,
    Rack,
    TileCode,
    code_of,
    points_of_bits,
    tiles_of_bits,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to put down: new groups, then lay-offs in an order that can be played.

    ``pieces`` are those of each new group. A lay-off is a piece and the position of its place; an
    okey laid on a set stands for the lowest free colour. ``points`` are the face points of the new
    groups alone (O3), ``tiles`` counts all that is put down, ``left_points`` is what stays in the
    hand, an okey counting 101 (C2), and ``discard`` the one tile that stays, None where more do.
    """

    pieces: tuple[Pieces, ...]
    layoffs: tuple[tuple[Piece, int], ...]
    points: int
    tiles: int
    left_points: int
    left_bits: PackedRack = field(repr=False)
    discard: TileCode | None = None

    @property
    def left(self) -> Rack:
        """The tiles that stay in the hand."""
        return Rack.from_bits(self.left_bits)


def max_laid_bits(
    bits: PackedRack,
    okey: Kind | None,
    table: Sequence[Place],
    *,
    allow_melds: bool = True,
    allow_pairs: bool = False,
    must: TileCode | None = None,
) -> Plan | None:
    """The plan of one turn that leaves the fewest points in the hand, then the fewest tiles.

    It lays on the table's open places and puts down new groups; an okey left counts 101 (C2). At
    least one tile stays, for the discard; ``must`` is a tile of which a copy has to be put down,
    as in ``arrange_bits``. None where these can't be met. Raises OkeyError as ``best_value_bits``
    does, and ``bad-place`` for a place that takes no tile. ``bits`` is a packed rack, ``okey``
    the okey's kind, ``must`` a tile's code.
    """
    return _planned(least_left, bits, okey, table, allow_melds, allow_pairs, must)


def can_lay_all_but_one_bits(
    bits: PackedRack,
    okey: Kind | None,
    table: Sequence[Place],
    *,
    allow_melds: bool = True,
    allow_pairs: bool = False,
    must: TileCode | None = None,
) -> Plan | None:
    """How to finish: a plan that leaves exactly one tile, the discard (E1, U4), or None.

    ``table`` holds the places; lay-offs name them by position. A plan that discards an okey is
    preferred, as it doubles the deal (C1), and after that one that discards a high tile.
    Raises OkeyError as ``max_laid_bits`` does. ``bits`` is a packed rack, ``okey`` the okey's
    kind, ``must`` a tile's code.
    """
    return _planned(lay_all, bits, okey, table, allow_melds, allow_pairs, must)


def _planned(
    best: Callable[[LaySearch], Sequence[Unit] | None],
    bits: PackedRack,
    okey: Kind | None,
    table: Sequence[Place],
    melds: bool,
    pairs: bool,
    must: TileCode | None,
) -> Plan | None:
    """The best plan that leaves one tile at least; None where nothing can be asked of a search."""
    natural = checked_natural_bits(bits, okey)
    must = None if must is None else code_of(must)
    if must is not None and must == okey:
        must = OKEY
    if not bits or (must is not None and not bits >> 2 * must & 3):
        return None
    forced = okey if must == FALSE_JOKER else must
    search = LaySearch(natural, bits >> 106, table, melds=melds, pairs=pairs, must=forced)
    units = best(search)
    return None if units is None else _plan_of(bits, okey, search, units)


def _plan_of(bits: PackedRack, okey: Kind | None, search: LaySearch, units: Sequence[Unit]) -> Plan:
    """The plan that the steps of a search come to, lay-offs in the order of their places."""
    groups: list[list[Piece]] = []
    runs: list[list[Piece]] = []
    small: list[tuple[list[Piece], int]] = []
    layoffs: list[tuple[Piece, int]] = []
    laid_off = len(search.at)
    for unit, first, second, third in units:
        if unit == "run":
            colour = search.runs[first][0] if first < laid_off else runs[first - laid_off][0] & 63
            kind = (colour if first < laid_off else colour // 13) * 13 + second - 1
            piece = AS + kind if third else kind
            if first < laid_off:
                layoffs.append((piece, search.at[first]))
            else:
                runs[first - laid_off].append(piece)
        elif unit == "new":
            kind = 13 * first + second - 1
            run = [AS + kind + n if third >> n & 1 else kind + n for n in range(3)]
            runs.append(run)
            groups.append(run)
        elif unit == "lay":
            free, number = search.free[first]
            colour = (free & -free).bit_length() - 1 if third else second
            kind = 13 * colour + number - 1
            layoffs.append((AS + kind if third else kind, first))
        elif unit == "set":
            group = [13 * c + first - 1 for c in range(4) if second >> c & 1]
            groups.append(group)
            missing = [13 * c + first - 1 for c in range(4) if not second >> c & 1]
            group += [AS + kind for kind in missing[:third]]
            if len(group) == 3:
                small.append((group, missing[third]))
        elif unit == "more":
            group, kind = small[first]
            group.append(AS + kind)
        else:
            groups.append([first, first])
            for place in range(2 - second, 2):
                groups[-1][place] += AS
    layoffs.sort(key=lambda lay: lay[1])
    pieces = [sorted(group, key=lambda p: p & 63) if group in runs else group for group in groups]
    # Every natural tile of the okey's kind is a false joker.
    told = [tuple(FALSE_JOKER if p == okey else p for p in group) for group in pieces]
    layoffs = [(FALSE_JOKER if p == okey else p, place) for p, place in layoffs]
    laid = arrangement_of_bits(bits, okey, told)
    left = laid.left_bits - sum(BITS_OF[OKEY if p >= AS else p] for p, _ in layoffs)
    rest = tiles_of_bits(left)
    return Plan(
        pieces=laid.pieces, layoffs=tuple(layoffs), points=laid.points,
        tiles=laid.tiles + len(layoffs), left_points=points_of_bits(left, okey, 101),
        left_bits=left, discard=rest[0] if len(rest) == 1 else None,
    )  # fmt: skip
