"""The tables' log: what a store promises, and an embedded one."""

from okey101.server.store.base import Conflict, Row, Store, StoreError, StoreStats
from okey101.server.store.sqlite import SqliteStore

__all__ = ["Conflict", "Row", "SqliteStore", "Store", "StoreError", "StoreStats"]
