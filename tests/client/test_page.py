"""The page about clients, its examples and the client in JavaScript: what they show runs."""

import asyncio
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from client.cutting import CuttingProxy, assert_played_once, refusals
from client.test_check import PATIENCE
from client.test_client import CLOCK
from conftest import only_long, ran_python, unwrap
from okey101.client import Client as Program, play, play_at
from okey101.client.check import CheckingProxy
from server.live import LiveServer
from server.web.parties import account, listed_when_saved, short_rules
from server.web.test_bot_accounts import bot_of, invite, table_of

ROOT = Path(__file__).resolve().parents[2]
MODULES = ROOT / "web" / "node_modules"
CHOOSE = (ROOT / "clients" / "js" / "example.mjs").read_text("utf-8").partition("const me =")[0]
MATCH = (
    CHOOSE
    + """
const [, , url, clock, deals] = process.argv;
const me = await Client.guest(url, "My player", { WebSocket, waits: [180, 400] });
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
  ended = error.code === "unfair-deal" ? error.message : (error.code ?? String(error));
}
console.log(JSON.stringify({ id, seat: table.seat, moves, ended }));
table.close();
"""
)

TODAY = (
    CHOOSE
    + """
const [, , url, token, friend, match] = process.argv;
const me = new Client(url, { WebSocket, token });
const told = {};
const refused = (asked) => asked.then(() => "", (error) => error.code);
const seen = async (id) => {
  const table = me.join(id);
  await table.until(() => table.seat !== null && table.stage !== "");
  table.close();
  return table.table;
};

let days = [];
while (!days.length) days = await me.days();
const { date, digest } = await me.day(days[0].date);
const mix = await me.dayMix(date);
const id = await me.playDay(date);
told.day = [mix.digest === digest, (await seen(id)).day === date];
told.again = (await me.playDay(date)) === id;
told.unplayed = await refused(me.dayTable(date));
told.totals = (await me.dayTotals(date, "month")).begins.slice(-3);

const challenge = await me.challenge("greedy");
told.challenge = [challenge.challenge, challenge.bots[1].split("/")[0]];
told.tried = (await seen(await me.playDay(challenge.date))).day === challenge.date;

told.ladder = [(await me.ladder()).lines, (await me.ladder("2020-1")).season];
told.season = await refused(me.ladder("2020-5"));
told.profile = [(await me.profile()).matches, await refused(me.profile(friend))];

await me.befriend({ name: friend });
const { asked } = await me.friends();
const { user } = asked[0];
await me.part(user);
told.friends = [asked[0].name, (await me.friends()).asked];
await me.block(user);
told.blocked = [(await me.friends()).blocked.length];
await me.unblock(user);
told.blocked.push((await me.friends()).blocked.length);
const calls = [refused(me.call(id, user)), refused(me.decline(id))];
told.waiting = await Promise.all([me.waiting(), ...calls]);
told.luck = (await me.luck()).lines;

const family = await me.makeFamily("Pazar Masası", { clock: 60 });
const [line] = await me.families();
told.family = [line.link === family.link, (await me.family(line.link)).options.clock];
told.sat = (await seen(await me.sitWithFamily(line.link))).options.clock;
const renewed = await me.changeFamily(line.link, { name: "Salı Masası", fresh: true });
told.renewed = [renewed.name, renewed.link !== line.link];
told.left = await refused(me.leaveFamily(renewed.link, "u_nobody"));
await me.endFamily(renewed.link);
told.ended = await me.families();

const themes = await me.puzzles("pagat");
const puzzle = await me.puzzle(themes.discards[0]);
const { right, own } = await me.answerPuzzle(puzzle.number, puzzle.decision.best.action);
told.puzzle = [puzzle.rules.preset, puzzle.theme, right, own.provisional];
told.none = await refused(me.puzzle(1000000));

told.once_more = (await seen(await me.again(match, 0, 2, "random"))).again.at;
told.review = [(await me.review(match)).state, await refused(me.askReview("nowhere-1"))];

const sent = [];
globalThis.fetch = (place) => Promise.reject(sent.push(place));
await refused(me.challenge());
await refused(me.makeFamily("Yazlık"));
await refused(me.again(match, 0));
told.once = sent.length;
console.log(JSON.stringify(told));
"""
)

LIVES = """
import { Table } from "okey101-client";

let sent = 0;
const say = (message) => socket.onmessage({ data: JSON.stringify(message) });
const send = (text) => {
  sent += 1;
  queueMicrotask(() => say({ type: "ack", seq: null, rid: JSON.parse(text).rid }));
};
const socket = { readyState: 1, close() {}, send };
const table = new Table("a", "", () => null, { open: () => socket });
const seat = { away: false, ready: false };
const shown = (stage, deals) => ({
  id: "a", stage, match: 1, seats: [seat], scores: { deals }, turn_since: 9000,
});
const heard = async (message) => {
  sent = 0;
  say({ at: 0, you: { seat: 0 }, deal: null, ...message });
  await new Promise((resolve) => setTimeout(resolve));
  return sent;
};
const deal = { number: 1, indicator: "B5", actions: [] };
const dealing = shown("dealing", [1]);
const playing = shown("playing", [1]);
const abandon = { kind: "abandon", why: "restored" };
const told = [
  await heard({ type: "view", seq: 9, table: dealing }),
  await heard({ type: "event", seq: 10, what: {}, table: dealing }),
  await heard({ type: "view", seq: 8, table: dealing }),
  await heard({ type: "event", seq: 9, what: {}, table: playing, deal }),
  await heard({ type: "event", seq: 10, what: abandon, table: dealing, deal: {} }),
  await heard({ type: "event", seq: 11, what: {}, table: playing, deal }),
];
console.log(JSON.stringify(told));
table.close();
"""
"""How many times it is ready: a view of the rows of before, or a deal thrown away, begins anew."""


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
    (folder / "today.mjs").write_text(TODAY, "utf-8")
    (folder / "lives.mjs").write_text(LIVES, "utf-8")
    shutil.copy(ROOT / "clients" / "js" / "example.mjs", folder)
    return folder


async def node(package: Path, *words: str) -> str:
    ran = await asyncio.create_subprocess_exec(
        "node", *words, cwd=package, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, err = await asyncio.wait_for(ran.communicate(), 120)
    assert ran.returncode == 0, err.decode()
    return out.decode()


async def test_the_example_plays_a_match(server: LiveServer, package: Path) -> None:
    assert (package / "example.mjs").read_text("utf-8").count("\n") <= 30
    assert (await node(package, "example.mjs", server.url)).startswith("seat 0, place ")


async def test_a_program_in_javascript_does_what_there_is_every_day(package: Path) -> None:
    with LiveServer(daily="on") as server:
        async with server.http() as http:
            who, _ = await account(http, "Nermin Hanım"), await account(http, "Cevdet Bey")
            table = await Program(server.url, who.token).against_bots(
                deals=1, bot="random", rules=short_rules(4)
            )
            await play(server.url, "random", table=table, token=who.token)
            await listed_when_saved(http, who)
        match = f"{table}-1"
        told = json.loads(
            await node(package, "today.mjs", server.url, unwrap(who.token), "Cevdet Bey", match)
        )
    assert told == {
        "day": [True, True], "again": True, "unplayed": "day-unplayed", "totals": "-01",
        "challenge": [True, "greedy"], "tried": True, "ladder": [[], "2020-1"],
        "season": "no-season", "profile": [1, "no-profile"], "friends": ["Cevdet Bey", []],
        "blocked": [1, 0], "waiting": [[], "day-table", "not-invited"], "luck": [],
        "family": [True, 60], "sat": 60, "renewed": ["Salı Masası", True], "left": "", "ended": [],
        "puzzle": ["pagat", "discards", True, True],
        "none": "no-such-puzzle", "once_more": 2, "review": ["none", "no-match"],
        "once": 3,
    }  # fmt: skip


async def test_a_step_is_done_again_where_the_table_is_put_back(package: Path) -> None:
    assert json.loads(await node(package, "lives.mjs")) == [1, 0, 1, 1, 1, 1]


def test_the_package_needs_nothing(package: Path) -> None:
    told = json.loads((package / "node_modules/okey101-client/package.json").read_text("utf-8"))
    assert not told.get("dependencies")


@pytest.mark.parametrize("seed", [0, *only_long(1)])
async def test_a_match_over_a_line_that_is_cut(
    server: LiveServer, package: Path, seed: int
) -> None:
    before = await refusals(server)
    async with CuttingProxy(server.url, seed, most=8) as proxy:
        told = json.loads(await node(package, "match.mjs", proxy.url, str(CLOCK), "3"))
        assert proxy.cuts.total() >= 2
    assert told["ended"] == ""
    await assert_played_once(server, told["id"], told["seat"], told["moves"], before)


async def test_the_check_of_clients_finds_nothing(server: LiveServer, package: Path) -> None:
    async with CheckingProxy(server.url, seed=1, rounds=1, patience=PATIENCE) as proxy:
        told = json.loads(await node(package, "match.mjs", proxy.url, str(CLOCK), "6"))
        assert told["ended"] == "replaced"
        await asyncio.wait_for(proxy.done.wait(), 30)
        assert proxy.report.found == []
        assert proxy.report.untried == []


OURS = {"PYTHONPATH": str(ROOT / "src")}
EXAMPLE = ROOT / "examples" / "client.py"
INVITED = ROOT / "examples" / "invited.py"


def test_the_example_in_python_plays_a_match(server: LiveServer) -> None:
    assert EXAMPLE.read_text("utf-8").count("\n") <= 40
    ran = ran_python(EXAMPLE, server.url, env=OURS, timeout=120)
    assert ran.stderr == ""
    assert ran.stdout.startswith("seat 0, place ")


async def test_the_example_comes_where_it_is_invited() -> None:
    """And it says how that went, also where it is sent away."""
    with LiveServer(bot_accounts="on", first_deal_wait_s=1) as server:
        async with server.http() as http, server.admin() as admin:
            who = await account(http, "Host")
            bot = await bot_of(http, who, "Goes there")
            running = await asyncio.create_subprocess_exec(
                sys.executable, str(INVITED), server.url, bot["token"], "random",
                env=os.environ | OURS,
                stdout=asyncio.subprocess.PIPE,
            )  # fmt: skip
            assert running.stdout is not None
            try:
                for kicked in (False, True):
                    table = await table_of(http, who, bots=[None, None, "random", "random"])
                    assert await invite(http, who, table, "goes there") == ""
                    async with Program(server.url, who.token).join(table) as at:
                        await at.until(lambda at=at: at.shown.table["seats"][1].get("ready"))  # type: ignore[misc]
                        if not kicked:
                            await at.start()
                            await play_at(at, "random")
                    if kicked:
                        await admin.post(f"/api/admin/tables/{table}/kick", json={"seat": 1})
                    line = await asyncio.wait_for(running.stdout.readline(), 60)
                    said = line.decode().removeprefix(f"{table}: ")
                    assert said == "kicked\n" if kicked else said.startswith("place ")
            finally:
                running.kill()
                await running.wait()


PAGE = (ROOT / "docs" / "en" / "client.md").read_text("utf-8")
HERE = "http://127.0.0.1:8101"


def test_the_code_and_the_commands_of_the_page(server: LiveServer, tmp_path: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    commands = re.findall(r"^\$ okey101 (.*)$", PAGE, re.MULTILINE)
    assert (len(blocks), len(commands)) == (4, 1)
    runs = [["-c", block.replace(HERE, server.url)] for block in blocks]
    runs += [["-m", "okey101", *shlex.split(c.replace(HERE, server.url))] for c in commands]
    for words in runs:
        ran = ran_python(*words, cwd=tmp_path, env=OURS, timeout=120)
        assert ran.stderr == "", ran.stdout
        assert ran.stdout
