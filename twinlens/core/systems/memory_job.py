"""A job object of Windows, which holds the process in it to an amount of memory."""

from __future__ import annotations

from typing import Any, Protocol


class JobCalls(Protocol):
    """The calls of Windows for a job, which raise OSError."""

    def make(self) -> Any:
        """Make a job without a limit, and return its handle: with the last handle goes what can change the job."""

    def set_limit(self, job: Any, count: int) -> None:
        """Set the bytes that each process in the job can have promised by the system."""

    def enter(self, job: Any) -> None:
        """Put this process into the job, which it never leaves; other jobs, of which it is a part, may forbid it."""


class MemoryJob:
    """The job of this process, made when its memory is first limited.

    Attributes
    ----------
    limit : int or None
        Bytes; None while there is no limit.
    """

    def __init__(self, calls: JobCalls) -> None:
        self._calls = calls
        self._job: Any = None
        self.limit: int | None = None

    def limit_to(self, count: int) -> None:
        """Set the limit, or another one; where Windows refuses, everything stays as it was."""
        try:
            job = self._calls.make() if self._job is None else self._job
            self._calls.set_limit(job, count)
            if self._job is None:
                self._calls.enter(job)
        except OSError:
            return
        self._job, self.limit = job, count
