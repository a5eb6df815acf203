"""A bot of Python as a program: it answers the protocol of docs/en/bots.md on its own streams.

``python -m okey101.bots.program module:Class`` plays any bot in a process of its own. A program of
one's own calls :func:`speak`.
"""

from __future__ import annotations

import json
import os
import sys
from typing import BinaryIO

from okey101.bots.base import Bot, BotFactory, tell_end
from okey101.bots.process_bot import PROTOCOL
from okey101.bots.registry import bot_info, info_of
from okey101.errors import OkeyError
from okey101.game import Options, View


def speak(factory: BotFactory | type[Bot]) -> None:
    """Answer on stdin and stdout until the input ends; what the bot prints goes to stderr."""
    source = sys.stdin.buffer
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as target:
        sys.stdout.flush()
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        _serve(factory, source, target)


def _serve(factory: BotFactory, source: BinaryIO, target: BinaryIO) -> None:
    info = info_of(factory)
    bot: Bot | None = None
    for line in source:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            answer = {
                "type": "hello", "protocol": PROTOCOL, "name": info.name, "version": info.version,
            }  # fmt: skip
        elif kind == "start":
            bot = factory(int(message["seed"], 16))
            continue
        elif kind == "choose" and bot is not None:
            view = View.from_dict(message["view"])
            answer = {"id": message["id"], "action": str(bot.choose(view, Options(view)))}
        else:
            if kind == "end" and bot is not None:
                tell_end(bot, View.from_dict(message["view"]))
            continue
        target.write(json.dumps(answer).encode() + b"\n")
        target.flush()


def main() -> None:
    """Speak for the bot that the only argument names; exit code 1 where it names none."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m okey101.bots.program module:Class")
    try:
        info = bot_info(sys.argv[1])
    except OkeyError as error:
        sys.exit(str(error))
    speak(info.factory)


if __name__ == "__main__":
    main()
