"""The vectors of fair deals that the documents hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["VECTORS", "matches", "rounds", "vectors", "wrong"]

VECTORS = Path(__file__).resolve().parents[2] / "docs" / "fairness-vectors.json"


def vectors() -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["records"]
    return records


def matches() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["matches"]
    return found


def rounds() -> list[dict[str, Any]]:
    """Records of one deal each, some after rounds that were abandoned."""
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["rounds"]
    return found


def wrong() -> list[dict[str, Any]]:
    """Records of one deal each, in which one thing is wrong."""
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))["wrong"]
    return found
