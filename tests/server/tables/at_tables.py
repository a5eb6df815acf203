"""What is done at tables in tests: commands, rows, and deals played to their end."""

from __future__ import annotations

import pytest

from okey101.errors import OkeyError
from okey101.server.protocol import client_messages as ask
from okey101.server.tables import log_entries as log
from okey101.server.tables.command_handler import entry_for
from okey101.server.tables.reduce import applied
from okey101.server.tables.state import TableState
from okey101.server.tables.table import Table
from server.tables.table_stories import Step, Story


def asked(made: Story, user: str, command: ask.Logged) -> TableState:
    return made.add(entry_for(made.state, user, command))


def refusal(state: TableState, user: str, command: ask.Logged) -> str:
    with pytest.raises(OkeyError) as caught:
        applied(state, entry_for(state, user, command), state.at_ms)
    return caught.value.code


async def put(table: Table, entry: log.Entry) -> None:
    await table._do(lambda _: entry)


async def deal_over(table: Table) -> None:
    """The running deal played to its end by the rows that bots would write."""
    made = Story(table.state.options, "ended")
    made.steps.append(Step(log.Dealt(), table.state))
    known = len(made.steps)
    made.play("eager")
    for step in made.steps[known:]:
        await put(table, step.entry)
