"""A table: its log entries, its state, what each viewer sees, and the actor that keeps it."""

__all__ = []
