""""""

from __future__ import annotations

import errno
import itertools
import multiprocessing.spawn
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.app import extractors
from tests.app.extractors import ABORT, EXIT, HANG, HUNGRY, LATE, LEAVE, MEMORY, NULL, RAISE, Mean, Mishap, Own, Slow
from tests.app.pictures import tasks
from twinlens.app.library.workers import decoders, worker
from twinlens.app.library.workers import worker_pool as workers_module
from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.library.workers.extraction import Outcome, ReadPhotograph, UnreadableFile, extract
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.core import worker_process
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.worker_process import LightProcess, WorkerStartError
from twinlens.features.reading.reading_limits import Limits

ROOT = Path(__file__).parents[4]
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and memory limits of Linux")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals of POSIX")


@pytest.fixture(autouse=True, scope="module")
def none_decodes() -> None:
    """Let no process be left of tests before."""
    decoders.end()


def words(outcome: Outcome) -> str:
    return str(outcome.reason) if isinstance(outcome, UnreadableFile) else "read"


def test_results_are_in_the_order_of_the_tasks_and_as_without_workers(tmp_path: Path) -> None:
    chosen = {"slow": Slow(), "mean": Mean()}
    given = tasks(tmp_path, [*range(1, 9), 1, 30, 2], ("slow", "mean"))
    (tmp_path / "0003.pgm").write_bytes(b"no picture")
    with Workers(3, chosen) as workers:
        outcomes = list(workers.run(given))
        again = list(workers.run(given[:2]))
    assert outcomes == [extract(one, chosen, Limits()) for one in given]
    assert again == outcomes[:2]
    assert isinstance(outcomes[2], UnreadableFile)


def test_each_mishap_costs_one_photograph(tmp_path: Path) -> None:
    widths = [1, ABORT, 2, NULL, 3, HANG, 4, RAISE, 5, LEAVE, 6, EXIT, 7, MEMORY, 8, LATE, 9]
    limits = WorkerLimits(seconds=4)
    with Workers(2, {"mishap": Mishap()}, limits) as workers:
        outcomes = list(workers.run(tasks(tmp_path, widths, ("mishap",))))
    assert [one.photograph_id for one in outcomes] == list(range(1, len(widths) + 1))
    assert [isinstance(one, ReadPhotograph) for one in outcomes] == [width < 100 for width in widths]
    said = {width: words(outcome) for width, outcome in zip(widths, outcomes, strict=True)}
    assert "ended unexpectedly" in said[ABORT]
    assert "ended unexpectedly" in said[NULL]
    assert "longer than the 4 seconds that Twinlens allows" in said[HANG]
    assert "ZeroDivisionError" in said[RAISE]
    assert "ended unexpectedly" in said[LEAVE]
    assert "exit code 3" in said[LEAVE]
    assert "SystemExit" in said[EXIT]
    assert "memory" in said[MEMORY]
    if os.name == "posix":
        assert "more processor time than Twinlens allows" in said[LATE]
        assert "SIGABRT" in said[ABORT]
        assert "SIGSEGV" in said[NULL]
    assert all(one.next_step for one in outcomes if isinstance(one, UnreadableFile))


@linux_only
def test_a_picture_that_wants_too_much_memory_is_a_problem(tmp_path: Path) -> None:
    given = tasks(tmp_path, [HUNGRY, 1], ("mishap",))
    with Workers(1, {"mishap": Mishap()}, WorkerLimits(memory_bytes=1 << 29)) as workers:
        said = [words(one) for one in workers.run(given)]
    assert said == ["This picture takes more than the 512 MB of memory that Twinlens allows.", "read"]


def processes() -> list[int]:
    return [child.pid for child in multiprocessing.active_children() if child.pid is not None]


def test_closing_the_iterator_ends_the_processes_in_the_middle_of_a_file(tmp_path: Path) -> None:
    given = tasks(tmp_path, [1, HANG, HANG, 2], ("mishap",))
    with Workers(2, {"mishap": Mishap()}) as workers:
        outcomes = workers.run(given)
        assert isinstance(outcomes, Iterator)
        next(outcomes)
        children = multiprocessing.active_children()
        assert len(children) == 2
        outcomes.close()  # type: ignore[attr-defined]
        assert not processes()
        if os.name == "posix":  # by the system, not by Python code that waits for native code to return
            assert [child.exitcode for child in children] == [-signal.SIGKILL] * 2
        assert [words(one) for one in workers.run(given[:1])] == ["read"]
    assert not processes()


def test_no_process_is_started_after_the_end(tmp_path: Path) -> None:
    with Workers(1, {}) as workers:
        outcomes = workers.run(tasks(tmp_path, [1, 2, 3], ()))
        next(outcomes)
    with pytest.raises(RuntimeError, match="were stopped"):
        next(outcomes)
    assert not processes()


def test_an_error_of_the_consumer_ends_the_processes(tmp_path: Path) -> None:
    given = tasks(tmp_path, [1, HANG], ("mishap",))
    with pytest.raises(KeyError), Workers(1, {"mishap": Mishap()}) as workers:  # noqa: PT012
        for _ in workers.run(given):
            raise KeyError
    assert not processes()


def test_a_job_can_be_stopped_while_a_file_hangs(tmp_path: Path) -> None:
    def stop() -> None:
        if read:
            raise Cancelled

    read: list[Outcome] = []
    with Workers(1, {"mishap": Mishap()}) as workers:
        read.extend(workers.run(tasks(tmp_path, [1], ("mishap",))))
        with pytest.raises(Cancelled):
            read.extend(workers.run(tasks(tmp_path, [HANG], ("mishap",)), stop))
        assert not processes()
    assert len(read) == 1


def test_not_to_ask_is_to_pause(tmp_path: Path) -> None:
    taken: list[FileReadingTask] = []

    def remembered() -> Iterator[FileReadingTask]:
        for one in tasks(tmp_path, [5] * 100, ()):
            taken.append(one)
            yield one

    with Workers(1, {}) as workers:
        outcomes = workers.run(remembered())
        next(outcomes)
        before = len(taken)
        time.sleep(0.3)
        assert len(taken) == before < 50
        assert len(list(outcomes)) == 99


def test_few_results_are_kept_while_an_early_file_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "_KEPT", 10)
    taken: list[FileReadingTask] = []

    def remembered() -> Iterator[FileReadingTask]:
        for one in tasks(tmp_path, [HANG] + [5] * 30, ("mishap",)):
            taken.append(one)
            yield one

    with Workers(2, {"mishap": Mishap()}, WorkerLimits(seconds=3)) as workers:
        outcomes = workers.run(remembered())
        assert isinstance(next(outcomes), UnreadableFile)
        assert len(taken) == 10
        assert len(list(outcomes)) == 30


def pids(outcomes: list[Outcome]) -> list[int]:
    found = []
    for one in outcomes:
        assert isinstance(one, ReadPhotograph)
        high, low = np.frombuffer(one.vectors["own"], "<f2").astype(int)
        found.append(int(high) * (1 << 11) + int(low))
    return found


@posix_only
def test_an_idle_process_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    given = tasks(tmp_path, [5] * 60, ("own",))
    with Workers(1, {"own": Own()}) as workers:
        first = pids(list(workers.run(given[:5])))
        os.kill(first[0], signal.SIGKILL)
        second = pids(list(workers.run(given)))
    assert len(second) == 60
    assert first[0] not in second


def test_a_process_is_replaced_after_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "_MOST_RESULTS", 4)
    with Workers(1, {"own": Own()}) as workers:
        found = pids(list(workers.run(tasks(tmp_path, [5] * 10, ("own",)))))
    assert [found.count(pid) for pid in dict.fromkeys(found)] == [4, 4, 2]


def test_a_computer_that_was_asleep_costs_no_photograph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The clock of some systems goes on while a computer sleeps, and jumps when it wakes up.
    looks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: 10_000.0 * next(looks))
    given = tasks(tmp_path, [1, 2], ("slow",))
    with Workers(1, {"slow": Slow()}) as workers:
        assert [words(one) for one in workers.run(given)] == ["read", "read"]
        monkeypatch.setattr(worker_process, "time", clock)
        assert [words(one) for one in workers.run(given)] == ["read", "read"]
    assert next(looks) > 4


def test_a_process_that_cannot_get_ready_is_our_fault(tmp_path: Path) -> None:
    with Workers(1, {"bad": extractors.BadStart()}) as workers, pytest.raises(WorkerStartError, match="no number"):
        list(workers.run(tasks(tmp_path, [1, 2], ())))
    assert not processes()


def test_processes_that_end_as_they_start_are_told_of(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Workers(1, {"bad": extractors.DeadlyStart()}) as workers, pytest.raises(TwinlensError, match="as they start"):
        list(workers.run(tasks(tmp_path, [1, 2], ())))
    assert not processes()
    assert capfd.readouterr() == ("", "")


@posix_only
@pytest.mark.parametrize("command", ["/bin/true", "/bin/false"])
def test_processes_that_end_before_they_have_read_their_arguments_are_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", os.fsencode(command))
    more_than_a_pipe_holds = {"large": extractors.Large(np.zeros(1 << 20))}
    with Workers(2, more_than_a_pipe_holds) as workers, pytest.raises(TwinlensError, match="as they start"):
        list(workers.run(tasks(tmp_path, [1, 2], ("large",))))
    assert not processes()


def test_a_system_that_starts_no_processes_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(_: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("multiprocessing.context.SpawnProcess._Popen", none_left)
    with Workers(1, {}) as workers, pytest.raises(TwinlensError, match="could not start another process: Resource"):
        list(workers.run(tasks(tmp_path, [1], ())))


HOSTILE = ("multiprocessing", "random", "numpy", "twinlens", "pickle", "numba")


@pytest.fixture
def hostile_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    for name in HOSTILE:
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r}); raise SystemExit(3)")
    return folder


def test_the_compiler_imports_nothing_from_the_folder_where_the_program_was_started(
    tmp_path: Path, hostile_folder: Path
) -> None:
    begin = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from twinlens.core.compilation import compilation; "
    begin += "from pathlib import Path; "
    command = [sys.executable, "-P", "-c", f"{begin} compilation._compile_elsewhere(Path({str(tmp_path)!r}))"]
    # So it has imported everything when it finds that there is nothing to compile.
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=hostile_folder, env=environment, capture_output=True, text=True, check=False)
    assert "object has no attribute 'compile'" in done.stderr
    assert not (tmp_path / "ran").exists()


MAIN = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a run in the background hands down that it is ignored
sys.path.insert(0, {root!r})
from pathlib import Path
import colorsys  # stands for what the command line imports
Path({folder!r}, "imported").open("a").write("x")

if True:  # no guard: a worker must not import this module at all
    from twinlens.app.library.workers.worker_pool import Workers
    from tests.app.extractors import *
    from tests.app.pictures import tasks
    with Workers(2, {{"inside": Inside({folder!r} + "/inside"), "mishap": Mishap()}}) as workers:
        try:
            for outcome in workers.run(tasks(Path({folder!r}), {widths}, {wanted})):
                Path({folder!r}, "began").touch()
        except KeyboardInterrupt:
            sys.exit(130)
"""


def program(
    folder: Path, widths: list[int], wanted: tuple[str, ...], started_in: Path | None = None
) -> subprocess.Popen[str]:
    """Start a program of its own that reads pictures with two workers."""
    path = folder / "program.py"
    path.write_text(MAIN.format(root=str(ROOT), folder=str(folder), widths=widths, wanted=wanted))
    command = [sys.executable, str(path)]
    return subprocess.Popen(
        command,
        cwd=started_in,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=os.name == "posix",
    )


def test_a_worker_is_light_and_quiet_and_imports_nothing_from_the_folder_where_the_program_was_started(
    tmp_path: Path, hostile_folder: Path
) -> None:
    with program(tmp_path, [1], ("inside",), hostile_folder) as process:
        assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 0
    assert not (tmp_path / "ran").exists()
    assert (tmp_path / "imported").read_text() == "x"
    _, cv2_threads, omp_threads, *modules = (tmp_path / "inside").read_text().split()
    assert (cv2_threads, omp_threads) == ("1", "1")
    assert "twinlens.features.reading.reading" in modules
    heavy = {"PySide6", "sqlalchemy", "alembic", "numba", "scipy", "click", "rich"}
    assert not (heavy | {"colorsys", "program", "twinlens.storage"}) & set(modules)


def wait_for(path: Path) -> None:
    for _ in range(600):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} did not appear")


def members(session: int) -> list[int]:
    """Return the processes of a session that run, from /proc."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                found.append(int(entry.name))
    return found


@linux_only
@pytest.mark.parametrize("early", [True, False])
def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path, early: bool) -> None:
    with program(tmp_path, [1, HANG, HANG, HANG], ("mishap",)) as process:
        if early:
            wait_for(tmp_path / "imported")
            while len(members(process.pid)) < 3:
                time.sleep(0.01)
        else:
            wait_for(tmp_path / "began")
            assert len(members(process.pid)) >= 3
        process.kill()
        process.communicate(timeout=60)  # a worker that lived on would hold these outputs open
    for _ in range(400):
        if not members(process.pid):
            break
        time.sleep(0.05)
    assert members(process.pid) == []


@linux_only
def test_a_process_is_deaf_to_ctrl_c_from_its_first_moment() -> None:
    process = LightProcess(target=time.sleep, args=(600,))
    process.start()
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    finally:
        process.kill()
        process.join()
    blocked = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigBlk:"))
    assert blocked >> (signal.SIGINT - 1) & 1
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@linux_only
@pytest.mark.parametrize("early", [True, False])
def test_ctrl_c_is_heard_by_the_parent_alone(tmp_path: Path, early: bool) -> None:
    with program(tmp_path, [1, HANG, HANG, HANG], ("mishap",)) as process:
        if early:
            wait_for(tmp_path / "imported")
            while len(members(process.pid)) < 4:  # the parent, the tracker of semaphores and two workers that start
                time.sleep(0.01)
        else:
            wait_for(tmp_path / "began")
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 130
    for _ in range(50):  # the tracker of semaphores ends by itself when its parent has
        if not members(process.pid):
            break
        time.sleep(0.1)
    assert members(process.pid) == []
