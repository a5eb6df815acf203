"""Accounts that programs of others play by: whose they are shows in their ids and names.

A bot account has a token and no password. It belongs to a person, whose name stands beside its own
wherever it is shown: nobody's name may have brackets, so no person can look like one.
"""

from __future__ import annotations

import re
from typing import Final

from okey101.server.errors import refuse

BOT_KIND: Final = "b"
"""What the id of a bot account begins with."""
_LABEL: Final = re.compile(r"(.*) \(bot, (.*)\)", re.DOTALL)


def is_bot_account(user: str) -> bool:
    """Whether an id is that of a bot account.

    >>> is_bot_account("b_x"), is_bot_account("u_x")
    (True, False)
    """
    return user.startswith(f"{BOT_KIND}_")


def label(name: str, owner: str | None) -> str:
    """The name that a bot account is shown by.

    >>> label("Careful", "Ali")
    'Careful (bot, Ali)'
    """
    return f"{name} (bot, {owner or '-'})"


def read_label(text: str) -> tuple[str, str | None]:
    """The name within a label, and the owner's; None where the text is a name alone.

    >>> read_label("Careful (bot, Ali)"), read_label("Careful")
    (('Careful', 'Ali'), ('Careful', None))
    """
    found = _LABEL.fullmatch(text.strip())
    return (text.strip(), None) if found is None else (found[1], found[2])


def require_person(user: str) -> None:
    """OkeyError ``not-for-bots`` for a bot account."""
    if is_bot_account(user):
        refuse("not-for-bots")
