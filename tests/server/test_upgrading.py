"""An upgrade and a restore, rehearsed: folders that older programs left behind, under this one."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tarfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from okey101 import parse_record, replay
from server.golden_folders import FOLDERS
from server.live import LiveServer

ALL = sorted(FOLDERS.glob("*.tar.xz"))


def unpacked(golden: Path, folder: Path) -> Path:
    folder.mkdir()
    with tarfile.open(golden) as archive:
        archive.extractall(folder, filter="data")
    folder.chmod(0o700)
    return folder


def admin(*words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "okey101", "admin", *words, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def goes_on(data: Path) -> None:
    """A server of today starts there, has both tables, and stops; what it leaves is sound."""
    with LiveServer(data=data) as server:
        tables = admin("tables", "--data", str(data))["tables"]
        assert [table for table in tables if table.get("frozen")] == []
        assert len(tables) == 2
        server.assert_clean()
    assert admin("check", "--data", str(data))["ok"]


def matches_replay(data: Path) -> None:
    """The one finished match is among the accounts, and its record plays to its totals."""
    with sqlite3.connect(f"file:{data / 'accounts.sqlite'}?mode=ro", uri=True) as database:
        ((totals, packed),) = database.execute("SELECT totals, record FROM matches").fetchall()
    record = parse_record(zlib.decompress(packed))
    assert list(replay(record).totals) == json.loads(totals)


@pytest.mark.parametrize("golden", ALL, ids=lambda golden: golden.name.removesuffix(".tar.xz"))
def test_yesterday_s_folder_goes_on_under_today_s_program(golden: Path, tmp_path: Path) -> None:
    data = unpacked(golden, tmp_path / "data")
    goes_on(data)
    matches_replay(data)


def test_a_backup_of_yesterday_is_restored_under_today_s_program(tmp_path: Path) -> None:
    backup = unpacked(ALL[0], tmp_path / "backup")
    admin("restore", str(backup), "--data", str(tmp_path / "data"))
    goes_on(tmp_path / "data")
    matches_replay(tmp_path / "data")


def test_there_is_a_folder_for_each_form_of_the_log() -> None:
    assert len(ALL) >= 3
