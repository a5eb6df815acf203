"""The messages between a client and a table."""

from okey101.server.protocol.options import TableOptions, checked_options, rules_of

__all__ = ["TableOptions", "checked_options", "rules_of"]
