"""The page about the environments says what the code says, and its curve is what was measured."""

from __future__ import annotations

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from conftest import ran_python, unwrap
from okey101.envs.actions import N_ACTIONS, meaning
from okey101.envs.observations import OBSERVATION_PIECES, OBSERVATION_SIZE
from okey101.kernel import envs as numbering

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "en" / "envs.md").read_text("utf-8")


def rows_below(head: str) -> list[list[str]]:
    """The cells of the table with this head."""
    found = re.search(rf"^\| {re.escape(head)} .*\n\|.*\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert found, head
    return [line.strip("| ").split(" | ") for line in found.group(1).splitlines()]


def test_the_pieces_of_an_observation() -> None:
    rows = rows_below("piece")
    assert rows == [
        [f"`{piece.name}`", str(piece.at), " × ".join(map(str, piece.shape)),
         f"{piece.low:g} to {piece.high:g}", piece.meaning]
        for piece in OBSERVATION_PIECES.values()
    ]  # fmt: skip
    assert f"{OBSERVATION_SIZE} numbers" in PAGE
    last = list(OBSERVATION_PIECES.values())[-1]
    assert last.at + int(np.prod(last.shape)) == OBSERVATION_SIZE


def test_the_numbers_of_actions() -> None:
    rows = rows_below("from")
    begins = [int(row[0]) for row in rows]
    names = "LAY_RUN LAY_SET LAY_OKEY_SET SWAP MELD_RUN MELD_SET MELD_PAIR"
    firsts = [getattr(numbering, f"{name}_FROM") for name in names.split()]
    assert begins == [0, numbering.OPEN_NUMBER, numbering.DISCARD_FROM, *firsts]
    counts = [int(row[1]) for row in rows]
    assert [sum(counts[:i]) for i in range(len(rows))] == begins
    assert sum(counts) == N_ACTIONS
    assert f"to {N_ACTIONS - 1:,}," in PAGE
    unused = sum(meaning(number) == "nothing" for number in range(N_ACTIONS))
    assert f"{unused} numbers never occur" in PAGE


def script(path: Path) -> ModuleType:
    """A module of a folder that is no package."""
    spec = unwrap(spec_from_file_location(path.stem, path))
    module = module_from_spec(spec)
    sys.modules[path.stem] = module
    unwrap(spec.loader).exec_module(module)
    return module


def test_the_learning_curve_is_drawn_from_its_numbers() -> None:
    curve = script(ROOT / "scripts" / "make_curve.py")
    rows = curve.curve()
    assert (ROOT / "docs" / "img" / "ppo.svg").read_text("utf-8") == curve.drawn(rows)
    first, last = rows[0], rows[-1]
    assert abs(first["points_better"]) < 4 * first["error"]
    assert last["points_better"] > 20 * last["error"]
    assert f"{last['points_better']:.0f} points" in PAGE


def test_without_the_extra_the_import_says_what_to_install() -> None:
    for module, hidden in (
        ("", "numba"),
        (".pettingzoo", "pettingzoo"),
        (".gymnasium", "gymnasium"),
        (".vector", "gymnasium"),
        (".openspiel", "pyspiel"),
    ):
        code = (
            f"import sys; sys.modules[{hidden!r}] = None\n"
            "import importlib.util as u; find = u.find_spec\n"
            f"u.find_spec = lambda n, *a: None if n == {hidden!r} else find(n, *a)\n"
            f"import okey101.envs{module}"
        )
        last = ran_python("-c", code, ends=1).stderr.strip().splitlines()[-1]
        extra = "openspiel" if hidden == "pyspiel" else "envs"
        assert last.startswith("ModuleNotFoundError: missing-extra: okey101.envs"), last
        assert last.endswith(f"pip install 'okey101[{extra}]'")


@pytest.mark.long
def test_the_example_learns_to_beat_random() -> None:
    example = script(ROOT / "examples" / "ppo.py")
    found = example.main(["--minutes", "1", "--deals", "256", "--envs", "128"])
    assert abs(found[0]["points_better"]) < 5 * found[0]["error"]
    assert found[-1]["points_better"] > 5 * found[-1]["error"]
    assert found[-1]["points_better"] > 20
