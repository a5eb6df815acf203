"""The container's steps, the compose file, and the unit of systemd."""

import importlib
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import missing, ran
from deploy.dockerfile_steps import Image, build, container, instructions
from okey101.server.ops.metrics import Metrics
from okey101.server.settings import Settings

yaml: Any = importlib.import_module("yaml")

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNIT = DEPLOY / "okey101.service"
NODE = DEPLOY / "okey101@.service"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
SETTINGS = {f"OKEY101_{name.upper()}" for name in Settings.model_fields}


def test_what_the_image_is_made_of_is_in_the_context() -> None:
    allowed = {
        line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line[0] == "!"
    }
    for word, rest in instructions(DOCKERFILE):
        if word == "COPY" and not rest.startswith("--from"):
            for source in rest.split()[:-1]:
                assert (ROOT / source).exists(), source
                assert source.split("/")[0] in allowed


def test_the_image_installs_with_the_house_s_own_version_of_uv() -> None:
    version = re.search(r"^UV_VERSION := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert version is not None
    assert f'"uv=={version[1]}"' in DOCKERFILE


def test_the_unit_on_the_page_is_the_one_in_the_folder() -> None:
    for language in ("en", "tr"):
        page = (ROOT / "docs" / language / "hosting.md").read_text("utf-8")
        assert "deploy/okey101.service" in page
        assert "deploy/okey101@.service" in page
        assert "deploy/nodes.yaml" in page
    unit = UNIT.read_text("utf-8")
    for line in ("Type=notify", "RestartPreventExitStatus=2", "ReadWritePaths=-/backup"):
        assert line in unit


def test_a_unit_of_nodes_differs_in_what_each_node_has_for_itself() -> None:
    own = r"(?:Description|StateDirectory|Environment(?:File)?)="
    units = [
        [line for line in unit.read_text("utf-8").splitlines() if not re.match(rf"#|{own}", line)]
        for unit in (UNIT, NODE)
    ]
    assert units[0] == units[1]
    told = NODE.read_text("utf-8")
    assert {*re.findall(r"OKEY101_\w+", told)} <= SETTINGS
    for line in ("StateDirectory=okey101-%i", "OKEY101_DATA=/var/lib/okey101-%i"):
        assert line in told


@pytest.mark.parametrize("name", ["compose", "nodes"])
def test_what_a_compose_file_names_is_there(name: str) -> None:
    """Settings, files, volumes, networks and services; and the proxy's other ends."""
    file = yaml.safe_load((DEPLOY / f"{name}.yaml").read_text("utf-8"))
    services = file["services"]
    (network,) = file["networks"]
    for one, service in services.items():
        assert service["networks"] == [network], one
        assert {*service.get("depends_on", ())} <= {*services}, one
        if "build" in service:
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()
            environ = service["environment"]
            assert {*environ} <= SETTINGS, one
            (subnet,) = file["networks"][network]["ipam"]["config"]
            assert environ["OKEY101_TRUSTED_PROXIES"] == subnet["subnet"]
            assert environ.get("OKEY101_NODE_ADDRESS", f"{one}:8102") == f"{one}:8102"
        for volume in service["volumes"]:
            source = volume.split(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith(".") else (
                source in file["volumes"]
            ), volume  # fmt: skip
    (proxy,) = (one for one in services.values() if one["image"].startswith("caddy:"))
    (caddy,) = (one for one in proxy["volumes"] if one.startswith("."))
    text = (DEPLOY / caddy.split(":")[0]).read_text("utf-8")
    ends = re.findall(r"\b(\w+):8101", text)
    assert ends == [one for one, service in services.items() if "environment" in service
                    and "OKEY101_PUBLIC_URL" in service["environment"]]  # fmt: skip


def test_a_copy_is_made_at_once_and_its_age_is_watched(tmp_path: Path) -> None:
    """By name over a network that outlives the server's restarts; tried again where it failed."""
    backup = SERVICES["backup"]
    assert "network_mode" not in backup
    assert backup["networks"] == SERVICES["okey101"]["networks"]
    assert backup["pull_policy"] == "never"  # nobody else's image of that name
    assert "-mmin -1560" in backup["healthcheck"]["test"][1]
    (script,) = backup["command"]
    for program, words in (
        ("okey101", 'echo "$*" >>said; test "$(wc -l <said)" -gt 1'),
        ("find", "echo find >>said"),
        ("sleep", 'echo "sleep $1" >>said; test "$1" = 600 || kill $PPID'),
    ):
        (tmp_path / program).write_text(f"#!/bin/sh\n{words}\n", "utf-8")
        (tmp_path / program).chmod(0o755)
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(
        ["sh", "-c", script.replace("$$", "$")], cwd=tmp_path, env=environ, check=False, timeout=30
    )
    said = (tmp_path / "said").read_text("utf-8").splitlines()
    at = r"admin backup /backup/\S+ --url http://okey101:8101 --token-file /data/admin.token"
    wanted = [at, "sleep 600", at, "find", "sleep 86400"]
    assert [bool(re.fullmatch(*pair)) for pair in zip(wanted, said, strict=True)] == [True] * 5


def test_what_a_killed_server_leaves_of_a_copy_is_none(tmp_path: Path) -> None:
    script = SERVICES["backup"]["healthcheck"]["test"][1].replace("/backup", str(tmp_path))
    (tmp_path / "today").mkdir()
    for name, code in (("log.sqlite.part-0a", 1), ("log.sqlite", 0)):
        (tmp_path / "today" / name).touch()
        assert subprocess.run(["sh", "-c", script], check=False).returncode == code


def test_the_extras_of_the_image_are_an_argument() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    told = dict(instructions(DOCKERFILE))["ARG"]
    name, _, default = told.partition("=")
    assert set(default.split()) <= set(extras)
    assert SERVICES["okey101"]["build"]["args"] == {name: "${OKEY101_EXTRAS:-all}"}


def test_alerts_ask_for_metrics_that_are_there() -> None:
    """Every name in the rules is one of ours, or of a process, or Prometheus' own."""
    metrics = set(re.findall(r"^(\w+)(?:{| )", Metrics().render().decode(), re.MULTILINE))
    (group,) = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"]
    rules = group["rules"]
    assert len({rule["alert"] for rule in rules}) == len(rules) >= 10
    for rule in rules:
        bare = re.sub(r"{[^}]*}|\[\w+\]|\b(?:increase|changes|max_over_time)\b", "", rule["expr"])
        asked = set(re.findall(r"[a-z]\w+", bare))
        assert asked, rule["alert"]
        assert asked <= metrics | {"up"}, rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"].keys() == {"summary", "action"}


@pytest.mark.parametrize("unit", [UNIT, NODE], ids=["one", "nodes"])
def test_the_unit_is_rated_3_or_better(unit: Path, tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if program is None:
        missing("SYSTEMD-ANALYZE IS MISSING: the unit is not rated; make units")
    instance = tmp_path / unit.name.replace("@", "@one")
    shutil.copy(unit, instance)
    ran(program, "security", "--offline=true", "--no-pager", "--threshold=30", instance)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The image, built by its own steps in root file systems; the page is this checkout's."""
    absent = [name for name in ("debootstrap", "unshare", "chroot", "setpriv")
               if shutil.which(name) is None]  # fmt: skip
    if os.geteuid() or absent:
        pytest.skip(f"no container engine, and no root file systems: missing {absent or 'root'}")
    work = tmp_path_factory.mktemp("image")
    base, page = work / "base", work / "page"
    packages = "--include=python3,python3-venv,ca-certificates"
    subprocess.run(
        ["debootstrap", "--variant=minbase", packages, "bookworm", str(base)],
        check=True,
        capture_output=True,
    )
    shutil.copytree(ROOT / "src/okey101/_web", page / "src/src/okey101/_web")
    yield build(DEPLOY / "Dockerfile", ROOT, base, work, {"page": page})
    shutil.rmtree(work, ignore_errors=True)


def answers(url: str, process: subprocess.Popen[str]) -> str:
    for _ in range(600):
        assert process.poll() is None, process.communicate()
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")


@pytest.mark.long
def test_the_container_serves_backs_up_and_comes_back(image: Image, tmp_path: Path) -> None:
    """Without a container engine: by the same steps, in a root file system of Debian's packages.

    Its user is not root, its root is read-only, and data and backups are all that it writes.
    """
    volumes = {place: tmp_path / place.strip("/") for place in image.volumes}
    for folder in volumes.values():
        folder.mkdir(mode=0o700)
        os.chown(folder, 10101, 10101)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environ = {"OKEY101_PORT": str(port), "OKEY101_HOST": "127.0.0.1"}

    def command(*words: str) -> list[str]:
        return container(image, [*image.entrypoint, *words], volumes, environ)

    for round_ in range(2):
        process = subprocess.Popen(
            command(*image.command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            assert "<html" in answers(f"http://127.0.0.1:{port}/", process)
            (server,) = (
                int(folder.name) for folder in Path("/proc").glob("[0-9]*")
                if b"okey101\0serve" in (folder / "cmdline").read_bytes()
                and (folder / "root").resolve() == image.root.resolve()
            )  # fmt: skip
            status = Path(f"/proc/{server}/status").read_text()
            assert re.search(r"^Uid:\s+10101\s+10101", status, re.MULTILINE)
            assert re.search(r"^CapBnd:\s+0+$", status, re.MULTILINE)
            health = [word.replace("8101", str(port)) for word in image.health]
            subprocess.run(container(image, health, volumes, environ), check=True)
            copied = command("admin", "backup", f"/backup/copy-{round_}")
            subprocess.run(copied, check=True, capture_output=True)
            write = container(image, ["touch", "/opt/okey101/written"], volumes, environ)
            assert subprocess.run(write, check=False, capture_output=True).returncode
        finally:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    assert (volumes["/backup"] / "copy-1").is_dir()
    checked = command("admin", "check", "--data", "/backup/copy-1")
    subprocess.run(checked, check=True, capture_output=True)
