"""The vectors of fair deals that the documents hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).resolve().parents[2] / "docs" / "fairness-vectors.json"


def _those(kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))[kind]
    return found


def vectors() -> list[dict[str, Any]]:
    return _those("records")


def matches() -> list[dict[str, Any]]:
    return _those("matches")


def rounds() -> list[dict[str, Any]]:
    """Records of one deal each, some after rounds that were abandoned."""
    return _those("rounds")


def wrong() -> list[dict[str, Any]]:
    """Records of one deal each, in which one thing is wrong."""
    return _those("wrong")
