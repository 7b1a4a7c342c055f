"""The command with all commands in it."""

from __future__ import annotations

from app.cli.duplicates import cleaning
from app.cli.duplicates.duplicates import duplicates

__all__ = ["cleaning", "duplicates"]
