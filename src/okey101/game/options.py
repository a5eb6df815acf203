"""What a seat may do now: made from its view, so it can reveal nothing the seat can't see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from okey101.errors import IllegalAction, NotationError, checked
from okey101.game import actions as A
from okey101.game.deal_parts import Opened, Phase
from okey101.game.duties import finishing_opening
from okey101.game.layoffs import lay_offs, may_lay_off, may_lay_pairs
from okey101.game.legality import Ruling, discard_fine, judge, rule_on, take_refused
from okey101.game.openings import (
    best_melds,
    best_pairs,
    melds_of,
    melds_reach,
    needed_pairs,
    needed_points,
    pairs_of,
    pick_pairs,
    whole_hand,
)
from okey101.game.public import DealState
from okey101.game.view import View, view_of
from okey101.melds import Group
from okey101.solver import best_value_bits
from okey101.tiles import (
    OKEY,
    TILES,
    Tile,
    count_bits,
    distinct_bits,
    size_of_bits,
)

_A = TypeVar("_A", bound=A.Action)


if TYPE_CHECKING:
    from functools import cached_property as lazy
else:

    class lazy:  # noqa: N801  # reads like property
        """Like functools.cached_property, without the lock that costs Python 3.11 a microsecond."""

        def __init__(self, function):
            self._function = function
            self._name = function.__name__
            self.__doc__ = function.__doc__

        def __get__(self, instance, owner):
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._function(instance)
            return value


class DiscardOption(NamedTuple):
    """A tile that may be discarded, and the fine it would cost: rule id (or None) and points."""

    tile: Tile
    rule: str | None
    points: int


class Options:
    """All that the seat of a view may do now; empty when it isn't its turn.

    Every answer agrees with the judge. Lists are worked out when they are first asked for.

    >>> from okey101 import Deal
    >>> options = options_of(Deal.start("pagat", seed=7))
    >>> options.can_open, options.need_points, options.best_points
    (False, 101, 56)
    >>> options.discards[0].tile
    Tile.R4
    """

    def __init__(self, view: View) -> None:
        try:
            public, seat, hand = view.public, view.seat, view.hand
        except AttributeError:
            checked(view, View)
            raise
        self.view = view
        self._public = public
        self._hand = hand or 0
        self._acts = view.to_act
        self._phase = public.phase
        self._taken = public.taken
        """The taken discard, which an opening has to contain (U2)."""
        self._play = self._acts and self._phase is Phase.PLAY
        self._opened = public.opened[seat] if seat is not None else None

    def __repr__(self) -> str:
        return f"<Options of {self.view!r}>"

    def __str__(self) -> str:
        return ", ".join(map(str, self.actions()))

    def _ruled(self, action: A.Action) -> Ruling | None:
        """What the judge says of an action of the seat to act; None where it is refused."""
        try:
            return rule_on(self._public, self._hand, action)
        except IllegalAction:
            return None

    def _legal(self, action: A.Action) -> bool:
        return self._acts and self._ruled(action) is not None

    @lazy
    def duties(self) -> bool:
        """Whether a taken discard has to be used, or the hand finished, in this turn."""
        return self._play and (self._public.must_finish or self._public.taken_waits)

    def _allowed(self, actions: Iterable[_A]) -> tuple[_A, ...]:
        """The actions that also fulfil the duties of the turn."""
        return tuple(filter(self._legal, actions) if self.duties else actions)

    @lazy
    def draw(self) -> bool:
        """Whether the seat may draw from the stock (U1)."""
        return self._acts and self._phase in (Phase.DRAW, Phase.MUST_DRAW)

    @lazy
    def take(self) -> bool:
        """Whether the previous player's discard may be taken (U1, U2, U6)."""
        offered = self._phase in (Phase.DRAW, Phase.LAST_DISCARD) and self._acts
        return offered and take_refused(self._public, self._hand) is None

    @lazy
    def return_(self) -> bool:
        """Whether the taken discard may be put back (U3)."""
        return self._taken is not None and self._legal(A.RETURN)

    @lazy
    def announce(self) -> bool:
        """Whether the indicator's twin may be announced (O6)."""
        public = self._public
        asked = public.setup.rules.indicator_pairs and public.turns < public.players
        return asked and self._legal(A.ANNOUNCE)

    @lazy
    def pass_(self) -> bool:
        """Whether the last discard or the indicator is on offer and may be declined (E2, E4)."""
        return self._acts and self._phase in (Phase.LAST_DISCARD, Phase.LAST_INDICATOR)

    @lazy
    def indicator(self) -> bool:
        """Whether the indicator may be drawn to finish (E4)."""
        return self._phase is Phase.LAST_INDICATOR and self._legal(A.INDICATOR)

    @lazy
    def melds(self) -> tuple[A.Meld, ...]:
        """Every single group that may be laid after opening (O3, M5, X8)."""
        if not self._play or self._opened is None:
            return ()
        okey = self._public.setup.okey
        most = size_of_bits(self._hand) - 1
        groups: tuple[Group, ...] = ()
        if self._opened is Opened.MELDS:
            groups += melds_of(self._hand, okey)
        if may_lay_pairs(self._public, self._opened):
            groups += pairs_of(self._hand, okey)
        return self._allowed(A.Meld((group,)) for group in groups if len(group) <= most)

    @lazy
    def lays(self) -> tuple[A.Lay, ...]:
        """Every lay-off (O3, M4, X6)."""
        if not self._play or self._opened is None or size_of_bits(self._hand) < 2:
            return ()
        if not may_lay_off(self._public, self._opened, opening=self._public.new_opening):
            return ()
        pieces = lay_offs(self._public.table, self._hand, self._public.setup.okey)
        return self._allowed(A.Lay(piece, index + 1) for piece, index in pieces)

    @lazy
    def swaps(self) -> tuple[A.Swap, ...]:
        """Every okey of the table that may be reclaimed (X2)."""
        if not self._play or not self._public.setup.rules.reclaim_okey:
            return ()
        tiles = distinct_bits(self._hand)
        tried = (
            A.Swap(tile, number)
            for number, group in enumerate(self._public.table, 1)
            if count_bits(group.bits, OKEY)
            for tile in tiles
        )
        return tuple(filter(self._legal, tried))

    @lazy
    def backs(self) -> tuple[tuple[A.Back, int], ...]:
        """Every number of tiles that may be taken back, with the fine it costs (U5, P4)."""
        if not self._play:
            return ()
        counts = map(A.Back, range(1, len(self._public.placed) + 1))
        ruled = ((back, self._ruled(back)) for back in counts)
        return tuple((back, r.fine[1] if r.fine else 0) for back, r in ruled if r)

    @lazy
    def discards(self) -> tuple[DiscardOption, ...]:
        """Every tile that may be discarded, with what it would cost (U1, P1, P2)."""
        if not self._play or not self._may_discard:
            return ()
        tiles = distinct_bits(self._hand)
        if size_of_bits(self._hand) == 1:
            return (DiscardOption(TILES[tiles[0]], None, 0),)
        fines = ((TILES[tile], discard_fine(self._public, tile)) for tile in tiles)
        return tuple(
            DiscardOption(tile, *fine) if fine else DiscardOption(tile, None, 0)
            for tile, fine in fines
        )

    @property
    def _unopened(self) -> bool:
        return self._play and self._opened is None

    @lazy
    def need_points(self) -> int:
        """Points an opening with sets and runs needs now (O1, X1)."""
        return needed_points(self._public)

    @lazy
    def need_pairs(self) -> int:
        """Pairs an opening with pairs needs now (O2, X1)."""
        return needed_pairs(self._public)

    @lazy
    def best_points(self) -> int:
        """Points of the best arrangement of the whole hand in sets and runs."""
        return best_value_bits(self._hand, self._public.setup.okey) if self._hand else 0

    @lazy
    def best_pairs(self) -> int:
        """The most pairs that an opening could lay now (O2, O6)."""
        return best_pairs(self._public, self._hand, self._taken) if self._unopened else 0

    @lazy
    def opening(self) -> A.Meld | None:
        """The legal opening in sets and runs worth most (O1, O4); None if there is none.

        Once the indicator was drawn, it is an opening that can finish, with pairs too (E4).
        """
        if not self._unopened:
            return None
        if self._public.must_finish:
            finishing = finishing_opening(self._public, self._hand)
            return None if finishing is None else A.Meld(finishing)
        found = None
        if melds_reach(self._public, self._hand, self._taken, self.need_points):
            found = best_melds(self._public, self._hand, self._taken)
        if found is None:
            found = whole_hand(self._public, self._hand)
        return None if found is None else A.Meld(found.pieces)

    @lazy
    def opening_pairs(self) -> A.Meld | None:
        """A legal opening with as many pairs as possible (O2, O6); None if there is none."""
        if not self._unopened or self._public.must_finish or self.best_pairs < self.need_pairs:
            return None
        return A.Meld(pick_pairs(self._public, self._hand, self._taken, self.best_pairs))

    @property
    def can_open(self) -> bool:
        """Whether a legal opening exists that meets the threshold."""
        return self.opening is not None or self.opening_pairs is not None

    def actions(self) -> tuple[A.Action, ...]:
        """Every elementary action: single groups and tiles, and the best opening of each kind."""
        if not self._acts:
            return ()
        if self._play:
            return self._playing()
        found: dict[A.Action, bool] = {
            A.DRAW: self.draw, A.TAKE: self.take, A.ANNOUNCE: self.announce, A.PASS: self.pass_,
            A.INDICATOR: self.pass_ and self.indicator,
        }  # fmt: skip
        return tuple(action for action, may in found.items() if may)

    def _playing(self) -> tuple[A.Action, ...]:
        found: list[A.Action] = []
        public = self._public
        if self._taken is not None and self.return_:
            found.append(A.RETURN)
        if self._opened is None:
            if self.announce:
                found.append(A.ANNOUNCE)
            found += [action for action in (self.opening, self.opening_pairs) if action]
        else:
            found += [*self.melds, *self.lays, *self.swaps]
            if public.placed:
                found += [back for back, _ in self.backs]
        if self._may_discard:
            found += [A.DISCARDS[tile] for tile in distinct_bits(self._hand)]
        return tuple(found)

    @property
    def _may_discard(self) -> bool:
        """Whether the duties of the turn allow its end (U2, E4)."""
        if self._public.must_finish and size_of_bits(self._hand) > 1:
            return False
        return self._taken is None or not self._public.taken_waits

    def to_dict(self) -> dict[str, object]:
        """All options as plain data for JSON, actions in their notation."""
        return {
            "draw": self.draw,
            "take": self.take,
            "return": self.return_,
            "announce": self.announce,
            "pass": self.pass_,
            "indicator": self.indicator,
            "opening": {
                "need_points": self.need_points,
                "need_pairs": self.need_pairs,
                "best_points": self.best_points,
                "best_pairs": self.best_pairs,
                "melds": str(self.opening) if self.opening else None,
                "pairs": str(self.opening_pairs) if self.opening_pairs else None,
            },
            "melds": [str(meld) for meld in self.melds],
            "lays": [str(lay) for lay in self.lays],
            "swaps": [str(swap) for swap in self.swaps],
            "backs": [{"action": str(b), "points": points} for b, points in self.backs],
            "discards": [
                {"tile": str(d.tile), "rule": d.rule, "points": d.points} for d in self.discards
            ],
        }


def options_of(deal: DealState, seat: int | None = None) -> Options:
    """The options of a seat, by default of the seat to act.

    >>> from okey101 import Deal
    >>> len(options_of(Deal.start("pagat", seed=7)).discards)
    20
    >>> options_of(Deal.start("pagat", seed=7), seat=3).discards
    ()
    """
    return Options(
        view_of(deal, checked(deal, DealState, "Deal").public.turn if seat is None else seat)
    )


class LegalActions:
    """The legal actions of the seat to act; made by :meth:`okey101.game.deal.Deal.legal_actions`.

    ``in`` asks the judge, so it is exact for every action, as a value or in its notation. Anything
    else, such as a text that is no action, is not in it.

    Iterating yields the elementary actions, each once and in its normal form, as
    :meth:`okey101.game.options.Options.actions` lists them. These are

    - drawing, taking, putting back, announcing, passing and drawing the indicator, if allowed;
    - every discard, fined ones included;
    - after the opening every single group that may be laid, every lay-off, every swap, and every
      number of tiles that may be taken back;
    - the opening with sets and runs that is worth most, and one with as many pairs as possible
      (once the indicator was drawn, one that can finish).

    Some legal actions are not yielded: all other openings, with the fined ones that fall short
    (O5); several groups in one meld; and the same action written differently, such as an okey by
    its own face, or with another colour where it has none yet.

    Nothing is worked out before it is asked for. While the deal runs at least one action is
    yielded, so ``bool`` says whether it runs.

    >>> from okey101 import Deal
    >>> legal = Deal.start("pagat", seed=7).legal_actions()
    >>> bool(legal), "draw" in legal, legal.count() == len(list(legal))
    (True, False, True)
    """

    def __init__(self, deal: DealState) -> None:
        self._deal = deal

    @lazy
    def _actions(self) -> tuple[A.Action, ...]:
        return options_of(self._deal).actions()

    def __iter__(self) -> Iterator[A.Action]:
        return iter(self._actions)

    def __contains__(self, action: object) -> bool:
        if not isinstance(action, str | A.Action):
            return False
        try:
            judge(self._deal, action)
        except (IllegalAction, NotationError):
            return False
        return True

    def __bool__(self) -> bool:
        return self._deal.public.phase is not Phase.OVER

    def count(self) -> int:
        """How many actions iterating yields."""
        return len(self._actions)

    def __repr__(self) -> str:
        return f"<LegalActions of seat {self._deal.public.turn}>"

    def __str__(self) -> str:
        return ", ".join(map(str, self))
