"""Words that the operator refuses in names, whatever they are disguised as."""

from __future__ import annotations

from pathlib import Path

import pytest

from okey101.errors import OkeyError
from okey101.server.accounts import Accounts
from okey101.server.accounts.names import checked_name
from okey101.server.accounts.refused_names import RefusedNames, read_refused_names
from server.accounts.people import Clock, with_accounts


def words(tmp_path: Path, text: str | bytes) -> RefusedNames:
    path = tmp_path / "words.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_refused_names(path)


def test_the_folded_forms_are_compared(tmp_path: Path) -> None:
    """As against look-alikes: case, accents, digits, other alphabets, two letters for one."""
    refused = words(tmp_path, "\ufeff# names\r\nçirkin\r\n\r\n  Morem \r\n")
    assert len(refused) == 2
    for text in ("Çirkin", "CIRKIN", "ç1rk1n", "Ali-çirkin", "cirkin 7", "rnorern", "M0REM"):
        with pytest.raises(OkeyError) as caught:
            refused.require(checked_name(text))
        assert caught.value.code == "name-refused", text
    for text in ("Çirkinoğlu", "Mor Emre", "Ali"):
        assert refused.require(checked_name(text)).text == text


@pytest.mark.parametrize(
    ("text", "wrong", "line"),
    [
        (b"ali\n\xff\xfe\n", "encoding", 0),
        ("fine\ntwo words\n", "word", 2),
        ("fine\n\n...\n", "word", 3),
        ("a\n", "word", 1),
        (b"x" * (2**20 + 1), "large", 0),
    ],
)
def test_a_bad_file_is_told(tmp_path: Path, text: str | bytes, wrong: str, line: int) -> None:
    with pytest.raises(OkeyError) as caught:
        words(tmp_path, text)
    assert caught.value.code == "bad-refused-names"
    details = caught.value.details
    assert details == {"path": str(tmp_path / "words.txt"), "wrong": wrong, "line": line}


def test_no_file_and_a_missing_one(tmp_path: Path) -> None:
    assert len(read_refused_names(None)) == 0
    with pytest.raises(OkeyError) as caught:
        read_refused_names(tmp_path / "none.txt")
    assert caught.value.details["wrong"] == "unreadable"


def test_guests_and_accounts_are_asked(tmp_path: Path) -> None:
    """New ones and new names; nobody loses a name to a file."""

    async def story(accounts: Accounts, _: Clock) -> None:
        user, _token = await accounts.guest("Çirkin")
        accounts._refused = words(tmp_path, "çirkin")
        for work in (accounts.guest("C1rkin"), accounts.change(user.id, name="Çirkin 2")):
            with pytest.raises(OkeyError) as caught:
                await work
            assert caught.value.code == "name-refused"
        assert (await accounts.change(user.id, language="tr")).name == "Çirkin"

    with_accounts(tmp_path, story)
