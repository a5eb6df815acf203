"""The game on flat integer arrays, compiled: for those who play deals by the hundred thousand.

It needs Numba and NumPy (``pip install "okey101[sim]"``): without them importing it raises
ModuleNotFoundError, whose text begins with ``missing-extra``. What it plays is what
:mod:`okey101.game` plays, action for action and point for point; the game is the authority, and
this is its twin. The first use compiles for a minute, once a machine; :func:`warm` does that
in the background.

>>> from okey101.kernel import KernelDeal, play_random  # doctest: +SKIP
>>> played = play_random("pagat", deals=1000, seed=7)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from okey101._lazy_names import lazy_names

for _name in ("numba", "numpy"):
    if find_spec(_name) is None:
        raise ModuleNotFoundError(
            "missing-extra: okey101.kernel needs Numba and NumPy; pip install 'okey101[sim]'",
            name=_name,
        )

if TYPE_CHECKING:
    from okey101.kernel.batches import (
        KernelBatch,
        PlayedDeals,
        play_greedy,
        play_master,
        play_neural,
        play_random,
    )
    from okey101.kernel.one_deal import KernelDeal
    from okey101.kernel.warming import is_warm, warm

__all__ = [
    "KernelBatch",
    "KernelDeal",
    "PlayedDeals",
    "is_warm",
    "play_greedy",
    "play_master",
    "play_neural",
    "play_random",
    "warm",
]

_HOMES = {
    "KernelBatch": "batches",
    "KernelDeal": "one_deal",
    "PlayedDeals": "batches",
    "is_warm": "warming",
    "play_greedy": "batches",
    "play_master": "batches",
    "play_neural": "batches",
    "play_random": "batches",
    "warm": "warming",
}
__getattr__, __dir__ = lazy_names(globals(), _HOMES)
