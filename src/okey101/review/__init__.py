"""What a choice costs: positions weighed, and finished deals looked through move by move.

All figures are points as the score sheet has them: low is good. They need the kernel, so Numba and
NumPy (``pip install "okey101[sim]"``): without them the first question raises ModuleNotFoundError,
whose text begins with ``missing-extra``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from okey101.review.analysis import Analysis, Weighed, analyse
    from okey101.review.balance import Balance
    from okey101.review.deals import DealReview, Decision, review_deal
    from okey101.review.matches import MatchReview, review_match
    from okey101.review.spread import Spread

_HOMES = {
    "Analysis": "analysis",
    "Balance": "balance",
    "DealReview": "deals",
    "Decision": "deals",
    "MatchReview": "matches",
    "Spread": "spread",
    "Weighed": "analysis",
    "analyse": "analysis",
    "review_deal": "deals",
    "review_match": "matches",
}
__all__ = [
    "Analysis",
    "Balance",
    "DealReview",
    "Decision",
    "MatchReview",
    "Spread",
    "Weighed",
    "analyse",
    "review_deal",
    "review_match",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
