"""For programs that play at a table of a server: lines that reconnect, turns that are never stale.

``pip install "okey101[client]"``; docs/en/client.md shows how. The types are those of the server's
own protocol.
"""

from okey101.client.errors import CLIENT_CODES, CommandRefused, Ended
from okey101.client.heads import Heads
from okey101.client.line import Pace
from okey101.client.playing import Faults, PlayedMatch, play, play_at
from okey101.client.server import PROTOCOL, Client, PuzzleAnswer
from okey101.client.table import JoinedTable, Turn
from okey101.server.protocol.options import PlayBody, TableLine, TableOptions
from okey101.server.protocol.views import Invited, ReviewAnswer

__all__ = [
    "CLIENT_CODES", "PROTOCOL", "Client", "CommandRefused", "Ended", "Faults", "Heads", "Invited",
    "JoinedTable", "Pace", "PlayBody", "PlayedMatch", "PuzzleAnswer", "ReviewAnswer", "TableLine",
    "TableOptions", "Turn", "play", "play_at",
]  # fmt: skip
