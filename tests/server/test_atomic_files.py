"""Files that only their owner reads, whole or absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from okey101.server.files.atomic_files import (
    append,
    create,
    ensure_private,
    make_private,
    publish,
    replace,
)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_every_way_to_make_a_file_makes_it_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_private(tmp_path / "a", b"1")
        ensure_private(tmp_path / "b")
        create(tmp_path / "c", b"3")
        replace(tmp_path / "d", b"4")
    finally:
        os.umask(before)
    assert {path.name: (path.read_bytes(), mode(path)) for path in tmp_path.iterdir()} == {
        "a": (b"1", 0o600), "b": (b"", 0o600), "c": (b"3", 0o600), "d": (b"4", 0o600),
    }  # fmt: skip


def test_what_is_there_stays_or_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a"
    make_private(path, b"first")
    with pytest.raises(FileExistsError):
        make_private(path)
    ensure_private(path)
    create(path, b"second")
    assert path.read_bytes() == b"first"
    part = tmp_path / "part"
    make_private(part, b"second")
    with pytest.raises(FileExistsError):
        publish(part, path)
    part.unlink()
    replace(path, b"third")
    assert path.read_bytes() == b"third"
    assert [*tmp_path.iterdir()] == [path]


def test_a_disk_without_hard_links_gets_its_files_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise OSError("not supported")

    monkeypatch.setattr(os, "link", no_links)
    for data in (b"first", b"second"):
        create(tmp_path / "a", data)
    assert (tmp_path / "a").read_bytes() == b"first"
    assert [*tmp_path.iterdir()] == [tmp_path / "a"]


def test_what_a_disk_takes_in_parts_is_added_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, bytes(data)[:3]))
    append(tmp_path / "a", b"eight bytes")
    append(tmp_path / "a", b" and more")
    assert (tmp_path / "a").read_bytes() == b"eight bytes and more"
