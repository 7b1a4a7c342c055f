"""Running another program, watched: progress goes on while it runs, and it ends when the user stops the job."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from core.systems import system

POLL_S = 0.1
GRACE_S = 2.0
ERROR_MARKS = ("E:", "ERROR:", "W: Failed", "Err:")
"""How apt and pip begin the lines that say what went wrong, the plainest first."""


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """The exit code of a program, and what it printed."""

    code: int
    output: str
    errors: str

    def reason(self) -> str:
        """Return the line that says best why it failed: the first error, or else the last line."""
        lines = [line.strip() for line in (self.errors + "\n" + self.output).splitlines() if line.strip()]
        marked = [line for mark in ERROR_MARKS for line in lines if line.startswith(mark)]
        line = (marked or lines[-1:] or [f"it ended with code {self.code}"])[0]
        return re.sub(r"^(E|W|ERROR|Err): ?", "", line).rstrip(".")


class CommandRunner(Protocol):
    """The way programs are run; tests replace it."""

    def __call__(self, command: Sequence[str], folder: Path, watch: Callable[[], None]) -> CommandOutcome:
        """Run a program in a folder, calling ``watch`` now and then; see :func:`run`."""


def run(command: Sequence[str], folder: Path, watch: Callable[[], None]) -> CommandOutcome:
    """Run a program to its end.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    folder : Path
        Where it runs; it also gets its temporary files there.
    watch : callable
        Called ten times a second; when it raises, the program and all that it started are ended.

    Raises
    ------
    OSError
        If it cannot be started.
    """
    environment = os.environ | {"LC_ALL": "C", "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)}
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        # In a session of its own: Ctrl-C comes to us alone, and what it starts can be ended with it.
        process = subprocess.Popen(  # noqa: S603 (the commands are written in this package)
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        try:
            while True:
                watch()
                try:
                    code = process.wait(POLL_S)
                    break
                except subprocess.TimeoutExpired:
                    continue
        finally:
            _end(process)
        return CommandOutcome(code, _text(output), _text(errors))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it started, if it still runs."""
    if process.poll() is None:
        system.end_with_children(process, GRACE_S)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace")
