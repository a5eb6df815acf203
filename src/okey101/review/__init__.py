"""What a choice costs: positions weighed, and finished deals looked through move by move.

All figures are points as the score sheet has them: low is good. They need the kernel, so Numba and
NumPy (``pip install "okey101[sim]"``): without them the first question raises ModuleNotFoundError,
whose text begins with ``missing-extra``.
"""

from okey101.review.analysis import Analysis, Weighed, analyse
from okey101.review.balance import Balance, Spread
from okey101.review.deals import DealReview, Decision
from okey101.review.matches import MatchReview, review_deal, review_match

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
