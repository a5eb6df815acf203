"""Names that a package imports when they are first asked for."""

from __future__ import annotations

from types import ModuleType

import pytest

from okey101._lazy_names import lazy_names


def package() -> ModuleType:
    """A package with two names, each in a module of its own."""
    made = ModuleType("okey101")
    made.__dict__["__all__"] = ["Tile", "Group"]
    found = lazy_names(made.__dict__, {"Tile": "tiles", "Group": "melds", "Lost": "tiles"})
    made.__dict__["__getattr__"], made.__dict__["__dir__"] = found
    return made


def test_a_name_is_imported_once_and_then_there() -> None:
    from okey101.tiles import Tile

    made = package()
    assert "Tile" not in vars(made)
    assert made.Tile is Tile
    assert vars(made)["Tile"] is Tile
    assert "Group" in dir(made)
    assert "Group" not in vars(made)


def test_no_other_name_is_there() -> None:
    made = package()
    with pytest.raises(AttributeError, match="module 'okey101' has no attribute 'nothing'"):
        _ = made.nothing
    with pytest.raises(AttributeError):
        _ = made.Lost
    assert not hasattr(made, "__path__")
