"""Fresh virtual environments with the wheel and one extra each: packages, size, start-up."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import median, table

__all__ = ["report"]

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 7
EXTRAS = {
    "": "import okey101",
    "cli": "import okey101.cli",
    "server": "import okey101.server.web.app",
    "all": "import okey101.server.web.app",
    "sim": "import okey101.kernel, okey101.kernel.deals",
    "envs": "import okey101.envs.gymnasium",
    "client": "import okey101.client",
    "data": "import okey101.sim.data, pyarrow",
    "testing": "import okey101.testing",
    "openspiel": "import okey101.envs.openspiel",
    "ray": "import okey101.sim.arena.on_ray",
}
"""What is installed, and what its start-up is the import of."""


def _size(folder: Path) -> float:
    """Megabytes of the files below a folder, without compiled byte code."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files if path.suffix != ".pyc") / 1e6


def _seconds(python: Path, code: str) -> float:
    """Time of a processor, median: what else the machine does counts less than on a clock."""
    environ = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    times = []
    for _ in range(ROUNDS + 1):
        before = os.times()
        subprocess.run([python, "-c", code], check=True, env=environ, cwd="/")
        after = os.times()
        times.append(
            after.children_user
            + after.children_system
            - before.children_user
            - before.children_system
        )
    return median(times[1:])


def report() -> str:
    """The section of results.md."""
    uv = Path(sys.executable).with_name("uv")
    rows = []
    own = 0.0
    with tempfile.TemporaryDirectory() as folder:
        dist = Path(folder) / "dist"
        build = [sys.executable, "-m", "hatchling", "build", "-d", str(dist), "-t", "wheel"]
        subprocess.run(build, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        (wheel,) = dist.glob("*.whl")
        for extra, code in EXTRAS.items():
            place = Path(folder) / (extra or "core")
            subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, place], check=True)
            python = place / "bin" / "python"
            wanted = f"{wheel}[{extra}]" if extra else str(wheel)
            subprocess.run(
                [uv, "pip", "install", "--quiet", "--python", python, wanted], check=True
            )
            (site,) = place.glob("lib/*/site-packages")
            packages = sum(1 for _ in site.glob("*.dist-info"))
            own = _size(site) if not extra else own
            rows.append(
                (
                    f"`okey101[{extra}]`" if extra else "`okey101`",
                    str(packages),
                    f"{_size(site):.1f} MB",
                    f"`{code}`",
                    f"{_seconds(python, code):.2f} s",
                )
            )
        weight = wheel.stat().st_size / 1e6
    words = (
        f"The wheel ({weight:.1f} MB) in new virtual environments, one for each extra; packages "
        f"and size with all that it brings. The aim of 3 MB for the core holds for what computes"
        f"{' and for what is fetched' if weight < 3 else ', not for what is fetched'}; "
        f"unpacked the wheel is {own:.1f} MB, whose parts are in "
        f"[install.md](../docs/en/install.md). "
        f"Start-up: time of a processor, median of {ROUNDS} new processes, byte code in the cache."
    )
    head = ("installed", "packages", "size", "start-up of", "processor")
    return f"## Installing\n\n{words}\n\n{table(head, rows)}\n"
