"""The wheel and the sdist carry all that the package needs, and the wheel runs."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DATA = {".ftl", ".json", ".xz", ".bin", ".lzma", ".gz", ".typed", ".py"}


def build(source: Path, target: Path, *kinds: str) -> None:
    chosen = [word for kind in kinds for word in ("-t", kind)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(target), *chosen],
        cwd=source,
        check=True,
        capture_output=True,
    )


def files_of_wheel(folder: Path) -> set[str]:
    (wheel,) = folder.glob("okey101-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    build(ROOT, target, "wheel", "sdist")
    return target


def package_files() -> set[str]:
    src = ROOT / "src"
    return {
        path.relative_to(src).as_posix()
        for path in (src / "okey101").rglob("*")
        if path.is_file() and path.suffix in DATA and "__pycache__" not in path.parts
    } | {"okey101/py.typed"}


def test_wheel_carries_every_file_of_the_package(dist: Path) -> None:
    inside = files_of_wheel(dist)
    assert package_files() <= inside
    assert any(name.startswith("okey101/locales/tr/") for name in inside)
    assert any(name.startswith("okey101/locales/en/") for name in inside)


def test_sdist_builds_the_same_wheel(dist: Path, tmp_path: Path) -> None:
    (sdist,) = dist.glob("okey101-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("okey101-*")
    for name in ("README.md", "LICENSE", "Makefile", "pyproject.toml", "tests/conftest.py"):
        assert (source / name).is_file(), name
    build(source, tmp_path / "again", "wheel")
    assert files_of_wheel(tmp_path / "again") == files_of_wheel(dist)


def test_wheel_installs_and_runs(dist: Path, tmp_path: Path) -> None:
    (wheel,) = dist.glob("okey101-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        "import okey101, pathlib, sys; from okey101.i18n import load;"
        "assert str(pathlib.Path(okey101.__file__)).startswith(sys.argv[1]), okey101.__file__;"
        "print(okey101.__version__, load('tr').language, load('en').language)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    version, *languages = run.stdout.split()
    assert version in wheel.name
    assert languages == ["tr", "en"]
