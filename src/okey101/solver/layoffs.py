"""What a hand can put on the table at once: new melds or pairs together with lay-offs (O3, M5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from okey101.errors import OkeyError
from okey101.melds import AS, Pieces
from okey101.solver.arrangement import Usage, arrangement_of_bits, sets_of
from okey101.solver.k_best import NEVER
from okey101.solver.lay_search import LaySearch, Place, Places, Unit, lay_all, least_left
from okey101.solver.layoff_dp import Laying, Step, lay_best
from okey101.solver.objectives import WEIGHTS, Objective, table_of
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
    points_of_bits,
    size_of_bits,
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
    objective: Objective = Objective.LEFT,
    allow_melds: bool = True,
    allow_pairs: bool = False,
    keep: int = 1,
    must: TileCode | None = None,
) -> Plan | None:
    """The best that a hand can put down in one turn, on the table's open places and as new groups.

    Exact for the first value of the objective and, among its optima, for the second; points and
    tiles laid off count like those of new groups. At least ``keep`` tiles stay; ``must`` is a
    tile of which a copy has to be put down, as in ``arrange_bits``. None where these can't be
    met. Raises OkeyError as ``best_value_bits`` does, ``bad-place`` for a place that takes no
    tile, and ``no-lay-objective`` for ``PAIRS``. ``bits`` is a packed rack, ``okey`` the okey's
    kind, ``must`` a tile's code.
    """
    if objective is Objective.PAIRS:
        raise OkeyError("no-lay-objective", "pairs alone are not laid off")
    name = table_of(objective, tie_breaks=True)
    if name == "left_tiles" and keep == 1:
        search = _search(bits, okey, table, melds=allow_melds, pairs=allow_pairs, must=must)
        units = None if search is None else least_left(search)
        return None if search is None or units is None else _plan_of(bits, okey, search, units)
    weights = WEIGHTS[name]
    natural, forced, met = _asked(bits, okey, must)
    if size_of_bits(bits) < keep or not met:
        return None
    tile = [(0, w, 2 * w) for kind in range(52) for w in (weights.tile[kind % 13 + 1],)]
    if forced is not None and forced != OKEY:
        tile[forced] = (NEVER, *tile[forced][1:])
    places = Places(table)
    laying = Laying(
        tuple(natural >> 2 * kind & 3 for kind in range(52)),
        bits >> 106,
        tile,
        weights.okey,
        places,
        allow_melds,
        allow_pairs,
        keep,
        int(forced == OKEY),
    )
    best = lay_best(laying)
    return _plan(bits, okey, places, allow_melds, best[1]) if best else None


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

    ``table`` holds the places; lay-offs name them by position. A plan that discards an okey
    comes before others (it doubles the deal, C1); among the rest one that discards a high tile.
    Raises OkeyError as ``max_laid_bits`` does. ``bits`` is a packed rack, ``okey`` the okey's
    kind, ``must`` a tile's code.
    """
    search = _search(bits, okey, table, melds=allow_melds, pairs=allow_pairs, must=must)
    found = None if search is None else lay_all(search)
    return None if search is None or found is None else _plan_of(bits, okey, search, found[1])


def _search(
    bits: PackedRack,
    okey: Kind | None,
    table: Sequence[Place],
    *,
    melds: bool,
    pairs: bool,
    must: TileCode | None,
) -> LaySearch | None:
    """The search for plans that leave one tile at least; None where nothing can be asked of it."""
    natural, forced, met = _asked(bits, okey, must)
    if not bits or not met:
        return None
    return LaySearch(natural, bits >> 106, table, melds=melds, pairs=pairs, must=forced)


def _asked(
    bits: PackedRack, okey: Kind | None, must: TileCode | None
) -> tuple[PackedRack, Kind | None, bool]:
    """The naturals of a hand, the kind that must be laid (53: an okey), and whether it can be."""
    natural = checked_natural_bits(bits, okey)
    if must is not None and must == okey:
        must = OKEY
    forced = okey if must == FALSE_JOKER else must
    return natural, forced, must is None or bits >> 2 * must & 3 > 0


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
    return _told(bits, okey, map(tuple, pieces), layoffs)


def _told(
    bits: PackedRack,
    okey: Kind | None,
    groups: Iterable[Pieces],
    layoffs: Iterable[tuple[Piece, int]],
) -> Plan:
    """A plan by its groups and lay-offs, in which the okey's kind is the false joker."""
    if okey is not None:
        groups = [tuple(FALSE_JOKER if p == okey else p for p in group) for group in groups]
    layoffs = [(FALSE_JOKER if p == okey else p, place) for p, place in layoffs]
    laid = arrangement_of_bits(bits, okey, groups)
    left = laid.left_bits - sum(BITS_OF[OKEY if p >= AS else p] for p, _ in layoffs)
    rest = tiles_of_bits(left)
    return Plan(
        pieces=laid.pieces,
        layoffs=tuple(layoffs),
        points=laid.points,
        tiles=laid.tiles + len(layoffs),
        left_points=points_of_bits(left, okey, 101),
        left_bits=left,
        discard=rest[0] if len(rest) == 1 else None,
    )


def _plan(
    bits: PackedRack, okey: Kind | None, places: Places, melds: bool, steps: Sequence[Step]
) -> Plan:
    groups: list[Pieces] = []
    layoffs: list[tuple[Piece, int]] = []
    for colour in range(4):
        for group, place in _runs(places, colour, steps, melds):
            if place is None:
                groups.append(group)
            else:
                layoffs += [(piece, place) for piece in group]
    for number, step in enumerate(steps, 1):
        groups += step.pairs
        if sum(step.sets):
            usage = Usage(step.runs, step.okeys, step.sets, step.set_okeys)
            groups += sets_of(number, usage)
        layoffs += _set_layoffs(places, number, step)
    return _told(bits, okey, groups, layoffs)


def _runs(
    places: Places, colour: int, steps: Sequence[Step], melds: bool
) -> Iterator[tuple[Pieces, int | None]]:
    """The chains of one colour: each a new run, or what goes onto a run on the table, in order."""
    open_runs: list[tuple[list[int], int | None]] = []
    for number, step in enumerate(steps, 1):
        real = step.runs[colour]
        tiles = real + step.okeys[colour]
        # Runs that must go on come first; those that may end are on the table, or long.
        open_runs.sort(key=lambda run: run[1] is not None or (melds and len(run[0]) >= 3))
        for run, place in open_runs[tiles:]:
            if run:
                yield tuple(run), place
        open_runs = open_runs[:tiles]
        open_runs += [([], None) for _ in range(tiles - len(open_runs))]
        kind = colour * 13 + number - 1
        for position, (run, _) in enumerate(open_runs):
            run.append(kind if position < real else AS + kind)
        ones, twos = step.joins[colour]
        joined = places.ends_before.get((colour, number), ())[: ones + twos]
        for position, place in enumerate(joined):
            run = _joining(open_runs, (1 if position < ones else 2) if melds else None)
            yield tuple(reversed(run)), place
        open_runs += [([], place) for place in places.begins_after.get((colour, number), ())]


def _joining(open_runs: list[tuple[list[int], int | None]], length: int | None) -> list[int]:
    """Take out a run from the hand of that length, or of any."""
    for position, (run, place) in enumerate(open_runs):
        if place is None and (length is None or len(run) == length):
            del open_runs[position]
            return run
    raise AssertionError("no run is there to join")


def _set_layoffs(places: Places, number: int, step: Step) -> Iterator[tuple[int, int]]:
    indices = places.sets.get(number, ())
    for index, free, colour in zip(
        indices, places.free.get(number, ()), step.lays[0], strict=False
    ):
        if colour == -1:
            colour = (free & -free).bit_length() - 1
            yield AS + colour * 13 + number - 1, index
        elif colour is not None:
            yield colour * 13 + number - 1, index
