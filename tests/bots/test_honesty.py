"""Bots choose by the view and the seed alone: on every Python, whatever the hidden tiles are.

In every phase of a deal, for every bot there is, what lies behind a seat's view is dealt anew: at
once, and from the beginning with the same actions. A bot that peeks is caught.
"""

import ast
import contextlib
import json
import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import okey101.bots
from bots.tables import TABLES, Quick, QuickChampion, dealt, shown
from conftest import Size, ran_python
from game.hidden import other_deal, replayed
from okey101.bots import BOTS, SEARCHERS, Bot, bot_of_mark, make_bot, playing
from okey101.bots.fallback import FALLBACK_VERSION, fallback_action
from okey101.bots.reasons import advice
from okey101.bots.search import SearchBot
from okey101.errors import IllegalAction
from okey101.game import Deal, Options, Phase, View, apply, determinize, view_of
from okey101.game.actions import Action, Back, Discard, Lay, Meld, Pass
from okey101.kernel.deals import Playouts
from okey101.tiles import distinct_bits, size_of_bits

FILES = sorted(Path(okey101.bots.__file__).parent.glob("*.py"))
FILES.remove(Path(playing.__file__))  # it seats bots, and shows each of them its view
HIDDEN = {"Deal", "Layout", "determinize", "view_of", "options_of", "apply", "judge", "play_out"}
QUICK: dict[str, type[SearchBot]] = {"search": Quick, "champion": QuickChampion}


class Fallback:
    """What clock and fallback play."""

    name = "fallback"

    def choose(self, view: View, options: Options) -> Action:
        return fallback_action(view)


class Adviser:
    """What a person is advised, with the reason."""

    name = "advice"

    def choose(self, view: View, options: Options) -> Any:
        return advice(view)


PLAYERS = [*BOTS, *SEARCHERS, "fallback", "advice"]


def made(name: str, seed: int) -> Bot:
    if name in ("fallback", "advice"):
        return Fallback() if name == "fallback" else Adviser()
    return QUICK[name](seed) if name in SEARCHERS else make_bot(name, seed)


class Peeker:
    """Greedy, but for a look at the next player's hand: it throws what that player lacks."""

    name = "peeker"

    def __init__(self) -> None:
        self.deal: Deal | None = None

    def choose(self, view: View, options: Options) -> Action:
        """A choice that knows too much."""
        choice = make_bot("greedy").choose(view, options)
        assert self.deal is not None
        if not isinstance(choice, Discard) or size_of_bits(view.hand or 0) == 1:
            return choice
        theirs = distinct_bits(self.deal.hands[(self.deal.turn + 1) % len(self.deal.hands)])
        return Discard(min(options.discards, key=lambda d: (d.points, d.tile in theirs)).tile)


@cache
def played(table: str, number: int) -> tuple[Deal, ...]:
    """The states of a deal played at random, opening and laying where that can be done."""
    rng = random.Random(f"{table} {number}")
    states = [dealt(TABLES[table], number)]
    while not states[-1].over:
        deal = states[-1]
        _, options = shown(deal)
        actions: list[Action] = [a for a in options.actions() if not isinstance(a, Back)]
        laying = [a for a in actions if isinstance(a, Meld | Lay)]
        every: list[Action] = actions or list(options.actions())
        if laying and rng.random() < 0.5:
            every = [*laying]
        states.append(apply(deal, rng.choice(every)))
    return tuple(states[:-1])


def twins(seen: Sequence[Deal], rng: random.Random) -> list[Deal]:
    """Other deals that look to the seat to act as the last of these does."""
    seat = seen[-1].turn
    found = [determinize(view_of(seen[-1], seat), rng) for _ in range(2)]
    with contextlib.suppress(IllegalAction):  # another seat could not have done what it did
        found.append(replayed(other_deal(seen, seat, rng), list(seen))[-1])
    return [twin for twin in found if twin.hands != seen[-1].hands]


def choice(bot: Bot, deal: Deal) -> Action:
    """What a bot plays; a peeker is shown the deal."""
    if isinstance(bot, Peeker):
        bot.deal = deal
    return bot.choose(*shown(deal))


def check(bot: Bot, states: Sequence[Deal], places: Sequence[int], seed: int) -> Counter[Phase]:
    """Compare a bot's choices between twins; AssertionError where they differ."""
    rng = random.Random(seed)
    compared: Counter[Phase] = Counter()
    for place in places:
        seen = states[: place + 1]
        own = choice(bot, seen[-1])
        for twin in twins(seen, rng):
            assert choice(bot, twin) == own
            compared[seen[-1].phase] += 1
    return compared


ENDS = ("wiki-3", "pagat-3")
"""Their deals come to every phase: the indicator as the last tile, and the last discard."""


def phases_of(states: Sequence[Deal]) -> dict[Phase, list[int]]:
    found: dict[Phase, list[int]] = {}
    for place, state in enumerate(states):
        found.setdefault(state.phase, []).append(place)
    return found


@pytest.mark.parametrize("name", PLAYERS)
def test_T2_no_choice_hangs_on_what_is_hidden(name: str, size: Size) -> None:
    compared: Counter[Phase] = Counter()
    wanted = {Phase.DRAW, Phase.PLAY, Phase.MUST_DRAW, Phase.LAST_DISCARD, Phase.LAST_INDICATOR}
    for number in range(60):
        states = played(ENDS[number % 2], number)
        late = len(states) - size(12, long=len(states)) if name in SEARCHERS else 0
        bot = made(name, number)
        for phase, places in phases_of(states).items():
            if compared[phase] < size(4, long=60):
                some = [place for place in places if place >= late][-2:]
                compared += check(bot, states, some, number)
        if wanted <= compared.keys() and min(compared[p] for p in wanted) >= size(4, long=60):
            break
    assert wanted <= compared.keys(), compared


@pytest.mark.parametrize("table", ["altinstar-4", "wiki-teams", "pairs-apart"])
@pytest.mark.parametrize("name", PLAYERS)
def test_T2_nor_at_other_tables(name: str, table: str, size: Size) -> None:
    states = played(table, 1)
    bot = made(name, 1)
    first = len(states) - size(8, long=60) if name in SEARCHERS else 0
    places = random.Random(1).sample(range(max(0, first), len(states)), size(2, long=8))
    assert check(bot, states, places, 1)


@pytest.mark.parametrize("table", TABLES)
def test_the_fallback_ends_the_turn_by_legal_actions(table: str) -> None:
    for deal in played(table, 1):
        seat, action, count = deal.turn, None, 0
        while not isinstance(action, Discard | Pass):
            action = fallback_action(view_of(deal, seat))
            assert action in deal.legal_actions()
            deal = apply(deal, action, seat)
            count += 1
        assert count < 60


def test_what_a_search_plays_on_is_the_view_and_no_more() -> None:
    """The arrays that the compiled game is given are the same for all twins."""
    compared = 0
    for number in range(3):
        states = played("altinstar-4", number)
        for place in range(1, len(states), 9):
            seen = states[: place + 1]
            mine = Playouts(view_of(seen[-1], seen[-1].turn), beliefs=True)
            for twin in twins(seen, random.Random(place)):
                theirs = Playouts(view_of(twin, twin.turn), beliefs=True)
                np.testing.assert_equal(mine._seen, theirs._seen)
                compared += 1
    assert compared > 10


def test_a_peeker_is_caught() -> None:
    caught = 0
    for number in range(5):
        states = played("altinstar-4", number)
        places = [p for p in range(len(states)) if states[p].phase is Phase.PLAY][:6]
        try:
            check(Peeker(), states, places, number)
        except AssertionError:
            caught += 1
        check(make_bot("greedy"), states, places, number)  # what it is without its look
    assert caught >= 4


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_no_bot_names_what_holds_hidden_tiles(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom | ast.Import)
        for alias in node.names
    }
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not imported & HIDDEN
    assert not attributes & {"dealt", "hands", "stock"}


@pytest.mark.parametrize("name", BOTS)
def test_no_bot_uses_the_global_generator(name: str) -> None:
    state = random.getstate()
    deal = dealt(TABLES["altinstar-4"], 1)
    bots = [make_bot(name, seat) for seat in range(4)]
    for _ in range(30):
        if deal.over:
            break
        deal = apply(deal, bots[deal.turn].choose(*shown(deal)))
    assert random.getstate() == state


ROOT = Path(__file__).resolve().parents[2]
VECTORS: dict[str, Any] = json.loads(
    Path(__file__).with_name("choices.json").read_text(encoding="utf-8")
)
DEALS = VECTORS["deals"]
DOORS = {"process_bot", "program", "registry"}
"""How bots are found and run; they choose nothing themselves."""
PURE_FILES = [path for path in FILES if path.stem not in DOORS]
CLOCKS = {"time", "datetime", "os", "secrets", "uuid", "threading", "locale", "platform", "decimal"}


def test_the_vectors_are_of_every_bot_and_of_choices_that_differ() -> None:
    marks = [*(info.mark for info in BOTS.values()), f"fallback/{FALLBACK_VERSION}"]
    assert VECTORS["bots"] == marks
    choices = [choice for deal in DEALS for choice in deal["choices"]]
    assert len(choices) > 200
    assert sum(choice["greedy/1"] != choice["steady/1"] for choice in choices) > 20
    words = {choice["steady/1"].split()[0] for choice in choices}
    assert {"take", "draw", "meld", "lay", "discard"} <= words
    assert {deal["rules"]["preset"] for deal in DEALS} == {"altinstar", "pagat", "wiki"}


def test_every_bot_chooses_as_written() -> None:
    """In a process of its own, so with other hashes of texts and empty caches.

    Where this fails a bot's version has to be raised, or the bot differs between Pythons.
    """
    ran_python(ROOT / "scripts" / "make_bot_vectors.py", "--check")


@pytest.mark.parametrize("path", PURE_FILES, ids=lambda p: p.stem)
def test_no_bot_looks_at_a_clock_or_adds_up_floats_by_what_differs(path: Path) -> None:
    """``**`` of floats is the system's, ``sum`` of floats the Python's: neither decides."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = {getattr(node, "module", None), *(alias.name for alias in node.names)}
            assert not modules & CLOCKS
        assert not isinstance(getattr(node, "op", None), ast.Pow)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("sum", "set", "hash"):
            words = {
                leaf.id if isinstance(leaf, ast.Name) else leaf.attr
                for leaf in ast.walk(node)
                if isinstance(leaf, ast.Name | ast.Attribute)
            }
            assert not words & {"weight", "chance", "mean", "share"}
            assert not any(
                isinstance(leaf, ast.Constant) and isinstance(leaf.value, float)
                for leaf in ast.walk(node)
            )


def test_a_bot_is_known_by_its_version() -> None:
    for name, info in BOTS.items():
        assert info.mark == f"{name}/{info.version}"
        assert bot_of_mark(info.mark) is info
        assert bot_of_mark(f"{name}/{info.version + 1}") is None
        assert bot_of_mark(name) is None
    assert bot_of_mark("deep-blue/1") is None
    assert bot_of_mark("") is None
