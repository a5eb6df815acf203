"""Settings: flags before the environment, secrets from files, and clear words for what is wrong."""

import os
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path

import pytest

from conftest import Patch, raises_code, unwrap
from okey101.cli.serve import _settings
from okey101.i18n import LANGUAGES, error_text, load
from okey101.server import settings as module
from okey101.server.files.data_dir import default_folder
from okey101.server.settings import Settings, SettingsError, load_settings

SetEnv = Callable[..., None]


@pytest.fixture
def env(monkeypatch: Patch) -> SetEnv:
    """Set variables of the server, in an environment that has none."""
    for name in list(os.environ):
        if name.startswith("OKEY101_"):
            monkeypatch.delenv(name)

    def set_names(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"OKEY101_{name}", value)

    return set_names


def test_flags_beat_the_environment_and_absent_flags_do_not(env: SetEnv) -> None:
    env(PORT="9000", HOST="0.0.0.0", DATA="there")
    settings = load_settings({"port": 0, "host": None})
    assert (settings.port, settings.host) == (0, "0.0.0.0")
    assert settings.data == Path("there").absolute()


def test_a_folder_that_is_the_store_beats_the_database_of_a_variable(
    env: SetEnv, tmp_path: Path
) -> None:
    env(DATABASE="postgresql://user@host/name")
    assert _settings(str(tmp_path), {}).database is None
    assert _settings(None, {"data": tmp_path}).database is not None


def test_empty_variables_are_none_at_all(env: SetEnv) -> None:
    env(PORT="", PUBLIC_URL="")
    settings = load_settings()
    assert (settings.port, settings.public_url, settings.origins) == (8101, None, frozenset())
    assert settings.data == default_folder(os.environ)


def test_an_empty_secret_is_refused_and_does_not_open_all(env: SetEnv) -> None:
    env(METRICS_TOKEN="")
    assert problem("OKEY101_METRICS_TOKEN") == ("length", "8 .. 1024")
    env(METRICS_TOKEN_FILE="")
    assert problem("OKEY101_METRICS_TOKEN_FILE") == ("file", "")


def test_lists_and_addresses(env: SetEnv) -> None:
    env(
        PUBLIC_URL="HTTPS://Okey.Example:443/",
        ALLOWED_ORIGINS="https://a.example:8443, http://[::1]:80",
        TRUSTED_PROXIES="10.1.2.3/8,::1",
        ALLOWED_HOSTS="Okey.lan, masa",
        PUSH_HOSTS="Push.example.",
        LOG_LEVEL=" Debug",
        SECURE_COOKIES="ALWAYS",
    )
    settings = load_settings()
    assert settings.public_url == "https://okey.example"
    assert settings.allowed_origins == ("https://a.example:8443", "http://[::1]")
    assert settings.origins == {"https://okey.example", "https://a.example:8443", "http://[::1]"}
    assert settings.allowed_hosts == ("okey.lan", "masa")
    assert settings.push_hosts == ("push.example",)
    assert settings.trusted_proxies == (ip_network("10.0.0.0/8"), ip_network("::1"))
    assert (settings.log_level, settings.secure_cookies) == ("debug", "always")


def test_secrets_from_files(env: SetEnv, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("from a file\r\n", encoding="utf-8")
    for empty in ({}, {"METRICS_TOKEN": ""}):
        env(**empty, METRICS_TOKEN_FILE=str(file))
        assert unwrap(load_settings().metrics_token).get_secret_value() == "from a file"
    assert "from a file" not in f"{load_settings()!r} {load_settings()}"
    env(METRICS_TOKEN="from the environment")
    assert problem("OKEY101_METRICS_TOKEN_FILE") == ("twice", "OKEY101_METRICS_TOKEN")


@pytest.mark.parametrize("content", [None, b"\xff" * 20, b"x" * 5000, b"short"])
def test_a_secret_that_can_not_be_read(env: SetEnv, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "token"
    if content is not None:
        file.write_bytes(content)
    env(METRICS_TOKEN_FILE=str(file))
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert str(caught.value.details["setting"]).startswith("OKEY101_METRICS_TOKEN")


def problem(name: str) -> tuple[object, object]:
    with raises_code("bad-server-setting", SettingsError) as caught:
        load_settings()
    assert caught.value.details["setting"] == name
    return caught.value.details["wanted"], caught.value.details["what"]


WRONG = {
    "HOST": "x" * 300,
    "PORT": "eighty",
    "NODE_NAME": "x" * 65,
    "PUBLIC_URL": "https://okey.example/path",
    "ALLOWED_HOSTS": "nowhere.test:80",
    "ALLOWED_ORIGINS": "nowhere.test",
    "PUSH_HOSTS": "https://push.test",
    "TRUSTED_PROXIES": "the proxy",
    "SECURE_COOKIES": "perhaps",
    "LOG_LEVEL": "loud",
    "LOG_FORMAT": "xml",
    "METRICS_TOKEN": "short",
    "DATA": "~nobody-of-that-name/x",
    "REFUSED_NAMES": "~nobody-of-that-name/x",
}


@pytest.mark.parametrize("field", list(Settings.model_fields))
def test_what_can_not_be_is_named_and_not_repeated(env: SetEnv, field: str) -> None:
    name = field.upper()
    value = WRONG.get(name, "nan")
    env(**{name: value})
    wanted, _ = problem(f"OKEY101_{name}")
    with pytest.raises(SettingsError) as caught:
        load_settings()
    for language in LANGUAGES:
        said = error_text(load(language), caught.value)
        assert f"OKEY101_{name}" in said
        assert value not in said
    assert load("en").has("error-bad-server-setting")
    variants = (*load("en").variants("error-bad-server-setting", "wanted"),)
    assert wanted in variants


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [("PUBLIC_URL", ("ftp://a", "https://", "https://a b", "https://me@a", "https://a?x",
                     "https://a:99999", "a"), ("origin", "")),
     ("REQUESTS_PER_SECOND", ("0", "-1", "1e9"), ("above-zero", "1000000"))],
)  # fmt: skip
def test_what_is_no_origin_and_no_rate(
    env: SetEnv, name: str, values: tuple[str, ...], told: tuple[str, str]
) -> None:
    for value in values:
        env(**{name: value})
        assert problem(f"OKEY101_{name}") == told


def test_unknown_names() -> None:
    ours = ("PROT", "Zzzzz", "LANG", "DEBUG", "PORT", "METRICS_TOKEN_FILE")
    environ = {f"OKEY101_{name}": "1" for name in ours} | {"_OKEY101_COMPLETE": "x", "PATH": "x"}
    assert module.unknown_names(environ) == {"OKEY101_PROT": "OKEY101_PORT", "OKEY101_Zzzzz": ""}


def test_stores() -> None:
    for text in ("some/where", "C:/some"):
        assert module.store_folder(text) == Path(text)
    for text in ("sqlite:///var/some", "SQLite:////var/some"):
        assert module.store_folder(text) == Path("/var/some")
        assert str(module.store_folder(text)) == "/var/some"
    for text in (
        "postgresql://me:hush@h/db", "postgres:/me:hush@h", "sqlite:/x", "sqlite://", "sqlite:///",
        "sqlite://x", "x://y",
    ):  # fmt: skip
        with raises_code("store-unsupported") as caught:
            module.store_folder(text)
        assert "hush" not in str(caught.value)


def test_the_folder_is_the_users() -> None:
    assert default_folder({"XDG_DATA_HOME": "/data"}) == Path("/data/okey101")
    home = Path.home() / ".local" / "share" / "okey101"
    assert default_folder({}) == home
    assert default_folder({"XDG_DATA_HOME": "relative"}) == home
