"""Bots that are programs of their own: they are asked over pipes, a line of JSON each way.

docs/en/bots.md has the protocol. A program sees what its seat sees and no more: each seat has a
process of its own, whose environment has none of the server's settings. Whatever a program does,
the game goes on: an answer that is late, no answer, or nonsense is a :class:`BotFault`.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import json
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from time import monotonic
from typing import IO, Final, TypeAlias

from okey101.bots.base import BotFault
from okey101.errors import OkeyError
from okey101.game import Action, Options, View, parse_action

PROTOCOL: Final = "okey101-bot/1"
START_S: Final = 15.0
"""So long a program may take until it says hello."""
LINE_MAX: Final = 65_536
"""Longer lines of an answer are nonsense."""
UNREAD_MAX: Final = 64
"""A program that is so many lines ahead, or so many behind with reading, is ended."""
PATIENCE: Final = 3
"""After so many faults in a row that cost time, a program is not asked again in that deal."""
_STOP_S: Final = 1.0

Message = dict[str, object]


class Program:
    """A running program. It is started when it is first asked, and anew after it has ended."""

    def __init__(self, command: str, *, stderr: int | None = subprocess.DEVNULL) -> None:
        """``command`` is split as a shell splits words; no shell runs it."""
        self.command = command
        self.hello: Message = {}
        """What it said of itself."""
        self.asked = 0
        """How many questions it was asked in all deals: an id is never used twice."""
        self._stderr = stderr
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: _Lines = queue.SimpleQueue()
        self._said: _Lines = queue.SimpleQueue()

    @property
    def running(self) -> bool:
        """Whether it has been started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start it and wait for its hello; BotFault where there is none."""
        self.stop(0)  # what is left of one that has ended by itself
        try:
            words = shlex.split(self.command)
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                bufsize=0,
                env={k: v for k, v in os.environ.items() if not k.startswith("OKEY101_")},
                start_new_session=True,  # our Ctrl-C is not theirs
            )
        except (OSError, ValueError) as error:
            raise BotFault("crashed", f"can't be started: {error}") from None
        self._lines, self._said = queue.SimpleQueue(), queue.SimpleQueue()
        source, target = self._process.stdout, self._process.stdin
        assert source is not None and target is not None
        # Threads, as a program that does not read would hold whoever writes to it.
        for work, stream, lines in ((_read, source, self._lines), (_write, target, self._said)):
            threading.Thread(target=work, args=(stream, lines), daemon=True).start()
        try:
            self.tell({"type": "hello", "protocol": PROTOCOL})
            hello = self._answer(monotonic() + START_S)
            if hello.get("type") != "hello" or hello.get("protocol", PROTOCOL) != PROTOCOL:
                raise BotFault("illegal", f"the first answer is no hello of {PROTOCOL}")
        except BotFault:
            self.stop()
            raise
        self.hello = hello

    def tell(self, message: Mapping[str, object]) -> None:
        """Send a line that wants no answer; BotFault where it does not read what it was sent."""
        if self._said.qsize() >= UNREAD_MAX:
            self.stop(0)
            raise BotFault("crashed", "does not read")
        self._said.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def ask(self, message: Mapping[str, object], limit_s: float) -> Message:
        """Send a line and return the answer of the same ``id``; older answers are passed over."""
        end = monotonic() + limit_s
        self.tell(message)
        while (answer := self._answer(end)).get("id") != message.get("id"):
            if not isinstance(answer.get("id"), int):
                raise BotFault("illegal", "an answer without its id")
        return answer

    def _answer(self, end: float) -> Message:
        try:
            line = self._lines.get(timeout=end - monotonic())
        except (queue.Empty, ValueError):  # the end may be past
            raise BotFault("late", "no answer in time") from None
        if line is None:
            self.stop()
            raise BotFault("crashed", "has ended")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise BotFault("illegal", "an answer that is no JSON") from None
        if not isinstance(answer, dict):
            raise BotFault("illegal", "an answer that is no object")
        return answer

    def stop(self, grace_s: float = _STOP_S) -> None:
        """End it: its input is closed, and whatever still runs of it then is killed."""
        process, self._process = self._process, None
        if process is None:
            return
        self._said.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace_s)
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()


_Lines: TypeAlias = "queue.SimpleQueue[bytes | None]"


def _read(source: IO[bytes], lines: _Lines) -> None:
    """Pass on what is read, line by line, then None; who says too much is listened to no more."""
    with contextlib.suppress(OSError, ValueError), io.BufferedReader(source) as buffered:  # type: ignore[type-var]
        while lines.qsize() < UNREAD_MAX and (line := buffered.readline(LINE_MAX)):
            lines.put(line)
    lines.put(None)


def _write(target: IO[bytes], lines: _Lines) -> None:
    """Write the lines up to a None; once nobody reads they are dropped."""
    with contextlib.suppress(OSError, ValueError), target:
        while (line := lines.get()) is not None:
            rest = memoryview(line)
            while rest:
                rest = rest[target.write(rest) :]


class Programs:
    """The programs that run, each by its command and by whom it plays for.

    At most ``most`` of them: the one that was not asked for longest has to go.
    """

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._running: OrderedDict[tuple[str, object], Program] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, command: str, key: object) -> Program:
        """The program of a key; it may have to be started."""
        with self._lock:
            program = self._running.pop((command, key), None) or Program(command)
            self._running[command, key] = program
            old = [] if len(self._running) <= self._most else [self._running.popitem(last=False)]
        for _, other in old:
            other.stop()
        return program

    def end(self, command: str, key: object, grace_s: float) -> None:
        """End the program of a key, once it has read what it was told."""
        with self._lock:
            program = self._running.pop((command, key), None)
        if program is not None:
            program.stop(grace_s)

    def stop(self, grace_s: float = _STOP_S) -> None:
        """End all of them."""
        with self._lock:
            programs, self._running = list(self._running.values()), OrderedDict()
        for program in programs:
            program.stop(grace_s)


_PROGRAMS = Programs()
atexit.register(_PROGRAMS.stop)


@dataclass(eq=False, repr=False)
class ProcessBot:
    """The bot of one seat in one deal that a program plays."""

    name = "program"
    command: str
    seed: int = 0
    _: KW_ONLY
    limit_s: float = 5.0
    """The time for each choice, in seconds."""
    programs: Programs = _PROGRAMS
    alone: bool = False
    """Whether no other deal is played by the same process."""
    _program: Program | None = field(default=None, init=False)
    _faults: int = field(default=0, init=False)
    _last: str = field(default="late", init=False)

    def choose(self, view: View, options: Options) -> Action:
        """What the program answers; BotFault for whatever is no action in the notation."""
        if self._faults >= PATIENCE:
            raise BotFault(self._last, "is not asked again in this deal")
        try:
            action = self._asked(view, options)
        except BotFault as fault:
            if fault.kind != "illegal":
                self._faults, self._last = self._faults + 1, fault.kind
                if self._faults >= PATIENCE and self._program is not None:
                    self._program.stop(0)  # the next deal has a new one
            raise
        self._faults = 0
        return action

    def _asked(self, view: View, options: Options) -> Action:
        program = self._ready(view)
        program.asked += 1
        answer = program.ask(question(program.asked, view, options), self.limit_s)
        text = answer.get("action")
        if not isinstance(text, str):
            raise BotFault("illegal", "an answer without an action")
        try:
            return parse_action(text)
        except OkeyError as error:
            raise BotFault("illegal", error.message) from None

    def _ready(self, view: View) -> Program:
        """The program, which knows of this deal."""
        key: object = self.seed if self.alone else view.seat
        program = self.programs.get(self.command, key)
        if program is not self._program or not program.running:
            if not program.running:
                program.start()
            self._program = program
            rules = view.public.setup.rules
            told = {"type": "start", "seat": view.seat, "players": rules.players}
            program.tell(told | {"rules": rules.to_dict(), "seed": f"{self.seed:x}"})
        return program

    def ended(self, view: View) -> None:
        """Tell the program how the deal ended; it need not be there any more."""
        if self._program is not None and self._program.running:
            with contextlib.suppress(BotFault):
                self._program.tell({"type": "end", "view": view.to_dict()})


def question(number: int, view: View, options: Options) -> Message:
    """The line that asks for a choice: what the seat sees, and what it may do."""
    return {
        "type": "choose",
        "id": number,
        "view": view.to_dict(),
        "options": options.to_dict(),
        "actions": [str(action) for action in options.actions()],
    }
