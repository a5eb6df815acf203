"""The errors of the core: each carries a stable code, so that callers need not read the text."""

from __future__ import annotations

__all__ = ["IllegalAction", "NotationError", "OkeyError", "RecordError", "RuleSetError"]


class OkeyError(ValueError):
    """Base of every error this package raises on bad input.

    ``code`` is a stable kebab-case word, ``message`` an English sentence, and ``details`` the
    values the sentence mentions, for callers that word it themselves.
    """

    def __init__(self, code: str, message: str, **details: object) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


class NotationError(OkeyError):
    """A text that is no tile, rack, meld or action; ``position`` counts characters from 0."""

    def __init__(
        self, code: str, message: str, *, text: str = "", position: int = 0, **details: object
    ) -> None:
        super().__init__(code, message, **details)
        self.text = text
        self.position = position


class RuleSetError(OkeyError):
    """Fields of a rule set out of range or in contradiction; ``fields`` names them."""

    def __init__(self, code: str, message: str, fields: tuple[str, ...], **details: object) -> None:
        super().__init__(code, message, fields=fields, **details)
        self.fields = fields


class IllegalAction(OkeyError):
    """An action the rules refuse now; ``rule`` is the id in the catalogue of rules."""

    def __init__(self, code: str, rule: str, message: str, **details: object) -> None:
        super().__init__(code, message, **details)
        self.rule = rule


class RecordError(OkeyError):
    """A record that can't be read or replayed; ``path`` says where (``deals[0].actions[5]``)."""

    def __init__(self, code: str, message: str, path: str = "", **details: object) -> None:
        super().__init__(code, message, **details)
        self.path = path
