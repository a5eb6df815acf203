"""The game on flat integer arrays, compiled: for those who play deals by the hundred thousand.

It needs Numba and NumPy (``pip install "okey101[sim]"``): without them importing it raises
ModuleNotFoundError, whose text begins with ``missing-extra``. What it plays is what
:mod:`okey101.game` plays, action for action and point for point; the game is the authority, and
this is its twin.
"""

from __future__ import annotations

from importlib.util import find_spec

for _name in ("numba", "numpy"):
    if find_spec(_name) is None:
        raise ModuleNotFoundError(
            "missing-extra: okey101.kernel needs Numba and NumPy; pip install 'okey101[sim]'",
            name=_name,
        )

__all__: list[str] = []
