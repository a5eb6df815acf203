"""What the benchmarks share: medians, and words about the machine."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Callable, Sequence

__all__ = ["interleaved", "machine", "median", "quantile", "table"]


def median(values: Sequence[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def interleaved(contestants: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Run every contestant once a round, so that a slow moment of the machine hits them alike."""
    figures: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            figures[name].append(run())
    return figures


def machine() -> str:
    """The machine in a line: processor, cores, Python."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:  # noqa: PTH123
            found = (
                line.split(":", 1)[1].strip() for line in info if line.startswith("model name")
            )
            model = next(found, model)
    except OSError:
        pass
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, {python}"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)
