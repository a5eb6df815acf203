"""A bot account that comes where it is invited: python invited.py URL TOKEN [BOT]"""

import asyncio
import sys

from okey101.client import Client, CommandRefused, Ended, play


async def accept(me, table, bot):
    try:
        played = await play(me.url, bot, table=table, token=me.token)
    except (CommandRefused, Ended) as error:
        print(f"{table}: {error.code}", flush=True)
    else:
        print(f"{table}: place {played.places[played.seat]}", flush=True)


async def main(url, token, bot="greedy"):
    me, matches = Client(url, token), {}
    while True:
        for one in await me.invitations():
            if one.table not in matches:
                matches[one.table] = asyncio.create_task(accept(me, one.table, bot))
        await asyncio.sleep(1)


asyncio.run(main(*sys.argv[1:]))
