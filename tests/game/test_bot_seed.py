"""The seeds of bots at fair tables, against a computation that shares nothing with ours."""

from __future__ import annotations

import hmac
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from okey101.errors import OkeyError
from okey101.game.bot_seed import bot_seed

TABLES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
NUMBERS = st.integers(0, 10**9)
BASE = (bytes(range(32)), "salon", 1, 0, 0, 2)


@given(st.binary(min_size=32, max_size=32), TABLES, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_an_independent_computation_agrees(
    secret: bytes, table: str, match: int, deal: int, round_: int, seat: int
) -> None:
    name = table.encode()
    text = b"okey101 bot seed 2" + struct.pack(">Q", len(name)) + name
    text += struct.pack(">QQQQ", match, deal, round_, seat)
    digits = hmac.digest(secret, text, "sha256").hex()
    assert bot_seed(secret, table, match, deal, round_, seat) == int(digits, 16)


def test_everything_changes_the_seed() -> None:
    others = [
        (bytes(32), *BASE[1:]),
        (BASE[0], "Salon", 1, 0, 0, 2),
        (BASE[0], "salon", 2, 0, 0, 2),
        (BASE[0], "salon", 1, 1, 0, 2),
        (BASE[0], "salon", 1, 0, 1, 2),
        (BASE[0], "salon", 1, 0, 0, 3),
    ]
    assert len({bot_seed(*case) for case in (BASE, *others)}) == len(others) + 1


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ((b"x" * 31, "t", 1, 0, 0, 0), "bad-secret"),
        ((b"x" * 33, "t", 1, 0, 0, 0), "bad-secret"),
        ((BASE[0], "", 1, 0, 0, 0), "bad-context"),
        ((BASE[0], "t" * 201, 1, 0, 0, 0), "bad-context"),
        ((BASE[0], "\ud800", 1, 0, 0, 0), "bad-context"),
        ((BASE[0], "t", -1, 0, 0, 0), "bad-context"),
        ((BASE[0], "t", 1, 10**9 + 1, 0, 0), "bad-context"),
        ((BASE[0], "t", 1, 0, -1, 0), "bad-context"),
        ((BASE[0], "t", 1, 0, 0, -1), "bad-context"),
    ],
)
def test_what_is_out_of_range_is_refused(
    case: tuple[bytes, str, int, int, int, int], code: str
) -> None:
    with pytest.raises(OkeyError) as caught:
        bot_seed(*case)
    assert caught.value.code == code
    assert "xxx" not in caught.value.message
