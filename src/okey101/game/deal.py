"""One deal with all its hidden tiles, as a value that never changes.

:class:`okey101.game.public.Public` holds all that lies open on the table (T2); :class:`Deal` adds
the hands and the stock. :func:`okey101.game.transition.apply` makes the next one.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from okey101.errors import OkeyError, RuleSetError, checked, exactly
from okey101.game.actions import Action
from okey101.game.deal_parts import Phase, Result
from okey101.game.dealing import Layout, deal_from_seed, indicator_of, starter_of
from okey101.game.legality import Ruling, judge
from okey101.game.options import LegalActions
from okey101.game.public import DealState, Public, starting, table_text
from okey101.game.ruleset import RuleSet, checked_seat, rules_of
from okey101.game.transition import apply
from okey101.tiles import (
    TILES,
    PackedRack,
    Rack,
    Tile,
    TileCode,
    code_of,
    html_of,
    packed_rack,
    svg_of,
)


class Deal(DealState):
    """One deal with all its hidden tiles, for rules, tests and servers.

    Players, bots and pages get a :class:`okey101.game.view.View` of a seat instead.

    >>> deal = Deal.start("pagat", seed=7)
    >>> deal.turn, str(deal.phase), len(deal.stock)
    (1, 'play', 20)
    >>> deal.apply("discard R4").turn
    2
    """

    __slots__ = ()

    def __repr__(self) -> str:
        p = self.public
        return f"<Deal turn={p.turn} phase={p.phase.value} actions={len(p.actions)}>"

    def __str__(self) -> str:
        return self.text()

    def text(self, *, secrets: bool = False) -> str:
        """What lies open, in notation: see :func:`okey101.game.public.table_text`.

        ``str(deal)`` is the same. ``secrets`` adds the hands and the stock.

        >>> print(Deal.start("pagat", seed=7))
        B9 B10 20 play
         0 21
        >1 22
         2 21
         3 21
        """
        hands = dict(enumerate(self.hands)) if secrets else {}
        return table_text(self.public, hands, self.stock if secrets else ())

    _repr_svg_ = svg_of
    _repr_html_ = html_of

    @classmethod
    def start(
        cls,
        rules: RuleSet | str,
        layout: Layout | None = None,
        *,
        seed: bytes | int | str | None = None,
        dealer: int | None = None,
    ) -> Deal:
        """The deal before its first action: the starter to play without a draw (D5).

        ``rules`` is a rule set or the name of a preset. The table is dealt from a seed, 32 bytes or
        anything that :func:`okey101.game.dealing.seed_of` reads, with the dealer in that seat
        (default 0);
        or it is laid out beforehand, see :mod:`okey101.game.dealing`. OkeyError ``no-deal`` if you
        give neither, ``two-layouts`` if you give both, ``bad-seed`` and ``bad-seat``,
        ``wrong-count`` for a layout of another number of seats, ``bad-indicator`` and RuleSetError
        ``bad-value`` for one that other rules made; RuleSetError ``unknown-preset``.

        >>> Deal.start("pagat", seed=7)
        <Deal turn=1 phase=play actions=0>
        """
        rules = rules_of(rules)
        if layout is None:
            if seed is None:
                raise OkeyError("no-deal", "a deal needs a seed, such as seed=7, or a layout")
            layout = deal_from_seed(rules, seed, 0 if dealer is None else dealer)
        elif seed is not None or dealer is not None:
            raise OkeyError("two-layouts", "a layout has its seed and its dealer already")
        exactly(rules.players, checked(layout, Layout).hands, "hands")
        indicator_of(rules, layout.indicator)
        if layout.starter != starter_of(rules, layout.dealer):
            message = "the layout was made by other rules: another seat starts (D4)"
            raise RuleSetError("bad-value", message, ("starter",), allowed="that of the layout")
        return cls(layout, starting(rules, layout), layout.hands)

    @classmethod
    def amid(
        cls,
        public: Public,
        hands: tuple[PackedRack, ...],
        stock: tuple[TileCode, ...],
        drawn: TileCode | None = None,
    ) -> Deal:
        """A running deal from its open side, as if these hands and this stock had been dealt.

        ``hands`` are packed racks, ``stock`` and ``drawn`` codes of tiles. OkeyError ``wrong-type``
        and ``wrong-count``, ``not-a-rack``, NotationError ``bad-tile``.
        """
        exactly(checked(public, Public).players, hands, "hands")
        stock = tuple(map(code_of, checked(stock, Iterable, "list")))
        hands = tuple(map(packed_rack, hands))
        drawn = None if drawn is None else code_of(drawn)
        _, dealer, starter, indicator, okey, dice = public.setup
        layout = Layout(dealer, starter, indicator, okey, hands, stock, dice)
        return cls(layout, public, hands, drawn)

    @property
    def rules(self) -> RuleSet:
        """The rule set the deal is played by."""
        return self.public.setup.rules

    @property
    def turn(self) -> int:
        """The seat to act."""
        return self.public.turn

    @property
    def phase(self) -> Phase:
        """What that seat has to do."""
        return self.public.phase

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.public.phase is Phase.OVER

    @property
    def result(self) -> Result | None:
        """The end of the deal, None while it runs."""
        return self.public.result

    @property
    def stock(self) -> tuple[Tile, ...]:
        """The tiles still to be drawn, next one first."""
        stock = self.layout.stock
        return tuple(TILES[tile] for tile in stock[len(stock) - self.public.stock_count :])

    def rack(self, seat: int) -> Rack:
        """A seat's hand; OkeyError ``bad-seat``."""
        return Rack.from_bits(self.hands[checked_seat(seat, len(self.hands))])

    def legal_actions(self) -> LegalActions:
        """What the seat to act may do: iterable, with ``in``, ``bool`` and ``count()``."""
        return LegalActions(self)

    def judge(self, action: Action | str, seat: int | None = None) -> Ruling:
        """Check an action of the seat to act; IllegalAction, with a code and a rule id, refuses it.

        With ``seat`` given, ``not-your-turn`` refuses anybody else. An action may be given in its
        notation, the acting seat before it or not (``1: draw``); NotationError if it can't be read.
        Nothing is played.

        >>> Deal.start("pagat", seed=7).judge("discard r4")
        Ruling(action=Discard('R4'), groups=(), short=False, fine=None)
        """
        return judge(self, action, seat)

    def apply(self, action: Action | str, seat: int | None = None) -> Deal:
        """The deal after an action (:func:`okey101.game.transition.apply`); this one is unchanged.

        >>> Deal.start("pagat", seed=7).apply("discard R4").public.actions
        ((1, Discard('R4')),)
        """
        return apply(self, action, seat)

    def steps(self) -> list[Deal]:
        """The deal from its first position to this one.

        Itself alone where that isn't known, as of a position that was read or a deal made amid.

        >>> [deal.turn for deal in Deal.start("pagat", seed=7).apply("discard R4").steps()]
        [1, 2]
        """
        steps: list[Deal] = []
        with suppress(OkeyError):
            steps.append(Deal.start(self.rules, self.layout))
            for seat, action in self.public.actions:
                steps.append(steps[-1].apply(action, seat))
        return steps if steps[-1:] == [self] else [self]
