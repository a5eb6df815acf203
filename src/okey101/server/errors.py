"""Errors of the server: each a code with a status for HTTP, and what was asked amiss."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from okey101.errors import IllegalAction, OkeyError, plain_data

SERVER_CODES: Mapping[str, tuple[int, str]] = {
    "already-committed": (409, "this seat has already committed for the deal"),
    "already-revealed": (409, "this seat has already revealed its randomness for the deal"),
    "already-seated": (409, "you already sit at this table"),
    "bad-folder": (400, "{path} is not a full path"),
    "bad-message": (400, "the message can't be read: {reason}"),
    "bad-options": (400, "the table's options contradict each other: {reason}"),
    "bad-request": (400, "the request can't be read: {reason}"),
    "bots-not-allowed": (403, "this server does not let bots of others play"),
    "bot-is-here": (409, "this bot already sits at the table"),
    "bot-kicked": (409, "this bot was removed from the table"),
    "bot-needs-clock": (409, "bots of others play only at tables with a clock"),
    "not-for-bots": (403, "only people may do this, not bots"),
    "not-invited": (403, "the owner of the table has not invited this bot"),
    "too-many-seats": (409, "nobody may sit at more than {limit} tables at the same time"),
    "binary": (400, "send text, not bytes"),
    "body-not-json": (415, "send a JSON body, and say so in Content-Type"),
    "bot-plays": (409, "a bot plays this seat; take it back first"),
    "day-over": (409, "these deals can't be started any more"),
    "day-played": (409, "you have already played these deals"),
    "day-table": (409, "this can't be done at a table of the day's deals"),
    "day-twice": (
        409,
        "your account has played these deals too; finish the deals you are playing first",
    ),
    "day-unplayed": (403, "play all the deals first"),
    "draining": (503, "the server is about to restart; try again in a moment"),
    "kicked": (403, "you were removed from this table"),
    "in-match": (409, "first finish or leave the match you are playing"),
    "folder-failed": (400, "{path} can't be written by the server: {reason}"),
    "hello-first": (400, "send hello as the first message"),
    "left-often": (429, "you left {count} quick tables within an hour; try again in {seconds} s"),
    "left-out": (409, "you broke off a round of this deal; you take part again in the next deal"),
    "log-not-ready": (503, "the first head of the public log is being made; try again"),
    "log-truncated": (410, "stored rows of this table are missing from the log"),
    "match-ended": (
        409,
        "the match is over, or this is its last deal; sit down when its players start another",
    ),
    "method-not-allowed": (405, "this address does not know that method"),
    "no-bot": (409, "no bot is playing for you"),
    "no-day": (404, "there are no such deals here"),
    "no-deal-number": (404, "the match has no deal {number}"),
    "no-entry": (404, "the public log has no head of this size"),
    "no-hints": (403, "there are no hints at this table"),
    "no-phrase": (400, "there is no such phrase"),
    "no-rematch": (409, "the match is not over yet"),
    "no-reviews": (
        403,
        "this server makes no reviews ({why}): no Numba, which okey101[all] brings, or turned off",
    ),
    "no-season": (400, "a season is a quarter of a year, as 2026-4"),
    "no-seat": (404, "there is no seat {seat}"),
    "no-table": (404, "there is no such table"),
    "not-allowed": (403, "this needs the token of the administrator"),
    "no-notice": (404, "this server has no privacy notice"),
    "not-committed": (409, "this seat has not committed, or somebody else did"),
    "not-committing": (409, "commitments are not taken now"),
    "not-revealing": (409, "the commitments are not shown, or not all are revealed"),
    "not-found": (404, "there is nothing here"),
    "not-owner": (403, "only the owner of the table may do this"),
    "not-playing": (409, "no deal is running"),
    "not-ready": (409, "somebody is not ready yet"),
    "not-seated": (403, "you don't sit at this table"),
    "not-waiting": (409, "the match has already begun"),
    "other-hand": (
        409,
        "you have seen another hand in this deal; you can sit down when the deal is over",
    ),
    "origin": (403, "requests from this origin are refused"),
    "overloaded": (503, "the server is as busy as it can be; try again later"),
    "phrases-off": (403, "the owner has switched phrases off"),
    "rate-limited": (429, "too many requests ({limit}); try again in {seconds} s"),
    "rid-used": (409, "this rid belongs to another command, row {seq}"),
    "reviews-busy": (503, "too many matches are waiting for review; try again later"),
    "seat-taken": (409, "seat {seat} is taken"),
    "seats-empty": (409, "every seat needs a person or a bot"),
    "spectators-off": (403, "this table does not allow spectators"),
    "store-failed": (503, "the server could not store this; send it again"),
    "table-closed": (410, "the table is closed"),
    "table-frozen": (503, "the table is frozen: its log does not replay to the same state"),
    "table-full": (409, "every seat is taken"),
    "too-large": (413, "the message is longer than {limit} bytes"),
    "too-many-actions": (409, "end the turn: it may have at most {limit} actions"),
    "too-many-changes": (429, "this table was changed too often; play, or open another"),
    "too-many-fines": (409, "do something else: a seat takes at most {limit} fines in a deal"),
    "too-many-sockets": (429, "too many connections ({limit})"),
    "too-many-tables": (429, "too many tables are open ({limit})"),
    "turn-over": (409, "the turn this was meant for is over"),
    "unauthorised": (401, "this needs a session"),
    "wrong-opening": (409, "the randomness does not open the commitment of this seat"),
    "unknown-host": (421, "this server does not answer to the name {host}; see --allowed-host"),
}
"""Beside these, refused actions carry the codes of the game, and accounts their own."""

# What the accounts refuse: each code with its HTTP status and its English sentence.

ACCOUNT_CODES: Mapping[str, tuple[int, str]] = {
    "accounts-busy": (503, "the server is too busy; try again in a moment"),
    "accounts-closed": (503, "the server is stopping; try again in a moment"),
    "accounts-failed": (503, "the accounts could not be read or written; try again"),
    "already-account": (409, "this is already an account"),
    "bad-face": (400, "choose a face from {first} to {last}"),
    "bad-language": (400, "a language is 1 to 16 letters, digits and hyphens"),
    "bad-login": (401, "the name or the password is wrong"),
    "bad-push": (400, "this server knows no such push service, or the key is none"),
    "banned": (403, "this person is banned"),
    "friend-self": (400, "you can't be your own friend"),
    "muted": (403, "a moderator has muted this person; nobody would see the message"),
    "mute-self": (400, "you can't mute or block yourself"),
    "name-bad-character": (400, "a name can't contain the character {character}"),
    "name-empty": (400, "a name needs at least one letter or digit"),
    "name-mixed-scripts": (400, "use letters of only one script in a name"),
    "name-refused": (409, "this server does not accept this name; choose another"),
    "name-reserved": (409, "this name is reserved; choose another"),
    "name-taken": (409, "this name belongs to an account; choose another"),
    "name-too-long": (400, "a name may have at most {limit} characters"),
    "name-too-short": (400, "a name needs at least {limit} characters"),
    "new-password-needed": (409, "this code works only once; choose a new password as well"),
    "no-bot-account": (404, "there is no bot account of that name"),
    "no-match": (404, "there is no such match"),
    "no-profile": (404, "there is no profile of this name, or it is not open"),
    "no-session": (401, "this session has ended; sign in again"),
    "no-user": (404, "there is no such person"),
    "no-family": (404, "there is no such family table"),
    "not-account": (409, "this takes an account with a password"),
    "not-family-owner": (403, "only the owner of the family table may do this"),
    "not-friend": (403, "only friends can be invited to a table"),
    "push-off": (409, "this server sends no messages by push"),
    "password-bad-character": (400, "the password contains an invalid character"),
    "password-common": (
        400,
        "this password is among the first that anybody would guess; choose another",
    ),
    "password-too-long": (400, "a password may have at most {limit} characters"),
    "password-too-short": (400, "a password needs at least {limit} characters"),
    "several-bots": (409, "several bots have this name: {names}"),
    "several-people": (409, "several people have this name: {ids}"),
    "too-many-bots": (409, "a person has at most {limit} bots"),
    "too-many-families": (409, "an account has at most {limit} family tables"),
    "too-many-friends": (409, "at most {limit} people can be friends or asked to be"),
    "too-many-invitations": (409, "at most {limit} are invited to a table"),
    "too-many-mutes": (409, "at most {limit} people can be muted, and as many blocked"),
    "wrong-password": (401, "the password so far is another one"),
}

_ALL: Mapping[str, tuple[int, str]] = {**SERVER_CODES, **ACCOUNT_CODES}


def status_of(code: str) -> int | None:
    """The HTTP status of a code of the tables or of the accounts; None for another."""
    return _ALL[code][0] if code in _ALL else None


def server_error(code: str, **details: object) -> OkeyError:
    """The error of a code of the tables or of the accounts."""
    return OkeyError(code, _ALL[code][1].format(**details), **details)


def refuse(code: str, **details: object) -> NoReturn:
    """Raise OkeyError for such a code."""
    raise server_error(code, **details)


def error_body(error: OkeyError) -> dict[str, object]:
    """``code``, ``message``, ``rule`` (or null) and ``details`` of an error."""
    return {
        "code": error.code,
        "message": error.message,
        "rule": error.rule if isinstance(error, IllegalAction) else None,
        "details": plain_data(error.details),
    }
