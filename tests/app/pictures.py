"""The smallest pictures, made where they are needed."""

from __future__ import annotations

import os
from pathlib import Path

from twinlens.app.library.workers.file_contents import FileReadingTask


def pgm(width: int, height: int = 1, level: int = 128) -> bytes:
    """Return a grey picture whose width says what is to be done with it."""
    return b"P5 %d %d 255 " % (width, height) + bytes([level]) * (width * height)


def task(path: Path, number: int = 1, wanted: tuple[str, ...] = (), known: tuple[bytes, ...] = ()) -> FileReadingTask:
    """Make the task of reading a file that is there."""
    status = path.stat()
    return FileReadingTask(number, os.fsencode(path), status.st_size, status.st_mtime_ns, known, wanted)


def tasks(folder: Path, widths: list[int], wanted: tuple[str, ...]) -> list[FileReadingTask]:
    """Write one picture for each width and make their tasks, numbered from 1."""
    made = []
    for number, width in enumerate(widths, 1):
        path = folder / f"{number:04}.pgm"
        path.write_bytes(pgm(width))
        made.append(task(path, number, wanted))
    return made
