"""A process of Windows is held to its memory by a job, told from what a job of Windows does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.systems.memory_job import MemoryJob


class Windows:
    """Jobs that do what those of Windows do, for one process that has so many bytes promised.

    Attributes
    ----------
    entered : list of int
        The jobs that the process is in.
    """

    def __init__(self, refuses: bool = False) -> None:
        self._refuses = refuses
        self._limits: dict[int, int | None] = {}
        self.entered: list[int] = []

    def make(self) -> int:
        self._limits[len(self._limits)] = None
        return len(self._limits) - 1

    def set_limit(self, job: int, count: int) -> None:
        if count <= 0:
            raise OSError("the parameter is incorrect")
        self._limits[job] = count

    def enter(self, job: int) -> None:
        if self._refuses:
            raise PermissionError("access is denied")
        self.entered.append(job)

    def promise(self, count: int) -> bool:
        """Whether the process can have so many bytes in all: every job that it is in must allow it."""
        return all(limit is None or count <= limit for limit in (self._limits[job] for job in self.entered))


def test_without_a_limit_the_process_is_in_no_job() -> None:
    windows = Windows()
    assert MemoryJob(windows).limit is None
    assert windows.promise(1 << 50)
    assert not windows.entered


@given(st.lists(st.integers(1, 1 << 40), min_size=1))
def test_the_last_limit_holds_also_where_it_is_higher_than_one_before(counts: list[int]) -> None:
    windows = Windows()
    job = MemoryJob(windows)
    for count in counts:
        job.limit_to(count)
        assert job.limit == count
        assert windows.promise(count)
        assert not windows.promise(count + 1)


def test_a_process_that_may_enter_no_job_has_no_limit_and_says_so() -> None:
    windows = Windows(refuses=True)
    job = MemoryJob(windows)
    job.limit_to(1 << 30)
    assert job.limit is None
    assert windows.promise(1 << 50)


def test_a_limit_that_is_refused_leaves_the_one_before() -> None:
    windows = Windows()
    job = MemoryJob(windows)
    job.limit_to(1 << 30)
    job.limit_to(0)
    assert job.limit == 1 << 30
    assert not windows.promise((1 << 30) + 1)
