"""The door: HTTP for people and lists, a WebSocket for each seat at a table."""

__all__ = []
