"""Facts of a whole library: rows of its table ``library``."""

from __future__ import annotations

from uuid import uuid4

from storage.database.timestamps import now

CHANGES = "changes"
"""Counts the transactions that have changed a library on a server; a file has none, since SQLite counts by itself."""


def new_facts() -> dict[str, str]:
    """Return the facts of a new library."""
    return {"id": uuid4().hex, "created": now()}
