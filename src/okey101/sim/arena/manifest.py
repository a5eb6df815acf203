"""What a result was made with: hashes of bots, weights, rules and engine, the command, the machine.

A hash is the SHA-256 of the files' names and contents, one after the other.
"""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import json
import os
import platform
import shlex
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import okey101
from okey101.bots.registry import BOTS, EXEC, SEARCHERS
from okey101.game.ruleset import RuleSet
from okey101.sim.arena.chunks import Job, Player, info_for

_PACKAGE: Final = Path(okey101.__file__).parent
_ENGINE: Final = ("tiles.py", "melds.py", "errors.py", "solver", "game", "sim/conduct.py")
_BOTS: Final = ("bots", "kernel", "weights")
_LARGEST: Final = 1 << 30


def hash_of_files(root: Path, files: Iterable[Path]) -> str:
    """The hash of files by their places under a folder, whatever order they are given in."""
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
        data = path.read_bytes()
        digest.update(f"{len(name)} {name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


@cache
def _hash_of_sources(*names: str) -> str:
    found: list[Path] = []
    for name in names:
        path = _PACKAGE / name
        found += [path] if path.is_file() else (p for p in path.rglob("*") if p.is_file())
    return hash_of_files(_PACKAGE, (path for path in found if "__pycache__" not in path.parts))


def engine_hash() -> str:
    """Of the rules' and the solver's code and tables."""
    return _hash_of_sources(*_ENGINE)


def kernel_hash() -> str:
    """Of the code that plays compiled tables, and of what they take from the bots."""
    return _hash_of_sources(*_BOTS, "sim/arena/compiled.py")


def aivat_hash() -> str:
    """Of the value that the luck of draws is told by: its networks and its code."""
    return _hash_of_sources("kernel", "weights", "sim/arena/aivat.py")


def rules_hash(rules: RuleSet) -> str:
    """Of the rule set in full, by its fields."""
    text = json.dumps(rules.to_dict(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def bot_entry(player: Player) -> dict[str, object]:
    """A bot by its word, its name and version, and the hashes of its code and weights.

    The weights are the files that its class names as ``weights``, or the command of a program.
    """
    info = info_for(player)
    factory = info.factory
    spec = player if isinstance(player, str) else _spec_of(factory)
    weights = _paths(getattr(factory, "weights", None))
    if spec in BOTS or spec in SEARCHERS:
        code: str | None = _hash_of_sources(*_BOTS)
    elif spec.startswith(EXEC):
        code = _hash(_paths(shlex.split(spec.removeprefix(EXEC))))
    else:
        code = _hash(_code_of(factory))
    return {
        "bot": spec, "name": info.name, "version": info.version, "replayable": info.replayable,
        "code_sha256": code, "weights_sha256": _hash(weights),
    }  # fmt: skip


def _spec_of(factory: object) -> str:
    name = getattr(factory, "__qualname__", type(factory).__qualname__)
    return f"{getattr(factory, '__module__', '?')}:{name}"


def _paths(named: object) -> list[Path]:
    words = [named] if isinstance(named, str | os.PathLike) else named
    if not isinstance(words, list | tuple):
        return []
    paths = [Path(word) for word in words if isinstance(word, str | os.PathLike)]
    return [path for path in paths if path.is_file() and path.stat().st_size < _LARGEST]


def _code_of(factory: object) -> list[Path]:
    module = inspect.getmodule(factory)
    spec = None if module is None else importlib.util.find_spec(module.__name__)
    return _paths(spec.origin) if spec is not None and spec.origin else []


def _hash(files: list[Path]) -> str | None:
    return hash_of_files(files[0].parent, files) if files else None


def identity(job: Job) -> dict[str, object]:
    """All that the scores of a job depend on: two chunks of equal identity belong together."""
    return {
        "rules": job.rules.to_dict(),
        "rules_sha256": rules_hash(job.rules),
        "engine": okey101.__version__,
        "engine_sha256": engine_hash(),
        "kind": job.plan.kind.value,
        "bots": [bot_entry(player) for player in job.everybody],
        "seed": job.seed,
        "limit_ms": job.limit_ms,
        **({"aivat_sha256": aivat_hash()} if job.aivat else {}),
    }


def machine() -> dict[str, object]:
    """What it runs on."""
    return {
        "system": platform.system(), "machine": platform.machine(), "processor": _processor(),
        "cores": os.cpu_count(), "python": platform.python_version(),
        "implementation": sys.implementation.name,
    }  # fmt: skip


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor()
