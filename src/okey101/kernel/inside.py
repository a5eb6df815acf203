"""What the kernel uses of Numba's inner parts; no other file knows any.

None of it is promised by Numba, so the extra ``sim`` ends below the first minor version that the
tests have not run with.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pickle import PickleError
from threading import Lock
from typing import Any, Final

import numba
from llvmlite import binding
from numba import config, types
from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock

_CONFIG: Final[Any] = config
NOT_COMPILED: Final = bool(_CONFIG.DISABLE_JIT)
"""For debugging: with NUMBA_DISABLE_JIT=1 the kernel runs as plain Python."""
COMPILER_LOCK: Final[Any] = global_compiler_lock
_BROKEN: Final = (OSError, EOFError, ValueError, PickleError)


class _PatientCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache, for which a file that can't be read or written is no error."""

    def load_overload(self, sig: object, target_context: object) -> Any:
        with suppress(*_BROKEN):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: object, data: object) -> None:
        with suppress(*_BROKEN):
            super().save_overload(sig, data)


_setting: Final = Lock()
"""Held while Numba's own folder is another one: modules of the kernel load in several threads."""


def keep(dispatcher: Any, function: Callable[..., object], folder: str) -> None:
    """Give the dispatcher of a function a cache in a folder, where it can be written."""
    with _setting, suppress(OSError, RuntimeError):
        before = _CONFIG.CACHE_DIR
        _CONFIG.CACHE_DIR = folder
        try:
            dispatcher._cache = _PatientCache(function)
        finally:
            _CONFIG.CACHE_DIR = before


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """Code that is copied into what calls it, and optimised and made machine code there alone."""

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, env: object) -> None:
        """Nothing has to be known of Python where nothing is called from it."""

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


_IDLE: Final = {"InlineClosureLikes", "InlineOverloads", "NopythonRewrites"}
"""Passes of Numba's compiler that find nothing to do in the kernel, which takes them a while."""
_resolve: Final = types.BaseFunction.get_call_type
_resolved: Final = cache(lambda self, context, *args: _resolve(self, context, args, {}))


def _resolve_once(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """What Numba finds for an operator on numbers; it would try all that it knows at each place."""
    plain = types.Number, types.Boolean, types.Array
    if kws or not all(isinstance(kind, plain) for kind in args):
        return _resolve(self, context, args, kws)
    return _resolved(self, context, *args)


class _Compiler(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> list[Any]:
        (steps,) = super().define_pipelines()
        steps.passes = [step for step in steps.passes if step[0].__name__ not in _IDLE]
        return [steps]

    def compile_extra(self, func: Callable[..., object]) -> Any:
        """Numba's lock is held, so nothing but the kernel is compiled meanwhile."""
        before = types.BaseFunction.get_call_type
        types.BaseFunction.get_call_type = _resolve_once
        try:
            return super().compile_extra(func)
        finally:
            types.BaseFunction.get_call_type = before


class _PartCompiler(_Compiler):
    def __init__(self, typing: Any, target: Any, library: Any, *given: Any) -> None:
        super().__init__(typing, target, library or _Part(target.codegen(), "part"), *given)


def dispatcher_of(function: Callable[..., object], way: str) -> Any:
    """What compiles a function in one of the three ways of :mod:`okey101.kernel.compiling`.

    Where compiled code alone calls it no references are counted, and no way in from Python is
    built, which takes half of the time to compile: there it raises TypeError.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    options["pipeline_class"] = _PartCompiler if way == "inner" else _Compiler
    if way != "compiled":
        options |= {"_nrt": False, "no_cpython_wrapper": True}
    dispatcher: Any = numba.njit(**options)(function)
    if way == "compiled" or NOT_COMPILED:
        return dispatcher

    def refuse(*_: object, **__: object) -> None:
        raise TypeError(f"{function.__qualname__} is called from compiled code alone")

    overloads: dict[object, object] = dispatcher.overloads
    dispatcher.add_overload = lambda found: overloads.update({tuple(found.signature.args): found})
    dispatcher._compile_for_args = refuse
    return dispatcher


def name_apart(dispatcher: Any, name: str, arguments: tuple[Any, ...]) -> None:
    """Compile a function for itself, and let compiled code call it by a name."""
    entry_point = dispatcher.compile(arguments)
    found = dispatcher.overloads[arguments]
    named = copy.copy(found.fndesc)
    named.mangled_name = name
    binding.add_symbol(name, found.library.get_pointer_to_function(found.fndesc.llvm_func_name))
    dispatcher.targetctx.remove_user_function(entry_point)
    dispatcher.targetctx.insert_user_function(entry_point, named)
