"""Accounts of bots: whose they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "downgrade", "revision", "upgrade"]

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nobody is a bot so far."""
    op.add_column("users", sa.Column("owner_id", sa.Text(), nullable=True))
    op.create_index("users_owner_id", "users", ["owner_id"])


def downgrade() -> None:
    """Remove the column."""
    op.drop_index("users_owner_id", "users")
    op.drop_column("users", "owner_id")
