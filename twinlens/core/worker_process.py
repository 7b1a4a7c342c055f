"""Worker processes: each process that Twinlens starts for work of its own is one, and runs tasks that come by a pipe.

One that crashes, hangs or is killed costs its task and no more: the next task starts another. It ends with its caller,
however that ends. It is light: a spawned process usually imports the parent's main module again, with everything that
it imports (the command line, the window, the database), and a worker does not. Nor does it import from the folder in
which the program was started: a ``random.py`` there is a person's file. Each worker imports this module before its
limits are set, so it imports nothing large.
"""

from __future__ import annotations

import atexit
import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection, context, parent_process, spawn, util
from multiprocessing.process import BaseProcess
from typing import Any

from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, silent
from twinlens.core.systems import system

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Pipe
else:
    from multiprocessing.connection import Connection as Pipe

LOOK_S = 0.1
"""Seconds between two looks of a caller that waits."""

STARTS = 3
"""How often a process that ends as it starts is started again."""

_ASLEEP_S = 1.0  # a longer look is a computer that slept, which is not the task's fault
_END_S = 1.0  # for a process that has closed its pipe to end
_PROGRESS_EVERY_S = 0.05

TaskRunner = Callable[[Any, "TaskCaller"], Any]


class WorkerStartError(Exception):
    """A worker could not get ready: a fault of the program or of its installation, with the traceback as message."""


class WorkerEndError(Exception):
    """A worker ended by itself.

    Parameters
    ----------
    code : int
        Its exit code; of a signal, negative.
    taken : bool
        Whether it had taken a task, which is then to blame. Without, workers ended again and again as they started.
    """

    def __init__(self, code: int, taken: bool) -> None:
        super().__init__(code, taken)
        self.code, self.taken = code, taken


class TaskFaultError(RuntimeError):
    """A fault of the program in a task: its kind and words; the traceback is in the log.

    Parameters
    ----------
    kind, words : str
        Of the error.
    trace : str
        The traceback.
    """

    def __init__(self, kind: str, words: str, trace: str) -> None:
        super().__init__(f"{kind}: {words}")
        self.kind, self.words, self.trace = kind, words, trace


class WorkerProcess:
    """A process that runs one task after the other; used by one thread at a time, but for :meth:`kill`.

    Parameters
    ----------
    prepare : callable
        Called in the process, before anything large is imported; returns the function that runs a task, which gets
        the :class:`TaskCaller` besides. It is pickled, and small: a new process reads it from a pipe that holds 64 KB.
    first : object, optional
        A task for each new process, before others: what it needs for them. Without, there is none.

    Attributes
    ----------
    results : int
        Tasks that the present process has ended.
    """

    def __init__(self, prepare: Callable[[], TaskRunner], first: object = None) -> None:
        self._prepare, self._first = prepare, first
        self._process: LightProcess | None = None
        self._pipe: Pipe[Any, Any] | None = None
        self._ready = self._taken = False
        self.results = 0
        _every.add(self)

    def begin(self) -> None:
        """Start the process, unless there is one, and do not wait until it is ready.

        Raises
        ------
        TwinlensError
            If the system refuses.
        """
        if self._process is not None:
            return
        if _ending.is_set():
            raise Cancelled
        ours, theirs = multiprocessing.Pipe()
        process = LightProcess(target=_serve, args=(theirs, self._prepare), name="twinlens-worker")
        self._ready, self.results = False, 0
        try:
            with theirs, _starting():
                process.start()
        except BrokenPipeError:  # it ended before it had read what it runs, which Python 3.14 notices as it starts it
            ours.close()
            return
        self._process, self._pipe = process, ours
        with suppress(ConnectionError):  # it has ended already, which is seen when it is awaited
            send(ours, self._first)

    def run(
        self,
        task: object,
        progress: Progress = silent,
        on_result: Callable[[Any], object] = lambda _: None,
        gently: bool = False,
        seconds: float = math.inf,
    ) -> Any:
        """Run a task and return its result.

        Parameters
        ----------
        progress : Progress
            The progress of the task, called ten times a second besides. While it does not return, the task waits;
            when it raises, the task is left to itself: :meth:`finish` or :meth:`stop` comes next.
        on_result : callable
            Called with the intermediate results of the task.
        gently : bool
            When progress raises Cancelled, the task is cancelled at its next step, and its result is awaited.
        seconds : float
            Within which the result must come; time for which the computer was asleep does not count.

        Raises
        ------
        TwinlensError, Cancelled
            As the task raised it, or if the system starts no process.
        TaskFaultError
            For everything else that the task raised.
        WorkerStartError
            If the process cannot get ready.
        WorkerEndError
            If the process ends by itself.
        TimeoutError
            If the result did not come in time; the process was ended.
        """
        caller = _Conversation(progress, on_result, gently)
        code = 0
        for _ in range(1 + STARTS):
            self._taken = False
            try:
                self.begin()
                if not self._ready:
                    self._await("ready", caller)
                    self._ready = True
                assert self._pipe is not None
                send(self._pipe, task)
                return self._await("done", caller, seconds)
            except (EOFError, ConnectionError):
                code = self._ended()
                if self._taken:
                    break
        raise WorkerEndError(code, self._taken)

    def finish(self, seconds: float) -> bool:
        """Wait for the result that nobody wants any more; return whether the process can be used again."""
        try:
            if self._ready:  # else it has no task yet
                self._await("done", _Conversation(), seconds)
        except (TwinlensError, TaskFaultError, Cancelled):
            return True
        except (EOFError, ConnectionError, TimeoutError):
            return False
        return True

    def kill(self) -> None:
        """End the process, from any thread."""
        if (process := self._process) is not None:
            process.kill()

    def stop(self) -> None:
        """End the process at once; the next task starts another."""
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is not None and pipe is not None:
            process.kill()
            process.join()
            pipe.close()

    def _await(self, wanted: str, caller: _Conversation, seconds: float = math.inf) -> Any:
        """Receive until a message of a kind comes, and return its value."""
        pipe = self._pipe
        if pipe is None:
            raise EOFError  # it ended as it started
        while True:
            caller.look()
            began = time.monotonic()
            if not pipe.poll(LOOK_S):
                seconds -= min(time.monotonic() - began, _ASLEEP_S)
                if seconds <= 0:
                    self.stop()
                    raise TimeoutError
                continue
            kind, value = receive(pipe)
            match kind:
                case "taken":
                    self._taken = True
                case "progress":
                    with suppress(ConnectionError):  # it has ended meanwhile, which is read next
                        pipe.send(caller.hear(value))
                case "told":
                    caller.on_result(value)
                case "broken":
                    self.stop()
                    raise WorkerStartError(value)
                case _:
                    self.results += kind != "ready"
                    if kind == wanted:
                        return value
                    _raise(kind, value)

    def _ended(self) -> int:
        """Return the code with which the process ended by itself."""
        process = self._process
        if process is None:
            return -9
        process.join(_END_S)
        code = process.exitcode
        self.stop()
        return -9 if code is None else code


def _raise(kind: str, value: Any) -> None:
    """Raise what a task raised."""
    if kind == "error":
        raise TwinlensError(*value)
    if kind == "cancelled":
        raise Cancelled
    raise TaskFaultError(*value)


class _Conversation:
    """The caller's side of a task: its progress, and the decision to go on."""

    def __init__(
        self, progress: Progress = silent, on_result: Callable[[Any], object] = lambda _: None, gently: bool = False
    ) -> None:
        self._progress, self.on_result, self._gently = progress, on_result, gently
        self._last: tuple[float, float, Message] = (0.0, 0.0, NOTHING)
        self._stopping = False

    def look(self) -> None:
        """Call the progress with what was told last."""
        try:
            if not self._stopping:
                self._progress(*self._last)  # which waits while the work is paused
        except Cancelled:
            if not self._gently:
                raise
            self._stopping = True

    def hear(self, progress: tuple[float, float, Message]) -> bool:
        """Take the progress of the task, and return whether it goes on."""
        self._last = progress
        self.look()
        return not self._stopping


# ---- in the process --------------------------------------------------------------------------------------------------
class TaskCaller:
    """The caller of a task, as the task sees it."""

    def __init__(self, pipe: Pipe[Any, Any]) -> None:
        self._pipe = pipe
        self._last = 0.0

    def progress(self, done: float, total: float, text: Message = NOTHING) -> None:
        """Report progress, wait while the caller pauses, and raise Cancelled if it wants no more."""
        if time.monotonic() - self._last >= _PROGRESS_EVERY_S:
            send(self._pipe, ("progress", (float(done), float(total), text)))
            if not self._pipe.recv():
                raise Cancelled
            self._last = time.monotonic()

    def tell(self, found: object) -> None:
        """Hand over an intermediate result."""
        send(self._pipe, ("told", found))


def plain() -> TaskRunner:
    """Get a process ready for tasks that take their caller alone; it writes nothing on the outputs."""
    be_quiet()
    return lambda task, caller: task(caller)


def be_quiet() -> None:
    """Detach the standard outputs of this process: what libraries write there is reported otherwise."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for output in (1, 2):
        os.dup2(nowhere, output)
    os.close(nowhere)


def _serve(pipe: Pipe[Any, Any], prepare: Callable[[], TaskRunner]) -> None:
    """Run tasks one after the other until the caller has gone."""
    # Not a daemon of multiprocessing, which could have no processes of its own.
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()
    caller = TaskCaller(pipe)
    with suppress(EOFError, OSError):  # the caller has gone
        try:
            run = prepare()
            if (first := receive(pipe)) is not None:
                run(first, caller)
        except Exception:  # noqa: BLE001 (the caller raises it)
            send(pipe, ("broken", traceback.format_exc()))
            return
        send(pipe, ("ready", None))
        while True:
            task = receive(pipe)
            send(pipe, ("taken", None))
            send(pipe, _outcome(run, task, caller))


def _outcome(run: TaskRunner, task: object, caller: TaskCaller) -> tuple[str, object]:
    """Run a task and return the message that ends it."""
    try:
        return "done", run(task, caller)
    except TwinlensError as error:
        return "error", (error.message, error.next_step)
    except Cancelled:
        return "cancelled", None
    except BaseException as error:  # noqa: BLE001 (the caller raises it)
        return "fault", (type(error).__name__, str(error), traceback.format_exc())


def _end_with_parent() -> None:
    """End this process as soon as its parent has ended, in whatever way."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


# ---- values that go across -------------------------------------------------------------------------------------------
_SHARED_BYTES = 256 << 10  # more goes in shared memory, where the system has it: a pipe takes a little at a time
_KEPT_BYTES = 8 << 20  # less is copied: shared memory costs an open file as long as the array lives


def send(pipe: Pipe[Any, Any], value: object) -> None:
    """Send a value; :func:`receive` takes it at the other end, large arrays in memory that both can see."""
    apart: list[memoryview] = []

    def stays(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes >= _SHARED_BYTES:
            apart.append(raw)
        return raw.nbytes < _SHARED_BYTES

    data = pickle.dumps(value, protocol=5, buffer_callback=stays)
    pipe.send_bytes(len(apart).to_bytes(4, "little") + data)
    for raw in apart:
        system.send_memory(pipe, raw)


def receive(pipe: Pipe[Any, Any]) -> Any:
    """Receive a value; its large arrays are read-only."""
    data = memoryview(pipe.recv_bytes())
    apart = [memoryview(system.receive_memory(pipe)) for _ in range(int.from_bytes(data[:4], "little"))]
    kept = [raw if raw.nbytes >= _KEPT_BYTES else bytes(raw) for raw in apart]
    return pickle.loads(data[4:], buffers=kept)  # noqa: S301 (from a process of the same program)


# ---- starting --------------------------------------------------------------------------------------------------------
class _LightName(str):
    """The name of a process that starts without the main module of its parent."""

    __slots__ = ()


_prepare = spawn.get_preparation_data
_options = util._args_from_interpreter_flags  # type: ignore[attr-defined]


def _without_main(name: str) -> dict[str, Any]:
    """Return the data of the parent that a new process needs."""
    data: dict[str, Any] = _prepare(name)
    if isinstance(name, _LightName):
        data.pop("init_main_from_name", None)
        data.pop("init_main_from_path", None)
        data["name"] = str(name)
    return data


def _with_safe_path() -> list[str]:
    """Return the options of every Python that multiprocessing starts: it does not import from the current folder."""
    return [*_options(), "-P"]


# The standard library offers no other way; for every other process the data stays the same.
spawn.get_preparation_data = _without_main
if not getattr(sys, "frozen", False):  # a bundle imports from no folder, and knows its own processes by these options
    util._args_from_interpreter_flags = _with_safe_path  # type: ignore[attr-defined]


class LightProcess(context.SpawnProcess):
    """A spawned process without the parent's main module, which ignores Ctrl-C."""

    @staticmethod
    def _Popen(process: BaseProcess) -> Any:  # noqa: N802 (the name in the standard library)
        process.name = _LightName(process.name)
        with system.unheard_interrupts():  # Ctrl-C is the parent's business, also while the child still imports
            return context.SpawnProcess._Popen(process)


@contextmanager
def _starting() -> Iterator[None]:
    """Raise a TwinlensError where the system refuses to start a process, but for one that ends; Ctrl-C is delayed."""
    try:
        with _interrupted_after():
            yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise TwinlensError(
            "Twinlens could not start another process: {value}.",
            "Close other programs, then try again.",
            value=error.strerror or error,
        ) from error


@contextmanager
def _interrupted_after() -> Iterator[None]:
    """Delay Ctrl-C until a process is started and known: a half started one would complain and stay.

    Blocking the signal in the starting thread is not enough: another thread receives it, and Python interrupts the
    main thread.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    heard: list[Any] = []
    signal.signal(signal.SIGINT, lambda *arrived: heard.append(arrived))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        before(*heard[0])


# ---- the end ---------------------------------------------------------------------------------------------------------
_every: weakref.WeakSet[WorkerProcess] = weakref.WeakSet()
_ending = threading.Event()


def _end_all() -> None:
    """End the processes of this program, and let none begin."""
    _ending.set()
    for process in list(_every):
        process.kill()


# Registered later than the wait of multiprocessing for its processes, so done before it.
atexit.register(_end_all)
