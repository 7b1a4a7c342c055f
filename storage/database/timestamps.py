"""Moments as text: UTC, to the second, so that they sort as they read."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Return this moment as ``2024-05-14T11:08:00Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
