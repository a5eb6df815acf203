"""The names of a package whose modules are imported when somebody first asks for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(
    package: dict[str, Any], homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a package, made from its ``globals()``.

    ``homes`` has for each name the module that it lives in, without the package's own name. A name
    that was asked for once is found without them from then on.
    """
    own = package["__name__"]

    def get(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {own!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{own}.{home}"), name)
        package[name] = value
        return value

    def names() -> list[str]:
        return sorted({*package, *package["__all__"]})

    return get, names
