"""How functions of the kernel are compiled, and where what was compiled is kept.

The folder is ``NUMBA_CACHE_DIR`` where that is set, else ``okey101`` in the user's cache folder,
and in it one folder for each state of the kernel's sources: Numba looks at the file of a function
alone, and would run what it compiled from other files long since changed. A folder that can't be
written costs time, never the answer: all is then compiled anew in each process.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeAlias, TypeVar, cast

from okey101.errors import needs
from okey101.kernel import groups, plain

with needs("okey101.kernel", "Numba and NumPy", "sim"):
    import numba
    import numpy as np
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic
    from numpy.typing import NDArray

    from okey101.kernel.inside import COMPILER_LOCK, NOT_COMPILED, dispatcher_of, keep, name_apart

_Function = TypeVar("_Function", bound=Callable[..., object])
Row: TypeAlias = NDArray[np.int64]
"""A row, or any other flat array of 64-bit integers."""
Rows: TypeAlias = NDArray[np.int64]
"""A batch of rows."""
Words: TypeAlias = NDArray[np.uint32]
Cells: TypeAlias = NDArray[np.uint16]
_NARROW: Final = (types.Boolean, types.Integer, types.BooleanLiteral)


@cache
def cache_folder() -> Path | None:
    """The folder for compiled code, made if need be; None where none can be written."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    try:
        base = Path(given) if given else _user_cache() / "okey101"
        folder = base / f"okey101-kernel-{_state_of_sources()}"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except (OSError, RuntimeError):
        return None
    _clear_old(folder)
    return folder


_KEPT: Final = 3
_RECENT: Final = 24 * 3600


def _clear_old(folder: Path) -> None:
    """Remove what other states of the sources left: all but the latest used, and today's.

    Folders of other users stay, and what can't be removed stays too.
    """
    with suppress(OSError):
        mine = folder.lstat().st_uid
        others: list[tuple[float, Path]] = []
        for other in folder.parent.glob("okey101-kernel-*"):
            with suppress(OSError):
                facts = other.lstat()
                if other != folder and stat.S_ISDIR(facts.st_mode) and facts.st_uid == mine:
                    others.append((facts.st_mtime, other))
        others.sort(reverse=True)
        for used, other in others[_KEPT:]:
            if time.time() - used > _RECENT:
                shutil.rmtree(other, ignore_errors=True)


def _user_cache() -> Path:
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME")
    return Path(given) if given else Path.home() / ".cache"


def _state_of_sources() -> str:
    """Of where they lie, too: Numba finds what it compiled by the path of its source."""
    place = Path(__file__).parent
    state = hashlib.sha256(str(place).encode())
    for path in sorted(place.glob("*.py")):
        state.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return state.hexdigest()[:16]


def compiled(function: _Function) -> _Function:
    """Compile a function that Python calls: once, for numbers of 64 bits wherever it says ``int``.

    It runs without Python's lock, so that other threads go on. All its parameters have annotations,
    and truth values are numbers: for a ``bool`` Numba would look for what it has compiled at each
    call, which takes longer than most calls.
    """
    return _made(function, "compiled")


entries: Final[list[tuple[Any, Callable[..., object]]]] = []
"""The functions that Python calls: compiled, and as they are written."""


def compile_entries() -> None:
    """Compile each of :data:`entries` as its annotations say, or read it from the cache."""
    for dispatcher, function in entries:
        dispatcher.compile(_types_of(function))


_to_name: Final[list[tuple[Any, str, tuple[Any, ...]]]] = []
"""Dispatchers of the functions compiled apart that are not named yet, names and types."""
_naming: Final[list[bool]] = []


def _name_those_apart() -> None:
    """Compile the functions that are compiled apart, in their order, and tell the linker.

    Numba would else copy each into all its callers.
    """
    with COMPILER_LOCK:
        if _naming:
            return
        _naming.append(True)
        try:
            while _to_name:
                name_apart(*_to_name[0])
                del _to_name[0]
        finally:
            _naming.clear()


def _made(function: _Function, way: str) -> _Function:
    """The dispatcher of a function, with a cache where one can be written.

    An *inner* function is compiled into all that call it, and kept there; it makes no arrays.
    """
    dispatcher = dispatcher_of(function, way)
    if not NOT_COMPILED:
        if way == "compiled":
            entries.append((dispatcher, function))
        elif way == "apart":
            name = f"{function.__module__}.{function.__qualname__}"
            _to_name.append((dispatcher, name, _types_of(function)))
        _compile_once(dispatcher, function)
        if way != "inner" and (folder := cache_folder()):
            keep(dispatcher, function, str(folder))
    return cast("_Function", dispatcher)


def _compile_once(dispatcher: Any, function: Callable[..., object]) -> None:
    """Let small integers and truth values become numbers of 64 bits before a call is compiled.

    Otherwise each mixture of them would be compiled for itself, and all that it calls again.
    """
    names = list(inspect.signature(function).parameters)
    whole = [function.__annotations__.get(name) in ("int", "bool") for name in names]
    compile_for = dispatcher.compile

    def compile_widened(given: tuple[Any, ...]) -> Any:
        _name_those_apart()
        return compile_for(
            tuple(
                numba.int64 if is_int and isinstance(kind, _NARROW) else kind
                for kind, is_int in zip(given, whole, strict=False)
            )
        )

    dispatcher.compile = compile_widened


_TYPES: Final[Any] = types
_ARGUMENTS: Final = {
    "int": types.int64,
    "bool": types.int64,
    "Row": types.int64[::1],
    "Rows": types.int64[:, ::1],
    "Words": types.uint32[::1],
    "Observation": types.float32[::1],
    "Observations": types.float32[:, ::1],
    "Masks": types.int8[:, ::1],
    "Best": _TYPES.UniTuple(types.int64, 3),
    "Tables": _TYPES.Tuple((types.uint16[:, ::1], types.int64[::1])),
    "Minds": _TYPES.UniTuple(types.int64[::1], 4),
    "Seen": _TYPES.Tuple(
        (*[types.int64[::1]] * 3, types.int64[:, ::1], types.int64, types.int64, types.int64)
    ),
}


def _types_of(function: Callable[..., object]) -> tuple[Any, ...]:
    """The types of a function's parameters, as it is compiled."""
    names = inspect.signature(function).parameters
    return tuple(_ARGUMENTS[function.__annotations__[name]] for name in names)


def apart(function: _Function) -> _Function:
    """Compile an inner function for itself: its callers call it by name and hold no copy of it.

    Numba links all that a function calls into it and optimises it together, and so again on
    every floor above. What is large and called from many places is compiled once this way. The
    names have to be known before any code that calls them is read from the cache, so that all
    functions of this kind are compiled, or read, before any other.
    """
    return _made(function, "apart")


def stand_for(function: Callable[..., object], dispatcher: Any) -> None:
    """Let compiled code that names a plain function call a compiled one."""
    if not NOT_COMPILED:
        # Numba asks a value for its type, which holds the compiled function but weakly.
        vars(function).update(_numba_type_=dispatcher._numba_type_, compiled=dispatcher)


def adopt(name: str) -> None:
    """Compile the functions of a module as they are marked, those without a mark as inner ones.

    Compiled code then takes each for the compiled one, and Python for the plain one.
    """
    for function in list(vars(sys.modules[name]).values()):
        if isinstance(function, FunctionType) and function.__module__ == name:
            stand_for(function, _made(function, plain.marks.get(function, "inner")))


def made_of(function: _Function) -> _Function:
    """What a marked function that Python calls was compiled to."""
    return cast("_Function", vars(function).get("compiled", function))


def _bits(instruction: Callable[[Any, Any], object]) -> Any:
    """A function of 64 bits that is one instruction."""

    def typed(_context: object, bits: object) -> object:
        def generate(_c: object, builder: Any, _s: object, args: Any) -> object:
            return instruction(builder, args[0])

        return numba.int64(numba.int64), generate

    return intrinsic(typed)


_ctpop = _bits(lambda builder, bits: builder.ctpop(bits))
_cttz = _bits(lambda builder, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 0)))


def _popcount(bits: int) -> int:
    return _ctpop(np.int64(bits))  # type: ignore[no-any-return]


def _first_bit(bits: int) -> int:
    return _cttz(np.int64(bits))  # type: ignore[no-any-return]


def _each(bits: int) -> Iterator[int]:
    while bits:
        yield plain.first_bit(bits)
        bits &= bits - 1


for _name, _compiled in (("popcount", _popcount), ("first_bit", _first_bit), ("each", _each)):
    stand_for(getattr(plain, _name), _made(_compiled, "inner"))
adopt(groups.__name__)
