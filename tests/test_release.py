"""A release, rehearsed in a clone: built, checked, signed, and nothing leaves the machine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from release import Refusal, checked_version, section_of

ROOT = Path(__file__).resolve().parents[1]


def git(where: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_version_is_new_and_is_one() -> None:
    assert checked_version("1.2", "0.1.0", "v0.1.0") == "1.2"
    for wrong, said in (("one", "no version"), ("0.0.9", "older"), ("0.1.0", "tagged already")):
        with pytest.raises(Refusal, match=said):
            checked_version(wrong, "0.1.0", "v0.1.0")


def test_a_changelog_without_anything_new_is_no_release() -> None:
    assert section_of("## [Unreleased]\n\n- More.\n\n## [0.1]\n") == "- More."
    with pytest.raises(Refusal, match="nothing under"):
        section_of("## [Unreleased]\n\n### Added\n\n## [0.1]\n\n- First.\n")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository of its own with what is here, the page included; and a key to sign with."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not here: a signed release is not rehearsed")
    here = tmp_path / "clone"
    listed = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (here / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, here / name)
    shutil.copytree(ROOT / "src/okey101/_web", here / "src/okey101/_web")
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    (tmp_path / "signers").write_text(f"a@b {key.with_suffix('.pub').read_text()}")
    git(here, "init", "--quiet", "--initial-branch=main")
    for name, value in (("user.name", "a"), ("user.email", "a@b"), ("gpg.format", "ssh"),
                        ("user.signingkey", str(key)), ("commit.gpgsign", "false"),
                        ("gpg.ssh.allowedSignersFile", str(tmp_path / "signers"))):  # fmt: skip
        git(here, "config", name, value)
    git(here, "add", "--all")
    git(here, "commit", "--quiet", "--message", "All")
    return here


@pytest.mark.long
def test_a_release_is_built_checked_and_signed(clone: Path) -> None:
    def release(version: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "scripts/release.py", version],
            cwd=clone, capture_output=True, text=True, check=False,
        )  # fmt: skip

    (clone / "stray.txt").write_text("x")
    refused = release("9.9.9")
    assert refused.returncode == 1
    assert "has changes" in refused.stderr
    (clone / "stray.txt").unlink()

    done = release("9.9.9")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "git push origin main v9.9.9" in done.stdout
    git(clone, "tag", "--verify", "v9.9.9")
    assert "### Added" in git(clone, "tag", "--list", "--format=%(contents)", "v9.9.9")
    assert git(clone, "status", "--porcelain") == ""
    sums = (clone / "dist/9.9.9/SHA256SUMS").read_text()
    assert [line.split()[1] for line in sums.splitlines()] == [
        "okey101-9.9.9-py3-none-any.whl", "okey101-9.9.9.tar.gz",
    ]  # fmt: skip
    assert "## [9.9.9] - " in (clone / "CHANGELOG.md").read_text("utf-8")

    again = release("9.9.9")
    assert again.returncode == 1
    assert "nothing under" in again.stderr or "tagged already" in again.stderr
    assert git(clone, "status", "--porcelain") == ""
