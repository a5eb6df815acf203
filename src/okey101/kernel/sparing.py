"""When a team does better not to finish: the twin of :mod:`okey101.bots.sparing`."""

# pyright: reportArgumentType=false

from __future__ import annotations

from okey101.kernel.compiling import Row, inner
from okey101.kernel.layout import (
    MUST_FINISH,
    OPENED,
    R_EMPTY_STOCK,
    R_PARTNER_WAIVED,
    R_TEAMS,
    TURN,
)

__all__ = ["spares_partner"]


@inner
def spares_partner(rules: Row, row: Row) -> bool:
    """Whether the seat to act had better not finish, if it could."""
    if not rules[R_TEAMS] or rules[R_EMPTY_STOCK] or rules[R_PARTNER_WAIVED] or row[MUST_FINISH]:
        return False
    seat = row[TURN]
    if row[OPENED + (seat ^ 2)]:
        return False
    return row[OPENED + (seat ^ 1)] != 0 and row[OPENED + (seat ^ 3)] != 0  # type: ignore[no-any-return]
