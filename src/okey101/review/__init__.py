"""What a choice costs: positions weighed, and finished deals looked through move by move.

All figures are points as the score sheet has them: low is good. They need the kernel, so Numba and
NumPy (``pip install "okey101[sim]"``): without them the first question raises ModuleNotFoundError,
whose text begins with ``missing-extra``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from okey101._lazy_names import lazy_names

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
__getattr__, __dir__ = lazy_names(globals(), _HOMES)
