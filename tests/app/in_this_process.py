"""Photographs that are read in the process of tests: no other has to start, which takes longer than a few of them.

All tests of the program read like that, but those that ask for `worker_processes`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from twinlens.app.library.desktop_thumbnails import OriginalFile, find
from twinlens.app.library.workers.extraction import KnownContent, Outcome, ReadPhotograph, extract
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.features.descriptor import Extractor
from twinlens.features.reading.reading_limits import Limits

_read: dict[tuple[object, ...], ReadPhotograph] = {}
"""What was read of a content: the same content, read in the same way, makes the same photograph."""


class Here:
    """Workers that work in this process, one file after the other, and remember which they decoded."""

    decoded: list[str] = []  # noqa: RUF012 (emptied before each test)

    def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: object) -> None:
        self._extractors = extractors
        self._digests: dict[str, bytes] = {}

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def run(self, tasks: Iterable[FileReadingTask], waiting: Callable[[], None]) -> Iterator[Outcome]:
        for task in tasks:
            waiting()
            outcome = self._outcome(task)
            if not isinstance(outcome, KnownContent):
                self.decoded.append(Path(os.fsdecode(task.path)).name)
            yield outcome

    def _digest(self, key: str) -> bytes:
        if key not in self._digests:
            self._digests[key] = self._extractors[key].pack().digest()
        return self._digests[key]

    def _outcome(self, task: FileReadingTask) -> Outcome:
        """Read a file, unless its content was read before in the same way."""
        path = Path(os.fsdecode(task.path))
        if task.reduced or not path.is_file():
            return extract(task, self._extractors, Limits())
        content = hashlib.sha256(path.read_bytes()).digest()
        manner = replace(task, photograph_id=0, path=b"", size=0, mtime_ns=0, known=(), volume=None, relative=b"")
        asked = (content, path.suffix, manner, *map(self._digest, task.wanted))
        if (before := _read.get(asked)) and content not in task.known and not _by_the_desktop(task, before):
            return replace(before, photograph_id=task.photograph_id, path=task.path)
        outcome = extract(task, self._extractors, Limits())
        complete = isinstance(outcome, ReadPhotograph) and outcome.vectors.keys() == set(task.wanted)
        if isinstance(outcome, ReadPhotograph) and complete and not _by_the_desktop(task, outcome):
            _read[asked] = outcome
        return outcome


def _by_the_desktop(task: FileReadingTask, read: ReadPhotograph) -> bool:
    """Return whether the desktop's thumbnails matter: one of a file is used, or one is to be made."""
    original = OriginalFile(task.path, task.size, task.mtime_ns, read.facts.width, read.facts.height)
    return task.desktop == "share" or (task.desktop == "use" and find(original) is not None)
