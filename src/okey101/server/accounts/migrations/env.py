"""What Alembic runs to take the database to another version; it loads this file by its path."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from okey101.server.accounts.models import Base

__all__ = ["migrate"]


def migrate() -> None:
    """Run the steps asked for on the connection that the caller opened, in its transaction."""
    connection = context.config.attributes["connection"]
    assert isinstance(connection, Connection)
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # Alembic's name for it; any other import does nothing
    migrate()
