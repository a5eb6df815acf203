"""The game on flat integer arrays, compiled: for those who play deals by the hundred thousand.

It needs Numba and NumPy (``pip install "okey101[sim]"``): without them each name here raises
ModuleNotFoundError, whose text begins with ``missing-extra``. What it plays is what
:mod:`okey101.game` plays, action for action and point for point; the game is the authority, and
this is its twin. The first use compiles for a minute, once a machine, and logs that it does;
:func:`warm` does it in the background, ``okey101 warm`` beforehand.

>>> from okey101.kernel import KernelDeal, play_random  # doctest: +SKIP
>>> played = play_random("pagat", deals=1000, seed=7)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from okey101.kernel.deals import KernelBatch, KernelDeal, PlayedDeals, play_bots, play_random
    from okey101.kernel.warming import is_cached, is_warm, warm

__all__ = [
    "KernelBatch", "KernelDeal", "PlayedDeals", "is_cached", "is_warm", "play_bots", "play_random",
    "warm",
]  # fmt: skip

_WARMING = ("is_cached", "is_warm", "warm")


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warming = import_module(f"{__name__}.warming")
    home = warming if name in _WARMING else import_module(f"{__name__}.deals")
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
