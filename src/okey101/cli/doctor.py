"""``okey101 doctor``: whether everything that okey101 needs is there and intact."""

from __future__ import annotations

import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from okey101 import __version__
from okey101.cli.output import Exit, Failure, Output
from okey101.cli.play.saved import default_path
from okey101.i18n import LANGUAGES, load
from okey101.solver import Objective, best_value_bits
from okey101.solver.objectives import WEIGHTS
from okey101.solver.tables import VECTORS, raw_table
from okey101.tiles import Rack

_OLDEST = (3, 11)
_RACK = "R7 R8 R9 R11 Y11 K11 B4 B5 F Y11 Y12 Y13 K2"
_ANSWERS = {
    Objective.POINTS: 24 + 33 + 15 + 36, Objective.TILES: 12, Objective.LEFT: 2, Objective.PAIRS: 1,
}  # fmt: skip
"""What the rack is worth with blue 6 as the okey."""


def examine(output: Output) -> int:
    """Look at everything and print what was seen; returns the exit code 0.

    Raises Failure, with exit code 1, where something is wrong.
    """
    found, texts = list(checks()), output.texts
    bad = [check["name"] for check in found if not check["ok"]]
    if not output.as_json:
        output.lines([f"okey101 {__version__}"])
        for check in found:
            verdict = texts("doctor-good" if check["ok"] else "doctor-bad")
            what = texts(f"doctor-{check['name']}")
            output.lines([f"  {verdict:<6} {what}: {check['detail']}"])
        output.lines([texts("doctor-count" if bad else "doctor-all-good", count=len(bad))])
    if bad:
        message = texts("error-not-sound", checks=", ".join(bad))
        raise Failure(Exit.FAILED, "not-sound", message, checks=found)
    return output.tell({"version": __version__, "checks": found}, list)


def checks() -> Iterator[dict[str, Any]]:
    """Look at everything, one thing after the other; a check that breaks is one that failed.

    Each has its ``name``, whether it is ``ok``, and a ``detail`` that was seen.
    """
    for look in (_python, _tables, _answers, _catalogues, _schema, _state, _terminal):
        try:
            ok, detail = look()
        except Exception as error:  # noqa: BLE001  # whatever it is, it belongs in the report
            ok, detail = False, f"{type(error).__name__}: {error}"
        yield {"name": look.__name__[1:], "ok": ok, "detail": detail}


def _python() -> tuple[bool, str]:
    return sys.version_info >= _OLDEST, f"{platform.python_version()} ({sys.platform})"


def _tables() -> tuple[bool, str]:
    """Every table unpacks, which compares the checksum in its file, and has its length."""
    for name, weights in WEIGHTS.items():
        if len(raw_table(name)) != 3 * VECTORS * weights.size:
            return False, f"{name}: wrong length"
    return True, ", ".join(WEIGHTS)


def _answers() -> tuple[bool, str]:
    okey = 31
    bits = Rack.parse(_RACK, okey=okey).bits
    wrong = [o.value for o, answer in _ANSWERS.items() if best_value_bits(bits, okey, o) != answer]
    return not wrong, ", ".join(wrong or _ANSWERS)


def _catalogues() -> tuple[bool, str]:
    first, second = (set(load(language).keys()) for language in LANGUAGES)
    odd = sorted(first ^ second)
    return not odd, ", ".join(odd[:10]) or f"{', '.join(LANGUAGES)}: {len(first)}"


def _schema() -> tuple[bool, str]:
    path = files("okey101.game") / "record.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    return "$schema" in schema, str(schema.get("$id", schema.get("title", "")))


def _state() -> tuple[bool, str]:
    """Whether a match can be saved: in the folder, or in the nearest one above that exists."""
    folder = default_path(os.environ).parent
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    with tempfile.TemporaryFile(dir=existing):
        return True, str(folder)


def _terminal() -> tuple[bool, str]:
    """Whether stdout can carry Turkish letters."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        "çğıöşüİ".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False, encoding
    return True, encoding
