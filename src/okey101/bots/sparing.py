"""When a team does better not to finish: the partner would pay more than the finish brings (C1).

Where a deal that nobody finishes is void (E3), a plain finish is worth 101 points to the team, and
costs it 202 where the partner has not opened. Opponents who have not opened would pay as much;
where both have, the deal goes on, until the partner opens or the stock is used up.
"""

from __future__ import annotations

from okey101.game.deal import Public

__all__ = ["spares_partner"]


def spares_partner(public: Public) -> bool:
    """Whether the acting seat had better not finish, if it could (G1, E3, X9)."""
    rules, opened, seat = public.rules, public.opened, public.turn
    if not rules.teams or rules.empty_stock != "void_but_okeys" or rules.partner_waived:
        return False
    if public.must_finish or opened[seat ^ 2] is not None:
        return False
    return opened[seat ^ 1] is not None and opened[seat ^ 3] is not None
