"""The k heaviest paths through a layered graph that is found while it is walked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import Generic, NamedTuple, TypeVar

NEVER = -(1 << 60)
"""Less than any path weighs."""
PATIENCE = 15_000
"""Edges after which a graph is too large to be looked at in full."""

State = TypeVar("State", bound=Hashable)
Step = TypeVar("Step")


class Edge(NamedTuple, Generic[State, Step]):
    """A step from one layer to the next: what it weighs, what it does, and where it leads."""

    weight: int
    step: Step
    then: State


@dataclass(frozen=True, slots=True)
class Layered(Generic[State, Step]):
    """A layered graph: where it starts, its layers, and what leads from a state of a layer.

    ``potential`` bounds from above what can still come after a layer (0: before the first) in a
    state. ``is_final`` says whether a path may end so. ``expand`` takes a layer, a state, and how
    much of the potential an edge may lose; instead of edges that lose more it may give None.
    """

    start: State
    layers: int
    expand: Callable[[int, State, int], Iterable[Edge[State, Step] | None]]
    is_final: Callable[[State], bool]
    potential: Callable[[int, State], int]


def best_paths(graph: Layered[State, Step], best: int = 1) -> list[tuple[int, list[Step]]]:
    """The ``best`` heaviest paths to a final state, heaviest first, with their weights.

    Equal weights come in a fixed order. Empty where no path ends well.
    """
    layers, _ = _grow(graph, None, PATIENCE, single=best == 1)
    if layers is not None:
        return _heaviest(graph, layers, best)
    # Only what may still reach a threshold is looked at; it is lowered until enough is found.
    limit = graph.potential(0, graph.start)
    # At first hardly below what all tiles are worth, since a large rack melds nearly all of them.
    gap = 1
    while True:
        layers, complete = _grow(graph, limit - gap, None, single=best == 1)
        found = _heaviest(graph, layers or [], best)
        if complete or (len(found) == best and found[-1][0] >= limit - gap):
            return found
        gap *= 2


def _heaviest(
    graph: Layered[State, Step],
    layers: list[dict[State, list[Edge[State, Step]]]],
    best: int,
) -> list[tuple[int, list[Step]]]:
    values = _completions(graph, layers)
    if graph.start not in values[0]:
        return []
    found: list[tuple[int, list[Step]]] = []
    order = count()
    heap: list[tuple[int, int, int, int, State, tuple[Step, ...]]] = [
        (-values[0][graph.start], 0, next(order), 0, graph.start, ())
    ]
    # Completion weights are exact, so no path is followed that is not among the best; deeper
    # ones go first among equals.
    while heap and len(found) < best:
        _, depth, _, weight, state, path = heappop(heap)
        if depth == -graph.layers:
            found.append((weight, list(path)))
            continue
        for edge in layers[-depth][state]:
            rest = values[1 - depth].get(edge.then)
            if rest is not None:
                more = weight + edge.weight
                entry = (-more - rest, depth - 1, next(order), more, edge.then, (*path, edge.step))
                heappush(heap, entry)
    return found


def _grow(
    graph: Layered[State, Step], threshold: int | None, patience: int | None, *, single: bool
) -> tuple[list[dict[State, list[Edge[State, Step]]]] | None, bool]:
    """The part of the graph that may reach the threshold, and whether that is all of it.

    With ``single`` only the heaviest edge between two states is kept. None when more than
    ``patience`` edges have been seen.
    """
    complete = True
    seen = 0
    layers: list[dict[State, list[Edge[State, Step]]]] = []
    reached: dict[State, int] = {graph.start: 0}
    for number in range(1, graph.layers + 1):
        layer: dict[State, list[Edge[State, Step]]] = {}
        following: dict[State, int] = {}
        for state, weight in reached.items():
            edges: dict[State, Edge[State, Step]] = {}
            kept: list[Edge[State, Step]] = []
            spare = -NEVER
            if threshold is not None:
                spare = weight + graph.potential(number - 1, state) - threshold
            for edge in graph.expand(number, state, spare):
                if edge is None:
                    complete = False
                    continue
                seen += 1
                more = weight + edge.weight
                if threshold is not None and more + graph.potential(number, edge.then) < threshold:
                    complete = False
                    continue
                if more > following.get(edge.then, NEVER):
                    following[edge.then] = more
                if not single:
                    kept.append(edge)
                elif edge.then not in edges or edge.weight > edges[edge.then].weight:
                    edges[edge.then] = edge
            layer[state] = list(edges.values()) if single else kept
            if patience is not None and seen > patience:
                return None, False
        layers.append(layer)
        reached = following
    return layers, complete


def _completions(
    graph: Layered[State, Step], layers: list[dict[State, list[Edge[State, Step]]]]
) -> list[dict[State, int]]:
    """The greatest weight from each state to the end; states without a good end are absent."""
    last = layers[-1].values() if layers else ()
    ends = [edge.then for edges in last for edge in edges] if layers else [graph.start]
    values = [{state: 0 for state in ends if graph.is_final(state)}]
    for layer in reversed(layers):
        after = values[-1]
        now: dict[State, int] = {}
        for state, edges in layer.items():
            reachable = [edge.weight + after[edge.then] for edge in edges if edge.then in after]
            if reachable:
                now[state] = max(reachable)
        values.append(now)
    values.reverse()
    return values
