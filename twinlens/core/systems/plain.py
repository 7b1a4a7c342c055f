"""Functions that any system can do, for systems that offer nothing better: macOS and Windows."""

from __future__ import annotations

import os
import platform
import tempfile
from typing import TYPE_CHECKING, Protocol

from twinlens.core.systems.machine_facts import installed_memory

if TYPE_CHECKING:
    from twinlens.core.systems.folder_events import FolderEvents

__all__ = [
    "folder_events",
    "give_back_memory",
    "has_screen",
    "is_remote",
    "memory_bytes",
    "nameless_file",
    "processor_name",
    "processors",
    "receive_memory",
    "send_memory",
]


class Pipe(Protocol):
    """One end of a pipe between two processes."""

    def send_bytes(self, data: memoryview, /) -> None:
        """Send bytes."""

    def recv_bytes(self) -> bytes:
        """Receive them."""


def processors() -> int:
    """Count the processors that this program may use."""
    return os.cpu_count() or 1


def processor_name() -> str:
    """Return the name of the processor; nothing that tells one machine from another of its kind."""
    return platform.processor()


def memory_bytes() -> int:
    """Return the bytes of memory that this machine has."""
    return installed_memory()


def has_screen() -> bool:
    """Return whether there is a screen: always."""
    return True


def folder_events() -> FolderEvents | None:
    """Return events of folders: none, Qt has its own."""
    return None


def is_remote(folder: bytes) -> bool:
    """Return whether a folder is on another machine, as far as its path tells."""
    return folder.startswith((b"//", b"\\\\"))


def give_back_memory() -> None:
    """Return freed memory to the system, which the C library does by itself."""


def nameless_file() -> int:
    """Open a new file that goes when it is closed."""
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def send_memory(pipe: Pipe, data: memoryview) -> None:
    """Send bytes to another process."""
    pipe.send_bytes(data)


def receive_memory(pipe: Pipe) -> bytes:
    """Receive the bytes."""
    return pipe.recv_bytes()
