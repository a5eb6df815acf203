"""Brings an accounts' file to another version; imported where there is something to do alone."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

__all__ = ["SCRIPTS", "upgrade"]

SCRIPTS: Final = Path(__file__).with_name("migrations")
# Alembic keeps the connection it works on in module-wide names.
_ALEMBIC: Final = threading.Lock()


def upgrade(connection: Connection, to: str = "head", scripts: Path = SCRIPTS) -> None:
    """Bring the database to a version, inside the caller's transaction."""
    config = Config()
    # ConfigParser reads % as the beginning of a name.
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    with _ALEMBIC:
        command.upgrade(config, to)
