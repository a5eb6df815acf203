import unicodedata
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from conftest import raises_code
from okey101.errors import OkeyError
from okey101.server.people.names import (
    LONGEST,
    alike_keys,
    checked_name,
    name_key,
    read_refused_names,
    reads_as,
    variants,
)
from okey101.server.people.service import Accounts

TURKISH = st.text(
    "abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ 0123456789", min_size=1
)


@pytest.mark.parametrize(
    "name",
    ["Ayşe", "Işıl", "Iğdır 76", "Jean-Luc", "O'Neil", "Ali_1", "Əli", "Владимир", "Γιώργος",
     "محمد", "さくらサクラ桜", "김철수", "प्रिया", "สมชาย", "Botan", "Nguyễn Văn", "7 dağ",
     "Mod Ali", "Arno", "Cem",
     "Badmin", "Adnan", "Дмитрий", "Модест", "Νίκος", "Server Bey", "Ботан", "Destegül"],
)  # fmt: skip
def test_names_of_people_are_allowed(name: str) -> None:
    assert checked_name(name).text == name


REFUSED = {
    "name-empty": ("", "  ", "--"),
    "name-too-short": ("A", " A "),
    "name-too-long": ("a" * 21, "a" * 10**6),
    "name-bad-character": (
        "a\x00b", "a\nb", "a\u202eb", "a\u200bb", "a\ufeffb", "a\u3164b", "a\ufe0fb", "a\ud800b",
        "a\ue000b", "a\u0378b", "<b>x", "bot:steady", "✔ Ali", "ᴀli", "\u0301ab",
        "a\u0323\u0324\u0325\u0326", "a \u0301b", "ǃAli",
    ),
    "name-mixed-scripts": ("Аli", "Aλi", "김さ"),
    "name-reserved": (
        "bot", "Bot 7", "B0T", "BÖT_x", "bot12", "Admin", "yönetici", "YONETİCİ", "0key101",
        "adrnin", "aclmin", "ACIMIN", "rnoderator", "4dm1n", "5upport", "Admin 2", "Admin_07",
        "Ali-Admin", "okey101 Ali", "0KEYl01-x", "rnod", "Админ", "админ1", "Модератор",
        "администратор", "ѕуѕтем", "ѕегѵег", "гоот", "αδμιν", "Αντμίν", "σύστεμ", "管理员", "Бот 3",
        "ЬОТ",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"), [(name, code) for code, names in REFUSED.items() for name in names]
)
def test_other_names_are_refused_with_a_code(name: str, expected: str) -> None:
    with raises_code(expected):
        checked_name(name)


@pytest.mark.parametrize(
    ("name", "character"), [("a\u202eb", "U+202E"), ("Ali \U0001f469", "\U0001f469 (U+1F469)")]
)
def test_the_refused_character_is_shown_and_named_by_its_number(name: str, character: str) -> None:
    with raises_code("name-bad-character", details={"character": character}):
        checked_name(name)


@pytest.mark.parametrize(
    "others",
    [("Işıl", "IŞIL", "işil", "İŞİL", "ısıl"), ("Ali", "AIi", "A1i", "a l i", "A.L.İ", "Ａｌｉ"),
     ("Ece", "Есе"), ("Ömer", "OMER", "0mer", "ÖMER"), ("Ali's", "Ali\u2019s"),
     ("Strasse", "Straße")],
)  # fmt: skip
def test_names_that_look_alike_share_a_key(others: tuple[str, ...]) -> None:
    assert len({checked_name(name).key for name in others}) == 1


def test_two_letters_that_look_like_one_make_another_key_that_is_known_to_be_alike() -> None:
    """Keys stay as they are, as accounts are found by them; who comes later is compared by both."""
    for one, other in (("Cem", "Cern"), ("Ömer", "Orner"), ("Deniz", "Cleniz"), ("Ewe", "Evve")):
        keys = checked_name(one).key, checked_name(other).key
        assert keys[0] != keys[1]
        assert keys[0] in alike_keys(keys[1])
        assert keys[1] in alike_keys(keys[0])
    assert len(alike_keys("m" * 20)) <= 64


def test_different_names_have_different_keys() -> None:
    """A mark that makes another letter counts."""
    for one, other in (("कि", "कु"), ("は", "ば")):
        assert name_key(one) != name_key(other)
    names = ["Ali", "Veli", "Ayşe", "Fatma", "Mehmet", "Ahmet", "Ali2", "Deniz", "Eda", "Ada"]
    assert len({name_key(name) for name in names}) == len(names)


@given(st.text(max_size=30) | TURKISH)
def test_normalising_twice_changes_nothing(text: str) -> None:
    try:
        name = checked_name(text)
    except OkeyError:
        return
    assert checked_name(name.text) == name
    assert name_key(name.key) == name.key == name_key(text)
    assert name.key
    assert name.text == unicodedata.normalize("NFC", name.text)
    assert "  " not in name.text


@given(TURKISH, st.data())
def test_case_in_either_language_makes_no_other_name(text: str, data: st.DataObject) -> None:
    def other(c: str) -> str:
        same = {c, c.lower(), c.upper(), c.casefold(), c.swapcase()}
        return data.draw(st.sampled_from(sorted(same | (set("ıiIİ") if c in "ıiIİ" else set()))))

    assert name_key("".join(map(other, text))) == name_key(text)


@given(TURKISH)
def test_variants_are_names_and_differ(text: str) -> None:
    try:
        name = checked_name(text)
    except OkeyError:
        return
    some = [checked_name(v) for v in islice(variants(name.text), 20)]
    # Cutting a long name of digits may give the same key twice; most still differ.
    assert len({v.key for v in some} - {name.key}) >= 8
    assert all(len(v.text) <= LONGEST for v in some)


# Words that the operator refuses ---------------------------------------------------------------


def words(tmp_path: Path, text: str | bytes) -> frozenset[str]:
    path = tmp_path / "words.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_refused_names(path)


def test_the_folded_forms_are_compared(tmp_path: Path) -> None:
    """As against look-alikes: case, accents, digits, other alphabets, two letters for one."""
    refused = words(tmp_path, "\ufeff# names\r\nçirkin\r\n\r\n  Morem \r\n")
    assert len(refused) == 2
    for text in ("Çirkin", "CIRKIN", "ç1rk1n", "Ali-çirkin", "cirkin 7", "rnorern", "M0REM"):
        assert reads_as(checked_name(text).text, refused)
    for text in ("Çirkinoğlu", "Mor Emre", "Ali"):
        assert not reads_as(checked_name(text).text, refused)


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
    details = {"path": str(tmp_path / "words.txt"), "wrong": wrong, "line": line}
    with raises_code("bad-refused-names", details=details):
        words(tmp_path, text)


def test_no_file_and_a_missing_one(tmp_path: Path) -> None:
    assert len(read_refused_names(None)) == 0
    details = {"path": str(tmp_path), "wrong": "unreadable", "line": 0}
    with raises_code("bad-refused-names", details=details):
        read_refused_names(tmp_path)


async def test_guests_and_accounts_are_asked(tmp_path: Path, accounts: Accounts) -> None:
    """New ones and new names; nobody loses a name to a file."""
    user, _token = await accounts.guest("Çirkin")
    accounts._refused = words(tmp_path, "çirkin")
    for work in (accounts.guest("C1rkin"), accounts.change(user.id, name="Çirkin 2")):
        with raises_code("name-refused"):
            await work
    assert (await accounts.change(user.id, language="tr")).name == "Çirkin"
