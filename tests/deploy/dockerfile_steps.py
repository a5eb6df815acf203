"""The steps of a Dockerfile, done in root file systems made from Debian's packages.

For machines without a container engine: each stage is a folder, COPY copies, RUN runs in it by
``chroot``, and a container is a mount namespace with a read-only root. It knows what our own file
uses; anything else raises ValueError. The base images are Debian's Python, whatever FROM names.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TOLD = frozenset({"LABEL", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL"})
_NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt")


@dataclass
class Image:
    """A stage: its root, and what the instructions said of it."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = ""
    volumes: tuple[str, ...] = ()
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction with its words, lines that go on joined."""
    lines = re.sub(r"\\\n\s*", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE))
    for line in filter(None, map(str.strip, lines.splitlines())):
        word, _, rest = line.partition(" ")
        yield word, rest.strip()


def build(file: Path, context: Path, base: Path, work: Path, built: dict[str, Path]) -> Image:
    """Do the steps of a file and return its last stage.

    ``base`` is a root file system, copied for each stage; ``built`` has folders that stand for
    stages which can't be done here, by their names. subprocess.CalledProcessError with the output
    of a step that fails.
    """
    stages: dict[str, Image] = {}
    image = Image(base)
    left_out = False
    for number, (word, rest) in enumerate(instructions(file.read_text("utf-8"))):
        if word == "FROM":
            name = rest.partition(" AS ")[2] or str(number)
            left_out = name in built
            root = built[name] if left_out else work / name
            if not left_out:
                subprocess.run(["cp", "-a", "--reflink=auto", str(base), str(root)], check=True)
            image = stages[name] = Image(root)
        elif left_out:
            continue
        elif word == "WORKDIR":
            image.workdir = rest
            _inside(image.root, rest).mkdir(parents=True, exist_ok=True)
        elif word == "ARG":
            name, _, value = rest.partition("=")
            image.environ[name] = value
        elif word == "ENV":
            for pair in shlex.split(rest):
                name, _, value = pair.partition("=")
                image.environ[name] = value.replace("$PATH", _PATH)
        elif word == "COPY":
            _copy(image, stages, context, shlex.split(rest))
        elif word == "RUN":
            _run(image, rest)
        elif word == "USER":
            image.user = rest
        elif word in ("ENTRYPOINT", "CMD"):
            setattr(image, "entrypoint" if word == "ENTRYPOINT" else "command", json.loads(rest))
        elif word in _TOLD:
            if word == "VOLUME":
                image.volumes = tuple(rest.split())
            elif word == "HEALTHCHECK":
                image.health = json.loads(rest[rest.index("[") :])
        else:
            raise ValueError(f"{word} is not known here")
    return image


_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def _inside(root: Path, path: str) -> Path:
    return root / path.lstrip("/")


def _copy(image: Image, stages: dict[str, Image], context: Path, words: list[str]) -> None:
    origin = context
    if words[0].startswith("--from="):
        origin = stages[words.pop(0).removeprefix("--from=")].root
    *sources, target = words
    place = _inside(image.root, target if target.startswith("/") else f"{image.workdir}/{target}")
    for source in sources:
        path = _inside(origin, source)
        if path.is_dir():
            skip = shutil.ignore_patterns("__pycache__", "node_modules", "_web")
            shutil.copytree(
                path, place, symlinks=True, dirs_exist_ok=True,
                ignore=skip if origin == context else None,
            )  # fmt: skip
        else:
            place.mkdir(parents=True, exist_ok=True) if target.endswith("/") else None
            shutil.copy2(path, place / path.name if place.is_dir() else place)


def _run(image: Image, command: str) -> None:
    """A step with the network of this machine, and where its packages come from."""
    for path in _NETWORK:
        if Path(path).exists():
            _inside(image.root, path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, _inside(image.root, path))
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.lower().endswith("_proxy") or name.startswith(("PIP_", "UV_", "SSL_"))
    }
    kept.pop("UV_PROJECT_ENVIRONMENT", None)
    done = subprocess.run(
        ["unshare", "--mount", "chroot", str(image.root), "/bin/sh", "-c",
         f"mount -t proc proc /proc && cd {shlex.quote(image.workdir)} && {command}"],
        env={"PATH": _PATH, "HOME": "/root", **kept, **image.environ},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    if done.returncode:
        raise subprocess.CalledProcessError(
            done.returncode, command, done.stdout[-2000:], done.stderr[-4000:]
        )


def container(
    image: Image, command: list[str], volumes: dict[str, Path], environ: dict[str, str]
) -> list[str]:
    """The command that runs an image as compose.yaml does: its user, no rights, read-only."""
    root = shlex.quote(str(image.root))
    steps = [f"mount --bind {root} {root}", f"mount -t tmpfs tmpfs {root}/tmp"]
    steps += [
        f"mount --bind {shlex.quote(str(there))} {root}{inside}"
        for inside, there in volumes.items()
    ]
    steps += [f"mount -t proc proc {root}/proc", f"mount -o remount,bind,ro {root}"]
    names = {"PATH": _PATH, **image.environ, **environ}
    words = ["env", "-i", *(f"{name}={value}" for name, value in names.items()), *command]
    inner = shlex.join(
        ["chroot", str(image.root), "setpriv", f"--reuid={image.user}", f"--regid={image.user}",
         "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", *words]
    )  # fmt: skip
    steps.append(f"exec {inner}")
    return ["unshare", "--mount", "sh", "-c", " && ".join(steps)]
