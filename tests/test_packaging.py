"""The wheel and the sdist carry all that the package needs; and a release, rehearsed in a clone."""

import ast
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from email import message_from_string
from email.message import Message
from functools import partial
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from conftest import ran, ran_python
from okey101.cli.extras import BROUGHT
from okey101.i18n import LANGUAGES, load, plain_sentence
from release import Refusal, checked_version, section_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "src" / "okey101" / "_web"
HASHED = re.compile(r"okey101/_web/assets/[\w.-]+-[\w-]{8}\.(js|css)\.(br|gz)")
DATA = {".ftl", ".json", ".jsonl", ".xz", ".bin", ".lzma", ".gz", ".typed", ".py"}


def build(source: Path, target: Path, *kinds: str, ends: int = 0) -> str:
    """Build on a machine that has no npm; what it complains of."""
    chosen = [word for kind in kinds for word in ("-t", kind)]
    words = ("-m", "hatchling", "build", "-d", target, *chosen)
    no_npm = {"PATH": str(Path(sys.executable).parent)}
    return ran_python(*words, cwd=source, env=no_npm, ends=ends).stderr


def wheel_in(folder: Path) -> Path:
    (wheel,) = folder.glob("okey101-*.whl")
    return wheel


def files_of_wheel(folder: Path) -> set[str]:
    with zipfile.ZipFile(wheel_in(folder)) as archive:
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
    assert any(name.startswith("okey101/i18n/tr/") for name in inside)
    assert any(name.startswith("okey101/i18n/en/") for name in inside)


def test_wheel_carries_the_page(dist: Path) -> None:
    inside = files_of_wheel(dist)
    top = {
        "index.html", "sw.js", "icon.svg", "card.jpg", "manifest.webmanifest", "page.sha256",
    }  # fmt: skip
    assert {f"okey101/_web/{name}" for name in top} <= inside
    packed = [match for name in inside if (match := HASHED.fullmatch(name))]
    assert {(match[1], match[2]) for match in packed} == {
        (kind, packing) for kind in ("js", "css") for packing in ("br", "gz")
    }
    assert not [name for name in inside if name.endswith((".js", ".css")) and "/assets/" in name]
    with zipfile.ZipFile(wheel_in(dist)) as archive:
        page = archive.read("okey101/_web/index.html").decode()
    (script,) = re.findall(r'<script [^>]*src="/(assets/[^"]+\.js)"', page)
    assert f"okey101/_web/{script}.br" in inside


@pytest.mark.long
def test_the_page_is_the_same_wherever_it_is_built(tmp_path: Path) -> None:
    """Whoever compares a page that is served with a release compares every byte but the packed."""
    here = tmp_path / "another place"
    for name in ("clients", "src/okey101/i18n"):
        shutil.copytree(ROOT / name, here / name)
    shutil.copy(ROOT / "src/okey101/__init__.py", here / "src/okey101")
    left_out = shutil.ignore_patterns("node_modules")
    shutil.copytree(ROOT / "web", here / "web", ignore=left_out)
    shutil.copytree(
        ROOT / "web/node_modules", here / "web/node_modules", symlinks=True, copy_function=_linked
    )
    vite = ["node_modules/.bin/vite", "build", "--logLevel", "error"]
    ran(*vite, cwd=here / "web", timeout=120)
    built = here / "src/okey101/_web"
    prints = (built / "page.sha256").read_text("utf-8")
    assert prints == (PAGE / "page.sha256").read_text("utf-8")
    files = [file for file in built.rglob("*") if file.suffix not in (".br", ".gz")]
    told = dict(line.split("  ")[::-1] for line in prints.splitlines())
    assert told == {
        file.relative_to(built).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
        if file.is_file() and file.name != "page.sha256"
    }


def _linked(source: str, target: str) -> None:
    """The same file in two folders, where the system can do that."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


PARTS = {
    "solver": ("solver/", "melds.py", "tiles.py"),
    "game": ("game/", "errors.py"),
    "bots": ("bots/", "weights/"),
    "server": ("server/",),
    "_web": ("_web/",),
    "kernel": ("kernel/", "sim/", "envs/", "review/"),
    "cli": ("cli/", "render/", "client/", "testing.py"),
    "i18n": ("i18n/",),
}
"""The parts of the wheel as docs/en/install.md tells their sizes; the last one has the rest."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sizes_of_the_wheel_s_parts_are_told(dist: Path, language: str) -> None:
    wheel = wheel_in(dist)
    with zipfile.ZipFile(wheel) as archive:
        files = {one.filename.removeprefix("okey101/"): one.file_size for one in archive.filelist}
    sizes = dict.fromkeys((*PARTS, "rest"), 0.0)
    for name, size in files.items():
        part = next((p for p, begins in PARTS.items() if name.startswith(begins)), "rest")
        sizes[part] += size / 1e6
    page = (ROOT / "docs" / language / "install.md").read_text("utf-8")
    _, _, below = page.partition("<!-- parts -->")
    rows = re.findall(r"^\|.*\| ([\d.,]+) MB \|$", below.partition("<!-- end -->")[0], re.M)
    told = [float(row.replace(",", ".")) for row in rows]
    computing = sum(sizes[part] for part in ("solver", "game", "bots"))
    found = [computing, *(sizes[p] for p in ("server", "_web", "kernel", "cli", "i18n", "rest"))]
    assert told[:-1] == pytest.approx(found, abs=0.1)
    assert told[-1] == pytest.approx(sum(found), abs=0.15)
    assert computing < 3
    assert wheel.stat().st_size < 5e6


def test_nothing_is_packed_without_the_page(tmp_path: Path) -> None:
    source = tmp_path / "checkout"
    skipped = shutil.ignore_patterns("_web", "__pycache__")
    shutil.copytree(ROOT / "src", source / "src", ignore=skipped)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    for kind in ("wheel", "sdist"):
        assert "run `make page` first" in build(source, tmp_path / "out", kind, ends=1)
    assert not list((tmp_path / "out").glob("*"))


def test_sdist_builds_the_same_wheel(dist: Path, tmp_path: Path) -> None:
    (sdist,) = dist.glob("okey101-*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("okey101-*")
    names = "README.md LICENSE Makefile pyproject.toml tests/conftest.py web/package.json"
    assert all((source / name).is_file() for name in names.split())
    assert not (source / "web" / "node_modules").exists()
    build(source, tmp_path / "again", "wheel")
    assert files_of_wheel(tmp_path / "again") == files_of_wheel(dist)


NEEDED = {
    "": set(),
    "cli": {"click", "fluent-runtime"},
    "client": {"msgspec", "websockets"},
    "testing": {"hypothesis"},
    "data": {"pyarrow"},
    "postgres": {"asyncpg", "greenlet"},
    "ray": {"click", "fluent-runtime", "ray"},
    "sim": {"numba", "numpy"},
    "envs": {"gymnasium", "numba", "numpy", "pettingzoo"},
    "openspiel": {"numba", "numpy", "open-spiel"},
}
EXTRAS = NEEDED.keys() - {""} | {"server", "all"}


@pytest.fixture(scope="module")
def metadata(dist: Path) -> Message:
    with zipfile.ZipFile(wheel_in(dist)) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return message_from_string(archive.read(name).decode())


def requirements(metadata: Message, extra: str) -> dict[str, Requirement]:
    """What an extra installs beside the base, by name; the base alone for an empty name."""
    found: dict[str, Requirement] = {}
    waiting = [extra]
    for wanted in waiting:
        for line in metadata.get_all("Requires-Dist", []):
            needed = Requirement(line)
            if needed.marker is not None and not needed.marker.evaluate({"extra": wanted}):
                continue
            if needed.name == "okey101":
                waiting += needed.extras
            else:
                found[canonicalize_name(needed.name)] = needed
    return found


def test_the_base_needs_nothing_and_each_extra_what_it_is_for(metadata: Message) -> None:
    assert set(metadata.get_all("Provides-Extra", [])) == EXTRAS
    for extra, names in NEEDED.items():
        assert set(requirements(metadata, extra)) == names, extra
    server, everything = (set(requirements(metadata, extra)) for extra in ("server", "all"))
    assert everything == server | {"numba", "numpy"}
    assert {"click", "fluent-runtime", "litestar", "uvicorn"} <= server
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    assert [name for name in extras if "uvicorn" in " ".join(extras[name])] == ["server"]


ELSEWHERE = {
    "data.py": "data", "daily.py": "client", "on_ray.py": "ray",
    "cli/people.py": "client",
    "postgres.py": "postgres", "membership.py": "postgres",
}  # fmt: skip
"""Files whose imports come with another extra than their folder's."""


def test_every_module_that_is_imported_is_brought_by_its_extra(metadata: Message) -> None:
    """The modules whose absence is reported as a missing extra are those that the extras bring."""
    dists = packages_distributions()
    for extra, modules in BROUGHT.items():
        names = set(requirements(metadata, extra))
        for module in modules:
            brought = dists.get(module, [module])  # one that is not here is called as its module
            assert names & {canonicalize_name(d) for d in brought}, (extra, module)
    rooms = ("cli", "client", "server", "data", "postgres", "ray")
    seen: dict[str, set[str]] = {room: set() for room in rooms}
    for path in (ROOT / "src" / "okey101").rglob("*.py"):
        place = path.relative_to(ROOT / "src" / "okey101").parts[0]
        if place in ("testing.py", "testing", "kernel", "envs", "review"):
            continue  # has an extra of its own, which no command needs
        if path.parts[-3:-1] == ("sim", "arena") and path.stem in ("aivat", "compiled", "twins"):
            continue  # what `--aivat` and `--compiled` load, once the kernel is there
        if path.parent.name == "admin":
            place = "server"  # `okey101 admin` comes with the server
        named = path.name, "/".join(path.parts[-2:])
        place = next((ELSEWHERE[name] for name in named if name in ELSEWHERE), place)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = {node.module}
            tops = {name.partition(".")[0] for name in names}
            seen[place if place in rooms else "cli"] |= tops - sys.stdlib_module_names - {"okey101"}
    assert seen["cli"] == BROUGHT["cli"]
    # An audit checks signatures where it can, and says where it can't.
    assert seen["client"] == BROUGHT["client"] | {"cryptography"}
    assert seen["server"] <= BROUGHT["server"] | BROUGHT["cli"]
    assert seen["data"] == BROUGHT["data"]
    assert seen["ray"] == BROUGHT["ray"]
    assert seen["postgres"] == {"asyncpg", "sqlalchemy"}  # which needs greenlet for it


def test_metadata_leads_to_the_project_and_shows_its_pictures(metadata: Message) -> None:
    urls = dict(line.split(", ") for line in metadata.get_all("Project-URL", []))
    assert {"Homepage", "Documentation", "Changelog", "Issues", "Source"} <= set(urls)
    with (ROOT / "pyproject.toml").open("rb") as file:
        project: dict[str, Any] = tomllib.load(file)["project"]
    assert urls == project["urls"]
    home = project["urls"]["Homepage"].replace("github.com", "raw.githubusercontent.com")
    for readme in ("README.md", "README.tr.md"):
        text = (ROOT / readme).read_text("utf-8")
        pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
        assert pictures
        for picture in pictures:
            branch, _, path = picture.removeprefix(f"{home}/").partition("/")
            assert branch == "main", f"the package index shows no {picture}"
            assert (ROOT / path).is_file()
        assert 'pip install "okey101[all]"' in text
    # The index shows the English page, away from its files.
    text = (ROOT / project["readme"]).read_text("utf-8")
    for link in re.findall(r"(?<!\!)\[[^\]]*\]\(([^)]+)\)", text):
        if not link.startswith("https://docs.astral.sh/"):
            kind, _, path = link.removeprefix(f"{urls['Homepage']}/").partition("/main/")
            there = ROOT / path.partition("#")[0]
            assert kind == ("tree" if there.is_dir() else "blob"), link
            assert there.exists(), link


@pytest.fixture(scope="module")
def base(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel and nothing beside it."""
    target = tmp_path_factory.mktemp("base") / "venv"
    ran_python("-m", "venv", "--without-pip", target)
    programs = target / ("Scripts" if os.name == "nt" else "bin")
    uv = ("-m", "uv", "pip", "install", "--quiet", "--offline", "--no-deps")
    ran_python(*uv, "--python", programs / "python", wheel_in(dist))
    return programs


def in_base(base: Path, program: str, *arguments: str, ends: int) -> tuple[str, str]:
    """What a program says and complains of that ends so."""
    kept = ("PATH", "SYSTEMROOT", "HOME")
    environ = {name: os.environ[name] for name in kept if name in os.environ}
    environ |= {"PYTHONIOENCODING": "utf-8", "LANG": "C.UTF-8"}
    done = ran(base / program, *arguments, ends=ends, env=environ, encoding="utf-8")
    return done.stdout, done.stderr


COMPUTE = """
import okey101
from okey101.bots import registry

rack = okey101.Rack.parse("R7 R8 R9 *", okey=okey101.Tile.B6)
assert okey101.best_value(rack, okey101.Tile.B6) == 34
assert rack._repr_svg_() is None
rules = okey101.RuleSet.preset("pagat")
deal = okey101.Deal.start(rules, okey101.deal_from_seed(rules, bytes(32), dealer=3))
bot = registry.make_bot("steady", 1)
action = bot.choose(okey101.view_of(deal, deal.turn), okey101.options_of(deal))
deal = okey101.apply(deal, action)
record = okey101.parse_record(okey101.record_of(rules, [deal]).to_json())
assert okey101.replay(record).deals[0] == deal
"""


def test_the_base_alone_computes(base: Path, dist: Path) -> None:
    assert in_base(base, "python", "-c", COMPUTE, ends=0)[1] == ""
    said, complaints = in_base(base, "okey101", "version", ends=0)
    assert complaints == ""
    name, version = said.split()
    assert wheel_in(dist).name.startswith(f"{name}-{version}-")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("line", "extra"),
    [*dict.fromkeys(("", "play", "solve R7 --okey B6", "--help"), "cli").items(),
     *dict.fromkeys(("serve --port 0", "admin status"), "server").items()],
)  # fmt: skip
def test_the_base_alone_says_which_extra_is_missing(
    base: Path, line: str, extra: str, language: str
) -> None:
    command = ("okey101", "--lang", language, *line.split())
    said, complaints = in_base(base, *command, ends=2)
    assert said == ""
    assert complaints == f"okey101: {load(language)('error-missing-extra', extra=extra)}\n"
    assert f'pip install "okey101[{extra}]"' in complaints
    said, complaints = in_base(base, *command, "--json", ends=2)
    assert complaints == ""
    told = json.loads(said)
    assert told["ok"] is False
    assert (told["error"]["code"], told["error"]["extra"]) == ("missing-extra", extra)


@pytest.mark.skipif(os.name == "nt", reason="the uv that is played here is a shell script")
def test_under_uvx_a_command_is_run_with_its_extra(base: Path, dist: Path, tmp_path: Path) -> None:
    """uv is asked once more, for the same wheel; elsewhere, and the second time, it is not."""
    cache, uv = base.parents[1], tmp_path / "uv"
    uv.write_text(
        '#!/bin/sh\n[ "$1" = cache ] && { echo "$CACHE"; exit; }\n'
        'printf "%s\\n" "$@" again=$OKEY101_UVX_AGAIN; exit 7\n'
    )
    uv.chmod(0o755)
    environ = {"PATH": os.environ["PATH"], "UV": str(uv)}
    command = (base / "okey101", "play", "--lang", "en")
    done = ran(*command, ends=7, env=environ | {"CACHE": str(cache)})
    assert done.stdout.split("\n")[-7:-1] == [
        f"okey101[cli] @ {wheel_in(dist).as_uri()}", "okey101", "play", "--lang", "en", "again=1",
    ]  # fmt: skip
    for elsewhere in ({"CACHE": str(tmp_path)}, {"CACHE": str(cache), "OKEY101_UVX_AGAIN": "1"}):
        done = ran(*command, ends=2, env=environ | elsewhere)
        assert done.stdout == ""
        assert "extra cli" in done.stderr


def without(modules: Iterable[str], then: str, *words: object, ends: int = 0) -> str:
    """What a program says where these modules are not installed."""
    code = f"import sys; sys.modules.update(dict.fromkeys({sorted(modules)})); {then}"
    done = ran_python("-c", code, *words, ends=ends, env={"PYTHONPATH": str(ROOT / "src")})
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("arguments", [["serve"], ["admin", "check"]])
def test_without_its_extra_the_server_says_so(arguments: list[str], tmp_path: Path) -> None:
    then = "from okey101.cli import main; sys.exit(main(sys.argv[1:]))"
    (tmp_path / "log.sqlite").touch()  # a log to look through
    words = (*arguments, "--data", tmp_path, "--json")
    said = without(BROUGHT["server"], then, *words, ends=2)
    assert json.loads(said)["error"]["extra"] == "server"


def test_the_client_starts_with_its_own_extra_alone() -> None:
    without(set().union(*BROUGHT.values()) - BROUGHT["client"], "import okey101.client")


def test_what_is_said_without_the_catalogues_reader_is_what_it_would_read() -> None:
    for language in LANGUAGES:
        key, extra = "error-missing-extra", "server"
        assert plain_sentence(language, key, extra=extra) == load(language)(key, extra=extra)
    with pytest.raises(KeyError):
        plain_sentence("en", "error-no-such-sentence")


@pytest.mark.long
@pytest.mark.parametrize("extra", ["", "[cli]"])
def test_the_wheel_plays_without_being_installed(dist: Path, tmp_path: Path, extra: str) -> None:
    """As ``uvx okey101 play`` does it, in an environment of its own."""
    uv = Path(sys.executable).with_name("uv")
    environ = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    environ |= {"XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    run = ran(
        uv, "tool", "run", "--quiet", "--python", sys.executable, "--from",
        f"{wheel_in(dist)}{extra}", *["okey101", "play", "--deals", "1", "--lang", "en"],
        cwd=tmp_path, env=environ, input="hint\nquit\n",
    )  # fmt: skip
    assert "Your tiles" in run.stdout or "rack" in run.stdout.lower()


def git(where: Path, *words: str) -> str:
    return ran("git", *words, cwd=where).stdout


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
    ran("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
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
    release = partial(ran_python, "scripts/release.py", "9.9.9", cwd=clone)
    (clone / "stray.txt").write_text("x")
    assert "has changes" in release(ends=1).stderr
    (clone / "stray.txt").unlink()

    done = release()
    assert "git push origin main v9.9.9" in done.stdout
    git(clone, "tag", "--verify", "v9.9.9")
    assert "### Added" in git(clone, "tag", "--list", "--format=%(contents)", "v9.9.9")
    assert git(clone, "status", "--porcelain") == ""
    sums = (clone / "dist/9.9.9/SHA256SUMS").read_text()
    assert [line.split()[1] for line in sums.splitlines()] == [
        "okey101-9.9.9-py3-none-any.whl", "okey101-9.9.9.tar.gz", "page.sha256",
    ]  # fmt: skip
    assert "## [9.9.9] - " in (clone / "CHANGELOG.md").read_text("utf-8")
    assert "\nversion: 9.9.9\ndate-released: 2" in (clone / "CITATION.cff").read_text("utf-8")

    again = release(ends=1)
    assert "nothing under" in again.stderr or "tagged already" in again.stderr
    assert git(clone, "status", "--porcelain") == ""
