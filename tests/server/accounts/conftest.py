"""Accounts that a test has for itself, and the clock they go by."""

from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from okey101.server.people.service import Accounts
from server.accounts.people import Clock, in_database, with_accounts

FILES = {
    "test_a_weak_hash_is_made_anew_at_login",
    "test_tokens_and_passwords_are_nowhere_open",
    "test_a_list_of_the_erased_that_is_damaged_is_made_whole",
    "test_a_file_has_the_tables_of_the_models",
    "test_a_full_disk_changes_nothing_and_passes",
    "test_a_change_of_people_that_is_lost_is_told",
    "test_a_row_that_is_not_what_was_written_is_found",
    "test_a_file_of_a_build_between_two_releases_is_refused",
}
"""Tests that look into the file."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)], autouse=True)
def database(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where people are kept: in a file, and in the long tests in PostgreSQL as well."""
    if request.param == "sqlite":
        yield
        return
    if request.function.__name__ in FILES:
        pytest.skip("it looks into a file")
    in_database(request.getfixturevalue("postgres"))
    yield
    in_database(None)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def accounts(tmp_path: Path, clock: Clock) -> AbstractAsyncContextManager[Accounts]:
    return with_accounts(tmp_path, clock=clock)
