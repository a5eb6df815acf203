"""What the seat to act may do, as a view of the deal: to iterate, to count, to ask with ``in``."""

from __future__ import annotations

from collections.abc import Iterator

from okey101.game.actions import Action
from okey101.game.deal import Deal
from okey101.game.legality import is_legal
from okey101.game.options import options_of

__all__ = ["LegalActions"]


class LegalActions:
    """The legal actions of the seat to act; made by :meth:`okey101.game.deal.Deal.legal_actions`.

    ``in`` asks the judge, so it is exact for every action, given as a value or in its notation;
    anything else, a text that is no action included, is not in.

    Iterating yields the elementary actions, each once and in its normal form, as
    :meth:`okey101.game.options.Options.actions` lists them: drawing, taking, putting back,
    announcing, passing and drawing the indicator where they are allowed; every discard, fined ones
    included; after opening every single group that may be laid, every lay-off, every swap and every
    number of tiles that may be taken back; and of the openings the one with sets and runs that is
    worth most and one with as many pairs as can be (after the indicator was drawn one that can
    finish). Legal, but not yielded, are all other openings, the fined ones that fall short (O5)
    among them, several groups in one meld, and the same action written differently: an okey by its
    own face, or with another colour named where it has none yet.

    Nothing is worked out before it is asked for. While the deal runs something is always yielded,
    so ``bool`` says whether it runs.

    >>> from okey101.game.deal import Deal
    >>> legal = Deal.start("pagat", seed=7).legal_actions()
    >>> bool(legal), "draw" in legal, legal.count() == len(list(legal))
    (True, False, True)
    """

    __slots__ = ("_deal", "_listed")

    def __init__(self, deal: Deal) -> None:
        self._deal = deal
        self._listed: tuple[Action, ...] | None = None

    def _actions(self) -> tuple[Action, ...]:
        if self._listed is None:
            self._listed = options_of(self._deal).actions()
        return self._listed

    def __iter__(self) -> Iterator[Action]:
        return iter(self._actions())

    def __contains__(self, action: object) -> bool:
        return isinstance(action, str | Action) and is_legal(self._deal, action)

    def __bool__(self) -> bool:
        return not self._deal.over

    def count(self) -> int:
        """How many actions iterating yields."""
        return len(self._actions())

    def __repr__(self) -> str:
        return f"<LegalActions: {', '.join(map(str, self)) or 'none'}>"
