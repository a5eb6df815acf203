"""Draw docs/img/ppo.svg, the learning curve of examples/ppo.py, from docs/img/ppo.csv.

The CSV is made by hand, as learning depends on the machine's time:
``python examples/ppo.py --minutes 5 --deals 1024 --out docs/img/ppo.csv``.
"""

from __future__ import annotations

import csv
from pathlib import Path

from plots import LEFT, RIGHT, TEXT, begun, ended, level, place

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "img"
HEIGHT, TOP, BOTTOM = 300, 16, 256


def curve() -> list[dict[str, float]]:
    """The measurements: seconds of learning, decisions, points better than random, its error."""
    with (IMAGES / "ppo.csv").open(encoding="utf-8", newline="") as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def drawn(rows: list[dict[str, float]]) -> str:
    """The picture: points better by seconds, with two standard errors to each side."""
    last = max(row["seconds"] for row in rows)
    most = 20 * (max(row["points_better"] + 2 * row["error"] for row in rows) // 20 + 1)
    least = -20.0

    def x(seconds: float) -> float:
        return LEFT + seconds / last * (RIGHT - LEFT)

    def y(points: float) -> float:
        return BOTTOM - (points - least) / (most - least) * (BOTTOM - TOP)

    look = TEXT + ".b{fill:#2a7f6233}.l{stroke:#2a7f62;fill:none;stroke-width:2}"
    lines = begun("Learning to beat random", look, HEIGHT)
    for points in range(0, int(most) + 1, 20):
        lines += level(y(points), str(points))
    lines += [place(x(60 * m), BOTTOM + 18, str(m)) for m in range(int(last // 60) + 1)]
    edge, middle = rows + rows[::-1], [0.0] * len(rows)
    signs = [2.0] * len(rows) + [-2.0] * len(rows)

    def path(some: list[dict[str, float]], errors: list[float]) -> str:
        return " ".join(
            f"{x(row['seconds']):.1f},{y(row['points_better'] + many * row['error']):.1f}"
            for row, many in zip(some, errors, strict=True)
        )

    words = "minutes of learning on one core; points a deal better than three random players"
    lines += [
        f'<polygon class="b" points="{path(edge, signs)}"/>',
        f'<polyline class="l" points="{path(rows, middle)}"/>',
    ]
    return "\n".join([*lines, *ended(HEIGHT - 6, words)])


if __name__ == "__main__":
    (IMAGES / "ppo.svg").write_text(drawn(curve()), encoding="utf-8")
