"""The tables' log: what a store promises, an embedded one, and one in memory."""

from okey101.server.store.base import Conflict, Row, Store, StoreError
from okey101.server.store.memory import MemoryStore
from okey101.server.store.sqlite import SqliteStore, StoreStats

__all__ = ["Conflict", "MemoryStore", "Row", "SqliteStore", "Store", "StoreError", "StoreStats"]
