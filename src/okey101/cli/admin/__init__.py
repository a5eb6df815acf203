"""``okey101 admin``: the commands for whoever runs a server."""

from okey101.cli.admin.commands import admin

__all__ = ["admin"]
