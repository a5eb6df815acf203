"""Online tables for people and bots: one process, an embedded log, nothing to configure."""

__all__ = []
