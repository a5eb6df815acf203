"""Okey 101: rules, exact solver, records and bots."""

__version__ = "0.1.0"
