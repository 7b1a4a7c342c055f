"""Work of other processes that is done in the process of tests: to start another takes longer than most of it.

All tests of the program work like that, but those that ask for `worker_processes`, `decoder_processes` or
`separate_processes`.
"""

from __future__ import annotations

import hashlib
import math
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from twinlens.app.library.desktop_thumbnails import OriginalFile, find
from twinlens.app.library.workers import worker
from twinlens.app.library.workers.extraction import KnownContent, Outcome, ReadPhotograph, extract
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.worker import PictureProcess
from twinlens.core.errors import Cancelled
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent
from twinlens.core.worker_process import TaskCaller, WorkerProcess, _Conversation, _outcome, _raise
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


# ---- tasks of worker processes ---------------------------------------------------------------------------------------
class TasksHere(WorkerProcess):
    """A worker process that is none: its tasks run in this process, and go there and back as they would to another."""

    def begin(self) -> None:
        return

    def run(
        self,
        task: object,
        progress: Progress = silent,
        on_result: Callable[[Any], object] = lambda _: None,
        gently: bool = False,
        seconds: float = math.inf,
    ) -> Any:
        caller = _Caller(_Conversation(progress, on_result, gently))
        caller.conversation.look()
        kind, value = _outcome(self._done, across(task), caller)
        if caller.error is not None:
            raise caller.error
        if kind != "done":
            _raise(kind, value)
        return across(value)

    def _done(self, task: Any, caller: TaskCaller) -> Any:
        return task(caller)

    def finish(self, seconds: float) -> bool:
        return True

    def kill(self) -> None:
        return

    def stop(self) -> None:
        return


class PicturesHere(TasksHere, PictureProcess):
    """A worker process for pictures that is none."""

    def _done(self, task: Any, caller: TaskCaller) -> Any:
        worker._limits = Limits(self.memory_bytes)
        return worker._run(task, caller)


class _Caller(TaskCaller):
    """The caller of a task, which hears of it at once."""

    def __init__(self, conversation: _Conversation) -> None:
        self.conversation = conversation
        self.error: BaseException | None = None

    def progress(self, done: float, total: float, text: Message = NOTHING) -> None:
        try:
            goes_on = self.conversation.hear((float(done), float(total), text))
        except BaseException as error:
            self.error = error
            raise
        if not goes_on:
            raise Cancelled

    def tell(self, found: object) -> None:
        self.conversation.on_result(across(found))


def across(value: Any) -> Any:
    """Return a value as another process has it: a copy, whose large arrays are read-only."""
    apart: list[pickle.PickleBuffer] = []
    data = pickle.dumps(value, protocol=5, buffer_callback=apart.append)
    return pickle.loads(data, buffers=[bytes(one.raw()) for one in apart])
