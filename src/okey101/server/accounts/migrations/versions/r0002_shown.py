"""When a finished match may be shown to those who did not play it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "downgrade", "revision", "upgrade"]

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Show all existing matches to everybody, as before."""
    op.add_column(
        "matches", sa.Column("shown_ms", sa.Integer(), nullable=False, server_default="0")
    )


def downgrade() -> None:
    """Remove the column."""
    op.drop_column("matches", "shown_ms")
