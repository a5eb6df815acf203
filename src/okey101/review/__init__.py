"""What a choice costs: analyse a position, or review finished deals move by move.

All figures are points as on the score sheet: low is good. They need the kernel, and so Numba and
NumPy (``pip install "okey101[sim]"``). Without them the first question raises ModuleNotFoundError,
whose text begins with ``missing-extra``.
"""

from okey101.review.analysis import Analysis, Weighed, analyse
from okey101.review.balance import Balance, Spread
from okey101.review.deals import DealReview, Decision
from okey101.review.matches import MatchReview, review_deal, review_match

__all__ = [
    "Analysis", "Balance", "DealReview", "Decision", "MatchReview", "Spread", "Weighed", "analyse",
    "review_deal", "review_match",
]  # fmt: skip
