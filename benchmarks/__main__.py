"""``python -m benchmarks [NAME ...]``: measure, and write benchmarks/results.md."""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure import machine

SECTIONS = (
    "solver", "engine", "choices", "search_speed", "kernel", "hurry", "review", "envs", "deals",
    "startup", "strength", "server", "daily", "cluster", "handover", "overload", "memory", "start",
    "page", "install", "house",
)  # fmt: skip
RESULTS = Path(__file__).with_name("results.md")
MARK = "<!-- {name} -->"


def main() -> int:
    """Measure the sections asked for, keep the others as they are."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(SECTIONS)}")
    names = parser.parse_args().names or list(SECTIONS)
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        parser.error(f"no section is called {unknown[0]!r}; known: {', '.join(SECTIONS)}")
    sections = _read()
    for number, name in enumerate(names, 1):
        print(f"{number}/{len(names)} {name}", file=sys.stderr, flush=True)
        text = importlib.import_module(f"benchmarks.{name}").report().strip()
        when = datetime.now(UTC).strftime("%Y-%m-%d")
        sections[name] = f"{text}\n\nMeasured {when} with `make bench ARGS={name}` on {machine()}."
        _write(sections)
    return 0


def _read() -> dict[str, str]:
    if not RESULTS.exists():
        return {}
    text = RESULTS.read_text(encoding="utf-8")
    parts = re.split(r"<!-- (\w+) -->\n", text)[1:]
    return {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}


def _write(sections: dict[str, str]) -> None:
    head = (
        "# Measured\n\nWritten by `make bench`; every section says how it was measured. The "
        "machines are shared: trust the ratios within a section, not the absolutes.\n\n"
    )
    order = [*SECTIONS, *(name for name in sections if name not in SECTIONS)]
    body = "\n\n".join(
        f"{MARK.format(name=name)}\n{sections[name]}" for name in order if name in sections
    )
    RESULTS.write_text(head + body + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
