"""The reviews of finished matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

__all__ = ["down_revision", "downgrade", "revision", "upgrade"]

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make room for them; no match has one yet."""
    op.create_table(
        "match_reviews",
        sa.Column("match_id", sa.Text(), nullable=False),
        sa.Column("made_ms", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["matches.id"], name=op.f("match_reviews_match_id_of_matches")
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("match_reviews_key")),
        sqlite_strict=True,
    )


def downgrade() -> None:
    """Remove them; they can be made again."""
    op.drop_table("match_reviews")
