"""Guard that a program and all processes it starts run under: the kernel refuses them sockets to other machines.

It is a seccomp filter of Linux, which native code cannot go around as it could a hook of Python. It needs no privilege
and no tool. What a process asked for is told to whoever guards it (``seccomp_unotify(2)``), and the process gets an
error, as on a machine without a network.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_SYSCALLS = {"x86_64": (0xC000003E, 41, 317), "aarch64": (0xC00000B7, 198, 277)}
"""By processor: its name for the kernel (AUDIT_ARCH), and the numbers of `socket` and `seccomp`."""
_IO_URING_SETUP = 425  # by which sockets can be had without `socket`
_FAMILIES = {2: "AF_INET", 10: "AF_INET6", 17: "AF_PACKET"}
_WITHIN = (1, 16)  # AF_UNIX and AF_NETLINK stay on this machine

_SET_FILTER, _NEW_LISTENER, _NO_NEW_PRIVILEGES = 1, 8, 38
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06  # instructions of a filter: a word of the call, a comparison, the end
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_RECEIVE, _ANSWER = 0xC0502100, 0xC0182101
_QUESTION, _REPLY = struct.Struct("=QIIiIQ6Q"), struct.Struct("=QqiI")
_WAIT_MS = 50


class UnguardedError(Exception):
    """A program cannot be guarded on this machine; the text says why."""


def run(command: Sequence[str], **given: Any) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run a program under the guard until it ends.

    Parameters
    ----------
    command : sequence of str
    **given
        What :func:`subprocess.Popen` takes.

    Returns
    -------
    done : CompletedProcess
        With what it has written, as text.
    sockets : list of str
        Each socket that it or a process of it asked for, and which process that was.

    Raises
    ------
    UnguardedError
        If the system, its kernel or a container around it does not offer this.
    """
    if sys.platform != "linux":
        raise UnguardedError("there is no guard for this system")
    ours, theirs = socket.socketpair()
    asked: list[str] = []
    with ours, theirs:
        guarded = [sys.executable, "-I", "-S", __file__, str(theirs.fileno()), *command]
        with subprocess.Popen(
            guarded, pass_fds=[theirs.fileno()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **given
        ) as process:
            theirs.close()
            told, listeners, *_ = socket.recv_fds(ours, 200, 1)
            watching = threading.Thread(target=_watch, args=(listeners, asked))
            watching.start()
            out, err = process.communicate()
            if not listeners:
                raise UnguardedError(told.decode() or "the guard did not start")
        watching.join()
    return subprocess.CompletedProcess(command, process.returncode, out, err), asked


def _watch(listeners: list[int], asked: list[str]) -> None:
    """Refuse and note each socket that is asked for, until no guarded process is left."""
    assert sys.platform == "linux"
    import fcntl

    for listener in listeners:
        waiting = select.poll()
        waiting.register(listener, select.POLLIN)
        while not any(event & (select.POLLHUP | select.POLLERR) for _, event in waiting.poll(_WAIT_MS)):
            if not waiting.poll(0):
                continue
            question = bytearray(_QUESTION.size)
            try:
                fcntl.ioctl(listener, _RECEIVE, question)
                number, process, _, call, _, _, family, *_ = _QUESTION.unpack(question)
                asked.append(f"{_told(call, family)} of {_command(process)}")
                fcntl.ioctl(listener, _ANSWER, bytearray(_REPLY.pack(number, 0, -errno.EACCES, 0)))
            except OSError as error:
                if error.errno != errno.ENOENT:  # the process has ended meanwhile
                    raise
        os.close(listener)


def _told(call: int, family: int) -> str:
    return "io_uring" if call == _IO_URING_SETUP else _FAMILIES.get(family, f"family {family}")


def _command(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return f"process {process}"


def _enter(guard: socket.socket, command: Sequence[str]) -> None:
    """Become the program, under the guard, whose end is sent to whoever guards it."""
    machine = platform.machine()
    if machine not in _SYSCALLS:
        raise UnguardedError(f"there is no guard for {machine}")
    architecture, socket_call, seccomp_call = _SYSCALLS[machine]
    steps = [
        (_LOAD, 0, 0, 4),  # the processor's name
        (_EQUAL, 0, 7, architecture),
        (_LOAD, 0, 0, 0),  # the call's number
        (_EQUAL, 4, 0, _IO_URING_SETUP),
        (_EQUAL, 0, 4, socket_call),
        (_LOAD, 0, 0, 16),  # its first argument
        (_EQUAL, 2, 0, _WITHIN[0]),
        (_EQUAL, 1, 0, _WITHIN[1]),
        (_RETURN, 0, 0, _NOTIFY),
        (_RETURN, 0, 0, _ALLOW),
    ]
    filtering = b"".join(struct.pack("=HBBI", *step) for step in steps)
    kept = ctypes.create_string_buffer(filtering)
    program = struct.pack("@HP", len(steps), ctypes.addressof(kept))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    listener = libc.syscall(seccomp_call, _SET_FILTER, _NEW_LISTENER, program)
    if listener < 0:
        raise UnguardedError(f"the kernel offers no guard: {os.strerror(ctypes.get_errno())}")
    socket.send_fds(guard, [b"guarded"], [listener])
    os.close(listener)
    guard.close()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execvp(command[0], list(command))  # noqa: S606 (this process is the program from here on)


if __name__ == "__main__":
    with socket.socket(fileno=int(sys.argv[1])) as _guard:
        try:
            _enter(_guard, sys.argv[2:])
        except UnguardedError as _error:
            _guard.send(str(_error).encode())
            sys.exit(1)
