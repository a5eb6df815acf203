"""Draw docs/img/ppo.svg, the learning curve of examples/ppo.py, from docs/img/ppo.csv.

The CSV is made by hand, as learning depends on the machine's time:
``python examples/ppo.py --minutes 5 --deals 1024 --out docs/img/ppo.csv``.
"""

from __future__ import annotations

import csv
from pathlib import Path

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "img"
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 300, 56, 16, 620, 256


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

    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-family="sans-serif" font-size="12"'
    look = "text{fill:#57606a}.g{stroke:#8884}.b{fill:#2a7f6233}"
    look += ".l{stroke:#2a7f62;fill:none;stroke-width:2}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box}>',
        "<title>Learning to beat random</title>",
        f"<style>{look}</style>",
    ]
    for points in range(0, int(most) + 1, 20):
        at = f"{y(points):.1f}"
        lines.append(f'<line class="g" x1="{LEFT}" x2="{RIGHT}" y1="{at}" y2="{at}"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{at}" text-anchor="end">{points}</text>')
    for minute in range(int(last // 60) + 1):
        at = f"{x(60 * minute):.1f}"
        lines += [f'<text x="{at}" y="{BOTTOM + 18}" text-anchor="middle">{minute}</text>']
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
        f'<text x="{(LEFT + RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{words}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (IMAGES / "ppo.svg").write_text(drawn(curve()), encoding="utf-8")
