"""Photographs that are read in the process of tests: no other has to start, which takes longer than a few of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from app.library.extraction import Known, Outcome, Task, extract
from features.descriptor import Extractor
from features.reading.reading_limits import Limits


class Here:
    """Workers that work in this process, one file after the other, and remember which they decoded."""

    decoded: list[str] = []  # noqa: RUF012 (emptied before each test)

    def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: object) -> None:
        self._extractors = extractors

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def run(self, tasks: Iterable[Task], waiting: Callable[[], None]) -> Iterator[Outcome]:
        for task in tasks:
            outcome = extract(task, self._extractors, Limits())
            if not isinstance(outcome, Known):
                self.decoded.append(Path(os.fsdecode(task.path)).name)
            yield outcome
