"""Draw the pictures of the documents: ``python scripts/make_images.py [FOLDER]``.

The folder is ``docs/img`` unless another is named. The pictures depend only on this file, so
drawing them again changes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from okey101.game import Deal, RuleSet, apply, deal_from_seed, parse_line, view_of
from okey101.melds import parse_group
from okey101.render.svg import group_svg, rack_svg, table_svg
from okey101.render.text import Order
from okey101.tiles import Rack, Tile

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "img"
RACK = "R7 R8 R9 R10 K11 Y11 B11 * F Y1 Y2 Y3 B4 K5 K5 B13 R13 Y13 K2 Y8 B8"
NAMES = ["Ayşe", "Mehmet", "Zeynep", "Can"]
SEED = bytes([1]) * 32
ACTIONS = """
0: discard R13
1: draw
1: discard B5
2: draw
2: discard K10
3: draw
3: discard Y5
0: draw
0: discard R13
1: take
1: meld R4 R5 R6 / K2 K3 K4 / R11 B11 K11 / R12 B12 *Y12 / R13 Y13 F
1: discard Y3
2: draw
2: discard K10
3: draw
3: discard Y1
0: draw
0: discard Y13
1: draw
1: lay K1 > 2
1: discard R1
2: draw
2: meld R7 R8 R9 / B4 B5 B6 / B11 B12 B13 / K3 K4 K5 / R12 Y12 K12
2: discard R4
3: draw
3: discard B1
0: draw
"""


def table() -> str:
    """The table in the middle of a deal, seen from the seat to act."""
    deal = Deal.start(RuleSet(), deal_from_seed(RuleSet(), SEED, 0))
    for line in ACTIONS.split("\n"):
        if line:
            seat, action = parse_line(line)
            deal = apply(deal, action, seat)
    return table_svg(view_of(deal, deal.turn), names=NAMES)


def main(folder: Path) -> None:
    """Write the pictures."""
    pictures = {
        "rack.svg": rack_svg(Rack.parse(RACK), okey=Tile.B6, order=Order.MELDS),
        "group.svg": group_svg(parse_group("R7 *R8 R9 R10", okey=Tile.B6)),
        "table.svg": table(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pictures.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
