"""Golden data folders: ``python -m server.golden_folders NAME`` writes one of this program's.

Each is what a server left behind: a finished match against bots, and a table in the middle of one,
played by the bot of docs/en/protocol.md. A release writes one, and it is never written again.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
from pathlib import Path

__all__ = ["FOLDERS", "KEPT"]

ROOT = Path(os.environ.get("OKEY101_GOLDEN_OF", Path(__file__).resolve().parents[2]))
"""The checkout whose program writes; an older one's for a folder that was not kept in time."""
FOLDERS = Path(__file__).parent / "golden_folders"
KEPT = ("log.sqlite", "log.mark", "accounts.sqlite", "archive.sqlite")
_SETTINGS = {"BOT_DELAY_MS": "40", "DEAL_PAUSE_S": "1", "FIRST_DEAL_WAIT_S": "1", "DEALING_S": "0"}


def write(name: str) -> None:
    """Serve, play a match to its end and another to its middle, stop, and pack the folder."""
    page = (ROOT / "docs/en/protocol.md").read_text("utf-8")
    (bot,) = re.findall(r"```python\n(.*?)```", page.partition("## A bot")[2], re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        (Path(folder) / "bot.py").write_text(bot, "utf-8")
        environ = os.environ | {f"OKEY101_{key}": value for key, value in _SETTINGS.items()}
        before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), *before])
        serve = ["serve", "--port", "0", "--json", "--data", str(data)]
        server = subprocess.Popen(
            [sys.executable, "-m", "okey101", *serve],
            stdout=subprocess.PIPE,
            env=environ,
            text=True,
        )
        assert server.stdout is not None
        said = json.loads(server.stdout.readline())
        url = said.get("url") or said["listening"]
        play = [sys.executable, str(Path(folder) / "bot.py"), url]
        subprocess.run(play, check=True, timeout=300)
        second = subprocess.Popen(play)
        time.sleep(2)
        second.kill()
        second.wait()
        with urllib.request.urlopen(f"{url}/api/tables") as answer:
            print(answer.read().decode())
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0
        FOLDERS.mkdir(exist_ok=True)
        with tarfile.open(FOLDERS / f"{name}.tar.xz", "w:xz") as archive:
            for kept in KEPT:
                if (data / kept).exists():
                    archive.add(data / kept, kept)
        print(sorted(path.name for path in data.iterdir()))


if __name__ == "__main__":
    write(sys.argv[1])
