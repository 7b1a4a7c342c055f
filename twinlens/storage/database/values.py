"""The values of a library's columns, the same in every database, and the facts of a new library.

Paths are bytes relative to the mount point of their volume, since a name in a folder need not be text. Moments are
UTC text, to the second, so that they sort as they read.
"""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from uuid import uuid4

APPLICATION_ID = 0x54774C73  # "TwLs" in the file's header: a file of another program is told apart
REVISIONS = ("0009", "0010", "0011")  # every one that this version knows, from that of 1.0.0 on
PAGE_SIZE = 16_384  # arrays are read twice as fast as from pages of 4,096; it can be chosen only at creation
PHOTOGRAPH_BITS = 40  # the key of a descriptor is kind << 40 | photograph
MOST_ID = (1 << PHOTOGRAPH_BITS) - 1


class PhotographState(StrEnum):
    """The state of a photograph."""

    PENDING = "pending"
    """Registered or changed, and not yet read."""
    READY = "ready"
    """Read: its facts and its descriptors are here."""
    UNREADABLE = "unreadable"
    """Could not be read; a problem says why."""
    MISSING = "missing"
    """Its file has vanished; everything known of it is kept."""


def clean(value: str | None) -> str | None:
    """Return text as a column keeps it: without NUL, which a camera may write and a server refuses."""
    return value.replace("\0", "") if value is not None else None


CHANGES = "changes"
"""Counts the transactions that have changed a library on a server; a file has none, since SQLite counts by itself."""


def new_facts() -> dict[str, str]:
    """Return the facts of a new library."""
    return {"id": uuid4().hex, "created": now()}


def now() -> str:
    """Return this moment as ``2024-05-14T11:08:00Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
