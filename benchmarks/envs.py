"""The environments: steps a second at random legal play, observation and mask included.

Peers play beside them in the same run, each in a virtual environment of its own, which is made in
the user's cache folder where it is missing; one that can't be installed is left out, and the
section says so. Every contestant is a process that plays a round when it is asked to.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import interleaved, median, table

__all__ = ["report"]

SECONDS = 2.0
ROUNDS = 5
ENVS = 1_024
_ROOT = Path(__file__).resolve().parents[1]

PEERS = {
    "PettingZoo gin_rummy_v4": ("pettingzoo[classic]==1.25.0", "rlcard==1.2.0", "pygame"),
    "RLCard gin-rummy": ("rlcard==1.2.0",),
    "OpenSpiel gin_rummy from Python": ("open-spiel>=1.6", "numpy"),
    "pgx sparrow_mahjong, batch of 1,024": ("pgx==2.6.0", "jax"),
}
"""What each peer's environment needs."""


def _aec(game: object) -> Callable[[random.Random], int]:
    """A deal of a PettingZoo environment: the steps of its players."""

    def once(rng: random.Random) -> int:
        import numpy as np

        made: object = game
        made.reset(seed=rng.randrange(1 << 30))  # type: ignore[attr-defined]
        steps = 0
        for _ in made.agent_iter():  # type: ignore[attr-defined]
            seen, _, over, cut, _ = made.last()  # type: ignore[attr-defined]
            if over or cut:
                made.step(None)  # type: ignore[attr-defined]
                continue
            legal = np.flatnonzero(seen["action_mask"])
            made.step(int(legal[int(rng.random() * len(legal))]))  # type: ignore[attr-defined]
            steps += 1
        return steps

    return once


def _own_aec(wrapped: bool, compiled: bool) -> Callable[[random.Random], int]:
    from okey101.envs.pettingzoo import env, raw_env

    return _aec(env(compiled=compiled) if wrapped else raw_env(compiled=compiled))


def _own_vector(opponents: str | None = None) -> Callable[[random.Random], int]:
    """Twenty steps of the vector environment, each choice from the list of legal numbers."""
    import numpy as np

    from okey101.envs import OkeyVectorEnv

    game = OkeyVectorEnv(ENVS, opponents=opponents, copy=False)
    infos = game.reset(seed=1)[1]
    rng = np.random.default_rng(1)

    def once(_: random.Random) -> int:
        nonlocal infos
        for _step in range(20):
            starts = infos["legal_starts"]
            many = np.diff(starts)
            places = starts[:-1] + (rng.random(ENVS) * many).astype(np.int64)
            infos = game.step(infos["legal"][places])[4]
        return 20 * ENVS

    return once


def _pettingzoo() -> Callable[[random.Random], int]:
    from pettingzoo.classic import gin_rummy_v4

    return _aec(gin_rummy_v4.env())


def _rlcard() -> Callable[[random.Random], int]:
    import rlcard

    game = rlcard.make("gin-rummy")

    def once(rng: random.Random) -> int:
        state, _ = game.reset()
        steps = 0
        while not game.is_over():
            state, _ = game.step(rng.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return once


def _openspiel() -> Callable[[random.Random], int]:
    import numpy as np
    import pyspiel

    game = pyspiel.load_game("gin_rummy")

    def once(rng: random.Random) -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            np.asarray(state.observation_tensor(), dtype=np.float32)
            np.asarray(state.legal_actions_mask(), dtype=np.int8)
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
            steps += 1
        return steps

    return once


def _pgx() -> Callable[[random.Random], int]:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    game = pgx.make("sparrow_mahjong")

    @jax.jit  # type: ignore[untyped-decorator]
    def play(state: object, key: object) -> object:
        draw, next_ = jax.random.split(key)
        logits = jax.numpy.log(state.legal_action_mask.astype(float))  # type: ignore[attr-defined]
        actions = jax.random.categorical(draw, logits)
        keys = jax.random.split(next_, ENVS)
        return jax.vmap(auto_reset(game.step, game.init))(state, actions, keys)

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(game.init))(jax.random.split(key, ENVS))

    def once(_: random.Random) -> int:
        nonlocal state, key
        for _step in range(20):
            key, own = jax.random.split(key)
            state = play(state, own)
        state.observation.block_until_ready()
        return 20 * ENVS

    return once


OWN: dict[str, Callable[[], Callable[[random.Random], int]]] = {
    "okey101 AEC, env()": lambda: _own_aec(True, False),
    "okey101 AEC, raw_env()": lambda: _own_aec(False, False),
    "okey101 AEC, env(compiled=True)": lambda: _own_aec(True, True),
    "okey101 AEC, raw_env(compiled=True)": lambda: _own_aec(False, True),
    f"okey101 vector of {ENVS:,}": _own_vector,
    f"okey101 vector of {ENVS:,}, against three `greedy`": lambda: _own_vector("greedy"),
}
OTHERS: dict[str, Callable[[], Callable[[random.Random], int]]] = {
    "PettingZoo gin_rummy_v4": _pettingzoo,
    "RLCard gin-rummy": _rlcard,
    "OpenSpiel gin_rummy from Python": _openspiel,
    "pgx sparrow_mahjong, batch of 1,024": _pgx,
}


def serve(name: str) -> None:
    """Play a round for every line that comes in, and answer with its steps a second."""
    once = (OWN | OTHERS)[name]()
    rng = random.Random(1)
    once(rng)
    print("ready", flush=True)
    for _ in sys.stdin:
        start, steps = time.process_time(), 0
        while time.process_time() - start < SECONDS:
            steps += once(rng)
        print(steps / (time.process_time() - start), flush=True)


def _python_of(name: str) -> str:
    """The interpreter that a contestant runs in."""
    if name in OWN:
        return sys.executable
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "okey101" / "benchmarks" / "".join(c if c.isalnum() else "-" for c in name)
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        uv = Path(sys.executable).with_name("uv")
        subprocess.run([uv, "venv", "--quiet", "--clear", folder], check=True)
        subprocess.run(
            [uv, "pip", "install", "--quiet", "--python", python, *PEERS[name]], check=True
        )
        (folder / "ready").touch()
    return str(python)


def _started(name: str) -> subprocess.Popen[str]:
    one_core = {"OMP_NUM_THREADS": "1", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
    process = subprocess.Popen(
        [_python_of(name), "-m", "benchmarks.envs", name],
        cwd=_ROOT,
        env=os.environ | one_core,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line == "ready\n":
            return process
    raise RuntimeError(f"{name} did not start")


def _asking(process: subprocess.Popen[str]) -> Callable[[], float]:
    def run() -> float:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        return float(process.stdout.readline())

    return run


def report() -> str:
    """Measure, and give a section of results.md."""
    processes: dict[str, subprocess.Popen[str]] = {}
    absent = []
    for name in OWN | OTHERS:
        try:
            processes[name] = _started(name)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            if name in OWN:
                raise
            absent.append(name)
            print(f"envs: {name} is left out: {error}", file=sys.stderr)
    try:
        figures = interleaved({n: _asking(p) for n, p in processes.items()}, ROUNDS)
    finally:
        for process in processes.values():
            process.kill()
    rows = [
        (name, f"{median(f):,.0f}", f"{min(f):,.0f} to {max(f):,.0f}")
        for name, f in figures.items()
    ]
    left_out = f" Could not be installed here: {', '.join(absent)}." if absent else ""
    return (
        "## Environments\n\n"
        "Steps of players per cpu-second on one core at random legal play, observation and mask "
        "included, dealing too (altinstar). In the vectors a choice is drawn from the list of "
        "legal numbers (okey101) or from the mask inside the compiled step (pgx). Median of "
        f"{ROUNDS} interleaved rounds of {SECONDS:g} s, each environment in a process and a "
        f"virtual environment of its own.{left_out}\n\n"
        + table(("environment", "steps/s", "range"), rows)
        + "\n"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        serve(sys.argv[1])
    else:
        print(report())
