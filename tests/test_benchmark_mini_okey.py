"""The mini-Okey of the laboratory: its walk on a game that is known, and its rules by the judge."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

from benchmarks import mini_game as mini, mini_okey
from benchmarks.mini_bots import play_of

from conftest import only_long
from okey101 import IllegalAction
from okey101.bots import make_bot
from okey101.game import Action, Deal, RuleSet, options_of
from okey101.game.actions import Discard, Draw, Lay, Meld, Take
from okey101.game.dealing import Layout
from okey101.game.view import view_of
from okey101.tiles import OKEY, Tile, bits_of_tiles

RULES = mini.MiniRules(stock=1)
SMALL = mini.MiniRules(colours=2, numbers=4, rack=3, stock=1, need=9)


@pytest.fixture(scope="module")
def tree() -> mini.Tree:
    return mini.grow(RULES)


def kuhn() -> mini.Tree:
    """Kuhn's poker: three cards, a stake of one, a bet of one."""
    columns: list[list[float]] = [[] for _ in range(10)]
    nodes: list[tuple[int, ...]] = []

    def node(who: int, *edges: tuple[int, float, int]) -> int:
        nodes.append((who, 7, 1, 1, len(columns[0]), len(edges), 0, 0, 0))
        for place, (child, base, mine) in enumerate(edges):
            row = (0, 0, child, mine, 0, 0, place, 0, 0, base)
            for column, value in zip(columns, row, strict=True):
                column.append(value)
        return len(nodes) - 1

    fold, call = (-1, -1, 0), (-1, 2, mini.SHOWDOWN)
    checked = node(1, (-1, 1, mini.SHOWDOWN), (node(0, fold, call), 0, 0))
    node(0, (checked, 0, 0), (node(1, fold, call), 0, 0))
    return mini.packed(nodes, columns, [range(8)], np.zeros((3, 8)), 1 / 6)


def test_the_walk_solves_kuhns_poker() -> None:
    solver = mini.Solver(kuhn())
    solver.learn(1_000)
    assert solver.value(solver.profile) == pytest.approx(-1 / 18, abs=1e-5)
    assert 0 <= solver.gap(solver.profile) < 1e-3
    evenly = np.ones_like(solver.profile)
    # All moves alike often: the best answers gain 1/2 and 5/12 (OpenSpiel's NashConv is 11/12).
    assert solver.gap(evenly) == pytest.approx(11 / 12)


def tiles_of(mask: int) -> list[Tile]:
    """Mini tiles as full ones; the okey is black 13."""
    places = [bit.bit_length() - 1 for bit in mini.bits(mask)]
    return [Tile(OKEY if p == 12 else 13 * (p // 4) + p % 4) for p in places]


def judge() -> RuleSet:
    """The full rules, with nine for each 101 that is a field."""
    rules = RuleSet(
        players=2, return_discard=False, short_opening="refuse", okey_discard_fine=9,
        playable_discard_fine=9, okey_in_hand_fine=9,
    )  # fmt: skip
    object.__setattr__(rules, "open_points", 9)  # less than a table may ask for
    return rules


def small(score: int) -> int:
    """A score with nine in place of 101."""
    flat = round(score / 101)
    return score - 92 * flat


def group_text(mask: int) -> str:
    """A set or run as the full game writes it, each okey with what it stands for."""
    _, run = mini.groups(RULES)[mask]
    if run is not None:
        colour, low, high = run
        wanted = [(colour, number) for number in range(low, high + 1)]
    else:
        number = next(t.number for t in tiles_of(mask & ~RULES.okey))
        wanted = [(colour, number) for colour in range(3)]
    return " ".join(f"{'' if mask & RULES.tile(c, n) else '*'}{'RYB'[c]}{n}" for c, n in wanted)


class Played:
    """A deal at both tables, the mini one and that of the judge."""

    def __init__(self, tree: mini.Tree, rng: random.Random) -> None:
        self.tree = tree
        dealt = rng.sample(list(mini.bits(RULES.all)), 10)
        self.hands = [sum(dealt[:5]), sum(dealt[5:9])]
        self.drawn = dealt[9:]
        self.node, self.edge, self.top = len(tree.nodes) - 1, -1, 0
        self.deal = Deal.start(judge(), Layout(
            dealer=0, starter=0, indicator=Tile.K12, okey=Tile.K13,
            hands=(bits_of_tiles(tiles_of(self.hands[0])), bits_of_tiles(tiles_of(self.hands[1]))),
            stock=tuple(tiles_of(tile)[0] for tile in self.drawn),
        ))  # fmt: skip

    @property
    def seat(self) -> int:
        return int(self.tree.nodes[self.node, mini.WHO])

    def row(self, edge: int) -> Any:
        return self.tree.edges[edge]

    def moves(self) -> list[int]:
        """The edges that the hand allows."""
        first, count = self.tree.nodes[self.node, [mini.FIRST, mini.COUNT]]
        hand = self.hands[self.seat]
        return [
            edge for edge in range(first, first + count)
            if self.row(edge)[mini.NEEDS] & ~hand == 0
        ]  # fmt: skip

    def own(self, edge: int) -> bool:
        """Whether a move leads on, and is no first one that another stands for."""
        root = len(self.tree.nodes) - 1
        return self.node < root or bool(
            self.row(edge)[mini.SAME] == edge - self.tree.nodes[root, mini.FIRST]
        )

    def go(self, edge: int) -> None:
        """Make a move at both tables, in one of the ways that it can be made at the judge's."""
        needs, throws, child = (
            int(self.row(edge)[n]) for n in (mini.NEEDS, mini.THROWS, mini.CHILD)
        )
        seat, self.edge = self.seat, edge
        if self.tree.reals[edge, mini.DRAWS]:
            self.deal = self.deal.apply(Draw())
            self.hands[seat] |= self.drawn.pop(0)
            self.node = child
            return
        laid, start = needs ^ throws, self.deal
        if self.row(edge)[mini.FLAGS] & mini.TAKES:
            start, laid = start.apply(Take()), laid | self.top
        ends = []
        for after in laid_ways(start, laid, seat):
            if child < 0 or fits_of(after) == self.tree.nodes[child, mini.FITS]:
                done = after.apply(Discard(tiles_of(throws)[0]))
                fined = bool(done.public.fines[len(start.public.fines) :])
                if fined == bool(self.row(edge)[mini.FLAGS] & mini.FINED):
                    ends.append(done)
        self.deal = ends[0]
        self.hands[seat] &= ~needs
        self.node, self.top = child, throws

    def differs(self) -> str:
        """How what the mini game allows differs from what the judge does, if it does."""
        rows = [self.row(edge) for edge in self.moves()]
        options = options_of(self.deal)
        if self.node < len(self.tree.nodes) - 1 and self.tree.reals[self.moves()[0], mini.DRAWS]:
            # A taken okey may be a fourth colour or a five, too.
            more = options.take and self.top == RULES.okey
            return "" if options.take == (len(rows) > 1) or more else "taking"
        if self.deal.public.opened[self.seat] is None:
            opens = any(row[mini.FLAGS] & mini.OPENS for row in rows)
            return "" if opens == (options.opening is not None) else "opening"
        # A fourth colour and a five, which an okey might stand for, are not in the mini game.
        named = [str(a).split()[1].lstrip("*") for a in options.actions() if isinstance(a, Lay)]
        lays = any(name[0] in "RYB" and name[1:] in "1234" for name in named)
        return "" if lays == any(row[mini.NEEDS] != row[mini.THROWS] for row in rows) else "laying"


def fits_of(deal: Deal) -> int:
    """What can be laid off on runs, in mini tiles."""
    kinds = deal.public.playable
    return sum(
        RULES.tile(c, n) for c in range(3) for n in range(1, 5) if kinds >> 13 * c + n - 1 & 1
    )


def laid_ways(deal: Deal, laid: int, seat: int) -> Iterator[Deal]:
    """The deal after these tiles were laid, in each way that the judge allows."""
    if not laid:
        yield deal
        return
    tries: list[tuple[Action, int]] = []
    if deal.public.opened[seat] is None:
        tries = [
            (Meld(group_text(mask)), mask)
            for mask, (points, _) in mini.groups(RULES).items()
            if points >= RULES.need and mask & ~laid == 0
        ]
    else:
        for tile in mini.bits(laid):
            faces = [f"*{c}{n}" for c in "RYB" for n in range(1, 5)]
            names = faces if tile == RULES.okey else [str(tiles_of(tile)[0])]
            groups = range(1, len(deal.public.table) + 1)
            tries += [(Lay(name, group), tile) for name in names for group in groups]
    for action, tiles in tries:
        try:
            after = deal.apply(action)
        except IllegalAction:
            continue
        yield from laid_ways(after, laid & ~tiles, seat)


@pytest.mark.parametrize("game", range(2))
def test_the_judge_allows_and_pays_what_the_mini_game_does(tree: mini.Tree, game: int) -> None:
    """Deals of random moves, of which half open where they can; 9 is read for each flat 101."""
    rng = random.Random(game)
    ended = 0
    for _ in range(60):
        played = Played(tree, rng)
        while played.node >= 0 and (moves := played.moves()):
            assert played.differs() == "", played.deal.text()
            moves = [edge for edge in moves if played.own(edge)]
            if not moves:
                break
            opening = [edge for edge in moves if played.row(edge)[mini.FLAGS] & mini.OPENS]
            seat = played.seat
            played.go(rng.choice(opening if opening and rng.random() < 0.8 else moves))
        if played.node < 0:
            ended += 1
            result = played.deal.result
            assert result is not None
            scores = [small(score) for score in result.scores]
            edge, hands = played.edge, played.hands
            paid = (
                tree.reals[edge, mini.BASE]
                + tree.points[played.row(edge)[mini.THEIRS], hands[1 - seat]]
                - tree.points[played.row(edge)[mini.MINE], hands[seat]]
            )
            assert paid == scores[1 - seat] - scores[seat], played.deal.text
    assert ended > 20


def wanted(tree: mini.Tree, profile: Any, played: Played) -> Iterator[int]:
    """The moves of a profile at a position."""
    hand, node = played.hands[played.seat], tree.nodes[played.node]
    for edge in played.moves():
        needs, size = (int(played.row(edge)[n]) for n in (mini.NEEDS, mini.SIZE))
        place = (int(node[mini.UNSEEN]) & ~needs) * mini.ROOM + size
        held = tree.hands[tree.starts[place] : tree.starts[place + 1]]
        if profile[played.row(edge)[mini.AT] + int(np.flatnonzero(held == hand & ~needs)[0])]:
            yield edge


@pytest.mark.parametrize(("bot", "share"), [*only_long(["novice", 0.92]), ("greedy", 0.88)])
def test_a_bot_chooses_as_its_full_twin(tree: mini.Tree, bot: str, share: float) -> None:
    """Not always: the twin believes in fives and in a fourth colour."""
    rng, twin = random.Random(3), make_bot(bot, 0)
    profile = play_of(tree, RULES, bot)
    alike = []
    for _ in range(300):
        played = Played(tree, rng)
        while played.node >= 0:
            moves, seat, after = played.moves(), played.seat, played.deal
            drawing = tree.reals[moves[0], mini.DRAWS] > 0
            while not after.over and after.turn == seat:
                action = twin.choose(view_of(after, seat), options_of(after))
                after = after.apply(action)
                if drawing:
                    break
            ends = []
            for edge in wanted(tree, profile, played):
                needs, throws = (int(played.row(edge)[n]) for n in (mini.NEEDS, mini.THROWS))
                left = (played.hands[seat] & ~needs).bit_count()
                drawn = bool(tree.reals[edge, mini.DRAWS])
                ends.append(drawn if drawing else (left, [Discard(t) for t in tiles_of(throws)]))
            made = action == Draw() if drawing else (after.public.sizes[seat], [action])
            alike.append(made in ends)
            own = [edge for edge in moves if played.own(edge)]
            if not own:
                break
            played.go(rng.choice(own))
    assert sum(alike) / len(alike) > share


def test_what_one_seat_gains_the_other_loses() -> None:
    solver = mini.Solver(mini.grow(SMALL))
    profile = play_of(solver.tree, SMALL, "steady")
    second = solver.worth(profile, 1)
    assert solver.value(profile) == pytest.approx(-second)
    assert solver.answer(profile, 0) >= solver.value(profile)
    assert solver.answer(profile, 1) >= second


def test_an_information_set_holds_no_hidden_tile(tree: mini.Tree) -> None:
    """Two deals that differ in what a seat can't see lead it to the same sets and moves."""
    rng = random.Random(5)
    for _ in range(100):
        played = Played(tree, rng)
        other = Played(tree, rng)
        mine = played.hands[0]
        hidden = rng.sample(list(mini.bits(RULES.all & ~mine)), 5)
        other.hands, other.drawn = [mine, sum(hidden[:4])], hidden[4:]
        assert (other.node, other.moves()) == (played.node, played.moves())
        # What the second seat may do to the starter's discard depends on its own hand alone.
        edge = rng.choice(played.moves())
        if played.own(edge) and (child := int(played.row(edge)[mini.CHILD])) >= 0:
            for one in (played, other):
                one.hands[0] &= ~int(one.row(edge)[mini.NEEDS])
                one.node = child
            other.hands = [other.drawn[0], played.hands[1]]
            assert other.moves() == played.moves()


def test_a_game_solved_by_hand() -> None:
    """Racks of three, one draw: who opens ends the deal, all else pays the same 2 * 9.

    The starter ends 42 of 126 hands at once, two of them with the okey. Of the others it throws
    what lets the second end least often; the second takes it or draws, and ends if it can.
    """
    groups = [mask for mask, (points, _) in mini.groups(SMALL).items()
              if points >= 9 and mask.bit_count() == 3]  # fmt: skip
    tiles = list(mini.bits(SMALL.all))

    def ends(hand: int, must: int = 0) -> int:
        """54 for an end of the whole hand (-18, 36), twice that with the okey; 0 for none."""
        last = [hand & ~g for g in groups if g & ~hand == 0 and g & must == must]
        return max((108 if tile == SMALL.okey else 54 for tile in last), default=0)

    def after(hand: int, thrown: int) -> float:
        rest = hand & ~thrown
        hidden = [tile for tile in tiles if not tile & hand]
        lost = []
        for three in combinations(hidden, 3):
            drawn = [ends(sum(three) | tile) for tile in hidden if tile not in three]
            lost.append(max(ends(sum(three) | thrown, thrown), sum(drawn) / len(drawn)))
        fine = 9 if thrown == SMALL.okey else 0
        assert rest.bit_count() == 3
        return -sum(lost) / len(lost) - fine

    hands = [sum(four) for four in combinations(tiles, 4)]
    assert sorted(filter(None, map(ends, hands))) == [54] * 40 + [108] * 2
    worth = [ends(hand) or max(after(hand, tile) for tile in mini.bits(hand)) for hand in hands]
    solver = mini.Solver(mini.grow(SMALL))
    solver.learn(100)
    assert solver.value(solver.profile) == pytest.approx(sum(worth) / len(worth), abs=0.005)
    assert solver.gap(solver.profile) < 0.01


def test_the_page_is_that_of_the_record() -> None:
    page = mini_okey.RESULTS.with_suffix(".md")
    assert page.read_text("utf-8") == mini_okey.page(mini_okey.RESULTS)
