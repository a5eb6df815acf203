"""One generous server that most tests of this folder share."""

from server.live import served

server = served("session", trusted_proxies="127.0.0.1")
"""A server whose limits are out of the way, behind a proxy on this machine."""
strict = served(
    "session", trusted_proxies="127.0.0.1", metrics_token="figures for me",
    absence_s=0.4, deal_pause_s=1,
    guests_per_minute=1, guest_burst=4, logins_per_minute=1, login_burst=3,
    tables_per_minute=1, table_burst=3, max_tables_per_user=2, max_sockets_per_address=3,
    messages_per_second=20, message_burst=200, requests_per_second=1, request_burst=40,
)  # fmt: skip
"""A server with little patience and small allowances, behind a proxy on this machine.

Each test speaks from an address of its own, through ``X-Forwarded-For``.
"""
