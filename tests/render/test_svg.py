"""Pictures and plots: valid, told in words, always the same, without what a seat can't see."""

import random
import re
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from conftest import Patch, raises_code, ran_python
from game.random_play import states
from okey101.game import Deal, RuleSet, apply, deal_from_hands, determinize, options_of, view_of
from okey101.i18n import LANGUAGES, Texts, load
from okey101.melds import ANY, AS, parse_group
from okey101.render.plots import Interval, Series, bars, histogram, intervals, ticks
from okey101.render.svg import PALETTE, Drawing, group_svg, rack_svg, slots, svg, table_svg
from okey101.render.text import Ink, Order
from okey101.tiles import Rack, Tile

ROOT = Path(__file__).resolve().parents[2]
OURS = {"PYTHONPATH": str(ROOT / "src")}
SVG = "{http://www.w3.org/2000/svg}"
RACK = "R7 R8 R9 R10 K11 Y11 B11 * F Y1 Y2 Y3 B4 K5 K5 B13 R13 Y13 K2 Y8 B8"


def parsed(text: str) -> ET.Element:
    """The picture, after looking at what every picture has to be."""
    root = ET.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text
    assert root[1].text
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    assert (root.get("width"), root.get("height")) == (f"{width:g}", f"{height:g}")
    assert not re.search(r"href|url\(|<image|<style|<script|\bid=|@import", text)
    assert not re.search(r"\d\.\d{3}", text)  # no digits that differ between machines
    return root


def texts_of(root: ET.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


def played(rules: RuleSet, seed: int, actions: int) -> Deal:
    return [*islice(states(rules, random.Random(seed)), actions + 1)][-1]


def tile_svg(tile: int | None, okey: int | None = None) -> str:
    drawing = Drawing(load("en"), okey)
    drawing.tile(4, 4, tile)
    return drawing.finish(54, 75, "A tile", "One")


@pytest.mark.parametrize("tile", [*Tile, None, AS + Tile.R8, ANY + 5])
@pytest.mark.parametrize("okey", [None, Tile.B6])
def test_every_tile(tile: int | None, okey: Tile | None) -> None:
    root = parsed(tile_svg(tile, okey))
    shown = texts_of(root)
    if tile is not None and tile < 52:
        assert shown == [str(tile % 13 + 1)]
        assert PALETTE[tile // 13] in tile_svg(tile)
    elif tile == Tile.OKEY and okey is not None:
        assert shown == ["6"]
    elif tile is None or tile in (Tile.F, Tile.OKEY):
        assert shown == []


def test_tiles_differ() -> None:
    tiles = [None, *Tile, AS + Tile.R8, ANY + 8]
    assert len({tile_svg(tile) for tile in tiles}) == len(tiles)


def test_colours_have_their_shapes() -> None:
    shapes = []
    for tile in (Tile.R5, Tile.Y5, Tile.B5, Tile.K5):
        found = re.findall(rf'<(\w+)[^>]*fill="{PALETTE[tile.colour]}"', tile_svg(tile))
        points = re.search(r'points="([^"]*)"', tile_svg(tile))
        shapes.append((found[-1], len(points[1].split()) if points else 0))
    assert shapes == [("circle", 0), ("polygon", 4), ("polygon", 3), ("rect", 0)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("order", Order)
def test_rack(order: Order, language: str) -> None:
    rack = Rack.parse(RACK)
    root = parsed(rack_svg(rack, okey=Tile.B6, order=order, language=language))
    tiles = [g for g in root.iter(f"{SVG}g") if (g.get("transform") or "").startswith("translate")]
    assert len(tiles) == len(rack) == 21
    assert root.get("lang") == language
    assert {"tr": "kırmızı 7", "en": "red 7"}[language] in (root[1].text or "")


@pytest.mark.parametrize(
    "text", ["", "R7", " ".join(f"{c}{n}" for c in "RYBK" for n in range(1, 14))]
)
def test_racks_of_any_size(text: str) -> None:
    assert len(texts_of(parsed(rack_svg(Rack.parse(text))))) == len(text.split())


def test_slots_keep_groups_together() -> None:
    groups = [(0, 1, 2), (3, 4, 5, 6), tuple(range(13, 26))]
    shelves, columns = slots(groups, [40, 41])
    assert columns == 16
    assert shelves[0] == [0, 1, 2, None, 3, 4, 5, 6, None]
    assert shelves[1][:13] == list(range(13, 26))
    assert [t for shelf in shelves for t in shelf if t is not None][-2:] == [40, 41]


@pytest.mark.parametrize(
    "text", ["R7 *R8 R9", "R5 Y5 *5", "R5 *5 *5", "F B7 B8", "K3 K3", "*5 *5", "R1 Y1 B1 K1"]
)
def test_group(text: str) -> None:
    group = parse_group(text, okey=Tile.B6)
    root = parsed(group_svg(group))
    assert root[0].text == group.form.value
    assert root[1].text
    assert ("okey" in root[1].text) == ("*" in text)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("actions", [0, 25, 80, 10_000])
def test_table(preset: str, players: int, actions: int) -> None:
    rules = RuleSet.preset(preset).with_(players=players)
    deal = played(rules, actions, actions)
    for seat in (*range(players), None):
        root = parsed(table_svg(view_of(deal, seat)))
        shown = texts_of(root)
        for number in range(1, len(deal.public.table) + 1):
            assert str(number) in shown


def test_a_riziko_table() -> None:
    layout = deal_from_hands("wiki", indicator="F", hands=("R7 R8 *", "Y1", "Y2", "Y3"))
    parsed(table_svg(view_of(Deal.start("wiki", layout), 0)))


def place_of(root: ET.Element, text: str) -> tuple[float, float]:
    (node,) = (n for n in root.iter(f"{SVG}text") if (n.text or "").endswith(text))
    return float(node.get("x") or 0), float(node.get("y") or 0)


@pytest.mark.parametrize("seat", range(4))
def test_D2_the_next_player_sits_to_the_right(seat: int) -> None:
    names = ["zero", "one", "two", "three"]
    root = parsed(table_svg(view_of(played(RuleSet(), 1, 0), seat), names=names))
    width, height = 980, 740
    me, right, top, left = (place_of(root, names[(seat + i) % 4]) for i in range(4))
    assert me[0] == top[0] == width / 2
    assert me[1] > height / 2 > top[1]
    assert right[0] > width / 2 > left[0]
    assert right[1] == left[1]


def test_a_discard_lies_between_thrower_and_taker() -> None:
    hands = ("R1 R2 R3 R4", "Y1 Y2 Y3", "B1 B2 B3", "K1 K2 K3")
    layout = deal_from_hands("altinstar", indicator="K9", hands=hands, stock="R13 Y13 B13 K13 R12")
    deal = Deal.start("altinstar", layout)
    while len(deal.public.actions) < 8:
        found = options_of(deal).actions()
        draws = [a for a in found if str(a) == "draw"]
        deal = apply(deal, (draws or [a for a in found if str(a).startswith("discard")])[0])
    root = parsed(table_svg(view_of(deal, 0)))
    places = {}
    for group in root.iter(f"{SVG}g"):
        found_at = re.fullmatch(
            r"translate\((\S+) (\S+)\) scale\(0\.9\)", group.get("transform") or ""
        )
        if found_at and len(group) and group[0].tag == f"{SVG}title":
            places[group[0].text or ""] = (float(found_at[1]) > 490, float(found_at[2]) > 250)
    thrown = [deal.public.discards[seat][-1] for seat in range(4)]
    words = [Ink(load("en"), words=True).piece(tile) for tile in thrown]
    right, left, low, high = True, False, True, False
    corners = [(right, low), (right, high), (left, high), (left, low)]
    assert [places[word] for word in words] == corners


def test_T2_a_picture_shows_only_what_the_seat_sees() -> None:
    rules = RuleSet()
    for seed in range(10):
        deal = played(rules, seed, 30)
        for seat in (*range(4), None):
            view = view_of(deal, seat)
            other = determinize(view, random.Random(seed))
            assert table_svg(view) == table_svg(view_of(other, seat))


def test_names_are_escaped() -> None:
    names = ["<b>&\"'", "x" * 100, "A\x1b\ud800B", ""]
    root = parsed(table_svg(view_of(played(RuleSet(), 1, 0), 2), names=names))
    shown = [text.removeprefix("▶ ") for text in texts_of(root)]
    assert {"<b>&\"'", f"{'x' * 15}…", "A  B", "seat 3"} <= set(shown)


def test_the_same_picture_in_every_process() -> None:
    code = (
        "from okey101 import *; import hashlib;"
        "d = Match.new(RuleSet(), deals=1, seed=bytes(32)).deal();"
        "print(hashlib.sha256(view_of(d, 2)._repr_svg_().encode()).hexdigest())"
    )
    seen = {ran_python("-c", code, env=OURS | {"PYTHONHASHSEED": n}).stdout for n in ("1", "2")}
    assert len(seen) == 1


def test_there_is_no_picture_of_anything_else() -> None:
    with raises_code("no-picture"):
        svg(RuleSet())


def test_the_images_of_the_documents_are_up_to_date(tmp_path: Path) -> None:
    ran_python(ROOT / "scripts" / "make_images.py", tmp_path, env=OURS)
    made = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert set(made) == {"rack.svg", "group.svg", "table.svg"}
    for name, text in made.items():
        assert text == (ROOT / "docs" / "img" / name).read_text(encoding="utf-8"), name


def test_ticks_cover_the_range_with_round_numbers() -> None:
    for low, high in ((-0.02, 0.05), (0, 1), (-400, 37), (5, 5)):
        found = ticks(low, high)
        assert found[0] <= low
        assert found[-1] >= high
        assert len(found) <= 10


def test_intervals_stand_where_their_values_are() -> None:
    rows = [Interval("a & b", -5, -7, -3), Interval("<c>", 2, 1, 4)]
    root = ET.fromstring(intervals(load("en"), rows, "T", "D"))
    assert [root[0].text, root[1].text] == ["T", "D"]
    dots = [float(c.get("cx", "")) for c in root.iter("circle")]
    zero = next(float(e.get("x1", "")) for e in root.iter("line") if e.get("class") == "axis")
    assert dots[0] < zero < dots[1]
    assert {"a & b", "<c>"} <= {e.text for e in root.iter("text")}
    (dot,) = ET.fromstring(intervals(load("en"), [Interval("same", 0, 0, 0)], "T", "D")).iter(
        "circle"
    )
    assert float(dot.get("cx", "")) > 0, "a bot against itself differs nowhere"


def test_bars_are_as_high_as_their_values() -> None:
    series = [Series("one", [1, 2]), Series("two", [0, 4])]
    root = ET.fromstring(bars(load("en"), ["x", "y"], series, "T", "D"))
    heights = [float(e.get("height", "")) for e in root.iter("rect") if e.find("title") is not None]
    assert heights[0] > 0 == heights[2 - 1]
    assert heights[3] == 2 * heights[2] == 4 * heights[0]
    box = [float(n) for n in root.get("viewBox", "").split()]
    for part in root.iter("rect"):
        x, wide = float(part.get("x", "")), float(part.get("width", ""))
        assert 0 <= x < x + wide <= box[2]


def test_a_histogram_has_a_bar_for_each_bin() -> None:
    root = ET.fromstring(histogram(load("en"), [(-20, 3), (-10, 0), (0, 9)], 10, "T", "D"))
    heights = [float(e.get("height", "")) for e in root.iter("rect")]
    assert len(heights) == 3
    assert heights[2] == 3 * heights[0]


def test_the_words_of_a_tile_are_made_once(monkeypatch: Patch) -> None:
    """A notebook draws a match in hundreds of pictures, each with fifty tiles."""
    deal = Deal.start("pagat", seed=7)
    drawn, asked, made = svg(deal), list[str](), Texts.__call__

    def counted(self: Texts, key: str, /, **arguments: str | int) -> str:
        asked.append(key)
        return made(self, key, **arguments)

    monkeypatch.setattr(Texts, "__call__", counted)
    assert svg(deal) == drawn
    assert "tile" not in asked
