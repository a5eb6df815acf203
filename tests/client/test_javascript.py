"""The client in JavaScript: typed, its example plays, and a line that is cut loses nothing."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.cutting import CuttingProxy
from client.logged import acts_of, refusals
from client.test_check import PATIENCE
from client.test_client import CLOCK
from okey101.client.check import CheckingProxy
from server.live import LiveServer

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "web" / "node_modules"
CHOOSE = (ROOT / "clients" / "js" / "example.mjs").read_text("utf-8").partition("const me =")[0]
MATCH = (
    CHOOSE
    + """
const [, , url, clock, deals] = process.argv;
const me = await Client.guest(url, "My player", { WebSocket, waits: [150, 300] });
const id = await me.againstBots({ deals: Number(deals), bot: "random", clock: Number(clock) });
const table = me.join(id);
let moves = 0;
let ended = "";
try {
  for await (const turn of table.turns()) {
    await turn.act(choose(turn.options));
    moves += 1;
  }
} catch (error) {
  ended = error.code ?? String(error);
}
console.log(JSON.stringify({ id, seat: table.seat, moves, ended }));
table.close();
"""
)


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer() as server:
        yield server
        server.assert_clean()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed, as its own build makes it."""
    if shutil.which("node") is None or not (MODULES / "ws").is_dir():
        pytest.fail("the page's modules are not installed: run `make page` first")
    folder = tmp_path_factory.mktemp("js")
    home = folder / "node_modules" / "okey101-client"
    home.mkdir(parents=True)
    (folder / "node_modules" / "ws").symlink_to(MODULES / "ws")
    shutil.copy(ROOT / "clients" / "js" / "package.json", home)
    subprocess.run(
        [MODULES / ".bin" / "tsc", "-p", ROOT / "clients" / "js", "--outDir", home / "dist"],
        check=True,
    )
    assert (home / "dist" / "index.d.ts").is_file()
    (folder / "match.mjs").write_text(MATCH, "utf-8")
    shutil.copy(ROOT / "clients" / "js" / "example.mjs", folder)
    return folder


async def node(package: Path, *words: str) -> str:
    """What a script says; it has to end well."""
    ran = await asyncio.create_subprocess_exec(
        "node", *words, cwd=package, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await asyncio.wait_for(ran.communicate(), 120)
    assert ran.returncode == 0, err.decode()
    return out.decode()


async def test_the_example_plays_a_match(server: LiveServer, package: Path) -> None:
    assert (package / "example.mjs").read_text("utf-8").count("\n") <= 30
    told = await node(package, "example.mjs", server.url)
    assert told.startswith("seat 0, place ")


def test_the_package_needs_nothing(package: Path) -> None:
    told = json.loads((package / "node_modules/okey101-client/package.json").read_text("utf-8"))
    assert not told.get("dependencies")


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
async def test_a_match_over_a_line_that_is_cut(
    server: LiveServer, package: Path, seed: int
) -> None:
    """As with the client in Python: no turn lost, no move sent twice."""
    before = await refusals(server)
    async with CuttingProxy(server.url, seed, most=8) as proxy:
        told = json.loads(await node(package, "match.mjs", proxy.url, str(CLOCK), "3"))
        assert proxy.cuts.total() >= 2
    assert told["ended"] == ""
    acts = acts_of(server, told["id"], told["seat"])
    assert acts.by_others == 0
    assert len(acts.rows) == told["moves"]
    assert set(acts.rids.values()) == {1}
    after = await refusals(server)
    assert {n for n in after if 'type="act"' in n and after[n] != before.get(n)} == set()


async def test_the_check_of_clients_finds_nothing(server: LiveServer, package: Path) -> None:
    async with CheckingProxy(server.url, seed=1, rounds=1, patience=PATIENCE) as proxy:
        told = json.loads(await node(package, "match.mjs", proxy.url, str(CLOCK), "6"))
        assert told["ended"] == "replaced"
        await asyncio.wait_for(proxy.done.wait(), 30)
        assert proxy.report.found == []
        assert proxy.report.untried == []
