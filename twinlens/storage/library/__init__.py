"""A library wherever it lies: opening, transactions, copies, backups, sizes, settings."""

from __future__ import annotations
