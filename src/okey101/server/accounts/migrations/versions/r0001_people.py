"""People, their sessions, matches, mutes and the security log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "downgrade", "revision", "upgrade"]

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    _people()
    _matches()
    op.create_table(
        "mutes",
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id", name="mutes_user_id_of_users")),
        sa.Column("muted_id", sa.Text(), sa.ForeignKey("users.id", name="mutes_muted_id_of_users")),
        sa.PrimaryKeyConstraint("user_id", "muted_id", name="mutes_key"),
        sqlite_strict=True,
    )
    op.create_index("mutes_muted_id", "mutes", ["muted_id"])
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("event", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id", name="events_user_id_of_users")),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="events_key"),
        sqlite_strict=True,
    )
    op.create_index("events_at_ms", "events", ["at_ms"])
    op.create_index("events_user_id", "events", ["user_id"])


def downgrade() -> None:
    """Remove the tables."""
    for table in ("events", "mutes", "match_seats", "matches", "sessions", "users"):
        op.drop_table(table)


def _people() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text()),
        sa.Column("name_key", sa.Text()),
        sa.Column("password_hash", sa.Text()),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.Column("seen_ms", sa.Integer(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False, server_default="{}"),
        sa.Column("banned_until", sa.Integer()),
        sa.Column("ban_reason", sa.Text()),
        sa.Column("deleted_ms", sa.Integer()),
        sa.Column(
            "merged_into", sa.Text(), sa.ForeignKey("users.id", name="users_merged_into_of_users")
        ),
        sa.PrimaryKeyConstraint("id", name="users_key"),
        sqlite_strict=True,
    )
    op.create_index(
        "users_account_name",
        "users",
        ["name_key"],
        unique=True,
        sqlite_where=sa.text("password_hash IS NOT NULL"),
    )
    op.create_index("users_seen_ms", "users", ["seen_ms"])
    op.create_index("users_merged_into", "users", ["merged_into"])
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column(
            "user_id",
            sa.Text(),
            sa.ForeignKey("users.id", name="sessions_user_id_of_users"),
            nullable=False,
        ),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_ms", sa.Integer(), nullable=False),
        sa.Column("seen_ms", sa.Integer(), nullable=False),
        sa.Column("expires_ms", sa.Integer(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="sessions_key"),
        sa.UniqueConstraint("token_hash", name="sessions_token_hash_unique"),
        sqlite_strict=True,
    )
    op.create_index("sessions_user_id", "sessions", ["user_id"])
    op.create_index("sessions_expires_ms", "sessions", ["expires_ms"])


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("finished_ms", sa.Integer(), nullable=False),
        sa.Column("preset", sa.Text(), nullable=False),
        sa.Column("deals", sa.Integer(), nullable=False),
        sa.Column("totals", sa.Text(), nullable=False),
        sa.Column("record", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="matches_key"),
        sqlite_strict=True,
    )
    op.create_table(
        "match_seats",
        sa.Column(
            "match_id",
            sa.Text(),
            sa.ForeignKey("matches.id", name="match_seats_match_id_of_matches"),
        ),
        sa.Column("seat", sa.Integer()),
        sa.Column(
            "user_id", sa.Text(), sa.ForeignKey("users.id", name="match_seats_user_id_of_users")
        ),
        sa.Column("bot", sa.Text()),
        sa.Column("finished_ms", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", name="match_seats_key"),
        sqlite_strict=True,
    )
    op.create_index("match_seats_of_user", "match_seats", ["user_id", "finished_ms", "match_id"])
