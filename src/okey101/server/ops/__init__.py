"""Operation: logs, metrics, the operator's journal, reports, and background tasks."""
