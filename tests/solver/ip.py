"""The solver's questions as an integer programme, over all the melds that a rack can make.

Nothing is shared with the solver but the numbering of the tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from solver.brute import AS, all_groups

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


class Meld(NamedTuple):
    """Natural tiles by their kinds, and the numbers that okeys stand for."""

    tiles: tuple[int, ...]
    okeys: tuple[int, ...]


@cache
def _melds() -> tuple[Meld, ...]:
    """Sets, and runs of three to five; longer ones are made of these."""
    found = [
        Meld(tuple(p for p in group if p < AS), tuple((p - AS) % 13 + 1 for p in group if p >= AS))
        for group in all_groups()
        if len(group) <= 5
    ]
    return tuple(dict.fromkeys(found))


def sets_and_runs(held: Sequence[int], okeys: int) -> list[Meld]:
    """Those that a rack can make by itself."""
    return [m for m in _melds() if len(m.okeys) <= okeys and all(held[kind] for kind in m.tiles)]


def pairs(held: Sequence[int], okeys: int) -> list[Meld]:
    """Pairs; two okeys stand for whatever is worth most."""
    found = [Meld((kind, kind), ()) for kind in range(52) if held[kind] == 2]
    if okeys:
        found += [Meld((k,), (k % 13 + 1,)) for k in range(52) if held[k]]
    if okeys == 2:
        found.append(Meld((), (13, 13)))
    return found


def optimum(
    held: Sequence[int],
    okeys: int,
    melds: Sequence[Meld],
    tile_worth: Sequence[int],
    okey_worth: Sequence[int],
    *,
    must: int | None = None,
    keep: int = 0,
) -> int | None:
    """The greatest worth of disjoint melds; ``must`` is a kind, or -1 for an okey.

    ``tile_worth`` is by kind, ``okey_worth`` by the number it stands for (index 0 is idle). None
    where nothing is feasible.
    """
    from ortools.sat.python import cp_model  # takes a second, and each worker collects all tests

    model = cp_model.CpModel()
    used = [model.new_int_var(0, 2, "") for _ in melds]
    of_kind: dict[int, list[cp_model.LinearExprT]] = {}
    of_okey: list[cp_model.LinearExprT] = []
    worth = []
    for meld, count in zip(melds, used, strict=True):
        for kind in meld.tiles:
            of_kind.setdefault(kind, []).append(count)
        of_okey += [count] * len(meld.okeys)
        of_okeys = sum(okey_worth[number] for number in meld.okeys)
        worth.append(of_okeys + sum(tile_worth[kind] for kind in meld.tiles))
    for kind, parts in of_kind.items():
        model.add(sum(parts) <= held[kind])
    model.add(sum(of_okey) <= okeys)
    if must is not None:
        model.add(sum(of_okey if must == -1 else of_kind.get(must, [])) >= 1)
    if keep:
        everything = [part for parts in of_kind.values() for part in parts] + of_okey
        model.add(sum(everything) <= sum(held) + okeys - keep)
    model.maximize(cp_model.LinearExpr.weighted_sum(used, worth))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    assert status == cp_model.OPTIMAL
    value: float = solver.objective_value
    return round(value)
