"""Seats that are offered to bots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "downgrade", "revision", "upgrade"]

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make room for them; those from before were kept nowhere."""
    op.create_table(
        "invitations",
        sa.Column("bot_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("at_ms", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False, server_default="0"),
        sa.ForeignKeyConstraint(["bot_id"], ["users.id"], name=op.f("invitations_bot_id_of_users")),
        sa.PrimaryKeyConstraint("bot_id", "table_id", name=op.f("invitations_key")),
        sqlite_strict=True,
    )
    op.create_index("invitations_table_id", "invitations", ["table_id"])


def downgrade() -> None:
    """Remove them; they can be made again."""
    op.drop_index("invitations_table_id", "invitations")
    op.drop_table("invitations")
