"""One server for all tests that attack it within generous limits."""

from collections.abc import Iterator

import pytest

from server.live import LiveServer


@pytest.fixture(scope="package")
def server() -> Iterator[LiveServer]:
    """A server whose log must not mention any error at the end."""
    with LiveServer(
        first_deal_wait_s=0, deal_pause_s=0, max_tables=100_000, allowed_hosts="x"
    ) as running:
        yield running
        bad = [line for line in running.events if line["level"] in ("error", "critical")]
        assert not bad, bad[0]
