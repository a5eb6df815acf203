"""How passwords are hashed."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import VerifyMismatchError

from okey101.server.accounts.passwords import _unmatched


def test_the_hash_of_nobody_is_a_hash_that_nothing_matches() -> None:
    """And of the same cost, or the time would tell which names there are."""
    hasher = PasswordHasher(time_cost=1, memory_cost=64)
    nobody = _unmatched(hasher)
    assert extract_parameters(nobody) == extract_parameters(hasher.hash("secret word"))
    with pytest.raises(VerifyMismatchError):
        hasher.verify(nobody, "secret word")
