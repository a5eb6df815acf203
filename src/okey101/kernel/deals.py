"""Deals in the kernel: stepped action by action, many side by side, many at once, and playouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Self, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from okey101.errors import OkeyError, checked, exactly, whole_number
from okey101.game.actions import Action, parse_action
from okey101.game.deal import Deal
from okey101.game.deal_parts import End, Fine
from okey101.game.dealing import Layout, match_seed, seed_of
from okey101.game.options import Options
from okey101.game.record.form import DealRecord, Record
from okey101.game.ruleset import RuleSet, checked_seat, rules_of
from okey101.game.view import View
from okey101.kernel import conversion, layout as L, room as R
from okey101.kernel.beliefs import evidence_of, odds_of
from okey101.kernel.codes import (
    action_told,
    actions_of,
    bits_of_masks,
    check_hands,
    codes_of,
    masks_of_bits,
    twin_of,
)
from okey101.kernel.compiling import Row, Rows
from okey101.kernel.playing import deal_many, list_many, random_many, step_many
from okey101.kernel.seats import Minds, choice_of, minds_of, play_mixtures, play_rows
from okey101.kernel.solver import tables
from okey101.kernel.warming import need_warm
from okey101.kernel.worlds import MOST_CODES, NO_CHOICE, Seen, draw_worlds, play_worlds
from okey101.tiles import Rack, tiles_of_bits
from okey101.weights.master import SIZE as WEIGHTS
from okey101.weights.neural import NET, NETS

# Many deals at once: batches stepped side by side, and deals played at random.

_LOG = 1024
_AT_ONCE = 256
_MOST_DEALS = 1 << 62
_MOST_AT_ONCE = 1 << 20
_MOST_IN_A_CALL = 1 << 27


class KernelBatch:
    """So many deals side by side, ``rows`` being int64[B, SIZE]: reset, list, step.

    Rules may be the name of a preset. Raises OkeyError ``kernel-cold`` on an event loop where
    nothing was warmed, ``wrong-type`` and ``out-of-range`` for a size that is none from 1 to 2^20.
    """

    def __init__(self, rules: RuleSet | str, size: int) -> None:
        whole_number(size, "size", 1, _MOST_AT_ONCE)
        need_warm()
        self.rules = rules_of(rules)
        self.rows: Rows = np.zeros((size, L.SIZE), dtype=np.int64)
        """The states, by the offsets of :mod:`okey101.kernel.layout`."""
        self.rows[:, L.PHASE] = L.P_OVER
        self._rules = conversion.rules_vector(self.rules)
        self._out = np.zeros(R.MOST_ACTIONS, dtype=np.int64)
        self.openings: Rows = np.zeros((size, R.WORDS), dtype=np.int64)
        """What the openings lay that were listed last, by row."""
        self._minds: Minds | None = None

    def reset(self, seed: bytes | int | str, first: int = 0) -> None:
        """Deal anew: row ``b`` is deal ``first + b`` of the seed, the seats dealing in turn.

        A deal's own seed is :func:`~okey101.game.dealing.match_seed`'s; seat 0 deals deal 0.
        OkeyError ``bad-seed``, and ``out-of-range`` for a number below 0.
        """
        whole_number(first, "first", 0, _MOST_DEALS)
        deal_many(self._rules, self.rows, conversion.seed_words(seed_of(seed)), first)

    def reset_row(self, b: int, layout: Layout) -> None:
        """Begin one row from a table laid out, or dealt from any seed.

        OkeyError ``wrong-type`` and ``out-of-range`` for a row that there is not.
        """
        whole_number(b, "b", 0, len(self.rows) - 1)
        self.rows[b] = conversion.row_of_deal(Deal.start(self.rules, layout))

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which deals have ended: bool[B]."""
        return np.equal(self.rows[:, L.PHASE], L.P_OVER)

    @property
    def turn(self) -> NDArray[np.int64]:
        """The seats to act: int64[B], 0 to 3."""
        return self.rows[:, L.TURN].copy()

    @property
    def scores(self) -> NDArray[np.int64]:
        """Points by deal and seat, int64[B, players], low is good; of a running deal 0."""
        return self.rows[:, L.SCORES : L.SCORES + self.rules.players].copy()

    def legal(self, *, backs: bool = False) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The codes of the legal micro-actions of all rows one after the other, and their starts.

        Those of row ``b`` are ``codes[starts[b]:starts[b + 1]]``, none for a deal that is over;
        ``starts`` is int64[B + 1]. Without ``backs`` taking back is left out.
        """
        starts = np.zeros(len(self.rows) + 1, dtype=np.int64)
        while True:
            total = list_many(
                tables(), self._rules, self.rows, int(backs), self._out, starts, self.openings
            )
            if total <= len(self._out):
                return self._out[:total].copy(), starts
            self._out = np.zeros(2 * total, dtype=np.int64)

    def step(self, codes: NDArray[np.int64]) -> None:
        """Play one legal micro-action in each running row: int64[B]; others' codes are not read.

        The codes come from the last :meth:`legal`, which knows what an opening lays. Nothing is
        checked: any other code leaves a row without meaning.
        """
        wanted = np.ascontiguousarray(codes, dtype=np.int64)
        if wanted.shape != (len(self.rows),):
            raise OkeyError("bad-batch", f"{len(self.rows)} codes are needed, one for each deal")
        step_many(self._rules, self.rows, wanted, self.openings)

    def play_on(self, who: NDArray[np.int64], waits: NDArray[np.int64]) -> None:
        """Let bots play each deal to its end, or to the turn of a seat that it waits for.

        int64[B] each: who plays which seats, by :func:`who_plays`, and the seats' bits.
        """
        if self._minds is None:
            self._minds = minds_of(self.rules)
        play_rows(tables(), self._rules, self.rows, self._minds, who, waits)


@dataclass(frozen=True, slots=True)
class PlayedDeals:
    """Deals that the kernel has played: deal ``first + i`` of a seed in place ``i`` of each array.

    ``scores`` is int64[N, players] in points; ``ends`` int64[N], 1 a finish, 2 the stock, 3 all
    pairs; ``winners`` int64[N], -1 for nobody; ``counts`` bool[N]. ``logs`` are the codes of what
    was played, by deal, empty where no log was kept.
    """

    rules: RuleSet
    seed: bytes = field(repr=False)
    first: int
    scores: NDArray[np.int64]
    ends: NDArray[np.int64]
    winners: NDArray[np.int64]
    counts: NDArray[np.bool_]
    decisions: int
    """Micro-actions chosen, over all deals."""
    rows: tuple[Row, ...] = ()
    logs: tuple[Row, ...] = ()

    def record(self, i: int) -> Record:
        """The record of the deal in place ``i``, which replays to the same result.

        Raises OkeyError ``no-log`` where none was kept, ``out-of-range`` where there is no deal.
        """
        if not self.logs:
            raise OkeyError("no-log", "records need the log: play with log=True")
        if i not in range(len(self.logs)):
            message = f"there are deals 0 to {len(self.logs) - 1}, not {i}"
            raise OkeyError("out-of-range", message, low=0, high=len(self.logs) - 1)
        seed = match_seed(self.seed, self.first + i)
        deal = conversion.deal_record(self.rules, self.rows[i], self.logs[i], None, seed)
        return Record(rules=self.rules, deals=(deal,))  # of one of many no totals are claimed

    def records(self) -> Iterator[Record]:
        """The record of each deal, one after the other."""
        return map(self.record, range(len(self.logs)))


def play_random(
    rules: RuleSet | str, deals: int, *, seed: bytes | int | str = 0, first: int = 0,
    play_seed: int = 0, log: bool = False, batch: int = _AT_ONCE,
) -> PlayedDeals:  # fmt: skip
    """Play deals ``first`` to ``first + deals - 1`` of a seed, every choice at random.

    Each legal micro-action but taking tiles back is as likely as any other. The outcome depends on
    rules, seeds and the number of a deal alone, not on ``batch``, how many are played in one
    compiled call. ``log`` keeps what records need. OkeyError ``kernel-cold``, ``wrong-type``, and
    ``out-of-range`` for numbers that are too small or too large.
    """
    return _play(random_many, rules, deals, seed, first, log, batch, play_seed)


_BITS: Final = {"greedy": 0, "neural": 1, "master": 16}
"""A bot's bit for seat 0 among those that say who sits where."""


def who_plays(bots: Mapping[int, str], players: int) -> int:
    """Bots by their seats, as the kernel is told it; ``greedy`` has the other seats.

    Raises OkeyError ``unknown-bot`` and ``bad-seat``.
    """
    who = 0
    for seat, bot in checked(bots, Mapping, "bot, or seats and their bots").items():
        if bot not in _BITS:
            known = ", ".join(_BITS)
            raise OkeyError("unknown-bot", f"no {bot!r} here, but {known}", name=bot, known=known)
        who |= _BITS[bot] << checked_seat(seat, players)
    return who


def play_bots(
    rules: RuleSet | str, deals: int, bots: str | Mapping[int, str] = "greedy", *,
    seed: bytes | int | str = 0, first: int = 0, weights: Sequence[int] | None = None,
    nets: Sequence[int] | None = None, log: bool = False, batch: int = _AT_ONCE,
) -> PlayedDeals:  # fmt: skip
    """Play deals of a seed as :func:`play_random` does, with ``greedy``, ``master`` and ``neural``.

    One of them sits in every seat, or those of ``bots`` by seat and ``greedy`` in the others; all
    choose as the readable bots do. ``weights`` are those of :mod:`okey101.weights.master` and
    ``nets`` those of :mod:`okey101.weights.neural`, by default the ones of the rules. ``decisions``
    counts actions. Raises OkeyError ``unknown-bot``, ``bad-seat`` and ``wrong-count`` besides.
    """
    rules = rules_of(rules)
    seated = dict.fromkeys(range(rules.players), bots) if isinstance(bots, str) else bots
    who = who_plays(seated, rules.players)
    for given, size in ((weights, WEIGHTS), (nets, NETS * NET)):
        if given is not None:
            exactly(size, given, "weights")
    minds = minds_of(rules, weights, nets)
    return _play(play_mixtures, rules, deals, seed, first, log, batch, minds, who)


def _play(
    play: Callable[..., int], rules: RuleSet | str, deals: int, seed: bytes | int | str, first: int,
    log: bool, batch: int, *given: object,
) -> PlayedDeals:  # fmt: skip
    """Deal and play batch after batch, and gather what came of it."""
    whole_number(deals, "deals", 0, _MOST_IN_A_CALL)
    whole_number(batch, "batch", 1, _MOST_AT_ONCE)
    whole_number(first, "first", 0, _MOST_DEALS)
    need_warm()
    rules = rules_of(rules)
    root = seed_of(seed)
    vector, words, found = conversion.rules_vector(rules), conversion.seed_words(root), tables()
    rows = np.zeros((min(batch, max(deals, 1)), L.SIZE), dtype=np.int64)
    logs = np.zeros((len(rows), _LOG if log else 0), dtype=np.int64)
    facts = np.zeros((deals, 3 + rules.players), dtype=np.int64)
    kept: list[Row] = []
    played: list[Row] = []
    decisions = 0
    for at in range(0, deals, len(rows)):
        now = rows[: deals - at]
        decisions += play(found, vector, now, words, first + at, logs[: len(now)], *given)
        facts[at : at + len(now), :3] = now[:, [L.END, L.WINNER, L.COUNTS]]
        facts[at : at + len(now), 3:] = now[:, L.SCORES : L.SCORES + rules.players]
        if log:
            if (now[:, L.NOTED] > _LOG).any():
                raise OkeyError("log-full", f"a deal took more than {_LOG} entries")
            kept += [row.copy() for row in now]
            played += [log_[:n].copy() for log_, n in zip(logs, now[:, L.NOTED], strict=False)]
    return PlayedDeals(
        rules, root, first, facts[:, 3:].copy(), facts[:, 0].copy(), facts[:, 1].copy(),
        facts[:, 2] == 1, decisions, tuple(kept), tuple(played),
    )  # fmt: skip


class KernelDeal:
    """One deal in the kernel, changed by each action; the twin of :class:`okey101.game.Deal`.

    It starts from a seed and a dealer's seat, or from a layout, as ``Deal.start`` does, and raises
    the same errors, OkeyError ``kernel-cold`` besides (see ``okey101.kernel.warm``).
    """

    def __init__(
        self, rules: RuleSet | str, layout: Layout | None = None, *,
        seed: bytes | int | str | None = None, dealer: int | None = None,
    ) -> None:  # fmt: skip
        deal = Deal.start(rules, layout, seed=seed, dealer=dealer)
        self.rules, self.layout = deal.rules, deal.layout
        self._batch = KernelBatch(self.rules, 1)
        self._batch.reset_row(0, self.layout)
        self._log: list[int] = []
        self._listed: NDArray[np.int64] | None = None

    @property
    def row(self) -> Row:
        """The state: int64[SIZE], by the offsets of :mod:`okey101.kernel.layout`."""
        return cast("Row", self._batch.rows[0])

    @property
    def turn(self) -> int:
        """The seat to act, 0 to 3."""
        return int(self.row[L.TURN])

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self.row[L.PHASE] == L.P_OVER)

    @property
    def scores(self) -> tuple[int, ...] | None:
        """Points by seat, low is good; None while the deal runs."""
        result = conversion.result_of(self.row)
        return None if result is None else result.scores

    @property
    def end(self) -> End | None:
        """How the deal ended; None while it runs."""
        result = conversion.result_of(self.row)
        return None if result is None else result.end

    @property
    def winner(self) -> int | None:
        """The seat that finished; None for nobody."""
        result = conversion.result_of(self.row)
        return None if result is None else result.winner

    @property
    def fines(self) -> tuple[Fine, ...]:
        """The fines so far, at most 128."""
        return conversion.fines_of(self.row)

    def rack(self, seat: int) -> Rack:
        """A seat's hand; OkeyError ``bad-seat`` where there is no such seat."""
        at = L.HANDS + 2 * checked_seat(seat, self.rules.players)
        return Rack.from_bits(bits_of_masks(int(self.row[at]), int(self.row[at + 1])))

    def legal(self) -> NDArray[np.int64]:
        """The codes of the legal micro-actions, as Options lists the actions; empty once over.

        :mod:`okey101.kernel.layout` tells what a code is made of.
        """
        if self._listed is None:
            self._listed = self._batch.legal(backs=True)[0]
        return self._listed

    def actions(self) -> tuple[Action, ...]:
        """The legal micro-actions as the game's own, in the order of :meth:`legal`."""
        okey = int(self.row[L.OKEY_KIND])
        codes = map(self._laid, map(int, self.legal()))
        return tuple(next(actions_of(laid, None if okey < 0 else okey)) for laid in codes)

    def action_of(self, code: int) -> Action:
        """What a legal code means here; the code of an opening is the meld that it lays.

        OkeyError ``not-a-micro-action`` for any other code.
        """
        return self.actions()[self._place(code, [*self.legal()])]

    @staticmethod
    def _place(wanted: object, listed: Sequence[object]) -> int:
        """Where a code stands among the legal ones, or an action."""
        if wanted in listed:
            return listed.index(wanted)
        raise OkeyError("not-a-micro-action", f"{wanted} is no legal micro-action here")

    def apply(self, action: int | Action | str) -> None:
        """Play a legal micro-action: its code, the action, or its notation.

        Raises OkeyError ``not-a-micro-action`` for any other, be it legal in the game.
        """
        by_code = isinstance(action, int | np.integer)
        wanted = parse_action(action) if isinstance(action, str) else action
        legal = self.legal().tolist()
        found = legal[self._place(wanted, legal if by_code else self.actions())]
        codes = self._laid(found)
        self._batch.step(np.array([found]))
        self._listed = None
        self._log += codes

    def _laid(self, code: int) -> list[int]:
        """A legal code, that of an opening as the groups it lays."""
        if code & L.OP not in (L.A_OPEN, L.A_PAIRS):
            return [code]
        at = 0 if code & L.OP == L.A_OPEN else R.BY_PAIRS
        openings = self._batch.openings[0]
        words = openings[at + 1 : at + 1 + int(openings[at])]
        codes = [L.A_MELD | int(word) << 4 | L.MORE for word in words]
        return [*codes[:-1], codes[-1] & ~L.MORE]

    @property
    def played(self) -> tuple[Action, ...]:
        """All actions so far."""
        okey = int(self.row[L.OKEY_KIND])
        return tuple(actions_of(self._log, None if okey < 0 else okey))

    def record(self) -> DealRecord:
        """The record of the deal so far, which ``okey101.replay`` plays to the same result."""
        return conversion.deal_record(
            self.rules, self.row, self._log, self.layout, self.layout.seed
        )


# Playouts from what a seat sees: each choice in the same worlds, all going on by one policy.

Points: TypeAlias = NDArray[np.int64]
"""Points of playouts."""
Policy: TypeAlias = Literal["greedy", "master", "own", "learned"]
"""Who goes on in a playout."""

_DOUBT: Final = 10
"""Of a hundred worlds in which somebody could have opened, so many are kept."""
GRADES: Final = (64, 16, 8, 5, 4, 2, 4, 8, 8)
"""How likely a hand is by its player's last discard, as okey101.kernel.beliefs has it: as a player
may not be ``greedy``, no hand is left out."""
_SEATS: Final = 4


class Playouts:
    """Playouts from the view of a seat; it holds nothing that the view does not show.

    ``policy`` is what all seats go on by: ``greedy``, ``master``, or ``own`` and ``learned``, which
    are ``master`` and ``neural`` for the seat (and its partner) and ``greedy`` for the others. With
    ``steps`` a world is drawn by a walk of so many to where the others' last discards and what they
    did not lay down are likely; without, nine of ten worlds in which somebody could have opened are
    thrown away. With ``beliefs`` a walk goes so many steps on from world to world, among those that
    are likely by all that the others threw, left and kept (``okey101.weights.neural.beliefs_of``).
    With ``rounds`` a playout ends when the seat is to throw a tile, or to lay down, for the last
    time of so many turns: what the deal comes to from there on is foretold by a network, for the
    seat alone (``okey101.weights.neural.values_of``). Raises OkeyError ``kernel-cold`` on an event
    loop where nothing was warmed.
    """

    def __init__(
        self, view: View, policy: Policy = "greedy", *, steps: int = 0, rounds: int = 0,
        beliefs: bool = False,
    ) -> None:  # fmt: skip
        assert view.seat is not None
        need_warm()
        public, seat = view.public, view.seat
        self._public, self._own = public, seat
        self._players, self._teams = public.players, public.rules.teams
        own = 1 << seat | (1 << (seat ^ 2) if self._teams else 0)
        self._who = {"greedy": 0, "master": 15 << 4, "own": own << 4, "learned": own}[policy]
        self._minds = minds_of(public.rules)
        self._until = public.turns + 1 + (rounds - 1) * public.players if rounds else 0
        self._rules = conversion.rules_vector(public.rules)
        row = conversion.row_of_public(public)
        at = L.HANDS + 2 * seat
        row[at], row[at + 1] = masks_of_bits(view.hand or 0)
        if view.drawn is not None:
            row[L.DRAWN] = view.drawn
        others = (known for other, known in enumerate(public.known) if other != seat)
        pool = np.array(tiles_of_bits(view.unseen - sum(others)), dtype=np.int64)
        grades = odds_of(view) if beliefs else np.array(GRADES, dtype=np.int64)
        evidence = evidence_of(public, seat)
        self._seen: Seen = row, pool, grades, evidence, seat, _DOUBT, steps

    @classmethod
    def with_hands(cls, deal: Deal, policy: Policy = "greedy", *, rounds: int = 0) -> Self:
        """Playouts from the true hands, the order of the stock alone being drawn anew.

        This is hindsight, on which no player's choice may hang: what was right as the tiles lay.
        """
        seat = deal.turn
        found = cls(View(deal.public, seat, deal.hands[seat], deal.drawn), policy, rounds=rounds)
        row = found._seen[0]
        for other, hand in enumerate(deal.hands):
            at = L.KNOWN + 2 * other
            row[at], row[at + 1] = masks_of_bits(hand)
        pool = np.array([int(tile) for tile in sorted(deal.stock)], dtype=np.int64)
        found._seen = row, pool, *found._seen[2:5], 100, 0
        return found

    def choice(self, bot: Literal["master", "neural"], options: Options) -> Action:
        """What a bot chooses in the seat's place, of the view's options.

        OkeyError ``rack-too-large`` as for a row of a deal.
        """
        check_hands(self._public)
        who = {"master": 15 << 4, "neural": 15}[bot]
        code = choice_of(tables(), self._rules, self._seen[0], self._minds, who)
        return action_told(code, self._minds[0].tolist(), options)

    def outcomes(
        self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """The points of all seats after each choice in worlds ``first`` and following.

        int64[C, W, players], low is good; choices are those of the seat to act, and after None all
        just play on. World number n of a seed is the same whatever is played in it. OkeyError
        ``rack-too-large`` as for a row of a deal.
        """
        check_hands(self._public)
        codes = np.full((len(choices), MOST_CODES), NO_CHOICE, dtype=np.int64)
        okey, twin = self._public.setup.okey, twin_of(self._public)
        for place, action in enumerate(choices):
            if action is not None:
                found = codes_of(action, okey, twin)
                codes[place, : len(found)] = found
        scores = np.zeros((len(choices), _SEATS * worlds), dtype=np.int64)
        play_worlds(
            tables(), self._rules, self._seen, codes, seed, first, self._minds, self._who,
            self._until, scores,
        )  # fmt: skip
        return scores.reshape(len(choices), worlds, _SEATS)[:, :, : self._players]

    def deals(self, seed: int, first: int, worlds: int) -> list[Deal]:
        """Worlds ``first`` and following, as deals that can be played on."""
        rows = np.zeros((worlds, L.SIZE), dtype=np.int64)
        draw_worlds(tables(), self._rules, self._seen, seed, first, rows)
        return [self._deal_of(row) for row in rows]

    def _deal_of(self, row: Row) -> Deal:
        public = self._public
        at = range(L.HANDS, L.HANDS + 2 * self._players, 2)
        hands = tuple(bits_of_masks(int(row[n]), int(row[n + 1])) for n in at)
        places = range(public.stock_count)
        stock = tuple(int(row[L.STOCK + (n >> 3)]) >> ((n & 7) << 3) & 127 for n in places)
        return Deal.amid(public, hands, stock, int(row[L.DRAWN]) if row[L.DRAWN] >= 0 else None)

    def scores(
        self, choices: Sequence[Action | None], seed: int, first: int, worlds: int
    ) -> NDArray[np.int64]:
        """The points of the view's seat (team) alone: int64[C, W]."""
        points = self.outcomes(choices, seed, first, worlds)
        own = points[:, :, self._own]
        return own + points[:, :, self._own ^ 2] if self._teams else own.copy()
