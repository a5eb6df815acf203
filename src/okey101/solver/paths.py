"""The k heaviest paths through a layered graph that is found while it is walked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Generic, TypeVar

__all__ = ["NEVER", "Edge", "best_paths"]

NEVER = -(1 << 60)
"""A weight that no path may have: an edge that carries it is never walked."""

State = TypeVar("State", bound=Hashable)
Step = TypeVar("Step")


@dataclass(frozen=True, slots=True)
class Edge(Generic[State, Step]):
    """A step from one layer to the next: what it weighs, what it does, and where it leads."""

    weight: int
    step: Step
    then: State


def best_paths(
    start: State,
    layers: int,
    expand: Callable[[int, State], Iterable[Edge[State, Step]]],
    is_final: Callable[[State], bool],
    best: int = 1,
) -> list[tuple[int, list[Step]]]:
    """The ``best`` heaviest paths of ``layers`` steps to a final state, heaviest first.

    ``expand`` is asked once for each state of a layer (1, 2, ...). Equal weights come in a fixed
    order. Empty where no path ends well.
    """
    graph = _graph(start, layers, expand, single=best == 1)
    values = _completions(graph, is_final)
    if start not in values[0]:
        return []
    found: list[tuple[int, list[Step]]] = []
    order = 0
    heap: list[tuple[int, int, int, int, State, tuple[Step, ...]]] = [
        (-values[0][start], 0, 0, 0, start, ())
    ]
    # Completion weights are exact, so no path is followed that is not among the best; deeper
    # ones go first among equals.
    while heap and len(found) < best:
        _, depth, _, weight, state, path = heappop(heap)
        if depth == -layers:
            found.append((weight, list(path)))
            continue
        for edge in graph[-depth][state]:
            rest = values[1 - depth].get(edge.then)
            if rest is not None:
                order += 1
                more = weight + edge.weight
                entry = (-more - rest, depth - 1, order, more, edge.then, (*path, edge.step))
                heappush(heap, entry)
    return found


def _graph(
    start: State,
    layers: int,
    expand: Callable[[int, State], Iterable[Edge[State, Step]]],
    *,
    single: bool,
) -> list[dict[State, list[Edge[State, Step]]]]:
    graph: list[dict[State, list[Edge[State, Step]]]] = []
    reached: dict[State, None] = {start: None}
    for number in range(1, layers + 1):
        layer: dict[State, list[Edge[State, Step]]] = {}
        following: dict[State, None] = {}
        for state in reached:
            edges = [edge for edge in expand(number, state) if edge.weight > NEVER // 2]
            if single:
                heaviest: dict[State, Edge[State, Step]] = {}
                for edge in edges:
                    known = heaviest.get(edge.then)
                    if known is None or edge.weight > known.weight:
                        heaviest[edge.then] = edge
                edges = list(heaviest.values())
            layer[state] = edges
            for edge in edges:
                following[edge.then] = None
        graph.append(layer)
        reached = following
    return graph


def _completions(
    graph: list[dict[State, list[Edge[State, Step]]]], is_final: Callable[[State], bool]
) -> list[dict[State, int]]:
    """The greatest weight from each state to the end; states without a good end are absent."""
    ends = (edge.then for edges in graph[-1].values() for edge in edges)
    values = [{state: 0 for state in ends if is_final(state)}]
    for layer in reversed(graph):
        after = values[-1]
        now: dict[State, int] = {}
        for state, edges in layer.items():
            reachable = [edge.weight + after[edge.then] for edge in edges if edge.then in after]
            if reachable:
                now[state] = max(reachable)
        values.append(now)
    values.reverse()
    return values
