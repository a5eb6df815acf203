"""Builds the page into the package, unless it is there already or nothing is packed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface[Any]):
    """Wheel and sdist carry the built page; an editable install does without."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page where it is missing; RuntimeError where that can't be done."""
        root = Path(self.root)
        if (root / "src/okey101/_web/index.html").is_file() or version == "editable":
            return
        npm = shutil.which("npm")
        if npm is None or not (root / "web/package-lock.json").is_file():
            raise RuntimeError(
                "the page is not built and npm is not here to build it: run `make page` first, "
                "on a machine with Node.js 20"
            )
        web = root / "web"
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=web, check=True)
        subprocess.run([npm, "run", "build"], cwd=web, check=True)
