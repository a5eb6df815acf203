"""Okey 101 for training: environments of PettingZoo, Gymnasium and OpenSpiel.

They need ``pip install "okey101[envs]"``, the game for OpenSpiel ``okey101[openspiel]``; without
them importing raises ModuleNotFoundError, whose text begins with ``missing-extra``. An episode is
a deal; the reward is minus its points, in teams the team's, and comes at its end.

- :mod:`okey101.envs.pettingzoo`: all seats, one after the other (AEC)
- :mod:`okey101.envs.gymnasium`: one seat against bots, ``okey101-v0``
- :mod:`okey101.envs.vector`: many deals at once on the compiled kernel
- :mod:`okey101.envs.openspiel`: the game ``python_okey101``
- :mod:`okey101.envs.actions` and :mod:`okey101.envs.observations`: what the numbers mean
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from okey101.errors import needs

with needs("okey101.envs", "NumPy and Numba", "envs"):
    for _name in ("numba", "numpy"):
        if find_spec(_name) is None:
            raise ModuleNotFoundError(name=_name)

if TYPE_CHECKING:
    from okey101.envs.gymnasium import OkeyEnv
    from okey101.envs.pettingzoo import OkeyAEC
    from okey101.envs.vector import OkeyVectorEnv

__all__ = ["OkeyAEC", "OkeyEnv", "OkeyVectorEnv"]

_HOMES = {"OkeyAEC": "pettingzoo", "OkeyEnv": "gymnasium", "OkeyVectorEnv": "vector"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
