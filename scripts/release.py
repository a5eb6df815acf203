"""``make release VERSION=1.2.3``: a release made ready here; nothing is uploaded.

From a clean checkout of ``main`` it moves the changelog's section, sets the version, builds wheel,
sdist and (with ``--site``) the documents, checks them, writes their digests, commits, and tags with
the section as message. The tag is signed where git has a key to sign with (``user.signingkey``).
What to push and where to upload it says at its end. A step that fails leaves the checkout as it
was.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tarfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from packaging.metadata import Metadata
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[1]
_IN_SDIST = (
    "PKG-INFO", "CITATION.cff", "deploy/Dockerfile", "deploy/compose.yaml",
    "benchmarks/leaderboard/neural.json",
)  # fmt: skip
_OWN_VERSION = re.compile(r'^__version__ = "(.*)"$', re.MULTILINE)


class Refusal(Exception):
    """Why there is no release, in words for whoever wanted one."""


def git(*words: str) -> str:
    """What git prints; Refusal with its complaint."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refusal(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def section_of(changelog: str) -> str:
    """What was noted since the last release; Refusal where that is nothing."""
    found = re.search(r"^## \[Unreleased\]\n(.*?)(?=^## \[)", changelog, re.MULTILINE | re.DOTALL)
    if found is None or not re.search(r"^- ", found[1], re.MULTILINE):
        raise Refusal("CHANGELOG.md has nothing under [Unreleased]")
    return found[1].strip()


def checked_version(text: str, now: str, tags: str) -> str:
    """The new version in its normal form; Refusal where it is none, not newer, or taken."""
    try:
        version = Version(text)
    except InvalidVersion:
        raise Refusal(f"{text!r} is no version; try 1.2.3") from None
    if version < Version(now):
        raise Refusal(f"{version} is older than {now}")
    if f"v{version}" in tags.split():
        raise Refusal(f"v{version} is tagged already")
    return str(version)


def check_built(dist: Path, version: str) -> None:
    """Both files are of this version, their metadata is valid, and the page is inside."""
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (name,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        told = archive.read(name)
    if not {"okey101/_web/index.html", "okey101/_web/page.sha256"} <= {*names}:
        raise Refusal("the wheel has no page in it")
    metadata = Metadata.from_email(told, validate=True)
    if str(metadata.version) != version:
        raise Refusal(f"the wheel says it is {metadata.version}")
    if metadata.description_content_type != "text/markdown" or not metadata.description:
        raise Refusal("the wheel has no description that an index can show")
    with tarfile.open(sdist) as packed:
        missing = {f"okey101-{version}/{name}" for name in _IN_SDIST} - {*packed.getnames()}
    if missing:
        raise Refusal(f"the sdist lacks {', '.join(sorted(missing))}")


def release(wanted: str, *, site: bool = False) -> str:
    """Do it all and return what is left to do; Refusal, with nothing changed, where it can't.

    ``site`` builds the documents too.
    """
    if git("status", "--porcelain"):
        raise Refusal("the checkout has changes; commit or drop them first")
    if git("rev-parse", "--abbrev-ref", "HEAD") != "main":
        raise Refusal("releases are made on main")
    init, changelog = ROOT / "src/okey101/__init__.py", ROOT / "CHANGELOG.md"
    citation = ROOT / "CITATION.cff"
    own = _OWN_VERSION.search(init.read_text("utf-8"))
    assert own is not None
    version = checked_version(wanted, own[1], git("tag"))
    section = section_of(changelog.read_text("utf-8"))
    day = datetime.now(UTC).strftime("%Y-%m-%d")
    before = {path: path.read_bytes() for path in (init, changelog, citation)}
    dist = ROOT / "dist" / version
    try:
        init.write_text(
            _OWN_VERSION.sub(f'__version__ = "{version}"', init.read_text("utf-8")), "utf-8"
        )
        told = changelog.read_text("utf-8").replace(
            "## [Unreleased]\n", f"## [Unreleased]\n\n## [{version}] - {day}\n", 1
        )
        changelog.write_text(told, "utf-8")
        cited = re.sub(r"^(version|date-released): .*\n", "", citation.read_text("utf-8"),
                       flags=re.MULTILINE)  # fmt: skip
        citation.write_text(f"{cited}version: {version}\ndate-released: {day}\n", "utf-8")
        for old in dist.glob("*") if dist.exists() else ():
            old.unlink()
        for step in (
            [sys.executable, "scripts/make_docs.py"],
            [
                sys.executable,
                "-m",
                "hatchling",
                "build",
                "-d",
                str(dist),
                "-t",
                "wheel",
                "-t",
                "sdist",
            ],
            *([["make", "docs"]] if site else []),
        ):
            done = subprocess.run(step, cwd=ROOT, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Refusal(f"{step[1]}: {(done.stderr or done.stdout).strip()}")
        check_built(dist, version)
        (wheel,) = dist.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:  # what the page's settings show
            (dist / "page.sha256").write_bytes(archive.read("okey101/_web/page.sha256"))
        if site:
            with tarfile.open(dist / f"site-{version}.tar.gz", "w:gz") as packed:
                packed.add(ROOT / "build/site", f"site-{version}")
        digests = "".join(
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
            for path in sorted(dist.iterdir())
        )
        (dist / "SHA256SUMS").write_text(digests, "utf-8")
        git("commit", "--quiet", "--all", "--message", f"Release {version}")
    except BaseException:
        for path, data in before.items():
            path.write_bytes(data)
        raise
    signed = subprocess.run(
        ["git", "config", "user.signingkey"], cwd=ROOT, capture_output=True, check=False
    )
    message = f"okey101 {version}\n\n{section}\n\n{digests}"
    kind = "--annotate" if signed.returncode else "--sign"
    git("tag", kind, "--cleanup=verbatim", f"v{version}", "--message", message)
    left = [
        f"git push origin main v{version}",
        f"uv publish dist/{version}/okey101-*",
        *([f"serve what is in dist/{version}/site-{version}.tar.gz"] if site else []),
        "keep logs and a data folder of it for the tests (docs/en/compatibility.md)",
    ]
    if signed.returncode:
        left.insert(0, "the tag is NOT signed: git has no user.signingkey")
    return f"{version} is ready in dist/{version}; left to do:\n" + "\n".join(
        f"  {x}" for x in left
    )


def main() -> int:
    """The command line; exit code 1 where there is no release."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__)
    parser.add_argument("version", metavar="VERSION", help="such as 1.2.3")
    parser.add_argument("--site", action="store_true", help="build the documents too")
    asked = parser.parse_args()
    try:
        print(release(asked.version, site=asked.site))
    except Refusal as refusal:
        print(f"no release: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
