"""Running the command line inside the test, or as a process of its own."""

import asyncio
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeAlias

import pytest

from conftest import Patch, aside
from okey101.cli import main
from okey101.game import Record
from okey101.i18n import LANGUAGES, Texts, load
from okey101.server.files.data_dir import Folder
from server.accounts.people import with_accounts

SRC = Path(__file__).resolve().parents[2] / "src"


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        assert self.out.count("\n") == 1
        data: dict[str, Any] = json.loads(self.out)
        assert isinstance(data["ok"], bool)
        return data

    @property
    def error(self) -> dict[str, Any]:
        assert self.json["ok"] is False
        assert self.err == ""
        error: dict[str, Any] = self.json["error"]
        assert error["code"]
        assert error["message"]
        return error

    @property
    def refusal(self) -> tuple[int, str]:
        """The exit code of a failure, and the code of its error."""
        return self.code, self.error["code"]


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: Patch) -> Run:
    """Run a command in this process, which reads ``stdin``, with variables in its environment."""

    def run_here(*arguments: str, stdin: bytes = b"", **environ: str) -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        with monkeypatch.context() as now:
            for name, value in environ.items():
                now.setenv(name, value)
            if asyncio._get_running_loop() is None:
                return Ran(main(arguments), *capsys.readouterr())
            return Ran(aside(main, arguments), *capsys.readouterr())  # it may have its own

    return run_here


PYTHON = [sys.executable, "-m", "okey101"]
Pipes: TypeAlias = tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes], IO[bytes]]


def surroundings(**more: str) -> dict[str, str]:
    """The environment of a command as a process, with further variables."""
    return os.environ | {"PYTHONPATH": str(SRC), "PYTHONIOENCODING": "utf-8"} | more


@contextmanager
def started(*words: str, **environ: str) -> Iterator[Pipes]:
    pipe = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    env = surroundings(**environ)
    with subprocess.Popen([*PYTHON, *words], env=env, **pipe) as process:  # type: ignore[call-overload]
        yield process, process.stdin, process.stdout, process.stderr


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: Patch) -> Path:
    """Where matches are saved and logs remembered: in a folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def spawn() -> Run:
    """Run a command as a process to its end, with further variables in its environment."""

    def run_there(*arguments: str, **environ: str) -> Ran:
        with started(*arguments, **environ) as (process, *_):
            out, err = process.communicate(timeout=60)
        return Ran(process.returncode, out.decode(), err.decode())

    return run_there


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def texts(language: str) -> Texts:
    return load(language)


Change: TypeAlias = Callable[[dict[str, Any]], object]
Spoil: TypeAlias = Callable[[Change], str]


def spoiler(record: Record, path: Path) -> Spoil:
    """Writes the record with a change into a file; gives the path of it."""

    def spoil(change: Change) -> str:
        data = json.loads(record.to_json())
        change(data)
        path.write_text(json.dumps(data), encoding="utf-8")
        return str(path)

    return spoil


def ended(path: Path, people: int = 0) -> Path:
    """Make the folder of a server that has ended; the folder."""
    folder = Folder(path)
    folder.path.mkdir()

    async def made() -> None:
        async with with_accounts(folder.path) as accounts:
            for number in range(people):
                await accounts.guest(f"Misafir {number}")

    asyncio.run(made())
    return folder.path
