"""The wheel and the sdist carry all that the package needs, and the wheel runs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "src" / "okey101" / "_web"
HASHED = re.compile(r"okey101/_web/assets/[\w.-]+-[\w-]{8}\.(js|css)")
DATA = {".ftl", ".json", ".xz", ".bin", ".lzma", ".gz", ".typed", ".py"}


def try_build(source: Path, target: Path, *kinds: str) -> subprocess.CompletedProcess[str]:
    """Build on a machine that has no npm."""
    chosen = [word for kind in kinds for word in ("-t", kind)]
    return subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(target), *chosen],
        cwd=source,
        check=False,
        env=os.environ | {"PATH": str(Path(sys.executable).parent)},
        capture_output=True,
        text=True,
    )


def build(source: Path, target: Path, *kinds: str) -> None:
    done = try_build(source, target, *kinds)
    assert done.returncode == 0, done.stderr


def files_of_wheel(folder: Path) -> set[str]:
    (wheel,) = folder.glob("okey101-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (PAGE / "index.html").is_file():
        pytest.fail("the page is not built: run `make page` first")
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


def test_wheel_carries_the_page(dist: Path) -> None:
    inside = files_of_wheel(dist)
    top = {"index.html", "sw.js", "icon.svg", "manifest.webmanifest"}
    assert {f"okey101/_web/{name}" for name in top} <= inside
    assert {Path(name).suffix for name in inside if HASHED.fullmatch(name)} == {".js", ".css"}
    (wheel,) = dist.glob("okey101-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        page = archive.read("okey101/_web/index.html").decode()
    (script,) = re.findall(r'<script [^>]*src="/(assets/[^"]+\.js)"', page)
    assert f"okey101/_web/{script}" in inside


def test_nothing_is_packed_without_the_page(tmp_path: Path) -> None:
    source = tmp_path / "checkout"
    skipped = shutil.ignore_patterns("_web", "__pycache__")
    shutil.copytree(ROOT / "src", source / "src", ignore=skipped)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    for kind in ("wheel", "sdist"):
        done = try_build(source, tmp_path / "out", kind)
        assert done.returncode != 0
        assert "run `make page` first" in done.stderr + done.stdout
    assert not list((tmp_path / "out").glob("*"))


def test_sdist_builds_the_same_wheel(dist: Path, tmp_path: Path) -> None:
    (sdist,) = dist.glob("okey101-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("okey101-*")
    for name in (
        "README.md",
        "LICENSE",
        "Makefile",
        "pyproject.toml",
        "tests/conftest.py",
        "web/package.json",
    ):
        assert (source / name).is_file(), name
    assert not (source / "web" / "node_modules").exists()
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
