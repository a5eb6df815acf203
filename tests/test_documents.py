"""What the documents show runs: tutorials, typed code, every command; and the site builds."""

import asyncio
import contextlib
import doctest
import importlib
import io
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from conftest import Patch, Size, only_long, ran, ran_python, script
from lints.commands import ALL, words_of
from lints.reference import directives
from okey101.cli import main
from okey101.client import Client
from postgres import free_port
from server.web.parties import account

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "en" / "tutorials").glob("*.md"))

SERVED = ("own-client", "server-at-home")
"""For the long form alone: the client's page and the host's have the like of their commands run."""
LESS = {
    "first-environment": {
        "OkeyVectorEnv(64,": "OkeyVectorEnv(4,",
        "range(200)": "range(3)",
        "random --deals 4": "random --deals 2",
        "range(10)": "range(1)",
    },
    "first-bot": {
        "random --deals 20": "random --deals 2",
        "greedy --deals 10": "greedy --deals 2",
        "mybot:FirstBot --deals 10": "mybot:FirstBot --deals 2",
    },
}
"""By page, what the short form does less of: as it is written, the kernel is slow."""


def steps(page: str) -> Iterator[tuple[str, str]]:
    blocks = re.compile(r"(?P<before>[^\n]*)\n\n```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
    for block in blocks.finditer(page):
        saved = re.search(r"[Ss]ave (?:this|it) as `([\w.]+)`:$", block["before"])
        if saved:
            yield saved[1], block["text"]
        elif block["kind"] == "console":
            for command in re.findall(r"^\$ (.*)$", block["text"], re.MULTILINE):
                yield "", command


def begun(
    words: list[str], port: int, folder: Path, environ: dict[str, str]
) -> subprocess.Popen[str]:
    """A server that answers; whoever asked for it ends it."""
    server = subprocess.Popen(
        words, cwd=folder, env=environ, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    for _ in range(600):
        assert server.poll() is None, server.communicate()
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1).close()
            return server
        time.sleep(0.1)
    raise AssertionError("the server does not answer")


def marks(page: Path) -> Any:
    return pytest.mark.long if page.stem in SERVED else ()


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.stem, marks=marks(page)) for page in PAGES]
)
def test_what_a_reader_does(page: Path, tmp_path: Path, size: Size) -> None:
    port = free_port()
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("python", ""), ("okey101", "-m okey101")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', "utf-8")
        program.chmod(0o755)
    for beside in page.parent.glob("*.json"):
        (tmp_path / beside.name).write_bytes(beside.read_bytes())
    environ = os.environ | {
        "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{tmp_path}",
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        # Nobody looks on.
        "OKEY101_BOT_DELAY_MS": "0",
        "OKEY101_DEALING_S": "0",
        "OKEY101_FIRST_DEAL_WAIT_S": "1",
    }
    text = page.read_text("utf-8").replace("8101", str(port))
    text = text.replace("0.0.0.0", "127.0.0.1")
    for full, less in LESS.get(page.stem, {}).items():
        assert text.count(full) == 1, full
        text = text.replace(full, (less, full)[size(0, long=1)])
    running: list[subprocess.Popen[str]] = []
    done = 0
    try:
        for name, step in steps(text):
            done += 1
            if name:
                (tmp_path / name).write_text(step, "utf-8")
                continue
            typed = shlex.split(step.removesuffix("&"))
            if step.endswith("&"):
                running.append(begun(typed, port, tmp_path, environ))
            else:
                ran(*typed, cwd=tmp_path, env=environ)
    finally:
        for process in running:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
    assert done, "a tutorial without anything to do"


PAGE = (ROOT / "docs" / "en" / "bots.md").read_text("utf-8")


def test_the_code_and_the_commands_of_the_page(tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (code,) = (block for block in blocks if "class Careful" in block)
    (tmp_path / "careful.py").write_text(code, encoding="utf-8")
    for beside in (ROOT / "examples" / "bots").iterdir():
        (tmp_path / beside.name).write_bytes(beside.read_bytes())
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    environ = os.environ | {
        "PYTHONPATH": str(ROOT / "src"),
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
    }
    commands = re.findall(r"^\$ okey101 (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        if "first_bot" in command and "arena" not in command:
            continue  # tests/bots/test_registry.py checks the examples
        ran_python("-m", "okey101", *shlex.split(command), cwd=tmp_path, env=environ)


GUIDE = Path(__file__).with_name("typed_guide.py")


def test_typed_code_of_the_guides_runs() -> None:
    """And passes mypy, strictly, as all tests do in ``make lint``."""
    assert runpy.run_path(str(GUIDE))["done"].over


@pytest.mark.parametrize("page", ["from-python-chess", "from-openspiel"])
def test_the_right_column_runs(page: str, tmp_path: Path, monkeypatch: Patch) -> None:
    """Each line of code that is ours, from top to bottom, after what the page imports."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "en" / f"{page}.md").read_text("utf-8")
    lines = re.findall(r"^(?:>>> (.*)|\| .* \| (.*))$", text, re.MULTILINE)
    codes = [*(code for code, _ in lines if code)]
    ours = [code for _, cell in lines for code in re.findall(r"`([^`]+)`", cell)]
    names: dict[str, object] = {}
    for code in codes + ours:
        exec(code, names)
    assert len(ours) > 20


SAMPLE = ROOT / "docs" / "en" / "tutorials" / "match.okey.json"


def of_okey101(page: str) -> list[str]:
    return [command for where, _, command in ALL if where == page
            and words_of(command)[0] == "okey101"]  # fmt: skip


def run(command: str, folder: Path, environ: dict[str, str]) -> str:
    """What a command says in a folder, in this process; whoever it asks wants to quit."""
    said = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    typed = io.TextIOWrapper(io.BytesIO(b"quit\n"), "utf-8")
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(said),
        patch.dict(os.environ, environ),
        patch("sys.stdin", typed),
    ):
        assert main(words_of(command)[1:]) == 0
    return said.buffer.getvalue().decode()


def serving(command: str, folder: Path, environ: dict[str, str]) -> subprocess.Popen[str]:
    words, port = words_of(command.replace("0.0.0.0", "127.0.0.1")), free_port()
    program = [sys.executable, "-m", *words]
    return begun(program, port, folder, environ | {"OKEY101_PORT": str(port)})


def ended(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 0, said


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """Folders of its own for whatever is kept."""
    own = {name: str(tmp_path / name) for name in ("XDG_STATE_HOME", "XDG_DATA_HOME")}
    return os.environ | own | {"PYTHONPATH": str(ROOT / "src"), "OKEY101_LANG": "en"}


@pytest.mark.parametrize("page", ["README.md", *only_long("README.tr.md")])
def test_the_commands_of_the_front_pages_run(
    page: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    shutil.copy(SAMPLE, tmp_path)
    commands = [command for command in of_okey101(page) if words_of(command)[1] != "serve"]
    assert len(commands) == 8
    for command in commands:
        assert run(command, tmp_path, environ)


async def opened(url: str) -> None:
    await (await Client.as_guest(url, "A guest")).create()
    async with httpx.AsyncClient(base_url=url) as http:
        await account(http, "Ayşe Çelik")


@pytest.mark.parametrize("language", [*only_long("en"), "tr"])
def test_a_host_s_commands_run(language: str, tmp_path: Path, environ: dict[str, str]) -> None:
    """Served as on the front page, looked after, backed up, and put back; in folders here."""
    places = {"/var/lib/okey101": "data", "/backup/": "backup/"}
    (tmp_path / "backup").mkdir()
    environ["OKEY101_DATA"] = str(tmp_path / "data")

    def here(command: str) -> str:
        command = re.sub(r"-(\d{4}-\d\d-\d\d|\$\(date \+%F\))", "-today", command)
        for place, name in places.items():
            command = command.replace(place, f"{tmp_path}/{name}")
        return command

    commands = [here(command) for command in of_okey101(f"docs/{language}/hosting.md")]
    restores = [command for command in commands if " admin restore " in command]
    front = of_okey101({"en": "README.md", "tr": "README.tr.md"}[language])
    (serve,) = (command for command in front if words_of(command)[1] == "serve")
    server = serving(serve, tmp_path, environ)
    token = str(tmp_path / "data" / "admin.token")
    try:
        told = json.loads((tmp_path / "data" / "server.json").read_text("utf-8"))
        asyncio.run(opened(told["url"]))
        for command in commands:
            # A copy to a database stands still meanwhile: tests/cluster/test_copy.py makes it.
            if command not in restores and " serve" not in command and " copy " not in command:
                command = command.replace("https://okey.example", told["url"])
                run(command.replace("~/moderator.token", token), tmp_path, environ)
    finally:
        ended(server)
    assert len(restores) == 1
    for command in restores:
        run(command, tmp_path, environ)


LONG = sorted(
    {
        re.sub(r"--deals \d+", "--deals 2", command).replace(" --compiled", "")
        for page, kind, command in ALL
        if kind == "" and command.startswith(("okey101 arena", "okey101 simulate"))
    }
)
"""What takes minutes to hours, with two deals in place of thousands, by readable bots."""


@pytest.mark.long
@pytest.mark.parametrize("command", LONG)
def test_what_takes_long_runs_with_two_deals(
    command: str, tmp_path: Path, environ: dict[str, str]
) -> None:
    assert run(command.replace(" --ray FIRST:6379", ""), tmp_path, environ)


SPHINX = ("-m", "sphinx", "-q", "-W", "--keep-going", "-c", ROOT / "docs" / "site")
REFERENCE = ROOT / "docs" / "api"
NOTEBOOKS = sorted((ROOT / "docs").rglob("*.ipynb"))


@pytest.fixture(scope="module")
def entries() -> ModuleType:
    """What the site does to the entries of the reference."""
    return script(ROOT / "docs/site/reference_entries.py")


def test_examples_of_the_reference_can_be_pasted(entries: ModuleType) -> None:
    """Each runs in a new interpreter, by the imports that the site puts before it."""
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, done, told = [], 0, io.StringIO()
    for face, names in directives().items():
        for name in names:
            thing = getattr(importlib.import_module(face), name)
            for found in doctest.DocTestFinder().find(thing, f"{face}.{name}", module=False):
                home = getattr(thing, "__module__", face)
                lines = (found.docstring or "").splitlines()
                text = "\n".join(entries.with_imports(lines, face, home))
                example = doctest.DocTestParser().get_doctest(text, {}, found.name, None, 0)
                run = doctest.DocTestRunner(optionflags=flags).run(example, out=told.write)
                done += 1
                if run.failed:
                    failed.append(found.name)
    assert failed == [], told.getvalue()
    assert done > 70


def test_the_page_of_codes_has_every_sentence_of_a_code() -> None:
    for language, reasons in {
        "en": ("no Numba", "turned off"),
        "tr": ("Numba", "kapatmış"),
    }.items():
        page = (ROOT / "docs" / language / "codes.md").read_text("utf-8")
        (row,) = re.findall(r"^\| `no-reviews` .*$", page, re.MULTILINE)
        assert all(reason in row for reason in reasons)


def test_constants_of_the_reference_have_their_text(entries: ModuleType) -> None:
    pages = {path.name: path.read_text("utf-8") for path in REFERENCE.glob("*.md")}
    silent, constants = [], 0
    for text in pages.values():
        module = ""
        for kind, name in re.findall(r"^\.\. (\w+):: ([\w.]+)$", text, re.MULTILINE):
            module = name if kind == "currentmodule" else module
            if kind == "autodata":
                constants += 1
                if not entries.text_of_constant(module, name):
                    silent.append(f"{module}.{name}")
    assert silent == []
    assert constants > 10


@pytest.mark.parametrize(
    ("language", "builder"), [("en", "dummy"), *only_long(["tr", "html"], ["en", "html"])]
)
def test_the_site_builds_without_a_warning(language: str, builder: str, tmp_path: Path) -> None:
    """Every link, picture and heading that a page leads to is there, or Sphinx warns.

    The dummy builder reads and checks all of that, and writes nothing, no quotation marks either;
    the reference and what was measured are left to the others.
    """
    pytest.importorskip("sphinx", reason="the site needs the group `docs` (make docs brings it)")
    command: tuple[object, ...] = (*SPHINX, "-b", builder, "-d", tmp_path / "trees")
    if builder == "dummy":
        left_out = ".*,build,dist,src,tests,web,docs/api,benchmarks"
        command += ("-D", "smartquotes=0", "-D", f"exclude_patterns={left_out}")
    environ = {"OKEY101_SITE_LANGUAGE": language, "OKEY101_SITE_RUN": "0"}
    ran_python(*command, ROOT, tmp_path / "site", env=environ)
    if builder == "dummy":
        return
    assert "url=README" in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert (tmp_path / "site" / "searchindex.js").stat().st_size > 10_000


def test_links_lead_to_what_lies_in_the_site(tmp_path: Path) -> None:
    """To the copy of a file that readers run, and from a folder of pages or a notebook to a page.

    The build that the test above leans on sees a dead link and a dead heading.
    """
    pytest.importorskip("sphinx", reason="the site needs the group `docs` (make docs brings it)")
    source, site = tmp_path / "pages", tmp_path / "site"
    (source / "docs" / "en" / "tutorials").mkdir(parents=True)
    (source / "README.md").write_text(
        "# A\n\n[record](docs/en/tutorials/match.okey.json), [folder](docs/en/tutorials),"
        " [client](examples/client.py), [the\ntests](tests/test_documents.py),"
        " [gone](no-such-page.md) and [away](#no-such-heading)\n",
        "utf-8",
    )
    (source / "docs" / "en" / "tutorials" / "first-bot.md").write_text(
        "# B\n\n[record](match.okey.json)\n", "utf-8"
    )
    build = ran_python(*SPHINX, "-D", "root_doc=README", source, site, ends=1)
    assert "no-such-page.md" in build.stderr
    assert "no-such-heading" in build.stderr
    leads = {
        page: {
            text: href
            for href, text in re.findall(
                r'<a class="reference external" href="([^"]*)">([\w\s]+)</a>',
                (site / page).read_text("utf-8"),
            )
        }
        for page in ("README.html", "docs/en/tutorials/first-bot.html")
    }
    assert (
        leads["README.html"].items()
        >= {
            "record": "docs/en/tutorials/match.okey.json",
            "folder": "docs/en/tutorials/first-bot.html",
            "client": "examples/client.py",
            "the\ntests": "https://github.com/okey101/okey101/blob/main/tests/test_documents.py",
        }.items()
    )
    below = leads["docs/en/tutorials/first-bot.html"]["record"]
    copy = (site / "docs" / "en" / "tutorials" / below).resolve()
    original = ROOT / "docs" / "en" / "tutorials" / "match.okey.json"
    assert copy.is_relative_to(site)
    assert copy.read_bytes() == original.read_bytes()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_notebook_runs(notebook: Path) -> None:
    """Its cells run one after the other; checked in without results, so that none is stale."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
            with contextlib.redirect_stdout(io.StringIO()):
                exec("".join(cell["source"]), names)
