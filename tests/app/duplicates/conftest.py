"""A trash and a disk of their own for these tests."""

from __future__ import annotations

from tests.app.private_trash import private_trash, small_disk

__all__ = ["private_trash", "small_disk"]
