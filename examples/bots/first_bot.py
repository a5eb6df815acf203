"""A bot as a program: lines of JSON on stdin and stdout, and nothing of okey101 is imported.

okey101 bots check "exec:python first_bot.py"
"""

import json
import sys


def choose(message):
    """Open if that is possible, else put down what fits, else throw the highest free tile."""
    options = message["options"]
    opening = options["opening"]
    for action in (opening["melds"], opening["pairs"], *options["melds"], *options["lays"]):
        if action:
            return action
    if options["discards"]:
        numbers = {d["tile"]: int(d["tile"][1:] or 0) for d in options["discards"]}
        best = min(options["discards"], key=lambda d: (d["points"], -numbers[d["tile"]]))
        return f"discard {best['tile']}"
    return message["actions"][0]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": "okey101-bot/1", "name": "first", "version": 1}
    elif message["type"] == "choose":
        answer = {"id": message["id"], "action": choose(message)}
    else:
        continue
    print(json.dumps(answer), flush=True)
