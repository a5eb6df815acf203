"""Words that whoever runs the server refuses in names, from a file of one word a line."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NoReturn

from okey101.errors import OkeyError
from okey101.server.account_errors import refuse_account
from okey101.server.accounts.names import Name, name_key, reads_as

__all__ = ["RefusedNames", "read_refused_names"]

_MOST_BYTES: Final = 2**20
_SHORTEST: Final = 2
"""Letters and digits of a word; a single letter would refuse every initial."""
_COMMENT: Final = "#"


class RefusedNames:
    """Words by the key that names are compared by, so that no disguise gets one through."""

    def __init__(self, words: frozenset[str] = frozenset()) -> None:
        """``words`` are keys, as of :func:`okey101.server.accounts.names.name_key`."""
        self._words = words

    def __len__(self) -> int:
        return len(self._words)

    def require(self, name: Name) -> Name:
        """The name; OkeyError ``name-refused`` where it, or a word of it, reads as one of these."""
        if self._words and reads_as(name.text, self._words):
            refuse_account("name-refused")
        return name


def read_refused_names(path: Path | None) -> RefusedNames:
    """The words of a file; none without one. Blank lines and those that begin with # don't count.

    OkeyError ``bad-refused-names`` with the ``path``, the ``wrong`` (unreadable, large, encoding,
    word) and, for a word, its ``line``.
    """
    if path is None:
        return RefusedNames()
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError:
        _refuse(path, "unreadable", "it can't be read")
    if len(data) > _MOST_BYTES:
        _refuse(path, "large", "it has more than a megabyte")
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        _refuse(path, "encoding", "it is not UTF-8")
    words: set[str] = set()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith(_COMMENT):
            continue
        key = name_key(text)
        if len(key) < _SHORTEST or len(text.split()) > 1:
            _refuse(path, "word", f"line {number} is not one word of two letters or more", number)
        words.add(key)
    return RefusedNames(frozenset(words))


def _refuse(path: Path, wrong: str, what: str, line: int = 0) -> NoReturn:
    message = f"{path} can't be used for refused names: {what}"
    raise OkeyError("bad-refused-names", message, path=str(path), wrong=wrong, line=line)
