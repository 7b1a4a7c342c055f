"""Processes that work in the background take what nobody else wants: of the processors, and of the disk."""

from __future__ import annotations

from contextlib import suppress

from core.systems import system


def be_polite() -> None:
    """Let every other process go first, from now on; what the system does not offer is left out."""
    # A container or a policy may refuse either, and an older system not know it.
    with suppress(OSError, AttributeError):
        system.yield_processors()
    with suppress(OSError, AttributeError, KeyError):
        system.yield_disk()
