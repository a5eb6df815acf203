"""How the accounts' database came to its present form, step by step (Alembic)."""
