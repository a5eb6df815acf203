"""What the benchmarks share: medians, and words about the machine."""

from __future__ import annotations

import json
import os
import platform
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["interleaved", "kept", "machine", "median", "quantile", "save", "table"]


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


def kept(file: Path) -> dict[str, Any]:
    """What a long measurement has so far, by name; nothing where it has not begun."""
    if not file.exists():
        return {}
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def save(file: Path, found: Mapping[str, Any]) -> None:
    """Write everything anew, a line for each name; who is interrupted has the file of before."""
    lines = [f" {json.dumps(name)}: {json.dumps(one)}" for name, one in found.items()]
    beside = file.with_suffix(".new")
    beside.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    beside.replace(file)


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
