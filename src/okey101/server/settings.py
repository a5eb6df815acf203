"""The settings of a server: from flags, from ``OKEY101_*`` in the environment, or by default."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from okey101.bots.registry import BOTS
from okey101.errors import OkeyError
from okey101.server.files.data_dir import default_folder

PREFIX: Final = "OKEY101_"
_ELSEWHERE: Final = frozenset({"LANG", "DEBUG", "COMPLETE"})
"""Names with the prefix that belong to other commands."""
_SECRETS: Final = ("metrics_token",)
_SECRET_FILE_MAX: Final = 4096
_ORIGIN = re.compile(r"https?://[^/?#@\s]+/?", re.ASCII | re.IGNORECASE)
_BOT_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_HOST = re.compile(r"(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?", re.ASCII)

Network = IPv4Network | IPv6Network


class SettingsError(OkeyError):
    """Invalid settings; ``problems`` has an error for each, the first one being this one."""

    def __init__(self, problems: tuple[OkeyError, ...]) -> None:
        first = problems[0]
        super().__init__(first.code, first.message, **first.details)
        self.problems = problems


_STORES: Final = ("sqlite", "postgres", "postgresql")
"""The words that begin an address of a store, even one that lacks a slash."""


def store_folder(text: str) -> Path:
    """The folder that ``--store`` names, as a path or as ``sqlite:///FOLDER``.

    The folder in an address is always taken from the root: ``sqlite:///var/lib/okey101``. A path
    may be relative. OkeyError ``store-unsupported`` for any other kind of store.
    """
    kind, colon, rest = text.partition(":")
    if not colon or not (rest.startswith("//") or kind.casefold() in _STORES):
        return Path(text)
    # What follows the kind may hold a password, so it is not repeated.
    if kind.casefold() != "sqlite" or not rest.startswith("///") or not rest.strip("/"):
        message = f"the store {kind}: is not supported; use sqlite:///FOLDER or postgresql://"
        raise OkeyError("store-unsupported", message, kind=kind)
    return Path("/", rest.lstrip("/"))


def _split(value: object) -> object:
    """What commas and blanks separate in a variable; anything else as it is."""
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


def _origin(text: str) -> str:
    """``scheme://host[:port]`` as browsers write an origin: small, no port where it is implied."""
    if not _ORIGIN.fullmatch(text):
        raise ValueError("no origin")
    parts = urlsplit(text)
    if not parts.hostname:
        raise ValueError("no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    implied = {"http": 80, "https": 443}[parts.scheme]
    port = "" if parts.port in (None, implied) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"


def _hosts(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Names of hosts, small, without a port."""
    if not all(_HOST.fullmatch(text) for text in texts):
        raise ValueError("no name")
    return tuple(text.casefold().rstrip(".") for text in texts)


def _bots(value: object) -> object:
    """``name=word`` separated by semicolons, the word as ``okey101 play --bots`` takes it."""
    if not isinstance(value, str):
        return value
    pairs = [part.partition("=") for part in value.split(";") if part.strip()]
    found = tuple((name.strip(), spec.strip()) for name, _, spec in pairs)
    if not all(_BOT_NAME.fullmatch(name) and name not in BOTS and spec for name, spec in found):
        raise ValueError("no name=bot")
    return found


def _absolute(path: Path) -> Path:
    try:
        return path.expanduser().absolute()
    except RuntimeError:
        raise ValueError("no such user") from None


def _site(path: Path) -> Path:
    """The folder of a built site, which has a first page."""
    found = _absolute(path)
    if not (found / "index.html").is_file():
        raise ValueError("no site")
    return found


def _database(address: SecretStr) -> SecretStr:
    if not address.get_secret_value().startswith(("postgres://", "postgresql://")):
        raise ValueError("no database")
    return address


def _endpoint(text: str) -> str:
    """``HOST:PORT``, an address of the sixth version in brackets."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65_535:
        raise ValueError("no host:port")
    return text


def _word(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


Seconds = Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)]
_Network = Annotated[Network, BeforeValidator(lambda word: ip_network(str(word), strict=False))]
_Rate = Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)]
_Burst = Annotated[int, Field(ge=1, le=1_000_000)]
_Hosts = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(_hosts)]
_Level = Literal["debug", "info", "warning", "error"]


class Settings(BaseSettings):
    """All settings of a server; read by :func:`load_settings` and never changed after."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    host: str = Field("127.0.0.1", min_length=1, max_length=255)
    port: int = Field(8101, ge=0, le=65_535)
    """0 takes any free one."""
    data: Annotated[Path, AfterValidator(_absolute)] = Field(
        default_factory=lambda: default_folder(os.environ)
    )
    """The folder of everything the server keeps."""
    database: Annotated[SecretStr, AfterValidator(_database)] | None = None
    """A PostgreSQL database for what would be in the folder's file."""

    node_listen: Annotated[str, AfterValidator(_endpoint)] = "127.0.0.1:0"
    """Where other nodes on the same database reach this one; port 0 takes any free one."""
    node_address: Annotated[str, AfterValidator(_endpoint)] | None = None
    """That address as the other nodes see it, where it is another."""
    node_name: str = Field("", min_length=0, max_length=64)
    """What this node is called in logs; without one its address."""

    public_url: Annotated[str, AfterValidator(_origin)] | None = None
    """How browsers reach the server from outside; without it the request's Host decides."""
    allowed_hosts: _Hosts = ()
    """Names, beside this machine's own, that a request's Host may have without a public address."""
    allowed_origins: Annotated[
        tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, BeforeValidator(_split)
    ] = ()
    """Origins of pages, beside the server's own, that may call it."""
    trusted_proxies: Annotated[tuple[_Network, ...], NoDecode, BeforeValidator(_split)] = ()
    """Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed."""
    secure_cookies: Annotated[Literal["auto", "always", "never"], BeforeValidator(_word)] = "auto"
    """``auto``: where the request came by https."""

    log_level: Annotated[_Level, BeforeValidator(_word)] = "info"
    log_format: Annotated[Literal["auto", "json", "text"], BeforeValidator(_word)] = "auto"
    """``auto``: text on a terminal, JSON elsewhere."""
    metrics_token: Annotated[SecretStr, Field(min_length=8, max_length=1024)] | None = None
    """The bearer token that a reader of /metrics has to send."""

    max_tables: int = Field(2_000, ge=1, le=1_000_000)
    max_tables_per_user: int = Field(5, ge=1, le=1_000_000)
    max_tables_per_address: int = Field(50, ge=1, le=1_000_000)
    """How many tables opened from one address, by anybody, may be open."""
    max_seats_per_user: int = Field(10, ge=1, le=1_000_000)
    """At how many tables one person may sit."""
    max_lag_ms: int = Field(100, ge=1, le=60_000)
    """No table is opened while the event loop is later than this, on average over five seconds."""
    max_bot_wait_s: Seconds = 10.0
    """Nor while bots wait longer than this for their turn."""
    max_sockets: int = Field(8_000, ge=1, le=1_000_000)
    max_sockets_per_address: int = Field(64, ge=1, le=1_000_000)
    max_connections_per_address: int = Field(256, ge=1, le=1_000_000)
    """How many connections of any kind an address may hold, a trusted proxy's not counted."""
    handshakes_per_second: _Rate = 5.0
    """How fast an address's allowance of new sockets fills again."""
    handshake_burst: _Burst = 128
    """How many sockets an address may open at once, as a house does after a restart."""
    messages_per_second: float = Field(10.0, gt=0, le=100_000, allow_inf_nan=False)
    """How fast a person's allowance of messages fills again, or an address's without a session."""
    message_burst: int = Field(50, ge=1, le=1_000_000)
    """How many messages a person, or an address without a session, may send at once."""
    requests_per_second: _Rate = 50.0
    """How fast an address's allowance of HTTP requests fills again."""
    request_burst: _Burst = 200
    guests_per_minute: _Rate = 12.0
    """How many guests may come from one address, beyond the burst."""
    guest_burst: _Burst = 20
    logins_per_minute: _Rate = 6.0
    """How often passwords may be tried from one address, beyond the burst."""
    login_burst: _Burst = 10
    tables_per_minute: _Rate = 6.0
    """How many tables a person may open, beyond the burst."""
    table_burst: _Burst = 10

    bot_delay_ms: int = Field(800, ge=0, le=60_000)
    """How long a bot seems to think."""
    bot_processes: int = Field(1, ge=0, le=64)
    """How many processes may think for bots, started once many bots wait; 0: a thread does it."""
    review_processes: int = Field(1, ge=0, le=16)
    """How many matches may be reviewed at a time, each in a process of its own; 0: none ever."""
    review_worlds: int = Field(1_000, ge=8, le=100_000)
    """In how many worlds a review plays each choice out."""
    review_policy: Literal["master", "greedy"] = "master"
    """Who goes on after a choice there; ``greedy`` takes a third of the time."""
    strength_share: int = Field(10, ge=0, le=100)
    """How many per cent of a core may weigh matches that nobody asks about; 0: none are."""
    bots: Annotated[tuple[tuple[str, str], ...], NoDecode, BeforeValidator(_bots)] = ()
    """Bots of others that may play here, by name; each plays in a process of its own."""
    daily: Literal["off", "on"] = "on"
    """Whether there are the day's deals, the same for everybody."""
    daily_instances: int = Field(1, ge=1, le=9)
    """How many instances of them a day has, each person being given one."""
    web_push: Literal["off", "on"] = "on"
    """Whether who wants it is told by the browsers' push services that somebody waits."""
    push_hosts: _Hosts = ()
    """Push services beside those of the common browsers."""
    search: Literal["off", "on"] = "off"
    """Whether tables may seat our bot that searches, which thinks in a process of its own."""
    bot_accounts: Literal["off", "on"] = "off"
    """Whether programs of others may play by accounts of their own."""
    bot_tables: int = Field(4, ge=1, le=1000)
    """At how many tables such a program plays at once."""
    bot_messages_per_second: _Rate = 5.0
    """How many messages it may send, beyond the burst of 25."""
    deal_pause_s: Seconds = 20.0
    """Between two deals, unless everybody is ready before."""
    first_deal_wait_s: Seconds = 10.0
    """How long the first deal waits for the players' randomness."""
    dealing_s: Seconds = 4.0
    """How long play waits at most while the dealing is shown."""
    absence_s: Seconds = 90.0
    """After how long away a bot plays a seat."""
    idle_close_s: Seconds = 1_800.0
    """After how long without anybody a table that has not begun, or is over, is closed."""
    archive_days: int = Field(0, ge=0, le=36_500)
    """After how many days closed tables are deleted from the archive; 0: never.

    Not before the day's deals and challenges of that time are closed.
    """
    drain_s: Seconds = 20.0
    """How long stopping may take until everything is told and stored."""
    litestream: Literal["off", "on"] = "off"
    """Whether Litestream may read the file while the server runs."""
    refused_names: Annotated[Path, AfterValidator(_absolute)] | None = None
    """A file of words that names may not hold, one a line; read at the start."""
    site: Annotated[Path, AfterValidator(_site)] | None = None
    """The folder of the documents' site, shown under /docs."""
    store_slow_s: Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)] = 5.0
    """After how long without an answer of the disk everybody is told that it doesn't answer."""
    hello_timeout_s: Seconds = 10.0
    """How long a new socket may be silent."""

    @property
    def origins(self) -> frozenset[str]:
        """The origins that may call the server whatever its Host is."""
        own = () if self.public_url is None else (self.public_url,)
        return frozenset((*own, *self.allowed_origins))

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags beat the environment, which beats the files it names; nothing else is read."""
        return init_settings, env_settings, _SecretFiles(settings_cls)


class _SecretFiles(PydanticBaseSettingsSource):
    """Secrets from the files that ``OKEY101_..._FILE`` name, without the line's end."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        name = _variable(field_name)
        given, path = os.environ.get(name), os.environ.get(f"{name}_FILE")
        if not path:
            # What should have filled it did not, and without a secret everything would be open.
            if path is not None and not given:
                raise _problem(f"{name}_FILE", "file")
            if given == "":
                raise _problem(name, *_wanted(field_name))
            return None, field_name, False
        if given:
            raise _problem(f"{name}_FILE", "twice", name)
        try:
            with Path(path).open("rb") as file:
                text = file.read(_SECRET_FILE_MAX + 1).decode().rstrip("\r\n")
        except (OSError, ValueError):
            raise _problem(f"{name}_FILE", "file") from None
        return text, field_name, False

    def __call__(self) -> dict[str, Any]:
        fields = self.settings_cls.model_fields
        values = {name: self.get_field_value(fields[name], name)[0] for name in _SECRETS}
        return {name: value for name, value in values.items() if value is not None}


_FLAGS: Final = {"allowed_hosts": "--allowed-host", "database": "--store"}
"""Flags that are not called as their settings."""


def load_settings(flags: Mapping[str, object] | None = None) -> Settings:
    """The settings of flags (by field, None where not given), then of the environment.

    Raises SettingsError ``bad-server-setting`` that names the flag or variable; values are not
    repeated, since some are secret.
    """
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic looks at each value
    except ValidationError as error:
        fields = dict.fromkeys(str(e["loc"][0]) for e in error.errors() if e["loc"])
        flagged = {name: _FLAGS.get(name, f"--{name.replace('_', '-')}") for name in given}
        names = {field: flagged.get(field, _variable(field)) for field in fields}
        problems = tuple(_problem(name, *_wanted(field)) for field, name in names.items())
        raise SettingsError(problems) from None
    except OkeyError as error:
        raise SettingsError((error,)) from None


def unknown_names(environ: Mapping[str, str]) -> dict[str, str]:
    """Variables with the prefix that nobody reads, each with the known name most like it.

    That name is empty where none is similar. For a warning: a typo must not go unseen.
    """
    known = {name.upper() for name in Settings.model_fields}
    known |= {f"{name.upper()}_FILE" for name in _SECRETS} | _ELSEWHERE
    found: dict[str, str] = {}
    for name in sorted(environ):
        word = name.upper().removeprefix(PREFIX)
        if name.upper().startswith(PREFIX) and word not in known:
            near = difflib.get_close_matches(word, sorted(known), 1)
            found[name] = PREFIX + near[0] if near else ""
    return found


def _variable(field: str) -> str:
    return PREFIX + field.upper()


def _problem(name: str, wanted: str, what: str = "") -> OkeyError:
    expected = {
        "number": f"a number from {what}",
        "above-zero": f"a number above 0, at most {what}",
        "choice": f"one of {what}",
        "length": f"a text of {what} characters",
        "networks": "networks such as 10.0.0.0/8, separated by commas",
        "bots": "name=bot pairs, separated by semicolons; the names in small letters and new",
        "hosts": "names such as okey.lan, separated by commas, without ports",
        "database": "an address such as postgresql://user@host/name",
        "endpoint": "an address such as 10.0.0.1:8102",
        "origin": "an address such as https://okey.example, without a path",
        "file": "a file that can be read",
        "folder": "the path of a folder",
        "site": "the folder of a built site, with an index.html in it",
        "twice": f"absent where {what} is set",
    }[wanted]
    details = {"setting": name, "wanted": wanted, "what": what}
    return OkeyError("bad-server-setting", f"{name} has to be {expected}", **details)


_KINDS: Final = {
    "trusted_proxies": "networks", "bots": "bots", "allowed_hosts": "hosts", "site": "site",
    "public_url": "origin", "push_hosts": "hosts", "database": "database",
    "node_listen": "endpoint",
    "node_address": "endpoint", "allowed_origins": "origin", "data": "folder",
    "refused_names": "file",
}  # fmt: skip
"""What fields take whose type does not say it."""


def _wanted(field: str) -> tuple[str, str]:
    """What a field takes: a kind, and the numbers or words to choose from."""
    if field in _KINDS:
        return _KINDS[field], ""
    schema = Settings.model_json_schema()["properties"][field]
    for part in (schema, *schema.get("anyOf", ())):
        if "enum" in part:
            return "choice", ", ".join(part["enum"])
        if "maxLength" in part:
            return "length", f"{part['minLength']} .. {part['maxLength']}"
        if "maximum" in part:
            most = f"{part['maximum']:.12g}"
            if part.get("exclusiveMinimum") == 0:
                return "above-zero", most
            return "number", f"{part['minimum']:g} .. {most}"
    raise AssertionError(field)
