"""What the accounts refuse: each code with its HTTP status and its English sentence."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from okey101.errors import OkeyError

__all__ = ["ACCOUNT_CODES", "account_error", "refuse_account"]

ACCOUNT_CODES: Mapping[str, tuple[int, str]] = MappingProxyType(
    {
        "accounts-busy": (503, "too much is waiting; try again in a moment"),
        "accounts-closed": (503, "the accounts are closed"),
        "accounts-failed": (503, "the accounts could not be read or written; try again"),
        "already-account": (409, "this is an account already"),
        "bad-language": (400, "a language is 1 to 16 letters, digits and hyphens"),
        "bad-login": (401, "name or password is wrong"),
        "banned": (403, "this person is banned"),
        "mute-self": (400, "you can't mute yourself"),
        "name-bad-character": (400, "a name can't contain the character {character}"),
        "name-empty": (400, "a name needs a letter or a digit"),
        "name-mixed-scripts": (400, "all letters of a name must be from one script"),
        "name-refused": (409, "this server does not take this name"),
        "name-reserved": (409, "this name is reserved"),
        "name-taken": (409, "this name belongs to an account"),
        "name-too-long": (400, "a name has at most {limit} characters"),
        "name-too-short": (400, "a name has at least {limit} characters"),
        "no-bot-account": (404, "there is no bot account of that name"),
        "no-match": (404, "there is no such match"),
        "no-session": (401, "this session has ended"),
        "no-user": (404, "there is no such person"),
        "not-account": (409, "this is a guest without a password"),
        "password-bad-character": (400, "the password contains something that is not a character"),
        "password-common": (400, "everybody who guesses passwords tries this one; choose another"),
        "password-too-long": (400, "a password has at most {limit} characters"),
        "password-too-short": (400, "a password has at least {limit} characters"),
        "several-bots": (409, "several bots have this name: {names}"),
        "settings-too-large": (413, "settings have at most {limit} bytes"),
        "too-many-bots": (409, "a person has at most {limit} bots"),
        "too-many-invitations": (409, "at most {limit} bots are invited to a table"),
        "too-many-mutes": (409, "at most {limit} people can be muted"),
        "wrong-password": (401, "the password so far is another one"),
    }
)
"""Opening the database has codes of its own: ``accounts-in-use``, ``-not-ours`` and the like."""


def account_error(code: str, **details: object) -> OkeyError:
    """The error of a code."""
    _, sentence = ACCOUNT_CODES[code]
    return OkeyError(code, sentence.format(**details), **details)


def refuse_account(code: str, **details: object) -> NoReturn:
    """Raise OkeyError for a code of the accounts."""
    raise account_error(code, **details)
