"""Bot accounts: shown, parted from their tokens, removed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from okey101.cli.admin.link import Where, link_to, segment
from okey101.cli.admin.work import done, local_time, show
from okey101.cli.output import Output, printable

__all__ = ["remove_bot", "revoke_bot", "show_bots"]


def show_bots(output: Output, where: Where, search: str, limit: int) -> int:
    """Print bot accounts, the latest seen first."""
    bots: list[dict[str, Any]] = link_to(output, where).get(
        "/api/admin/bots", search=search, limit=limit
    )

    def row(bot: dict[str, Any]) -> list[str]:
        return [
            bot["id"],
            output.texts(f"admin-token-{_token(bot)}"),
            local_time(bot["seen_ms"]),
            printable(str(bot["name"] or "-")),
            " ".join(bot["tables"]),
        ]

    return show(output, "bots", bots, ("bot", "token", "seen", "name", "tables"), row)


def _token(bot: dict[str, Any]) -> str:
    until = bot["banned_until"]
    if until is not None and until > datetime.now(UTC).timestamp() * 1000:
        return "banned"
    return "there" if bot["token"] else "none"


def revoke_bot(output: Output, where: Where, bot: str) -> int:
    """End a bot's token."""
    link_to(output, where).post(f"/api/admin/bots/{segment(bot)}/revoke")
    return done(output, "admin-bot-revoked", bot=bot)


def remove_bot(output: Output, where: Where, bot: str) -> int:
    """Remove a bot account."""
    link_to(output, where).post(f"/api/admin/bots/{segment(bot)}/remove")
    return done(output, "admin-bot-removed", bot=bot)
