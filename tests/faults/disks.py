"""The first disk of a server that is down: its log lost in some way, and brought back."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from server.live import PATIENCE_S, SRC, LiveServer

__all__ = ["LOSSES", "bring_back", "lose", "refused"]

LOSSES: Final = ("deleted", "zeroed", "tail", "cut")
"""Everything of the log gone with its mark; its file zeroed; the end of what was written last
zeroed; the file cut in two. Except for the first the mark stays, and knows what was."""


def lose(data: Path, how: str, rng: random.Random) -> None:
    """Lose the log in a server's folder; the accounts are on neither disk."""
    log, wal = data / "log.sqlite", data / "log.sqlite-wal"
    if how == "deleted":
        for path in [*data.glob("log.*"), data / "heads.key"]:
            path.unlink(missing_ok=True)
    elif how == "zeroed":
        for path in (log, wal):
            if path.exists():
                path.write_bytes(bytes(path.stat().st_size))
    elif how == "tail":
        found = wal if wal.exists() and wal.stat().st_size else log
        size = found.stat().st_size
        lost = min(size, rng.choice((4096, 40_960, 409_600)))
        with found.open("rb+") as file:
            file.seek(size - lost)
            file.write(bytes(lost))
    else:
        wal.unlink(missing_ok=True)
        os.truncate(log, log.stat().st_size // 2)


def refused(server: LiveServer) -> str | None:
    """Start a server where the log is lost, which has to refuse; a line where it doesn't."""
    server.launch()
    process = server.process
    assert process is not None
    try:
        code = process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        code = 0
    finally:
        server.kill()
    return None if code == 1 else f"a server started, or ended with {code}"


def bring_back(data: Path, mirror: Path) -> str | None:
    """``admin restore`` from the mirror; a line where not all goes on as it was."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith("OKEY101_")}
    words = ["admin", "restore", str(mirror), "--data", str(data), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "okey101", *words],
        env=environ | {"PYTHONPATH": str(SRC)}, capture_output=True, text=True, check=False,
        timeout=PATIENCE_S,
    )  # fmt: skip
    for kept in data.glob("before-restore-*"):
        shutil.rmtree(kept)
    if done.returncode != 0:
        return f"the mirror is not brought back: {done.stderr}{done.stdout}"
    said = json.loads(done.stdout)
    whole = said["goes_on"] and not said["tables"]
    return None if whole else f"brought back, and yet deals are void: {said}"
