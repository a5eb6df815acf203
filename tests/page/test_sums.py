"""The sums on the buttons are the server's, whatever is on the rack, in any order."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from conftest import Size
from okey101.errors import OkeyError
from okey101.game import parse_action
from okey101.game.actions import Meld
from okey101.melds import make_group
from okey101.tiles import parse_tile
from page.conftest import Visit
from page.scenes import Scene, Stage
from page.visitors import Visitor
from server.clients import Client
from server.live import Json, LiveServer, Person, guest

Slots = list[str | None]
FACES = [f"{colour}{number}" for colour in "RYBK" for number in range(1, 14)]
OPTIONS: Json = {
    "draw": False, "take": False, "return": False, "announce": False, "pass": False,
    "indicator": False, "melds": [], "lays": [], "swaps": [], "backs": [], "discards": [],
    "opening": {
        "need_points": 1, "need_pairs": 1, "best_points": 0, "best_pairs": 0, "melds": None,
        "pairs": None,
    },
}  # fmt: skip


def _hand(okey: str, rng: random.Random) -> list[str]:
    """A hand with long runs, sets and twins in it, and often with okeys."""
    box = [face for face in FACES if face != okey] * 2 + ["F", "F", "*", "*"]
    hand: list[str] = []

    def take(tiles: Iterable[str]) -> None:
        for tile in tiles:
            tile = "F" if tile == okey else tile
            if tile in box and len(hand) < 22:
                box.remove(tile)
                hand.append(tile)

    for _ in range(3):
        colour, first = rng.choice("RYBK"), rng.randint(1, 10)
        take(f"{colour}{number}" for number in range(first, min(14, first + rng.randint(3, 8))))
    take(f"{colour}{rng.randint(1, 13)}" for colour in "RYBK")
    number = rng.randint(1, 13)
    take(f"{colour}{number}" for colour in "RYBK")
    take(rng.choices("*", k=rng.randrange(3)))
    take(rng.sample(hand, 3))
    rng.shuffle(box)
    take(box[: 22 - len(hand)])
    return hand


def _arranged(hand: list[str], okey: str, rng: random.Random) -> Slots:
    """The hand in some order, gaps here and there, a few tiles misplaced."""

    def face(tile: str) -> tuple[str, int]:
        meant = okey if tile == "F" else tile
        return meant[0], int(meant[1:] or 0)

    tiles = hand.copy()
    how = rng.randrange(5)
    if how == 1:
        tiles.sort(key=face)
    elif how == 2:
        tiles.sort(key=lambda tile: (face(tile)[0], -face(tile)[1]))
    elif how >= 3:
        tiles.sort(key=lambda tile: (face(tile)[1], face(tile)[0]))
    for _ in range(rng.randrange(4)):
        tiles.insert(rng.randrange(len(tiles)), tiles.pop(rng.randrange(len(tiles))))
    slots: Slots = []
    for tile in tiles:
        if len(slots) + len(tiles) - len([s for s in slots if s]) < 31 and rng.random() < 0.2:
            slots.append(None)
        slots.append(tile)
    return [*slots, *[None] * (32 - len(slots))]


def _rows(slots: Slots) -> list[list[str]]:
    """What touches, shelf by shelf."""
    rows: list[list[str]] = []
    for start in (0, 16):
        row: list[str] = []
        for tile in [*slots[start : start + 16], None]:
            if tile is not None:
                row.append(tile)
            elif row:
                rows.append(row)
                row = []
    return rows


def _most_without_okeys(slots: Slots, okey: int) -> int:
    """The most points of groups that stand in the rows, those with okeys left out."""
    total = 0
    for row in _rows(slots):
        best = [0]
        for end in range(1, len(row) + 1):
            choices = [best[-1]]
            for start in range(max(0, end - 13), end - 2):
                points = _points(row[start:end], okey)
                choices.append(best[start] + points)
            best.append(max(choices))
        total += best[-1]
    return total


def _points(tiles: list[str], okey: int) -> int:
    """What tiles are worth as one group, in this order or the reverse; 0 if they are none."""
    numbers = [okey % 13 + 1 if tile == "F" else int(tile[1:]) for tile in tiles if tile != "*"]
    ordered = [number - place for place, number in enumerate(numbers)]
    backward = [number + place for place, number in enumerate(numbers)]
    if "*" in tiles or 1 not in (len(set(numbers)), len(set(ordered)), len(set(backward))):
        return 0
    for order in (tiles, tiles[::-1]):
        action = parse_action("meld " + " ".join(order))
        assert isinstance(action, Meld)
        try:
            return make_group(action.pieces[0], okey).points
        except OkeyError:
            pass
    return 0


async def _table(server: LiveServer) -> tuple[Person, Json]:
    """A person at a running table, and its view."""
    async with server.http() as http:
        person = await guest(http, "Ali")
        answer = await http.post("/api/play", json={"clock": 0}, headers=person.headers)
    async with Client(server, answer.json()["table"], person) as client:
        await client.play_on(lambda c: c.model.stage == "playing")
        model = client.model
        view = {
            "type": "view", "seq": model.seq, "at": model.at, "table": model.table,
            "deal": model.deal, "you": model.you, "here": model.here,
        }  # fmt: skip
        return person, view


async def _checked(server: LiveServer, table: str, who: Person, actions: list[str]) -> list[Json]:
    """What the server says of each action."""
    async with Client(server, table, who) as client:
        return [await client.ask("check", action=action) for action in actions]


def _put(stage: Stage, view: Json, slots: Slots) -> None:
    """Have the page show exactly this rack: fillers first, then they are gone and leave gaps."""
    present = {tile for tile in slots if tile}
    filler = next(face for face in FACES if face not in present)
    for tiles in ([], [tile or filler for tile in slots], [tile for tile in slots if tile]):
        you = view["you"] | {"hand": " ".join(tiles), "options": OPTIONS, "drawn": None}
        stage.tell(**(view | {"you": you}))


def _stands(visitor: Visitor, slots: Slots) -> bool:
    return visitor.slots() == slots


def _sum(visitor: Visitor, key: str) -> int:
    return int(visitor.button_like(key).inner_text().split("/")[0].split()[-1])


def _pressed(visitor: Visitor, stage: Stage, key: str) -> str:
    """The action that a button asks about."""
    before = len(stage.heard)
    visitor.button_like(key).click()
    visitor.until(lambda: any(m["type"] == "ask" for m in stage.heard[before:]), key)
    message = next(m for m in stage.heard[before:] if m["type"] == "ask")
    error = {"code": "must-finish", "rule": "E4", "message": "", "details": {}}
    stage.tell(type="answer", rid=message["rid"], what="check", wait=None, error=error, fine=None)
    return str(message["action"])


def test_live_sums_are_those_of_the_server(visit: Visit, server: LiveServer, size: Size) -> None:
    with ThreadPoolExecutor(1) as pool:
        who, view = pool.submit(lambda: asyncio.run(_table(server))).result()
    seat, okey = view["you"]["seat"], view["deal"]["okey"]
    view["deal"] |= {"turn": seat, "phase": "play"}
    visitor = visit("Ali")
    stage = Scene(view).show(visitor)
    visitor.page.get_by_role("grid").wait_for()
    visitor.model.take(view)
    seen: list[tuple[Slots, str, int, str]] = []
    racks = size(8, long=1500)
    for number in range(racks):
        rng = random.Random(number)
        slots = _arranged(_hand(okey, rng), okey, rng)
        _put(stage, view, slots)
        visitor.model.you = view["you"] | {"hand": " ".join(tile for tile in slots if tile)}
        visitor.until(partial(_stands, visitor, slots), f"the rack {slots}")
        for kind, key in (("melds", "page-open"), ("pairs", "page-open-pairs")):
            shown = _sum(visitor, key)
            if kind == "melds":
                least = _most_without_okeys(slots, parse_tile(okey))
                assert shown >= least, slots
                assert shown == least or "*" in slots, slots
            if shown:
                seen.append((slots, kind, shown, _pressed(visitor, stage, key)))
    actions = [action for _, _, _, action in seen]
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(
            lambda: asyncio.run(_checked(server, view["table"]["id"], who, actions))
        ).result()
    assert len(seen) > racks // 2
    for (slots, kind, shown, action), answer in zip(seen, answers, strict=True):
        worth = answer["groups"]
        assert not any(group["code"] for group in worth), (slots, action, worth)
        assert all((group["form"] == "pair") == (kind == "pairs") for group in worth)
        counted = len(worth) if kind == "pairs" else sum(group["points"] for group in worth)
        assert counted == answer["have"] == shown, (slots, action, worth)
