"""A player of one's own at a served table: python client.py http://127.0.0.1:8101"""

import asyncio
import sys

from okey101.client import Client


class Mine:
    """Opens as soon as it can, puts down what fits, and throws the highest tile that is free."""

    name = "mine"

    def choose(self, view, options):
        opening = [options.opening, options.opening_pairs]
        for action in (*opening, *options.melds, *options.lays):
            if action is not None:
                return action
        if options.discards:
            least = min(options.discards, key=lambda one: (one.points, -one.tile))
            return f"discard {least.tile}"
        return options.actions()[0]


async def main(url):
    bot, me = Mine(), await Client.as_guest(url, "My player")
    async with me.join(await me.against_bots(deals=2, bot="steady")) as table:
        async for turn in table.turns():
            await turn.act(bot.choose(turn.view, turn.options))
    print(f"seat {table.seat}, place {table.places[table.seat]}: {table.totals}")


asyncio.run(main(sys.argv[1]))
