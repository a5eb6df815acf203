"""One deal with all its hidden tiles, as a value that never changes.

:class:`okey101.game.public.Public` holds all that lies open on the table (T2); :class:`Deal` adds
the hands and the stock. :func:`okey101.game.transition.apply` makes the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from okey101 import _pictures
from okey101.game.deal_parts import End, Fine, Opened, Phase, Placed, Result, Score, Setup
from okey101.game.dealing import Layout, deal_from_seed, seed_of
from okey101.game.public import Public, starting
from okey101.game.ruleset import RuleSet
from okey101.tiles import TILES, PackedRack, Rack, Tile, TileCode

if TYPE_CHECKING:
    from okey101.game.actions import Action
    from okey101.game.legal_actions import LegalActions

__all__ = ["Deal", "End", "Fine", "Opened", "Phase", "Placed", "Public", "Result", "Score", "Setup"]


class Deal:
    """One deal with all its hidden tiles; only rules, tests and servers hold one.

    Players, bots and pages get a :class:`okey101.game.view.View` of a seat instead.

    >>> deal = Deal.start("pagat", seed=7)
    >>> deal.turn, str(deal.phase), len(deal.stock)
    (1, 'play', 20)
    >>> deal.apply("discard R4").turn
    2
    """

    __slots__ = ("drawn", "hands", "layout", "public")

    layout: Layout
    """The table as dealt, stock and seed included."""
    public: Public
    hands: tuple[PackedRack, ...]
    """Packed racks by seat; :meth:`rack` gives one as a value."""
    drawn: TileCode | None
    """The code of the tile the seat to act drew this turn."""

    def __init__(
        self,
        layout: Layout,
        public: Public,
        hands: tuple[PackedRack, ...],
        drawn: TileCode | None = None,
    ) -> None:
        set_ = object.__setattr__
        set_(self, "layout", layout)
        set_(self, "public", public)
        set_(self, "hands", hands)
        set_(self, "drawn", drawn)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a deal does not change; apply() makes the next one")

    def __reduce__(self) -> tuple[object, ...]:
        return (Deal, (self.layout, self.public, self.hands, self.drawn))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return (
            self.hands == other.hands
            and self.drawn == other.drawn
            and self.layout == other.layout
            and self.public == other.public
        )

    def __hash__(self) -> int:
        return hash((self.layout, self.hands, self.public))

    def __repr__(self) -> str:
        p = self.public
        return f"<Deal turn={p.turn} phase={p.phase.value} actions={len(p.actions)}>"

    def _repr_svg_(self) -> str | None:
        return _pictures.svg_of(self)

    def _repr_html_(self) -> str | None:
        return _pictures.html_of(self)

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
        or it is laid out beforehand, see :mod:`okey101.game.dealing`. Raises TypeError for neither
        or both of the two, RuleSetError ``unknown-preset``, OkeyError ``bad-seed`` and
        ``bad-seat``.

        >>> Deal.start("pagat", seed=7)
        <Deal turn=1 phase=play actions=0>
        """
        if isinstance(rules, str):
            rules = RuleSet.preset(rules)
        if layout is None:
            if seed is None:
                raise TypeError("a deal starts from a seed or from a layout")
            layout = deal_from_seed(rules, seed_of(seed), 0 if dealer is None else dealer)
        elif seed is not None or dealer is not None:
            raise TypeError("a layout has its seed and its dealer already")
        return cls(layout, starting(rules, layout), layout.hands)

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
        """A seat's hand."""
        return Rack.from_bits(self.hands[seat])

    def legal_actions(self) -> LegalActions:
        """What the seat to act may do: iterable, with ``in``, ``bool`` and ``count()``."""
        from okey101.game.legal_actions import LegalActions

        return LegalActions(self)

    def apply(self, action: Action | str, seat: int | None = None) -> Deal:
        """The next deal, as :func:`okey101.game.transition.apply` makes it; this one stays.

        >>> Deal.start("pagat", seed=7).apply("discard R4").public.actions
        ((1, Discard('R4')),)
        """
        from okey101.game.transition import apply

        return apply(self, action, seat)
