"""Options, sizes and Hypothesis profiles that all tests share."""

import asyncio
import gc
import inspect
import math
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, suppress
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn, ParamSpec, Protocol, TypeAlias, TypeVar

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

from okey101.errors import OkeyError
from okey101.game import PRESETS
from postgres import Postgres, binaries, running
from processor import Processor

_SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "default", max_examples=25, deadline=None, suppress_health_check=_SLOW_IS_FINE
)
settings.register_profile(
    "ci", settings.get_profile("default"), derandomize=True, database=None, print_blob=True
)
settings.register_profile("long", settings.get_profile("default"), max_examples=2_000)

T = TypeVar("T")
P = ParamSpec("P")
Collectors: TypeAlias = list[pytest.Collector]
Patch: TypeAlias = pytest.MonkeyPatch


class Size(Protocol):
    """How many cases a test runs: the first number, or ``long`` under ``--long``."""

    def __call__(self, short: int, *, long: int) -> int: ...


def missing(words: str) -> NoReturn:
    """Skip a test that needs what this machine lacks, aloud; where CI is set it fails."""
    if os.environ.get("CI"):
        pytest.fail(words)
    pytest.skip(words)


def aside(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What a function gives in a thread of its own: this one may have a loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work, *given, **named).result()


def unwrap(value: T | None) -> T:
    """What is there; a test that finds nothing has failed."""
    assert value is not None
    return value


def strangeness(got: Counter[T], chances: Mapping[T, float]) -> float:
    """How far draws are from their chances, in standard deviations above what is to be expected.

    It is Pearson's chi-squared; what few draws are due to is taken together.
    """
    draws = got.total()
    assert not got.keys() - chances.keys()
    rare = {one for one, chance in chances.items() if chance * draws < 5}
    cells = [(got[one], chance * draws) for one, chance in chances.items() if one not in rare]
    if rare:
        cells.append((sum(got[o] for o in rare), draws * math.fsum(chances[o] for o in rare)))
    freedom = len(cells) - 1
    chi = math.fsum((seen - due) ** 2 / due for seen, due in cells)
    return (chi - freedom) / math.sqrt(2 * freedom)


async def soon(found: Callable[[], Any], seconds: float = 60) -> None:
    """Wait until something is so that nobody tells, or is once it is awaited; TimeoutError."""
    async with asyncio.timeout(seconds):
        while not (await so if inspect.isawaitable(so := found()) else so):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


@contextmanager
def raises_code(
    code: str, kind: type[Exception] = OkeyError, *, match: str | None = None, **fields: object
) -> Iterator[pytest.ExceptionInfo[Any]]:
    """What is done here fails with an error of this code, and with these of its fields."""
    with pytest.raises(kind, match=match) as caught:
        yield caught
    found = {name: getattr(caught.value, name) for name in fields}
    assert (caught.value.code, found) == (code, fields)  # type: ignore[attr-defined]


@contextmanager
def answering(said: bytes, drip: bytes = b"") -> Iterator[str]:
    """The address where this is said to whoever comes first, and then drips until it is left."""
    left = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with listening.accept()[0] as line, suppress(OSError):
                line.recv(65_536)
                line.sendall(said)
                while drip and not left.wait(0.01):
                    line.sendall(drip)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        left.set()
        thread.join()


def ran(*words: object, ends: int = 0, **given: Any) -> subprocess.CompletedProcess[str]:
    """A program that has run to its end, which was this one."""
    command = [str(word) for word in words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **given)
    assert done.returncode == ends, done.stdout + done.stderr
    return done


def ran_python(
    *words: object, env: Mapping[str, str] | None = None, **given: Any
) -> subprocess.CompletedProcess[str]:
    """Python that has run these words, with more in its environment."""
    return ran(sys.executable, *words, env=os.environ | (env or {}), **given)


_WITHOUT = """
import sys
sys.modules["{}"] = None
try:
    {}
except ModuleNotFoundError as error:
    print(error.name, error)
"""


def without(module: str, asks: str) -> str:
    """What is said where a module is not installed: its name, and which extra brings it."""
    return ran_python("-c", _WITHOUT.format(module, asks)).stdout


def script(path: Path) -> ModuleType:
    """A module of a folder that is no package."""
    spec = unwrap(spec_from_file_location(path.stem, path))
    module = sys.modules[path.stem] = module_from_spec(spec)
    unwrap(spec.loader).exec_module(module)
    return module


def every_other(ones: Iterable[Any], others: Iterable[Any]) -> list[Any]:
    """All pairs as parameters, every other one of them for the long form alone."""
    pairs = [(x + y, a, b) for x, a in enumerate(ones) for y, b in enumerate(others)]
    return [pytest.param(a, b, marks=() if n % 2 else pytest.mark.long) for n, a, b in pairs]


def only_long(*cases: Any) -> list[Any]:
    """Parameters for the long form alone; a list is a case of several values."""
    rows = [case if isinstance(case, list) else [case] for case in cases]
    return [pytest.param(*row, marks=pytest.mark.long) for row in rows]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run the tests marked long, and all in full size"
    )
    parser.addoption(
        "--nodes", type=int, default=1,
        help="show the page by so many nodes, behind a proxy that remembers nobody",
    )  # fmt: skip
    parser.addoption(
        "--fonts",
        choices=("dejavu", "desktop"),
        help="show the page in DejaVu alone, or in the machine's other fonts alone",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Processor(config))
    for name in ("OKEY101_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "FORCE_COLOR"):
        os.environ.pop(name, None)  # the machine's language and colours stay out of the tests
    if not config.getoption("--long", default=False):
        # The kernel's functions run as they are written: to compile them takes minutes.
        os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Begun in the background of a shell: children would inherit that, and Ctrl-C is tested.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # begun by nohup
    if config.getoption("--hypothesis-profile", default=None):
        return
    long = config.getoption("--long")
    settings.load_profile("long" if long else "ci" if os.environ.get("CI") else "default")


_COROUTINE_S: Final = 300.0
"""How long a test that is a coroutine may take; one that waits for ever fails."""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine in an event loop of its own.

    What a fixture gives it as an asynchronous context is entered there, and left at its end.
    """
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(test).parameters}
    limit_s = None if pyfuncitem.config.getoption("--long") else _COROUTINE_S
    asyncio.run(_lived(test, given, limit_s))
    return True


async def _lived(
    test: Callable[..., Coroutine[Any, Any, None]], given: dict[str, Any], limit_s: float | None
) -> None:
    async with asyncio.timeout(limit_s), AsyncExitStack() as left_at_the_end:
        for name, one in given.items():
            if isinstance(one, AbstractAsyncContextManager):
                given[name] = await left_at_the_end.enter_async_context(one)
        await test(**given)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Two more than there are cores: much of the time tests wait, for servers and browsers."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (cores or 1) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, Collectors, Collectors]:
    """Look through a module of tests for examples only where there are some."""
    found = yield
    if b">>>" in file_path.read_bytes():
        return found
    return [one for one in found if not isinstance(one, DoctestModule)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Ten thousand tests stay to the end: the collector of garbage need not look at them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="long: make test-long")
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(skip)


@pytest.fixture(params=PRESETS)
def preset(request: pytest.FixtureRequest) -> str:
    """The names of the rule sets in turn: a test that takes one holds for each of them."""
    return str(request.param)


@pytest.fixture(scope="session")
def programs() -> Path:
    """The folder of PostgreSQL's programs."""
    return binaries() or missing("PostgreSQL is missing: its tests are skipped")


@pytest.fixture(scope="session")
def postgres(programs: Path) -> Iterator[Postgres]:
    """PostgreSQL, for all tests of a process; each makes a database of its own."""
    with running(programs) as one:
        yield one


@pytest.fixture(scope="session")
def size(request: pytest.FixtureRequest) -> Size:
    """Pick the number of cases: ``size(200, long=10_000)``."""
    full = bool(request.config.getoption("--long"))

    def pick(short: int, *, long: int) -> int:
        return long if full else short

    return pick
