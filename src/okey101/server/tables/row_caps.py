"""How often people may come, go and change their minds at a table: every time is a row for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from okey101.server.errors import refuse
from okey101.server.tables import log_entries as log

__all__ = ["MOST_CHANGES", "MOST_CHANGES_EACH", "Changes"]

MOST_CHANGES_EACH: Final = 300
"""What one person may do at a table beside playing, from one match's start to the next one's."""
MOST_CHANGES: Final = 3_000
"""The same of everybody together, so that no crowd of guests gets around it."""

_COUNTED: Final = (log.Sat, log.Left, log.ReadySet, log.BotSet, log.RematchSet, log.Renamed)
_FREE: Final = (log.Left,)


class Changes:
    """Counts the rows of a table that no match needs; replayed rows count as they did."""

    def __init__(self, counted: Mapping[str, int] | None = None) -> None:
        """``counted`` is what others have counted before: their :attr:`counted`."""
        self._by: Counter[str] = Counter(counted)

    @property
    def counted(self) -> Mapping[str, int]:
        """The rows of each person."""
        return self._by

    def take(self, entry: log.Entry) -> None:
        """A row was written."""
        again = isinstance(entry, log.RematchSet) and entry.secret is not None
        if again or isinstance(entry, log.Started):
            self._by.clear()
        elif isinstance(entry, _COUNTED):
            self._by[entry.user] += 1

    def spent(self, entry: log.Entry) -> bool:
        """Whether a row would be one too many; whoever wants to leave always may."""
        if not isinstance(entry, _COUNTED) or isinstance(entry, _FREE):
            return False
        return self._by[entry.user] >= MOST_CHANGES_EACH or self._by.total() >= MOST_CHANGES

    def require(self, entry: log.Entry) -> None:
        """OkeyError ``too-many-changes`` where a row would be one too many."""
        if self.spent(entry):
            refuse("too-many-changes")
