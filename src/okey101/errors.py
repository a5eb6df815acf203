"""The errors of the core: each carries a stable code, so that callers need not read the text."""

from __future__ import annotations

__all__ = ["IllegalAction", "NotationError", "OkeyError", "RecordError", "RuleSetError"]


class OkeyError(ValueError):
    """Base of every error this package raises on bad input.

    ``code`` is a stable kebab-case word, ``message`` an English sentence, and ``details`` the
    values the sentence mentions, for callers that word it themselves.

    >>> from okey101 import parse_tile
    >>> try:
    ...     parse_tile("Q7")
    ... except OkeyError as error:
    ...     print(error.code, error.details)
    bad-tile {'tile': 'Q7'}
    """

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


class NotationError(OkeyError):
    """A text that is no tile, rack, meld or action; ``position`` counts characters from 0.

    >>> from okey101 import Rack
    >>> try:
    ...     Rack.parse("R7 R99")
    ... except NotationError as error:
    ...     print(error.code, error.position)
    bad-tile 3
    """

    def __init__(
        self, code: str, message: str, *, text: str = "", position: int = 0, **details: object
    ) -> None:
        super().__init__(code, message, **details)
        self.text = text
        self.position = position


class RuleSetError(OkeyError):
    """Fields of a rule set out of range or in contradiction; ``fields`` names them.

    >>> from okey101 import RuleSet
    >>> try:
    ...     RuleSet(players=5)
    ... except RuleSetError as error:
    ...     print(error.code, error.fields)
    bad-value ('players',)
    """

    def __init__(self, code: str, message: str, fields: tuple[str, ...], **details: object) -> None:
        super().__init__(code, message, fields=fields, **details)
        self.fields = fields


class IllegalAction(OkeyError):
    """An action the rules refuse now; ``rule`` is the id in the catalogue of rules.

    >>> from okey101 import Deal
    >>> try:
    ...     Deal.start("pagat", seed=7).apply("draw")
    ... except IllegalAction as error:
    ...     print(error.code, error.rule)
    already-drawn D5
    """

    def __init__(self, code: str, rule: str, message: str, **details: object) -> None:
        super().__init__(code, message, **details)
        self.rule = rule


class RecordError(OkeyError):
    """A record that can't be read or replayed; ``path`` says where (``deals[0].actions[5]``).

    >>> from okey101 import parse_record
    >>> try:
    ...     parse_record("[]")
    ... except RecordError as error:
    ...     print(error.code, repr(error.path))
    wrong-type ''
    """

    def __init__(self, code: str, message: str, path: str = "", **details: object) -> None:
        super().__init__(code, message, **details)
        self.path = path
